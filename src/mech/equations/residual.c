/* residual.c - the residual of one step: points of the curve, the system there, and the sums. */
#include "mech/equations/chord.h"
#include "mech/equations/equations.h"
#include "mech/equations/retraction_rows.h"
#include "mech/equations/shooting.h"
#include "mech/equations/turning_rows.h"

#include <math.h>
#include <string.h>

/*     z^i = z_0 + sum_nu (l_nu + u_nu)(c_i) Z^nu                              theory.md [STATES] */
static void place_states(const equations *eq, int i, const double *y, int from, int to, double *q)
{
    const double *u = eq->upwind.at[eq->mirrored] + i * (eq->d + 1);
    for (int k = 0; k < eq->upwind.states; k++) {
        const int j = eq->upwind.state_list[k];
        if (j < from || j >= to) continue;
        for (int nu = 1; nu <= eq->d; nu++) q[j] += u[nu] * y[(nu - 1) * eq->n + j];
    }
}

/*     q^i = q_0 + sum_nu l_nu(c_i) Z^nu,   v^i = (1/h) sum_nu l'_nu(c_i) Z^nu     theory.md [CURVE]
 * in increments, so that the velocity does not suffer from the size of q. */
void equations_place(const equations *eq, const samples *set, const double *y, int from, int to)
{
    const int n = eq->n, columns = eq->d + 1;
    for (int i = 0; i < set->count; i++) {
        const double *l = set->at[eq->mirrored].l + i * columns, *slope = set->slope + i * columns;
        double *restrict q = set->q + i * n, *restrict v = set->v + i * n;
        const double *restrict Z = y;
        set->point[i].t = eq->t + set->x[eq->mirrored][i] * eq->h;
        if (eq->d == 1) {
            chord_place(q + from, v + from, eq->q + from, eq->q_low + from, y + from, l[1],
                        slope[1], to - from);
            continue;
        }
        for (int j = from; j < to; j++) q[j] = eq->q_low[j] + l[1] * Z[j], v[j] = slope[1] * Z[j];
        for (int nu = 2; nu <= eq->d; nu++) {
            const double c = l[nu], dc = slope[nu];
            Z += n;
            for (int j = from; j < to; j++) q[j] += c * Z[j], v[j] += dc * Z[j];
        }
        for (int j = from; j < to; j++) q[j] += eq->q[j];
        if (eq->upwind.states && set != &eq->force) place_states(eq, i, y, from, to, q);
    }
    for (int i = 0; i < set->count && eq->turn; i++)
        turning_rows_place(eq, set->q + i * n, from, to);
}

/* w is the stage momentum for Hamiltonian coordinates, the velocity for the others. */
static void place_momenta(const equations *eq, const samples *set, const double *y, int from,
                          int to)
{
    for (int i = 0; i < set->count; i++) {
        const double *v = set->v + i * eq->n;
        double       *w = set->w + i * eq->n;
        for (int j = from; j < to; j++) {
            const int k = eq->phase_number[j];
            w[j] = k < 0 ? v[j] : *stage_momentum(eq, y, i, k);
        }
    }
}

/*     Q^nu = q_0 + Z^nu,   t_nu = t_0 + x_nu h
 * lam^nu weighs the curvature there; the step has none for nu = d. */
static void place_control(const equations *eq, const double *y)
{
    const samples *set = &eq->control;
    for (int nu = 0; nu <= eq->d; nu++) {
        double *q = set->q + nu * eq->n;
        set->point[nu].t = eq->t + set->x[0][nu] * eq->h;
        set->point[nu].lam = nu == eq->d ? NULL
                             : eq->inside ? eq->lam_at[0] + nu * eq->relations
                                          : y + eq->lam + nu * eq->relations;
        for (int j = 0; j < eq->n; j++)
            q[j] = eq->q[j] + (nu ? eq->q_low[j] + y[(nu - 1) * eq->n + j] : eq->q_low[j]);
        if (eq->turn) turning_rows_place(eq, q, 0, eq->n);
    }
}

