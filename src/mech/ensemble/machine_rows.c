/* machine_rows.c - residual and Jacobian of the steps of a block, point by point: what residual.c
 * and jacobian.c do for one member, without relations. */
#include "mech/ensemble/machine.h"

#include <string.h>

/* to += c x */
static void add(double *restrict to, double c, const double *restrict x)
{
    for (int l = 0; l < LANES; l++) to[l] += c * x[l];
}

/* to += c x y */
static void add_product(double *restrict to, double c, const double *restrict x,
                        const double *restrict y)
{
    for (int l = 0; l < LANES; l++) to[l] += c * (x[l] * y[l]);
}

/*     cw = b_i l'_nu(c_i),  cq = h b_i l_nu(c_i)                            theory.md [GALERKIN] */
void lane_rows_tune(lane_machine *k, double h)
{
    const samples *rule = &k->eq->rule;
    const basis   *at = &rule->at[k->side];
    k->c.h = h;
    for (int i = 0; i < rule->count; i++)
        for (int nu = 0; nu < k->d; nu++) {
            const double *l = at->l + i * (k->d + 1) + nu, *dl = at->dl + i * (k->d + 1) + nu;
            k->c.cw[i * k->d + nu] = rule->b[i] * dl[0],
                               k->c.cq[i * k->d + nu] = h * rule->b[i] * l[0];
            k->c.l[i * k->d + nu] = l[1], k->c.slope[i * k->d + nu] = dl[1] / h;
        }
}

/*     q^i = q_0 + sum_nu l_nu(c_i) Z^nu,   v^i = (1/h) sum_nu l'_nu(c_i) Z^nu  theory.md [CURVE] */
static void place(lane_machine *k, const lane_state *s, int i)
{
    for (int j = 0; j < k->n; j++) {
        double *q = entry(k->q, j), *v = entry(k->v, j);
        memcpy(q, entry(s->q_low, j), LANES * sizeof *q);
        memset(v, 0, LANES * sizeof *v);
        for (int nu = 0; nu < k->d; nu++) {
            add(q, k->c.l[i * k->d + nu], entry(k->y, j * k->d + nu));
            add(v, k->c.slope[i * k->d + nu], entry(k->y, j * k->d + nu));
        }
        add(q, 1, entry(s->q, j));
    }
}

static void evaluate(lane_machine *k, const lane_state *s, double t, int i, unsigned want)
{
    const double  x = k->eq->rule.x[k->side][i];
    members_point at = {.t = t + x * k->c.h, .q = k->q, .w = k->v, .u = s->u};
    place(k, s, i);
    members_eval_run(k->of, want, &at, &k->out);
}

/*     R_nu = delta_{nu 0} p_0 + sum_i cw L_w + cq (L_q + f) */
static void add_rows(lane_machine *k, int i)
{
    for (int j = 0; j < k->n; j++)
        for (int nu = 0; nu < k->d; nu++) {
            double *r = entry(k->r, j * k->d + nu);
            add(r, k->c.cw[i * k->d + nu], entry(k->out.Lw, j));
            add(r, k->c.cq[i * k->d + nu], entry(k->out.Lq, j));
            if (k->residual & WANT_FORCE) add(r, k->c.cq[i * k->d + nu], entry(k->out.f, j));
        }
}

/* One field of an entry (row, column) of K into the rows and columns of its coordinates. */
static void spread(lane_machine *k, const double *x, const double *by_row, const double *by_column,
                   int i, int j)
{
    for (int nu = 0; nu < k->d; nu++)
        for (int mu = 0; mu < k->d; mu++) {
            const double c = by_row[nu] * by_column[mu];
            if (c != 0) add(entry(k->J, (i * k->d + nu) * k->N + j * k->d + mu), c, x);
        }
}

/* The summands of the Jacobian at point i: field, factor of the row, factor of the column.
 *                                                                             theory.md [NEWTON] */
static void add_entries(lane_machine *k, int i)
{
    const dal_system *sys = k->eq->sys;
    const double     *cw = k->c.cw + i * k->d, *cq = k->c.cq + i * k->d;
    const double     *l = k->c.l + i * k->d, *slope = k->c.slope + i * k->d;
    const struct {
        field         of;
        const double *by_row, *by_column;
        bool          transposed;
    } sum[] = {{F_LWW, cw, slope, false}, {F_LQW, cw, l, true},    {F_LQW, cq, slope, false},
                {F_LQQ, cq, l, false},     {F_FQ, cq, l, false},    {F_FW, cq, slope, false}};
    for (size_t p = 0; p < sizeof sum / sizeof *sum; p++) {
        const bool of_force = sum[p].of == F_FQ || sum[p].of == F_FW;
        if (!sys->varies[sum[p].of] || (of_force && !sys->forced)) continue;
        for (int row = 0; row < k->n; row++)
            for (int e = sys->K.start[row]; e < sys->K.start[row + 1]; e++) {
                const int from = sum[p].transposed ? sys->transpose[e] : e;
                if (!sys->present[sum[p].of][from]) continue;
                spread(k, entry(k->out.on_K[sum[p].of], from), sum[p].by_row, sum[p].by_column, row,
                       sys->K.column[e]);
            }
    }
}

void lane_rows_residual(lane_machine *k, const lane_state *s, double t, bool with_jacobian)
{
    memset(k->r, 0, (size_t)k->N * LANES * sizeof *k->r);
    for (int j = 0; j < k->n; j++)
        memcpy(entry(k->r, j * k->d), entry(s->p, j), LANES * sizeof *k->r);
    if (with_jacobian) memset(k->J, 0, (size_t)(k->N * k->N) * LANES * sizeof *k->J);
    for (int i = 0; i < k->eq->rule.count; i++) {
        evaluate(k, s, t, i, with_jacobian ? k->jacobian : k->residual);
        add_rows(k, i);
        if (with_jacobian) add_entries(k, i);
    }
    for (int j = 0; j < k->n; j++) add(entry(k->r, j * k->d), 1, entry(s->p_low, j));
}

/*     p^- - p_0 = h sum_i b_i (L_q + f)^i,  h sum_i b_i f^i . v^i  theory.md [SUMMATION] [POWER] */
void lane_rows_finish(lane_machine *k, const lane_state *s, double t)
{
    const samples *rule = &k->eq->rule;
    memset(k->dp, 0, (size_t)k->n * LANES * sizeof *k->dp);
    memset(k->work, 0, sizeof k->work);
    for (int i = 0; i < rule->count; i++) {
        evaluate(k, s, t, i, k->residual);
        for (int j = 0; j < k->n; j++) {
            add(entry(k->dp, j), rule->b[i], entry(k->out.Lq, j));
            if (!(k->residual & WANT_FORCE)) continue;
            add(entry(k->dp, j), rule->b[i], entry(k->out.f, j));
            add_product(k->work, k->c.h * rule->b[i], entry(k->out.f, j), entry(k->v, j));
        }
    }
    for (int j = 0; j < k->n; j++)
        for (int l = 0; l < LANES; l++) entry(k->dp, j)[l] *= k->c.h;
}
