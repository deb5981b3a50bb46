/* chain.c - calls of the two passes, and what becomes of a correction. */
#include "mech/large/chain_inside.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The number of rows that the rows of a partition may read beyond its ends. */
static int guard_of(const chain_passes *c)
{
    int rows = row_plan_halo(c->plan);
    if (c->lanes && c->lanes->back > rows) rows = c->lanes->back;
    if (c->lanes && c->lanes->ahead > rows) rows = c->lanes->ahead;
    return rows;
}

/* NULL: no partitions, or rows that read beyond the guard rows. */
chain_passes *chain_new(mem *m, const row_plan *plan, unsigned sources, int n, int reach,
                        bool plain, thread_pool *pool)
{
    const row_lanes *lanes = row_lanes_new(m, plan, sources, n);
    partitions      *s = partitions_new(m, n, reach, lanes ? lanes->site : 1);
    if (!s) return NULL;
    chain_passes *c = mem_array(m, 1, chain_passes);
    *c = (chain_passes){.plan = plan,
                        .sources = sources,
                        .plain = plain,
                        .pool = pool,
                        .lanes = lanes,
                        .partitions = s};
    c->pass.n = n;
    c->pass.made = mem_array(m, s->groups * MEASURES, double);
    c->guard = guard_of(c);
    if (c->guard > GUARD_MOST || c->guard > s->length) return NULL;
    chain_divide(c, m);
    return c;
}

/* Calls. --------------------------------------------------------------------------------------- */

typedef struct {
    const chain_passes *c;
    bool         up;
} share;

static void do_share(void *self, int part, int parts)
{
    const share *s = self;
    const chain_passes *c = s->c;
    const int           groups = c->partitions->groups;
    const int           first = groups * part / parts, end = groups * (part + 1) / parts;
    for (int i = first; i < end; i++) {
        const int k = s->up ? first + end - 1 - i : i; /* what was last written is read first */
        group    *of = &c->partitions->group[k];
        if (s->up) c->up(&c->pass, of, k);
        else c->down(&c->pass, of, k);
    }
}

static double larger(double x, double y)
{
    return x > y ? x : y;
}

/* The largest of all groups and lanes; HUGE_VAL stands for what is not finite. */
static row_measure measure(const chain_passes *c)
{
    row_measure all = {0, 0, 0};
    for (int k = 0; k < c->partitions->groups; k++) {
        const double *of = c->pass.made + k * MEASURES;
        for (int l = 0; l < GROUP; l++) {
            all.relative = larger(of[l], all.relative);
            all.most = larger(of[GROUP + l], all.most);
            all.size = larger(of[2 * GROUP + l], all.size);
        }
    }
    if (all.relative >= DBL_MAX || all.most > DBL_MAX) all.relative = HUGE_VAL;
    return all;
}

/* All groups down, and all up. */
partition_end chain_correct_here(chain_passes *c, row_measure *made)
{
    memset(c->pass.made, 0, (size_t)(c->partitions->groups * MEASURES) * sizeof *c->pass.made);
    thread_pool_work(c->pool, do_share, &(share){c, false});
    const partition_end end = partitions_join(c->partitions);
    if (end != PARTITIONS_JOINED) return end;
    thread_pool_work(c->pool, do_share, &(share){c, true});
    *made = measure(c);
    return end;
}

/* The recent size of each unknown: now and in the last two solutions. */
static void find_scale(double *restrict scale, const double *y, const double *const *known, int n)
{
    const double *a = known[0] ? known[0] : y, *b = known[1] ? known[1] : y;
    for (int i = 0; i < n; i++) scale[i] = larger(fabs(b[i]), larger(fabs(a[i]), fabs(y[i])));
}

/* Converts rows to lanes and back; the state only for the first correction of a step. */
partition_end chain_correct(chain_passes *c, const chain_point *at, const row_unknowns *u,
                            row_measure *made)
{
    chain_pass *x = &c->pass;
    x->s = at->s, x->c = at->c, x->l = at->l, x->slope = at->slope;
    if (u->known) find_scale(u->scale, u->y, u->known, x->n);
    if (u->first) {
        chain_state_into_lanes(c, at);
        chain_into_lanes(c, u->scale, c->in.scale);
    }
    chain_into_lanes(c, u->y, c->in.y), chain_exchange(c, c->in.y);
    chain_point_at_lanes(c);
    const partition_end end = chain_correct_here(c, made);
    if (end == PARTITIONS_JOINED) chain_out_of_lanes(c, c->in.y, u->to);
    return end;
}
