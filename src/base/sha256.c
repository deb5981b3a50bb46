/* sha256.c - the digest, block by block, as the standard writes it. */
#include "base/sha256.h"

#include <stdio.h>
#include <string.h>

static const uint32_t round_constant[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

/* One block of 64 bytes: message schedule, 64 rounds, sum. */
static void take_block(uint32_t h[8], const uint8_t block[64])
{
    uint32_t w[64], s[8];
    for (int t = 0; t < 16; t++, block += 4)
        w[t] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 |
               block[3];
    for (int t = 16; t < 64; t++) {
        uint32_t x = w[t - 15], y = w[t - 2];
        w[t] = w[t - 16] + (rotate(x, 7) ^ rotate(x, 18) ^ x >> 3) + w[t - 7] +
               (rotate(y, 17) ^ rotate(y, 19) ^ y >> 10);
    }
    memcpy(s, h, sizeof s);
    for (int t = 0; t < 64; t++) {
        uint32_t a = s[0], e = s[4];
        uint32_t one = s[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
                       ((e & s[5]) ^ (~e & s[6])) + round_constant[t] + w[t];
        uint32_t two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
                       ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[0] = one + two, s[4] += one;
    }
    for (int i = 0; i < 8; i++) h[i] += s[i];
}

void sha256_begin(sha256 *s)
{
    *s = (sha256){.h = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                        0x1f83d9ab, 0x5be0cd19}};
}

/* Bytes wait in `rest` until a block is full. */
void sha256_add(sha256 *s, const void *bytes, size_t n)
{
    const uint8_t *from = bytes;
    while (n) {
        size_t open = s->length % sizeof s->rest, part = sizeof s->rest - open;
        if (part > n) part = n;
        memcpy(s->rest + open, from, part);
        s->length += part, from += part, n -= part;
        if (open + part == sizeof s->rest) take_block(s->h, s->rest);
    }
}

void sha256_add_text(sha256 *s, const char *words)
{
    sha256_add(s, words, strlen(words) + 1);
}

/* A one bit, zeros, and the number of bits in the last eight bytes of a block. */
void sha256_end(sha256 *s, uint8_t out[SHA256_SIZE])
{
    uint8_t  size[8], mark = 0x80, zero = 0;
    uint64_t bits = s->length * 8;
    for (int i = 0; i < 8; i++) size[i] = (uint8_t)(bits >> (56 - 8 * i));
    sha256_add(s, &mark, 1);
    while (s->length % sizeof s->rest != 56) sha256_add(s, &zero, 1);
    sha256_add(s, size, sizeof size);
    for (int i = 0; i < SHA256_SIZE; i++) out[i] = (uint8_t)(s->h[i / 4] >> (24 - 8 * (i % 4)));
}

void sha256_print(const uint8_t digest[SHA256_SIZE], char out[SHA256_TEXT])
{
    for (int i = 0; i < SHA256_SIZE; i++) snprintf(out + 2 * i, 3, "%02x", digest[i]);
}