/* Multipliers at the nodes and at the Gauss points, 0 where a relation acts at the others. */
static void part_multipliers(const equations *eq, const double *lam)
{
    for (int k = 0; k < eq->d * eq->relations; k++) {
        const bool inside = eq->inside[k % eq->relations];
        eq->lam_at[inside][k] = lam[k], eq->lam_at[!inside][k] = 0;
    }
    for (int i = 0; i < eq->d; i++)
        eq->gauss.point[i].lam = eq->lam_at[1] + i * eq->relations;
}

/* Fields that do not change are left out where they are known; but L and its derivatives in t stand
 * in `out` itself. */
static sys_values *values_of(const samples *set, unsigned want, bool known)
{
    return known && set->anew && !(want & (WANT_L | WANT_TIME)) ? set->anew : set->out;
}

int samples_evaluate(const samples *set, const dal_system *sys, unsigned want, bool known)
{
    sys_values *out = values_of(set, want, known);
    return set->count ? sys->eval(sys->self, want, set->count, set->point, out) : 0;
}

/* With rotations: bodies stand where the step begins, though their charts move with y; where it
 * ends there are no reactions. */
static int evaluate_turning_nodes(const equations *eq, unsigned want, unsigned jacobian)
{
    const samples *set = &eq->control;
    const int      d = eq->d;
    void          *self = eq->sys->self;
    sys_point      start = set->point[0];
    start.still = true, start.known = eq->begun;
    return eq->sys->eval(self, want | jacobian, 1, &start, set->out) ||
           eq->sys->eval(self, want | jacobian, d - 1, set->point + 1, set->out + 1) ||
           eq->sys->eval(self, want, 1, set->point + d, set->out + d);
}

/* A and g at the control nodes; lam^nu weighs the curvature between the ends. Where the step begins
 * they are evaluated once. */
static int evaluate_nodes(const equations *eq, unsigned want, unsigned jacobian)
{
    const samples *set = &eq->control;
    const int      first = eq->begun;
    if (eq->turn) return evaluate_turning_nodes(eq, want, jacobian);
    if (eq->d > 1) want |= jacobian;
    return eq->sys->eval(eq->sys->self, want, set->count - first, set->point + first,
                         set->out + first);
}

/* A v + beta at the Gauss points, or on a chord of the caller's. */
static int evaluate_gauss(equations *eq, const double *y, unsigned want, unsigned jacobian)
{
    if (!eq->along) equations_place(eq, &eq->gauss, y, 0, eq->n);
    else if (!retraction_rows_place(eq->along, eq, y)) return 1;
    const int bad = samples_evaluate(&eq->gauss, eq->sys, want | jacobian, false);
    if (!bad && eq->along && jacobian) retraction_rows_slope(eq->along, eq);
    return bad;
}

static int evaluate_relations(equations *eq, const double *y, unsigned jacobian)
{
    const unsigned holonomic = eq->sys->r ? WANT_HOLONOMIC : 0;
    if (eq->inside) part_multipliers(eq, y + eq->lam);
    place_control(eq, y);
    if (evaluate_nodes(eq, WANT_RELATIONS | holonomic, jacobian)) return 1;
    return equations_use_gauss(eq) &&
           evaluate_gauss(eq, y, WANT_RELATIONS | (eq->inside ? holonomic : 0), jacobian);
}

/* The sums of a residual, made of the rows of each tile while they are in cache. */
typedef struct {
    equations    *eq;
    const double *y;
    double       *r;
    bool          finite;
} residual_rows;

static void place_range(void *self, int from, int to)
{
    const residual_rows *s = self;
    equations_place(s->eq, &s->eq->rule, s->y, from, to);
    if (s->eq->phase) place_momenta(s->eq, &s->eq->rule, s->y, from, to);
}

/* Forces with points of their own. */
static bool evaluate_force(equations *eq, const double *y, unsigned want)
{
    const unsigned there = (WANT_FORCE | want) & (WANT_FORCE | WANT_FORCE_JACOBIAN);
    equations_place(eq, &eq->force, y, 0, eq->n);
    return !samples_evaluate(&eq->force, eq->sys, there, eq->sum.primed);
}

