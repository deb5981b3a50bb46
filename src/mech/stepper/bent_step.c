/* bent_step.c - a step along directions without inertia that bend: the same move at both its ends,
 *
 *     (q, p)_0 + (X, B X)_0 xi + (0, A_G^T)_0 mu  ->  step  ->  (q, p)^- + (-1)^d (...)_1 = (q,
 * p)_1
 *
 * with (xi, mu) such that the equations of bent.h hold at the end: Newton's iteration for the curve
 * and its end together.                                                        theory.md [BENT] */
#include "mech/stepper/stepper.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ITERATIONS_MOST = 30 };
static const double SHRINKS = 0.75; /* a correction that leads on, beside the one before */

/* The state before the step, moved by (xi, mu). */
static void begin(stepper *st)
{
    bent_moves *b = st->massless.bent;
    const int   n = b->n;
    double     *by = b->pass.carried;
    ends_exchange(st, true);
    memset(by, 0, (size_t)(2 * n) * sizeof *by);
    for (int k = 0; k < b->kx + b->inner; k++)
        add_times(by, b->end.y[b->end.at_xi + k], b->pass.first + 2 * n * k, 2 * n);
    stepper_moves(st, st->q, st->q_low, by), stepper_moves(st, st->p, st->p_low, by + n);
}

/* Where the curve y leads, in two parts; its slope there is the velocity that (e) refers to. */
static bent_state end_of(stepper *st, const double *y)
{
    bent_moves      *b = st->massless.bent;
    const equations *eq = &st->eq;
    const int        n = b->n;
    const double    *dl = eq->control.at[0].dl + eq->d * (eq->d + 1), *Z = y + (eq->d - 1) * n;
    double          *low = b->pass.low, *v = b->end.v_ref;
    equations_momentum(eq, y, st->dp, 0, n);
    for (int j = 0; j < n; j++) low[j] = st->q_low[j] + Z[j], low[n + j] = st->p_low[j] + st->dp[j];
    memset(v, 0, (size_t)n * sizeof *v);
    for (int nu = 1; nu <= eq->d; nu++) add_times(v, dl[nu] / eq->h, y + (nu - 1) * n, n);
    return (bent_state){eq->t + eq->h, st->q, low, st->p, low + n};
}

/* One correction of all unknowns; false: there is none. */
static bool correct(stepper *st, double *y, int sign, bent_correction *end, correction *curve)
{
    newton     *nw = &st->nw;
    bent_moves *b = st->massless.bent;
    begin(st);
    if (!nw->on.residual(&st->eq, y, nw->delta, true)) return nw->not_finite = true, false;
    nw->iterations++, nw->count.factorisations++;
    if (!nw->on.factor(&st->eq, nw->now->lu)) return b->pass.failed = DAL_SINGULAR, false;
    if (st->eq.relations && nw->iterations == 1) nw->on.reaction_scales(nw);
    const bent_state from = end_of(st, y);
    if (!bent_correct_both(b, nw->now->lu, nw->delta, &from, sign, end)) return false;
    *curve = nw->on.apply(nw, y, NULL);
    return true;
}

/* From y and the end as they were predicted, until both are right. */
static bool iterate(stepper *st, double *y, const double *const known[2])
{
    newton         *nw = &st->nw;
    bent_moves     *b = st->massless.bent;
    const int       sign = st->eq.d % 2 ? -1 : 1;
    correction      before = {HUGE_VAL, HUGE_VAL};
    bent_correction end_before = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    newton_begin(nw);
    nw->on.scales(nw, y, known);
    while (nw->iterations < ITERATIONS_MOST) {
        correction      made;
        bent_correction end;
        if (!correct(st, y, sign, &end, &made)) break;
        const bool           settled = bent_settled(b, sign, &end, end_before);
        const newton_verdict said = newton_judge(made, before);
        /* corrections of a motion that has come to rest are noise at once */
        const bool noise =
            (nw->iterations > NEWTON_PATIENCE || said == NEWTON_FAILS) && nw->on.is_noise(nw, y);
        if (settled && (said == NEWTON_ENDS || noise)) return begin(st), true;
        /* the second may be as large as the first, which mends what a first guess was far off in */
        const bool leads_on = made.overall <= SHRINKS * before.overall || nw->iterations <= 2;
        if (said == NEWTON_FAILS && !noise && !leads_on) break;
        before = made, end_before = end;
    }
    if (!b->pass.failed) b->pass.failed = DAL_DIVERGED;
    return false;
}

