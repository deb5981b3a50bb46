/* symmetric.h - a symmetric matrix brought to a diagonal of ones, stored for products with it.
 *
 *     b_ij = s a_ij c_i c_j,   c_i = |a_ii|^(-1/2),   s = the sign of all a_ii
 *
 * Distances j - i that many rows have, as in a lattice, are stored diagonal by diagonal, of the
 * upper triangle alone and without indices; the other entries row by row. */
#ifndef LINALG_SYMMETRIC_H
#define LINALG_SYMMETRIC_H

#include "linalg/pattern.h"

enum { DISTANCES_MOST = 16 };

typedef struct {
    int     n, reach; /* reach: the largest distance that is stored by diagonals */
    pattern p;        /* of a                                                    */
    double *c, s;
    double *b;        /* diagonals, each after zeros as many as its distance; then rows */
    int     distances, distance[DISTANCES_MOST], first[DISTANCES_MOST]; /* b_i,i+d: b[first + i] */
    int     rest;                        /* where b goes on by rows                              */
    int     rows, *row, *start, *column; /* those that have entries there, from start on         */
    int    *place, *twin; /* of each entry of a: its place in b; that of b_ji, if that is before
                             it; -1: none */
} symmetric;

/* False: the pattern is not symmetric, or has no full diagonal. */
bool symmetric_init(symmetric *b, mem *m, const pattern *p);

/* False: a is not symmetric to roundoff, or not definite to judge by its diagonal. */
bool symmetric_fill(symmetric *b, const double *a);

/* Rows from .. to-1 of y = b x. x has `reach` zeros on either side. */
void symmetric_multiply(const symmetric *b, const double *x, double *y, int from, int to);

#endif
