/* finite.c - is a declared map q' = phi(t,q) = q + xi a symmetry of the system? With its derivative
 * D,
 *
 *     v' = D v + phi_t,   D^T p' = p;     Lambda(t,q',w') = s Lambda(t,q,w)
 *     D^T f(t,q',w') = s f(t,q,w),        A(t,q') D in the span of the rows of A(t,q)
 *
 * s = 1, or -1 for a map under which L changes its sign.                    theory.md [SYMMETRY] */
#include "model/analyse/probe.h"

#include "linalg/dense.h"

#include <string.h>

enum { COORDINATES_MOST = 200 };

typedef struct { /* a probe and its image, as values */
    sys_values o;
    double    *A; /* rows x n */
} seen;

typedef struct {
    mem    *m;
    double *D, *xi_t;             /* n x n, n       */
    double *q, *v, *p, *w, *unit; /* of the image */
    seen    here, there;
} image;

static seen seen_new(mem *m, const dal_system *sys)
{
    const int n = sys->n, rows = sys->m + sys->r;
    seen      s = {.A = mem_array(m, rows * n + 1, double)};
    double  **of_n[] = {&s.o.Lq, &s.o.Lw, &s.o.f, &s.o.D};
    for (int k = 0; k < 4; k++) *of_n[k] = mem_array(m, n + 1, double);
    s.o.e = mem_array(m, rows + 1, double), s.o.g = mem_array(m, sys->r + 1, double);
    s.o.A = mem_array(m, pattern_count(&sys->A) + 1, double);
    return s;
}

static bool look(dal_system *sys, const sys_point *at, seen *s)
{
    const int rows = sys->m + sys->r;
    if (sys->eval(sys->self, WANT_L | WANT_GRADIENT | (sys->forced ? WANT_FORCE : 0u), 1, at,
                  &s->o))
        return false;
    if (!rows) return true;
    if (sys->eval(sys->self, WANT_RELATIONS | WANT_HOLONOMIC, 1, at, &s->o)) return false;
    memset(s->A, 0, (size_t)(rows * sys->n) * sizeof *s->A);
    for (int a = 0; a < rows; a++)
        for (int e = sys->A.start[a]; e < sys->A.start[a + 1]; e++)
            s->A[a * sys->n + sys->A.column[e]] = s->o.A[e];
    return true;
}

/* D = I + xi_q, row by row: J = p.xi with a unit p. And the image of the probe. */
static void map_probe(image *y, generators *g, bound *b, int s, probe *x)
{
    const int n = x->n;
    for (int i = 0; i < n; i++) {
        memset(y->unit, 0, (size_t)n * sizeof *y->unit), y->unit[i] = 1;
        generator_eval(g, b, s, &x->at, y->unit, &x->J);
        memcpy(y->D + i * n, x->J.Jq, (size_t)n * sizeof *y->D);
        y->D[i * n + i] += 1, y->xi_t[i] = x->J.Jt, y->q[i] = x->q[i] + x->J.xi[i];
    }
    for (int i = 0; i < n; i++) {
        y->v[i] = y->xi_t[i];
        for (int j = 0; j < n; j++) y->v[i] += y->D[i * n + j] * x->v[j];
    }
    double *transpose = mem_array(y->m, n * n, double);
    for (int i = 0; i < n * n; i++) transpose[i] = y->D[i % n * n + i / n];
    dense_least_norm(y->m, transpose, n, n, x->p, 0, y->p);
    for (int i = 0; i < n; i++)
        y->w[i] = x->sys->hamiltonian && x->sys->hamiltonian[i] ? y->p[i] : y->v[i];
}

/* The largest of |D^T f' - s f| over the largest of both. */
static double change_of_forces(const image *y, int n, double s)
{
    double most = 0, size = 0;
    for (int j = 0; j < n; j++) {
        double back = 0;
        for (int i = 0; i < n; i++) back += y->D[i * n + j] * y->there.o.f[i];
        most = fmax(most, fabs(back - s * y->here.o.f[j]));
        size = fmax(size, fmax(fabs(back), fabs(y->here.o.f[j])));
    }
    return size > 0 ? most / size : 0;
}