bool bent_follow(stepper *st, const history *before, double *y)
{
    bent_moves   *b = st->massless.bent;
    const history none = {0}, *ends = before ? &b->pass.before[before - st->history] : &none;
    const double *known[2] = {0};
    for (int k = 0; before && k < 2 && k < before->count; k++) known[k] = before->y[k];
    for (int k = 0; k < 2; k++) {
        const bool predicted = !k && before && before->count;
        if (k && !(before && before->count)) break;
        b->pass.failed = DAL_OK;
        if (predicted) history_extrapolate(before, y);
        else stepper_guess(st, before, 1, y);
        memcpy(b->pass.v_end, b->v, (size_t)b->n * sizeof *b->v);
        memcpy(b->pass.w_end, b->w, (size_t)b->n * sizeof *b->w);
        memcpy(b->pass.lam_end, b->lam, (size_t)b->inner * sizeof *b->lam);
        bent_predict(b, predicted ? ends : &none, st->eq.d % 2 ? -1 : 1);
        if (iterate(st, y, known)) return true;
    }
    return false;
}

/* A move that is no longer small beside increments, of late too: a motion may turn back. Then its
 * equations may have another solution, near none of the motion. What is little beside positions is
 * small in any case, and from rest at 0 increments are no larger than moves in the first steps. */
static bool is_far(stepper *st, int known)
{
    enum { AT_FIRST = 3 };
    static const double LONGEST = 0.1, LONGEST_OF_ONE = 0.3, LITTLE = 1e-3, FADES = 0.95;
    bent_moves         *b = st->massless.bent;
    const double       *Z = st->last + (st->eq.d - 1) * b->n;
    const double        most = known < AT_FIRST ? 1 : st->eq.d == 1 ? LONGEST_OF_ONE : LONGEST;
    double              move = 0, size = 0;
    b->pass.stride *= FADES;
    for (int j = 0; j < b->n && b->felt; j++) {
        if (b->pass.dq[j] == 0) continue;
        move = fmax(move, fabs(b->pass.dq[j])), size = fmax(size, fabs(st->q[j]));
        b->pass.stride = fmax(b->pass.stride, fabs(Z[j]));
    }
    return move > most * b->pass.stride && move > LITTLE * size;
}

/* Of Hamiltonian coordinates also their momentum. */
void bent_guess(const stepper *st, bent_moves *b, const double *v)
{
    memcpy(b->pass.v_end, v, (size_t)b->n * sizeof *b->pass.v_end);
    for (int i = 0; i < b->n; i++)
        b->pass.w_end[i] = bent_is_phase(b->sys, i) ? st->p[i] : b->pass.v_end[i];
}

/* The end solve, from the curve's velocity and the reactions before. */
static bool finish(stepper *st, double t)
{
    bent_moves      *b = st->massless.bent;
    const bent_state from = {t, st->q, st->q_low, st->p, st->p_low};
    bent_guess(st, b, stepper_slope(st));
    memcpy(b->pass.lam_end, b->lam, (size_t)b->inner * sizeof *b->lam);
    b->pass.failed = bent_solve(b, &from);
    return !b->pass.failed;
}

/* What the end solve found belongs to the state that it led to. */
static void accept(bent_moves *b)
{
    memcpy(b->v, b->pass.v_end, (size_t)b->n * sizeof *b->v);
    memcpy(b->w, b->pass.w_end, (size_t)b->n * sizeof *b->w);
    memcpy(b->lam, b->pass.lam_end, (size_t)b->inner * sizeof *b->lam);
    memcpy(b->sigma, b->end.y + b->end.at_sigma, (size_t)b->stiff * sizeof *b->sigma);
    b->known = true;
}

