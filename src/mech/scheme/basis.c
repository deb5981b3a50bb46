/* basis.c - the Lagrange basis of a polynomial curve, sampled where it is needed.
 *
 * Products of differences, in long double: no formula has to be changed at the nodes, and the
 * numbers are right to the last digit. */
#include "mech/scheme/scheme.h"

#include <assert.h>
#include <math.h>

/* Points right of the middle were rounded to a coarser grid than their mirror images. One whose
 * mirror image is at hand is taken as 1 minus that: the basis of a symmetric rule is symmetric. */
static long double sharpened(double x, const double *others, int count)
{
    for (int i = 0; i < count && x > 0.5; i++)
        if (others[i] < 0.5 && 1 - others[i] == x) return 1 - (long double)others[i];
    return x;
}

/*     l_nu(x) = prod_{k != nu} (x - x_k) / (x_nu - x_k)                       theory.md [CURVE]
 * and its derivative, factor by factor. */
static void lagrange(int d, const long double *node, int nu, long double x, double *l, double *dl)
{
    long double value = 1, slope = 0;
    for (int k = 0; k <= d; k++) {
        if (k == nu) continue;
        long double gap = node[nu] - node[k];
        slope = (slope * (x - node[k]) + value) / gap;
        value = value * (x - node[k]) / gap;
    }
    *l = (double)value, *dl = (double)slope;
}

/* sum_nu l'_nu = 0 holds for the rounded numbers too: the largest of them takes up the rest. */
static void balance(int d, double *dl)
{
    long double sum = 0;
    int         largest = 0;
    for (int nu = 0; nu <= d; nu++) {
        sum += dl[nu];
        if (fabs(dl[nu]) > fabs(dl[largest])) largest = nu;
    }
    dl[largest] = (double)(dl[largest] - sum);
}

/* Nodes and points right of the middle are as exact as their mirror images, where these are at
 * hand. */
basis basis_new(mem *m, int d, const double *x, int points)
{
    basis       b = {.d = d, .points = points};
    quadrature  control;
    long double node[STAGES_MOST];
    bool        made = quadrature_lobatto(&control, d + 1);
    assert(made);
    (void)made;
    for (int nu = 0; nu <= d; nu++) node[nu] = sharpened(control.c[nu], control.c, d + 1);

    b.l = mem_array(m, points * (d + 1), double);
    b.dl = mem_array(m, points * (d + 1), double);
    for (int i = 0; i < points; i++) {
        double     *l = b.l + i * (d + 1), *dl = b.dl + i * (d + 1);
        long double at = sharpened(x[i], x, points);
        if (at == x[i]) at = sharpened(x[i], control.c, d + 1);
        for (int nu = 0; nu <= d; nu++) lagrange(d, node, nu, at, &l[nu], &dl[nu]);
        balance(d, dl);
    }
    return b;
}
