/* predict.h - the initial guess of Newton's iteration: past steps extrapolated as a polynomial in
 * the step number, the last of their differences along its curve. */
#ifndef MECH_SOLVE_PREDICT_H
#define MECH_SOLVE_PREDICT_H

#include "base/mem.h"

#include <stdbool.h>

enum { HISTORY_MOST = 6, SHIFTED_MOST = 128 };

/* The unknowns of the last steps of one length; each substep of a composition has its own. Of up to
 * SHIFTED_MOST unknowns solutions stand one after the other, those of all substeps in one array,
 * and move on by one place when a new one comes: compiled steps read and write the same array. Of
 * more the pointers move. */
typedef struct history {
    double       *y[HISTORY_MOST]; /* newest first */
    int           count, most, size;
    int           n, d; /* of the curve, whose unknowns come first */
    const double *X;    /* continues it; NULL: it is straight      */
    double       *D;    /* room for its differences                */
} history;

/* X_mu,nu = l_nu(1 + x_mu) - l_nu(1): increments of a curve over the next step, from those over
 * this one; by rows nu. x: its d + 1 nodes.                                  theory.md [PREDICT] */
double *curve_continued(mem *m, const double *x, int d);

history *histories_new(mem *m, int count, int size);
void     history_follow(history *p, mem *m, int n, int d, const double *X);
void     history_push(history *p, const double *y);
void     history_replace(history *p, const double *y); /* the newest */

/* Where pointers move, without copies: the next solution goes to the oldest, or, if nothing is
 * predicted, to the spare one, since two take turns and one counts; it is taken once it is there.
 * An array y may go there as it is, and the one that was there is free. */
double *history_oldest(history *p);
double *history_spare(history *p);
void    history_take(history *p, const double *y);
double *history_exchange(history *p, double *y);

void    history_extrapolate(const history *p, double *y); /* count > 0 */
/* One number at a time, of unknowns from `first` on, as those behind the curve. */
void    history_extrapolate_from(const history *p, int first, double *y);

/* If the extrapolation is cubic, also the size of each unknown, in it and in the last two
 * solutions. */
void history_extrapolate_sizes(const history *p, double *y, double *size);
bool history_is_cubic(const history *p); /* will it be 4 y_k - 6 y_{k-1} + 4 y_{k-2} - y_{k-3}? */

#endif
