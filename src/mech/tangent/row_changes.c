/* row_changes.c - every sample point, every row of the residual and the final momentum, each with
 * its change in one direction.                                               theory.md [TANGENT] */
#include "mech/tangent/row_changes.h"

#include "mech/equations/retraction_rows.h"

#include <string.h>

void tangent_room(tangent *tg, mem *m)
{
    const equations *eq = &tg->st->eq;
    double         **of_n[] = {&tg->dq,
                               &tg->dv,
                               &tg->dw,
                               &tg->dLq,
                               &tg->dLw,
                               &tg->df,
                               &tg->dD,
                               &tg->dp,
                               &tg->written.Lq,
                               &tg->written.Lw,
                               &tg->written.f,
                               &tg->written.D,
                               &tg->written.reaction};
    for (size_t k = 0; k < sizeof of_n / sizeof *of_n; k++) *of_n[k] = mem_array(m, eq->n, double);
    tg->written.e = mem_array(m, eq->relations + 1, double);
    tg->written.g = mem_array(m, eq->sys->r + 1, double);
    tg->written.L = mem_array(m, 1, double), tg->written.Lt = mem_array(m, 1, double);
    if (tg->st->energy) tg->dy_h = mem_array(m, equations_extent(eq), double);
    if (eq->sys->inner) tg->written.inner = mem_array(m, eq->sys->inner->size, double);
    tg->r = mem_array(m, equations_extent(eq), double);
    tg->dy = mem_array(m, equations_extent(eq), double);
}

/* Points. -------------------------------------------------------------------------------------- */

static void clear(double *x, int n)
{
    memset(x, 0, (size_t)n * sizeof *x);
}

void tangent_add(double *x, double c, const double *y, int n)
{
    if (c != 0)
        for (int j = 0; j < n; j++) x[j] += c * y[j];
}

/* x += field u at a point, or its transpose times u */
void tangent_add_field(const equations *eq, const sys_values *at, field f, bool transposed,
                       const double *u, double *x)
{
    const pattern *K = &eq->sys->K;
    if (eq->sys->varies[f] == FIELD_ZERO) return;
    for (int i = 0; i < eq->n; i++)
        for (int k = K->start[i]; k < K->start[i + 1]; k++)
            x[i] += at->on_K[f][transposed ? eq->sys->transpose[k] : k] * u[K->column[k]];
}

/*     dq = dq_0 + sum_nu l_nu dZ^nu,   dv = (1/h) sum_nu l'_nu dZ^nu - v dh/h
 * and w with v, or with the stage momentum; of states l_nu + u_nu. */
static void move_point(tangent *tg, const samples *set, int i, const part_direction *d)
{
    const equations *eq = &tg->st->eq;
    const int        n = eq->n;
    const double    *l = set->at[eq->mirrored].l + i * (eq->d + 1);
    const double    *dl = set->at[eq->mirrored].dl + i * (eq->d + 1);
    memcpy(tg->dq, d->q, (size_t)n * sizeof *tg->dq);
    clear(tg->dv, n);
    tangent_add(tg->dv, -d->h / eq->h, set->v + i * n, n);
    for (int nu = 1; nu <= eq->d && d->dy; nu++) {
        tangent_add(tg->dq, l[nu], d->dy + (nu - 1) * n, n);
        tangent_add(tg->dv, dl[nu] / eq->h, d->dy + (nu - 1) * n, n);
        for (int k = 0; k < eq->upwind.states && set != &eq->force; k++) {
            const int j = eq->upwind.state_list[k];
            tg->dq[j] += eq->upwind.at[eq->mirrored][i * (eq->d + 1) + nu] * d->dy[(nu - 1) * n + j];
        }
    }
    memcpy(tg->dw, tg->dv, (size_t)n * sizeof *tg->dw);
    for (int j = 0; j < eq->phase && set == &eq->rule; j++)
        tg->dw[eq->phase_list[j]] = d->dy ? *stage_momentum(eq, d->dy, i, j) : 0;
}

