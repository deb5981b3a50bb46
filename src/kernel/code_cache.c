/* code_cache.c - directories, digests and eviction. Nothing here allocates, so a failing allocation
 * never leaves a file open. */
#include "kernel/code_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { STALE_SECONDS = 3600 }; /* a directory or a turn this old was left by a process that died */

/* Directories. --------------------------------------------------------------------------------- */

/* Makes the directory and those above it, closed to others where they are new. */
static bool make_directories(char *path)
{
    for (char *at = path + 1; *at; at++) {
        if (*at != '/') continue;
        *at = 0;
        bool bad = mkdir(path, 0700) && errno != EEXIST;
        *at = '/';
        if (bad && errno != EROFS && errno != EACCES && errno != EPERM) return false;
    }
    return !mkdir(path, 0700) || errno == EEXIST;
}

/* NULL: `directory` may be used, and belongs to nobody else. */
const char *code_cache_open(char directory[PATH_ROOM])
{
    const char *home = getenv("HOME"), *caches = getenv("XDG_CACHE_HOME");
    bool        named = caches && *caches == '/';
    struct stat s;
    *directory = 0;
    if (!named && (!home || *home != '/'))
        return "neither XDG_CACHE_HOME nor HOME names a directory";
    if (!path_join(directory, named ? caches : home, named ? "dalembert" : ".cache/dalembert"))
        return "its name is too long";
    if (!make_directories(directory) || stat(directory, &s)) return strerror(errno);
    if (!S_ISDIR(s.st_mode)) return "it is no directory";
    if (s.st_uid != geteuid()) return "it belongs to another user";
    if (s.st_mode & (S_IWGRP | S_IWOTH)) return "others may write there";
    return access(directory, W_OK | X_OK) ? strerror(errno) : NULL;
}

/* Closed to others by mkdtemp. */
bool private_directory(char out[PATH_ROOM], const char *parent)
{
    return path_join(out, parent, "build-XXXXXX") && mkdtemp(out);
}

/* What is no file is a directory, and is emptied first. */
void private_directory_remove(const char *directory)
{
    char path[PATH_ROOM];
    DIR *d = opendir(directory);
    for (struct dirent *e; d && (e = readdir(d));)
        if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..") &&
            path_join(path, directory, e->d_name) && unlink(path))
            private_directory_remove(path);
    if (d) closedir(d);
    rmdir(directory);
}

/* Turns: a lock on a file, which the system gives back when its owner ends, however that is. --- */

enum { TURN_SECONDS = COMPILER_SECONDS + 10 };

/* Is it still the file of that name, and not one that its last owner took away? */
static bool is_there(int file, const char *path)
{
    struct stat own, there;
    return !fstat(file, &own) && !stat(path, &there) && own.st_ino == there.st_ino &&
           own.st_dev == there.st_dev;
}

