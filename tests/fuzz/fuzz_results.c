/* fuzz_results.c - any bytes as the result of a run, in the format that the first byte chooses: it
 * is read as `plot` does, and continued as `resume` does, with the digest that its rows have. */
#include "fuzz.h"
#include "plot.h"
#include "writer.h"

#ifdef DAL_HAVE_HDF5
#include "lazy_hdf5.h"
#endif
#include <string.h>
#include <unistd.h>

static const struct format {
    const char   *suffix;
    const reader *kind;
} formats[] = {{".csv", &read_csv}, {".npy", &read_npy}, {".npz", &read_npz}, {".h5", &read_h5}};

enum { ROWS = 6 }; /* of the seeds */

/* The run that wrote the seeds (seeds.sh). */
static struct {
    dal_context *cx;
    dal_options *o;
    dal_model   *m;
    dal_sim     *s;
    notes        about;
} of;

static void begin_run(void)
{
    static const char text[] =
        "system Free {\n  coordinate x\n  lagrangian x'^2/2 - x^4\n  start x = 1\n}\n"
        "simulate {\n  step = 0.1\n  steps = 5\n}\n";
    if (of.cx) return;
    of.cx = dal_context_new(NULL), of.o = dal_options_new(of.cx);
    dal_options_set(of.o, "backend", "vm");
    if (dal_model_parse(of.cx, "free.dal", text, of.o, &of.m) || dal_sim_new(of.m, of.o, &of.s))
        abort();
    notes_take(&of.about, of.m, of.o, of.s);
}

static void read_back(const struct format *as, const char *path)
{
    table t = {.path = path, .kind = as->kind};
    int   code = t.kind->open(&t);
    t.wanted = need(NULL, (size_t)t.columns + 1, sizeof *t.wanted);
    t.cell = need(NULL, (size_t)t.columns + 1, sizeof *t.cell);
    for (int k = 0; k < t.columns; k++) t.wanted[k] = k % 3 != 1, t.cell[k] = NULL;
    if (code == GO_ON) table_read(&t);
    table_free(&t);
}

/* The first search tells the digest, and refuses the file; the second finds it. */
static void go_on(const char *path, long rows)
{
    static writer w; /* it is remembered, for when memory is out */
    char          sum[DIGEST_TEXT];
    double        row[64] = {0};
    writer_find(&w, path, of.s, &of.about, (trace){rows, rows, ""});
    writer_digest(&w, sum);
    if (w.columns > sizeof row / sizeof *row) abort();
    if (!writer_find(&w, path, of.s, &of.about, (trace){rows, rows, sum})) return;
    if (writer_go_on(&w)) writer_row(&w, row), writer_flush(&w);
    writer_close(&w);
}

/* HDF5 keeps memory of damaged files to itself; what we had open must be closed. */
static void check_closed(void)
{
#ifdef DAL_HAVE_HDF5
    if (hdf5_loaded() && H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL)) abort();
#endif
}

static void put_file(const char *path, const uint8_t *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, length, file) != length || fclose(file)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    char path[64];
    if (!length) return 0;
    const struct format *as = &formats[bytes[0] % 4];
    begin_run();
    snprintf(path, sizeof path, "/tmp/fuzz-%ld%s", (long)getpid(), as->suffix);
    put_file(path, bytes + 1, length - 1);
    read_back(as, path);
    go_on(path, bytes[0] / 4 % 2 ? ROWS : ROWS - 2);
    check_closed();
    remove(path);
    return 0;
}
