/* energy_run.h - models of which the energy decides the step, and a run of one. */
#ifndef TESTS_ENERGY_RUN_H
#define TESTS_ENERGY_RUN_H

#include "check.h"
#include "dalembert.h"

#include <string.h>

static const char *const well = "system Well {\n"
                                "  coordinate q\n"
                                "  lagrangian q'^2/2 - (q^4 - q^2)/2\n"
                                "}\n";

static const char *const damped = "system Damped {\n"
                                  "  parameter zeta = 0.01\n"
                                  "  coordinate q\n"
                                  "  lagrangian q'^2/2 - 2*q^2\n"
                                  "  force q: -4*zeta*q'\n"
                                  "}\n";

static const char *const forced = "system Forced {\n"
                                  "  parameter F0 = 1, sigma = 1\n"
                                  "  coordinate q\n"
                                  "  lagrangian q'^2/2 - 2*q^2\n"
                                  "  force q: F0*cos(2*sigma*t)\n"
                                  "}\n";

typedef struct {
    dal_context *cx;
    dal_options *o;
    dal_model   *m;
    dal_sim     *s;
} bench;

static inline void set(bench *b, const char *key, const char *format, double x)
{
    char words[64];
    snprintf(words, sizeof words, format, x);
    assert_int_equal(dal_options_set(b->o, key, words), DAL_OK);
}

static inline bench open_bench(const char *model, const char *scheme, double step)
{
    bench b = {.cx = dal_context_new(NULL)};
    b.o = dal_options_new(b.cx);
    dal_options_set(b.o, "principle", "energy"), dal_options_set(b.o, "scheme", scheme);
    set(&b, "step", "%.17g", step);
    assert_int_equal(dal_model_parse(b.cx, "test.dal", model, b.o, &b.m), DAL_OK);
    return b;
}

static inline void start(bench *b)
{
    dal_status bad = dal_sim_new(b->m, b->o, &b->s);
    if (bad) dal_report(b->cx, stderr, 0);
    assert_int_equal(bad, DAL_OK);
}

static inline void close_bench(bench *b)
{
    dal_sim_free(b->s), dal_model_free(b->m), dal_options_free(b->o), dal_context_free(b->cx);
}

static inline double measured(dal_sim *s, const char *what)
{
    double x;
    assert_int_equal(dal_measure(s, what, &x), DAL_OK);
    return x;
}

#endif
