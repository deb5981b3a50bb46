/* write_csv.c - a result as text: a line with the names of the columns, then one for each row. */
#include "writer.h"

#include <stdlib.h>
#include <string.h>

/* The text of a line, where it is needed twice: for the file and for its digest. */
typedef struct {
    FILE  *to;
    char  *at;
    size_t n;
} line;

typedef dal_status maker(dal_sim *s, FILE *out); /* the library makes the text */

static line *line_new(void)
{
    line *l = need(NULL, 1, sizeof *l);
    *l = (line){NULL, NULL, 0};
    l->to = open_memstream(&l->at, &l->n);
    if (!l->to) no_memory();
    return l;
}

static void line_free(line *l)
{
    if (!l) return;
    fclose(l->to);
    free(l->at), free(l);
}

static bool line_make(writer *w, line *l, maker *make)
{
    rewind(l->to);
    if ((w->bad = make(w->sim, l->to))) return false;
    if (fflush(l->to)) no_memory();
    return true;
}

static bool put(writer *w, maker *make)
{
    line *l = w->own;
    if (!l) return !(w->bad = make(w->sim, w->file));
    if (!line_make(w, l, make)) return false;
    writer_sum(w, l->at, l->n);
    return fwrite(l->at, 1, l->n, w->file) == l->n || cannot_write(w);
}

static bool csv_open(writer *w)
{
    w->file = open_rows(w->path);
    w->began = w->file && w->file != stdout;
    if (w->file && w->summed) w->own = line_new();
    if (w->file && put(w, dal_csv_header)) return true;
    line_free(w->own);
    return false;
}

/* The first line is that of the run. */
static bool find_header(writer *w)
{
    line  *l = line_new();
    size_t same = 0;
    bool   made = line_make(w, l, dal_csv_header);
    while (made && same < l->n && fgetc(w->file) == (unsigned char)l->at[same]) same++;
    bool well = made && same == l->n;
    if (well) writer_sum(w, l->at, l->n), w->length = (long)l->n;
    line_free(l);
    return well || (made && writer_has_other_columns(w));
}

/* Line by line, as they were written. A line that does not end, or is longer than a row can be, is
 * no row. */
static bool csv_find(writer *w, long rows)
{
    enum { CELL_MOST = 32 };
    if (!find_header(w)) return false;
    const size_t room = w->columns * CELL_MOST + 2;
    char        *words = need(NULL, room, 1);
    for (long i = 0; i < rows && fgets(words, (int)room, w->file); i++) {
        const size_t n = strlen(words);
        if (!n || words[n - 1] != '\n') break;
        writer_recall(w, words, n);
        if (i < w->rows) w->length += (long)n;
    }
    free(words);
    w->more = fgetc(w->file) != EOF;
    return w->recalled == rows || writer_lacks_rows(w, rows);
}

static bool csv_go_on(writer *w)
{
    w->own = line_new();
    if (writer_cut(w, w->length)) return true;
    line_free(w->own);
    return false;
}

static bool csv_row(writer *w, const double *row)
{
    (void)row;
    return put(w, dal_csv_row);
}

static bool csv_flush(writer *w)
{
    return !fflush(w->file) || cannot_write(w);
}

static bool csv_close(writer *w)
{
    line_free(w->own);
    return close_output(w->file, w->path);
}

const writer_kind write_csv = {".csv",    "text, one line for each row",
                               csv_open,  csv_find,
                               csv_go_on, csv_row,
                               csv_flush, csv_close,
                               false};
