/* condition.c - how ill-conditioned a step of the energy principle is: the 2-norm condition of
 *
 *     K = [ J   g ]     g = dG/dh,  w = dS/dZ,  k = dS/dh                       theory.md [ENERGY]
 *         [ w^T k ]
 *
 * or of K T in the papers' unknowns, velocities V = Z/h in place of increments:
 *
 *     dZ = h dV + V dh:   T = [ h I  V ]   (other unknowns stay)
 *                             [  0   1 ]
 *
 * All singular values of a small K are computed. For a large one the largest of K^T K and of its
 * inverse are found by iteration, with the factors of J and of its transpose. */
#include "mech/energy/adaptive.h"

#include <math.h>
#include <string.h>

enum { SMALL = 32, ITERATIONS_MOST = 300 };

static const double SETTLED = 1e-4; /* relative change of a singular value in one iteration */

struct condition_work {
    pattern JT;
    int    *place; /* of the entries of J in those of its transpose */
    solver *lu;    /* of JT                                         */
    double *values, *w, *x, *y;
};

/* The pattern of J^T, by entries: nothing is to be done for a small K. */
dal_status condition_init(adaptive *a, mem *m, const char *kind)
{
    const pattern *J = &a->eq->J;
    const int      count = pattern_count(J), N = J->rows + 1;
    if (N <= SMALL) return DAL_OK;
    condition_work *c = a->large = mem_array(m, 1, condition_work);
    int            *row = mem_array(m, count, int);
    for (int i = 0; i < J->rows; i++)
        for (int k = J->start[i]; k < J->start[i + 1]; k++) row[k] = i;
    c->place = mem_array(m, count, int);
    c->JT = pattern_from_pairs(m, J->columns, J->rows, J->column, row, count, c->place);
    c->values = mem_array(m, count, double), c->w = mem_array(m, N, double);
    c->x = mem_array(m, N, double), c->y = mem_array(m, N, double);
    c->lu = solver_new(m, &c->JT, kind);
    return c->lu ? DAL_OK : DAL_INVALID;
}

void condition_free(adaptive *a)
{
    if (a->large) solver_free(a->large->lu);
    a->large = NULL;
}

/* x = T^T x, and x = T x; Z NULL: T is 1. */
static void transposed_unknowns(const adaptive *a, const double *Z, double *x)
{
    const int    n = a->eq->lam, last = equations_extent(a->eq);
    const double h = a->eq->h;
    for (int j = 0; j < n && Z; j++) x[last] += Z[j] / h * x[j], x[j] *= h;
}

static void to_increments(const adaptive *a, const double *Z, double *x)
{
    const int    n = a->eq->lam, last = equations_extent(a->eq);
    const double h = a->eq->h;
    for (int j = 0; j < n && Z; j++) x[j] = h * x[j] + Z[j] / h * x[last];
}

/* Their inverses. */
static void from_transposed(const adaptive *a, const double *Z, double *x)
{
    const int    n = a->eq->lam, last = equations_extent(a->eq);
    const double h = a->eq->h;
    for (int j = 0; j < n && Z; j++) x[j] /= h, x[last] -= Z[j] / h * x[j];
}

static void to_velocities(const adaptive *a, const double *Z, double *x)
{
    const int    n = a->eq->lam, last = equations_extent(a->eq);
    const double h = a->eq->h;
    for (int j = 0; j < n && Z; j++) x[j] = (x[j] - Z[j] / h * x[last]) / h;
}

/* From all singular values. */
static double dense(const adaptive *a, mem *m, const double *Z)
{
    const int N = equations_extent(a->eq) + 1;
    double   *K = mem_resize(m, NULL, (size_t)N * (size_t)N * sizeof *K);
    adaptive_matrix(a, K);
    for (int i = 0; i < N; i++) transposed_unknowns(a, Z, K + i * N);
    double condition = dense_condition(m, K, N);
    mem_drop(m, K);
    return condition;
}

