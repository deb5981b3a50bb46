/* chain.c - the two passes run by the machine, and the calls of either kind. */
#include "mech/large/chain_inside.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The number of rows that the rows of a strand may read beyond its ends. */
static int guard_of(const chain_passes *c)
{
    int rows = row_plan_halo(c->plan);
    if (c->lanes && c->lanes->back > rows) rows = c->lanes->back;
    if (c->lanes && c->lanes->ahead > rows) rows = c->lanes->ahead;
    return rows;
}

bool chain_fits_lanes(const chain_passes *c)
{
    return c->guard <= GUARD_MOST && c->guard <= c->strands->length;
}

chain_passes *chain_new(mem *m, const row_plan *plan, unsigned sources, int n, int reach,
                        bool plain, thread_pool *pool)
{
    const row_lanes *lanes = row_lanes_new(m, plan, sources, n);
    strands         *s = strands_new(m, n, reach, lanes ? lanes->site : 1);
    if (!s) return NULL;
    chain_passes *c = mem_array(m, 1, chain_passes);
    *c = (chain_passes){.plan = plan,
                        .sources = sources,
                        .plain = plain,
                        .pool = pool,
                        .lanes = lanes,
                        .strands = s};
    c->pass.n = n, c->pass.look = 1;
    c->pass.made = mem_array(m, s->ropes * MEASURES, double);
    c->largest = mem_array(m, thread_pool_size(pool), double);
    c->guard = guard_of(c);
    chain_divide(c, m);
    return c;
}

/* Subtracts J^-1 r from the unknowns of a stretch and measures it: `made` holds the largest d/s so
 * far, and, for each of several unknowns side by side, by how much d exceeds it, the largest d, and
 * the largest s. Usually none exceeds the largest so far, which is seen without a division. Sizes
 * below the smallest normal number count as 0: a motion that has decayed to that has nothing left
 * to correct. Going up a strand, the first non-finite number is infinite, so it is the largest. */
CODE_AND_RAW_TEXT(
IMPROVE,
static inline double larger(double x, double y)
{
    return x > y ? x : y;
}
static inline double measured(double y, double by, double scale, double largest, double *over,
                              double *most, double *size)
{
    const double z = y - by, d = fabs(by), s = larger(fabs(z), scale);
    *over = larger(d - largest * s, *over);
    *most = larger(d, *most), *size = larger(s, *size);
    return z;
}
static inline void measure_rows(double *restrict y, const double *restrict by,
                                const double *restrict scale, int n, double largest,
                                double *restrict over, double *restrict most,
                                double *restrict size)
{
    int i = 0;
    for (; i + ROPE <= n; i += ROPE)
        IN_LANES(l) y[i + l] = measured(y[i + l], by[i + l], scale[i + l], largest, &over[l],
                                        &most[l], &size[l]);
    for (int l = 0; i + l < n; l++)
        y[i + l] = measured(y[i + l], by[i + l], scale[i + l], largest, &over[l], &most[l],
                            &size[l]);
}
static inline void compare_rows(const double *restrict y, const double *restrict by,
                                const double *restrict scale, int n, double *restrict largest)
{
    const double least = 0x1p-1022;
    int i = 0;
    for (; i + ROPE <= n; i += ROPE)
        IN_LANES(l) {
            const double d = fabs(by[i + l]), s = larger(fabs(y[i + l]), scale[i + l]), r = d / s;
            largest[l] = larger(d >= least ? r : 0, largest[l]);
        }
    for (int l = 0; i + l < n; l++) {
        const double d = fabs(by[i + l]), s = larger(fabs(y[i + l]), scale[i + l]), r = d / s;
        largest[l] = larger(d >= least ? r : 0, largest[l]);
    }
}
static inline void look_again(const double *y, const double *by, const double *scale, int n,
                              double *made)
{
    double *over = made + 1;
    double worst = 0;
    for (int l = 0; l < ROPE; l++) worst = larger(over[l], worst);
    if (!(worst > 0)) return;
    for (int l = 0; l < ROPE; l++) over[l] = made[0];
    compare_rows(y, by, scale, n, over);
    for (int l = 0; l < ROPE; l++) made[0] = larger(over[l], made[0]), over[l] = 0;
}
static inline void improve(double *y, const double *by, const double *scale, int n, double *made)
{
    measure_rows(y, by, scale, n, made[0], made + 1, made + 1 + ROPE, made + 1 + 2 * ROPE);
    look_again(y, by, scale, n, made);
}
)

