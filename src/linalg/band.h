/* band.h - LU within a band, with scaled partial pivoting or without row exchanges: what the kinds
 * `band` and `tridiagonal` consist of, and the small systems between partitions.
 *
 * Row i stores its columns i - lower .. i + upper contiguously, and `lower` more where row
 * exchanges may fill in. */
#ifndef LINALG_BAND_H
#define LINALG_BAND_H

#include "base/mem.h"

#include <stdbool.h>
#include <stddef.h>

enum { UNPIVOTED_MOST = 9 }; /* entries on either side of the diagonal, without exchanges */

typedef struct {
    int     n, lower, upper, width; /* width: numbers that a row stores                 */
    bool    exchanges;              /* of rows; without, `lower` rows of zeros follow the last */
    double *a;      /* the matrix; then U with 1/u_kk, and the factors of L left of it    */
    double *weight; /* 1 / r_i (solver.h)                                                */
    double *scale;  /* c_j times what is negligible                                      */
    int    *swap;   /* row k was exchanged with row swap[k] >= k                         */
} band;

band band_new(mem *m, int n, int lower, int upper); /* with exchanges */
void band_clear(const band *b);

/* b is the same band without exchanges, in the same room; false: it is too wide for that. */
bool band_without_exchanges(const band *of, band *b);

/* Where entry (i, j) is. */
static inline double *band_entry(const band *b, int i, int j)
{
    return b->a + (ptrdiff_t)i * b->width + (j - i + b->lower);
}

/* False: where rows and columns are brought to the size of one, no pivot above `negligible` is left
 * in some column (solver.h), or a number is not finite; without exchanges, a pivot is too small
 * compared with its row, or entries grew. */
bool band_factor(const band *b, double negligible);

/* Rows from .. to-1 of x; others are not coupled with them, or there are none. Without exchanges x
 * has room for `upper` numbers behind them. */
void band_solve(const band *b, double *x, int from, int to);

#endif
