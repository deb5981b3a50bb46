/* passes.c - creates passes, compiled or by the machine, and calls them. */
#include "mech/large/passes_inside.h"

#include "kernel/native.h"
#include "mech/stepper/stepper.h"

#include <string.h>

static const unsigned wanted[KINDS] = {[RESIDUAL] = OF_RESIDUAL,
                                       [JACOBIAN] = OF_JACOBIAN,
                                       [MOMENTUM] = OF_MOMENTUM,
                                       [FORCE] = OF_FORCE};

/* The largest distance of an entry from the diagonal; 1 only if all those entries exist. 0: beyond
 * REACH_MOST, or none. */
static int reach_of(const pattern *J)
{
    int reach = 1;
    for (int i = 0; i < J->rows && reach <= REACH_MOST; i++)
        for (int k = J->start[i]; k < J->start[i + 1]; k++) {
            int away = J->column[k] > i ? J->column[k] - i : i - J->column[k];
            if (away > reach) reach = away;
        }
    if (reach == 1 && pattern_count(J) != 3 * J->rows - 2) return 0;
    return reach <= REACH_MOST ? reach : 0;
}

static bool fits(const equations *eq)
{
    return eq->single && !eq->shot && eq->sys->rows && eq->sys->varies[F_LQW] == FIELD_ZERO &&
           !eq->diagonal;
}

static bool compile(passes *p, mem *m, text *why)
{
    text words = text_new(m);
    passes_write(p, &words);
    if (p->chain) chain_write(p->chain, &words);
    const native_library *lib = native_build(m, words.at, words.n, why);
    text_drop(&words);
    bool all = lib;
    for (int k = 0; k < KINDS && all; k++) {
        if (!pass_is_compiled(p, k)) continue;
        p->code[k] = (pass_function)native_symbol(lib, pass_names[k]);
        all = p->code[k];
    }
    static const char *const of_groups[] = {
        [DOWN] = "linear_down", [UP] = "linear_up", [SEAM] = "linear_seam"};
    for (int k = 0; k < GROUP_KINDS && all && p->partitioned; k++) {
        p->group[k] = (group_function)native_symbol(lib, of_groups[k]);
        all = p->group[k];
    }
    if (!all) return false;
    return !p->chain || chain_link(p->chain, m, lib);
}

static machine machine_new(mem *m, const passes *p)
{
    const int room = ROWS_TILE + 2 * row_plan_halo(p->plan);
    machine   made = {.q = mem_array(m, room, double), .w = mem_array(m, room, double)};
    for (int k = 0; k <= FORCE; k++) {
        if (pass_is_compiled(p, k) && p->native) continue;
        made.by[k] = row_machine_new(m, p->plan, wanted[k]);
        if (p->settled && k != JACOBIAN)
            made.settled[k] = row_machine_new(m, p->settled, wanted[k]);
    }
    return made;
}

