/* machine.c - passes over rows without a compiler: the loops of rows/loops.h, run by the batched
 * machine on stretches that fit the cache. */
#include "model/rows/machine.h"

#include "model/rows/loops.h"

#include <string.h>

enum { WIDE = ROWS_TILE + 2 * ROWS_NEAR };

typedef struct {
    const kernel *k;
    uint8_t      *used; /* of each variable of the term */
    double       *reg;
    double      **v; /* of each output that has an array: WIDE numbers, row a at ROWS_NEAR */
} loop_room;

struct row_machine {
    row_loops  of;
    loop_room *room;
    double   **zeros; /* of each plane; NULL: none are needed */
    double   **sum;   /* of each plane: ROWS_TILE numbers     */
};

static loop_room loop_room_new(mem *m, const row_loop *l)
{
    loop_room r = {.used = mem_array(m, l->t->d->feed.n + 1, uint8_t),
                   .v = mem_array(m, l->outputs + 1, double *)};
    r.k = row_loop_kernel(m, l, r.used);
    r.reg = mem_array(m, (size_t)r.k->registers * KERNEL_BLOCK + 1, double);
    kernel_prepare_batch(r.k, r.reg);
    for (int y = 0; y < l->outputs && !l->t->rare; y++)
        if (l->twin[y] == y) r.v[y] = mem_array(m, WIDE, double);
    return r;
}

row_machine *row_machine_new(mem *m, const row_plan *p, unsigned wanted)
{
    row_machine *r = mem_array(m, 1, row_machine);
    r->of = row_loops_new(m, p, wanted);
    r->room = mem_array(m, r->of.loops + 1, loop_room);
    for (int l = 0; l < r->of.loops; l++) r->room[l] = loop_room_new(m, &r->of.loop[l]);
    r->zeros = mem_array(m, r->of.planes, double *);
    r->sum = mem_array(m, r->of.planes, double *);
    for (int plane = 0; plane < r->of.planes; plane++) {
        r->sum[plane] = mem_array(m, ROWS_TILE, double);
        if (row_loops_need_zeros(&r->of, plane)) r->zeros[plane] = mem_array(m, WIDE, double);
    }
    return r;
}

const double *row_machine_sum(const row_machine *r, int plane)
{
    return r->sum[plane];
}

/* One stretch of rows. ------------------------------------------------------------------------- */

typedef struct {
    const row_reads *s;
    const double    *c, *q, *w;
    int              first, a, b;
} stretch;

static const double *read_from(const stretch *x, feed_kind from, int at)
{
    switch (from) {
    case FROM_Q: return x->q + (at - x->first);
    case FROM_W:
    case FROM_V: return x->w + (at - x->first);
    case FROM_DATA: return x->s->data + at;
    case FROM_INPUT: return x->s->input + at;
    case FROM_TIME: return &x->s->t;
    default: return x->s->parameter + at;
    }
}

static void take(double *restrict reg, const double *restrict from, int stride, int count)
{
    if (stride == 1) memcpy(reg, from, (size_t)count * sizeof *reg);
    else
        for (int i = 0; i < count; i++) reg[i] = from[(ptrdiff_t)i * stride];
}

static void put(double *restrict to, int stride, double c, const double *restrict reg, int count)
{
    if (stride == 1)
        for (int i = 0; i < count; i++) to[i] = c * reg[i];
    else
        for (int i = 0; i < count; i++) to[(ptrdiff_t)i * stride] = c * reg[i];
}

static double *own_array(const row_machine *r, int plane)
{
    int loop, y;
    return row_loops_own(&r->of, plane, &loop, &y) ? r->room[loop].v[y] : r->zeros[plane];
}

/* Those of so few instances that they are added one by one. */
static void add_rare(const row_machine *r, const row_loop *l, const stretch *x, const int *at,
                     int k, int y, const double *reg, int count)
{
    const row_output *o = &l->t->output[l->output[y]];
    double           *to = own_array(r, row_loops_plane(&r->of, l, y));
    for (int i = 0; i < count; i++) {
        int row = at[l->t->inputs + l->output[y]] + (k + i) * l->t->stride - x->a;
        if (row >= 0 && row < x->b - x->a) to[row + ROWS_NEAR] += x->c[o->source] * reg[i];
    }
}

