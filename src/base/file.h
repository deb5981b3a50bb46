/* file.h - whole files: read at once, and replaced atomically. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/mem.h"

#include <stdbool.h>

/* The bytes of a file, aligned and followed by a NUL; *reason is NULL on success, and else says why
 * there is none. */
char *file_read(mem *m, const char *path, size_t *length, const char **reason);

/* Fills `bytes` as far as the file goes; NULL, or what went wrong. */
const char *file_fill(const char *path, char *bytes, size_t room, size_t *length);

/* Is there such a file with other bytes? One that cannot be read is not. */
bool file_differs(mem *m, const char *path, const char *bytes, size_t length);

/* Replaces the file atomically: the bytes are written under another name in the same folder,
 * synchronised to disk, and renamed. Whatever happens, the name refers to the old file or to the
 * new one. NULL, or the reason why it failed. */
const char *file_replace(mem *m, const char *path, const void *bytes, size_t length);

#endif
