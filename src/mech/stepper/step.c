/* step.c - one step: substeps of a composition, prediction, Newton, and the state carried in
 * two parts. */
#include "mech/equations/shooting.h"
#include "mech/equations/turning_rows.h"
#include "mech/rotation/state.h"
#include "mech/solve/linkage.h"
#include "mech/stepper/stepper.h"
#include "model/charts.h"
#include "step/words.h"

#include "step/roughest.h"
#include "step/sum.h"

#include <math.h>
#include <string.h>

static void copy(double *to, const double *from, int n)
{
    memcpy(to, from, (size_t)n * sizeof *to);
}

/* How many different lengths the substeps have. */
static int distinct_lengths(const scheme *sch)
{
    int count = 0;
    for (int j = 0; j < sch->substeps; j++) {
        bool seen = false;
        for (int k = 0; k < j; k++) seen |= sch->gamma[k] == sch->gamma[j];
        count += !seen;
    }
    return count;
}

static void make_room(stepper *st, mem *m)
{
    const int n = st->sys->n, width = st->turn.width;
    double  **array[] = {&st->q,      &st->q_low, &st->p,      &st->p_low, &st->q0,
                         &st->q0_low, &st->p0,    &st->p0_low, &st->slope, &st->dp};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        *array[k] = mem_apart(m, (size_t)width, (int)k);
    if (st->sch.substeps > 1) st->saved = mem_array(m, 4 * width, double);
    st->y = st->own_y = mem_array(m, st->eq.size, double);
    if (st->options.momentum == MOMENTUM_PAPERS) {
        st->papers.ahead = mem_array(m, st->eq.size, double);
        st->papers.kicked = mem_array(m, n, double);
    }
    if (st->eq.constant && st->eq.diagonal) return; /* an explicit step predicts nothing */
    st->history = histories_new(m, st->sch.substeps, st->eq.size);
    const bool    bends = st->eq.d > 1 && !st->eq.shot;
    const double *X = bends ? curve_continued(m, st->eq.control.x[0], st->eq.d) : NULL;
    for (int j = 0; j < st->sch.substeps; j++) history_follow(&st->history[j], m, n, st->eq.d, X);
}

/* A factorisation is expensive if it takes as long as many solves with its factors. Relations that
 * are nearly dependent have their reactions from a new one, unless it fills in: updates converge
 * slowly there. */
static bool keeps_jacobian(const stepper *st)
{
    static const double solves = 3; /* as many as a factorisation takes at least */
    const step_options *o = &st->options;
    if (o->jacobian != JACOBIAN_AUTO) return o->jacobian == JACOBIAN_BROYDEN;
    if (st->eq.constant || o->principle == ENERGY) return false;
    const solver *lu = st->nw.cache[0].lu;
    if (st->eq.relations && strcmp(solver_name(lu), "klu") != 0) return false;
    return solver_iterates(lu) || solver_effort(lu) > solves;
}

/* The Jacobian of a chord, d = 1, with neither multipliers nor momenta among its unknowns is
 * symmetric where forces are those of a potential or damp symmetrically. */
static const char *kind_of_solver(const stepper *st)
{
    const equations *eq = &st->eq;
    if (st->options.solver) return st->options.solver;
    if (eq->d > 1 || eq->relations || eq->phase || eq->shot || eq->sum.whole) return NULL;
    if (st->options.principle == ENERGY || st->sys->varies[F_LQW] != FIELD_ZERO) return NULL;
    return solver_for_definite(st->m, &eq->J);
}

/* Simplified corrections, of systems that are too large to be solved as a whole; a constant matrix
 * is kept for one length of steps only. */
static void find_modes(stepper *st)
{
    enum { SMALL = 64 }; /* coordinates */
    const step_options *o = &st->options;
    if (st->eq.n <= SMALL || o->jacobian != JACOBIAN_AUTO || o->solver || o->principle == ENERGY) return;
    if (st->eq.constant && st->nw.lengths > 1) return;
    st->nw.modes = modes_new(st->m, &st->eq);
}

/* Multipliers alone, where nothing else was asked for. */
static void find_linkage(stepper *st)
{
    const step_options *o = &st->options;
    if (o->jacobian != JACOBIAN_AUTO || o->solver || o->principle == ENERGY) return;
    st->nw.linkage = linkage_new(st->m, &st->nw);
}

