/* passes_linear.c - a step of a large linear chain in two passes with factors kept in partitions
 * (linalg/band_factors.h): its groups one after the other or shared among threads, and the sizes
 * found on the way. */
#include "mech/large/passes_inside.h"

#include "mech/stepper/stepper.h"

#include <float.h>
#include <math.h>
#include <string.h>

band_factors *passes_factors(const passes *p, mem *m)
{
    return p->linear ? band_factors_new(m, p->n, p->reach) : NULL;
}

typedef struct {
    passes *p;
    pass    down, up;
    int     kind, groups;
} linear_call;

/* A seam lies before a group, so the first has none. */
static void do_group(const linear_call *c, int kind, int number)
{
    if (kind == SEAM && !number) return;
    c->p->group[kind](kind == DOWN ? &c->down : &c->up, number);
}

static void do_groups(void *self, int part, int parts)
{
    const linear_call *c = self;
    const int          first = c->groups * part / parts, end = c->groups * (part + 1) / parts;
    for (int i = first; i < end; i++) /* what was last written is read first */
        do_group(c, c->kind, c->kind == UP ? first + end - 1 - i : i);
}

static void share_groups(linear_call *c, int kind)
{
    c->kind = kind;
    thread_pool_work(c->p->pool, do_groups, c);
}

/* Down in all groups, the reduced system between them, up in all, and what lies across seams. */
static void all_together(linear_call *c, band_factors *k)
{
    band_factors_alternate(k, false);
    share_groups(c, DOWN);
    band_factors_join(k, 0, k->in.groups);
    share_groups(c, UP);
    share_groups(c, SEAM);
}

/* Every group is back-substituted once the next one has been eliminated. */
static void one_by_one(const linear_call *c, band_factors *k)
{
    band_factors_alternate(k, true);
    do_group(c, DOWN, 0);
    for (int r = 0; r < k->in.groups; r++) {
        if (r + 1 < k->in.groups) do_group(c, DOWN, r + 1);
        band_factors_join(k, r, r + 1);
        do_group(c, UP, r);
        do_group(c, SEAM, r);
    }
}

/* Predictions around the beginning of each partition but the first. */
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
 * partitions are, since a non-finite number propagates upwards with every row. */
static bool gather_found(const passes *p, const band_factors *k, linear_change *change)
{
    bool good = true;
    *change = (linear_change){0, 0};
    for (int r = 0; r < k->in.groups; r++) {
        const double *found = p->found + (ptrdiff_t)r * FOUND;
        for (int l = 0; l < LANES_FOUND; l++) {
            change->correction = larger(found[l], change->correction);
            change->unknown = larger(found[LANES_FOUND + l], change->unknown);
        }
        for (int l = 2 * LANES_FOUND; l < FOUND; l++) good &= fabs(found[l]) <= DBL_MAX;
        for (int l = 0; l < GROUP; l++) good &= fabs(k->in.group[r].next[l]) <= DBL_MAX;
    }
    return good;
}

/* Sums of b f.z over tiles and seams; stretch turns them into the work, h b f.v. */
static double whole_work(const passes *p, const pass *x, int groups)
{
    double sum = 0;
    for (int k = 0; p->forced && k < x->seams + groups; k++) sum += p->work[k];
    return sum * x->stretch;
}

/* Both passes read the same struct, up with the coefficients of the end of the step. */
bool passes_linear(passes *p, const equations *eq, band_factors *k, const history *before,
                   bool again, const end_state *to, double *work, linear_change *change)
{
    const pass_coefficients c = residual_coefficients(eq), dp = momentum_coefficients(eq);
    const pass_coefficients f = force_coefficients(eq);
    const int               groups = k->in.groups, inner = k->in.length - k->in.reach;
    linear_call             call = {.p = p, .down = pass_at(p, eq, NULL, c.c), .groups = groups};
    pass                   *x = &call.down;
    for (int a = 0; a < 4; a++) x->history[a] = before->y[a];
    x->y = to->y, x->again = again, x->edge = p->edge, x->found = p->found, x->work = p->work;
    x->to[0] = to->q, x->to[1] = to->q_low, x->to[2] = to->p, x->to[3] = to->p_low;
    x->group = k->in.group, x->length = k->in.length, x->halo = row_plan_halo(p->plan);
    x->tiles = (inner + PARTITION_TILE - 1) / PARTITION_TILE, x->seams = groups * GROUP * x->tiles;
    x->stretch = eq->rule.at[eq->mirrored].dl[1];
    x->direct = k->exact;
    memset(p->found, 0, (size_t)(groups * FOUND) * sizeof *p->found);
    if (!x->direct) set_edges_aside(x, groups * GROUP, p->edge);
    call.up = *x, call.up.c = dp.c, call.up.c_force = f.c;
    if (k->apart && thread_pool_size(p->pool) == 1) one_by_one(&call, k);
    else all_together(&call, k);
    *work += whole_work(p, x, groups);
    const bool good = gather_found(p, k, change);
    if (x->direct) *change = (linear_change){0, 1};
    return good;
}
