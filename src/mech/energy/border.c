/* border.c - the row dS/dy, the column dG/dh and their corner dS/dh, by sums over the points.
 *                                                                               theory.md [ENERGY]
 * At a point of the curve: F = L_q + f, energy e = L_w.u - L, power defect P = L_t - f.v, and
 *     e_q = L_qw u - L_q,     e_w = L_ww u,  and e_P = (L_ww u - L_w),     e_t = L_wt.u - L_t
 *     P_q = L_qt - f_q^T v,   P_w = L_wt - f_w^T v - f,                    P_t = L_tt - f_t.v
 * u is v without the velocities of Hamiltonian coordinates, whose momenta P do not change with h.
 */
#include "mech/energy/adaptive.h"

#include <math.h>
#include <string.h>

/*     sum_j |x_j y_j|: what roundoff of a dot product is measured by */
static double dot_size(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int j = 0; j < n; j++) sum += fabs(x[j] * y[j]);
    return sum;
}

static void add(double *to, double c, const double *x, int n)
{
    for (int j = 0; j < n; j++) to[j] += c * x[j];
}

/* The same where w is a velocity. */
static void add_rates(const equations *eq, double *to, double c, const double *x)
{
    if (!eq->phase) add(to, c, x, eq->n);
    else
        for (int j = 0; j < eq->n; j++)
            if (eq->phase_number[j] < 0) to[j] += c * x[j];
}

/* And where it is a momentum, into the numbers of stage i. */
static void add_stage(const equations *eq, double *to, int i, double c, const double *x)
{
    for (int j = 0; j < eq->phase; j++) to[eq->P + i * eq->phase + j] += c * x[eq->phase_list[j]];
}

const double *adaptive_rates(const adaptive *a, const double *v)
{
    double *u = a->work + 3 * a->eq->n;
    if (!a->eq->phase) return v;
    memset(u, 0, (size_t)a->eq->n * sizeof *u);
    add_rates(a->eq, u, 1, v);
    return u;
}

/* to = field v, or its transpose times v */
static void times(const adaptive *a, const sys_values *at, field f, const double *v,
                  bool transposed, double *to)
{
    const pattern *K = &a->eq->sys->K;
    memset(to, 0, (size_t)a->eq->n * sizeof *to);
    if (a->eq->sys->varies[f] == FIELD_ZERO) return;
    for (int i = 0; i < a->eq->n; i++)
        for (int k = K->start[i]; k < K->start[i + 1]; k++) {
            int j = K->column[k];
            if (transposed) to[j] += at->on_K[f][k] * v[i];
            else to[i] += at->on_K[f][k] * v[j];
        }
}

/* What derivatives in time add at a point of L. */
static void add_lagrangian_in_time(adaptive *a, int i, const double *u)
{
    equations        *eq = a->eq;
    const sys_values *at = &eq->rule.out[i];
    const int         n = eq->n, d = eq->d;
    const double      h = eq->h, b = eq->rule.b[i], c = eq->rule.x[eq->mirrored][i], rest = 1 - c;
    const double     *l = eq->rule.at[eq->mirrored].l + i * (d + 1);
    const double     *dl = eq->rule.at[eq->mirrored].dl + i * (d + 1);
    for (int nu = 0; nu < d; nu++) {
        double *column = a->column + nu * n, *row = a->row + nu * n;
        add_rates(eq, column, b * dl[nu] * c, at->Lwt);
        add(column, b * h * l[nu] * c, at->Lqt, n);
        add(row, b * rest * h * l[nu + 1], at->Lqt, n);
        add_rates(eq, row, b * rest * dl[nu + 1], at->Lwt);
    }
    add_stage(eq, a->column, i, b * h * c, at->Lwt),
        add_stage(eq, a->row, i, b * rest * h, at->Lwt);
    const double Lwt_u = border_dot(at->Lwt, u, n);
    a->corner += b * (c * (Lwt_u - at->Lt) + rest * (at->Lt + h * c * at->Ltt - Lwt_u));
    a->S += b * rest * h * at->Lt;
}

