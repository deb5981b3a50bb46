/* generating.c - the equations of a step by a generating function, and their solution.
 *                                                                          theory.md [GENERATING]
 */
#include "mech/dirac/generating.h"

#include "linalg/dense.h"

#include "step/words.h"

#include "step/judge.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ITERATIONS_MOST = 50 };

static double size_of(const double *x, int n)
{
    double most = 0;
    for (int j = 0; j < n; j++) most = fmax(most, fabs(x[j]));
    return most;
}

static double *room(mem *m, int count)
{
    return mem_resize(m, NULL, ((size_t)count + 1) * sizeof(double));
}

/* Roots. --------------------------------------------------------------------------------------- */

/*     J_ij = (r_i(x + e_j d) - r_i(x - e_j d))/2d,   d = eps^(1/3) of the size of x */
static bool differences(mem *m, dense_residual *of, void *self, int count, double *x, double *J)
{
    double      *up = room(m, count), *down = room(m, count);
    const double d = cbrt(DBL_EPSILON) * (size_of(x, count) + 0.1);
    bool         known = true;
    for (int j = 0; j < count && known; j++) {
        const double at = x[j];
        x[j] = at + d, known = of(self, x, up);
        x[j] = at - d, known = known && of(self, x, down);
        x[j] = at;
        for (int i = 0; i < count && known; i++) J[i * count + j] = (up[i] - down[i]) / (2 * d);
    }
    mem_drop(m, up), mem_drop(m, down);
    return known;
}

bool dense_root(mem *m, dense_residual *of, void *self, int count, double *x)
{
    double *J = room(m, count * count), *r = room(m, count), *dx = room(m, count);
    double  before = HUGE_VAL;
    bool    found = false, known = true;
    for (int it = 0; it < ITERATIONS_MOST && known && !found; it++) {
        known = of(self, x, r) && differences(m, of, self, count, x, J);
        if (!known) break;
        dense_least_norm(m, J, count, count, r, 0, dx);
        for (int j = 0; j < count; j++) x[j] -= dx[j];
        const double change = size_of(dx, count);
        if (!(change < HUGE_VAL)) break;
        found = was_last(change, before, size_of(x, count)), before = change;
    }
    mem_drop(m, J), mem_drop(m, r), mem_drop(m, dx);
    return found;
}

/* Gradients. ----------------------------------------------------------------------------------- */

static bool all_known(const double *x, int n)
{
    for (int j = 0; j < n; j++)
        if (!isfinite(x[j])) return false;
    return true;
}

/* d/dx_j of the value by differences of order four, x being a part of (a, b). */
static bool slope(const generating *g, double t, double h, const double *a, const double *b,
                  double *x, double d, double *by)
{
    static const double weight[] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12}, at[] = {-2, -1, 1, 2};
    const double        was = *x;
    double              sum = 0, W;
    bool                known = true;
    for (int k = 0; k < 4 && known; k++) {
        *x = was + at[k] * d;
        known = !g->value(g->self, t, h, a, b, &W) && isfinite(W);
        sum += weight[k] * W;
    }
    *x = was, *by = sum / d;
    return known;
}

bool generating_gradient(mem *m, const generating *g, double t, double h, const double *a,
                         const double *b, double *by_a, double *by_b)
{
    const int n = g->n;
    if (g->gradient)
        return !g->gradient(g->self, t, h, a, b, by_a, by_b) && all_known(by_a, n) &&
               all_known(by_b, n);
    double      *x = room(m, 2 * n), *y = x + n;
    const double d = 1e-3 * (fmax(size_of(a, n), size_of(b, n)) + 0.1);
    bool         known = true;
    memcpy(x, a, (size_t)n * sizeof *x), memcpy(y, b, (size_t)n * sizeof *y);
    for (int j = 0; j < n && known; j++)
        known =
            slope(g, t, h, x, y, &x[j], d, &by_a[j]) && slope(g, t, h, x, y, &y[j], d, &by_b[j]);
    mem_drop(m, x);
    return known;
}

/* Equations. ----------------------------------------------------------------------------------- */