/* Few steps of other systems are solved without a matrix, which is most of their work. */
static void settle(passes *p, mem *m, const equations *eq)
{
    eq->sys->rows->reads(eq->sys->self, p->plan, eq->t, &p->reads);
    p->settled = row_plan_settled(m, p->plan, &p->reads);
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

static void forget(by_rows *rows)
{
    own(rows)->looked = false;
}

static bool still_holds(passes *p)
{
    if (p->settled && !p->looked) p->holds = row_plan_holds(p->settled, &p->reads);
    p->looked = true;
    return p->holds;
}

bool passes_compiled(const passes *p)
{
    return p && p->native;
}

/* By the machine: sample points around a tile of rows, the sums of its rows, and what becomes of
 * them. */
static void place_points(const machine *by, bool plain, const pass *x, int low, int high)
{
    const double *restrict base = x->q + low, *restrict rest = x->q_low + low,
                           *restrict z = x->z + low;
    double *restrict q = by->q, *restrict w = by->w;
    for (int i = 0; i < high - low; i++) w[i] = x->slope * z[i];
    if (plain)
        for (int i = 0; i < high - low; i++) q[i] = base[i] + x->l * z[i];
    else
        for (int i = 0; i < high - low; i++) q[i] = base[i] + (rest[i] + x->l * z[i]);
}

static void write_band(const row_machine *of, const pass *x, int reach, int a, int b)
{
    const double *plane[2 * REACH_MOST + 1] = {NULL};
    for (int o = 0; o <= 2 * reach; o++) plane[o] = row_machine_sum(of, o + 1);
    for (int i = 0; i < b - a; i++)
        for (int k = x->start[a + i]; k < x->start[a + i + 1]; k++)
            x->values[k] = plane[x->column[k] - (a + i) + reach][i];
}

static void write_three(const row_machine *of, const pass *x, int a, int b)
{
    const double *restrict left = row_machine_sum(of, 1), *restrict main = row_machine_sum(of, 2);
    const double *restrict right = row_machine_sum(of, 3);
    double *restrict row = x->values + 3 * (ptrdiff_t)a;
    const int head = a == 0, tail = b == x->n, last = b - a - 1;
    if (head) row[0] = main[0], row[1] = right[0];
    for (int i = head; i < b - a - tail; i++)
        row[3 * i - 1] = left[i], row[3 * i] = main[i], row[3 * i + 1] = right[i];
    if (tail) row[3 * last - 1] = left[last], row[3 * last] = main[last];
}

static void machine_tile(const passes *p, const machine *by, int kind, const pass *x, int a, int b)
{
    const int          halo = row_plan_halo(p->plan), low = a > halo ? a - halo : 0;
    const row_machine *of = machine_of(by, kind, x->settled);
    double *restrict r = x->r + (a - x->origin);
    const double *restrict sum = row_machine_sum(of, 0), *restrict of_p = x->p + a,
                           *restrict of_low = x->p_low + a;
    place_points(by, p->plain, x, low, b + halo < x->n ? b + halo : x->n);
    row_machine_run(of, x->s, x->c, by->q, by->w, low, a, b);
    if (kind == RESIDUAL || kind == JACOBIAN)
        for (int i = 0; i < b - a; i++)
            r[i] = p->plain ? of_p[i] + sum[i] : (of_p[i] + sum[i]) + of_low[i];
    else memcpy(r, sum, (size_t)(b - a) * sizeof *r);
    if (kind == JACOBIAN && p->reach > 1) write_band(of, x, p->reach, a, b);
    else if (kind == JACOBIAN) write_three(of, x, a, b);
}

/* Rows from .. to-1. */
static void pass_run(const passes *p, int part, int kind, const pass *x, int from, int to)
{
    if (p->native && p->code[kind]) p->code[kind](x, from, to);
    else
        for (int a = from; a < to; a += ROWS_TILE)
            machine_tile(p, &p->machine[part], kind, x, a, a + ROWS_TILE < to ? a + ROWS_TILE : to);
}

typedef struct {
    void *self;
    void (*stretch)(void *self, int part, int from, int to);
    int n;
} share;

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
    eq->sys->rows->reads(eq->sys->self, p->plan, eq->t + eq->rule.x[eq->mirrored][0] * eq->h,
                         &p->reads);
    return (pass){.s = &p->reads,
                  .c = c,
                  .q = eq->q,
                  .q_low = eq->q_low,
                  .z = y,
                  .p = eq->p,
                  .p_low = eq->p_low,
                  .l = at->l[1],
                  .slope = at->dl[1] / eq->h,
                  .n = eq->n,
                  .settled = still_holds(p),
                  .values = eq->values,
                  .start = eq->J.start,
                  .column = eq->J.column};
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

typedef struct {
    passes *p;
    pass    x;
    int     kind;
    double *minus_r; /* or NULL */
} residual_call;

static void residual_stretch(void *self, int part, int from, int to)
{
    const residual_call *c = self;
    const double *restrict r = c->x.r;
    double *restrict minus = c->minus_r;
    pass_run(c->p, part, c->kind, &c->x, from, to);
    if (!all_finite(r + from, to - from)) c->p->good[part] = false;
    for (int i = from; minus && i < to; i++) minus[i] = -r[i];
}

/*     R = p_0 + c_w L_w + c_q (L_q + f)                                       theory.md [GALERKIN]
 *     dR/dZ = b [l'_0 l'_1 L_ww / h + h l_0 l_1 (L_qq + f_q) + l_0 l'_1 f_w] */
pass_coefficients residual_coefficients(const equations *eq)
{
    const basis *at = &eq->rule.at[eq->mirrored];
    const double cw = eq->cw[0], cq = eq->cq[0], l = at->l[1], slope = at->dl[1] / eq->h;
    return (pass_coefficients){{[ROW_LW] = cw,
                                [ROW_LQ] = cq,
                                [ROW_F] = cq,
                                [ROW_LWW] = cw * slope,
                                [ROW_LQQ] = cq * l,
                                [ROW_FQ] = cq * l,
                                [ROW_FW] = cq * slope}};
}

static bool residual(by_rows *rows, const equations *eq, const double *y, double *r,
                     double *minus_r, bool with_jacobian)
{
    passes                 *p = own(rows);
    const pass_coefficients c = residual_coefficients(eq);
    residual_call call = {p, pass_at(p, eq, y, c.c), with_jacobian ? JACOBIAN : RESIDUAL, minus_r};
    call.x.r = r;
    begin(p);
    passes_share(p, &call, residual_stretch);
    return all_good(p);
}

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
static void work_of_tiles(const end_call *c, int part, double *room, int from, int to)
{
    pass x = c->force;
    x.r = room, x.origin = from;
    pass_run(c->p, part, FORCE, &x, from, to);
    for (int a = from; a < to; a += ROWS_TILE) {
        const int count = a + ROWS_TILE < to ? ROWS_TILE : to - a;
        c->p->work[a / ROWS_TILE] = work_of_rows(room + (a - from), x.z + a, c->slope, count);
    }
}

static void end_stretch(void *self, int part, int from, int to)
{
    const end_call  *c = self;
    const end_state *s = c->to;
    passes          *p = c->p;
    double          *dp = p->room + (size_t)part * STRETCH;
    pass             x = c->momentum;
    const int        n = to - from;
    if (p->forced) work_of_tiles(c, part, dp, from, to);
    x.r = dp, x.origin = from;
    pass_run(p, part, MOMENTUM, &x, from, to);
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

static double all_work(const passes *p)
{
    double sum = 0;
    for (int a = 0; p->forced && a < p->n; a += ROWS_TILE) sum += p->work[a / ROWS_TILE];
    return sum;
}

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

passes *passes_new(mem *m, const equations *eq, thread_pool *pool, bool native, bool plain,
                   text *why)
{
    const int       reach = fits(eq) ? reach_of(&eq->J) : 0;
    const row_plan *plan = reach ? eq->sys->rows->plan(eq->sys->self, m, OF_JACOBIAN, reach) : NULL;
    const int       parts = thread_pool_size(pool);
    if (!plan || row_plan_halo(plan) > HALO_MOST) return NULL;
    passes *p = mem_array(m, 1, passes);
    p->plan = plan, p->reach = reach, p->pool = pool, p->n = eq->n, p->forced = eq->sys->forced;
    p->plain = plain, p->linear = eq->constant;
    if (p->linear) settle(p, m, eq);
    p->partitioned = native && p->linear && band_factors_fits(eq->n, reach) &&
                     row_plan_halo(plan) <= HALO_OF_PARTITIONS;
    p->good = mem_array(m, parts, bool);
    p->room = mem_array(m, parts * STRETCH, double);
    const int groups = band_factors_groups(eq->n), many = groups * GROUP; /* partitions */
    p->work = mem_array(m, eq->n / FACTOR_TILE + 4 * many, double);
    p->found = mem_array(m, groups * FOUND, double);
    p->edge = mem_array(m, (many + 1) * 2 * HALO_OF_PARTITIONS, double);
    if (native && !p->linear) p->chain = chain_new(m, plan, OF_JACOBIAN, eq->n, reach, plain, pool);
    p->native = native && compile(p, m, why);
    if (!p->native) p->chain = NULL, p->partitioned = false;
    p->asked = (by_rows){forget, residual, p->chain ? correct : NULL, end, linear_step};
    if (p->native && !p->linear) return p;
    p->machine = mem_array(m, parts, machine);
    for (int k = 0; k < parts; k++) p->machine[k] = machine_new(m, p);
    return p;
}