/* A kind of solver that was asked for is kept, if it can take the pattern. */
void stepper_new_matrix(stepper *st)
{
    text      why = text_new(st->m);
    const int lengths = distinct_lengths(&st->sch);
    for (int k = 0; k < st->nw.lengths; k++) solver_free(st->nw.cache[k].lu);
    modes_free(st->nw.modes), linkage_free(st->nw.linkage);
    if (newton_init(&st->nw, st->m, &st->eq, lengths, kind_of_solver(st), &why))
        newton_init(&st->nw, st->m, &st->eq, lengths, NULL, &why);
    if (keeps_jacobian(st)) newton_keep(&st->nw, st->m);
    find_modes(st), find_linkage(st);
    text_drop(&why);
}

/* The word of the caller need not stay. */
static const char *copy_of_word(mem *m, const char *word)
{
    if (!word) return NULL;
    char *kept = mem_array(m, strlen(word) + 1, char);
    return memcpy(kept, word, strlen(word) + 1);
}

dal_status stepper_new(mem *m, dal_system *sys, const scheme *sch, const step_options *o,
                       stepper **out, text *why)
{
    stepper *st = mem_array(m, 1, stepper);
    *out = NULL;
    st->m = m, st->sys = sys, st->sch = *sch, st->options = *o, st->history_h = o->step;
    st->options.solver = copy_of_word(m, o->solver);
    st->turn.width = turning_width(sys->turns, sys->n), st->turn.too_far = -1;
    if (sys->turns && (o->principle == ENERGY || o->momentum == MOMENTUM_PAPERS)) {
        text_printf(why, "rotations and directions cannot be combined with %s",
                    o->principle == ENERGY ? "principle = energy: use dirac+"
                                           : "momentum = papers: use projected");
        return DAL_INVALID;
    }
    if (sch->curve == CURVE_SHOOTING && o->momentum == MOMENTUM_PAPERS) {
        text_printf(why, "momentum = papers differs from the projected momentum only where "
                         "there are relations, which shooting does not support; leave it out");
        return DAL_INVALID;
    }
    dal_status bad = equations_init(&st->eq, m, sys, sch, o->retraction, o->map, why);
    if (!bad && o->principle == ENERGY) bad = adaptive_prepare(&st->eq, m, sch, o->power, why);
    const int lengths = distinct_lengths(sch);
    if (!bad) bad = newton_init(&st->nw, m, &st->eq, lengths, kind_of_solver(st), why);
    if (!bad && keeps_jacobian(st)) newton_keep(&st->nw, m);
    if (!bad) find_modes(st), find_linkage(st);
    if (!bad && o->principle == ENERGY) {
        step_bounds bounds = {o->least_step, o->most_step};
        st->energy = mem_array(m, 1, adaptive);
        bad = adaptive_init(st->energy, m, &st->nw, sch, o->power, bounds, o->solver, why);
    }
    if (bad) return bad;
    make_room(st, m);
    explicit_init(st);
    picard_init(st);
    parts_init(st);
    dead_point_init(st);
    if (o->choose) o->choose(o->chooser, st);
    report_init(st);
    *out = st;
    return DAL_OK;
}

void stepper_free(stepper *st)
{
    if (!st) return;
    for (int k = 0; k < st->nw.lengths; k++) solver_free(st->nw.cache[k].lu);
    st->nw.lengths = 0;
    modes_free(st->nw.modes), linkage_free(st->nw.linkage);
    if (st->energy) adaptive_free(st->energy);
    legendre_free(st->momenta.of);
    equations_free(&st->eq);
    report_free(st);
}

static void forget_history(stepper *st)
{
    for (int j = 0; st->history && j < st->sch.substeps; j++) st->history[j].count = 0;
}

void stepper_set(stepper *st, double t, const double *q, const double *p, const double *v)
{
    explicit_forget(st);
    stepper_move(st, t, q, p, v);
}

