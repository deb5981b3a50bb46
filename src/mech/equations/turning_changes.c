/* turning_changes.c - how the rows of rotations change, and what their moving bases add. */
#include "mech/equations/turning_changes.h"

#include "mech/equations/turning_rows.h"
#include "model/charts.h"

#include <string.h>

static vector vector_at(const double *x)
{
    return (vector){{x[0], x[1], x[2]}};
}

static void put_vector(double *to, vector x)
{
    memcpy(to, x.x, sizeof x.x);
}

turning_changes *turning_changes_new(mem *m, int n)
{
    turning_changes *t = mem_array(m, 1, turning_changes);
    double         **of_n[] = {&t->eta, &t->at, &t->dS, &t->dM};
    for (size_t k = 0; k < sizeof of_n / sizeof *of_n; k++) *of_n[k] = mem_array(m, n, double);
    return t;
}

/*     u = D_a dZ^d/2 */
static vector half_turn(const equations *eq, const part_direction *d, int k)
{
    if (!d->dy) return (vector){{0}};
    const matrix D = chart_rate(eq->turn->a[k]);
    const vector dZ = vector_at(d->dy + (eq->d - 1) * eq->n + eq->sys->turns->first[k]);
    return vector_sum(0.5, matrix_on(&D, dZ), 0, dZ);
}

/*     exp(-a) x */
static vector seen_later(const equations *eq, int k, vector x)
{
    const matrix E = chart_exp(eq->turn->a[k]);
    return matrix_under(&E, x);
}

/* Points. -------------------------------------------------------------------------------------- */

void turning_changes_begin(const row_changes *c, const part_direction *d)
{
    const equations *eq = c->eq;
    const turning   *t = eq->sys->turns;
    memset(c->turn->dS, 0, (size_t)eq->n * sizeof(double));
    memset(c->turn->dM, 0, (size_t)eq->n * sizeof(double));
    for (int k = 0; k < t->count; k++) {
        const vector eta = seen_later(eq, k, vector_at(d->q + t->first[k]));
        put_vector(c->turn->eta + t->first[k], vector_sum(1, eta, 1, half_turn(eq, d, k)));
    }
}

void turning_changes_place(const row_changes *c, const part_direction *d)
{
    const equations *eq = c->eq;
    const turning   *t = eq->sys->turns;
    const double    *dZ = d->dy ? d->dy + (eq->d - 1) * eq->n : eq->zero;
    for (int k = 0; k < t->count; k++)
        for (int j = t->first[k]; j < t->first[k] + 3; j++) c->dq[j] -= d->q[j] + dZ[j] / 2;
}

/*     dL_q += L_q,eta eta,   dL_w += L_w,eta eta   (with forces), and d L_eta */
void turning_changes_fields(const row_changes *c, const sys_values *at)
{
    const pattern      *K = &c->eq->sys->K;
    const chart_values *base = at->base;
    turning_changes    *t = c->turn;
    add_entries(K, base->q_eta, t->eta, c->dLq), add_entries(K, base->w_eta, t->eta, c->dLw);
    if (c->eq->c.d) add_entries(K, base->D_eta, t->eta, c->dD);
    memset(t->at, 0, (size_t)c->eq->n * sizeof(double));
    add_entries(K, base->eta_q, c->dq, t->at), add_entries(K, base->eta_w, c->dw, t->at);
    add_entries(K, base->eta_eta, t->eta, t->at);
}

/* The same of A^T lam, lam held. */
void turning_changes_curvature(const row_changes *c, const sys_values *at)
{
    const pattern   *K = &c->eq->sys->K;
    turning_changes *t = c->turn;
    add_entries(K, at->base->q_eta, t->eta, c->df);
    memset(t->at, 0, (size_t)c->eq->n * sizeof(double));
    add_entries(K, at->base->eta_q, c->dq, t->at);
    add_entries(K, at->base->eta_eta, t->eta, t->at);
}

/* Rows. ---------------------------------------------------------------------------------------- */

/*     dm_0 = exp(-a) dmu_0 + m_0 x u */
static vector change_seen(const equations *eq, const part_direction *d, int k)
{
    const vector dmu = vector_at(d->p + eq->sys->turns->first[k]);
    const vector moved = vector_cross(eq->turn->m0[k], half_turn(eq, d, k));
    return vector_sum(1, seen_later(eq, k, dmu), 1, moved);
}

