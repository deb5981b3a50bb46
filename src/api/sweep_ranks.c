/* sweep_ranks.c - shares of a sweep on several ranks. Rank 0 hands them out, fewer at a time toward
 * the end, and takes back what came out; each of the others asks for more before its threads have
 * nothing left to do. What a member computes does not depend on where it is run. */
#include "api/sweep_shares.h"

#include <string.h>

enum {                    /* kinds of messages */
       ASKS = RANK_WORKS, /* for more shares                               */
       GETS,              /* a stretch of shares; an empty one: the last   */
       GIVES,             /* what came out of a share                      */
       STOPS,             /* the sweep is to end: a dal_status             */
       LEAVES,            /* all threads of the rank have ended            */
       OVER               /* so have those of all ranks: a dal_status      */
};

typedef struct {
    long from, end;
} stretch;

/* Of a rank other than 0. */
struct far_shares {
    stretch        got;         /* shares that no thread has taken yet */
    bool           asked, last; /* for more; there are no more         */
    pthread_cond_t came;        /* some have, or there are no more     */
    long          *ended;       /* shares that threads have left       */
    long           ends, given; /* how many; of which rank 0 has got   */
    bool           left;        /* all its threads have ended           */
};

void sweep_ranks_begin(shared_sweep *c)
{
    c->ranks = c->w->cx->of, c->others = c->ranks->count - 1;
    if (!c->ranks->rank) {
        c->heard = mem_array(&c->w->m, c->ranks->count, bool);
        c->notes = mem_child(&c->w->m);
        return;
    }
    c->others = 1;
    c->far = mem_array(&c->w->m, 1, far_shares);
    c->far->ended = mem_array(&c->w->m, c->shares, long);
    pthread_cond_init(&c->far->came, NULL);
}

static void send(shared_sweep *c, int to, int kind, const void *bytes, size_t n)
{
    if (!c->ranks->ended[to] && !c->ranks->by->send(to, kind, bytes, n)) sweep_stop(c, DAL_NOMEM);
}

static int status_of(const shared_sweep *c)
{
    return atomic_load(&c->stop);
}

/* What came out of shares: for each member this, its numbers, and its texts. --------------------
 */

typedef struct {
    dal_status status;
    bool       done, together, has_error, has_warning;
    long       steps;
} packed;

static size_t length(const char *words)
{
    return words ? strlen(words) + 1 : 0;
}

static size_t row_bytes(const dal_sweep *w)
{
    return (size_t)w->columns * sizeof(double);
}

static size_t packed_size(const shared_sweep *c, long share)
{
    size_t n = sizeof share;
    for (long i = share * c->share; i < sweep_share_end(c, share); i++)
        n += sizeof(packed) + row_bytes(c->w) + length(c->w->outcome[i].error) +
             length(c->w->outcome[i].warning);
    return n;
}

static char *put(char *to, const void *bytes, size_t n)
{
    if (n) memcpy(to, bytes, n);
    return to + n;
}

static char *pack(const shared_sweep *c, long share, char *to)
{
    to = put(to, &share, sizeof share);
    for (long i = share * c->share; i < sweep_share_end(c, share); i++) {
        const outcome *o = &c->w->outcome[i];
        const packed   p = {o->status, o->done, o->together, o->error, o->warning, o->steps};
        to = put(to, &p, sizeof p);
        to = put(to, row_of_member(c->w, i), row_bytes(c->w));
        to = put(to, o->error, length(o->error));
        to = put(to, o->warning, length(o->warning));
    }
    return to;
}

/* As many as fit a message, at least one; how many. The threads of this rank are at work meanwhile,
 * so that it must not jump to the guard. */
