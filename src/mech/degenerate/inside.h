/* inside.h - what degenerate.c and massless.c share. */
#ifndef MECH_DEGENERATE_INSIDE_H
#define MECH_DEGENERATE_INSIDE_H

#include "model/system.h"

/* Arrays for everything that inertia, stiffness and resistance consist of. */
sys_values degeneracy_fields(mem *m, const dal_system *sys);

/* The force by a velocity, at an entry of K: L_qv - L_vq + f_v */
double degeneracy_push(const dal_system *sys, const sys_values *out, int e);

#endif
