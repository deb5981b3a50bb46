/* membership.c - checks of a step that was made, from the values left at its points: is it in the
 * discrete Dirac structure, and does its power balance? Both are identities of the method, at
 * roundoff unless the solver failed. */
#include "mech/equations/turning_rows.h"
#include "mech/stepper/stepper.h"
#include "model/charts.h"

#include <math.h>

enum { STRETCH = 128 }; /* coordinates at a time: what is summed of them stays near */

/* The largest |x - y|, or `most`; what is no number counts as larger than any. y may be NULL. */
static double farthest(const double *x, const double *y, int count, double most)
{
    double bad = 0;
    for (int j = 0; j < count; j++) {
        const double apart = fabs(y ? x[j] - y[j] : x[j]);
        most = apart > most ? apart : most, bad += apart - apart;
    }
    return bad == 0 ? most : (double)NAN;
}

/* Is it a row of a rotation? */
static bool turns(const equations *eq, int j)
{
    return eq->turn && eq->sys->turns->of_row[j] >= 0;
}

/* Of some coordinates at point i of the rule: stage momenta P and forces F. */
static void stage(const stepper *st, int i, int from, int count, double *restrict P,
                  double *restrict F)
{
    const equations  *eq = &st->eq;
    const sys_values *out = &eq->rule.out[i];
    const double     *w = eq->rule.w + i * eq->n + from;
    for (int j = 0; j < count; j++) P[j] = out->Lw[from + j], F[j] = out->Lq[from + j];
    for (int j = 0; j < count && eq->phase; j++)
        if (eq->phase_number[from + j] >= 0) P[j] = w[j];
    for (int j = 0; j < count && eq->want.residual & WANT_FORCE; j++) F[j] += out->f[from + j];
}

/*     G_d = sum_i b_i [l'_d L_w + h l_d (L_q + f) - h u_d D]^i */
static void end_momenta(const stepper *st, int from, int count, double *restrict sum)
{
    const equations *eq = &st->eq;
    const int        N = eq->d + 1, side = eq->mirrored;
    double           P[STRETCH], F[STRETCH];
    for (int j = 0; j < count; j++) sum[j] = 0;
    for (int i = 0; i < eq->s; i++) {
        const double b = eq->rule.b[i], dl = eq->rule.at[side].dl[i * N + eq->d],
                     l = eq->h * eq->rule.at[side].l[i * N + eq->d];
        stage(st, i, from, count, P, F);
        for (int j = 0; j < count; j++) sum[j] += b * (dl * P[j] + l * F[j]);
        for (int j = 0; j < count && eq->c.d; j++)
            sum[j] -= b * eq->h * eq->upwind.at[side][i * N + eq->d] * eq->rule.out[i].D[from + j];
    }
    for (int i = 0; i < eq->force.count; i++) {
        const double l = eq->h * eq->force.b[i] * eq->force.at[side].l[i * N + eq->d];
        for (int j = 0; j < count; j++) sum[j] += l * eq->force.out[i].f[from + j];
    }
}

/*     q' = (1/h) sum_mu l'_mu(x_nu) Z^mu at control node nu */
static void node_velocity(const stepper *st, int nu, int from, int count, double *restrict v)
{
    const equations *eq = &st->eq;
    const double    *dl = eq->control.at[0].dl + nu * (eq->d + 1);
    for (int j = 0; j < count; j++) v[j] = 0;
    for (int mu = 1; mu <= eq->d; mu++) {
        const double *Z = st->y + (mu - 1) * eq->n + from, c = dl[mu] / eq->h;
        for (int j = 0; j < count && c != 0; j++) v[j] += c * Z[j];
    }
}

/* Of some coordinates, p being their p^-: p^-.q'(1) - p_0.q'(0), less the power along the curve,
 *     h sum_i b_i [(L_q + f).v + L_w.q'']^i,   q'' = (1/h) sum_nu l'_nu(c_i) q'(x_nu)
 * since q' has lower degree than the basis, which therefore differentiates it exactly. For the same
 * reason upwinding leaves it as it is, and the power of damping is that of a force. */
