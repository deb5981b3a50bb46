/* write_npz.c - a result as an archive of NumPy: `columns` and `units`, what was run (`model`,
 * `options`, ...), `data` with a row for each state, and `summary`. Data comes last but for what is
 * written again behind it: the summary and the directory. Rows are held until they are written with
 * these two, so that the file is whole all the time. */
#include "plot.h"
#include "writer.h"
#include "zip.h"

#include <stdlib.h>
#include <string.h>

enum { MEMBERS = NOTES + 4, DIGITS = 20, HELD = 1 << 20 }; /* bytes held at most */

typedef struct {
    zip_member member[MEMBERS];
    int        members; /* before the data  */
    uint32_t   crc;     /* of the rows      */
    uint64_t   begin;   /* of the rows in the file */
    bytes      held;    /* the last rows, not in the file yet */
    char      *name[NOTES];
} archive;

/* A member with these bytes, which are freed, at the end of b, which stands at `at`. */
static void add_member(archive *z, bytes *b, const char *name, uint64_t at, bytes held)
{
    zip_member *m = &z->member[z->members++];
    *m = (zip_member){name, crc_add(0, held.at, held.n), held.n, at + b->n};
    zip_header(b, m);
    bytes_add(b, held.at, held.n);
    free(held.at);
}

static bytes one_text(const char *words)
{
    bytes b = {0};
    npy_texts(&b, &words, -1);
    return b;
}

/* The names of the columns, or their units. */
static bytes column_texts(const writer *w, bool units)
{
    bytes        b = {0};
    const char **words = need(NULL, w->columns, sizeof *words);
    for (size_t i = 0; i < w->columns; i++)
        words[i] = units ? w->column[i].unit : w->column[i].name;
    npy_texts(&b, words, (long)w->columns);
    free(words);
    return b;
}

static bytes data_header(const writer *w, long rows)
{
    bytes b = {0};
    char *shape = text("(%ld, %zu)", rows, w->columns);
    npy_header(&b, npy_double(), shape, 2 * DIGITS - strlen(shape));
    free(shape);
    return b;
}

/* All that stands before the rows; it does not change but for the number of rows. */
static bytes front_of(const writer *w, archive *z, long rows)
{
    bytes b = {0};
    z->members = 0;
    add_member(z, &b, "columns.npy", 0, column_texts(w, false));
    add_member(z, &b, "units.npy", 0, column_texts(w, true));
    for (int i = 0; i < NOTES; i++)
        add_member(z, &b, z->name[i], 0, one_text(w->about->of[i].text));
    bytes       head = data_header(w, rows);
    uint64_t    length = (uint64_t)rows * w->columns * sizeof(double);
    zip_member *data = &z->member[z->members++];
    *data = (zip_member){"data.npy", crc_join(crc_add(0, head.at, head.n), z->crc, length),
                         head.n + length, b.n};
    zip_header(&b, data);
    bytes_add(&b, head.at, head.n);
    free(head.at);
    z->begin = b.n;
    return b;
}

static uint64_t end_of(const writer *w, const archive *z)
{
    return z->begin + (uint64_t)w->rows * w->columns * sizeof(double);
}

static bool put_at(writer *w, uint64_t at, bytes *b)
{
    bool well = !fseek(w->file, (long)at, SEEK_SET) && fwrite(b->at, 1, b->n, w->file) == b->n &&
                !fflush(w->file);
    free(b->at);
    return well || cannot_write(w);
}

/* The checksum of rows that are there already. */
static bool check_rows(writer *w, archive *z)
{
    double *row = need(NULL, w->columns, sizeof *row);
    bool    well = !fseek(w->file, (long)z->begin, SEEK_SET);
    for (long i = 0; i < w->rows && well; i++) {
        well = fread(row, sizeof *row, w->columns, w->file) == w->columns;
        if (well) z->crc = crc_add(z->crc, row, w->columns * sizeof *row);
    }
    free(row);
    return well || writer_lacks_rows(w, w->rows);
}

/* Where the rows of the file begin that is there; 0: it has not so many of these columns. The
 * header has the same length for any number of rows. */
