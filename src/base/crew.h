/* crew.h - threads that share the passes of one simulation: made once, asleep between calls that
 * are some time apart.
 *
 * Every call of `work` gets a part of a fixed division; what a part computes must not depend on how
 * many there are, so that the number of threads changes no bit of a result. */
#ifndef BASE_CREW_H
#define BASE_CREW_H

#include "base/mem.h"

typedef struct crew crew;

/* NULL for one thread, or where threads cannot be had: crew_work then does everything itself. Ends
 * with m. */
crew *crew_new(mem *m, int threads);
int   crew_size(const crew *c); /* 1 for NULL */

/* Calls work(self, part, parts) for every part, and returns when all are done. */
void crew_work(crew *c, void (*work)(void *self, int part, int parts), void *self);

/* Rows from .. to-1 of n, in whole tiles, are for part `which` of so many. */
static inline void crew_range(int n, int tile, int which, int of, int *from, int *to)
{
    long long tiles = ((long long)n + tile - 1) / tile;
    long long first = tiles * which / of, last = tiles * (which + 1) / of;
    *from = (int)(first * tile);
    *to = last * tile < n ? (int)(last * tile) : n;
}

#endif
