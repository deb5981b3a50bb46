/* stiff.c - stiff dissipation at steps that the slow motion allows, beside SUNDIALS' IDA and
 * ARKODE, which choose theirs: errors, steps, and processor time. Exact values are those of
 * tests/stiff. */
#include "stiff.h"
#include "bench.h"
#include "session.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Problems. ------------------------------------------------------------------------------------ */

static void robertson_start(double *y)
{
    y[0] = 1, y[1] = y[2] = 0;
}

static void robertson_rhs(double t, double after, const double *y, double *dy)
{
    (void)t, (void)after;
    dy[2] = 3e7 * y[1] * y[1];
    dy[0] = -0.04 * y[0] + 1e4 * y[1] * y[2], dy[1] = -dy[0] - dy[2];
}

static void van_der_pol_start(double *y)
{
    y[0] = 2, y[1] = 0;
}

static void van_der_pol_rhs(double t, double after, const double *y, double *dy)
{
    (void)t, (void)after;
    dy[0] = y[1], dy[1] = 1e3 * (1 - y[0] * y[0]) * y[1] - y[0];
}

static void at_rest(double *y)
{
    memset(y, 0, STIFF_MOST * sizeof *y);
}

/* y = current, node, output; the switch is up for 4 of 10 microseconds. */
static void buck_rhs(double t, double after, const double *y, double *dy)
{
    const int    up = (long)(after / 1e-6 + 0.5) % 10 < 4;
    const double to_source = up ? 0.01 : 1e6, to_ground = up ? 1e6 : 0.01;
    (void)t;
    dy[0] = (y[1] - y[2] - 0.02 * y[0]) / 1e-5;
    dy[1] = ((12 - y[1]) / to_source - y[1] / to_ground - y[0]) / 1e-9;
    dy[2] = (y[0] - y[2]) / 1e-4;
}

/* Five masses in a row, each with a spring and a damper to the one before it. */
static void chain_rhs(double t, double after, const double *y, double *dy)
{
    (void)t, (void)after;
    for (int i = 0; i < 5; i++) {
        const double before = i ? y[i - 1] : 0, v_before = i ? y[4 + i] : 0;
        dy[i] = y[5 + i];
        dy[5 + i] = 100 * (before - y[i]) + 1e4 * (v_before - y[5 + i]);
        if (i < 4) dy[5 + i] += 100 * (y[i + 1] - y[i]) + 1e4 * (y[6 + i] - y[5 + i]);
        else dy[5 + i] += 10;
    }
}

static const stiff_problem problems[] = {
    {.name = "Robertson to t = 1e6",
     .model = "system R {\n"
              "  state a' = exp(t)*(-0.04*a + 1e4*b*c), c' = exp(t)*3e7*b^2\n"
              "  state b' = exp(t)*(0.04*a - 1e4*b*c - 3e7*b^2)\n"
              "  start a = 1\n}\n"
              "simulate {\n  from = log(1e-5)\n  until = log(1e6)\n  step = log(10)/10\n}\n",
     .scheme = "damped(3)",
     .size = 3,
     .until = 1e6,
     .start = robertson_start,
     .rhs = robertson_rhs,
     .shown = 3,
     .named = {"a", "b", "c"},
     .at = {0, 1, 2},
     .exact = {0.0020314839249827151, 8.1422777833935504e-09, 0.99796850793273451}},
    {.name = "van der Pol, mu = 1000, T = 500",
     .model = "system V {\n  state x' = y, y' = 1e3*(1 - x^2)*y - x\n  start x = 2\n}\n"
              "simulate {\n  until = 500\n  step = 5\n}\n",
     .scheme = "damped(3)",
     .size = 2,
     .until = 500,
     .start = van_der_pol_start,
     .rhs = van_der_pol_rhs,
     .shown = 2,
     .named = {"x", "y"},
     .at = {0, 1},
     .exact = {1.596768951052663, -0.0010303911878393555}},
    {.name = "buck converter, 20 periods",
     .model = "system B {\n  coordinate q\n"
              "  let up = if(mod(t, 1e-5) < 0.4e-5, 0.01, 1e6)\n"
              "  let down = if(mod(t, 1e-5) < 0.4e-5, 1e6, 0.01)\n"
              "  state node' = ((12 - node)/up - node/down - q')/1e-9, out' = (q' - out)/1e-4\n"
              "  lagrangian 1e-5/2*q'^2\n  force q: node - out - 0.02*q'\n"
              "  output i = q'\n}\nsimulate {\n  until = 2e-4\n  step = 1e-6\n}\n",
     .scheme = "gauss(3)",
     .size = 3,
     .until = 2e-4,
     .every = 1e-6,
     .start = at_rest,
     .rhs = buck_rhs,
     .shown = 2,
     .named = {"i", "out"},
     .at = {0, 2},
     .exact = {2.3514758376978494, 3.3860267555684191}},
    {.name = "masses with stiff Rayleigh damping",
     .model =
         "system C {\n  coordinate x[5]\n  let s[j in 1..5] = if(j > 1, x[j] - x[max(j - 1, 1)], x[1])\n"
         "  lagrangian sum(j in 1..5: x[j]'^2/2 - 50*s[j]^2)\n"
         "  for j in 1..5 { damping s[j]: -1e4*s[j]' }\n  force x[5]: 10\n}\n"
         "simulate {\n  until = 100\n  step = 1\n}\n",
     .scheme = "gauss(3)",
     .size = 10,
     .until = 100,
     .start = at_rest,
     .rhs = chain_rhs,
     .shown = 2,
     .named = {"x[1]", "x[5]"},
     .at = {0, 4},
     .exact = {0.063212055879360712, 0.31606027940193576}},
};
enum { PROBLEMS = sizeof problems / sizeof *problems };

