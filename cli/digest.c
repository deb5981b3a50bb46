/* digest.c - two sums, each multiplied by an odd number after every word of 8 bytes and folded.
 * Such a step is invertible, so that pieces that differ in a single word differ in both sums. */
#include "digest.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void add_word(digest *d, uint64_t word)
{
    d->a = (d->a ^ word) * 0x9FB21C651E98DF25u;
    d->b = (d->b + word) * 0xD6E8FEB86659FD93u;
    d->a ^= d->a >> 28;
    d->b ^= d->b >> 32;
}

/* Its length goes first: 0 too changes the sums. */
void digest_add(digest *d, const void *bytes, size_t n)
{
    const char *at = bytes;
    uint64_t    word;
    add_word(d, n + 1);
    for (; n >= sizeof word; n -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        add_word(d, word);
    }
    word = 0;
    memcpy(&word, at, n);
    if (n) add_word(d, word);
}

void digest_print(const digest *d, char out[DIGEST_TEXT])
{
    snprintf(out, DIGEST_TEXT, "%016" PRIx64 "%016" PRIx64, d->a, d->b);
}
