/* bent_step.c - a step along directions without inertia that bend: the same move at both its ends,
 *
 *     (q, p)_0 + (X, B X)_0 xi + (0, A_G^T)_0 mu  ->  step  ->  (q, p)^- + (-1)^d (...)_1 = (q,
 * p)_1
 *
 * with (xi, mu) such that the equations of bent.h hold at the end. A move at the beginning arrives
 * at the end as (-1)^d times itself, so the move is half of what is missing there, to O(h^2).
 *                                                                              theory.md [BENT] */
#include "mech/stepper/stepper.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { PASSES_MOST = 40 };
static const double NOISE = 8 * DBL_EPSILON;
static const double LONGEST = 0.1; /* move, beside positions and increments along it */

/* The state into `kept`, or back from there. */
static void exchange(stepper *st, bool back)
{
    const size_t n = (size_t)st->sys->n;
    double      *state[] = {st->q, st->q_low, st->p, st->p_low};
    for (size_t k = 0; k < 4; k++)
        memcpy(back ? state[k] : st->massless.ends.kept + k * n,
               back ? st->massless.ends.kept + k * n : state[k], n * sizeof(double));
}

static void move_state(stepper *st)
{
    const bent_moves *b = st->massless.bent;
    stepper_moves(st, st->q, st->q_low, b->pass.dq),
        stepper_moves(st, st->p, st->p_low, b->pass.dp);
}

static int moves_of(const bent_moves *b)
{
    return b->kx + b->inner;
}

/* The state before the step, moved by (xi, mu). */
static bool begin(stepper *st, double t)
{
    bent_moves *b = st->massless.bent;
    exchange(st, true);
    const sys_point at = {.t = t, .q = st->q, .w = b->v, .v = b->v};
    if (!b->passes) return true;
    if (!bent_move(b, &at, b->pass.xi, 1)) return false;
    move_state(st);
    return true;
}

/* The end solve, from the curve's velocity and the reactions before. */
static dal_status finish(stepper *st, double t)
{
    bent_moves      *b = st->massless.bent;
    const int        sign = st->eq.d % 2 ? -1 : 1;
    const bent_state from = {t, st->q, st->q_low, st->p, st->p_low};
    memcpy(b->pass.v_end, stepper_slope(st), (size_t)b->n * sizeof *b->pass.v_end);
    memcpy(b->pass.lam_end, b->lam, (size_t)b->inner * sizeof *b->lam);
    return bent_solve(b, &from, b->passes ? sign : 1);
}

/* How far the final state is from that of the last pass, and its size. */
static double compare(stepper *st, double *size)
{
    const bent_moves *b = st->massless.bent;
    double            apart = *size = 0, *reached = st->massless.ends.reached;
    for (int j = 0; j < b->n; j++) {
        const double at = st->q[j] + (st->q_low[j] + b->pass.dq[j]);
        apart = fmax(apart, fabs(at - reached[j])), *size = fmax(*size, fabs(at));
        reached[j] = at;
    }
    return apart;
}

/*     F = (xi, mu) that the end needs, less that of the beginning;   shift = -G F,   G = F_xi^-1
 * A move returns from the end with the opposite sign, so G = -1/2 at first, and shift is half of
 * what is missing; then Broyden's updates:  G += (shift - G dF) shift^T G/(shift^T G dF). Returns
 * the largest change of xi to come. */
static double lengthen(stepper *st, bool first)
{
    bent_moves *b = st->massless.bent;
    const int   n = moves_of(b);
    double     *G = b->pass.inverse, *F = b->pass.missing, *GdF = b->pass.work,
           *along = b->pass.work + n;
    double most = 0, over = 0;
    for (int k = 0; k < n; k++) GdF[k] = along[k] = 0;
    for (int k = 0; k < n && !first; k++)
        for (int j = 0; j < n; j++) {
            GdF[k] += G[k * n + j] * (b->end.y[b->end.at_xi + j] - b->pass.xi[j] - F[j]);
            along[j] += b->pass.shift[k] * G[k * n + j];
        }
    for (int k = 0; k < n; k++) over += b->pass.shift[k] * GdF[k];
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++) {
            if (first) G[k * n + j] = k == j ? -0.5 : 0;
            else if (over != 0) G[k * n + j] += (b->pass.shift[k] - GdF[k]) * along[j] / over;
        }
    for (int k = 0; k < n; k++) F[k] = b->end.y[b->end.at_xi + k] - b->pass.xi[k];
    for (int k = 0; k < n; k++) {
        b->pass.shift[k] = 0;
        for (int j = 0; j < n; j++) b->pass.shift[k] -= G[k * n + j] * F[j];
        if (k < b->kx) most = fmax(most, fabs(b->pass.shift[k]));
    }
    return most;
}

/* The move of the next pass, and by how much it begins elsewhere. */
static void shift_on(stepper *st)
{
    bent_moves *b = st->massless.bent;
    double     *by = st->massless.ends.shift;
    memset(by, 0, (size_t)b->n * sizeof *by);
    for (int k = 0; k < moves_of(b); k++) b->pass.xi[k] += b->pass.shift[k];
    for (int u = 0; u < b->kx; u++)
        for (int i = 0; i < b->n; i++)
            by[i] += b->pass.shift[u] * b->along.of_X.basis[u * b->n + i];
}

/* A move that is no longer small beside the step: its equations may have another solution, or
 * none. */
