/* sweep_block.c - a block of members at once: each is set up and finished by itself, all make their
 * steps together. A member whose times are others has a block of its own afterwards, so that its
 * steps are those that it would make among others. A member that fails on the way is run by itself.
 *
 * Set-up and finish use one simulation for all members in turn, where possible: creating one for
 * each would take longer than its steps. */
#include "api/sweep.h"

enum {
    STRETCH = 61,
    USES_MOST = 512
}; /* steps between two questions whether to go on, and two looks; members of one simulation */

typedef enum { APART, TOGETHER, WAITING, LOST } member_state;

/* What a member has seen before it joins a block. */
typedef struct {
    dal_range     energy;
    energy_defect defect;
    double        work;
} beginning;

typedef struct {
    const member_place *at;
    lane_block         *b;
    running            *shared; /* of many members; the others have their own */
    long                first;
    int                 count;
    running             own[LANES_MOST];
    member_state        with[LANES_MOST];
    beginning           begun[LANES_MOST];
    int                 lane; /* the one that is dealt with */
} block;

/* The simulation of a lane. */
static running *of_lane(block *k)
{
    return k->own[k->lane].s ? &k->own[k->lane] : k->shared;
}

/* Under the guard of the member's own context. */
static dal_status join(void *self)
{
    block *k = self;
    return ensemble_join(k->b, k->lane, of_lane(k)->s);
}

static dal_status rescue(void *self)
{
    block *k = self;
    return ensemble_rescue(k->b, k->lane, of_lane(k)->s, of_lane(k) == k->shared) ? DAL_OK
                                                                                  : DAL_DIVERGED;
}

/* The first steps, by itself. */
static dal_status start_lane(block *k)
{
    running       *r = of_lane(k);
    const monitor *mon = &r->s->mon;
    dal_status     bad = guarded(r->cx, &r->s->m, join, k);
    k->begun[k->lane] = (beginning){mon->sum.energy, mon->defect, mon->sum.work};
    return bad;
}

/* Is it like the first member, and on the same grid of times? */
static bool is_taken(const block *k, const dal_sim *s)
{
    const ensemble *e = &k->at->w->with;
    return ensemble_takes(e, s) && ensemble_keeps_time(e->first, s);
}

/* In the simulation that others had before; true: it is on its way. */
static dal_status begin_shared(block *k, bool *done)
{
    bool other = false;
    *done = false;
    if (!k->shared->s || k->shared->uses >= USES_MOST) return DAL_OK;
    dal_status bad = member_again(k->shared, k->at, k->first + k->lane, &other);
    if (!bad && !other && is_taken(k, k->shared->s)) {
        bad = start_lane(k);
        *done = !bad;
    }
    if (*done) k->with[k->lane] = TOGETHER;
    return bad == DAL_NOMEM ? bad : DAL_OK;
}

/* In one of its own, which others may have after it. A member whose first steps fail goes on by
 * itself, and will say why. */
static dal_status begin_own(block *k)
{
    running   *r = &k->own[k->lane];
    dal_status bad = member_begin(r, k->at, k->first + k->lane);
    if (bad || !r->begun || !ensemble_takes(&k->at->w->with, r->s)) return bad;
    if (!is_taken(k, r->s)) {
        k->with[k->lane] = WAITING;
        return DAL_OK;
    }
    bad = start_lane(k);
    if (!bad) k->with[k->lane] = TOGETHER;
    if (bad || !ensemble_is_shareable(r->s)) return bad == DAL_NOMEM ? bad : DAL_OK;
    member_drop(k->shared);
    *k->shared = *r, *r = (running){0};
    return DAL_OK;
}

/* Lanes whose member is done already stay empty. */
static dal_status begin_all(block *k)
{
    dal_status bad = DAL_OK;
    ensemble_begin(k->b, k->at->w->with.first);
    for (k->lane = 0; k->lane < k->count && !bad; k->lane++) {
        bool done = k->at->w->outcome[k->first + k->lane].done;
        if (!done) bad = begin_shared(k, &done);
        if (!done && !bad) bad = begin_own(k);
    }
    return bad;
}

