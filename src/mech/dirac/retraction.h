/* retraction.h - retractions: how a velocity at a point becomes a second point, and back.
 *
 *     R_q : T_qQ -> Q,     R_q(0) = q,     T_0 R_q = id                      theory.md [RETRACTION]
 *
 * A retraction is a struct of functions, so that a program can bring its own. Points and velocities
 * are n numbers: coordinates of a chart, or of the space in which Q is embedded. */
#ifndef MECH_DIRAC_RETRACTION_H
#define MECH_DIRAC_RETRACTION_H

#include "linalg/solver.h"
#include "mech/scheme/method.h"

/* apply: q1 = R_q(v);  inverse: v = R_q^-1(q1). Derivatives are n x n, row-major, and not wanted
 * where NULL. False: there is no such point, or no such velocity. */
struct retraction_map {
    int         n;
    const void *self;
    bool (*apply)(const void *self, int n, const double *q, const double *v, double *q1,
                  double *by_q, double *by_v);
    bool (*inverse)(const void *self, int n, const double *q, const double *q1, double *v,
                    double *by_q, double *by_q1);
};

/* R_q(v) = q + v on R^n. */
retraction_map retraction_flat(int n);

/* R_x(v) = (x + v)/|x + v| on the unit sphere of R^n, v orthogonal to x. n = 2 is the circle. */
retraction_map retraction_sphere(int n);

/* The chord of two points: where it has its base, and its velocity there, with exact derivatives.
 *
 *     left       base q0,    q1 = R_q0(h v)                                    the (+) form
 *     right      base q1,    q0 = R_q1(-h v)                                   the (-) form
 *     midpoint   base b,     q1 = R_b(h v/2),  q0 = R_b(-h v/2)                symmetric */
typedef struct {
    retraction_map R;
    retraction     at;
    double        *base, *v;          /* of the last pair of points     */
    double        *base_q0, *base_q1; /* their derivatives, n x n each  */
    double        *v_q0, *v_q1;
    double        *w0, *w1;           /* R_b^-1 of both ends            */
    double        *A0, *A1, *B0, *B1; /* its derivatives in b, in them  */
    double        *sum;               /* A0 + A1                        */
    pattern        full;
    solver        *lu;
} chord;

chord *chord_new(mem *m, const retraction_map *R, retraction at);

/* False where the retraction does not reach from one point to the other. Allocates nothing. */
bool chord_between(chord *c, const double *q0, const double *q1, double h);

#endif
