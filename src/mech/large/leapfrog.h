/* leapfrog.h - explicit (leapfrog) steps of a large system, compiled or by the machine: positions
 * drift, forces are summed and momenta kicked while a stretch of rows is in cache, many steps per
 * sweep over memory, on one thread or several.
 *
 * The equations are those of explicit.h with both ends sampled; terms must come in runs
 * (model/rows/runs.h). The state is advanced in place. Whatever does not fit is stepped by
 * explicit.c; both agree to roundoff. */
#ifndef MECH_LARGE_LEAPFROG_H
#define MECH_LARGE_LEAPFROG_H

#include "base/thread_pool.h"
#include "mech/stepper/engine.h"

typedef struct leapfrog leapfrog;

/* NULL: the system does not fit. Where it cannot be compiled, `why` tells the reason and the
 * machine is used. */
leapfrog *leapfrog_new(mem *m, stepper *st, thread_pool *pool, bool native, text *why);
bool      leapfrog_compiled(const leapfrog *l);

/* As an engine has them (stepper/engine.h). */
long leapfrog_advance(stepper *st, const steps_asked *along, steps_made *out);
void leapfrog_forget(stepper *st); /* state or masses were changed */

#endif
