/* kinds.h - the kinds of linear solver, one file each, and the scaling that they share. */
#ifndef LINALG_KINDS_H
#define LINALG_KINDS_H

#include "linalg/solver.h"

#include <float.h>

extern const solver_kind lu_diagonal, lu_tridiagonal, lu_band, lu_dense, lu_klu;

/* Size of a negligible pivot of an equilibrated matrix. */
static inline double solver_negligible(int n) { return 16.0 * n * DBL_EPSILON; }

/* weight[i] = 1 / r_i and scale[j] = 16 n eps c_j of solver.h, so that a pivot u in row i and
 * column j is negligible when |u| weight[i] <= scale[j]. False if the matrix cannot be scaled. */
bool equilibrate(const pattern *p, const double *values, double *weight, double *scale);

#endif
