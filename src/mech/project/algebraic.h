/* algebraic.h - directions without inertia along which only stiffness acts: U^T (L_q + f) = 0 is
 * then an algebraic equation, and a step keeps its order only if positions satisfy it.
 *                                                                         theory.md [DEGENERATE] */
#ifndef MECH_PROJECT_ALGEBRAIC_H
#define MECH_PROJECT_ALGEBRAIC_H

#include "mech/project/free_moves.h"

typedef free_moves algebraic;

/* Along the directions of U from the first-th on. */
void algebraic_init(algebraic *a, mem *m, dal_system *sys, const node_equations *g, int first);
void algebraic_free(algebraic *a);

/* The smallest dq along U with U^T (L_q + f)(t, q + dq) = 0, and dp = (L_qw + f_w) dq, the change
 * of momentum that goes with it. False: none was found; q is then unchanged. */
bool algebraic_solve(algebraic *a, double t, const double *q, const double *q_low, const double *v);

/* How L_w of coordinate i changes with that dq, at the same velocities. */
double algebraic_drag(const algebraic *a, int i);

#endif
