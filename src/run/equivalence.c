/* equivalence.c - the same physics, split into L and f in other ways, run side by side.
 *
 * With a potential V(t,q) the motion of L + alpha V under the force f - alpha dV/dq is that of L
 * under f, for every alpha:
 *     d/dt L_v - (L_q + alpha V_q) = f - alpha V_q.                        theory.md [FORCE]
 * Discretely the two alpha V_q cancel if L and f are sampled at the same points with the same
 * weights; otherwise the motions diverge. The level of roundoff is measured: in one more run the
 * start is displaced by a unit in the last place. */
#include "run/equivalence.h"

#include <float.h>
#include <math.h>

enum { SPLITS = 11, MOVED = SPLITS, RUNS };

/* A model with one parameter more, alpha, the last one, and two elements more: alpha V in L, -alpha
 * dV/dq in f. */
typedef struct {
    model        md;
    const model *of;
    double       alpha;
} shifted;

/* The model's own numbers, and alpha behind them. */
static dal_status evaluate_shifted(const model *md, const overrides *over, diags *ds, mem *m,
                                   values *out)
{
    const shifted *sh = (const shifted *)md;
    dal_status     bad = sh->of->by->evaluate(sh->of, over, ds, m, out);
    double        *all = mem_array(m, md->parameters, double);
    if (bad) return bad;
    for (int i = 0; i < sh->of->parameters; i++) all[i] = out->parameter[i];
    all[sh->of->parameters] = sh->alpha;
    out->parameter = all;
    return DAL_OK;
}

static const model_functions by_shift = {.evaluate = evaluate_shifted};

/* A new element that reads what V reads, and alpha. *V is the potential in its graph. */
static element element_beside(mem *m, const element *potential, element_kind kind, int roots,
                              int alpha, expr *V)
{
    element el = {.kind = kind,
                  .at = potential->at,
                  .instances = 1,
                  .slots = potential->slots + 1,
                  .roots = roots};
    int     nodes = potential->g.nodes.n;
    expr   *image = mem_array(m, el.slots, expr);
    int    *memo = mem_array(m, nodes, int);
    graph_init(&el.g, m);
    el.slot = mem_array(m, el.slots, slot);
    el.root = mem_array(m, roots, expr);
    el.target = mem_array(m, roots, slot);
    for (int i = 0; i < potential->slots; i++) el.slot[i] = potential->slot[i];
    el.slot[potential->slots] = (slot){.kind = SLOT_PARAMETER, .base = alpha};
    el.owner = (slot){.kind = SLOT_ENERGY};
    for (int i = 0; i < el.slots; i++) image[i] = expr_var(&el.g, i);
    for (int i = 0; i < nodes; i++) memo[i] = EXPR_NONE;
    *V = expr_import(&el.g, &potential->g, potential->root[0], image, memo);
    return el;
}

/* alpha V */
static element energy_element(mem *m, const element *potential, int alpha)
{
    expr    V;
    element el = element_beside(m, potential, EL_LAGRANGIAN, 1, alpha, &V);
    el.root[0] = expr_mul(&el.g, expr_var(&el.g, potential->slots), V);
    return el;
}

/* -alpha dV/dq_j on every q_j that V reads */
static element force_element(mem *m, const element *potential, int alpha)
{
    int  coordinates = 0, *vars = mem_array(m, potential->slots, int);
    expr V;
    for (int i = 0; i < potential->slots; i++)
        if (potential->slot[i].kind == SLOT_Q) vars[coordinates++] = i;
    element el = element_beside(m, potential, EL_FORCE, coordinates, alpha, &V);
    expr_gradient(&el.g, V, vars, coordinates, el.root);
    for (int j = 0; j < coordinates; j++) {
        el.root[j] =
            expr_neg(&el.g, expr_mul(&el.g, expr_var(&el.g, potential->slots), el.root[j]));
        el.target[j] = (slot){.kind = SLOT_Q, .base = potential->slot[vars[j]].base};
    }
    return el;
}

