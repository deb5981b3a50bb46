/* lu_sparse.c - LU of a sparse matrix in an order with little fill (elimination.h), where pivots
 * stay on the diagonal: trees from their leaves, relations beside their coordinates. With i and j
 * later than pivot k,
 *
 *     l_ik = a_ik/d_k,   a_ij -= l_ik u_kj,
 *
 * and the places of all a_ij are known beforehand. There are no row exchanges: where a pivot is
 * what little is left of a sum, or large beside what it was, as it never is in definite matrices of
 * some condition, LU with exchanges takes the matrix. */
#include "linalg/elimination.h"
#include "linalg/kinds.h"

#include <math.h>
#include <string.h>

enum {
    LEAST = 64, /* unknowns for which it is worth while                                 */
    PAIRS = 64, /* of later unknowns at a pivot, on average, that general LU takes no better */
    PAIRS_BESIDE_ZEROS = 256 /* where that would exchange rows: stages of bodies with joints  */
};
static const double LEFT = 1e-6;  /* part of a sum that is still accurate */
static const double GROWTH = 1e3; /* of a_kk that is still harmless       */

typedef struct { /* an entry of u, and the one of l across                  */
    int  u, l;   /* as they were given; -1: they are 0                      */
    bool filled; /* something is added to them                              */
} given;

typedef struct {
    double inverse; /* 1/d_k; before, what was added to d_k */
    double sum;     /* of the sizes of that                 */
} pivot;

typedef struct {
    mem        *m;
    int         n;
    pattern     p;
    elimination by;
    int        *own;          /* the given entry of each pivot; -1: none                        */
    given      *from;         /* of entries of pivots and later unknowns                        */
    int        *target;       /* of each pair of later unknowns, the entry to which it is added */
    int         fills, *fill; /* entries that are such targets                            */
    pivot      *d;
    double     *u, *l;
    double     *x;         /* a right-hand side in this order            */
    solver     *general;   /* with row exchanges; NULL: was never needed */
    bool        exchanges; /* the factors are its own                    */
} sparse;

static bool has_diagonal(const pattern *p)
{
    for (int i = 0; i < p->rows; i++)
        if (pattern_find(p, i, i) < 0) return false;
    return true;
}

static bool find_order(mem *m, const pattern *p, elimination *by)
{
    const int pairs = has_diagonal(p) ? PAIRS : PAIRS_BESIDE_ZEROS;
    return elimination_find(m, p, (long long)pairs * p->rows, by);
}

/* Bands are better off as such, unless row exchanges would make them wide. */
static bool fits(mem *m, const pattern *p)
{
    elimination by;
    if (p->rows < LEAST || lu_dense.fits(m, p)) return false;
    if (has_diagonal(p) && lu_band.fits(m, p)) return false;
    const bool found = find_order(m, p, &by);
    if (found) elimination_drop(m, &by);
    return found;
}

static void end(void *self)
{
    solver_free(((sparse *)self)->general);
}

/* The entry of pivots i and j, i < j, from number `from` of the later ones of i on. */
static int entry_of(const elimination *by, int i, int j, int from)
{
    int e = from > by->start[i] ? from : by->start[i];
    while (by->later[e] != j) e++;
    return e;
}

static void find_entries(const sparse *s)
{
    const elimination *by = &s->by;
    const int          n = s->n;
    int               *of = mem_resize(s->m, NULL, ((size_t)n + 1) * sizeof *of);
    for (int k = 0; k < n; k++) of[by->order[k]] = k;
    for (int k = 0; k < n; k++) s->own[k] = -1;
    for (int e = 0; e < by->start[n]; e++) s->from[e] = (given){.u = -1, .l = -1};
    for (int a = 0; a < n; a++)
        for (int e = s->p.start[a]; e < s->p.start[a + 1]; e++) {
            const int i = of[a], j = of[s->p.column[e]];
            if (i == j) s->own[i] = e;
            else if (i < j) s->from[entry_of(by, i, j, 0)].u = e;
            else s->from[entry_of(by, j, i, 0)].l = e;
        }
    mem_drop(s->m, of);
}

/* Later unknowns of k ascend, and so do those of each of them. */
static void find_targets(sparse *s)
{
    const elimination *by = &s->by;
    int               *target = s->target;
    for (int k = 0; k < s->n; k++)
        for (int a = by->start[k]; a < by->start[k + 1]; a++)
            for (int b = a + 1, e = 0; b < by->start[k + 1]; b++) {
                *target++ = e = entry_of(by, by->later[a], by->later[b], e);
                s->fills += !s->from[e].filled, s->from[e].filled = true;
            }
    s->fill = mem_array(s->m, s->fills, int);
    for (int e = 0, k = 0; e < by->start[s->n]; e++)
        if (s->from[e].filled) s->fill[k++] = e;
}

static long long count_pairs(const elimination *by)
{
    long long pairs = 0;
    for (int k = 0; k < by->n; k++) {
        const long long later = by->start[k + 1] - by->start[k];
        pairs += later * (later - 1) / 2;
    }
    return pairs;
}

