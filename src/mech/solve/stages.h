/* stages.h - the sample points of a curve from the forces there, for systems with constant,
 * diagonal inertia.
 *
 *     Q^i = q + c_i z + h sum_k C_ik g_k,    v^i = v + sum_k D_ik g_k,
 *     Z^mu = x_mu z + h sum_k E_mu,k g_k,    z = (h/m) (p - a),   v = (p - a)/m,
 *                                            g_k = b_k (h/m) F^k,   F = L_q + f
 *
 * are the equations of a step when L = v.m v/2 + a.v - V.                      theory.md [GALERKIN]
 *
 * The map is symplectic, and conserves angular momentum, when E_d,k = 1 - c_k, C_ik - c_i = C_ki -
 * c_k, and h/m is the same number in z and g. The tables satisfy this in every bit, since an error
 * by rounded coefficients would be the same in every step.                 theory.md [SUMMATION] */
#ifndef MECH_SOLVE_STAGES_H
#define MECH_SOLVE_STAGES_H

#include "mech/equations/equations.h"

/* Where h is a short fraction such as 1/20, the rounding errors of products h x depend on the last
 * digits of x in only five ways, and do not average out. So h is split into two factors, one of
 * them generic (pi/4), and products are formed with one after the other. Values with few binary
 * digits, such as 1/16, are exact enough as they are.                      theory.md [SUMMATION] */
#define STEP_SPLIT 0.78539816339744828
static inline double step_split(double h)
{
    return (double)(float)h == h ? 1 : STEP_SPLIT;
}

typedef struct {
    int          d, S, digits;
    double      *c, *b;  /* points, of which 1 - c is exact, and weights */
    long double *l, *dl; /* of the basis, by point: d + 1 each           */
    long double *E;      /* d x S                                        */
} stage_tables;

/* For numbers of so many binary digits. side: 1, the curve is run backward. */
stage_tables stages_of(mem *m, const equations *eq, int side, int digits);

/* a x = b, of size d with S right-hand sides, which become x: tables from the basis. */
void table_solve(mem *m, const long double *a, long double *b, int d, int S);

double stage_position(const stage_tables *t, int i, int k); /* C_ik   */
double stage_velocity(const stage_tables *t, int i, int k); /* D_ik   */
double stage_node(const stage_tables *t, int mu, int k);    /* E_mu,k */

#endif
