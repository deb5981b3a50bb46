/* divide.c - velocities where every momentum is a constant times its own velocity, plus a function
 * of t and q: one division each, without iteration or guess.                     theory.md [END] */
#include "mech/end/end.h"

#include <math.h>
#include <string.h>

/*     v = (p - L_w(t, q, 0)) / L_ww */
bool node_divide_momenta(node_equations *g, double t, const double *q, const double *p, double *w,
                         double *v)
{
    const sys_point at = {.t = t, .q = q, .w = g->w, .v = g->w};
    sys_values      momenta = {.Lw = g->out.Lw}; /* L_q, the most expensive field, is left out */
    double          sum = 0;
    if (!g->divides || !g->ready) return false;
    memset(g->w, 0, (size_t)g->n * sizeof *g->w);
    if (g->sys->eval(g->sys->self, WANT_GRADIENT, 1, &at, &momenta)) return false;
    for (int i = 0; i < g->n; i++) {
        w[i] = v[i] = (p[i] - g->out.Lw[i]) / g->values[i];
        sum += v[i] * 0;
    }
    return !isnan(sum); /* else some of them are no numbers */
}
