/* cmd_show.c - dalembert show: what was derived from a model, one view after the other. */
#include "cli.h"

static int view_flags(flag_row *out)
{
    size_t          count;
    const dal_view *view = dal_views(&count);
    for (size_t i = 0; i < count && i < FLAGS_MOST; i++)
        out[i] = (flag_row){view[i].name, 0, NULL, view[i].help};
    return (int)count;
}

static int show_views(arguments *a, const dal_model *m, FILE *out)
{
    size_t          count, shown = 0;
    const dal_view *view = dal_views(&count);
    bool            chosen = false;
    for (size_t i = 0; i < count; i++) chosen |= own_value(a, view[i].name) != NULL;
    for (size_t i = 0; i < count; i++) {
        if (chosen ? !own_value(a, view[i].name) : !view[i].usual) continue;
        if (shown++) fputc('\n', out);
        dal_status bad = dal_show(m, a->options, view[i].name, out);
        if (bad) return exit_code_unrun(bad);
    }
    return EXIT_DONE;
}

static int show(arguments *a)
{
    dal_model  *m = NULL;
    const char *path = a->outputs ? a->output[a->outputs - 1] : "-";
    int         code = load_model(a, &m);
    FILE       *out = code == GO_ON ? open_output(path) : NULL;
    if (code == GO_ON) code = out ? show_views(a, m, out) : EXIT_IO;
    if (out) code = finish_output(out, path, code);
    dal_model_free(m);
    return code;
}

const command command_show = {
    .name = "show",
    .synopsis = "show MODEL.dal [SYSTEM] [VIEW] [OPTION]...",
    .title = "print what was derived from a model",
    .about = "Prints the flattened system, its equations of motion and the discrete equations of "
             "the scheme,\n"
             "or the view that is asked for:",
    .example = "Examples:\n"
               "  dalembert show pendulum.dal\n"
               "  dalembert show pendulum.dal --equations --scheme \"lobatto(3)\"\n",
    .least = 1,
    .most = 2,
    .models = true,
    .flags = view_flags,
    .run = show,
};
