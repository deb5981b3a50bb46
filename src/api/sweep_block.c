/* sweep_block.c - a block of members at once: each begins by itself, all make their steps together,
 * each ends by itself. One that cannot be helped on the way is run as if there were no others. */
#include "api/sweep.h"

enum { STRETCH = 256 }; /* steps between two questions whether to go on */

typedef enum { APART, TOGETHER, LOST } company;

typedef struct {
    const member_place *at;
    lane_block         *b;
    int                 count;
    running             r[LANES];
    company             with[LANES];
    int                 lane; /* the one that is dealt with */
} block;

static dal_status join(void *self)
{
    block   *k = self;
    running *r = &k->r[k->lane];
    return ensemble_join(k->b, k->lane, r->s);
}

static dal_status rescue(void *self)
{
    block *k = self;
    return ensemble_rescue(k->b, k->lane, k->r[k->lane].s) ? DAL_OK : DAL_DIVERGED;
}

/* A member whose first steps fail goes on by itself, and will say why. */
static dal_status begin_one(block *k, long who)
{
    running   *r = &k->r[k->lane];
    dal_status bad = member_begin(r, k->at, who);
    if (bad || !r->begun || !ensemble_takes(&k->at->w->with, r->s)) return bad;
    bad = guarded(r->cx, &r->s->m, join, k);
    if (!bad) k->with[k->lane] = TOGETHER;
    return bad == DAL_NOMEM ? bad : DAL_OK;
}

static dal_status begin_all(block *k, long first)
{
    dal_status bad = DAL_OK;
    ensemble_begin(&k->at->w->with, k->b);
    for (k->lane = 0; k->lane < k->count && !bad; k->lane++)
        if (!k->at->w->outcome[first + k->lane].done) bad = begin_one(k, first + k->lane);
    return bad;
}

/* Members that were lost in the last step make it by themselves. */
static dal_status help(block *k)
{
    for (k->lane = 0; k->lane < k->count; k->lane++) {
        running *r = &k->r[k->lane];
        if (k->with[k->lane] != TOGETHER || k->b->s.alive[k->lane]) continue;
        dal_status bad = guarded(r->cx, &r->s->m, rescue, k);
        if (bad == DAL_NOMEM) return bad;
        if (bad) k->with[k->lane] = k->b->substeps > 1 ? LOST : APART;
    }
    return DAL_OK;
}

static dal_status run_lanes(block *k)
{
    dal_status bad = DAL_OK;
    while (!bad && ensemble_advance(&k->at->w->with, k->b, STRETCH)) {
        bad = help(k);
        if (!bad) bad = k->at->pause(k->at->self);
    }
    return bad;
}

static dal_status end_one(block *k, int l)
{
    running      *r = &k->r[l];
    const running lost = *r;
    dal_status    bad = DAL_OK;
    k->at->w->outcome[r->who].together = k->with[l] == TOGETHER;
    if (k->with[l] == TOGETHER) ensemble_leave(k->b, l, r->s);
    if (k->with[l] == LOST) member_drop(r), bad = member_begin(r, lost.at, lost.who);
    return bad ? bad : member_end(r);
}

dal_status members_run_together(const member_place *at, lane_block *b, long first, long end)
{
    block      k = {.at = at, .b = b, .count = (int)(end - first)};
    dal_status bad = begin_all(&k, first);
    if (!bad) bad = run_lanes(&k);
    for (int l = 0; l < k.count && !bad; l++)
        if (k.r[l].s) bad = end_one(&k, l);
    for (int l = 0; l < k.count; l++) member_drop(&k.r[l]);
    return bad;
}
