/* save.c - everything in a stepper that determines the bits of later steps and of what is reported,
 * field by field: the same list saves and restores. What follows from the system, the scheme and
 * the step length is not included, since a stepper created in the same way already has it. */
#include "mech/stepper/save.h"

#include "mech/solve/linkage.h"
#include "mech/stepper/stepper.h"

#include <stdint.h>

static void archive_state(stepper *st, archive *r)
{
    const size_t n = (size_t)st->turn.width;
    archive_double(r, "t", &st->t);
    archive_doubles(r, "q", st->q, n);
    archive_doubles(r, "q_low", st->q_low, n);
    archive_doubles(r, "p", st->p, n);
    archive_doubles(r, "p_low", st->p_low, n);
    if (st->eq.turn) archive_double(r, "turned", &st->turn.most);
    stepper_look(st);
}

/* The last curve: where it began, its unknowns, and which of the predictors holds them. */
static void archive_curve(stepper *st, archive *r)
{
    const size_t n = (size_t)st->sys->n;
    if (r->reading) st->y = st->own_y;
    else stepper_slope(st); /* what nobody has asked for is computed now */
    archive_bool(r, "stepped", &st->stepped);
    archive_double(r, "history_h", &st->history_h);
    archive_double(r, "last_h", &st->last_h);
    archive_double(r, "work", &st->work);
    archive_doubles(r, "slope", st->slope, n);
    if (r->reading) st->y = st->own_y;
    archive_doubles(r, "y", st->y, (size_t)st->eq.size);
    const size_t width = (size_t)st->turn.width;
    archive_doubles(r, "q0", st->q0, width);
    archive_doubles(r, "q0_low", st->q0_low, width);
    archive_doubles(r, "p0", st->p0, width);
    archive_doubles(r, "p0_low", st->p0_low, width);
    archive_double(r, "curve.t", &st->eq.t);
    double h = st->eq.h;
    bool   mirrored = st->eq.mirrored;
    archive_double(r, "curve.h", &h);
    archive_bool(r, "curve.mirrored", &mirrored);
    bool along = st->eq.along != NULL;
    archive_bool(r, "curve.along", &along);
    if (along != (st->eq.along != NULL))
        archive_refuse(r, "it was made with a retraction of the caller's own, or without");
    if (r->reading && h != 0) equations_set_step(&st->eq, h, mirrored);
}

enum { LAST_NONE = -2, LAST_OWN = -1 }; /* else the number of a substep */

/* Pointers are not saved: which array `last` points into is. */
static int last_of(const stepper *st)
{
    for (int j = 0; st->history && j < st->sch.substeps; j++)
        if (st->last == st->history[j].y[0]) return j;
    return st->last ? LAST_OWN : LAST_NONE;
}

/* Counts are checked when they are read: a damaged file must not lead beyond an array. */
static void archive_histories(archive *r, const char *of, history *all, int count)
{
    for (int j = 0; all && j < count; j++) {
        history *p = &all[j];
        char     name[ARCHIVE_NAME_MOST];
        snprintf(name, sizeof name, "%s[%d].count", of, j);
        archive_int(r, name, &p->count);
        if (p->count < 0 || p->count > p->most) archive_refuse(r, "its predictor is damaged");
        for (int k = 0; k < p->count && !r->bad; k++) {
            snprintf(name, sizeof name, "%s[%d].y[%d]", of, j, k);
            archive_doubles(r, name, p->y[k], (size_t)p->size);
        }
    }
}

static void archive_history(stepper *st, archive *r)
{
    int last = last_of(st);
    archive_histories(r, "past", st->history, st->sch.substeps);
    archive_int(r, "last", &last);
    if (last < LAST_NONE || last >= (st->history ? st->sch.substeps : 0))
        archive_refuse(r, "its predictor is damaged");
    if (!r->reading || r->bad) return;
    if (last >= 0) st->last = st->history ? st->history[last].y[0] : NULL;
    else st->last = last == LAST_OWN ? st->y : NULL;
}

/* The moves along U with which substeps began: the next are extrapolated from them. */
static void archive_moves(stepper *st, archive *r)
{
    if (st->massless.ends.fits)
        archive_doubles(r, "moved", st->massless.ends.moved,
                        (size_t)st->sch.substeps * ENDS_HISTORY * (size_t)st->sys->n);
}

static void archive_ints(archive *r, const char *of, const char *what, int *x, int count)
{
    for (int k = 0; k < count; k++) {
        char each[ARCHIVE_NAME_MOST];
        snprintf(each, sizeof each, "%.8s%.8s[%d]", of, what, k);
        archive_int(r, each, &x[k]);
    }
}

static void archive_pivot_choice(archive *r, const char *name, fixed_pivots *f)
{
    archive_ints(r, name, ".row", f->row, f->rows);
    archive_ints(r, name, ".column", f->column, f->columns);
    for (int k = 0; k < f->rows; k++)
        if (f->row[k] < 0 || f->row[k] >= f->rows) archive_refuse(r, "its pivots are damaged");
    for (int k = 0; k < f->columns; k++)
        if (f->column[k] < 0 || f->column[k] >= f->columns)
            archive_refuse(r, "its pivots are damaged");
}

