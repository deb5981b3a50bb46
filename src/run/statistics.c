/* statistics.c - one pass for the mean, one for the deviation from it, and a sort for the rest. */
#include "run/statistics.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* In front, in their order; returns how many. */
static size_t keep_finite(double *x, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (isfinite(x[i])) x[kept++] = x[i];
    return kept;
}

/* linear between the two values around (n - 1) s */
static double quantile(const double *x, size_t n, double s)
{
    double at = s * (double)(n - 1), part = at - floor(at);
    size_t k = (size_t)at;
    return part > 0 ? x[k] + part * (x[k + 1] - x[k]) : x[k];
}

/* Compensated: low is the rounding error of the sum. */
static double mean(const double *x, size_t n)
{
    double sum = 0, low = 0;
    for (size_t i = 0; i < n; i++) {
        double d = x[i] - low, next = sum + d;
        low = (next - sum) - d, sum = next;
    }
    return sum / (double)n;
}

/*     sqrt(sum (x - mean)^2 / (n - 1)) */
static double deviation(const double *x, size_t n, double middle)
{
    double squares = 0;
    for (size_t i = 0; i < n; i++) squares += (x[i] - middle) * (x[i] - middle);
    return n > 1 ? sqrt(squares / (double)(n - 1)) : 0;
}

void statistics_of(double *x, size_t n, dal_statistics *out)
{
    static const double part[DAL_QUANTILES] = {0.05, 0.25, 0.5, 0.75, 0.95};
    const double        none = (double)NAN;
    const char         *name = out->name;
    n = keep_finite(x, n);
    *out = (dal_statistics){
        .name = name, .count = n, .mean = none, .sd = none, .min = none, .max = none};
    for (int k = 0; k < DAL_QUANTILES; k++) out->quantile[k] = none;
    if (!n) return;
    out->mean = mean(x, n), out->sd = deviation(x, n, out->mean);
    qsort(x, n, sizeof *x, ascending);
    out->min = x[0], out->max = x[n - 1];
    for (int k = 0; k < DAL_QUANTILES; k++) out->quantile[k] = quantile(x, n, part[k]);
}
