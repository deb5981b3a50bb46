/* row_changes.c - every sample point, every row of the residual and the final momentum, each with
 * its change in one direction.                                               theory.md [TANGENT] */
#include "mech/equations/row_changes.h"

#include "mech/equations/retraction_rows.h"
#include "mech/equations/turning_changes.h"
#include "model/charts.h"

#include <string.h>

void row_changes_init(row_changes *c, mem *m, equations *eq)
{
    double **of_n[] = {&c->dq,         &c->dv,        &c->dw,        &c->dLq,
                       &c->dLw,        &c->df,        &c->dD,        &c->written.Lq,
                       &c->written.Lw, &c->written.f, &c->written.D, &c->written.reaction};
    *c = (row_changes){.eq = eq};
    for (size_t k = 0; k < sizeof of_n / sizeof *of_n; k++) *of_n[k] = mem_array(m, eq->n, double);
    c->written.e = mem_array(m, eq->relations + 1, double);
    c->written.g = mem_array(m, eq->sys->r + 1, double);
    c->written.L = mem_array(m, 1, double), c->written.Lt = mem_array(m, 1, double);
    if (eq->sys->inner) c->written.inner = mem_array(m, eq->sys->inner->size, double);
    if (!eq->turn) return;
    c->turn = turning_changes_new(m, eq->n);
    c->written.eta = mem_array(m, eq->n, double);
    c->written.reaction_eta = mem_array(m, eq->n, double);
}

/* Points. -------------------------------------------------------------------------------------- */

static void clear(double *x, int n)
{
    memset(x, 0, (size_t)n * sizeof *x);
}

void add_times(double *x, double c, const double *y, int n)
{
    if (c != 0)
        for (int j = 0; j < n; j++) x[j] += c * y[j];
}

void add_entries(const pattern *K, const double *entry, const double *u, double *x)
{
    for (int i = 0; i < K->rows; i++)
        for (int k = K->start[i]; k < K->start[i + 1]; k++) x[i] += entry[k] * u[K->column[k]];
}

void add_field(const equations *eq, const sys_values *at, field f, bool transposed, const double *u,
               double *x)
{
    const pattern *K = &eq->sys->K;
    if (eq->sys->varies[f] == FIELD_ZERO) return;
    if (!transposed) add_entries(K, at->on_K[f], u, x);
    for (int i = 0; i < eq->n && transposed; i++)
        for (int k = K->start[i]; k < K->start[i + 1]; k++)
            x[i] += at->on_K[f][eq->sys->transpose[k]] * u[K->column[k]];
}

/*     dq = dq_0 + sum_nu l_nu dZ^nu,   dv = (1/h) sum_nu l'_nu dZ^nu - v dh/h
 * and w with v, or with the stage momentum; of states l_nu + u_nu. */
static void move_point(row_changes *c, const samples *set, int i, const part_direction *d)
{
    const equations *eq = c->eq;
    const int        n = eq->n;
    const double    *l = set->at[eq->mirrored].l + i * (eq->d + 1);
    const double    *dl = set->at[eq->mirrored].dl + i * (eq->d + 1);
    memcpy(c->dq, d->q, (size_t)n * sizeof *c->dq);
    clear(c->dv, n);
    add_times(c->dv, -d->h / eq->h, set->v + i * n, n);
    for (int nu = 1; nu <= eq->d && d->dy; nu++) {
        add_times(c->dq, l[nu], d->dy + (nu - 1) * n, n);
        add_times(c->dv, dl[nu] / eq->h, d->dy + (nu - 1) * n, n);
        for (int k = 0; k < eq->upwind.states && set != &eq->force; k++) {
            const int j = eq->upwind.state_list[k];
            c->dq[j] += eq->upwind.at[eq->mirrored][i * (eq->d + 1) + nu] * d->dy[(nu - 1) * n + j];
        }
    }
    if (c->turn) turning_changes_place(c, d);
    memcpy(c->dw, c->dv, (size_t)n * sizeof *c->dw);
    for (int j = 0; j < eq->phase && set == &eq->rule; j++)
        c->dw[eq->phase_list[j]] = d->dy ? *stage_momentum(eq, d->dy, i, j) : 0;
}

/*     dQ^nu = dq_0 + dZ^nu */
static void move_control(row_changes *c, int nu, const part_direction *d)
{
    const int n = c->eq->n;
    memcpy(c->dq, d->q, (size_t)n * sizeof *c->dq);
    if (nu && d->dy) add_times(c->dq, 1, d->dy + (nu - 1) * n, n);
    if (c->turn) turning_changes_place(c, d);
}

