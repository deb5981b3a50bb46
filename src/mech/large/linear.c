/* linear.c - steps of large linear chains: the matrix is factored once per step length, and a step
 * is a residual, a solve and the state that results.                             theory.md [NEWTON]
 *
 * The kept factors are those of J + E, with the same roundoff E in every step. Where both are
 * symmetric, z solves exactly the midpoint rule for the mass matrix M + h E instead of M, and what
 * that rule conserves is conserved: energy is off by roundoff once and does not drift. So a
 * symmetric chain is solved from z = 0 (band_factors.h: exact) and needs no past solutions.
 *
 * Otherwise past solutions are extrapolated first. The correction of a good prediction is small,
 * and so is the effect of E on it: an error of eps times the correction, far below that of y. Where
 * the prediction was poor, the residual at the solution is evaluated and solved for once more. */
#include "mech/large/passes.h"
#include "mech/solve/newton.h"

static const double REFINED =
    0.05; /* relative to the largest unknown: a larger correction is followed by another */

/* Factors for the present step length: where there are none yet, one correction makes them. */
static bool make_ready(newton *nw, const history *before)
{
    if (nw->now->ready) return true;
    history_extrapolate(before, nw->trial);
    return newton_correction(nw, nw->trial);
}

/* One correction of the prediction, or of what the last one gave. */
static bool correct(newton *nw, const history *before, bool again, const end_state *to,
                    double *work, linear_change *change)
{
    *work = 0, nw->iterations++;
    return passes_linear(passes_of(nw->eq), nw->eq, nw->now->by_rows, before, again, to, work,
                         change);
}

bool linear_step(newton *nw, history *before, end_state *to, double *work)
{
    linear_change change;
    double        done = 0;
    newton_begin(nw);
    if (!before->count || !make_ready(nw, before) || !nw->now->factored_by_rows) return false;
    nw->iterations = 0;
    const bool direct = nw->now->by_rows->exact;
    if (!direct && !history_is_cubic(before)) return false;
    to->y = direct ? history_spare(before) : history_oldest(before);
    bool good = correct(nw, before, false, to, &done, &change);
    if (good && !(change.correction <= REFINED * change.unknown))
        good = correct(nw, before, true, to, &done, &change);
    if (good) *work += done;
    else before->count = 0; /* the room of one of them was used */
    return good;
}
