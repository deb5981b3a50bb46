/* equivalence.c - the same physics, split into L and f in other ways, run side by side.
 *
 * With W = V(t,q) + a(t,q).v the motion of L + alpha W under f - alpha (W_q - d/dt W_v) is that of
 * L under f, for every alpha, with momenta p + alpha a. Discretely V_q cancels if L and f are
 * sampled at the same points with the same weights, and of a what is left is the quadrature of
 * d/dt (l_nu a) in row nu: where that is exact, positions agree and momenta differ by alpha a,
 *     strongly equivalent: q and p agree;   weakly: q agrees.              theory.md [FORCE]
 * The level of roundoff is measured: in one more run the start is displaced by a unit in the last
 * place. */
#include "run/equivalence.h"
#include "run/shifted.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SPLITS = 11, MOVED = SPLITS, RUNS };

/* Runs. ---------------------------------------------------------------------------------------- */

/* one of the runs side by side */
typedef struct {
    dal_sim  *s;
    dal_split apart; /* how far it has parted from the first */
} side;

static void end_side(void *s)
{
    simulation_end(s);
}

/* Numbers, and matrices of rotations; quaternions follow. */
static int positions(const dal_system *sys)
{
    return sys->n + (sys->turns ? TURNING_MATRIX * sys->turns->count : 0);
}

/* The start as it is, but each coordinate and momentum one unit in the last place away; of a
 * quaternion, whose length has no meaning, each component by another. */
static void move_start(dal_sim *s)
{
    const dal_system *sys = state_solved(s);
    const int         n = sys->n, width = turning_width(sys->turns, n);
    double *q = copy_of(&s->m, stepper_q(s->st), width), *p = copy_of(&s->m, stepper_p(s->st), n);
    for (int i = 0; i < n; i++) q[i] *= 1 + DBL_EPSILON, p[i] *= 1 + DBL_EPSILON;
    for (int i = positions(sys); i < width; i++) q[i] *= 1 + (i % 4 - 1) * DBL_EPSILON;
    stepper_set(s->st, s->t, q, p, stepper_v(s->st));
}

/* Freed with d->m, however this ends. */
static dal_status begin_side(const description *d, const subject *of, diags *ds, double alpha,
                             side *to)
{
    *to = (side){.s = mem_array(d->m, 1, dal_sim), .apart = {.alpha = alpha, .failed = NAN}};
    mem_init(&to->s->m, d->m->heap);
    to->s->m.guard = d->m->guard, to->s->ds = ds;
    mem_at_end(d->m, end_side, to->s);
    return simulation_start(to->s, of, d->asked);
}

/* All begin with the same velocities: momenta are those of the first, and alpha a. */
static dal_status begin_alike(const description *d, const shifted *sh, const dal_sim *first,
                              side *to)
{
    const int n = first->sys->n;
    double   *p = copy_of(d->m, state_p(first), n);
    if (!sh->moving || to->apart.alpha == 0) return DAL_OK;
    shifted_momenta(sh, to->apart.alpha, first->val.parameter, first->t, state_q(first), p);
    return simulation_put(to->s, first->t, state_q(first), NULL, p);
}

/* NaN counts as largest. */
static void keep_largest(double *most, const double *a, const double *b, int n)
{
    for (int i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= *most)) *most = fabs(a[i] - b[i]);
}

static void compare(const shifted *sh, side *with, const dal_sim *first, double *p)
{
    const int     n = first->sys->n;
    dal_split    *to = &with->apart;
    const double *q = state_q(with->s);
    memcpy(p, state_p(with->s), (size_t)n * sizeof *p);
    keep_largest(&to->q, q, state_q(first), positions(first->sys));
    keep_largest(&to->p, p, state_p(first), n);
    shifted_momenta(sh, -to->alpha, first->val.parameter, first->t, q, p);
    keep_largest(&to->shifted, p, state_p(first), n);
}

/* A run that has failed stays where it is; the others go on. */
static void step_sides(const shifted *sh, side *run, double *room)
{
    for (int r = 0; r < RUNS; r++) {
        if (!isnan(run[r].apart.failed)) continue;
        if (simulation_some(run[r].s, 1)) run[r].apart.failed = run[r].s->t;
        else if (r > 0 && isnan(run[0].apart.failed)) compare(sh, &run[r], run[0].s, room);
    }
}

/* A displaced start is a single rounding error; a run has one in every step, which add up like a
 * random walk. */
static double roundoff(double moved, double size, long steps)
{
    return 30 * sqrt((double)steps) * fmax(moved, DBL_EPSILON * size);
}

/* Momenta that are large beside the first ones are rounded as much more. */
static dal_equivalence_kind judge(const side *run, double q_size, double p_size)
{
    const long   steps = run[0].s->plan.steps;
    const double more = p_size > 0 ? 1 + run[SPLITS - 1].apart.p / p_size : 1;
    const double q = more * roundoff(run[MOVED].apart.q, q_size, steps),
                 p = more * roundoff(run[MOVED].apart.p, p_size, steps);
    bool weakly = true, strongly = true;
    for (int r = 0; r < SPLITS; r++) {
        const dal_split *x = &run[r].apart;
        weakly &= x->q <= q && x->shifted <= p && isnan(x->failed);
        strongly &= x->p <= p / more;
    }
    return !weakly ? DAL_NOT_EQUIVALENT : strongly ? DAL_EQUIVALENT : DAL_WEAKLY_EQUIVALENT;
}