void stepper_move(stepper *st, double t, const double *q, const double *p, const double *v)
{
    const size_t bytes = (size_t)st->sys->n * sizeof(double);
    copy(st->q, q, st->turn.width), copy(st->p, p, st->sys->n);
    memset(st->q_low, 0, bytes), memset(st->p_low, 0, bytes), memset(st->slope, 0, bytes);
    if (st->eq.turn) turning_state_begin(&(turning_state){st->sys->turns, st->sys->n, st->q,
                                                          st->q_low, st->p, st->p_low});
    stepper_look(st);
    if (v) copy(st->slope, v, st->sys->n);
    st->t = t, st->history_h = st->options.step, st->last = NULL, st->stepped = false;
    st->dead.group = NULL, st->turn.most = 0, st->turn.too_far = -1;
    if (st->massless.bent) st->massless.bent->known = false;
    stepper_moved(st);
    forget_history(st);
    roughest_forget(&st->rough);
    if (st->energy) adaptive_forget(st->energy);
    newton_forget(&st->nw);
    explicit_restart(st);
    picard_forget(st);
    stepper_forget_engine(st);
    report_find_massless(st);
}

/* First from the extrapolated history; where that fails, from q + h v, from rest, and then from the
 * history with damping: a bad prediction must not end a run. Where slopes are discontinuous damping
 * itself may stop the iteration, so the last attempt does without. Newton may exchange the array of
 * the unknowns.                                                              theory.md [PREDICT] */
static bool solve(stepper *st, const history *before)
{
    newton       *nw = &st->nw;
    double      **y = &st->own_y;
    const double *known[2] = {0};
    if (st->massless.bent && st->massless.bent->felt) return bent_follow(st, before, *y);
    for (int k = 0; before && k < 2 && k < before->count; k++) known[k] = before->y[k];
    if (st->massless.ends.again) {
        ends_guess(st, *y);
        if (newton_solve(nw, y, known)) return true;
    }
    if (!before) {
        memset(*y, 0, (size_t)st->eq.size * sizeof **y);
        return newton_solve(nw, y, known);
    }
    if (history_is_cubic(before)) {
        history_extrapolate_sizes(before, *y, nw->scale);
        if (newton_solve(nw, y, NULL)) return true;
    } else if (before->count) {
        history_extrapolate(before, *y);
        if (newton_solve(nw, y, known)) return true;
    }
    stepper_guess(st, before, 1, *y);
    if (nw->modes && simplified_solve(nw, *y, known, false) == SIMPLIFIED_SOLVED) return true;
    if (newton_in_passes(nw)) {
        if (newton_monotone(nw, y, known)) return true;
        stepper_guess(st, before, 1, *y);
    }
    if (newton_damped(nw, *y, known)) return true;
    stepper_guess(st, NULL, 0, *y);
    if (newton_damped(nw, *y, known)) return true;
    if (before->count) {
        history_extrapolate(before, *y);
        if (newton_damped(nw, *y, known)) return true;
    }
    if (!st->sys->kinks) return false;
    stepper_guess(st, before, 1, *y);
    return newton_undamped(nw, *y, known);
}

/* The state becomes the previous one, whose arrays are free for the next. */
void stepper_swap(stepper *st)
{
    double **now[] = {&st->q, &st->q_low, &st->p, &st->p_low};
    double **before[] = {&st->q0, &st->q0_low, &st->p0, &st->p0_low};
    for (int k = 0; k < 4; k++) {
        double *of = *now[k];
        *now[k] = *before[k], *before[k] = of;
    }
    if (st->sys->charts) stepper_look(st);
}

void stepper_look(const stepper *st)
{
    if (st->sys->charts) charts_look(st->sys, st->q + st->sys->n);
}

/* Rotations at the end of the curve, of which rows alone were advanced. */
static void advance_rotations(stepper *st)
{
    const equations    *eq = &st->eq;
    const turning      *t = st->sys->turns;
    const turning_state from = {t, eq->n, st->q0, st->q0_low, st->p0, st->p0_low},
                        to = {t, eq->n, st->q, st->q_low, st->p, st->p_low};
    for (int k = 0; k < t->count; k++)
        turning_state_advance(&from, &to, k, eq->turn->a[k], turning_rows_gain(eq, k));
}

/* Beyond a turn of 2 pi less a little a step has no solution, or a wrong one. */
static bool turns_too_far(stepper *st)
{
    static const double FARTHEST = 5;
    int                 which = -1;
    const double        angle = turning_rows_angle(&st->eq, st->y, &which);
    if (angle > st->turn.most) st->turn.most = angle;
    st->turn.too_far = angle <= FARTHEST ? -1 : which;
    return st->turn.too_far >= 0;
}

void advance(double *restrict to, double *restrict to_low, const double *restrict x,
             const double *restrict low, const double *restrict dx, int n, bool plain)
{
    if (plain)
        for (int j = 0; j < n; j++) to[j] = x[j] + dx[j];
    else
        for (int j = 0; j < n; j++) carry(x[j], dx[j] + low[j], &to[j], &to_low[j]);
}

