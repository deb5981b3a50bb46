/* compiled_step.h - steps generated as one C function for their system (codegen/codegen.h), and how
 * they and the steps of step.c exchange the state.
 *
 * A generated step either converges quickly from its prediction or is not made: then step.c makes
 * it, with all its starting points, damping and explanations. */
#ifndef MECH_STEPPER_COMPILED_STEP_H
#define MECH_STEPPER_COMPILED_STEP_H

#include "mech/stepper/engine.h"
#include "mech/stepper/roughest.h"
#include "step/passed.h"

typedef long (*compiled_steps)(step_state *s, long count); /* how many were made */

typedef struct {
    compiled_steps call;
    step_state     s;
    step_energy    energy;
    step_bent      bent;
    int  ends; /* unknowns of the end that it was written for; 0: directions do not bend */
    bool backward;
    int  primary, algebraic; /* directions for which it was written     */
    bool calls_back;         /* or it has the stepper project, along any        */
    bool symmetric;          /* it projects at both ends of a step              */
    bool ahead;              /* of where the stepper says the last curve began     */
    bool unseen;             /* the points of the last curve were not evaluated    */
    bool unbordered;         /* nor was the border of its equations: adaptive.h    */
    bool declined;           /* the next step was, and is left to step.c          */
    int  misses;             /* steps in a row that were                           */
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