/* How far rows of A(q') D are from the span of those of A(q), in their own size. */
static double change_of_relations(const image *y, int rows, int n)
{
    double  most = 0;
    double *At = mem_array(y->m, n * rows + 1, double), *row = mem_array(y->m, n, double);
    double *share = mem_array(y->m, rows + 1, double);
    for (int k = 0; k < n * rows; k++) At[k] = y->here.A[k % rows * n + k / rows];
    for (int a = 0; a < rows; a++) {
        double size = 0, rest = 0;
        for (int j = 0; j < n; j++) {
            row[j] = 0;
            for (int i = 0; i < n; i++) row[j] += y->there.A[a * n + i] * y->D[i * n + j];
            size = fmax(size, fabs(row[j]));
        }
        dense_least_norm(y->m, At, n, rows, row, 0, share);
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < rows; k++) row[j] -= At[j * rows + k] * share[k];
            rest = fmax(rest, fabs(row[j]));
        }
        if (size > 0) most = fmax(most, rest / size);
    }
    return most;
}

/* NaN, where something has no value, counts as no symmetry. */
static double change_under(const image *y, const probe *x, double s)
{
    const dal_system *sys = x->sys;
    const double      L = y->here.o.L, moved = y->there.o.L, size = fabs(L) + fabs(moved);
    double            most = size > 0 ? fabs(moved - s * L) / size : 0;
    if (sys->forced) most = fmax(most, change_of_forces(y, sys->n, s));
    if (sys->m + sys->r) most = fmax(most, change_of_relations(y, sys->m + sys->r, sys->n));
    return isnan(L + moved) ? HUGE_VAL : most;
}

/* How far the start is from its own image, in q and in v. */
static double off_its_image(image *y, generators *g, bound *b, int s, probe *x)
{
    double most = 0;
    map_probe(y, g, b, s, x);
    for (int i = 0; i < x->n; i++)
        most = fmax(most, fmax(fabs(y->q[i] - x->q[i]), fabs(y->v[i] - x->v[i])));
    return most;
}

static void judge(image *y, generators *g, bound *b, int s, probe *x, double change[2])
{
    const sys_point there = {.t = x->at.t, .q = y->q, .w = y->w, .v = y->v};
    sys_point       here = x->at;
    here.v = x->v;
    map_probe(y, g, b, s, x);
    const bool known = look(x->sys, &here, &y->here) && look(x->sys, &there, &y->there);
    for (int k = 0; k < 2; k++)
        change[k] = fmax(change[k], known ? change_under(y, x, k ? -1 : 1) : HUGE_VAL);
}

void analyse_finite(mem *m, const compiled *c, bound *b, const sys_point *start, analysis *a)
{
    const int   n = b->sys.n;
    probe       x = probe_new(m, b, start);
    image       y = {.m = mem_child(m)};
    generators *g = generators_new(m, c);
    double    **of_n[] = {&y.xi_t, &y.q, &y.v, &y.p, &y.w, &y.unit};
    a->symmetry_off = mem_array(m, c->md->symmetries + 1, double);
    for (int k = 0; k < 6; k++) *of_n[k] = mem_array(y.m, n + 1, double);
    y.D = mem_array(y.m, n * n, double);
    y.here = seen_new(y.m, x.sys), y.there = seen_new(y.m, x.sys);
    for (int s = 0; s < c->md->symmetries && n <= COORDINATES_MOST; s++) {
        uint64_t seed = 1;
        double   change[2] = {0};
        if (!symmetry_is_finite(c->md, s)) continue;
        for (int k = 0; k < PROBES && probe_place(&x, start, &seed); k++)
            judge(&y, g, b, s, &x, change);
        a->symmetry_defect[s] = fmin(change[0], change[1]);
        memcpy(x.q, start->q, (size_t)n * sizeof *x.q),
            memcpy(x.w, start->w, (size_t)n * sizeof *x.w);
        memcpy(x.v, start->v ? start->v : start->w, (size_t)n * sizeof *x.v);
        a->symmetry_off[s] = off_its_image(&y, g, b, s, &x);
    }
    mem_free(y.m);
}
