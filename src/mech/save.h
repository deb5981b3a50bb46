/* save.h - what belongs in a checkpoint of a stepper and of its linear solvers. Whoever adds
 * something that later steps depend on adds it to save.c. */
#ifndef MECH_SAVE_H
#define MECH_SAVE_H

#include "base/archive.h"
#include "mech/step.h"

/* Saves; or restores into a stepper that was created and started in the same way. */
void stepper_archive(stepper *st, archive *r);

/* The pivots of a factorisation that is refactored repeatedly; m lends memory. */
void solver_archive(solver *lu, const pattern *shape, archive *r, mem *m, const char *name);

#endif
