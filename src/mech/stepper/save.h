/* save.h - what belongs in a checkpoint of a stepper. Whoever adds
 * something that later steps depend on adds it to save.c. */
#ifndef MECH_STEPPER_SAVE_H
#define MECH_STEPPER_SAVE_H

#include "base/archive.h"
#include "mech/stepper/step.h"

/* Saves; or restores into a stepper that was created and started in the same way. */
void stepper_archive(stepper *st, archive *r);

#endif