static long give(shared_sweep *c, const long *shares, long count)
{
    enum { FITS = 1 << 22 };
    const mem_heap heap = c->w->cx->heap;
    size_t         n = packed_size(c, shares[0]);
    long           some = 1;
    for (; some < count && n < FITS; some++) n += packed_size(c, shares[some]);
    char *bytes = heap.resize(heap.self, NULL, n), *end = bytes;
    if (!bytes) return sweep_stop(c, DAL_NOMEM), count;
    for (long k = 0; k < some; k++) end = pack(c, shares[k], end);
    send(c, 0, GIVES, bytes, n);
    heap.resize(heap.self, bytes, 0);
    return some;
}

typedef struct {
    shared_sweep *c;
    const char   *from, *end;
} unpacking;

static const char *take_text(unpacking *u, bool has)
{
    if (!has) return NULL;
    const char *words = mem_printf(u->c->notes, "%s", u->from);
    u->from += strlen(u->from) + 1;
    return words;
}

static void unpack_member(unpacking *u, long who)
{
    const dal_sweep *w = u->c->w;
    outcome         *o = &w->outcome[who], of = {0};
    const char      *row;
    packed           p;
    memcpy(&p, u->from, sizeof p);
    row = u->from + sizeof p, u->from = row + row_bytes(w);
    of = (outcome){.status = p.status, .done = p.done, .together = p.together, .steps = p.steps};
    of.error = take_text(u, p.has_error), of.warning = take_text(u, p.has_warning);
    if (o->done || !p.done) return;
    memcpy(row_of_member(w, who), row, row_bytes(w));
    *o = of;
    atomic_fetch_add(&u->c->done, 1);
}

static void unpack_share(unpacking *u)
{
    shared_sweep *c = u->c;
    long          share;
    bool          all = true;
    memcpy(&share, u->from, sizeof share), u->from += sizeof share;
    for (long i = share * c->share; i < sweep_share_end(c, share); i++) {
        unpack_member(u, i);
        all &= c->w->outcome[i].done;
    }
    pthread_mutex_lock(&c->lock);
    c->finished[share] = all;
    pthread_mutex_unlock(&c->lock);
}

static dal_status unpack(void *self)
{
    unpacking *u = self;
    while (u->from < u->end) unpack_share(u);
    return DAL_OK;
}

/* Rank 0. -------------------------------------------------------------------------------------- */

/* A third of what each thread of all would get if nobody came again; not so many that those before
 * them have to wait long until they can be delivered. */
static void hand_out(shared_sweep *c, int to)
{
    enum { AT_ONCE = 1024 };
    const long threads = (long)c->w->threads * c->ranks->count;
    const long left = c->shares - atomic_load(&c->next), most = AT_ONCE / c->share;
    long       count = left / (3 * threads);
    stretch    out = {0, 0};
    if (count > most) count = most;
    if (count < 1) count = 1;
    if (!status_of(c) && left > 0) {
        out.from = atomic_fetch_add(&c->next, count);
        out.end = out.from + count;
        if (out.end > c->shares) out.end = c->shares;
        if (out.from > out.end) out.from = out.end;
    }
    send(c, to, GETS, &out, sizeof out);
}

static void leave(shared_sweep *c, int rank)
{
    c->others -= !c->heard[rank], c->heard[rank] = true;
}

static void hear(shared_sweep *c, int from, int kind, void *bytes, size_t n)
{
    unpacking u = {c, bytes, (char *)bytes + n};
    int       status;
    switch (kind) {
    case ASKS: hand_out(c, from); break;
    case GIVES: sweep_stop(c, guarded(c->w->cx, c->notes, unpack, &u)); break;
    case STOPS: memcpy(&status, bytes, sizeof status), sweep_stop(c, (dal_status)status); break;
    case LEAVES: leave(c, from); break;
    default: /* RANK_ENDS */
        c->ranks->ended[from] = true;
        sweep_stop(c, tell_of_rank(c->w->cx, bytes));
        leave(c, from);
    }
}

typedef void reading(shared_sweep *c, int from, int kind, void *bytes, size_t n);

