/* leapfrog_time_tiles.c - time blocking: several steps in one pass over memory, each a little
 * behind the one before it, on rows that are still in cache; first on every block by itself, then
 * on the gaps between them.
 *
 * Step s must not move positions that step s - 1 still reads, and needs the results of that step a
 * halo ahead, so it stays two halos behind. Next to a neighbouring block it ends s halos before the
 * end of the block, where the gap takes over:
 *
 *     step 3    . . . . 3 3 3 3 3 3 3 3 . . . . | . . . . 3 3 3 3     rows of two blocks;
 *     step 2    . . 2 2 2 2 2 2 2 2 2 2 2 2 . . | . . 2 2 2 2 2 2     gaps fill the dots
 *
 * So threads synchronise only twice in many steps, and the result for a row does not depend on
 * which thread computes it. */
#include "mech/large/leapfrog_inside.h"

#include <stdatomic.h>
#include <string.h>

enum { BEFORE = 0, BEHIND = 1 };

/* Waking a thread costs some ten microseconds, synchronising with a running one about one; for less
 * work than that the others are left alone. */
thread_pool *leapfrog_pool(const leapfrog *l, long steps)
{
    enum { TO_WAKE = 1 << 16, TO_MEET = 1 << 13 };
    const double each = (double)l->n * (double)steps / thread_pool_size(l->pool);
    return each >= (l->awake ? TO_MEET : TO_WAKE) ? l->pool : NULL;
}

double leapfrog_part(const leapfrog *l, long k)
{
    const long j = (k % l->parts + l->parts) % l->parts;
    return l->parts > 1 ? l->gamma[l->back ? l->parts - 1 - j : j] : 1;
}

double leapfrog_time(const leapfrog *l, long k)
{
    const long steps = k / l->parts;
    double     done = 0;
    for (long j = 0; j < k % l->parts; j++) done += leapfrog_part(l, j);
    return l->from + (double)steps * l->known + done * l->known;
}

/* What step s of a time tile leads to is read at its time. */
void leapfrog_read(leapfrog *l, int steps)
{
    for (int s = 0; s <= (l->driven ? steps : 0); s++)
        l->reads[s] = row_plan_reads(l->plan, leapfrog_time(l, l->now + s));
}

/* Step s of a time tile is substep now + s - 1 of its composition. */
static void find_parts(leapfrog *l, int steps)
{
    for (int s = 1; s <= steps; s++) l->c[s][OF_PART] = leapfrog_part(l, l->now + s - 1);
}

/* b NULL, or of one lane: rows in place. Step s of a tile has numbers of its own where forces
 * are driven. */
static void step_rows(const leapfrog *l, const leapfrog_block *b, leapfrog_range *r, int s)
{
    if (b && b->lanes > 1) {
        leapfrog_lanes x = b->x;
        x.c = l->c[s];
        if (l->driven) x.still = b->still + (ptrdiff_t)s * l->in_lanes->stills;
        l->lanes(&x, r);
        return;
    }
    leapfrog_pass x = l->x;
    x.c = l->c[s];
    if (l->driven) x.s = &l->reads[s];
    l->step(&x, r);
}

/* A block. ------------------------------------------------------------------------------------- */

/* Saves the halo rows next to those that step s omits at an end. */
static void keep_edge(const leapfrog *l, const leapfrog_division *d, leapfrog_block *b, int side,
                      int s)
{
    if (!b->open[side]) return;
    const int lanes = b->lanes, row = side == BEFORE ? s * d->halo : b->length - (s + 1) * d->halo;
    const double *q = lanes > 1 ? b->x.q : l->x.q + b->from,
                 *q_low = lanes > 1 ? b->x.q_low : l->x.q_low + b->from;
    const size_t from = (size_t)row * (size_t)lanes, count = (size_t)d->halo * (size_t)lanes,
                 to = (size_t)s * count;
    memcpy(b->edge[side] + to, q + from, count * sizeof *q);
    if (!l->plain) memcpy(b->edge_low[side] + to, q_low + from, count * sizeof *q);
}

/* One step on the rows that come next, up to `end`. */
static void go_on(const leapfrog *l, const leapfrog_division *d, leapfrog_block *b,
                  leapfrog_range *r, int s, int end)
{
    const int first = b->lanes > 1 ? 0 : b->from,
              last = first + b->length - (b->open[BEHIND] ? s * d->halo : 0);
    const bool begins = r->b == first + (b->open[BEFORE] ? s * d->halo : 0);
    if (end > last) end = last;
    /* an edge that is saved must lie within the rows of one call */
    if (end <= r->b || (end < last && end - r->b < d->halo)) return;
    r->a = r->b, r->b = end;
    step_rows(l, b, r, s);
    if (begins) keep_edge(l, d, b, BEFORE, s);
    if (end == last) keep_edge(l, d, b, BEHIND, s);
}

