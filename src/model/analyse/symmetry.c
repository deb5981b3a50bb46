/* symmetry.c - is a declared symmetry one? Lambda must change along it by what F does, in time and
 * with the velocities v; with p the momenta of these, J = p xi - F and
 *
 *     xi . Lambda_q + J_q . v + J_t = 0.                                    theory.md [SYMMETRY]
 *
 * xi and v of a rotation are along the axes of the body, which turn:  + p . (v x xi)
 * Tested with numbers at a few points around the start. */
#include "model/analyse/facts.h"
#include "model/bound.h"
#include "model/charts.h"
#include "model/generator.h"
#include "model/rotation/chart.h"

#include <math.h>
#include <string.h>

/* points at which symmetries are tested, and tries to find one where L is finite */
enum { POINTS = 3, TRIES = 12 };

typedef struct {
    dal_system *sys;
    int         n;
    double     *q, *w, *v, *p; /* a point: both velocities and momenta of all coordinates     */
    generator_values J;        /* of a symmetry there                                         */
    sys_values       o;
    sys_point        at;
    const double    *matrices; /* of rotations, where the rows in q are 0 */
} probe;

static vector vector_at(const double *x)
{
    return (vector){{x[0], x[1], x[2]}};
}

/* The rows of a rotation in q were moved: its matrix is, instead. A direction does not turn about
 * itself. */
static void turn_probe(const probe *x)
{
    const turning *t = x->sys->turns;
    for (int k = 0; t && k < t->count; k++) {
        const int    i = t->first[k];
        const matrix E = chart_exp(vector_at(x->q + i));
        matrix       R;
        memcpy(R.x, x->matrices + TURNING_MATRIX * k, sizeof R.x);
        R = matrix_product(&R, &E);
        memcpy(x->q + x->n + TURNING_MATRIX * k, R.x, sizeof R.x);
        if (t->direction[k]) x->w[i + 2] = 0;
    }
}

/* A point near the start at which the gradient is finite: nearer and nearer until it is. */
static bool place_probe(probe *x, const sys_point *start, uint64_t *seed)
{
    double reach = 0.5;
    for (int attempt = 0; attempt < TRIES; attempt++, reach /= 4) {
        bool finite = true;
        for (int i = 0; i < x->n; i++) {
            x->q[i] = start->q[i] + reach * analyse_noise(seed) * (1 + fabs(start->q[i]));
            x->w[i] = start->w[i] + reach * analyse_noise(seed) * (1 + fabs(start->w[i]));
        }
        turn_probe(x);
        x->sys->eval(x->sys->self, WANT_GRADIENT, 1, &x->at, &x->o);
        for (int i = 0; i < x->n; i++) {
            bool h = x->sys->hamiltonian && x->sys->hamiltonian[i];
            finite &= isfinite(x->o.Lq[i]) && isfinite(x->o.Lw[i]);
            x->v[i] = h ? -x->o.Lw[i] : x->w[i];
            x->p[i] = h ? x->w[i] : x->o.Lw[i];
        }
        if (finite) return true;
    }
    return false;
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

static probe probe_new(mem *m, bound *b, const sys_point *start)
{
    const int n = b->sys.n;
    probe     x = {.sys = &b->sys, .n = n, .matrices = b->charted ? charts_seen(b->charted) : NULL};
    double   *room = mem_array(m, 7 * n + 1, double);
    x.q = mem_array(m, turning_width(b->sys.turns, n) + 1, double), x.w = room;
    x.v = room + n, x.p = room + 2 * n, x.J.xi = room + 3 * n, x.J.Jq = room + 4 * n;
    x.o = (sys_values){.Lq = room + 5 * n, .Lw = room + 6 * n};
    x.at = (sys_point){.t = start->t, .q = x.q, .w = x.w};
    return x;
}

/* The largest defect of all points counts. */
void analyse_symmetries(mem *m, const compiled *c, bound *b, const sys_point *start, analysis *a)
{
    a->symmetry_defect = mem_array(m, c->md->symmetries + 1, double);
    if (!c->md->symmetries) return;
    probe       x = probe_new(m, b, start);
    generators *g = generators_new(m, c);
    uint64_t    seed = 1;
    for (int k = 0; k < POINTS && place_probe(&x, start, &seed); k++)
        for (int s = 0; s < c->md->symmetries; s++) {
            generator_eval(g, b, s, &x.at, x.p, &x.J);
            a->symmetry_defect[s] = fmax(a->symmetry_defect[s], relative_change(&x));
        }
}
