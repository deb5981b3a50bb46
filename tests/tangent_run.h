/* tangent_run.h - a run whose steps are differentiated. */
#ifndef TESTS_TANGENT_RUN_H
#define TESTS_TANGENT_RUN_H

#include "check.h"
#include "dalembert.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 16 }; /* 2 n */

typedef struct {
    dal_context *cx;
    dal_options *o;
    dal_model   *m;
    dal_sim     *s;
    size_t       n;
} bench;

static inline bench open_bench(const char *model, const char *scheme, double step)
{
    char  words[32];
    bench b = {.cx = dal_context_new(NULL)};
    b.o = dal_options_new(b.cx);
    snprintf(words, sizeof words, "%.17g", step);
    dal_options_set(b.o, "scheme", scheme), dal_options_set(b.o, "step", words);
    dal_status bad = dal_model_parse(b.cx, "test.dal", model, b.o, &b.m);
    if (bad) dal_report(b.cx, stderr, 0);
    assert_int_equal(bad, DAL_OK);
    return b;
}

static inline void start(bench *b)
{
    dal_status bad = dal_sim_new(b->m, b->o, &b->s);
    if (bad) dal_report(b->cx, stderr, 0);
    assert_int_equal(bad, DAL_OK);
    b->n = dal_size(b->s);
}

static inline void stop(bench *b)
{
    dal_sim_free(b->s);
    b->s = NULL;
}

static inline void close_bench(bench *b)
{
    dal_sim_free(b->s), dal_model_free(b->m), dal_options_free(b->o), dal_context_free(b->cx);
}

static inline void tangent_matrix(bench *b, double *M)
{
    dal_status bad = dal_tangent_matrix(b->s, M);
    if (bad) dal_report(b->cx, stderr, 0);
    assert_int_equal(bad, DAL_OK);
}

static inline void tangent_along(bench *b, const dal_direction *along, double *out)
{
    dal_status bad = dal_tangent(b->s, 1, along, out);
    if (bad) dal_report(b->cx, stderr, 0);
    assert_int_equal(bad, DAL_OK);
}

/* L depends on q and v together, the mass on q; f on t, q and v. */
static const char *const plane =
    "system Plane {\n"
    "  parameter m = 1.3, B = 0.4, k = 2, c = 0.3\n"
    "  coordinate x, y\n"
    "  lagrangian (1 + y^2)*x'^2/2 + m*y'^2/2 + B*x*(x*y' - y*x') - x^4/4 - k*y^2/2 - x*y\n"
    "  force x: -c*(1 + y^2)*x'\n"
    "  force y: -c*y' + c*cos(3*t)\n"
    "  start x = 0.6, y = -0.3, x' = 0.5, y' = 0.8\n"
    "}\n";

/* Along one direction of the state, the same by differences of runs that begin a little aside. */
static inline void start_at(bench *b, const char *format, double x)
{
    char words[64];
    snprintf(words, sizeof words, format, x);
    dal_options_set(b->o, "start", words);
}

#endif
