/* rate_tables.h - a step in terms of the velocities at its sample points, for rules with as many
 * points as the degree of the curve. Solved for the stage momenta, the equations of a step read
 *
 *     L_w^i = p_0 + h sum_k B_ik (L_q + f)^k + sum_nu E_i,nu A(Q^nu)^T h lam^nu    i = 1 .. d
 *     q^i = q_0 + h sum_k a_ik v^k,   Q^nu = q_0 + h sum_k N_nu,k v^k
 *     W v + b = 0 at the points,   g(Q^nu) = 0                              theory.md [CONSTRAINED]
 *
 * Every sum carries a factor h, so that with the inertia M and the matrix A at each point
 *
 *     M dv^i - A^T eta^i = -(what is left of the first),   A dv^i = -(of the last),  E h dlam = eta
 *
 * is a correction that leaves an error of order h: one small matrix per point. */
#ifndef MECH_SOLVE_RATE_TABLES_H
#define MECH_SOLVE_RATE_TABLES_H

#include "mech/equations/equations.h"

typedef struct {
    int     d;
    double *a;       /* d x d: positions at the points                                */
    double *push;    /* d x d: impulses of forces, B; that is a for Gauss' points       */
    double *nodes;   /* (d + 1) x d: positions at the control nodes, N                */
    double *react;   /* d x d: E                                                      */
    double *unreact; /* d x d: its inverse                                            */
    double *rest;    /* d: what the rows make of p_0, nearly 1                        */
} rate_tables;

/* Has the rule such points, and where velocity constraints hold? side: 1, the curve is run
 * backward. */
bool        rates_fit(const equations *eq);
rate_tables rates_of(mem *m, const equations *eq, int side);

#endif
