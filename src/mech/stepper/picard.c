/* picard.c - fixed-point (Picard) iteration: stages from forces and forces from stages, until the
 * remaining error is below roundoff. Each correction is smaller than the one before by a factor of
 * order (h omega)^2, so with a good prediction a few evaluations suffice; the ratio of corrections
 * estimates the remaining error.                                            theory.md [GALERKIN] */
#include "mech/stepper/picard.h"

#include "mech/stepper/stepper.h"
#include "step/words.h"

#include "step/judge.h"

#include <float.h>
#include <string.h>

enum { SMALL = 64, BENT = 3 }; /* below that degree a Jacobian costs little */
enum { PAUSE = 16 }; /* steps that are left to conjugate gradients once it converged slowly */

/* Has L_ww an entry for every coordinate on its diagonal, and none elsewhere? */
static bool is_diagonal(const dal_system *sys)
{
    for (int i = 0; i < sys->n; i++)
        for (int k = sys->K.start[i]; k < sys->K.start[i + 1]; k++) {
            const bool present = !sys->present[F_LWW] || sys->present[F_LWW][k];
            if (present != (sys->K.column[k] == i)) return false;
        }
    return true;
}

/* Does a matrix cost as much as several evaluations of the forces? */
static bool pays(const stepper *st)
{
    const equations *eq = &st->eq;
    if (eq->d > 1 && eq->s > 1 && (eq->d >= BENT || eq->n > SMALL)) return true;
    if (st->nw.quasi) return true; /* much fill, as of lattices and networks */
    return eq->size >= MATRIX_LEAST && !strcmp(solver_name(st->nw.cache[0].lu), "dense");
}

/* As many evaluations as Newton's matrix costs, about. */
static int iterations_most(const stepper *st)
{
    return st->eq.d > 1 || st->nw.quasi ? FIXED_POINT_MOST : FIXED_POINT_FEW;
}

/* The tables of stages.h in doubles; side 1: of the curve run backward. */
static void make_tables(picard *p, mem *m, const equations *eq, int side)
{
    const int    d = eq->d, S = eq->s;
    stage_tables t = stages_of(m, eq, side, DBL_MANT_DIG);
    p->C[side] = mem_array(m, S * S, double), p->D[side] = mem_array(m, S * S, double);
    p->E[side] = mem_array(m, d * S, double), p->c[side] = t.c;
    for (int i = 0; i < S; i++)
        for (int k = 0; k < S; k++) {
            p->C[side][i * S + k] = stage_position(&t, i, k);
            p->D[side][i * S + k] = stage_velocity(&t, i, k);
        }
    for (int mu = 0; mu < d; mu++)
        for (int k = 0; k < S; k++) p->E[side][mu * S + k] = stage_node(&t, mu, k);
}

/* Chains evaluated by rows, implicit forces (whole), and steps that the caller wants solved in a
 * certain way are left to Newton's iteration; so is a constant Jacobian, which is a single
 * solve. */
void picard_init(stepper *st)
{
    const equations  *eq = &st->eq;
    const dal_system *sys = st->sys;
    picard           *p = &st->picard;
    p->most = iterations_most(st), p->least = 0.25;
    p->fits = !st->energy && st->sch.curve == CURVE_POLYNOMIAL && pays(st) && !eq->constant &&
              !eq->phase && !eq->relations && !eq->turn && !eq->force.count && !sys->damped && !eq->rows &&
              !eq->sum.whole && st->options.jacobian != JACOBIAN_BROYDEN && !st->options.solver &&
              (sys->autonomous || (sys->driven && eq->n > SMALL)) &&
              sys->varies[F_LWW] == FIELD_CONSTANT && sys->varies[F_LQW] == FIELD_ZERO &&
              is_diagonal(sys);
    if (!p->fits) return;
    p->moves = sys->forced && (sys->jumps || sys->varies[F_FW] != FIELD_ZERO);
    for (int side = 0; side < 2; side++) make_tables(p, st->m, eq, side);
    double **of_n[] = {&p->mobility, &p->shift, &p->root, &p->z, &p->v, &p->moved, &p->weight};
    for (size_t k = 0; k < sizeof of_n / sizeof *of_n; k++)
        *of_n[k] = mem_array(st->m, eq->n, double);
    p->sum = mem_array(st->m, eq->s, double);
    p->Z = mem_array(st->m, eq->n * eq->s, double), p->g = mem_array(st->m, eq->n * eq->s, double);
}

