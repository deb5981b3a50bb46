/* dense.h - rank, null space, least norm and echelon form of dense matrices, row-major: for
 * analysis, not for stepping. Work space is taken from m and given back. */
#ifndef LINALG_DENSE_H
#define LINALG_DENSE_H

#include "base/mem.h"

#include <stdbool.h>

/* Singular values (columns of them, descending) and right singular vectors (rows of vt, columns x
 * columns), by one-sided Jacobi, which is accurate for small singular values too. */
void dense_svd(mem *m, const double *a, int rows, int columns, double *sigma, double *vt);

/* Rank: how many singular values are above tol times the largest (tol 0: max(rows, columns) eps).
 * An orthonormal basis of the null space becomes the columns - rank rows of `null` (may be NULL,
 * else room for columns x columns). */
int dense_rank(mem *m, const double *a, int rows, int columns, double tol, double *null);

/* The same for a matrix whose rows and columns have different units: its rows and columns are first
 * brought to a largest entry of one, which changes neither rank nor, scaled back, null space. The
 * rows of `null` then have length one but need not be orthogonal. */
int dense_rank_scaled(mem *m, const double *a, int rows, int columns, double tol, double *null);

/* The x of least norm among those that make |a x - b| least. */
void dense_least_norm(mem *m, const double *a, int rows, int columns, const double *b, double tol,
                      double *x);

/* Largest over smallest singular value of a square matrix; infinite for a singular one. */
double dense_condition(mem *m, const double *a, int n);

/* a becomes its reduced row echelon form: column by column, `count` of them in the order given
 * (NULL: as they stand), the row with the largest entry comes up, is divided by it, and clears the
 * column; entries of at most `least` are no pivots. Returns the rank. product: of the pivots, which
 * of a regular square matrix is the determinant; may be NULL. */
int dense_echelon(double *a, int rows, int columns, const int *order, int count, double least,
                  double *product);

#endif