static void listen(shared_sweep *c, int from, reading *to)
{
    const mem_heap heap = c->w->cx->heap;
    int            kind;
    for (size_t n; c->others && !c->ranks->ended[from] && c->ranks->by->look(from, &kind, &n);) {
        char *bytes = heap.resize(heap.self, NULL, n + 1);
        if (!bytes) {
            sweep_stop(c, DAL_NOMEM); /* it is read later */
            return;
        }
        c->ranks->by->take(from, bytes);
        to(c, from, kind, bytes, n);
        heap.resize(heap.self, bytes, 0);
    }
}

static void to_all(shared_sweep *c, int kind)
{
    const int status = status_of(c);
    for (int r = 1; r < c->ranks->count; r++) send(c, r, kind, &status, sizeof status);
}

/* Whoever interrupts a sweep may have ended a rank, of which nothing will be heard any more. */
static void serve(shared_sweep *c)
{
    static const double PATIENCE = 0.2; /* seconds */
    for (int r = 1; r < c->ranks->count; r++) listen(c, r, hear);
    if (status_of(c) && !c->warned) c->warned = true, c->stopped = now_seconds(), to_all(c, STOPS);
    if (status_of(c) == DAL_INTERRUPTED && now_seconds() - c->stopped > PATIENCE) c->others = 0;
}

/* The others. ---------------------------------------------------------------------------------- */

bool sweep_ranks_next(shared_sweep *c, long *share)
{
    far_shares *f = c->far;
    pthread_mutex_lock(&c->lock);
    while (f->got.from == f->got.end && !f->last) {
        pthread_cond_signal(&c->told);
        pthread_cond_wait(&f->came, &c->lock);
    }
    const bool some = f->got.from < f->got.end;
    if (some) *share = f->got.from++;
    pthread_mutex_unlock(&c->lock);
    return some;
}

void sweep_ranks_ended(shared_sweep *c, long share)
{
    if (c->far) c->far->ended[c->far->ends++] = share;
}

static void get(shared_sweep *c, const stretch *some)
{
    far_shares *f = c->far;
    pthread_mutex_lock(&c->lock);
    f->asked = false, f->got = *some;
    f->last = some->from == some->end;
    pthread_cond_broadcast(&f->came);
    pthread_mutex_unlock(&c->lock);
}

static void obey(shared_sweep *c, int from, int kind, void *bytes, size_t n)
{
    stretch some = {0, 0};
    int     status = DAL_INVALID;
    (void)from, (void)n;
    if (kind == GETS) {
        memcpy(&some, bytes, sizeof some);
        get(c, &some);
        return;
    }
    if (kind == RANK_ENDS) c->ranks->ended[from] = true;
    else memcpy(&status, bytes, sizeof status);
    sweep_stop(c, (dal_status)status);
    if (kind != STOPS) c->others = 0;
    get(c, &some);
}

static void work_for(shared_sweep *c, bool working)
{
    far_shares *f = c->far;
    const int   status = status_of(c);
    pthread_mutex_lock(&c->lock);
    const long ends = f->ends;
    const bool asks = f->got.from == f->got.end && !f->asked && !f->last;
    f->asked |= asks;
    pthread_mutex_unlock(&c->lock);
    if (status && !c->warned) c->warned = true, send(c, 0, STOPS, &status, sizeof status);
    while (f->given < ends) f->given += give(c, f->ended + f->given, ends - f->given);
    if (asks) send(c, 0, ASKS, &status, 0);
    if (!working && !f->left) f->left = true, send(c, 0, LEAVES, &status, 0);
    listen(c, 0, obey);
}

void sweep_ranks_serve(shared_sweep *c, bool working)
{
    if (c->far) work_for(c, working);
    else serve(c);
}

void sweep_ranks_end(shared_sweep *c)
{
    if (!c->far) to_all(c, OVER);
    else pthread_cond_destroy(&c->far->came);
}
