/* simplified.c - the simplified Newton iteration: corrections with the matrix of the step whose
 * system is frozen in the middle of the curve, which splits into parts of the system's own size
 * (modes.h).                                                                    theory.md [MODES]
 *
 * Convergence is linear, at a rate that the change of the system along the curve sets; so the ratio
 * of corrections estimates the remaining error. */
#include "mech/solve/newton.h"

#include "step/words.h"

#include "step/judge.h"

#include <string.h>

enum {
    SIMPLIFIED_MOST = 20, /* corrections; beyond, the full matrix pays     */
    LASTING_MOST = 16     /* beyond, factors are not kept for another step */
};

/* Where unknowns that are nearly 0 keep the largest relative correction from shrinking, that of all
 * of them decides; corrections that no longer shrink at all are noise, or the end. */
static bool is_last(const newton *nw, const double *y, correction made, correction before)
{
    const bool first = before.relative == HUGE_VAL;
    if (nw->eq->constant) return judge_linear(made.overall, first, false).ends;
    if (made.relative <= EPSILON) return true;
    if (first) return false;
    if (leaves_roundoff(made.relative, before.relative)) return true;
    if (made.relative <= HALF * before.relative) return false;
    if (leaves_roundoff(made.overall, before.overall)) return true;
    return made.overall > HALF * before.overall && nw->on.is_noise(nw, y);
}

/* From y on, with the factors at hand. A first correction that changes what was predicted by much
 * may lead to another root. */
static simplified iterate(newton *nw, double *y, const double *const *known, bool predicted)
{
    correction before = {HUGE_VAL, HUGE_VAL};
    newton_begin(nw);
    nw->in_passes = false;
    nw->on.scales(nw, y, known);
    while (nw->iterations < SIMPLIFIED_MOST) {
        if (!nw->on.residual(nw->eq, y, nw->delta, false)) return SIMPLIFIED_SLOW;
        modes_solve(nw->modes, nw->delta);
        nw->iterations++;
        const correction made = nw->on.apply(nw, y, NULL);
        if (is_last(nw, y, made, before)) return SIMPLIFIED_SOLVED;
        if (nw->iterations == 1 && !(made.overall <= (predicted ? ASTRAY : FAR)))
            return SIMPLIFIED_ASTRAY;
        if (nw->iterations > 2 && !(made.overall <= HALF * before.overall)) return SIMPLIFIED_SLOW;
        before = made;
    }
    return SIMPLIFIED_SLOW;
}

/* Factors outlive their step where they are constant, or expensive and good for a fast iteration.
 * A poor prediction says nothing about them. */
static bool outlive(const newton *nw, simplified end)
{
    if (nw->eq->constant || end == SIMPLIFIED_ASTRAY) return true;
    return end == SIMPLIFIED_SOLVED && nw->iterations <= LASTING_MOST;
}

/* With factors that are kept, and then with new ones. */
simplified simplified_solve(newton *nw, double *y, const double *const known[2], bool predicted)
{
    modes       *md = nw->modes;
    const size_t bytes = (size_t)nw->eq->size * sizeof *y;
    const bool   lasts = nw->eq->constant || modes_expensive(md);
    simplified   end = SIMPLIFIED_SLOW;
    memcpy(nw->trial, y, bytes);
    for (bool kept = modes_ready(md); end == SIMPLIFIED_SLOW; kept = false) {
        if (!kept) nw->count.factorisations++;
        if (!kept && !modes_factor(md, y)) break;
        end = iterate(nw, y, known, predicted);
        if (end != SIMPLIFIED_SOLVED) memcpy(y, nw->trial, bytes);
        if (!kept) break;
    }
    if (!lasts || !outlive(nw, end)) modes_drop(md);
    return end;
}
