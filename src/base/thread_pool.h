/* thread_pool.h - the threads that share the passes of one simulation: created once, asleep between
 * calls that are far apart.
 *
 * What a part computes must not depend on the number of parts, so that the number of threads
 * changes no bit of a result. */
#ifndef BASE_THREAD_POOL_H
#define BASE_THREAD_POOL_H

#include "base/mem.h"

typedef struct thread_pool thread_pool;

/* NULL for one thread, or where no threads can be created: thread_pool_work then does everything
 * itself. Ends with m. */
thread_pool *thread_pool_new(mem *m, int threads);
int          thread_pool_size(const thread_pool *c); /* 1 for NULL */

/* Calls work(self, part, parts) for every part in parallel, and returns when all are done. */
void thread_pool_work(thread_pool *c, void (*work)(void *self, int part, int parts), void *self);

/* Part `which` of `of` gets rows from .. to-1 of n, in whole tiles. */
static inline void thread_pool_range(int n, int tile, int which, int of, int *from, int *to)
{
    long long tiles = ((long long)n + tile - 1) / tile;
    long long first = tiles * which / of, last = tiles * (which + 1) / of;
    *from = (int)(first * tile);
    *to = last * tile < n ? (int)(last * tile) : n;
}

#endif
