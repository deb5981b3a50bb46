/* cmd_plot.c - dalembert plot: results as a picture, or in the terminal. */
#include "events_file.h"
#include "picture_file.h"
#include "plot.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int plot_flags(flag_row *out)
{
    out[0] = (flag_row){"equal", 0, NULL, "the same scale on both axes, for x:y"};
    out[1] = (flag_row){"title", 0, "TEXT", "a title above the picture"};
    out[2] = (flag_row){"xlabel", 0, "TEXT", "the name of the x axis"};
    out[3] = (flag_row){"ylabel", 0, "TEXT", "the name of the y axis of the first panel"};
    out[4] = (flag_row){"size", 0, "WxH", "its size in pixels, or characters: 800x500, or 800"};
    out[5] = (flag_row){"log", 0, "AXES", "logarithmic axes: x, y or xy; errors by size"};
    out[6] = (flag_row){"slope", 0, "LIST", "slope triangles, with --log xy: 2,4"};
    out[7] = (flag_row){"model", 0, "FILE", "the model, whose units a CSV file lacks"};
    out[8] = (flag_row){"ascii", 0, NULL, "draw with ASCII characters only"};
    out[9] = (flag_row){"gnuplot", 0, "FILE", "write the gnuplot script, with the data in it"};
    out[10] = (flag_row){"events", 0, "FILE", "mark what 'run --events FILE' has listed"};
    return 11;
}

/* As large as the terminal, unless a size was asked for; what is no terminal gets 80 columns. */
static void fit_screen(FILE *out, dal_plot *plot)
{
    struct winsize size;
    if (plot->width > 0 || !isatty(fileno(out)) || ioctl(fileno(out), TIOCGWINSZ, &size)) return;
    plot->width = size.ws_col, plot->height = size.ws_row;
}

static bool is_text(const char *path)
{
    const char *dot = strrchr(path, '.');
    return !strcmp(path, "-") || (dot && !strcmp(dot, ".txt"));
}

/* Before anything is read: every -o must be text or a picture. */
static int check_outputs(const arguments *a)
{
    for (int i = 0; i < a->outputs; i++)
        if (!is_text(a->output[i]) && !picture_named(a->output[i]))
            return complain("%s: a picture ends in .svg, .png, .pdf or .txt", a->output[i]);
    return GO_ON;
}

static int draw_text(const arguments *a, dal_plot plot, const char *path)
{
    FILE *out = open_output(path);
    if (!out) return EXIT_IO;
    fit_screen(out, &plot);
    const char *as = own_value(a, "ascii") ? "ascii" : colours(out) ? "ansi" : "text";
    dal_status  bad = dal_plot_write(a->cx, &plot, as, out);
    return finish_output(out, path, bad ? exit_code(bad) : EXIT_DONE);
}

/* The script names the first picture among the outputs. */
static int write_script(const arguments *a, const dal_plot *plot, const char *path)
{
    FILE       *out = open_output(path);
    const char *picture = "";
    for (int i = a->outputs; i-- > 0;)
        if (picture_named(a->output[i])) picture = a->output[i];
    if (!out) return EXIT_IO;
    return finish_output(out, path, picture_script(a->cx, plot, picture, out));
}

/* Without -o and --gnuplot the picture is text on the terminal. */
static int draw(const arguments *a, const dal_plot *plot)
{
    const char *script = own_value(a, "gnuplot");
    int         code = script ? write_script(a, plot, script) : EXIT_DONE;
    if (!a->outputs && !script) return draw_text(a, *plot, "-");
    for (int i = 0; i < a->outputs && code == EXIT_DONE; i++)
        code = is_text(a->output[i]) ? draw_text(a, *plot, a->output[i])
                                     : picture_write(a->cx, plot, a->output[i]);
    return code;
}

/* "800x500"; "800" leaves the height to what is drawn. */
static int read_size(const arguments *a, figure *f)
{
    const char *size = own_value(a, "size");
    char       *end = NULL;
    if (!size) return GO_ON;
    if (isdigit((unsigned char)*size)) f->width = (double)strtol(size, &end, 10);
    if (end && *end == 'x' && isdigit((unsigned char)end[1]))
        f->height = (double)strtol(end + 1, &end, 10);
    if (end && !*end && f->width >= 20 && f->width <= 20000 && f->height <= 20000) return GO_ON;
    return complain("--size %s: give a width, or width and height, as in 800x500", size);
}

static int read_log(const arguments *a, figure *f)
{
    const char *log = own_value(a, "log");
    if (!log) return GO_ON;
    if (!*log || log[strspn(log, "xy")]) return complain("--log %s: the axes are x, y or xy", log);
    f->log_x = strchr(log, 'x') != NULL, f->log_y = strchr(log, 'y') != NULL;
    return GO_ON;
}

