/* bench.c - clocks, medians and the file of readings. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double clock_at(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double seconds(void)
{
    return clock_at(CLOCK_THREAD_CPUTIME_ID);
}

double elapsed(void)
{
    return clock_at(CLOCK_MONOTONIC);
}

double processors(void)
{
    return clock_at(CLOCK_PROCESS_CPUTIME_ID);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

timing summarise(const double *t, int n)
{
    double sorted[ROUNDS];
    memcpy(sorted, t, (size_t)n * sizeof *t);
    qsort(sorted, (size_t)n, sizeof *sorted, ascending);
    return (timing){sorted[n / 2], sorted[0], sorted[n - 1], sorted[n - 1] / sorted[0]};
}

timing ratio(const double *a, const double *b, int n)
{
    double x[ROUNDS];
    for (int r = 0; r < n; r++) x[r] = a[r] / b[r];
    return summarise(x, n);
}

int quick(void)
{
    const char *mode = getenv("BENCH");
    return mode && !strcmp(mode, "quick");
}

int rounds(void)
{
    return quick() ? 3 : ROUNDS;
}

void progress(const char *what, const char *of)
{
    fprintf(stderr, "bench: %s%s%s\n", what, of ? ", " : "", of ? of : "");
}

void reading(const char *problem, const char *by, const double *t, int n)
{
    const char *path = getenv("BENCH_READINGS");
    FILE       *f = path ? fopen(path, "a") : NULL;
    if (!f) return;
    fprintf(f, "%s; %s\t", problem, by);
    for (int r = 0; r < n; r++) fprintf(f, " %.9g", t[r]);
    fprintf(f, "\n");
    fclose(f);
}
