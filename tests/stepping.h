/* stepping.h - makes a stepper in one line and runs it: what the tests of the mech layer share. */
#ifndef TESTS_STEPPING_H
#define TESTS_STEPPING_H

#include "check.h"
#include "mech/stepper/step.h"
#include "systems.h"

typedef struct {
    mem      m;
    text     why;
    scheme   sch;
    stepper *st;
    double   t0;
    long     k;
} bench;

static inline void bench_open(bench *b, dal_system *sys, const char *words, const char *force,
                              const step_options *o)
{
    static const step_options plain = {0};
    static uint8_t            everywhere[64];
    memset(everywhere, 1, sizeof everywhere);
    *b = (bench){0};
    mem_init(&b->m, mem_heap_default());
    b->why = text_new(&b->m);
    dal_status bad = scheme_parse(&b->sch, words, force, &b->why);
    if (!bad && b->sch.damps && sys->forced) sys->damped = everywhere; /* all forces are damping */
    if (bad || stepper_new(&b->m, sys, &b->sch, o ? o : &plain, &b->st, &b->why)) {
        print_error("%s: %s\n", words, text_str(&b->why));
        fail();
    }
}

static inline void bench_close(bench *b)
{
    stepper_free(b->st);
    mem_free(&b->m);
}

static inline void bench_set(bench *b, double t, const double *q, const double *p)
{
    stepper_set(b->st, t, q, p, NULL);
    b->t0 = t, b->k = 0;
}

static inline void bench_run(bench *b, double h, int steps)
{
    for (int k = 0; k < steps; k++, b->k++)
        if (stepper_step(b->st, b->t0 + (double)b->k * h, h, &b->why)) {
            print_error("step %ld: %s\n", b->k, text_str(&b->why));
            fail();
        }
}

static inline double distance(const double *a, const double *b, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= most)) most = fabs(a[i] - b[i]);
    return most;
}

#endif
