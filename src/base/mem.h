/* mem.h - memory with one owner: whatever is taken from a mem is freed with it.
 *
 * A failing allocation jumps to the guard that the API call set up, which frees the whole owner;
 * so no code in between checks for it, and none can leak. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <setjmp.h>
#include <stddef.h>

/* The user's allocator: p == NULL allocates, size == 0 frees, else it resizes. */
typedef struct {
    void *(*resize)(void *self, void *p, size_t size);
    void *self;
} mem_heap;

typedef struct mem_block mem_block;
typedef struct mem_end   mem_end;

typedef struct mem {
    mem_heap   heap;
    mem_block *blocks;     /* all that was taken, newest first        */
    char      *free;       /* rest of the current small-object chunk  */
    size_t     free_size;
    size_t     total;      /* bytes now held, for limits and reports  */
    size_t     most;       /* it may hold; 0: no limit                */
    int        full;       /* 1: more was wanted, and that failed     */
    struct mem *of;        /* whose child it is; NULL: nobody's       */
    mem_end   *ends;       /* what else ends with m                   */
    jmp_buf   *guard;      /* where a failing allocation jumps to     */
} mem;

mem_heap mem_heap_default(void);
size_t   mem_of_machine(void); /* bytes that it has; 0: it does not tell */
void     mem_init(mem *m, mem_heap heap);
void     mem_free(mem *m);                              /* frees everything, m is empty again  */
void    *mem_take(mem *m, size_t size);                 /* zeroed; lives as long as m          */
void    *mem_resize(mem *m, void *block, size_t size);  /* a block of its own; NULL makes one  */
void     mem_drop(mem *m, void *block);                 /* gives a block of mem_resize back    */
void     mem_at_end(mem *m, void (*end)(void *), void *self); /* mem_free calls end(self) first,
                                                               newest first: for what others own */
mem     *mem_child(mem *m);                             /* ends with m, or sooner by mem_free  */
void     mem_fail(mem *m);                              /* jumps to the guard; does not return */

/* Arrays for passes over several of them at once: each slot, from 0, begins on a cache line at a
 * different offset within its page, since processors suspect a dependence between a store and a
 * following load at equal page offsets (4K aliasing). Short arrays are not padded. */
double  *mem_apart(mem *m, size_t count, int slot);
double  *mem_lines(mem *m, size_t count); /* from a cache line on: vectors do not lie across two */
#define mem_array(m, count, type) ((type *)mem_take((m), (size_t)(count) * sizeof(type)))

#endif
