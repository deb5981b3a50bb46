/* connected_run.h - one run of a connected model, joined in one of the ways there are. */
#ifndef TESTS_CONNECTED_RUN_H
#define TESTS_CONNECTED_RUN_H

#include "api_run.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline run begin(const char *path, const char *how, const setting *set)
{
    run r = with_settings(set);
    dal_options_set(r.o, "interconnection", how);
    r.status = dal_model_load(r.cx, path, r.o, &r.m);
    if (!r.status) r.status = try_simulation(&r);
    return r;
}

static inline run must_begin(const char *path, const char *how, const setting *set)
{
    run r = begin(path, how, set);
    must(&r, r.status);
    return r;
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
/* two of three are Hamiltonian */
static const char *const wells = TEST_DATA "/connected/wells.dal";

#endif
