/* speedless.h - directions without inertia that turn with the velocity, as where L is homogeneous
 * of the first degree in velocities, n(q) |v|: it tells the path of a motion and not its speed. */
#ifndef MECH_DEGENERATE_SPEEDLESS_H
#define MECH_DEGENERATE_SPEEDLESS_H

#include "mech/degenerate/degenerate.h"

/* One of the directions found at this point that has inertia at another velocity; NULL: none has,
 * and U is one of positions, as all that is done along it takes for granted. */
const double *speedless_direction(mem *m, dal_system *sys, const sys_point *at,
                                  const degeneracy *found);

/* Why no step is made along it. */
void speedless_explain(const dal_system *sys, const double *u, text *why);

#endif