code_turn code_turn_take(const char *directory, const char key[SHA256_TEXT])
{
    char            name[SHA256_TEXT + 8];
    code_turn       turn = {.file = -1};
    /* 2 ms: a compiler takes far longer */
    struct timespec nap = {0, 2000000};
    const time_t    begin = time(NULL);
    snprintf(name, sizeof name, "build-%s", key);
    if (!path_join(turn.path, directory, name)) return turn;
    while (time(NULL) - begin <= TURN_SECONDS) {
        const int file = open(turn.path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (file < 0) return turn;
        const int busy = flock(file, LOCK_EX | LOCK_NB) ? errno : 0;
        /* a file that its last owner removed meanwhile is of no use: another one has its name */
        if (!busy && is_there(file, turn.path)) return turn.file = file, turn;
        close(file);
        if (busy && busy != EWOULDBLOCK && busy != EINTR) return turn;
        nanosleep(&nap, NULL);
    }
    return turn;
}

/* Removed while it is locked: whoever opens that name later makes a file of its own. */
void code_turn_end(code_turn *turn)
{
    if (turn->file < 0) return;
    unlink(turn->path);
    close(turn->file);
    turn->file = -1;
}

/* Seals. --------------------------------------------------------------------------------------- */

/* The digest over the key and the first `length` bytes. */
static bool digest_file(FILE *f, const char *key, long length, uint8_t digest[SHA256_SIZE])
{
    char   bytes[8192];
    sha256 s;
    sha256_begin(&s);
    sha256_add_text(&s, key);
    while (length > 0) {
        size_t part = length < (long)sizeof bytes ? (size_t)length : sizeof bytes;
        if (fread(bytes, 1, part, f) != part) return false;
        sha256_add(&s, bytes, part);
        length -= (long)part;
    }
    sha256_end(&s, digest);
    return true;
}

/* -1: it is not a file of ours. */
static long file_length(FILE *f)
{
    struct stat s;
    bool        ours = !fstat(fileno(f), &s) && S_ISREG(s.st_mode) && s.st_uid == geteuid();
    return ours ? (long)s.st_size : -1;
}

bool code_seal(const char *path, const char key[SHA256_TEXT])
{
    uint8_t digest[SHA256_SIZE];
    FILE   *f = fopen(path, "r+b");
    if (!f) return false;
    bool good = digest_file(f, key, file_length(f), digest) && !fseek(f, 0, SEEK_END) &&
                fwrite(digest, 1, sizeof digest, f) == sizeof digest;
    return !fclose(f) && good;
}

/* The key is part of the digest, so a file under a wrong name is not loaded. */
bool code_is_whole(const char *path, const char key[SHA256_TEXT])
{
    uint8_t want[SHA256_SIZE], found[SHA256_SIZE];
    FILE   *f = fopen(path, "rb");
    if (!f) return false;
    long length = file_length(f) - SHA256_SIZE;
    bool good = length > 0 && digest_file(f, key, length, want) &&
                fread(found, 1, sizeof found, f) == sizeof found &&
                !memcmp(want, found, sizeof want);
    fclose(f);
    return good;
}

/* Leaving. ------------------------------------------------------------------------------------- */

typedef struct {
    char            name[SHA256_TEXT + 8];
    struct timespec used;
    size_t          bytes; /* of all files  */
    bool            any;
} oldest;

static bool before(struct timespec a, struct timespec b)
{
    return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

/* What other processes left behind is removed on the way; of the libraries the longest unused is
 * noted. */
static void consider(oldest *o, const char *name, const char *path)
{
    struct stat s;
    size_t      n = strlen(name);
    if (lstat(path, &s)) return;
    if (!strncmp(name, "build-", 6) && time(NULL) - s.st_mtime > STALE_SECONDS)
        S_ISDIR(s.st_mode) ? private_directory_remove(path) : (void)unlink(path);
    if (!S_ISREG(s.st_mode) || n >= sizeof o->name || n < 3 || strcmp(name + n - 3, ".so")) return;
    o->bytes += (size_t)s.st_size;
    if (o->any && !before(s.st_mtim, o->used)) return;
    o->any = true, o->used = s.st_mtim;
    memcpy(o->name, name, n + 1);
}

/* Total size, and the file that is to go next. */
static oldest survey(const char *directory)
{
    oldest o = {.bytes = 0};
    char   path[PATH_ROOM];
    DIR   *d = opendir(directory);
    for (struct dirent *e; d && (e = readdir(d));)
        if (path_join(path, directory, e->d_name)) consider(&o, e->d_name, path);
    if (d) closedir(d);
    return o;
}

/* One by one, since others may remove files at the same time. */
void code_cache_trim(const char *directory, size_t most)
{
    char path[PATH_ROOM];
    for (oldest o = survey(directory); o.any && o.bytes > most; o = survey(directory))
        if (!path_join(path, directory, o.name) || (unlink(path) && errno != ENOENT)) return;
}
