/* stage_iteration.h - the fixed-point iteration of picard.h in compiled passes over the rows of a
 * large system (step/stage_iteration.h). */
#ifndef MECH_LARGE_STAGE_ITERATION_H
#define MECH_LARGE_STAGE_ITERATION_H

#include "base/thread_pool.h"
#include "mech/stepper/stepper.h"

/* NULL: its forces do not come in rows, or (compiles) they could not be compiled, for the reason in
 * why. Where it does not compile it can only be looked at. */
picard_rows *stage_iteration_new(mem *m, stepper *st, thread_pool *pool, bool compiles, text *why);

#endif
