/* project.c - after a step, moves the state along directions without inertia until the equations
 * there hold, which the scheme alone would miss.                          theory.md [DEGENERATE] */
#include "mech/stepper/stepper.h"
#include "step/words.h"

#include "step/sum.h"

/* Generated steps do that themselves; otherwise they call stepper_project. */
bool stepper_projects_plainly(const stepper *st)
{
    return st->massless.projects && !st->massless.bent && !st->grid.massless &&
           !st->massless.straight;
}

void stepper_moves(const stepper *st, double *x, double *low, const double *by)
{
    for (int j = 0; j < st->sys->n; j++) {
        if (st->options.plain_summation) x[j] += by[j];
        else add(&x[j], &low[j], by[j]);
    }
}

/* Moves q until the forces balance where only stiffness acts, q and p where forces depend on
 * velocities of others, and q and p until they are consistent where L is of first order. The
 * papers' steps do none of this. */
void stepper_project(stepper *st, double t, const double *v)
{
    if (st->massless.primary.k && !st->massless.ends.fits &&
        primary_solve(&st->massless.primary, t, st->q, st->q_low, st->p, v)) {
        stepper_moves(st, st->q, st->q_low, st->massless.primary.dq);
        stepper_moves(st, st->p, st->p_low, st->massless.primary.dp);
    }
    if (st->massless.algebraic.k &&
        algebraic_solve(&st->massless.algebraic, t, st->q, st->q_low, v))
        stepper_moves(st, st->q, st->q_low, st->massless.algebraic.dq),
            stepper_moves(st, st->p, st->p_low, st->massless.algebraic.dp);
    bent_moves      *b = st->massless.straight;
    const bent_state from = {t, st->q, st->q_low, st->p, st->p_low};
    if (!b) return;
    bent_guess(st, b, v);
    if (bent_solve(b, &from)) return;
    stepper_moves(st, st->q, st->q_low, b->pass.dq);
    stepper_moves(st, st->p, st->p_low, b->pass.dp);
}
