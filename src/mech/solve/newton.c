/* newton.c - Newton's iteration for one step.                                   theory.md [NEWTON]
 *
 * Energy does not drift only if the error left in y is below roundoff: a linearly convergent
 * iteration stopped at a fixed tolerance would leave a small error of constant sign in every step.
 * With the exact Jacobian each correction squares the error, so a correction below 1e-8 of the
 * unknowns is the last. */
#include "mech/solve/newton.h"

#include "mech/large/passes.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double SQUARED_IS_ROUNDOFF = 1e-8; /* relative correction after which none is needed */
static const double STAGNANT = 1e-7; /* below this a correction that stops shrinking is noise */
enum {
    PATIENCE = 3,   /* corrections before an unknown may count as 0             */
    KEPT_LEAST = 20 /* unknowns of a dense matrix that is kept over corrections  */
};

static const double REFINED = 0.05; /* of a linear system: roundoff of its solver shows above */
static const double ASTRAY = 0.5;   /* a first correction this large may lead to another root */

dal_status newton_init(newton *nw, mem *m, equations *eq, int lengths, const char *kind, text *why)
{
    *nw = (newton){.eq = eq, .lengths = eq->constant ? lengths : 1};
    nw->cache = mem_array(m, nw->lengths, factored);
    for (int k = 0; k < nw->lengths; k++) {
        nw->cache[k].lu = solver_new(m, &eq->J, kind);
        if (!nw->cache[k].lu) {
            text_printf(why,
                        "the linear solver '%s' cannot be used here: it is not in this "
                        "build, or does not support the sparsity pattern of this system",
                        kind ? kind : "?");
            return DAL_INVALID;
        }
    }
    nw->r = mem_array(m, eq->size, double);
    nw->delta = mem_array(m, eq->size, double);
    nw->trial = mem_array(m, eq->size, double);
    nw->natural = mem_array(m, eq->size, double);
    nw->scale = mem_array(m, eq->size, double);
    return DAL_OK;
}

void newton_keep(newton *nw, mem *m)
{
    const size_t size = (size_t)nw->eq->size;
    nw->quasi = true;
    for (int k = 0; k < nw->lengths; k++)
        nw->cache[k].kept = mem_array(m, pattern_count(&nw->eq->J) + 1, double);
    nw->update = mem_array(m, UPDATES_MOST * size, double);
    nw->length = mem_array(m, UPDATES_MOST, double);
    nw->first = mem_array(m, size, double);
    nw->diagonal = mem_array(m, size, int);
    for (int k = 0; k < nw->eq->size; k++) nw->diagonal[k] = pattern_find(&nw->eq->J, k, k);
}

void newton_forget(newton *nw)
{
    for (int k = 0; k < nw->lengths; k++) nw->cache[k].ready = false;
    nw->eq->primed = nw->eq->filled = false;
    passes_forget(nw->eq->passes);
}

/* The factorisation for the present step length: the one made for it, or the next in turn. */
static factored *factored_for(newton *nw)
{
    const equations *eq = nw->eq;
    for (int k = 0; k < nw->lengths; k++) {
        factored *f = &nw->cache[k];
        if (f->ready && f->h == eq->h && f->mirrored == eq->mirrored) return f;
    }
    for (int k = 0; k < nw->lengths; k++)
        if (!nw->cache[k].ready) return &nw->cache[k];
    for (int k = 0; k < nw->lengths; k++) nw->cache[k].ready = false; /* the step was changed */
    return &nw->cache[0];
}

static bool factor(newton *nw)
{
    equations *eq = nw->eq;
    if (nw->now->ready) return true;
    equations_fill(eq);
    nw->count.factorisations++;
    nw->now->ready = eq->constant || nw->quasi;
    if (nw->quasi)
        memcpy(nw->now->kept, eq->values, sizeof(double) * (size_t)pattern_count(&eq->J));
    nw->now->h = eq->h, nw->now->mirrored = eq->mirrored;
    nw->now->in_strands = nw->now->strands && kept_factor(nw->now->strands, &eq->J, eq->values);
    if (solver_factor(nw->now->lu, eq->values)) return true;
    nw->now->ready = false;
    return nw->singular = true, false;
}

/* Multipliers are also measured by what they do: the impulse h w A lam beside the momentum that it
 * changes, since roundoff in p leaves eps p/(h w A) in lam. */
