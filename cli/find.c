/* find.c - the files of a run that is resumed. A checkpoint may come from anywhere and name any
 * file, and another run may have written to that file since: it goes on if it is a plain file with
 * the columns of the run that begins with the rows that the run had written. All is read through
 * the descriptor that is written to later. A link is followed: what it leads to is examined. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool cannot_go_on(const writer *w, const char *why)
{
    complain("%s cannot be continued: %s; -o NEW continues the run in a new file", w->path, why);
    return false;
}

bool writer_lacks_rows(const writer *w, long rows)
{
    char *why = text("it has fewer than %ld rows", rows);
    cannot_go_on(w, why);
    free(why);
    return false;
}

bool writer_has_other_columns(const writer *w)
{
    return cannot_go_on(w, "its columns are not those of the run");
}

/* What was written. ---------------------------------------------------------------------------- */

/* Only where the sum is asked for: it costs a pass over every row. */
void writer_sum(writer *w, const void *bytes, size_t n)
{
    if (w->summed) digest_add(&w->sum, bytes, n);
}

/* kept: the sum of the rows that the run had written, however many follow. */
static void keep_sum(writer *w)
{
    if (w->recalled == w->rows) w->kept = w->sum;
}

void writer_recall(writer *w, const void *bytes, size_t n)
{
    keep_sum(w);
    writer_sum(w, bytes, n);
    w->recalled++;
}

/* Rows of doubles from there on; false: there are not so many, and that was said. */
bool writer_recall_rows(writer *w, long from, long rows)
{
    double *row = need(NULL, w->columns, sizeof *row);
    bool    well = !fseek(w->file, from, SEEK_SET);
    for (long i = 0; i < rows && well; i++) {
        well = fread(row, sizeof *row, w->columns, w->file) == w->columns;
        if (well) writer_recall(w, row, w->columns * sizeof *row);
    }
    free(row);
    return well || writer_lacks_rows(w, rows);
}

void writer_digest(const writer *w, char out[DIGEST_TEXT])
{
    digest_print(&w->sum, out);
}

/* Is it the file? ------------------------------------------------------------------------------ */

/* What is no plain file is not even opened: for a device that may be an event. */
static bool open_plain(writer *w)
{
    struct stat s;
    int         fd = -1;
    if (!stat(w->path, &s)) {
        if (!S_ISREG(s.st_mode)) return cannot_go_on(w, "it is not a regular file");
        fd = open(w->path, O_RDWR | O_NONBLOCK | O_NOCTTY);
    }
    w->file = fd < 0 ? NULL : fdopen(fd, "r+b");
    if (!w->file) return cannot_go_on(w, strerror(errno));
    if (fstat(fd, &s) || !S_ISREG(s.st_mode)) return cannot_go_on(w, "it is not a regular file");
    w->place = realpath(w->path, NULL);
    return w->place || cannot_go_on(w, strerror(errno));
}

/* Sums are compared as they stand in the checkpoint, as text. */
static bool has_digest(const writer *w, const char *noted)
{
    char now[DIGEST_TEXT];
    writer_digest(w, now);
    return !strcmp(now, noted) ||
           cannot_go_on(w, "its rows are not those that the run had written");
}

/* The digest of no rows can be given by whoever knows the columns: then nothing may be lost. */
bool writer_is_own(writer *w, trace was)
{
    if (!was.digest) return cannot_go_on(w, "the checkpoint does not tell what was written to it");
    if (!open_plain(w) || !w->kind->find(w, was.rows)) return false;
    keep_sum(w);
    if (!has_digest(w, was.digest)) return false;
    return was.rows || !w->more || cannot_go_on(w, "it has rows, of which the run wrote none");
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* By device and inode, so that two names of one file are noticed. */
bool writer_is_same(const writer *w, const writer *other)
{
    struct stat a, b;
    return w->file && other->file && !fstat(fileno(w->file), &a) &&
           !fstat(fileno(other->file), &b) && is_same(&a, &b);
}

/* Its name may have become that of another file since it was found. */
bool writer_replace(const writer *w, const char *beside, bool well)
{
    struct stat found, now;
    bool own = !fstat(fileno(w->file), &found) && !stat(w->place, &now) && is_same(&found, &now);
    bool replaced = output_take_place(beside, w->place, well && own);
    if (!well || replaced) return replaced;
    return own ? cannot_write(w) : cannot_go_on(w, "another file has its name now");
}
