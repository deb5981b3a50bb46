/* inside.h - what a frozen system is, for the files that step it. */
#ifndef MECH_STABILITY_INSIDE_H
#define MECH_STABILITY_INSIDE_H

#include "mech/stability/frozen.h"
#include "mech/stepper/step.h"

struct frozen {
    mem       *m;
    dal_system sys;
    double    *on_K[F_COUNT];
    stepper   *st;
    double    *S;             /* (q, p) -> (q, p), 2n x 2n: column by column */
    double    *square;        /* room for its square                         */
    double    *at;            /* q, then p                                   */
    double     mode[F_COUNT]; /* the entries of one mode              */
};

/* frozen_series.c: the same system on power series, for curves that are shot. */
sys_jets *frozen_jets(void *self, mem *m, int degree, text *why);

#endif
