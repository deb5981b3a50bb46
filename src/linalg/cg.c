/* cg.c - conjugate gradients: for large symmetric definite matrices whose factors would fill in.
 *
 * The matrix is brought to a diagonal of ones, b x = r (symmetric.h), and with p = s = 0 and
 * beta = 0 at first, each iteration is (Chronopoulos and Gear)
 *
 *     w = b r,   gamma = <r,r>,   alpha = gamma/(<r,w> - beta gamma/alpha'),   beta = gamma/gamma'
 *     p = r + beta p,   s = w + beta s (which is b p),   x += alpha p,   r -= alpha s
 *
 * alpha lies between the reciprocals of the extreme eigenvalues, so the largest one met bounds what
 * an error may be beside its residual, as far as the iteration has seen. Sums are made of blocks of
 * rows, in one order, whatever the number of threads.
 *
 * A matrix that is not symmetric, a direction along which it is not definite, and an iteration that
 * takes longer than factors would, are left to a direct solver, and so are all later matrices. */
#include "linalg/kinds.h"
#include "linalg/symmetric.h"

#include <math.h>
#include <string.h>

enum {
    LEAST = 512,  /* unknowns for which it is worth while         */
    BLOCK = 512,  /* rows                                         */
    PATIENT = 32, /* iterations before factors are thought of     */
};
static const double SCARCE = 0.1; /* factorisations a solution, where the matrix is kept */
/* Measured on lattices and networks of 1000 to 90,000 unknowns: with kept factors Newton's
 * iteration takes so much longer than with solutions of this accuracy, and entries of factors take
 * longer. */
static const double LONGER = 5, USUAL = 1e-3;

typedef struct {
    double product, most;
} sums;

/* What changes from one solution to the next. */
typedef struct {
    double  part, least; /* what may be left: of r at first, and of x */
    double  alpha, beta;
    int     most;     /* iterations              */
    solver *direct;   /* NULL: was never needed  */
    bool    directly; /* matrices are left to it */
} course;

typedef struct {
    mem      *m;
    symmetric b;
    double   *a; /* the matrix as it was given */
    double   *x, *r, *w, *p, *s;
    sums     *of; /* of each block */
    course   *now;
} gradients;

static bool fits(mem *m, const pattern *p)
{
    return p->rows >= LEAST && !lu_dense.fits(m, p);
}

static void end(void *self)
{
    solver_free(((gradients *)self)->now->direct);
}

static double *padded(mem *m, const symmetric *b)
{
    return mem_array(m, b->n + 2 * b->reach, double) + b->reach;
}

static void *analyse(mem *m, const pattern *p)
{
    gradients *g = mem_take(m, sizeof *g);
    const int  n = p->rows;
    if (!symmetric_init(&g->b, m, p)) return NULL;
    g->m = m, g->now = mem_array(m, 1, course);
    g->now->most = PATIENT, g->now->part = DBL_EPSILON;
    g->a = mem_array(m, pattern_count(p), double);
    g->r = padded(m, &g->b);
    g->x = mem_array(m, n, double), g->w = mem_array(m, n, double);
    g->p = mem_array(m, n, double), g->s = mem_array(m, n, double);
    g->of = mem_array(m, n / BLOCK + 1, sums);
    return g;
}

/* The direct solver. --------------------------------------------------------------------------- */

static solver *direct(const gradients *g)
{
    if (!g->now->direct) g->now->direct = solver_new_general(g->m, &g->b.p);
    return g->now->direct;
}

/* What an iteration reads. */
static double work(const void *self)
{
    const gradients *g = self;
    return pattern_count(&g->b.p) + 5.0 * g->b.n;
}

/* As many iterations as take the time of a solution with factors, and its share of them. */
static int patience(const void *self)
{
    const gradients *g = self;
    const double     most =
        LONGER * solver_work(direct(g)) * (1 + SCARCE * solver_effort(direct(g))) / work(g);
    return most < PATIENT ? PATIENT : most < g->b.n ? (int)most : g->b.n;
}

static bool factor_directly(const gradients *g)
{
    g->now->directly = true;
    return solver_factor(direct(g), g->a);
}

static bool factor(void *self, const double *a)
{
    gradients *g = self;
    for (int e = 0; e < pattern_count(&g->b.p); e++) g->a[e] = a[e];
    return (!g->now->directly && symmetric_fill(&g->b, a)) || factor_directly(g);
}

static const double *given_up_at(const void *self)
{
    const gradients *g = self;
    const double    *pivots = g->now->direct ? solver_past(g->now->direct) : NULL;
    return !g->now->directly ? NULL : pivots ? pivots : g->a;
}

static bool give_up_at(void *self, const double *a)
{
    gradients *g = self;
    g->now->directly = a;
    if (a) solver_recall(direct(g), a);
    return true;
}

/* Iterations. ---------------------------------------------------------------------------------- */

enum { LANES = 4 };

static double lane_sum(const double *x)
{
    return (x[0] + x[1]) + (x[2] + x[3]);
}

static double lane_most(const double *x)
{
    const double a = x[0] > x[1] ? x[0] : x[1], b = x[2] > x[3] ? x[2] : x[3];
    return a > b ? a : b;
}

