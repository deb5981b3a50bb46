/* coupled.h - directions without inertia along which forces depend on velocities of directions that
 * have inertia (a capacitor next to a gyrator with a coil): U^T (L_q + f - L_wq v - L_wt) = 0 is an
 * equation between positions and momenta, with v the velocity that belongs to them.
 *                                                                         theory.md [DEGENERATE] */
#ifndef MECH_PROJECT_COUPLED_H
#define MECH_PROJECT_COUPLED_H

#include "mech/project/free_moves.h"

typedef struct {
    free_moves      moves;
    node_equations *grid;
    int             first;             /* of the directions, in U                              */
    double         *p, *w, *v;         /* where it is now                                      */
    double         *nu, *sigma, *left; /* reactions; momentum along U, and at first            */
    double         *follows;           /* k rows of n: how v follows a move along each         */
} coupled;

void coupled_init(coupled *c, mem *m, dal_system *sys, node_equations *g);
void coupled_free(coupled *c);

/* Does the equation determine the state along U? If not, the derivative of another equation would
 * be needed (index 2). */
bool coupled_decides(coupled *c, mem *m, double t, const double *q, const double *q_low,
                     const double *p, const double *v);

/* Finds moves.dq and moves.dp, along U as a velocity there would change the state, until the
 * equation holds. v is a guess. False: none was found. */
bool coupled_solve(coupled *c, double t, const double *q, const double *q_low, const double *p,
                   const double *v);

#endif