/* Passes cost a fraction of a matrix: many of them are made before one is. */
void picard_use(stepper *st, picard_rows *rows)
{
    const bool cheap = solver_iterates(st->nw.cache[0].lu);
    st->picard.rows = rows, st->picard.least = 0.6;
    st->picard.most = cheap ? FIXED_POINT_OR_GRADIENTS : FIXED_POINT_IN_ROWS;
}

void picard_forget(stepper *st)
{
    st->picard.ready = false, st->picard.pause = 0;
}

/* 1/m and a, from the derivatives of L at rest. */
static bool find_inertia(stepper *st)
{
    picard    *p = &st->picard;
    equations *eq = &st->eq;
    if (p->ready) return p->usable;
    memset(st->y, 0, (size_t)eq->size * sizeof *st->y);
    p->ready = true, p->usable = equations_residual(eq, st->y, st->nw.r, true);
    for (int j = 0; j < eq->n && p->usable; j++) {
        const double mass = field_at(&eq->rule, 0, F_LWW)[pattern_find(&eq->sys->K, j, j)];
        p->mobility[j] = 1 / mass, p->shift[j] = eq->rule.out[0].Lw[j];
        p->root[j] = sqrt(fabs(mass));
        p->usable = fabs(mass) >= DBL_MIN && fabs(mass) <= DBL_MAX;
    }
    return p->usable;
}

/*     g_i = b_i (h/m) F^i at the points as they stand */
static bool evaluate(const stepper *st)
{
    const picard    *p = &st->picard;
    const equations *eq = &st->eq;
    const int        n = eq->n;
    if (samples_evaluate(&eq->rule, eq->sys, eq->want.residual, false)) return false;
    for (int i = 0; i < eq->s; i++) {
        const sys_values *out = &eq->rule.out[i];
        const bool        forced = eq->want.residual & WANT_FORCE;
        for (int j = 0; j < n; j++)
            p->g[i * n + j] =
                eq->rule.b[i] * (p->part * p->mobility[j] *
                                 (p->split * (forced ? out->Lq[j] + out->f[j] : out->Lq[j])));
    }
    return true;
}

/*     Z^nu = x_nu h v, where there is no history */
static void begin_along_velocity(stepper *st)
{
    const equations *eq = &st->eq;
    for (int nu = 1; nu <= eq->d; nu++)
        for (int j = 0; j < eq->n; j++)
            st->y[(nu - 1) * eq->n + j] = eq->control.x[0][nu] * eq->h * st->picard.v[j];
}

static void find_velocities(stepper *st)
{
    picard          *p = &st->picard;
    const equations *eq = &st->eq;
    for (int j = 0; j < eq->n; j++) {
        const double pull = (eq->p[j] - p->shift[j]) + eq->p_low[j];
        p->v[j] = p->mobility[j] * pull, p->z[j] = p->part * p->mobility[j] * (p->split * pull);
    }
}

/* The unknowns to begin with. */
static void predict(stepper *st, const history *before)
{
    if (before->count) {
        history_extrapolate(before, st->y);
        return;
    }
    find_velocities(st);
    begin_along_velocity(st);
}

/* The prediction: its points, and forces there. */
static bool begin(stepper *st, const history *before)
{
    picard    *p = &st->picard;
    equations *eq = &st->eq;
    const int  n = eq->n;
    predict(st, before);
    find_velocities(st);
    equations_place(eq, &eq->rule, st->y, 0, eq->n);
    for (int i = 0; i < eq->s; i++)
        for (int j = 0; j < n; j++)
            p->Z[i * n + j] = (eq->rule.q[i * n + j] - eq->q[j]) - eq->q_low[j];
    return evaluate(st);
}

/* Turns sizes into weights. A coordinate at a turning point, or one that a wave has not reached, is
 * nearly 0 and may change by a large part of itself in every iteration. So no coordinate is
 * measured by less than FAINT of the largest, in units of sqrt(m): the displacement at 1e-12 of the
 * kinetic energy. */
static void find_weights(picard *p, int n)
{
    static const double FAINT = 1e-6;
    double              largest = 0;
    for (int j = 0; j < n; j++) largest = fmax(largest, p->root[j] * p->weight[j]);
    for (int j = 0; j < n; j++) {
        const double size = fmax(p->weight[j], FAINT * largest / p->root[j]);
        p->weight[j] = size > 0 ? 1 / size : DBL_MAX;
    }
}

