/* homogeneous.h - directions without inertia that turn with the velocity, as where L is homogeneous
 * of degree one in the velocities, L = n(q) |v|: such an L determines the path but not the
 * speed. */
#ifndef MECH_DEGENERATE_HOMOGENEOUS_H
#define MECH_DEGENERATE_HOMOGENEOUS_H

#include "mech/degenerate/degenerate.h"

/* A direction found at this point that has inertia at another velocity; NULL: there is none, and U
 * depends on the position only, as everything done along U assumes. */
const double *homogeneous_direction(mem *m, dal_system *sys, const sys_point *at,
                                    const degeneracy *found);

/* Why no step can be made along u. */
void homogeneous_explain(const dal_system *sys, const double *u, text *why);

#endif