static void add(double *restrict r, double c, const double *restrict x, int from, int to)
{
    if (c != 0)
        for (int j = from; j < to; j++) r[j] += c * x[j];
}

/* The momentum at a stage: L_w, or the stage momentum itself for a Hamiltonian coordinate, whose
 * L_w is a velocity and must not come near it: in the units of atoms nothing would be left of the
 * sum. */
static double momentum_at(const equations *eq, int i, int j)
{
    return eq->phase_number[j] < 0 ? eq->rule.out[i].Lw[j] : eq->rule.w[i * eq->n + j];
}

static void add_momentum(const equations *eq, double *r, double c, int i, int from, int to)
{
    for (int j = from; j < to && c != 0; j++) r[j] += c * momentum_at(eq, i, j);
}

/*     r_j += c sum_a A_aj lam_a,   of relations that act at the nodes */
static void add_reaction(const equations *eq, double *r, double c, int nu, const double *lam)
{
    const pattern *A = &eq->sys->A;
    const double  *a = eq->control.out[nu].A;
    for (int row = 0; row < eq->relations; row++)
        for (int k = A->start[row]; k < A->start[row + 1] && !acts_inside(eq, row); k++)
            r[A->column[k]] += c * lam[row] * a[k];
}

/*     r_j += c sum_a A_aj lam_a   at Gauss point i, of those that act there */
static void add_inner_reaction(const equations *eq, double *r, double c, int i, const double *lam)
{
    const pattern *A = &eq->sys->A;
    const double  *a = eq->gauss.out[i].A;
    for (int row = 0; row < eq->relations; row++)
        for (int k = A->start[row]; k < A->start[row + 1] && acts_inside(eq, row); k++)
            r[A->column[k]] += c * lam[row] * a[k];
}

/*     R_nu = delta_{nu 0} p_0 + sum_i b_i [l'_nu L_w + h l_nu (L_q + f) - h u_nu D]^i
 *            + h w_nu A^T lam^nu            theory.md [GALERKIN] [FORCE] [DAMPING] [CONSTRAINED]
 * Where there are reactions, of all rows at once; y NULL: without them and p_0. */
static void momentum_row(const equations *eq, const double *y, int nu, double *r, int from, int to)
{
    const int    s = eq->s, sf = eq->force.count;
    const size_t size = (size_t)(to - from) * sizeof *r;
    if (nu == 0 && y) memcpy(r + from, eq->p + from, size);
    else memset(r + from, 0, size);
    for (int j = from; j < to && !nu && eq->turn; j++)
        if (eq->sys->turns->of_row[j] >= 0) r[j] = 0;
    for (int i = 0; i < s && eq->phase; i++) add_momentum(eq, r, eq->c.w[nu * s + i], i, from, to);
    for (int i = 0; i < s && !eq->phase; i++)
        add(r, eq->c.w[nu * s + i], eq->rule.out[i].Lw, from, to);
    for (int i = 0; i < s; i++) add(r, eq->c.q[nu * s + i], eq->rule.out[i].Lq, from, to);
    if (eq->want.residual & WANT_FORCE)
        for (int i = 0; i < s; i++) add(r, eq->c.q[nu * s + i], eq->rule.out[i].f, from, to);
    for (int i = 0; i < s && eq->c.d; i++) add(r, eq->c.d[nu * s + i], eq->rule.out[i].D, from, to);
    for (int j = 0; j < sf; j++) add(r, eq->c.f[nu * sf + j], eq->force.out[j].f, from, to);
    if (eq->relations && y)
        add_reaction(eq, r, eq->impulse[nu], nu, y + eq->lam + nu * eq->relations);
    for (int i = 0; eq->inside && y && i < eq->d; i++)
        add_inner_reaction(eq, r, inner_impulse(eq, nu, i), i, y + eq->lam + i * eq->relations);
    if (nu == 0 && y) add(r, 1, eq->p_low, from, to);
}

