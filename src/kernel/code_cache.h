/* code_cache.h - compiled code kept on disk by its content, so that it is compiled once.
 *
 * A file ends with a digest over its name and its bytes, which is checked before it is loaded.
 * Files are put in place by renaming, so another process sees a complete file or none, and are
 * evicted oldest first once their total size is too large. The directory belongs to the user and is
 * closed to others. */
#ifndef KERNEL_CODE_CACHE_H
#define KERNEL_CODE_CACHE_H

#include "kernel/compiler.h"

enum { CODE_CACHE_BYTES = 64 << 20 };

/* $XDG_CACHE_HOME/dalembert or ~/.cache/dalembert, created if it does not exist; else the reason,
 * in words. */
const char *code_cache_open(char directory[PATH_ROOM]);

/* A new directory closed to others, inside `parent`; and its end, with all that is in it. */
bool private_directory(char out[PATH_ROOM], const char *parent);
void private_directory_remove(const char *directory);

/* One builder per key at a time, over all processes and threads: waits while another one builds.
 * Where the file system has no locks, or the other takes longer than a compiler may, there is no
 * lock, and file is -1. A builder that died is not waited for. */
typedef struct {
    int  file;
    char path[PATH_ROOM];
} code_turn;

code_turn code_turn_take(const char *directory, const char key[SHA256_TEXT]);
void      code_turn_end(code_turn *turn);

/* Ends a file with its digest. */
bool code_seal(const char *path, const char key[SHA256_TEXT]);
/* Is that the end of the file, and does nobody else own it? */
bool code_is_whole(const char *path, const char key[SHA256_TEXT]);

void code_cache_trim(const char *directory,
                     size_t      most); /* drops the oldest until at most so many bytes are left */

#endif
