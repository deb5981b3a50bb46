/* gnuplot.c - what all pictures share: the formats by suffix, the colours, the look of the axes,
 * and gnuplot, which draws them. */
#include "gnuplot.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>

/* Colours that people of every colour vision can tell apart (Okabe and Ito). */
static const char *const colour[GNUPLOT_COLOURS] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                    "#E69F00", "#56B4E9", "#000000"};

const char *gnuplot_colour(int curve)
{
    return colour[curve % GNUPLOT_COLOURS];
}

static const struct format {
    const char *suffix, *terminal, *unit, *look;
    double      width;
} formats[] = {
    {".svg", "svg enhanced", "", "font 'Helvetica,15' background '#ffffff'", 640},
    {".png", "pngcairo enhanced", "", "font 'Helvetica,26' linewidth 2", 1280},
    {".pdf", "pdfcairo enhanced", "cm", "font 'Helvetica,11'", 12},
};

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
    if (!format_of(path)) return complain("%s: a picture ends in .svg, .png or .pdf", path);
    for (const char *c = path; *c; c++)
        if ((unsigned char)*c < ' ') return complain("the name of a picture is a single line");
    return GO_ON;
}

/* A quote is written twice; a control character would end the string or the line. */
void put_quoted(FILE *to, const char *s)
{
    fputc('\'', to);
    for (; *s; s++) {
        if (*s == '\'') fputc('\'', to);
        fputc((unsigned char)*s < ' ' ? ' ' : *s, to);
    }
    fputc('\'', to);
}

void put_terminal(FILE *to, const char *path, double proportion)
{
    const struct format *f = format_of(path);
    fprintf(to, "set terminal %s size %g%s,%g%s %s\nset output ", f->terminal, f->width, f->unit,
            f->width * proportion, f->unit, f->look);
    put_quoted(to, path);
    fputc('\n', to);
}

void put_style(FILE *to)
{
    fputs("set border 3 linecolor '#404040'\nset tics nomirror textcolor '#404040'\n"
          "set grid xtics ytics linecolor '#e0e0e0' linetype 1 linewidth 0.5\n",
          to);
}

FILE *gnuplot_start(void)
{
    /* as a file: what it takes for typed it reads letter by letter */
    FILE *to = popen("command -v gnuplot >/dev/null || exit 127; exec gnuplot /dev/stdin", "w");
    if (!to) complain("gnuplot could not be started: %s", strerror(errno));
    return to;
}

int gnuplot_finish(FILE *to, const char *path)
{
    int status = pclose(to);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return complain("gnuplot, which draws %s, is not installed: install the package gnuplot "
                        "(Debian: gnuplot-nox)",
                        path),
               EXIT_IO;
    if (status) return complain("gnuplot could not draw %s", path), EXIT_IO;
    return EXIT_DONE;
}