/*     C_k = W v + b at gamma_k,   D_k = g(t_k, Q^k)/h
 * and h w_{k-1} P lam^{k-1}, which is 0 unless the relations contradict each other. */
static void relation_rows(const equations *eq, const double *lam, double *r)
{
    for (int k = 0; k < eq->d; k++, r += eq->relations) {
        memcpy(r, eq->gauss.out[k].e, (size_t)eq->m * sizeof *r);
        for (int a = eq->m; a < eq->relations; a++)
            r[a] = position_at(eq, a, k)->g[a - eq->m] / eq->h;
        if (eq->redundant)
            redundancy_add(eq->redundant, eq->impulse[k], lam + k * eq->relations, r);
    }
}

/*     b_i h (v^i + Lambda_w^i) = 0,  Lambda_w = -H_p                           theory.md [PHASE] */
static void phase_rows(const equations *eq, double *r)
{
    for (int i = 0; i < eq->s; i++)
        for (int j = 0; j < eq->phase; j++) {
            int k = eq->phase_list[j];
            *r++ = eq->rule.b[i] * eq->h * (eq->rule.v[i * eq->n + k] + eq->rule.out[i].Lw[k]);
        }
}

static void midpoint_row(const equations *eq, double *r, int from, int to)
{
    const sys_values *out = eq->rule.out;
    chord_sum(r + from, eq->p + from, eq->p_low + from, eq->c.w[0], out->Lw + from, eq->c.q[0],
              out->Lq + from, eq->want.residual & WANT_FORCE ? out->f + from : NULL, to - from);
}

/* x - x is NaN as soon as one is not finite; four sums at a time, so that they do not wait for each
 * other */
bool all_finite(const double *x, int n)
{
    double sum[4] = {0};
    int    i = 0;
    if (n == 1) return x[0] - x[0] == 0;
    for (; i + 3 < n; i += 4)
        for (int k = 0; k < 4; k++) sum[k] += x[i + k] - x[i + k];
    for (; i < n; i++) sum[0] += x[i] - x[i];
    return sum[0] + sum[1] + (sum[2] + sum[3]) == 0;
}

static void sum_range(void *self, int from, int to)
{
    residual_rows   *s = self;
    const equations *eq = s->eq;
    for (int nu = 0; nu < eq->d; nu++) {
        if (eq->single) midpoint_row(eq, s->r, from, to);
        else momentum_row(eq, s->y, nu, s->r + nu * eq->n, from, to);
        s->finite &= all_finite(s->r + nu * eq->n + from, to - from);
    }
}

static void sum_later(void *self, int from, int to)
{
    (void)self, (void)from, (void)to;
}

/* Where the rows R hold, those of relations are all that is left. */
static bool residual_of_relations(equations *eq, const double *y, double *r, unsigned jacobian)
{
    memset(r, 0, (size_t)eq->lam * sizeof *r);
    if (evaluate_relations(eq, y, jacobian)) return false;
    relation_rows(eq, y + eq->lam, r + eq->lam);
    return all_finite(r + eq->lam, eq->size - eq->lam);
}

static void rest_range(void *self, int from, int to)
{
    residual_rows *s = self;
    momentum_row(s->eq, NULL, 0, s->r, from, to);
    s->finite &= all_finite(s->r + from, to - from);
}

bool equations_at_rest(equations *eq, double *r)
{
    residual_rows    rows = {eq, eq->zero, r, true};
    const sys_ranges by = {&rows, place_range, rest_range};
    if (eq->force.count && !evaluate_force(eq, eq->zero, WANT_FORCE)) return false;
    return !sys_eval_in_turn(eq->sys, eq->want.residual, 1, eq->s, eq->rule.point, eq->rule.out,
                             &by) &&
           rows.finite;
}

/* In the order of the unknowns: R_nu, then C and D, then the phase rows. Derivatives: those that
 * vary, and those that do not the first time. Sums with reactions need all rows of them. */