static double power_left(const stepper *st, int from, int count, const double *p)
{
    const equations *eq = &st->eq;
    const int        d = eq->d;
    double v[DEGREE_MOST + 1][STRETCH], P[STRETCH], F[STRETCH], bend[STRETCH], left[STRETCH];
    double sum = 0;
    node_velocity(st, 0, from, count, v[0]), node_velocity(st, d, from, count, v[d]);
    for (int nu = 1; nu < d; nu++) node_velocity(st, nu, from, count, v[nu]);
    for (int j = 0; j < count; j++)
        left[j] = p[j] * v[d][j] - (st->p0[from + j] + st->p0_low[from + j]) * v[0][j];
    for (int i = 0; i < eq->s; i++) {
        const double *dl = eq->rule.at[eq->mirrored].dl + i * (d + 1), b = eq->h * eq->rule.b[i];
        const double *at = eq->rule.v + i * eq->n + from;
        stage(st, i, from, count, P, F);
        for (int j = 0; j < count; j++) bend[j] = 0;
        for (int nu = 0; nu <= d; nu++)
            for (int j = 0; j < count; j++) bend[j] += (dl[nu] / eq->h) * v[nu][j];
        for (int j = 0; j < count; j++) left[j] -= b * (F[j] * at[j] + P[j] * bend[j]);
    }
    for (int i = 0; i < eq->force.count; i++) {
        const double *f = eq->force.out[i].f + from, *at = eq->force.v + i * eq->n + from;
        for (int j = 0; j < count; j++) left[j] -= eq->h * eq->force.b[i] * f[j] * at[j];
    }
    for (int j = 0; j < count; j++)
        if ((!eq->upwind.states || !is_state(eq, from + j)) && !turns(eq, from + j)) sum += left[j];
    return sum;
}

/* y' of a rotation at control node nu, in the chart. */
static vector chart_velocity(const stepper *st, int nu, int first)
{
    vector v = {{0}};
    node_velocity(st, nu, first, 3, v.x);
    return v;
}

static vector rows_at(const double *x, int first)
{
    return (vector){{x[first], x[first + 1], x[first + 2]}};
}

/* The same balance of a rotation, whose variation is that of its base too: eta = e, da, and y' - e,
 *     e = (y'(0) + y'(1))/2,   da = (y'(1) - y'(0))/2
 *     mu_1.(exp(-a) e + D_a da) - mu_0.(exp(a) e - D_-a da)
 *         = h sum_i b_i [L_eta.e + L_y.(y' - e) + L_y'.y'']^i                theory.md [ROTATION]
 */
static double turning_power_left(const stepper *st, int k)
{
    const equations *eq = &st->eq;
    const int        first = eq->sys->turns->first[k], d = eq->d;
    const vector     v0 = chart_velocity(st, 0, first), v1 = chart_velocity(st, d, first);
    const vector     e = vector_sum(0.5, v0, 0.5, v1), da = vector_sum(0.5, v1, -0.5, v0),
                 a = eq->turn->a[k];
    const matrix E = chart_exp(a), D = chart_rate(a);
    const vector at_1 = vector_sum(1, matrix_under(&E, e), 1, matrix_on(&D, da)),
                 at_0 = vector_sum(1, matrix_on(&E, e), -1, matrix_under(&D, da));
    /* before a direction loses the momentum about itself that damping leaves */
    const vector mu_1 = matrix_under(&E, vector_sum(1, eq->turn->m0[k], 1, eq->turn->M[k]));
    double       left = vector_dot(mu_1, at_1) - vector_dot(rows_at(st->p0, first), at_0);
    for (int i = 0; i < eq->s; i++) {
        const sys_values *out = &eq->rule.out[i];
        const double     *dl = eq->rule.at[eq->mirrored].dl + i * (d + 1);
        const double     *momenta = eq->phase_number[first] < 0 ? out->Lw : eq->rule.w + i * eq->n;
        vector            F = rows_at(out->Lq, first), bend = {{0}};
        if (eq->want.residual & WANT_FORCE) F = vector_sum(1, F, 1, rows_at(out->f, first));
        for (int nu = 0; nu <= d; nu++)
            bend = vector_sum(1, bend, dl[nu] / eq->h, chart_velocity(st, nu, first));
        const vector v = vector_sum(1, rows_at(eq->rule.v + i * eq->n, first), -1, e);
        left -= eq->h * eq->rule.b[i] *
                (vector_dot(rows_at(out->base->eta, first), e) + vector_dot(F, v) +
                 vector_dot(rows_at(momenta, first), bend));
    }
    return left;
}

/* lam.A q' at a node, of an entry in a row of a rotation:  A_eta e + A_y (y' - e) */
static double turning_entry(const stepper *st, int nu, int k, int j)
{
    const equations  *eq = &st->eq;
    const int         first = eq->sys->turns->first[eq->sys->turns->of_row[j]], c = j - first;
    const sys_values *out = &eq->control.out[nu];
    const double      e =
        0.5 * (chart_velocity(st, 0, first).x[c] + chart_velocity(st, eq->d, first).x[c]);
    return out->base->A_eta[k] * e + out->A[k] * (chart_velocity(st, nu, first).x[c] - e);
}

/* The largest of the rows R_nu, but for those of states: their units are others. */
static double rows_left(const equations *eq, const double *r, double most)
{
    for (int nu = 0; nu < eq->d; nu++)
        for (int j = 0; j < eq->n; j++)
            if (!is_state(eq, j)) most = farthest(r + nu * eq->n + j, NULL, 1, most);
    return most;
}

