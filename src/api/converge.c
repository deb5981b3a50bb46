/* converge.c - convergence tables: each owns its mem, in which all its runs lived. */
#include "api/api.h"
#include "run/converge.h"

#include <string.h>

typedef struct {
    mem             m; /* first: it is an object of the context */
    dal_convergence table;
} convergence_object;

typedef struct {
    convergence_object *object;
    const dal_model    *model;
    const dal_options  *options;
    const char         *schemes, *steps;
    dal_context        *cx;
} converge_job;

/* Options of this call are texts like those of the command line, for messages. */
static const source *given(mem *m, const char *flag, const char *words)
{
    source *s = mem_array(m, 1, source);
    *s = (source){flag, mem_printf(m, "%s", words), strlen(words)};
    return s;
}

static dal_status make_table(void *self)
{
    converge_job   *j = self;
    mem            *m = &j->object->m;
    convergence_job job = {.m = m, .ds = &j->cx->ds, .of = &j->model->is};
    options_request(j->options, &job.asked);
    if (j->schemes) job.schemes = given(m, "--schemes", j->schemes);
    if (j->steps) job.steps = given(m, "--steps", j->steps);
    return converge(&job, &j->object->table);
}

/* The context of the options, if there are any, takes the messages. */
dal_status dal_converge(const dal_model *m, const dal_options *o, const char *schemes,
                        const char *steps, dal_convergence **out)
{
    if (out) *out = NULL;
    NEEDS(o ? o->cx : NULL, m);
    NEEDS(o ? o->cx : m->cx, out);
    dal_context        *cx = o ? o->cx : m->cx;
    convergence_object *object = object_new(cx, sizeof *object);
    *out = NULL;
    if (!object) return DAL_NOMEM;
    converge_job j = {object, m, o, schemes, steps, cx};
    dal_status   bad = guarded(cx, &object->m, make_table, &j);
    if (bad) object_free(object);
    else *out = &object->table;
    return bad;
}

/* The object begins before the table that was handed out. */
void dal_convergence_free(dal_convergence *c)
{
    if (c) object_free((char *)c - offsetof(convergence_object, table));
}