/*     dR_0 = (D_a^T dm_0 + D_-a^T dm_1 - dS)/2 + dG_0,   the unknowns held */
void turning_changes_rows(const row_changes *c, const part_direction *d, double *r)
{
    const equations *eq = c->eq;
    const turning   *t = eq->sys->turns;
    for (int k = 0; k < t->count; k++) {
        const int    first = t->first[k];
        const matrix D = chart_rate(eq->turn->a[k]);
        const vector dm0 = change_seen(eq, d, k);
        const vector dm1 = vector_sum(1, dm0, 1, vector_at(c->turn->dM + first));
        const vector ends = vector_sum(1, matrix_under(&D, dm0), 1, matrix_on(&D, dm1));
        for (int i = 0; i < 3; i++)
            r[first + i] += (ends.x[i] - c->turn->dS[first + i]) / 2 - d->p[first + i];
        for (int nu = 0; nu < eq->d && t->direction[k]; nu++) r[nu * eq->n + first + 2] = 0;
    }
}

/*     mu_1 = exp(-a) m_1 */
static vector momentum_at_end(const equations *eq, int k)
{
    return seen_later(eq, k, vector_sum(1, eq->turn->m0[k], 1, eq->turn->M[k]));
}

void turning_changes_momentum(const row_changes *c, const part_direction *d, double *dp)
{
    const equations *eq = c->eq;
    const turning   *t = eq->sys->turns;
    for (int k = 0; k < t->count; k++) {
        const vector dM = vector_at(c->turn->dM + t->first[k]);
        const vector dm1 = vector_sum(1, change_seen(eq, d, k), 1, dM);
        const vector moved = vector_cross(momentum_at_end(eq, k), half_turn(eq, d, k));
        put_vector(dp + t->first[k], vector_sum(1, seen_later(eq, k, dm1), 1, moved));
    }
}

void turning_changes_end(const row_changes *c, const part_direction *d, double *dq)
{
    const equations *eq = c->eq;
    const turning   *t = eq->sys->turns;
    for (int k = 0; k < t->count; k++) {
        const vector eta = seen_later(eq, k, vector_at(c->turn->eta + t->first[k]));
        put_vector(dq + t->first[k], vector_sum(1, eta, 1, half_turn(eq, d, k)));
    }
}

/* Directions. ---------------------------------------------------------------------------------- */

static matrix matrix_in(int n, const double *q, int k)
{
    matrix R;
    memcpy(R.x, q + n + TURNING_MATRIX * k, sizeof R.x);
    return R;
}

static const vector e3 = {{0, 0, 1}};

/* In body axes, where n = e_3, p = mu x e_3 and dn is perpendicular to n:
 *     eta = e_3 x dn,   dmu = dn x p + e_3 x dp - eta x mu */
void turning_changes_to_body(const turning *t, int n, const double *q, const double *mu, double *dq,
                             double *dp)
{
    for (int k = 0; k < t->count; k++) {
        const int    i = t->first[k];
        const matrix R = matrix_in(n, q, k);
        const vector m = vector_at(mu + i),
                     eta = vector_cross(e3, matrix_under(&R, vector_at(dq + i)));
        const vector moment =
            vector_sum(1, vector_cross(vector_cross(eta, e3), vector_cross(m, e3)), 1,
                       vector_cross(e3, matrix_under(&R, vector_at(dp + i))));
        if (!t->direction[k]) continue;
        put_vector(dq + i, eta),
            put_vector(dp + i, vector_sum(1, moment, -1, vector_cross(eta, m)));
    }
}

/*     dn = eta x e_3,   dp = (dmu + eta x mu) x e_3 + mu x dn */
void turning_changes_to_space(const turning *t, int n, const double *q, const double *mu,
                              double *dq, double *dp)
{
    for (int k = 0; k < t->count; k++) {
        const int    i = t->first[k];
        const matrix R = matrix_in(n, q, k);
        const vector m = vector_at(mu + i), eta = vector_at(dq + i), dn = vector_cross(eta, e3);
        const vector moment = vector_sum(1, vector_at(dp + i), 1, vector_cross(eta, m));
        const vector moved = vector_sum(1, vector_cross(moment, e3), 1, vector_cross(m, dn));
        if (!t->direction[k]) continue;
        put_vector(dq + i, matrix_on(&R, dn)), put_vector(dp + i, matrix_on(&R, moved));
    }
}

/* Charts. -------------------------------------------------------------------------------------- */

void turning_changes_in_chart(const turning *t, int sign, const double *mu, const double *dq,
                              double *dp)
{
    for (int k = 0; k < t->count; k++) {
        const int    i = t->first[k];
        const vector moved = vector_cross(vector_at(mu + i), vector_at(dq + i));
        for (int j = 0; j < 3; j++) dp[i + j] -= 0.5 * sign * moved.x[j];
    }
}
