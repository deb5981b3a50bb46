/* lanes.h - blocks of ensemble members in generated steps (fuse/lanes.c): arrays with one lane per
 * member, filled from one stepper each and written back to it. */
#ifndef MECH_ENSEMBLE_LANES_H
#define MECH_ENSEMBLE_LANES_H

#include "base/mem.h"

#include <stdbool.h>

enum { LANES = 64 }; /* members in a block */

/* The text of fuse/lanes.c declares the same struct. Entry i of an array of lane l is at i LANES +
 * l. */
typedef struct {
    double        from, h; /* step k begins at from + k h                                      */
    long          k;
    double       *q, *q_low, *p, *p_low;
    double       *past; /* of each substep four solutions, in a ring                          */
    int          *head; /* where the newest of each is                                        */
    const double *par, *u;
    double       *work;
    long long    *alive; /* 0: there is none, or it was lost: then it is where the step began  */
} lane_state;

/* Makes up to `count` steps, stopping after one in which a member was lost; returns how many were
 * made. */
typedef long (*lane_steps)(lane_state *s, long count);

typedef struct stepper      stepper;
typedef struct lane_machine lane_machine; /* ensemble/machine.h */

typedef struct {
    lane_state s;
    int        n, unknowns, substeps, parameters, inputs;
    long          until;   /* the step at which members leave it */
    double    *par, *u; /* what the state reads only */
    lane_machine *machine; /* NULL: steps are compiled, and shared by all blocks */
} lane_block;

lane_block *lane_block_new(mem *m, const stepper *st, int parameters, int inputs);

/* A prediction needs that many past steps, which come from each stepper. */
enum { LANES_LEAD = 4 };

/* Empty, for steps k h from `from`, beginning with step k: no lane is in use. */
void lane_block_begin(lane_block *b, double from, double h, long k);

/* Loads the present state of the stepper, its past solutions, and the numbers of its system. */
void lane_block_load(lane_block *b, int l, stepper *st, const double *par, const double *u);

/* Unused lanes repeat the first used one, so that they do no harm. False: none is used. */
bool lane_block_fill(lane_block *b);

/* Sets the stepper to the state of the lane, with its past solutions, so that it can continue. A
 * lane lost in the last step is one step behind. */
void lane_block_store(const lane_block *b, int l, stepper *st);

/* The numbers of the system of a lane. */
void lane_block_numbers(const lane_block *b, int l, double *par, double *u);

/* Does a step do no more than solve its equations? */
bool stepper_is_plain(const stepper *st);

/* Do they have the same equations, except for the numbers of the system? */
bool steppers_are_alike(const stepper *a, const stepper *b);

#endif
