/* legendre.h - momenta of Hamiltonian coordinates from velocities: v + Lambda_w(t,q,w) = 0 solved
 * for w. */
#ifndef MECH_START_LEGENDRE_H
#define MECH_START_LEGENDRE_H

#include "base/archive.h"
#include "model/system.h"

typedef struct legendre legendre;

legendre *legendre_new(mem *m, dal_system *sys);
void      legendre_free(legendre *l);

/* w holds a guess, and v for Lagrangian coordinates. False: no such momenta were found. */
bool legendre_solve(legendre *l, double t, const double *q, const double *v, double *w);

void legendre_archive(legendre *l, archive *r, mem *m); /* what a checkpoint keeps of it */

#endif
