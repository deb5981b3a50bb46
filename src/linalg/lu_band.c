/* lu_band.c - LU within a band with scaled partial pivoting: for chains and rings, where it beats
 * general sparse elimination. Rows are first reordered to make the band narrow; the narrowest bands
 * are factored without pivoting (band_unpivoted.h) where none is needed, long tridiagonal matrices
 * in lanes (lanes.h).
 *
 * Row i of the reordered matrix stores its columns i - lower .. i + upper + lower (row exchanges
 * fill in up to there) contiguously. */
#include "linalg/band_unpivoted.h"
#include "linalg/kinds.h"
#include "linalg/lanes.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { BAND_ENOUGH = 96 }; /* widest stored row that is still better than general elimination */

typedef struct {
    int     n, lower, upper, width;
    pattern p;
    double *a;        /* n rows of `width`                                         */
    double *weight;   /* of the rows, see equilibrate; of a pivot's row, 1 / u_kk  */
    double *scale;    /* of the columns                                            */
    double *x;        /* right-hand side in this order; also room for scaling      */
    int    *position; /* row and column i of the caller's matrix are ours position[i] */
    int    *swap;     /* row k was exchanged with row swap[k] >= k                 */
    int     unpivoted;    /* w of band_unpivoted.h; 0: too wide for that                        */
    bool    is_unpivoted; /* the factors are its                                       */
    lanes  *side;         /* of a tridiagonal matrix, in the room of a; NULL: too short   */
    bool    by_lanes;
} band;

static void measure(band *s)
{
    for (int i = 0; i < s->n; i++)
        for (int k = s->p.start[i]; k < s->p.start[i + 1]; k++) {
            int right = s->position[s->p.column[k]] - s->position[i];
            if (right > s->upper) s->upper = right;
            if (-right > s->lower) s->lower = -right;
        }
    s->width = 2 * s->lower + s->upper + 1;
}

static bool fits(mem *m, const pattern *p)
{
    band s = {.n = p->rows, .p = *p};
    s.position = mem_resize(m, NULL, ((size_t)s.n + 1) * sizeof *s.position);
    pattern_order(m, p, s.position);
    measure(&s);
    mem_drop(m, s.position);
    return s.width <= BAND_ENOUGH && 3 * s.width <= s.n;
}

/* Every entry beside the diagonal is there, so that row i begins at entry 3 i - 1. */
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

static void take_room(mem *m, band *s)
{
    size_t n = (size_t)s->n;
    int    w = s->lower > s->upper ? s->lower : s->upper;
    s->unpivoted = w > 0 && w <= UNPIVOTED_MOST && 2 * w + 1 <= s->width ? w : 0;
    s->a = mem_array(m, (n + (size_t)s->unpivoted) * (size_t)s->width, double);
    s->weight = mem_array(m, n, double);
    s->scale = mem_array(m, n, double);
    s->x = mem_array(m, n + (size_t)s->unpivoted, double);
    s->swap = mem_array(m, n, int);
}

static void *analyse(mem *m, const pattern *p)
{
    band *s = mem_take(m, sizeof *s);
    *s = (band){.n = p->rows, .p = *p, .position = mem_array(m, p->rows, int)};
    pattern_order(m, p, s->position);
    measure(s);
    take_room(m, s);
    return s;
}

/* Its order is kept, and lanes take the room of what is factored without them. */
static void *analyse_tridiagonal(mem *m, const pattern *p)
{
    if (!is_tridiagonal(m, p)) return NULL;
    band *s = mem_take(m, sizeof *s);
    *s = (band){.n = p->rows, .p = *p, .position = mem_array(m, p->rows, int)};
    for (int i = 0; i < s->n; i++) s->position[i] = i;
    measure(s);
    if (s->n >= LANES_LEAST) s->width = LANES_ROOM;
    take_room(m, s);
    if (s->n >= LANES_LEAST) s->side = lanes_new(m, s->n, s->a);
    return s;
}

/* where entry (i, j) of the reordered matrix is */
static double *entry(const band *s, int i, int j)
{
    return s->a + (size_t)i * (size_t)s->width + (j - i + s->lower);
}

static void fill(band *s, const double *values)
{
    memset(s->a, 0, (size_t)s->n * (size_t)s->width * sizeof *s->a);
    for (int i = 0; i < s->n; i++) {
        int     at = s->position[i];
        double *diagonal = entry(s, at, at);
        for (int k = s->p.start[i]; k < s->p.start[i + 1]; k++)
            diagonal[s->position[s->p.column[k]] - at] = values[k];
    }
}

