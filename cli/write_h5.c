/* write_h5.c - a result as HDF5: a dataset for each kind of column, with the names and units of its
 * columns as attributes, and what was run as attributes of the file. Rows go to the disk in chunks;
 * while the run goes on others may read the file (h5py: swmr=True). */
#include "writer.h"

#ifndef DAL_HAVE_HDF5

bool h5_available(void)
{
    return false;
}

const writer_kind write_h5 = {.suffix = ".h5", .title = "HDF5"};

#else

#include "lazy_hdf5.h"
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

static bool make_group(const writer *w, store *h, int which, bool anew)
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
    g->set = anew ? make_set(h, which) : H5Dopen2(h->file, groups[which].name, H5P_DEFAULT);
    return g->set >= 0 && (!anew || put_names(w, g));
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

static hid_t access_list(bool after_a_crash)
{
    hid_t how = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(how, H5F_LIBVER_LATEST,
                         H5F_LIBVER_LATEST); /* so that others may read meanwhile */
    /* a run that was killed has left the mark of a writer */
    if (after_a_crash && H5Pexist(how, "clear_status_flags") > 0)
        H5Pset(how, "clear_status_flags", &(hbool_t){1});
    return how;
}

/* Rows behind `rows` go. */
static bool cut_sets(store *h, long rows)
{
    bool well = true;
    for (int i = 0; i < GROUPS && well; i++) {
        hsize_t size[2], all[2];
        group  *g = &h->of[i];
        if (g->set < 0) continue;
        hid_t space = H5Dget_space(g->set);
        well =
            H5Sget_simple_extent_dims(space, size, NULL) == (i ? 2 : 1) && size[0] >= (hsize_t)rows;
        H5Sclose(space);
        all[0] = (hsize_t)rows, all[1] = (hsize_t)g->columns;
        well = well && (i == 0 || size[1] == all[1]) && H5Dset_extent(g->set, all) >= 0;
    }
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
    hid_t how = access_list(rows > 0);
    h->file = rows ? H5Fopen(w->path, H5F_ACC_RDWR, how)
                   : H5Fcreate(w->path, H5F_ACC_TRUNC, H5P_DEFAULT, how);
    H5Pclose(how);
    if (h->file < 0) return refuse(w, rows ? "open it to go on" : "begin the file");
    bool well = put_notes(w, h->file);
    for (int i = 0; i < GROUPS && well; i++) well = make_group(w, h, i, !rows);
    if (!well) return refuse(w, "make its datasets");
    if (rows && !cut_sets(h, rows)) return refuse(w, "go on behind the rows that should be there");
    if (H5Fstart_swmr_write(h->file) < 0)
        return refuse(w, "let others read it while it is written");
    return true;
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
    store *h = w->own;
    bool   well = spill(w, h);
    for (int i = 0; i < GROUPS; i++) {
        group *g = &h->of[i];
        if (g->set >= 0 && H5Dclose(g->set) < 0) well = false;
        free(g->from), free(g->held);
    }
    if (H5Fclose(h->file) < 0) well = refuse(w, "end the file");
    hid_t how = access_list(false), file = well ? H5Fopen(w->path, H5F_ACC_RDWR, how) : -1;
    H5Pclose(how);
    if (file >= 0) put_notes(w, file), H5Fclose(file);
    free(h);
    return well;
}

const writer_kind write_h5 = {".h5", "HDF5", h5_open, h5_row, h5_flush, h5_close};

#endif