/* What changes at a point that stays where it is. False: nothing. */
bool row_changes_written(row_changes *c, const sys_point *at, double x, const part_direction *d)
{
    sys_direction along = d->written;
    along.t = d->t + x * d->h;
    if (!d->moves || !c->vary) return false;
    c->vary->eval(c->vary->self, at, &along, &c->written);
    return true;
}

/*     df += f_u du at a point of implicit forces */
static void add_inner_force(row_changes *c, const samples *set, int i, const double *dy)
{
    const equations *eq = c->eq;
    const pattern   *F = &eq->sys->inner->force;
    const double    *du = dy + eq->size + i * eq->sys->inner->size;
    for (int j = 0; j < eq->n; j++)
        for (int e = F->start[j]; e < F->start[j + 1]; e++)
            c->df[j] += set->out[i].inner.f_u[e] * du[F->column[e]];
}

/*     dL_q = L_qq dq + L_qw dw + [L_q],   dL_w = L_wq dq + L_ww dw + [L_w]
 *     df = f_q dq + f_w dw + f_u du + [f],   dD likewise */
bool row_changes_at(row_changes *c, const samples *set, int i, const part_direction *d)
{
    const equations  *eq = c->eq;
    const sys_values *at = &set->out[i];
    const bool        of_f = eq->sys->forced && (set != &eq->rule || !eq->force.count);
    const int         n = eq->n;
    move_point(c, set, i, d);
    clear(c->dLq, n), clear(c->dLw, n), clear(c->df, n), clear(c->dD, n);
    if (set == &eq->rule) {
        add_field(eq, at, F_LQQ, false, c->dq, c->dLq);
        add_field(eq, at, F_LQW, false, c->dw, c->dLq);
        add_field(eq, at, F_LQW, true, c->dq, c->dLw);
        add_field(eq, at, F_LWW, false, c->dw, c->dLw);
    }
    if (of_f)
        add_field(eq, at, F_FQ, false, c->dq, c->df), add_field(eq, at, F_FW, false, c->dw, c->df);
    if (eq->c.d)
        add_field(eq, at, F_DQ, false, c->dq, c->dD), add_field(eq, at, F_DW, false, c->dw, c->dD);
    if (c->turn && set == &eq->rule) turning_changes_fields(c, at);
    /* with the unknowns held, u is held too */
    if (of_f && eq->sys->inner && d->dy) add_inner_force(c, set, i, d->dy);
    if (!row_changes_written(c, &set->point[i], set->x[eq->mirrored][i], d)) return false;
    if (set == &eq->rule)
        add_times(c->dLq, 1, c->written.Lq, n), add_times(c->dLw, 1, c->written.Lw, n);
    if (of_f) add_times(c->df, 1, c->written.f, n);
    if (eq->c.d) add_times(c->dD, 1, c->written.D, n);
    if (c->turn) add_times(c->turn->at, 1, c->written.eta, n);
    return true;
}

/* Rows. ---------------------------------------------------------------------------------------- */

/* What the points of L (and of f, if it is sampled there) add to the row nu, or to the momentum at
 * the end, which is their sum: nu = -1.
 *     dR_nu = sum_i b_i [l'_nu dP + h l_nu (dL_q + df) + dh l_nu (L_q + f)]^i
 *             - sum_i b_i [h u_nu dD + dh u_nu D]^i
 * Of damping the sum of all rows is that of forces. */
static void add_rule(const row_changes *c, int i, int nu, double dh, double *r)
{
    const equations  *eq = c->eq;
    const sys_values *at = &eq->rule.out[i];
    const double      cq = nu < 0 ? eq->h * eq->rule.b[i] : eq->c.q[nu * eq->s + i],
                 more = cq * dh / eq->h;
    const double cw = nu < 0 ? 0 : eq->c.w[nu * eq->s + i];
    const bool   of_f = eq->want.residual & WANT_FORCE;
    add_times(r, cq, c->dLq, eq->n), add_times(r, more, at->Lq, eq->n),
        add_times(r, cw, c->dLw, eq->n);
    for (int j = 0; j < eq->phase; j++) {
        int k = eq->phase_list[j];
        /* the momentum of a Hamiltonian coordinate at a stage is w, not L_w */
        r[k] += cw * (c->dw[k] - c->dLw[k]);
    }
    if (of_f) add_times(r, cq, c->df, eq->n), add_times(r, more, at->f, eq->n);
    if (nu < 0 || !eq->c.d) return;
    const double cd = eq->c.d[nu * eq->s + i];
    add_times(r, cd, c->dD, eq->n), add_times(r, cd * dh / eq->h, at->D, eq->n);
}