bool equations_residual(equations *eq, const double *y, double *r, bool with_jacobian)
{
    if (eq->shot) return shooting_residual(eq, y, r, with_jacobian) && all_finite(r, eq->size);
    if (eq->balanced)
        return residual_of_relations(eq, y, r, with_jacobian ? eq->want.relation : 0);
    if (eq->turn) turning_rows_centre(eq, y);
    const samples   *set = &eq->rule;
    residual_rows    rows = {eq, y, r, true};
    const sys_ranges by = {&rows, place_range, eq->relations ? sum_later : sum_range};
    unsigned         want = eq->want.residual;
    if (with_jacobian) want |= eq->want.jacobian | (eq->sum.primed ? 0 : eq->want.constant);
    if (eq->force.count && !evaluate_force(eq, y, want)) return false;
    if (eq->relations && evaluate_relations(eq, y, with_jacobian ? eq->want.relation : 0))
        return false;
    if (eq->force.count) want &= ~(unsigned)(WANT_FORCE | WANT_FORCE_JACOBIAN);
    sys_values *out = values_of(set, want, eq->sum.primed);
    if (eq->single && eq->n <= FEW_ROWS) {
        eq->sum.primed |= with_jacobian;
        return few_residual(eq, want, out, y, r);
    }
    if (sys_eval_in_turn(eq->sys, want, 1, eq->s, set->point, out, &by)) return false;
    eq->sum.primed |= with_jacobian;
    if (eq->relations) sum_range(&rows, 0, eq->n), relation_rows(eq, y + eq->lam, r + eq->lam);
    if (eq->phase) phase_rows(eq, r + eq->P);
    if (eq->turn) turning_rows_sum(eq, y, r), rows.finite &= all_finite(r, eq->lam);
    return rows.finite && all_finite(r + eq->lam, eq->size - eq->lam);
}

bool equations_evaluate(equations *eq, const double *y, double *r)
{
    return equations_residual(eq, y, r, false);
}

/* The rows R_nu weighed with chi(x_nu): in rows of damping h D is large where p is small, and
 * cancels in their sum. Here it does not occur; reactions are added later.  theory.md [DAMPING]
 *     p^- = sum_i b_i [chi' L_w + h chi (L_q + f - D)]^i + sum_{0<nu<d} chi_nu h w_nu A^T lam^nu */
static void damped_momentum(const equations *eq, double *dp, int from, int to)
{
    const upwind_end *end = eq->upwind.end;
    for (int j = from; j < to; j++) {
        if (!eq->sys->damped[j]) continue;
        double p = 0, kick = 0;
        for (int i = 0; i < eq->s; i++) {
            const sys_values *out = &eq->rule.out[i];
            p += end->w[i] * momentum_at(eq, i, j);
            kick += end->q[i] * (out->Lq[j] + (out->f[j] - out->D[j]));
        }
        dp[j - from] = (p - eq->p[j] + eq->h * kick) - eq->p_low[j];
    }
}

/* Is p^- in coordinate j the sum with chi? */
static bool is_weighed(const equations *eq, int j)
{
    return eq->upwind.end && !eq->mirrored && eq->sys->damped[j];
}

/* What is left in p^- of the reactions at node k, and at Gauss point k of those inside (h b_k chi).
 */
static void add_reactions(const equations *eq, const double *y, double *dp)
{
    const pattern    *A = &eq->sys->A;
    const upwind_end *end = eq->upwind.end;
    for (int k = 0; k < eq->d; k++)
        for (int row = 0; row < eq->relations; row++) {
            const bool     inside = acts_inside(eq, row);
            const samples *set = inside ? &eq->gauss : &eq->control;
            const double   lam = y[eq->lam + k * eq->relations + row];
            for (int e = A->start[row]; e < A->start[row + 1]; e++) {
                const int    j = A->column[e];
                const double c = inside ? eq->h * (is_weighed(eq, j) ? end->q[k] : set->b[k])
                                        : eq->impulse[k] * (is_weighed(eq, j) ? end->node[k] : 1);
                dp[j] += c * lam * set->out[k].A[e];
            }
        }
}

