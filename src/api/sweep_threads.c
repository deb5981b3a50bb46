/* sweep_threads.c - the members of a sweep in shares of several blocks, and the shares on threads.
 * Which thread takes a share is left to chance, what it computes is not; the observer is told of
 * members in their order. */
#include "api/sweep_shares.h"

#include <time.h>

enum { SHARE = 64 }; /* members of blocks that a thread takes at once */

static const double LOOK = 0.02; /* seconds between two looks at the observer's will */

typedef struct {
    shared_sweep *c;
    int         index;
    mem        *notes;
    lane_block *block;  /* NULL: members run one by one */
    running     shared; /* the simulation that is many members, one after the other */
    pthread_t   thread;
} worker;

/* The first reason counts. */
void sweep_stop(shared_sweep *c, dal_status why)
{
    int none = DAL_OK;
    if (why) atomic_compare_exchange_strong(&c->stop, &none, (int)why);
}

/* The caller's part. --------------------------------------------------------------------------- */

/* Tells of the members below `end` that are done, up to the first that is not. */
static void deliver(shared_sweep *c, long end)
{
    dal_sweep *w = c->w;
    for (; !c->refused && !c->far && w->delivered < end && w->outcome[w->delivered].done;
         w->delivered += !c->refused) {
        dal_member m = dal_sweep_member(w, (size_t)w->delivered);
        if (c->o->member) c->refused = c->o->member(c->o->self, &m);
        sweep_stop(c, c->refused);
    }
}

static void ask(shared_sweep *c)
{
    if (c->o->wait)
        sweep_stop(c, c->o->wait(c->o->self, (size_t)atomic_load(&c->done), (size_t)c->w->of.count));
}

/* Shares. -------------------------------------------------------------------------------------- */

static void ask_now_and_then(shared_sweep *c)
{
    const double now = now_seconds();
    if (c->ranks && now - c->looked < LOOK) return;
    c->looked = now, ask(c);
}

/* Between the steps of a member: has anybody stopped the sweep? */
static dal_status pause_among_others(void *self)
{
    return (dal_status)atomic_load_explicit(&((shared_sweep *)self)->stop, memory_order_relaxed);
}

/* The only thread asks the observer itself. */
static dal_status pause_alone(void *self)
{
    shared_sweep *c = self;
    double now = now_seconds();
    if (now - c->looked > LOOK) c->looked = now, ask(c);
    return pause_among_others(c);
}

long sweep_share_end(const shared_sweep *c, long share)
{
    const long end = (share + 1) * c->share;
    return end < c->w->of.count ? end : c->w->of.count;
}

/* A simulation of its own. */
static dal_status member_run(const member_place *at, long who)
{
    running r;
    if (at->w->outcome[who].done) return DAL_OK;
    dal_status bad = member_begin(&r, at, who);
    if (!bad) bad = member_end(&r);
    member_drop(&r);
    return bad;
}

/* All members of a share count as done together. */
static dal_status run_share(worker *k, long share, bool alone)
{
    shared_sweep *c = k->c;
    member_place at = {c->w, c->o, k->index, k->notes, alone ? pause_alone : pause_among_others, c};
    const long    first = share * c->share, end = sweep_share_end(c, share);
    const long    lanes = k->block ? k->block->lanes : 1;
    dal_status    bad = DAL_OK;
    for (long from = first; from < end && !bad; from += lanes)
        bad = k->block ? members_run_together(&at, k->block, &k->shared, from,
                                              from + lanes < end ? from + lanes : end)
                       : member_run(&at, from);
    if (!bad) atomic_fetch_add(&c->done, end - first);
    return bad;
}

/* Shares are handed out in order; which thread gets one does not matter. */
static bool next_share(shared_sweep *c, long *share)
{
    if (c->far && !sweep_ranks_next(c, share)) return false;
    if (!c->far) *share = atomic_fetch_add(&c->next, 1);
    return *share < c->shares && !atomic_load(&c->stop);
}

