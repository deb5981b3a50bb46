/* variational.c - tables of variational orders, and doubled runs: each owns its mem. */
#include "run/variational.h"
#include "api/api.h"
#include "run/duplicate.h"

typedef struct {
    mem             m; /* first: it is an object of the context */
    dal_variational table;
} variational_object;

typedef struct {
    variational_object *object;
    const dal_model    *model;
    const dal_options  *options;
    dal_context        *cx;
} variational_job;

static dal_status make_table(void *self)
{
    variational_job *j = self;
    request          asked;
    options_request(j->options, &asked);
    return variational_order(&j->object->m, &j->model->is, &asked, &j->cx->ds, &j->object->table);
}

dal_status dal_variational_order(const dal_model *m, const dal_options *o, dal_variational **out)
{
    if (out) *out = NULL;
    NEEDS(o ? o->cx : NULL, m);
    NEEDS(o ? o->cx : m->cx, out);
    dal_context        *cx = o ? o->cx : m->cx;
    variational_object *object = object_new(cx, sizeof *object);
    *out = NULL;
    if (!object) return DAL_NOMEM;
    variational_job j = {object, m, o, cx};
    dal_status      bad = guarded(cx, &object->m, make_table, &j);
    if (bad) object_free(object);
    else *out = &object->table;
    return bad;
}

void dal_variational_free(dal_variational *v)
{
    if (v) object_free((char *)v - offsetof(variational_object, table));
}

typedef struct {
    mem           m; /* first */
    dal_duplicate found;
} duplicate_object;

typedef struct {
    duplicate_object  *object;
    const dal_model   *model;
    const dal_options *options;
    dal_context       *cx;
} duplicate_job;

static dal_status make_duplicate(void *self)
{
    duplicate_job *j = self;
    request        asked;
    options_request(j->options, &asked);
    return duplicate_run(&j->object->m, &j->model->is, &asked, &j->cx->ds, &j->object->found);
}

dal_status dal_duplicate_of(const dal_model *m, const dal_options *o, dal_duplicate **out)
{
    if (out) *out = NULL;
    NEEDS(o ? o->cx : NULL, m);
    NEEDS(o ? o->cx : m->cx, out);
    dal_context      *cx = o ? o->cx : m->cx;
    duplicate_object *object = object_new(cx, sizeof *object);
    if (!object) return DAL_NOMEM;
    duplicate_job j = {object, m, o, cx};
    dal_status    bad = guarded(cx, &object->m, make_duplicate, &j);
    if (bad) object_free(object);
    else *out = &object->found;
    return bad;
}

void dal_duplicate_free(dal_duplicate *d)
{
    if (d) object_free((char *)d - offsetof(duplicate_object, found));
}
