/* equivalence.c - how far equivalent splits of a system part, as an object that owns its mem. */
#include "run/equivalence.h"
#include "api/api.h"

#include <string.h>

typedef struct {
    mem             m; /* first: it is an object of the context */
    dal_equivalence is;
} equivalence_object;

typedef struct {
    equivalence_object *object;
    const dal_model    *model;
    const dal_options  *options;
    dal_context        *cx;
    source              words;
} equivalence_job;

static dal_status measure(void *self)
{
    equivalence_job *j = self;
    request          asked;
    text             unsaid = text_new(&j->object->m);
    options_request(j->options, &asked);
    if (!j->model->md)
        return diag_error(&j->cx->ds, DAL_INVALID, span_none(), NULL,
                          "'%s' is made of functions: its L cannot be given another term",
                          j->model->is.title);
    description d = {&j->object->m, &j->model->is, &asked, &j->cx->ds, &unsaid};
    return equivalence_measure(&d, &j->words, &j->object->is);
}

dal_status dal_equivalence_of(const dal_model *m, const dal_options *o, const char *W,
                              dal_equivalence **out)
{
    if (out) *out = NULL;
    NEEDS(o ? o->cx : NULL, m);
    NEEDS(o ? o->cx : m->cx, W);
    NEEDS(o ? o->cx : m->cx, out);
    dal_context        *cx = o ? o->cx : m->cx;
    equivalence_object *object = object_new(cx, sizeof *object);
    if (!object) return DAL_NOMEM;
    equivalence_job j = {object, m, o, cx, {"--equivalence", W, strlen(W)}};
    dal_status      bad = guarded(cx, &object->m, measure, &j);
    if (bad) object_free(object);
    else *out = &object->is;
    return bad;
}

void dal_equivalence_free(dal_equivalence *e)
{
    if (e) object_free((char *)e - offsetof(equivalence_object, is));
}
