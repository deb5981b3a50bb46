/* distribution.h - distributions given by one-forms, and the discrete constraints made from them.
 *
 *     Delta(q) = ker W(q),   Delta(q)^o = im W(q)^T,   W_d(q0,q1) = W(b) v   theory.md [RETRACTION]
 *
 * b and v are base and velocity of the chord (retraction.h). Rows of W may depend on each other. */
#ifndef MECH_DIRAC_DISTRIBUTION_H
#define MECH_DIRAC_DISTRIBUTION_H

#include "mech/dirac/retraction.h"

typedef struct {
    int         n, m;
    const void *self;
    /* W, m x n, and where dW is not NULL its derivatives, dW[(a*n + i)*n + j] = d W_ai / dq_j */
    void (*eval)(const void *self, const double *q, double *W, double *dW);
} one_forms;

one_forms one_forms_constant(mem *m, int n, int rows, const double *W); /* copies W */

typedef struct {
    one_forms W;
    chord    *chord;
    double   *rows, *slopes; /* W, dW at the base */
} discrete_constraint;

discrete_constraint *discrete_constraint_new(mem *m, const one_forms *W, const retraction_map *R,
                                             retraction at);

/* W_d and its derivatives, m x n each, in q0 and q1; these may be NULL. */
bool discrete_constraint_eval(discrete_constraint *c, const double *q0, const double *q1, double h,
                              double *Wd, double *by_q0, double *by_q1);

/* How far alpha is from the span of rows: |(I - W^T (W W^T)^+ W) alpha|, Euclidean. Rows may depend
 * on each other; m lends work space. */
double annihilator_distance(mem *m, const double *W, int rows, int n, const double *alpha);

#endif
