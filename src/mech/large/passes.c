/* passes.c - creates the compiled passes of a chain and calls them. */
#include "mech/large/passes_inside.h"

#include "kernel/native.h"
#include "mech/stepper/stepper.h"

#include <string.h>

/* The largest distance of an entry from the diagonal; 1 only if all those entries exist. 0: beyond
 * PARTITION_REACH, or none. */
static int reach_of(const pattern *J)
{
    int reach = 1;
    for (int i = 0; i < J->rows && reach <= PARTITION_REACH; i++)
        for (int k = J->start[i]; k < J->start[i + 1]; k++) {
            int away = J->column[k] > i ? J->column[k] - i : i - J->column[k];
            if (away > reach) reach = away;
        }
    if (reach == 1 && pattern_count(J) != 3 * J->rows - 2) return 0;
    return reach <= PARTITION_REACH ? reach : 0;
}

/* One point and degree one; L_wq = 0, as the sums of rows have no place for it; not explicit. */
static bool fits(const equations *eq)
{
    return eq->single && !eq->shot && eq->sys->varies[F_LQW] == FIELD_ZERO && !eq->diagonal;
}

/* Passes of nonlinear chains at the end of a step, and of linear ones. */
static bool link_ends(passes *p, mem *m, const native_library *lib)
{
    p->momentum = (pass_function)native_symbol(lib, "momentum");
    p->force = (pass_function)native_symbol(lib, "force");
    return p->momentum && p->force && chain_link(p->chain, m, lib);
}

static bool link_groups(passes *p, const native_library *lib)
{
    static const char *const names[] = {
        [DOWN] = "linear_down", [UP] = "linear_up", [SEAM] = "linear_seam"};
    bool all = true;
    for (int k = 0; k < GROUP_KINDS; k++) {
        p->group[k] = (group_function)native_symbol(lib, names[k]);
        all = all && p->group[k];
    }
    return all;
}

/* False: `why` has the reason, unless a function is missing. */
static bool compile(passes *p, mem *m, text *why)
{
    text words = text_new(m);
    passes_write(p, &words);
    if (p->chain) chain_write(p->chain, &words);
    const native_library *lib = native_build(m, words.at, words.n, why);
    text_drop(&words);
    return lib && (p->linear ? link_groups(p, lib) : link_ends(p, m, lib));
}

/* A by_rows is the beginning of its passes. */
static passes *own(by_rows *rows)
{
    return (passes *)(void *)rows;
}

passes *passes_of(const equations *eq)
{
    return eq->rows ? own(eq->rows) : NULL;
}

by_rows *passes_asked(passes *p)
{
    return &p->asked;
}

typedef struct {
    void *self;
    void (*stretch)(void *self, int part, int from, int to);
    int n;
} share;

/* The rows of one thread, a stretch at a time. */
static void do_share(void *self, int part, int parts)
{
    const share *s = self;
    int          from, to;
    thread_pool_range(s->n, ROWS_TILE, part, parts, &from, &to);
    for (int a = from; a < to; a += STRETCH)
        s->stretch(s->self, part, a, a + STRETCH < to ? a + STRETCH : to);
}

/* Calls. --------------------------------------------------------------------------------------- */

/* A pass at the point of the curve. */
pass pass_at(passes *p, const equations *eq, const double *y, const double *c)
{
    const basis *at = &eq->rule.at[eq->mirrored];
    p->reads = row_plan_reads(p->plan, eq->t + eq->rule.x[eq->mirrored][0] * eq->h);
    return (pass){.s = &p->reads,
                  .c = c,
                  .q = eq->q,
                  .q_low = eq->q_low,
                  .z = y,
                  .p = eq->p,
                  .p_low = eq->p_low,
                  .l = at->l[1],
                  .slope = at->dl[1] / eq->h,
                  .n = eq->n};
}

/* Every thread processes one stretch after the other, so that what a pass has written is still in
 * cache for the next. */
static void passes_share(passes *p, void *self,
                         void (*stretch)(void *self, int part, int from, int to))
{
    share s = {self, stretch, p->n};
    thread_pool_work(p->pool, do_share, &s);
}

static bool all_good(const passes *p)
{
    bool good = true;
    for (int k = 0; k < thread_pool_size(p->pool); k++) good &= p->good[k];
    return good;
}

static void begin(passes *p)
{
    for (int k = 0; k < thread_pool_size(p->pool); k++) p->good[k] = true;
}

/*     R = p_0 + c_w L_w + c_q (L_q + f)                                       theory.md [GALERKIN]
 *     dR/dZ = b [l'_0 l'_1 L_ww / h + h l_0 l_1 (L_qq + f_q) + l_0 l'_1 f_w] */
pass_coefficients residual_coefficients(const equations *eq)
{
    const basis *at = &eq->rule.at[eq->mirrored];
    const double cw = eq->c.w[0], cq = eq->c.q[0], l = at->l[1], slope = at->dl[1] / eq->h;
    return (pass_coefficients){{[ROW_LW] = cw,
                                [ROW_LQ] = cq,
                                [ROW_F] = cq,
                                [ROW_LWW] = cw * slope,
                                [ROW_LQQ] = cq * l,
                                [ROW_FQ] = cq * l,
                                [ROW_FW] = cq * slope}};
}