static void *analyse(mem *m, const pattern *p)
{
    elimination by;
    if (!p->rows || !find_order(m, p, &by)) return NULL;
    const int n = p->rows, count = by.start[n];
    sparse   *s = mem_take(m, sizeof *s);
    *s = (sparse){.m = m, .n = n, .p = *p, .by = by};
    s->own = mem_array(m, n, int), s->from = mem_array(m, count, given);
    s->target = mem_array(m, (size_t)count_pairs(&by), int);
    s->u = mem_array(m, count, double), s->l = mem_array(m, count, double);
    s->d = mem_array(m, n, pivot), s->x = mem_array(m, n, double);
    find_entries(s), find_targets(s);
    return s;
}

/* Is the pivot accurate, what is left of its own entry and a sum; and has that not grown? Where it
 * has no entry of its own, all is growth. */
static inline bool is_sound(double d, double own, double sum, bool bare)
{
    const double size = fabs(d), was = fabs(own);
    return (size >= LEFT * was) & (size >= LEFT * sum) & (size >= DBL_MIN) & (size <= DBL_MAX) &
           (bare | (sum <= GROWTH * was) | (d * own > 0));
}

/* What was added to entries stands there before their pivot is reached. False: it needs row
 * exchanges, or is not finite. */
static bool factor_plain(const sparse *s, const double *a)
{
    const int *start = s->by.start, *later = s->by.later, *target = s->target, n = s->n;
    double *restrict u = s->u, *restrict l = s->l;
    pivot *restrict d = s->d;
    bool sound = true;
    memset(d, 0, (size_t)n * sizeof *d);
    for (int k = 0; k < s->fills; k++) u[s->fill[k]] = l[s->fill[k]] = 0;
    for (int k = 0; k < n && sound; k++) {
        const int    to = start[k + 1];
        const double own = s->own[k] < 0 ? 0 : a[s->own[k]], here = own + d[k].inverse;
        const double inverse = 1 / here;
        sound = is_sound(here, own, d[k].sum, s->own[k] < 0);
        d[k].inverse = inverse;
        for (int e = start[k]; e < to; e++) {
            const given *of = &s->from[e];
            const double up = of->l < 0 ? 0 : a[of->l], right = of->u < 0 ? 0 : a[of->u];
            u[e] = of->filled ? u[e] + right : right;
            l[e] = (of->filled ? l[e] + up : up) * inverse;
            const double change = l[e] * u[e];
            d[later[e]].inverse -= change, d[later[e]].sum += fabs(change);
        }
        for (int e = start[k]; e < to; e++)
            for (int f = e + 1; f < to; f++, target++)
                u[*target] -= l[e] * u[f], l[*target] -= l[f] * u[e];
    }
    return sound;
}

/* Of a band, if it is one. */
static solver *general(sparse *s)
{
    if (!s->general)
        s->general = lu_band.fits(s->m, &s->p) ? solver_new(s->m, &s->p, lu_band.name)
                                               : solver_new_general(s->m, &s->p);
    return s->general;
}

static bool factor(void *self, const double *a)
{
    sparse *s = self;
    s->exchanges = !factor_plain(s, a);
    return !s->exchanges || solver_factor(general(s), a);
}

static void solve(const void *self, double *b)
{
    const sparse *s = self;
    const int    *start = s->by.start, *later = s->by.later, *order = s->by.order, n = s->n;
    double       *x = s->x;
    if (s->exchanges) {
        solver_solve(s->general, b);
        return;
    }
    for (int k = 0; k < n; k++) x[k] = b[order[k]];
    for (int k = 0; k < n; k++)
        for (int e = start[k]; e < start[k + 1]; e++) x[later[e]] -= s->l[e] * x[k];
    for (int k = n - 1; k >= 0; k--) {
        double sum = x[k];
        for (int e = start[k]; e < start[k + 1]; e++) sum -= s->u[e] * x[later[e]];
        b[order[k]] = x[k] = sum * s->d[k].inverse;
    }
}

static const double *pivoted_at(const void *self)
{
    const sparse *s = self;
    return s->general ? solver_past(s->general) : NULL;
}

static bool pivot_at(void *self, const double *a)
{
    return solver_recall(general(self), a);
}

static const char *used(const void *self)
{
    const sparse *s = self;
    return s->general ? solver_name(s->general) : lu_sparse.name;
}

/* Two products for each pair, and a division for each pivot, beside two products for each entry. */
static double effort(const void *self)
{
    const sparse *s = self;
    const double  pairs = (double)count_pairs(&s->by), entries = s->by.start[s->n];
    return (pairs + entries + s->n) / (entries + s->n);
}

static double work(const void *self)
{
    const sparse *s = self;
    return 2.0 * s->by.start[s->n] + s->n;
}

const solver_kind lu_sparse = {
    .name = "sparse",
    .title =
        "LU in an order with little fill, for trees and for relations beside their coordinates",
    .fits = fits,
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .free = end,
    .pivoted_at = pivoted_at,
    .pivot_at = pivot_at,
    .effort = effort,
    .work = work,
    .used = used,
};
