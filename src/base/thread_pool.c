/* thread_pool.c - a fork-join pool whose barrier spins before it sleeps. Passes follow each other
 * closely, and waking a thread costs a tenth of one, so a thread spins for a millisecond, longer
 * than a pass takes, and only then sleeps. A thread that had to sleep for long halves its spinning
 * time: where more threads are busy than there are processors, nearly all of them sleep. */
#include "base/thread_pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

enum { THREADS_MOST = 256, LOADS_PER_CLOCK_READ = 32 };
enum { SPIN_MOST = 1000000, SPIN_LEAST = 2000 }; /* nanoseconds */

typedef struct {
    thread_pool *of;
    int   part;
    long         spin; /* nanoseconds of spinning before it sleeps */
} worker;

struct thread_pool {
    int             threads;
    pthread_t       thread[THREADS_MOST];
    worker          worker[THREADS_MOST];
    atomic_uint     call, ended; /* counts of calls begun and finished */
    atomic_uint     left;        /* pool that are at work                                    */
    bool            end;
    pthread_mutex_t lock;
    pthread_cond_t  begin, done;
    void          (*work)(void *self, int part, int parts);
    void           *self;
};

/* nanoseconds */
static long since(const struct timespec *begin)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)(now.tv_sec - begin->tv_sec) * 1000000000L + (now.tv_nsec - begin->tv_nsec);
}

/* Waits until x differs from `was`: spins, then sleeps on `event`. */
static void wait_while(worker *h, const atomic_uint *x, unsigned was, pthread_cond_t *event)
{
    thread_pool    *c = h->of;
    struct timespec begin;
    if (atomic_load(x) != was) return;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    while (since(&begin) < h->spin)
        for (int k = 0; k < LOADS_PER_CLOCK_READ; k++)
            if (atomic_load(x) != was) return;
    pthread_mutex_lock(&c->lock);
    while (atomic_load(x) == was) pthread_cond_wait(event, &c->lock);
    pthread_mutex_unlock(&c->lock);
    h->spin = since(&begin) < SPIN_MOST  ? SPIN_MOST
              : h->spin / 2 < SPIN_LEAST ? SPIN_LEAST
                                         : h->spin / 2;
}

/* Increments x and wakes the sleepers: the next call begins, or the present one has ended. */
static void announce(thread_pool *c, atomic_uint *x, pthread_cond_t *event)
{
    pthread_mutex_lock(&c->lock);
    atomic_fetch_add(x, 1);
    pthread_cond_broadcast(event);
    pthread_mutex_unlock(&c->lock);
}

/* The last one to finish wakes the caller. */
static void *serve(void *self)
{
    worker      *h = self;
    thread_pool *c = h->of;
    for (unsigned call = 0;;) {
        wait_while(h, &c->call, call, &c->begin);
        call = atomic_load(&c->call);
        if (c->end) return NULL;
        c->work(c->self, h->part, c->threads);
        if (atomic_fetch_sub(&c->left, 1) == 1) announce(c, &c->ended, &c->done);
    }
}

/* Called by mem_free, when nobody works any more. */
static void dismiss(void *self)
{
    thread_pool *c = self;
    c->end = true;
    announce(c, &c->call, &c->begin);
    for (int k = 1; k < c->threads; k++) pthread_join(c->thread[k], NULL);
    pthread_cond_destroy(&c->begin);
    pthread_cond_destroy(&c->done);
    pthread_mutex_destroy(&c->lock);
}

/* Fewer threads than asked for is no error. */
thread_pool *thread_pool_new(mem *m, int threads)
{
    if (threads > THREADS_MOST) threads = THREADS_MOST;
    if (threads < 2) return NULL;
    thread_pool *c = mem_take(m, sizeof *c);
    c->threads = 1, c->worker[0] = (worker){c, 0, SPIN_MOST};
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->begin, NULL);
    pthread_cond_init(&c->done, NULL);
    for (int k = 1; k < threads; k++) {
        c->worker[k] = (worker){c, k, SPIN_MOST};
        if (pthread_create(&c->thread[k], NULL, serve, &c->worker[k])) break;
        c->threads++;
    }
    mem_at_end(m, dismiss, c);
    return c;
}

int thread_pool_size(const thread_pool *c)
{
    return c ? c->threads : 1;
}

/* The caller does part 0 itself. */
void thread_pool_work(thread_pool *c, void (*work)(void *self, int part, int parts), void *self)
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
    wait_while(&c->worker[0], &c->ended, before, &c->done);
}
