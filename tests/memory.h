/* memory.h - a mem for each test, heaps that fail when told to, and random numbers that repeat. */
#ifndef TESTS_MEMORY_H
#define TESTS_MEMORY_H

#include "base/mem.h"
#include "check.h"

#include <stdlib.h>

/* the state of a test is a mem of its own */
static inline int open_mem(void **state)
{
    mem *m = malloc(sizeof *m);
    mem_init(m, mem_heap_default());
    *state = m;
    return 0;
}

static inline int close_mem(void **state)
{
    mem_free(*state);
    free(*state);
    return 0;
}

#define mem_test(f) cmocka_unit_test_setup_teardown(f, open_mem, close_mem)

/* An allocator that counts, fails when its time has come, and knows what is out. */
typedef struct {
    long left, live, calls; /* left < 0: it never fails */
} scarce_heap;

static inline void *scarce_resize(void *self, void *p, size_t size)
{
    scarce_heap *h = self;
    h->calls++;
    if (!size) {
        h->live -= p != NULL;
        free(p);
        return NULL;
    }
    if (h->left >= 0 && h->left-- == 0) return h->left = 0, NULL;
    h->live += p == NULL;
    return realloc(p, size);
}

#endif
