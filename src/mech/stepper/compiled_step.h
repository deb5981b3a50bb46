/* compiled_step.h - steps generated as one C function for their system (codegen/codegen.h), and how
 * they and the steps of step.c exchange the state.
 *
 * A generated step either converges quickly from its prediction or is not made: then step.c makes
 * it, with all its starting points, damping and explanations. */
#ifndef MECH_STEPPER_COMPILED_STEP_H
#define MECH_STEPPER_COMPILED_STEP_H

#include "mech/stepper/engine.h"
#include "mech/stepper/roughest.h"

/* The text of codegen.c declares the same structs. */
typedef struct {        /* of steps whose length the energy decides: adaptive.h */
    double until, rest; /* the last step leaves no more than `rest` to `until`         */
    double least, most; /* of |h|; 0: no bound                                         */
    double sign;        /* of dphi/dh                                                  */
    double E, E_low, shift;
    double t;    /* at the beginning of the last step                           */
    double h[6]; /* as many as there are past solutions; 0: none yet */
    /* what the last step has left: as in adaptive.h */
    double chord, slope, size, noise;
    double shortest, longest; /* of the steps of one call                                    */
    double error;             /* the largest of their balances                               */
} step_energy;

typedef struct { /* along directions without inertia that bend: mech/bent/bent.h */
    double *v, *lam, *sigma; /* at the grid point                                     */
    double *ends, stride;    /* of each substep its last six ends, newest first       */
    int    *known;           /* and how many of them are                              */
} step_bent;

typedef struct {
    double  from, h; /* step k begins at from + k h; by energy, the next one at from    */
    long    k;
    double *q, *q_low, *p, *p_low;
    double *before;  /* four times its width: the state at the beginning of the last substep      */
    double *history; /* of each substep its last six solutions, newest first     */
    int    *known;   /* and how many of them are                                 */
    const double *v; /* slope at the start, for the first prediction             */
    const double *par, *u;         /* parameters and inputs                                    */
    const double *U, *W;           /* directions without inertia, along which it projects      */
    double       *moved;           /* of each substep its last moves along them               */
    double        work, last_work; /* summed over the steps, and of the last one           */
    long          iterations, factored;
    int           most;        /* iterations of one substep                                */
    long          fixed_point; /* of the fixed-point iteration, which are counted apart      */
    int           most_fixed_point;
    step_energy  *energy;
    void (*input_at)(void *inputs, double t, double *u); /* inputs that follow a file, or NULL */
    void *inputs;
    void (*project)(void *stepper, double t, const double *v); /* moves the state, after a step */
    void      *stepper;
    roughness *rough;  /* what is kept of the roughest of its steps; NULL: nobody asks */
    double     turned; /* the largest square of an angle by which a rotation turned in one */
    step_bent *bent;
} step_state;

typedef long (*compiled_steps)(step_state *s, long count); /* how many were made */

typedef struct {
    compiled_steps call;
    step_state     s;
    step_energy    energy;
    step_bent      bent;
    int            ends; /* unknowns of the end that it was written for; 0: directions do not bend */
    bool           backward;
    int            primary, algebraic; /* directions for which it was written     */
    bool           calls_back;         /* or it has the stepper project, along any        */
    bool           symmetric;          /* it projects at both ends of a step              */
    bool           ahead;              /* of where the stepper says the last curve began     */
    bool           unseen;             /* the points of the last curve were not evaluated    */
    bool           unbordered;         /* nor was the border of its equations: adaptive.h    */
    bool           declined;           /* the next step was, and is left to step.c          */
    int            misses;             /* steps in a row that were                           */
} compiled_step;

/* Has the stepper make steps in the direction of h, which most of them have, by this function. */
void stepper_use_compiled(stepper *st, compiled_steps call, double h, const step_numbers *of);

/* As an engine has them (engine.h). */
long compiled_advance(stepper *st, const steps_asked *along, steps_made *out);
void compiled_synchronise(stepper *st);
void compiled_complete(stepper *st);
void compiled_forget(stepper *st);
void compiled_archive(stepper *st, archive *r);

/* stepper/energy_steps.c: the same for steps of the energy principle. */
bool compiled_decides(const stepper *st); /* is the next step one that it would make? */
bool compiled_ended(const stepper *st);   /* did the last call meet its end?      */
void compiled_energy_begin(stepper *st, const steps_asked *along);
void compiled_energy_take(stepper *st, steps_made *out);
void compiled_border(stepper *st); /* row, column and J of the last step */

#endif
