/* tiles.c - an evaluation in tiles of rows: the instances that add to the rows of a tile run one
 * after the other, while the numbers that they read and add to are in cache.
 *
 * Instances of a chain or a lattice advance through its rows. Before a tile is complete every
 * instance runs that adds to one of its rows, and with it all that come before it in its element;
 * their reach may go beyond the tile. Where instances jump about, the first tile runs them all,
 * and nothing is gained or lost. Numbers that meet in one entry are added in a fixed order: tile by
 * tile, and within a tile as gather.c says. */
#include "model/bound.h"

#include <limits.h>
#include <string.h>

enum { TILE = 2048, OWN_MOST = 64 }; /* rows; rows per tile that merged programs may have */

/* Finding tiles. ------------------------------------------------------------------------------- */

static bool is_over_rows(space s)
{
    return s == COORDINATES || s == ENTRIES_K;
}

static bool is_read_by_row(feed_kind f)
{
    return f == FROM_Q || f == FROM_W || f == FROM_V;
}

typedef struct {
    int *low;   /* the lowest row that instances from l on add to,     */
    int *least; /* or read                                             */
    int *high;  /* the highest that those up to l read or add to       */
} instance_rows;

static void extend(const instance_rows *r, int l, int row, bool added)
{
    if (added && r->low[l] > row) r->low[l] = row;
    if (r->least[l] > row) r->least[l] = row;
    if (r->high[l] < row) r->high[l] = row;
}

/* By feed: does a program read it, by row? */
static uint8_t *rows_read(mem *brief, const derived *d)
{
    uint8_t *read = mem_array(brief, d->feed.n + 1, uint8_t);
    expr    *root = mem_array(brief, d->yield.n + 1, expr);
    for (int y = 0; y < d->yield.n; y++) root[y] = d->yield.at[y].root;
    derived_reads(brief, &d->g, root, d->yield.n, read);
    for (int k = 0; k < d->feed.n; k++)
        read[k] = read[k] && is_read_by_row(d->feed.at[k].from) &&
                  !slot_is_axis(d->feed.at[k].at.kind);
    return read;
}

/* Of each instance alone, */
static void find_each(mem *brief, const derived *d, const instance_rows *r)
{
    const int      n = d->instances;
    const uint8_t *read = rows_read(brief, d);
    for (int l = 0; l < n; l++) r->low[l] = r->least[l] = INT_MAX, r->high[l] = -1;
    for (int k = 0; k < d->feed.n; k++)
        for (int l = 0; l < n && read[k]; l++)
            extend(r, l, slot_index(&d->feed.at[k].at, l), false);
    for (int y = 0; y < d->yield.n; y++)
        for (int l = 0; l < n && is_over_rows(sink_table[d->yield.at[y].into].over); l++)
            extend(r, l, slot_index(d->yield.at[y].row, l), true);
}

/* and with those before or after it. */
static void find_rows(mem *brief, const derived *d, const instance_rows *r)
{
    const int n = d->instances;
    find_each(brief, d, r);
    for (int l = 1; l < n; l++)
        if (r->high[l] < r->high[l - 1]) r->high[l] = r->high[l - 1];
    for (int l = n - 2; l >= 0; l--) {
        if (r->low[l] > r->low[l + 1]) r->low[l] = r->low[l + 1];
        if (r->least[l] > r->least[l + 1]) r->least[l] = r->least[l + 1];
    }
}

static bool adds_to_rows(const derived *d)
{
    for (int y = 0; y < d->yield.n; y++)
        if (is_over_rows(sink_table[d->yield.at[y].into].over)) return true;
    return false;
}

/* Where each of its instances has rows of about one tile, and there are few such elements. */
bool tiles_hold(const compiled *c, const derived *d)
{
    enum { SELDOM_MOST = 64, FEW = 8 }; /* elements; instances */
    int                 low[FEW], least[FEW], high[FEW];
    const instance_rows r = {low, least, high};
    if (c->sys.n < 2 * TILE || c->elements > SELDOM_MOST || d->instances > FEW || !adds_to_rows(d))
        return false;
    mem *brief = mem_child(c->m);
    find_each(brief, d, &r);
    mem_free(brief);
    for (int l = 0; l < d->instances; l++)
        if (high[l] - least[l] >= TILE) return false;
    return true;
}

