/* api_run.h - one run through the public header, and its end. How it begins differs from test to
 * test. */
#ifndef TESTS_API_RUN_H
#define TESTS_API_RUN_H

#include "check.h"
#include "dalembert.h"

typedef struct {
    dal_context *cx;
    dal_options *o;
    dal_model   *m;
    dal_sim     *s;
} run;

static inline void end(run *r)
{
    dal_sim_free(r->s), dal_model_free(r->m), dal_options_free(r->o), dal_context_free(r->cx);
}

#endif
