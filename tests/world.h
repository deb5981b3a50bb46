/* world.h - what reading a text needs: memory, names and messages, one of each per test. */
#ifndef TESTS_WORLD_H
#define TESTS_WORLD_H

#include "base/diag.h"
#include "base/names.h"
#include "memory.h"

typedef struct {
    mem   m;
    names ns;
    diags ds;
} world;

static inline int open_world(void **state)
{
    static world w;
    mem_init(&w.m, mem_heap_default());
    names_init(&w.ns, &w.m);
    diags_init(&w.ds, &w.m);
    *state = &w;
    return 0;
}

static inline int close_world(void **state)
{
    mem_free(&((world *)*state)->m);
    return 0;
}

#endif
