/* reactions.c - reactions along directions that bend, at a state whose velocity is known:
 *
 *     L_vv a - A^T lam + V tau = L_q + f - L_vq v - L_vt,   A a = -(e_q v + e_t),   V^T a = 0
 *
 *     w' - A^T lam = L_q + f,   v' + Lambda_ww w' = -(Lambda_wq v + Lambda_wt)   (Hamiltonian)
 *
 * tau is 0 where the balances along V hold; states have no part in it.     theory.md [REACTION] */
#include "mech/bent/bent.h"

#include <string.h>

/* The unknown v' of coordinate i, and the row of it where w' is another one. */
static int rate_of(const bent_moves *b, int i)
{
    return bent_is_phase(b->sys, i) ? b->reactions.J.rows - b->end.size + b->end.velocity[i] : i;
}

static void fill_inertia(bent_moves *b, int i)
{
    const int      S = b->reactions.J.rows, row = rate_of(b, i);
    const pattern *K = &b->sys->K;
    double        *to = b->reactions.values;
    if (bent_is_state(b->sys, i)) {
        to[i * S + i] = 1;
        return;
    }
    for (int e = K->start[i]; e < K->start[i + 1]; e++)
        to[row * S + K->column[e]] += b->out.on_K[F_LWW][e];
    if (row != i) to[i * S + i] = to[row * S + row] = 1;
}

static void fill(bent_moves *b)
{
    const int      n = b->n, S = b->reactions.J.rows;
    const pattern *A = &b->sys->A;
    double        *to = b->reactions.values;
    memset(to, 0, sizeof *to * (size_t)(S * S));
    for (int i = 0; i < n; i++) fill_inertia(b, i);
    for (int a = 0; a < b->M; a++)
        for (int e = A->start[a]; e < A->start[a + 1]; e++) {
            const int j = A->column[e];
            to[(n + a) * S + rate_of(b, j)] += b->out.A[e];
            if (!bent_is_state(b->sys, j)) to[j * S + n + a] -= b->out.A[e];
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
        if (bent_is_state(b->sys, i)) continue;
        r[i] = b->out.Lq[i] + (b->sys->forced ? b->out.f[i] : 0);
        r[rate_of(b, i)] -= b->out.Lwt[i];
        for (int e = K->start[i]; e < K->start[i + 1]; e++)
            r[rate_of(b, i)] -= b->out.on_K[F_LQW][b->sys->transpose[e]] * v[K->column[e]];
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
