/* api_run.h - one run through the public header: settings, a model, a simulation of it, the end. */
#ifndef TESTS_API_RUN_H
#define TESTS_API_RUN_H

#include "check.h"
#include "dalembert.h"

typedef struct {
    dal_context *cx;
    dal_options *o;
    dal_model   *m;
    dal_sim     *s;
    size_t       n;      /* of its coordinates, once there is a simulation */
    dal_status   status; /* where a test lets something fail */
} run;

/* Settings are pairs of which the last is {0}; one without a value is not made. */
typedef struct {
    const char *key, *value;
} setting;

static inline run with_settings(const setting *set)
{
    run r = {.cx = dal_context_new(NULL)};
    r.o = dal_options_new(r.cx);
    for (; set && set->key; set++)
        if (set->value) assert_int_equal(DAL_OK, dal_options_set(r.o, set->key, set->value));
    return r;
}

/* What was done must have gone well; otherwise the messages are shown. */
static inline void must(const run *r, dal_status done)
{
    if (done) dal_report(r->cx, stderr, 0);
    assert_int_equal(done, DAL_OK);
}

static inline dal_status try_simulation(run *r)
{
    dal_status bad = dal_sim_new(r->m, r->o, &r->s);
    r->n = bad ? 0 : dal_size(r->s);
    return bad;
}

/* From the text of a model to a simulation, or to what is wrong with either. */
static inline dal_status try_text(run *r, const char *text)
{
    dal_status bad = dal_model_parse(r->cx, "test.dal", text, r->o, &r->m);
    return bad ? bad : try_simulation(r);
}

static inline run begin_text(const char *text, const setting *set)
{
    run r = with_settings(set);
    must(&r, try_text(&r, text));
    return r;
}

static inline void run_to_end(const run *r)
{
    must(r, dal_run(r->s, NULL));
}

/* What `half` has saved by now goes on, in a simulation of its own, to the end of `whole`. */
static inline void check_goes_on_to(const run *half, const run *whole)
{
    run             rest = {.cx = whole->cx};
    const void     *bytes;
    size_t          length;
    dal_checkpoint *c;
    must(half, dal_sim_save_to_memory(half->s, &bytes, &length));
    must(half, dal_checkpoint_parse(half->cx, bytes, length, &c));
    must(half, dal_checkpoint_resume(c, &rest.m, &rest.s));
    must(half, dal_run(rest.s, NULL));
    assert_memory_equal(dal_q(whole->s), dal_q(rest.s), whole->n * sizeof(double));
    assert_memory_equal(dal_p(whole->s), dal_p(rest.s), whole->n * sizeof(double));
    dal_sim_free(rest.s), dal_model_free(rest.m), dal_checkpoint_free(c);
}

static inline double measure(const run *r, const char *what)
{
    double x = NAN;
    must(r, dal_measure(r->s, what, &x));
    return x;
}

/* The largest difference of n numbers; infinite where only one of two is a number. */
static inline double apart(const double *a, const double *b, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        if (isnan(a[i]) != isnan(b[i])) most = INFINITY;
        else most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

/* The same as a part of the largest of a. */
static inline double apart_relatively(const double *a, const double *b, size_t n)
{
    double most = apart(a, b, n), size = 0;
    for (size_t i = 0; i < n; i++) size = fmax(size, fabs(a[i]));
    return most > 0 ? most / size : 0;
}

/* Of positions and momenta. */
static inline double states_apart(const run *a, const run *b)
{
    return fmax(apart_relatively(dal_q(a->s), dal_q(b->s), a->n),
                apart_relatively(dal_p(a->s), dal_p(b->s), a->n));
}

static inline void end(run *r)
{
    dal_sim_free(r->s), dal_model_free(r->m), dal_options_free(r->o), dal_context_free(r->cx);
}

#endif
