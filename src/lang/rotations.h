/* rotations.h - rotations in numbers: where a rotation starts. */
#ifndef LANG_ROTATIONS_H
#define LANG_ROTATIONS_H

#include "lang/vectors.h"

/* The quaternion of rotation(axis, angle), of quaternion(w, x, y, z), or of a matrix, written as
 * rows or as an expression. False: it is none, and that was said. */
bool rotation_given(world *w, const env *v, const ast *value, double q[4]);

/* The matrix of such a call. */
quantity rotation_called(world *w, const env *v, const ast *call);

/* Divided by the square of its length. */
void matrix_of_quaternion(const double q[4], double R[9]);

#endif