/*     dS and dM = sum_i h b_i [d x + x dh/h]^i,   x = L_q + f, L_eta + f */
static void add_turning(const row_changes *c, int i, double dh)
{
    const equations *eq = c->eq;
    const double     hb = eq->h * eq->rule.b[i];
    add_rule(c, i, -1, dh, c->turn->dS);
    add_times(c->turn->dM, hb, c->turn->at, eq->n);
    add_times(c->turn->dM, hb * dh / eq->h, eq->rule.out[i].base->eta, eq->n);
}

/*     h b'_j l_nu df + dh b'_j l_nu f;   nu = -1: the sum of all rows, l = 1 */
static void add_own_force(const row_changes *c, int j, int nu, double dh, double *r)
{
    const equations *eq = c->eq;
    const double     b = nu < 0 ? eq->h * eq->force.b[j] : eq->c.f[nu * eq->force.count + j];
    add_times(r, b, c->df, eq->n), add_times(r, b * dh / eq->h, eq->force.out[j].f, eq->n);
}

/* The change of A^T lam at a point of relations, where c->dq is known, and of their duration:
 * reactions turn with q, grow with lam, and act longer. */
static void change_reaction(row_changes *c, const samples *set, int i, bool inside,
                            const part_direction *d)
{
    const equations  *eq = c->eq;
    const pattern    *A = &eq->sys->A;
    const sys_values *at = &set->out[i];
    const double     *lam = set->point[i].lam;
    const double     *dlam = d->dy ? d->dy + eq->lam + i * eq->relations : NULL;
    const double      longer = d->h / eq->h;
    clear(c->df, eq->n);
    add_field(eq, at, F_CURV, false, c->dq, c->df);
    if (c->turn) turning_changes_curvature(c, at);
    for (int a = 0; a < eq->relations; a++)
        for (int k = A->start[a]; k < A->start[a + 1] && acts_inside(eq, a) == inside; k++) {
            const double more = (dlam ? dlam[a] : 0) + longer * lam[a];
            c->df[A->column[k]] += at->A[k] * more;
            if (c->turn) c->turn->at[A->column[k]] += at->base->A_eta[k] * more;
        }
    if (!row_changes_written(c, &set->point[i], set->x[inside && eq->mirrored][i], d)) return;
    add_times(c->df, 1, c->written.reaction, eq->n);
    if (c->turn) add_times(c->turn->at, 1, c->written.reaction_eta, eq->n);
}

/* The change of h w_nu A^T lam^nu, in row nu and in the sum of all rows. */
static void add_reaction(row_changes *c, int nu, const part_direction *d, double *r)
{
    move_control(c, nu, d);
    change_reaction(c, &c->eq->control, nu, false, d);
    add_times(r, c->eq->impulse[nu], c->df, c->eq->n);
    if (!c->turn) return;
    add_times(c->turn->dS, c->eq->impulse[nu], c->df, c->eq->n);
    add_times(c->turn->dM, c->eq->impulse[nu], c->turn->at, c->eq->n);
}

/* And of h b_i l_nu(c_i) A^T lam^i, to all rows, or with l = 1 to their sum. */
static void add_inner_reaction(row_changes *c, int i, const part_direction *d, bool sum, double *r)
{
    const equations *eq = c->eq;
    move_point(c, &eq->gauss, i, d);
    change_reaction(c, &eq->gauss, i, true, d);
    for (int nu = 0; nu < (sum ? 1 : eq->d); nu++)
        add_times(r + nu * eq->n, sum ? eq->h * eq->gauss.b[i] : inner_impulse(eq, nu, i), c->df,
                  eq->n);
}

/*     sum_k A_row,k x_k */
static double row_times(const pattern *A, const double *a, int row, const double *x)
{
    double sum = 0;
    for (int k = A->start[row]; k < A->start[row + 1]; k++) sum += a[k] * x[A->column[k]];
    return sum;
}

/*     dC_k = e_q dq + A dv + [e] at gamma_k,   dD_k = (G dq + [g])/h at x_k, where g = 0
 * and by the bases of rotations e_eta eta, A_eta eta/h */
