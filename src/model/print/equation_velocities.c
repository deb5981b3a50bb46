/* equation_velocities.c - what stands in equations for the velocity of a Hamiltonian coordinate:
 *
 *     x' = dH/dp(x),    summed over all terms of H that hold p(x).       theory.md [PHASE] */
#include "model/print/equation_lines.h"

/* One root of a derived element at instance k; EXPR_NONE: it reads what the page does not. */
static expr import_root(page *p, const derived *d, expr root, int k)
{
    mem     *m = p->g.m;
    uint8_t *used = mem_array(m, d->feed.n + 1, uint8_t);
    expr    *image = mem_array(m, d->feed.n + 1, expr);
    int     *memo = mem_array(m, d->g.nodes.n + 1, int);
    expr_uses(&d->g, &root, 1, used, d->feed.n);
    for (int i = 0; i < d->feed.n; i++) {
        const load v = {i, d->feed.at[i].from, slot_index(&d->feed.at[i].at, k)};
        image[i] = used[i] ? page_variable(p, v) : EXPR_NONE;
        if (used[i] && image[i] == EXPR_NONE) return EXPR_NONE;
    }
    for (int i = 0; i < d->g.nodes.n; i++) memo[i] = EXPR_NONE;
    return expr_import(&p->g, &d->g, root, image, memo);
}

/* Lambda = -H */
expr page_velocity(page *p, int coordinate)
{
    expr sum = expr_const(&p->g, 0);
    for (int e = 0; e < p->c->elements; e++) {
        const derived *d = &p->c->element[e];
        for (int y = 0; y < d->yield.n && d->of->kind == EL_HAMILTONIAN; y++) {
            const yield *in = &d->yield.at[y];
            for (int k = 0; in->into == SINK_LW && k < d->instances; k++) {
                if (slot_index(in->row, k) != coordinate) continue;
                const expr term = import_root(p, d, in->root, k);
                if (term == EXPR_NONE) return EXPR_NONE;
                sum = expr_sub(&p->g, sum, term);
            }
        }
    }
    return sum;
}
