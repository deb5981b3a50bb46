/* roughest.h - where the steps are the least smooth: where a second difference of increments stands
 * out the most among those of its coordinate,
 *
 *     r = max_j |z_j - 2 z'_j + z''_j| / mean of it so far                  theory.md [RESOLUTION]
 */
#ifndef MECH_STEPPER_ROUGHEST_H
#define MECH_STEPPER_ROUGHEST_H

#include "base/archive.h"

typedef struct stepper stepper;

typedef struct {
    double *sum;             /* n: of all second differences; NULL: nobody asks        */
    double *z[2];            /* the last two increments, the newest first              */
    double *last_q, *last_p; /* where the last step began                            */
    long    known;           /* steps that they are of                                 */
    double  r;               /* the largest; 0: none yet                               */
    double  t, h;            /* when the step z' began,                                */
    double *q, *p;           /* from which state,                                      */
    double *went;            /* and by how much it moved                               */
} roughest;

void roughest_watch(stepper *st); /* takes room */

/* After a step from t, q0 and p0, which has led to the present state. */
void roughest_note(stepper *st, double t, double h, const double *q0, const double *p0);

void roughest_archive(stepper *st, archive *r);

/* The state was changed by others. */
static inline void roughest_forget(roughest *of)
{
    of->known = 0, of->r = 0;
}

#endif
