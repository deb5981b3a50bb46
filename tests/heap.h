/* heap.h - an allocator for tests: it knows what is out, fails when its time has come, and can try
 * every one of its failures. */
#ifndef TESTS_HEAP_H
#define TESTS_HEAP_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
    long left, live, calls; /* allocations until they fail (< 0: never), blocks out, all calls */
    bool forks;             /* at every allocation into a child, in which it and all others fail */
    bool failed;            /* this is such a child */
    long bad;               /* children that were not content */
} scarce_heap;

/* In the parent: false, after the child has ended. In the child: true. */
static inline bool heap_fork(scarce_heap *h)
{
    int status = 1;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) return h->failed = true, h->left = 0, h->forks = false, true;
    if (child < 0 || waitpid(child, &status, 0) != child || status) {
        fprintf(stderr, "allocation %ld: the child ends with status %d\n", h->calls, status);
        h->bad++;
    }
    return false;
}

static inline void *scarce_resize(void *self, void *p, size_t size)
{
    scarce_heap *h = self;
    if (!size) {
        h->live -= p != NULL;
        free(p);
        return NULL;
    }
    h->calls++;
    if (h->forks && heap_fork(h)) return NULL;
    if (h->left >= 0 && h->left-- == 0) return h->left = 0, NULL;
    void *block = realloc(p, size);
    h->live += block && !p;
    return block;
}

/* Runs the job once, and from each of its allocations on once more without memory: there it must
 * return `without`, having given everything back. Returns how many that were, or -1: one did
 * not. */
static inline long heap_fails_everywhere(int (*job)(scarce_heap *h, void *self), void *self,
                                         int with, int without)
{
    scarce_heap h = {.left = -1, .forks = true};
    const int   got = job(&h, self);
    if (h.failed) {
        const bool well = got == without && h.live == 0;
        if (!well) fprintf(stderr, "it returns %d, with %ld blocks left\n", got, h.live);
        fflush(NULL);
        _exit(!well);
    }
    return got == with && !h.live && !h.bad ? h.calls : -1;
}

#endif
