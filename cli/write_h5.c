/* write_h5.c - a result as HDF5: a dataset for each kind of column, with the names and units of its
 * columns as attributes, and what was run as attributes of the file. Rows go to the disk in chunks;
 * while the run goes on others may read the file (h5py: swmr=True). */
#include "writer.h"

#ifndef DAL_HAVE_HDF5

bool h5_available(void)
{
    return false;
}

const writer_kind write_h5 = {.suffix = ".h5", .title = "HDF5", .keeps_notes = true};

#else

#include "h5_words.h"
#include "open_h5.h"
#include "plot.h"

#include <stdlib.h>
#include <string.h>

bool h5_available(void)
{
    return true;
}

#define KIND(k) (1u << DAL_COLUMN_##k)
static const struct {
    const char *name;
    unsigned    kinds;
} groups[] = {
    {"t", KIND(TIME)},
    {"q", KIND(COORDINATE)},
    {"p", KIND(MOMENTUM)},
    {"outputs", KIND(OUTPUT)},
    {"inputs", KIND(INPUT)},
    {"multipliers", KIND(MULTIPLIER)},
    {"diagnostics", KIND(ENERGY) | KIND(SYMMETRY) | KIND(STEP) | KIND(DISCRETE_ENERGY)},
};
enum { GROUPS = sizeof groups / sizeof *groups, CHUNK = 1 << 14 }; /* bytes of a chunk */
enum { HELD = 1 << 18 }; /* bytes of rows that are written at once */

typedef struct {
    hid_t   set; /* < 0: not open, or there is no such column */
    hid_t   old; /* the same of a file that was found         */
    int     columns;
    int    *from; /* which columns of a row       */
    double *held; /* rows that are not in it yet  */
} group;

typedef struct {
    hid_t file;
    group of[GROUPS];
    long  held, room; /* rows */
} store;

static bool refuse(const writer *w, const char *what)
{
    complain("%s: HDF5 could not %s%s", w->path, what,
             output_is_full(w->path) ? ": the disk is full" : "");
    return false;
}

/* Attributes. ---------------------------------------------------------------------------------- */

/* Texts of any length, UTF-8; count < 0: a single one. */
static bool put_texts(hid_t at, const char *name, const char *const *words, long count)
{
    hid_t   type = H5Tcopy(H5T_C_S1);
    hsize_t size = (hsize_t)count;
    hid_t   space = count < 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, NULL);
    H5Tset_size(type, H5T_VARIABLE), H5Tset_cset(type, H5T_CSET_UTF8);
    if (H5Aexists(at, name) > 0) H5Adelete(at, name);
    hid_t a = H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool  well = a >= 0 && H5Awrite(a, type, words) >= 0;
    if (a >= 0) H5Aclose(a);
    H5Sclose(space), H5Tclose(type);
    return well;
}

static bool put_notes(const writer *w, hid_t file)
{
    bool well = true;
    for (int i = 0; i < NOTES && well; i++)
        well = put_texts(file, w->about->of[i].key, (const char *const *)&w->about->of[i].text, -1);
    return well && put_texts(file, "summary", (const char *const *)&w->about->summary, -1);
}

static bool put_names(const writer *w, const group *g)
{
    const char **names = need(NULL, (size_t)g->columns, sizeof *names),
               **units = need(NULL, (size_t)g->columns, sizeof *units);
    for (int k = 0; k < g->columns; k++)
        names[k] = w->column[g->from[k]].name, units[k] = w->column[g->from[k]].unit;
    bool well = put_texts(g->set, "names", names, g->columns) &&
                put_texts(g->set, "units", units, g->columns);
    free(names), free(units);
    return well;
}

/* Datasets. ------------------------------------------------------------------------------------ */

/* rows x columns, time a row of numbers only */
static hid_t make_set(const store *h, int which)
{
    const group *g = &h->of[which];
    int          axes = which == 0 ? 1 : 2;
    hsize_t      size[2] = {0, (hsize_t)g->columns}, most[2] = {H5S_UNLIMITED, (hsize_t)g->columns},
            chunk[2] = {CHUNK / sizeof(double) / (hsize_t)g->columns, (hsize_t)g->columns};
    if (!chunk[0]) chunk[0] = 1;
    hid_t space = H5Screate_simple(axes, size, most), how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(how, axes, chunk);
    hid_t set = H5Dcreate2(h->file, groups[which].name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how,
                           H5P_DEFAULT);
    H5Pclose(how), H5Sclose(space);
    return set;
}

/* Which columns of a row are its own. */
static void pick_columns(const writer *w, store *h, int which)
{
    group *g = &h->of[which];
    g->set = g->old = -1;
    for (size_t i = 0; i < w->columns; i++)
        g->columns += (groups[which].kinds >> w->column[i].kind & 1) != 0;
    if (!g->columns) return;
    g->from = need(NULL, (size_t)g->columns, sizeof *g->from);
    for (size_t i = 0, k = 0; i < w->columns; i++)
        if (groups[which].kinds >> w->column[i].kind & 1) g->from[k++] = (int)i;
    g->held = need(NULL, (size_t)(h->room * g->columns), sizeof *g->held);
}

