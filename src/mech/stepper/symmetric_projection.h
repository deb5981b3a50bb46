/* symmetric_projection.h - a step that moves the state along U by the same amount before and after
 * it, where L is of first order along U: a symmetric step then stays symmetric.
 *                                                                         theory.md [DEGENERATE] */
#ifndef MECH_STEPPER_SYMMETRIC_PROJECTION_H
#define MECH_STEPPER_SYMMETRIC_PROJECTION_H

#include <stdbool.h>

typedef struct stepper stepper;
typedef struct history history;

enum { ENDS_HISTORY = 3 };

typedef struct {
    bool    fits;    /* such a move is needed, and known                              */
    bool    needed;  /* it is needed: the move at the end alone would not be symmetric */
    bool    again;   /* the step is made once more, for a move that is `shift` longer  */
    double *kept;    /* 4 n: the state before the step                                 */
    double *move;    /* n: of the first end, along U                                   */
    double *shift;   /* n                                                              */
    double *reached; /* n: where the step before led                                   */
    double *moved;   /* ENDS_HISTORY n for each substep: the last of its moves            */
    double *bends;   /* P_d(1 - 2 x_nu) - 1: what a move makes of the curve             */
} symmetric_projection;

/* To be called once the directions without inertia are known. */
void ends_init(stepper *st);
void ends_room(stepper *st); /* for states, moves and curves, once */
void ends_exchange(stepper *st, bool back); /* the state into `kept`, or back from there */

/* One substep with a move at both ends. False: none was found; the state is unchanged. */
bool ends_substep(stepper *st, double t, double h, bool mirrored, history *before);

/* The curve found before, for the changed move, as an initial guess. */
void ends_guess(const stepper *st, double *y);

#endif
