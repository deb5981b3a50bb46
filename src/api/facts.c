/* facts.c - the facts of a model: each set of them owns its mem. */
#include "api/api.h"
#include "run/describe.h"

typedef struct {
    mem       m; /* first: it is an object of the context */
    dal_facts facts;
} facts_object;

typedef struct {
    facts_object      *object;
    const dal_model   *model;
    const dal_options *options;
} facts_job;

/* What is wrong is for dal_check to say, once: messages go nowhere. */
static dal_status find_facts(void *self)
{
    facts_job *j = self;
    mem       *m = &j->object->m;
    request    asked;
    diags      unheard;
    text       unread = text_new(m);
    if (!j->model->md) return DAL_INVALID;
    diags_init(&unheard, m);
    options_request(j->options, &asked);
    description d = {m, &j->model->is, &asked, &unheard, &unread};
    return describe_facts(&d, &j->object->facts);
}

dal_status dal_analyse(const dal_model *m, const dal_options *o, dal_facts **out)
{
    if (out) *out = NULL;
    NEEDS(o ? o->cx : NULL, m);
    NEEDS(o ? o->cx : m->cx, out);
    dal_context  *cx = o ? o->cx : m->cx;
    facts_object *object = object_new(cx, sizeof *object);
    if (!object) return DAL_NOMEM;
    facts_job  j = {object, m, o};
    dal_status bad = guarded(cx, &object->m, find_facts, &j);
    if (bad) object_free(object);
    else *out = &object->facts;
    return bad;
}

void dal_facts_free(dal_facts *f)
{
    if (f) object_free((char *)f - offsetof(facts_object, facts));
}
