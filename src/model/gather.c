/* gather.c - the patterns of the system's matrices, and where in them each instance adds.
 *
 * Places are affine runs (base, stride) wherever they can be, so that a chain needs no index
 * arrays. The numbers that meet in one entry are added in the order (element, block of instances,
 * yield, instance), which is fixed: the same bits every time. */
#include "model/shape.h"

/* A list that ascends evenly is affine and needs no array; otherwise the slot keeps the list. */
slot slot_from_list(mem *m, int *list, int n)
{
    int stride = n > 1 ? list[1] - list[0] : 0, base = n ? list[0] : 0;
    for (int k = 0; k < n; k++)
        if (list[k] != base + k * stride) return (slot){.at = list};
    mem_drop(m, list);
    return (slot){.base = base, .stride = stride};
}

typedef vec(int) ints;
typedef struct { /* (row, column) pairs of one matrix */
    ints row, column;
    ints first; /* of each yield that made pairs, its first one */
} pairs;

static void add_pair(mem *m, pairs *p, int i, int j)
{
    vec_push(m, p->row, i);
    vec_push(m, p->column, j);
}

/* One pair for each instance: the entry (i, j) that it adds to. */
static void add_pairs(mem *m, pairs *p, int instances, const slot *i, const slot *j)
{
    for (int k = 0; k < instances; k++) add_pair(m, p, slot_index(i, k), slot_index(j, k));
}

/* Equal arrays or equal affine runs; two lists with equal numbers count as different. */
static bool same_slot(const slot *a, const slot *b)
{
    return a->at == b->at && a->base == b->base && a->stride == b->stride;
}

static bool same_place(const yield *a, const yield *b)
{
    return same_slot(a->row, b->row) && same_slot(a->column, b->column);
}

/* The earlier yield with the same entries, or -1. Only elements with many instances are searched,
 * and those have few yields. */
static int twin(const derived *d, int y, space over)
{
    if (d->instances == 1) return -1;
    for (int k = 0; k < y; k++) {
        const yield *a = &d->yield.at[k];
        if (sink_table[a->into].over == over && same_place(a, &d->yield.at[y])) return k;
    }
    return -1;
}

/* Charts mix the three rows of a rotation, so that entries of one are entries of all. */
static void complete_turning(mem *m, pairs *p, const turning *t, space over)
{
    const int count = p->row.n;
    for (int e = 0; e < count; e++) {
        const int i = p->row.at[e], j = p->column.at[e];
        const int a = over == ENTRIES_K ? t->of_row[i] : -1, b = t->of_row[j];
        for (int k = 0; k < 9 && (a >= 0 || b >= 0); k++)
            if ((a >= 0 || k < 3) && (b >= 0 || k % 3 == 0))
                add_pair(m, p, a < 0 ? i : t->first[a] + k / 3, b < 0 ? j : t->first[b] + k % 3);
    }
}

/* The pairs of all yields; of K also their mirror images, where a sink has not got them anyway. */
static void collect(mem *m, pairs *p, const compiled *c, space over)
{
    for (int e = 0; e < c->elements; e++) {
        const derived *d = &c->element[e];
        for (int y = 0; y < d->yield.n; y++) {
            const yield *in = &d->yield.at[y];
            if (sink_table[in->into].over != over || twin(d, y, over) >= 0) continue;
            vec_push(m, p->first, p->row.n);
            add_pairs(m, p, d->instances, in->row, in->column);
            const bool whole = (in->into == SINK_LQQ && !c->md->turns) || in->into == SINK_LWW;
            if (over == ENTRIES_K && !whole)
                add_pairs(m, p, d->instances, in->column, in->row);
        }
    }
    if (over == ENTRIES_K)
        for (int i = 0; i < c->sys.n; i++) add_pair(m, p, i, i);
    if (c->md->turns) complete_turning(m, p, c->md->turns, over);
}

/* place[] numbers the pairs' entries: hands each yield its share, in the order of collect(). */
static void hand_out(mem *m, const pairs *p, const int *place, compiled *c, space over)
{
    int next = 0;
    for (int e = 0; e < c->elements; e++) {
        derived *d = &c->element[e];
        for (int y = 0; y < d->yield.n; y++) {
            yield *out = &d->yield.at[y];
            if (sink_table[out->into].over != over) continue;
            int same = twin(d, y, over);
            if (same >= 0) {
                out->to = d->yield.at[same].to;
                continue;
            }
            int *list = mem_resize(m, NULL, (size_t)(d->instances + 1) * sizeof *list);
            for (int k = 0; k < d->instances && next < p->first.n; k++)
                list[k] = place[p->first.at[next] + k];
            out->to = slot_from_list(m, list, d->instances);
            next++;
        }
    }
}

