/* lanes.h - the partition method for a long tridiagonal matrix: pieces are eliminated side by side
 * in vector lanes, so that no division waits for the one before it. There is no pivoting: where row
 * exchanges might be needed the caller is told, and pivots instead. */
#ifndef LINALG_LANES_H
#define LINALG_LANES_H

#include "base/mem.h"

#include <stdbool.h>

enum { LANES = 8, LANES_LEAST = 32 * LANES }; /* pieces; the least size at which they pay */

typedef struct lanes lanes;

/* The caller provides LANES_ROOM numbers per row, and may use them for something else when
 * lanes_factor fails. */
enum { LANES_ROOM = 5 };
lanes *lanes_new(mem *m, int n, double *room);

/* Row i of the matrix is a[3i - 1], a[3i], a[3i + 1]. False: a pivot is too small, or grew too
 * much. */
bool lanes_factor(lanes *s, const double *a);
void lanes_solve(const lanes *s, double *x);

#endif
