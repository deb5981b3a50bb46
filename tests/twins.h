/* twins.h - one system twice, made of functions and of a text, which move alike. */
#ifndef TESTS_TWINS_H
#define TESTS_TWINS_H

#include "check.h"
#include "dalembert.h"

#include <stdio.h>
#include <string.h>

/* Two simulations of one system, by functions [0] and by text [1]. */
typedef struct {
    dal_context *cx;
    dal_options *o;
    dal_model   *m[2];
    dal_sim     *s[2];
} twins;

static inline void twins_new(twins *w, const dal_callbacks *made, const char *text,
                             const char *scheme, const char *step)
{
    *w = (twins){.cx = dal_context_new(NULL)};
    w->o = dal_options_new(w->cx);
    dal_options_set(w->o, "scheme", scheme), dal_options_set(w->o, "step", step);
    dal_status bad = dal_model_from_callbacks(w->cx, made, &w->m[0]);
    if (!bad) bad = dal_model_parse(w->cx, "twin.dal", text, w->o, &w->m[1]);
    for (int k = 0; k < 2 && !bad; k++) bad = dal_sim_new(w->m[k], w->o, &w->s[k]);
    if (bad) dal_report(w->cx, stderr, 0);
    assert_int_equal(bad, DAL_OK);
}

static inline void twins_step(twins *w, int steps)
{
    for (int i = 0; i < steps; i++)
        for (int k = 0; k < 2; k++)
            if (dal_step(w->s[k])) dal_report(w->cx, stderr, 0), fail();
}

/* The largest difference of q and p. */
static inline double apart(const twins *w)
{
    double most = 0;
    for (size_t i = 0; i < dal_size(w->s[0]); i++) {
        most = fmax(most, fabs(dal_q(w->s[0])[i] - dal_q(w->s[1])[i]));
        most = fmax(most, fabs(dal_p(w->s[0])[i] - dal_p(w->s[1])[i]));
    }
    return most;
}

static inline void twins_free(twins *w)
{
    for (int k = 0; k < 2; k++) dal_sim_free(w->s[k]), dal_model_free(w->m[k]);
    dal_options_free(w->o), dal_context_free(w->cx);
}

#endif
