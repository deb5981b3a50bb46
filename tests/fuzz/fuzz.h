/* fuzz.h - what the fuzzers share: the entry that libFuzzer and replay.c call, and an allocator
 * that has an end, so that no input can take all memory of the machine. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include "dalembert.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* Changes bytes at random and returns how many there are then; libFuzzer and replay.c have one. A
 * fuzzer that knows what its input is made of has its own, which chooses where (FUZZ_FIELDS). */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t length, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t length, size_t most, unsigned seed);

enum { FUZZ_BLOCK_MOST = 64 << 20, FUZZ_BLOCKS_MOST = 200000 };

static inline void *fuzz_resize(void *self, void *p, size_t size)
{
    long *blocks = self;
    if (size == 0) {
        *blocks -= p != NULL;
        free(p);
        return NULL;
    }
    if (size > FUZZ_BLOCK_MOST || (!p && *blocks >= FUZZ_BLOCKS_MOST)) return NULL;
    void *block = realloc(p, size);
    *blocks += block && !p;
    return block;
}

/* Whatever was said is printed, to nowhere. */
static inline void fuzz_report(dal_context *cx)
{
    static FILE *nowhere;
    if (!nowhere) nowhere = fopen("/dev/null", "w");
    if (nowhere) dal_report(cx, nowhere, 1);
}

#endif