static bool make_group(const writer *w, store *h, int which)
{
    group *g = &h->of[which];
    if (!g->columns) return true;
    g->set = make_set(h, which);
    return g->set >= 0 && put_names(w, g);
}

/* Between a dataset and what is held: so many rows, from the row `at` on. */
static bool transfer(group *g, int which, long at, long rows, bool is_read)
{
    hsize_t from[2] = {(hsize_t)at, 0}, size[2] = {(hsize_t)rows, (hsize_t)g->columns};
    hid_t   set = is_read ? g->old : g->set, there = H5Dget_space(set),
          here = H5Screate_simple(which ? 2 : 1, size, NULL);
    H5Sselect_hyperslab(there, H5S_SELECT_SET, from, NULL, size, NULL);
    herr_t bad = is_read ? H5Dread(set, H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, g->held)
                         : H5Dwrite(set, H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, g->held);
    H5Sclose(here), H5Sclose(there);
    return bad >= 0;
}

static bool set_length(group *g, long rows)
{
    return H5Dset_extent(g->set, (hsize_t[2]){(hsize_t)rows, (hsize_t)g->columns}) >= 0;
}

/* Appends what is held. */
static bool spill(const writer *w, store *h)
{
    for (int i = 0; i < GROUPS && h->held; i++) {
        group *g = &h->of[i];
        if (g->set < 0) continue;
        if (!set_length(g, w->rows)) return refuse(w, "make room for more rows");
        if (!transfer(g, i, w->rows - h->held, h->held, false) || H5Dflush(g->set) < 0)
            return refuse(w, "write rows");
    }
    h->held = 0;
    return true;
}

/* A file that is there. ------------------------------------------------------------------------ */

/* A run that was killed leaves a file that can only be read. */
static hid_t open_old(const char *path)
{
    return h5_texts_are_sound(path) ? h5_open_to_read(path) : -1;
}

static bool has_names(const writer *w, const group *g)
{
    h5_words names;
    bool     same = h5_words_read(g->old, "names", &names) && names.count == (size_t)g->columns;
    for (int k = 0; k < g->columns && same; k++)
        same = names.word[k] && !strcmp(names.word[k], w->column[g->from[k]].name);
    h5_words_free(&names);
    return same;
}

/* How many rows; -1: they have other columns. */
static long rows_of(const group *g, int which)
{
    hsize_t   size[2] = {0, 1};
    hid_t     space = H5Dget_space(g->old);
    const int axes = which ? 2 : 1;
    bool      same = H5Sget_simple_extent_ndims(space) == axes &&
                H5Sget_simple_extent_dims(space, size, NULL) == axes &&
                size[1] == (hsize_t)g->columns;
    H5Sclose(space);
    return same ? (long)size[0] : -1;
}

static bool open_sets(const writer *w, store *h, hid_t from)
{
    for (int i = 0; i < GROUPS; i++) {
        group *g = &h->of[i];
        if (!g->columns) continue;
        g->old = H5Lexists(from, groups[i].name, H5P_DEFAULT) > 0
                     ? H5Dopen2(from, groups[i].name, H5P_DEFAULT)
                     : -1;
        if (g->old < 0 || rows_of(g, i) < 0 || !has_names(w, g)) return false;
    }
    return true;
}

/* What is done with rows that are held: at most h->room, from the row `at` on. */
typedef bool taker(writer *w, store *h, long at, long rows);

static bool read_all(writer *w, store *h, long rows, taker *take)
{
    bool well = true;
    for (long at = 0; at < rows && well; at += h->room) {
        const long some = rows - at < h->room ? rows - at : h->room;
        for (int i = 0; i < GROUPS && well; i++)
            well = !h->of[i].columns || transfer(&h->of[i], i, at, some, true);
        well = well && take(w, h, at, some);
    }
    return well;
}

static bool recall(writer *w, store *h, long at, long rows)
{
    double *row = need(NULL, w->columns, sizeof *row);
    (void)at;
    for (long j = 0; j < rows; j++) {
        for (int i = 0; i < GROUPS; i++)
            for (int k = 0; k < h->of[i].columns; k++)
                row[h->of[i].from[k]] = h->of[i].held[j * h->of[i].columns + k];
        writer_recall(w, row, w->columns * sizeof *row);
    }
    free(row);
    return true;
}

static bool copy(writer *w, store *h, long at, long rows)
{
    bool well = true;
    (void)w;
    for (int i = 0; i < GROUPS && well; i++) {
        group *g = &h->of[i];
        well = g->set < 0 || (set_length(g, at + rows) && transfer(g, i, at, rows, false));
    }
    return well;
}