/* Beyond the last row the matrix is the identity. */
CODE_AND_RAW_TEXT(
PAD,
static inline void pad(const int B, double *to, int have, int rows)
{
    for (int i = have > 0 ? have : 0; i < rows; i++)
        for (int plane = 0; plane < 2 * B + 2; plane++) to[plane * ROPE_PLANE + i] = plane == B + 1;
}
)

const char *const CHAIN_IMPROVE[2] = {IMPROVE, PAD};

/* By the machine. ------------------------------------------------------------------------------ */

void chain_use_machine(chain_passes *c, mem *m)
{
    const int parts = thread_pool_size(c->pool), around = STRANDS_TILE + 2 * row_plan_halo(c->plan);
    const int all = ROPE * (2 * c->strands->reach + 2) * ROPE_PLANE;
    c->room = mem_array(m, parts, room);
    for (int k = 0; k < parts; k++)
        c->room[k] = (room){row_machine_new(m, c->plan, c->sources), mem_array(m, around, double),
                            mem_array(m, around, double), mem_array(m, all, double)};
}

static void evaluate(const chain_passes *c, const room *by, int a, int b, double *to)
{
    const chain_pass *x = &c->pass;
    const int         halo = row_plan_halo(c->plan), low = a > halo ? a - halo : 0;
    const int         high = b + halo < x->n ? b + halo : x->n;
    for (int i = low; i < high; i++) {
        const double z = x->l * c->old[i];
        by->q[i - low] = x->q[i] + (c->plain ? z : x->q_low[i] + z);
        by->w[i - low] = x->slope * c->old[i];
    }
    row_machine_run(by->rows, x->s, x->c, by->q, by->w, low, a, b);
    const double *sum = row_machine_sum(by->rows, 0) - a;
    for (int i = a; i < b; i++)
        to[i - a] = c->plain ? x->p[i] + sum[i] : (x->p[i] + sum[i]) + x->p_low[i];
    for (int plane = 1; plane < 2 * c->strands->reach + 2; plane++)
        memcpy(to + plane * ROPE_PLANE, row_machine_sum(by->rows, plane),
               (size_t)(b - a) * sizeof *to);
}

static void machine_down(const chain_passes *c, const room *by, rope *s, int number)
{
    const int B = c->strands->reach, planes = 2 * B + 2, n = c->pass.n;
    rope_begin(s, B);
    for (int k = c->pass.first[number]; k < c->pass.first[number + 1]; k++) {
        const int from = c->pass.stretch[k].from, rows = c->pass.stretch[k].rows;
        for (int l = 0; l < ROPE; l++) {
            const int a = (number * ROPE + l) * s->length + from, b = a + rows < n ? a + rows : n;
            double   *to = by->planes + l * planes * ROPE_PLANE;
            if (a < b) evaluate(c, by, a, b, to);
            if (b - a < rows) pad(B, to, b - a, rows);
        }
        rope_down(s, B, by->planes, from, rows);
    }
}

/* Of the rows from `a` on, as far as there are any. */
static void improve_rows(const chain_pass *x, int number, int a, int rows, const double *by)
{
    const int n = x->n - a < rows ? x->n - a : rows;
    if (n > 0) improve(x->y + a, by, x->scale + a, n, x->made + MEASURES * number);
}

static void machine_up(const chain_passes *c, const room *by, rope *s, int number)
{
    for (int k = c->pass.first[number + 1] - 1; k >= c->pass.first[number]; k--) {
        const int from = c->pass.stretch[k].from, rows = c->pass.stretch[k].rows;
        rope_up(s, c->strands->reach, from, rows, by->planes);
        for (int l = 0; l < ROPE; l++)
            improve_rows(&c->pass, number, (number * ROPE + l) * s->length + from, rows,
                         by->planes + l * ROPE_PLANE);
    }
}

/* Calls. --------------------------------------------------------------------------------------- */

