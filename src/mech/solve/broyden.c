/* broyden.c - the solution of a step with a Jacobian kept over many steps: Broyden's updates
 * account for what has changed since. For systems whose Jacobian is expensive: a caller's functions
 * without second derivatives, large systems with much fill-in.                   theory.md [NEWTON]
 *
 *     s_0 = J^-1 r(y_0),   y_{k+1} = y_k - s_k
 *     z = J^-1 r(y_{k+1}) + sum_{j<k} s_{j+1} <s_j,z>/<s_j,s_j>
 *     s_{k+1} = z/(1 - <s_k,z>/<s_k,s_k>)
 *
 * with z accumulating as the sum proceeds, and <a,b> = sum_k |J_kk| a_k b_k: an action, whatever
 * the unit of the unknown, in which one that is nearly 0 counts for little. Convergence is
 * superlinear, not quadratic, so the remaining error is estimated from the last ratio, and must be
 * below roundoff.
 *
 * Conjugate gradients solve with J as accurately as it is worth: to a quarter of the ratio by which
 * corrections shrink. With such solutions nothing is updated; J is cheaper than factors, and made
 * anew as soon as corrections shrink slowly. */
#include "mech/solve/newton.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double DRIFTS = 0.5;  /* ratio of corrections above which they turn in roundoff */
static const double NOISE = 1e-12; /* relative size of such corrections                      */
enum { SLOW = 7, SLOWEST = 14 };   /* iterations after which a new Jacobian pays             */
enum { SLOW_INEXACT = 4 };         /* the same, where nothing is factored                    */
static const double RENEWED = 0.02; /* there, the ratio at which it is renewed within a step  */
static const double FINE = 1e-4, COARSE = 1e-2; /* accuracies of conjugate gradients           */

/* delta = J^-1 r becomes the next s; false: the updated matrix is singular. */
static bool update(newton *nw, int k)
{
    const unknown_operations *on = &nw->on;
    const int                 n = nw->eq->size;
    double                   *s = nw->update, *z = nw->delta;
    for (int j = 0; j + 1 < k && nw->length[j] > 0; j++)
        on->add(nw, z, z, on->product(nw, s + j * n, z) / nw->length[j], s + (j + 1) * n);
    if (k > 0 && nw->length[k - 1] > 0) {
        const double c = 1 - on->product(nw, s + (k - 1) * n, z) / nw->length[k - 1];
        if (!(fabs(c) > 0.1)) return false;
        on->divide(nw, z, c);
    }
    memcpy(s + k * n, z, (size_t)n * sizeof *s);
    nw->length[k] = on->product(nw, z, z);
    return true;
}

/* A ratio theta leaves eta theta/(1 - theta). */
static double left(double eta, double theta)
{
    return eta * theta / (1 - theta);
}

/* Where unknowns that are nearly 0 keep the largest relative correction from shrinking, the norm
 * over all unknowns decides. */
static bool is_last(newton *nw, const double *y, correction made, correction before)
{
    const double theta = made.relative / before.relative, rest = made.overall / before.overall;
    if (made.relative <= DBL_EPSILON / 4) return true;
    if (before.relative == HUGE_VAL) return false;
    if (theta < DRIFTS) return left(made.relative, theta) <= DBL_EPSILON / 4;
    if (!nw->on.reactions_hold(nw, y)) return false;
    if (rest < DRIFTS) return left(made.overall, rest) <= DBL_EPSILON / 16;
    return made.relative < NOISE || nw->on.is_noise(nw, y);
}

/* The accuracy of the next solution, and whether it is one with a new Jacobian. */
static void follow(newton *nw, correction made, correction before)
{
    const double theta = made.overall / before.overall;
    if (before.overall == HUGE_VAL || !(made.overall > NOISE)) return;
    nw->part = fmin(fmax(theta / 4, FINE), COARSE);
    if (theta > RENEWED) nw->now->ready = false;
}

/* False: no convergence, or corrections that grow. */
static bool iterate(newton *nw, double *y, const double *const known[2])
{
    correction before = {HUGE_VAL, HUGE_VAL};
    newton_begin(nw);
    nw->on.scales(nw, y, known);
    for (int k = 0; k < UPDATES_MOST; k++) {
        /* with kept factors newton_correction makes J^-1 r, which the updates improve */
        nw->aim = nw->part;
        if (!newton_correction(nw, y) || !(nw->inexact || update(nw, k))) return false;
        const correction made = nw->on.apply(nw, y, NULL);
        if (is_last(nw, y, made, before)) return true;
        if (made.overall > 2 * before.overall || !(made.overall < 1e8)) return false;
        if (nw->inexact) follow(nw, made, before);
        before = made;
    }
    return false;
}

/* First with the factors at hand, then from the same beginning with new ones. Factors that led
 * to a slow iteration are not kept for the next step. */
bool broyden_solve(newton *nw, double *y, const double *const known[2])
{
    const double slow = fmin(fmax(SLOW, solver_effort(nw->cache[0].lu)), SLOWEST);
    const size_t bytes = (size_t)nw->eq->size * sizeof *y;
    memcpy(nw->first, y, bytes);
    for (int fresh = 0; fresh < 2; fresh++) {
        const bool good = iterate(nw, y, known);
        nw->now->ready &= good && nw->iterations <= (nw->inexact ? SLOW_INEXACT : slow);
        if (good) return true;
        memcpy(y, nw->first, bytes);
    }
    return false;
}
