/* subspace.c - subspaces as kernels: every operation is one or two null spaces, so that dimensions
 * are decided by singular values only. */
#include "mech/subspace.h"

#include "linalg/dense.h"

#include <math.h>
#include <string.h>

static const double DEPENDENT = 1e-11; /* relative to the largest singular value */

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

subspace subspace_span(mem *m, const double *rows, int count, int size)
{
    subspace normal = subspace_kernel(m, rows, count, size);
    return subspace_normal(m, &normal);
}

static double *stacked(mem *m, const subspace *a, const subspace *b)
{
    double *rows = mem_array(m, (a->dim + b->dim) * a->size, double);
    if (a->dim) memcpy(rows, a->basis, (size_t)(a->dim * a->size) * sizeof *rows);
    if (b->dim)
        memcpy(rows + a->dim * a->size, b->basis, (size_t)(b->dim * b->size) * sizeof *rows);
    return rows;
}

subspace subspace_sum(mem *m, const subspace *a, const subspace *b)
{
    return subspace_span(m, stacked(m, a, b), a->dim + b->dim, a->size);
}

subspace subspace_intersection(mem *m, const subspace *a, const subspace *b)
{
    subspace na = subspace_normal(m, a), nb = subspace_normal(m, b);
    return subspace_kernel(m, stacked(m, &na, &nb), na.dim + nb.dim, a->size);
}

/*     |x|^2 - sum_k (b_k.x)^2 would cancel; the difference itself does not */
double subspace_distance(const subspace *s, const double *x)
{
    double square = 0;
    for (int i = 0; i < s->size; i++) {
        double left = x[i];
        for (int k = 0; k < s->dim; k++) {
            const double *b = s->basis + k * s->size;
            double        along = 0;
            for (int j = 0; j < s->size; j++) along += b[j] * x[j];
            left -= along * b[i];
        }
        square += left * left;
    }
    return sqrt(square);
}

double subspace_gap(const subspace *a, const subspace *b)
{
    double most = 0;
    if (a->size != b->size || a->dim != b->dim) return 1;
    for (int k = 0; k < a->dim; k++)
        most = fmax(most, subspace_distance(b, a->basis + k * a->size));
    return most;
}
