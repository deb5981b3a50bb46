/* newton.c - Newton's iteration for one step.                                   theory.md [NEWTON]
 *
 * Energy does not drift only if the error left in y is below roundoff: a linearly convergent
 * iteration stopped at a fixed tolerance would leave a small error of constant sign in every step.
 * With the exact Jacobian each correction squares the error, so a correction below 1e-8 of the
 * unknowns is the last. */
#include "mech/solve/newton.h"

#include "mech/solve/linkage.h"

#include "step/words.h"

#include "step/judge.h"

#include <string.h>

static const double INEXACT = 1e-3; /* what may be left of a correction, at first */
enum { KEPT_LEAST = 20 }; /* unknowns of a dense matrix that is kept over corrections */

/* A constant Jacobian has one factorisation for each length of a composition's substeps. */
dal_status newton_init(newton *nw, mem *m, equations *eq, int lengths, const char *kind, text *why)
{
    *nw = (newton){
        .eq = eq,
        .on = unknown_operations_here(eq->size),
        .lengths = eq->constant ? lengths : 1,
        .part = INEXACT,
        .unmet = -1};
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
    nw->keeps =
        !eq->constant && eq->size >= KEPT_LEAST && !strcmp(solver_name(nw->cache[0].lu), "dense");
    return DAL_OK;
}

/* Room for the updates of broyden.c, and for the matrix to which they belong. */
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
    nw->part = INEXACT;
    nw->eq->sum.primed = nw->eq->sum.filled = false;
    if (nw->modes) modes_forget(nw->modes);
    if (nw->linkage) linkage_forget(nw->linkage);
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

/* Factors J of the last evaluation, unless the factors at hand are good. Only those of a
 * constant or kept Jacobian stay good. */
static bool factor(newton *nw)
{
    equations *eq = nw->eq;
    if (nw->now->ready) return true;
    const bool regular = nw->on.factor(eq, nw->now->lu);
    nw->count.factorisations++;
    nw->now->ready = eq->constant || nw->quasi;
    if (nw->quasi)
        memcpy(nw->now->kept, eq->values, sizeof(double) * (size_t)pattern_count(&eq->J));
    nw->now->h = eq->h, nw->now->mirrored = eq->mirrored;
    nw->now->factored_by_rows =
        nw->now->by_rows && band_factors_factor(nw->now->by_rows, &eq->J, eq->values);
    if (nw->now->factored_by_rows) band_factors_find_exact(nw->now->by_rows, &eq->J, eq->values);
    if (regular) return true;
    nw->now->ready = false;
    return nw->singular = true, false;
}

static void record(newton *nw)
{
    memcpy(nw->r, nw->delta, (size_t)nw->eq->size * sizeof *nw->r);
    if (nw->iterations < NEWTON_HISTORY) nw->residual[nw->iterations] = nw->on.largest(nw, nw->r);
}

/*     delta = J^-1 r(y),   J at y unless it is known
 * and the residual's place is the correction's. */
bool newton_correction(newton *nw, const double *y)
{
    equations *eq = nw->eq;
    nw->in_passes = false;
    eq->begun = nw->iterations > 0, eq->balanced = nw->balanced;
    const bool finite = nw->on.residual(eq, y, nw->delta, !nw->now->ready);
    eq->begun = eq->balanced = false;
    if (nw->recorded) record(nw);
    if (!finite) return nw->not_finite = true, false;
    nw->iterations++;
    if (!factor(nw)) return false;
    if (eq->relations && nw->iterations == 1) nw->on.reaction_scales(nw);
    nw->inexact = solver_aim(nw->now->lu, nw->aim, nw->scale);
    nw->on.solve(eq, nw->now->lu, nw->delta);
    return true;
}

/* A Jacobian that is renewed in every correction needs one factorisation, whatever the length. */
void newton_begin(newton *nw)
{
    nw->iterations = 0, nw->aim = EPSILON, nw->balanced = false;
    nw->singular = nw->not_finite = nw->recorded = nw->astray = false, nw->unmet = -1;
    nw->now = nw->eq->constant || nw->quasi ? factored_for(nw) : &nw->cache[0];
}

