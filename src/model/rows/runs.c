/* runs.c - finds the runs of a compiled model: sequences of instances in which all coordinates of a
 * term advance by the same stride. Where several runs contribute to the same rows, as parallel
 * springs do, each is in a layer of its own, which counts as a separate term. */
#include "model/rows/row_terms.h"

enum { TERMS_MOST = 64, NODES_MOST = 5000, RUNS_FEW = 64, INNER_MOST = 16 };

typedef struct { /* runs of which no two give the same row, one behind the other */
    vec(int) base, count, low, high;
    int  instances;
    int *offset; /* of each output: column - row, if it is an entry */
} layer;

typedef struct {
    int    count, runs;
    int    open; /* the first that takes more runs */
    layer *at;   /* TERMS_MOST */
} layers;

/* The part of a row's sum that a sink is; -1: not in passes. */
static int source_of(sink s)
{
    switch (s) {
    case SINK_LW: return ROW_LW;
    case SINK_LQ: return ROW_LQ;
    case SINK_F: return ROW_F;
    case SINK_LWW: return ROW_LWW;
    case SINK_LQQ: return ROW_LQQ;
    case SINK_FQ: return ROW_FQ;
    case SINK_FW: return ROW_FW;
    default: return -1;
    }
}

/* Passes have no multipliers and no energies. */
static bool can_be_read(feed_kind from)
{
    return is_coordinate(from) || from == FROM_DATA || from == FROM_PARAMETER ||
           from == FROM_INPUT || from == FROM_TIME;
}

/* Variables that the outputs read, and their kernel. */
static bool choose_inputs(mem *m, row_term *t)
{
    const derived *d = t->d;
    uint8_t       *used = mem_array(m, d->feed.n + 1, uint8_t);
    expr          *root = mem_array(m, t->outputs, expr);
    for (int y = 0; y < t->outputs; y++) root[y] = t->output[y].of->root;
    derived_reads(m, &d->g, root, t->outputs, used);
    t->input = mem_array(m, d->feed.n + 1, row_input);
    for (int k = 0; k < d->feed.n; k++) {
        if (!used[k]) continue;
        if (!can_be_read(d->feed.at[k].from)) return false;
        t->input[t->inputs++] = (row_input){d->feed.at[k].from, k, 0};
    }
    t->nodes = kernel_new(m, &d->g, root, t->outputs, d->feed.n)->instructions;
    return true;
}

/* Equal slots; lists are compared by their address. */
static bool same_row(const yield *a, const yield *b)
{
    return a->row->at == b->row->at && a->row->base == b->row->base &&
           a->row->stride == b->row->stride;
}

/* All that are wanted, or of these (of not NULL) those that go to its row. */
static bool choose_outputs(mem *m, row_term *t, unsigned wanted, const yield *of)
{
    const derived *d = t->d;
    t->output = mem_array(m, d->yield.n + 1, row_output);
    for (int y = 0; y < d->yield.n; y++) {
        const yield *in = &d->yield.at[y];
        int          s = source_of(in->into);
        if (s < 0 || !(wanted & 1u << s) || (of && !same_row(of, in))) continue;
        t->output[t->outputs++] = (row_output){.of = in, .source = (row_source)s};
    }
    return t->outputs > 0;
}

/* Number j of an instance: the index of an input, then the row of an output. */
static int number_of(const row_term *t, int j, int k)
{
    if (j < t->inputs) return slot_index(&t->d->feed.at[t->input[j].feed].at, k);
    return slot_index(t->output[j - t->inputs].of->row, k);
}

/* Numbers that must advance by one common stride: coordinates and rows. */
static bool marches(const row_term *t, int j)
{
    return j >= t->inputs || is_coordinate(t->input[j].from);
}

/* How far from the diagonal an entry is; 0 for what is none. */
static int offset_of(const row_term *t, int y, int k)
{
    const yield *of = t->output[y].of;
    return of->column ? slot_index(of->column, k) - slot_index(of->row, k) : 0;
}

/* Strides between an instance and the next of its run: one common to all coordinates, and one for
 * each other input. False: they differ. */
static bool strides_between(const row_term *t, int k, int *stride, int *other)
{
    *stride = 0;
    for (int j = 0; j < t->inputs + t->outputs; j++) {
        int step = number_of(t, j, k + t->apart) - number_of(t, j, k);
        if (!marches(t, j)) {
            other[j] = t->input[j].from == FROM_TIME ? 0 : step;
            continue;
        }
        if (*stride && step != *stride) return false;
        *stride = step;
        if (step <= 0) return false;
    }
    return true;
}

/* Entries must keep their distance from the diagonal along a run. */
static bool offsets_are(const row_term *t, const int *offset, int k)
{
    for (int y = 0; y < t->outputs; y++)
        if (offset_of(t, y, k) != offset[y]) return false;
    return true;
}

