/* broyden.c - the solve of one step with a Jacobian that is kept over many: Broyden's updates stand
 * in for what has changed since. For systems whose Jacobian is dear: a caller's functions without
 * second derivatives, large ones with much fill.                                theory.md [NEWTON]
 *
 *     s_0 = -J^-1 r(y_0),   y_{k+1} = y_k + s_k
 *     z = -J^-1 r(y_{k+1}) + sum_{j<k} s_{j+1} <s_j,z>/<s_j,s_j>
 *     s_{k+1} = z/(1 - <s_k,z>/<s_k,s_k>)
 *
 * with z growing as the sum goes on. Convergence is superlinear, not quadratic, so what remains is
 * estimated from the last ratio, and must be below roundoff. */
#include "mech/newton.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double DRIFTS = 0.5;  /* ratio of corrections above which they turn in roundoff */
static const double NOISE = 1e-12; /* relative size of such corrections                      */
enum { SLOW = 7 };                 /* iterations after which a new Jacobian pays             */

/* Each unknown in units of its size; one that is 0 does not count. */
static double product(const newton *nw, const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < nw->eq->size; k++) {
        const double s = nw->scale[k];
        if (s > 0) sum += a[k] / s * (b[k] / s);
    }
    return sum;
}

static void add(double *to, double c, const double *x, int n)
{
    for (int i = 0; i < n; i++) to[i] += c * x[i];
}

/* delta = -J^-1 r becomes the next s; false: the updated matrix is singular. */
static bool update(newton *nw, int k)
{
    const int n = nw->eq->size;
    double   *s = nw->update;
    for (int j = 0; j + 1 < k; j++)
        add(nw->delta, product(nw, s + j * n, nw->delta) / nw->length[j], s + (j + 1) * n, n);
    if (k > 0) {
        const double c = 1 - product(nw, s + (k - 1) * n, nw->delta) / nw->length[k - 1];
        if (!(fabs(c) > 0.1)) return false;
        for (int i = 0; i < n; i++) nw->delta[i] /= c;
    }
    memcpy(s + k * n, nw->delta, (size_t)n * sizeof *s);
    nw->length[k] = product(nw, nw->delta, nw->delta);
    return true;
}

/* A ratio theta leaves eta theta/(1 - theta). */
static bool is_last(newton *nw, const double *y, double eta, double before)
{
    if (eta <= DBL_EPSILON / 4) return true;
    if (before == HUGE_VAL) return false;
    const double theta = eta / before;
    if (theta < DRIFTS) return eta * theta / (1 - theta) <= DBL_EPSILON / 4;
    return eta < NOISE || newton_is_noise(nw, y);
}

static bool iterate(newton *nw, double *y, const double *const known[2])
{
    double before = HUGE_VAL;
    newton_begin(nw);
    newton_scales(nw, y, known);
    for (int k = 0; k < UPDATES_MOST; k++) {
        if (!newton_correction(nw, y) || !update(nw, k)) return false;
        add(y, 1, nw->delta, nw->eq->size);
        const double eta = newton_relative_size(nw, nw->delta, y);
        if (is_last(nw, y, eta, before)) return true;
        if (nw->length[k] == 0 || eta > 2 * before || !(eta < 1e8)) return false;
        before = eta;
    }
    return false;
}

bool broyden_solve(newton *nw, double *y, const double *const known[2])
{
    const size_t bytes = (size_t)nw->eq->size * sizeof *y;
    memcpy(nw->first, y, bytes);
    for (int fresh = 0; fresh < 2; fresh++) {
        const bool good = iterate(nw, y, known);
        nw->now->ready = good && nw->iterations <= SLOW;
        if (good) return true;
        memcpy(y, nw->first, bytes);
    }
    return false;
}
