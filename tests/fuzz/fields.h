/* fields.h - the fields of a checkpoint (src/base/archive.c), changed one by one: what comes out is
 * made of sound fields again. */
#ifndef TESTS_FUZZ_FIELDS_H
#define TESTS_FUZZ_FIELDS_H

#include "base/archive.h"
#include "fuzz.h"

#include <string.h>

enum { FIELDS_BEGIN = 32, FIELDS_TAIL = 8, FIELDS_MOST = 1024, OF_TEXT = 3 };

typedef struct {
    size_t   at, data, end; /* of its head, its data, and the next field */
    uint32_t kind;
    uint64_t count;
} field;

static inline size_t words_up(size_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

/* All of them, as far as they are sound. */
static inline int fields_of(const uint8_t *bytes, size_t length, field *out)
{
    int    n = 0;
    size_t at = FIELDS_BEGIN, end = length - FIELDS_TAIL;
    if (length < FIELDS_BEGIN + FIELDS_TAIL) return 0;
    while (n < FIELDS_MOST && end - at >= 16) {
        field    f = {.at = at};
        uint32_t name;
        memcpy(&f.kind, bytes + at, 4), memcpy(&name, bytes + at + 4, 4);
        memcpy(&f.count, bytes + at + 8, 8);
        if (name > end - at || f.count > end - at) break;
        f.data = at + 16 + words_up(name);
        f.end = f.data + words_up(f.kind == OF_TEXT ? f.count : 8 * f.count);
        if (f.end > end) break;
        out[n++] = f, at = f.end;
    }
    return n;
}

static inline bool field_is(const uint8_t *bytes, const field *f, const char *name)
{
    return f->data - f->at >= 16 + strlen(name) + 1 &&
           !memcmp(bytes + f->at + 16, name, strlen(name) + 1);
}

/* Length and checksum, which are the last to be looked at. */
static inline void seal(uint8_t *bytes, size_t length)
{
    const uint64_t all = length;
    if (length < FIELDS_BEGIN + FIELDS_TAIL) return;
    memcpy(bytes + 24, &all, sizeof all);
    uint64_t sum = archive_digest(0, bytes, length - FIELDS_TAIL);
    memcpy(bytes + length - FIELDS_TAIL, &sum, sizeof sum);
}

/* The digest of its texts, as src/run/save.c makes it: the text of another model is as good. */
static inline void agree(uint8_t *bytes, size_t length)
{
    static field all[FIELDS_MOST];
    const int    n = fields_of(bytes, length, all);
    uint64_t     sum = 0;
    for (int i = 0; i < n; i++) {
        const char *name = (const char *)bytes + all[i].at + 16;
        if (all[i].kind == OF_TEXT && all[i].count && !strncmp(name, "texts[", 6) &&
            strstr(name, "].text"))
            sum = archive_digest(sum, bytes + all[i].data, all[i].count - 1);
        if (field_is(bytes, &all[i], "text") && all[i].kind == 1 && all[i].count == 2) {
            double half[] = {(double)(sum >> 32), (double)(sum & 0xFFFFFFFFu)};
            memcpy(bytes + all[i].data, half, sizeof half);
        }
    }
}

/* One number becomes another: what no run would write, or something near. */
static inline void change_number(uint8_t *bytes, const field *f, unsigned any)
{
    static const double x[] = {0, -0.0, 1, -1, 1e308, -1e308, 5e-324, 1e-9, 1e9, 0.5};
    static const long   k[] = {0,       1,          -1,          2,        7,          63,
                               1000000, 2147483647, -2147483648, 1L << 40, (1L << 62), -(1L << 62)};
    uint8_t            *at = bytes + f->data + 8 * (any % f->count);
    const unsigned      how = any >> 8 & 31;
    if (how < 4) at[how + 4] = (uint8_t)(at[how + 4] ^ 1u << (any >> 16 & 7));
    else if (how < 6) memset(at, how == 4 ? 0xFF : 0x7F, 8); /* no number, and the largest */
    else if (f->kind == 1) memcpy(at, &x[any >> 16 & 7], 8);
    else memcpy(at, &k[(any >> 16) % (sizeof k / sizeof *k)], 8);
}

/* The data of field f are now `size` bytes; what follows moves. */
static inline size_t resize_field(uint8_t *bytes, size_t length, const field *f, size_t size)
{
    const size_t end = f->data + words_up(size);
    memmove(bytes + end, bytes + f->end, length - f->end);
    memset(bytes + f->data + size, 0, end - f->data - size);
    return length - f->end + end;
}

/* A text of up to so many more bytes; its last stays 0. */
static inline size_t change_text(uint8_t *bytes, size_t length, size_t most, const field *f)
{
    static uint8_t copy[1 << 16];
    if (!f->count || f->count > sizeof copy / 2 || length + 512 > most) return length;
    memcpy(copy, bytes + f->data, f->count - 1);
    size_t   size = LLVMFuzzerMutate(copy, f->count - 1, f->count + 400) + 1;
    uint64_t count = size;
    copy[size - 1] = 0;
    length = resize_field(bytes, length, f, size);
    memcpy(bytes + f->data, copy, size), memcpy(bytes + f->at + 8, &count, 8);
    return length;
}

/* A number more or fewer than there were. */
static inline size_t change_count(uint8_t *bytes, size_t length, size_t most, const field *f,
                                  bool fewer)
{
    uint64_t count = fewer ? f->count - 1 : f->count + 1;
    if ((fewer && !f->count) || length + 8 > most) return length;
    length = resize_field(bytes, length, f, 8 * count);
    memcpy(bytes + f->at + 8, &count, 8);
    return length;
}

static inline size_t leave_out(uint8_t *bytes, size_t length, const field *f)
{
    memmove(bytes + f->at, bytes + f->end, length - f->end);
    return length - f->end + f->at;
}

#endif
