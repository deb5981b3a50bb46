/* twin.h - runs with events or a pace, or whose connections are forces, are made again from their
 * start by a simulation of their own, with half the step: their steps depend on more than a state.
 * Runs by the energy principle are by a stepper.                          theory.md [ACCURACY] */
#ifndef RUN_TWIN_H
#define RUN_TWIN_H

#include "base/archive.h"
#include "mech/stepper/repeated.h"
#include "run/plan.h"

#include <stdbool.h>

typedef struct dal_sim dal_sim;
typedef struct subject subject;

enum { TWIN_STATES = 16 }; /* that are compared in a part, or in a run */

typedef struct {       /* states of the run */
    double *q, *k, *t; /* positions, after so many steps, at this time */
    int     n;         /* as many as have come                         */
} twin_states;

typedef struct twin {
    const subject *of; /* NULL: a stepper is enough */
    request        asked;
    twin_states    early, late; /* of its first part, and of all of it */
    twin_states    behind;      /* of a stepper's: after its middle,   */
    double         t, h;        /* its time and the step to it         */
    double        *input;       /* of its start                        */
    bool           changed;     /* somebody has: it is no run from its start any more */
} twin;

/* At the start; NULL: the run has none, or nobody judges it. */
twin *twin_new(dal_sim *s, const subject *of, const request *r);
void  twin_restart(dal_sim *s);         /* from another start */
bool  twin_is_behind(const dal_sim *s); /* its middle */
void  twin_take(dal_sim *s);            /* at a sample of the run          */
void  twin_change(dal_sim *s);          /* its state, or a number of it, is another */
void  twin_archive(dal_sim *s, archive *r);

static inline bool twin_is_whole(const twin *w)
{
    return w && w->of;
}

/* e of the whole run, if that can be afforded, or of its first part; a stepper's of one behind its
 * middle, too. */
void twin_errors(dal_sim *s, part_error found[REPEATED_PARTS]);

#endif
