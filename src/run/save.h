/* save.h - what belongs in a checkpoint of a simulation. Whoever adds something that later steps
 * depend on adds it to save.c. */
#ifndef RUN_SAVE_H
#define RUN_SAVE_H

#include "base/archive.h"
#include "run/simulation.h"

/* Saves, or restores into a simulation that was made of the same model in the same way; an archive
 * of another one is refused before anything is changed. */
void simulation_archive(dal_sim *s, archive *r);

#endif