/* Pattern and places of one matrix: K (n rows) or A (m + r rows). */
static pattern lay_out(compiled *c, space over, int rows)
{
    mem  *m = c->m;
    pairs p = {0};
    collect(m, &p, c, over);
    int    *place = mem_resize(m, NULL, (size_t)(p.row.n + 1) * sizeof *place);
    pattern made = pattern_from_pairs(m, rows, c->sys.n, p.row.at, p.column.at, p.row.n, place);
    hand_out(m, &p, place, c, over);
    mem_drop(m, place);
    vec_drop(m, p.row);
    vec_drop(m, p.column);
    vec_drop(m, p.first);
    return made;
}

/* Rows are visited in order, so the columns of each row of the transpose are met in order too. */
static int *transposed_entries(mem *m, const pattern *K)
{
    int *t = mem_array(m, pattern_count(K) + 1, int);
    int *next = mem_resize(m, NULL, (size_t)(K->rows + 1) * sizeof *next);
    for (int i = 0; i < K->rows; i++) next[i] = K->start[i];
    for (int i = 0; i < K->rows; i++)
        for (int k = K->start[i]; k < K->start[i + 1]; k++) t[next[K->column[k]]++] = k;
    mem_drop(m, next);
    return t;
}

/* Results that are vectors need no pattern: the row of an instance is its place. */
static void place_vectors(compiled *c)
{
    for (int e = 0; e < c->elements; e++) {
        derived *d = &c->element[e];
        for (int y = 0; y < d->yield.n; y++) {
            yield *out = &d->yield.at[y];
            if (!out->column && out->row) out->to = *out->row;
        }
    }
}

/* Does any element add to this sink? */
static bool yields(const compiled *c, sink s)
{
    for (int e = 0; e < c->elements; e++)
        for (int y = 0; y < c->element[e].yield.n; y++)
            if (c->element[e].yield.at[y].into == s) return true;
    return false;
}

/* present: entries of K that a field may fill; varies: whether it changes during a run. */
static void note_fields(compiled *c)
{
    static const sink of[F_COUNT] = {SINK_LQQ, SINK_LQW,  SINK_LWW, SINK_FQ,
                                     SINK_FW,  SINK_CURV, SINK_DQ,  SINK_DW};
    const uint8_t *nowhere = mem_array(c->m, pattern_count(&c->sys.K) + 1, uint8_t);
    for (int f = 0; f < F_COUNT; f++) {
        uint8_t *present =
            yields(c, of[f]) ? mem_array(c->m, pattern_count(&c->sys.K) + 1, uint8_t) : NULL;
        c->sys.present[f] = present ? present : nowhere;
        for (int e = 0; e < c->elements; e++) {
            const derived *d = &c->element[e];
            for (int y = 0; y < d->yield.n; y++) {
                const yield *in = &d->yield.at[y];
                if (in->into != of[f]) continue;
                for (int k = 0; k < d->instances; k++) present[slot_index(&in->to, k)] = 1;
                uint8_t kind = yield_is_fixed(d, in) ? FIELD_CONSTANT : FIELD_VARIES;
                if (c->sys.varies[f] < kind) c->sys.varies[f] = kind;
            }
        }
    }
}

/* Places and patterns of all fields, and the length of every kind of array (size[]). */
void gather_layout(compiled *c)
{
    int rows = c->sys.m + c->sys.r;
    place_vectors(c);
    c->sys.K = lay_out(c, ENTRIES_K, c->sys.n);
    c->sys.A = lay_out(c, ENTRIES_A, rows);
    c->sys.transpose = transposed_entries(c->m, &c->sys.K);
    note_fields(c);
    c->size[ONE] = c->size[SINGLE] = 1, c->size[COORDINATES] = c->sys.n, c->size[ROWS] = rows;
    c->size[ENTRIES_K] = pattern_count(&c->sys.K), c->size[ENTRIES_A] = pattern_count(&c->sys.A);
    c->size[HOLONOMIC] = c->sys.r, c->size[PARTS] = c->md->parts.n;
    c->size[COLUMNS] = model_columns(c->md), c->size[DRAWN] = c->md->drawn;
}