/*     eta = max_j |dZ_j|/size_j */
static double largest_change(const picard *p, int n)
{
    double eta = 0;
    for (int j = 0; j < n; j++) eta = fmax(eta, p->moved[j] * p->weight[j]);
    return eta;
}

/*     sum_i = sum_k T_ik g_k for one coordinate, four i at a time; the last may overlap others */
static void weigh(const double *T, const double *g, int S, int n, double *sum)
{
    for (int i = 0; i < S && S < 4; i++) {
        sum[i] = 0;
        for (int k = 0; k < S; k++) sum[i] += T[i * S + k] * g[k * n];
    }
    for (int i = 0; i < S && S >= 4; i += 4) {
        const int     from = i + 4 <= S ? i : S - 4;
        const double *a = T + from * S, *b = a + S, *c = b + S, *d = c + S;
        double        A = 0, B = 0, C = 0, D = 0;
        for (int k = 0; k < S; k++) {
            const double x = g[k * n];
            A += a[k] * x, B += b[k] * x, C += c[k] * x, D += d[k] * x;
        }
        sum[from] = A, sum[from + 1] = B, sum[from + 2] = C, sum[from + 3] = D;
    }
}

/*     Q^i = q + c_i z + h sum_k C_ik g_k,   v^i = v + sum_k D_ik g_k
 * Velocities are left where they are if no force may ask for them. */
static picard_change iterate(stepper *st, bool first)
{
    picard       *p = &st->picard;
    equations    *eq = &st->eq;
    const int     n = eq->n, S = eq->s, side = eq->mirrored;
    const double *c = p->c[side], *C = p->C[side], *D = p->D[side];
    double        moved = 0, whole = 0, most = 0, reach = 0;
    picard_change made = {.still = !p->moves};
    for (int j = 0; j < n; j++) {
        const double *g = p->g + j;
        double        moves = 0, size = 0;
        weigh(C, g, S, n, p->sum);
        for (int i = 0; i < S; i++) {
            const double to = c[i] * p->z[j] + p->part * (p->split * p->sum[i]);
            moves += fabs(to - p->Z[i * n + j]), size += fabs(to);
            p->Z[i * n + j] = to;
            eq->rule.q[i * n + j] = eq->q[j] + (eq->q_low[j] + to);
        }
        if (eq->sys->forced) {
            weigh(D, g, S, n, p->sum);
            for (int i = 0; i < S; i++) eq->rule.v[i * n + j] = p->v[j] + p->sum[i];
        }
        p->moved[j] = moves;
        if (first) p->weight[j] = size;
        if (moves > DBL_EPSILON / 4 * (size + S * fabs(eq->q[j]))) made.still = false;
        moved += moves, whole += size;
        most = moves > most ? moves : most;
        reach = fabs(eq->q[j]) > reach ? fabs(eq->q[j]) : reach;
    }
    made.noise = n > SMALL && most <= S * DBL_EPSILON * reach;
    if (first) find_weights(p, n);
    made.eta = largest_change(p, n), made.mu = moved > 0 ? moved / whole : 0;
    return made;
}

/*     p^- - p_0 = h sum_i b_i F^i */
static void change_momentum(stepper *st)
{
    const picard    *p = &st->picard;
    const equations *eq = &st->eq;
    const bool       forced = eq->want.residual & WANT_FORCE;
    for (int j = 0; j < eq->n; j++) {
        double sum = 0;
        for (int i = 0; i < eq->s; i++) {
            const sys_values *out = &eq->rule.out[i];
            sum += eq->rule.b[i] * (forced ? out->Lq[j] + out->f[j] : out->Lq[j]);
        }
        st->dp[j] = p->part * (p->split * sum);
    }
}

/*     Z^mu = x_mu z + h sum_k E_mu,k g_k */
static void conclude(stepper *st)
{
    const picard    *p = &st->picard;
    const equations *eq = &st->eq;
    const int        n = eq->n, S = eq->s, d = eq->d;
    const double    *x = eq->control.x[0], *E = p->E[eq->mirrored];
    for (int mu = 0; mu < d; mu++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < S; k++) sum += E[mu * S + k] * p->g[k * n + j];
            st->y[mu * n + j] = x[mu + 1] * p->z[j] + p->part * (p->split * sum);
        }
    change_momentum(st);
}