/*     dQ^nu = dq_0 + dZ^nu */
static void move_control(tangent *tg, int nu, const part_direction *d)
{
    const int n = tg->st->eq.n;
    memcpy(tg->dq, d->q, (size_t)n * sizeof *tg->dq);
    if (nu && d->dy) tangent_add(tg->dq, 1, d->dy + (nu - 1) * n, n);
}

/* What changes at a point that stays where it is. False: nothing. */
bool tangent_vary(tangent *tg, const sys_point *at, double x, const part_direction *d)
{
    sys_direction along = d->written;
    along.t = d->t + x * d->h;
    if (!d->moves || !tg->vary) return false;
    tg->vary->eval(tg->vary->self, at, &along, &tg->written);
    return true;
}

/*     df += f_u du at a point of implicit forces */
static void add_inner_force(tangent *tg, const samples *set, int i, const double *dy)
{
    const equations *eq = &tg->st->eq;
    const pattern   *F = &eq->sys->inner->force;
    const double    *du = dy + eq->size + i * eq->sys->inner->size;
    for (int j = 0; j < eq->n; j++)
        for (int e = F->start[j]; e < F->start[j + 1]; e++)
            tg->df[j] += set->out[i].inner.f_u[e] * du[F->column[e]];
}

/*     dL_q = L_qq dq + L_qw dw + [L_q],   dL_w = L_wq dq + L_ww dw + [L_w]
 *     df = f_q dq + f_w dw + f_u du + [f],   dD likewise */
bool tangent_point(tangent *tg, const samples *set, int i, const part_direction *d)
{
    const equations  *eq = &tg->st->eq;
    const sys_values *at = &set->out[i];
    const bool        of_f = eq->sys->forced && (set == &eq->force || !eq->force.count);
    const int         n = eq->n;
    move_point(tg, set, i, d);
    clear(tg->dLq, n), clear(tg->dLw, n), clear(tg->df, n), clear(tg->dD, n);
    if (set == &eq->rule) {
        tangent_add_field(eq, at, F_LQQ, false, tg->dq, tg->dLq);
        tangent_add_field(eq, at, F_LQW, false, tg->dw, tg->dLq);
        tangent_add_field(eq, at, F_LQW, true, tg->dq, tg->dLw);
        tangent_add_field(eq, at, F_LWW, false, tg->dw, tg->dLw);
    }
    if (of_f)
        tangent_add_field(eq, at, F_FQ, false, tg->dq, tg->df),
            tangent_add_field(eq, at, F_FW, false, tg->dw, tg->df);
    if (eq->cd)
        tangent_add_field(eq, at, F_DQ, false, tg->dq, tg->dD),
            tangent_add_field(eq, at, F_DW, false, tg->dw, tg->dD);
    /* with the unknowns held, u is held too */
    if (of_f && eq->sys->inner && d->dy) add_inner_force(tg, set, i, d->dy);
    if (!tangent_vary(tg, &set->point[i], set->x[eq->mirrored][i], d)) return false;
    if (set == &eq->rule)
        tangent_add(tg->dLq, 1, tg->written.Lq, n), tangent_add(tg->dLw, 1, tg->written.Lw, n);
    if (of_f) tangent_add(tg->df, 1, tg->written.f, n);
    if (eq->cd) tangent_add(tg->dD, 1, tg->written.D, n);
    return true;
}

/* Rows. ---------------------------------------------------------------------------------------- */

/* What the points of L (and of f, if it is sampled there) add to the row nu, or to the momentum at
 * the end, which is their sum: nu = -1.
 *     dR_nu = sum_i b_i [l'_nu dP + h l_nu (dL_q + df) + dh l_nu (L_q + f)]^i
 *             - sum_i b_i [h u_nu dD + dh u_nu D]^i
 * Of damping the sum of all rows is that of forces. */
