/* rate_tables.c - computes the tables of rate_tables.h from the basis of the curve, in extended
 * precision. */
#include "mech/solve/rate_tables.h"

#include "mech/solve/stages.h"

#include <float.h>

/* Velocity constraints must hold where L is sampled: at Gauss' points. */
bool rates_fit(const equations *eq)
{
    if (eq->s != eq->d || eq->phase || eq->force.count || eq->shot || eq->along) return false;
    for (int i = 0; i < eq->d && eq->m; i++)
        if (eq->rule.x[0][i] != eq->gauss.x[0][i]) return false;
    return true;
}

/* The inverse of l'_mu(c_i), by rows mu: increments of the nodes from velocities, over h. */
static long double *increments(mem *m, const stage_tables *t)
{
    const int    d = t->d;
    long double *slope = mem_array(m, d * d, long double), *N = mem_array(m, d * d, long double);
    for (int i = 0; i < d; i++) {
        N[i * d + i] = 1;
        for (int mu = 0; mu < d; mu++) slope[i * d + mu] = t->dl[i * (d + 1) + mu + 1];
    }
    table_solve(m, slope, N, d, d);
    return N;
}

/* Rows nu of the step, sum_i b_i l'_nu L_w^i + ..., solved for L_w^i: what becomes of the weights
 * w_nu of reactions, and of p_0 in the first row. */
static void solve_rows(mem *m, const equations *eq, const stage_tables *t, rate_tables *r)
{
    const int    d = t->d;
    long double *T = mem_array(m, d * d, long double), *x = mem_array(m, d * (d + 1), long double);
    for (int nu = 0; nu < d; nu++) {
        for (int i = 0; i < d; i++) {
            T[nu * d + i] = eq->rule.b[i] * t->dl[i * (d + 1) + nu];
            /* E^-1 = -(b_i l'_nu)/w_nu, without solving */
            r->unreact[nu * d + i] = (double)(-T[nu * d + i] / eq->control.b[nu]);
        }
        x[nu * (d + 1) + nu] = -(long double)eq->control.b[nu];
        x[nu * (d + 1) + d] = nu ? 0 : -1;
    }
    table_solve(m, T, x, d, d + 1);
    for (int i = 0; i < d; i++) {
        for (int nu = 0; nu < d; nu++) r->react[i * d + nu] = (double)x[i * (d + 1) + nu];
        r->rest[i] = (double)x[i * (d + 1) + d];
    }
}

/* Rows nu of the forces, h sum_k b_k l_nu(c_k) F^k, likewise; and positions at the points. */
static void solve_forces(mem *m, const equations *eq, const stage_tables *t, rate_tables *r)
{
    const int    d = t->d;
    long double *T = mem_array(m, d * d, long double), *x = mem_array(m, d * d, long double);
    for (int nu = 0; nu < d; nu++)
        for (int i = 0; i < d; i++) {
            T[nu * d + i] = eq->rule.b[i] * t->dl[i * (d + 1) + nu];
            x[nu * d + i] = -eq->rule.b[i] * t->l[i * (d + 1) + nu];
        }
    table_solve(m, T, x, d, d);
    for (int k = 0; k < d * d; k++) r->push[k] = (double)x[k];
}

/*     N = (l'_mu(c_i))^-1,   a_ik = sum_mu l_mu(c_i) N_mu,k
 * The row of the node x_0 = 0 is 0. */
rate_tables rates_of(mem *m, const equations *eq, int side)
{
    const int          d = eq->d;
    const stage_tables t = stages_of(m, eq, side, DBL_MANT_DIG);
    const long double *N = increments(m, &t);
    rate_tables        r = {d,
                            mem_array(m, d * d, double),
                            mem_array(m, d * d, double),
                            mem_array(m, (d + 1) * d, double),
                            mem_array(m, d * d, double),
                            mem_array(m, d * d, double),
                            mem_array(m, d, double)};
    for (int i = 0; i < d; i++)
        for (int k = 0; k < d; k++) {
            long double at = 0;
            for (int mu = 0; mu < d; mu++) at += t.l[i * (d + 1) + mu + 1] * N[mu * d + k];
            r.a[i * d + k] = (double)at;
            r.nodes[(i + 1) * d + k] = (double)N[i * d + k];
        }
    solve_rows(m, eq, &t, &r);
    solve_forces(m, eq, &t, &r);
    return r;
}
