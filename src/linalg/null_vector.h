/* null_vector.h - a null vector of a sparse matrix that is too large for a singular value
 * decomposition. */
#ifndef LINALG_NULL_VECTOR_H
#define LINALG_NULL_VECTOR_H

#include "linalg/solver.h"

/* A sparse vector x with largest entry 1 and a x = 0 up to roundoff of the rows. False: the square
 * matrix a is regular, or no vector was found. */
bool null_vector(mem *m, const pattern *p, const double *a, double *x);

#endif
