/* band.c - elimination and substitution within a band, with row exchanges or without. The narrowest
 * have instances of the loops in which their widths are constants, so that compilers unroll them.
 */
#include "linalg/band.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double GROWTH = 16; /* of an entry over its row; beyond, rows may need exchanges */
static const double LEFT = 1e-6; /* a pivot below this part of its row may have cancelled      */

band band_new(mem *m, int n, int lower, int upper)
{
    band b = {.n = n, .lower = lower, .upper = upper, .exchanges = true};
    b.width = 2 * lower + upper + 1;
    b.a = mem_array(m, (size_t)n * (size_t)b.width, double);
    b.weight = mem_array(m, n, double);
    b.scale = mem_array(m, n, double);
    b.swap = mem_array(m, n, int);
    return b;
}

/* The rows of zeros take room that exchanges would fill in. */
bool band_without_exchanges(const band *of, band *b)
{
    const int w = of->lower > of->upper ? of->lower : of->upper;
    *b = *of;
    b->lower = b->upper = w, b->width = 2 * w + 1, b->exchanges = false;
    return w > 0 && w <= UNPIVOTED_MOST &&
           (of->n + w) * (long long)b->width <= (long long)of->n * of->width;
}

void band_clear(const band *b)
{
    const size_t rows = (size_t)b->n + (b->exchanges ? 0 : (size_t)b->lower);
    memset(b->a, 0, rows * (size_t)b->width * sizeof *b->a);
}

static inline int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* weight[i] = 1 / r_i and scale[j] = negligible c_j (solver.h); false: some row is empty or not
 * finite. */
static inline bool weigh(const band *b, double negligible, const int lower, const int upper)
{
    const int given = lower + upper + 1;
    for (int j = 0; j < b->n; j++) b->scale[j] = 0;
    for (int i = 0; i < b->n; i++) {
        const double *row = b->a + (ptrdiff_t)i * (given + lower);
        double        r = 0, sum = 0;
        for (int k = 0; k < given; k++) {
            const double size = fabs(row[k]);
            r = size > r ? size : r, sum += size;
        }
        if (!(r >= DBL_MIN && sum <= DBL_MAX)) return false;
        const double f = (b->weight[i] = 1 / r) * negligible;
        for (int k = i < lower ? lower - i : 0; k < smaller(given, b->n - i + lower); k++) {
            double *c = &b->scale[i - lower + k], size = fabs(row[k]) * f;
            *c = size > *c ? size : *c;
        }
    }
    return true;
}

/* The row whose entry in column k is the largest for its row, or -1. At: row k,
 * from its diagonal on. */
static inline int pivot_row(const band *b, const double *at, const int below, int k, int last)
{
    int    best = k;
    double size = fabs(at[0]) * b->weight[k], pivot = at[0];
    for (int i = k + 1; i <= last; i++) {
        at += below;
        const double other = fabs(at[0]) * b->weight[i];
        if (other > size) best = i, size = other, pivot = at[0];
    }
    return size > b->scale[k] && fabs(pivot) >= DBL_MIN && fabs(pivot) <= DBL_MAX ? best : -1;
}

/* Only what is right of the pivot moves; the factors of L stay where they were made. */
static inline void exchange(const band *b, double *x, const int below, int k, int other, int count)
{
    double *y = x + (ptrdiff_t)(other - k) * below;
    for (int j = 0; j < count; j++) {
        const double t = x[j];
        x[j] = y[j], y[j] = t;
    }
    b->weight[other] = b->weight[k];
}

/* Brings the best of the rows from k on to row k; false: none of them will do. */
static inline bool bring_up(const band *b, double *pivot, const int below, int k, int last,
                            const int right)
{
    const int from = b->swap[k] = pivot_row(b, pivot, below, k, last);
    if (from < 0) return false;
    if (from != k) exchange(b, pivot, below, k, from, right + 1);
    return true;
}

/* The size of the largest; NaN, if one is not finite. */
static inline double largest(const double *x, int n)
{
    double most = 0, bad = 0;
    for (int i = 0; i < n; i++) most = fabs(x[i]) > most ? fabs(x[i]) : most, bad += x[i] - x[i];
    return most + bad;
}

/* Will row k do without exchanges, whose largest entry was `size`? */
static inline bool is_sound(const double *pivot, const int right, double size)
{
    return fabs(pivot[0]) > LEFT * size && largest(pivot, right + 1) <= GROWTH * size;
}

/* below: from an entry to that of the next row in the same column. Beyond column n - 1 rows hold
 * zeros, so all of them may be treated alike; where there are no exchanges, rows of zeros follow
 * the last. size: of the next rows, as they were given. */
