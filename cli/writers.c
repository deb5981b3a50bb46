/* writers.c - the table of formats, what they share, and the plainest of them: CSV. */
#include "writer.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const writer_kind *const kinds[] = {&write_csv, &write_npy, &write_npz, &write_h5};

const writer_kind *writer_kind_of(const char *path)
{
    const char        *dot = strrchr(path, '.');
    const writer_kind *found = &write_csv;
    for (size_t i = 0; dot && i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(dot, kinds[i]->suffix)) found = kinds[i];
    if (found != &write_h5 || h5_available()) return found;
    complain("%s: this program was built without HDF5: install libhdf5-dev and build it again, or "
             "use -o %.*s.npz",
             path, (int)(dot - path), path);
    return NULL;
}

bool writer_open(writer *w, const char *path, dal_sim *s, const notes *about, long rows)
{
    *w = (writer){
        .kind = writer_kind_of(path), .path = path, .sim = s, .about = about, .rows = rows};
    w->column = dal_columns(s, &w->columns);
    w->opened = w->kind && w->kind->open(w, rows);
    return w->opened;
}

bool writer_row(writer *w, const double *row)
{
    w->rows++;
    return w->kind->row(w, row);
}

bool writer_flush(writer *w)
{
    return !w->opened || w->kind->flush(w);
}

bool writer_close(writer *w)
{
    bool well = !w->opened || w->kind->close(w);
    w->opened = false;
    return well;
}

bool cannot_write(const writer *w)
{
    complain("cannot write %s: %s", strcmp(w->path, "-") ? w->path : "standard output",
             strerror(errno));
    return false;
}

bool writer_reopen(writer *w, long rows)
{
    w->file = fopen(w->path, rows ? "r+b" : "w+b");
    return w->file || cannot_write(w);
}

bool writer_cut(writer *w, long length)
{
    bool cut = !fflush(w->file) && !ftruncate(fileno(w->file), length) &&
               !fseek(w->file, length, SEEK_SET);
    return cut || cannot_write(w);
}

/* CSV. ----------------------------------------------------------------------------------------- */

/* Goes on behind the header and so many rows. */
static bool csv_go_on(writer *w, long rows)
{
    long line = 0;
    int  c = 0;
    if (!writer_reopen(w, rows)) return false;
    while (line <= rows && (c = fgetc(w->file)) != EOF) line += c == '\n';
    if (c != EOF) return writer_cut(w, ftell(w->file));
    complain("%s has fewer than %ld rows: it is not the file that was written", w->path, rows);
    fclose(w->file);
    return false;
}

static bool csv_open(writer *w, long rows)
{
    if (rows && strcmp(w->path, "-")) return csv_go_on(w, rows);
    w->file = open_output(w->path);
    return w->file && !dal_csv_header(w->sim, w->file);
}

static bool csv_row(writer *w, const double *row)
{
    (void)row; /* the library makes the text */
    return !dal_csv_row(w->sim, w->file);
}

static bool csv_flush(writer *w)
{
    return !fflush(w->file) || cannot_write(w);
}

static bool csv_close(writer *w)
{
    return close_output(w->file, w->path);
}

const writer_kind write_csv = {
    ".csv", "text, one line for each row", csv_open, csv_row, csv_flush, csv_close};
