/* npy.h - arrays as NumPy stores them: a header that is a Python literal, then the bytes. */
#ifndef CLI_NPY_H
#define CLI_NPY_H

#include "cli.h"

#include <stdint.h>

typedef struct { /* bytes that grow; yours to free */
    unsigned char *at;
    size_t         n, room;
} bytes;

void bytes_add(bytes *b, const void *from, size_t n);

/* A header for `shape` ("(3,)") of items of `type` ("'<f8'"), with room for `spare` more characters
 * of the shape, so that it can be written again when there are more rows. */
void npy_header(bytes *b, const char *type, const char *shape, size_t spare);

const char *npy_double(void); /* "'<f8'", or the other way round */

/* Texts: an array of as many as there are; one (count < 0) has no axis. They are UTF-8. */
void npy_texts(bytes *b, const char *const *text, long count);

/* Read: what the header says, and where the bytes begin. */
typedef struct {
    char  *type; /* as it stands there              */
    size_t axes;
    long   shape[2]; /* of at most two axes             */
    size_t begin;    /* of the bytes behind the header  */
} npy_array;

bool   npy_read(const unsigned char *at, size_t n,
                npy_array *out);                 /* false: it is none that we read */
char **npy_names(const char *type, long *count); /* of a structure of doubles; NULL: it is none */
char **npy_strings(const unsigned char *at, size_t n,
                   long *count); /* what npy_texts wrote; or NULL */

#endif
