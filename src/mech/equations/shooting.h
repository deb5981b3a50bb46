/* shooting.h - the equations of a step whose curve is shot: one step of a map to each point.
 *
 *     (q^i, v^i) = Phi_{c_i h}(q_0, v_0),   q_1 = Phi^q_h(q_0, v_0)           theory.md [SHOOTING]
 *     y = (Z, p_1),  Z = h v_0;   with (A, B; C, D) the derivatives of (Phi^q; Phi^v) in q_0, v_0
 *     A^T p_1 - h sum_i b_i [A_i^T (L_q + f) + C_i^T L_v]^i - p_0 = 0
 *     (B^T p_1 - h sum_i b_i [B_i^T (L_q + f) + D_i^T L_v]^i)/h   = 0 */
#ifndef MECH_EQUATIONS_SHOOTING_H
#define MECH_EQUATIONS_SHOOTING_H

#include "mech/equations/equations.h"

/* Takes over the equations of a step: unknowns, pattern, residual. */
dal_status shooting_init(equations *eq, mem *m, const scheme *sch, text *why);
double     shooting_ns(const equations *eq); /* of an evaluation; 0: the curve is a polynomial */
void       shooting_free(shooting *sh);

/* The Jacobian, if it is asked for, is written at once: nothing is left to be gathered. */
bool          shooting_residual(equations *eq, const double *y, double *r, bool with_jacobian);
/* How the rows and q_1 change with q_0 and the unknowns, after a residual with its Jacobian at y:
 * dr with the unknowns held, and dq_1 with both.                             theory.md [TANGENT] */
void shooting_change(equations *eq, const double *y, const double *dq, double *dr);
void shooting_move(const equations *eq, const double *dq, const double *dy, double *dq1);

void          shooting_row_sizes(const equations *eq, const double *y, double *size);
const double *shooting_increment(const equations *eq); /* q_1 - q_0, at the last y */
void          shooting_momentum(const equations *eq, double *dp);

#endif
