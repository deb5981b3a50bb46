/* runs.c - finds the runs of a compiled model: stretches of instances in which all coordinates of a term move on by
 * the same stride. */
#include "model/row_plan.h"

enum { TERMS_MOST = 64, NODES_MOST = 5000, RUNS_FEW = 64 };

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

static bool is_coordinate(feed_kind from)
{
    return from == FROM_Q || from == FROM_W || from == FROM_V;
}

static bool can_be_read(feed_kind from)
{
    return is_coordinate(from) || from == FROM_DATA || from == FROM_PARAMETER || from == FROM_INPUT ||
           from == FROM_TIME;
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

static bool same_row(const yield *a, const yield *b)
{
    return a->row->at == b->row->at && a->row->base == b->row->base && a->row->stride == b->row->stride;
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

static bool marches(const row_term *t, int j)
{
    return j >= t->inputs || is_coordinate(t->input[j].from);
}

/* Strides between two instances: one for all that marches, one for each other input. False: they differ. */
static bool strides_between(const row_term *t, int k, int *stride, int *other)
{
    *stride = 0;
    for (int j = 0; j < t->inputs + t->outputs; j++) {
        int step = number_of(t, j, k + 1) - number_of(t, j, k);
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

typedef struct {
    vec(int) base, count, low, high;
} run_lists;

static void add_run(mem *m, row_term *t, run_lists *l, int first, int count)
{
    int low = 0, high = 0;
    for (int j = 0; j < t->inputs + t->outputs; j++) {
        int at = number_of(t, j, first);
        vec_push(m, l->base, at);
        if (j < t->inputs) continue;
        if (j == t->inputs || at < low) low = at;
        if (j == t->inputs || at > high) high = at;
    }
    vec_push(m, l->count, count);
    vec_push(m, l->low, low);
    vec_push(m, l->high, high + (count - 1) * t->stride);
    for (int j = 0; j < t->inputs; j++) { /* how far away it reads */
        if (!is_coordinate(t->input[j].from)) continue;
        int at = number_of(t, j, first);
        int away = at > low ? at - low : low - at, other = at > high ? at - high : high - at;
        if (away > t->halo) t->halo = away;
        if (other > t->halo) t->halo = other;
    }
    if (high - low > t->halo) t->halo = high - low;
}

/* The first pair of instances that marches sets the strides; whatever does not follow begins a new run. */
static void find_strides(mem *m, row_term *t)
{
    int *other = mem_array(m, t->inputs + 1, int), stride;
    t->stride = 1;
    for (int k = 0; k + 1 < t->d->instances; k++) {
        if (!strides_between(t, k, &stride, other)) continue;
        t->stride = stride;
        for (int j = 0; j < t->inputs; j++) t->input[j].stride = is_coordinate(t->input[j].from) ? stride : other[j];
        return;
    }
}

static bool follows(const row_term *t, int k, int *other)
{
    int stride;
    if (!strides_between(t, k, &stride, other) || stride != t->stride) return false;
    for (int j = 0; j < t->inputs; j++)
        if (!is_coordinate(t->input[j].from) && other[j] != t->input[j].stride) return false;
    return true;
}

static bool find_runs(mem *m, row_term *t)
{
    run_lists l = {0};
    int      *other = mem_array(m, t->inputs + 1, int), n = t->d->instances;
    find_strides(m, t);
    for (int k = 0, end; k < n; k = end) {
        for (end = k + 1; end < n && follows(t, end - 1, other);) end++;
        add_run(m, t, &l, k, end - k);
        if (l.count.n > RUNS_FEW && l.count.n > n / 4) return false;
    }
    for (int r = 1; r < l.count.n; r++)
        if (l.low.at[r] < l.low.at[r - 1] || l.high.at[r] < l.high.at[r - 1]) return false;
    t->table = (run_table){l.count.n, t->inputs + t->outputs, l.base.at, l.count.at, l.low.at, l.high.at};
    t->rare = n < ROWS_TILE / 4;
    return true;
}

/* How far from the diagonal an entry is: the same in all instances of all runs. */
static bool find_offsets(row_term *t, int reach)
{
    for (int y = 0; y < t->outputs; y++) {
        row_output *o = &t->output[y];
        if (!o->of->column) continue;
        o->offset = slot_index(o->of->column, 0) - slot_index(o->of->row, 0);
        if (o->offset > reach || o->offset < -reach) return false;
        for (int k = 1; k < t->d->instances; k++)
            if (slot_index(o->of->column, k) - slot_index(o->of->row, k) != o->offset) return false;
    }
    return true;
}

static bool make_term(mem *m, const row_plan *p, row_term *t)
{
    return choose_inputs(m, t) && find_runs(m, t) && find_offsets(t, p->reach);
}

static bool keep_term(row_plan *p, const row_term *t)
{
    if (p->terms == TERMS_MOST) return false;
    p->nodes += t->nodes;
    if (t->halo > p->halo) p->halo = t->halo;
    p->term[p->terms++] = *t;
    return p->nodes <= NODES_MOST;
}

/* A term whose outputs go to rows far apart is a term for each of them: what it gives one row need not read what is
 * near the others, and most of one loop for all would be in vain. */
static bool add_rows(mem *m, row_plan *p, const row_term *all)
{
    for (int y = 0; y < all->outputs; y++) {
        const yield *of = all->output[y].of;
        bool         met = false;
        for (int k = 0; k < y; k++) met |= same_row(of, all->output[k].of);
        row_term t = {.d = all->d};
        if (met) continue;
        if (!choose_outputs(m, &t, p->wanted, of) || !make_term(m, p, &t) || !keep_term(p, &t)) return false;
    }
    return true;
}

static bool add_term(mem *m, row_plan *p, const derived *d)
{
    row_term t = {.d = d};
    if (!choose_outputs(m, &t, p->wanted, NULL)) return true;
    if (make_term(m, p, &t) && t.halo <= ROWS_NEAR) return keep_term(p, &t);
    return add_rows(m, p, &t);
}

const row_plan *row_plan_new(mem *m, const compiled *c, unsigned wanted, int reach)
{
    row_plan *p = mem_array(m, 1, row_plan);
    *p = (row_plan){.wanted = wanted, .reach = reach, .term = mem_array(m, TERMS_MOST, row_term)};
    for (int e = 0; e < c->elements; e++)
        if (!add_term(m, p, &c->element[e])) return NULL;
    if (!p->terms || p->halo > c->sys.n / 8) return NULL;
    run_table *table = mem_array(m, p->terms, run_table);
    for (int t = 0; t < p->terms; t++) table[t] = p->term[t].table;
    p->table = table;
    return p;
}

int row_plan_halo(const row_plan *p)
{
    return p->halo;
}

row_reads row_plan_reads(const row_plan *p, bound *b, double t)
{
    return (row_reads){b->parameter, b->c->md->data.at, bound_input(b, t), t, p->table};
}