/*     dp = h sum_i b_i (L_q + f)^i */
static void add_forces(const equations *eq, double *restrict dp, int from, int to)
{
    const int n = to - from;
    memset(dp, 0, (size_t)n * sizeof *dp);
    for (int i = 0; i < eq->s; i++) {
        add(dp, eq->rule.b[i], eq->rule.out[i].Lq + from, 0, n);
        if (eq->want.residual & WANT_FORCE) add(dp, eq->rule.b[i], eq->rule.out[i].f + from, 0, n);
    }
    for (int j = 0; j < eq->force.count; j++)
        add(dp, eq->force.b[j], eq->force.out[j].f + from, 0, n);
    for (int j = 0; j < n; j++) dp[j] *= eq->h;
}

/* The sum of all rows R_nu and of p^- = G_d, in which the L_w cancel (sum_nu l'_nu = 0):
 *     p^- - p_0 = h sum_i b_i (L_q + f)^i + sum_{nu<d} h w_nu A^T lam^nu  (h b_i, inside)
 * An increment, as compensated summation wants it; h comes last, since h b_i rounded would be the
 * same error in every step.                                                theory.md [SUMMATION] */
void equations_momentum(const equations *eq, const double *y, double *dp, int from, int to)
{
    if (eq->shot) {
        shooting_momentum(eq, dp);
        return;
    }
    if (eq->s == 1 && !eq->force.count) {
        const sys_values *out = eq->rule.out;
        chord_momentum(dp, eq->rule.b[0], out->Lq + from,
                       eq->want.residual & WANT_FORCE ? out->f + from : NULL, eq->h, to - from);
    } else add_forces(eq, dp, from, to);
    for (int k = 0; k < eq->upwind.states; k++) {
        const int j = eq->upwind.state_list[k];
        if (from <= j && j < to) dp[j - from] = 0;
    }
    if (eq->upwind.end && !eq->mirrored) damped_momentum(eq, dp, from, to);
    if (!eq->relations || !y) return;
    if (eq->upwind.end) {
        add_reactions(eq, y, dp);
        return;
    }
    for (int nu = 0; nu < eq->d; nu++)
        add_reaction(eq, dp, eq->impulse[nu], nu, y + eq->lam + nu * eq->relations);
    for (int i = 0; eq->inside && i < eq->d; i++)
        add_inner_reaction(eq, dp, eq->h * eq->gauss.b[i], i, y + eq->lam + i * eq->relations);
}

void equations_kick(const equations *eq, const double *y, double *p)
{
    add_reaction(eq, p, eq->impulse[0], 0, y + eq->lam);
}

typedef struct {
    residual_rows at; /* first, for place_range */
    take_rows    *take;
    void         *self;
} forces_at;

static void take_forces(void *self, int from, int to)
{
    const forces_at *s = self;
    s->take(s->self, from, to);
}

/* Of a chord they act where it begins. */
static bool reactions_are_known(const equations *eq)
{
    return eq->begun && eq->d == 1 && !eq->inside && !eq->turn;
}

bool equations_forces(equations *eq, const double *y, take_rows *take, void *self)
{
    const samples   *set = &eq->rule;
    forces_at        s = {{.eq = eq, .y = y}, take, self};
    const sys_ranges by = {&s, place_range, eq->relations ? sum_later : take_forces};
    if (eq->turn) turning_rows_centre(eq, y);
    if (eq->force.count && !evaluate_force(eq, y, WANT_FORCE)) return false;
    if (eq->relations && !reactions_are_known(eq) && evaluate_relations(eq, y, 0)) return false;
    if (sys_eval_in_turn(eq->sys, eq->want.residual, 1, eq->s, set->point, set->forces, &by))
        return false;
    if (eq->relations) take(self, 0, eq->n);
    return true;
}

/*     h sum_i b_i f^i . v^i   over one set of points */
static double work_over(const equations *eq, const samples *set, int from, int to)
{
    double sum = 0;
    for (int i = 0; i < set->count; i++) {
        double power = 0;
        for (int j = from; j < to; j++)
            if (!is_state(eq, j)) power += set->out[i].f[j] * set->v[i * eq->n + j];
        sum += set->b[i] * power;
    }
    return eq->h * sum;
}