static uint64_t old_begin(writer *w, long rows)
{
    bytes     head = data_header(w, 0);
    npy_array a = {.type = NULL};
    uint64_t  at = zip_seek(w->file, "data.npy");
    bool      same = at && !fseek(w->file, (long)at, SEEK_SET) &&
                fread(head.at, 1, head.n, w->file) == head.n && npy_read(head.at, head.n, &a) &&
                a.begin == head.n && !strcmp(a.type, npy_double()) && a.axes == 2 &&
                a.shape[0] >= rows && a.shape[1] == (long)w->columns;
    w->more = same && a.shape[0] > rows;
    free(a.type), free(head.at);
    return same ? at + head.n : 0;
}

/* Is there a member with these bytes? */
static bool has_member(const writer *w, const char *name, const bytes *b)
{
    uint64_t at = zip_seek(w->file, name);
    bool     same = at && !fseek(w->file, (long)at, SEEK_SET);
    for (size_t i = 0; i < b->n && same; i++) same = fgetc(w->file) == b->at[i];
    return same;
}

static bool npz_find(writer *w, long rows)
{
    bytes          names = column_texts(w, false);
    const bool     same = has_member(w, "columns.npy", &names);
    const uint64_t from = same ? old_begin(w, rows) : 0;
    free(names.at);
    if (!same) return writer_has_other_columns(w);
    return from ? writer_recall_rows(w, (long)from, rows) : writer_lacks_rows(w, rows);
}

/* What stands before the rows has another length than it had, since the run has another end: a new
 * file takes the place of the old one when the rows are in it. */
static bool move_rows(writer *w, const archive *z, uint64_t from)
{
    const char *beside = output_beside(w->place);
    FILE       *to = beside ? fopen(beside, "w+b") : NULL;
    char        some[8192];
    uint64_t    left = (uint64_t)w->rows * w->columns * sizeof(double);
    bool well = to && !fseek(w->file, (long)from, SEEK_SET) && !fseek(to, (long)z->begin, SEEK_SET);
    while (well && left) {
        const size_t n = left < sizeof some ? (size_t)left : sizeof some;
        well = fread(some, 1, n, w->file) == n && fwrite(some, 1, n, to) == n;
        left -= n;
    }
    well = well && !fflush(to);
    if (!well) cannot_write(w);
    if (beside) well = writer_replace(w, beside, well);
    if (well) fclose(w->file), w->file = to;
    else if (to) fclose(to);
    return well;
}

/* The rows that are held and what follows them, then what stands before all. The next rows
 * overwrite what follows. */
static bool npz_flush(writer *w)
{
    archive *z = w->own;
    bytes    front = front_of(w, z, w->rows), tail = z->held;
    uint64_t from = end_of(w, z) - tail.n;
    z->held = (bytes){0};
    add_member(z, &tail, "summary.npy", from, one_text(w->about->summary));
    zip_directory(&tail, z->member, z->members, from + tail.n);
    long length = (long)(from + tail.n);
    bool well = put_at(w, from, &tail);
    return put_at(w, 0, &front) && well && writer_cut(w, length);
}

static void let_go(archive *z)
{
    for (int i = 0; i < NOTES; i++) free(z->name[i]);
    free(z->held.at);
    free(z);
}

static archive *begin(writer *w)
{
    archive *z = need(NULL, 1, sizeof *z);
    *z = (archive){.crc = 0};
    for (int i = 0; i < NOTES; i++) z->name[i] = text("%s.npy", w->about->of[i].key);
    w->own = z;
    return z;
}

static bool npz_open(writer *w)
{
    if (!writer_begin(w)) return false;
    archive   *z = begin(w);
    const bool well = npz_flush(w);
    if (!well) let_go(z);
    return well;
}

static bool npz_go_on(writer *w)
{
    archive       *z = begin(w);
    const uint64_t from = old_begin(w, w->rows);
    bytes          front = front_of(w, z, w->rows);
    free(front.at);
    const bool well =
        (from == z->begin || move_rows(w, z, from)) && check_rows(w, z) && npz_flush(w);
    if (!well) let_go(z);
    return well;
}

static bool npz_row(writer *w, const double *row)
{
    archive *z = w->own;
    writer_sum(w, row, w->columns * sizeof *row);
    z->crc = crc_add(z->crc, row, w->columns * sizeof *row);
    bytes_add(&z->held, row, w->columns * sizeof *row);
    return z->held.n < HELD || npz_flush(w);
}

static bool npz_close(writer *w)
{
    bool well = npz_flush(w);
    let_go(w->own);
    return close_output(w->file, w->path) && well;
}

const writer_kind write_npz = {
    ".npz", "an archive of NumPy", npz_open, npz_find, npz_go_on, npz_row, npz_flush, npz_close,
    true};
