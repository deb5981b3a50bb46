/* predict.h - the initial guess of Newton's iteration: past steps extrapolated as a polynomial in
 * the step number, the last of their differences along its curve. */
#ifndef MECH_SOLVE_PREDICT_H
#define MECH_SOLVE_PREDICT_H

#include "base/mem.h"

#include <stdbool.h>

enum { PAST_MOST = 6 };

/* The unknowns of the last steps of one length; each substep of a composition has its own. */
typedef struct history {
    double       *y[PAST_MOST]; /* newest first */
    int           count, most, size;
    int           n, d; /* of the curve, whose unknowns come first */
    const double *X;    /* continues it; NULL: it is straight      */
    double       *D;    /* room for its differences                */
} history;

/* X_mu,nu = l_nu(1 + x_mu) - l_nu(1): increments of a curve over the next step, from those over
 * this one; by rows nu. x: its d + 1 nodes.                                  theory.md [PREDICT] */
double *curve_continued(mem *m, const double *x, int d);

void    history_init(history *p, mem *m, int size);
void    history_follow(history *p, mem *m, int n, int d, const double *X);
void    history_push(history *p, const double *y);
void    history_replace(history *p, const double *y); /* the newest */
double *history_oldest(history *p);                   /* where the next solution goes, */
double      *
history_spare(history *p); /* the same if nothing is predicted: two take turns, one counts */
void history_take(history *p, const double *y); /* once it is in either of them */
double *history_exchange(history *p,
                         double  *y); /* y goes there as it is, and what was there is free */
void    history_extrapolate(const history *p, double *y); /* count > 0 */

/* If the extrapolation is cubic, also the size of each unknown, in it and in the last two
 * solutions. */
void history_extrapolate_sizes(const history *p, double *y, double *size);
bool history_is_cubic(const history *p); /* will it be 4 y_k - 6 y_{k-1} + 4 y_{k-2} - y_{k-3}? */

#endif