/* What L adds:
 *     dG_nu/dh = sum b [l'_nu (c L_wt - L_ww u/h) + l_nu L_q + h l_nu (c L_qt - L_qw u/h)]
 *     d/dh of the phase rows = b [L_w + h c L_wt - L_ww u]
 *     dS/dZ^mu = sum b [l_mu e_q + (l'_mu/h) e_w + (1-c) (h l_mu L_qt + l'_mu L_wt)]
 *     dS/dP^i  = b [e_P + (1-c) h L_wt]
 *     dS/dh    = sum b [c e_t - e_w.u/h + (1-c) (L_t + h c L_tt - L_wt.u)]                       */
static void add_lagrangian(adaptive *a, int i)
{
    equations        *eq = a->eq;
    const sys_values *at = &eq->rule.out[i];
    const int         n = eq->n, d = eq->d;
    const double      h = eq->h, b = eq->rule.b[i];
    const double     *l = eq->rule.at[eq->mirrored].l + i * (d + 1);
    const double     *dl = eq->rule.at[eq->mirrored].dl + i * (d + 1);
    const double     *u = adaptive_rates(a, eq->rule.v + i * n);
    double           *ww = a->work, *qw = a->work + n, *e_q = a->work + 2 * n;
    times(a, at, F_LWW, u, false, ww), times(a, at, F_LQW, u, false, qw);
    for (int j = 0; j < n; j++) e_q[j] = qw[j] - at->Lq[j];
    for (int nu = 0; nu < d; nu++) {
        double *column = a->column + nu * n, *row = a->row + nu * n; /* row: mu = nu + 1 */
        add_rates(eq, column, -b * dl[nu] / h, ww), add(column, b * l[nu], at->Lq, n);
        add(column, -b * l[nu], qw, n);
        add(row, b * l[nu + 1], e_q, n), add_rates(eq, row, b * dl[nu + 1] / h, ww);
    }
    add_stage(eq, a->column, i, b, at->Lw), add_stage(eq, a->column, i, -b, ww);
    add_stage(eq, a->row, i, b, ww), add_stage(eq, a->row, i, -b, at->Lw);
    a->corner -= b * border_dot(ww, u, n) / h;
    a->S += b * (border_dot(at->Lw, u, n) - at->L);
    a->size += b * (dot_size(at->Lw, u, n) + fabs(at->L));
    if (eq->want.residual & WANT_TIME) add_lagrangian_in_time(a, i, u);
}

/* What f adds to the momentum, at the points of its own rule if it has one:
 *     dG_nu/dh = sum b [l_nu f + h l_nu (c f_t - f_w u/h)]                                       */
static void add_force(adaptive *a, const samples *set, int i)
{
    equations        *eq = a->eq;
    const sys_values *at = &set->out[i];
    const int         n = eq->n, d = eq->d;
    const double      h = eq->h, b = set->b[i], c = set->x[eq->mirrored][i];
    const double     *l = set->at[eq->mirrored].l + i * (d + 1);
    double           *fw = a->work;
    times(a, at, F_FW, adaptive_rates(a, set->v + i * n), false, fw);
    for (int nu = 0; nu < d; nu++) {
        double *column = a->column + nu * n;
        add(column, b * l[nu], at->f, n), add(column, -b * l[nu], fw, n);
        if (eq->want.residual & WANT_TIME) add(column, b * h * l[nu] * c, at->ft, n);
    }
}

/* And what its power adds, with rest = 1 - c, or B(x) along lines:
 *     dS/dZ^mu = -sum b rest [h l_mu f_q^T v + l'_mu (f_w^T v + f)],   dS/dP^i = -b rest h f_w^T v
 *     dS/dh    = -sum b rest [f.v + h c f_t.v - (f_w^T v + f).v]   without f_w of momenta        */