static void widen_multiplier_scales(newton *nw)
{
    const equations *eq = nw->eq;
    const pattern   *A = &eq->sys->A;
    for (int nu = 0; nu < eq->d; nu++)
        for (int a = 0; a < eq->relations; a++) {
            double *s = &nw->scale[eq->lam + nu * eq->relations + a];
            for (int k = A->start[a]; k < A->start[a + 1]; k++) {
                double impulse = fabs(eq->impulse[nu] * eq->control.out[nu].A[k]);
                double p = fabs(eq->p[A->column[k]]);
                if (p > *s * impulse && impulse > 0) *s = p / impulse;
            }
        }
}

/* Residual at y, Jacobian there unless it is known, and the correction. */
bool newton_correction(newton *nw, const double *y)
{
    equations *eq = nw->eq;
    nw->in_passes = false;
    if (!equations_downhill(eq, y, nw->r, nw->delta, !nw->now->ready))
        return nw->not_finite = true, false;
    nw->iterations++;
    if (!factor(nw)) return false;
    if (eq->relations && nw->iterations == 1) widen_multiplier_scales(nw);
    equations_divide(eq, nw->now->lu, nw->delta);
    return true;
}

void newton_begin(newton *nw)
{
    nw->iterations = 0;
    nw->singular = nw->not_finite = false;
    nw->now = nw->eq->constant || nw->quasi ? factored_for(nw) : &nw->cache[0];
}

static bool residual_is_roundoff(newton *nw, const double *y)
{
    if (nw->eq->passes) equations_evaluate(nw->eq, y, nw->in_passes ? nw->r : nw->trial);
    equations_row_sizes(nw->eq, y, nw->natural);
    for (int k = 0; k < nw->eq->size; k++)
        if (!(fabs(nw->r[k]) <= 64 * DBL_EPSILON * nw->natural[k])) return false;
    return true;
}

static double widen(double most, const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (!(fabs(x[i]) <= most)) most = fabs(x[i]);
    return most;
}

/* Is every correction below the roundoff of the largest position or momentum? An unknown that
 * vanishes by a symmetry of the motion consists of such noise alone, and its residual need not show
 * how much there is. */
bool newton_is_noise(const newton *nw, const double *y)
{
    const equations *eq = nw->eq;
    double           q = widen(widen(0, eq->q, eq->n), y, eq->lam);
    double           p = widen(widen(0, eq->p, eq->n), y + eq->P, eq->size - eq->P);
    if (nw->in_passes) return nw->largest <= 64 * DBL_EPSILON * q;
    return widen(0, nw->delta, eq->lam) <= 64 * DBL_EPSILON * q &&
           widen(0, nw->delta + eq->P, eq->size - eq->P) <= 64 * DBL_EPSILON * p;
}

/* Have multipliers converged, too? With the present Jacobian they are right as soon as the others
 * are, since they enter linearly; with a kept one they converge at their own rate. */
bool newton_reactions_hold(const newton *nw, const double *y)
{
    static const double HELD = 1e-9; /* beside the largest of them */
    const int           lam = nw->eq->lam, count = nw->eq->P - lam;
    const double        most = widen(widen(0, nw->scale + lam, count), y + lam, count);
    return widen(0, nw->delta + lam, count) <= HELD * most;
}

/* Has y converged after a correction of relative size `eta`, the one before having been `before`?
 * Quadratic convergence leaves eta (eta/before)^2. Where roundoff keeps corrections from shrinking,
 * in all unknowns or in one that is nearly 0, noise in the residual is the limit. A constant
 * Jacobian leaves no error, unless the correction was large enough for the roundoff of the solver
 * to show. */
newton_verdict newton_judge(correction made, double before)
{
    const double eta = made.relative, theta = eta / before;
    if (eta <= SQUARED_IS_ROUNDOFF) return NEWTON_ENDS;
    if (before == HUGE_VAL) return NEWTON_GOES_ON;
    if (theta < 0.1 && eta * theta * theta <= DBL_EPSILON / 16) return NEWTON_ENDS;
    if (theta <= 0.5) return NEWTON_GOES_ON;
    return eta < STAGNANT || made.overall <= SQUARED_IS_ROUNDOFF ? NEWTON_ENDS : NEWTON_DOUBTS;
}

void newton_count(newton *nw)
{
    nw->count.iterations += nw->iterations;
    if (nw->iterations > nw->count.max_iterations) nw->count.max_iterations = nw->iterations;
}

