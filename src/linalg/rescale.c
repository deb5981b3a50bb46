/* rescale.c - Curtis and Reid's scaling by alternating means: the logarithms of the entries, minus
 * one number per row and one per column, are made small in the mean square. Scaling by largest
 * entries cannot tell the matrix of P1 + P2 = p, Z = h P1/m, Z = h P2/m from a singular one where
 * h/m is 1e-20; this scaling measures P in units of m/h by itself. Factors are powers of two, so no
 * entry is rounded. */
#include "linalg/rescale.h"

#include <math.h>
#include <string.h>

enum {
    SWEEPS = 30,
    MOST = 900, /* of an exponent, so that products are finite                    */
    ALIKE = 16  /* exponents that differ by less change nothing that could matter */
};

rescaling *rescaling_new(mem *m, const pattern *p)
{
    rescaling *s = mem_take(m, sizeof *s);
    *s = (rescaling){.p = *p};
    s->row = mem_array(m, p->rows, double);
    s->column = mem_array(m, p->rows, double);
    s->sum = mem_array(m, p->rows, double);
    s->count = mem_array(m, p->rows, int);
    s->values = mem_array(m, pattern_count(p), double);
    return s;
}

/* to[i] = -mean over its entries of (log2 |a_ij| + of[j]), along rows or along columns */
static void average(rescaling *s, const double *logs, bool rows)
{
    const pattern *p = &s->p;
    double        *to = rows ? s->row : s->column, *of = rows ? s->column : s->row;
    memset(s->sum, 0, (size_t)p->rows * sizeof *s->sum);
    memset(s->count, 0, (size_t)p->rows * sizeof *s->count);
    for (int i = 0; i < p->rows; i++)
        for (int k = p->start[i]; k < p->start[i + 1]; k++) {
            if (isinf(logs[k])) continue; /* a zero */
            int at = rows ? i : p->column[k], other = rows ? p->column[k] : i;
            s->sum[at] += logs[k] + of[other], s->count[at]++;
        }
    for (int i = 0; i < p->rows; i++) to[i] = s->count[i] ? -s->sum[i] / s->count[i] : 0;
}

/* Turns exponents into powers of two; returns whether they differ much. */
static bool to_powers_of_two(double *x, int n)
{
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (int i = 0; i < n; i++) {
        double e = rint(fmax(-MOST, fmin(MOST, x[i])));
        least = fmin(least, e), most = fmax(most, e);
        x[i] = ldexp(1, (int)e);
    }
    return most - least > ALIKE;
}

const double *rescaling_apply(rescaling *s, const double *values)
{
    const pattern *p = &s->p;
    const int      entries = pattern_count(p);
    for (int k = 0; k < entries; k++) {
        if (!isfinite(values[k])) return NULL;
        s->values[k] = log2(fabs(values[k]));
    }
    memset(s->row, 0, (size_t)p->rows * sizeof *s->row);
    memset(s->column, 0, (size_t)p->rows * sizeof *s->column);
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        average(s, s->values, true), average(s, s->values, false);
    const bool rows = to_powers_of_two(s->row, p->rows),
               columns = to_powers_of_two(s->column, p->rows);
    if (!rows && !columns) return NULL;
    for (int i = 0; i < p->rows; i++)
        for (int k = p->start[i]; k < p->start[i + 1]; k++)
            s->values[k] = values[k] * s->row[i] * s->column[p->column[k]];
    return s->values;
}
