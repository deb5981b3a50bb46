/* block.h - blocks of ensemble members in generated steps (codegen/lanes.c): arrays with one lane
 * per member, filled from one stepper each and written back to it. */
#ifndef MECH_ENSEMBLE_BLOCK_H
#define MECH_ENSEMBLE_BLOCK_H

#include "mech/stepper/repeated.h"
#include "mech/stepper/roughest.h"
#include "mech/stepper/trial.h"

#include <stdbool.h>

enum { LANES_MOST = 8 }; /* members in a block at most */

/* step/lane_state.h declares the same struct; with real for double, a vector of members.
 * Entry i of an array of lane l is at i lanes + l. */
typedef struct {
    double        from, h; /* step k begins at from + k h                                      */
    long          k;
    double       *q, *q_low, *p, *p_low;
    double       *before;           /* 4 n: the state at the beginning of the last substep     */
    double       *history;          /* of each substep its last solutions, newest first        */
    int          *known;            /* and how many of them are                                */
    const double *v;                /* nobody asks for the slope at the start                  */
    const double *par, *u;          /* parameters and inputs                                   */
    double       *work, *last_work; /* summed over the steps, and of the last one              */
    long long    *on; /* -1; 0: there is none, or it was lost: then it is where the step began */
    long          iterations, factored;
    int           most;
    long          fixed_point;
    int           most_fixed_point;
    roughness    *rough; /* NULL: nobody asks */
} lane_state;

/* Makes up to `count` steps, stopping after one in which a member was lost; returns how many were
 * made. */
typedef long (*lane_steps)(lane_state *s, long count);

typedef struct stepper stepper;

typedef struct { /* all that its steps change, and the numbers of lanes, which others may take over
                  */
    double    *q, *q_low, *p, *p_low, *before, *history, *work, *last_work, *par, *u;
    int       *known;
    long long *on;
    long       k;
} lane_copy;

typedef struct { /* parts of the steps made again, to judge them: run/repeat_lanes.c */
    lane_copy  part[REPEATED_PARTS], end;
    double    *least, *most, *action; /* of each coordinate: its range, and |p| times its way */
    double    *met;                   /* positions on the way with the whole step             */
    part_error found[LANES_MOST][REPEATED_PARTS];
    bool       lost[LANES_MOST]; /* parts of it could not be made again */
} lane_repetition;

typedef struct {
    lane_state      s;
    int             lanes, n, unknowns, substeps, parameters, inputs;
    long            until;            /* the step at which members leave it */
    double         *par, *u;          /* what the state reads only */
    roughness       rough;            /* where the steps of each lane are the least smooth, */
    usual_steps     like[LANES_MOST]; /* and what they are like                     */
    lane_repetition again;            /* its met NULL: nobody asks                  */
} lane_block;

lane_block *lane_block_new(mem *m, const stepper *st, int lanes, int parameters, int inputs);

/* A prediction needs that many past steps, which come from each stepper. */
enum { LANES_LEAD = 1 };

/* Empty, for steps k h from `from`, beginning with step k: no lane is in use. */
void lane_block_begin(lane_block *b, double from, double h, long k);

/* Loads the present state of the stepper, its past solutions, and the numbers of its system. */
void lane_block_load(lane_block *b, int l, stepper *st, const double *par, const double *u);

/* Looks at the present state of all. */
void lane_block_sample(lane_block *b);

/* Unused lanes repeat the first used one, so that they do no harm. False: none is used. */
bool lane_block_fill(lane_block *b);

/* Sets the stepper to the state of the lane, with its past solutions, so that it can continue. A
 * lane lost in the last step is one step behind. */
void lane_block_store(const lane_block *b, int l, stepper *st);

/* The numbers of the system of a lane. */
void lane_block_numbers(const lane_block *b, int l, double *par, double *u);

/* Lane l at the beginning of its roughest step, as if the step before had been as long. */
void lane_block_roughest(lane_block *b, int l, const stepper *like);

/* Room for a repetition that compares that many states; copies of what steps change, and back. */
void lane_block_repeats(mem *m, lane_block *b, int states);
void lane_block_save(lane_block *b, lane_copy *to);
void lane_block_restore(lane_block *b, const lane_copy *from);

/* Does a step do no more than solve its equations? */
bool stepper_is_plain(const stepper *st);

/* Do they have the same equations, except for the numbers of the system? */
bool steppers_are_alike(const stepper *a, const stepper *b);

#endif
