/* subspace.h - linear subspaces of R^size by an orthonormal basis: what a Dirac structure is at one
 * point, and all of it where it is linear. */
#ifndef MECH_DIRAC_SUBSPACE_H
#define MECH_DIRAC_SUBSPACE_H

#include "base/mem.h"

typedef struct {
    int     size, dim;
    double *basis; /* dim orthonormal rows of length size */
} subspace;

subspace subspace_kernel(mem *m, const double *rows, int count, int size);
subspace subspace_span(mem *m, const double *rows, int count, int size);
subspace subspace_normal(mem *m, const subspace *s); /* orthogonal complement, Euclidean */

#endif