void stepper_begin_step(stepper *st, double t, double h, bool mirrored)
{
    equations *eq = &st->eq;
    eq->q = st->q, eq->q_low = st->q_low, eq->p = st->p, eq->p_low = st->p_low, eq->t = t;
    if (h != eq->h || mirrored != eq->mirrored) equations_set_step(eq, h, mirrored);
    if (eq->redundant) equations_find_redundant(eq);
}

/* The change of momentum along the curve that was found, and the work. */
static bool finish_curve(stepper *st)
{
    equations *eq = &st->eq;
    if (!equations_residual(eq, st->y, st->nw.r, false)) return false;
    equations_momentum(eq, st->y, st->dp, 0, eq->n);
    if (!all_finite(st->dp, eq->n)) return false;
    if (st->sys->forced) st->work += equations_work(eq, 0, eq->n);
    return true;
}

typedef struct {
    stepper       *st;
    const linkage *of; /* that has found the curve, or NULL */
    bool           finite;
} ending;

/* Rows of the state at the end of the curve, which go where the state before was. */
static void end_rows(void *self, int from, int to)
{
    enum { STRETCH = 512 }; /* rows whose dp stays in cache; with reactions, all of them */
    ending          *e = self;
    stepper         *st = e->st;
    const equations *eq = &st->eq;
    const double    *dq = st->y + (eq->d - 1) * eq->n;
    double          *dp = st->dp;
    const bool       plain = st->options.plain_summation;
    const int        most = eq->relations ? eq->n : STRETCH;
    for (int a = from, b; a < to; a = b) {
        b = to - a < most ? to : a + most;
        if (e->of) linkage_momentum(e->of, st->y, dp);
        else equations_momentum(eq, st->y, dp, a, b);
        e->finite = e->finite && all_finite(dp, b - a);
        advance(st->q0 + a, st->q0_low + a, st->q + a, st->q_low + a, dq + a, b - a, plain);
        advance(st->p0 + a, st->p0_low + a, st->p + a, st->p_low + a, dp, b - a, plain);
    }
    if (st->sys->forced) st->work += equations_work(eq, from, to);
}

/* Both in one evaluation, which leaves out what only those ask for who look at the curve, unless
 * forces are known; the array of the oldest solution takes the next unknowns. */
static bool finish_rows(stepper *st, history *before, const linkage *of)
{
    ending     e = {st, of, true};
    const bool known = of && linkage_is_flat(of);
    st->eq.begun = true; /* by Newton's iteration */
    const bool evaluated = known || equations_forces(&st->eq, st->y, end_rows, &e);
    st->eq.begun = false;
    if (known) end_rows(&e, 0, st->sys->n);
    if (!evaluated || !e.finite) return false;
    st->parts.due = st->eq.relations && parts_are_due(st, before);
    st->explicitly.due = true;
    stepper_swap(st);
    if (!before) return true;
    if (before->size <= SHIFTED_MOST) return history_push(before, st->y), true;
    st->own_y = history_exchange(before, st->y);
    history_take(before, st->y);
    return true;
}

/* The same in passes, which write the new state where the old one was. */
static end_state passes_lead_to(stepper *st, history *before)
{
    return (end_state){st->q0,
                       st->q0_low,
                       st->p0,
                       st->p0_low,
                       history_oldest(before),
                       st->options.plain_summation};
}

static bool go_on(stepper *st, history *before)
{
    st->explicitly.due = true;
    if (st->watch.asked) st->watch.tell(st->watch.self, st);
    stepper_swap(st);
    history_take(before, st->y);
    return true;
}

static bool finish_in_passes(stepper *st, history *before)
{
    const end_state to = passes_lead_to(st, before);
    if (!st->eq.rows->end(st->eq.rows, &st->eq, st->y, &to, &st->work))
        return st->nw.not_finite = true, false;
    st->own_y = history_exchange(before, st->y);
    return go_on(st, before);
}

/* For a linear chain one correction of a good prediction is the solution. */
static bool linear_in_passes(stepper *st, history *before)
{
    end_state to = passes_lead_to(st, before);
    if (!st->eq.rows->step_linear(&st->nw, before, &to, &st->work)) return false;
    st->y = to.y;
    return go_on(st, before);
}

/* The state stands where the one before was; the array of the oldest solution takes the next
 * unknowns. */
