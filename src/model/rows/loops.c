/* loops.c - which loops a pass has, and which arrays a row is the sum of. */
#include "model/rows/loops.h"

#include <stdio.h>

/* Vectors are plane 0; entries at distance o from the diagonal are plane 1 + reach + o. */
static int plane_of(const row_plan *p, const row_output *o)
{
    return o->source < ROW_LWW ? 0 : 1 + p->reach + o->offset;
}

static bool is_negative_of(const graph *g, expr a, expr b);

/* Of the arguments of two sums or products, how many are the same, and how many differ by their
 * sign. */
static void compare_arguments(const graph *g, const expr_node *x, const expr_node *y, int *same,
                              int *opposite)
{
    *same = *opposite = 0;
    for (int k = 0; k < x->n && k < y->n; k++) {
        const expr a = g->args.at[x->first + k], b = g->args.at[y->first + k];
        if (a == b) ++*same;
        else *opposite += is_negative_of(g, a, b);
    }
}

/* The same number with another sign, also after rounding? */
static bool is_negative_of(const graph *g, expr a, expr b)
{
    const expr_node *x = &g->nodes.at[a], *y = &g->nodes.at[b];
    int              same, opposite;
    if (x->op == OP_NEG && g->args.at[x->first] == b) return true;
    if (y->op == OP_NEG && g->args.at[y->first] == a) return true;
    if (x->op != y->op || x->n != y->n) return false;
    if (x->op == OP_CONST) return x->value == -y->value;
    if (x->op != OP_ADD && x->op != OP_MUL && x->op != OP_DIV) return false;
    compare_arguments(g, x, y, &same, &opposite);
    return x->op == OP_ADD ? opposite == x->n : opposite == 1 && same == x->n - 1;
}

/* Row of output y less that of output x, if it is the same in all runs. */
static bool same_shift(const row_term *t, int x, int y, int *shift)
{
    const run_table *r = &t->table;
    *shift = r->base[t->inputs + y] - r->base[t->inputs + x];
    for (int k = 1; k < r->runs; k++) {
        const int *base = r->base + (ptrdiff_t)k * r->width + t->inputs;
        if (base[y] - base[x] != *shift) return false;
    }
    return *shift >= -ROWS_NEAR && *shift <= ROWS_NEAR;
}

/* Forces come in pairs: the force on one end of a spring is the negative of that on the other. One
 * array holds both. */
static void find_twin(const row_loop *l, int y)
{
    const row_output *o = &l->t->output[l->output[y]];
    l->twin[y] = y;
    for (int x = 0; x < y && !l->t->rare; x++) {
        const row_output *other = &l->t->output[l->output[x]];
        bool              negative = is_negative_of(&l->t->d->g, o->of->root, other->of->root);
        if (l->twin[x] != x || other->source != o->source) continue;
        if (!negative && o->of->root != other->of->root) continue;
        int shift;
        if (!same_shift(l->t, l->output[x], l->output[y], &shift)) continue;
        l->twin[y] = x, l->negative[y] = negative, l->shared[x] = true, l->shift[y] = shift;
        return;
    }
}

/* Terms that give nothing of what is wanted have no loop. */
static void add_loop(mem *m, row_loops *w, int term, unsigned wanted)
{
    const row_term *t = &w->p->term[term];
    const size_t    room = (size_t)t->outputs + 1;
    row_loop        l = {t,
                         term,
                         0,
                         mem_array(m, room, int),
                         mem_array(m, room, int),
                         mem_array(m, room, bool),
                         mem_array(m, room, bool),
                         mem_array(m, room, int)};
    for (int y = 0; y < t->outputs; y++)
        if (wanted & 1u << t->output[y].source) l.output[l.outputs++] = y;
    for (int y = 0; y < l.outputs; y++) find_twin(&l, y);
    if (l.outputs) w->loop[w->loops++] = l;
}

bool row_input_is_coordinate(feed_kind from)
{
    return from == FROM_Q || from == FROM_W || from == FROM_V;
}

const char *row_input_array(feed_kind from)
{
    switch (from) {
    case FROM_Q: return "q";
    case FROM_W:
    case FROM_V: return "w";
    case FROM_DATA: return "s->data";
    case FROM_INPUT: return "s->input";
    default: return "s->parameter";
    }
}

int row_loops_plane(const row_loops *w, const row_loop *l, int y)
{
    return plane_of(w->p, &l->t->output[l->output[y]]);
}

/* false: every array of the plane is shared by a twin, or there is none. */
bool row_loops_own(const row_loops *w, int plane, int *loop, int *y)
{
    for (*loop = 0; *loop < w->loops; ++*loop) {
        const row_loop *l = &w->loop[*loop];
        for (*y = 0; *y < l->outputs && !l->t->rare; ++*y)
            if (row_loops_plane(w, l, *y) == plane && l->twin[*y] == *y && !l->shared[*y])
                return true;
    }
    return false;
}

/* If no loop fills the plane, or rare terms find no array that they may be added to. */
bool row_loops_need_zeros(const row_loops *w, int plane)
{
    int  loop, y;
    bool any = false, rare = false;
    for (int l = 0; l < w->loops; l++)
        for (int k = 0; k < w->loop[l].outputs; k++) {
            if (row_loops_plane(w, &w->loop[l], k) != plane) continue;
            any |= !w->loop[l].t->rare, rare |= w->loop[l].t->rare;
        }
    return !any || (rare && !row_loops_own(w, plane, &loop, &y));
}

/* All outputs in one program, which shares what they have in common. used: as many as feeds. */
const kernel *row_loop_kernel(mem *m, const row_loop *l, uint8_t *used)
{
    const derived *d = l->t->d;
    expr          *root = mem_array(m, l->outputs + 1, expr);
    for (int y = 0; y < l->outputs; y++) root[y] = l->t->output[l->output[y]].of->root;
    graph seen = graph_seen_from(&d->g, m);
    derived_reads(m, &seen, root, l->outputs, used);
    return kernel_new_any_zero(m, &seen, root, l->outputs, d->feed.n);
}

void row_loop_product(const row_loop *l, int y, const emission *e, text *out)
{
    char factor[16];
    snprintf(factor, sizeof factor, "c%d", l->t->output[l->output[y]].source);
    emit_c_scaled_root(e, y, factor, out);
}

/* Matrix entries are wanted if any source from ROW_LWW on is. */
row_loops row_loops_new(mem *m, const row_plan *p, unsigned wanted)
{
    row_loops w = {.p = p, .planes = wanted >> ROW_LWW ? 2 + 2 * p->reach : 1};
    w.loop = mem_array(m, p->terms + 1, row_loop);
    for (int t = 0; t < p->terms; t++) add_loop(m, &w, t, wanted);
    return w;
}
