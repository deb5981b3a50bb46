/* connected_run.h - one run of a connected model, joined in one of the ways there are. */
#ifndef TESTS_CONNECTED_RUN_H
#define TESTS_CONNECTED_RUN_H

#include "check.h"
#include "dalembert.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    dal_context *cx;
    dal_options *o;
    dal_model   *m;
    dal_sim     *s;
    dal_status   status;
} run;

typedef struct {
    const char *key, *value;
} pair;

static inline run begin(const char *path, const char *how, const pair *set)
{
    run r = {.cx = dal_context_new(NULL)};
    r.o = dal_options_new(r.cx);
    dal_options_set(r.o, "interconnection", how);
    for (; set && set->key; set++)
        assert_int_equal(DAL_OK, dal_options_set(r.o, set->key, set->value));
    r.status = dal_model_load(r.cx, path, r.o, &r.m);
    if (!r.status) r.status = dal_sim_new(r.m, r.o, &r.s);
    return r;
}

static inline run must_begin(const char *path, const char *how, const pair *set)
{
    run r = begin(path, how, set);
    if (r.status) dal_report(r.cx, stderr, 0);
    assert_int_equal(r.status, DAL_OK);
    return r;
}

static inline void end(run *r)
{
    dal_sim_free(r->s), dal_model_free(r->m), dal_options_free(r->o), dal_context_free(r->cx);
}

static inline double measure(run *r, const char *what)
{
    double x = NAN;
    assert_int_equal(DAL_OK, dal_measure(r->s, what, &x));
    return x;
}

static inline void advance(run *r, long to)
{
    while (dal_steps(r->s) < to) assert_int_equal(DAL_OK, dal_step(r->s));
}

static const char *const schemes[] = {
    "midpoint", "trapezoid", "lobatto(3)",   "gauss(2)",
    "gauss(3)", "radau(2)",  "rectangle(0)", "compose(midpoint, suzuki(4))"};

static const char *const ways[] = {"eliminate", "multipliers"};

static const char torn_springs[] = TEST_DATA "/../examples/papers/torn_springs.dal";
static const char torn_circuit[] = TEST_DATA "/../examples/papers/torn_circuit.dal";
static const char *const oscillators = TEST_DATA "/connected/pair.dal";
static const char *const wells = TEST_DATA "/connected/wells.dal"; /* two of three are Hamiltonian */

#endif
