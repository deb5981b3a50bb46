/* band.h - LU within a band with scaled partial pivoting: what the kinds `band` and `tridiagonal`
 * consist of, and the small systems between partitions.
 *
 * Row i stores its columns i - lower .. i + upper + lower (row exchanges fill in up to there)
 * contiguously. */
#ifndef LINALG_BAND_H
#define LINALG_BAND_H

#include "base/mem.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    int     n, lower, upper, width; /* width: numbers that a row stores, 2 lower + upper + 1 */
    double *a;      /* the matrix, n rows; then U, and the factors of L left of it           */
    double *weight; /* 1 / r_i (solver.h); of a pivot's row, 1 / u_kk                        */
    double *scale;  /* c_j times what is negligible                                          */
    int    *swap;   /* row k was exchanged with row swap[k] >= k                             */
} band;

band band_new(mem *m, int n, int lower, int upper);
void band_clear(const band *b);

/* Where entry (i, j) is. */
static inline double *band_entry(const band *b, int i, int j)
{
    return b->a + (ptrdiff_t)i * b->width + (j - i + b->lower);
}

/* False: where rows and columns are brought to the size of one, no pivot above `negligible` is left
 * in some column (solver.h), or a number is not finite. */
bool band_factor(const band *b, double negligible);

/* Rows from .. to-1 of x; others are not coupled with them, or there are none. */
void band_solve(const band *b, double *x, int from, int to);

#endif
