/* eigen.h - eigenvalues and eigenvectors of a small real matrix, as a scheme has one: in extended
 * precision, for tables. */
#ifndef LINALG_EIGEN_H
#define LINALG_EIGEN_H

#include <complex.h>
#include <stdbool.h>

enum { EIGEN_MOST = 16 }; /* rows of such a matrix */

typedef long double complex complex_number;

/*     a v_k = x_k v_k,   u_k a = x_k u_k,   u_j v_k = delta_jk
 * x_k is value[k], v_k column k of `right`, u_k row k of `left`, all n x n by rows. Complex values
 * come in pairs, that with the positive imaginary part first and then its conjugate. False: a has
 * too many rows, or no basis of eigenvectors that is good for half of the digits. */
bool eigen_find(const long double *a, int n, complex_number *value, complex_number *right,
                complex_number *left);

#endif
