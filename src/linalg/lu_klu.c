/* lu_klu.c - sparse LU by KLU of SuiteSparse: ordering once, pivoting once, and refactorisation
 * with the same pivots until they no longer suit the numbers.
 *
 * Our rows are KLU's columns, so it factors A^T and solves with the transpose. The matrix is scaled
 * as solver.h says, b_ij = a_ij / (r_i c_j), so that its pivots can be judged directly. KLU
 * allocates its own memory when it chooses pivots; refactoring and solving do not allocate.
 *
 * The row of a multiplier has no diagonal entry, and KLU might take any of its entries as the
 * pivot. If that is the entry of a hub, a coordinate in many relations, elimination couples all of
 * them and the factors fill in. So such a row is exchanged with the row of a coordinate that occurs
 * in little else: both then have a diagonal entry, and KLU keeps the order that it found. */
#include "linalg/kinds.h"

#ifdef DAL_HAVE_KLU

#include <float.h>
#include <klu.h>
#include <math.h>
#include <string.h>

/* the part of its first value to which the reciprocal pivot growth may fall */
static const double worn = 1e-3;

typedef struct {
    int           n;
    pattern       p;       /* of the rows as KLU meets them: number i is our row partner[i]  */
    pattern       given;   /* of our rows                                                    */
    int          *partner; /* itself, or the row that i has changed places with            */
    mem          *m;
    double       *values; /* b                                     */
    double       *chosen; /* b when the pivots were chosen         */
    double       *weight; /* 1 / r_i                               */
    double       *scale;  /* 1 / c_j                               */
    double        growth; /* reciprocal, when the pivots were chosen */
    klu_common    common;
    klu_symbolic *symbolic;
    klu_numeric  *numeric; /* NULL: no pivots chosen yet           */
} sparse;

static bool fits(mem *m, const pattern *p)
{
    (void)m;
    return p->rows > 0;
}

static void end(void *self)
{
    sparse *s = self;
    klu_free_numeric(&s->numeric, &s->common);
    klu_free_symbolic(&s->symbolic, &s->common);
}

static int row_length(const pattern *p, int i)
{
    return p->start[i + 1] - p->start[i];
}

/* Of the rows j with which i can change places, so that both get a diagonal entry, the shortest. */
static int shortest_partner(const pattern *p, const int *partner, int i)
{
    int best = i;
    for (int k = p->start[i]; k < p->start[i + 1]; k++) {
        int j = p->column[k];
        if (partner[j] == j && (best == i || row_length(p, j) < row_length(p, best)) &&
            pattern_find(p, j, i) >= 0)
            best = j;
    }
    return best;
}

static int *find_partners(mem *m, const pattern *p)
{
    int *partner = mem_array(m, p->rows, int);
    for (int i = 0; i < p->rows; i++) partner[i] = i;
    for (int i = 0; i < p->rows; i++) {
        if (partner[i] != i || pattern_find(p, i, i) >= 0) continue;
        int j = shortest_partner(p, partner, i);
        partner[i] = j, partner[j] = i;
    }
    return partner;
}

static pattern change_places(mem *m, const pattern *p, const int *partner)
{
    pattern q = {p->rows, p->columns, mem_array(m, p->rows + 1, int),
                 mem_array(m, pattern_count(p), int)};
    for (int i = 0; i < p->rows; i++) {
        int count = row_length(p, partner[i]);
        q.start[i + 1] = q.start[i] + count;
        for (int k = 0; k < count; k++)
            q.column[q.start[i] + k] = p->column[p->start[partner[i]] + k];
    }
    return q;
}

static void *analyse(mem *m, const pattern *p)
{
    sparse *s = mem_take(m, sizeof *s);
    s->n = p->rows, s->given = *p, s->m = m;
    s->partner = find_partners(m, p);
    s->p = change_places(m, p, s->partner);
    s->values = mem_array(m, pattern_count(p), double);
    s->chosen = mem_array(m, pattern_count(p), double);
    s->weight = mem_array(m, p->rows, double);
    s->scale = mem_array(m, p->rows, double);
    klu_defaults(&s->common);
    s->common.btf = 0;
    s->common.ordering = 0; /* approximate minimum degree */
    s->common.scale = -1;   /* ours instead */
    s->common.tol = 0.1;    /* a diagonal pivot may be this much smaller than the largest */
    mem_at_end(m, end, s);
    s->symbolic = klu_analyze(s->n, s->p.start, s->p.column, &s->common);
    if (s->common.status == KLU_OUT_OF_MEMORY) mem_fail(m);
    return s->symbolic ? s : NULL;
}

