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

#include "lazy_hdf5.h"
#include "plot.h"

#include <stdlib.h>

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
    {"multipliers", KIND(MULTIPLIER)},
    {"diagnostics", KIND(ENERGY) | KIND(SYMMETRY) | KIND(STEP) | KIND(DISCRETE_ENERGY)},
};
enum { GROUPS = sizeof groups / sizeof *groups, CHUNK = 1 << 14 }; /* bytes of a chunk */

typedef struct {
    hid_t   set; /* < 0: there is no such column */
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
    complain("%s: HDF5 could not %s", w->path, what);
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

static bool make_group(const writer *w, store *h, int which)
{
    group *g = &h->of[which];
    g->set = -1;
    for (size_t i = 0; i < w->columns; i++)
        g->columns += (groups[which].kinds >> w->column[i].kind & 1) != 0;
    if (!g->columns) return true;
    g->from = need(NULL, (size_t)g->columns, sizeof *g->from);
    for (size_t i = 0, k = 0; i < w->columns; i++)
        if (groups[which].kinds >> w->column[i].kind & 1) g->from[k++] = (int)i;
    g->held = need(NULL, (size_t)(h->room * g->columns), sizeof *g->held);
    g->set = make_set(h, which);
    return g->set >= 0 && put_names(w, g);
}

/* Appends what is held. */
static bool spill(const writer *w, store *h)
{
    hsize_t before = (hsize_t)(w->rows - h->held);
    for (int i = 0; i < GROUPS && h->held; i++) {
        group  *g = &h->of[i];
        hsize_t all[2] = {(hsize_t)w->rows, (hsize_t)g->columns}, from[2] = {before, 0},
                size[2] = {(hsize_t)h->held, (hsize_t)g->columns};
        if (g->set < 0) continue;
        if (H5Dset_extent(g->set, all) < 0) return refuse(w, "make room for more rows");
        hid_t space = H5Dget_space(g->set), here = H5Screate_simple(i ? 2 : 1, size, NULL);
        H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, size, NULL);
        herr_t bad = H5Dwrite(g->set, H5T_NATIVE_DOUBLE, here, space, H5P_DEFAULT, g->held);
        H5Sclose(here), H5Sclose(space);
        if (bad < 0 || H5Dflush(g->set) < 0) return refuse(w, "write rows");
    }
    h->held = 0;
    return true;
}

/* Files. --------------------------------------------------------------------------------------- */

static hid_t access_list(void)
{
    hid_t how = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(how, H5F_LIBVER_LATEST,
                         H5F_LIBVER_LATEST); /* so that others may read meanwhile */
    return how;
}

/* So many rows of a dataset of another file, as many at a time as are held. */
static bool copy_set(store *h, int which, hid_t from, long rows)
{
    group  *g = &h->of[which];
    hsize_t size[2] = {0, 0}, all[2] = {(hsize_t)rows, (hsize_t)g->columns};
    hid_t   old = H5Dopen2(from, groups[which].name, H5P_DEFAULT),
          there = old < 0 ? -1 : H5Dget_space(old);
    int  axes = which ? 2 : 1;
    bool well = there >= 0 && H5Sget_simple_extent_dims(there, size, NULL) == axes &&
                size[0] >= all[0] && (!which || size[1] == all[1]) &&
                H5Dset_extent(g->set, all) >= 0;
    hid_t here = well ? H5Dget_space(g->set) : -1;
    for (long i = 0; i < rows && well; i += h->room) {
        hsize_t at[2] = {(hsize_t)i, 0},
                some[2] = {(hsize_t)(rows - i < h->room ? rows - i : h->room), all[1]};
        hid_t room = H5Screate_simple(axes, some, NULL);
        H5Sselect_hyperslab(there, H5S_SELECT_SET, at, NULL, some, NULL);
        H5Sselect_hyperslab(here, H5S_SELECT_SET, at, NULL, some, NULL);
        well = H5Dread(old, H5T_NATIVE_DOUBLE, room, there, H5P_DEFAULT, g->held) >= 0 &&
               H5Dwrite(g->set, H5T_NATIVE_DOUBLE, room, here, H5P_DEFAULT, g->held) >= 0;
        H5Sclose(room);
    }
    if (here >= 0) H5Sclose(here);
    if (there >= 0) H5Sclose(there);
    if (old >= 0) H5Dclose(old);
    return well;
}

/* A run that was killed leaves a file that can be read, but not written: where its room ends was
 * not on the disk yet. So the rows that count go to a new file, which takes the place of the old
 * one. */
static bool take_rows(store *h, const char *path, long rows)
{
    hid_t from = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, H5P_DEFAULT);
    if (from < 0) from = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    bool well = from >= 0;
    for (int i = 0; i < GROUPS && well; i++) well = h->of[i].set < 0 || copy_set(h, i, from, rows);
    if (from >= 0) H5Fclose(from);
    return well;
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
        if (g->columns && g->set >= 0 && H5Dclose(g->set) < 0) well = false;
        free(g->from), free(g->held);
    }
    if (h->file >= 0 && H5Fclose(h->file) < 0) well = false;
    free(h);
    return well;
}

static bool h5_open(writer *w, long rows)
{
    if (!hdf5_loaded()) return false;
    if (!writer_reopen(w, rows))
        return false; /* whether it may be written, in the words of the system */
    fclose(w->file), w->file = NULL;
    store *h = need(NULL, 1, sizeof *h);
    *h = (store){.room = CHUNK / (long)(sizeof(double) * w->columns)};
    if (!h->room) h->room = 1;
    w->own = h;
    H5dont_atexit(); /* on a full disk its last attempt to write crashes */
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const char *beside = rows ? output_beside(w->path) : NULL;
    if (rows && !beside) return free(h), refuse(w, "continue: it is not a regular file");
    bool well = make_file(w, h, rows ? beside : w->path);
    if (well && rows && !take_rows(h, w->path, rows))
        well = refuse(w, "continue: the rows that should be there are missing");
    if (well && H5Fstart_swmr_write(h->file) < 0)
        well = refuse(w, "let others read it while it is written");
    if (rows && !output_take_place(beside, w->path, well)) well = well ? cannot_write(w) : false;
    if (!well) let_go(h);
    return well;
}

static bool h5_row(writer *w, const double *row)
{
    store *h = w->own;
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

const writer_kind write_h5 = {".h5", "HDF5", h5_open, h5_row, h5_flush, h5_close, true};

#endif
