/* picard.h - steps of systems with constant, diagonal inertia: their stages are found by
 * fixed-point iteration, without a matrix; where that converges slowly Newton's iteration takes
 * over. */
#ifndef MECH_STEPPER_PICARD_H
#define MECH_STEPPER_PICARD_H

#include "mech/solve/predict.h"
#include "mech/solve/stages.h"

enum {
    FIXED_POINT_MOST = 20, /* of curves that bend                                                 */
    FIXED_POINT_FEW = 8,   /* of chords, which Newton solves with one point of the system as well */
    FIXED_POINT_IN_ROWS = 60, /* of passes over rows                                              */
    FIXED_POINT_OR_GRADIENTS = 24, /* of chords that conjugate gradients solve as well           */
    MATRIX_LEAST = 20, /* unknowns of a chord whose dense matrix costs more than those        */
};

typedef struct stepper     stepper;
typedef struct picard_rows picard_rows;

/* What an iteration changes. */
typedef struct {
    double eta;   /* the largest change of a coordinate relative to its size  */
    double mu;    /* all changes relative to all sizes                        */
    bool   still; /* no position moves by more than a quarter of its roundoff */
    bool   noise; /* of many: none moves by more than the roundoff of the largest,
                     which its forces may have                                   */
} picard_change;

/* The same iteration in passes over rows (large/stage_iteration.c): the stages of the curve st->y, the next
 * stages from the forces at these, and the end of the step, with its unknowns and the state in the
 * arrays of the one before. False: a number is not finite. */
struct picard_rows {
    void (*begin)(picard_rows *self, stepper *st);
    picard_change (*iterate)(picard_rows *self, stepper *st, bool first);
    bool (*end)(picard_rows *self, stepper *st);
};

typedef struct {
    bool    fits;          /* the system and the scheme are such                                */
    bool    ready, usable; /* mass and shift belong to the present parameters; they can be used */
    double *c[2], *C[2], *D[2], *E[2]; /* of stages.h, forward and backward                     */
    bool    moves;                     /* forces depend on velocities                           */
    int     most;                      /* iterations                                            */
    double  least; /* by which changes must fall at least, from one to the next                 */
    double  split, part;             /* h = split part: stages.h                              */
    double *mobility, *shift, *root; /* 1/m, a, and the root of m                 */
    double *z, *v, *Z, *g;  /* by point, then coordinate; z and g of stages.h             */
    double *sum;            /* room: of one coordinate, by point                          */
    double *moved, *weight; /* of a coordinate: its last change, and 1/size              */
    int     evaluations;    /* evaluations of the last substep; 0: it was not tried         */
    int     pause;          /* substeps for which it is not tried                           */
    bool    due;            /* its residual was not needed, and not computed                */
    picard_rows *rows;      /* NULL: it is made coordinate by coordinate                    */
} picard;

void picard_init(stepper *st);
void picard_use(stepper *st, picard_rows *rows);
void picard_forget(stepper *st); /* parameters were changed */

/* Solves the substep at hand, from past solutions: y, the change of momentum and the sample points;
 * or in passes over rows: y, and the state at the end. False: it is left to Newton's iteration. */
bool picard_solve(stepper *st, const history *before);
bool picard_in_rows(stepper *st, const history *before);
void picard_count(stepper *st);    /* its evaluations among those of all steps */
void picard_complete(stepper *st); /* for those who want to see the residual of such a step */

#endif