static void relation_rows(row_changes *c, const part_direction *d, double *r)
{
    const equations *eq = c->eq;
    const pattern   *A = &eq->sys->A;
    for (int k = 0; k < eq->d; k++, r += eq->relations) {
        if (eq->along) retraction_rows_move(eq->along, eq, d->q, d->dy, d->h, c->dq, c->dv);
        else move_point(c, &eq->gauss, k, d);
        bool varies = row_changes_written(c, &eq->gauss.point[k], eq->gauss.x[eq->mirrored][k], d);
        for (int a = 0; a < eq->m; a++)
            r[a] = row_times(A, eq->gauss.out[k].eq, a, c->dq) +
                   row_times(A, eq->gauss.out[k].A, a, c->dv) + (varies ? c->written.e[a] : 0) +
                   (c->turn ? row_times(A, eq->gauss.out[k].base->e_eta, a, c->turn->eta) : 0);
        for (int inside = 0; inside < (eq->inside ? 2 : 1) && eq->sys->r; inside++) {
            const samples *set = inside ? &eq->gauss : &eq->control;
            const int      i = inside ? k : k + 1;
            if (inside) move_point(c, set, i, d);
            else move_control(c, i, d);
            varies = row_changes_written(c, &set->point[i], set->x[inside && eq->mirrored][i], d);
            for (int a = eq->m; a < eq->relations; a++)
                if (acts_inside(eq, a) == inside)
                    r[a] =
                        (row_times(A, set->out[i].A, a, c->dq) +
                         (varies ? c->written.g[a - eq->m] : 0) +
                         (c->turn ? row_times(A, set->out[i].base->A_eta, a, c->turn->eta) : 0)) /
                        eq->h;
        }
    }
}

/* b_i h (dv + dLambda_w) */
static void phase_rows(const row_changes *c, int i, double *r)
{
    const equations *eq = c->eq;
    for (int j = 0; j < eq->phase; j++) {
        int k = eq->phase_list[j];
        r[eq->P + i * eq->phase + j] = eq->rule.b[i] * eq->h * (c->dv[k] + c->dLw[k]);
    }
}

/*     dc = c_q dq + c_v dv + c_w dw + [c], at a point that row_changes_at was at */
static void inner_rows(row_changes *c, const samples *set, int i, bool varies, double *r)
{
    const equations    *eq = c->eq;
    const sys_inner    *in = eq->sys->inner;
    const inner_values *at = &set->out[i].inner;
    const pattern      *S = &in->of_state;
    r += eq->size + i * in->size;
    for (int k = 0; k < in->size; k++) {
        r[k] = varies ? c->written.inner[k] : 0;
        for (int e = S->start[k]; e < S->start[k + 1]; e++) {
            int j = S->column[e];
            r[k] += at->c_q[e] * c->dq[j] + at->c_v[e] * c->dv[j];
            if (eq->phase_number[j] >= 0) r[k] += at->c_w[e] * c->dw[j];
        }
    }
}

/* The change of the residual with the unknowns held. */
void row_changes_residual(row_changes *c, const part_direction *d, double *r)
{
    const equations *eq = c->eq;
    clear(r, equations_extent(eq));
    memcpy(r, d->p, (size_t)eq->n * sizeof *r);
    if (c->turn) turning_changes_begin(c, d);
    for (int i = 0; i < eq->s; i++) {
        bool varies = row_changes_at(c, &eq->rule, i, d);
        for (int nu = 0; nu < eq->d; nu++) add_rule(c, i, nu, d->h, r + nu * eq->n);
        if (c->turn) add_turning(c, i, d->h);
        phase_rows(c, i, r);
        if (eq->sys->inner && !eq->force.count) inner_rows(c, &eq->rule, i, varies, r);
    }
    for (int j = 0; j < eq->force.count; j++) {
        bool varies = row_changes_at(c, &eq->force, j, d);
        for (int nu = 0; nu < eq->d; nu++) add_own_force(c, j, nu, d->h, r + nu * eq->n);
        if (eq->sys->inner) inner_rows(c, &eq->force, j, varies, r);
    }
    for (int nu = 0; nu < eq->d && eq->relations; nu++) add_reaction(c, nu, d, r + nu * eq->n);
    for (int i = 0; i < eq->d && eq->inside; i++) add_inner_reaction(c, i, d, false, r);
    if (eq->relations) relation_rows(c, d, r + eq->lam);
    if (c->turn) turning_changes_rows(c, d, r);
}

/* The change of p^-, with the unknowns: the sum of all rows, in which the L_w cancel. */
void row_changes_momentum(row_changes *c, const part_direction *d, double *dp)
{
    const equations *eq = c->eq;
    memcpy(dp, d->p, (size_t)eq->n * sizeof *dp);
    if (c->turn) turning_changes_begin(c, d);
    for (int i = 0; i < eq->s; i++) {
        row_changes_at(c, &eq->rule, i, d), add_rule(c, i, -1, d->h, dp);
        if (c->turn) add_turning(c, i, d->h);
    }
    for (int j = 0; j < eq->force.count; j++)
        row_changes_at(c, &eq->force, j, d), add_own_force(c, j, -1, d->h, dp);
    for (int nu = 0; nu < eq->d && eq->relations; nu++) add_reaction(c, nu, d, dp);
    for (int i = 0; i < eq->d && eq->inside; i++) add_inner_reaction(c, i, d, true, dp);
    if (c->turn) turning_changes_momentum(c, d, dp);
}
