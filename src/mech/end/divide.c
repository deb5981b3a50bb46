/* divide.c - velocities where every momentum is a constant times its own velocity, plus a function
 * of t and q: one division each, without iteration or guess.                     theory.md [END] */
#include "mech/end/end.h"

#include <math.h>
#include <string.h>

/*     v = (p - L_w(t, q, 0)) / L_ww */
bool grid_divide_momenta(grid_equations *g, double t, const double *q, const double *p, double *w,
                         double *v)
{
    const size_t    bytes = (size_t)g->n * sizeof(double);
    const sys_point at = {.t = t, .q = q, .w = g->w, .v = g->w};
    sys_values      momenta = {.Lw = g->out.Lw}; /* L_q, the most expensive field, is left out */
    double          sum = 0;
    if (!g->divides || !g->ready) return false;
    memset(g->w, 0, bytes);
    if (g->sys->eval(g->sys->self, WANT_GRADIENT, 1, &at, &momenta)) return false;
    for (int i = 0; i < g->n; i++) g->r[i] = p[i] - g->out.Lw[i];
    solver_solve(g->lu, g->r);
    for (int i = 0; i < g->n; i++) sum += g->r[i] * 0;
    if (isnan(sum)) return false; /* some of them are no numbers */
    memcpy(w, g->r, bytes), memcpy(v, g->r, bytes);
    return true;
}
