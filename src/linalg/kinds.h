/* kinds.h - the kinds of linear solver, and what is negligible for all of them. */
#ifndef LINALG_KINDS_H
#define LINALG_KINDS_H

#include "linalg/solver.h"

#include <float.h>

extern const solver_kind lu_diagonal, lu_tridiagonal, lu_band, lu_sparse, lu_dense, lu_klu, cg;

/* A solver for any matrix of the pattern, for kinds that meet one which they cannot take. */
solver *solver_new_general(mem *m, const pattern *p);

/* Size of a negligible pivot, where rows and columns are brought to the size of one. */
static inline double solver_negligible(int n) { return 16.0 * n * DBL_EPSILON; }

#endif
