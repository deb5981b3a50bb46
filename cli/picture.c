/* gnuplot.c - what all pictures share: the formats by suffix, the colours, the look of the axes,
 * and gnuplot, which draws them. */
#include "gnuplot.h"

#include "filter.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Colours that people of every colour vision can tell apart (Okabe and Ito). */
static const char *const colour[GNUPLOT_COLOURS] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                    "#E69F00", "#56B4E9", "#000000"};

const char *gnuplot_colour(int curve)
{
    return colour[curve % GNUPLOT_COLOURS];
}

static const struct format {
    const char *suffix, *terminal, *unit, *look, *end; /* of the file */
    double      width;
} formats[] = {
    {".svg", "svg enhanced", "", "font 'Helvetica,15' background '#ffffff'", "</svg>", 640},
    {".png", "pngcairo enhanced", "", "font 'Helvetica,26' linewidth 2", "IEND", 1280},
    {".pdf", "pdfcairo enhanced", "cm", "font 'Helvetica,11'", "%%EOF", 12},
};

/* NULL: gnuplot_check refuses the name. */
static const struct format *format_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof formats / sizeof *formats; i++)
        if (!strcmp(dot, formats[i].suffix)) return &formats[i];
    return NULL;
}

bool gnuplot_draws(const char *path)
{
    return format_of(path) != NULL;
}

int gnuplot_check(const char *path)
{
    return format_of(path) ? GO_ON : complain("%s: a picture ends in .svg, .png or .pdf", path);
}

/* In double quotes gnuplot would run `commands`, replace @macros and read escapes: whatever could
 * mean something to it is written as the number of its byte. */
void put_quoted(FILE *to, const char *s)
{
    fputc('"', to);
    for (; *s; s++) {
        const unsigned char c = (unsigned char)*s;
        const bool          plain = c >= 0x80 || isalnum(c) || strchr(" ()[],.:+-*/=_|", c);
        fprintf(to, plain ? "%c" : "\\%03o", c);
    }
    fputc('"', to);
}

void put_terminal(FILE *to, const char *path, double proportion)
{
    const struct format *f = format_of(path);
    assert(f);
    fprintf(to, "set terminal %s size %g%s,%g%s %s\n", f->terminal, f->width, f->unit,
            f->width * proportion, f->unit, f->look);
}

/* A name that begins with | would be a command, and with ~ another folder. */
void put_output(FILE *to, const char *path)
{
    char *name = text("%s%s", *path == '/' ? "" : "./", path);
    fputs("set output ", to), put_quoted(to, name), fputc('\n', to);
    free(name);
}

void put_style(FILE *to)
{
    fputs("set border 3 linecolor '#404040'\nset tics nomirror textcolor '#404040'\n"
          "set grid xtics ytics linecolor '#e0e0e0' linetype 1 linewidth 0.5\n",
          to);
}

/* The script is made before gnuplot starts: it never sees half of one. */
static bytes script_text(const char *path, gnuplot_script *script, const void *self)
{
    char  *words = NULL;
    size_t n = 0;
    FILE  *room = open_memstream(&words, &n);
    if (room) script(self, path, room);
    if (!room || fclose(room)) no_memory();
    return (bytes){(unsigned char *)words, n, n};
}

/* The one reason that users can do something about has words of its own. */
static int not_started(const char *path, int reason)
{
    if (reason == ENOENT)
        complain("gnuplot, which draws %s, is not installed: install the package gnuplot "
                 "(Debian: gnuplot-nox)",
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
static int draw(const char *path, const bytes *script, bytes *picture)
{
    static const char *const argument[] = {"gnuplot", "-d", "/dev/stdin", NULL};
    const struct format     *as = format_of(path);
    int                      status = 0, bad = filter_run(argument, script, picture, &status);
    assert(as);
    if (bad) return not_started(path, bad);
    if (!status && is_whole(picture, as->end)) return EXIT_DONE;
    return complain("gnuplot could not draw %s", path), EXIT_IO;
}

/* Under its name only when it is whole. */
static int keep(const char *path, const bytes *picture)
{
    FILE *to = open_output(path);
    if (!to) return EXIT_IO;
    fwrite(picture->at, 1, picture->n, to);
    return close_output(to, path) ? EXIT_DONE : EXIT_IO;
}

int gnuplot_draw(const char *path, gnuplot_script *script, const void *self)
{
    bytes words = script_text(path, script, self), picture = {0};
    int   code = draw(path, &words, &picture);
    if (code == EXIT_DONE) code = keep(path, &picture);
    free(words.at), free(picture.at);
    return code;
}
