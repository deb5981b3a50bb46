/* cmd_export.c - dalembert export: the stepper of a model as C that stands alone. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

enum { PATH_MOST = 1024 };

static int own_flags(flag_row *out)
{
    out[0] = (flag_row){"main", 0, NULL,
                        "also write FILE_main.c, a program that runs the step and prints CSV"};
    out[1] = (flag_row){"float", 0, NULL, "single precision"};
    return 2;
}

/* "dir/stepper" of "dir/stepper.c"; false: it does not end so, or is too long. */
static bool stem_of(const char *path, char stem[PATH_MOST])
{
    size_t n = strlen(path);
    if (n < 3 || n + 8 > PATH_MOST || strcmp(path + n - 2, ".c")) return false;
    memcpy(stem, path, n - 2), stem[n - 2] = 0;
    return true;
}

static int write_file(const char *stem, const char *ending, const char *text)
{
    char path[PATH_MOST + 8];
    snprintf(path, sizeof path, "%s%s", stem, ending);
    FILE *f = open_output(path);
    if (!f) return EXIT_IO;
    fputs(text, f);
    return close_output(f, path) ? EXIT_DONE : EXIT_IO;
}

/* The three files have one stem; -q says nothing of them. */
static int write_files(const arguments *a, const char *stem, const dal_exported *texts)
{
    int code = write_file(stem, ".c", texts->source);
    if (!code) code = write_file(stem, ".h", texts->header);
    if (!code && own_value(a, "main")) code = write_file(stem, "_main.c", texts->program);
    if (!code && !a->quiet)
        fprintf(stderr, "written: %s.c, %s.h%s%s%s\n", stem, stem, own_value(a, "main") ? ", " : "",
                own_value(a, "main") ? stem : "", own_value(a, "main") ? "_main.c" : "");
    return code;
}

/* No step is made, so nothing need be compiled: backend vm. */
static int export_model(arguments *a, const char *stem)
{
    dal_model   *m = NULL;
    dal_sim     *s = NULL;
    dal_exported texts = {0};
    const char  *slash = strrchr(stem, '/'), *title = slash ? slash + 1 : stem;
    int          code = load_model(a, &m);
    if (code == GO_ON) {
        dal_status bad = dal_options_set(a->options, "backend", "vm");
        if (!bad) bad = dal_sim_new(m, a->options, &s);
        if (!bad) bad = dal_export(s, title, own_value(a, "float") != NULL, &texts);
        code = bad ? exit_code_unrun(bad) : write_files(a, stem, &texts);
    }
    dal_sim_free(s);
    dal_model_free(m);
    return code;
}

static int export_command(arguments *a)
{
    char        stem[PATH_MOST];
    const char *path = a->outputs ? a->output[a->outputs - 1] : "stepper.c";
    if (!stem_of(path, stem))
        return complain("-o takes the name of a C file, as in -o stepper.c, not '%s'", path);
    return export_model(a, stem);
}

const command command_export = {
    .name = "export",
    .synopsis = "export MODEL.dal [SYSTEM] [-o FILE.c] [OPTION]...",
    .title = "write the stepper of a model as stand-alone C",
    .about = "Writes the step as C99, FILE.c and FILE.h (default stepper.c), without\n"
             "dependencies (except libm), allocation or globals: a struct of state and\n"
             "parameters, and functions init, step and energy. All names begin with that of the\n"
             "file.",
    .example = "Examples:\n"
               "  dalembert export pendulum.dal -o pendulum.c --scheme \"gauss(2)\" --step 0.01\n"
               "  dalembert export pendulum.dal --main --float\n",
    .least = 1,
    .most = 2,
    .models = true,
    .flags = own_flags,
    .run = export_command,
};