/* How many instances of one shape have run at the end of each tile, and how far they reach. */
static void find_instances(mem *brief, const compiled *c, int which, tiling *t)
{
    const derived      *d = c->shape[which].d;
    const size_t        size = ((size_t)d->instances + 1) * sizeof(int);
    const instance_rows r = {mem_resize(brief, NULL, size), mem_resize(brief, NULL, size),
                             mem_resize(brief, NULL, size)};
    find_rows(brief, d, &r);
    for (int k = 0, l = 0; k < t->count; k++) {
        if (l < d->instances && t->least[k] > r.least[l]) t->least[k] = r.least[l];
        /* what adds to no row, as relations do, runs with the last tile */
        while (l < d->instances && (r.low[l] < t->end[k] || k + 1 == t->count)) l++;
        t->instance[k * c->shapes + which] = l;
        if (l && t->reach[k] <= r.high[l - 1]) t->reach[k] = r.high[l - 1] + 1;
    }
    mem_drop(brief, r.low), mem_drop(brief, r.least), mem_drop(brief, r.high);
}

/* May a turn follow the one before it at the distance of a tile? It places rows that the one before
 * has taken, and where the one before that reads no more. Merged programs need all their rows at
 * once. */
static bool is_local(const tiling *t)
{
    bool local = !t->owns && t->count > 1;
    for (int k = 0; k < t->count; k++) {
        local &= k + 1 == t->count || t->reach[k] <= t->end[k + 1];
        local &= k + 3 >= t->count || t->reach[k] <= t->least[k + 3];
    }
    return local;
}

/* The rows of merged programs. */
static void find_own(mem *m, mem *brief, const compiled *c, tiling *t)
{
    uint8_t *own = mem_array(brief, c->sys.n + 1, uint8_t);
    for (int e = 0; e < c->elements; e++) {
        const derived *d = &c->element[e];
        const uint8_t *read = d->merged ? rows_read(brief, d) : NULL;
        for (int l = 0; l < d->instances && d->merged; l++) {
            for (int k = 0; k < d->feed.n; k++)
                if (read[k]) own[slot_index(&d->feed.at[k].at, l)] = 1;
            for (int y = 0; y < d->yield.n; y++)
                if (is_over_rows(sink_table[d->yield.at[y].into].over))
                    own[slot_index(d->yield.at[y].row, l)] = 1;
        }
    }
    for (int i = 0; i < c->sys.n; i++) t->owns += own[i];
    t->own = mem_array(m, t->owns + 1, int);
    for (int i = 0, k = 0; i < c->sys.n; i++)
        if (own[i]) t->own[k++] = i;
}

/* One tile where there are few rows, or merged programs have too many of them. Those whose rows are
 * all in the first tile run with it. */
void tiles_find(compiled *c)
{
    tiling   *t = &c->tile;
    const int n = c->sys.n, most = n / TILE + 1;
    if (!c->shapes) return;
    t->end = mem_array(c->m, most, int), t->reach = mem_array(c->m, most, int);
    t->least = mem_array(c->m, most, int);
    t->instance = mem_array(c->m, most * c->shapes, int);
    mem *brief = mem_child(c->m);
    if (most > 1) find_own(c->m, brief, c, t);
    t->count = most > 1 && t->owns <= OWN_MOST * most ? n / TILE : 1;
    if (t->count == 1 || (t->owns && t->own[t->owns - 1] < TILE)) t->owns = 0;
    for (int k = 0; k < t->count; k++)
        t->end[k] = t->reach[k] = k + 1 < t->count ? (k + 1) * TILE : n, t->least[k] = n;
    for (int s = 0; s < c->shapes; s++) find_instances(brief, c, s, t);
    for (int k = 1; k < t->count; k++)
        if (t->reach[k] < t->reach[k - 1]) t->reach[k] = t->reach[k - 1];
    t->local = is_local(t);
    mem_free(brief);
}

/* Running. ------------------------------------------------------------------------------------- */

static void begin_with(double *restrict to, const double *restrict base, int from, int end)
{
    const size_t size = (size_t)(end - from) * sizeof *to;
    if (base) memcpy(to + from, base + from, size);
    else memset(to + from, 0, size);
}

/* Sinks that several programs add to begin with what does not change, or with zeros: those that
 * are not over rows ... */
static void begin_others(const bound *b, unsigned want, char *out)
{
    const compiled *c = b->c;
    for (int s = 0; s < SINKS; s++) {
        const sink_row *is = &sink_table[s];
        if (!c->shared[s] || !sink_is_wanted((sink)s, want) || is_over_rows(is->over)) continue;
        double *array = sink_array(out, (sink)s);
        if (array) begin_with(array, b->base[s], 0, c->size[is->over]);
    }
}

