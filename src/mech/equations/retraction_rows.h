/* retraction_rows.h - velocity constraints along the chord of a retraction that a caller brought,
 * instead of along the straight line from q0 to q1: for curves of degree one.
 *
 *     C = W(b) v + beta(b) = 0,   dC/dq1 = W dv/dq1 + (dW.v + beta_q) db/dq1
 *                                                                            theory.md [RETRACTION]
 *
 * b and v are base and velocity of the chord (retraction.h). */
#ifndef MECH_EQUATIONS_RETRACTION_ROWS_H
#define MECH_EQUATIONS_RETRACTION_ROWS_H

#include "mech/dirac/retraction.h"
#include "mech/equations/equations.h"

typedef struct retraction_rows {
    chord  *of[2]; /* forward, and run backward */
    double *q1;
    double *by_q1; /* m x n: entries of the Jacobian */
} retraction_rows;

retraction_rows *retraction_rows_new(mem *m, const equations *eq, const retraction_map *R,
                                     retraction at);

/* Puts the point of the constraints to the chord from q_0 to q_0 + Z; false: it has none. */
bool retraction_rows_place(retraction_rows *c, equations *eq, const double *Z);

/* After the system was evaluated there with its derivatives. */
void retraction_rows_slope(retraction_rows *c, const equations *eq);

/* How base and velocity of the chord move with its ends, and with its length. */
void retraction_rows_move(const retraction_rows *c, const equations *eq, const double *dq0,
                          const double *dZ, double dh, double *dq, double *dv);

#endif
