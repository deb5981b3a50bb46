/* cmd_check.c - dalembert check: what kind of system a model is, and what it allows, without running it. */
#include "cli.h"

static int check(arguments *a)
{
    dal_model  *m = NULL;
    const char *path = a->outputs ? a->output[a->outputs - 1] : "-";
    int         code = load_model(a, &m);
    FILE       *out = code == GO_ON ? open_output(path) : NULL;
    if (code == GO_ON && !out) code = EXIT_IO;
    if (code == GO_ON) {
        dal_status bad = dal_check(m, a->options, out);
        code = exit_code(bad);
        if (code == EXIT_FAILED) code = EXIT_WRONG; /* nothing was run */
    }
    if (out && !close_output(out, path)) code = EXIT_IO;
    dal_model_free(m);
    return code;
}

const command command_check = {
    .name = "check",
    .synopsis = "check MODEL.dal [SYSTEM] [OPTION]...",
    .title = "say what kind of system it is and what it allows",
    .about = "Analyses without running: coordinates and parts, regular or degenerate, constraints and their rank,\n"
             "cyclic coordinates and symmetries, what depends on time, which schemes fit, whether the start does.",
    .example = "Examples:\n"
               "  dalembert check circuit.dal\n"
               "  dalembert check circuit.dal --scheme \"rectangle(0)\"\n",
    .least = 1,
    .most = 2,
    .models = true,
    .run = check,
};