static void go_down(const chain_passes *c, int part, rope *s, int number)
{
    if (c->room) machine_down(c, &c->room[part], s, number);
    else c->down(&c->pass, s, number);
}

/* A rope begins with the largest value of those before it in this part: few are larger. */
static void go_up(const chain_passes *c, int part, rope *s, int number)
{
    double *largest = &c->largest[part], *made = c->pass.made + number * MEASURES;
    *made = *largest;
    if (c->room) machine_up(c, &c->room[part], s, number);
    else c->up(&c->pass, s, number);
    *largest = *made;
}

typedef struct {
    const chain_passes *c;
    bool         up;
} share;

static void do_share(void *self, int part, int parts)
{
    const share *s = self;
    const chain_passes *c = s->c;
    const int ropes = c->strands->ropes;
    const int first = ropes * part / parts, end = ropes * (part + 1) / parts;
    for (int i = first; i < end; i++) {
        const int k = s->up ? first + end - 1 - i : i; /* what was last written is read first */
        rope *of = &c->strands->rope[k];
        if (s->up) go_up(c, part, of, k);
        else go_down(c, part, of, k);
    }
}

static chain_measure measure(const chain_passes *c)
{
    chain_measure all = {0, 0, 0};
    for (int k = 0; k < c->strands->ropes; k++) {
        const double *of = c->pass.made + k * MEASURES;
        all.relative = larger(of[0], all.relative);
        for (int i = 1 + ROPE; i <= 2 * ROPE; i++)
            all.most = larger(of[i], all.most), all.size = larger(of[i + ROPE], all.size);
    }
    if (all.relative >= DBL_MAX || all.most > DBL_MAX) all.relative = HUGE_VAL;
    return all;
}

static void begin_measure(const chain_passes *c)
{
    memset(c->pass.made, 0, (size_t)(c->strands->ropes * MEASURES) * sizeof *c->pass.made);
    memset(c->largest, 0, (size_t)thread_pool_size(c->pool) * sizeof *c->largest);
}

/* All ropes down, and all up. */
strands_end chain_correct_here(chain_passes *c, chain_measure *made)
{
    begin_measure(c);
    thread_pool_work(c->pool, do_share, &(share){c, false});
    const strands_end end = strands_join(c->strands);
    if (end != STRANDS_JOINED) return end;
    thread_pool_work(c->pool, do_share, &(share){c, true});
    *made = measure(c);
    return end;
}

static void find_scale(double *restrict scale, const double *y, const double *const *known, int n)
{
    const double *a = known[0] ? known[0] : y, *b = known[1] ? known[1] : y;
    for (int i = 0; i < n; i++) scale[i] = larger(fabs(b[i]), larger(fabs(a[i]), fabs(y[i])));
}

/* Converts rows to lanes and back; the state only for the first correction of a step. */
static void enter_lanes(chain_passes *c, const chain_unknowns *u)
{
    chain_into_lanes(c, u->y, c->in.y), chain_exchange(c, c->in.y);
    chain_point_at_lanes(c);
}

static void enter_rows(chain_passes *c, const chain_unknowns *u)
{
    memcpy(u->to, u->y, (size_t)c->pass.n * sizeof *u->to);
    c->old = u->y, c->pass.y = u->to, c->pass.scale = u->scale;
}

strands_end chain_correct(chain_passes *c, const chain_point *at, const chain_unknowns *u,
                          chain_measure *made)
{
    chain_pass *x = &c->pass;
    x->s = at->s, x->c = at->c, x->l = at->l, x->slope = at->slope;
    x->q = at->q, x->q_low = at->q_low, x->p = at->p, x->p_low = at->p_low;
    if (u->known) find_scale(u->scale, u->y, u->known, x->n);
    if (!c->room && u->first) {
        chain_state_into_lanes(c, at);
        chain_into_lanes(c, u->scale, c->in.scale);
    }
    if (c->room) enter_rows(c, u);
    else enter_lanes(c, u);
    const strands_end end = chain_correct_here(c, made);
    if (end == STRANDS_JOINED && !c->room) chain_out_of_lanes(c, c->in.y, u->to);
    return end;
}