/* Does a run with these numbers give a row that run r of the layer gives already? */
static bool collides(const row_term *t, const layer *l, int r, const int *base, int count)
{
    const int *other = l->base.at + (ptrdiff_t)r * (t->inputs + t->outputs);
    for (int y = t->inputs; y < t->inputs + t->outputs; y++) {
        const int away = base[y] - other[y];
        if (away % t->stride == 0 && away < l->count.at[r] * t->stride && -away < count * t->stride)
            return true;
    }
    return false;
}

/* Behind the last run of the layer, and giving no row that one of them gives. */
static bool belongs(const row_term *t, const layer *l, const int *base, int count, int low,
                    int high)
{
    const int last = l->count.n - 1;
    if (last >= 0 && (low < l->low.at[last] || high < l->high.at[last])) return false;
    for (int r = last; r >= 0 && l->high.at[r] >= low; r--)
        if (collides(t, l, r, base, count)) return false;
    return true;
}

/* How far away an instance reads, and its rows are apart. */
static void widen_halo(row_term *t, const int *base, int low, int high)
{
    for (int j = 0; j < t->inputs; j++) {
        if (!is_coordinate(t->input[j].from)) continue;
        int away = base[j] > low ? base[j] - low : low - base[j];
        int other = base[j] > high ? base[j] - high : high - base[j];
        if (away > t->halo) t->halo = away;
        if (other > t->halo) t->halo = other;
    }
    if (high - low > t->halo) t->halo = high - low;
}

/* A layer begins with the offsets of its first instance. */
static void open_layer(mem *m, const row_term *t, layers *all, int first)
{
    layer *l = &all->at[all->count++];
    *l = (layer){.offset = mem_array(m, t->outputs, int)};
    for (int y = 0; y < t->outputs; y++) l->offset[y] = offset_of(t, y, first);
}

/* Into the first layer that has a place for it. */
static bool add_run(mem *m, row_term *t, layers *all, int *base, int first, int count)
{
    const int width = t->inputs + t->outputs;
    int       low = 0, high = 0, k = all->open;
    for (int j = 0; j < width; j++) {
        base[j] = number_of(t, j, first);
        if (j == t->inputs || (j > t->inputs && base[j] < low)) low = base[j];
        if (j == t->inputs || (j > t->inputs && base[j] > high)) high = base[j];
    }
    widen_halo(t, base, low, high);
    high += (count - 1) * t->stride;
    while (k < all->count && !(offsets_are(t, all->at[k].offset, first) &&
                               belongs(t, &all->at[k], base, count, low, high)))
        k++;
    if (k == TERMS_MOST) return false;
    if (k == all->count) open_layer(m, t, all, first);
    layer *l = &all->at[k];
    for (int j = 0; j < width; j++) vec_push(m, l->base, base[j]);
    vec_push(m, l->count, count), vec_push(m, l->low, low), vec_push(m, l->high, high);
    l->instances += count, all->runs++;
    return true;
}

/* The first two instances of a run set the strides; an instance that does not continue them begins
 * a new run. */
static void find_strides(mem *m, row_term *t)
{
    int *other = mem_array(m, t->inputs + 1, int), stride;
    t->stride = 1;
    for (int k = 0; k + t->apart < t->d->instances; k++) {
        if (!strides_between(t, k, &stride, other)) continue;
        t->stride = stride;
        for (int j = 0; j < t->inputs; j++)
            t->input[j].stride = is_coordinate(t->input[j].from) ? stride : other[j];
        return;
    }
}

/* Does the next instance continue the run of instance k? */
static bool follows(const row_term *t, int k, int *other)
{
    int stride;
    if (!strides_between(t, k, &stride, other) || stride != t->stride) return false;
    for (int j = 0; j < t->inputs; j++)
        if (!is_coordinate(t->input[j].from) && other[j] != t->input[j].stride) return false;
    for (int y = 0; y < t->outputs; y++)
        if (offset_of(t, y, k + t->apart) != offset_of(t, y, k)) return false;
    return true;
}

/* The instances of a run that begins with instance k. */
static int run_length(const row_term *t, int k, int *other)
{
    int count = 1;
    while (k + t->apart < t->d->instances && follows(t, k, other)) k += t->apart, count++;
    return count;
}

/* Too many short runs are no gain: false, as where layers run out. */
static bool split_into_runs(mem *m, row_term *t, layers *all, int *base, int *other)
{
    const int n = t->d->instances;
    find_strides(m, t);
    for (int first = 0; first < t->apart; first++, all->open = all->count)
        for (int k = first, count; k < n; k += count * t->apart) {
            count = run_length(t, k, other);
            if (!add_run(m, t, all, base, k, count)) return false;
            if (all->runs > RUNS_FEW && all->runs > n / 4) return false;
        }
    return true;
}

