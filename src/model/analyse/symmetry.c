/* symmetry.c - is a declared symmetry one? Its generator is read off its momentum,
 *
 *     J = sum_i p_i xi_i(q),    xi_i = dJ/dp_i,     theory.md [SYMMETRY]
 *
 * and Lambda must not change along xi and what it does to the velocities or momenta:
 *
 *     xi . Lambda_q + (D xi v) . Lambda_v = 0,    -(D xi)^T p for momenta.
 *
 * Tested with numbers at a few points around the start. */
#include "model/analyse/facts.h"
#include "model/bound.h"

#include <math.h>
#include <string.h>

/* points at which symmetries are tested, and tries to find one where L is finite */
enum { POINTS = 3, TRIES = 12 };

typedef struct {
    dal_system *sys;
    int         n;
    double     *q, *w, *v, *p; /* a point: both velocities and momenta of all coordinates     */
    double     *dq, *dw;       /* how the generator moves it                                  */
    sys_values  o;
    sys_point   at;
} probe;

/* A point near the start at which the gradient is finite: nearer and nearer until it is. */
static bool place_probe(probe *x, const sys_point *start, uint64_t *seed)
{
    double reach = 0.5;
    for (int attempt = 0; attempt < TRIES; attempt++, reach /= 4) {
        bool finite = true;
        for (int i = 0; i < x->n; i++) {
            x->q[i] = start->q[i] + reach * analyse_noise(seed) * (1 + fabs(start->q[i]));
            x->w[i] = start->w[i] + reach * analyse_noise(seed) * (1 + fabs(start->w[i]));
        }
        x->sys->eval(x->sys->self, WANT_GRADIENT, 1, &x->at, &x->o);
        for (int i = 0; i < x->n; i++) {
            bool h = x->sys->hamiltonian && x->sys->hamiltonian[i];
            finite &= isfinite(x->o.Lq[i]) && isfinite(x->o.Lw[i]);
            x->v[i] = h ? -x->o.Lw[i] : x->w[i];
            x->p[i] = h ? x->w[i] : x->o.Lw[i];
        }
        if (finite) return true;
    }
    return false;
}

/* Derivatives of J in one element: xi_i = J_p; D xi v = d(J_p)/dq v; and (D xi)^T p = J_q. */
typedef struct {
    derived d;
    vec(int) p, q;
    expr   *xi, *dxi, *jq;
    double *values, *scratch;
} generator;

/* J is copied into a graph of its own, where xi = J_p, D xi v and J_q are derived. */
static void open_generator(mem *m, const derived *from, generator *g)
{
    *g = (generator){.d = *from};
    graph_init(&g->d.g, m);
    expr *image = mem_array(m, from->feed.n + 1, expr);
    int  *memo = mem_array(m, from->g.nodes.n + 1, int);
    for (int k = 0; k < from->g.nodes.n; k++) memo[k] = EXPR_NONE;
    for (int k = 0; k < from->feed.n; k++) {
        image[k] = expr_var(&g->d.g, k);
        if (from->feed.at[k].from == FROM_P) vec_push(m, g->p, k);
        if (from->feed.at[k].from == FROM_Q) vec_push(m, g->q, k);
    }
    expr J = expr_import(&g->d.g, &from->g, from->yield.at[0].root, image, memo);
    /* velocities are variables of their own, one for each position */
    expr *v = mem_array(m, g->q.n + 1, expr);
    for (int k = 0; k < g->q.n; k++) v[k] = expr_var(&g->d.g, from->feed.n + k);
    g->xi = mem_array(m, g->p.n + 1, expr);
    g->dxi = mem_array(m, g->p.n + 1, expr);
    g->jq = mem_array(m, g->q.n + 1, expr);
    expr_gradient(&g->d.g, J, g->p.at, g->p.n, g->xi);
    expr_gradient(&g->d.g, J, g->q.at, g->q.n, g->jq);
    for (int k = 0; k < g->p.n; k++) g->dxi[k] = expr_along(&g->d.g, g->xi[k], g->q.at, v, g->q.n);
    g->values = mem_array(m, from->feed.n + g->q.n + 1, double);
    g->scratch = mem_array(m, g->d.g.nodes.n + 1, double);
}

