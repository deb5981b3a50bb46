/* hold.c - do relations that depend on each other here do so along the motion as well?
 *
 * A mechanism with one bar too many can move because of its dimensions: on the positions that it
 * can reach, rank A is constant. At a dead point it is not: there rank A is less than nearby. So
 * the independent relations are solved a little further along ker A, where the others must hold,
 * too, and the rank must be the same.                                              theory.md
 * [REDUNDANT] */
#include "linalg/dense.h"
#include "mech/redundant/redundant.h"

#include <math.h>
#include <string.h>

static const double FURTHER = 1e-3; /* of the largest position                           */
static const double AGREED = 1e-10; /* what is left of a relation, relative to its terms */
enum { PROJECTED_AFTER = 30 };

typedef struct {
    mem        *m;
    dal_system *sys;
    redundancy  of;
    int        *open; /* of each group, at the beginning */
    double     *zero, *q, *v, *value;
    sys_values  out;
} look;

static void make_room(look *k)
{
    const int n = k->sys->n, K = pattern_count(&k->sys->K), rows = k->sys->m + k->sys->r;
    double  **of_n[] = {&k->out.Lq, &k->out.Lw, &k->zero, &k->q, &k->v};
    for (size_t i = 0; i < sizeof of_n / sizeof *of_n; i++) *of_n[i] = mem_array(k->m, n, double);
    for (int f = 0; f < F_COUNT; f++) k->out.on_K[f] = mem_array(k->m, K, double);
    k->out.A = mem_array(k->m, pattern_count(&k->sys->A), double);
    k->out.e = mem_array(k->m, rows, double), k->out.g = mem_array(k->m, rows, double);
    k->value = mem_array(k->m, rows, double);
    redundancy_init(&k->of, k->m, k->sys);
    k->open = mem_array(k->m, k->of.groups, int);
}

/* A, e and g at (t, q, v). L_ww only weighs coordinates: that at rest, or at p = 0, will do. */
static bool evaluate(look *k, double t)
{
    const sys_point at = {.t = t, .q = k->q, .w = k->zero, .v = k->v};
    const unsigned  want = WANT_GRADIENT | WANT_HESSIAN | WANT_RELATIONS;
    return !k->sys->eval(k->sys->self, want | (k->sys->r ? WANT_HOLONOMIC : 0), 1, &at, &k->out);
}

/* What is left of a relation: of its velocities e, or g of a holonomic one; 0 for another then. */
static double left_of(const look *k, int row, bool holonomic)
{
    if (!holonomic) return k->out.e[row];
    return row < k->sys->m ? 0 : k->out.g[row - k->sys->m];
}

/* The least change of x, over the columns of a group, that takes value[i] off its independent rows
 * i; of all of them, or of holonomic ones. */
static void change(look *k, const relation_group *g, bool holonomic, const double *value, double *x)
{
    const pattern *A = &k->sys->A;
    mem           *m = mem_child(k->m);
    double        *a = mem_array(m, g->rows * g->columns, double);
    double        *b = mem_array(m, g->rows, double), *dx = mem_array(m, g->columns, double);
    int            rows = 0;
    for (int i = 0; i < g->rows - g->open; i++) {
        const int row = g->row[g->order[i]];
        if (holonomic && row < k->sys->m) continue;
        for (int e = A->start[row]; e < A->start[row + 1]; e++)
            a[rows * g->columns + k->of.local[A->column[e]]] = k->out.A[e];
        b[rows++] = -value[g->order[i]];
    }
    if (rows) dense_least_norm(m, a, rows, g->columns, b, 0, dx);
    for (int c = 0; c < g->columns; c++) x[g->column[c]] += dx[c];
    mem_free(m);
}

static double size_of(const relation_group *g, const double *x)
{
    double most = 0;
    for (int c = 0; c < g->columns; c++) most = fmax(most, fabs(x[g->column[c]]));
    return most;
}

/* What is left of the relations of a group, in value; the largest relative to terms of this size.
 */
