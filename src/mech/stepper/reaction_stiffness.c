/* reaction_stiffness.c - are reactions too stiff for the step? Reactions that hold a motion
 * transverse to them, as in a taut rope, make it oscillate: points of mass m between links of
 * length l under a tension T, at frequencies up to 2 sqrt(T/(m l)). A step applies reactions at the
 * Lobatto points of its curve, whatever the rule for L, and is stable only while h times that
 * frequency is below a bound. Beyond it neighbours zigzag more and more, until the relations cannot
 * be satisfied at all. */
#include "mech/end/lanczos.h"
#include "mech/stepper/stepper.h"

#include <math.h>

/* The bound on h omega for Lobatto(d + 1): 2 as for Verlet's method for d = 1, then sqrt(8), and
 * about pi for all others. */
static double bound_for(int degree)
{
    return degree == 1 ? 2 : degree == 2 ? sqrt(8) : sqrt(10);
}

/* F = -C with C = sum_a lam_a dA_a/dq: oscillations about a state obey -omega^2 M x = C x. */
static void multiply(void *self, const double *x, double *Fx)
{
    const node_equations *g = self;
    const pattern        *K = &g->sys->K;
    for (int i = 0; i < g->n; i++) {
        Fx[i] = 0;
        for (int k = K->start[i]; k < K->start[i + 1]; k++)
            Fx[i] -= g->out.on_K[F_CURV][k] * x[K->column[k]];
    }
}

/* omega at the state where g was linearised with the reactions as multipliers; 0 where nothing
 * oscillates. */
static double rate_of(node_equations *g, mem *m)
{
    const double square = lanczos_largest(g, m, (symmetric_map){g, multiply});
    return square > 0 ? sqrt(square) : 0;
}

double reaction_stiffness_explain(stepper *st, text *why)
{
    static const double PART = 0.5, SAFE = 0.8; /* of the bound: a zigzag changes the reactions */
    node_equations     *g = &st->grid;
    const double        most = bound_for(st->eq.d);
    double              longest = 0;
    /* constant A makes no such forces; with directions U the matrix is not the inertia alone */
    if (!st->eq.relations || st->eq.shot || st->sys->varies[F_CURV] == FIELD_ZERO || g->k) return 0;
    const double *lam = stepper_multipliers(st);
    if (!all_finite(lam, st->eq.relations)) return 0;
    if (!node_linearise(g, st->t, st->q, st->node.w, st->node.v, lam)) return 0;
    for (int j = 0; j < st->sch.substeps; j++) longest = fmax(longest, fabs(st->sch.gamma[j]));
    const double h = fabs(st->history_h), rate = rate_of(g, st->m), now = rate * longest * h;
    if (!(now > PART * most)) return 0;
    text_printf(why,
                "; the constraint forces make the system oscillate, as a taut rope "
                "does, at an angular frequency of about %.2g now; the scheme can "
                "follow only while the %s times this frequency, now %.2g, stays "
                "below %.2g everywhere",
                rate, st->sch.substeps > 1 ? "longest substep" : "step", now, most);
    return SAFE * h * fmin(1, most / now);
}
