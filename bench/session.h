/* session.h - a context, options, a model and its simulation, which end together. */
#ifndef BENCH_SESSION_H
#define BENCH_SESSION_H

#include "dalembert.h"

typedef struct {
    dal_context *cx;
    dal_options *o;
    dal_model   *m;
    dal_sim     *s;
} session;

static inline session session_new(void)
{
    session x = {.cx = dal_context_new(NULL)};
    x.o = dal_options_new(x.cx);
    return x;
}

static inline int session_start(session *x, const char *name, const char *model)
{
    return dal_model_parse(x->cx, name, model, x->o, &x->m) || dal_sim_new(x->m, x->o, &x->s);
}

static inline void session_free(session *x)
{
    dal_sim_free(x->s), dal_model_free(x->m), dal_options_free(x->o), dal_context_free(x->cx);
}

#endif