/* r[s]: how far step s has got. Each strip moves the front on, and every step follows two halos
 * behind the one before it. */
static void steps_on_block(const leapfrog *l, const leapfrog_division *d, leapfrog_block *b,
                           int steps)
{
    const int  first = b->lanes > 1 ? 0 : b->from, last = first + b->length;
    const int  end = last - (b->open[BEHIND] ? steps * d->halo : 0);
    leapfrog_range r[STEPS_MOST + 1] = {{0}};
    for (int s = 0; s <= steps; s++) {
        const int less = b->open[BEFORE] ? s * d->halo : 0,
                  more = b->open[BEHIND] ? (s - 1) * d->halo : 0;
        r[s] = (leapfrog_range){
            .b = first + less, .done = first + less - (less ? d->halo : 0), .to = last - more};
    }
    keep_edge(l, d, b, BEFORE, 0), keep_edge(l, d, b, BEHIND, 0);
    const int strip = steps > 1 ? d->strip : b->length; /* one step needs no others close by */
    for (long long front = first + strip; r[steps].b < end; front += strip)
        for (int s = 1; s <= steps; s++) {
            const long long to = front - (long long)(s - 1) * d->behind;
            go_on(l, d, b, &r[s], s, to < last ? (int)to : last);
        }
}

/* A gap. -------------------------------------------------------------------------------------- */

typedef enum { TO_ROWS, TO_LANES } direction;

static void copy_rows(double *rows, double *lanes, int lane, int count, direction to)
{
    if (to == TO_ROWS)
        for (int i = 0; i < count; i++) rows[i] = lanes[(ptrdiff_t)i * ROW_LANES + lane];
    else
        for (int i = 0; i < count; i++) lanes[(ptrdiff_t)i * ROW_LANES + lane] = rows[i];
}

/* What is carried with a row besides its position, and with plain sums its momentum. */
typedef struct {
    double *rows, *lanes;
} row_pair;
enum { PAIRS_MOST = 5 };

/* How many; with plain sums momenta are exchanged by copy_middle. */
static int row_pairs(const leapfrog *l, const leapfrog_block *b, row_pair all[PAIRS_MOST])
{
    const leapfrog_pass  *r = &l->x;
    const leapfrog_lanes *x = &b->x;
    int               n = 0;
    if (!l->plain) {
        all[n++] = (row_pair){r->p, x->p}, all[n++] = (row_pair){r->p_low, x->p_low};
        all[n++] = (row_pair){r->kick, x->kick};
    }
    if (x->force) all[n++] = (row_pair){r->force, x->force};
    if (x->work) all[n++] = (row_pair){r->work, x->work};
    return n;
}

/* Momenta in the middle of a step are p + k; converted back, the kick is 0. */
static void copy_middle(double *p, double *kick, double *lanes, int lane, int count, direction to)
{
    if (to == TO_LANES)
        for (int i = 0; i < count; i++) lanes[(ptrdiff_t)i * ROW_LANES + lane] = p[i] + kick[i];
    else
        for (int i = 0; i < count; i++)
            p[i] = lanes[(ptrdiff_t)i * ROW_LANES + lane], kick[i] = -0.0; /* x + -0 is x */
}

/* Copies rows between the end of a lane and the rows of the chain; on the way back positions
 * only. */
static void exchange(const leapfrog *l, leapfrog_block *b, int lane, int row, int count,
                     direction to)
{
    const ptrdiff_t at = (ptrdiff_t)row * ROW_LANES,
                    in = (ptrdiff_t)b->from + (ptrdiff_t)lane * b->length + row;
    const leapfrog_lanes *x = &b->x;
    const leapfrog_pass  *r = &l->x;
    if (to == TO_LANES) copy_rows(r->q + in, x->q + at, lane, count, to);
    if (to == TO_LANES && !l->plain) copy_rows(r->q_low + in, x->q_low + at, lane, count, to);
    if (l->plain) copy_middle(r->p + in, r->kick + in, x->p + at, lane, count, to);
    row_pair all[PAIRS_MOST];
    for (int k = row_pairs(l, b, all) - 1; k >= 0; k--)
        copy_rows(all[k].rows + in, all[k].lanes + at, lane, count, to);
}

