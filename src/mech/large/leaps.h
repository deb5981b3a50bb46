/* leaps.h - explicit steps of a large system, compiled or by the machine: positions drift, forces
 * are summed and momenta kicked while a stretch of rows is at hand, for many steps in one go, on
 * one thread or several.
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

/* NULL: the system does not fit. Where it cannot be compiled, `why` says it, and the machine does
 * it. */
leaps *leaps_new(mem *m, stepper *st, thread_pool *pool, bool native, text *why);
bool   leaps_compiled(const leaps *l); /* NULL: no */
void   leaps_forget(leaps *l); /* the state was changed; NULL is fine */
void   leaps_reweigh(leaps *l); /* masses were too                     */

/* Up to `count` steps from the present state at t = from + k h; returns how many were made. A step
 * that leads to numbers that are not finite is not: the state is then the one before it. */
long leaps_make(stepper *st, double from, long k, double h, long count);

/* The same with all that a stepper keeps of a step; the work of forces is added to *work. */
long leaps_leap(stepper *st, double from, long k, double h, long count, double *work);

#endif
