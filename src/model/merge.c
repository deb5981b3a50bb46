/* merge.c - elements with few instances become one graph with one program per request.
 *
 * Each instance is copied into the graph with its coordinates as variables, so that equal
 * subexpressions of different elements are computed once, and contributions to the same entry are
 * summed inside the program, whose results are then stored in place. */
#include "model/shape.h"

#include <stdlib.h>

enum {
    MERGE_COORDINATES = 64, /* a system up to this size is merged as a whole,          */
    MERGE_NODES = 100000,   /* unless that would make a program of more than this      */
    MERGE_INSTANCES = 8,    /* fewer instances than this are merged in any system      */
    LANES_INSTANCES = 64,   /* so many, with more nodes than that in all, are better   */
    LANES_NODES = 10000     /* evaluated in lanes than written one after the other     */
};

/* A term is merged where the system is small and the program stays short, or where it has too few
 * instances to fill lanes and does not run with the tiles of a large one. */
void merge_choose(compiled *c, merging how)
{
    double nodes = 0;
    for (int e = 0; e < c->elements; e++) {
        derived *d = &c->element[e];
        double   cost = (double)d->instances * d->g.nodes.n;
        bool     many = d->instances >= LANES_INSTANCES && cost > LANES_NODES;
        bool     small = c->sys.n <= MERGE_COORDINATES && nodes + cost <= MERGE_NODES && !many;
        bool     seldom = d->instances < MERGE_INSTANCES && !tiles_hold(c, d);
        d->merged = how == MERGE_ALL || (how == MERGE_AUTO && (small || seldom));
        if (d->merged) nodes += cost;
    }
}

/* Variables of the merged graph, made when first met. */
typedef struct {
    compiled *c;
    merged   *g;
    int      *number[FEEDS]; /* of (source, index); -1: none yet */
} meeting;

typedef vec(const derived *) merged_list;

/* n numbers, all -1 */
static int *unmet(mem *m, int n)
{
    int *a = mem_resize(m, NULL, (size_t)(n + 1) * sizeof *a);
    for (int k = 0; k < n; k++) a[k] = -1;
    return a;
}

/* The merged graph's variable for entry `index` of a source; numbers of instances become
 * constants, which lets them be folded. */
static expr variable(meeting *me, feed_kind from, int index)
{
    merged *g = me->g;
    if (from == FROM_DATA) return expr_const(&g->g, me->c->md->data.at[index]);
    int *number = &me->number[from][index];
    if (*number < 0) {
        *number = g->variable.n;
        vec_push(me->c->m, g->variable, (load){*number, from, index});
    }
    return expr_var(&g->g, *number);
}

/* Variables before anything else, in the order in which products are to be read. */
static void meet_all(meeting *me, const merged_list *of)
{
    for (feed_kind from = FROM_DATA; from < FEEDS; from++)
        for (int e = 0; e < of->n; e++) {
            const derived *d = of->at[e];
            for (int v = 0; v < d->feed.n; v++)
                for (int k = 0; k < d->instances && d->feed.at[v].from == from; k++)
                    variable(me, from, slot_index(&d->feed.at[v].at, k));
        }
}

/* Every instance is copied; `memo` is emptied between instances, as each has other variables. */
static void merge_element(meeting *me, const derived *d)
{
    mem    *m = me->c->m;
    merged *g = me->g;
    expr   *image = mem_resize(m, NULL, (size_t)(d->feed.n + 1) * sizeof *image);
    int    *memo = mem_resize(m, NULL, (size_t)(d->g.nodes.n + 1) * sizeof *memo);
    g->g.copying = true;
    for (int k = 0; k < d->instances; k++) {
        for (int v = 0; v < d->feed.n; v++)
            image[v] = variable(me, d->feed.at[v].from, slot_index(&d->feed.at[v].at, k));
        for (int v = 0; v < d->g.nodes.n; v++) memo[v] = EXPR_NONE;
        for (int y = 0; y < d->yield.n; y++) {
            const yield *in = &d->yield.at[y];
            expr         e = expr_import(&g->g, &d->g, in->root, image, memo);
            const int    order = g->root.n;
            vec_push(m, g->root, (merged_root){in->into, slot_index(&in->to, k), order, e});
        }
    }
    g->g.copying = false;
    mem_drop(m, memo);
    mem_drop(m, image);
}