static inline bool eliminate(const band *b, double negligible, const int lower, const int upper,
                             const bool exchanges)
{
    const int right = upper + (exchanges ? lower : 0), below = lower + right;
    double    size[UNPIVOTED_MOST + 1] = {0};
    if (exchanges && !weigh(b, negligible, lower, upper)) return false;
    for (int i = 0; i < lower && !exchanges; i++)
        size[i] = largest(b->a + (ptrdiff_t)i * (below + 1), below + 1);
    for (int k = 0; k < b->n; k++) {
        double   *pivot = b->a + (ptrdiff_t)k * (below + 1) + lower;
        const int last = exchanges ? smaller(k + lower, b->n - 1) : k + lower;
        if (exchanges) {
            if (!bring_up(b, pivot, below, k, last, right)) return false;
        } else {
            size[lower] = largest(pivot - lower + (ptrdiff_t)lower * (below + 1), below + 1);
            if (!is_sound(pivot, right, size[0])) return false;
            for (int i = 0; i < lower; i++) size[i] = size[i + 1];
        }
        const double inverse = pivot[0] = 1 / pivot[0];
        for (int i = 1; i <= last - k; i++) {
            double *row = pivot + (ptrdiff_t)i * below;
            if (exchanges && row[0] == 0) continue;
            const double l = row[0] *= inverse;
            for (int j = 1; j <= right; j++) row[j] -= l * pivot[j];
        }
    }
    return true;
}

/* x <- L^-1 P x, in the order of the exchanges. */
static inline void forward_exchanged(const band *b, double *x, int from, int to, const int lower,
                                     const int below)
{
    for (int k = from; k < to; k++) {
        const double *row = b->a + (ptrdiff_t)k * (below + 1) + lower, t = x[b->swap[k]];
        x[b->swap[k]] = x[k], x[k] = t;
        for (int i = k + 1; i <= smaller(k + lower, to - 1); i++) row += below, x[i] -= row[0] * t;
    }
}

/* x <- L^-1 x */
static inline void forward(const band *b, double *x, int from, int to, const int lower,
                           const int below)
{
    for (int k = from + 1; k < to; k++) {
        const double *diagonal = b->a + (ptrdiff_t)k * (below + 1) + lower;
        double        sum = x[k];
        for (int j = smaller(k - from, lower); j > 0; j--) sum -= diagonal[-j] * x[k - j];
        x[k] = sum;
    }
}

static inline void substitute(const band *b, double *x, int from, int to, const int lower,
                              const int upper, const bool exchanges)
{
    const int right = upper + (exchanges ? lower : 0), below = lower + right;
    if (exchanges) forward_exchanged(b, x, from, to, lower, below);
    else forward(b, x, from, to, lower, below);
    for (int i = 0; i < right && !exchanges; i++) x[to + i] = 0;
    for (int i = to - 1; i >= from; i--) {
        const double *u = b->a + (ptrdiff_t)i * (below + 1) + lower;
        double        sum = x[i];
        for (int j = exchanges ? smaller(right, to - 1 - i) : right; j > 0; j--)
            sum -= u[j] * x[i + j];
        x[i] = sum * u[0];
    }
}

bool band_factor(const band *b, double negligible)
{
    const int w = b->lower == b->upper ? b->lower : 0;
    switch (b->exchanges ? w : -w) {
    case 1: return eliminate(b, negligible, 1, 1, true);
    case 2: return eliminate(b, negligible, 2, 2, true);
    case 3: return eliminate(b, negligible, 3, 3, true);
    case -1: return eliminate(b, negligible, 1, 1, false);
    case -2: return eliminate(b, negligible, 2, 2, false);
    case -3: return eliminate(b, negligible, 3, 3, false);
    case -5: return eliminate(b, negligible, 5, 5, false);
    default: return eliminate(b, negligible, b->lower, b->upper, b->exchanges);
    }
}

void band_solve(const band *b, double *x, int from, int to)
{
    const int w = b->lower == b->upper ? b->lower : 0;
    switch (b->exchanges ? w : -w) {
    case 1: substitute(b, x, from, to, 1, 1, true); break;
    case 2: substitute(b, x, from, to, 2, 2, true); break;
    case 3: substitute(b, x, from, to, 3, 3, true); break;
    case -1: substitute(b, x, from, to, 1, 1, false); break;
    case -2: substitute(b, x, from, to, 2, 2, false); break;
    case -3: substitute(b, x, from, to, 3, 3, false); break;
    case -5: substitute(b, x, from, to, 5, 5, false); break;
    default: substitute(b, x, from, to, b->lower, b->upper, b->exchanges);
    }
}
