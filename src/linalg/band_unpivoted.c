/* band_unpivoted.c - elimination within a narrow band. The width is a compile-time constant in each
 * instance of the loops, so that compilers unroll them. */
#include "linalg/band_unpivoted.h"

#include <math.h>
#include <stddef.h>

static const double GROWTH = 16;  /* of an entry over its row; beyond, rows may need exchanges */
static const double LEAST = 1e-6; /* a pivot below this part of its row may have cancelled     */

/* The size of the largest; NaN, if one is not finite. */
static inline double largest(const double *x, int n)
{
    double most = 0, bad = 0;
    for (int i = 0; i < n; i++) most = fabs(x[i]) > most ? fabs(x[i]) : most, bad += x[i] - x[i];
    return most + bad;
}

/* Eliminates with the row at u, whose largest entry was `size`, from the w rows below it. */
static inline bool eliminate(double *restrict u, const int w, double size)
{
    const int width = 2 * w + 1;
    double    d = u[w], inverse = 1 / d;
    bool      good = fabs(d) > LEAST * size && largest(u + w, w + 1) <= GROWTH * size;
    u[w] = inverse;
    for (int i = 1; i <= w; i++) {
        double *row = u + (ptrdiff_t)i * width + (w - i);
        double  m = row[0] * inverse;
        row[0] = m;
        for (int j = 1; j <= w; j++) row[j] -= m * u[w + j];
    }
    return good;
}

static inline bool factor(double *a, int n, const int w)
{
    const int width = 2 * w + 1;
    double    size[UNPIVOTED_MOST + 1] = {0}; /* of the next rows, as they were given */
    bool      good = true;
    for (int i = 0; i < w; i++) size[i] = largest(a + (ptrdiff_t)i * width, width);
    for (int k = 0; k < n && good; k++) {
        double *row = a + (ptrdiff_t)k * width;
        size[w] = largest(row + (ptrdiff_t)w * width, width);
        good = eliminate(row, w, size[0]);
        for (int i = 0; i < w; i++) size[i] = size[i + 1];
    }
    return good;
}

static inline void solve(const double *a, int n, const int w, double *x)
{
    const int width = 2 * w + 1;
    for (int i = 0; i < w; i++) x[n + i] = 0;
    for (int k = 1; k < n; k++) {
        const double *row = a + (ptrdiff_t)k * width;
        double        sum = x[k];
        for (int j = k < w ? k : w; j > 0; j--) sum -= row[w - j] * x[k - j];
        x[k] = sum;
    }
    for (int k = n - 1; k >= 0; k--) {
        const double *row = a + (ptrdiff_t)k * width;
        double        sum = x[k];
        for (int j = w; j > 0; j--) sum -= row[w + j] * x[k + j];
        x[k] = sum * row[w];
    }
}

bool unpivoted_factor(double *a, int n, int w)
{
    switch (w) {
    case 1: return factor(a, n, 1);
    case 2: return factor(a, n, 2);
    case 3: return factor(a, n, 3);
    case 5: return factor(a, n, 5);
    default: return factor(a, n, w);
    }
}

void unpivoted_solve(const double *a, int n, int w, double *x)
{
    switch (w) {
    case 1: solve(a, n, 1, x); return;
    case 2: solve(a, n, 2, x); return;
    case 3: solve(a, n, 3, x); return;
    case 5: solve(a, n, 5, x); return;
    default: solve(a, n, w, x);
    }
}
