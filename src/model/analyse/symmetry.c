/* symmetry.c - is a declared symmetry one? Lambda must change along it by what F does, in time and
 * with the velocities v; with p the momenta of these, J = p xi - F and
 *
 *     xi . Lambda_q + J_q . v + J_t = 0.                                    theory.md [SYMMETRY]
 *
 * xi and v of a rotation are along the axes of the body, which turn:  + p . (v x xi)
 * Tested with numbers at a few points around the start. */
#include "model/analyse/probe.h"
#include "model/rotation/chart.h"

#include <math.h>

static vector vector_at(const double *x)
{
    return (vector){{x[0], x[1], x[2]}};
}

/* The size of
 *     xi . Lambda_q + J_q . v + J_t
 * over the sum of the sizes of its terms; 0: there are none. */
static double relative_change(const probe *x)
{
    double sum = x->J.Jt, size = fabs(sum);
    for (int i = 0; i < x->n; i++) {
        double a = x->J.xi[i] * x->o.Lq[i], b = x->J.Jq[i] * x->v[i];
        sum += a + b, size += fabs(a) + fabs(b);
    }
    for (int k = 0; x->sys->turns && k < x->sys->turns->count; k++) {
        const int    i = x->sys->turns->first[k];
        const vector v = vector_at(x->v + i), xi = vector_at(x->J.xi + i), p = vector_at(x->p + i);
        sum += vector_dot(p, vector_cross(v, xi));
        size +=
            sqrt(vector_dot(p, p) * vector_dot(v, v) * vector_dot(xi, xi)); /* what cancels in it */
    }
    return size > 0 ? fabs(sum) / size : 0;
}

/* The largest defect of all points counts. */
void analyse_symmetries(mem *m, const compiled *c, bound *b, const sys_point *start, analysis *a)
{
    a->symmetry_defect = mem_array(m, c->md->symmetries + 1, double);
    if (!c->md->symmetries) return;
    probe       x = probe_new(m, b, start);
    generators *g = generators_new(m, c);
    uint64_t    seed = 1;
    for (int k = 0; k < PROBES && probe_place(&x, start, &seed); k++)
        for (int s = 0; s < c->md->symmetries; s++) {
            if (symmetry_is_finite(c->md, s)) continue;
            generator_eval(g, b, s, &x.at, x.p, &x.J);
            a->symmetry_defect[s] = fmax(a->symmetry_defect[s], relative_change(&x));
        }
    if (c->md->finite) analyse_finite(m, c, b, start, a);
}
