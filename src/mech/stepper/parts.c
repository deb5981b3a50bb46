/* parts.c - a step that ends far from where the steps before it lead. It may have jumped to another
 * branch of its relations: so it is made again in two parts, four, ..., until two divisions agree.
 *                                                                             theory.md [RELIABLE]
 */
#include "mech/stepper/parts.h"

#include "mech/stepper/stepper.h"
#include "step/words.h"

#include "step/judge.h"

#include <string.h>

enum { PARTS_MOST = 64, LARGE = 512 }; /* LARGE: unknowns */

void parts_init(stepper *st)
{
    smaller_parts *p = &st->parts;
    const int      n = st->sys->n;
    if (!st->eq.relations || !st->history || st->eq.size > LARGE) return;
    if (st->sys->jumps || st->sys->kinks || st->sys->turns || st->energy) return;
    p->fits = true;
    p->begun = mem_array(st->m, 4 * n, double), p->made = mem_array(st->m, 4 * n, double);
    p->q = mem_array(st->m, n, double);
    p->known = histories_new(st->m, 1, st->eq.size);
    history_follow(p->known, st->m, n, st->eq.d, st->history[0].X);
}

/* Called before the solution joins the past ones. */
bool parts_are_due(stepper *st, const history *before)
{
    const int     lam = st->eq.lam;
    const double *y = st->y, *led = st->nw.natural;
    double        apart = 0;
    if (!st->parts.fits || st->grid.k || !before || before->count < PREDICTING) return false;
    history_extrapolate(before, st->nw.natural);
    for (int k = 0; k < lam; k++) apart = larger(apart, y[k] - led[k]);
    const double size = largest_of(largest_of(0, y, 0, lam), before->y[0], 0, lam);
    return apart > ASTRAY * size && apart > SEEN * largest_of(0, st->q, 0, st->sys->n) &&
           apart > 64 * EPSILON * newton_displacement(&st->nw, y);
}

static void put(stepper *st, const double *from)
{
    const size_t bytes = (size_t)st->sys->n * sizeof *from;
    double      *to[] = {st->q, st->q_low, st->p, st->p_low};
    for (int k = 0; k < 4; k++) memcpy(to[k], from + k * st->sys->n, bytes);
}

static void keep(double *to, const double *const from[4], int n)
{
    for (int k = 0; k < 4; k++) memcpy(to + k * n, from[k], (size_t)n * sizeof *to);
}

/* From where the step began, along the last slope but one. */
static bool march(stepper *st, const part_of *of, int count, const history *before)
{
    put(st, st->parts.begun);
    st->work = of->work, st->last = before->y[1], st->last_h = of->h;
    st->parts.known->count = 0;
    for (int i = 0; i < count; i++)
        if (!stepper_substep(st, of->t + of->h * i / count, of->h / count, of->mirrored,
                             st->parts.known))
            return false;
    return true;
}

/* Are two ends near each other, beside how far they are from the beginning? */
static bool agree(const stepper *st)
{
    const double *q = st->q, *other = st->parts.q, *from = st->parts.begun;
    double        apart = 0, far = 0;
    for (int j = 0; j < st->sys->n; j++)
        apart = larger(apart, q[j] - other[j]), far = larger(far, q[j] - from[j]);
    return apart <= QUARTER * far;
}

/* Finer and finer divisions, until two agree: into how many parts? 0: none do. */
static int divide(stepper *st, const part_of *of, const history *before)
{
    const size_t bytes = (size_t)st->sys->n * sizeof *st->q;
    bool         known = true;
    memcpy(st->parts.q, st->q, bytes);
    for (int count = 2; count <= PARTS_MOST; count *= 2) {
        const bool made = march(st, of, count, before);
        if (made && known && agree(st)) return count;
        if (made) memcpy(st->parts.q, st->q, bytes);
        known = made;
    }
    return 0;
}

/* The step as it was made at once, and its curve, evaluated again. */
static void return_to_step(stepper *st, const part_of *of, const history *before, double work)
{
    equations *eq = &st->eq;
    put(st, st->parts.begun);
    stepper_swap(st);
    put(st, st->parts.made);
    memcpy(st->own_y, before->y[0], (size_t)eq->size * sizeof *st->own_y);
    st->y = st->own_y, st->last = before->y[0], st->last_h = of->h, st->work = work;
    stepper_begin_step(st, of->t, of->h, of->mirrored);
    eq->q = st->q0, eq->q_low = st->q0_low, eq->p = st->p0, eq->p_low = st->p0_low;
    if (eq->redundant) equations_find_redundant(eq);
    equations_residual(eq, st->y, st->nw.r, false);
}

/* Two parts confirm the step as it was made; four and more take its place, unless somebody was told
 * of its curve. */
bool parts_settle(stepper *st, const part_of *of, history *before)
{
    smaller_parts *p = &st->parts;
    const double work = st->work, *const begun[] = {st->q0, st->q0_low, st->p0, st->p0_low},
                 *const made[] = {st->q, st->q_low, st->p, st->p_low};
    const bool asked = st->watch.asked;
    keep(p->begun, begun, st->sys->n), keep(p->made, made, st->sys->n);
    st->watch.asked = false;
    const int count = divide(st, of, before);
    st->watch.asked = asked, p->due = false;
    if (count == 2) return_to_step(st, of, before, work);
    else before->count = 0;
    if (count == 2 || (count && !asked)) return true;
    put(st, p->begun);
    return st->nw.astray = true, false;
}
