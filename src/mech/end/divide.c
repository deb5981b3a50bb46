/* divide.c - velocities where every momentum is a constant times its own velocity, plus a function
 * of t and q: one division each, without iteration or guess.                     theory.md [END] */
#include "mech/end/end.h"

#include <math.h>
#include <string.h>

/* L_w(t, q, 0); NULL: it has no value. L_q, the most expensive field, is left out. */
static const double *offset_at(node_equations *g, double t, const double *q)
{
    momenta_division *of = &g->divides;
    if (of->known) return of->offset;
    const sys_point at = {.t = t, .q = q, .w = g->w, .v = g->w};
    sys_values      momenta = {.Lw = of->offset ? of->offset : g->out.Lw};
    memset(g->w, 0, (size_t)g->n * sizeof *g->w);
    if (g->sys->eval(g->sys->self, WANT_MOMENTA, 1, &at, &momenta)) return NULL;
    of->known = of->offset != NULL;
    return momenta.Lw;
}

/*     v = (p - L_w(t, q, 0)) / L_ww */
bool node_divide_momenta(node_equations *g, double t, const double *q, const double *p, double *w,
                         double *v)
{
    const double *offset = g->divides.fits && g->ready ? offset_at(g, t, q) : NULL;
    double        sum = 0;
    if (!offset) return false;
    for (int i = 0; i < g->n; i++) {
        w[i] = v[i] = (p[i] - offset[i]) / g->values[i];
        sum += v[i] * 0;
    }
    return !isnan(sum); /* else some of them are no numbers */
}
