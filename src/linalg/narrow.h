/* narrow.h - LU of a narrow band without exchanges of rows, for those where none are needed; where
 * they might be, it says so and the caller takes the way that has them. */
#ifndef LINALG_NARROW_H
#define LINALG_NARROW_H

#include <stdbool.h>

enum { NARROW_MOST = 9 }; /* entries on either side of the diagonal */

/* Row i has its 2 w + 1 entries at a + i (2 w + 1), the diagonal in the middle; w rows of zeros
 * follow the last. The factors take their place, 1/u_ii that of the diagonal. False: a pivot is too
 * small beside its row, or entries grew. */
bool narrow_factor(double *a, int n, int w);
void narrow_solve(const double *a, int n, int w, double *x); /* x has room for n + w */

#endif