/* Instances of an inner array are runs as short as that array; those that stand at the same place
 * in it are one long run, and a term of their own. */
static bool find_runs(mem *m, row_term *t, layers *all)
{
    int *other = mem_array(m, t->inputs + 1, int);
    int *base = mem_array(m, t->inputs + t->outputs + 1, int);
    for (t->apart = 1; t->apart > 0;) {
        *all = (layers){.at = mem_array(m, TERMS_MOST, layer)};
        if (split_into_runs(m, t, all, base, other)) return true;
        t->apart = t->apart == 1 ? run_length(t, 0, other) : 0;
        if (t->apart == 1 || t->apart > INNER_MOST) return false;
    }
    return false;
}

/* False: it reads what passes do not have, or it is no set of runs. */
static bool make_term(mem *m, row_term *t, layers *all)
{
    return choose_inputs(m, t) && find_runs(m, t, all);
}

/* False: an entry is too far from the diagonal. */
static bool place_outputs(mem *m, const row_plan *p, row_term *t, const layer *l)
{
    const row_output *of = t->output;
    t->output = mem_array(m, t->outputs, row_output);
    for (int y = 0; y < t->outputs; y++) {
        t->output[y] = of[y], t->output[y].offset = l->offset[y];
        if (l->offset[y] > p->reach || l->offset[y] < -p->reach) return false;
    }
    return true;
}

/* Each layer counts as a term of its own; false: there are too many terms or operations. */
static bool keep_layers(mem *m, row_plan *p, const row_term *t, const layers *all)
{
    for (int k = 0; k < all->count; k++) {
        const layer *l = &all->at[k];
        if (p->terms == TERMS_MOST) return false;
        row_term *kept = &p->term[p->terms++];
        *kept = *t;
        kept->table = (run_table){
            l->count.n, t->inputs + t->outputs, l->base.at, l->count.at, l->low.at, l->high.at};
        kept->rare = l->instances < ROWS_TILE / 4;
        if (!place_outputs(m, p, kept, l)) return false;
        p->nodes += t->nodes;
    }
    if (t->halo > p->halo) p->halo = t->halo;
    return p->nodes <= NODES_MOST;
}

/* A term whose outputs go to rows far apart is split into a term for each: its contribution to one
 * row need not read what is near the others, and most of a common loop would be wasted. */
static bool add_rows(mem *m, row_plan *p, const row_term *all)
{
    for (int y = 0; y < all->outputs; y++) {
        const yield *of = all->output[y].of;
        bool         met = false;
        for (int k = 0; k < y; k++) met |= same_row(of, all->output[k].of);
        row_term t = {.d = all->d};
        layers   l;
        if (met) continue;
        if (!choose_outputs(m, &t, p->wanted, of) || !make_term(m, &t, &l) ||
            !keep_layers(m, p, &t, &l))
            return false;
    }
    return true;
}

/* A term that gives nothing of what is wanted is passed over. */
static bool add_term(mem *m, row_plan *p, const derived *d)
{
    row_term t = {.d = d};
    layers   l;
    if (!choose_outputs(m, &t, p->wanted, NULL)) return true;
    if (make_term(m, &t, &l) && t.halo <= ROWS_NEAR) return keep_layers(m, p, &t, &l);
    return add_rows(m, p, &t);
}

/* NULL too if some row reads farther away than an eighth of the system. */
const row_plan *row_plan_new(mem *m, const dal_system *sys, unsigned wanted, int reach)
{
    bound *b = bound_of(sys);
    if (!b) return NULL;
    const compiled *c = b->c;
    row_plan       *p = mem_array(m, 1, row_plan);
    *p = (row_plan){
        .of = b, .wanted = wanted, .reach = reach, .term = mem_array(m, TERMS_MOST, row_term)};
    for (int e = 0; e < c->elements; e++)
        if (!add_term(m, p, &c->element[e])) return NULL;
    if (!p->terms || p->halo > c->sys.n / 8) return NULL;
    run_table *table = mem_array(m, p->terms, run_table);
    for (int t = 0; t < p->terms; t++) table[t] = p->term[t].table;
    p->table = table;
    row_plan_find_regions(m, p);
    return p;
}

int row_plan_halo(const row_plan *p)
{
    return p->halo;
}

bool row_plan_gives(const row_plan *p, row_source s)
{
    for (int t = 0; t < p->terms; t++)
        for (int y = 0; y < p->term[t].outputs; y++)
            if (p->term[t].output[y].source == s) return true;
    return false;
}

row_reads row_plan_reads(const row_plan *p, double t)
{
    bound *b = p->of;
    return (row_reads){b->parameter, b->c->md->data.at, bound_input(b, t), t,
                       p->table,     p->region.at,      p->region.n};
}
