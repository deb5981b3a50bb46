/* adaptive.c - the extended equations and their exact derivatives.               theory.md [ENERGY]
 *
 * At a point of the curve: F = L_q + f, energy e = L_v.v - L, power defect P = L_t - f.v, and
 *     e_q = L_qv v - L_q,          e_v = L_vv v,                 e_t = L_vt.v - L_t
 *     P_q = L_qt - f_q^T v,        P_v = L_vt - f_v^T v - f,     P_t = L_tt - f_t.v            */
#include "mech/energy/adaptive.h"

#include <math.h>
#include <string.h>

/* What the border has no terms for: relations, momenta as unknowns, several curves, curves that
 * are shot. */
static dal_status refuse(const equations *eq, const scheme *sch, text *why)
{
    if (eq->relations)
        text_printf(why,
                    "principle = energy does not support relations, and %d %s left after "
                    "the elimination of ties: use dirac+, or coordinates that satisfy "
                    "the relations",
                    eq->relations, eq->relations == 1 ? "is" : "are");
    else if (eq->phase)
        text_printf(why, "principle = energy needs velocities, and Hamiltonian coordinates have "
                         "none: write a lagrangian, or use dirac+");
    else if (eq->sys->state)
        text_add(why,
                 "principle = energy balances energy, and the equations of states have none: use "
                 "dirac+");
    else if (eq->sys->damped)
        text_add(why, "principle = energy balances the work of forces, which upwinded functions do "
                      "not: write force instead of damping, or use dirac+");
    else if (sch->substeps > 1)
        text_printf(why,
                    "principle = energy solves for the length of a single curve, and %s "
                    "joins %d: use gauss(s) of the same order",
                    sch->name, sch->substeps);
    else if (sch->curve != CURVE_POLYNOMIAL)
        text_printf(why, "principle = energy needs a polynomial curve: use gauss(s) of the same "
                         "order");
    else return DAL_OK;
    return DAL_INVALID;
}

/* Derivatives in time of all fields, which a fixed step does not ask for. */
static void room_for_time(const samples *set, const dal_system *sys, mem *m)
{
    const int n = sys->n;
    for (int i = 0; i < set->count; i++) {
        set->out[i].Lqt = mem_array(m, n, double);
        set->out[i].Lwt = mem_array(m, n, double);
        set->out[i].ft = mem_array(m, n, double);
        if (sys->inner && set->out[i].inner.u)
            set->out[i].inner.c_t = mem_array(m, sys->inner->size, double);
    }
}

/* The border needs all second derivatives at every length, so none is kept from step to step. */
dal_status adaptive_prepare(equations *eq, mem *m, const scheme *sch, text *why)
{
    dal_status bad = refuse(eq, sch, why);
    if (bad) return bad;
    eq->constant = false;
    eq->want.jacobian |= WANT_HESSIAN | (eq->sys->forced ? WANT_FORCE_JACOBIAN : 0u);
    eq->want.residual |= WANT_L;
    if (eq->sys->autonomous) return DAL_OK;
    eq->want.residual |= WANT_TIME;
    room_for_time(&eq->rule, eq->sys, m);
    room_for_time(&eq->force, eq->sys, m);
    return DAL_OK;
}

dal_status adaptive_init(adaptive *a, mem *m, newton *nw, const scheme *sch, step_bounds bounds,
                         const char *kind, text *why)
{
    equations *eq = nw->eq;
    double   **array[] = {&a->row, &a->column, &a->r, &a->x, &a->c, &a->kept};
    *a = (adaptive){.nw = nw, .eq = eq, .order = sch->order, .bounds = bounds};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        *array[k] = mem_array(m, equations_extent(eq), double);
    a->work = mem_array(m, 3 * eq->n, double);
    a->lu = solver_new(m, &eq->J, kind);
    if (a->lu && !condition_init(a, m, kind)) return DAL_OK;
    text_printf(why, "the linear solver '%s' cannot be used here", kind ? kind : "?");
    return DAL_INVALID;
}

void adaptive_free(adaptive *a)
{
    solver_free(a->lu);
    condition_free(a);
    a->lu = NULL;
}

void adaptive_forget(adaptive *a)
{
    memset(a->h, 0, sizeof a->h);
    a->slope = a->shift = 0, a->sign = 0, a->outcome = STEP_DECIDED;
    a->held = a->anew = a->chose = false;
}

/* Sums over the points. ------------------------------------------------------------------------ */

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

/* What L adds:
 *     dG_nu/dh = sum b [l'_nu (c L_vt - L_vv v/h) + l_nu L_q + h l_nu (c L_qt - L_qv v/h)]
 *     dS/dZ^mu = sum b [l_mu e_q + (l'_mu/h) e_v + (1-c) (h l_mu L_qt + l'_mu L_vt)]
 *     dS/dh    = sum b [c e_t - e_v.v/h + (1-c) (L_t + h c L_tt - L_vt.v)]                       */
