/* linkage.h - Newton's iteration for the multipliers of a chord alone, where its rows of momentum
 * are affine with a constant diagonal matrix: masses that relations hold together, as by RATTLE.
 *
 *     R = R_0 + D Z + h w A^T lam = 0    gives    Z = -D^-1 R_0 - B lam,    B = D^-1 h w A^T
 *     g(q + Z) = 0,    (G B) delta = g,    lam += delta,    Z -= B delta        theory.md
 * [CONSTRAINED]
 *
 * with A where the step begins and G where it ends. Relations that share a coordinate meet in G B:
 * it is diagonal for pendulums, tridiagonal for a chain of rods. */
#ifndef MECH_SOLVE_LINKAGE_H
#define MECH_SOLVE_LINKAGE_H

#include "mech/solve/newton.h"

/* NULL: the equations are others, or G B costs more than the matrix of all unknowns. */
linkage *linkage_new(mem *m, newton *nw);
void     linkage_free(linkage *k);
void     linkage_forget(linkage *k); /* parameters changed */

/* The unknowns y of the next step, those before it being known. False: it is left to Newton's
 * iteration for all of them. */
bool linkage_solve(linkage *k, newton *nw, const history *before, double *y);

/* p^- - p_0 along y, whose forces are known. */
void linkage_momentum(const linkage *k, const double *y, double *dp);

/* Do forces depend on nothing that the step decides? Then they are known with its beginning. */
bool linkage_is_flat(const linkage *k);

const solver *linkage_solver(const linkage *k);
void          linkage_archive(linkage *k, archive *r, mem *m); /* pivots */

#endif
