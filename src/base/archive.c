/* archive.c - fields stored one after another in words of 8 bytes: a head, the name, the data. The
 * search for a field begins where the last one ended, so that fields read in order are found at
 * once. */
#include "base/archive.h"

#include <limits.h>
#include <string.h>

static const char MARK[16] = "\x89"
                             "dalembert\r\n\x1A\n";

enum { BEGIN = 32, TAIL = 8, WORD = 8 };
enum { ORDER = 0x01020304 };

typedef enum { FIELD_DOUBLE = 1, FIELD_LONG, FIELD_TEXT, KINDS } kind;
static const char *const kind_word[KINDS] = {"?", "numbers", "whole numbers", "text"};

typedef struct { /* behind the mark */
    uint32_t version, order;
    uint64_t length;
} opening;

typedef struct {
    uint32_t kind, name; /* length of the name */
    uint64_t count;      /* of numbers, or of bytes of a text */
} head;

/* Fields begin at multiples of eight bytes, so that numbers can be read in place. */
static size_t whole_words(size_t bytes)
{
    return (bytes + WORD - 1) / WORD * WORD;
}

/* Multiplication by an odd number and addition of a word are invertible, so two byte strings that
 * differ in one word never have the same checksum. */
uint64_t archive_digest(uint64_t seed, const void *bytes, size_t length)
{
    const char *at = bytes;
    uint64_t    sum = seed ^ 0x9E3779B97F4A7C15u, word;
    for (; length >= WORD; length -= WORD, at += WORD) {
        memcpy(&word, at, WORD);
        sum = (sum ^ word) * 0x2545F4914F6CDD1Du;
        sum ^= sum >> 29;
    }
    word = length + 1;
    for (size_t k = 0; k < length; k++) word = word << 8 | (unsigned char)at[k];
    sum = (sum ^ word) * 0x2545F4914F6CDD1Du;
    return sum ^ sum >> 32;
}

/* The first reason counts. */
void archive_refuse(archive *r, const char *format, ...)
{
    va_list args;
    if (r->bad) return;
    r->bad = true;
    va_start(args, format);
    text_vprintf(&r->why, format, args);
    va_end(args);
}

void archive_section(archive *r, const char *where)
{
    r->where = where;
}

void archive_of(archive *r, const char *whose)
{
    r->whose = whose;
}

/* Writing. ------------------------------------------------------------------------------------- */

/* Zeroed, so that padding has the same bytes every time. */
static char *extend(archive *r, size_t bytes)
{
    if (r->n + bytes > r->room) {
        size_t room = r->room * 2 > r->n + bytes ? r->room * 2 : r->n + bytes;
        r->at = mem_resize(r->m, r->at, room);
        r->room = room;
    }
    memset(r->at + r->n, 0, bytes);
    r->n += bytes;
    return r->at + r->n - bytes;
}

void archive_write_to(archive *r, mem *m)
{
    *r = (archive){.m = m, .at = r->at, .room = r->room, .where = "", .whose = "", .why = text_new(m)};
    memcpy(extend(r, BEGIN), MARK, sizeof MARK);
}

/* Length and checksum last: an archive without them is incomplete. */
void archive_close(archive *r)
{
    opening o = {ARCHIVE_VERSION, ORDER, r->n + TAIL};
    memcpy(r->at + sizeof MARK, &o, sizeof o);
    uint64_t sum = archive_digest(0, r->at, r->n);
    memcpy(extend(r, TAIL), &sum, sizeof sum);
}

/* Head, name with its prefix, data, each padded to whole words. */
static void put(archive *r, const char *name, kind k, const void *data, size_t count, size_t bytes)
{
    size_t whose = strlen(r->whose), where = strlen(r->where), length = whose + where + strlen(name) + 1;
    head   h = {k, (uint32_t)length, count};
    memcpy(extend(r, sizeof h), &h, sizeof h);
    char *word = extend(r, whole_words(length));
    memcpy(word, r->whose, whose), memcpy(word + whose, r->where, where);
    memcpy(word + whose + where, name, length - whose - where);
    char *to = extend(r, whole_words(bytes));
    if (bytes) memcpy(to, data, bytes);
}

