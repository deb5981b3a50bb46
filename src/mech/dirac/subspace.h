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
double   distance_from_subspace(const subspace *s, const double *x); /* Euclidean */
subspace subspace_normal(mem *m, const subspace *s); /* orthogonal complement, Euclidean */

/* The Dirac structure that Delta = ker W, W of rows x n, induces on T*Q: all (v_q, v_p, a_q, a_p)
 * with v_q in Delta, a_p = v_q, a_q + v_p in its annihilator.                      theory.md
 * [DIRAC] */
subspace subspace_dirac(mem *m, const double *W, int rows, int n);

#endif
