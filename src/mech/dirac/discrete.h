/* discrete.h - what a scheme makes of one chord (q0, q1, h): discrete Lagrangian, discrete forces,
 * momenta, powers; and the exact ones.
 *
 *     L_d = h sum_i b_i L^i,   f_d^- = h sum_i b_i (dq^i/dq0)^T f^i,
 *     f_d^+ = h sum_i b_i (dq^i/dq1)^T f^i
 *     -p_0 = D_1 L_d + f_d^-,   p_1 = D_2 L_d + f_d^+                      theory.md [DUPLICATION]
 *
 * with dq^i/dq0, dq^i/dq1 the derivatives of the curve in its ends; of a composition the curve goes
 * through all of its substeps. The exact ones are those of the motion from q0 to q1, which is a
 * fine curve of the same kind. For diagnostics of small systems: slow, and apart from the stepper.
 */
#ifndef MECH_DIRAC_DISCRETE_H
#define MECH_DIRAC_DISCRETE_H

#include "base/text.h"
#include "mech/scheme/scheme.h"
#include "model/system.h"

enum { DISCRETE_MOST = 64 }; /* coordinates */

/* What is given of the ends: (q0, q1) of L_d, (q0, p1) of H_d+, (p0, q1) of H_d-. */
typedef enum { BOTH_ENDS, START_AND_MOMENTUM, MOMENTUM_AND_END } given_ends;
typedef struct {
    double        t, h;
    given_ends    given;
    const double *a, *b;
} chord_ends;

typedef struct { /* with holonomic relations forces and momenta are known up to im G^T */
    double L, minus[DISCRETE_MOST], plus[DISCRETE_MOST], p0[DISCRETE_MOST], p1[DISCRETE_MOST];
    double q0[DISCRETE_MOST], q1[DISCRETE_MOST];
    /* With control points held: g_d^-, g_d^+ = -h sum_i b_i {1-c_i, c_i} f^i.v^i; with the whole
     * curve that its ends and times make: h sum_i b_i f^i.(dq^i/dt0, dq^i/dt1) at fixed times; and
     * E0 = D_t0 L_d + g_d^-, E1 = -D_t1 L_d - g_d^+.                     NaN: of a curve that is
     * shot */
    double power[2], work[2], energy[2];
} discrete;

typedef struct discretiser discretiser;

/* NULL: the system or the scheme does not allow it, and `why` says what is missing. */
discretiser *discretiser_new(mem *m, dal_system *sys, const scheme *sch, text *why);
void         discretiser_free(discretiser *c);

/* The scheme on a chord. False: no curve was found. */
bool discrete_by_scheme(discretiser *c, const chord_ends *at, discrete *out);

/* The exact motion, on as many parts as it takes for these to agree with those of half as many to
 * roundoff. False: there is none, or the ends are conjugate, dq1/dv0 being singular: `why` says
 * which. */
bool discrete_exactly(discretiser *c, const chord_ends *at, discrete *out, text *why);

/* Of the chord that was found last: d(-p0, p1)/d(q0, q1), 2n x 2n. False: it is singular, or the
 * curve is shot. */
bool discrete_second(discretiser *c, double *second);

/* Of curves through control points Q^0 .. Q^d, of one polynomial without momenta (degree 0: none):
 *     G_nu = sum_i b_i [l'_nu L_v + h l_nu L_q]^i + h sum_j b'_j l_nu f^j
 * and the discrete action of the doubled system, L(Q,V) - L(q,v) - (F(q,v) + F(Q,V)).(q - Q)/2,
 * which gives the same as its derivative in Q^nu where both copies agree. */
int    discrete_degree(const discretiser *c);
bool   discrete_gradient(discretiser *c, double t, double h, const double *Q, double *G);
double discrete_doubled_action(discretiser *c, double t, double h, const double *Q,
                               const double *q);

#endif