/* to = K x, or K^T x: entry (i, j) of J is met once. */
static void multiply(const adaptive *a, bool transposed, const double *x, double *to)
{
    const pattern *J = &a->eq->J;
    const int      n = J->rows;
    const double  *side = transposed ? a->row : a->column, *foot = transposed ? a->column : a->row;
    for (int i = 0; i < n; i++) to[i] = side[i] * x[n];
    for (int i = 0; i < n; i++)
        for (int k = J->start[i]; k < J->start[i + 1]; k++) {
            int j = J->column[k];
            if (transposed) to[j] += a->eq->values[k] * x[i];
            else to[i] += a->eq->values[k] * x[j];
        }
    to[n] = border_dot(foot, x, n) + a->corner * x[n];
}

/* x = K^-1 x, or K^-T x, by elimination of the border: with c = J^-1 g (or J^-T w) and the Schur
 * complement s = k - w.c, which is the same for both,
 *     eta = (x_N - w.J^-1 x)/s,   J^-1 x - c eta */
static void divide(const adaptive *a, bool transposed, double *x)
{
    const int     n = equations_extent(a->eq);
    const double *foot = transposed ? a->column : a->row, *c = transposed ? a->large->w : a->c;
    solver_solve(transposed ? a->large->lu : a->lu, x);
    x[n] = (x[n] - border_dot(foot, x, n)) / a->slope;
    for (int j = 0; j < n; j++) x[j] -= c[j] * x[n];
}

/* Returns the length that x had. */
static double normalise(double *x, int N)
{
    double size = sqrt(border_dot(x, x, N));
    for (int j = 0; j < N; j++) x[j] /= size;
    return size;
}

/* x = (K T)^T K T x */
static void multiply_twice(const adaptive *a, const double *Z)
{
    condition_work *c = a->large;
    to_increments(a, Z, c->x);
    multiply(a, false, c->x, c->y), multiply(a, true, c->y, c->x);
    transposed_unknowns(a, Z, c->x);
}

/* x = ((K T)^T K T)^-1 x */
static void divide_twice(const adaptive *a, const double *Z)
{
    double *x = a->large->x;
    from_transposed(a, Z, x);
    divide(a, true, x), divide(a, false, x);
    to_velocities(a, Z, x);
}

/* The largest singular value of K T (or of its inverse): x -> (K T)^T K T x until its length
 * settles. The beginning is any vector that is near no other. */
static double largest(const adaptive *a, bool inverse, const double *Z)
{
    condition_work *c = a->large;
    const int       N = equations_extent(a->eq) + 1;
    double          value = 0, before;
    for (int j = 0; j < N; j++) c->x[j] = sin(1 + 1.7 * j + 0.3 * j * sin((double)j));
    normalise(c->x, N);
    for (int k = 0; k < ITERATIONS_MOST; k++) {
        before = value;
        if (inverse) divide_twice(a, Z);
        else multiply_twice(a, Z);
        value = sqrt(normalise(c->x, N));
        if (!(fabs(value - before) > SETTLED * value)) break;
    }
    return value;
}

/* Factors J and J^T at the last step; HUGE_VAL: one of them is singular. */
double adaptive_condition(adaptive *a, mem *m, const double *Z)
{
    condition_work *c = a->large;
    const int       count = pattern_count(&a->eq->J);
    if (!a->chose) return (double)NAN;
    if (!c) return dense(a, m, Z);
    for (int k = 0; k < count; k++) c->values[c->place[k]] = a->eq->values[k];
    if (!solver_factor(a->lu, a->eq->values) || !solver_factor(c->lu, c->values)) return HUGE_VAL;
    memcpy(a->c, a->column, (size_t)equations_extent(a->eq) * sizeof *a->c);
    memcpy(c->w, a->row, (size_t)equations_extent(a->eq) * sizeof *c->w);
    solver_solve(a->lu, a->c), solver_solve(c->lu, c->w);
    return largest(a, false, Z) * largest(a, true, Z);
}

void condition_archive(adaptive *a, archive *r, mem *m)
{
    if (a->large) solver_archive(a->large->lu, &a->large->JT, r, m, "condition");
}