static void archive_bases(archive *r, bent_moves *b)
{
    archive_pivot_choice(r, "N", &b->along.of_N), archive_pivot_choice(r, "X", &b->along.of_X);
    archive_pivot_choice(r, "V", &b->along.of_V);
    if (!b->stiff || b->stiff == b->kv) return;
    archive_pivot_choice(r, "left", &b->along.of_left);
    archive_pivot_choice(r, "right", &b->along.of_right);
}

static void archive_basis(archive *r, const char *name, fixed_pivots *f)
{
    archive_doubles(r, name, f->basis, (size_t)(f->columns - f->rank) * (size_t)f->columns);
}

/* Directions that stay as they were found. */
static void archive_straight(archive *r, bent_moves *b)
{
    archive_bases(r, b);
    archive_bool(r, "ready", &b->ready);
    archive_basis(r, "of N", &b->along.of_N), archive_basis(r, "of X", &b->along.of_X);
    archive_basis(r, "of V", &b->along.of_V);
}

/* Along directions that bend: what the end of the last step found, and what the next begins with. */
static void archive_bent(stepper *st, archive *r)
{
    bent_moves *b = st->massless.bent;
    if (st->massless.straight) archive_straight(r, st->massless.straight);
    if (!b) return;
    archive_bool(r, "known", &b->known);
    archive_bool(r, "poor", &b->poor);
    archive_doubles(r, "v", b->v, (size_t)b->n);
    archive_doubles(r, "w", b->w, (size_t)b->n);
    archive_doubles(r, "lam", b->lam, (size_t)b->inner);
    archive_doubles(r, "sigma", b->sigma, (size_t)b->stiff);
    archive_double(r, "stride", &b->pass.stride);
    archive_histories(r, "ends", b->pass.before, st->sch.substeps);
    archive_bases(r, b);
}

static void archive_counts(stepper *st, archive *r)
{
    newton_statistics *c = &st->nw.count;
    archive_long(r, "count.steps", &c->steps);
    archive_long(r, "count.iterations", &c->iterations);
    archive_long(r, "count.failures", &c->failures);
    archive_int(r, "count.most", &c->max_iterations);
    archive_int(r, "count.last", &st->nw.iterations);
    archive_long(r, "count.sweeps", &c->fixed_point);
    archive_int(r, "count.most sweeps", &c->max_fixed_point);
    if (solver_iterates(st->nw.cache[0].lu)) archive_int(r, "count.pause", &st->picard.pause);
}

/* Steps that solve nothing carry the force from the end of one to the beginning of the next. */
static void archive_explicit(stepper *st, archive *r)
{
    explicit_steps *x = &st->explicitly;
    const size_t    n = (size_t)st->sys->n;
    if (!x->fits) return;
    archive_bool(r, "ready", &x->ready);
    archive_bool(r, "usable", &x->usable);
    archive_bool(r, "due", &x->due);
    archive_bool(r, "shifted", &x->shifted);
    archive_doubles(r, "mass", x->mass, n);
    archive_doubles(r, "shift", x->shift, n);
    if (x->damped) archive_doubles(r, "resistance", x->resistance, n);
    archive_int(r, "carried", &x->carried);
    if (x->carried >= st->eq.rule.count) archive_refuse(r, "its carried force is damaged");
}

/* F at the present state, which the next explicit step begins with. */
static void archive_carried(stepper *st, archive *r)
{
    const explicit_steps *x = &st->explicitly;
    const size_t          n = (size_t)st->sys->n;
    if (!x->fits || x->carried < 0 || r->bad) return;
    const explicit_room *now = explicit_find_room(st);
    archive_doubles(r, "carried.Lq", now->F, n);
    if (st->sys->forced) archive_doubles(r, "carried.f", now->f, n);
}

/* With J and its border, so that the condition of the last step can be told after a restart. */
static void archive_energy(stepper *st, archive *r)
{
    adaptive    *a = st->energy;
    const size_t size = (size_t)equations_extent(&st->eq);
    int          outcome = (int)a->outcome;
    archive_double(r, "E", &a->E);
    archive_double(r, "E_low", &a->E_low);
    archive_double(r, "chord", &a->chord);
    archive_doubles(r, "h", a->h, HISTORY_MOST);
    archive_int(r, "sign", &a->sign);
    archive_bool(r, "held", &a->held);
    archive_bool(r, "anew", &a->anew);
    archive_bool(r, "chose", &a->chose);
    archive_double(r, "shift", &a->shift);
    archive_double(r, "noise", &a->noise);
    archive_double(r, "size", &a->size);
    archive_double(r, "slope", &a->slope);
    archive_double(r, "S", &a->S);
    archive_double(r, "corner", &a->corner);
    archive_doubles(r, "row", a->row, size);
    archive_doubles(r, "column", a->column, size);
    archive_doubles(r, "c", a->c, size);
    archive_doubles(r, "J", st->eq.values, (size_t)pattern_count(&st->eq.J));
    archive_double(r, "tried", &a->tried);
    archive_int(r, "iterations", &a->iterations);
    archive_int(r, "outcome", &outcome);
    a->outcome = (step_outcome)outcome;
}

