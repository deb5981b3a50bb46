/* leapfrog.h - explicit (leapfrog) steps of a large system, compiled: positions drift, forces are
 * summed and momenta kicked while a stretch of rows is in cache, many steps in one pass over
 * memory, on one thread or several.
 *
 * The equations are those of explicit.h with both ends sampled; terms must come in runs
 * (model/rows/runs.h). The state is advanced in place. Whatever does not fit is stepped by
 * explicit.c; both agree to roundoff. */
#ifndef MECH_LARGE_LEAPFROG_H
#define MECH_LARGE_LEAPFROG_H

#include "base/thread_pool.h"
#include "mech/stepper/engine.h"

typedef struct leapfrog leapfrog;

/* of: ranks that share the rows, or NULL. compiles: it is to be used, not only looked at. NULL: the
 * system does not fit, or it cannot be compiled, and `why` tells the reason. */
leapfrog *leapfrog_new(mem *m, stepper *st, thread_pool *pool, ranks *of, bool compiles, text *why);

/* As an engine has them (stepper/engine.h). */
long leapfrog_advance(stepper *st, const steps_asked *along, steps_made *out);
void leapfrog_forget(stepper *st); /* state or masses were changed */

#endif
