/* read_h5.c - results as HDF5, as write_h5.c makes them; also of a run that goes on, or was killed.
 */
#include "plot.h"

#ifndef DAL_HAVE_HDF5

static int refuse(table *t)
{
    return complain(
        "%s: this program was built without HDF5: install libhdf5-dev and build it again", t->path);
}

static void nothing(table *t)
{
    (void)t;
}

const reader read_h5 = {".h5", refuse, refuse, nothing};

#else

#include "h5_words.h"
#include "open_h5.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *const sets[] = {"t",           "q",           "p",     "outputs",
                                   "diagnostics", "multipliers", "inputs"};
enum { SETS = sizeof sets / sizeof *sets };

typedef struct {
    hid_t file;
    int   first[SETS], count[SETS]; /* columns of each */
} held;

static int foreign(const table *t)
{
    return complain("%s is no result: the datasets that `run` writes are missing", t->path);
}

/* A dataset, or what else the file has. */
static int damaged(const table *t, const char *which)
{
    return complain("%s is damaged: HDF5 cannot read its %s", t->path, which);
}

static herr_t take_note(hid_t at, const char *name, const H5A_info_t *info, void *self)
{
    h5_words w;
    (void)info;
    bool well = h5_words_read(at, name, &w);
    if (well && w.count == 1) table_add_note(self, name, w.word[0]);
    h5_words_free(&w);
    return well ? 0 : -1;
}

/* The columns of a dataset; false: it is damaged. One that is not there has none. */
static bool take_names(table *t, held *h, int which)
{
    h5_words     names = {.word = NULL}, units = {.word = NULL};
    const htri_t there = H5Lexists(h->file, sets[which], H5P_DEFAULT);
    hid_t        set = there > 0 ? H5Dopen2(h->file, sets[which], H5P_DEFAULT) : -1;
    h->first[which] = t->columns;
    if (set < 0) return there == 0;
    bool well = h5_words_read(set, "names", &names) && h5_words_read(set, "units", &units);
    for (size_t i = 0; well && i < names.count; i++)
        table_add_column(t, names.word[i], i < units.count ? units.word[i] : "");
    h->count[which] = t->columns - h->first[which];
    for (int i = h->first[which]; i < t->columns; i++) well = well && *t->name[i];
    h5_words_free(&names), h5_words_free(&units);
    H5Dclose(set);
    return well;
}

static int open_h5(table *t)
{
    FILE *there = fopen(t->path, "rb");
    if (!there) return complain("cannot read %s: %s", t->path, strerror(errno)), EXIT_IO;
    fclose(there);
    if (!hdf5_loaded()) return EXIT_IO;
    held *h = need(NULL, 1, sizeof *h);
    *h = (held){.file = -1};
    t->own = h;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    h->file = h5_open_to_read(t->path);
    if (h->file < 0) return complain("%s is no HDF5 file that can be read", t->path);
    if (!h5_texts_are_sound(t->path)) return damaged(t, "texts");
    for (int i = 0; i < SETS; i++)
        if (!take_names(t, h, i)) return damaged(t, sets[i]);
    if (H5Aiterate2(h->file, H5_INDEX_NAME, H5_ITER_INC, NULL, take_note, t) < 0)
        return damaged(t, "attributes");
    return t->columns && h->count[0] == 1 ? GO_ON : foreign(t);
}

/* Columns first .. first + count - 1, as many rows as all of them have. */
static int read_set(table *t, const held *h, int which, bool first)
{
    hsize_t size[2] = {0, 1};
    hid_t   set = H5Dopen2(h->file, sets[which], H5P_DEFAULT), space = H5Dget_space(set);
    int     axes = H5Sget_simple_extent_ndims(space), count = h->count[which];
    bool well = (axes == 1 || axes == 2) && H5Sget_simple_extent_dims(space, size, NULL) == axes &&
                size[1] == (hsize_t)count && size[0] < SIZE_MAX / sizeof(double) / size[1];
    double *all = well ? need(NULL, (size_t)size[0] * (size_t)count + 1, sizeof *all) : NULL;
    well = well && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) >= 0;
    H5Sclose(space), H5Dclose(set);
    long rows = (long)size[0];
    if (first || rows < t->rows) t->rows = rows;
    for (int k = 0; well && k < count; k++) {
        int c = h->first[which] + k;
        if (!t->wanted[c]) continue;
        t->cell[c] = need(t->cell[c], (size_t)rows + 1, sizeof **t->cell);
        for (long i = 0; i < rows; i++) t->cell[c][i] = all[i * count + k];
    }
    free(all);
    return well ? GO_ON : damaged(t, sets[which]);
}

static int read_rows(table *t)
{
    const held *h = t->own;
    int         code = GO_ON;
    bool        first = true;
    for (int i = 0; i < SETS && code == GO_ON; i++) {
        bool any = false;
        for (int k = 0; k < h->count[i]; k++) any |= t->wanted[h->first[i] + k];
        if (any) code = read_set(t, h, i, first), first = false;
    }
    return code;
}

static void close_h5(table *t)
{
    held *h = t->own;
    if (h && h->file >= 0) H5Fclose(h->file);
    free(h);
}

const reader read_h5 = {".h5", open_h5, read_rows, close_h5};

#endif
