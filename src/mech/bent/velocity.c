/* velocity.c - velocities along directions where only stiffness acts: they keep the balance (c), so
 * its derivative determines them,
 *
 *     Y^T [d/dt (L_q + f + A_G^T lam) at v, + (L_qq + f_q + lam dA) R w] = 0,   v + R w
 *
 * since Y^T A_G^T = 0. Where the balance contains velocities, accelerations would enter. */
#include "mech/bent/bent.h"

#include <string.h>

/* Do forces along Y depend on velocities, those that relations take up included? */
static bool is_pushed(const bent_moves *b)
{
    const pattern *K = &b->sys->K;
    const double  *Lqw = b->out.on_K[F_LQW];
    for (int i = 0; i < b->n; i++)
        for (int s = 0; s < b->stiff; s++)
            for (int e = K->start[i]; e < K->start[i + 1] && b->along.Y[s * b->n + i] != 0; e++)
                if (Lqw[e] != 0 || Lqw[b->sys->transpose[e]] != 0 ||
                    (b->sys->forced && b->out.on_K[F_FW][e] != 0))
                    return true;
    return false;
}

/*     rows Y, columns R of L_qq + f_q + lam dA;   Y^T d/dt (L_q + f + A_G^T lam) behind them */
static void gather(const bent_moves *b, const double *weights, double *a)
{
    const int      n = b->n, k = b->stiff;
    const pattern *K = &b->sys->K, *A = &b->sys->A;
    memset(a, 0, sizeof *a * (size_t)(k * (k + 1)));
    for (int s = 0; s < k; s++) {
        const double *Y = b->along.Y + s * n;
        double       *row = a + s * (k + 1);
        for (int i = 0; i < n; i++) {
            row[k] += Y[i] * (b->rate.Lq[i] + (b->sys->forced ? b->rate.f[i] : 0));
            for (int e = K->start[i]; e < K->start[i + 1] && Y[i] != 0; e++) {
                const double c = b->out.on_K[F_LQQ][e] +
                                 (b->sys->forced ? b->out.on_K[F_FQ][e] : 0) +
                                 (b->M ? b->out.on_K[F_CURV][e] : 0);
                for (int w = 0; w < k; w++) row[w] += Y[i] * c * b->along.R[w * n + K->column[e]];
            }
        }
        for (int r = 0; r < b->M; r++)
            for (int e = A->start[r]; e < A->start[r + 1]; e++)
                row[k] += Y[A->column[e]] * weights[r] * b->rate.A[e];
    }
}

void bent_settle_velocity(bent_moves *b, double t, const double *q, const double *lam,
                          const double *w, double *v)
{
    const int k = b->stiff;
    sys_point at = {.t = t, .q = q, .w = w, .v = v, .lam = b->end.weights[0]};
    if (!k || !b->rates) return;
    for (int a = 0; a < b->M; a++) b->end.weights[0][a] = b->inside[a] ? lam[b->number[a]] : 0;
    const unsigned want = WANT_GRADIENT | WANT_HESSIAN | (b->M ? WANT_RELATIONS_JACOBIAN : 0);
    if (!bent_evaluate(b, want, &at) || !bent_find_bases(b) || is_pushed(b)) return;
    memset(b->end.room, 0, sizeof *b->end.room * (size_t)b->n);
    const sys_change wanted = {.Lw = b->rate.Lw, .Lq = b->rate.Lq, .f = b->rate.f, .A = b->rate.A};
    b->rates->eval(b->rates->self, &at, &(sys_motion){b->end.room, b->end.room}, &wanted);
    gather(b, b->end.weights[0], b->end.values);
    if (dense_echelon(b->end.values, k, k + 1, NULL, k, 0, NULL) < k) return;
    for (int s = 0; s < k; s++)
        for (int i = 0; i < b->n; i++)
            v[i] -= b->end.values[s * (k + 1) + k] * b->along.R[s * b->n + i];
}
