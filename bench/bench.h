/* bench.h - time and medians: what every benchmark shares. Benchmarks print tables; they are no tests. */
#ifndef BENCH_H
#define BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 7 };

static inline double seconds(void) /* of this thread's processor time */
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct {
    double median, spread; /* spread: largest over smallest */
} timing;

static inline timing summarise(double *t, int n)
{
    qsort(t, (size_t)n, sizeof *t, ascending);
    return (timing){t[n / 2], t[n - 1] / t[0]};
}

#endif
