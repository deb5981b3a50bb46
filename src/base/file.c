/* file.c - whole files. Nothing is allocated while one is open, so none stays open when memory runs
 * out. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads at most room bytes; a longer file is cut. */
const char *file_fill(const char *path, char *bytes, size_t room, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (!file) return strerror(errno);
    errno = 0;
    *length = fread(bytes, 1, room, file);
    const char *reason = ferror(file) ? strerror(errno) : NULL;
    fclose(file);
    return reason;
}

char *file_read(mem *m, const char *path, size_t *length, const char **reason)
{
    struct stat about;
    *length = 0, *reason = NULL;
    if (stat(path, &about)) *reason = strerror(errno);
    else if (!S_ISREG(about.st_mode)) *reason = "it is not a regular file";
    if (*reason) return NULL;
    char *bytes = mem_resize(m, NULL, (size_t)about.st_size + 1);
    *reason = file_fill(path, bytes, (size_t)about.st_size, length);
    bytes[*length] = 0;
    if (!*reason) return bytes;
    mem_drop(m, bytes);
    return NULL;
}

bool file_differs(mem *m, const char *path, const char *bytes, size_t length)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* a byte-order mark is not part of the text */
    size_t            n;
    const char       *reason;
    char             *there = file_read(m, path, &n, &reason);
    if (!there) return false;
    size_t skip = n >= 3 && !memcmp(there, mark, 3) ? 3 : 0;
    bool   same = n - skip == length && !memcmp(there + skip, bytes, length);
    mem_drop(m, there);
    return !same;
}

/* A write may be cut short by a signal or a pipe. */
static bool write_all(int file, const char *bytes, size_t length)
{
    while (length) {
        ssize_t n = write(file, bytes, length);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        bytes += n, length -= (size_t)n;
    }
    return true;
}

static bool sync_all(int file)
{
    return !fsync(file) || errno == EINVAL ||
           errno == EROFS; /* some files cannot be synchronised */
}

/* A rename is durable once its directory has been synchronised. */
static void sync_directory(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash) slash[slash == path] = 0;
    int directory = open(slash ? path : ".", O_RDONLY);
    if (directory < 0) return;
    sync_all(directory);
    close(directory);
}

/* errno says why it failed. */
static bool write_beside(const char *beside, const void *bytes, size_t length)
{
    unlink(beside); /* one that was left there by a run that was killed */
    int file = open(beside, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (file < 0) return false;
    bool written = write_all(file, bytes, length) && sync_all(file);
    int  reason = errno;
    if (close(file) && written) written = false, reason = errno;
    errno = reason;
    return written;
}

const char *file_replace(mem *m, const char *path, const void *bytes, size_t length)
{
    size_t n = strlen(path) + sizeof ".part";
    char  *beside = mem_resize(m, NULL, n);
    snprintf(beside, n, "%s.part", path);
    const char *reason = NULL;
    if (!write_beside(beside, bytes, length) || rename(beside, path)) {
        reason = strerror(errno);
        unlink(beside);
    } else sync_directory(beside);
    mem_drop(m, beside);
    return reason;
}
