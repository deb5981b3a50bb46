/* at_rest.c - the rows of a system where all velocities are 0: products and sums with them vanish,
 * and outputs that are nothing are left out. */
#include "model/rows/row_terms.h"

static bool is_velocity(feed_kind from)
{
    return from == FROM_W || from == FROM_V;
}

/* The outputs of a term once more, with v = 0. */
static void write_at_rest(mem *m, row_term *t)
{
    const derived *of = t->d;
    derived       *d = mem_array(m, 1, derived);
    yield         *out = mem_array(m, t->outputs, yield);
    row_output    *to = mem_array(m, t->outputs, row_output);
    expr          *image = mem_array(m, of->feed.n + 1, expr);
    int           *memo = mem_array(m, of->g.nodes.n + 1, int);
    *d = *of;
    graph_init(&d->g, m);
    for (int k = 0; k < of->feed.n; k++)
        image[k] = is_velocity(of->feed.at[k].from) ? expr_const(&d->g, 0) : expr_var(&d->g, k);
    for (int k = 0; k < of->g.nodes.n; k++) memo[k] = EXPR_NONE;
    for (int y = 0; y < t->outputs; y++) {
        to[y] = t->output[y], out[y] = *to[y].of, to[y].of = &out[y];
        out[y].root = expr_import(&d->g, &of->g, out[y].root, image, memo);
        if (expr_is_zero(&d->g, out[y].root)) to[y].source = ROW_SOURCES; /* of none */
    }
    t->d = d, t->output = to;
}

const row_plan *row_plan_at_rest(mem *m, const row_plan *of)
{
    row_plan *p = mem_array(m, 1, row_plan);
    *p = *of;
    p->term = mem_array(m, of->terms, row_term);
    for (int t = 0; t < of->terms; t++) {
        p->term[t] = of->term[t];
        write_at_rest(m, &p->term[t]);
    }
    return p;
}
