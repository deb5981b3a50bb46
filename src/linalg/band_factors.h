/* band_factors.h - a long band matrix in partitions (partition.h), factored once for many
 * right-hand sides. A right-hand side is eliminated tile by tile, as it is evaluated, and the
 * solution is delivered tile by tile, so neither needs to be stored as a whole. There is no
 * pivoting in partitions: where row exchanges might be needed the caller is told, and factors the
 * matrix with pivoting instead.
 *
 * Row i of a partition, with pivot d_i and l_ik the entry eliminated with the row k above it,
 * keeps the coefficients of
 *
 *     g_i = r_i - sum_k (l_ik / d_{i-k}) g_{i-k},   x_i = g_i / d_i - sum_k u_ik x_{i+k} - f_i.s
 *
 * in the letters of partition.h. In a chain of equal links the pivots converge quickly, and all
 * coefficients with them. Rows are therefore stored in chunks, and a chunk equal to the one before
 * it is read from there. */
#ifndef LINALG_BAND_FACTORS_H
#define LINALG_BAND_FACTORS_H

#include "linalg/pattern.h"
#include "linalg/partition.h"

typedef struct {
    partitions  in;
    separators *separator; /* of each partition */
    group       front;     /* of those that are being factored, and their rows */
    double     *planes;
    double    **g;     /* of each group */
    double     *rest;  /* for rows of a group that is not all in the matrix: those of front, which
                        * only factoring needs */
    bool        apart; /* spikes decay within partitions, and separators of different ones are
                        * independent of each other */
    bool        exact; /* the matrix is symmetric, and the factors are those of a symmetric matrix
                        * equal to it up to roundoff (band_factors_find_exact) */
} band_factors;

bool  band_factors_fit(int n, int reach); /* false: too short, or too wide */
int   band_factors_groups(int n);
band_factors *band_factors_new(mem *m, int n, int reach);

/* False: row exchanges might be needed, or a number is not finite. */
bool band_factors_factor(band_factors *k, const pattern *p, const double *values);

/* Finds whether the factors are exact. */
void band_factors_find_exact(band_factors *k, const pattern *p, const double *values);

/* A x = b, in place. */
void band_factors_solve(band_factors *k, double *x);

/* The same in parts: group by group take_side (partition.h) for rows from .. from + rows - 1 of all
 * partitions; the last tile contains the separators too, behind its inner rows. Then the Schur
 * complement system of the separators of all groups is solved, and give_solution gives the
 * solution, the last tile first. Different groups may be processed concurrently.
 *
 * Where spikes decay within partitions, a group can also be back-substituted once the next one
 * has been eliminated, while its data are still in cache: band_factors_alternate makes groups
 * alternate between two buffers for g, and band_factors_join solves for the separators of one group
 * after the other. */
void band_factors_join(band_factors *k, int from, int to);
void band_factors_alternate(band_factors *k, bool turns);

#endif
