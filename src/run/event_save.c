/* event_save.c - which rows are closed, which conditions hold and which branches are held, in a
 * checkpoint; what has happened before it is not kept. Flags are parameters, and kept with them. */
#include "run/events.h"
#include "run/simulation.h"

#include <string.h>

static void archive_flags(archive *r, const char *word, unsigned char *flag, int n, double *room)
{
    for (int i = 0; i < n; i++) room[i] = flag[i];
    archive_doubles(r, word, room, (size_t)n);
    for (int i = 0; i < n && r->reading; i++) flag[i] = room[i] != 0;
}

/* What the stepper has is the state of the model; the mode takes it on. */
void events_archive(dal_sim *s, archive *r)
{
    events *x = s->events;
    if (!x) return;
    const char *before = r->where;
    mem        *m = mem_child(&s->m);
    double     *room = mem_array(m, x->count + x->rows + 1, double);
    archive_section(r, "events.");
    archive_flags(r, "closed", x->closed, x->rows, room);
    archive_flags(r, "true", x->is_true, x->count, room);
    archive_flags(r, "caught", x->caught, x->count, room);
    archive_bool(r, "stopped", &x->stopped);
    archive_section(r, before);
    mem_free(m);
    if (!r->reading || r->bad) return;
    x->catches = x->count && memchr(x->caught, 1, (size_t)x->count);
    x->now = NULL;
    bound_refresh(x->bound);
    if (x->rows && memchr(x->closed, 1, (size_t)x->rows) && events_enter(s))
        archive_refuse(r, "%s", text_str(&s->why));
}