/*     h sum_i b_i f^i . v^i                                                    theory.md [POWER] */
double equations_work(const equations *eq, int from, int to)
{
    if (!eq->sys->forced) return 0;
    return work_over(eq, eq->force.count ? &eq->force : &eq->rule, from, to);
}

static void add_size(double *r, double c, const double *x, int n)
{
    for (int j = 0; j < n; j++) r[j] += fabs(c * x[j]);
}

/* (1/|h|) sum_nu |l'_nu(c_i) Z^nu|: the velocity may be the small rest of large increments. */
static double velocity_size(const equations *eq, const samples *set, const double *Z, int i, int j)
{
    const double *dl = set->at[eq->mirrored].dl + i * (eq->d + 1);
    double        sum = 0;
    for (int nu = 1; nu <= eq->d; nu++) sum += fabs(dl[nu] * Z[(nu - 1) * eq->n + j]);
    return sum / fabs(eq->h);
}

/*     |e| + sum_j |A_j| |v_j|,   (|g| + sum_j |G_j q_j|)/|h|
 * of velocity relations, and of holonomic ones. */
static void relation_sizes(const equations *eq, const double *y, double *size)
{
    const pattern *A = &eq->sys->A;
    for (int k = 0; k < eq->d; k++, size += eq->relations)
        for (int a = 0; a < eq->relations; a++) {
            const bool        of_v = a < eq->m;
            const sys_values *out = of_v ? &eq->gauss.out[k] : position_at(eq, a, k);
            const double     *q = eq->control.q + (k + 1) * eq->n;
            size[a] = of_v ? fabs(out->e[a]) : fabs(out->g[a - eq->m] / eq->h);
            for (int e = A->start[a]; e < A->start[a + 1]; e++) {
                int j = A->column[e];
                size[a] += fabs(out->A[e]) *
                           (of_v ? velocity_size(eq, &eq->gauss, y, k, j) : fabs(q[j] / eq->h));
            }
        }
}

/* The residual's own sums with the size of each term, in the same order. */
void equations_row_sizes(const equations *eq, const double *y, double *size)
{
    const int n = eq->n, s = eq->s, sf = eq->force.count;
    if (eq->shot) {
        shooting_row_sizes(eq, y, size);
        return;
    }
    memset(size, 0, (size_t)eq->size * sizeof *size);
    for (int nu = 0; nu < eq->d; nu++) {
        double *r = size + nu * n;
        if (nu == 0) add_size(r, 1, eq->p, n);
        for (int i = 0; i < s; i++) {
            for (int j = 0; j < n; j++) r[j] += fabs(eq->c.w[nu * s + i] * momentum_at(eq, i, j));
            add_size(r, eq->c.q[nu * s + i], eq->rule.out[i].Lq, n);
            if (eq->want.residual & WANT_FORCE)
                add_size(r, eq->c.q[nu * s + i], eq->rule.out[i].f, n);
            if (eq->c.d) add_size(r, eq->c.d[nu * s + i], eq->rule.out[i].D, n);
        }
        for (int j = 0; j < sf; j++) add_size(r, eq->c.f[nu * sf + j], eq->force.out[j].f, n);
        for (int a = 0; a < eq->relations; a++)
            for (int e = eq->sys->A.start[a]; e < eq->sys->A.start[a + 1]; e++)
                r[eq->sys->A.column[e]] += fabs(eq->impulse[nu] * reaction_at(eq, a, nu)->A[e] *
                                                y[eq->lam + nu * eq->relations + a]);
    }
    if (eq->relations) relation_sizes(eq, y, size + eq->lam);
    for (int i = 0; i < s; i++)
        for (int j = 0; j < eq->phase; j++) {
            int k = eq->phase_list[j];
            size[eq->P + i * eq->phase + j] =
                eq->rule.b[i] * fabs(eq->h) *
                (velocity_size(eq, &eq->rule, y, i, k) + fabs(eq->rule.out[i].Lw[k]));
        }
}
