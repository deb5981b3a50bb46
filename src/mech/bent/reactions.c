/* reactions.c - reactions along directions that bend, at a state whose velocity is known:
 *
 *     L_vv a - A^T lam + V tau = L_q + f - L_vq v - L_vt,   A a = -(e_q v + e_t),   V^T a = 0
 *
 * tau is 0 where the balances along V hold.                                theory.md [REACTION] */
#include "mech/bent/bent.h"

#include <string.h>

static void fill(bent_moves *b)
{
    const int      n = b->n, S = b->reactions.J.rows;
    const pattern *K = &b->sys->K, *A = &b->sys->A;
    double        *to = b->reactions.values;
    memset(to, 0, sizeof *to * (size_t)(S * S));
    for (int i = 0; i < n; i++)
        for (int e = K->start[i]; e < K->start[i + 1]; e++)
            to[i * S + K->column[e]] += b->out.on_K[F_LWW][e];
    for (int a = 0; a < b->M; a++)
        for (int e = A->start[a]; e < A->start[a + 1]; e++) {
            to[(n + a) * S + A->column[e]] += b->out.A[e];
            to[A->column[e] * S + n + a] -= b->out.A[e];
        }
    for (int u = 0; u < b->kv; u++)
        for (int i = 0; i < n; i++) {
            to[i * S + n + b->M + u] += b->along.of_V.basis[u * n + i];
            to[(n + b->M + u) * S + i] += b->along.of_V.basis[u * n + i];
        }
}

static void right_sides(bent_moves *b, const double *v)
{
    const int      n = b->n;
    const pattern *K = &b->sys->K, *A = &b->sys->A;
    double        *r = b->reactions.r;
    memset(r, 0, sizeof *r * (size_t)b->reactions.J.rows);
    for (int i = 0; i < n; i++) {
        r[i] = b->out.Lq[i] + (b->sys->forced ? b->out.f[i] : 0) - b->out.Lwt[i];
        for (int e = K->start[i]; e < K->start[i + 1]; e++)
            r[i] -= b->out.on_K[F_LQW][b->sys->transpose[e]] * v[K->column[e]];
    }
    for (int a = 0; a < b->M; a++) {
        r[n + a] = -b->out.et[a];
        for (int e = A->start[a]; e < A->start[a + 1]; e++)
            r[n + a] -= b->out.eq[e] * v[A->column[e]];
    }
}

bool bent_reactions(bent_moves *b, const sys_point *at, double *lam, double *rate)
{
    unsigned want = WANT_GRADIENT | WANT_HESSIAN | WANT_TIME;
    if (b->M) want |= WANT_RELATIONS_JACOBIAN;
    if (!bent_evaluate(b, want, at) || !bent_find_bases(b)) return false;
    fill(b), right_sides(b, at->v);
    if (!solver_factor(b->reactions.lu, b->reactions.values)) return false;
    solver_solve(b->reactions.lu, b->reactions.r);
    memcpy(lam, b->reactions.r + b->n, sizeof *lam * (size_t)b->M);
    if (rate) memcpy(rate, b->reactions.r, sizeof *rate * (size_t)b->n);
    return true;
}
