/* idle.h - Hamiltonian momenta that give no velocity of their own: H_pp u = 0, as where H is linear
 * in one of them, or of the first degree in all (rays of light).              theory.md [PHASE] */
#ifndef MECH_DEGENERATE_IDLE_H
#define MECH_DEGENERATE_IDLE_H

#include "mech/stepper.h"

/* Can the scheme take them? A rule with more points than the curve has degrees asks for more
 * velocities than the curve has. Otherwise a sentence in `why`. */
dal_status idle_judge(stepper *st, text *why);

#endif
