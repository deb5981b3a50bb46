/* stages.h - the points of a curve from the forces there, for systems of constant, diagonal inertia.
 *
 *     Z^mu = h x_mu v + h^2 sum_k B_mu,k F^k/m,   v = (p - a)/m,   F = L_q + f
 *
 * is what the equations of a step say when L = v.m v/2 + a.v - V.            theory.md [GALERKIN] */
#ifndef MECH_STAGES_H
#define MECH_STAGES_H

#include "mech/equations.h"

typedef struct {
    int          d, S;
    long double *l, *dl; /* of the basis, by point: d + 1 each */
    long double *B;      /* d x S                              */
} stage_tables;

/* To more digits than the tables of the scheme have: what is derived from them must not be biased.
 * side: 1, the curve is run backward. */
stage_tables stages_of(mem *m, const equations *eq, int side);

/* a x = b in place, of size d with S right-hand sides: tables from the basis. */
void table_solve(long double *a, long double *b, int d, int S);

/* Position and velocity at point i: Q^i = q + h c_i v + h^2 C_ik F^k/m, v^i = v + h D_ik F^k/m. */
double stage_position(const stage_tables *t, int i, int k);
double stage_velocity(const stage_tables *t, int i, int k);

#endif