_Static_assert((int)NEWTON_PATIENCE == (int)PATIENCE, "the rule of step/judge.h");

/* HUGE_VAL stands for a first correction, which has none before it to be compared with. */
newton_verdict newton_judge(correction made, correction before)
{
    const verdict said = judge(made.relative, made.overall, before.relative == HUGE_VAL,
                               before.relative, before.overall, true, true);
    if (said.ends) return NEWTON_ENDS;
    return said.strays || made.relative > HALF * before.relative ? NEWTON_FAILS : NEWTON_GOES_ON;
}

void newton_count(newton *nw)
{
    nw->count.iterations += nw->iterations;
    if (nw->iterations > nw->count.max_iterations) nw->count.max_iterations = nw->iterations;
}

/* What a correction implies, `before` being the one before it. Where one with a new matrix stops
 * shrinking, noise in the residual may be the limit, which only the residual can tell. */
static verdict judge_correction(newton *nw, const double *y, correction made, correction before,
                                bool fresh)
{
    const equations *eq = nw->eq;
    if (eq->constant && eq->diagonal) return (verdict){.ends = true};
    if (eq->constant) return judge_linear(made.overall, before.overall == HUGE_VAL, true);
    const bool held = fresh || nw->on.reactions_hold(nw, y);
    verdict said = judge(made.relative, made.overall, before.relative == HUGE_VAL, before.relative,
                         before.overall, fresh, held);
    said.ends |= nw->iterations > PATIENCE && held && nw->on.is_noise(nw, y);
    if (!said.ends && fresh && made.relative > HALF * before.relative)
        said.ends = nw->on.is_met(nw, y);
    return said;
}

/* A correction in two passes (large/chain.h), which leave the corrected unknowns in nw->trial. */
static partition_end correct_by_rows(newton *nw, double **y, const double *const *known,
                                     correction *made)
{
    by_rows            *rows = nw->eq->rows;
    row_measure         whole;
    const row_unknowns  at = {*y, nw->trial, nw->scale, known, nw->iterations == 0};
    const partition_end end = rows->correct(rows, nw->eq, &at, &whole);
    if (end == PARTITIONS_NOT_FINITE) nw->not_finite = true;
    if (end == PARTITIONS_NOT_FINITE || end == PARTITIONS_PIVOTS) return end;
    double *corrected = nw->trial;
    nw->trial = *y, *y = corrected;
    nw->iterations++, nw->count.factorisations++;
    nw->in_passes = true, nw->largest = whole.most;
    *made = (correction){whole.relative, whole.most > 0 ? whole.most / whole.size : 0};
    return end;
}

/* Computes a correction, adds it to y and measures it; where passes would need pivoting, one after
 * the other. */
static bool correct(newton *nw, double **y, const double *const *known, correction *made)
{
    const by_rows *rows = nw->eq->rows;
    if (rows && rows->correct) {
        const partition_end end = correct_by_rows(nw, y, known, made);
        if (end != PARTITIONS_PIVOTS) return end != PARTITIONS_NOT_FINITE;
    }
    if (!newton_correction(nw, *y)) return false;
    *made = nw->on.apply(nw, *y, known);
    return true;
}

bool newton_in_passes(const newton *nw)
{
    const equations *eq = nw->eq;
    return eq->rows && eq->rows->correct && !nw->quasi && !nw->keeps && !eq->relations;
}

/* A matrix that is kept for the whole step serves until corrections no longer shrink well. */
bool newton_solve(newton *nw, double **y, const double *const known[2])
{
    if (nw->modes) {
        const simplified end = simplified_solve(nw, *y, known, true);
        if (end != SIMPLIFIED_SLOW) return end == SIMPLIFIED_SOLVED;
    }
    if (nw->quasi && !nw->eq->constant) return broyden_solve(nw, *y, known);
    const bool keeps = nw->keeps, scaled = keeps || nw->eq->relations || nw->inexact;
    bool       fresh = true;
    correction before = {HUGE_VAL, HUGE_VAL};
    newton_begin(nw);
    if (scaled) nw->on.scales(nw, *y, known); /* reactions have more to say about them */
    while (nw->iterations < NEWTON_MOST) {
        correction made;
        /* `ready` factors are used as they are, others are made anew */
        if (keeps) nw->now->ready = !fresh;
        const bool good = correct(nw, y, scaled || nw->iterations ? NULL : known, &made);
        if (keeps) nw->now->ready = false;
        if (!good) return false;
        const verdict said = judge_correction(nw, *y, made, before, fresh);
        if (said.ends || said.strays) return said.ends;
        fresh = !keeps || said.renews;
        nw->balanced = nw->eq->affine && nw->eq->relations && !keeps && made.overall < REFINED;
        before = made;
    }
    return false;
}

