/* equilibrate.c - the sizes of rows and columns, by which pivots are compared and judged. */
#include "linalg/kinds.h"

#include <float.h>
#include <math.h>

/* r_i = max_j |a_ij|, or not finite if an entry is not */
static double largest(const double *row, int count)
{
    double r = 0;
    for (int k = 0; k < count; k++) {
        double size = fabs(row[k]);
        if (size > r || isnan(size)) r = size; /* a NaN stays: nothing is larger */
    }
    return r;
}

bool equilibrate(const pattern *p, const double *values, double *weight, double *scale)
{
    int    n = p->rows;
    double negligible = solver_negligible(n);
    for (int j = 0; j < p->columns; j++) scale[j] = 0;
    for (int i = 0; i < n; i++) {
        int    first = p->start[i], count = p->start[i + 1] - first;
        double r = largest(values + first, count);
        if (!(r >= DBL_MIN && r <= DBL_MAX)) return false;
        weight[i] = 1 / r;
        for (int k = first; k < first + count; k++) {
            double size = fabs(values[k]) * weight[i] * negligible;
            if (size > scale[p->column[k]]) scale[p->column[k]] = size;
        }
    }
    return true;
}
