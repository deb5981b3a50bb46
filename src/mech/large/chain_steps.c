/* chain_steps.c - a step in lanes: Newton corrections, with the stopping rule of newton.c, and the
 * pass that ends the step. */
#include "mech/large/chain_steps.h"

#include "mech/large/chain_inside.h"
#include "mech/large/passes_inside.h"
#include "mech/stepper/stepper.h"

#include <float.h>
#include <math.h>

static chain_passes *chain_of(const stepper *st)
{
    const passes *p = passes_of(&st->eq);
    return p ? p->chain : NULL;
}

/* The work of forces is summed row by row, so systems with forces do not step here. */
void chain_steps_prepare(stepper *st)
{
    chain_passes *c = chain_of(st);
    if (c && st->sch.substeps == 1 && !st->sys->forced) chain_make_history(c, st->m);
}

/* A watcher reads the state by rows, so a watched run does not stay in lanes. */
static bool fits(const stepper *st, double h)
{
    const chain_passes *c = chain_of(st);
    return c && c->in.history[0] && !c->left && !st->watch.asked && !st->picard.fits &&
           !stepper_projects(st) && newton_in_passes(&st->nw) && history_is_cubic(st->history) &&
           fabs(h - st->history_h) <= 1e-9 * fabs(h);
}

/* Converts the state of the stepper, and its prediction, to lanes. */
static void move_in(stepper *st, chain_passes *c)
{
    const chain_point at = {.q = st->q, .q_low = st->q_low, .p = st->p, .p_low = st->p_low};
    history          *before = st->history;
    chain_state_into_lanes(c, &at);
    for (int k = 0; k < 4; k++) chain_into_lanes(c, before->y[k], c->in.history[k]);
    history_extrapolate_sizes(before, st->own_y, st->nw.scale);
    chain_into_lanes(c, st->own_y, c->in.y), chain_exchange(c, c->in.y);
    chain_into_lanes(c, st->nw.scale, c->in.scale);
    c->in_lanes = true, c->ahead = false;
}

static void swap(double **a, double **b)
{
    double *x = *a;
    *a = *b, *b = x;
}

/* The largest |x|, not below `most`. */
static double widen(double most, const double *x, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++)
        if (!(fabs(x[i]) <= most)) most = fabs(x[i]);
    return most;
}

/* As for unknowns by rows (apply_correction.c). */
static bool is_noise(const chain_passes *c, double largest)
{
    const ptrdiff_t n = chain_lane_numbers(c);
    return largest <= 64 * DBL_EPSILON * widen(widen(0, c->in.state[LANE_Q], n), c->in.y, n);
}

/* Newton's iteration in lanes, from the prediction to the solution. */
static bool solve(stepper *st, chain_passes *c)
{
    newton *nw = &st->nw;
    correction before = {HUGE_VAL, HUGE_VAL};
    newton_begin(nw);
    while (nw->iterations < NEWTON_MOST) {
        row_measure whole;
        chain_point_at_lanes(c);
        const partition_end end = chain_correct_here(c, &whole);
        if (end != PARTITIONS_JOINED) return false;
        chain_exchange(c, c->in.y);
        nw->iterations++, nw->count.factorisations++;
        const correction     made = {whole.relative, whole.most > 0 ? whole.most / whole.size : 0};
        const newton_verdict said = newton_judge(made, before);
        if (said == NEWTON_ENDS) return true;
        if (nw->iterations > NEWTON_PATIENCE && is_noise(c, whole.most)) return true;
        if (said == NEWTON_FAILS) return false;
        before = made;
    }
    return false;
}

/* The end of the step. ------------------------------------------------------------------------ */

typedef struct {
    chain_passes *c;
    chain_close   close;
} ending;

static void end_share(void *self, int part, int parts)
{
    const ending       *e = self;
    const chain_passes *c = e->c;
    const int           groups = c->partitions->groups;
    for (int k = groups * part / parts; k < groups * (part + 1) / parts; k++)
        c->close(&e->close, &c->partitions->group[k], k);
}

/* The pass that ends a step leaves dp - dp summed in `made`: not 0 where something is not
 * finite. */
static bool all_was_finite(const chain_passes *c)
{
    double bad = 0;
    for (int k = 0; k < c->partitions->groups; k++) bad += fabs(c->pass.made[k * MEASURES]);
    return bad == 0;
}

