/* save.h - what of a stepper and of its linear solvers belongs into a checkpoint. Whoever adds
 * something that later steps depend on, adds it to save.c. */
#ifndef MECH_SAVE_H
#define MECH_SAVE_H

#include "base/archive.h"
#include "mech/step.h"

/* Saves, or restores into a stepper that was made, and set to its start, in the same way. */
void stepper_archive(stepper *st, archive *r);

/* The pivots of a factorisation that is renewed again and again; m is for room meanwhile. */
void solver_archive(solver *lu, const pattern *shape, archive *r, mem *m, const char *name);

#endif
