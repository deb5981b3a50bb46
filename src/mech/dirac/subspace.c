/* subspace.c - subspaces as kernels: every operation is one or two null spaces, so that dimensions
 * are decided by singular values only. */
#include "mech/dirac/subspace.h"

#include "linalg/dense.h"

#include <math.h>
#include <string.h>

static const double DEPENDENT = 1e-11; /* relative to the largest singular value */

/* Without rows it is the whole space. */
subspace subspace_kernel(mem *m, const double *rows, int count, int size)
{
    subspace s = {.size = size, .basis = mem_array(m, size * size, double)};
    if (count) {
        s.dim = size - dense_rank(m, rows, count, size, DEPENDENT, s.basis);
        return s;
    }
    s.dim = size;
    for (int i = 0; i < size; i++) s.basis[i * size + i] = 1;
    return s;
}

subspace subspace_normal(mem *m, const subspace *s)
{
    return subspace_kernel(m, s->basis, s->dim, s->size);
}

/* The complement of the kernel of the rows. */
subspace subspace_span(mem *m, const double *rows, int count, int size)
{
    subspace normal = subspace_kernel(m, rows, count, size);
    return subspace_normal(m, &normal);
}

/*     |x - B^T B x| */
double distance_from_subspace(const subspace *s, const double *x)
{
    double square = 0;
    for (int i = 0; i < s->size; i++) {
        double rest = x[i];
        for (int k = 0; k < s->dim; k++) {
            double along = 0;
            for (int j = 0; j < s->size; j++) along += s->basis[k * s->size + j] * x[j];
            rest -= along * s->basis[k * s->size + i];
        }
        square += rest * rest;
    }
    return sqrt(square);
}

/*     W v_q = 0,   a_p - v_q = 0,   d.(a_q + v_p) = 0 for all d in Delta */
subspace subspace_dirac(mem *m, const double *W, int rows, int n)
{
    const subspace delta = subspace_kernel(m, W, rows, n);
    const int      all = 4 * n, count = rows + n + delta.dim;
    double        *row = mem_array(m, count * all, double), *next = row;
    for (int a = 0; a < rows; a++, next += all) memcpy(next, W + a * n, (size_t)n * sizeof *W);
    for (int j = 0; j < n; j++, next += all) next[3 * n + j] = 1, next[j] = -1;
    for (int k = 0; k < delta.dim; k++, next += all)
        for (int j = 0; j < n; j++) next[n + j] = next[2 * n + j] = delta.basis[k * n + j];
    return subspace_kernel(m, row, count, all);
}
