/* source.h - texts to be read: files and strings, checked to be UTF-8 before anything else looks at
 * them. */
#ifndef LANG_SOURCE_H
#define LANG_SOURCE_H

#include "base/diag.h"
#include "base/utf8.h"

enum { SOURCE_MOST = 64 << 20 }; /* bytes of one file */

/* A copy of a text under the name that messages show. A byte-order mark at its front is left out.
 */
const source *source_text(mem *m, const char *file, const char *bytes, size_t length);
/* A text of the caller's, to be read again later; its length may not have been counted. NULL: NULL.
 */
const source *source_kept(mem *m, const source *of);

/* The file at `path`, shown in messages as `path`. `asked` is the import that wants it, or
 * span_none(). DAL_IO, with the reason, if it cannot be read. */
dal_status source_read(mem *m, diags *ds, span asked, const char *path, const source **out);

/* Texts that were kept instead of the files that they come from: nothing is read from the disk. */
typedef struct {
    int           n;
    const source *at; /* under the names of the files */
} kept_texts;

const source *kept_find(const kept_texts *kept, const char *path); /* NULL: it is not among them */

/* The same from what was kept, unless that is NULL. */
dal_status source_open(mem *m, diags *ds, span asked, const char *path, const kept_texts *kept,
                       const source **out);

/* False, with a message at the place, if the text holds a NUL byte or is not UTF-8. */
bool source_check(diags *ds, const source *of);

#endif