static void add_power(adaptive *a, const work_points *of, int i)
{
    equations        *eq = a->eq;
    const samples    *set = of->at;
    const sys_values *at = &set->out[i];
    const int         n = eq->n, d = eq->d;
    const double  h = eq->h, b = set->b[i], c = set->x[eq->mirrored][i], rest = 1 - of->after[i];
    const double *l = set->at[eq->mirrored].l + i * (d + 1), *v = set->v + i * n;
    const double *dl = set->at[eq->mirrored].dl + i * (d + 1);
    double       *fqT = a->work, *fwT = a->work + n, *Pw = a->work + 2 * n;
    const bool    timed = eq->want.residual & WANT_TIME;
    times(a, at, F_FQ, v, true, fqT), times(a, at, F_FW, v, true, fwT);
    memset(Pw, 0, (size_t)n * sizeof *Pw);
    add_rates(eq, Pw, 1, fwT), add(Pw, 1, at->f, n);
    for (int nu = 0; nu < d; nu++) {
        double *row = a->row + nu * n;
        add(row, -b * rest * h * l[nu + 1], fqT, n), add(row, -b * rest * dl[nu + 1], Pw, n);
    }
    add_stage(eq, a->row, i, -b * rest * h, fwT);
    double power = border_dot(at->f, v, n);
    a->corner -=
        b * rest * (power + (timed ? h * c * border_dot(at->ft, v, n) : 0) - border_dot(Pw, v, n));
    a->S -= b * rest * h * power;
    a->size += b * rest * fabs(h) * dot_size(at->f, v, n);
}

/* What implicit forces add, behind the others: their equations change with h, and S with u.
 *     dc/dh = c_i c_t - c_v v/h,     dS/du = -sum b (1-c) h f_u^T v                              */
static void add_inner(adaptive *a, const samples *set, int i)
{
    const equations    *eq = a->eq;
    const sys_inner    *in = eq->sys->inner;
    const inner_values *at = &set->out[i].inner;
    const double        h = eq->h, c = set->x[eq->mirrored][i], *v = set->v + i * eq->n;
    double *column = a->column + eq->size + i * in->size, *row = a->row + eq->size + i * in->size;
    for (int k = 0; k < in->size; k++) {
        column[k] = eq->want.residual & WANT_TIME ? c * at->c_t[k] : 0;
        for (int e = in->of_state.start[k]; e < in->of_state.start[k + 1]; e++)
            column[k] -= at->c_v[e] * v[in->of_state.column[e]] / h;
    }
    for (int j = 0; j < eq->n; j++)
        for (int e = in->force.start[j]; e < in->force.start[j + 1]; e++)
            row[in->force.column[e]] -= set->b[i] * (1 - c) * h * at->f_u[e] * v[j];
}

/* Relations. ----------------------------------------------------------------------------------- */

/*     to_j += c sum_a A_aj lam_a */
static void add_rows(const equations *eq, const double *of, double c, const double *lam, double *to)
{
    const pattern *A = &eq->sys->A;
    for (int row = 0; row < eq->relations; row++)
        for (int k = A->start[row]; k < A->start[row + 1]; k++)
            to[A->column[k]] += c * lam[row] * of[k];
}

/* What reactions add at node nu, where e is beta, since v is taken as 0:
 *     dR_nu/dh = w (A^T lam + h x A_t^T lam)
 *     S: h w (1-x) lam.beta,   dS/dlam^nu = h w (1-x) beta,   dS/dZ^nu = h w (1-x) beta_q^T lam
 *     dS/dh = w (1-x) lam.(beta + h x beta_t)                                                    */
static void add_reaction(adaptive *a, int nu, const double *lam)
{
    equations        *eq = a->eq;
    const sys_values *at = &eq->control.out[nu];
    const int         n = eq->n, M = eq->relations;
    const double h = eq->h, w = eq->control.b[nu], x = eq->control.x[0][nu], rest = w * (1 - x);
    double      *column = a->column + nu * n;
    add_rows(eq, at->A, w, lam, column);
    if (a->moves.vary) {
        const part_direction in_time = {.q = eq->zero, .p = eq->zero, .t = 1, .moves = true};
        row_changes_written(&a->moves, &eq->control.point[nu], x, &in_time);
        add(column, h * w * x, a->moves.written.reaction, n);
    }
    if (!eq->sys->rheonomic) return;
    const double power = border_dot(lam, at->e, M);
    a->S += h * rest * power, a->size += fabs(h * rest) * dot_size(lam, at->e, M);
    a->corner += rest * (power + h * x * border_dot(lam, at->et, M));
    add(a->row + eq->lam + nu * M, h * rest, at->e, M);
    if (nu) add_rows(eq, at->eq, h * rest, lam, a->row + (nu - 1) * n);
}

