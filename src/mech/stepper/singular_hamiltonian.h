/* singular_hamiltonian.h - momenta of a Hamiltonian with singular H_pp: H_pp u = 0, as where H is
 * linear in a momentum, or homogeneous of degree one in all of them (light rays).
 *                                                                              theory.md [PHASE] */
#ifndef MECH_STEPPER_SINGULAR_HAMILTONIAN_H
#define MECH_STEPPER_SINGULAR_HAMILTONIAN_H

#include "mech/stepper/stepper.h"

/* Can the scheme handle them? A rule with more points than the curve has degrees demands more
 * velocities than the curve has. Otherwise a sentence goes to `why`. */
dal_status singular_hamiltonian_judge(stepper *st, text *why);

#endif