static void free_copy(void *md)
{
    mem_free(&((model *)md)->m);
}

/* What both have in common stays that of the first; the lists that grow are copied. */
static shifted *shifted_new(mem *m, const model *of)
{
    shifted *sh = mem_array(m, 1, shifted);
    model   *md = &sh->md;
    *md = *of, sh->of = of;
    mem_init(&md->m, m->heap);
    md->m.guard = m->guard;
    mem_at_end(m, free_copy, md);
    md->data.at = NULL, md->data.n = md->data.room = 0;
    md->elements.at = NULL, md->elements.n = md->elements.room = 0;
    for (int i = 0; i < of->data.n; i++) vec_push(&md->m, md->data, of->data.at[i]);
    for (int i = 0; i < of->elements.n; i++) vec_push(&md->m, md->elements, of->elements.at[i]);
    md->parameters = of->parameters + 1, md->by = &by_shift;
    return sh;
}

/* Fails where V cannot be read, or holds no coordinate. */
static dal_status shift(const description *d, const source *potential, shifted **out)
{
    const model *of = d->of->md;
    shifted     *sh = *out = shifted_new(d->m, of);
    element      V, el;
    if (of->turns)
        return diag_error(d->ds, DAL_INVALID, source_span(potential), NULL,
                          "no potential is moved where there are rotations or directions");
    dal_status bad = of->by->express(of, &d->asked->over, potential, d->ds, &sh->md, d->m, &V);
    if (bad) return bad;
    el = energy_element(d->m, &V, of->parameters);
    vec_push(&sh->md.m, sh->md.elements, el);
    el = force_element(d->m, &V, of->parameters);
    if (!el.roots)
        return diag_error(d->ds, DAL_INVALID, source_span(potential),
                          "name a let or an expression with coordinates in it",
                          "this contains no coordinate, so it exerts no force");
    vec_push(&sh->md.m, sh->md.elements, el);
    return DAL_OK;
}

/* Runs. ---------------------------------------------------------------------------------------- */

/* one of the runs side by side */
typedef struct {
    dal_sim *s;
    double   q, p;   /* how far it has parted from the first        */
    double   failed; /* the time at which it could not go on; NaN: it did */
} side;

static void end_side(void *s)
{
    simulation_end(s);
}

/* The start as it is, but each coordinate and momentum one unit in the last place away. */
static void move_start(dal_sim *s)
{
    int     n = s->sys->n;
    double *q = mem_array(&s->m, n, double), *p = mem_array(&s->m, n, double);
    for (int i = 0; i < n; i++) {
        q[i] = stepper_q(s->st)[i] * (1 + DBL_EPSILON);
        p[i] = stepper_p(s->st)[i] * (1 + DBL_EPSILON);
    }
    stepper_set(s->st, s->t, q, p, stepper_v(s->st));
}

/* Freed with d->m, however this ends. */
static dal_status begin_side(const description *d, const subject *of, diags *ds, side *to)
{
    *to = (side){.s = mem_array(d->m, 1, dal_sim), .failed = NAN};
    mem_init(&to->s->m, d->m->heap);
    to->s->m.guard = d->m->guard, to->s->ds = ds;
    mem_at_end(d->m, end_side, to->s);
    return simulation_start(to->s, of, d->asked);
}

/* NaN counts as largest. */
static void keep_largest(double *most, const double *a, const double *b, int n)
{
    for (int i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= *most)) *most = fabs(a[i] - b[i]);
}

/* A run that has failed stays where it is; the others go on. */
static void step_sides(side *run)
{
    for (int r = 0; r < RUNS; r++) {
        if (!isnan(run[r].failed)) continue;
        if (simulation_some(run[r].s, 1)) run[r].failed = run[r].s->t;
        else if (r > 0 && isnan(run[0].failed)) {
            keep_largest(&run[r].q, stepper_q(run[r].s->st), stepper_q(run[0].s->st),
                         run[0].s->sys->n);
            keep_largest(&run[r].p, stepper_p(run[r].s->st), stepper_p(run[0].s->st),
                         run[0].s->sys->n);
        }
    }
}

