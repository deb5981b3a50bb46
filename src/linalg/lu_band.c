/* lu_band.c - LU within a band (band.h): for chains and rings, where it beats general sparse
 * elimination. Rows are first reordered to make the band narrow; those of a tridiagonal matrix are
 * in order already. Long tridiagonal matrices are factored in partitions (band_factors.h), other
 * narrow bands row by row, as long as no rows need to be exchanged. */
#include "linalg/band.h"
#include "linalg/band_factors.h"
#include "linalg/kinds.h"

#include <string.h>

enum { BAND_ENOUGH = 96 }; /* widest stored row that is still better than general elimination */

typedef struct {
    pattern p;           /* in the order of the band                            */
    int    *position;    /* row and column i of the caller's matrix are ours position[i];
                            NULL: they are in order                             */
    int          *place; /* of the caller's entries among those of p            */
    double       *values;
    band          lu, plain;  /* plain: without row exchanges, in the same room              */
    double       *x;          /* a right-hand side in this order; NULL: it is solved in place */
    band_factors *partitions; /* NULL: too short or too wide for them                        */
    bool          narrow;     /* narrow enough for `plain`                                   */
    bool          three;      /* the caller's matrix is tridiagonal, in order                */
    bool          exchanged;  /* the factors are those of lu                                 */
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
    s->narrow = band_without_exchanges(&s->lu, &s->plain);
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
    if (!is_tridiagonal(m, p)) return NULL;
    ordered *s = make(m, p, NULL);
    s->three = true;
    return s;
}

/* Rows of three lie in a band of three as they are. */
static bool factor_in_place(const ordered *s, const double *values)
{
    const band  *b = &s->plain;
    const size_t count = 3 * (size_t)b->n - 2;
    b->a[0] = 0;
    memcpy(b->a + 1, values, count * sizeof *values);
    memset(b->a + 1 + count, 0, 4 * sizeof *values); /* and a row of zeros behind the last */
    return band_factor(b, solver_negligible(b->n));
}

static bool factor_band(const ordered *s, const band *b, const double *values)
{
    if (s->three && !b->exchanges) return factor_in_place(s, values);
    band_clear(b);
    for (int i = 0; i < b->n; i++) {
        double *diagonal = band_entry(b, i, i);
        for (int k = s->p.start[i]; k < s->p.start[i + 1]; k++)
            diagonal[s->p.column[k] - i] = values[k];
    }
    return band_factor(b, solver_negligible(b->n));
}

/* Without exchanges of rows, if they will do. */
static bool factor(void *self, const double *values)
{
    ordered *s = self;
    for (int k = 0; s->position && k < s->p.start[s->lu.n]; k++) s->values[s->place[k]] = values[k];
    if (s->position) values = s->values;
    s->exchanged = s->partitions ? !band_factors_factor(s->partitions, &s->p, values)
                                 : !s->narrow || !factor_band(s, &s->plain, values);
    return !s->exchanged || factor_band(s, &s->lu, values);
}

static void solve(const void *self, double *b)
{
    const ordered *s = self;
    const int     *position = s->position, n = s->lu.n;
    double        *x = s->x ? s->x : b;
    for (int i = 0; i < n && x != b; i++) x[position ? position[i] : i] = b[i];
    if (s->partitions && !s->exchanged) band_factors_solve(s->partitions, x);
    else band_solve(s->exchanged ? &s->lu : &s->plain, x, 0, n);
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
