/* lanes.h - a long tridiagonal system cut into pieces that are eliminated side by side, so that no
 * division waits for the one before it. Without exchanges of rows: where those might be needed, it
 * says so and the caller takes the way that has them. */
#ifndef LINALG_LANES_H
#define LINALG_LANES_H

#include "base/mem.h"

#include <stdbool.h>

enum { LANES = 8, LANES_LEAST = 32 * LANES }; /* pieces; the least size at which they pay */

typedef struct lanes lanes;

/* LANES_ROOM numbers a row are the caller's, who may use them for something else when lanes_factor
 * fails. */
enum { LANES_ROOM = 5 };
lanes *lanes_new(mem *m, int n, double *room);

/* Row i of the matrix is a[3i - 1], a[3i], a[3i + 1]. False: a pivot is too small, or grew too
 * much. */
bool lanes_factor(lanes *s, const double *a);
void lanes_solve(const lanes *s, double *x);

#endif