/* Contestants. --------------------------------------------------------------------------------- */

static double ours(const stiff_problem *p, double unused, double *y, long *steps)
{
    session x = session_new();
    double  spent = -1;
    (void)unused;
    dal_options_set(x.o, "scheme", p->scheme), dal_options_set(x.o, "backend", "native");
    if (!session_start(&x, "stiff.dal", p->model)) {
        *steps = dal_steps_planned(x.s);
        const double begin = seconds();
        if (!dal_advance(x.s, *steps)) spent = seconds() - begin;
        for (int k = 0; k < p->shown; k++) dal_measure(x.s, p->named[k], &y[p->at[k]]);
    }
    if (spent < 0) dal_report(x.cx, stderr, 0);
    session_free(&x);
    return spent;
}

typedef struct {
    const char   *name;
    stiff_solver *run;
    double        tolerance;
} contestant;

static const contestant contestants[] = {
    {"dalembert", ours, 0},
#ifdef WITH_SUNDIALS
    {"IDA, 1e-6", by_ida, 1e-6},
    {"IDA, 1e-10", by_ida, 1e-10},
    {"ARKODE, 1e-6", by_arkode, 1e-6},
    {"ARKODE, 1e-10", by_arkode, 1e-10},
#endif
};
enum { CONTESTANTS = sizeof contestants / sizeof *contestants };

static double error_of(const stiff_problem *p, const double *y)
{
    double most = 0;
    for (int k = 0; k < p->shown; k++)
        most = fmax(most, fabs(y[p->at[k]] - p->exact[k]) / fabs(p->exact[k]));
    return most;
}

/* Short runs, so each is repeated. */
static void measure(const stiff_problem *p)
{
    double spent[CONTESTANTS][ROUNDS], error[CONTESTANTS];
    long   steps[CONTESTANTS];
    progress("stiff", p->name);
    for (int r = 0; r < rounds(); r++)
        for (int c = 0; c < CONTESTANTS; c++) {
            double y[STIFF_MOST];
            spent[c][r] = contestants[c].run(p, contestants[c].tolerance, y, &steps[c]);
            error[c] = spent[c][r] < 0 ? (double)NAN : error_of(p, y);
        }
    for (int c = 0; c < CONTESTANTS; c++) {
        const timing t = summarise(spent[c], rounds());
        printf("| %s | %s%s%s | %ld | %.1e | %.3g |\n", p->name, contestants[c].name, c ? "" : ", ",
               c ? "" : p->scheme, steps[c], error[c], 1e3 * t.median);
        reading(p->name, contestants[c].name, spent[c], rounds());
    }
}

int main(void)
{
    puts(
        "\n## Stiff dissipation\n\nAt the steps of the slow motion; IDA (BDF) and ARKODE (ESDIRK of order 5) choose theirs "
        "for a tolerance, with dense Jacobians by differences.\nThe buck converter is begun anew at every "
        "microsecond, where its switch may jump. Errors are relative, the largest of what is compared.\n\n"
        "| problem | by | steps | error | ms |\n|---|---|---|---|---|");
    for (int k = 0; k < PROBLEMS; k++) measure(&problems[k]);
    return 0;
}
