/* units.c - the unit of each multiplier: what balances the inertia of its coordinates. Inertia and
 * rows of relations have unrelated units, and a mass of 1e-27 kg must not be lost beside them. A
 * coordinate that occurs in many relations, a hub, is read once. */
#include "mech/end/end.h"

#include <math.h>

static double largest(const double *x, int from, int to)
{
    double most = 0;
    for (int k = from; k < to; k++) most = fmax(most, fabs(x[k]));
    return most;
}

/* max_j |(L_ww)_ij|; of a Hamiltonian coordinate, whose momentum stands for itself, 1 */
static double inertia_of(const node_equations *g, int i)
{
    const pattern *K = &g->sys->K;
    return node_is_phase(g, i) ? 1 : largest(g->out.on_K[F_LWW], K->start[i], K->start[i + 1]);
}

/*     unit_a = max_i |L_ww|_i / max_k |A_ak|   over the coordinates i of relation a
 * so that A^T in that unit is of the size of the inertia; 1 where either is 0. */
void node_units(node_equations *g)
{
    const pattern *A = &g->sys->A;
    double        *inertia = g->terms; /* room that is free while a matrix is made */
    for (int i = 0; i < g->n && g->relations; i++) inertia[i] = inertia_of(g, i);
    for (int a = 0; a < g->relations; a++) {
        const double row = largest(g->out.A, A->start[a], A->start[a + 1]);
        double       most = 0;
        for (int k = A->start[a]; k < A->start[a + 1]; k++)
            most = fmax(most, inertia[A->column[k]]);
        g->unit[a] = most > 0 && row > 0 ? most / row : 1;
    }
}