typedef struct { /* unknowns: q1 (of type 2: p1), then mu; with a structure q1, then p1 */
    mem                    *m;
    const generating       *g;
    const generating_chord *at;
    double                 *x, *kicked, *by_a, *by_b, *q1, *p1, *W, *z, *v, *a;
} equations_of;

/*     kicked = p + W(q)^T mu */
static bool kick(equations_of *e, const double *q, double t, const double *p, const double *mu)
{
    const generating *g = e->g;
    memcpy(e->kicked, p, (size_t)g->n * sizeof *p);
    if (!g->rows) return true;
    if (g->one_forms(g->self, t, q, e->W) || !all_known(e->W, g->rows * g->n)) return false;
    for (int r = 0; r < g->rows; r++)
        for (int j = 0; j < g->n; j++) e->kicked[j] += e->W[r * g->n + j] * mu[r];
    return true;
}

/* The function at the chord, whose other end follows from the gradient: q1 and p1. */
static bool other_end(equations_of *e, const double *x)
{
    const generating *g = e->g;
    const int         n = g->n;
    const size_t      bytes = (size_t)n * sizeof *x;
    const double     *a = g->type == TYPE_3 ? e->kicked : e->at->q0;
    if (!generating_gradient(e->m, g, e->at->t, e->at->h, a, x, e->by_a, e->by_b)) return false;
    memcpy(e->q1, g->type == TYPE_2 ? e->by_b : x, bytes);
    memcpy(e->p1, g->type == TYPE_2 ? x : e->by_b, bytes);
    for (int j = 0; j < n && g->type == TYPE_3; j++) e->p1[j] = -e->p1[j];
    return true;
}

/* What is left of the first equation, and the constraint:
 *     1: p0 + D1 L_d,   2: p0 - D1 H_d+,   3: q0 + D1 H_d-,     (q0, q1) in Delta_d */
static bool induced(void *self, const double *x, double *r)
{
    equations_of     *e = self;
    const generating *g = e->g;
    if (!kick(e, e->at->q0, e->at->t, e->at->p0, x + g->n) || !other_end(e, x)) return false;
    for (int j = 0; j < g->n; j++)
        r[j] = g->type == TYPE_1   ? e->kicked[j] + e->by_a[j]
               : g->type == TYPE_2 ? e->kicked[j] - e->by_a[j]
                                   : e->at->q0[j] + e->by_a[j];
    return !g->rows || (!g->constraint(g->self, e->at->t, e->at->h, e->at->q0, e->q1, r + g->n) &&
                        all_known(r + g->n, g->rows));
}

/* Without a kick: q1 of (-), which the momentum after its kick decides alone. */
static bool unconstrained(void *self, const double *x, double *r)
{
    equations_of alone = *(equations_of *)self;
    generating   none = *alone.g;
    none.rows = 0, alone.g = &none;
    return induced(&alone, x, r);
}

/* (v, a) over the base of the function:                                   theory.md [TULCZYJEW]
 *     2: a_q = D1 H_d+ - p1,  a_p = D2 H_d+ - q0     3: a_q = D2 H_d- + p0,  a_p = D1 H_d- + q1 */
static bool by_structure(void *self, const double *x, double *r)
{
    equations_of     *e = self;
    const generating *g = e->g;
    const int         n = g->n;
    const double     *q1 = x, *p1 = x + n, *q0 = e->at->q0, *p0 = e->at->p0;
    const bool        second = g->type == TYPE_2;
    if (!generating_gradient(e->m, g, e->at->t, e->at->h, second ? q0 : p0, second ? p1 : q1,
                             e->by_a, e->by_b))
        return false;
    for (int j = 0; j < n; j++) {
        e->z[j] = q0[j], e->z[n + j] = p0[j], e->z[2 * n + j] = q1[j], e->z[3 * n + j] = p1[j];
        e->v[j] = q1[j] - q0[j], e->v[n + j] = p1[j] - p0[j];
        e->a[j] = second ? e->by_a[j] - p1[j] : e->by_b[j] + p0[j];
        e->a[n + j] = second ? e->by_b[j] - q0[j] : e->by_a[j] + q1[j];
    }
    return !g->structure(g->self, e->at->h, e->z, e->v, e->a, r) && all_known(r, 2 * n);
}

