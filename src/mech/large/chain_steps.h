/* chain_steps.h - steps of a long chain that stay in lanes (chain.h): state, unknowns and past
 * solutions are turned into lanes once, and a step is its corrections and one more pass, in which
 * the state moves on and the next step is predicted.
 *
 * A walk is some of `count` steps from t = from + k h; how many were made. Then the state of the
 * stepper is that after the last one; its past solutions are only when they are asked for. Both
 * ways give the same bits. A step that does not converge quickly from its prediction is left to
 * step.c. */
#ifndef MECH_LARGE_CHAIN_STEPS_H
#define MECH_LARGE_CHAIN_STEPS_H

#include <stdbool.h>

typedef struct stepper stepper;

void home_prepare(stepper *st);                  /* room for it, if it fits             */
long home_walk(stepper *st, double from, long k, double h, long count);
void home_pull(stepper *st);                     /* y and past, as step.c has them      */
void home_forget(stepper *st);                   /* the state was put, or stepped otherwise */

#endif