bool newton_patience_ends(const newton *nw)
{
    return nw->iterations > PATIENCE;
}

static bool is_last(newton *nw, const double *y, correction made, double before)
{
    if (nw->eq->constant) return nw->eq->diagonal || before < HUGE_VAL || made.overall < REFINED;
    const newton_verdict said = newton_judge(made, before);
    if (said == NEWTON_ENDS) return true;
    if (newton_patience_ends(nw) && newton_is_noise(nw, y)) return true;
    return said == NEWTON_DOUBTS && residual_is_roundoff(nw, y);
}

bool newton_strays(const newton *nw, correction made, double before)
{
    if (made.relative > 4 * before || !(made.relative < 1e8)) return true;
    return nw->iterations == 1 && made.relative > ASTRAY && made.overall > ASTRAY;
}

/* A dense matrix of some size costs more than a few residuals: it is kept for the whole step while
 * corrections shrink well. */
static bool keeps_matrix(const newton *nw)
{
    return !nw->eq->constant && nw->eq->size >= KEPT_LEAST &&
           !strcmp(solver_name(nw->cache[0].lu), "dense");
}

typedef struct { /* of a correction: its size by unknown and over all, and beside those of the one
                    before */
    double eta, whole, theta, rest;
    bool   fresh; /* it was made with a new matrix */
} progress;

/* With a kept matrix convergence is linear: the remaining error is estimated from the last ratio,
 * not its square. */
static bool is_last_kept(newton *nw, const double *y, const progress *at)
{
    const double left = at->fresh ? at->theta * at->theta : at->theta;
    const bool   held = at->fresh || newton_reactions_hold(nw, y);
    if (at->eta <= (at->fresh ? SQUARED_IS_ROUNDOFF : 2 * DBL_EPSILON)) return true;
    if (nw->iterations > PATIENCE && held && newton_is_noise(nw, y)) return true;
    if (nw->iterations == 1) return false;
    if (at->theta < 0.1 && at->eta * left <= DBL_EPSILON / 16) return true;
    if (held && (at->theta > 0.5 || at->eta > 0.5) && at->rest < 0.1 &&
        at->whole * at->rest <= DBL_EPSILON / 16)
        return true;
    return at->theta > 0.5 && at->fresh &&
           (at->eta < STAGNANT || at->whole <= SQUARED_IS_ROUNDOFF || residual_is_roundoff(nw, y));
}

static bool solve_kept(newton *nw, double *y, const double *const known[2])
{
    progress at = {HUGE_VAL, HUGE_VAL, 0, 0, true};
    newton_begin(nw);
    newton_scales(nw, y, known);
    while (nw->iterations < NEWTON_MOST) {
        const progress before = at;
        nw->now->ready = !at.fresh;
        const bool good = newton_correction(nw, y);
        nw->now->ready = false;
        if (!good) return false;
        const correction made = newton_improve(nw, y, NULL);
        at = (progress){made.relative, made.overall, made.relative / before.eta,
                        made.overall / before.whole, at.fresh};
        if (is_last_kept(nw, y, &at)) return true;
        if (!(at.whole < 1e8) || (at.fresh && at.whole > 4 * before.whole)) return false;
        if (nw->iterations == 1 && at.eta > ASTRAY && at.whole > ASTRAY) return false;
        at.fresh = nw->iterations > 1 && at.theta > 0.1 && at.rest > 0.1;
    }
    return false;
}

/* Computes a correction, adds it to y and measures it: in two passes (chain.h), or one after the
 * other. Where the passes would need pivoting, the latter. */
static bool correct(newton *nw, double **y, const double *const *known, correction *made)
{
    equations           *eq = nw->eq;
    chain_measure        whole;
    strands_end          end = STRANDS_PIVOTS;
    const chain_unknowns at = {*y, nw->trial, nw->scale, known, nw->iterations == 0};
    if (passes_correct_too(eq->passes)) end = passes_correct(eq->passes, eq, &at, &whole);
    if (end == STRANDS_NOT_FINITE) return nw->not_finite = true, false;
    if (end == STRANDS_PIVOTS) {
        if (!newton_correction(nw, *y)) return false;
        *made = newton_improve(nw, *y, known);
        return true;
    }
    double *corrected = nw->trial;
    nw->trial = *y, *y = corrected;
    nw->iterations++, nw->count.factorisations++;
    nw->in_passes = true, nw->largest = whole.most;
    *made = (correction){whole.relative, whole.most > 0 ? whole.most / whole.size : 0};
    return true;
}

