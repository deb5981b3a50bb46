/* write_npy.c - a result as one array of NumPy: a structure for each row, whose fields are the
 * columns. np.load(...)["x"] is a column. The number of rows stands in the header, which is written
 * again whenever others may read. */
#include "npy.h"
#include "plot.h"
#include "writer.h"

#include <stdlib.h>
#include <string.h>

enum { DIGITS = 20 };

/* [('t', '<f8'), ('x', '<f8')] */
static char *type_of(const writer *w)
{
    bytes b = {0};
    bytes_add(&b, "[", 1);
    for (size_t i = 0; i < w->columns; i++) {
        bytes_add(&b, i ? ", ('" : "('", i ? 4 : 2);
        for (const char *c = w->column[i].name; *c; c++) {
            if (*c == '\'' || *c == '\\') bytes_add(&b, "\\", 1);
            bytes_add(&b, c, 1);
        }
        bytes_add(&b, "', ", 3);
        bytes_add(&b, npy_double(), strlen(npy_double()));
        bytes_add(&b, ")", 1);
    }
    bytes_add(&b, "]", 2);
    return (char *)b.at;
}

static bytes header_of(const writer *w, long rows)
{
    bytes b = {0};
    char *type = type_of(w), *shape = text("(%ld,)", rows);
    npy_header(&b, type, shape, DIGITS + 3 - strlen(shape));
    free(type), free(shape);
    return b;
}

static bool put_header(writer *w, long rows)
{
    bytes head = header_of(w, rows);
    bool  well = !fseek(w->file, 0, SEEK_SET) && fwrite(head.at, 1, head.n, w->file) == head.n &&
                !fseek(w->file, 0, SEEK_END) && !fflush(w->file);
    free(head.at);
    return well || cannot_write(w);
}

static bool npy_open(writer *w)
{
    return writer_begin(w) && put_header(w, 0);
}

/* The header says how many rows there are, and has the same length for any number. */
static bool npy_find(writer *w, long rows)
{
    bytes     head = header_of(w, rows);
    npy_array a = {.type = NULL};
    char     *type = type_of(w);
    bool same = fread(head.at, 1, head.n, w->file) == head.n && npy_read(head.at, head.n, &a) &&
                a.begin == head.n && !strcmp(a.type, type);
    free(a.type), free(type), free(head.at);
    if (!same) return writer_has_other_columns(w);
    const bool well = writer_recall_rows(w, (long)head.n, rows);
    w->more = well && fgetc(w->file) != EOF;
    return well;
}

static bool npy_go_on(writer *w)
{
    bytes      head = header_of(w, w->rows);
    const long end = (long)(head.n + (size_t)w->rows * w->columns * sizeof(double));
    free(head.at);
    return put_header(w, w->rows) && writer_cut(w, end);
}

static bool npy_row(writer *w, const double *row)
{
    writer_sum(w, row, w->columns * sizeof *row);
    return fwrite(row, sizeof *row, w->columns, w->file) == w->columns || cannot_write(w);
}

/* the rows first, then their number: a reader never finds fewer than it is told */
static bool npy_flush(writer *w)
{
    return (!fflush(w->file) || cannot_write(w)) && put_header(w, w->rows);
}

static bool npy_close(writer *w)
{
    bool well = npy_flush(w);
    return close_output(w->file, w->path) && well;
}

const writer_kind write_npy = {".npy",  "an array of NumPy", npy_open,  npy_find, npy_go_on,
                               npy_row, npy_flush,           npy_close, false};
