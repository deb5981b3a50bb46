/* cmd_plot.c - dalembert plot: results as a picture, or in the terminal. */
#include "gnuplot.h"
#include "plot.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int plot_flags(flag_row *out)
{
    out[0] = (flag_row){"equal", 0, NULL, "the same scale on both axes, for x:y"};
    out[1] = (flag_row){"title", 0, "TEXT", "a title above the picture"};
    out[2] = (flag_row){"ascii", 0, NULL, "draw with ASCII characters only"};
    out[3] = (flag_row){"gnuplot", 0, "FILE", "write the gnuplot script, with the data in it"};
    out[4] = (flag_row){"log", 0, "AXES", "logarithmic axes: x, y or xy; errors by size"};
    out[5] = (flag_row){"slope", 0, "LIST", "slope triangles, with --log xy: 2,4"};
    return 6;
}

/* As large as the terminal; what is no terminal gets 80 columns. */
static screen screen_of(FILE *out, bool ascii)
{
    struct winsize size;
    screen         s = {80, 30, colours(out), ascii};
    if (isatty(fileno(out)) && !ioctl(fileno(out), TIOCGWINSZ, &size) && size.ws_col && size.ws_row)
        s.columns = size.ws_col, s.rows = size.ws_row;
    return s;
}

static bool is_text(const char *path)
{
    const char *dot = strrchr(path, '.');
    return !strcmp(path, "-") || (dot && !strcmp(dot, ".txt"));
}

/* Before anything is read: every -o must be text or something that gnuplot draws. */
static int check_outputs(const arguments *a)
{
    for (int i = 0; i < a->outputs; i++)
        if (!is_text(a->output[i]) && !gnuplot_draws(a->output[i]))
            return complain("%s: a picture ends in .svg, .png, .pdf or .txt", a->output[i]);
    return GO_ON;
}

static int draw_text(const arguments *a, const figure *f, const char *path)
{
    FILE *out = open_output(path);
    if (!out) return EXIT_IO;
    figure_text(f, screen_of(out, own_value(a, "ascii") != NULL), out);
    return close_output(out, path) ? EXIT_DONE : EXIT_IO;
}

/* The script names the first picture among the outputs. */
static int write_script(const arguments *a, const figure *f, const char *path)
{
    FILE       *out = open_output(path);
    const char *picture = "";
    for (int i = a->outputs; i-- > 0;)
        if (gnuplot_draws(a->output[i])) picture = a->output[i];
    if (!out) return EXIT_IO;
    figure_script(f, picture, out);
    return close_output(out, path) ? EXIT_DONE : EXIT_IO;
}

/* Without -o and --gnuplot the picture is text on the terminal. */
static int draw(const arguments *a, const figure *f)
{
    const char *script = own_value(a, "gnuplot");
    int         code = script ? write_script(a, f, script) : EXIT_DONE;
    if (!a->outputs && !script) return draw_text(a, f, "-");
    for (int i = 0; i < a->outputs && code == EXIT_DONE; i++)
        code =
            is_text(a->output[i]) ? draw_text(a, f, a->output[i]) : figure_picture(f, a->output[i]);
    return code;
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
        if (++f->slopes == SLOPES_MOST && *end)
            return complain("--slope takes at most %d", SLOPES_MOST);
        list = *end ? end + 1 : end;
    }
    return GO_ON;
}

static int plot(arguments *a)
{
    figure f = {.tables = 0};
    int    code = check_outputs(a);
    if (code == GO_ON) code = read_log(a, &f);
    if (code == GO_ON) code = read_slopes(a, &f);
    if (code == GO_ON) code = figure_read(&f, a->word, a->words);
    if (code == GO_ON && own_value(a, "equal") && !f.panel[PORTRAITS].curves)
        code = complain("--equal is for curves over another column than the first: x:y");
    if (code == GO_ON) {
        f.panel[PORTRAITS].equal = own_value(a, "equal") != NULL;
        char *title = own_value(a, "title") ? text("%s", own_value(a, "title")) : NULL;
        f.title = title ? plain_text(title) : NULL;
        code = draw(a, &f);
        free(title);
    }
    figure_free(&f);
    return code;
}

int plot_result(const char *result, const dal_sim *s, const char *picture)
{
    figure f = {.run = s};
    int    code = figure_read(&f, &result, 1);
    if (code == GO_ON) code = figure_picture(&f, picture);
    figure_free(&f);
    return code;
}

const command command_plot = {
    .name = "plot",
    .synopsis = "plot RESULT... [[X:]Y]... [OPTION]...",
    .title = "draw results, as a picture or in the terminal",
    .about = "Plots columns against the first one, or against the column X, as in \"x:p(x)\".\n"
             "error(Y) is Y minus its first value, relative(Y) is that divided by the magnitude\n"
             "of the first value; errors get a panel of their own below. Without columns: the\n"
             "coordinates, at most six, and error(energy). Several results are drawn in one\n"
             "plot. The first argument is a result, and so is each that ends in .csv, .npy,\n"
             ".npz, .h5, .dat or .txt or contains a /; - is standard input. With -o FILE.svg,\n"
             ".png or .pdf gnuplot draws a picture; -o FILE.txt, -o - and the default draw with\n"
             "characters.",
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
