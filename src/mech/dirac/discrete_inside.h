/* discrete_inside.h - the inside of a discretiser, for curves that are polynomials and for those
 * that are flows. */
#ifndef MECH_DIRAC_DISCRETE_INSIDE_H
#define MECH_DIRAC_DISCRETE_INSIDE_H

#include "mech/dirac/discrete.h"
#include "mech/scheme/flow.h"

enum { DISCRETE_ITERATIONS = 30 };

struct discretiser {
    dal_system *sys;
    scheme      sch;
    int         n, d; /* d = 0: the curve is shot */
    flow       *exact, *shot;
    int         parts;             /* of a chord of the exact motion                 */
    quadrature  fine;
    size_t      room;              /* doubles of n jets                              */
    double     *q, *v, *dq, *at_v; /* n jets each                                    */
    basis       on_rule, on_force; /* l_nu, l'_nu at their points                    */
    double     *Q, *G, *J, *f;     /* control points, gradient, (d+1)n square, forces */
    double     *inner, *right;     /* equations of the control points between the ends */
    pattern     shape;
    solver     *lu;
    pattern     square; /* n x n */
    double     *A, *B;  /* dq1/dq0, dq1/dv0; B as it is factored */
    solver     *of_B;
    sys_values  out;
};

/* discrete.c: the system at a point; its forces are 0 where it has none. */
bool discrete_evaluate(discretiser *c, unsigned want, double t, const double *q, const double *v);

/* discrete_flow.c: the scheme on a chord, by a curve that is shot. */
bool discrete_shot(discretiser *c, double t, double h, const double *q0, const double *q1,
                   const double *guess, discrete *out);

#endif