/* A flag of `known`, by itself. */
static void archive_known(archive *r, const char *name, node_values *node, unsigned which)
{
    bool known = node->known & which;
    archive_bool(r, name, &known);
    node->known = known ? node->known | which : node->known & ~which;
}

/* What was computed on demand at the present state. The directions without inertia turn with the
 * motion, so they belong to the state. */
static void archive_report(stepper *st, archive *r)
{
    const size_t n = (size_t)st->sys->n, relations = (size_t)st->eq.relations;
    int          reached = (int)st->node.reached;
    archive_doubles(r, "U", st->grid.U, (size_t)st->grid.border * n);
    if (st->grid.W != st->grid.U) archive_doubles(r, "W", st->grid.W, (size_t)st->grid.border * n);
    archive_known(r, "known", &st->node, KNOWN_END);
    archive_known(r, "reactions", &st->node, KNOWN_REACTIONS);
    archive_known(r, "kicked_known", &st->node, KNOWN_KICK);
    archive_int(r, "reached", &reached);
    st->node.known &= ~(unsigned)KNOWN_L;
    st->node.reached = (dal_status)reached;
    if (st->node.known & KNOWN_END) {
        archive_doubles(r, "w", st->node.w, n);
        archive_doubles(r, "v", st->node.v, n);
        archive_doubles(r, "p", st->node.reported, (size_t)st->turn.width);
        archive_doubles(r, "nu", st->node.nu, relations);
        archive_doubles(r, "sigma", st->node.sigma, (size_t)st->grid.k);
    }
    if (st->node.known & KNOWN_REACTIONS) {
        archive_doubles(r, "lam", st->node.lam, relations);
        archive_doubles(r, "rate", st->node.rate, n);
    }
    if (st->node.known & KNOWN_KICK && st->papers.kicked)
        archive_doubles(r, "kicked", st->papers.kicked, n);
}

/* The values at which pivots were chosen, for factorisations that will be refactored. A constant
 * Jacobian is factored once, and again in the same way. */
static void archive_pivots(stepper *st, archive *r)
{
    if (!st->eq.constant) solver_archive(st->nw.cache[0].lu, &st->eq.J, r, st->m, "step");
    if (st->nw.modes && !st->eq.constant) modes_archive(st->nw.modes, r, st->m);
    if (st->nw.linkage) linkage_archive(st->nw.linkage, r, st->m);
    if (st->momenta.of) legendre_archive(st->momenta.of, r, st->m);
    if (st->energy) {
        solver_archive(st->energy->lu, &st->eq.J, r, st->m, "energy");
        condition_archive(st->energy, r, st->m);
        if (r->reading && !r->bad) solver_factor(st->energy->lu, st->eq.values);
    }
    if (!st->grid.constant) solver_archive(st->grid.lu, &st->grid.J, r, st->m, "end");
}

/* A Jacobian that is kept over steps. */
static void archive_kept(stepper *st, archive *r)
{
    newton   *nw = &st->nw;
    factored *f = &nw->cache[0];
    if (!nw->quasi || st->eq.constant) return;
    archive_bool(r, "kept.ready", &f->ready);
    archive_bool(r, "kept.mirrored", &f->mirrored);
    archive_double(r, "kept.h", &f->h);
    if (solver_iterates(f->lu)) archive_double(r, "kept.part", &nw->part);
    if (!f->ready || r->bad) return;
    archive_doubles(r, "kept.J", f->kept, (size_t)pattern_count(&st->eq.J));
    if (r->reading && !r->bad) f->ready = solver_factor(f->lu, f->kept);
}

/* The points of the last curve hold what was evaluated there. */
static void evaluate_curve(stepper *st)
{
    equations *eq = &st->eq;
    eq->q = st->q0, eq->q_low = st->q0_low, eq->p = st->p0, eq->p_low = st->p0_low;
    if (st->stepped && !st->explicitly.due) equations_residual(eq, st->y, st->nw.r, false);
}

/* In an order in which each part can rely on what was restored before it. */
void stepper_archive(stepper *st, archive *r)
{
    archive_section(r, "step.");
    stepper_synchronise(st);
    archive_state(st, r);
    archive_curve(st, r);
    archive_history(st, r);
    archive_moves(st, r);
    archive_section(r, "bent.");
    archive_bent(st, r);
    archive_section(r, "step.");
    archive_counts(st, r);
    archive_section(r, "explicit.");
    archive_explicit(st, r);
    if (r->reading && !r->bad) evaluate_curve(st);
    archive_carried(st, r);
    archive_section(r, "energy.");
    if (st->energy) archive_energy(st, r);
    archive_section(r, "report.");
    archive_report(st, r);
    archive_section(r, "pivots.");
    archive_pivots(st, r);
    archive_kept(st, r);
    archive_section(r, "engine.");
    if (r->reading) stepper_forget_engine(st);
    if (st->engine && st->engine->archive) st->engine->archive(st, r);
    archive_section(r, "");
}
