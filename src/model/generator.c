/* generator.c - J of every element that makes a symmetry is copied into a graph of its own, where
 * its derivatives in p, q and t are derived. */
#include "model/generator.h"

#include "model/bound.h"

#include <string.h>

typedef vec(int) numbers;

typedef struct {
    derived d;
    numbers p, q, t; /* variables that are momenta, positions, the time */
    expr    J, *xi, *Jq, *Jt;
    double *values, *scratch;
} generator;

typedef struct {
    int element, instance;
} summand;

struct generators {
    const compiled *c;
    generator      *of;
    int             count;
    summand        *of_symmetry; /* those of symmetry s: from start[s] to start[s + 1] */
    int            *start;
    double         *none; /* n momenta that are 0 */
};

static expr *slopes(generator *g, mem *m, const numbers *by)
{
    expr *out = mem_array(m, by->n + 1, expr);
    expr_gradient(&g->d.g, g->J, by->at, by->n, out);
    return out;
}

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
        if (from->feed.at[k].from == FROM_TIME) vec_push(m, g->t, k);
    }
    g->J = expr_import(&g->d.g, &from->g, from->yield.at[0].root, image, memo);
    g->xi = slopes(g, m, &g->p), g->Jq = slopes(g, m, &g->q), g->Jt = slopes(g, m, &g->t);
    g->values = mem_array(m, from->feed.n + 1, double);
    g->scratch = mem_array(m, g->d.g.nodes.n + 1, double);
}

/* Symmetries are columns behind the outputs. */
static int symmetry_of(const generators *all, int e, int k)
{
    return slot_index(all->of[e].d.yield.at[0].row, k) - all->c->md->outputs;
}

/* Which instances of which elements each symmetry is the sum of: counted, then put in place. */
static void list_summands(generators *all, mem *m)
{
    const int symmetries = all->c->md->symmetries;
    int       total = 0;
    all->start = mem_array(m, symmetries + 2, int);
    for (int e = 0; e < all->count; e++)
        for (int k = 0; k < all->of[e].d.instances; k++, total++)
            all->start[symmetry_of(all, e, k) + 2]++;
    for (int s = 0; s < symmetries; s++) all->start[s + 2] += all->start[s + 1];
    all->of_symmetry = mem_array(m, total + 1, summand);
    for (int e = 0; e < all->count; e++)
        for (int k = 0; k < all->of[e].d.instances; k++)
            all->of_symmetry[all->start[symmetry_of(all, e, k) + 1]++] = (summand){e, k};
}

generators *generators_new(mem *m, const compiled *c)
{
    generators *all = mem_array(m, 1, generators);
    *all = (generators){.c = c};
    all->of = mem_array(m, c->outputs + 1, generator);
    all->none = mem_array(m, c->md->coordinates + 1, double);
    for (int e = 0; e < c->outputs; e++) {
        const derived *d = c->output[e].d;
        if (d->yield.n && slot_index(d->yield.at[0].row, 0) >= c->md->outputs)
            open_generator(m, d, &all->of[all->count++]);
    }
    list_summands(all, m);
    return all;
}

static double value(generator *g, expr of)
{
    return expr_eval(&g->d.g, of, g->values, g->scratch);
}

/* Of an entry R_ij of a matrix, along the axes of the body:  dR = R [eta]
 *     dR_ij = sum_m R_im (eta x)_mj:   dR_i,j = R_i,j+1 eta_j+2 - R_i,j+2 eta_j+1 */
static void add_turning(const turning *t, const double *matrices, int entry, double slope,
                        double *Jq)
{
    const int     k = entry / TURNING_MATRIX, i = entry % TURNING_MATRIX / 3, j = entry % 3;
    const double *row = matrices + TURNING_MATRIX * k + 3 * i;
    double       *eta = Jq + t->first[k];
    eta[(j + 2) % 3] += slope * row[(j + 1) % 3];
    eta[(j + 1) % 3] -= slope * row[(j + 2) % 3];
}

/* Adds what instance k of an element does. */
static void add_instance(generator *g, const model *md, const sources *from, int k,
                         generator_values *out)
{
    const int   n = md->coordinates;
    const feed *of_slot = g->d.feed.at;
    for (int v = 0; v < g->d.feed.n; v++) {
        const double *of = from->of[of_slot[v].from];
        g->values[v] = of ? of[slot_index(&of_slot[v].at, k)] : 0;
    }
    out->J += value(g, g->J);
    for (int v = 0; v < g->p.n; v++)
        out->xi[slot_index(&of_slot[g->p.at[v]].at, k)] += value(g, g->xi[v]);
    if (!out->Jq) return;
    for (int v = 0; v < g->q.n; v++) {
        const int at = slot_index(&of_slot[g->q.at[v]].at, k);
        if (at < n) out->Jq[at] += value(g, g->Jq[v]);
        else add_turning(md->turns, from->of[FROM_Q] + n, at - n, value(g, g->Jq[v]), out->Jq);
    }
    for (int v = 0; v < g->t.n; v++) out->Jt += value(g, g->Jt[v]);
}

void generator_eval(generators *g, bound *b, int s, const sys_point *at, const double *p,
                    generator_values *out)
{
    const compiled *c = g->c;
    const size_t    size = (size_t)c->md->coordinates * sizeof(double);
    sources         from = bound_sources(b, at);
    from.of[FROM_P] = p ? p : g->none;
    memset(out->xi, 0, size);
    if (out->Jq) memset(out->Jq, 0, size);
    out->J = out->Jt = 0;
    for (int k = g->start[s]; k < g->start[s + 1]; k++)
        add_instance(&g->of[g->of_symmetry[k].element], c->md, &from, g->of_symmetry[k].instance,
                     out);
}
