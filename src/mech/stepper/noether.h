/* noether.h - the momentum p.xi along the last curve of a step: what changes it. Contracting the
 * rows of the step with the field xi at the control nodes,
 *
 *     p^- . xi^d - p_0 . xi^0 = h sum_i b_i (f.eta - D.zeta)^i               forces
 *                              + sum_{nu<d} h w_nu lam^nu . A xi^nu          reactions
 *                              + sum_i b_i (h L_q.eta + L_w.eta')^i          0, if L is invariant
 *     eta = sum_nu l_nu xi^nu,   eta' = sum_nu l'_nu xi^nu,   zeta = sum_nu u_nu xi^nu
 *
 * an identity of every polynomial curve, whatever xi is.                  theory.md [SYMMETRY] */
#ifndef MECH_STEPPER_NOETHER_H
#define MECH_STEPPER_NOETHER_H

#include "mech/stepper/step.h"

typedef struct {
    double first, last; /* p.xi at both ends of the curve                              */
    double forces, relations, lagrangian;
} momentum_change;

/* How many control nodes the curve has: d + 1; 0: it is shot, and has none. */
int stepper_nodes(const stepper *st);

/* Of a watcher: node nu of the last curve; q is filled, the time is returned. */
double stepper_node(const stepper *st, int nu, double *q);

/* Of a watcher: along xi, (d + 1) n numbers, node by node. */
momentum_change stepper_along(stepper *st, const double *xi);

/* p.xi of what the stepper carries from step to step, at the present state. */
double stepper_carried_along(const stepper *st, const double *xi);

/* Is the state moved between curves, along directions without inertia? */
bool stepper_moves_between(const stepper *st);

#endif
