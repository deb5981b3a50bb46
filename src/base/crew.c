/* crew.c - a barrier that looks for a while, since passes follow each other closely, and then
 * sleeps. Who looks gives way to others that want to run, and looks for less long the next time if
 * it was in vain: where more threads are busy than there are processors, nearly all of them sleep.
 * Those who are gathered look on. */
#include "base/crew.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { THREADS_MOST = 256, LOOKS_MOST = 1 << 14, LOOKS_LEAST = 1 << 6, LOOKS_AT_A_TIME = 1 << 6 };

typedef struct {
    crew *of;
    int   part, looks; /* looks: before it sleeps */
} hand;

struct crew {
    int             threads;
    pthread_t       thread[THREADS_MOST];
    hand            hand[THREADS_MOST];
    atomic_uint     call, left; /* number of the present call; hands that are at work */
    atomic_bool     gathered;
    bool            end;
    pthread_mutex_t lock;
    pthread_cond_t  begin, done;
    void          (*work)(void *self, int part, int parts);
    void           *self;
};

/* Waits for x to become something else, or with `to_zero` nothing; false: it takes too long. */
static bool comes_soon(hand *h, const atomic_uint *x, unsigned before, bool to_zero)
{
    for (long k = 1; k <= h->looks || atomic_load(&h->of->gathered); k++) {
        const unsigned now = atomic_load(x);
        if (to_zero ? !now : now != before) {
            h->looks = h->looks < LOOKS_MOST ? 2 * h->looks : LOOKS_MOST;
            return true;
        }
        if (k % LOOKS_AT_A_TIME == 0) sched_yield();
    }
    if (h->looks > LOOKS_LEAST) h->looks /= 2;
    return false;
}

static unsigned wait_for_call(hand *h, unsigned before)
{
    crew *c = h->of;
    if (comes_soon(h, &c->call, before, false)) return atomic_load(&c->call);
    pthread_mutex_lock(&c->lock);
    while (atomic_load(&c->call) == before) pthread_cond_wait(&c->begin, &c->lock);
    pthread_mutex_unlock(&c->lock);
    return atomic_load(&c->call);
}

static void *serve(void *self)
{
    hand *h = self;
    crew *c = h->of;
    for (unsigned call = 0;;) {
        call = wait_for_call(h, call);
        if (c->end) return NULL;
        c->work(c->self, h->part, c->threads);
        if (atomic_fetch_sub(&c->left, 1) == 1) {
            pthread_mutex_lock(&c->lock);
            pthread_cond_signal(&c->done);
            pthread_mutex_unlock(&c->lock);
        }
    }
}

static void announce(crew *c)
{
    pthread_mutex_lock(&c->lock);
    atomic_fetch_add(&c->call, 1);
    pthread_cond_broadcast(&c->begin);
    pthread_mutex_unlock(&c->lock);
}

static void dismiss(void *self)
{
    crew *c = self;
    c->end = true;
    announce(c);
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
    c->threads = 1, c->hand[0] = (hand){c, 0, LOOKS_MOST};
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->begin, NULL);
    pthread_cond_init(&c->done, NULL);
    for (int k = 1; k < threads; k++) {
        c->hand[k] = (hand){c, k, LOOKS_MOST};
        if (pthread_create(&c->thread[k], NULL, serve, &c->hand[k])) break;
        c->threads++;
    }
    mem_at_end(m, dismiss, c);
    return c;
}

void crew_gather(crew *c)
{
    if (c) atomic_store(&c->gathered, true);
}

void crew_rest(crew *c)
{
    if (c) atomic_store(&c->gathered, false);
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
    announce(c);
    work(self, 0, c->threads);
    if (comes_soon(&c->hand[0], &c->left, 0, true)) return;
    pthread_mutex_lock(&c->lock);
    while (atomic_load(&c->left)) pthread_cond_wait(&c->done, &c->lock);
    pthread_mutex_unlock(&c->lock);
}
