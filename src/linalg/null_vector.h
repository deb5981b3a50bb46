/* null_vector.h - what a sparse matrix takes to 0, where it is too large for its singular values.
 */
#ifndef LINALG_NULL_VECTOR_H
#define LINALG_NULL_VECTOR_H

#include "linalg/solver.h"

/* A vector x, its largest entry 1, with a x = 0 to roundoff of the rows, and with as few others as
 * one finds easily. False: the square matrix a has none, or none was found. */
bool null_vector(mem *m, const pattern *p, const double *a, double *x);

#endif
