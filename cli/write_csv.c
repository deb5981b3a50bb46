/* write_csv.c - a result as text: a line with the names of the columns, then one for each row. */
#include "writer.h"

#include <string.h>

/* Goes on behind the header and so many rows. */
static bool csv_go_on(writer *w, long rows)
{
    long line = 0;
    int  c = 0;
    if (!writer_reopen(w, rows)) return false;
    while (line <= rows && (c = fgetc(w->file)) != EOF) line += c == '\n';
    if (c != EOF) return writer_cut(w, ftell(w->file));
    fclose(w->file);
    return writer_lacks_rows(w, rows);
}

static bool csv_open(writer *w, long rows)
{
    if (rows && strcmp(w->path, "-")) return csv_go_on(w, rows);
    w->file = open_rows(w->path);
    w->began = w->file && w->file != stdout;
    return w->file && !(w->bad = dal_csv_header(w->sim, w->file));
}

static bool csv_row(writer *w, const double *row)
{
    (void)row; /* the library makes the text */
    return !(w->bad = dal_csv_row(w->sim, w->file));
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
    ".csv", "text, one line for each row", csv_open, csv_row, csv_flush, csv_close, false};
