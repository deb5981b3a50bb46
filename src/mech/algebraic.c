/* algebraic.c - moves q along U until the forces there balance, by Newton's iteration. */
#include "mech/algebraic.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ITERATIONS_MOST = 30 };

void algebraic_init(algebraic *a, mem *m, dal_system *sys, const grid_equations *g)
{
    const int n = sys->n, k = g->k - g->resistive;
    *a = (algebraic){.sys = sys, .n = n, .k = k, .U = g->U + g->resistive * n};
    if (!k) return;
    a->full = (pattern){k, k, mem_array(m, k + 1, int), mem_array(m, k * k, int)};
    for (int e = 0; e < k * k; e++) a->full.column[e] = e % k;
    for (int i = 0; i <= k; i++) a->full.start[i] = i * k;
    a->lu = solver_new(m, &a->full, NULL);
    a->values = mem_array(m, k * k, double);
    a->x = mem_array(m, k, double);
    a->q = mem_array(m, n, double);
    a->dq = mem_array(m, n, double);
    a->out = g->out; /* the room of the end solve serves here too */
}

void algebraic_free(algebraic *a)
{
    if (a->k) solver_free(a->lu);
    a->lu = NULL, a->k = 0;
}

/* (L_wq v + L_wt)_i: how L_w changes with the motion */
static double drift(const algebraic *a, int i, const double *v)
{
    const pattern *K = &a->sys->K;
    double         sum = a->out.Lwt[i];
    for (int e = K->start[i]; e < K->start[i + 1]; e++)
        sum += a->out.on_K[F_LQW][a->sys->transpose[e]] * v[K->column[e]];
    return sum;
}

/*     x_a = U_a (L_q + f - L_wq v - L_wt),   values_ab = U_a (L_qq + f_q) U_b^T */
static void gather(algebraic *a, const double *v)
{
    const pattern *K = &a->sys->K;
    const bool     forced = a->sys->forced;
    memset(a->values, 0, sizeof *a->values * (size_t)(a->k * a->k));
    memset(a->x, 0, sizeof *a->x * (size_t)a->k);
    for (int i = 0; i < a->n; i++)
        for (int u = 0; u < a->k; u++) {
            double along = a->U[u * a->n + i];
            if (along == 0) continue;
            a->x[u] += along * (a->out.Lq[i] + (forced ? a->out.f[i] : 0) - drift(a, i, v));
            for (int e = K->start[i]; e < K->start[i + 1]; e++) {
                double c = a->out.on_K[F_LQQ][e] + (forced ? a->out.on_K[F_FQ][e] : 0);
                for (int b = 0; b < a->k; b++)
                    a->values[u * a->k + b] += along * c * a->U[b * a->n + K->column[e]];
            }
        }
}

bool algebraic_solve(algebraic *a, double t, const double *q, const double *q_low, const double *v)
{
    sys_point at = {.t = t, .q = a->q, .w = v, .v = v};
    unsigned  want = WANT_GRADIENT | WANT_HESSIAN | WANT_TIME;
    double    before = HUGE_VAL;
    if (a->sys->forced) want |= WANT_FORCE | WANT_FORCE_JACOBIAN;
    memset(a->dq, 0, sizeof *a->dq * (size_t)a->n);
    for (int it = 0; it < ITERATIONS_MOST; it++) {
        double size = 0, change = 0;
        for (int i = 0; i < a->n; i++)
            a->q[i] = q[i] + (q_low[i] + a->dq[i]), size = fmax(size, fabs(a->q[i]));
        if (a->sys->eval(a->sys->self, want, 1, &at, &a->out)) return false;
        gather(a, v);
        if (!solver_factor(a->lu, a->values)) return false;
        solver_solve(a->lu, a->x);
        for (int u = 0; u < a->k; u++) {
            change = fmax(change, fabs(a->x[u]));
            for (int i = 0; i < a->n; i++) a->dq[i] -= a->x[u] * a->U[u * a->n + i];
        }
        if (!isfinite(change)) return false;
        if (change <= DBL_EPSILON * size || (it > 0 && change < 1e-8 * size)) return true;
        if (change > 2 * before) return false;
        before = change;
    }
    return false;
}
