/* probe.c - a point is moved from the start by noise, nearer and nearer until L is smooth there. */
#include "model/analyse/probe.h"

#include "model/charts.h"
#include "model/rotation/chart.h"

#include <string.h>

enum { TRIES = 12 };

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
bool probe_place(probe *x, const sys_point *start, uint64_t *seed)
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

probe probe_new(mem *m, bound *b, const sys_point *start)
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
