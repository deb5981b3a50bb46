/* lu_dense.c - dense LU: that of compiled steps (step/lu_rows.h), with sizes known at run time and
 * for few unknowns as constants, to the same bits; of two unknowns written out. */
#include "linalg/kinds.h"
#include "step/words.h"

#include <math.h>
#include <string.h>

enum { DENSE_ALWAYS = 32 }; /* unknowns up to which being sparse does not pay */

typedef struct {
    int   n, ld;
    real *a, *inverse;
    int  *swap;
    real *m, *weight, *scale, *size, *rest, *x; /* room */
} factored;

#define SIZES_AT_RUN_TIME
#define N (f->n)
#define LD (f->ld)
#define ROOM(name, count) real *const name = f->name
#define STRICT 1
#define PIECE static
#include "step/lu_rows.h"

/* [a b; c d] with the rows exchanged if c is the larger one for its row: a, b, l = c/a, u = d - l
 * b. x, y, z, w: their sizes, then relative to the largest of their row. */
static bool factor_two(factored *f, const double *v)
{
    double       x = fabs(v[0]), y = fabs(v[1]), z = fabs(v[2]), w = fabs(v[3]);
    const double first = x > y ? x : y, second = z > w ? z : w;
    if (!(first >= LEAST && second >= LEAST && x + y <= MOST && z + w <= MOST)) return false;
    const double weight[2] = {1 / first, 1 / second};
    x *= weight[0], y *= weight[0], z *= weight[1], w *= weight[1];
    const int    low = z > x, high = 1 - low;
    const double a = v[2 * low], b = v[2 * low + 1], c = v[2 * high], d = v[2 * high + 1];
    const double l = c / a, u = d - l * b, size = fabs(u);
    if (!(x + z > 0 && size * weight[high] > (y > w ? y : w) * NEGLIGIBLE)) return false;
    f->swap[0] = low;
    f->a[0] = a, f->a[1] = b, f->a[2] = l, f->a[3] = u;
    return fabs(a) >= LEAST && fabs(a) <= MOST && size >= LEAST && size <= MOST;
}

/* The same with constants, for each of FEW unknowns. */
#undef N
#undef LD
#undef ROOM
#define LD ((N + BLOCK - 1) / BLOCK * BLOCK)
#define ROOM(name, count) real name[count]
#define N 3
#include "linalg/lu_few.h"
#define N 4
#include "linalg/lu_few.h"
#define N 5
#include "linalg/lu_few.h"
#define N 6
#include "linalg/lu_few.h"
#define N 7
#include "linalg/lu_few.h"
#define N 8
#include "linalg/lu_few.h"

enum { FEW = 8 };
static const struct {
    mask (*factor)(factored *f, mask fresh);
    void (*solve)(const factored *f, const real *r, real *delta);
} of_size[FEW + 1] = {
    [3] = {factor_3, solve_3}, [4] = {factor_4, solve_4}, [5] = {factor_5, solve_5},
    [6] = {factor_6, solve_6}, [7] = {factor_7, solve_7}, [8] = {factor_8, solve_8},
};

static bool is_few(int n)
{
    return n >= 3 && n <= FEW;
}

typedef struct {
    pattern  p;
    bool     full;
    factored lu;
    double  *side;
} dense;

static bool fits(mem *m, const pattern *p)
{
    (void)m;
    long long n = p->rows;
    return n <= DENSE_ALWAYS || 4LL * pattern_count(p) >= n * n;
}

static void *analyse(mem *m, const pattern *p)
{
    const int    n = p->rows, ld = (n + BLOCK - 1) / BLOCK * BLOCK;
    const size_t all = (size_t)ld * (size_t)ld;
    dense       *s = mem_take(m, sizeof *s);
    *s = (dense){.p = *p, .full = pattern_is_full(p), .lu = {.n = n, .ld = ld}};
    s->lu.a = mem_array(m, all, double), s->lu.m = mem_array(m, all, double);
    real **const row[] = {&s->lu.inverse, &s->lu.weight, &s->lu.scale, &s->lu.size,
                          &s->lu.rest,    &s->lu.x,      &s->side};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) *row[k] = mem_array(m, ld, double);
    s->lu.swap = mem_array(m, n, int);
    return s;
}

static bool factor_dense(void *self, const double *values)
{
    dense       *s = self;
    const size_t n = (size_t)s->p.rows;
    if (n == 2 && s->full) return factor_two(&s->lu, values);
    if (s->full && n) memcpy(s->lu.a, values, n * n * sizeof *values);
    else memset(s->lu.a, 0, n * n * sizeof *values);
    for (size_t i = 0; i < n && !s->full; i++)
        for (int k = s->p.start[i]; k < s->p.start[i + 1]; k++)
            s->lu.a[i * n + (size_t)s->p.column[k]] = values[k];
    return is_few(s->p.rows) ? of_size[n].factor(&s->lu, EVERYWHERE) : factor(&s->lu, EVERYWHERE);
}

static void solve_dense(const void *self, double *x)
{
    const dense *s = self;
    if (s->p.rows == 2 && s->full) {
        const double *a = s->lu.a, y = x[s->lu.swap[0]];
        x[1] = (x[1 - s->lu.swap[0]] - a[2] * y) / a[3], x[0] = (y - a[1] * x[1]) / a[0];
        return;
    }
    if (is_few(s->p.rows)) of_size[s->p.rows].solve(&s->lu, x, s->side);
    else solve(&s->lu, x, s->side);
    for (int k = 0; k < s->p.rows; k++) x[k] = -s->side[k];
}

/* 2/3 n^3 operations beside 2 n^2, but rows that are updated together stay in registers. */
static double effort(const void *self)
{
    static const double FASTER = 7; /* a product of a factorisation, measured */
    const double        n = ((const dense *)self)->p.rows;
    return fmax(n / 3 / FASTER, 1);
}

const solver_kind lu_dense = {
    .name = "dense",
    .title = "dense LU with scaled partial pivoting",
    .fits = fits,
    .analyse = analyse,
    .factor = factor_dense,
    .solve = solve_dense,
    .effort = effort,
};
