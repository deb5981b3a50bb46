/* homogeneous.c - evaluates the inertia along U again, at another velocity and the same
 * position. */
#include "mech/degenerate/homogeneous.h"

#include "mech/degenerate/inside.h"

#include <math.h>

/* |L_ww u| beside |L_ww|, at most */
static double inertia_along(const dal_system *sys, const sys_values *f, const double *u)
{
    const pattern *K = &sys->K;
    double         most = 0, largest = 0;
    for (int i = 0; i < sys->n; i++) {
        double sum = 0;
        if (sys->hamiltonian && sys->hamiltonian[i]) continue;
        for (int e = K->start[i]; e < K->start[i + 1]; e++) {
            const double a = f->on_K[F_LWW][e];
            sum += a * u[K->column[e]], largest = fmax(largest, fabs(a));
        }
        most = fmax(most, fabs(sum));
    }
    return largest > 0 ? most / largest : 0;
}

/* Inertia that does not vary cannot depend on the velocity either. */
const double *homogeneous_direction(mem *m, dal_system *sys, const sys_point *at,
                                    const degeneracy *found)
{
    static const double ROUNDOFF = 1e-10, CLEARLY = 1e-6;
    const unsigned      want = WANT_GRADIENT | WANT_HESSIAN;
    sys_point           other = *at;
    sys_values          here = degeneracy_fields(m, sys), there = degeneracy_fields(m, sys);
    if (!found->dimension || sys->varies[F_LWW] != FIELD_VARIES) return NULL;
    other.w = moved_nearby(m, at->w, sys->n), other.v = moved_nearby(m, at->v, sys->n);
    if (sys->eval(sys->self, want, 1, at, &here) || sys->eval(sys->self, want, 1, &other, &there))
        return NULL;
    for (int k = 0; k < found->dimension; k++) {
        const double *u = found->U + k * sys->n;
        if (inertia_along(sys, &here, u) <= ROUNDOFF && inertia_along(sys, &there, u) > CLEARLY)
            return u;
    }
    return NULL;
}

void homogeneous_explain(const dal_system *sys, const double *u, text *why)
{
    text_add(why, "the direction ");
    direction_print(sys, u, false, why);
    text_add(why, " has no inertia at the initial velocity, although it has at others, "
                  "as when L is homogeneous of degree one in the velocities: such an L "
                  "determines the path of a motion but not its speed; instead of "
                  "n(q)*sqrt(x'^2 + y'^2), n(q)^2*(x'^2 + y'^2)/2 has the same paths "
                  "and determines the speed");
}
