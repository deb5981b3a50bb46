/* leaps.h - explicit (leapfrog) steps of a large system, compiled or by the machine: positions
 * drift, forces are summed and momenta kicked while a stretch of rows is in cache, many steps per
 * sweep over memory, on one thread or several.
 *
 * The equations are those of explicit.h with both ends sampled; terms must come in runs
 * (model/rows/runs.h). The state is advanced in place. Whatever does not fit is stepped by
 * explicit.c; both agree to roundoff. */
#ifndef MECH_LARGE_LEAPS_H
#define MECH_LARGE_LEAPS_H

#include "base/text.h"
#include "base/thread_pool.h"

typedef struct leaps   leaps;
typedef struct stepper stepper;

/* NULL: the system does not fit. Where it cannot be compiled, `why` tells the reason and the
 * machine is used. */
leaps *leaps_new(mem *m, stepper *st, thread_pool *pool, bool native, text *why);
bool   leaps_compiled(const leaps *l); /* NULL: no */
void   leaps_forget(leaps *l); /* the state was changed; NULL is fine */
void   leaps_reweigh(leaps *l); /* masses were too                     */

/* Makes up to `count` steps from the present state at t = from + k h and returns how many were
 * made. A step that would lead to non-finite numbers is not made: the state is then the one before
 * it. */
long leaps_make(stepper *st, double from, long k, double h, long count);

/* The same, with everything that a stepper keeps of a step; the work of forces is added to
 * *work. */
long leaps_leap(stepper *st, double from, long k, double h, long count, double *work);

#endif