/* Files. --------------------------------------------------------------------------------------- */

static hid_t access_list(void)
{
    hid_t how = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(how, H5F_LIBVER_LATEST,
                         H5F_LIBVER_LATEST); /* so that others may read meanwhile */
    return how;
}

static bool make_file(writer *w, store *h, const char *path)
{
    hid_t how = access_list();
    h->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, how);
    H5Pclose(how);
    if (h->file < 0) return refuse(w, "begin the file");
    bool well = put_notes(w, h->file);
    for (int i = 0; i < GROUPS && well; i++) well = make_group(w, h, i);
    return well || refuse(w, "make its datasets");
}

/* Closes all of it, and gives its memory back; false: not all is on the disk. */
static bool let_go(store *h)
{
    bool well = true;
    for (int i = 0; i < GROUPS; i++) {
        group *g = &h->of[i];
        if (g->set >= 0 && H5Dclose(g->set) < 0) well = false;
        if (g->old >= 0) H5Dclose(g->old);
        free(g->from), free(g->held);
    }
    if (h->file >= 0 && H5Fclose(h->file) < 0) well = false;
    free(h);
    return well;
}

/* With no file yet. */
static store *begin(const writer *w)
{
    store *h = need(NULL, 1, sizeof *h);
    *h = (store){.file = -1, .room = HELD / (long)(sizeof(double) * w->columns)};
    if (!h->room) h->room = 1;
    for (int i = 0; i < GROUPS; i++) pick_columns(w, h, i);
    H5dont_atexit(); /* on a full disk its last attempt to write crashes */
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return h;
}

static bool start(writer *w, store *h)
{
    w->own = h;
    return H5Fstart_swmr_write(h->file) >= 0 || refuse(w, "let others read it while it is written");
}

static bool h5_open(writer *w)
{
    if (!hdf5_loaded() || !writer_begin(w))
        return false; /* whether it may be written, in the words of the system */
    fclose(w->file), w->file = NULL;
    store *h = begin(w);
    bool   well = make_file(w, h, w->path) && start(w, h);
    if (!well) let_go(h);
    return well;
}

static bool find_rows(writer *w, store *h, hid_t from, long rows)
{
    if (from < 0) return cannot_go_on(w, "it is not an HDF5 file that can be read");
    if (!open_sets(w, h, from)) return writer_has_other_columns(w);
    for (int i = 0; i < GROUPS; i++) w->more |= h->of[i].columns && rows_of(&h->of[i], i) > rows;
    return read_all(w, h, rows, recall) || writer_lacks_rows(w, rows);
}

static bool h5_find(writer *w, long rows)
{
    if (!hdf5_loaded()) return false;
    store *h = begin(w);
    hid_t  from = open_old(w->place);
    bool   well = find_rows(w, h, from, rows);
    let_go(h);
    if (from >= 0) H5Fclose(from);
    return well;
}

/* The file of a run that was killed can be read, but not written: where its room ends was not on
 * the disk yet. So the rows that stay go to a new file, which takes the place of the old one. */
static bool h5_go_on(writer *w)
{
    store      *h = begin(w);
    const char *beside = output_beside(w->place);
    hid_t       from = open_old(w->place);
    bool        well = beside ? make_file(w, h, beside) : cannot_write(w);
    if (well && !(from >= 0 && open_sets(w, h, from) && read_all(w, h, w->rows, copy)))
        well = refuse(w, "copy the rows that stay");
    well = well && start(w, h);
    if (beside) well = writer_replace(w, beside, well);
    if (!well) let_go(h);
    if (from >= 0) H5Fclose(from);
    fclose(w->file), w->file = NULL;
    return well;
}

static bool h5_row(writer *w, const double *row)
{
    store *h = w->own;
    writer_sum(w, row, w->columns * sizeof *row);
    for (int i = 0; i < GROUPS; i++) {
        group *g = &h->of[i];
        for (int k = 0; k < g->columns; k++) g->held[h->held * g->columns + k] = row[g->from[k]];
    }
    return ++h->held < h->room || spill(w, h);
}

static bool h5_flush(writer *w)
{
    return spill(w, w->own);
}

/* While others may read, no attribute can change: the summary is written by opening the file once
 * more. One who holds it open prevents that; the rows are all there. */
static bool h5_close(writer *w)
{
    bool well = spill(w, w->own);
    if (!let_go(w->own)) well = refuse(w, "end the file");
    hid_t how = access_list(), file = well ? H5Fopen(w->path, H5F_ACC_RDWR, how) : -1;
    H5Pclose(how);
    if (file >= 0) put_notes(w, file), H5Fclose(file);
    return well;
}

const writer_kind write_h5 = {".h5",  "HDF5",   h5_open,  h5_find, h5_go_on,
                              h5_row, h5_flush, h5_close, true};

#endif
