/* linear_dirac.h - Dirac structures on a vector space V: subspaces of V x V* that equal their
 * orthogonal for the pairing
 *
 *     <<(v,a), (v',a')>> = a.v' + a'.v                                           theory.md [BOWTIE]
 *
 * Elements are (v, a); on V = T(T*Q) they are (v_q, v_p, a_q, a_p). The bowtie product is computed
 * here as it is defined, by eliminating what "there is a beta" hides, so that it can judge what
 * structure.h builds. */
#ifndef MECH_LINEAR_DIRAC_H
#define MECH_LINEAR_DIRAC_H

#include "mech/subspace.h"

/* Induced by Delta = ker W:  v_q in Delta, a_p = v_q, a_q + v_p in Delta^o. */
subspace linear_dirac_induced(mem *m, const double *W, int rows, int n);

/* Sigma x Sigma^o, lifted to T*Q:  v_q in ker W, a_p = 0, a_q in im W^T. */
subspace linear_dirac_interaction(mem *m, const double *W, int rows, int n);

/* All (x, a) with (x, a + beta) in D_a and (x, -beta) in D_b for some beta; x are the first
 * `vector` numbers, of which there may be more than of a. */
subspace linear_bowtie(mem *m, const subspace *Da, const subspace *Db, int vector);

subspace linear_dirac_orthogonal(mem *m, const subspace *D); /* for the pairing above    */
double   linear_dirac_defect(const subspace *D);             /* 0 where D is isotropic   */

#endif
