/* linear.c - steps of large linear chains: their matrix is factored once for every length of step, and a step is a
 * prediction, its residual, a solve, and where that leads to.                                  theory.md [NEWTON]
 *
 * The correction of a good prediction is small, and so is what the rounding of factors and solve does to it: an error of
 * its own size times eps, far below that of y. Where the prediction was not good, the residual at the solution is taken
 * and solved for once more. */
#include "mech/newton.h"

#include <string.h>

static const double REFINED = 0.05; /* of the largest unknown: a correction above it is followed by another */

/* J^-1 r at y, after the factors were made. */
static bool solve_at(newton *nw, const double *y)
{
    const bool good = newton_correction(nw, y);
    for (int k = 0; k < nw->eq->size; k++) nw->delta[k] = -nw->delta[k];
    return good;
}

/* At the prediction: by the factors that are kept, if there are some. */
static bool correct(newton *nw, const past *before, double *predicted)
{
    equations *eq = nw->eq;
    newton_begin(nw);
    if (!nw->now->ready) {
        past_extrapolate(before, predicted);
        return solve_at(nw, predicted);
    }
    passes_predict(eq->passes, eq, before, predicted, nw->delta);
    equations_divide(eq, nw->now->lu, nw->delta);
    nw->iterations = 1;
    return true;
}

/* Several threads need to see what was there before; one may do with less memory. */
static double *room_for_prediction(const newton *nw, const end_state *to)
{
    return passes_alone(nw->eq->passes) ? to->past : nw->trial;
}

bool newton_linear(newton *nw, past *before, const end_state *to, double *work)
{
    equations    *eq = nw->eq;
    double       *y = to->past, done = 0;
    const double *at = room_for_prediction(nw, to);
    linear_change change;
    bool good = correct(nw, before, room_for_prediction(nw, to)) &&
                passes_finish(eq->passes, eq, at, nw->delta, y, to, &done, &change);
    if (good && !(change.correction <= REFINED * change.unknown)) {
        done = 0;
        if (at != y) memcpy(nw->trial, y, (size_t)eq->size * sizeof *y);
        good =
            solve_at(nw, y) && passes_finish(eq->passes, eq, at, nw->delta, y, to, &done, &change);
    }
    if (good) *work += done;
    else before->count = 0; /* the room of the oldest was used */
    return good;
}
