/* zip.c - the archive that holds an .npz: headers, directory, checksums. Nothing is compressed, so
 * that rows can be added and read in place. */
#include "zip.h"

#include <limits.h>
#include <string.h>

/* CRC-32: polynomials over two elements, the remainder of x^32 times the message by P; the bits of
 * a byte are in reverse. */
static const uint32_t P = 0xEDB88320u;

enum { AT_ONCE = 8 }; /* bytes */

/* of[k][c]: the remainder of the byte c with k zeros behind it. Of one thread. */
static const uint32_t (*remainders(void))[256]
{
    static uint32_t of[AT_ONCE][256];
    if (of[0][1]) return (const uint32_t(*)[256])of;
    for (uint32_t c = 0; c < 256; c++) {
        of[0][c] = c;
        for (int bit = 0; bit < 8; bit++) of[0][c] = of[0][c] & 1 ? of[0][c] >> 1 ^ P : of[0][c] >> 1;
    }
    for (int k = 1; k < AT_ONCE; k++)
        for (int c = 0; c < 256; c++) of[k][c] = of[0][of[k - 1][c] & 255] ^ of[k - 1][c] >> 8;
    return (const uint32_t(*)[256])of;
}

uint32_t crc_add(uint32_t crc, const void *from, size_t n)
{
    const uint32_t(*of)[256] = remainders();
    const unsigned char *c = from;
    crc = ~crc;
    for (; n >= AT_ONCE; n -= AT_ONCE, c += AT_ONCE) {
        uint32_t sum = 0;
        for (int k = 0; k < 4; k++) sum ^= of[7 - k][(crc >> 8 * k & 255) ^ c[k]];
        for (int k = 4; k < AT_ONCE; k++) sum ^= of[7 - k][c[k]];
        crc = sum;
    }
    for (; n; n--, c++) crc = of[0][(crc ^ *c) & 255] ^ crc >> 8;
    return ~crc;
}

static uint32_t times(uint32_t a, uint32_t b) /* modulo P */
{
    uint32_t product = 0;
    for (uint32_t bit = 0x80000000u; bit; bit >>= 1) {
        if (a & bit) product ^= b;
        b = b & 1 ? b >> 1 ^ P : b >> 1;
    }
    return product;
}

/* The remainder of the first, moved by the bits of the second: times x^(8 length). */
uint32_t crc_join(uint32_t first, uint32_t second, uint64_t length)
{
    uint32_t power = 0x80000000u, square = 0x00800000u; /* 1, x^8 */
    for (; length; length >>= 1, square = times(square, square))
        if (length & 1) power = times(power, square);
    return times(power, first) ^ second;
}

static void put(bytes *b, uint64_t value, int size)
{
    for (int i = 0; i < size; i++, value >>= 8)
        bytes_add(b, &(unsigned char){(unsigned char)(value & 255)}, 1);
}

enum { LOCAL = 30, EXTRA = 20, EXTRA_DIRECTORY = 28 };

void zip_header(bytes *b, const zip_member *m)
{
    put(b, 0x04034b50, 4), put(b, 45, 2); /* version that knows 64 bits */
    put(b, 0x0800, 2), put(b, 0, 2), put(b, 0, 2), put(b, 0x5821, 2);  /* UTF-8, stored, no time  */
    put(b, m->crc, 4), put(b, 0xFFFFFFFFu, 4), put(b, 0xFFFFFFFFu, 4); /* sizes are in the extra */
    put(b, strlen(m->name), 2), put(b, EXTRA, 2), bytes_add(b, m->name, strlen(m->name));
    put(b, 1, 2), put(b, EXTRA - 4, 2), put(b, m->size, 8), put(b, m->size, 8);
}

static void put_entry(bytes *b, const zip_member *m)
{
    put(b, 0x02014b50, 4), put(b, 45, 2), put(b, 45, 2);
    put(b, 0x0800, 2), put(b, 0, 2), put(b, 0, 2), put(b, 0x5821, 2);
    put(b, m->crc, 4), put(b, 0xFFFFFFFFu, 4), put(b, 0xFFFFFFFFu, 4);
    put(b, strlen(m->name), 2), put(b, EXTRA_DIRECTORY, 2), put(b, 0, 2), put(b, 0, 2),
        put(b, 0, 2);
    put(b, 0, 4), put(b, 0xFFFFFFFFu, 4), bytes_add(b, m->name, strlen(m->name));
    put(b, 1, 2), put(b, EXTRA_DIRECTORY - 4, 2), put(b, m->size, 8), put(b, m->size, 8),
        put(b, m->offset, 8);
}

void zip_directory(bytes *b, const zip_member *m, int members, uint64_t at)
{
    size_t   begin = b->n;
    uint64_t count = (uint64_t)members;
    for (int i = 0; i < members; i++) put_entry(b, &m[i]);
    uint64_t size = b->n - begin;
    put(b, 0x06064b50, 4), put(b, 44, 8), put(b, 45, 2), put(b, 45, 2), put(b, 0, 4), put(b, 0, 4);
    put(b, count, 8), put(b, count, 8), put(b, size, 8), put(b, at, 8);
    put(b, 0x07064b50, 4), put(b, 0, 4), put(b, at + size, 8), put(b, 1, 4);
    put(b, 0x06054b50, 4), put(b, 0, 4), put(b, count, 2), put(b, count, 2);
    put(b, 0xFFFFFFFFu, 4), put(b, 0xFFFFFFFFu, 4), put(b, 0, 2);
}

/* Reading. ------------------------------------------------------------------------------------- */

static uint64_t get(const unsigned char *at, int size)
{
    uint64_t value = 0;
    while (size-- > 0) value = value << 8 | at[size];
    return value;
}

/* The members behind each other; the directory is not needed. */
bool zip_find(const unsigned char *at, size_t n, const char *name, const unsigned char **out,
              size_t *size)
{
    size_t i = 0;
    while (i + LOCAL <= n && get(at + i, 4) == 0x04034b50) {
        size_t length = (size_t)get(at + i + 26, 2), extra = (size_t)get(at + i + 28, 2),
               begin = i + LOCAL + length + extra;
        uint64_t stored = get(at + i + 22, 4);
        if (begin > n) return false;
        const unsigned char *wide = at + i + LOCAL + length;
        if (stored == 0xFFFFFFFFu && extra >= 12 && get(wide, 2) == 1) stored = get(wide + 4, 8);
        if (stored > n - begin) return false;
        bool is_stored = get(at + i + 8, 2) == 0 && !(get(at + i + 6, 2) & 8);
        *out = at + begin, *size = (size_t)stored;
        if (strlen(name) == length && !memcmp(at + i + LOCAL, name, length)) return is_stored;
        i = begin + (size_t)stored;
    }
    return false;
}

uint64_t zip_seek(FILE *file, const char *name)
{
    unsigned char head[LOCAL], rest[512];
    for (uint64_t at = 0;
         !fseek(file, (long)at, SEEK_SET) && fread(head, 1, LOCAL, file) == LOCAL;) {
        size_t length = (size_t)get(head + 26, 2), extra = (size_t)get(head + 28, 2);
        if (get(head, 4) != 0x04034b50 || length + extra > sizeof rest || extra < 12) return 0;
        if (fread(rest, 1, length + extra, file) != length + extra) return 0;
        at += LOCAL + length + extra;
        if (strlen(name) == length && !memcmp(rest, name, length)) return at;
        uint64_t size = get(rest + length + 4, 8); /* they stand there, as zip_header writes them */
        if (size > (uint64_t)LONG_MAX - at) return 0;
        at += size;
    }
    return 0;
}
