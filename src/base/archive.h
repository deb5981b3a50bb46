/* archive.h - a table of named fields, written and read by the same code, so that the two cannot
 * disagree: a writing archive stores what the pointers point at, a reading one fills it in.
 *
 *     archive_doubles(r, "q", st->q, n);        saves q, or restores it
 *
 * Fields are found by name; a field that is missing, or has another kind or length than expected,
 * marks the archive as bad with a reason, and everything after that is ignored.
 *
 * As bytes: 16 of a mark, then the version of the format, the order of bytes, the length of all,
 * the fields (a head, the name, the data, each in whole words of 8 bytes), a checksum. */
#ifndef BASE_ARCHIVE_H
#define BASE_ARCHIVE_H

#include "base/text.h"

#include <stdint.h>

enum { ARCHIVE_VERSION = 1, ARCHIVE_NAME_MOST = 64 };

typedef struct {
    mem        *m;
    bool        reading;
    char       *at; /* the bytes */
    size_t      n, room;
    size_t      next;  /* where a field is looked for first */
    const char *where; /* stands before every name: "step." */
    const char *whose; /* and before that, of a second stepper: "mode."; else "" */
    bool        bad;
    text        why; /* the reason */
} archive;

/* r is zeroed, or was written to before: its memory is reused. */
void archive_write_to(archive *r, mem *m);
void archive_close(archive *r); /* length and checksum: the bytes are complete */

/* False, with the reason in r->why: the bytes are no such table, or are incomplete or damaged. They
 * must be aligned to 8 and live as long as r. */
bool archive_read_from(archive *r, mem *m, char *bytes, size_t length);

/* Prefixes the names of the fields that follow; the string stays the caller's. */
void archive_section(archive *r, const char *where);
void archive_of(archive *r, const char *whose);

void archive_doubles(archive *r, const char *name, double *x, size_t count);
void archive_put_doubles(archive *r, const char *name, const double *x,
                         size_t count); /* writing only */
void archive_double(archive *r, const char *name, double *x);
void archive_long(archive *r, const char *name, long *x);
void archive_int(archive *r, const char *name, int *x);
void archive_bool(archive *r, const char *name, bool *x);

/* A text of any length, NUL-terminated; read, it points into the bytes. The second form may hold
 * NULs within. */
void archive_text(archive *r, const char *name, const char **x);
void archive_bytes(archive *r, const char *name, const char **x, size_t *length);

/* Reading only: is there such a field, and how many numbers does it have? -1: there is none. */
long archive_count(archive *r, const char *name);

/* The archive becomes bad. */
void archive_refuse(archive *r, const char *format, ...) PRINTF_LIKE(2, 3);

/* A checksum of all bytes; every change of one word changes it. */
uint64_t archive_digest(uint64_t seed, const void *bytes, size_t length);

#endif