/* Pivots that have become poor ones are chosen anew; ends with others then say nothing. */
static bool renew_pivots(stepper *st, const sys_point *at)
{
    bent_moves *b = st->massless.bent;
    if (!b->poor) return true;
    for (int j = 0; j < st->sch.substeps; j++) b->pass.before[j].count = 0;
    return bent_choose(b, at);
}

/* A watcher sees the curve before the last move. */
bool bent_substep(stepper *st, double t, double h, bool mirrored, history *before)
{
    bent_moves     *b = st->massless.bent;
    history        *ends = &b->pass.before[before ? before - st->history : 0];
    const sys_point at = {.t = t, .q = st->q, .w = b->w, .v = b->v};
    bool            balanced;
    b->pass.changed = false;
    if (!bent_reach(st, &balanced)) return false;
    if (!balanced) bent_adopt(st); /* as after a parameter has changed */
    if (!renew_pivots(st, &at)) return b->pass.failed = DAL_SINGULAR, false;
    if (before && !before->count) ends->count = 0, b->pass.stride = 0;
    ends_exchange(st, false);
    b->pass.failed = DAL_OK;
    if (b->felt && !bent_begin(b, &at)) return b->pass.failed = DAL_DIVERGED, false;
    if (!stepper_substep(st, t, h, mirrored, before)) return ends_exchange(st, true), false;
    if (b->felt) bent_take(b);
    else if (!finish(st, t + h)) return ends_exchange(st, true), false;
    b->pass.changed = !bent_keeps_kinds(b);
    if (b->pass.changed || is_far(st, ends->count))
        return b->pass.failed = DAL_DIVERGED, ends_exchange(st, true), false;
    if (st->watch.asked) st->watch.tell(st->watch.self, st);
    stepper_moves(st, st->q, st->q_low, b->pass.dq),
        stepper_moves(st, st->p, st->p_low, b->pass.dp);
    history_push(ends, b->end.y);
    accept(b);
    return true;
}

/* Of a state that no step has led to: `balanced` says whether it may begin one as it is. */
bool bent_reach(stepper *st, bool *balanced)
{
    static const double TOLERATED = 1e-9;
    bent_moves         *b = st->massless.bent;
    double              size = 0, off = 0;
    *balanced = true;
    if (b->known) return true;
    memset(b->pass.lam_end, 0, (size_t)b->inner * sizeof *b->lam);
    bent_guess(st, b, stepper_slope(st));
    b->pass.failed = bent_balance(b, st->t, st->q);
    if (b->pass.failed) return false;
    accept(b);
    for (int i = 0; i < b->n; i++)
        size = fmax(size, fabs(st->q[i] + b->pass.dq[i])), off = fmax(off, fabs(b->pass.dq[i]));
    b->known = *balanced = off <= TOLERATED * size;
    return true;
}

/* Moves the state to where it balances. */
void bent_adopt(stepper *st)
{
    bent_moves *b = st->massless.bent;
    for (int i = 0; i < b->n; i++) st->q[i] += b->pass.dq[i], st->p[i] = b->pass.p[i];
    memset(st->q_low, 0, (size_t)b->n * sizeof *st->q_low);
    memset(st->p_low, 0, (size_t)b->n * sizeof *st->p_low);
    b->known = true;
    stepper_moved(st);
}

dal_status bent_explain(const stepper *st, text *why)
{
    const bent_moves *b = st->massless.bent;
    text_printf(why, "t = %.9g: ", st->t);
    if (b->pass.changed) {
        text_add(why, "forces by velocities begin or cease to act along ");
        stepper_massless(st, why);
        text_add(why,
                 ", a direction without inertia that bends: end the run there, and start anew");
        return DAL_DIVERGED;
    }
    if (b->pass.failed == DAL_SINGULAR) {
        text_add(why, "nothing determines the motion along ");
        stepper_massless(st, why);
        text_add(why, ", a direction without inertia: give it inertia, stiffness or resistance");
        return DAL_SINGULAR;
    }
    text_add(why, "the step is too long for the motion along ");
    stepper_massless(st, why);
    text_add(why, ", a direction without inertia that bends: try a smaller step");
    if (b->stiff)
        text_add(why, "; if the forces along it cease to balance there, no step passes that time");
    return DAL_DIVERGED;
}