/* Reading. ------------------------------------------------------------------------------------- */

static head head_at(const archive *r, size_t at)
{
    head h;
    memcpy(&h, r->at + at, sizeof h);
    return h;
}

/* Of a text the count is its bytes, its final NUL included. */
static size_t data_bytes(head h)
{
    return h.kind == FIELD_TEXT ? (size_t)h.count : (size_t)h.count * WORD;
}

static size_t data_at(size_t at, head h)
{
    return at + sizeof h + whole_words(h.name);
}

static size_t field_end(size_t at, head h)
{
    return data_at(at, h) + whole_words(data_bytes(h));
}

/* Does the field lie within the bytes, with a terminated name and terminated strings? */
static bool is_sound(const archive *r, size_t at, size_t end)
{
    if (end - at < sizeof(head)) return false;
    head   h = head_at(r, at);
    size_t left = end - at - sizeof h;
    if (h.kind < FIELD_DOUBLE || h.kind >= KINDS || !h.name || h.name > ARCHIVE_NAME_MOST)
        return false;
    if (whole_words(h.name) > left || r->at[at + sizeof h + h.name - 1]) return false;
    left -= whole_words(h.name);
    if (h.count > left || whole_words(data_bytes(h)) > left) return false;
    return h.kind != FIELD_TEXT || (h.count && !r->at[data_at(at, h) + h.count - 1]);
}

/* Every field ends where the next one begins, and the last at the checksum. */
static bool has_sound_fields(const archive *r)
{
    const size_t end = r->n - TAIL;
    size_t       at = BEGIN;
    for (; at < end; at = field_end(at, head_at(r, at)))
        if (!is_sound(r, at, end)) return false;
    return at == end;
}

/* From the outside in: mark, byte order, version, length, checksum, fields; the message says how
 * far it is one. */
static void inspect(archive *r)
{
    opening  o = {0};
    uint64_t sum;
    if (r->n < sizeof MARK || memcmp(r->at, MARK, sizeof MARK)) {
        archive_refuse(r, "it is not a dalembert checkpoint");
        return;
    }
    if (r->n >= BEGIN) memcpy(&o, r->at + sizeof MARK, sizeof o);
    if (r->n >= BEGIN && o.order != ORDER)
        archive_refuse(r, "it was written on a machine with another order of bytes");
    else if (r->n >= BEGIN && o.version > ARCHIVE_VERSION)
        archive_refuse(
            r,
            "it has format %u, and this version of dalembert reads up to %d: use a newer "
            "one",
            (unsigned)o.version, ARCHIVE_VERSION);
    else if (r->n < BEGIN + TAIL || o.length > r->n)
        archive_refuse(r, "its end is missing: %zu bytes are there", r->n);
    else if (o.length < r->n || r->n % WORD)
        archive_refuse(r, "it goes on behind its end: something was added to it");
    if (r->bad) return;
    memcpy(&sum, r->at + r->n - TAIL, sizeof sum);
    if (sum != archive_digest(0, r->at, r->n - TAIL) || o.version < 1 || !has_sound_fields(r))
        archive_refuse(r, "it is damaged: its checksum is wrong");
}

bool archive_read_from(archive *r, mem *m, char *bytes, size_t length)
{
    *r = (archive){
        .m = m, .reading = true, .at = bytes, .n = length, .where = "", .whose = "", .why = text_new(m)};
    r->next = BEGIN;
    inspect(r);
    return !r->bad;
}

static bool is_called(const archive *r, size_t at, const char *name)
{
    const char *word = r->at + at + sizeof(head);
    size_t      whose = strlen(r->whose), where = strlen(r->where);
    return !strncmp(word, r->whose, whose) && !strncmp(word + whose, r->where, where) &&
           !strcmp(word + whose + where, name);
}

