/* passes_linear.c - a step of a large linear chain in two passes with factors kept in strands
 * (linalg/kept.h): its ropes one after the other or shared among threads, and the sizes found on
 * the way. */
#include "mech/large/passes_inside.h"

#include "mech/stepper/stepper.h"

#include <float.h>
#include <math.h>
#include <string.h>

kept_band *passes_strands(const passes *p, mem *m)
{
    return p && p->strands ? kept_new(m, p->n, p->reach) : NULL;
}

typedef struct {
    passes *p;
    pass    down, up;
    int     kind, ropes;
} linear_call;

static void do_rope(const linear_call *c, int kind, int number)
{
    if (kind == SEAM && !number) return;
    c->p->rope[kind](kind == DOWN ? &c->down : &c->up, number);
}

static void do_ropes(void *self, int part, int parts)
{
    const linear_call *c = self;
    const int          first = c->ropes * part / parts, end = c->ropes * (part + 1) / parts;
    for (int i = first; i < end; i++) /* what was last written is read first */
        do_rope(c, c->kind, c->kind == UP ? first + end - 1 - i : i);
}

static void share_ropes(linear_call *c, int kind)
{
    c->kind = kind;
    thread_pool_work(c->p->pool, do_ropes, c);
}

static void all_together(linear_call *c, kept_band *k)
{
    kept_alternate(k, false);
    share_ropes(c, DOWN);
    kept_join(k);
    share_ropes(c, UP);
    share_ropes(c, SEAM);
}

/* Every rope is back-substituted once the next one has been eliminated. */
static void one_by_one(const linear_call *c, kept_band *k)
{
    kept_alternate(k, true);
    do_rope(c, DOWN, 0);
    for (int r = 0; r < k->ropes; r++) {
        if (r + 1 < k->ropes) do_rope(c, DOWN, r + 1);
        kept_join_rope(k, r);
        do_rope(c, UP, r);
        do_rope(c, SEAM, r);
    }
}

/* Predictions around the beginning of each strand but the first. */
static void set_edges_aside(const pass *x, int count, double *edge)
{
    const int H = x->halo;
    for (int at = 1; at < count; at++)
        for (int k = 0; k < 2 * H; k++) {
            const int i = at * x->length + k - H;
            if (i < x->n) edge[at * 2 * H + k] = x->again ? x->y[i] : predicted(x, i);
        }
}

/* Momenta are finite if their sums are. Corrections are finite if those of the first rows of all
 * strands are, since a non-finite number propagates upwards with every row. */
static bool gather_found(const passes *p, const kept_band *k, linear_change *change)
{
    bool good = true;
    *change = (linear_change){0, 0};
    for (int r = 0; r < k->ropes; r++) {
        const double *found = p->found + (ptrdiff_t)r * FOUND;
        for (int l = 0; l < LANES_FOUND; l++) {
            change->correction = larger(found[l], change->correction);
            change->unknown = larger(found[LANES_FOUND + l], change->unknown);
        }
        for (int l = 2 * LANES_FOUND; l < FOUND; l++) good &= fabs(found[l]) <= DBL_MAX;
        for (int l = 0; l < ROPE; l++) good &= fabs(k->rope[r].next[l]) <= DBL_MAX;
    }
    return good;
}

static double whole_work(const passes *p, const pass *x, int ropes)
{
    double sum = 0;
    for (int k = 0; p->forced && k < x->seams + ropes; k++) sum += p->work[k];
    return sum * x->stretch;
}

bool passes_linear(passes *p, const equations *eq, kept_band *k, const past *before, bool again,
                   const end_state *to, double *work, linear_change *change)
{
    const pass_coefficients c = residual_coefficients(eq), dp = momentum_coefficients(eq);
    const pass_coefficients f = force_coefficients(eq);
    const int               inner = k->length - k->reach;
    linear_call             call = {.p = p, .down = pass_at(p, eq, NULL, c.c), .ropes = k->ropes};
    pass                   *x = &call.down;
    for (int a = 0; a < 4; a++) x->past[a] = before->y[a];
    x->y = to->past, x->again = again, x->edge = p->edge, x->found = p->found, x->work = p->work;
    x->to[0] = to->q, x->to[1] = to->q_low, x->to[2] = to->p, x->to[3] = to->p_low;
    x->rope = k->rope, x->length = k->length, x->reach = k->reach, x->halo = row_plan_halo(p->plan);
    x->tiles = (inner + KEPT_TILE - 1) / KEPT_TILE, x->seams = k->ropes * ROPE * x->tiles;
    x->stretch = eq->rule.at[eq->mirrored].dl[1];
    x->direct = k->exact;
    memset(p->found, 0, (size_t)(k->ropes * FOUND) * sizeof *p->found);
    if (!x->direct) set_edges_aside(x, k->ropes * ROPE, p->edge);
    call.up = *x, call.up.c = dp.c, call.up.c_force = f.c;
    if (k->apart && thread_pool_size(p->pool) == 1) one_by_one(&call, k);
    else all_together(&call, k);
    *work += whole_work(p, x, k->ropes);
    const bool good = gather_found(p, k, change);
    if (x->direct) *change = (linear_change){0, 1};
    return good;
}