static double off(const look *k, const relation_group *g, bool holonomic, double size,
                  double *value)
{
    const pattern *A = &k->sys->A;
    double         most = 0;
    for (int i = 0; i < g->rows; i++) {
        double terms = 0;
        for (int e = A->start[g->row[i]]; e < A->start[g->row[i] + 1]; e++)
            terms += fabs(k->out.A[e]) * (size > 0 ? size : 1);
        value[i] = left_of(k, g->row[i], holonomic);
        if (!(fabs(value[i]) <= most * terms)) most = fabs(value[i]) / terms;
    }
    return most;
}

/* Moves q until the independent holonomic rows of a group hold: do the others? */
static bool project(look *k, const relation_group *g, double t)
{
    double before = HUGE_VAL, now = 0;
    for (int it = 0; it < PROJECTED_AFTER; it++, before = now) {
        if (!evaluate(k, t)) return false;
        now = off(k, g, true, size_of(g, k->q), k->value);
        if (it && !(now < before / 2)) break;
        change(k, g, true, k->value, k->q);
    }
    return now <= AGREED;
}

/* Is there a velocity that obeys all rows? */
static bool can_move(look *k, const relation_group *g, double t)
{
    const size_t bytes = sizeof *k->v * (size_t)k->sys->n;
    memset(k->v, 0, bytes);
    if (!evaluate(k, t)) return false;
    if (off(k, g, false, 1, k->value) == 0) return true;
    change(k, g, false, k->value, k->v);
    const bool good = evaluate(k, t) && off(k, g, false, size_of(g, k->v), k->value) <= AGREED;
    memset(k->v, 0, bytes);
    return good;
}

/* A little further along ker A, in golden ratios, so that no symmetry of the model is met. */
static void go_further(look *k, const relation_group *g)
{
    const pattern *A = &k->sys->A;
    double        *u = mem_array(k->m, k->sys->n, double), size = size_of(g, k->q);
    for (int c = 0; c < g->columns; c++) u[g->column[c]] = 1 + fmod(0.618033988749895 * c, 1);
    for (int i = 0; i < g->rows; i++) {
        k->value[i] = 0;
        for (int e = A->start[g->row[i]]; e < A->start[g->row[i] + 1]; e++)
            k->value[i] += k->out.A[e] * u[A->column[e]];
    }
    change(k, g, false, k->value, u);
    if (size == 0) size = 1;
    for (int c = 0; c < g->columns; c++) k->q[g->column[c]] += FURTHER * size * u[g->column[c]];
}

/* The rank of every group is that of the beginning. */
static bool same_rank(look *k, double t)
{
    bool same = evaluate(k, t);
    if (same) redundancy_find(&k->of, k->out.A, k->out.on_K[F_LWW]);
    for (int g = 0; g < k->of.groups && same; g++) same = k->of.group[g].open == k->open[g];
    return same;
}

static bool hold(look *k, double t, double dt, double *there)
{
    if (!evaluate(k, t) || !redundancy_find(&k->of, k->out.A, k->out.on_K[F_LWW])) return false;
    const int groups = k->of.groups;
    bool      good = true;
    for (int i = 0; i < groups; i++) k->open[i] = k->of.group[i].open;
    for (int i = 0; i < groups && good; i++)
        if (k->open[i]) good = project(k, &k->of.group[i], t) && can_move(k, &k->of.group[i], t);
    memcpy(there, k->q, sizeof *there * (size_t)k->sys->n);
    for (int i = 0; i < groups && good; i++) {
        if (!k->open[i]) continue;
        go_further(k, &k->of.group[i]);
        good = project(k, &k->of.group[i], t + dt) && can_move(k, &k->of.group[i], t + dt);
    }
    return good && same_rank(k, t + dt);
}

const double *redundancy_holds(mem *m, dal_system *sys, double t, double dt, const double *q)
{
    look    k = {.m = mem_child(m), .sys = sys};
    double *there = mem_array(m, sys->n, double);
    make_room(&k);
    memcpy(k.q, q, sizeof *q * (size_t)sys->n);
    const bool good = k.of.groups && hold(&k, t, dt, there);
    mem_free(k.m);
    return good ? there : NULL;
}
