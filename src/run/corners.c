/* corners.c - the order that is left to a run where its equations jump or have a kink in time:
 *
 *     order = min(order of the scheme, k + 1),   the k-th derivative in time jumping within a step
 *                                                                            theory.md [CORNERS] */
#include "run/corners.h"

#include <math.h>

typedef struct { /* of all sample points of a step, its substeps included, as parts of it */
    double first, last;
} reach;

/* A substep from x on, of length gamma, has its points at x + gamma c_i. */
static void widen(reach *of, const quadrature *r, double x, double gamma)
{
    for (int i = 0; i < r->s; i++) {
        of->first = fmin(of->first, x + gamma * r->c[i]);
        of->last = fmax(of->last, x + gamma * r->c[i]);
    }
}

static reach points_of(const scheme *s)
{
    reach  of = {1, 0};
    double x = 0;
    for (int k = 0; k < s->substeps; k++) {
        widen(&of, &s->rule, x, s->gamma[k]), widen(&of, &s->force, x, s->gamma[k]);
        x += s->gamma[k];
    }
    return of;
}

static corner_table *tables_of(mem *m, const tracks *follow)
{
    corner_table *all = mem_array(m, follow->n + 1, corner_table);
    for (int i = 0; i < follow->n; i++)
        all[i] = (corner_table){follow->at[i].input, follow->at[i].n, follow->at[i].t};
    return all;
}

int corners_of_run(mem *m, bound *b, const sys_point *at, const plan *p, const tracks *follow,
                   corner **list)
{
    static const double SMALL = 1e-12;
    const reach         of = points_of(&p->scheme);
    const bool          beyond = of.first < -SMALL || of.last > 1 + SMALL;
    const corners_asked asked = {.from = p->from,
                                 .h = p->h,
                                 .steps = p->steps,
                                 .any_time = p->method.principle == ENERGY || beyond,
                                 .at_ends = of.first < SMALL || of.last > 1 - SMALL,
                                 .tables = follow->n,
                                 .table = tables_of(m, follow)};
    return corners_find(m, b, at, &asked, list);
}

int corner_order(const corner *c)
{
    return c->smooth + 1;
}

/* "'if(t < 1, 0, 1)' jumps at t = 1" */
const char *corner_words(mem *m, const corner *c)
{
    static const char *const does[] = {"jumps", "has a kink", "jumps in its second derivative"};
    return mem_printf(m, "%s'%s' %s at t = %.10g%s", c->input < 0 ? "" : "input ", c->is.what,
                      does[c->smooth], c->t,
                      c->on_grid ? ", where a step looks at both sides" : "");
}

const corner *corner_worst(const corner *list, int n)
{
    const corner *worst = NULL;
    for (int k = 0; k < n; k++)
        if (!worst || list[k].smooth < worst->smooth) worst = &list[k];
    return worst;
}

/* What would keep the order, if anything does. */
static const char *hint_of(const corner *c)
{
    return c->on_grid
               ? "gauss(s), which has no points at the ends of a step, keeps the order; so does "
                 "what is smooth"
               : "a step of which the time is a multiple keeps the order; so does what is smooth";
}

void corner_warn(const corner *c, int order, const model *md, diags *ds)
{
    const kink_place at = kink_place_of(ds->m, &c->is, md);
    diag_warning(ds, at.at, hint_of(c), "%s%s: order %d is left of %d", corner_words(ds->m, c),
                 at.beside, corner_order(c), order);
}

/* Into the summary. */
void corners_note(dal_sim *s)
{
    const bool still = s->sys->autonomous && !s->sys->rheonomic && !s->follow.n;
    if (!s->md || s->plan.steps < 0 || still) return;
    mem          *m = mem_child(&s->m);
    corner       *list;
    const double *p = state_p(s), *v = state_v(s);
    double       *w = copy_of(m, v, s->sys->n);
    for (int i = 0; i < s->sys->n; i++)
        if (s->sys->hamiltonian && s->sys->hamiltonian[i]) w[i] = p[i];
    const sys_point at = {.t = s->t, .q = state_q(s), .w = w, .v = v};
    const int       n = corners_of_run(m, s->bound, &at, &s->plan, &s->follow, &list);
    const corner   *worst = corner_worst(list, n);
    if (worst && corner_order(worst) < s->mon.sum.order)
        s->mon.sum.is_reduced = 1, s->mon.sum.reduced_order = corner_order(worst),
        s->mon.sum.reduced_by = corner_words(&s->m, worst);
    mem_free(m);
}
