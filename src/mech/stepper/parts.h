/* parts.h - steps that end far from where the steps before them lead, made again in smaller parts.
 */
#ifndef MECH_STEPPER_PARTS_H
#define MECH_STEPPER_PARTS_H

#include "mech/solve/predict.h"

typedef struct stepper stepper;

typedef struct {
    bool     fits;         /* relations, but not too many, and nothing jumps by itself    */
    bool     due;          /* the last substep is to be made again                        */
    double  *begun, *made; /* the state before and after it: 4 n                  */
    double  *q;            /* where the division before has led                   */
    history *known;        /* solutions of its parts                              */
} smaller_parts;

typedef struct { /* the substep, and the work of those before it */
    double t, h;
    bool   mirrored;
    double work;
} part_of;

void parts_init(stepper *st);
bool parts_are_due(stepper *st, const history *before);

/* False: no two divisions agree; the state is that before the substep. */
bool parts_settle(stepper *st, const part_of *of, history *before);

#endif
