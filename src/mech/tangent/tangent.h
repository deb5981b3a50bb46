/* tangent.h - the derivative of a step: how its end depends on its beginning, on parameters and
 * inputs, on its time and its length. From the blocks of the step's own Jacobian, by the chain rule
 * through every part of a composition, exactly.                                 theory.md [TANGENT]
 *
 *     J dy = -r_z dz,   z = (q_0, p_0, t_0, h, parameters, inputs)
 *     dq_1 = dq_0 + dZ^d,   dp^- = dG_d,   and dp_1 by the end solve where there are relations */
#ifndef MECH_TANGENT_TANGENT_H
#define MECH_TANGENT_TANGENT_H

#include "mech/stepper/step.h"

typedef struct {
    const double *q, *p; /* n each; NULL counts as 0, here and below */
    double        t, h;
    const double *parameter, *input;
    double        E; /* of the energy principle, whose steps decide h themselves */
} step_direction;

typedef struct tangent tangent;

/* For the steps of a stepper, which it observes from then on; a sentence in `why` if they have
 * none. */
dal_status tangent_new(mem *m, stepper *st, tangent **out, text *why);
void       tangent_free(tangent *tg);

/* Numbers of a direction at the end: 2 n, and two more with the energy principle. */
int tangent_width(const tangent *tg);

/* Makes the step. `out` receives dq_1, then dp_1, for each direction: count rows of 2 n. The
 * momenta at both ends are the reported ones. With the energy principle dt_1 and dE_1 follow. */
dal_status tangent_step(tangent *tg, double t, double h, int count, const step_direction *along,
                        double *out, text *why);

/* Removes from directions of the present state the changes of momentum that directions without
 * inertia do not allow: `pairs` holds dq, then dp of each. */
dal_status tangent_consistent(tangent *tg, int count, double *pairs, text *why);

#endif
