/* digest.h - 128 bits that tell what was written: resume compares them with those of a file before
 * it changes the file.
 *
 * They are quick rather than cryptographic, a few gigabytes in a second, since every row passes
 * here. That is enough: to give the digest of a file one has to know what is in it. */
#ifndef CLI_DIGEST_H
#define CLI_DIGEST_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t a, b; /* 0, 0: of nothing */
} digest;

enum { DIGEST_TEXT = 33 };

void digest_add(digest *d, const void *bytes, size_t n);   /* a piece; where pieces end counts */
void digest_print(const digest *d, char out[DIGEST_TEXT]); /* hexadecimal */

#endif