/* The rows that `steps` steps omitted at the ends of the two lanes. */
static void exchange_ends(const leapfrog *l, const leapfrog_division *d, const gap_tile *z,
                          int steps, direction to)
{
    for (int side = 0; side < 2; side++) {
        leapfrog_block *b = z->block[side] < 0 ? NULL : &d->block[z->block[side]];
        const int   count = steps * d->halo;
        if (b && b->lanes > 1)
            exchange(l, b, z->lane[side], side == BEFORE ? b->length - count : 0, count, to);
    }
}

/* Positions next to the gap as they were after step s. */
static void place_edges(const leapfrog *l, const leapfrog_division *d, const gap_tile *z, int s)
{
    for (int side = 0; side < 2; side++) {
        if (z->block[side] < 0) continue;
        const leapfrog_block *b = &d->block[z->block[side]];
        const int         end = side == BEFORE ? BEHIND : BEFORE; /* of the block */
        const int         row = side == BEFORE ? z->low - (s + 1) * d->halo : z->high + s * d->halo;
        for (int i = 0; i < d->halo; i++) {
            const size_t at = ((size_t)s * (size_t)d->halo + (size_t)i) * (size_t)b->lanes +
                              (size_t)z->lane[side];
            l->x.q[row + i] = b->edge[end][at];
            if (!l->plain) l->x.q_low[row + i] = b->edge_low[end][at];
        }
    }
}

/* Rows of the gap from both sides, with the saved positions around them; then back to the lanes. */
static void steps_on_gap_tile(const leapfrog *l, const leapfrog_division *d, const gap_tile *z,
                              int steps)
{
    exchange_ends(l, d, z, steps, TO_ROWS);
    place_edges(l, d, z, 0);
    for (int s = 1; s <= steps; s++) {
        const int less = s * d->halo;
        const bool ends[2] = {z->block[BEFORE] < 0 && d->open[BEFORE],
                              z->block[BEHIND] < 0 && d->open[BEHIND]};
        const int a = ends[BEFORE] ? d->from + less : z->block[BEFORE] < 0 ? 0 : z->low - less;
        const int b = ends[BEHIND] ? d->to - less : z->block[BEHIND] < 0 ? l->n : z->high + less;
        place_edges(l, d, z, s);
        leapfrog_range r = {a, b, ends[BEFORE] ? a - d->halo : a, ends[BEHIND] ? b + d->halo : b};
        step_rows(l, NULL, &r, s);
    }
    exchange_ends(l, d, z, steps, TO_LANES);
}

/* All of them. --------------------------------------------------------------------------------- */

typedef struct {
    leapfrog          *l;
    leapfrog_division *d;
    int            steps;
    atomic_int     next; /* block that nobody has taken */
} share;

static void do_blocks(void *self, int part, int parts)
{
    (void)part, (void)parts;
    share *s = self;
    for (int k; (k = atomic_fetch_add(&s->next, 1)) < s->d->blocks;)
        steps_on_block(s->l, s->d, &s->d->block[k], s->steps);
}

static void do_gap_tiles(void *self, int part, int parts)
{
    const share *s = self;
    const int    n = s->d->gaps, from = (int)((long long)n * part / parts),
              to = (int)((long long)n * (part + 1) / parts);
    for (int k = from; k < to; k++) steps_on_gap_tile(s->l, s->d, &s->d->gap[k], s->steps);
}

/* The time of each step, for blocks in lanes. */
static void read_times(leapfrog *l, const leapfrog_division *d, int steps)
{
    for (int k = 0; k < d->blocks && d->block[k].lanes > 1; k++)
        for (int s = 0; s <= steps; s++)
            row_lanes_read_time(l->in_lanes, l->reads[s].t,
                                d->block[k].still + (ptrdiff_t)s * l->in_lanes->stills);
}

/* Blocks first, by whoever is free; gaps once all of them are done. */
void leapfrog_time_tile(leapfrog *l, leapfrog_division *d, int steps)
{
    share s = {.l = l, .d = d, .steps = steps};
    thread_pool *pool = leapfrog_pool(l, steps);
    if (l->driven) leapfrog_read(l, steps), read_times(l, d, steps);
    if (l->parts > 1) find_parts(l, steps);
    thread_pool_work(pool, do_blocks, &s);
    if (d->gaps) thread_pool_work(pool, do_gap_tiles, &s);
    if (l->mine) leapfrog_exchange(l);
    l->now += steps;
}

