/* primary.c - moves q and p as a velocity in U would, until the momentum there is the one of the
 * position.
 *
 * Gauss rules leave U^T (p - L_w) of the size of their stage order, and with it q; along the
 * motions of U, which are the multipliers of that equation, the state has the order 2s. */
#include "mech/primary.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ITERATIONS_MOST = 10 };

void primary_init(primary *a, mem *m, dal_system *sys, const grid_equations *g)
{
    const int  n = sys->n, k = g->resistive;
    const bool bent = sys->varies[F_LQW] == FIELD_VARIES && (!g->relations || sys->constant_A);
    *a = (primary){.sys = sys, .n = n, .k = bent ? k : 0, .U = g->U};
    if (!a->k) return;
    a->full = (pattern){k, k, mem_array(m, k + 1, int), mem_array(m, k * k, int)};
    for (int e = 0; e < k * k; e++) a->full.column[e] = e % k;
    for (int i = 0; i <= k; i++) a->full.start[i] = i * k;
    a->lu = solver_new(m, &a->full, NULL);
    a->values = mem_array(m, k * k, double);
    a->x = mem_array(m, k, double);
    double **of_n[] = {&a->q, &a->dq, &a->dp};
    for (int i = 0; i < 3; i++) *of_n[i] = mem_array(m, n, double);
    a->out = g->out; /* the room of the end solve serves here too */
}

void primary_free(primary *a)
{
    if (a->k) solver_free(a->lu);
    a->lu = NULL, a->k = 0;
}

/*     dp = (L_qw + f_w) dq,   x = U (p + dp - L_w),   values = U (L_qw - L_wq + f_w) U^T */
static void gather(primary *a, const double *p)
{
    const pattern *K = &a->sys->K;
    const double  *Lqw = a->out.on_K[F_LQW];
    memset(a->values, 0, sizeof *a->values * (size_t)(a->k * a->k));
    memset(a->x, 0, sizeof *a->x * (size_t)a->k);
    for (int i = 0; i < a->n; i++) {
        a->dp[i] = 0;
        for (int e = K->start[i]; e < K->start[i + 1]; e++) {
            int    j = K->column[e];
            double push = Lqw[e] + (a->sys->forced ? a->out.on_K[F_FW][e] : 0);
            a->dp[i] += push * a->dq[j];
            for (int u = 0; u < a->k; u++)
                for (int b = 0; b < a->k; b++)
                    a->values[u * a->k + b] += a->U[u * a->n + i] * (push - Lqw[a->sys->transpose[e]]) *
                                               a->U[b * a->n + j];
        }
        for (int u = 0; u < a->k; u++)
            a->x[u] += a->U[u * a->n + i] * (p[i] - a->out.Lw[i] + a->dp[i]);
    }
}

bool primary_solve(primary *a, double t, const double *q, const double *q_low, const double *p,
                   const double *v)
{
    sys_point at = {.t = t, .q = a->q, .w = v, .v = v};
    unsigned  want = WANT_GRADIENT | WANT_HESSIAN;
    double    before = HUGE_VAL;
    if (a->sys->forced) want |= WANT_FORCE | WANT_FORCE_JACOBIAN;
    memset(a->dq, 0, sizeof *a->dq * (size_t)a->n);
    for (int it = 0; it < ITERATIONS_MOST; it++) {
        double size = 0, change = 0;
        for (int i = 0; i < a->n; i++)
            a->q[i] = q[i] + (q_low[i] + a->dq[i]), size = fmax(size, fabs(a->q[i]));
        if (a->sys->eval(a->sys->self, want, 1, &at, &a->out)) return false;
        gather(a, p);
        if (before <= 1e-8 * size) return true; /* the last correction has squared that */
        if (!solver_factor(a->lu, a->values)) return false;
        solver_solve(a->lu, a->x);
        for (int u = 0; u < a->k; u++) {
            change = fmax(change, fabs(a->x[u]));
            for (int i = 0; i < a->n; i++) a->dq[i] -= a->x[u] * a->U[u * a->n + i];
        }
        if (!isfinite(change) || change > 2 * before) return false;
        before = change;
    }
    return false;
}