static bool is_far(const stepper *st)
{
    const bent_moves *b = st->massless.bent;
    const double     *Z = st->last + (st->eq.d - 1) * b->n;
    double            move = 0, size = 0;
    for (int j = 0; j < b->n && b->passes; j++) {
        if (b->pass.dq[j] == 0) continue;
        move = fmax(move, fabs(b->pass.dq[j]));
        size = fmax(size, fmax(fabs(Z[j]), fabs(st->q[j])));
    }
    return move > LONGEST * size;
}

/* Repeats the step until the moves at both ends agree, or the difference no longer shows. */
static dal_status make(stepper *st, double t, double h, bool mirrored, history *before)
{
    bent_moves  *b = st->massless.bent;
    const double work = st->work;
    double       earlier = HUGE_VAL, size;
    for (int pass = 0; pass < PASSES_MOST; pass++) {
        st->work = work, st->massless.ends.again = pass > 0;
        if (!begin(st, t)) return DAL_DIVERGED;
        b->pass.failed = DAL_OK;
        if (!stepper_substep(st, t, h, mirrored, before)) return DAL_INVALID; /* Newton knows why */
        const dal_status bad = finish(st, t + h);
        if (bad) return bad;
        if (!b->passes) return DAL_OK;
        const double apart = compare(st, &size), missing = lengthen(st, !pass);
        const double left = pass ? apart * missing / earlier : HUGE_VAL;
        if (missing <= DBL_EPSILON * size || left <= DBL_EPSILON / 4 * size) return DAL_OK;
        if (pass > 1 && missing >= earlier / 2 && apart <= NOISE * size) return DAL_OK;
        if (!(missing <= size)) return DAL_DIVERGED;
        shift_on(st);
        earlier = missing;
    }
    return DAL_DIVERGED;
}

/* The last moves of this substep, newest first, and the extrapolation of the parabola through
 * them. */
static void predict(bent_moves *b, const double *moved, int count)
{
    static const double next[][BENT_MOVES] = {{0}, {1}, {2, -1}, {3, -3, 1}};
    const double       *c = next[count];
    const int           n = moves_of(b);
    for (int j = 0; j < n; j++)
        b->pass.xi[j] = c[0] * moved[j] + c[1] * moved[n + j] + c[2] * moved[2 * n + j];
    if (!b->passes) memset(b->pass.xi, 0, (size_t)n * sizeof *b->pass.xi);
}

static void remember(bent_moves *b, double *moved, int *count)
{
    const size_t n = (size_t)moves_of(b);
    memmove(moved + n, moved, (BENT_MOVES - 1) * n * sizeof *moved);
    memcpy(moved, b->pass.xi, n * sizeof *moved);
    *count += *count < BENT_MOVES;
}

/* What the end solve found belongs to the state that it led to. */
static void accept(bent_moves *b)
{
    memcpy(b->v, b->pass.v_end, (size_t)b->n * sizeof *b->v);
    memcpy(b->lam, b->pass.lam_end, (size_t)b->inner * sizeof *b->lam);
    memcpy(b->sigma, b->end.y + b->end.at_sigma, (size_t)b->stiff * sizeof *b->sigma);
    b->known = true;
}

/* Pivots that have become poor ones are chosen anew; moves in others then say nothing. */
static bool renew_pivots(stepper *st, double t)
{
    bent_moves     *b = st->massless.bent;
    const sys_point at = {.t = t, .q = st->q, .w = b->v, .v = b->v};
    if (!b->poor) return true;
    for (int j = 0; j < st->sch.substeps; j++) b->pass.count[j] = 0;
    return bent_choose(b, &at);
}

/* A watcher sees the curve before the last move. */
bool bent_substep(stepper *st, double t, double h, bool mirrored, history *before)
{
    bent_moves *b = st->massless.bent;
    const int   j = before ? (int)(before - st->history) : 0;
    double     *moved = b->pass.moved + j * BENT_MOVES * moves_of(b);
    b->pass.far = false;
    bool balanced;
    if (!bent_reach(st, &balanced)) return false;
    if (!balanced) bent_adopt(st); /* as after a parameter has changed */
    if (!renew_pivots(st, t)) return b->pass.failed = DAL_SINGULAR, false;
    if (before && !before->count) b->pass.count[j] = 0;
    exchange(st, false);
    predict(b, moved, b->pass.count[j]);
    const dal_status bad = make(st, t, h, mirrored, before);
    st->massless.ends.again = false;
    b->pass.far = !bad && is_far(st);
    if (bad != DAL_INVALID) b->pass.failed = b->pass.far ? DAL_DIVERGED : bad;
    if (bad || b->pass.far) return exchange(st, true), false;
    if (st->watch.tell) st->watch.tell(st->watch.self, st);
    move_state(st);
    remember(b, moved, &b->pass.count[j]);
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
    memcpy(b->pass.v_end, stepper_slope(st), (size_t)b->n * sizeof *b->pass.v_end);
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
    if (b->pass.failed == DAL_SINGULAR) {
        text_add(why, "nothing determines the motion along ");
        stepper_massless(st, why);
        text_add(why, ", a direction without inertia: give it inertia, stiffness or resistance");
        return DAL_SINGULAR;
    }
    text_add(why, "the step is too long for the motion along ");
    stepper_massless(st, why);
    text_add(why, ", a direction without inertia that bends: try a smaller step");
    return DAL_DIVERGED;
}
