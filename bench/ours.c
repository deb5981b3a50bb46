/* ours.c - the library in the contest: native code and the virtual machine. */
#include "problem.h"
#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set_number(dal_options *o, const char *key, const char *format, double x)
{
    char number[40];
    snprintf(number, sizeof number, format, x);
    dal_options_set(o, key, number);
}

/* Only steps are timed, as of loops by hand: text, derivatives, compilation and start belong to the
 * set-up, and what is told of the last state is computed when somebody asks. */
static int run_summed(const problem *p, const char *scheme, const char *backend,
                      const char *summation, double h, double until, double *y, double *cpu)
{
    session x = session_new();
    long    steps = whole_steps(h, until);
    dal_options_set(x.o, "scheme", scheme), dal_options_set(x.o, "backend", backend),
        dal_options_set(x.o, "record", "0");
    dal_options_set(x.o, "summation", summation);
    set_number(x.o, "step", "%.17g", until / (double)steps),
        set_number(x.o, "steps", "%.0f", (double)steps);
    int good = !session_start(&x, p->name, p->model);
    if (good) {
        double begin = cpu_seconds();
        good = !dal_advance(x.s, steps);
        *cpu = cpu_seconds() - begin;
        memcpy(y, dal_q(x.s), (size_t)p->n * sizeof *y);
        if (p->size == 2 * p->n) memcpy(y + p->n, dal_v(x.s), (size_t)p->n * sizeof *y);
    }
    if (!x.s) dal_report(x.cx, stderr, 0); /* a step too large to be solved is no accident */
    session_free(&x);
    return good;
}

static int run(const problem *p, const char *scheme, const char *backend, double h, double until,
               double *y, double *cpu)
{
    return run_summed(p, scheme, backend, "compensated", h, until, y, cpu);
}

static int midpoint(const problem *p, double h, double until, double *y, double *cpu)
{
    return run(p, "midpoint", "native", h, until, y, cpu);
}
static int midpoint_vm(const problem *p, double h, double until, double *y, double *cpu)
{
    return run(p, "midpoint", "vm", h, until, y, cpu);
}
static int verlet(const problem *p, double h, double until, double *y, double *cpu)
{
    return run(p, "trapezoid", "native", h, until, y, cpu);
}
static int verlet_plain(const problem *p, double h, double until, double *y, double *cpu)
{
    return run_summed(p, "trapezoid", "native", "plain", h, until, y, cpu);
}
static int verlet_vm(const problem *p, double h, double until, double *y, double *cpu)
{
    return run(p, "trapezoid", "vm", h, until, y, cpu);
}
static int accurate(const problem *p, double h, double until, double *y, double *cpu)
{
    return run(p, p == &sleigh ? "gauss(4)" : "gauss(6)", "native", h, until, y, cpu);
}
static int accurate_vm(const problem *p, double h, double until, double *y, double *cpu)
{
    return run(p, p == &sleigh ? "gauss(4)" : "gauss(6)", "vm", h, until, y, cpu);
}

const contestant *ours(race r, int k)
{
    static const contestant all[RACES][3] = {
        [MIDPOINT_STEPS] = {{"dalembert", midpoint, 1, 0}, {"dalembert, vm", midpoint_vm, 1, 0}},
        [VERLET_STEPS] = {{"dalembert", verlet, 1, 0},
                          {"dalembert, vm", verlet_vm, 1, 0},
                          {"dalembert, plain sums", verlet_plain, 1, 0}},
        [ACCURACY] = {{"dalembert", accurate, 1, 0}, {"dalembert, vm", accurate_vm, 1, 0}},
    };
    return k < 3 && all[r][k].run ? &all[r][k] : NULL;
}

double run_words(const char *words, int n, const char *backend, double h, long steps, double *q)
{
    session x = session_new();
    set_number(x.o, "step", "%.17g", h), set_number(x.o, "steps", "%.0f", (double)steps);
    dal_options_set(x.o, "record", "0"), dal_options_set(x.o, "backend", backend);
    if (session_start(&x, "bench", words)) dal_report(x.cx, stderr, 0), exit(1);
    double begin = cpu_seconds();
    if (dal_advance(x.s, steps)) dal_report(x.cx, stderr, 0), exit(1);
    double spent = cpu_seconds() - begin;
    memcpy(q, dal_q(x.s), (size_t)n * sizeof *q);
    session_free(&x);
    return spent;
}
