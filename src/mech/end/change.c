/* change.c - how the velocity and the projected momentum at a grid point change.
 *                                                                              theory.md [TANGENT]
 *     L_ww dw - A^T dnu = dp^- - (L_wq - nu dA) dq - [L_w - A^T nu],   A dv = -e_q dq - [e]
 *     dp                = L_wq dq + L_ww dw + [L_w]
 * and of Hamiltonian coordinates
 *     dw - A^T dnu      = dp^- + nu dA dq + [..],   dv + Lambda_ww dw = -Lambda_wq dq - [Lambda_w]
 * Brackets are the changes with time, parameters and inputs. Along directions U without inertia v
 * may change arbitrarily: neither p nor A v depends on it. */
#include "mech/end/end.h"

#include <string.h>

/* nu weighs the curvature: on_K[F_CURV] becomes sum_a nu_a dA_a. Forces enter the matrix along U
 * only. */
bool node_linearise(node_equations *g, double t, const double *q, const double *w, const double *v,
                    const double *nu)
{
    unsigned want = WANT_GRADIENT | WANT_HESSIAN | WANT_RELATIONS | WANT_RELATIONS_JACOBIAN;
    if (g->k && g->sys->forced) want |= WANT_FORCE | WANT_FORCE_JACOBIAN;
    g->at = (sys_point){.t = t, .q = q, .w = w, .v = v, .lam = nu};
    return !g->sys->eval(g->sys->self, want, 1, &g->at, &g->out) && node_factor(g);
}

/* Row i of a field times x; of its transpose where that is meant. */
static double row_times(const node_equations *g, field f, bool transposed, int i, const double *x)
{
    const pattern *K = &g->sys->K;
    double         sum = 0;
    if (g->sys->varies[f] == FIELD_ZERO) return 0;
    for (int k = K->start[i]; k < K->start[i + 1]; k++)
        sum += g->out.on_K[f][transposed ? g->sys->transpose[k] : k] * x[K->column[k]];
    return sum;
}

/* The right-hand sides above: dp^- + nu dA dq + [A^T nu] - (L_wq dq + [L_w]) of a Lagrangian
 * coordinate, the last bracket in the row of its velocity for a Hamiltonian one; -(e_q dq + [e])
 * of relations. Rows of U stay 0. */
static void fill_rows(node_equations *g, const double *dq, const double *dp,
                      const sys_change *written)
{
    const pattern *A = &g->sys->A;
    memset(g->r, 0, (size_t)g->size * sizeof *g->r);
    for (int i = 0; i < g->n; i++) {
        double inertia = row_times(g, F_LQW, true, i, dq) + (written ? written->Lw[i] : 0);
        double turned = row_times(g, F_CURV, false, i, dq) + (written ? written->reaction[i] : 0);
        g->r[i] = dp[i] + turned - (node_is_phase(g, i) ? 0 : inertia);
        if (node_is_phase(g, i)) g->r[node_velocity_of(g, i)] = -inertia;
    }
    for (int a = 0; a < g->relations; a++) {
        double sum = written ? written->e[a] : 0;
        for (int k = A->start[a]; k < A->start[a + 1]; k++) sum += g->out.eq[k] * dq[A->column[k]];
        g->r[g->nu + a] = -sum;
    }
}

/* r now holds dw; of a Hamiltonian coordinate w is the momentum itself. */
void node_change(node_equations *g, const double *dq, const double *dp, const sys_change *written,
                 double *reported)
{
    fill_rows(g, dq, dp, written);
    node_divide(g);
    for (int i = 0; i < g->n; i++) {
        double moved = row_times(g, F_LQW, true, i, dq) + row_times(g, F_LWW, false, i, g->r);
        if (written) moved += written->Lw[i];
        reported[i] = node_is_phase(g, i) ? g->r[i] : moved;
    }
}
