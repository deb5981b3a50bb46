/* subspace.c - subspaces as kernels: every operation is one or two null spaces, so that dimensions
 * are decided by singular values only. */
#include "mech/dirac/subspace.h"

#include "linalg/dense.h"

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