/*     <x,y>, and max |x_i|, of n rows */
static sums products(const double *restrict x, const double *restrict y, int n)
{
    double sum[LANES] = {0}, most[LANES] = {0};
    int    i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int l = 0; l < LANES; l++) {
            const double size = fabs(x[i + l]);
            sum[l] += x[i + l] * y[i + l];
            most[l] = size > most[l] ? size : most[l];
        }
    for (int l = 0; i < n; i++, l++) {
        const double size = fabs(x[i]);
        sum[l] += x[i] * y[i];
        most[l] = size > most[l] ? size : most[l];
    }
    return (sums){lane_sum(sum), lane_most(most)};
}

typedef sums rows_of(const gradients *g, int from, int to);

/* Blocks one by one, and the sum of their sums. */
static sums over_blocks(const gradients *g, rows_of *rows)
{
    const int n = g->b.n, blocks = (n + BLOCK - 1) / BLOCK;
    sums      all = {0, 0};
    for (int k = 0; k < blocks; k++)
        g->of[k] = rows(g, k * BLOCK, (k + 1) * BLOCK < n ? (k + 1) * BLOCK : n);
    for (int k = 0; k < blocks; k++) {
        all.product += g->of[k].product;
        all.most = g->of[k].most > all.most ? g->of[k].most : all.most;
    }
    return all;
}

static sums begin_rows(const gradients *g, int from, int to)
{
    const size_t bytes = (size_t)(to - from) * sizeof(double);
    for (int i = from; i < to; i++) g->r[i] = g->b.s * g->b.c[i] * g->x[i];
    memset(g->x + from, 0, bytes);
    memset(g->p + from, 0, bytes), memset(g->s + from, 0, bytes);
    return products(g->r + from, g->r + from, to - from);
}

static sums measure_rows(const gradients *g, int from, int to)
{
    return products(g->r + from, g->r + from, to - from);
}

static sums multiply_rows(const gradients *g, int from, int to)
{
    symmetric_multiply(&g->b, g->r, g->w, from, to);
    return products(g->r + from, g->w + from, to - from);
}

static sums advance_rows(const gradients *g, int from, int to)
{
    const double alpha = g->now->alpha, beta = g->now->beta;
    double *restrict p = g->p, *restrict s = g->s, *restrict x = g->x, *restrict r = g->r;
    const double *restrict w = g->w;
    for (int i = from; i < to; i++) {
        p[i] = r[i] + beta * p[i], s[i] = w[i] + beta * s[i];
        x[i] += alpha * p[i], r[i] -= alpha * s[i];
    }
    return products(r + from, r + from, to - from);
}

/* r and x in units of the largest r, lest squares leave the range of numbers. */
static double take_unit(const gradients *g, sums *now)
{
    const double far = 0x1p400, unit = now->most;
    if (unit == 0 || (unit > 1 / far && unit < far)) return 1;
    for (int i = 0; i < g->b.n; i++) g->r[i] /= unit;
    *now = over_blocks(g, measure_rows);
    return unit;
}

/* False: not definite, not finite, or slower than factors. */
static bool iterate(const gradients *g, double *unit)
{
    course *c = g->now;
    sums    now = over_blocks(g, begin_rows);
    *unit = take_unit(g, &now);
    const double enough = c->part * now.most, least = c->least / *unit;
    const double asked = fmax(log(c->part) / log(USUAL), 1); /* beside what is usual */
    double       before = 0, longest = 0;
    for (int k = 0; now.most > enough && (k == 0 || longest * now.most > least); k++) {
        if (k >= c->most * asked && k >= (c->most = patience(g)) * asked) return false;
        const double along = over_blocks(g, multiply_rows).product, gamma = now.product;
        c->beta = k ? gamma / before : 0;
        c->alpha = gamma / (k ? along - c->beta * gamma / c->alpha : along);
        if (!(c->alpha > 0 && c->alpha <= DBL_MAX)) return false;
        longest = c->alpha > longest ? c->alpha : longest, before = gamma;
        now = over_blocks(g, advance_rows);
    }
    return now.product <= DBL_MAX;
}

/* What is singular after all leads nowhere. */
static void solve(const void *self, double *x)
{
    const gradients *g = self;
    const int        n = g->b.n;
    double           unit;
    if (!g->now->directly) {
        for (int i = 0; i < n; i++) g->x[i] = x[i];
        if (iterate(g, &unit)) {
            for (int i = 0; i < n; i++) x[i] = g->b.c[i] * g->x[i] * unit;
            return;
        }
        if (!factor_directly(g)) {
            for (int i = 0; i < n; i++) x[i] = NAN;
            return;
        }
    }
    solver_solve(g->now->direct, x);
}

static bool aim(void *self, double part, const double *size)
{
    gradients *g = self;
    double     most = 0;
    for (int i = 0; i < g->b.n; i++) {
        const double x = fabs(size[i]), c = g->b.c[i];
        if (x > most * c) most = x / c;
    }
    g->now->part = part, g->now->least = DBL_EPSILON / 16 * most;
    return !g->now->directly;
}

static const char *used(const void *self)
{
    const gradients *g = self;
    return g->now->directly ? solver_used(g->now->direct) : "cg";
}

const solver_kind cg = {
    .name = "cg",
    .title = "conjugate gradients, for large definite matrices whose factors fill in",
    .fits = fits,
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .free = end,
    .pivoted_at = given_up_at,
    .pivot_at = give_up_at,
    .work = work,
    .aim = aim,
    .used = used,
    .patience = patience,
};