/*     dC_k/dh = gamma_k e_t - A v/h,   dD_k/dh = (x_k g_t - g/h)/h,   both + w_{k-1} P lam^{k-1} */
static void add_relations(adaptive *a, int k, const double *lam)
{
    equations        *eq = a->eq;
    const pattern    *A = &eq->sys->A;
    const sys_values *at = &eq->gauss.out[k], *node = &eq->control.out[k + 1];
    const double      h = eq->h, *v = eq->gauss.v + k * eq->n;
    double           *column = a->column + eq->lam + k * eq->relations;
    for (int r = 0; r < eq->m; r++) {
        for (int e = A->start[r]; e < A->start[r + 1]; e++)
            column[r] -= at->A[e] * v[A->column[e]] / h;
        if (eq->want.residual & WANT_TIME) column[r] += eq->gauss.x[eq->mirrored][k] * at->et[r];
    }
    for (int r = eq->m; r < eq->relations; r++)
        column[r] += (eq->control.x[0][k + 1] * node->e[r] - node->g[r - eq->m] / h) / h;
    if (eq->redundant) redundancy_add(eq->redundant, eq->impulse[k] / h, lam, column);
}

/* Sums. ---------------------------------------------------------------------------------------- */

work_points adaptive_work_points(const adaptive *a)
{
    const int      side = a->eq->mirrored;
    const samples *nodes = force_points(a->eq);
    if (a->lines) return (work_points){&a->lines->at, a->lines->after[side]};
    return (work_points){nodes, nodes->x[side]};
}

bool adaptive_place_lines(const adaptive *a, const double *y, bool with_jacobian)
{
    const equations *eq = a->eq;
    const samples   *set = a->lines ? &a->lines->at : NULL;
    unsigned         want = WANT_FORCE;
    if (!set) return true;
    if (with_jacobian) want |= WANT_FORCE_JACOBIAN | (eq->want.residual & WANT_TIME);
    for (int k = 0; k < set->count * (eq->d + 1); k++)
        set->slope[k] = set->at[eq->mirrored].dl[k] / eq->h;
    equations_place(eq, set, y, 0, eq->n);
    return !eq->sys->eval(eq->sys->self, want, set->count, set->point, set->out);
}

/* f_t where the force has a rule of its own: the residual does not ask for it there. */
static bool force_in_time(const equations *eq)
{
    if (!eq->force.count || !(eq->want.residual & WANT_TIME)) return true;
    return !eq->sys->eval(eq->sys->self, WANT_TIME, eq->force.count, eq->force.point,
                          eq->force.out);
}

static void sum_forces(adaptive *a)
{
    const samples    *set = force_points(a->eq);
    const work_points of = adaptive_work_points(a);
    for (int i = 0; i < set->count; i++) add_force(a, set, i);
    for (int i = 0; i < of.at->count; i++) add_power(a, &of, i);
    for (int i = 0; a->eq->sys->inner && i < set->count; i++) add_inner(a, set, i);
}

bool border_sum(adaptive *a, const double *y)
{
    equations   *eq = a->eq;
    const size_t bytes = (size_t)equations_extent(eq) * sizeof(double);
    if (!equations_residual(eq, y, a->r, true) || !force_in_time(eq)) return false;
    if (!adaptive_place_lines(a, y, true)) return false;
    memset(a->row, 0, bytes), memset(a->column, 0, bytes);
    a->corner = a->S = a->size = 0;
    for (int i = 0; i < eq->s; i++) add_lagrangian(a, i);
    if (eq->sys->forced) sum_forces(a);
    for (int k = 0; k < eq->d && eq->relations; k++) {
        const double *lam = y + eq->lam + k * eq->relations;
        add_reaction(a, k, lam), add_relations(a, k, lam);
    }
    return isfinite(a->S);
}
