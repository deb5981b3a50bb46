/* predict.h - the initial guess of Newton's iteration: past steps extrapolated as a polynomial in
 * the step number, the last of their differences along its curve. */
#ifndef MECH_SOLVE_PREDICT_H
#define MECH_SOLVE_PREDICT_H

#include "base/mem.h"

#include <stdbool.h>

enum { PAST_MOST = 6 };

/* The unknowns of the last steps of one length; each substep of a composition has its own. */
typedef struct past {
    double       *y[PAST_MOST]; /* newest first */
    int           count, most, size;
    int           n, d; /* of the curve, whose unknowns come first */
    const double *X;    /* continues it; NULL: it is straight      */
    double       *D;    /* room for its differences                */
} past;

/* X_mu,nu = l_nu(1 + x_mu) - l_nu(1): increments of a curve over the next step, from those over
 * this one; by rows nu. x: its d + 1 nodes.                                  theory.md [PREDICT] */
double *curve_continued(mem *m, const double *x, int d);

void past_init(past *p, mem *m, int size);
void past_follow(past *p, mem *m, int n, int d, const double *X);
void past_push(past *p, const double *y);
void past_replace(past *p, const double *y); /* the newest */
double *past_oldest(past *p); /* where the next solution goes, */
double *past_spare(past *p);  /* the same if nothing is predicted: two take turns, one counts */
void past_take(past *p, const double *y); /* once it is in either of them */
double *past_exchange(past *p, double *y); /* y goes there as it is, and what was there is free */
void past_extrapolate(const past *p, double *y); /* count > 0 */

/* If the extrapolation is cubic, also the size of each unknown, in it and in the last two
 * solutions. */
void past_extrapolate_sizes(const past *p, double *y, double *size);
bool past_is_cubic(const past *p); /* will it be 4 y_k - 6 y_{k-1} + 4 y_{k-2} - y_{k-3}? */

#endif
