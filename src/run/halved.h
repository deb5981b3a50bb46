/* halved.h - a run by the energy principle, made again from one of its states by a stepper with
 * half the length: which lengths follow is its own matter, so that its states are asked for by
 * time. theory.md [ACCURACY] */
#ifndef RUN_HALVED_H
#define RUN_HALVED_H

#include "base/mem.h"

typedef struct dal_sim    dal_sim;
typedef struct halved_run halved_run;

typedef struct { /* of the run, and how long the step from it is, or the one to it was */
    const double *q, *p, *v;
    double        t, h;
} halved_from;

/* It is freed with m; NULL: it cannot be made. */
halved_run *halved_begin(mem *m, dal_sim *s, const halved_from *from);

/* Positions at the time t, which is not before the one that was asked for last; NULL: there are
 * none, or the steps have become too short for so many of the run's. */
const double *halved_at(halved_run *x, double t, double steps);

#endif
