/* fuzz_tables.c - any bytes as a table: of an input, and as a result of each format that `plot`
 * reads, which the first byte chooses. */
#include "fuzz.h"
#include "plot.h"

static void as_input(const char *bytes, size_t length)
{
    static const char text[] =
        "system A {\n  coordinate x\n  input u\n  lagrangian x'^2/2\n  force x: u\n}\n"
        "simulate {\n  step = 0.1\n  steps = 3\n}\n";
    long              blocks = 0;
    dal_allocator     limited = {fuzz_resize, &blocks};
    dal_context      *cx = dal_context_new(&limited);
    dal_options      *o = dal_options_new(cx);
    dal_model        *m = NULL;
    dal_sim          *s = NULL;
    char              path[64], option[80];
    FILE             *file = tmpfile();
    if (!file || fwrite(bytes, 1, length, file) != length || fflush(file)) abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
    snprintf(option, sizeof option, "u=%s", path);
    if (dal_options_set(o, "input", option) || dal_options_set(o, "backend", "vm")) abort();
    if (!dal_model_parse(cx, "a.dal", text, o, &m) && !dal_sim_new(m, o, &s)) dal_run(s, NULL);
    fuzz_report(cx);
    dal_sim_free(s), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
    fclose(file);
    if (blocks) abort();
}

static void as_result(const reader *kind, const char *bytes, size_t length)
{
    char  path[64];
    FILE *file = tmpfile();
    if (!file || fwrite(bytes, 1, length, file) != length || fflush(file)) abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
    table t = {.path = path, .kind = kind};
    int   code = kind->open(&t);
    t.wanted = need(NULL, (size_t)t.columns + 1, sizeof *t.wanted);
    t.cell = need(NULL, (size_t)t.columns + 1, sizeof *t.cell);
    for (int k = 0; k < t.columns; k++) t.wanted[k] = k % 3 != 1, t.cell[k] = NULL;
    if (code == GO_ON) table_read(&t);
    table_free(&t);
    fclose(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const reader *const kinds[] = {&read_csv, &read_npy, &read_npz};
    const char *rest = (const char *)bytes + 1;
    if (!length) return 0;
    if (bytes[0] % 4 == 3) as_input(rest, length - 1);
    else as_result(kinds[bytes[0] % 4], rest, length - 1);
    return 0;
}
