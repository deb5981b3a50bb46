/* discrete.h - what a scheme makes of one chord (q0, q1, h): discrete Lagrangian, discrete forces,
 * momenta; and the exact ones.
 *
 *     L_d = h sum_i b_i L^i,   f_d^- = h sum_i b_i (dq^i/dq0)^T f^i,
 *     f_d^+ = h sum_i b_i (dq^i/dq1)^T f^i
 *     -p_0 = D_1 L_d + f_d^-,   p_1 = D_2 L_d + f_d^+                      theory.md [DUPLICATION]
 *
 * with dq^i/dq0, dq^i/dq1 the derivatives of the curve in its ends. The exact ones are the
 * integrals along the motion from q0 to q1. For diagnostics of small systems without relations:
 * slow, dense, and apart from the stepper. */
#ifndef MECH_DIRAC_DISCRETE_H
#define MECH_DIRAC_DISCRETE_H

#include "base/text.h"
#include "mech/scheme/scheme.h"
#include "model/system.h"

enum { DISCRETE_MOST = 16 }; /* coordinates */

typedef struct {
    double L, minus[DISCRETE_MOST], plus[DISCRETE_MOST], p0[DISCRETE_MOST], p1[DISCRETE_MOST];
    double power[2]; /* g_d^-, g_d^+ = -h sum_i b_i {1-c_i, c_i} f^i.v^i; NaN: of no polynomial */
} discrete;

typedef struct discretiser discretiser;

/* NULL: the system or the scheme does not allow it, and `why` says what is missing. */
discretiser *discretiser_new(mem *m, dal_system *sys, const scheme *sch, text *why);
void         discretiser_free(discretiser *c);

/* The motion from (t, q0, v0) over h: its end, and what is exact on its chord. */
bool discrete_exact(discretiser *c, double t, double h, const double *q0, const double *v0,
                    double *q1, discrete *out);

/* The exact motion from q0 to q1: its v0, near the one that is given, and what is exact, on as many
 * parts as it takes for these to agree with those of half as many to roundoff. False: there is no
 * such motion near, or the ends are conjugate, dq1/dv0 being singular: `why` says which. */
bool discrete_between(discretiser *c, double t, double h, const double *q0, const double *q1,
                      double *v0, discrete *out, text *why);

/* The scheme on the same ends; v0 of the motion is the guess. */
bool discrete_by_scheme(discretiser *c, double t, double h, const double *q0, const double *q1,
                        const double *v0, discrete *out);

/* Of curves through control points Q^0 .. Q^d, polynomial schemes only (degree 0: none):
 *     G_nu = sum_i b_i [l'_nu L_v + h l_nu L_q]^i + h sum_j b'_j l_nu f^j
 * and the discrete action of the doubled system, L(Q,V) - L(q,v) - (F(q,v) + F(Q,V)).(q - Q)/2,
 * which gives the same as its derivative in Q^nu where both copies agree. */
int    discrete_degree(const discretiser *c);
bool   discrete_gradient(discretiser *c, double t, double h, const double *Q, double *G);
double discrete_doubled_action(discretiser *c, double t, double h, const double *Q,
                               const double *q);

#endif
