/* band_unpivoted.h - LU of a narrow band without pivoting; where row exchanges might be needed the
 * caller is told, and pivots instead. */
#ifndef LINALG_BAND_UNPIVOTED_H
#define LINALG_BAND_UNPIVOTED_H

#include <stdbool.h>

enum { UNPIVOTED_MOST = 9 }; /* entries on either side of the diagonal */

/* Row i has its 2 w + 1 entries at a + i (2 w + 1), the diagonal in the middle; w rows of zeros
 * follow the last. The factors overwrite them, with 1/u_ii on the diagonal. False: a pivot is too
 * small compared with its row, or entries grew. */
bool unpivoted_factor(double *a, int n, int w);
void unpivoted_solve(const double *a, int n, int w, double *x); /* x has room for n + w */

#endif
