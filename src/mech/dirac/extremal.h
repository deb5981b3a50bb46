/* extremal.h - curves of one or several polynomial pieces that make the action stationary between
 * what is given of their ends, up to the work of forces.                 theory.md [DUPLICATION]
 *
 *     A = sum_j h_j sum_i b_i [Lambda + P.v]^ji + sum_a mu^a.g(Q^a)       P: Hamiltonian
 * coordinates dA/dQ^a + f_a = 0,   dA/dP^ji = 0,   g(Q^a) = 0                     a inside
 *
 * Pieces are the substeps of a composition, or the parts of a motion. The matrix has a row of full
 * range for each unknown, from the first to the last unknown of its pieces. */
#ifndef MECH_DIRAC_EXTREMAL_H
#define MECH_DIRAC_EXTREMAL_H

#include "mech/dirac/discrete.h"

typedef struct extremal extremal;

/* The curve and the rules are those of the scheme; `share` of h goes to each piece. */
extremal *extremal_new(mem *m, dal_system *sys, const scheme *sch, int pieces, const double *share);
void      extremal_free(extremal *x);

/* False: no such curve was found from a straight line, or no values along it. */
bool extremal_find(extremal *x, const chord_ends *at, discrete *out);

/* Of the curve that was found last: d(-p0, p1)/d(q0, q1), 2n x 2n. False: it is singular. */
bool extremal_second(extremal *x, double *second);

/* Is d p0/d q1, of the curve that was found last or failed, beyond all bounds? */
bool extremal_is_conjugate(extremal *x);

/* The gradient dA/dQ^nu + f_nu of one piece through control points Q. */
bool extremal_gradient(extremal *x, double t, double h, const double *Q, double *G);

/* A point of one piece through control points Q: the rule's of L or of f. */
typedef enum { ON_RULE, ON_FORCE } which_rule;
void extremal_point(const extremal *x, which_rule at, int i, double h, const double *Q, double *q,
                    double *v);

#endif
