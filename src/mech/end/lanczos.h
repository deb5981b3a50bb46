/* lanczos.h - the largest eigenvalue mu of
 *
 *     F x = mu M x + A^T nu,   A x = 0                                      theory.md [STABILITY]
 *
 * with a symmetric F and the inertia M > 0 of the equations at a grid point: stiffness has squares
 * of angular frequencies there, damping has rates. */
#ifndef MECH_END_LANCZOS_H
#define MECH_END_LANCZOS_H

#include "mech/end/end.h"

typedef struct {
    void *self;
    void (*multiply)(void *self, const double *x, double *Fx);
} symmetric_map;

/* At the place where the matrix of g is factored. It is approached from below, in some dozens of
 * products; in as many directions as there are it is exact. NaN: M is not positive. */
double lanczos_largest(node_equations *g, mem *m, symmetric_map F);

/* Afterwards x holds the accelerations by the force f that the relations allow. f may be x. */
void lanczos_respond(node_equations *g, const double *f, double *x);

#endif
