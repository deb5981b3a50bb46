/* turning_rows.h - rotations in the equations of a step.
 *
 *     y(x) = Z(x) - a,   a = Z^d/2,   R(x) = R_m exp(y(x)),   R_m = R_0 exp(a)
 *     m_0 = R_m^T pi_0,   m_1 = m_0 + M,   M = h sum_i b_i (L_eta + f_eta)^i + sum_nu h w_nu
 * A_eta^T lam R_0 = (D_a^T m_0 + D_-a^T m_1)/2 - S/2 + G_0,   S = h sum_i b_i (L_y + f_y)^i + ...
 *                                                                          theory.md [ROTATION]
 * in place of p_0 + G_0, which is the same row where D = 1. The base R_m moves with Z^d, and with
 * it all that was evaluated: further entries of the Jacobian in the columns of Z^d. A direction
 * does not turn about itself: its third rows are Z_3 = 0. */
#ifndef MECH_EQUATIONS_TURNING_ROWS_H
#define MECH_EQUATIONS_TURNING_ROWS_H

#include "mech/equations/equations.h"
#include "model/rotation/chart.h"

typedef struct { /* entries of a matrix in the first column of each rotation, two more follow each
                  */
    int *start, *entry, *row; /* start: by rotation */
} entries_of_turning;

typedef struct turning_rows {
    double *base;       /* matrices R_m                             */
    vector *a, *m0, *M; /* of each rotation, at the last residual   */
    int **of_column; /* by nu: places of the entries of K in columns of rotations, in column Z^d; */
    int **of_row;    /* by mu: of those in their rows, in R_0;   */
    int **of_lam;    /* by nu: of entries of A, in R_0;          */
    int **of_relation; /* by k: of entries of A, in column Z^d    */
    int **of_stage;    /* by i: of entries of K in rows of rotations and columns of Hamiltonian
                          coordinates, in R_0 and columns of P^i; */
    int **of_phase;    /* of those in their rows and columns of rotations, in phase row i, Z^d */
    entries_of_turning in_K, in_A;
} turning_rows;

turning_rows *turning_rows_new(mem *m, equations *eq);

/* Calls push(self, row, column) for every entry that they add to the pattern, and afterwards finds
 * where these are. */
void turning_rows_pattern(const equations *eq, void (*push)(void *self, int row, int column),
                          void            *self);
void turning_rows_find(equations *eq, mem *m);

/* Before points of the curve are placed: a and R_m. Then y = Z - a of one of them. */
void turning_rows_centre(const equations *eq, const double *y);
void turning_rows_place(const equations *eq, double *q, int from, int to);

/* After the sums of a residual, which begin with G_0 alone; and after those of a Jacobian. */
void turning_rows_sum(const equations *eq, const double *y, double *r);
void turning_rows_fill(const equations *eq);

/* The momentum that rotation k gains, in space axes. */
vector turning_rows_gain(const equations *eq, int k);

/* The largest angle by which one turns in this step, and which. */
double turning_rows_angle(const equations *eq, const double *y, int *which);

#endif
