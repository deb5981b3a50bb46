/* singular_hamiltonian.c - looks for a direction u of momenta with H_pp u = 0.
 *
 * Along u the s conditions u.(v^i - H_p(q^i)) = 0 do not involve the P^i, and the d increments of
 * the curve cannot satisfy them all if s > d: the step is singular, or other coordinates give way
 * and the order is lost. */
#include "mech/stepper/singular_hamiltonian.h"

#include <math.h>

static const double ROUNDOFF = 1e-12; /* of second derivatives, beside the largest */

/* H_pp on its coordinates, rows and columns of `size`; false: it has no value. */
static bool momenta_at(stepper *st, mem *m, const double *q, const double *w, double *a, int size)
{
    dal_system *sys = st->sys;
    const int   K = pattern_count(&sys->K);
    sys_values  out = {.Lq = mem_array(m, sys->n, double), .Lw = mem_array(m, sys->n, double)};
    for (int f = F_LQQ; f <= F_LWW; f++) out.on_K[f] = mem_array(m, K, double);
    sys_point at = {.t = st->t, .q = q, .w = w, .v = st->node.v};
    if (sys->eval(sys->self, WANT_GRADIENT | WANT_HESSIAN, 1, &at, &out)) return false;
    for (int i = 0; i < sys->n; i++)
        for (int e = sys->K.start[i]; e < sys->K.start[i + 1]; e++) {
            const int row = st->eq.phase_number[i], column = st->eq.phase_number[sys->K.column[e]];
            if (row < 0 || column < 0) continue;
            if (!isfinite(out.on_K[F_LWW][e])) return false;
            a[row * size + column] = out.on_K[F_LWW][e];
        }
    return true;
}

/* The direction u, n numbers. One that has a velocity at a nearby point, as p^4 near p = 0, does
 * not count. */
static bool find_idle(stepper *st, mem *m, double *u)
{
    const int n = st->sys->n, size = st->eq.phase;
    double   *here = mem_array(m, size * size, double), *near = mem_array(m, size * size, double);
    double   *null = mem_array(m, size * size, double);
    if (!momenta_at(st, m, st->q, st->node.w, here, size)) return false;
    if (dense_rank_scaled(m, here, size, size, ROUNDOFF, null) == size) return false;
    if (!momenta_at(st, m, moved_nearby(m, st->q, n), moved_nearby(m, st->node.w, n), near, size))
        return false;
    if (dense_rank_scaled(m, near, size, size, ROUNDOFF, NULL) == size) return false;
    for (int i = 0; i < size; i++) u[st->eq.phase_list[i]] = null[i];
    return true;
}

/* Only rules with more points than the degree are at risk; and the search is dense. */
dal_status singular_hamiltonian_judge(stepper *st, text *why)
{
    const scheme *sch = &st->sch;
    if (!st->eq.phase || st->eq.phase > DEGENERATE_MOST || sch->rule.s <= sch->degree)
        return DAL_OK;
    mem       *m = mem_child(st->m);
    double    *u = mem_array(m, st->sys->n, double);
    const bool idle = find_idle(st, m, u);
    if (idle) {
        text_add(why, "the momentum ");
        direction_print(st->sys, u, true, why);
        text_printf(why,
                    " does not determine a velocity (d2H/dp2 is singular along it), and "
                    "%s, which has more points than the degree of its curve, loses its "
                    "order; use gauss(s), such as midpoint or gauss(2), or radau(s)",
                    sch->title);
    }
    mem_free(m);
    return idle ? DAL_INVALID : DAL_OK;
}