/* The solution y becomes the newest of the past solutions, and the prediction takes its place. */
static void turn_history(lane_arrays *in)
{
    double *oldest = in->history[3];
    for (int k = 3; k > 0; k--) in->history[k] = in->history[k - 1];
    in->history[0] = in->y, in->y = in->next, in->next = oldest;
}

/* Writes the new state back by rows, if anyone needs it. */
static bool finish(stepper *st, chain_passes *c, double *const *rows)
{
    lane_arrays            *in = &c->in;
    double *const          *to = in->before;
    const pass_coefficients dp = momentum_coefficients(&st->eq);
    ending                  e = {c,
                                 {.at = &c->pass,
                                  .c = dp.c,
                                  .history = {in->history[0], in->history[1], in->history[2]},
                                  .next = in->next,
                                  .scale = in->scale}};
    for (int k = 0; k < LANE_STATE; k++)
        e.close.to[k] = to[k], e.close.row[k] = to[k] && rows ? rows[k] : NULL;
    chain_point_at_lanes(c);
    thread_pool_work(c->pool, end_share, &e);
    if (!all_was_finite(c)) return false;
    turn_history(in);
    for (int k = 0; k < LANE_STATE; k++) swap(&in->state[k], &in->before[k]);
    chain_exchange(c, in->y), chain_exchange(c, in->state[LANE_Q]);
    if (!c->plain) chain_exchange(c, in->state[LANE_Q_LOW]);
    return true;
}

/* Calls. --------------------------------------------------------------------------------------- */

/* False: the step is not made here; lanes then hold nothing, and the stepper still has the
 * state. */
static bool step(stepper *st, chain_passes *c, double t, double h, double *const *rows)
{
    stepper_begin_step(st, t, h, h < 0);
    if (!c->in_lanes) move_in(st, c);
    const pass_coefficients r = residual_coefficients(&st->eq);
    const pass              x = pass_at(passes_of(&st->eq), &st->eq, NULL, r.c);
    c->pass.s = x.s, c->pass.c = x.c, c->pass.l = x.l, c->pass.slope = x.slope;
    c->in_lanes = solve(st, c) && finish(st, c, rows);
    if (c->in_lanes) newton_count(&st->nw), st->nw.count.steps++;
    return c->in_lanes;
}

/* The arrays of the stepper: the last step may have written the present ones. */
static void show(stepper *st, chain_passes *c, long made, bool written)
{
    double *const next[] = {st->q0, st->q0_low, st->p0, st->p0_low};
    if (!written) chain_state_out_of_lanes(c, c->in.state, next);
    stepper_swap(st);
    double *const before[] = {st->q0, st->q0_low, st->p0, st->p0_low};
    if (made > 1) chain_state_out_of_lanes(c, c->in.before, before);
    st->eq.q = st->q0, st->eq.q_low = st->q0_low, st->eq.p = st->p0, st->eq.p_low = st->p0_low;
    st->y = st->history->y[0], st->last = st->y, st->last_h = st->eq.h;
}

long chain_steps_advance(stepper *st, double from, long k, double h, long count)
{
    enum { ROWS_AT_A_TIME = 1 << 22 }; /* nobody has to wait for long */
    chain_passes *c = chain_of(st);
    double *const rows[] = {st->q0, st->q0_low, st->p0, st->p0_low};
    long          made = 0;
    if (!c || !fits(st, h)) return 0;
    if (count > 1 + ROWS_AT_A_TIME / st->eq.n) count = 1 + ROWS_AT_A_TIME / st->eq.n;
    while (made < count) {
        const bool last = made + 1 == count;
        if (!step(st, c, from + (double)(k + made) * h, h, last ? rows : NULL)) break;
        made++;
    }
    c->left = made < count;
    if (!made) return 0;
    c->ahead = true;
    /* nobody has evaluated the sample points of the last curve */
    st->explicitly.due = true;
    show(st, c, made, made == count);
    return made;
}

void chain_steps_synchronise(stepper *st)
{
    chain_passes *c = chain_of(st);
    if (!c || !c->ahead) return;
    c->ahead = false;
    for (int k = 0; k < 4; k++) chain_out_of_lanes(c, c->in.history[k], st->history->y[k]);
}

void chain_steps_forget(stepper *st)
{
    chain_passes *c = chain_of(st);
    if (c) c->in_lanes = c->ahead = c->left = false;
}
