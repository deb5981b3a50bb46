/* turn.c - directions without inertia and relations turn with the state: at every grid point the
 * components that have inertia or relations there are removed from them. */
#include "mech/end/end.h"

#include <math.h>
#include <string.h>

/* Orthogonalises x to the first `count` orthonormal rows of a, twice for the sake of rounding;
 * returns its length. */
static double clear_of(const double *a, int count, double *x, int n)
{
    double size = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < count; k++) {
            double dot = 0;
            for (int i = 0; i < n; i++) dot += a[k * n + i] * x[i];
            for (int i = 0; i < n; i++) x[i] -= dot * a[k * n + i];
        }
    for (int i = 0; i < n; i++) size += x[i] * x[i];
    return sqrt(size);
}

static void shorten(double *x, int n, double size)
{
    for (int i = 0; i < n; i++) x[i] /= size;
}

/* One row of a pattern at a, of length one; false: it is 0. */
static bool unit_row(const pattern *p, int row, const double *values, double *a)
{
    double size = 0;
    memset(a, 0, (size_t)p->columns * sizeof *a);
    for (int k = p->start[row]; k < p->start[row + 1]; k++) {
        a[p->column[k]] = values[k];
        size += values[k] * values[k];
    }
    if (size > 0) shorten(a, p->columns, sqrt(size));
    return size > 0;
}

/* What velocities act on, normalised: a row of L_ww (a Hamiltonian coordinate, which does not
 * count, itself), then of A. */
static bool normal(const node_equations *g, int row, double *a)
{
    if (row >= g->n) return unit_row(&g->sys->A, row - g->n, g->out.A, a);
    if (!node_is_phase(g, row)) return unit_row(&g->sys->K, row, g->out.on_K[F_LWW], a);
    memset(a, 0, (size_t)g->n * sizeof *a);
    a[row] = 1;
    return true;
}

/* An orthonormal basis of all that: how many are they? */
static int find_normals(node_equations *g)
{
    static const double DEPENDENT = 1e-10;
    int                 count = 0;
    for (int row = 0; row < g->n + g->relations; row++) {
        double *a = g->normals + count * g->n;
        if (!normal(g, row, a)) continue;
        double left = clear_of(g->normals, count, a, g->n);
        if (left > DEPENDENT) shorten(a, g->n, left), count++;
    }
    return count;
}

/* The directions that were without inertia and relations, with what now has either removed. */
static bool turn(const node_equations *g, double *U, int count)
{
    const int n = g->n;
    for (int u = 0; u < g->k; u++) {
        double *x = U + u * n, left = clear_of(g->normals, count, x, n);
        for (int k = 0; k < u; k++) left = clear_of(U + k * n, 1, x, n);
        if (!(left > 0)) return false;
        shorten(x, n, left);
    }
    return true;
}

/* False: no value there, or nothing is left of a direction, which by now has inertia or a
 * relation. */
bool node_turn(node_equations *g, double t, const double *q, const double *w, const double *v)
{
    if (!g->normals) return true;
    g->at = (sys_point){.t = t, .q = q, .w = w, .v = v};
    if (!node_evaluate(g, WANT_GRADIENT | WANT_HESSIAN)) return false;
    const int count = find_normals(g);
    return turn(g, g->U, count) && (g->W == g->U || turn(g, g->W, count));
}