/* ... and rows of the others. */
static void begin_rows(const bound *b, unsigned want, char *out, int from, int to)
{
    const compiled *c = b->c;
    const int      *start = c->sys.K.start;
    for (int s = 0; s < SINKS; s++) {
        const sink_row *is = &sink_table[s];
        if (!c->shared[s] || !sink_is_wanted((sink)s, want) || !is_over_rows(is->over)) continue;
        double *array = sink_array(out, (sink)s);
        if (array && is->over == ENTRIES_K) begin_with(array, b->base[s], start[from], start[to]);
        else if (array) begin_with(array, b->base[s], from, to);
    }
}

/* Merged programs run before the first tile; the rows that they add to are begun with them, and left
 * out later. Each bit of a plan is a program; no value is in two of them. */
static void run_merged(bound *b, unsigned want, const sources *from, char *out)
{
    const merged *g = &b->c->merged;
    const tiling *t = &b->c->tile;
    begin_others(b, want, out);
    for (int k = 0; k < t->owns; k++) begin_rows(b, want, out, t->own[k], t->own[k] + 1);
    for (uint32_t k = 0, todo = g->plan[want]; todo; k++, todo >>= 1)
        if (todo & 1) bundle_run(&g->bundle[k], b->merged_code[k], b->merged_reg[k], from, out);
}

/* own: the first row of merged programs in the tile. */
static void begin_tile(bound *b, unsigned want, char *out, int from, int to, int own)
{
    const tiling *t = &b->c->tile;
    for (; own < t->owns && t->own[own] < to; from = t->own[own++] + 1)
        begin_rows(b, want, out, from, t->own[own]);
    begin_rows(b, want, out, from, to);
}

static void run_tile(bound *b, unsigned want, int tile, const sources *from, char *out)
{
    const compiled *c = b->c;
    const int      *end = c->tile.instance + tile * c->shapes;
    for (int s = 0; s < c->shapes; s++) {
        const shape           *sh = &c->shape[s];
        const shape_registers *r = &b->shape_reg[s];
        const instance_range   these = {tile ? end[s - c->shapes] : 0, end[s]};
        for (uint32_t k = 0, todo = sh->plan[want]; todo; k++, todo >>= 1)
            if (todo & 1)
                batch_run_as(sh->d, &sh->batch[k], these, r->code[k], r->batch[k], from, out);
    }
}

/* How far a turn has got: rows that were placed, and rows that were taken. */
typedef struct {
    const sys_point  *at;
    sys_values       *out;
    const sys_ranges *by;
    int               begun, done, own;
} turn;

/* Rows that come into reach; with those of the first tile all that merged programs read. */
static void place(const tiling *t, const turn *w, int tile)
{
    const sys_ranges *by = w->by;
    for (int k = 0; k < t->owns && !tile; k++) by->place(by->self, t->own[k], t->own[k] + 1);
    if (w->begun < t->reach[tile]) by->place(by->self, w->begun, t->reach[tile]);
}

static void go_on(bound *b, unsigned want, int count, turn *w, int tile)
{
    const tiling *t = &b->c->tile;
    const int     to = t->reach[tile];
    if (w->by) place(t, w, tile);
    for (int i = 0; i < count; i++) {
        const sources from = bound_sources(b, &w->at[i]);
        char         *out = (char *)&w->out[i];
        if (w->begun < to) begin_tile(b, want, out, w->begun, to, w->own);
        if (!tile) run_merged(b, want, &from, out);
        run_tile(b, want, tile, &from, out);
    }
    while (w->own < t->owns && t->own[w->own] < to) w->own++;
    if (w->by) w->by->take(w->by->self, w->done, t->end[tile]);
    w->begun = to, w->done = t->end[tile];
}

void bound_eval_tiles(bound *b, unsigned want, int turns, int count, const sys_point *at,
                      sys_values *out, const sys_ranges *by)
{
    enum { ABREAST = 8 }; /* turns that follow each other at the distance of a tile */
    const int tiles = b->c->tile.count, most = b->c->tile.local ? ABREAST : 1;
    for (int first = 0; first < turns; first += most) {
        const int these = turns - first < most ? turns - first : most;
        turn      w[ABREAST];
        for (int i = 0; i < these; i++, at += count, out += count)
            w[i] = (turn){at, out, by ? by + first + i : NULL, 0, 0, 0};
        for (int k = 0; k < tiles + these - 1; k++)
            for (int i = 0; i < these; i++)
                if (i <= k && k - i < tiles) go_on(b, want, count, &w[i], k - i);
    }
}
