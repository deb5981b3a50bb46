/* leapfrog_divide.c - how rows are divided: into one block in place per thread, and into stretches
 * in lanes, with gaps between all that are neighbours. */
#include "mech/large/leapfrog_inside.h"

enum {
    STEPS_IN_PLACE = 8,  /* before gaps: what is used fits the second-level cache */
    STEPS_IN_LANES = 32, /* and here the first                                                 */
    SPARE = 8,           /* a lane has that many times the rows that the steps take off an end */
    STRIP = 16 * ROWS_TILE,
    STRIP_IN_LANES = 128,
    LENGTH_LEAST = 64,      /* of a lane                                                       */
    LENGTH_TO_SHARE = 1500, /* of one that may be shorter than it must: gaps still cost little */
    BLOCKS_EACH = 8         /* of a thread, at most: who is held up does fewer of them         */
};

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int rounded_up(int x, int to)
{
    return (x + to - 1) / to * to;
}

/* Room for the positions next to the rows that each step omits. */
static void make_edges(const leapfrog *l, mem *m, const leapfrog_division *d, leapfrog_block *b)
{
    const size_t room = (size_t)(d->steps + 1) * (size_t)d->halo * (size_t)b->lanes;
    for (int side = 0; side < 2; side++) {
        if (!b->open[side]) continue;
        b->edge[side] = mem_array(m, room, double);
        b->edge_low[side] = l->plain ? NULL : mem_array(m, room, double);
    }
}

/* All rows, or those that this rank steps; how many. */
static int rows_of(const leapfrog *l, leapfrog_division *d)
{
    const rank_rows *w = l->mine;
    d->from = w ? w->from : 0, d->to = w ? w->to : l->n;
    d->open[0] = d->from > 0, d->open[1] = d->to < l->n;
    return d->to - d->from;
}

/* Blocks in place. ----------------------------------------------------------------------------- */

/* One block for each thread; the steps of a time tile take off about a quarter of it at most, at
 * either end. */
void leapfrog_divide(leapfrog *l, mem *m)
{
    leapfrog_division *d = &l->rows;
    const int parts = thread_pool_size(l->pool), n = rows_of(l, d);
    d->halo = larger(row_plan_halo(l->plan), 1), d->steps = STEPS_IN_PLACE, d->strip = STRIP;
    if (l->mine && l->mine->steps < d->steps) d->steps = l->mine->steps;
    d->behind = rounded_up(2 * d->halo, ROWS_TILE);
    d->blocks = parts, d->block = mem_array(m, parts, leapfrog_block);
    d->gaps = parts - 1, d->gap = mem_array(m, parts, gap_tile);
    for (int k = 0; k < parts; k++) {
        leapfrog_block *b = &d->block[k];
        b->lanes = 1, b->open[0] = k > 0 || d->open[0], b->open[1] = k + 1 < parts || d->open[1];
        thread_pool_range(n, ROWS_TILE, k, parts, &b->from, &b->to);
        b->from += d->from, b->to += d->from;
        b->length = b->to - b->from;
        const int most = b->length / (4 * d->halo);
        if (most < d->steps && parts > 1) d->steps = most > 1 ? most : 1;
        if (k) d->gap[k - 1] = (gap_tile){b->from, b->from, {k - 1, k}, {0, 0}};
    }
    for (int k = 0; k < parts; k++) make_edges(l, m, d, &d->block[k]);
}

/* Side by side. -------------------------------------------------------------------------------- */

/* With plain sums p holds p + k, and neither kicks nor second parts have arrays of their own. */
static void make_lanes(const leapfrog *l, mem *m, leapfrog_block *b)
{
    const row_lanes *w = l->in_lanes;
    const size_t     count = (size_t)b->length * ROW_LANES;
    b->x.q = mem_apart(m, count, 0), b->x.p = mem_apart(m, count, 1);
    b->x.kick = l->plain ? b->x.p : mem_apart(m, count, 2);
    b->drift = mem_apart(m, count, 3);
    b->x.q_low = l->plain ? b->x.q : mem_apart(m, count, 4);
    b->x.p_low = l->plain ? b->x.p : mem_apart(m, count, 5);
    if (l->x.resistance) b->resistance = mem_apart(m, count, 7);
    if (l->lanes_forced) b->x.force = mem_apart(m, count, 8);
    if (l->x.resistance || l->lanes_forced) b->x.work = mem_apart(m, count, 9);
    b->still = mem_array(m, (l->driven ? STEPS_MOST + 1 : 1) * w->stills + 1, double);
    b->moving = mem_array(m, w->movings + 1, double *);
    for (int k = 0; k < w->movings; k++)
        b->moving[k] = mem_apart(m, (size_t)row_lanes_instances(w, k, b->length) * ROW_LANES, 6);
    b->x.still = b->still, b->x.moving = (const double *const *)b->moving, b->x.c = l->c[0];
}

/* Rows of a lane, if a region is divided among all lanes of so many blocks. */
static int lane_length(const leapfrog *l, const lane_region *r, int blocks)
{
    const int sites = (r->to - r->from) / l->in_lanes->site;
    return sites / (ROW_LANES * blocks) * l->in_lanes->site;
}