static void add_rule(const tangent *tg, int i, int nu, double dh, double *r)
{
    const equations  *eq = &tg->st->eq;
    const sys_values *at = &eq->rule.out[i];
    const double      cq = nu < 0 ? eq->h * eq->rule.b[i] : eq->cq[nu * eq->s + i],
                 more = cq * dh / eq->h;
    const double cw = nu < 0 ? 0 : eq->cw[nu * eq->s + i];
    const bool   of_f = eq->want.residual & WANT_FORCE;
    tangent_add(r, cq, tg->dLq, eq->n), tangent_add(r, more, at->Lq, eq->n),
        tangent_add(r, cw, tg->dLw, eq->n);
    for (int j = 0; j < eq->phase; j++) {
        int k = eq->phase_list[j];
        /* the momentum of a Hamiltonian coordinate at a stage is w, not L_w */
        r[k] += cw * (tg->dw[k] - tg->dLw[k]);
    }
    if (of_f) tangent_add(r, cq, tg->df, eq->n), tangent_add(r, more, at->f, eq->n);
    if (nu < 0 || !eq->cd) return;
    const double cd = eq->cd[nu * eq->s + i];
    tangent_add(r, cd, tg->dD, eq->n), tangent_add(r, cd * dh / eq->h, at->D, eq->n);
}

/*     h b'_j l_nu df + dh b'_j l_nu f;   nu = -1: the sum of all rows, l = 1 */
static void add_own_force(const tangent *tg, int j, int nu, double dh, double *r)
{
    const equations *eq = &tg->st->eq;
    const double     c = nu < 0 ? eq->h * eq->force.b[j] : eq->cf[nu * eq->force.count + j];
    tangent_add(r, c, tg->df, eq->n), tangent_add(r, c * dh / eq->h, eq->force.out[j].f, eq->n);
}

/* The change of (h w_nu) A^T lam^nu: reactions turn with q, grow with lam, and act longer. */
static void add_reaction(tangent *tg, int nu, const part_direction *d, double *r)
{
    const equations  *eq = &tg->st->eq;
    const pattern    *A = &eq->sys->A;
    const sys_values *at = &eq->control.out[nu];
    const double     *lam = eq->control.point[nu].lam;
    const double     *dlam = d->dy ? d->dy + eq->lam + nu * eq->relations : NULL;
    const double      longer = d->h / eq->h;
    move_control(tg, nu, d);
    clear(tg->df, eq->n);
    tangent_add_field(eq, at, F_CURV, false, tg->dq, tg->df);
    for (int a = 0; a < eq->relations; a++)
        for (int k = A->start[a]; k < A->start[a + 1]; k++)
            tg->df[A->column[k]] += at->A[k] * ((dlam ? dlam[a] : 0) + longer * lam[a]);
    if (tangent_vary(tg, &eq->control.point[nu], eq->control.x[0][nu], d))
        tangent_add(tg->df, 1, tg->written.reaction, eq->n);
    tangent_add(r, eq->impulse[nu], tg->df, eq->n);
}

/*     sum_k A_row,k x_k */
static double row_times(const pattern *A, const double *a, int row, const double *x)
{
    double sum = 0;
    for (int k = A->start[row]; k < A->start[row + 1]; k++) sum += a[k] * x[A->column[k]];
    return sum;
}

/*     dC_k = e_q dq + A dv + [e] at gamma_k,   dD_k = (G dq + [g])/h at x_k, where g = 0 */
static void relation_rows(tangent *tg, const part_direction *d, double *r)
{
    const equations *eq = &tg->st->eq;
    const pattern   *A = &eq->sys->A;
    for (int k = 0; k < eq->d; k++, r += eq->relations) {
        if (eq->along) retraction_rows_move(eq->along, eq, d->q, d->dy, d->h, tg->dq, tg->dv);
        else move_point(tg, &eq->gauss, k, d);
        bool varies = tangent_vary(tg, &eq->gauss.point[k], eq->gauss.x[eq->mirrored][k], d);
        for (int a = 0; a < eq->m; a++)
            r[a] = row_times(A, eq->gauss.out[k].eq, a, tg->dq) +
                   row_times(A, eq->gauss.out[k].A, a, tg->dv) + (varies ? tg->written.e[a] : 0);
        if (!eq->sys->r) continue;
        move_control(tg, k + 1, d);
        varies = tangent_vary(tg, &eq->control.point[k + 1], eq->control.x[0][k + 1], d);
        for (int a = eq->m; a < eq->relations; a++)
            r[a] = (row_times(A, eq->control.out[k + 1].A, a, tg->dq) +
                    (varies ? tg->written.g[a - eq->m] : 0)) /
                   eq->h;
    }
}

