/* crew.c - a barrier that looks for as long as a pass may take, a millisecond, since passes follow
 * each other closely and to be woken in the middle of one costs a tenth of it, and then sleeps: who
 * is woken is put where a processor is free. Who waited longer than that looks for less long the
 * next time: where more threads are busy than there are processors, nearly all of them sleep. */
#include "base/crew.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

enum { THREADS_MOST = 256, PATIENCE_MOST = 1000000, PATIENCE_LEAST = 2000, LOOKS_AT_A_TIME = 32 };

typedef struct {
    crew *of;
    int   part;
    long  patience; /* nanoseconds that it looks before it sleeps */
} hand;

struct crew {
    int             threads;
    pthread_t       thread[THREADS_MOST];
    hand            hand[THREADS_MOST];
    atomic_uint     call, ended; /* number of the present call, and of the last that was done */
    atomic_uint     left;        /* hands that are at work                                    */
    bool            end;
    pthread_mutex_t lock;
    pthread_cond_t  begin, done;
    void          (*work)(void *self, int part, int parts);
    void           *self;
};

static long since(const struct timespec *begin)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)(now.tv_sec - begin->tv_sec) * 1000000000L + (now.tv_nsec - begin->tv_nsec);
}

/* Waits until x is no longer what it was; sleepers are woken by `event`. */
static void wait_while(hand *h, const atomic_uint *x, unsigned was, pthread_cond_t *event)
{
    crew           *c = h->of;
    struct timespec begin;
    if (atomic_load(x) != was) return;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    while (since(&begin) < h->patience)
        for (int k = 0; k < LOOKS_AT_A_TIME; k++)
            if (atomic_load(x) != was) return;
    pthread_mutex_lock(&c->lock);
    while (atomic_load(x) == was) pthread_cond_wait(event, &c->lock);
    pthread_mutex_unlock(&c->lock);
    h->patience = since(&begin) < PATIENCE_MOST       ? PATIENCE_MOST
                  : h->patience / 2 < PATIENCE_LEAST ? PATIENCE_LEAST
                                                      : h->patience / 2;
}

/* The next call, or the end of one. */
static void announce(crew *c, atomic_uint *x, pthread_cond_t *event)
{
    pthread_mutex_lock(&c->lock);
    atomic_fetch_add(x, 1);
    pthread_cond_broadcast(event);
    pthread_mutex_unlock(&c->lock);
}

static void *serve(void *self)
{
    hand *h = self;
    crew *c = h->of;
    for (unsigned call = 0;;) {
        wait_while(h, &c->call, call, &c->begin);
        call = atomic_load(&c->call);
        if (c->end) return NULL;
        c->work(c->self, h->part, c->threads);
        if (atomic_fetch_sub(&c->left, 1) == 1) announce(c, &c->ended, &c->done);
    }
}

static void dismiss(void *self)
{
    crew *c = self;
    c->end = true;
    announce(c, &c->call, &c->begin);
    for (int k = 1; k < c->threads; k++) pthread_join(c->thread[k], NULL);
    pthread_cond_destroy(&c->begin);
    pthread_cond_destroy(&c->done);
    pthread_mutex_destroy(&c->lock);
}

crew *crew_new(mem *m, int threads)
{
    if (threads > THREADS_MOST) threads = THREADS_MOST;
    if (threads < 2) return NULL;
    crew *c = mem_take(m, sizeof *c);
    c->threads = 1, c->hand[0] = (hand){c, 0, PATIENCE_MOST};
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->begin, NULL);
    pthread_cond_init(&c->done, NULL);
    for (int k = 1; k < threads; k++) {
        c->hand[k] = (hand){c, k, PATIENCE_MOST};
        if (pthread_create(&c->thread[k], NULL, serve, &c->hand[k])) break;
        c->threads++;
    }
    mem_at_end(m, dismiss, c);
    return c;
}

int crew_size(const crew *c)
{
    return c ? c->threads : 1;
}

void crew_work(crew *c, void (*work)(void *self, int part, int parts), void *self)
{
    if (!c || c->threads < 2) {
        work(self, 0, 1);
        return;
    }
    c->work = work, c->self = self;
    atomic_store(&c->left, (unsigned)c->threads - 1);
    const unsigned before = atomic_load(&c->ended);
    announce(c, &c->call, &c->begin);
    work(self, 0, c->threads);
    wait_while(&c->hand[0], &c->ended, before, &c->done);
}