/* Into lanes and back. ------------------------------------------------------------------------- */

typedef struct {
    leapfrog *l;
    direction to;
} moving_state;

/* A stretch of the chain for each lane, row by row. */
static void rows_into_lanes(const double *restrict rows, double *restrict lanes, ptrdiff_t length)
{
    for (ptrdiff_t i = 0; i < length; i++)
        for (int k = 0; k < ROW_LANES; k++) lanes[i * ROW_LANES + k] = rows[k * length + i];
}

static void turn_rows(double *restrict rows, double *restrict lanes, ptrdiff_t length, direction to)
{
    if (to == TO_LANES) rows_into_lanes(rows, lanes, length);
    else
        for (ptrdiff_t i = 0; i < length; i++)
            for (int k = 0; k < ROW_LANES; k++) rows[k * length + i] = lanes[i * ROW_LANES + k];
}

/* Into lanes p + k, back p alone, with kicks that add nothing. */
static void turn_middle(double *restrict p, double *restrict kick, double *restrict lanes,
                        ptrdiff_t length, direction to)
{
    if (to == TO_ROWS) {
        turn_rows(p, lanes, length, to);
        for (ptrdiff_t i = 0; i < ROW_LANES * length; i++) kick[i] = -0.0;
        return;
    }
    for (ptrdiff_t i = 0; i < length; i++)
        for (int k = 0; k < ROW_LANES; k++)
            lanes[i * ROW_LANES + k] = p[k * length + i] + kick[k * length + i];
}

/* A whole block between the order of the chain and lanes. */
static void turn(const leapfrog *l, const leapfrog_block *b, direction to)
{
    const leapfrog_pass  *r = &l->x;
    const leapfrog_lanes *x = &b->x;
    const int         from = b->from, length = b->length;
    turn_rows(r->q + from, x->q, length, to);
    if (l->plain) turn_middle(r->p + from, r->kick + from, x->p, length, to);
    else turn_rows(r->q_low + from, x->q_low, length, to);
    row_pair all[PAIRS_MOST];
    for (int k = row_pairs(l, b, all) - 1; k >= 0; k--)
        turn_rows(all[k].rows + from, all[k].lanes, length, to);
}

/* Drift and damping coefficients of all its rows, if they are equal; otherwise one each. */
static void take_drift(const leapfrog *l, leapfrog_block *b)
{
    if (b->weighed) return;
    const double *R = l->x.resistance;
    bool          same = true;
    for (int i = b->from; i < b->to && same; i++)
        same = l->drift[i] == l->drift[b->from] && (!R || R[i] == R[b->from]);
    b->weighed = true, b->x.drift = same ? NULL : b->drift, b->x.resistance = b->resistance;
    b->x.same = l->drift[b->from], b->x.same_resistance = R ? R[b->from] : 0;
    if (!same) rows_into_lanes(l->drift + b->from, b->drift, b->length);
    if (!same && R) rows_into_lanes(R + b->from, b->resistance, b->length);
}

/* One for each step of a time tile; they differ only in time. */
static void repeat_still(const leapfrog *l, const leapfrog_block *b)
{
    const size_t count = (size_t)l->in_lanes->stills;
    for (size_t k = 1; k <= STEPS_MOST; k++)
        memcpy(b->still + k * count, b->still, count * sizeof *b->still);
}

/* On the way in, what its rows read is put into lanes, too. */
static void turn_blocks(void *self, int part, int parts)
{
    const moving_state *s = self;
    leapfrog           *l = s->l;
    for (int k = part; k < l->side_by_side.blocks; k += parts) {
        leapfrog_block *b = &l->side_by_side.block[k];
        turn(l, b, s->to);
        if (s->to == TO_ROWS) continue;
        take_drift(l, b);
        for (int lane = 0; lane < ROW_LANES; lane++)
            row_lanes_read(l->in_lanes, l->x.s, b->region, b->from + lane * b->length, b->length,
                           lane, b->still, b->moving);
        if (l->driven) repeat_still(l, b);
    }
}

void leapfrog_begin_lanes(leapfrog *l)
{
    moving_state s = {l, TO_LANES};
    thread_pool_work(leapfrog_pool(l, 4), turn_blocks, &s);
}

void leapfrog_end_lanes(leapfrog *l)
{
    moving_state s = {l, TO_ROWS};
    thread_pool_work(leapfrog_pool(l, 4), turn_blocks, &s);
}
