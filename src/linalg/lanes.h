/* lanes.h - a long tridiagonal system cut into pieces that are eliminated side by side, so that no division
 * waits for the one before it. Without exchanges of rows: where those might be needed, it says so and the
 * caller takes the way that has them. */
#ifndef LINALG_LANES_H
#define LINALG_LANES_H

#include "base/mem.h"

#include <stdbool.h>

enum { LANES = 8, LANES_LEAST = 32 * LANES }; /* pieces; the least size at which they pay */

typedef struct lanes lanes;

/* LANES_ROOM numbers a row are the caller's, who may use them for something else when lanes_factor fails. */
enum { LANES_ROOM = 5 };
lanes *lanes_new(mem *m, int n, double *room);

/* Row i of the matrix is a[3i - 1], a[3i], a[3i + 1]. False: a pivot is too small, or grew too much. */
bool lanes_factor(lanes *s, const double *a);
void lanes_solve(const lanes *s, double *x);

/* The loops of a solve may be compiled for the machine at hand. They read LANES numbers a row of each factor. */
typedef struct {
    int           length, alive; /* rows of a piece; of it, those where f or t live on                   */
    int           settled;       /* from there on m, 1/d and c/d are the same in all rows but the last   */
    const double *m, *inverse, *u, *f, *t;
} lanes_factors;
typedef void lanes_down(const lanes_factors *s, double *x, double *g, double *alpha);
typedef void lanes_up(const lanes_factors *s, double *x, const double *before, double *next);
typedef struct lanes_loops {
    lanes_down *down;
    lanes_up   *up;
} lanes_loops;
void lanes_adopt(lanes *s, const lanes_loops *by);

#endif
