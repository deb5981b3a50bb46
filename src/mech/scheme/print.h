/* print.h - the discrete equations of a scheme, written out with its numbers. */
#ifndef MECH_SCHEME_PRINT_H
#define MECH_SCHEME_PRINT_H

#include "mech/scheme/scheme.h"

typedef struct { /* which blocks the step has */
    bool forced, lagrangian, hamiltonian, velocity_rows, holonomic_rows;
    bool damped; /* forces are damping, some of them */
    bool states; /* coordinates of first order       */
    bool energy; /* h is an unknown too */
    bool rotations, directions;
} step_blocks;

/* Stages, action gradient and equations of one step, for a coordinate q that stands for any of
 * them. */
void scheme_print(const scheme *sch, step_blocks has, text *out);
void scheme_print_latex(const scheme *sch, step_blocks has, text *out);

#endif
