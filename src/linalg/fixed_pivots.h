/* fixed_pivots.h - a basis of the null space of a matrix that is a smooth function of its entries:
 *
 *     S_PQ x_Q + S_PR x_R = 0,   x_R = 1, one by one
 *
 * with rows P and columns Q that are chosen once, by complete pivoting. An orthonormal basis would
 * turn by itself from one matrix to the next. */
#ifndef LINALG_FIXED_PIVOTS_H
#define LINALG_FIXED_PIVOTS_H

#include "base/mem.h"

#include <stdbool.h>

typedef struct {
    int     rows, columns, rank;
    int    *row, *column; /* the pivots come first                      */
    double *work;         /* rows x columns                             */
    double *basis;        /* columns - rank rows of `columns` each      */
    double  largest;      /* entry of the basis: 1, unless pivots have become poor ones */
} fixed_pivots;

void fixed_pivots_init(fixed_pivots *f, mem *m, int rows, int columns);

/* Chooses pivots at a, row-major, whose rows and columns may have different units. What is less
 * than `tol` of them is 0. */
void fixed_pivots_choose(fixed_pivots *f, const double *a, double tol);

/* The same where all have one unit: pivots are the largest entries, what is at most `least` is 0. */
void fixed_pivots_choose_largest(fixed_pivots *f, const double *a, double least);

/* The basis at a; false: these pivots do not serve there. */
bool fixed_pivots_find(fixed_pivots *f, const double *a);

#endif
