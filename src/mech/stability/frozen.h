/* frozen.h - a system as it is about one point: its second derivatives there, and they stay
 *
 *     d/dt (L_ww w + L_wq q) = (L_qq + f_q) q + (L_qw + f_w) w
 *
 * Its steps are linear, and how errors grow in a step of the scheme is the spectral radius of their
 * matrix. The smallest is one mode, q'' = -omega^2 q - c q'.               theory.md [STABILITY] */
#ifndef MECH_STABILITY_FROZEN_H
#define MECH_STABILITY_FROZEN_H

#include "mech/scheme/scheme.h"
#include "model/system.h"

typedef struct frozen frozen;

/* on_K: fields of `sys`, which has no relations; they are read, not copied. NULL: the scheme cannot
 * step it. What is taken from m is freed with it. */
frozen *frozen_new(mem *m, const dal_system *sys, double *const on_K[F_COUNT], const scheme *sch);
frozen *frozen_mode(mem *m, const scheme *sch);
void    frozen_free(frozen *z);

/* The spectral radius of a step of length h; infinite: there is none. */
double frozen_growth(frozen *z, double h);

/* The same of a mode with these rates; and what is left of its momentum where it is only damped. */
double mode_growth(frozen *mode, double omega, double c, double h);
double mode_rest(frozen *mode, double c, double h);

#endif
