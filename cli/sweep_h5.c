/* sweep_h5.c - the table of a sweep as HDF5: what was swept and what came out, row by row, with the
 * names of the columns, and how each member ended. It is written when the sweep is over, also when
 * it was interrupted. */
#include "sweep.h"

#ifndef DAL_HAVE_HDF5

bool sweep_h5_write(const sweep_files *f, const char *path)
{
    (void)f;
    complain("%s: this program was built without HDF5; use a .csv file", path);
    return false;
}

#else

#include "lazy_hdf5.h"

#include <stdlib.h>
#include <string.h>

/* Texts as an attribute; count < 0: a single one. */
static bool put_texts(hid_t at, const char *name, const char *const *words, long count)
{
    hsize_t size = (hsize_t)count;
    hid_t   type = H5Tcopy(H5T_C_S1);
    hid_t   space = count < 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, NULL);
    H5Tset_size(type, H5T_VARIABLE), H5Tset_cset(type, H5T_CSET_UTF8);
    hid_t a = H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool  well = a >= 0 && H5Awrite(a, type, words) >= 0;
    if (a >= 0) H5Aclose(a);
    H5Sclose(space), H5Tclose(type);
    return well;
}

/* rows x columns numbers under a name; columns 0: a row of whole numbers */
static hid_t put_numbers(hid_t file, const char *name, const void *x, size_t rows, size_t columns)
{
    hsize_t size[2] = {rows, columns};
    hid_t   space = H5Screate_simple(columns ? 2 : 1, size, NULL);
    hid_t   type = columns ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT;
    hid_t   set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) < 0)
        H5Dclose(set), set = -1;
    H5Sclose(space);
    return set;
}

static bool put_members(const sweep_files *f, hid_t file)
{
    size_t                  columns;
    const dal_sweep_column *c = dal_sweep_columns(f->sweep, &columns);
    double                 *x = need(NULL, f->rows * columns, sizeof *x);
    const char            **names = need(NULL, columns, sizeof *names);
    for (size_t k = 0; k < columns; k++) names[k] = c[k].name;
    for (size_t i = 0; i < f->rows; i++)
        for (size_t k = 0; k < columns; k++)
            x[i * columns + k] = dal_sweep_member(f->sweep, i).value[k];
    hid_t set = put_numbers(file, "members", x, f->rows, columns);
    bool  well = set >= 0 && put_texts(set, "names", names, (long)columns);
    if (set >= 0) H5Dclose(set);
    free(x), free(names);
    return well;
}

static bool put_status(const sweep_files *f, hid_t file)
{
    static const char *const words[] = {"done", "failed", "breakdown", "refused", "warned"};
    enum { WORDS = sizeof words / sizeof *words };
    int *x = need(NULL, f->rows, sizeof *x);
    for (size_t i = 0; i < f->rows; i++) {
        const dal_member m = dal_sweep_member(f->sweep, i);
        for (int k = 0; k < WORDS; k++)
            if (!strcmp(words[k], member_word(&m))) x[i] = k;
    }
    hid_t set = put_numbers(file, "status", x, f->rows, 0);
    bool  well = set >= 0 && put_texts(set, "words", words, WORDS);
    if (set >= 0) H5Dclose(set);
    free(x);
    return well;
}

static bool put_about(const sweep_files *f, hid_t file)
{
    const dal_sweep_summary *sum = dal_sweep_summarise(f->sweep);
    const char              *version = dal_version();
    if (!sum) no_memory();
    return put_texts(file, "system", &sum->model, -1) && put_texts(file, "file", &sum->file, -1) &&
           put_texts(file, "scheme", &sum->scheme, -1) &&
           put_texts(file, "principle", &sum->principle, -1) &&
           put_texts(file, "version", &version, -1);
}

bool sweep_h5_write(const sweep_files *f, const char *path)
{
    if (!hdf5_loaded()) return false;
    const char *beside = output_beside(path), *into = beside ? beside : path;
    H5dont_atexit(); /* on a full disk its last attempt to write crashes */
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t file = H5Fcreate(into, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    bool  well = file >= 0 && put_about(f, file) && put_members(f, file) && put_status(f, file);
    if (file >= 0 && H5Fclose(file) < 0) well = false;
    if (beside) well = output_take_place(beside, path, well);
    if (!well) complain("cannot write %s as HDF5", path);
    return well;
}

#endif
