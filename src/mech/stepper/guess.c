/* guess.c - what is known of the next step before it is made: the slope at the end of the last
 * curve, the initial guess of the unknowns, and the kick with which the step begins. */
#include "mech/equations/turning_rows.h"
#include "mech/stepper/stepper.h"

#include <math.h>
#include <string.h>

static void copy(double *to, const double *from, int n)
{
    memcpy(to, from, (size_t)n * sizeof *to);
}

/* Of a rotation the chart was centred in the middle:  Omega = D_a y'(1),  a = Z^d/2 */
static void spin_at_end(const stepper *st)
{
    const turning *t = st->sys->turns;
    const double  *Z = st->last + (st->eq.d - 1) * st->eq.n;
    for (int k = 0; k < t->count; k++) {
        vector a, v;
        for (int i = 0; i < 3; i++)
            a.x[i] = 0.5 * Z[t->first[k] + i], v.x[i] = st->slope[t->first[k] + i];
        const matrix D = chart_rate(a);
        v = matrix_on(&D, v);
        copy(st->slope + t->first[k], v.x, 3);
    }
}

/*     q'(1) = (1/h) sum_nu l'_nu(1) Z^nu of the last curve, or the velocity at the start */
const double *stepper_slope(stepper *st)
{
    const equations *eq = &st->eq;
    const double    *dl = eq->control.at[0].dl + eq->d * (eq->d + 1);
    stepper_synchronise(st);
    if (!st->last) return st->slope;
    memset(st->slope, 0, (size_t)eq->n * sizeof *st->slope);
    for (int nu = 1; nu <= eq->d; nu++)
        for (int j = 0; j < eq->n; j++)
            st->slope[j] += dl[nu] / st->last_h * st->last[(nu - 1) * eq->n + j];
    if (eq->turn) spin_at_end(st);
    return st->slope;
}

/* Initial guess: Z^nu = x_nu h v, stage momenta equal to that of the state, multipliers those of
 * the last step. */
void stepper_guess(stepper *st, const history *before, double v_scale, double *y)
{
    const equations *eq = &st->eq;
    const double    *v = stepper_slope(st);
    memset(y, 0, (size_t)eq->size * sizeof *y);
    for (int nu = 1; nu <= eq->d; nu++)
        for (int j = 0; j < eq->n; j++)
            y[(nu - 1) * eq->n + j] = v_scale * eq->control.x[0][nu] * eq->h * v[j];
    if (before && before->count) copy(y + eq->lam, before->y[0] + eq->lam, eq->P - eq->lam);
    if (eq->shot) copy(y + eq->P, st->p, eq->n);
    for (int i = 0; i < eq->s; i++)
        for (int j = 0; j < eq->phase; j++) y[eq->P + i * eq->phase + j] = st->p[eq->phase_list[j]];
}

/* The momentum after the kick at the beginning of the next step, p_k + h w_0 A^T lam^0. That step
 * is solved but not taken; afterwards the evaluated points are those of the last step again.
 *                                                                              theory.md [DIRAC] */
const double *stepper_kicked(stepper *st)
{
    equations      *eq = &st->eq;
    const bool      back = st->history_h < 0, stepped = st->stepped;
    const int       first = back ? st->sch.substeps - 1 : 0;
    const double    part = st->sch.substeps > 1 ? st->sch.gamma[first] : 1, *none[2] = {0};
    if (st->node.known & KNOWN_KICK) return st->papers.kicked;
    stepper_complete(st);
    const equations before = *eq;
    st->node.known |= KNOWN_KICK;
    copy(st->papers.kicked, st->p, eq->n);
    /* without a step there is no length to look ahead by, and without relations no kick */
    if (st->history_h == 0 || !eq->relations) return st->papers.kicked;

    eq->q = st->q, eq->q_low = st->q_low, eq->p = st->p, eq->p_low = st->p_low, eq->t = st->t;
    equations_set_step(eq, part * st->history_h, back);
    if (eq->redundant) equations_find_redundant(eq);
    stepper_guess(st, st->history ? &st->history[first] : NULL, 1, st->papers.ahead);
    if (newton_damped(&st->nw, st->papers.ahead, none))
        equations_kick(eq, st->papers.ahead, st->papers.kicked);
    else
        for (int j = 0; j < eq->n; j++) st->papers.kicked[j] = (double)NAN;

    eq->q = before.q, eq->q_low = before.q_low, eq->p = before.p, eq->p_low = before.p_low,
    eq->t = before.t;
    /* what others read of the last curve is evaluated again */
    if (stepped) {
        equations_set_step(eq, before.h, before.mirrored);
        equations_residual(eq, st->y, st->nw.r, false);
    }
    return st->papers.kicked;
}
