/* stage_iteration.c - calls the compiled passes over stages, and adds up what they find, in the
 * order of tiles: the same for any number of threads. */
#include "mech/large/stage_iteration_inside.h"

#include "mech/solve/stages.h"

#include <float.h>
#include <math.h>

enum { HALO_MOST = 4096, POINTS_EACH = 1 << 14 }; /* of a pass, for threads to meet at its end */

static stage_iteration *own(picard_rows *rows)
{
    return (stage_iteration *)(void *)rows;
}

typedef struct {
    const stage_iteration *s;
    stage_kind             kind;
} call;

static void do_share(void *self, int part, int parts)
{
    const call *c = self;
    int         from, to;
    thread_pool_range(c->s->x.n, ROWS_TILE, part, parts, &from, &to);
    c->s->pass[c->kind](&c->s->x, from, to);
}

static void make_pass(stage_iteration *s, stage_kind kind)
{
    thread_pool_work(s->pool, do_share, &(call){s, kind});
}

static double largest_found(const stage_iteration *s, int which)
{
    double most = 0;
    for (int a = 0; a < s->x.n; a += ROWS_TILE)
        most = fmax(most, s->x.found[a / ROWS_TILE * FOUND + which]);
    return most;
}

static double total_found(const stage_iteration *s, int which)
{
    double sum = 0;
    for (int a = 0; a < s->x.n; a += ROWS_TILE) sum += s->x.found[a / ROWS_TILE * FOUND + which];
    return sum;
}

/* Stages that were made are read by the next pass. */
static void turn(stage_iteration *s)
{
    stage_pass   *x = &s->x;
    const double *Q = x->Q, *V = x->V;
    x->Q = x->next_Q, x->next_Q = s->Q[Q == s->Q[1]];
    x->V = x->next_V, x->next_V = s->V[V == s->V[1]];
}

static void begin(picard_rows *rows, stepper *st)
{
    stage_iteration *s = own(rows);
    const equations *eq = &st->eq;
    const picard    *p = &st->picard;
    stage_pass      *x = &s->x;
    for (int i = 0; i < eq->s; i++)
        s->reads[i] = row_plan_reads(s->plan, eq->t + eq->rule.x[eq->mirrored][i] * eq->h);
    x->q = eq->q, x->q_low = eq->q_low, x->p = eq->p, x->p_low = eq->p_low;
    x->h = eq->h, x->part = p->part, x->split = p->split, x->side = eq->mirrored;
    x->y = st->y;
    make_pass(s, BEGIN);
    s->reach = largest_found(s, 0);
    turn(s);
}

static picard_change iterate(picard_rows *rows, stepper *st, bool first)
{
    static const double FAINT = 1e-6; /* as in picard.c */
    stage_iteration    *s = own(rows);
    make_pass(s, first ? FIRST : NEXT);
    turn(s);
    const double  moved = total_found(s, 0), size = total_found(s, 1);
    picard_change made = {.mu = moved > 0 ? moved / size : moved,
                          .noise = largest_found(s, 2) <= st->eq.s * DBL_EPSILON * s->reach,
                          .still = !s->moves && largest_found(s, 3) <= 0};
    if (first) s->x.least = FAINT * largest_found(s, 4), make_pass(s, WEIGH);
    made.eta = largest_found(s, 4);
    return made;
}

static bool end(picard_rows *rows, stepper *st)
{
    stage_iteration *s = own(rows);
    double          *to[] = {st->q0, st->q0_low, st->p0, st->p0_low};
    for (int k = 0; k < 4; k++) s->x.to[k] = to[k];
    make_pass(s, END);
    if (total_found(s, 0) != 0) return false;
    if (s->forced) st->work += total_found(s, 1);
    return true;
}

/* Few points for each thread are not shared. */
picard_rows *stage_iteration_new(mem *m, stepper *st, thread_pool *pool, bool compiles, text *why)
{
    const equations *eq = &st->eq;
    const picard    *p = &st->picard;
    const int        n = eq->n, S = eq->s;
    const row_plan  *plan = p->fits ? row_plan_new(m, st->sys, OF_FORCE, 0) : NULL;
    if (!plan || row_plan_halo(plan) > HALO_MOST) return NULL;
    stage_iteration *s = mem_array(m, 1, stage_iteration);
    s->asked = (picard_rows){begin, iterate, end};
    s->plan = plan, s->moves = p->moves, s->plain = st->options.plain_summation;
    s->forced = st->sys->forced && row_plan_gives(plan, ROW_F);
    s->pool = (double)n * S / thread_pool_size(pool) < POINTS_EACH ? NULL : pool;
    if (compiles && !stage_iteration_compile(s, m, st, why)) return NULL;
    s->reads = mem_array(m, S, row_reads);
    for (int k = 0; k < 2; k++) {
        s->Q[k] = mem_apart(m, (size_t)n * (size_t)S, 2 * k);
        if (s->moves) s->V[k] = mem_apart(m, (size_t)n * (size_t)S, 2 * k + 1);
    }
    s->x = (stage_pass){.s = s->reads,
                        .mobility = p->mobility,
                        .shift = p->shift,
                        .root = p->root,
                        .z = p->z,
                        .v = p->v,
                        .Z = p->Z,
                        .Q = s->Q[0],
                        .V = s->V[0],
                        .next_Q = s->Q[1],
                        .next_V = s->V[1],
                        .weight = p->weight,
                        .moved = p->moved,
                        .found = mem_array(m, (n / ROWS_TILE + 1) * FOUND, double),
                        .n = n};
    return &s->asked;
}
