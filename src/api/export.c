/* export.c - a simulation as texts of C. */
#include "api/api.h"

#include "run/exporting.h"

typedef struct {
    dal_sim      *s;
    const char   *title;
    int           single;
    dal_exported *out;
} job;

static dal_status write_texts(void *self)
{
    job         *j = self;
    export_texts t;
    dal_status   bad = simulation_export(j->s, j->title, j->single, &t);
    if (!bad)
        *j->out = (dal_exported){text_str(&t.source), text_str(&t.header), text_str(&t.program)};
    return bad;
}

/* The texts live as long as the simulation. */
dal_status dal_export(dal_sim *s, const char *name_of_all, int single, dal_exported *out)
{
    NEEDS(NULL, s);
    NEEDS(s->cx, out);
    *out = (dal_exported){0};
    if (!name_of_all) return is_null(s->cx, __func__, "name");
    job j = {s, name_of_all, single, out};
    return guarded(s->cx, &s->m, write_texts, &j);
}
