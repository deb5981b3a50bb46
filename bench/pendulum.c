/* pendulum.c - the plane pendulum of n equal links, by the midpoint rule: the library, given nested
 * sums, compared with what one would write by hand. */
#include "bench.h"
#include "links.h"
#include "problem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char MODEL[] = "system Links {\n parameter N = %d, g = 9.81\n coordinate th[N]\n"
                            " let X[k in 1..N] = sum(j in 1..k: sin(th[j])),"
                            " Y[k in 1..N] = -sum(j in 1..k: cos(th[j]))\n"
                            " lagrangian sum(k in 1..N: (X[k]'^2 + Y[k]'^2)/2 - g*Y[k])\n"
                            " for k in 1..N { start th[k] = 0.5 }\n}\n";

static double run_library(int n, const char *backend, double h, long steps, double *th)
{
    char words[1024];
    snprintf(words, sizeof words, MODEL, n);
    return run_words(words, n, backend, h, steps, th);
}

typedef struct {
    /* seconds of a step */
    double    by_hand[LINKS_WAYS][ROUNDS], native[ROUNDS], vm[ROUNDS], arkode[ROUNDS];
    double    far, arkode_far; /* largest difference from the loop by hand */
    links_way best;            /* of those by hand                         */
} outcome;

static double furthest(int n, const double *a, const double *b)
{
    double far = 0;
    for (int i = 0; i < n; i++) far = fmax(far, fabs(a[i] - b[i]));
    return far;
}

static void compete(int n, long steps, outcome *o)
{
    double a[LINKS], b[LINKS], c[LINKS], each = 1 / (double)steps;
    for (int r = 0; r < rounds(); r++) {
        o->vm[r] = run_library(n, "vm", 0.01, steps, b) * each;
        o->native[r] = run_library(n, "native", 0.01, steps, b) * each;
        for (links_way way = 0; way < LINKS_WAYS; way++)
            o->by_hand[way][r] = links_by_hand(n, way, 0.01, steps, a) * each;
        o->arkode[r] = 0;
#ifdef WITH_SUNDIALS
        o->arkode[r] = pendulum_by_arkode(n, 0.01, steps, c) * each;
#else
        memcpy(c, a, sizeof c);
#endif
    }
    o->far = furthest(n, a, b), o->arkode_far = furthest(n, a, c);
    o->best = summarise(o->by_hand[LINKS_DENSE], rounds()).median <
                      summarise(o->by_hand[LINKS_LINEAR], rounds()).median
                  ? LINKS_DENSE
                  : LINKS_LINEAR;
}

static void row(int n, const char *by, const double *t, const outcome *o, double far)
{
    timing own = summarise(t, rounds()), to = ratio(t, o->by_hand[o->best], rounds());
    char   title[40];
    printf("| %d | %s | %.0f | %.2f | %.2f-%.2f | %.0e |\n", n, by, own.median * 1e9, to.median,
           to.low, to.high, far);
    snprintf(title, sizeof title, "pendulum of %d links", n);
    reading(title, by, t, rounds());
    fflush(stdout);
}

void pendulums(void)
{
    static const char *const way[LINKS_WAYS] = {"by hand, dense", "by hand, O(n)"};
    static const int         links[] = {2, 10, 30, 100};
    static const long        steps[] = {20000, 2000, 1000, 100};
    printf("\n## Pendulum of n links, midpoint, h = 0.01\n\nNanoseconds per step; ratios are to "
           "the better loop by hand: Newton with "
           "the exact Jacobian, as a dense matrix in\nangles, and in O(n) by elimination from the "
           "end of the chain. dalembert is given nested "
           "sums, and solves with a dense matrix. ARKODE has right-hand\nsides of O(n) by rod "
           "tensions and its own differences for the Jacobian; its midpoint rule is "
           "of the angles and their rates, which\nis another map of the same order. The difference "
           "is in the angles at the end, from the "
           "loop by hand.\n\n| n | by | ns per step | ratio | of rounds | difference "
           "|\n|---|---|---|---|---|---|\n");
    for (int k = 0; k < 4; k++) {
        static outcome o;
        char           name[64];
        snprintf(name, sizeof name, "pendulum of %d links", links[k]);
        progress(name, NULL);
        compete(links[k], steps[k], &o);
        row(links[k], "dalembert", o.native, &o, o.far);
        row(links[k], "dalembert, vm", o.vm, &o, o.far);
        for (links_way w = 0; w < LINKS_WAYS; w++) row(links[k], way[w], o.by_hand[w], &o, 0);
        reading(name, "by hand", o.by_hand[o.best], rounds());
        if (o.arkode[0] > 0) row(links[k], "ARKODE midpoint", o.arkode, &o, o.arkode_far);
    }
}
