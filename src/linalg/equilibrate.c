/* equilibrate.c - the sizes of rows and columns, by which pivots are compared and judged. */
#include "linalg/kinds.h"

#include <float.h>
#include <math.h>

/* 1 / r_i, r_i = max_j |a_ij|; 0 if the row is empty or has an entry that is not finite */
static double weight_of(const double *row, int count)
{
    double r = 0, sum = 0;
    for (int k = 0; k < count; k++) {
        double size = fabs(row[k]);
        r = size > r ? size : r;
        sum += size;
    }
    return r >= DBL_MIN && sum <= DBL_MAX ? 1 / r : 0;
}

static bool equilibrate_full(int n, const double *a, double *restrict weight,
                             double *restrict scale)
{
    for (int i = 0; i < n; i++, a += n) {
        double f = (weight[i] = weight_of(a, n)) * solver_negligible(n);
        if (f == 0) return false;
        for (int j = 0; j < n; j++) {
            double size = fabs(a[j]) * f;
            scale[j] = size > scale[j] ? size : scale[j];
        }
    }
    return true;
}

bool equilibrate(const pattern *p, const double *values, double *weight, double *scale)
{
    int n = p->rows;
    for (int j = 0; j < n; j++) scale[j] = 0;
    if (pattern_is_full(p)) return equilibrate_full(n, values, weight, scale);
    for (int i = 0; i < n; i++) {
        int    first = p->start[i], end = p->start[i + 1];
        double f = (weight[i] = weight_of(values + first, end - first)) * solver_negligible(n);
        if (f == 0) return false;
        for (int k = first; k < end; k++) {
            double size = fabs(values[k]) * f, *c = &scale[p->column[k]];
            *c = size > *c ? size : *c;
        }
    }
    return true;
}
