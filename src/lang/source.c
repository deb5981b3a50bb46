/* source.c - reads a whole file at once: a text is small, and every message wants to quote it. */
#include "lang/source.h"

#include "base/file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static const char mark[] = "\xEF\xBB\xBF"; /* U+FEFF, the byte-order mark */

/* `bytes` has room for a NUL behind its end */
static const source *adopt(mem *m, const char *file, char *bytes, size_t length)
{
    source *s = mem_array(m, 1, source);
    bool    marked = length >= 3 && !memcmp(bytes, mark, 3);
    bytes[length] = 0;
    *s = (source){mem_printf(m, "%s", file), bytes + 3 * marked, length - 3 * (size_t)marked};
    return s;
}

const source *source_text(mem *m, const char *file, const char *bytes, size_t length)
{
    char *copy = mem_take(m, length + 1);
    if (length) memcpy(copy, bytes, length);
    return adopt(m, file, copy, length);
}

const source *source_kept(mem *m, const source *of)
{
    return of ? source_text(m, of->file, of->text, strlen(of->text)) : NULL;
}

/* `run pendulum` */
static const char *suffix_forgotten(mem *m, const char *path)
{
    struct stat about;
    const char *longer = mem_printf(m, "%s.dal", path);
    return !stat(path, &about) || stat(longer, &about)
               ? NULL
               : mem_printf(m, "did you mean '%s'?", longer);
}

/* The file is read as a whole; a pipe, whose size is unknown, up to SOURCE_MOST bytes. */
dal_status source_read(mem *m, diags *ds, span asked, const char *path, const source **out)
{
    struct stat about;
    const char *reason = NULL;
    size_t      length = 0, room = SOURCE_MOST + 1; /* a pipe does not tell its size */
    *out = NULL;
    if (stat(path, &about)) reason = strerror(errno);
    else if (S_ISDIR(about.st_mode)) reason = "it is a directory";
    else if (about.st_size > 0 && about.st_size <= SOURCE_MOST) room = (size_t)about.st_size;
    char *bytes = NULL;
    if (!reason) {
        bytes = mem_resize(m, NULL, room + 1);
        reason = file_fill(path, bytes, room, &length);
    }
    if (!reason && length > SOURCE_MOST)
        reason = mem_printf(m, "it is larger than %d MB", SOURCE_MOST >> 20);
    if (reason) {
        mem_drop(m, bytes);
        return diag_error(ds, DAL_IO, asked, suffix_forgotten(m, path), "cannot read '%s': %s",
                          path, reason);
    }
    *out = adopt(m, path, mem_resize(m, bytes, length + 1), length);
    return DAL_OK;
}

const source *kept_find(const kept_texts *kept, const char *path)
{
    for (int i = 0; i < kept->n; i++)
        if (!strcmp(kept->at[i].file, path)) return &kept->at[i];
    return NULL;
}

dal_status source_open(mem *m, diags *ds, span asked, const char *path, const kept_texts *kept,
                       const source **out)
{
    if (!kept) return source_read(m, ds, asked, path, out);
    const source *found = kept_find(kept, path);
    *out = NULL;
    if (!found) return diag_error(ds, DAL_IO, asked, NULL, "'%s' was not kept", path);
    *out = source_text(m, path, found->text, found->length);
    return DAL_OK;
}

bool source_check(diags *ds, const source *of)
{
    const char *end = of->text + of->length;
    int         n;
    for (const char *s = of->text; s < end; s += n) {
        span     at = {of, (int)(s - of->text), (int)(s - of->text) + 1};
        uint32_t code = utf8_read(s, end, &n);
        if (code == 0) {
            diag_error(ds, DAL_SYNTAX, at, "is this a text file?", "a NUL byte in the text");
            return false;
        }
        if (code == UTF8_BAD) {
            diag_error(ds, DAL_SYNTAX, at, "save the file as UTF-8",
                       "byte 0x%02X is not UTF-8 here", (unsigned)(unsigned char)*s);
            return false;
        }
    }
    return true;
}