static void add_lagrangian(adaptive *a, int i)
{
    equations        *eq = a->eq;
    const sys_values *at = &eq->rule.out[i];
    const int         n = eq->n, d = eq->d;
    const double      h = eq->h, b = eq->rule.b[i], c = eq->rule.x[eq->mirrored][i], rest = 1 - c;
    const double     *l = eq->rule.at[eq->mirrored].l + i * (d + 1), *v = eq->rule.v + i * n;
    const double     *dl = eq->rule.at[eq->mirrored].dl + i * (d + 1);
    double           *vv = a->work, *qv = a->work + n, *e_q = a->work + 2 * n;
    const bool        timed = eq->want.residual & WANT_TIME;
    times(a, at, F_LWW, v, false, vv), times(a, at, F_LQW, v, false, qv);
    for (int j = 0; j < n; j++) e_q[j] = qv[j] - at->Lq[j];
    for (int nu = 0; nu < d; nu++) {
        double *column = a->column + nu * n, *row = a->row + nu * n; /* row: mu = nu + 1 */
        add(column, -b * dl[nu] / h, vv, n), add(column, b * l[nu], at->Lq, n);
        add(column, -b * l[nu], qv, n);
        add(row, b * l[nu + 1], e_q, n), add(row, b * dl[nu + 1] / h, vv, n);
        if (!timed) continue;
        add(column, b * dl[nu] * c, at->Lwt, n), add(column, b * h * l[nu] * c, at->Lqt, n);
        add(row, b * rest * h * l[nu + 1], at->Lqt, n);
        add(row, b * rest * dl[nu + 1], at->Lwt, n);
    }
    a->corner -= b * border_dot(vv, v, n) / h;
    a->S += b * (border_dot(at->Lw, v, n) - at->L);
    a->size += b * (dot_size(at->Lw, v, n) + fabs(at->L));
    if (!timed) return;
    double Lwt_v = border_dot(at->Lwt, v, n);
    a->corner += b * (c * (Lwt_v - at->Lt) + rest * (at->Lt + h * c * at->Ltt - Lwt_v));
    a->S += b * rest * h * at->Lt;
}

/* What f adds, at the points of its own rule if it has one:
 *     dG_nu/dh = sum b [l_nu f + h l_nu (c f_t - f_v v/h)]
 *     dS/dZ^mu = -sum b (1-c) [h l_mu f_q^T v + l'_mu (f_v^T v + f)]
 *     dS/dh    = -sum b (1-c) [f.v + h c f_t.v - (f_v^T v + f).v]                                */
static void add_force(adaptive *a, const samples *set, int i)
{
    equations        *eq = a->eq;
    const sys_values *at = &set->out[i];
    const int         n = eq->n, d = eq->d;
    const double      h = eq->h, b = set->b[i], c = set->x[eq->mirrored][i], rest = 1 - c;
    const double     *l = set->at[eq->mirrored].l + i * (d + 1), *v = set->v + i * n;
    const double     *dl = set->at[eq->mirrored].dl + i * (d + 1);
    double           *fv = a->work, *fqT = a->work + n, *Pv = a->work + 2 * n;
    const bool        timed = eq->want.residual & WANT_TIME;
    times(a, at, F_FW, v, false, fv), times(a, at, F_FQ, v, true, fqT);
    times(a, at, F_FW, v, true, Pv);
    add(Pv, 1, at->f, n);
    for (int nu = 0; nu < d; nu++) {
        double *column = a->column + nu * n, *row = a->row + nu * n;
        add(column, b * l[nu], at->f, n), add(column, -b * l[nu], fv, n);
        if (timed) add(column, b * h * l[nu] * c, at->ft, n);
        add(row, -b * rest * h * l[nu + 1], fqT, n), add(row, -b * rest * dl[nu + 1], Pv, n);
    }
    double power = border_dot(at->f, v, n);
    a->corner -=
        b * rest * (power + (timed ? h * c * border_dot(at->ft, v, n) : 0) - border_dot(Pv, v, n));
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

/* f_t where the force has a rule of its own: the residual does not ask for it there. */
static bool force_in_time(const equations *eq)
{
    if (!eq->force.count || !(eq->want.residual & WANT_TIME)) return true;
    return !eq->sys->eval(eq->sys->self, WANT_TIME, eq->force.count, eq->force.point,
                          eq->force.out);
}

/* The border of K at y, and R there. */
static bool border(adaptive *a, const double *y)
{
    equations     *eq = a->eq;
    const samples *set = force_points(eq);
    const size_t   bytes = (size_t)equations_extent(eq) * sizeof(double);
    if (!equations_residual(eq, y, a->r, true) || !force_in_time(eq)) return false;
    memset(a->row, 0, bytes), memset(a->column, 0, bytes);
    a->corner = a->S = a->size = 0;
    for (int i = 0; i < eq->s; i++) add_lagrangian(a, i);
    for (int i = 0; eq->sys->forced && i < set->count; i++) add_force(a, set, i);
    for (int i = 0; eq->sys->inner && i < set->count; i++) add_inner(a, set, i);
    return isfinite(a->S);
}

/*     c = J^-1 dG/dh,   dphi/dh = dS/dh - dS/dZ c                                                */
bool adaptive_assemble(adaptive *a, const double *y)
{
    equations *eq = a->eq;
    const int  extent = equations_extent(eq);
    a->iterations++;
    if (!border(a, y)) return false;
    equations_fill(eq);
    a->nw->count.factorisations++;
    if (!solver_factor(a->lu, eq->values)) return false;
    memcpy(a->c, a->column, (size_t)extent * sizeof *a->c);
    memcpy(a->x, a->r, (size_t)extent * sizeof *a->x); /* implicit forces are right: 0 behind r */
    solver_solve(a->lu, a->c), solver_solve(a->lu, a->x);
    a->slope = a->corner - border_dot(a->row, a->c, extent);
    return isfinite(a->slope);
}

/*     K = [[J, dG/dh], [dS/dZ, dS/dh]] */
void adaptive_matrix(const adaptive *a, double *K)
{
    const equations *eq = a->eq;
    const int        size = equations_extent(eq), N = size + 1;
    memset(K, 0, (size_t)N * (size_t)N * sizeof *K);
    for (int i = 0; i < size; i++) {
        for (int k = eq->J.start[i]; k < eq->J.start[i + 1]; k++)
            K[i * N + eq->J.column[k]] = eq->values[k];
        K[i * N + size] = a->column[i], K[size * N + i] = a->row[i];
    }
    K[size * N + size] = a->corner;
}