/* The words. ----------------------------------------------------------------------------------- */

static void print_head(const description *d, const source *potential, const dal_sim *s)
{
    const scheme *sch = &s->plan.scheme;
    text_printf(d->out, "%s  (%s): L + alpha V with f - alpha dV/dq, V = %s\n", d->of->title,
                d->of->md->file, potential->text);
    text_printf(d->out, "scheme       %s, %s%s for the forces; %ld steps of %.6g\n", sch->name,
                sch->own_force_rule ? "" : "the same rule",
                sch->own_force_rule ? sch->force_title : "", s->plan.steps, fabs(s->plan.h));
    text_printf(d->out, "%9s  %12s  %12s\n", "alpha", "differs in q", "differs in p");
}

static void print_sides(const description *d, const side *run)
{
    for (int r = 0; r < SPLITS; r++) {
        text_printf(d->out, "%9.1f  %12.2e  %12.2e", r / 10.0, run[r].q, run[r].p);
        if (!isnan(run[r].failed))
            text_printf(d->out, "  no step could be made after t = %.6g", run[r].failed);
        text_add(d->out, "\n");
    }
}

/* A displaced start is a single rounding error; a run has one in every step, which add up like a
 * random walk. */
static double roundoff(double moved, double size, long steps)
{
    return 30 * sqrt((double)steps) * fmax(moved, DBL_EPSILON * size);
}

/* Are all within what roundoff may do in so many steps? */
static void print_result(const description *d, const side *run, double q_size, double p_size)
{
    long steps = run[0].s->plan.steps;
    bool apart = false;
    for (int r = 0; r < SPLITS; r++) {
        apart |= !(run[r].q <= roundoff(run[MOVED].q, q_size, steps)) || !isnan(run[r].failed);
        apart |= !(run[r].p <= roundoff(run[MOVED].p, p_size, steps));
    }
    text_printf(d->out,
                "roundoff     a start changed in its last digit differs by %.2e in q, %.2e in p\n",
                run[MOVED].q, run[MOVED].p);
    text_add(
        d->out,
        apart
            ? "result       the motions differ: with this rule it matters what is called a force\n"
            : "result       the motions agree to roundoff: what is called a force does not "
              "matter\n");
}

static double largest(double so_far, const double *x, int n)
{
    for (int i = 0; i < n; i++) so_far = fmax(so_far, fabs(x[i]));
    return so_far;
}

/* run[0] has alpha = 0 and is compared with all others; the last differs from it by its start
 * alone. */
dal_status describe_equivalence(const description *d, const source *potential)
{
    shifted   *sh;
    side       run[RUNS];
    diags      later; /* what the other runs meet is told in the table */
    double     q = 0, p = 0;
    dal_status bad = shift(d, potential, &sh);
    if (bad) return bad;
    subject of = {.md = &sh->md, .compiled = compile(d->m, &sh->md), .title = d->of->title};
    diags_init(&later, d->m);
    for (int r = 0; r < RUNS && !bad; r++) {
        sh->alpha = r < SPLITS ? r / 10.0 : 0;
        bad = begin_side(d, &of, r ? &later : d->ds, &run[r]);
    }
    if (bad) return bad;
    if (run[0].s->plan.steps < 0)
        return diag_error(d->ds, DAL_INVALID, run[0].s->val.simulate,
                          "put until = 10 into simulate { }, or add --until 10 or --steps 1000",
                          "no end is given");
    move_start(run[MOVED].s);
    for (long k = 0; k < run[0].s->plan.steps; k++) {
        step_sides(run);
        q = largest(q, stepper_q(run[0].s->st), run[0].s->sys->n);
        p = largest(p, stepper_p(run[0].s->st), run[0].s->sys->n);
    }
    print_head(d, potential, run[0].s);
    print_sides(d, run);
    print_result(d, run, q, p);
    return DAL_OK;
}