/* Adds what one instance of the generator does to the point. */
static void move_instance(probe *x, generator *g, const sources *from, int k)
{
    const derived *d = &g->d;
    for (int v = 0; v < d->feed.n; v++) {
        const feed *f = &d->feed.at[v];
        g->values[v] = from->of[f->from] ? from->of[f->from][slot_index(&f->at, k)] : 0;
    }
    /* velocities of the positions follow the variables of the element */
    for (int v = 0; v < g->q.n; v++)
        g->values[d->feed.n + v] = x->v[slot_index(&d->feed.at[g->q.at[v]].at, k)];
    for (int v = 0; v < g->p.n; v++) {
        int i = slot_index(&d->feed.at[g->p.at[v]].at, k);
        x->dq[i] += expr_eval(&d->g, g->xi[v], g->values, g->scratch);
        if (!x->sys->hamiltonian || !x->sys->hamiltonian[i])
            x->dw[i] += expr_eval(&d->g, g->dxi[v], g->values, g->scratch);
    }
    for (int v = 0; v < g->q.n; v++) {
        int i = slot_index(&d->feed.at[g->q.at[v]].at, k);
        if (x->sys->hamiltonian && x->sys->hamiltonian[i])
            x->dw[i] -= expr_eval(&d->g, g->jq[v], g->values, g->scratch);
    }
}

/* The size of dq . L_q + dw . L_w over the sum of the sizes of its terms; 0: there are none. */
static double relative_change(const probe *x)
{
    double sum = 0, size = 0;
    for (int i = 0; i < x->n; i++) {
        double a = x->dq[i] * x->o.Lq[i], b = x->dw[i] * x->o.Lw[i];
        sum += a + b, size += fabs(a) + fabs(b);
    }
    return size > 0 ? fabs(sum) / size : 0;
}

/* How much Lambda changes along symmetry s at the point, relative to the terms of the sum. */
static double change_along(probe *x, const compiled *c, bound *b, generator *g, int count, int s)
{
    sources from = bound_sources(b, &x->at);
    from.of[FROM_V] = x->v, from.of[FROM_P] = x->p;
    memset(x->dq, 0, (size_t)x->n * sizeof *x->dq);
    memset(x->dw, 0, (size_t)x->n * sizeof *x->dw);
    for (int e = 0; e < count; e++)
        for (int k = 0; k < g[e].d.instances; k++)
            if (slot_index(g[e].d.yield.at[0].row, k) == c->md->outputs + s)
                move_instance(x, &g[e], &from, k);
    return relative_change(x);
}

static probe probe_new(mem *m, dal_system *sys, const sys_point *start)
{
    int     n = sys->n;
    probe   x = {.sys = sys, .n = n};
    double *room = mem_array(m, 8 * n + 1, double);
    x.q = room, x.w = room + n, x.v = room + 2 * n, x.p = room + 3 * n;
    x.dq = room + 4 * n, x.dw = room + 5 * n;
    x.o = (sys_values){.Lq = room + 6 * n, .Lw = room + 7 * n};
    x.at = (sys_point){.t = start->t, .q = x.q, .w = x.w};
    return x;
}

/* Symmetries are columns behind the outputs; the largest defect of all points counts. */
void analyse_symmetries(mem *m, const compiled *c, bound *b, const sys_point *start, analysis *a)
{
    a->symmetry_defect = mem_array(m, c->md->symmetries + 1, double);
    if (!c->md->symmetries) return;
    probe      x = probe_new(m, bound_system(b), start);
    generator *g = mem_array(m, c->outputs + 1, generator);
    int        count = 0;
    uint64_t   seed = 1;
    for (int e = 0; e < c->outputs; e++) {
        const derived *d = c->output[e].d;
        if (d->yield.n && slot_index(d->yield.at[0].row, 0) >= c->md->outputs)
            open_generator(m, d, &g[count++]);
    }
    for (int k = 0; k < POINTS && place_probe(&x, start, &seed); k++)
        for (int s = 0; s < c->md->symmetries; s++)
            a->symmetry_defect[s] =
                fmax(a->symmetry_defect[s], change_along(&x, c, b, g, count, s));
}