/* Instances k .. k + count - 1 of a run. */
static void run_block(const row_machine *r, int number, const stretch *x, const int *at, int k,
                      int count)
{
    const row_loop  *l = &r->of.loop[number];
    const loop_room *room = &r->room[number];
    for (int j = 0; j < l->t->inputs; j++) {
        const row_input *in = &l->t->input[j];
        if (room->used[in->feed])
            take(room->reg + (size_t)in->feed * KERNEL_BLOCK,
                 read_from(x, in->from, at[j]) + (ptrdiff_t)k * in->stride, in->stride, count);
    }
    kernel_run_batch(room->k, room->reg, count);
    for (int y = 0; y < l->outputs; y++) {
        const row_output *o = &l->t->output[l->output[y]];
        const double     *reg = room->reg + (size_t)room->k->out[y] * KERNEL_BLOCK;
        ptrdiff_t         to =
            at[l->t->inputs + l->output[y]] - x->a + ROWS_NEAR + (ptrdiff_t)k * l->t->stride;
        if (l->t->rare) add_rare(r, l, x, at, k, y, reg, count);
        else if (room->v[y]) put(room->v[y] + to, l->t->stride, x->c[o->source], reg, count);
    }
}

/* Arrays that a run does not fill as a whole begin with zeros. */
static void clear(const row_loop *l, const loop_room *room, const run_table *R, const stretch *x)
{
    bool full = R->runs == 1 && l->t->stride == 1;
    for (int y = 0; y < l->outputs && full; y++) {
        int at = R->base[l->t->inputs + l->output[y]];
        full = at <= x->a && at + R->count[0] >= x->b;
    }
    for (int y = 0; y < l->outputs && !full; y++)
        if (room->v[y]) memset(room->v[y], 0, WIDE * sizeof(double));
}

static void run_loop(const row_machine *r, int number, const stretch *x)
{
    const row_loop  *l = &r->of.loop[number];
    const run_table *R = &x->s->table[l->term];
    const int        S = l->t->stride;
    clear(l, &r->room[number], R, x);
    for (int n = run_table_first(R, x->a); n < R->runs && R->low[n] < x->b; n++) {
        const int *at = R->base + (ptrdiff_t)n * R->width;
        int        lo = at[l->t->inputs + l->output[0]], hi = lo;
        for (int y = 1; y < l->outputs; y++) {
            int row = at[l->t->inputs + l->output[y]];
            lo = row < lo ? row : lo, hi = row > hi ? row : hi;
        }
        const int k0 = x->a > hi ? (x->a - hi + S - 1) / S : 0,
                  e = x->b > lo ? (x->b - 1 - lo) / S + 1 : 0;
        const int k1 = e < R->count[n] ? e : R->count[n];
        for (int k = k0; k < k1; k += KERNEL_BLOCK)
            run_block(r, number, x, at, k, k1 - k < KERNEL_BLOCK ? k1 - k : KERNEL_BLOCK);
    }
}

/* The sum is in the order of the terms. */
static void add_up(const row_machine *r, int plane, int n)
{
    double *restrict sum = r->sum[plane];
    bool begun = r->zeros[plane] != NULL;
    if (begun) memcpy(sum, r->zeros[plane] + ROWS_NEAR, (size_t)n * sizeof *sum);
    for (int k = 0; k < r->of.loops; k++)
        for (int y = 0; y < r->of.loop[k].outputs && !r->of.loop[k].t->rare; y++) {
            const row_loop *l = &r->of.loop[k];
            if (row_loops_plane(&r->of, l, y) != plane) continue;
            const double *restrict v = r->room[k].v[l->twin[y]] + (ROWS_NEAR - l->shift[y]);
            if (!begun && l->negative[y])
                for (int i = 0; i < n; i++) sum[i] = -v[i];
            else if (!begun) memcpy(sum, v, (size_t)n * sizeof *sum);
            else if (l->negative[y])
                for (int i = 0; i < n; i++) sum[i] -= v[i];
            else
                for (int i = 0; i < n; i++) sum[i] += v[i];
            begun = true;
        }
}

void row_machine_run(const row_machine *r, const row_reads *s, const double *c, const double *q,
                     const double *w, int first, int a, int b)
{
    const stretch x = {s, c, q, w, first, a, b};
    for (int plane = 0; plane < r->of.planes; plane++)
        if (r->zeros[plane]) memset(r->zeros[plane], 0, WIDE * sizeof(double));
    for (int rare = 0; rare < 2; rare++)
        for (int l = 0; l < r->of.loops; l++)
            if (r->of.loop[l].t->rare == rare) run_loop(r, l, &x);
    for (int plane = 0; plane < r->of.planes; plane++) add_up(r, plane, b - a);
}
