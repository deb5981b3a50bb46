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

static bool npy_open(writer *w, long rows)
{
    if (!writer_reopen(w, rows)) return false;
    bytes      head = header_of(w, rows);
    const long end = (long)(head.n + (size_t)rows * w->columns * sizeof(double));
    free(head.at);
    if (rows && (fseek(w->file, 0, SEEK_END) || ftell(w->file) < end))
        return writer_lacks_rows(w, rows);
    return put_header(w, rows) && writer_cut(w, end);
}

static bool npy_row(writer *w, const double *row)
{
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

const writer_kind write_npy = {".npy",    "an array of NumPy", npy_open, npy_row,
                               npy_flush, npy_close,           false};
