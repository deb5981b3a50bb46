/* band.c - elimination and substitution within a band. The narrowest have instances of the loops in
 * which their widths are constants, so that compilers unroll them. */
#include "linalg/band.h"

#include <float.h>
#include <math.h>
#include <string.h>

band band_new(mem *m, int n, int lower, int upper)
{
    band b = {.n = n, .lower = lower, .upper = upper, .width = 2 * lower + upper + 1};
    b.a = mem_array(m, (size_t)n * (size_t)b.width, double);
    b.weight = mem_array(m, n, double);
    b.scale = mem_array(m, n, double);
    b.swap = mem_array(m, n, int);
    return b;
}

void band_clear(const band *b)
{
    memset(b->a, 0, (size_t)b->n * (size_t)b->width * sizeof *b->a);
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

/* below: from an entry to that of the next row in the same column. Beyond column n - 1 rows hold
 * zeros, so all of them may be treated alike. */
static inline bool eliminate(const band *b, double negligible, const int lower, const int upper)
{
    const int right = lower + upper, below = lower + right;
    if (!weigh(b, negligible, lower, upper)) return false;
    for (int k = 0; k < b->n; k++) {
        const int last = smaller(k + lower, b->n - 1);
        double   *pivot = b->a + (ptrdiff_t)k * (below + 1) + lower;
        const int swap = b->swap[k] = pivot_row(b, pivot, below, k, last);
        if (swap < 0) return false;
        if (swap != k) exchange(b, pivot, below, k, swap, right + 1);
        const double inverse = b->weight[k] = 1 / pivot[0];
        double      *row = pivot;
        for (int i = k + 1; i <= last; i++) {
            row += below;
            if (row[0] == 0) continue;
            const double l = row[0] *= inverse;
            for (int j = 1; j <= right; j++) row[j] -= l * pivot[j];
        }
    }
    return true;
}

static inline void substitute(const band *b, double *x, int from, int to, const int lower,
                              const int upper)
{
    const int right = lower + upper, below = lower + right;
    for (int k = from; k < to; k++) {
        const double *row = b->a + (ptrdiff_t)k * (below + 1) + lower, t = x[b->swap[k]];
        x[b->swap[k]] = x[k], x[k] = t;
        for (int i = k + 1; i <= smaller(k + lower, to - 1); i++) row += below, x[i] -= row[0] * t;
    }
    for (int i = to - 1; i >= from; i--) {
        const double *u = b->a + (ptrdiff_t)i * (below + 1) + lower;
        double        sum = x[i];
        for (int j = smaller(right, to - 1 - i); j > 0; j--) sum -= u[j] * x[i + j];
        x[i] = sum * b->weight[i];
    }
}

bool band_factor(const band *b, double negligible)
{
    switch (b->lower == b->upper ? b->lower : 0) {
    case 1: return eliminate(b, negligible, 1, 1);
    case 2: return eliminate(b, negligible, 2, 2);
    case 3: return eliminate(b, negligible, 3, 3);
    default: return eliminate(b, negligible, b->lower, b->upper);
    }
}

void band_solve(const band *b, double *x, int from, int to)
{
    switch (b->lower == b->upper ? b->lower : 0) {
    case 1: substitute(b, x, from, to, 1, 1); break;
    case 2: substitute(b, x, from, to, 2, 2); break;
    case 3: substitute(b, x, from, to, 3, 3); break;
    default: substitute(b, x, from, to, b->lower, b->upper);
    }
}