/* Around from where the last field was found: fields are mostly read in their order. */
static bool find(archive *r, const char *name, size_t *out)
{
    const size_t end = r->n - TAIL, first = r->next < end ? r->next : BEGIN;
    size_t       at = first;
    if (BEGIN == end) return false;
    do {
        if (is_called(r, at, name)) return *out = at, true;
        at = field_end(at, head_at(r, at));
        if (at >= end) at = BEGIN;
    } while (at != first);
    return false;
}

long archive_count(archive *r, const char *name)
{
    size_t at;
    return !r->bad && find(r, name, &at) ? (long)head_at(r, at).count : -1;
}

/* The data of a field of `count` numbers; NULL: the archive is damaged. */
static const char *take(archive *r, const char *name, kind k, size_t count, size_t *bytes)
{
    size_t at;
    if (r->bad) return NULL;
    if (!find(r, name, &at)) {
        archive_refuse(r, "it has no field '%s%s%s'", r->whose, r->where, name);
        return NULL;
    }
    head h = head_at(r, at);
    r->next = field_end(at, h);
    if (h.kind == (uint32_t)k && (k == FIELD_TEXT || h.count == count))
        return *bytes = data_bytes(h), r->at + data_at(at, h);
    archive_refuse(r, "its field '%s%s%s' has %llu %s, where this model wants %zu %s", r->whose, r->where, name,
                   (unsigned long long)h.count, kind_word[h.kind], count, kind_word[k]);
    return NULL;
}

/* Both. ---------------------------------------------------------------------------------------- */

void archive_put_doubles(archive *r, const char *name, const double *x, size_t count)
{
    put(r, name, FIELD_DOUBLE, x, count, count * sizeof *x);
}

void archive_doubles(archive *r, const char *name, double *x, size_t count)
{
    if (!r->reading) archive_put_doubles(r, name, x, count);
    else {
        size_t      bytes;
        const char *data = take(r, name, FIELD_DOUBLE, count, &bytes);
        if (data && bytes) memcpy(x, data, bytes);
    }
}

void archive_double(archive *r, const char *name, double *x)
{
    archive_doubles(r, name, x, 1);
}

/* 64 bits in the file, whatever long has here. No run counts beyond `most`: then it is damage. */
static void archive_whole(archive *r, const char *name, int64_t *x, int64_t most)
{
    size_t  bytes;
    int64_t value;
    if (!r->reading) put(r, name, FIELD_LONG, x, 1, sizeof *x);
    const char *data = r->reading ? take(r, name, FIELD_LONG, 1, &bytes) : NULL;
    if (!data) return;
    memcpy(&value, data, sizeof value);
    if (value >= -most && value <= most) *x = value;
    else archive_refuse(r, "it is damaged: its field '%s%s%s' is too large", r->whose, r->where, name);
}

/* Up to 2^53, where numbers of steps are still doubles. */
void archive_long(archive *r, const char *name, long *x)
{
    const int64_t exact = (int64_t)1 << 53;
    int64_t       value = *x;
    archive_whole(r, name, &value, exact < LONG_MAX ? exact : LONG_MAX);
    *x = (long)value;
}

void archive_int(archive *r, const char *name, int *x)
{
    int64_t value = *x;
    archive_whole(r, name, &value, INT_MAX);
    *x = (int)value;
}

void archive_bool(archive *r, const char *name, bool *x)
{
    long value = *x;
    archive_long(r, name, &value);
    *x = value != 0;
}

void archive_bytes(archive *r, const char *name, const char **x, size_t *length)
{
    if (!r->reading) put(r, name, FIELD_TEXT, *x, *length + 1, *length + 1);
    else {
        size_t      bytes;
        const char *data = take(r, name, FIELD_TEXT, 0, &bytes);
        if (data) *x = data, *length = bytes - 1;
    }
}

void archive_text(archive *r, const char *name, const char **x)
{
    size_t length = r->reading ? 0 : strlen(*x);
    archive_bytes(r, name, x, &length);
}
