/* charts.h - a system with rotations, seen through a chart of each: q and w are numbers then.
 *
 *     R = R_b exp(y),   Omega = D_y y',   rows of q and w: y and y'           theory.md [ROTATION]
 *     of a Hamiltonian rotation w is p = D_y^T P, P the momentum in body axes
 *
 * Where the base R_b is where the body is, y = 0, w is the spin and L_w the momentum, both in body
 * axes. A step has its base in its middle, which moves: eta is its displacement, R_b [eta]. */
#ifndef MODEL_CHARTS_H
#define MODEL_CHARTS_H

#include "model/system.h"

/* How results change with the base. Those of L and f are added up. */
typedef struct chart_values {
    double *eta;                                     /* n: L_eta + f_eta            */
    double *q_eta, *w_eta, *eta_q, *eta_w, *eta_eta; /* entries of K                */
    double *D_eta;                                   /* entries of K, of damping    */
    double *A_eta, *e_eta;                           /* entries of A                */
    double *A_body;                                  /* A itself, in body axes      */
} chart_values;

chart_values *chart_values_new(mem *m, const dal_system *sys);

/* body: q is numbers, then the matrices of the rotations; w is the spin in body axes. */
dal_system *charts_new(mem *m, dal_system *body);

/* The matrices on which charts are centred where a point does not say it. They stay the caller's.
 */
void charts_look(const dal_system *sys, const double *matrices);

/* Those now. */
const double *charts_seen(const dal_system *sys);

/* A point as it would be at the grid: rows of rotations 0 in q, with matrices behind it, and in v
 * spins in body axes; that of a direction does not turn about it. */
void charts_body(const dal_system *sys, const sys_point *at, double *q, double *v);

#endif
