/* emit_rows.c - C text for a stretch of rows: one plain loop over the instances of each term, into an array for each
 * output, and one over the rows that adds the arrays up. Both kinds of loop are what compilers turn into vector
 * code, and a row is the same sum wherever a stretch begins. */
#include "kernel/emit_c.h"
#include "model/row_plan.h"

typedef struct { /* one loop: a term and those of its outputs that are wanted */
    const row_term *t;
    int             term, outputs;
    int            *output;
    int            *twin;   /* of each, an earlier one that it is, or is the negative of; itself: none */
    bool           *negative;
    bool           *shared; /* it is the twin of another                                           */
    int            *shift;  /* its row less that of its twin                                       */
} row_loop;

typedef struct {
    const row_plan *p;
    mem            *m;
    text           *out;
    int             planes, loops;
    row_loop       *loop;
} writer;

static int plane_of(const row_plan *p, const row_output *o)
{
    return o->source < ROW_LWW ? 0 : 1 + p->reach + o->offset;
}

/* The same number with another sign? */
static bool is_negative_of(const graph *g, expr a, expr b)
{
    const expr_node *x = &g->nodes.at[a], *y = &g->nodes.at[b];
    return (x->op == OP_NEG && g->args.at[x->first] == b) || (y->op == OP_NEG && g->args.at[y->first] == a);
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

/* Forces come in pairs: what an end of a spring feels is the negative of what the other does. One array holds both. */
static void find_twin(const row_loop *l, int y)
{
    const row_output *o = &l->t->output[l->output[y]];
    l->twin[y] = y;
    for (int x = 0; x < y && !l->t->rare; x++) {
        const row_output *other = &l->t->output[l->output[x]];
        bool              negative = is_negative_of(&l->t->d->g, o->of->root, other->of->root);
        if (l->twin[x] != x || other->source != o->source) continue;
        if (!negative && o->of->root != other->of->root) continue;
        if (!same_shift(l->t, l->output[x], l->output[y], &l->shift[y])) continue;
        l->twin[y] = x, l->negative[y] = negative, l->shared[x] = true;
        return;
    }
}

static void add_loop(writer *w, int term, unsigned wanted)
{
    const row_term *t = &w->p->term[term];
    const size_t    room = (size_t)t->outputs + 1;
    row_loop        l = {t, term, 0, mem_array(w->m, room, int), mem_array(w->m, room, int),
                         mem_array(w->m, room, bool), mem_array(w->m, room, bool), mem_array(w->m, room, int)};
    for (int y = 0; y < t->outputs; y++)
        if (wanted & 1u << t->output[y].source) l.output[l.outputs++] = y;
    for (int y = 0; y < l.outputs; y++) find_twin(&l, y);
    if (l.outputs) w->loop[w->loops++] = l;
}

static const char *array_of(feed_kind from)
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

/* Variables that stay, before the loop; pointers to those that move. */
static void write_inputs(const writer *w, const row_loop *l, const uint8_t *used)
{
    for (int j = 0; j < l->t->inputs; j++) {
        const row_input *in = &l->t->input[j];
        bool             here = in->from == FROM_Q || in->from == FROM_W || in->from == FROM_V;
        const char      *array = array_of(in->from), *less = here ? " - first" : "";
        if (!used[in->feed]) continue;
        if (in->from == FROM_TIME) text_printf(w->out, "            const double x%d = s->t;\n", in->feed);
        else if (in->stride)
            text_printf(w->out, "            const double *restrict X%d = %s + (at[%d]%s);\n", in->feed, array, j, less);
        else text_printf(w->out, "            const double x%d = %s[at[%d]%s];\n", in->feed, array, j, less);
    }
}

static void write_loads(const writer *w, const row_loop *l, const uint8_t *used)
{
    for (int j = 0; j < l->t->inputs; j++) {
        const row_input *in = &l->t->input[j];
        if (used[in->feed] && in->from != FROM_TIME && in->stride)
            text_printf(w->out, "                const double x%d = X%d[k * %d];\n", in->feed, in->feed, in->stride);
    }
}

static const emission *open_loop(const writer *w, const row_loop *l, uint8_t *used)
{
    static const emit_style style = {.before = "x", .after = "", .local = "t", .indent = "                "};
    const derived          *d = l->t->d;
    expr                   *root = mem_array(w->m, l->outputs + 1, expr);
    for (int y = 0; y < l->outputs; y++) root[y] = l->t->output[l->output[y]].of->root;
    graph seen = graph_seen_from(&d->g, w->m);
    derived_reads(w->m, &seen, root, l->outputs, used);
    return emit_c_open(w->m, kernel_new(w->m, &seen, root, l->outputs, d->feed.n), &style);
}

/* Instances of the runs that touch rows a .. b-1: k from k0 to k1. */
static void write_range(const writer *w, const row_loop *l)
{
    int S = l->t->stride;
    text_printf(w->out,
                "        const struct run_table *R = &s->table[%d];\n"
                "        int r = first_run(R, a);\n"
                "        for (; r < R->runs && R->low[r] < b; r++) {\n"
                "            const int *at = R->base + (long)r * R->width;\n"
                "            int lo = at[%d], hi = lo;\n",
                l->term, l->t->inputs + l->output[0]);
    for (int y = 1; y < l->outputs; y++) {
        int at = l->t->inputs + l->output[y];
        text_printf(w->out, "            lo = at[%d] < lo ? at[%d] : lo, hi = at[%d] > hi ? at[%d] : hi;\n", at, at,
                    at, at);
    }
    text_printf(w->out,
                "            const int k0 = a > hi ? (a - hi + %d) / %d : 0;\n"
                "            const int e = b > lo ? (b - 1 - lo) / %d + 1 : 0;\n"
                "            const int k1 = e < R->count[r] ? e : R->count[r];\n",
                S - 1, S, S);
}

/* Arrays that a run does not fill as a whole begin with zeros. */
static void write_zeros(const writer *w, int number)
{
    const row_loop *l = &w->loop[number];
    text_printf(w->out, "        const struct run_table *R0 = &s->table[%d];\n        int full = R0->runs == 1 && %d == 1;\n",
                l->term, l->t->stride);
    for (int y = 0; y < l->outputs; y++) {
        int at = l->t->inputs + l->output[y];
        text_printf(w->out, "        full &= R0->base[%d] <= a && R0->base[%d] + R0->count[0] >= b;\n", at, at);
    }
    text_add(w->out, "        if (!full) {\n");
    for (int y = 0; y < l->outputs; y++)
        if (l->twin[y] == y)
            text_printf(w->out, "            for (int i = 0; i < %d; i++) V%d_%d[i] = 0;\n", ROWS_TILE + 2 * ROWS_NEAR,
                        number, y);
    text_add(w->out, "        }\n");
}

static int plane_in(const writer *w, const row_loop *l, int y)
{
    return plane_of(w->p, &l->t->output[l->output[y]]);
}

/* The array that outputs without one of their own are added to: the first of their plane that no other shares. */
static bool own_array(const writer *w, int plane, int *loop, int *y)
{
    for (*loop = 0; *loop < w->loops; ++*loop) {
        const row_loop *l = &w->loop[*loop];
        for (*y = 0; *y < l->outputs && !l->t->rare; ++*y)
            if (plane_in(w, l, *y) == plane && l->twin[*y] == *y && !l->shared[*y]) return true;
    }
    return false;
}

/* Does a plane need an array of zeros to begin with? */
static bool needs_zeros(const writer *w, int plane)
{
    int  loop, y;
    bool any = false, rare = false;
    for (int l = 0; l < w->loops; l++)
        for (int k = 0; k < w->loop[l].outputs; k++) {
            if (plane_in(w, &w->loop[l], k) != plane) continue;
            any |= !w->loop[l].t->rare, rare |= w->loop[l].t->rare;
        }
    return !any || (rare && !own_array(w, plane, &loop, &y));
}

static void write_own_array(const writer *w, int plane)
{
    int loop, y;
    if (own_array(w, plane, &loop, &y)) text_printf(w->out, "V%d_%d", loop, y);
    else text_printf(w->out, "Z%d", plane);
}

static void write_rare(const writer *w, const row_loop *l, const emission *e, int y)
{
    const row_output *o = &l->t->output[l->output[y]];
    text_printf(w->out, "                const int i%d = at[%d] + k * %d - a;\n                if (i%d >= 0 && i%d < b - a) ",
                y, l->t->inputs + l->output[y], l->t->stride, y, y);
    write_own_array(w, plane_of(w->p, o));
    text_printf(w->out, "[i%d + %d] += c%d * (", y, ROWS_NEAR, o->source);
    emit_c_root(e, y, w->out);
    text_add(w->out, ");\n");
}

static void write_loop(const writer *w, int number)
{
    const row_loop *l = &w->loop[number];
    uint8_t        *used = mem_array(w->m, l->t->d->feed.n + 1, uint8_t);
    const emission *e = open_loop(w, l, used);
    text_add(w->out, "    {\n");
    if (!l->t->rare) write_zeros(w, number);
    write_range(w, l);
    write_inputs(w, l, used);
    for (int y = 0; y < l->outputs && !l->t->rare; y++)
        if (l->twin[y] == y)
            text_printf(w->out, "            double *restrict v%d = V%d_%d + (at[%d] - a + %d);\n", y, number, y,
                    l->t->inputs + l->output[y], ROWS_NEAR);
    text_add(w->out, "            for (int k = k0; k < k1; k++) {\n");
    write_loads(w, l, used);
    emit_c_statements(e, w->out);
    for (int y = 0; y < l->outputs; y++) {
        if (l->t->rare) {
            write_rare(w, l, e, y);
            continue;
        }
        if (l->twin[y] != y) continue;
        text_printf(w->out, "                v%d[k * %d] = c%d * (", y, l->t->stride,
                    l->t->output[l->output[y]].source);
        emit_c_root(e, y, w->out);
        text_add(w->out, ");\n");
    }
    text_add(w->out, "            }\n        }\n    }\n");
}

static writer writer_new(mem *m, const row_plan *p, unsigned wanted, text *out)
{
    writer w = {.p = p, .m = m, .out = out, .planes = wanted >> ROW_LWW ? 2 + 2 * p->reach : 1};
    w.loop = mem_array(m, p->terms + 1, row_loop);
    for (int t = 0; t < p->terms; t++) add_loop(&w, t, wanted);
    return w;
}

void row_plan_declare(const row_plan *p, text *out)
{
    (void)p;
    text_add(out, "struct run_table { int runs, width; const int *base, *count, *low, *high; };\n"
                  "struct rows { const double *parameter, *data, *input; double t; const struct run_table *table; };\n"
                  "static int first_run(const struct run_table *R, int a)\n"
                  "{\n"
                  "    int low = 0, high = R->runs;\n"
                  "    while (low < high) {\n"
                  "        const int middle = low + (high - low) / 2;\n"
                  "        if (R->high[middle] < a) low = middle + 1;\n"
                  "        else high = middle;\n"
                  "    }\n"
                  "    return low;\n"
                  "}\n");
}

/* The sum is in the order of the terms. */
void row_plan_sum(const row_plan *p, unsigned wanted, int plane, text *out)
{
    mem        *m = mem_child(out->m);
    writer      w = writer_new(m, p, wanted, out);
    const char *between = "";
    if (needs_zeros(&w, plane)) text_printf(out, "Z%d[i + %d]", plane, ROWS_NEAR), between = " + ";
    for (int k = 0; k < w.loops; k++)
        for (int y = 0; y < w.loop[k].outputs && !w.loop[k].t->rare; y++) {
            const row_loop *l = &w.loop[k];
            if (plane_in(&w, l, y) != plane) continue;
            const char *sign = l->negative[y] ? (*between ? " - " : "-") : between;
            text_printf(out, "%sV%d_%d[i + %d]", sign, k, l->twin[y], ROWS_NEAR - l->shift[y]);
            between = " + ";
        }
    mem_free(m);
}

void row_plan_loops(const row_plan *p, unsigned wanted, text *out)
{
    mem   *m = mem_child(out->m);
    writer w = writer_new(m, p, wanted, out);
    for (int k = 0; k < ROW_SOURCES; k++)
        text_printf(out, "    const double c%d = c[%d]; (void)c%d;\n", k, k, k);
    for (int l = 0; l < w.loops; l++)
        for (int y = 0; y < w.loop[l].outputs && !w.loop[l].t->rare; y++)
            if (w.loop[l].twin[y] == y)
                text_printf(out, "    double V%d_%d[%d];\n", l, y, ROWS_TILE + 2 * ROWS_NEAR);
    for (int plane = 0; plane < w.planes; plane++)
        if (needs_zeros(&w, plane))
            text_printf(out, "    double Z%d[%d];\n    for (int i = 0; i < b - a; i++) Z%d[i + %d] = 0;\n", plane,
                        ROWS_TILE + 2 * ROWS_NEAR, plane, ROWS_NEAR);
    for (int rare = 0; rare < 2; rare++)
        for (int l = 0; l < w.loops; l++)
            if (w.loop[l].t->rare == rare) write_loop(&w, l);
    mem_free(m);
}