/* b_i h (dv + dLambda_w) */
static void phase_rows(const tangent *tg, int i, double *r)
{
    const equations *eq = &tg->st->eq;
    for (int j = 0; j < eq->phase; j++) {
        int k = eq->phase_list[j];
        r[eq->P + i * eq->phase + j] = eq->rule.b[i] * eq->h * (tg->dv[k] + tg->dLw[k]);
    }
}

/*     dc = c_q dq + c_v dv + c_w dw + [c], at a point that tangent_point was at */
static void inner_rows(tangent *tg, const samples *set, int i, bool varies, double *r)
{
    const equations    *eq = &tg->st->eq;
    const sys_inner    *in = eq->sys->inner;
    const inner_values *at = &set->out[i].inner;
    const pattern      *S = &in->of_state;
    r += eq->size + i * in->size;
    for (int k = 0; k < in->size; k++) {
        r[k] = varies ? tg->written.inner[k] : 0;
        for (int e = S->start[k]; e < S->start[k + 1]; e++) {
            int j = S->column[e];
            r[k] += at->c_q[e] * tg->dq[j] + at->c_v[e] * tg->dv[j];
            if (eq->phase_number[j] >= 0) r[k] += at->c_w[e] * tg->dw[j];
        }
    }
}

/* The change of the residual with the unknowns held. */
void tangent_residual(tangent *tg, const part_direction *d, double *r)
{
    const equations *eq = &tg->st->eq;
    clear(r, equations_extent(eq));
    memcpy(r, d->p, (size_t)eq->n * sizeof *r);
    for (int i = 0; i < eq->s; i++) {
        bool varies = tangent_point(tg, &eq->rule, i, d);
        for (int nu = 0; nu < eq->d; nu++) add_rule(tg, i, nu, d->h, r + nu * eq->n);
        phase_rows(tg, i, r);
        if (eq->sys->inner && !eq->force.count) inner_rows(tg, &eq->rule, i, varies, r);
    }
    for (int j = 0; j < eq->force.count; j++) {
        bool varies = tangent_point(tg, &eq->force, j, d);
        for (int nu = 0; nu < eq->d; nu++) add_own_force(tg, j, nu, d->h, r + nu * eq->n);
        if (eq->sys->inner) inner_rows(tg, &eq->force, j, varies, r);
    }
    if (!eq->relations) return;
    for (int nu = 0; nu < eq->d; nu++) add_reaction(tg, nu, d, r + nu * eq->n);
    relation_rows(tg, d, r + eq->lam);
}

/* The change of p^-, with the unknowns: the sum of all rows, in which the L_w cancel. */
void tangent_momentum(tangent *tg, const part_direction *d, double *dp)
{
    const equations *eq = &tg->st->eq;
    memcpy(dp, d->p, (size_t)eq->n * sizeof *dp);
    for (int i = 0; i < eq->s; i++)
        tangent_point(tg, &eq->rule, i, d), add_rule(tg, i, -1, d->h, dp);
    for (int j = 0; j < eq->force.count; j++)
        tangent_point(tg, &eq->force, j, d), add_own_force(tg, j, -1, d->h, dp);
    for (int nu = 0; nu < eq->d && eq->relations; nu++) add_reaction(tg, nu, d, dp);
}
