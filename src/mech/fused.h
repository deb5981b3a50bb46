/* fused.h - steps generated as one C function for their system (fuse/fuse.h), and how they and the
 * steps of step.c exchange the state.
 *
 * A generated step either converges quickly from its prediction or is not made: then step.c makes
 * it, with all its starting points, damping and explanations. */
#ifndef MECH_FUSED_H
#define MECH_FUSED_H

#include <stdbool.h>

/* The text of fuse.c declares the same structs. */
typedef struct { /* of steps whose length the energy decides: adaptive.h */
    double until, rest;         /* the last step leaves no more than `rest` to `until`         */
    double least, most;         /* of |h|; 0: no bound                                         */
    double sign;                /* of dphi/dh                                                  */
    double E, E_low, shift;
    double t;                   /* at the beginning of the last step                           */
    double h[6]; /* as many as there are past solutions; 0: none yet */
    double chord, slope, size, noise;
    double shortest, longest;   /* of the steps of one call                                    */
    double error;               /* the largest of their balances                               */
} fused_energy;

typedef struct {
    double        from, h; /* step k begins at from + k h; by energy, the next one at from    */
    long          k;
    double       *q, *q_low, *p, *p_low;
    double       *before;          /* 4 n: the state at the beginning of the last substep      */
    double       *past;            /* of each substep its last four solutions, newest first    */
    int          *known;           /* and how many of them are                                 */
    const double *v;               /* slope at the start, for the first prediction             */
    const double *par, *u;         /* parameters and inputs                                    */
    const double *U, *W;           /* directions without inertia, along which it settles       */
    double       *moved;           /* of each substep its last moves along them: both_ends.h   */
    double        work, last_work; /* summed over the steps, and of the last one           */
    long          iterations, factored;
    int           most;   /* iterations of one substep                                */
    long          sweeps; /* of the fixed-point iteration, which are counted apart      */
    int           most_sweeps;
    fused_energy *energy;
    void (*input_at)(void *inputs, double t, double *u); /* inputs that follow a file, or NULL */
    void *inputs;
    void (*settle)(void *stepper, double t, const double *v); /* moves the state, after a step */
    void *stepper;
} fused_state;

typedef long (*fused_steps)(fused_state *s, long count); /* how many were made */

typedef struct stepper stepper;

typedef struct {
    fused_steps call; /* NULL: none                                            */
    fused_state s;
    fused_energy energy;
    bool        backward;
    int         primary, algebraic; /* directions for which it was written     */
    bool        calls_back; /* or it has the stepper settle, along any         */
    bool        both_ends;          /* at which it settles                     */
    bool        current; /* `past` is that of the present state                */
    bool        ahead;   /* the stepper's own y and past are not               */
    bool        unseen;  /* the points of the last curve were not evaluated    */
    bool        unbordered; /* nor was the border of its equations: adaptive.h    */
    bool        declined; /* the next step was, and is left to step.c          */
    int         misses;  /* steps in a row that were                           */
    int         calls;
} fused;

/* Parameters and inputs, read at every step; input_at sets those that follow a file. */
typedef struct {
    const double *par, *u;
    void (*input_at)(void *inputs, double t, double *u); /* NULL: none does */
    void *inputs;
} fused_numbers;

/* Makes the stepper use the function for steps in the direction of h, which most of them have. */
void stepper_fuse(stepper *st, fused_steps call, double h, const fused_numbers *of);

/* Up to `count` steps from t = from + k h; how many were made this way. Their work is added to
 * *work. */
long stepper_leap(stepper *st, double from, long k, double h, long count, double *work);

/* energy/fused.c: the same for steps of the energy principle, from t to the first time that leaves
 * no more than `rest` to `until`; and what monitors ask of the steps of one call. */
long                stepper_leap_until(stepper *st, double t, double h, long count, double until,
                                       double rest, double *work);
const fused_energy *stepper_leapt(const stepper *st);
bool                fused_decides(const stepper *st); /* is the next step one that it would make? */
bool                fused_ended(const stepper *st);   /* did the last call meet its end?      */
void                fused_energy_push(stepper *st);
void                fused_energy_take(stepper *st);
void                fused_border(stepper *st); /* row, column and J of the last step */

void fused_forget(stepper *st);   /* the state was put, or stepped otherwise        */
void fused_pull(stepper *st);     /* y, past and the state before, as step.c has them */
void fused_complete(stepper *st); /* and the points of the last curve                */

#endif