/* Members are delivered after each share, by the thread that made them. */
static void work_alone(worker *k)
{
    shared_sweep *c = k->c;
    for (long share; next_share(c, &share);) {
        sweep_stop(c, run_share(k, share, true));
        deliver(c, sweep_share_end(c, share));
        sweep_stop(c, pause_alone(c));
    }
}

/* Threads. ------------------------------------------------------------------------------------- */

/* Nothing of the sweep is touched but the members of its shares. */
static void *work(void *self)
{
    worker *k = self;
    shared_sweep *c = k->c;
    for (long share; next_share(c, &share);) {
        dal_status bad = run_share(k, share, false);
        sweep_stop(c, bad);
        pthread_mutex_lock(&c->lock);
        c->finished[share] = !bad;
        sweep_ranks_ended(c, share);
        pthread_cond_signal(&c->told);
        pthread_mutex_unlock(&c->lock);
    }
    pthread_mutex_lock(&c->lock);
    c->at_work--;
    pthread_cond_signal(&c->told);
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* Wakes when a share is finished, and at least fifty times a second to ask the observer; a
 * thousand times where other ranks may have something to say. */
static void wait_a_while(shared_sweep *c)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(1e9 * (c->ranks ? LOOK / 20 : LOOK));
    if (until.tv_nsec >= 1000000000) until.tv_nsec -= 1000000000, until.tv_sec++;
    pthread_cond_timedwait(&c->told, &c->lock, &until);
    while (c->ready < c->shares && c->finished[c->ready]) c->ready++;
}

/* The caller waits, tells of what is ready and asks whether to go on, while the others work. */
static void wait_for_all(shared_sweep *c)
{
    pthread_mutex_lock(&c->lock);
    while (c->at_work || c->others) {
        wait_a_while(c);
        const long end = c->ready ? sweep_share_end(c, c->ready - 1) : 0;
        const bool working = c->at_work > 0;
        pthread_mutex_unlock(&c->lock);
        if (c->ranks) sweep_ranks_serve(c, working);
        deliver(c, end);
        ask_now_and_then(c);
        pthread_mutex_lock(&c->lock);
    }
    pthread_mutex_unlock(&c->lock);
}

/* False: not one thread can be had. */
static bool work_together(shared_sweep *c, worker *k, int threads)
{
    int made = 0;
    pthread_mutex_init(&c->lock, NULL), pthread_cond_init(&c->told, NULL);
    pthread_mutex_lock(&c->lock);
    while (made < threads && !pthread_create(&k[made].thread, NULL, work, &k[made])) made++;
    c->at_work = made;
    pthread_mutex_unlock(&c->lock);
    if (!made && c->ranks) sweep_stop(c, DAL_NOMEM);
    if (made || c->ranks) wait_for_all(c);
    for (int i = 0; i < made; i++) pthread_join(k[i].thread, NULL);
    pthread_mutex_destroy(&c->lock), pthread_cond_destroy(&c->told);
    return made > 0 || c->ranks;
}

/* Blocks of one member where rows are recorded, as these are taken step by step. */
dal_status sweep_threads_run(dal_sweep *w, const dal_sweep_observer *o)
{
    shared_sweep *c = mem_array(&w->m, 1, shared_sweep);
    worker *k = mem_array(&w->m, w->threads, worker);
    c->w = w, c->o = o, c->share = w->with.block && !o->row ? SHARE : 1;
    c->shares = (w->of.count + c->share - 1) / c->share;
    c->finished = mem_array(&w->m, c->shares, uint8_t);
    for (int i = 0; i < w->threads; i++)
        k[i] = (worker){.c = c,
                        .index = i,
                        .notes = mem_child(&w->m),
                        .block = c->share > 1 ? ensemble_block(&w->m, &w->with) : NULL};
    if (w->cx->of) sweep_ranks_begin(c);
    ask(c); /* all is prepared */
    const bool alone = w->threads == 1 && !c->ranks;
    if (alone || !work_together(c, k, w->threads)) work_alone(&k[0]);
    for (int i = 0; i < w->threads; i++) member_drop(&k[i].shared);
    deliver(c, w->of.count);
    ask(c);
    if (c->ranks) sweep_ranks_end(c);
    return (dal_status)atomic_load(&c->stop);
}
