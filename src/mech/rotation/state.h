/* state.h - rotations in the state of a stepper.
 *
 * Behind the n numbers of q stand their matrices, then their quaternions; behind those of p their
 * momenta in space axes, which are what is carried, in two parts as everything else, and then what
 * is shown of them: the same, but of a direction the momentum of a point. Rows of a
 * rotation are 0 in q, and in p its momentum in body axes.                 theory.md [ROTATION] */
#ifndef MECH_ROTATION_STATE_H
#define MECH_ROTATION_STATE_H

#include "model/rotation/chart.h"
#include "model/turning.h"

typedef struct {
    const turning *of;
    int            n;
    double        *q, *q_low, *p, *p_low;
} turning_state;

/* From quaternions and momenta in body axes; nothing is left in the low parts. */
void turning_state_begin(const turning_state *s);

/* Rotation k, turned by a twice, with what its momentum gains; from -> to. */
void turning_state_advance(const turning_state *from, const turning_state *to, int k, vector a,
                           vector gain);

/* Behind p: momenta in space axes, of those in body axes. */
void turning_to_space(const turning *t, int n, const double *q, double *p);

/* The matrices of quaternions, behind the n numbers of q. */
void turning_set_matrices(const turning *t, int n, double *q);

/* Rows of q that have moved, as charts: into quaternions and matrices. */
void turning_take_rows(const turning *t, int n, double *q);

/* The rotation vector from one attitude of rotation k to another, in axes of the body. */
vector turning_between(const turning *t, int n, int k, const double *q, const double *other);

/* The angle between two attitudes of rotation k, or between two directions. */
double turning_apart(const turning *t, int n, int k, const double *q, const double *other);

#endif