bool newton_in_passes(const newton *nw)
{
    return passes_correct_too(nw->eq->passes) && !nw->quasi && !keeps_matrix(nw) &&
           !nw->eq->relations;
}

bool newton_solve(newton *nw, double **y, const double *const known[2])
{
    double before = HUGE_VAL;
    if (nw->quasi && !nw->eq->constant) return broyden_solve(nw, *y, known);
    if (keeps_matrix(nw)) return solve_kept(nw, *y, known);
    newton_begin(nw);
    if (nw->eq->relations) newton_scales(nw, *y, known); /* reactions have more to say about them */
    while (nw->iterations < NEWTON_MOST) {
        const bool scaled = nw->iterations || nw->eq->relations;
        correction made;
        if (!correct(nw, y, scaled ? NULL : known, &made)) return false;
        if (is_last(nw, *y, made, before)) return true;
        if (newton_strays(nw, made, before)) return false;
        before = made.relative;
    }
    return false;
}

bool newton_monotone(newton *nw, double **y, const double *const known[2])
{
    correction last = {HUGE_VAL, HUGE_VAL};
    newton_begin(nw);
    while (nw->iterations < NEWTON_MOST) {
        correction made;
        if (!correct(nw, y, nw->iterations ? NULL : known, &made)) return false;
        if (is_last(nw, *y, made, last.relative)) return true;
        if (!(made.overall <= 0.75 * last.overall)) return false;
        last = made;
    }
    return false;
}

/* One damped step: the largest of 1, 1/2, 1/4 ... for which the correction that the same
 * Jacobian would ask for next has become smaller (the natural monotonicity test, which does not
 * mind units). */
static double damped_step(newton *nw, double *y, double size)
{
    equations *eq = nw->eq;
    for (double alpha = 1; alpha > 1e-6; alpha /= 2) {
        for (int k = 0; k < eq->size; k++) nw->trial[k] = y[k] + alpha * nw->delta[k];
        if (!equations_residual(eq, nw->trial, nw->natural, false)) continue;
        equations_divide(eq, nw->now->lu, nw->natural);
        double next = newton_overall_size(nw, nw->natural, nw->trial);
        if (size > STAGNANT && !(next <= (1 - alpha / 4) * size)) continue;
        memcpy(y, nw->trial, (size_t)eq->size * sizeof *y);
        return alpha;
    }
    return 0;
}

/* A correction with a new matrix, which messages can report on. */
static bool correct_anew(newton *nw, const double *y)
{
    if (nw->quasi && !nw->eq->constant) nw->now->ready = false;
    if (!newton_correction(nw, y)) return false;
    if (nw->iterations <= NEWTON_HISTORY)
        nw->residual[nw->iterations - 1] = widen(0, nw->r, nw->eq->size);
    return true;
}

bool newton_undamped(newton *nw, double *y, const double *const known[2])
{
    correction made = {HUGE_VAL, HUGE_VAL};
    newton_begin(nw);
    newton_scales(nw, y, known);
    while (nw->iterations < NEWTON_MOST) {
        const double before = made.relative;
        if (!correct_anew(nw, y)) return false;
        made = newton_improve(nw, y, NULL);
        if (is_last(nw, y, made, before)) return true;
    }
    return false;
}

bool newton_damped(newton *nw, double *y, const double *const known[2])
{
    double before = HUGE_VAL;
    newton_begin(nw);
    newton_scales(nw, y, known);
    while (nw->iterations < NEWTON_MOST) {
        if (!correct_anew(nw, y)) return false;
        for (int k = 0; k < nw->eq->size; k++)
            if (nw->scale[k] < fabs(y[k] + nw->delta[k])) nw->scale[k] = fabs(y[k] + nw->delta[k]);
        correction next = {newton_relative_size(nw, nw->delta, y),
                           newton_overall_size(nw, nw->delta, y)};
        double     alpha = damped_step(nw, y, next.overall);
        if (alpha == 0) return residual_is_roundoff(nw, y) || newton_is_noise(nw, y);
        if (alpha == 1 && is_last(nw, y, next, before)) return true;
        before = alpha == 1 ? next.relative : HUGE_VAL;
    }
    return false;
}
