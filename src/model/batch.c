/* batch.c - programs for an element with many instances: one per useful request, and one for what
 * does not change while a simulation runs. */
#include "model/shape.h"

/* The variables that the roots hold: those that are the same for all instances first. */
static void choose_loads(mem *m, const derived *d, const expr *root, batch *b)
{
    uint8_t *used = mem_array(m, d->feed.n + 1, uint8_t);
    derived_reads(m, &d->g, root, b->yields, used);
    b->load = mem_array(m, d->feed.n + 1, int);
    for (int moving = 0; moving < 2; moving++) {
        for (int k = 0; k < d->feed.n; k++) {
            const slot *s = &d->feed.at[k].at;
            bool        moves = d->instances > 1 && (s->at || s->stride);
            if (used[k] && d->feed.at[k].from != FROM_TIME ? moves == moving : used[k] && !moving)
                b->load[b->loads++] = k;
        }
        if (!moving) b->still = b->loads;
    }
}

enum { CHANGING = 1, FIXED = 2 };

/* The program for those yields of these wants that change, that do not, or both. */
static void batch_init(mem *m, const derived *d, unsigned want, int which, batch *b)
{
    *b = (batch){.want = want, .yield = mem_array(m, d->yield.n + 1, const yield *)};
    expr *root = mem_array(m, d->yield.n + 1, expr);
    for (int y = 0; y < d->yield.n; y++) {
        const yield *in = &d->yield.at[y];
        if (!sink_is_wanted(in->into, want)) continue;
        if (!(which & (yield_is_fixed(d, in) ? FIXED : CHANGING))) continue;
        root[b->yields] = in->root;
        b->yield[b->yields++] = in;
    }
    if (!b->yields) return;
    choose_loads(m, d, root, b);
    b->k = kernel_new(m, &d->g, root, b->yields, d->feed.n);
    batch_find_runs(m, d, b);
}

void shape_init(mem *m, shape *s, const derived *d)
{
    unsigned wants[BUNDLES_MOST], relevant = 0;
    s->d = d;
    for (int y = 0; y < d->yield.n; y++)
        if (!yield_is_fixed(d, &d->yield.at[y])) relevant |= sink_table[d->yield.at[y].into].want;
    s->batches = bundle_choose(relevant, wants);
    for (int k = 0; k < s->batches; k++) batch_init(m, d, wants[k], CHANGING, &s->batch[k]);
    bundle_plan(wants, s->batches, s->plan);
    batch_init(m, d, ALL_WANTED, FIXED, &s->fixed);
}

void shape_init_observer(mem *m, shape *s, const derived *d)
{
    s->d = d;
    s->batches = 1;
    batch_init(m, d, OBSERVED, CHANGING | FIXED, &s->batch[0]);
}
