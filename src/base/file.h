/* file.h - whole files: read at once, and replaced in one instant. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/mem.h"

#include <stdbool.h>

/* The bytes of a file, aligned, with a NUL behind them; *reason, if it is NULL afterwards, means
 * success, and else says why there is none. */
char *file_read(mem *m, const char *path, size_t *length, const char **reason);

/* Fills `bytes` as far as there is something; NULL, or what went wrong. */
const char *file_fill(const char *path, char *bytes, size_t room, size_t *length);

/* Is there such a file with other bytes? One that cannot be read is not. */
bool file_differs(mem *m, const char *path, const char *bytes, size_t length);

/* Puts the bytes under the name at once: they are written to another name beside it, brought to the
 * disk, and renamed. Whatever happens, under the name is the old file or the new one. NULL, or why
 * it could not be done. */
const char *file_replace(mem *m, const char *path, const void *bytes, size_t length);

#endif
