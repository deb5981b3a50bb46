/* vec.c - growth by half, so that a push costs a constant on average. */
#include "base/vec.h"

#include <limits.h>

/* Too many elements for an int count as out of memory. */
void vec_grow(mem *m, void **at, int *room, int need, size_t size)
{
    if (need < 0 || need > INT_MAX - 16) mem_fail(m);
    int to = *room > INT_MAX / 2 ? INT_MAX - 16 : *room + *room / 2 + 8;
    if (to < need) to = need;
    *at = mem_resize(m, *at, (size_t)to * size);
    *room = to;
}