/* "2,4": numbers with commas between them. */
static int read_slopes(const arguments *a, figure *f)
{
    const char *list = own_value(a, "slope");
    if (list && !(f->log_x && f->log_y)) return complain("--slope is for --log xy");
    while (list && *list) {
        char *end;
        f->slope[f->slopes] = strtod(list, &end);
        if (end == list || (*end && *end != ','))
            return complain("--slope %s: give numbers, as in 2,4", list);
        snprintf(f->slope_name[f->slopes], sizeof *f->slope_name, "%g", f->slope[f->slopes]);
        if (++f->slopes == SLOPES_MOST && *end)
            return complain("--slope takes at most %d", SLOPES_MOST);
        list = *end ? end + 1 : end;
    }
    return GO_ON;
}

/* The model of the results, for its units: nothing is run. */
static int read_model(const arguments *a, dal_model **m)
{
    const char *path = own_value(a, "model");
    if (!path) return GO_ON;
    dal_status bad = dal_model_load(a->cx, path, NULL, m);
    return bad ? exit_code_unrun(bad) : GO_ON;
}

static bool has_portraits(const figure *f)
{
    for (int i = 0; i < f->panels; i++)
        if (f->panel[i].kind == PORTRAITS) return true;
    return false;
}

/* Of --events, or of a single result that says what happened, as .npz and .h5 do. */
static int find_events(const arguments *a, figure *f, event_list *l)
{
    const char *path = own_value(a, "events"),
               *said = f->tables == 1 ? table_note(&f->table[0], "summary") : NULL;
    json_t   *summary = !path && said ? json_loads(said, 0, NULL) : NULL;
    const int code = path ? events_read(l, path) : GO_ON;
    if (summary) events_of_summary(l, summary);
    json_decref(summary);
    f->event = l->at, f->events = l->count;
    return code;
}

static int draw_figure(const arguments *a, figure *f, event_list *happened)
{
    int code = figure_read(f, a->word, a->words);
    if (code == GO_ON) code = find_events(a, f, happened);
    if (code == GO_ON && f->equal && !has_portraits(f))
        code = complain("--equal is for curves over another column than the first: x:y");
    if (code != GO_ON) return code;
    drawing d = figure_drawing(f);
    code = draw(a, &d.plot);
    drawing_free(&d);
    return code;
}

static int plot(arguments *a)
{
    figure     f = {.title = own_value(a, "title"),
                    .xlabel = own_value(a, "xlabel"),
                    .ylabel = own_value(a, "ylabel"),
                    .equal = own_value(a, "equal") != NULL};
    dal_model *m = NULL;
    event_list happened = {0};
    int        code = check_outputs(a);
    if (code == GO_ON) code = read_log(a, &f);
    if (code == GO_ON) code = read_slopes(a, &f);
    if (code == GO_ON) code = read_size(a, &f);
    if (code == GO_ON) code = read_model(a, &m);
    f.model = m;
    if (code == GO_ON) code = draw_figure(a, &f, &happened);
    figure_free(&f), events_free(&happened);
    dal_model_free(m);
    return code;
}

int plot_result(dal_context *cx, const char *result, const dal_model *m, dal_sim *s,
                const char *picture)
{
    figure f = {.model = m};
    f.event = dal_events(s, &f.events);
    int    code = figure_read(&f, &result, 1);
    if (code == GO_ON) {
        drawing d = figure_drawing(&f);
        code = picture_write(cx, &d.plot, picture);
        drawing_free(&d);
    }
    figure_free(&f);
    return code;
}

const command command_plot = {
    .name = "plot",
    .synopsis = "plot RESULT... [[X:]Y]... [OPTION]...",
    .title = "draw results, as a picture or in the terminal",
    .about = "Plots columns against the first one, or against the column X, as in \"x:p(x)\".\n"
             "error(Y) is Y minus its first value, relative(Y) is that divided by the magnitude\n"
             "of the first value; errors get a panel of their own below, and so does each unit.\n"
             "Without columns: coordinates and states, at most six each, and error(energy).\n"
             "Several results are drawn in one plot. The first argument is a result, and so is\n"
             "each that ends in .csv, .npy, .npz, .h5, .dat or .txt or contains a /; - is\n"
             "standard input.\n"
             "-o FILE.svg writes a picture, and so do .png and .pdf, which need gnuplot;\n"
             "-o FILE.txt, -o - and the default draw with characters. Units are those of the\n"
             "file (in a CSV header: \"x [m]\") or of --model.",
    .example = "Examples:\n"
               "  dalembert plot pendulum.csv\n"
               "  dalembert plot pendulum.csv \"theta:p(theta)\" -o portrait.svg\n"
               "  dalembert plot kepler.csv x:y --equal -o orbit.pdf\n"
               "  dalembert plot coarse.csv fine.csv \"error(energy)\" -o energy.png\n",
    .least = 1,
    .most = WORDS_MOST,
    .flags = plot_flags,
    .run = plot,
};
