/* memory.h - a mem of its own for each test, and heaps that fail when told to. */
#ifndef TESTS_MEMORY_H
#define TESTS_MEMORY_H

#include "base/mem.h"
#include "check.h"
#include "heap.h"

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

#endif
