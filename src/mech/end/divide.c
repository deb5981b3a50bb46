/* divide.c - velocities where every momentum is a constant times its own velocity, plus a function
 * of t and q: one division each, without iteration or guess.                     theory.md [END] */
#include "mech/end/end.h"

#include <math.h>
#include <string.h>

/* Is the matrix diagonal and constant? And may L_q, the most expensive field, be left out? */
static bool divides(const grid_equations *g)
{
    return g->constant && g->ready && !g->relations && !g->k && !g->phase && g->sys->selective &&
           !strcmp(solver_name(g->lu), "diagonal");
}

/*     v = (p - L_w(t, q, 0)) / L_ww */
bool grid_divide_momenta(grid_equations *g, double t, const double *q, const double *p, double *w,
                         double *v)
{
    const size_t  bytes = (size_t)g->n * sizeof(double);
    double *const Lq = g->out.Lq;
    double        sum = 0;
    if (!divides(g)) return false;
    memset(g->w, 0, bytes);
    g->at = (sys_point){.t = t, .q = q, .w = g->w, .v = g->w};
    g->out.Lq = NULL;
    const bool known = grid_evaluate(g, WANT_GRADIENT);
    g->out.Lq = Lq;
    if (!known) return false;
    for (int i = 0; i < g->n; i++) g->r[i] = p[i] - g->out.Lw[i];
    grid_divide(g);
    for (int i = 0; i < g->n; i++) sum += g->r[i] * 0;
    if (isnan(sum)) return false; /* some of them are no numbers */
    memcpy(w, g->r, bytes), memcpy(v, g->r, bytes);
    return true;
}
