/* output.c - files that are whole or not there: they are written beside their name, and take it
 * when all is on the disk. What is no plain file (a pipe, a device, a link) is written as it is. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static FILE *part;                        /* the one that is being written */
static char  part_name[OUTPUT_NAME_MOST]; /* its name, for whoever must end at once; "": none */

/* Is it a plain file, or nothing yet? Then a new one may take its place. */
bool output_is_plain(const char *path)
{
    struct stat s;
    if (lstat(path, &s)) return errno == ENOENT;
    return S_ISREG(s.st_mode) && !access(path, W_OK);
}

/* Makes the file "orbit.svg.part", or if there is one "orbit.svg.part2": a link is not followed. */
static bool make_part(const char *path, int number)
{
    const char *name = number > 1 ? "%s.part%d" : "%s.part";
    const int   n = snprintf(part_name, sizeof part_name, name, path, number);
    errno = ENAMETOOLONG;
    if (n < 0 || (size_t)n >= sizeof part_name) return false;
    const int fd = open(part_name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return fd >= 0 && !close(fd);
}

const char *output_beside(const char *path)
{
    enum { TRIES = 100 };
    bool more = output_is_plain(path);
    for (int i = 1; i <= TRIES && more; i++) {
        if (make_part(path, i)) return part_name;
        more = errno == EEXIST;
    }
    part_name[0] = 0;
    return NULL;
}

bool output_take_place(const char *beside, const char *path, bool well)
{
    struct stat s;
    if (well && !stat(path, &s)) chmod(beside, s.st_mode & 07777); /* as the one before */
    well = well && !rename(beside, path);
    const int reason = errno;
    if (!well) unlink(beside);
    errno = reason;
    part_name[0] = 0;
    return well;
}

FILE *open_rows(const char *path)
{
    if (!strcmp(path, "-")) return stdout;
    FILE *f = fopen(path, "w");
    if (!f) complain("cannot write %s: %s", path, strerror(errno));
    return f;
}

FILE *open_output(const char *path)
{
    if (!strcmp(path, "-") || part || !output_beside(path)) return open_rows(path);
    part = fopen(part_name, "w");
    if (part) return part;
    part_name[0] = 0;
    return open_rows(path); /* the directory may take no new file, but have this one */
}

static bool end(FILE *f)
{
    const bool failed = ferror(f) != 0;
    errno = 0;
    return !((f == stdout ? fflush(f) : fclose(f)) || failed);
}

bool output_is_unread(void)
{
    struct pollfd to = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return ferror(stdout) && poll(&to, 1, 0) == 1 && to.revents & (POLLERR | POLLHUP);
}

/* A write that failed leaves less than a buffer behind. */
bool output_is_full(const char *path)
{
    enum { ROOM = 65536 };
    struct statvfs disk;
    return !statvfs(path, &disk) && (double)disk.f_bavail * (double)disk.f_frsize < ROOM;
}

bool close_output(FILE *f, const char *path)
{
    const bool whole = f == part;
    bool       well = end(f);
    if (!well && !errno && output_is_full(whole ? part_name : path)) errno = ENOSPC;
    if (whole) part = NULL, well = output_take_place(part_name, path, well);
    if (!well && !(f == stdout && output_is_unread()))
        complain("cannot write %s: %s", f == stdout ? "standard output" : path,
                 errno ? strerror(errno) : "the writing failed");
    return well;
}

int finish_output(FILE *f, const char *path, int code)
{
    if (code == EXIT_DONE || f != part || ferror(f)) return close_output(f, path) ? code : EXIT_IO;
    fclose(f), part = NULL;
    outputs_give_up();
    return code;
}

void outputs_give_up(void)
{
    if (part_name[0]) unlink(part_name);
    part_name[0] = 0;
}
