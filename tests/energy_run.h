/* energy_run.h - models of which the energy decides the step, and a run of one. */
#ifndef TESTS_ENERGY_RUN_H
#define TESTS_ENERGY_RUN_H

#include "api_run.h"

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

static inline void set(run *b, const char *key, const char *format, double x)
{
    char words[64];
    snprintf(words, sizeof words, format, x);
    assert_int_equal(dal_options_set(b->o, key, words), DAL_OK);
}

static inline run open_model(const char *model, const char *scheme, double step)
{
    run b = with_settings((const setting[]){{"principle", "energy"}, {"scheme", scheme}, {0}});
    set(&b, "step", "%.17g", step);
    must(&b, dal_model_parse(b.cx, "test.dal", model, b.o, &b.m));
    return b;
}

static inline void start(run *b)
{
    must(b, try_simulation(b));
}

static inline double measured(dal_sim *s, const char *what)
{
    double x;
    assert_int_equal(dal_measure(s, what, &x), DAL_OK);
    return x;
}

#endif