/* Steps. --------------------------------------------------------------------------------------- */

static bool say(const generating_chord *at, text *why)
{
    text_printf(why,
                "no step of %.6g from t = %.6g: a function has no value along it, or its equations "
                "have no solution near",
                at->h, at->t);
    return false;
}

/* Of (+), from a momentum before its kick. */
static bool forward(equations_of *e, double *x, double *mu)
{
    const generating *g = e->g;
    memset(x + g->n, 0, (size_t)g->rows * sizeof *x);
    if (!dense_root(e->m, induced, e, g->n + g->rows, x) || !induced(e, x, e->v)) return false;
    if (mu) memcpy(mu, x + g->n, (size_t)g->rows * sizeof *mu);
    return true;
}

/* Of (-): q1, and the kick there with which a further step stays in Delta_d. */
static bool backward(equations_of *e, double *x, double *mu)
{
    const generating *g = e->g;
    const int         n = g->n;
    if (!dense_root(e->m, unconstrained, e, n, x) || !unconstrained(e, x, e->v)) return false;
    if (!g->rows) return true;
    double *q1 = room(e->m, 3 * n + g->rows), *p1 = q1 + n, *y = p1 + n;
    memcpy(q1, e->q1, (size_t)n * sizeof *q1), memcpy(p1, e->p1, (size_t)n * sizeof *p1);
    const generating_chord next = {e->at->t + e->at->h, e->at->h, q1, p1, NULL, NULL, NULL};
    equations_of           ahead = *e;
    ahead.at = &next;
    memcpy(y, g->type == TYPE_2 ? p1 : q1, (size_t)n * sizeof *y);
    bool found = forward(&ahead, y, mu) && kick(e, q1, next.t, p1, y + n);
    memcpy(e->q1, q1, (size_t)n * sizeof *q1), memcpy(e->p1, e->kicked, (size_t)n * sizeof *p1);
    mem_drop(e->m, q1);
    return found;
}

static bool by_any_structure(equations_of *e, double *x)
{
    const int n = e->g->n;
    memcpy(x, e->at->q1, (size_t)n * sizeof *x), memcpy(x + n, e->at->p1, (size_t)n * sizeof *x);
    if (!dense_root(e->m, by_structure, e, 2 * n, x)) return false;
    memcpy(e->q1, x, (size_t)n * sizeof *x), memcpy(e->p1, x + n, (size_t)n * sizeof *x);
    return true;
}

/* One block, so that one call frees it. */
static void take_room(equations_of *e)
{
    const int n = e->g->n, rows = e->g->rows;
    const struct {
        double **of;
        int      count;
    } part[] = {{&e->kicked, n}, {&e->by_a, n},     {&e->by_b, n},
                {&e->q1, n},     {&e->p1, n},       {&e->z, 4 * n},
                {&e->a, 2 * n},  {&e->W, rows * n}, {&e->v, 2 * n + rows}};
    e->x = room(e->m, 15 * n + rows * (n + 2));
    double *next = e->x + 2 * n + rows;
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        *part[k].of = next, next += part[k].count;
}

bool generating_step(mem *m, const generating *g, principle side, const generating_chord *at,
                     text *why)
{
    const size_t bytes = (size_t)g->n * sizeof(double);
    equations_of e = {.m = m, .g = g, .at = at};
    take_room(&e);
    memcpy(e.x, g->type == TYPE_2 ? at->p1 : at->q1, bytes);
    const bool found = g->structure          ? by_any_structure(&e, e.x)
                       : side == DIRAC_MINUS ? backward(&e, e.x, at->mu)
                                             : forward(&e, e.x, at->mu);
    if (found) memcpy(at->q1, e.q1, bytes), memcpy(at->p1, e.p1, bytes);
    mem_drop(m, e.x);
    return found || say(at, why);
}