/* By sink, entry, and the order of elements: sums are always formed in the same order. */
static int by_place(const void *a, const void *b)
{
    const merged_root *x = a, *y = b;
    if (x->into != y->into) return x->into < y->into ? -1 : 1;
    if (x->index != y->index) return x->index < y->index ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* One root per entry: the sum of all that is added there, in the order of the elements. */
static void add_up(mem *m, merged *g)
{
    int n = 0;
    vec(expr) terms = {0};
    if (g->root.n) qsort(g->root.at, (size_t)g->root.n, sizeof *g->root.at, by_place);
    for (int k = 0, end; k < g->root.n; k = end) {
        const merged_root *first = &g->root.at[k];
        terms.n = 0;
        for (end = k; end < g->root.n && g->root.at[end].into == first->into &&
                      g->root.at[end].index == first->index;
             end++)
            vec_push(m, terms, g->root.at[end].root);
        expr sum = expr_sum(&g->g, terms.at, terms.n);
        if (!expr_is_zero(&g->g, sum))
            g->root.at[n++] = (merged_root){first->into, first->index, k, sum};
    }
    g->root.n = n;
    /* first[s] is where the roots of sink s begin, also of those that have none */
    for (int s = 0, k = 0; s <= SINKS; g->first[s++] = k)
        while (k < n && (int)g->root.at[k].into < s) k++;
    vec_drop(m, terms);
}

/* Few zeros are stored like the rest, from a constant; many are cleared at one go. */
static bool is_placed(const segment *s)
{
    enum { ZEROS = 8 };
    return !s->scalar && !s->add && s->clear - s->count <= ZEROS;
}

/* Results that are stored as they are, one after the other. The register behind the others is 0. */
static void place_entries(mem *m, bundle *b)
{
    const int zero = b->k->registers;
    int       most = 0;
    b->apart = false;
    for (int s = 0; s < b->segments; s++) {
        const segment *of = &b->segment[s];
        if (is_placed(of)) most += of->clear ? of->clear : of->count;
    }
    b->place = mem_array(m, most + 1, entry_place);
    for (int s = 0; s < b->segments; s++) {
        segment     *of = &b->segment[s];
        const store *next = b->store + of->first, *end = next + of->count;
        of->placed = is_placed(of);
        b->apart |= !of->placed;
        if (!of->placed) continue;
        for (int i = 0; i < (of->clear ? of->clear : of->count); i++) {
            const bool known = next < end && (!of->clear || next->index == i);
            b->place[b->places++] =
                (entry_place){of->offset, known ? next->index : i, known ? next->reg : zero};
            next += known;
        }
    }
}

/* Nobody asks for these where there is none. */
static bool is_of_damping(sink s)
{
    return s == SINK_D || s == SINK_DQ || s == SINK_DW;
}

/* A program for the sinks of one request, with its loads and stores. */
static void bundle_init(compiled *c, merged *g, unsigned want, bundle *b)
{
    mem  *m = c->m;
    expr *root = mem_array(m, g->root.n + 1, expr);
    int   n = 0;
    *b = (bundle){.want = want,
                  .segment = mem_array(m, SINKS, segment),
                  .store = mem_array(m, g->root.n + 1, store)};
    for (int s = 0; s < SINKS; s++) {
        int first = g->first[s], count = g->first[s + 1] - first;
        int size = c->size[sink_table[s].over];
        if (!sink_is_wanted((sink)s, want) || !size) continue;
        if (!count && (c->shared[s] || want == OBSERVED)) continue;
        if (!c->sys.damped && is_of_damping((sink)s)) continue;
        /* entries that no root fills are 0, and are set only if no other program adds there */
        int clear = c->shared[s] || count == size ? 0 : size;
        b->segment[b->segments++] = (segment){.into = (sink)s,
                                              .offset = sink_table[s].offset,
                                              .scalar = sink_table[s].scalar,
                                              .add = c->shared[s],
                                              .clear = clear,
                                              .first = n,
                                              .count = count};
        for (int k = 0; k < count; k++, n++) {
            root[n] = g->root.at[first + k].root;
            b->store[n].index = g->root.at[first + k].index;
        }
    }
    b->apart = b->segments;
    if (!n) return;
    uint8_t *used = mem_array(m, g->variable.n + 1, uint8_t);
    derived_reads(m, &g->g, root, n, used);
    b->load = mem_array(m, g->variable.n + 1, load);
    for (int v = 0; v < g->variable.n; v++) { /* parameters come first */
        if (!used[v]) continue;
        b->load[b->loads++] = g->variable.at[v];
        if (g->variable.at[v].from == FROM_PARAMETER) b->still = b->loads;
    }
    b->k = kernel_new(m, &g->g, root, n, g->variable.n);
    for (int k = 0; k < n; k++) b->store[k].reg = b->k->out[k];
    place_entries(m, b);
}

/* One graph of all their instances. */
/* Duplicates disappear while instances are copied, since a graph stores every node once. */
static void merge_all(compiled *c, merged *g, const merged_list *of)
{
    meeting me = {.c = c, .g = g};
    int     n = c->sys.n, size[FEEDS] = {[FROM_TIME] = 1,
                                         [FROM_PARAMETER] = c->md->parameters,
                                         [FROM_INPUT] = c->md->inputs,
                                         [RATE_OF_INPUT] = c->md->inputs,
                                         [FROM_Q] = turning_width(c->md->turns, n),
                                         [FROM_W] = n,
                                         [FROM_V] = n,
                                         [FROM_P] = n,
                                         [FROM_LAM] = c->sys.m + c->sys.r,
                                         [FROM_ENERGY] = c->md->parts.n};
    graph_init(&g->g, c->m);
    for (int f = 0; f < FEEDS; f++) me.number[f] = unmet(c->m, size[f]);
    meet_all(&me, of);
    for (int e = 0; e < of->n; e++) merge_element(&me, of->at[e]);
    for (int f = 0; f < FEEDS; f++) mem_drop(c->m, me.number[f]);
    add_up(c->m, g);
}

/* A program for each useful combination; plan[] says which of them serve a request. */
void merge(compiled *c)
{
    merged     *g = &c->merged;
    merged_list of = {0};
    unsigned    wants[BUNDLES_MOST];
    for (int e = 0; e < c->elements; e++)
        if (c->element[e].merged) vec_push(c->m, of, &c->element[e]);
    merge_all(c, g, &of);
    g->bundles = bundle_choose(WANTS - 1, wants);
    for (int k = 0; k < g->bundles; k++) bundle_init(c, g, wants[k], &g->bundle[k]);
    bundle_plan(wants, g->bundles, g->plan);
}

/* Outputs and energies of parts, which outputs may hold, with all their instances. */
void merge_observed(compiled *c, merged *g)
{
    merged_list of = {0};
    for (int k = 0; k < c->outputs; k++) vec_push(c->m, of, c->output[k].d);
    for (int k = 0; k < c->energies && c->needs_energies; k++) vec_push(c->m, of, c->energy[k].d);
    merge_all(c, g, &of);
}

/* Outputs with few instances in one program, for all of them are recorded together. */
void merge_outputs(compiled *c, derived *const *output, int n)
{
    merged      g = {.bundles = 1};
    merged_list of = {0};
    for (int k = 0; k < n; k++) {
        output[k]->merged = output[k]->instances < MERGE_INSTANCES;
        if (output[k]->merged) vec_push(c->m, of, output[k]);
        else c->outputs_in_lanes = true;
    }
    c->shared[SINK_COLUMN] = 1;
    merge_all(c, &g, &of);
    bundle_init(c, &g, OBSERVED, &c->columns);
}