/* by_rows.correct: a Newton correction of a nonlinear chain. */
static partition_end correct(by_rows *rows, const equations *eq, const row_unknowns *u,
                             row_measure *made)
{
    passes                 *p = own(rows);
    const pass_coefficients c = residual_coefficients(eq);
    const pass              x = pass_at(p, eq, u->y, c.c);
    const chain_point       at = {x.s, x.c, x.q, x.q_low, x.p, x.p_low, x.l, x.slope};
    return chain_correct(p->chain, &at, u, made);
}

typedef struct {
    passes          *p;
    pass             momentum, force;
    const end_state *to;
    double           slope;
} end_call;

/* Eight independent sums, so that additions do not wait for each other. */
static double work_of_rows(const double *restrict f, const double *restrict z, double slope, int n)
{
    double sum[8] = {0};
    int    i = 0;
    for (; i + 8 <= n; i += 8)
        for (int l = 0; l < 8; l++) sum[l] += f[i + l] * (slope * z[i + l]);
    for (; i < n; i++) sum[0] += f[i] * (slope * z[i]);
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

/*     sum of f z, in tiles of rows: the same for any number of parts */
static void work_of_tiles(const end_call *c, double *room, int from, int to)
{
    pass x = c->force;
    x.r = room, x.origin = from;
    c->p->force(&x, from, to);
    for (int a = from; a < to; a += ROWS_TILE) {
        const int count = a + ROWS_TILE < to ? ROWS_TILE : to - a;
        c->p->work[a / ROWS_TILE] = work_of_rows(room + (a - from), x.z + a, c->slope, count);
    }
}

/* The work first, since its room is that of dp. */
static void end_stretch(void *self, int part, int from, int to)
{
    const end_call  *c = self;
    const end_state *s = c->to;
    passes          *p = c->p;
    double          *dp = p->room + (size_t)part * STRETCH;
    pass             x = c->momentum;
    const int        n = to - from;
    if (p->forced) work_of_tiles(c, dp, from, to);
    x.r = dp, x.origin = from;
    p->momentum(&x, from, to);
    if (!all_finite(dp, n)) p->good[part] = false;
    advance(s->q + from, s->q_low + from, x.q + from, x.q_low + from, x.z + from, n, s->plain);
    advance(s->p + from, s->p_low + from, x.p + from, x.p_low + from, dp, n, s->plain);
}

/*     q_1 = q_0 + Z,   p_1 = p_0 + h b (L_q + f),   and h b f.v = b l'_1 f.Z  theory.md [POWER] */
pass_coefficients momentum_coefficients(const equations *eq)
{
    const double c = eq->h * eq->rule.b[0];
    return (pass_coefficients){{[ROW_LQ] = c, [ROW_F] = c}};
}

pass_coefficients force_coefficients(const equations *eq)
{
    return (pass_coefficients){{[ROW_F] = eq->rule.b[0]}};
}

/* In the order of tiles, so that the sum has the same bits for any number of threads. */
static double all_work(const passes *p)
{
    double sum = 0;
    for (int a = 0; p->forced && a < p->n; a += ROWS_TILE) sum += p->work[a / ROWS_TILE];
    return sum;
}

/* by_rows.end: the state at the end of the curve y, and the work along it. */
static bool end(by_rows *rows, const equations *eq, const double *y, const end_state *to,
                double *work)
{
    passes                 *p = own(rows);
    const pass_coefficients dp = momentum_coefficients(eq), f = force_coefficients(eq);
    end_call                call = {p, pass_at(p, eq, y, dp.c), pass_at(p, eq, y, f.c), to,
                                    eq->rule.at[eq->mirrored].dl[1]};
    begin(p);
    passes_share(p, &call, end_stretch);
    *work += all_work(p);
    return all_good(p);
}

passes *passes_new(mem *m, const equations *eq, thread_pool *pool, bool compiles, bool plain,
                   text *why)
{
    const int       reach = fits(eq) ? reach_of(&eq->J) : 0;
    const row_plan *plan = reach ? row_plan_new(m, eq->sys, OF_JACOBIAN, reach) : NULL;
    const int       parts = thread_pool_size(pool);
    if (!plan) return NULL;
    passes *p = mem_array(m, 1, passes);
    p->plan = plan, p->reach = reach, p->pool = pool, p->n = eq->n, p->forced = eq->sys->forced;
    p->plain = plain, p->linear = eq->constant;
    if (!p->linear) p->chain = chain_new(m, plan, OF_JACOBIAN, eq->n, reach, plain, pool);
    const bool divides =
        p->linear ? band_factors_fit(eq->n, reach) && row_plan_halo(plan) <= HALO_OF_PARTITIONS
                  : p->chain != NULL;
    if (!divides || (compiles && !compile(p, m, why))) return NULL;
    p->good = mem_array(m, parts, bool);
    p->room = mem_array(m, parts * STRETCH, double);
    const int groups = band_factors_groups(eq->n), many = groups * GROUP; /* partitions */
    p->work = mem_array(m, eq->n / PARTITION_TILE + 4 * many, double);
    p->found = mem_array(m, groups * FOUND, double);
    p->edge = mem_array(m, (many + 1) * 2 * HALO_OF_PARTITIONS, double);
    if (p->linear) p->asked.step_linear = linear_step;
    else p->asked.correct = correct, p->asked.end = end;
    return p;
}
