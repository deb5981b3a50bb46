/* regions.c - stretches of rows in the interior of a chain: every term has an instance for every
 * row, all from one run, and rare terms contribute nothing. They are found once, so that passes
 * over such rows need no search. */
#include "model/rows/row_terms.h"

enum { REGION_LEAST = 16 }; /* rows that are worth it */

/* Rows to which every output of run r gives something. */
static void span_of(const row_term *t, int r, int *from, int *to)
{
    const run_table *R = &t->table;
    const int       *row = R->base + (ptrdiff_t)r * R->width + t->inputs;
    *from = row[0], *to = row[0] + R->count[r];
    for (int y = 1; y < t->outputs; y++) {
        *from = row[y] > *from ? row[y] : *from;
        *to = row[y] + R->count[r] < *to ? row[y] + R->count[r] : *to;
    }
}

/* The first row to which a rare term contributes, or `to`; and the one after the last. */
static int first_rare(const row_plan *p, int from, int to, int *behind)
{
    int first = to;
    *behind = to;
    for (int t = 0; t < p->terms; t++) {
        const run_table *R = &p->term[t].table;
        for (int r = 0; p->term[t].rare && r < R->runs; r++) {
            if (R->high[r] < from || R->low[r] >= first) continue;
            first = R->low[r] > from ? R->low[r] : from, *behind = R->high[r] + 1;
        }
    }
    return first;
}

/* Too short a region is left to the general loop. runs is copied. */
static void add_region(mem *m, row_plan *p, int from, int to, const int *runs)
{
    if (to - from < REGION_LEAST) return;
    int *own = mem_array(m, p->terms + 1, int);
    for (int t = 0; t < p->terms; t++) own[t] = runs[t];
    vec_push(m, p->region, (row_region){from, to, own});
}

/* Without the rows that rare terms touch. */
static void add_between(mem *m, row_plan *p, int from, int to, const int *runs)
{
    while (from < to) {
        int       behind;
        const int first = first_rare(p, from, to, &behind);
        add_region(m, p, from, first, runs);
        from = first < to ? behind : to;
    }
}

/* For one run of each term: the rows that all of them cover. The run that ends first is advanced
 * next. */
void row_plan_find_regions(mem *m, row_plan *p)
{
    int *runs = mem_array(m, p->terms + 1, int);
    for (bool more = true; more;) {
        int from = 0, to = INT32_MAX, first = -1;
        for (int t = 0; t < p->terms; t++) {
            int low, high;
            if (p->term[t].rare) continue;
            if (p->term[t].stride != 1) return;
            span_of(&p->term[t], runs[t], &low, &high);
            if (low > from) from = low;
            if (high < to) to = high, first = t;
        }
        if (first < 0) return;
        add_between(m, p, from, to, runs);
        more = ++runs[first] < p->term[first].table.runs;
    }
}