static bool finish_in_rows(stepper *st, history *before)
{
    st->explicitly.due = true;
    stepper_swap(st);
    st->own_y = history_exchange(before, st->y);
    history_take(before, st->y);
    return true;
}

/* Of a large system more than the end of the curve is evaluated only for those who ask. */
static bool solved_substep(stepper *st, history *before)
{
    enum { LARGE = 256 }; /* unknowns */
    const int  n = st->sys->n;
    const bool plain = st->options.plain_summation;
    equations *eq = &st->eq;
    if (eq->rows && eq->rows->step_linear && before && linear_in_passes(st, before)) return true;
    st->y = st->own_y;
    const bool moved = st->massless.ends.fits || st->massless.bent;
    const bool looked_at = st->watch.asked || st->energy || moved || st->massless.projects;
    const bool in_rows = st->picard.rows && !looked_at;
    if (in_rows && picard_in_rows(st, before)) return finish_in_rows(st, before);
    const bool swept =
        st->picard.fits && !in_rows && !st->massless.ends.again && picard_solve(st, before);
    linkage   *of = moved ? NULL : st->nw.linkage;
    const bool linked = of && linkage_solve(of, &st->nw, before, st->own_y);
    const bool found = swept || linked || solve(st, before);
    st->y = st->own_y;
    if (!found || (eq->turn && turns_too_far(st))) return false;
    if (eq->rows && eq->rows->end) return finish_in_passes(st, before);
    if (st->energy && !adaptive_solve(st->energy, st->y)) return false;
    if (swept && st->sys->forced) st->work += equations_work(eq, 0, n);
    if ((eq->size > LARGE || linked) && !swept && !looked_at && !eq->shot && !eq->turn)
        return finish_rows(st, before, linked ? of : NULL) || (st->nw.not_finite = true, false);
    if (!swept && !finish_curve(st)) return st->nw.not_finite = true, false;
    if (eq->relations && !linked && !newton_verify(&st->nw, st->y)) return false;
    if (st->energy) adaptive_finish(st->energy, st->y, plain);
    if (st->watch.asked && !moved) st->watch.tell(st->watch.self, st);
    stepper_swap(st);
    const double *dq = eq->shot ? shooting_increment(eq) : st->y + (eq->d - 1) * n;
    advance(st->q, st->q_low, st->q0, st->q0_low, dq, n, plain);
    advance(st->p, st->p_low, st->p0, st->p0_low, st->dp, n, plain);
    if (eq->turn) advance_rotations(st);
    st->parts.due = eq->relations && parts_are_due(st, before);
    if (st->massless.ends.again) history_replace(before, st->y);
    else if (before) history_push(before, st->y);
    return true;
}

bool stepper_substep(stepper *st, double t, double h, bool mirrored, history *before)
{
    stepper_begin_step(st, t, h, mirrored);
    bool made = (st->explicitly.fits && explicit_substep(st)) || solved_substep(st, before);
    newton_count(&st->nw);
    if (st->picard.fits) picard_count(st);
    if (made) st->last = before ? before->y[0] : st->y, st->last_h = st->eq.h;
    return made;
}

void stepper_save(stepper *st, bool back)
{
    const int n = st->turn.width;
    double   *state[] = {st->q, st->q_low, st->p, st->p_low};
    for (int k = 0; k < 4; k++) {
        if (back) copy(state[k], st->saved + k * n, n);
        else copy(st->saved + k * n, state[k], n);
    }
}

static dal_status explain_turn(stepper *st, text *why)
{
    const int first = st->sys->turns->first[st->turn.too_far];
    text_printf(why, "at t = %.6g, in one step ", st->t);
    st->sys->coordinate_name(st->sys->self, first, why);
    text_cut(why, strlen("[1]")); /* its rows are R[1] to R[3] */
    text_printf(why, " turns by %.3g rad, and a step may turn by 5 at most: try a smaller step",
                st->turn.most);
    return DAL_DIVERGED;
}

