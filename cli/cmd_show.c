/* cmd_show.c - dalembert show: what was derived from a model, one view after the other. */
#include "cli.h"
#include "described.h"

#include <string.h>

static int view_flags(flag_row *out)
{
    size_t          count;
    const dal_view *view = dal_views(&count);
    for (size_t i = 0; i < count && i < FLAGS_MOST; i++)
        out[i] = (flag_row){view[i].name, 0, NULL, view[i].help};
    return (int)count;
}

/* With --latex the discrete equations are LaTeX too. */
static const char *view_named(const dal_view *view, const bool *wanted, size_t count, size_t i)
{
    bool latex = false;
    for (size_t k = 0; k < count; k++) latex |= wanted[k] && !strcmp(view[k].name, "latex");
    return latex && !strcmp(view[i].name, "discrete") ? "discrete latex" : view[i].name;
}

/* Which views are asked for; otherwise the usual ones. */
static void choose_views(const arguments *a, const dal_view *view, size_t count, bool *wanted)
{
    bool chosen = false;
    for (size_t i = 0; i < count; i++) chosen |= wanted[i] = own_value(a, view[i].name) != NULL;
    for (size_t i = 0; i < count && !chosen; i++) wanted[i] = view[i].usual;
}

/* Views are separated by an empty line. */
static dal_status print_views(arguments *a, const dal_model *m, const dal_view *view,
                              const bool *wanted, size_t count, FILE *out)
{
    dal_status bad = DAL_OK;
    bool       shown = false;
    for (size_t i = 0; i < count && !bad; i++) {
        if (!wanted[i]) continue;
        if (shown) fputc('\n', out);
        bad = dal_show(m, a->options, view_named(view, wanted, count, i), out), shown = true;
    }
    return bad;
}

static int show_views(arguments *a, const dal_model *m, FILE *out)
{
    size_t          count;
    const dal_view *view = dal_views(&count);
    bool            wanted[FLAGS_MOST] = {false};
    if (count > FLAGS_MOST) count = FLAGS_MOST;
    choose_views(a, view, count, wanted);
    dal_status bad = a->json ? described_views(m, a->options, view, wanted, count, out)
                             : print_views(a, m, view, wanted, count, out);
    return bad ? exit_code_unrun(bad) : EXIT_DONE;
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
    .title = "print the equations derived from a model",
    .about = "Prints the flattened system, its equations of motion and the discrete equations of\n"
             "the scheme, or the views named by these options:",
    .example = "Examples:\n"
               "  dalembert show pendulum.dal\n"
               "  dalembert show pendulum.dal --equations --scheme \"lobatto(3)\"\n",
    .least = 1,
    .most = 2,
    .models = true,
    .json = true,
    .flags = view_flags,
    .run = show,
};