/* Members that were lost in the last step make it by themselves. */
static dal_status retry(block *k)
{
    for (k->lane = 0; k->lane < k->count; k->lane++) {
        running *r = of_lane(k);
        if (k->with[k->lane] != TOGETHER || k->b->s.on[k->lane]) continue;
        dal_status bad = guarded(r->cx, &r->s->m, rescue, k);
        if (bad == DAL_NOMEM) return bad;
        if (bad) k->with[k->lane] = LOST;
    }
    return DAL_OK;
}

/* In stretches, between which the observer may stop the sweep. */
static dal_status run_lanes(block *k)
{
    dal_status bad = DAL_OK;
    repeat_lanes_begin(k->b);
    while (!bad && ensemble_advance(&k->at->w->with, k->b, STRETCH)) {
        bad = retry(k);
        if (!bad) bad = k->at->pause(k->at->self);
    }
    if (!bad) repeat_lanes_judge(&k->at->w->with, k->b);
    return bad;
}

/* The beginning is that of this member, not of the last one that the simulation was. */
static dal_status return_to(void *self)
{
    block           *k = self;
    dal_sim         *s = k->shared->s;
    const beginning *was = &k->begun[k->lane];
    ensemble_return(k->b, k->lane, s);
    s->mon.sum.energy = was->energy, s->mon.sum.work += was->work;
    defect_resume(s, &was->defect);
    return DAL_OK;
}

static dal_status end_shared(block *k, long who)
{
    running *r = k->shared;
    dal_messages_clear(r->cx);
    r->who = who, r->begun = true, r->ended = DAL_OK;
    dal_status bad = guarded(r->cx, &r->s->m, return_to, k);
    return bad ? bad : member_end(r);
}

/* From the block to the end of its run, where rows and messages are taken. */
static dal_status end_one(block *k)
{
    const long who = k->first + k->lane;
    running   *r = &k->own[k->lane];
    outcome   *o = &k->at->w->outcome[who];
    dal_status bad = DAL_OK;
    o->together = k->with[k->lane] == TOGETHER;
    if (o->together && !r->s) return end_shared(k, who);
    if (o->together) ensemble_leave(k->b, k->lane, r->s);
    if (k->with[k->lane] == LOST) member_drop(r), bad = member_begin(r, k->at, who);
    if (!bad) bad = member_end(r);
    member_drop(r);
    return bad;
}

/* A block of its own for the member that stands in lane l, once all others have left theirs. */
static dal_status run_alone(block *k, int l)
{
    block own = {.at = k->at, .b = k->b, .shared = k->shared, .first = k->first + l, .count = 1};
    own.own[0] = k->own[l], k->own[l] = (running){0};
    ensemble_begin(own.b, own.own[0].s);
    dal_status bad = start_lane(&own);
    if (!bad) own.with[0] = TOGETHER, bad = run_lanes(&own);
    else if (bad != DAL_NOMEM) bad = DAL_OK; /* it goes on by itself, and will say why */
    own.lane = 0;
    if (!bad) bad = end_one(&own);
    k->at->w->outcome[own.first].together = false;
    member_drop(&own.own[0]);
    return bad;
}

dal_status members_run_together(const member_place *at, lane_block *b, running *shared, long first,
                                long end)
{
    block k = {.at = at, .b = b, .shared = shared, .first = first, .count = (int)(end - first)};
    dal_status bad = begin_all(&k);
    if (!bad) bad = run_lanes(&k);
    /* members with other times wait until the block is free */
    for (k.lane = 0; k.lane < k.count && !bad; k.lane++)
        if (!at->w->outcome[first + k.lane].done && k.with[k.lane] != WAITING) bad = end_one(&k);
    for (int l = 0; l < k.count && !bad; l++)
        if (k.with[l] == WAITING) bad = run_alone(&k, l);
    for (int l = 0; l < k.count; l++) member_drop(&k.own[l]);
    return bad;
}