/* Will the error still be above roundoff after some more iterations, at the ratio of the last two
 * changes, which tends to fall? */
static bool falls_slowly(double now, double before, double least, int left)
{
    if (now > least * before || !(now < 1)) return true;
    return now * pow(now / before, left) > DBL_EPSILON;
}

/* Of many coordinates some are nearly 0 at any time, and change by a large part of themselves at
 * first: where a matrix is very expensive, the norm of all changes must converge slowly too. */
static bool is_slow(picard_change now, picard_change before, int it, const stepper *st)
{
    const picard *p = &st->picard;
    const int     left = p->most + 2 - it;
    if (it < 2 || !falls_slowly(now.eta, before.eta, p->least, left)) return false;
    return !(st->nw.quasi || p->rows) || falls_slowly(now.mu, before.mu, p->least, left);
}

/* Where the largest change no longer falls, it is noise if the norm of all changes has stopped
 * falling, too, or is at roundoff. */
static bool is_last(picard_change now, picard_change before, int it, const stepper *st)
{
    const int    n = st->eq.n;
    const bool   stuck = now.mu > st->picard.least * before.mu;
    const double noise = 4 * (n < SMALL ? n : SMALL) * DBL_EPSILON;
    if (now.still || now.eta <= DBL_EPSILON) return true;
    if (it > 1 && leaves_roundoff(now.eta, before.eta)) return true;
    if (it > 2 && now.noise && stuck) return true;
    if (it < 3 || now.eta <= st->picard.least * before.eta) return false;
    return leaves_roundoff(now.mu, before.mu) || (stuck && now.mu <= noise);
}

/* h = split part, so that products with h do not all round alike (stages.h) */
static bool prepare(stepper *st, const history *before)
{
    picard *p = &st->picard;
    p->evaluations = 0, p->due = false;
    if (p->pause > 0) return p->pause--, false;
    if (!before || !find_inertia(st)) return false;
    p->split = step_split(st->eq.h), p->part = st->eq.h / p->split;
    return true;
}

/* Where a matrix costs little more, some steps are left to it. */
static bool give_up(stepper *st)
{
    if (solver_iterates(st->nw.cache[0].lu)) st->picard.pause = PAUSE;
    return false;
}

/* Forces are evaluated after every change, the last one too: p^- is made of them. */
bool picard_solve(stepper *st, const history *before)
{
    picard_change last = {.eta = HUGE_VAL, .mu = HUGE_VAL};
    if (!prepare(st, before) || !begin(st, before)) return false;
    for (int it = 1; it <= st->picard.most; it++) {
        st->picard.evaluations = it + 1;
        const picard_change now = iterate(st, it == 1);
        if (!(now.mu <= DBL_MAX) || !evaluate(st)) return false;
        if (is_last(now, last, it, st)) {
            st->nw.iterations = 0, st->picard.due = true;
            conclude(st);
            return all_finite(st->dp, st->eq.n);
        }
        if (is_slow(now, last, it, st)) break;
        last = now;
    }
    return give_up(st);
}

bool picard_in_rows(stepper *st, const history *before)
{
    picard_change last = {.eta = HUGE_VAL, .mu = HUGE_VAL};
    picard_rows  *rows = st->picard.rows;
    if (!prepare(st, before)) return false;
    predict(st, before);
    rows->begin(rows, st);
    for (int it = 1; it <= st->picard.most; it++) {
        st->picard.evaluations = it + 1;
        const picard_change now = rows->iterate(rows, st, it == 1);
        if (!(now.mu <= DBL_MAX)) return false;
        if (is_last(now, last, it, st)) {
            st->nw.iterations = 0;
            return rows->end(rows, st);
        }
        if (is_slow(now, last, it, st)) break;
        last = now;
    }
    return give_up(st);
}

/* Evaluates the equations at the curve that was found. */
void picard_complete(stepper *st)
{
    equations_residual(&st->eq, st->y, st->nw.r, false);
    st->picard.due = false;
}

void picard_count(stepper *st)
{
    newton_statistics *count = &st->nw.count;
    count->fixed_point += st->picard.evaluations;
    if (st->picard.evaluations > count->max_fixed_point)
        count->max_fixed_point = st->picard.evaluations;
}