/* One block per thread, or more of them, which threads take as they become free. */
static int blocks_of(const leapfrog *l, const lane_region *r)
{
    const int parts = thread_pool_size(l->pool);
    int       each = parts > 1 ? BLOCKS_EACH : 1;
    while (each > 1 && lane_length(l, r, each * parts) < LENGTH_TO_SHARE) each--;
    return each * parts;
}

/* Gaps must stay short beside lanes, and a time tile have some steps. */
static bool is_worth_it(const leapfrog *l, const lane_region *r, int halo)
{
    const int length = lane_length(l, r, thread_pool_size(l->pool));
    return length >= LENGTH_LEAST && length / (SPARE * halo) >= 4;
}

/* What a rank has of a region, without the rows that it exchanges with others. */
static lane_region region_of(const leapfrog *l, int rank, int region)
{
    lane_region      r = l->in_lanes->region.at[region];
    const rank_rows *w = l->mine;
    int              own, end;
    if (!w) return r;
    rank_range(l, rank, &own, &end);
    const int from = rank ? own + w->margin : 0,
              to = rank + 1 < w->of->count ? end - w->margin : l->n;
    if (from > r.from) r.from += rounded_up(from - r.from, l->in_lanes->site);
    if (to < r.to) r.to = larger(to, r.from);
    return r;
}

/* The steps that the lanes of a rank allow, `most` at most; 0: it has none. */
static int steps_of(const leapfrog *l, int rank, int most, int halo)
{
    int steps = 0;
    for (int k = 0; k < l->in_lanes->region.n; k++) {
        const lane_region r = region_of(l, rank, k);
        if (!is_worth_it(l, &r, halo)) continue;
        const int allowed = lane_length(l, &r, blocks_of(l, &r)) / (SPARE * halo),
                  so_far = steps ? steps : most;
        steps = allowed < so_far ? allowed : so_far;
    }
    return steps;
}

/* The same on all ranks, since they exchange rows after so many steps: as many as each of them
 * allows. 0: one of them has no lanes, so none uses them. */
static int steps_of_all(const leapfrog *l, int most, int halo)
{
    for (int r = l->mine ? l->mine->of->count - 1 : 0; r >= 0; r--) most = steps_of(l, r, most, halo);
    return most;
}

/* A region of equal rows becomes blocks of ROW_LANES lanes each; the rest of it is left to gaps. */
static void add_region(leapfrog *l, mem *m, leapfrog_division *d, int region, const lane_region *r)
{
    const int blocks = blocks_of(l, r), length = lane_length(l, r, blocks);
    for (int k = 0; k < blocks; k++) {
        leapfrog_block *b = &d->block[d->blocks++];
        b->from = r->from + k * ROW_LANES * length, b->to = b->from + ROW_LANES * length;
        b->lanes = ROW_LANES, b->length = length, b->region = region,
        b->open[0] = b->open[1] = true;
        make_lanes(l, m, b);
    }
}

/* A gap between any two lanes, before the first and after the last. */
static void make_gap_tiles(mem *m, leapfrog_division *d)
{
    gap_tile last = {d->from, 0, {-1, -1}, {0, 0}};
    d->gap = mem_array(m, d->blocks * ROW_LANES + 1, gap_tile);
    for (int k = 0; k < d->blocks; k++)
        for (int lane = 0; lane < ROW_LANES; lane++) {
            last.high = d->block[k].from + lane * d->block[k].length;
            last.block[1] = k, last.lane[1] = lane;
            d->gap[d->gaps++] = last;
            last = (gap_tile){last.high + d->block[k].length, 0, {k, -1}, {lane, 0}};
        }
    last.high = d->to;
    d->gap[d->gaps++] = last;
}

/* What rows read of others, and how far their lanes look back and ahead. */
int leapfrog_reach(const leapfrog *l, int *steps)
{
    const row_lanes *w = l->in_lanes;
    const int        reach = larger(row_plan_halo(l->plan), 1);
    *steps = w ? STEPS_IN_LANES / (l->plain ? 1 : 2) : STEPS_IN_PLACE; /* 2 numbers a row, or 5 */
    return w ? rounded_up(larger(reach, larger(w->ahead, w->back)), w->site) : reach;
}

void leapfrog_divide_lanes(leapfrog *l, mem *m)
{
    leapfrog_division *d = &l->side_by_side;
    const row_lanes *w = l->in_lanes;
    const int strip = STRIP_IN_LANES / (l->plain ? 1 : 2);
    rows_of(l, d);
    d->halo = leapfrog_reach(l, &d->steps);
    if (l->mine && l->mine->steps < d->steps) d->steps = l->mine->steps;
    d->steps = steps_of_all(l, d->steps, d->halo);
    d->strip = rounded_up(strip > 2 * d->halo ? strip : 2 * d->halo, w->site),
    d->behind = 2 * d->halo;
    d->block = mem_array(m, w->region.n * thread_pool_size(l->pool) * BLOCKS_EACH, leapfrog_block);
    for (int k = 0; k < w->region.n && d->steps; k++) {
        const lane_region here = region_of(l, l->mine ? l->mine->of->rank : 0, k);
        if (is_worth_it(l, &here, d->halo)) add_region(l, m, d, k, &here);
    }
    for (int k = 0; k < d->blocks; k++) make_edges(l, m, d, &d->block[k]);
    if (d->blocks) make_gap_tiles(m, d);
}
