/* tangent_run.h - a run whose steps are differentiated. */
#ifndef TESTS_TANGENT_RUN_H
#define TESTS_TANGENT_RUN_H

#include "api_run.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 16 }; /* 2 n */

static inline run open_model(const char *model, const char *scheme, double step)
{
    char words[32];
    snprintf(words, sizeof words, "%.17g", step);
    run b = with_settings((const setting[]){{"scheme", scheme}, {"step", words}, {0}});
    must(&b, dal_model_parse(b.cx, "test.dal", model, b.o, &b.m));
    return b;
}

static inline void start(run *b)
{
    must(b, try_simulation(b));
}

static inline void stop(run *b)
{
    dal_sim_free(b->s);
    b->s = NULL;
}

static inline void tangent_matrix(run *b, double *M)
{
    must(b, dal_tangent_matrix(b->s, M));
}

static inline void tangent_along(run *b, const dal_direction *along, double *out)
{
    must(b, dal_tangent(b->s, 1, along, out));
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
static inline void start_at(run *b, const char *format, double x)
{
    char words[64];
    snprintf(words, sizeof words, format, x);
    dal_options_set(b->o, "start", words);
}

#endif
