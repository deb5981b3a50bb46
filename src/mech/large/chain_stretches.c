/* chain_stretches.c - cuts the groups of a chain into stretches: quick ones, as long as all
 * partitions lie in regions whose rows are the same sums, and others in between. */
#include "mech/large/chain_inside.h"

#include "base/vec.h"

enum { QUICK_LEAST = 16 }; /* rows */

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* The region of a row, if a site begins there. -1: none. */
static int region_at(const row_lanes *w, int row)
{
    int low = 0, high = w->region.n;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (w->region.at[middle].to <= row) low = middle + 1;
        else high = middle;
    }
    if (low == w->region.n || row < w->region.at[low].from) return -1;
    return (row - w->region.at[low].from) % w->site ? -1 : low;
}

/* The number of rows from `from` on that are quick in every partition, in whole sites and multiples
 * of four. */
static int quick_rows(const chain_passes *c, int number, int from, int *region)
{
    const row_lanes *w = c->lanes;
    const partitions *s = c->partitions;
    int              rows = smaller(QUICK_TILE, s->length - s->reach - from);
    for (int l = 0; l < GROUP && rows > 0; l++) {
        const int a = (number * GROUP + l) * s->length + from;
        region[l] = region_at(w, a);
        if (region[l] < 0 || a < w->back) return 0;
        rows = smaller(rows, smaller(w->region.at[region[l]].to, s->n - w->ahead - 4) - a);
    }
    rows -= rows % 4;
    while (rows > 0 && rows % w->site) rows -= 4;
    return rows >= QUICK_LEAST ? rows : 0;
}

/* A quick stretch if one begins here; else the rows up to where one does, or a tile. */
static stretch next_stretch(const chain_passes *c, int number, int from)
{
    const int length = c->partitions->length;
    stretch   t = {.from = from};
    t.quick = c->lanes && (t.rows = quick_rows(c, number, from, t.region)) > 0;
    if (t.quick) return t;
    const int most = smaller(PARTITION_TILE, length - from);
    int       other[GROUP];
    for (t.rows = 1; t.rows < most; t.rows++)
        if (c->lanes && quick_rows(c, number, from + t.rows, other)) return t;
    return t;
}

/* Where each term of each region finds its run, in one table for the text. */
static const int *runs_of_regions(mem *m, const row_lanes *w)
{
    int *run = mem_array(m, w->region.n * w->terms + 1, int);
    for (int k = 0; k < w->region.n; k++)
        for (int t = 0; t < w->terms; t++) run[k * w->terms + t] = w->region.at[k].run[t];
    return run;
}

/* Stretches of group k are those from first[k] to first[k + 1] - 1. */
void chain_divide(chain_passes *c, mem *m)
{
    const partitions *s = c->partitions;
    int              *first = mem_array(m, s->groups + 1, int);
    vec(stretch)   all = {0};
    for (int k = 0; k < s->groups; k++) {
        for (int from = 0; from < s->length; from += all.at[all.n - 1].rows)
            vec_push(m, all, next_stretch(c, k, from));
        first[k + 1] = all.n;
    }
    c->pass.stretch = all.at, c->pass.first = first;
    if (c->lanes) c->pass.run = runs_of_regions(m, c->lanes);
}
