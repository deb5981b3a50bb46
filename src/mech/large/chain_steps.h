/* chain_steps.h - steps of a long nonlinear chain that stay in lanes (chain.h): state, unknowns and
 * past solutions are converted to lanes once; a step is its Newton corrections and one final pass
 * that advances the state and predicts the next step.
 *
 * chain_steps_advance makes up to `count` steps from t = from + k h and returns how many it made.
 * The stepper then holds the state after the last one; past solutions are written back only by
 * chain_steps_synchronise. Steps here and in step.c give the same bits. A step that does not
 * converge quickly from its prediction is left to step.c. */
#ifndef MECH_LARGE_CHAIN_STEPS_H
#define MECH_LARGE_CHAIN_STEPS_H

#include <stdbool.h>

typedef struct stepper stepper;

void chain_steps_prepare(stepper *st); /* allocates, if the system fits        */
long chain_steps_advance(stepper *st, double from, long k, double h, long count);
void chain_steps_synchronise(stepper *st); /* y and past solutions back to step.c  */
void chain_steps_forget(stepper *st); /* the state was changed from outside   */

#endif