/* 1 / r_i; 0 if the row is empty or has an entry that is not finite */
static double weight_of(const double *row, int count)
{
    double r = 0, sum = 0;
    for (int k = 0; k < count; k++) {
        const double size = fabs(row[k]);
        r = size > r ? size : r;
        sum += size;
    }
    return r >= DBL_MIN && sum <= DBL_MAX ? 1 / r : 0;
}

/* weight and scale. False: some row or column is empty, or not finite. */
static bool equilibrate(const sparse *s, const double *values)
{
    const pattern *p = &s->given;
    for (int j = 0; j < s->n; j++) s->scale[j] = 0;
    for (int i = 0; i < s->n; i++) {
        const int    first = p->start[i], end = p->start[i + 1];
        const double weight = s->weight[i] = weight_of(values + first, end - first);
        if (weight == 0) return false;
        for (int k = first; k < end; k++) {
            double size = fabs(values[k]) * weight, *c = &s->scale[p->column[k]];
            *c = size > *c ? size : *c;
        }
    }
    for (int j = 0; j < s->n; j++) {
        if (s->scale[j] == 0) return false;
        s->scale[j] = 1 / s->scale[j];
    }
    return true;
}

static bool scale_values(sparse *s, const double *values)
{
    if (!equilibrate(s, values)) return false;
    for (int i = 0, k = 0; i < s->n; i++) {
        int           row = s->partner[i];
        const double *value = values + s->given.start[row];
        for (; k < s->p.start[i + 1]; k++)
            s->values[k] = *value++ * s->weight[row] * s->scale[s->p.column[k]];
    }
    return true;
}

/* Are all pivots above `least`? */
static bool sound(const sparse *s, double least)
{
    const double *pivot = s->numeric->Udiag;
    for (int k = 0; k < s->n; k++)
        if (!(fabs(pivot[k]) > least && fabs(pivot[k]) <= DBL_MAX)) return false;
    return true;
}

static double growth(sparse *s)
{
    klu_rgrowth(s->p.start, s->p.column, s->values, s->symbolic, s->numeric, &s->common);
    return s->common.rgrowth;
}

/* Refactors with the present pivots; false if they no longer suit the numbers, or if one is so
 * small that only fresh pivots, with less rounding, can tell whether the matrix is singular. */
static bool renew(sparse *s)
{
    return s->numeric &&
           klu_refactor(s->p.start, s->p.column, s->values, s->symbolic, s->numeric, &s->common) &&
           s->common.status == KLU_OK && sound(s, solver_negligible(s->n) / worn) &&
           growth(s) >= worn * s->growth;
}

static bool choose_pivots(sparse *s)
{
    klu_free_numeric(&s->numeric, &s->common);
    s->numeric = klu_factor(s->p.start, s->p.column, s->values, s->symbolic, &s->common);
    if (s->common.status == KLU_OUT_OF_MEMORY) mem_fail(s->m);
    if (!s->numeric) return false;
    memcpy(s->chosen, s->values, (size_t)pattern_count(&s->p) * sizeof *s->values);
    s->growth = growth(s);
    return sound(s, solver_negligible(s->n));
}

static bool factor(void *self, const double *values)
{
    sparse *s = self;
    return scale_values(s, values) && (renew(s) || choose_pivots(s));
}

static const double *pivoted_at(const void *self)
{
    const sparse *s = self;
    return s->numeric ? s->chosen : NULL;
}

static bool pivot_at(void *self, const double *entries)
{
    sparse *s = self;
    memcpy(s->values, entries, (size_t)pattern_count(&s->p) * sizeof *entries);
    return choose_pivots(s);
}

/* A x = b  is  B (C x) = R^-1 b */
static void solve(const void *self, double *x)
{
    const sparse *s = self;
    klu_common    common = s->common;
    for (int i = 0; i < s->n; i++) x[i] *= s->weight[i];
    for (int i = 0; i < s->n; i++) {
        int    j = s->partner[i];
        double swap = x[i];
        if (i < j) x[i] = x[j], x[j] = swap;
    }
    klu_tsolve(s->symbolic, s->numeric, s->n, 1, x, &common);
    for (int j = 0; j < s->n; j++) x[j] *= s->scale[j];
}

/* The floating-point operations of both, as they were estimated for pivots on the diagonal. */
static double effort(const void *self)
{
    const klu_symbolic *a = ((const sparse *)self)->symbolic;
    return a->est_flops / (2 * (a->lnz + a->unz));
}

static double work(const void *self)
{
    const klu_symbolic *a = ((const sparse *)self)->symbolic;
    return a->lnz + a->unz;
}

const solver_kind lu_klu = {
    .name = "klu",
    .title = "sparse LU of SuiteSparse, for all else",
    .fits = fits,
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .free = end,
    .pivoted_at = pivoted_at,
    .pivot_at = pivot_at,
    .effort = effort,
    .work = work,
};

#endif