/* The reasons that are surest come first; what can be solved from here is tried at last. */
static dal_status give_up(stepper *st, double t, double h, text *why)
{
    bool       open = false, broke = st->energy && st->energy->outcome != STEP_DECIDED;
    const bool lost = st->massless.bent && st->massless.bent->pass.failed;
    const bool far = st->eq.turn && st->turn.too_far >= 0;
    dal_status status = far     ? explain_turn(st, why)
                        : lost  ? bent_explain(st, why)
                        : broke ? adaptive_explain(st->energy, st->t, &st->sch, why)
                              : newton_explain(&st->nw, st->m, st->y, st->history, &open, why);
    const double stable =
        status == DAL_DIVERGED && !broke && !lost && !far ? reaction_stiffness_explain(st, why)
                                                          : 0;
    if (open || stable > 0) shorter_step_advise(st, t, h, stable, why);
    if (st->sch.substeps > 1) stepper_save(st, true);
    if (status == DAL_DIVERGED && st->eq.relations) dead_point_explain(st, why);
    forget_history(st);
    explicit_forget(st);
    st->nw.count.failures++;
    st->stepped = false, st->last = NULL;
    return status;
}

/* A composition: Phi_{gamma_s h} o ... o Phi_{gamma_1 h}. Run backward, the steps are undone
 * one by one, the last first.                                                theory.md [COMPOSE] */
dal_status stepper_general(stepper *st, double t, double h, text *why)
{
    const bool back = h < 0;
    const int  count = st->sch.substeps;
    double     done = 0;
    if (st->energy) h = adaptive_predict(st->energy, h);
    if (h != st->history_h && !stepper_goes_on(st, h)) forget_history(st);
    st->history_h = h, st->work = 0, st->node.known = 0;
    if (count > 1) stepper_save(st, false);
    for (int k = 0; k < count; k++) {
        int      j = back ? count - 1 - k : k;
        double   part = count > 1 ? st->sch.gamma[j] : 1;
        history *before = st->history ? &st->history[j] : NULL;
        const double worked = st->work;
        const part_of of = {t + done * h, part * h, back, worked};
        bool made = st->massless.bent        ? bent_substep(st, of.t, of.h, back, before)
                    : st->massless.ends.fits ? ends_substep(st, of.t, of.h, back, before)
                                             : stepper_substep(st, of.t, of.h, back, before);
        if (made && st->parts.due) made = parts_settle(st, &of, before);
        if (!made) return give_up(st, t, h, why);
        if (st->eq.relations) dead_point_note(st);
        done += part;
    }
    if (st->energy) h = st->eq.h;
    if (st->massless.projects && !st->massless.bent)
        stepper_project(st, t + h, stepper_slope(st));
    st->nw.count.steps++;
    st->t = t + h, st->stepped = true;
    if (st->rough.sum && (!st->engine || !st->explicitly.fits))
        note_roughness(&st->rough, st->sys->n, 1, t, h, count > 1 ? st->saved : st->q0,
                       count > 1 ? st->saved + 2 * st->turn.width : st->p0, st->q);
    return DAL_OK;
}

double stepper_time(const stepper *st)
{
    return st->t;
}

const double *stepper_q(const stepper *st)
{
    return st->q;
}

double stepper_turned(const stepper *st)
{
    return st->turn.most;
}

double stepper_work(const stepper *st)
{
    return st->work;
}

const newton_statistics *stepper_statistics(const stepper *st)
{
    return &st->nw.count;
}

const char *stepper_solver(const stepper *st)
{
    return solver_name(st->nw.cache[0].lu);
}

const char *stepper_solver_used(const stepper *st)
{
    return solver_used(st->nw.linkage ? linkage_solver(st->nw.linkage) : st->nw.cache[0].lu);
}

void stepper_print_solver(const stepper *st, text *out)
{
    solver   *lu = st->nw.cache[0].lu;
    const int patience = solver_patience(lu);
    if (st->nw.linkage && !st->compiled)
        text_printf(out, "%s, of the multipliers alone; else ",
                    solver_name(linkage_solver(st->nw.linkage)));
    text_printf(out, "%s: %s", solver_name(lu), solver_title(lu));
    if (patience)
        text_printf(out, "; by factors, once a solution takes more than %d iterations", patience);
}

bool stepper_iterates(const stepper *st)
{
    return solver_iterates(st->nw.cache[0].lu);
}

bool stepper_explicit(const stepper *st)
{
    return st->eq.constant && st->eq.diagonal;
}

bool stepper_keeps_jacobian(const stepper *st)
{
    return st->nw.quasi && !st->eq.constant && !st->compiled;
}

bool stepper_simplifies(const stepper *st)
{
    return st->nw.modes && !st->compiled;
}

bool stepper_linear(const stepper *st)
{
    return st->eq.constant;
}