static double largest(double so_far, const double *x, int n)
{
    for (int i = 0; i < n; i++) so_far = fmax(so_far, fabs(x[i]));
    return so_far;
}

static void tell(const description *d, const side *run, dal_equivalence *out)
{
    dal_split *split = mem_array(d->m, SPLITS, dal_split);
    for (int r = 0; r < SPLITS; r++) split[r] = run[r].apart;
    out->model = d->of->title, out->file = d->of->md->file;
    out->scheme = mem_printf(d->m, "%s", run[0].s->plan.scheme.name);
    out->splits = SPLITS, out->split = split;
    out->moved_q = run[MOVED].apart.q, out->moved_p = run[MOVED].apart.p;
}

/* run[0] has alpha = 0 and is compared with all others; the last differs from it by its start
 * alone. */
static dal_status run_sides(const description *d, const source *words, side *run,
                            dal_equivalence *out)
{
    shifted   *sh;
    diags      later; /* what the other runs meet is told in the table */
    double     q = 0, p = 0;
    dal_status bad = shifted_new(d, words, &sh);
    if (bad) return bad;
    subject of = {.md = &sh->md, .compiled = compile(d->m, &sh->md), .title = d->of->title};
    diags_init(&later, d->m);
    for (int r = 0; r < RUNS && !bad; r++) {
        sh->alpha = r < SPLITS ? r / 10.0 : 0;
        bad = begin_side(d, &of, r ? &later : d->ds, sh->alpha, &run[r]);
        if (!bad) bad = begin_alike(d, sh, run[0].s, &run[r]);
    }
    if (bad) return bad;
    const dal_sim *first = run[0].s;
    if (first->plan.steps < 0)
        return diag_error(d->ds, DAL_INVALID, first->val.simulate,
                          "put until = 10 into simulate { }, or add --until 10 or --steps 1000",
                          "no end is given");
    move_start(run[MOVED].s);
    double *room = mem_array(d->m, first->sys->n, double);
    for (long k = 0; k < first->plan.steps; k++) {
        step_sides(sh, run, room);
        q = largest(q, state_q(first), positions(first->sys));
        p = largest(p, state_p(first), first->sys->n);
    }
    out->moves = sh->moving > 0, out->kind = judge(run, q, p);
    tell(d, run, out);
    return DAL_OK;
}

dal_status equivalence_measure(const description *d, const source *words, dal_equivalence *out)
{
    side run[RUNS];
    return run_sides(d, words, run, out);
}

/* The words. ----------------------------------------------------------------------------------- */

static void print_head(const description *d, const source *words, const dal_sim *s, bool moves)
{
    const scheme *sch = &s->plan.scheme;
    text_printf(d->out, "%s  (%s): L + alpha %s, %s = %s\n", d->of->title, d->of->md->file,
                moves ? "W with f - alpha (dW/dq - d/dt dW/dv)" : "V with f - alpha dV/dq",
                moves ? "W" : "V", words->text);
    text_printf(d->out, "scheme       %s, %s%s for the forces; %ld steps of %.6g\n", sch->name,
                sch->own_force_rule ? "" : "the same rule",
                sch->own_force_rule ? sch->force_title : "", s->plan.steps, fabs(s->plan.h));
    text_printf(d->out, "%9s  %12s  %12s", "alpha", "differs in q", "differs in p");
    text_add(d->out, moves ? "  in p - alpha dW/dv\n" : "\n");
}

static void print_splits(const description *d, const dal_equivalence *x)
{
    for (size_t r = 0; r < x->splits; r++) {
        const dal_split *of = &x->split[r];
        text_printf(d->out, "%9.1f  %12.2e  %12.2e", of->alpha, of->q, of->p);
        if (x->moves) text_printf(d->out, "  %18.2e", of->shifted);
        if (!isnan(of->failed))
            text_printf(d->out, "  no step could be made after t = %.6g", of->failed);
        text_add(d->out, "\n");
    }
}

dal_status describe_equivalence(const description *d, const source *words)
{
    static const char *const result[] = {
        [DAL_EQUIVALENT] = "the motions agree to roundoff: what is called a force does not matter",
        [DAL_WEAKLY_EQUIVALENT] =
            ("the motions agree to roundoff, and momenta differ by alpha dW/dv "
             "as they must: weakly equivalent"),
        [DAL_NOT_EQUIVALENT] =
            "the motions differ: with this rule it matters what is called a force"};
    side            run[RUNS];
    dal_equivalence x = {0};
    dal_status      bad = run_sides(d, words, run, &x);
    if (bad) return bad;
    print_head(d, words, run[0].s, x.moves);
    print_splits(d, &x);
    text_printf(d->out,
                "roundoff     a start changed in its last digit differs by %.2e in q, %.2e in p\n",
                x.moved_q, x.moved_p);
    text_printf(d->out, "result       %s\n", result[x.kind]);
    return DAL_OK;
}
