/* read_npy.c - results as arrays of NumPy: a structure for each row (.npy), or the archive that
 * write_npz.c makes. A plain array of two axes has columns too; they go by number. */
#include "plot.h"
#include "zip.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    bytes                file;
    const unsigned char *data; /* the first row */
} held;

static int read_file(table *t)
{
    held *h = need(NULL, 1, sizeof *h);
    char  part[1 << 16];
    *h = (held){{0}, NULL};
    t->own = h;
    FILE *from = fopen(t->path, "rb");
    if (!from) return complain("cannot read %s: %s", t->path, strerror(errno)), EXIT_IO;
    for (size_t n; (n = fread(part, 1, sizeof part, from)) > 0;) bytes_add(&h->file, part, n);
    bool well = !ferror(from);
    fclose(from);
    return well ? GO_ON : (complain("cannot read %s: %s", t->path, strerror(errno)), EXIT_IO);
}

static int foreign(const table *t)
{
    return complain("%s is not a result as `run` writes it, with columns of doubles", t->path);
}

/* Columns by name or by number; the rows that are there. */
static int take_array(table *t, const unsigned char *at, size_t n, bool named)
{
    held     *h = t->own;
    npy_array a;
    long      names = 0;
    if (!npy_read(at, n, &a)) return foreign(t);
    char **name = npy_names(a.type, &names);
    size_t cells = (n - a.begin) / sizeof(double);
    bool   plain = !strcmp(a.type, npy_double()) && a.axes == 2 &&
                 (named || (size_t)a.shape[1] <= cells); /* columns without rows need names */
    for (long i = 0; i < names; i++) {
        if (!named) table_add_column(t, name[i], "");
        free(name[i]);
    }
    for (long i = 0; plain && !named && i < a.shape[1]; i++) {
        char *number = text("%ld", i);
        table_add_column(t, number, "");
        free(number);
    }
    bool well = (plain ? a.shape[1] == t->columns : name && a.axes == 1) && t->columns > 0;
    free(name), free(a.type);
    h->data = at + a.begin;
    t->rows = a.shape[0];
    return well && cells / (size_t)t->columns >= (size_t)t->rows ? GO_ON : foreign(t);
}

static int open_npy(table *t)
{
    int   code = read_file(t);
    held *h = t->own;
    return code == GO_ON ? take_array(t, h->file.at, h->file.n, false) : code;
}

static char **strings_of(const held *h, const char *member, long *count)
{
    const unsigned char *at;
    size_t               n;
    *count = 0;
    return zip_find(h->file.at, h->file.n, member, &at, &n) ? npy_strings(at, n, count) : NULL;
}

static void free_strings(char **all, long count)
{
    for (long i = 0; all && i < count; i++) free(all[i]);
    free(all);
}

static void take_notes(table *t)
{
    static const char *const keys[] = {"model", "file",    "system",     "scheme",  "principle",
                                       "step",  "version", "parameters", "options", "summary"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        long  count;
        char *member = text("%s.npy", keys[i]), **words = strings_of(t->own, member, &count);
        if (words && count == 1) table_add_note(t, keys[i], words[0]);
        free_strings(words, count);
        free(member);
    }
}

static int open_npz(table *t)
{
    const unsigned char *at;
    size_t               n;
    int                  code = read_file(t);
    if (code != GO_ON) return code;
    held  *h = t->own;
    long   names, units;
    char **name = strings_of(h, "columns.npy", &names), **unit = strings_of(h, "units.npy", &units);
    for (long i = 0; i < names; i++) table_add_column(t, name[i], i < units ? unit[i] : "");
    free_strings(name, names), free_strings(unit, units);
    take_notes(t);
    return zip_find(h->file.at, h->file.n, "data.npy", &at, &n) ? take_array(t, at, n, true)
                                                                : foreign(t);
}

static int read_rows(table *t)
{
    const held *h = t->own;
    table_room(t, t->rows);
    for (int k = 0; k < t->columns; k++)
        for (long i = 0; t->wanted[k] && i < t->rows; i++)
            memcpy(&t->cell[k][i], h->data + sizeof(double) * (size_t)(i * t->columns + k),
                   sizeof(double));
    return GO_ON;
}

static void close_file(table *t)
{
    held *h = t->own;
    if (h) free(h->file.at);
    free(h);
}

const reader read_npy = {".npy", open_npy, read_rows, close_file};
const reader read_npz = {".npz", open_npz, read_rows, close_file};
