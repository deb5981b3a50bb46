/* linear.c - steps of large linear chains: their matrix is factored once for every length of step, and a step is a
 * prediction, its residual, a solve, and where that leads to.                                  theory.md [NEWTON]
 *
 * The correction of a good prediction is small, and so is what the rounding of factors and solve does to it: an error of
 * its own size times eps, far below that of y. Where the prediction was not good, the residual at the solution is taken
 * and solved for once more. */
#include "mech/newton.h"

#include <string.h>

static const double REFINED = 0.05; /* the largest correction beside the largest unknown, above which it is done again */

/* The correction at a prediction: by the factors that are kept, or after they were made. */
static bool correct(newton *nw, const past *before, double *predicted)
{
    equations *eq = nw->eq;
    newton_begin(nw);
    if (!nw->now->ready) {
        past_extrapolate(before, predicted);
        return newton_correction(nw, predicted);
    }
    passes_predict(eq->passes, eq, before, predicted, nw->delta);
    equations_divide(eq, nw->now->lu, nw->delta);
    nw->iterations = 1;
    return true;
}

bool newton_linear(newton *nw, past *before, double *y, const end_state *to, double *work)
{
    equations    *eq = nw->eq;
    double       *predicted = nw->trial, done = 0;
    linear_change change;
    bool good = correct(nw, before, predicted) && passes_finish(eq->passes, eq, predicted, nw->delta, y, to, &done, &change);
    if (good && !(change.correction <= REFINED * change.unknown)) {
        done = 0;
        memcpy(predicted, y, (size_t)eq->size * sizeof *y);
        good = newton_correction(nw, predicted) && passes_finish(eq->passes, eq, predicted, nw->delta, y, to, &done, &change);
    }
    if (good) *work += done;
    else before->count = 0; /* the room of the oldest was used */
    return good;
}
