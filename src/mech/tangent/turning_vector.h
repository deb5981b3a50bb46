/* turning_vector.h - a vector of a null space that turns with the state, and how it does. */
#ifndef MECH_TANGENT_TURNING_VECTOR_H
#define MECH_TANGENT_TURNING_VECTOR_H

#include "mech/bent/bent.h"

/* A vector x of the null space of S, rows of [L_vv; A], that turns with it:
 *     S_PQ dx_Q = -(dS x + [S x])_P   by the pivots of a basis                                   */
typedef struct {
    const fixed_pivots *by;
    double             *x;
    double             *Lx, *Ax;                 /* entries of K and A: d(L_vv x)/dq, d(A x)/dq   */
    double             *written_Lx, *written_Ax; /* with time and parameters                   */
    int                 rank;                    /* 0: it does not turn                        */
    solver             *lu;
    pattern             pivots;
    double             *values, *turned;
} turning_vector;

/* x->x, and room for how it turns; rank: that of the rows. */
void turning_vector_room(turning_vector *x, mem *m, const bent_moves *b, int rank);
/* Everything at a point, whose fields stand in b; false: there is no value, or no pivots. */
bool turning_vector_find(bent_moves *b, turning_vector *x, const sys_point *where);
/* [S x] */
void turning_vector_written(row_changes *row, const bent_moves *b, turning_vector *x,
                            const sys_point *where, const part_direction *d);
/*     to += dx */
void turning_vector_add(const bent_moves *b, turning_vector *x, const double *dq, double *to);

/* A dense matrix as a pattern. */
pattern turning_full_matrix(mem *m, int size);

#endif
