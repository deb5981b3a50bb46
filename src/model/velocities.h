/* velocities.h - Hamiltonian coordinates whose momentum is a constant times their velocity, as
 * Lagrangian ones.
 *
 *     H = sum p_i^2/(2 m_i) + V(t,q)   is   L = sum m_i v_i^2/2 - V(t,q)         theory.md [PHASE]
 *
 * The steps are the same to roundoff, without momenta at the points among their unknowns: those of
 * a chain are banded or explicit again, and what asks for accelerations takes them. */
#ifndef MODEL_VELOCITIES_H
#define MODEL_VELOCITIES_H

#include "model/model.h"

/* md itself where no coordinate is of that kind; else a model that shares with md what is not
 * changed, and has it as `written`. */
const model *model_in_velocities(mem *m, const model *md);

#endif
