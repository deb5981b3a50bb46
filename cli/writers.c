/* writers.c - the table of formats, and what they share. */
#include "writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const writer_kind *const kinds[] = {&write_csv, &write_npy, &write_npz, &write_h5};

static const writer_kind *kind_by_suffix(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(dot, kinds[i]->suffix)) return kinds[i];
    return &write_csv;
}

/* Of a file that says it is something else, text would be a surprise. */
static bool is_foreign(const char *path)
{
    static const char *const suffixes[] = {".hdf5", ".hdf",  ".he5",    ".json",    ".mat",
                                           ".nc",   ".pkl",  ".pickle", ".parquet", ".feather",
                                           ".xls",  ".xlsx", ".zarr"};
    const char              *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof suffixes / sizeof *suffixes; i++)
        if (!strcmp(dot, suffixes[i])) return true;
    return false;
}

const writer_kind *writer_kind_of(const char *path)
{
    const writer_kind *found = kind_by_suffix(path);
    if (is_foreign(path)) {
        complain("%s: results are written as .csv, .npy, .npz (NumPy) or .h5 (HDF5); a file called "
                 "%s would be text",
                 path, strrchr(path, '.'));
        return NULL;
    }
    if (found != &write_h5 || h5_available()) return found;
    complain("%s: this program was built without HDF5: install libhdf5-dev and build it again, or "
             "use -o %.*s.npz",
             path, (int)(strlen(path) - strlen(found->suffix)), path);
    return NULL;
}

bool writer_keeps_notes(const char *path)
{
    return kind_by_suffix(path)->keeps_notes;
}

/* Those that are open, for when the program has to end at once. */
static struct {
    writer *at[OUTPUTS_MOST];
    int     n;
    bool    given_up;
} open_now;

/* What was begun and has no front yet is no result. */
static void drop_beginning(const writer *w)
{
    struct stat s;
    if (!lstat(w->path, &s) && S_ISREG(s.st_mode)) remove(w->path);
}

static void begin(writer *w, const char *path, dal_sim *s, const notes *about)
{
    *w = (writer){.kind = writer_kind_of(path), .path = path, .sim = s, .about = about};
    w->column = dal_columns(s, &w->columns);
}

static void remember(writer *w)
{
    if (open_now.n < OUTPUTS_MOST) open_now.at[open_now.n++] = w;
}

/* What is open is closed; the format has given back its own. */
static void let_go(writer *w)
{
    if (w->file && w->file != stdout) fclose(w->file);
    free(w->place);
    w->file = NULL, w->place = NULL, w->found = false;
}

bool writer_open(writer *w, const char *path, dal_sim *s, const notes *about, bool summed)
{
    begin(w, path, s, about);
    remember(w);
    w->fresh = true, w->summed = summed && !is_standard(path);
    w->opened = w->kind && w->kind->open(w);
    if (w->opened) return true;
    if (w->began) drop_beginning(w);
    let_go(w);
    return false;
}

bool writer_find(writer *w, const char *path, dal_sim *s, const notes *about, trace was)
{
    begin(w, path, s, about);
    w->summed = true, w->rows = was.stay;
    w->found = w->kind && writer_is_own(w, was);
    if (!w->found) let_go(w);
    return w->found;
}

bool writer_go_on(writer *w)
{
    remember(w);
    w->sum = w->kept;
    w->opened = w->kind->go_on(w);
    if (!w->opened) let_go(w);
    return w->opened;
}

void writers_give_up(void)
{
    if (open_now.given_up) return; /* no memory for this either */
    open_now.given_up = true;
    for (int i = 0; i < open_now.n; i++) {
        writer *w = open_now.at[i];
        if (!w->opened && w->began && w->fresh) drop_beginning(w);
    }
    for (int i = 0; i < open_now.n; i++)
        if (open_now.at[i]->opened && !open_now.at[i]->busy)
            open_now.at[i]->kind->flush(open_now.at[i]);
}

bool writer_row(writer *w, const double *row)
{
    w->rows++, w->busy = true;
    bool well = w->kind->row(w, row);
    w->busy = false;
    return well;
}

bool writer_flush(writer *w)
{
    w->busy = true;
    bool well = !w->opened || w->kind->flush(w);
    w->busy = false;
    return well;
}

bool writer_close(writer *w)
{
    w->busy = true;
    bool well = !w->opened || w->kind->close(w);
    if (w->opened) w->file = NULL;
    let_go(w);
    w->opened = w->began = w->busy = false;
    return well;
}

bool cannot_write(const writer *w)
{
    const bool standard = is_standard(w->path);
    if (!standard || !output_is_unread())
        complain("cannot write %s: %s", standard ? "standard output" : w->path, strerror(errno));
    return false;
}

/* Rows go to the system many at a time. */
bool writer_begin(writer *w)
{
    enum { BUFFER = 1 << 16 };
    w->file = fopen(w->path, "w+b");
    if (w->file) setvbuf(w->file, NULL, _IOFBF, BUFFER);
    w->began = w->file;
    return w->file || cannot_write(w);
}

bool writer_cut(writer *w, long length)
{
    bool cut = !fflush(w->file) && !ftruncate(fileno(w->file), length) &&
               !fseek(w->file, length, SEEK_SET);
    return cut || cannot_write(w);
}