/*     sum_{nu<d} h w_nu lam^nu.A q'(x_nu),   h b_i lam^i.A v^i of relations inside the step */
static double power_of_reactions(const stepper *st)
{
    const equations *eq = &st->eq;
    const pattern   *A = &eq->sys->A;
    double           sum = 0, v;
    for (int nu = 0; nu < eq->d; nu++)
        for (int a = 0; a < eq->relations; a++)
            for (int k = A->start[a]; k < A->start[a + 1]; k++) {
                const double lam = st->y[eq->lam + nu * eq->relations + a];
                const int    j = A->column[k];
                if (acts_inside(eq, a)) {
                    v = eq->gauss.v[nu * eq->n + j];
                    sum += eq->h * eq->gauss.b[nu] * lam * eq->gauss.out[nu].A[k] * v;
                    continue;
                }
                if (turns(eq, j)) {
                    sum += eq->impulse[nu] * lam * turning_entry(st, nu, k, j);
                    continue;
                }
                node_velocity(st, nu, j, 1, &v);
                sum += eq->impulse[nu] * lam * eq->control.out[nu].A[k] * v;
            }
    return sum;
}

/*     h sum_i b_i l_d(c_i) A^T lam^i   of relations inside the step, to p^- of coordinate j */
static void add_inner_reactions(const stepper *st, double *p, int from, int count)
{
    const equations *eq = &st->eq;
    const pattern   *A = &eq->sys->A;
    for (int i = 0; i < eq->d; i++)
        for (int a = 0; a < eq->relations; a++)
            for (int k = A->start[a]; k < A->start[a + 1] && acts_inside(eq, a); k++) {
                const int j = A->column[k] - from;
                if (j < 0 || j >= count) continue;
                p[j] += inner_impulse(eq, eq->d, i) * eq->gauss.out[i].A[k] *
                        st->y[eq->lam + i * eq->relations + a];
            }
}

/* Momentum along directions without inertia, |U sigma|; U is orthonormal.  theory.md [DEGENERATE]
 */
static double momentum_along_massless(stepper *st)
{
    double sum = 0;
    if (stepper_end(st, NULL)) return 0;
    const int count = st->massless.bent ? st->massless.bent->stiff : st->grid.k;
    for (int u = 0; u < count; u++) sum += st->node.sigma[u] * st->node.sigma[u];
    return sqrt(sum);
}

/* ((q_0,p_0),(q_1,p_1)) is in the discrete Dirac structure when p_0 + G_0 is in im A^T(q_0),
 * p^- = G_d, the stages agree, and the relations hold; the largest of what is left.
 *                                                                         theory.md [MEMBERSHIP]
 * q' is an admissible variation, except of curves that are shot:                 theory.md [POWER]
 *     p^-.q'(1) - p_0.q'(0) = h sum_i b_i [(L_q + f).v + L_w.q'']^i
 *                             + sum_{nu<d} h w_nu lam^nu.A q'(x_nu)
 * A state that was moved along directions without inertia is not the p^- that the step made. */
step_balances stepper_balances(stepper *st)
{
    const equations *eq = &st->eq;
    step_balances    left = {.power = eq->shot ? (double)NAN : 0};
    if (!st->stepped) return left;
    stepper_complete(st);
    const double *r = st->nw.r;
    double most = fabs(eq->h) * farthest(r + eq->lam, NULL, eq->P - eq->lam, 0); /* displacements */
    most = farthest(r + eq->P, NULL, eq->size - eq->P, most);
    most = eq->upwind.states ? rows_left(eq, r, most) : farthest(r, NULL, eq->lam, most);
    for (int from = 0; from < eq->n && !eq->shot; from += STRETCH) {
        const int count = eq->n - from < STRETCH ? eq->n - from : STRETCH;
        double    end[STRETCH], made[STRETCH] = {0};
        end_momenta(st, from, count, end);
        if (eq->inside) add_inner_reactions(st, end, from, count);
        for (int j = 0; j < count; j++)
            made[j] = st->massless.projects || turns(eq, from + j) ||
                              (eq->upwind.states && is_state(eq, from + j))
                          ? end[j]
                          : st->p[from + j] + st->p_low[from + j];
        most = farthest(end, made, count, most);
        left.power += power_left(st, from, count, made);
    }
    for (int k = 0; eq->turn && k < eq->sys->turns->count; k++)
        left.power += turning_power_left(st, k);
    if (eq->relations && !eq->shot) left.power -= power_of_reactions(st);
    if (eq->relations && st->engine) dead_point_note(st);
    if (st->grid.k) left.momentum = momentum_along_massless(st);
    left.membership = most;
    return left;
}
