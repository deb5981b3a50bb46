/* primary.h - directions U without inertia along which L is of first order: the momentum is then a
 * function of the position, U^T (p - L_w(t, q)) = 0 (a primary constraint).
 *                                                                         theory.md [DEGENERATE] */
#ifndef MECH_PROJECT_PRIMARY_H
#define MECH_PROJECT_PRIMARY_H

#include "mech/project/free_moves.h"

typedef free_moves primary;

/* Where L_w is linear in q along U nothing is done. */
void primary_init(primary *a, mem *m, dal_system *sys, const node_equations *g);
void primary_free(primary *a);

/* The smallest (dq, dp), as velocities in U would change the state, for which q + dq and p + dp
 * satisfy the equation. False: none was found. */
bool primary_solve(primary *a, double t, const double *q, const double *q_low, const double *p,
                   const double *v);
/* The same from dq as it is. */
bool primary_continue(primary *a, double t, const double *q, const double *q_low, const double *p,
                      const double *v);

#endif
