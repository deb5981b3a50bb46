/* lu_band.c - LU within a band (band.h): for chains and rings, where it beats general sparse
 * elimination. Rows are first reordered to make the band narrow; those of a tridiagonal matrix are
 * in order already. Long tridiagonal matrices are factored in partitions (band_factors.h), other
 * narrow bands row by row (band_unpivoted.h), as long as no rows need to be exchanged. */
#include "linalg/band.h"
#include "linalg/band_factors.h"
#include "linalg/band_unpivoted.h"
#include "linalg/kinds.h"

#include <string.h>

enum { BAND_ENOUGH = 96 }; /* widest stored row that is still better than general elimination */

typedef struct {
    pattern p;           /* in the order of the band                            */
    int    *position;    /* row and column i of the caller's matrix are ours position[i];
                            NULL: they are in order                             */
    int          *place; /* of the caller's entries among those of p            */
    double       *values;
    band          lu;
    double       *x;       /* a right-hand side in this order; NULL: it is solved in place */
    int           narrow;     /* entries on either side of a narrow band; 0: it is too wide */
    band_factors *partitions; /* NULL: too short or too wide for them        */
    bool          plain;      /* the factors are theirs: no rows were exchanged */
} ordered;

/* How far the entries lie from the diagonal. position NULL: they are in order. */
static void measure(const pattern *p, const int *position, int *lower, int *upper)
{
    *lower = *upper = 0;
    for (int i = 0; i < p->rows; i++)
        for (int k = p->start[i]; k < p->start[i + 1]; k++) {
            const int j = p->column[k], right = position ? position[j] - position[i] : j - i;
            if (right > *upper) *upper = right;
            if (-right > *lower) *lower = -right;
        }
}

static bool fits(mem *m, const pattern *p)
{
    int *position = mem_resize(m, NULL, ((size_t)p->rows + 1) * sizeof *position);
    int  lower, upper;
    pattern_order(m, p, position);
    measure(p, position, &lower, &upper);
    mem_drop(m, position);
    const int width = 2 * lower + upper + 1;
    return width <= BAND_ENOUGH && 3 * width <= p->rows;
}

/* Every entry beside the diagonal is there, and none elsewhere. */
static bool is_tridiagonal(mem *m, const pattern *p)
{
    (void)m;
    int n = p->rows;
    if (n < 3 || pattern_count(p) != 3 * n - 2) return false;
    for (int i = 0; i < n; i++)
        for (int k = p->start[i]; k < p->start[i + 1]; k++)
            if (p->column[k] < i - 1 || p->column[k] > i + 1) return false;
    return true;
}

/* The caller's entries in the order of the band. */
static void order(mem *m, ordered *s, const pattern *p)
{
    const int n = p->rows, count = pattern_count(p);
    int      *row = mem_resize(m, NULL, ((size_t)count + 1) * sizeof *row);
    int      *column = mem_resize(m, NULL, ((size_t)count + 1) * sizeof *column);
    s->place = mem_array(m, count, int);
    s->values = mem_array(m, count, double);
    for (int i = 0; i < n; i++)
        for (int k = p->start[i]; k < p->start[i + 1]; k++)
            row[k] = s->position[i], column[k] = s->position[p->column[k]];
    s->p = pattern_from_pairs(m, n, n, row, column, count, s->place);
    mem_drop(m, column), mem_drop(m, row);
}

static ordered *make(mem *m, const pattern *p, int *position)
{
    ordered *s = mem_take(m, sizeof *s);
    int      lower, upper, n = p->rows;
    *s = (ordered){.p = *p, .position = position};
    if (position) order(m, s, p);
    measure(&s->p, NULL, &lower, &upper);
    const int reach = lower > upper ? lower : upper;
    s->lu = band_new(m, n, lower, upper);
    if (reach == 1 && band_factors_fit(n, reach)) s->partitions = band_factors_new(m, n, reach);
    if (reach > 0 && reach <= UNPIVOTED_MOST &&
        (n + reach) * (2LL * reach + 1) <= (long long)n * s->lu.width)
        s->narrow = reach;
    if (position || !s->partitions) s->x = mem_array(m, n + reach, double);
    return s;
}

static void *analyse(mem *m, const pattern *p)
{
    int *position = mem_array(m, p->rows, int);
    pattern_order(m, p, position);
    return make(m, p, position);
}

static void *analyse_tridiagonal(mem *m, const pattern *p)
{
    return is_tridiagonal(m, p) ? make(m, p, NULL) : NULL;
}

/* In the room of the band that is pivoted. */
static bool factor_unpivoted(const ordered *s, const double *values)
{
    const int    w = s->narrow, width = 2 * w + 1, n = s->lu.n;
    const size_t rows = (size_t)n + (size_t)w;
    memset(s->lu.a, 0, rows * (size_t)width * sizeof *s->lu.a);
    for (int i = 0; i < n; i++) {
        double *diagonal = s->lu.a + (ptrdiff_t)i * width + w;
        for (int k = s->p.start[i]; k < s->p.start[i + 1]; k++)
            diagonal[s->p.column[k] - i] = values[k];
    }
    return unpivoted_factor(s->lu.a, n, w);
}

/* Without exchanges of rows, if they will do. */
static bool factor(void *self, const double *values)
{
    ordered   *s = self;
    const int *start = s->p.start;
    for (int k = 0; s->position && k < start[s->lu.n]; k++) s->values[s->place[k]] = values[k];
    if (s->position) values = s->values;
    s->plain = s->partitions ? band_factors_factor(s->partitions, &s->p, values)
                             : s->narrow && factor_unpivoted(s, values);
    if (s->plain) return true;
    band_clear(&s->lu);
    for (int i = 0; i < s->lu.n; i++) {
        double *diagonal = band_entry(&s->lu, i, i);
        for (int k = start[i]; k < start[i + 1]; k++) diagonal[s->p.column[k] - i] = values[k];
    }
    return band_factor(&s->lu, solver_negligible(s->lu.n));
}

static void solve(const void *self, double *b)
{
    const ordered *s = self;
    const int     *position = s->position, n = s->lu.n;
    double        *x = s->x ? s->x : b;
    for (int i = 0; i < n && x != b; i++) x[position ? position[i] : i] = b[i];
    if (!s->plain) band_solve(&s->lu, x, 0, n);
    else if (s->partitions) band_factors_solve(s->partitions, x);
    else unpivoted_solve(s->lu.a, n, s->narrow, x);
    for (int i = 0; i < n && x != b; i++) b[i] = x[position ? position[i] : i];
}

/* Operations in the rows that a pivot's is taken from, beside those of a solve; where the band is
 * narrow, rows stay in registers, and factoring takes little longer. */
static double effort(const void *self)
{
    const ordered *s = self;
    const band    *b = &s->lu;
    const int      right = b->upper + b->lower, all = b->lower + right;
    const double   each = all && !s->narrow ? (double)b->lower * right / all : 0;
    return each > 1 ? each : 1;
}

const solver_kind lu_band = {
    .name = "band",
    .title = "LU within a band, for chains and rings",
    .fits = fits,
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .effort = effort,
};

const solver_kind lu_tridiagonal = {
    .name = "tridiagonal",
    .title = "LU of a tridiagonal matrix, for chains",
    .fits = is_tridiagonal,
    .analyse = analyse_tridiagonal,
    .factor = factor,
    .solve = solve,
    .effort = effort,
};