/* Ends where a correction is not below three quarters of the last one. */
bool newton_monotone(newton *nw, double **y, const double *const known[2])
{
    correction last = {HUGE_VAL, HUGE_VAL};
    newton_begin(nw);
    while (nw->iterations < NEWTON_MOST) {
        correction made;
        if (!correct(nw, y, nw->iterations ? NULL : known, &made)) return false;
        if (judge_correction(nw, *y, made, last, true).ends) return true;
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
        nw->on.add(nw, nw->trial, y, -alpha, nw->delta);
        if (!nw->on.residual(eq, nw->trial, nw->natural, false)) continue;
        nw->on.solve(eq, nw->now->lu, nw->natural);
        double next = nw->on.measure(nw, nw->natural, nw->trial).overall;
        if (size > STAGNANT && !(next <= (1 - alpha / 4) * size)) continue;
        memcpy(y, nw->trial, (size_t)eq->size * sizeof *y);
        return alpha;
    }
    return 0;
}

/* A correction with a new matrix. */
static bool correct_anew(newton *nw, const double *y)
{
    if (nw->quasi && !nw->eq->constant) nw->now->ready = false;
    return newton_correction(nw, y);
}

/* Ends when a correction is the last by the usual rule, or after NEWTON_MOST of them. */
bool newton_undamped(newton *nw, double *y, const double *const known[2])
{
    correction made = {HUGE_VAL, HUGE_VAL};
    newton_begin(nw);
    nw->recorded = true;
    nw->on.scales(nw, y, known);
    while (nw->iterations < NEWTON_MOST) {
        const correction before = made;
        if (!correct_anew(nw, y)) return false;
        made = nw->on.apply(nw, y, NULL);
        if (judge_correction(nw, y, made, before, true).ends) return true;
    }
    return false;
}

/* Relations hold every coordinate, at rest. */
static bool is_held(const equations *eq)
{
    return eq->relations >= eq->n && !eq->sys->rheonomic && !eq->sys->redundant;
}

/* Increments of what is held are roundoff, by which no correction can be judged; reactions are
 * found by the first, and the others take off its roundoff. */
static bool newton_held(newton *nw, double *y, const double *const known[2])
{
    enum { CORRECTIONS = 3 };
    newton_begin(nw);
    nw->recorded = true;
    nw->on.scales(nw, y, known);
    while (nw->iterations < CORRECTIONS) {
        if (!correct_anew(nw, y)) return false;
        nw->on.apply(nw, y, NULL);
    }
    return true;
}

bool newton_damped(newton *nw, double *y, const double *const known[2])
{
    if (is_held(nw->eq)) return newton_held(nw, y, known);
    const correction none = {HUGE_VAL, HUGE_VAL};
    correction       before = none;
    newton_begin(nw);
    nw->recorded = true;
    nw->on.scales(nw, y, known);
    while (nw->iterations < NEWTON_MOST) {
        if (!correct_anew(nw, y)) return false;
        nw->on.add(nw, nw->trial, y, -1, nw->delta);
        nw->on.scales(nw, nw->trial, NULL);
        const correction next = nw->on.measure(nw, nw->delta, y);
        const double     alpha = damped_step(nw, y, next.overall);
        /* no part of it helps: either the equations hold to roundoff, or it has failed */
        if (alpha == 0) return nw->on.is_met(nw, y) || nw->on.is_noise(nw, y);
        if (alpha == 1 && judge_correction(nw, y, next, before, true).ends) return true;
        /* a shortened correction says nothing about the rate of convergence */
        before = alpha == 1 ? next : none;
    }
    return false;
}
