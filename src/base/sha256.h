/* sha256.h - the SHA-256 digest (FIPS 180-4): names for what is kept by its content, and proof that
 * it is whole. */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_SIZE = 32, SHA256_TEXT = 2 * SHA256_SIZE + 1 };

typedef struct {
    uint32_t h[8];
    uint64_t length;   /* bytes so far            */
    uint8_t  rest[64]; /* those of an open block  */
} sha256;

void sha256_begin(sha256 *s);
void sha256_add(sha256 *s, const void *bytes, size_t n);
void sha256_add_text(sha256     *s,
                     const char *words); /* with its final NUL: two texts never run together */
void sha256_end(sha256 *s, uint8_t out[SHA256_SIZE]);
void sha256_print(const uint8_t digest[SHA256_SIZE], char out[SHA256_TEXT]); /* hexadecimal */

#endif
