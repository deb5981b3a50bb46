/* free_moves.c - allocation, evaluation at the moved state, the equations along the directions and
 * one Newton correction. */
#include "mech/project/free_moves.h"

#include <math.h>
#include <string.h>

/* Rows and columns of K that are among the coordinates, from the first-th on. */
static void restrict_pattern(free_moves *a, mem *m, const node_equations *g, int first)
{
    const pattern *K = &a->sys->K;
    int            count = 0;
    a->of_K = mem_array(m, pattern_count(K), int);
    for (int e = 0; e < pattern_count(K); e++) a->of_K[e] = -1;
    a->full =
        (pattern){a->k, a->k, mem_array(m, a->k + 1, int), mem_array(m, pattern_count(K), int)};
    for (int u = 0; u < a->k; u++) {
        for (int e = K->start[a->massless[u]]; e < K->start[a->massless[u] + 1]; e++) {
            const int b = g->of_massless[K->column[e]] - first;
            if (b < 0 || b >= a->k) continue;
            a->of_K[e] = count, a->full.column[count++] = b;
        }
        a->full.start[u + 1] = count;
    }
}

/* A full k x k matrix. */
static void fill_pattern(free_moves *a, mem *m)
{
    const int k = a->k;
    a->full = (pattern){k, k, mem_array(m, k + 1, int), mem_array(m, k * k, int)};
    for (int e = 0; e < k * k; e++) a->full.column[e] = e % k;
    for (int i = 0; i <= k; i++) a->full.start[i] = i * k;
}

/* Fields are evaluated into the arrays of the end solve, which are free between solves. */
void free_moves_init(free_moves *a, mem *m, dal_system *sys, const node_equations *g, int first,
                     int k)
{
    *a = (free_moves){.sys = sys, .n = sys->n, .k = k};
    if (!k) return;
    if (g->massless) a->massless = g->massless + first, restrict_pattern(a, m, g, first);
    else a->U = g->U + first * sys->n, a->W = g->W + first * sys->n, fill_pattern(a, m);
    a->lu = solver_new(m, &a->full, NULL);
    a->values = mem_array(m, pattern_count(&a->full), double);
    a->x = mem_array(m, k, double);
    double **of_n[] = {&a->q, &a->dq, &a->dp, &a->from};
    for (int i = 0; i < 4; i++) *of_n[i] = mem_array(m, sys->n, double);
    a->out = g->out;
}

void free_moves_free(free_moves *a)
{
    if (a->k) solver_free(a->lu);
    a->lu = NULL, a->k = 0;
}

double free_moves_evaluate(free_moves *a, unsigned want, double t, const double *q,
                           const double *q_low, const double *v)
{
    sys_point at = {.t = t, .q = a->q, .w = v, .v = v};
    double    size = 0;
    for (int i = 0; i < a->n; i++)
        a->q[i] = q[i] + (q_low[i] + a->dq[i]), size = fmax(size, fabs(a->q[i]));
    if (a->sys->forced) want |= WANT_FORCE | WANT_FORCE_JACOBIAN;
    return a->sys->eval(a->sys->self, want, 1, &at, &a->out) ? -1 : size;
}

/* Of coordinates themselves. */
static void gather_massless(free_moves *a, const free_equation *of, const double *with)
{
    const pattern *K = &a->sys->K;
    for (int u = 0; u < a->k; u++) {
        const int i = a->massless[u];
        a->x[u] = of->left(a, i, with);
        for (int e = K->start[i]; e < K->start[i + 1]; e++)
            if (a->of_K[e] >= 0) a->values[a->of_K[e]] = of->slope(a, e);
    }
}

void free_moves_gather(free_moves *a, const free_equation *of, const double *with)
{
    const pattern *K = &a->sys->K;
    if (a->massless) {
        gather_massless(a, of, with);
        return;
    }
    memset(a->values, 0, sizeof *a->values * (size_t)(a->k * a->k));
    memset(a->x, 0, sizeof *a->x * (size_t)a->k);
    for (int i = 0; i < a->n; i++)
        for (int u = 0; u < a->k; u++) {
            const double along = a->W[u * a->n + i];
            if (along == 0) continue;
            a->x[u] += along * of->left(a, i, with);
            for (int e = K->start[i]; e < K->start[i + 1]; e++) {
                const double c = of->slope(a, e);
                for (int b = 0; b < a->k; b++)
                    a->values[u * a->k + b] += along * c * a->U[b * a->n + K->column[e]];
            }
        }
}

/* One Newton correction; x holds the values of the equations, and then the correction. */
double free_moves_correct(free_moves *a)
{
    double change = 0;
    if (!solver_factor(a->lu, a->values)) return -1;
    solver_solve(a->lu, a->x);
    for (int u = 0; u < a->k; u++) {
        change = isfinite(a->x[u]) ? fmax(change, fabs(a->x[u])) : HUGE_VAL;
        if (a->massless) a->dq[a->massless[u]] -= a->x[u];
        for (int i = 0; i < a->n && !a->massless; i++) a->dq[i] -= a->x[u] * a->U[u * a->n + i];
    }
    return change < HUGE_VAL ? change : -1;
}

void free_moves_drag(free_moves *a)
{
    const pattern *K = &a->sys->K;
    for (int i = 0; i < a->n; i++) {
        a->dp[i] = 0;
        for (int e = K->start[i]; e < K->start[i + 1]; e++) {
            const double f = a->sys->forced ? a->out.on_K[F_FW][e] : 0;
            a->dp[i] += (a->out.on_K[F_LQW][e] + f) * a->dq[K->column[e]];
        }
    }
}
