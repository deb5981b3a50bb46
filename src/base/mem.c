/* mem.c - blocks in a doubly linked list; small objects are cut from chunks. */
#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 16384, ALIGN = 16 };

struct mem_block {
    mem_block *next, *prev;
    size_t     size;
    size_t     unused; /* keeps the payload aligned to 16 bytes */
};

struct mem_end {
    mem_end *next;
    void (*end)(void *self);
    void *self;
};

static void *default_resize(void *self, void *p, size_t size)
{
    (void)self;
    if (size) return realloc(p, size);
    free(p);
    return NULL;
}

mem_heap mem_heap_default(void)
{
    return (mem_heap){default_resize, NULL};
}

size_t mem_of_machine(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (size_t)pages * (size_t)size : 0;
}

void mem_init(mem *m, mem_heap heap)
{
    *m = (mem){.heap = heap};
}

void mem_at_end(mem *m, void (*end)(void *), void *self)
{
    mem_end *e = mem_take(m, sizeof *e);
    *e = (mem_end){m->ends, end, self};
    m->ends = e;
}

/* Owners of other things first, newest first, while their memory is still there. */
void mem_free(mem *m)
{
    for (mem_end *e = m->ends; e; e = e->next) e->end(e->self);
    for (mem_block *b = m->blocks, *next; b; b = next) {
        next = b->next;
        m->heap.resize(m->heap.self, b, 0);
    }
    m->blocks = NULL, m->ends = NULL, m->free = NULL, m->free_size = 0, m->total = 0;
}

static void end_child(void *child)
{
    mem_free(child);
}

mem *mem_child(mem *m)
{
    mem *child = mem_take(m, sizeof *child);
    mem_init(child, m->heap);
    child->guard = m->guard, child->most = m->most, child->of = m;
    mem_at_end(m, end_child, child);
    return child;
}

/* An allocation that fails leaves everything in between to the owner of the guard. */
void mem_fail(mem *m)
{
    if (!m->guard) abort(); /* an owner without a guard is a mistake of ours */
    longjmp(*m->guard, 1);
}

static void unlink_block(mem *m, mem_block *b)
{
    if (b->next) b->next->prev = b->prev;
    if (b->prev) b->prev->next = b->next;
    else m->blocks = b->next;
}

static void link_block(mem *m, mem_block *b)
{
    b->prev = NULL, b->next = m->blocks;
    if (b->next) b->next->prev = b;
    m->blocks = b;
}

/* Children share the limit of their parent, which is told too. */
static void fail_full(mem *m)
{
    for (mem *p = m; p; p = p->of) p->full = 1;
    mem_fail(m);
}

/* Contents are kept. The block moves to the front of the list, wherever it was. */
void *mem_resize(mem *m, void *block, size_t size)
{
    mem_block *old = block ? (mem_block *)block - 1 : NULL;
    if (size > SIZE_MAX - sizeof(mem_block)) mem_fail(m);
    size_t before = old ? old->size : 0;
    if (m->most && size > before && size - before > m->most - m->total) fail_full(m);
    if (old) unlink_block(m, old);
    mem_block *b = m->heap.resize(m->heap.self, old, sizeof(mem_block) + size);
    if (!b) {
        if (old) link_block(m, old);
        mem_fail(m);
    }
    b->size = size;
    link_block(m, b);
    m->total += size - before;
    return b + 1;
}

void mem_drop(mem *m, void *block)
{
    if (!block) return;
    mem_block *b = (mem_block *)block - 1;
    unlink_block(m, b);
    m->total -= b->size;
    m->heap.resize(m->heap.self, b, 0);
}

/* Small objects are cut from chunks and never given back singly. */
void *mem_take(mem *m, size_t size)
{
    if (size > SIZE_MAX / 2) mem_fail(m);
    size = (size + ALIGN - 1) / ALIGN * ALIGN;
    if (size > CHUNK / 4) return memset(mem_resize(m, NULL, size), 0, size);
    if (size > m->free_size) {
        m->free = mem_resize(m, NULL, CHUNK);
        m->free_size = CHUNK;
    }
    void *p = m->free;
    m->free += size, m->free_size -= size;
    return size ? memset(p, 0, size) : p;
}

double *mem_lines(mem *m, size_t count)
{
    enum { LINE = 64 };
    char *room = mem_take(m, count * sizeof(double) + LINE);
    return (double *)(void *)(room + (LINE - (uintptr_t)room % LINE) % LINE);
}

/*     offset in its page = 9 slot cache lines, modulo a page */
double *mem_apart(mem *m, size_t count, int slot)
{
    enum { LINE = 64, PAGE = 4096, LINES_APART = 9, FEW = 128 };
    if (count < FEW) return mem_array(m, count, double);
    char        *room = mem_take(m, count * sizeof(double) + PAGE);
    const size_t wanted = (size_t)slot * LINES_APART * LINE % PAGE, at = (uintptr_t)room % PAGE;
    return (double *)(void *)(room + (wanted + PAGE - at) % PAGE);
}
