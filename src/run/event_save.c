/* event_save.c - which rows are closed, which conditions hold and which branches are held, in a
 * checkpoint; what has happened before it is not kept. Flags are parameters, and kept with them. */
#include "mech/stepper/save.h"
#include "mech/stepper/stepper.h"
#include "run/events.h"
#include "run/simulation.h"

#include <string.h>

static void archive_flags(archive *r, const char *word, unsigned char *flag, int n, double *room)
{
    for (int i = 0; i < n; i++) room[i] = flag[i];
    archive_doubles(r, word, room, (size_t)n);
    for (int i = 0; i < n && r->reading; i++) flag[i] = room[i] != 0;
}

/* Which rows hold, and what was so far as large as that roundoff is judged by it. */
static void archive_rows(events *x, archive *r, mem *m)
{
    double *room = mem_array(m, x->count + x->rows + 1, double);
    archive_flags(r, "closed", x->closed, x->rows, room);
    archive_flags(r, "true", x->is_true, x->count, room);
    archive_flags(r, "caught", x->caught, x->count, room);
    archive_doubles(r, "reach", x->reach, (size_t)x->rows);
    archive_doubles(r, "speed", x->speed, (size_t)x->rows);
    archive_doubles(r, "grain", x->grain, (size_t)x->count);
    archive_bool(r, "stopped", &x->stopped);
}

/* Where rows are closed, the stepper of the mode is saved beside the simulation's own. */
void events_archive(dal_sim *s, archive *r)
{
    events *x = s->events;
    if (!x) return;
    const char *before = r->where;
    mem        *m = mem_child(&s->m);
    archive_section(r, "events.");
    archive_rows(x, r, m);
    archive_section(r, before);
    mem_free(m);
    if (r->bad) return;
    const bool holds = x->rows && memchr(x->closed, 1, (size_t)x->rows);
    if (r->reading) {
        x->catches = x->count && memchr(x->caught, 1, (size_t)x->count);
        x->now = NULL;
        bound_refresh(x->bound);
        if (holds && events_enter(s)) archive_refuse(r, "%s", text_str(&s->why));
    }
    if (!holds || r->bad) return;
    x->now->run->st->nw.count = (newton_statistics){0}; /* nobody asks how often a mode was used */
    archive_of(r, "mode.");
    stepper_archive(x->now->run->st, r);
    archive_of(r, "");
    if (r->reading) events_arrive(x->now->run, s->t);
}