static bool factor_unpivoted(band *s, const double *values)
{
    const int w = s->unpivoted, width = 2 * w + 1;
    memset(s->a, 0, ((size_t)s->n + (size_t)w) * (size_t)width * sizeof *s->a);
    for (int i = 0; i < s->n; i++) {
        int     at = s->position[i];
        double *diagonal = s->a + (ptrdiff_t)at * width + w;
        for (int k = s->p.start[i]; k < s->p.start[i + 1]; k++)
            diagonal[s->position[s->p.column[k]] - at] = values[k];
    }
    return unpivoted_factor(s->a, s->n, w);
}

static void reorder(const band *s, double *x, double *work)
{
    for (int i = 0; i < s->n; i++) work[s->position[i]] = x[i];
    memcpy(x, work, (size_t)s->n * sizeof *x);
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* As in lu_dense: the row whose entry in column k is the largest for its row, or -1. */
static int pivot_row(const band *s, int k, int last)
{
    int    best = k;
    double size = fabs(*entry(s, k, k)) * s->weight[k];
    for (int i = k + 1; i <= last; i++) {
        double other = fabs(*entry(s, i, k)) * s->weight[i];
        if (other > size) best = i, size = other;
    }
    double pivot = fabs(*entry(s, best, k));
    return size > s->scale[k] && pivot >= DBL_MIN && pivot <= DBL_MAX ? best : -1;
}

/* Only what is right of the pivot moves; the factors of L stay where they were made. */
static void exchange(band *s, int k, int other, int count)
{
    double *x = entry(s, k, k), *y = entry(s, other, k);
    for (int j = 0; j < count; j++) {
        double t = x[j];
        x[j] = y[j], y[j] = t;
    }
    s->weight[other] = s->weight[k];
}

static bool eliminate(band *s)
{
    for (int k = 0; k < s->n; k++) {
        int last = smaller(k + s->lower, s->n - 1);
        int count = smaller(s->lower + s->upper, s->n - 1 - k) + 1;
        s->swap[k] = pivot_row(s, k, last);
        if (s->swap[k] < 0) return false;
        if (s->swap[k] != k) exchange(s, k, s->swap[k], count);
        const double *pivot = entry(s, k, k);
        double        inverse = s->weight[k] = 1 / pivot[0];
        for (int i = k + 1; i <= last; i++) {
            double *row = entry(s, i, k);
            if (row[0] == 0) continue;
            row[0] *= inverse;
            for (int j = 1; j < count; j++) row[j] -= row[0] * pivot[j];
        }
    }
    return true;
}

static bool factor(void *self, const double *values)
{
    band *s = self;
    s->by_lanes = s->side && lanes_factor(s->side, values);
    if (s->by_lanes) return true;
    s->is_unpivoted = s->unpivoted && factor_unpivoted(s, values);
    if (s->is_unpivoted) return true;
    if (!equilibrate(&s->p, values, s->weight, s->scale)) return false;
    reorder(s, s->weight, s->x);
    reorder(s, s->scale, s->x);
    fill(s, values);
    return eliminate(s);
}

static void solve(const void *self, double *b)
{
    const band *s = self;
    double     *x = s->x;
    if (s->by_lanes) {
        lanes_solve(s->side, b);
        return;
    }
    for (int i = 0; i < s->n; i++) x[s->position[i]] = b[i];
    if (s->is_unpivoted) {
        unpivoted_solve(s->a, s->n, s->unpivoted, x);
        for (int i = 0; i < s->n; i++) b[i] = x[s->position[i]];
        return;
    }
    for (int k = 0; k < s->n; k++) {
        double t = x[s->swap[k]];
        x[s->swap[k]] = x[k], x[k] = t;
        for (int i = k + 1; i <= smaller(k + s->lower, s->n - 1); i++) x[i] -= *entry(s, i, k) * t;
    }
    for (int i = s->n - 1; i >= 0; i--) {
        const double *u = entry(s, i, i);
        int           count = smaller(s->lower + s->upper, s->n - 1 - i);
        double        sum = x[i];
        for (int j = count; j > 0; j--) sum -= u[j] * x[i + j];
        x[i] = sum * s->weight[i];
    }
    for (int i = 0; i < s->n; i++) b[i] = x[s->position[i]];
}

/* Operations in the rows that a pivot's is taken from, beside those of a solve; where the band is
 * narrow, rows stay in registers, and factoring takes little longer. */
static double effort(const void *self)
{
    const band *s = self;
    const int   right = s->upper + s->lower;
    return s->unpivoted ? 1 : (double)s->lower * right / (s->lower + right);
}

const solver_kind lu_band = {
    "band", "LU within a band, for chains and rings", fits, analyse, factor, solve,
    NULL, NULL, NULL, effort,
};

const solver_kind lu_tridiagonal = {
    "tridiagonal",  "LU of a tridiagonal matrix, for chains",
    is_tridiagonal, analyse_tridiagonal,
    factor,         solve,
    NULL,           NULL,
    NULL,           NULL,
};
