/* explicit.h - explicit steps: kick, drift, kick.
 *
 * Where L = v.M v/2 + a.v - V(q, t) with constant diagonal M, forces f(q, t) - R v with constant
 * diagonal R, and a curve of degree one that is sampled at its ends only, a step is explicit:
 *                                                                                 theory.md [DEL]
 *     z = h (M + h b_0 R)^-1 (p_0 - a + h b_0 F(q_0)),   q_1 = q_0 + z,
 *     p^- = p_0 + h (b_0 F(q_0) + b_1 F(q_1)) - (b_0 + b_1) R z,   F = L_q + f
 * and F(q_1) is what the next step begins with. One evaluation of the system per step is left. */
#ifndef MECH_STEPPER_EXPLICIT_H
#define MECH_STEPPER_EXPLICIT_H

#include "mech/stepper/engine.h"
#include "mech/equations/equations.h"

enum { IN_TURN = 8 }; /* steps that follow each other through the rows, in one evaluation */

typedef struct { /* the state is in one of two rooms by turns, and so is its force */
    double *q, *q_low, *p, *p_low, *F, *f; /* F is L_q before f is added */
} explicit_room;

typedef struct {
    bool    fits;    /* the system and the scheme are such                                 */
    bool    ready;   /* mass and shift belong to the present parameters                    */
    bool    usable;  /* every mass is a good divisor                                       */
    bool    due;     /* the points of the last curve were not evaluated: explicit_complete */
    int     carried; /* -1: F at the present state has to be evaluated                     */
    int     now;     /* the room of the present state, if F is known                       */
    bool    shifted; /* a is not 0                                                         */
    bool    damped;  /* R is not 0, or may not be                                          */
    bool    driven;  /* F depends on t                                                     */
    /* M, a and R by coordinate; resistance is used where damped */
    double *mass, *shift, *resistance;
    explicit_room room[2];
    sys_point     at[IN_TURN + 1]; /* where the rooms are evaluated, by turns */
    sys_values    out[IN_TURN + 1];
} explicit_steps;

/* Does codegen/explicit.c write such a step? Small systems that are damped or driven have Newton's.
 */
static inline bool explicit_is_written(const explicit_steps *x)
{
    return x->fits && !x->damped && !x->driven;
}

void explicit_init(stepper *st);
void explicit_forget(stepper *st);  /* parameters were changed */
void explicit_restart(stepper *st); /* the state was changed   */

/* The substep that was begun, if it can be made this way; the state is unchanged if not. One that
 * is watched cannot. */
bool explicit_substep(stepper *st);

/* Some of `count` steps, whose work is added: one after the other, without what is the same for all
 * of them; returns how many were made. */
long explicit_advance(stepper *st, const steps_asked *along, long count, double *done);

/* The room of the present state, whose force is archived with it. */
explicit_room *explicit_find_room(stepper *st);

/* The mass of every coordinate; NULL: there is none that would do, or something is added to m v in
 * a momentum. */
const double *explicit_masses(stepper *st);
const double *explicit_resistances(const stepper *st); /* NULL: there are none */

/* Evaluates the points of the last curve, for those who look at them. */
void explicit_complete(stepper *st);

#endif
