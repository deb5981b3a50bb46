/* picture_file.c - pictures by suffix. The library writes SVG; for PNG and PDF gnuplot runs its
 * script. */
#include "picture_file.h"

#include "filter.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Of gnuplot's terminals: its units in a pixel of ours, and how a whole file ends. */
static const struct format {
    const char *suffix, *terminal, *unit, *look, *end;
    double      scale;
} formats[] = {
    {".svg", "svg enhanced", "", "font 'Helvetica,12' background '#ffffff'", "</svg>", 1},
    {".png", "pngcairo enhanced", "", "font 'Helvetica,19' linewidth 2", "IEND", 2},
    {".pdf", "pdfcairo enhanced", "cm", "font 'Helvetica,7'", "%%EOF", 0.01875},
};

static const struct format *format_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof formats / sizeof *formats; i++)
        if (!strcmp(dot, formats[i].suffix)) return &formats[i];
    return NULL;
}

bool picture_named(const char *path)
{
    return format_of(path) != NULL;
}

int picture_check(const char *path)
{
    return format_of(path) ? GO_ON : complain("%s: a picture ends in .svg, .png or .pdf", path);
}

/* Scripts. ------------------------------------------------------------------------------------- */

/* A name that begins with | would be a command, and with ~ another folder; whatever else means
 * something in double quotes is written as the number of its byte. */
static void put_output(FILE *to, const char *path)
{
    fprintf(to, "set output \"%s", *path == '/' ? "" : "./");
    for (; *path; path++) {
        const unsigned char c = (unsigned char)*path;
        const bool          plain = c >= 0x80 || isalnum(c) || strchr(" ()[],.:+-*/=_|", c);
        fprintf(to, plain ? "%c" : "\\%03o", c);
    }
    fputs("\"\n", to);
}

static int put_script(dal_context *cx, const dal_plot *plot, const char *path, bool kept, FILE *to)
{
    const struct format *as = format_of(path);
    double               width, height;
    dal_status           bad = dal_plot_size(cx, plot, &width, &height);
    if (bad) return exit_code(bad);
    if (as)
        fprintf(to, "set terminal %s size %g%s,%g%s %s\n", as->terminal, width * as->scale,
                as->unit, height * as->scale, as->unit, as->look);
    if (as && kept) put_output(to, path);
    bad = dal_plot_write(cx, plot, "gnuplot", to);
    return bad ? exit_code(bad) : EXIT_DONE;
}

int picture_script(dal_context *cx, const dal_plot *plot, const char *path, FILE *to)
{
    return put_script(cx, plot, path, true, to);
}

/* gnuplot. ------------------------------------------------------------------------------------- */

/* The one reason that users can do something about has words of its own. */
static int not_started(const char *path, int reason)
{
    if (reason == ENOENT)
        complain("gnuplot, which draws %s, is not installed: install the package gnuplot "
                 "(Debian: gnuplot-nox), or draw an .svg, which needs no other program",
                 path);
    else complain("gnuplot could not be started: %s", strerror(reason));
    return EXIT_IO;
}

/* gnuplot does not always mind a failure: the end of the picture tells whether it is whole. */
static bool is_whole(const bytes *picture, const char *end)
{
    const size_t k = strlen(end), most = 32;
    bool         found = false;
    for (size_t back = k; back <= most && back <= picture->n && !found; back++)
        found = !memcmp(picture->at + picture->n - back, end, k);
    return found;
}

/* The picture comes through a pipe: gnuplot knows of no file. The script is given as a file, since
 * what gnuplot takes for typed it reads letter by letter; and no settings of others come first. */
static int run_gnuplot(const char *path, const bytes *script, bytes *picture)
{
    static const char *const argument[] = {"gnuplot", "-d", "/dev/stdin", NULL};
    const struct format     *as = format_of(path);
    int                      status = 0, bad = filter_run(argument, script, picture, &status);
    assert(as);
    if (bad) return not_started(path, bad);
    if (!status && is_whole(picture, as->end)) return EXIT_DONE;
    return complain("gnuplot could not draw %s", path), EXIT_IO;
}

/* The script is made before gnuplot starts: it never sees half of one. */
static int draw_by_gnuplot(dal_context *cx, const dal_plot *plot, const char *path, bytes *picture)
{
    char  *words = NULL;
    size_t n = 0;
    FILE  *room = open_memstream(&words, &n);
    int    code = room ? put_script(cx, plot, path, false, room) : EXIT_DONE;
    if (!room || fclose(room)) no_memory();
    const bytes script = {(unsigned char *)words, n, n};
    if (code == EXIT_DONE) code = run_gnuplot(path, &script, picture);
    free(words);
    return code;
}

/* Files. --------------------------------------------------------------------------------------- */

static int write_svg(dal_context *cx, const dal_plot *plot, const char *path)
{
    FILE *to = open_output(path);
    if (!to) return EXIT_IO;
    dal_status bad = dal_plot_write(cx, plot, "svg", to);
    return finish_output(to, path, bad ? exit_code(bad) : EXIT_DONE);
}

static int keep(const char *path, const bytes *picture)
{
    FILE *to = open_output(path);
    if (!to) return EXIT_IO;
    fwrite(picture->at, 1, picture->n, to);
    return close_output(to, path) ? EXIT_DONE : EXIT_IO;
}

int picture_write(dal_context *cx, const dal_plot *plot, const char *path)
{
    bytes picture = {0};
    if (format_of(path) == &formats[0]) return write_svg(cx, plot, path);
    int code = draw_by_gnuplot(cx, plot, path, &picture);
    if (code == EXIT_DONE) code = keep(path, &picture);
    free(picture.at);
    return code;
}
