/* cmd_cite.c - dalembert cite: BibTeX of the program, and of the papers behind a model's method. */
#include "cli.h"

static int cite(arguments *a)
{
    dal_model  *m = NULL;
    const char *path = a->outputs ? a->output[a->outputs - 1] : "-";
    int         code = a->words ? load_model(a, &m) : GO_ON;
    FILE       *out = code == GO_ON ? open_output(path) : NULL;
    if (code == GO_ON) {
        dal_status bad = out ? dal_cite(a->cx, m, a->options, out) : DAL_IO;
        code = exit_code_unrun(bad);
    }
    if (out) code = finish_output(out, path, code);
    dal_model_free(m);
    return code;
}

const command command_cite = {
    .name = "cite",
    .synopsis = "cite [MODEL.dal [SYSTEM]] [OPTION]...",
    .title = "print what to cite, as BibTeX",
    .about = "Prints an entry for the program, and one for every paper behind the way a model is\n"
             "run: its scheme, principle, forces, constraints and connections. Without a model:\n"
             "all of them.",
    .example = "Examples:\n"
               "  dalembert cite pendulum.dal >> references.bib\n"
               "  dalembert cite motor.dal --scheme \"lobatto(3)\"\n",
    .most = 2,
    .models = true,
    .run = cite,
};
