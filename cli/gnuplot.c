/* gnuplot.c - what all pictures share: the formats by suffix, the colours, the look of the axes,
 * and gnuplot, which draws them. */
#include "gnuplot.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
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
    if (!format_of(path)) return complain("%s: a picture ends in .svg, .png or .pdf", path);
    for (const char *c = path; *c; c++)
        if ((unsigned char)*c < ' ') return complain("the name of a picture must be a single line");
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
    assert(f);
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

static FILE *start(void)
{
    /* as a file: what it takes for typed it reads letter by letter */
    FILE *to = popen("command -v gnuplot >/dev/null || exit 127; exec gnuplot /dev/stdin", "w");
    if (!to) complain("gnuplot could not be started: %s", strerror(errno));
    return to;
}

static int finish(FILE *to, const char *path)
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

/* gnuplot does not mind a full disk: the end of the picture tells whether it is whole. */
static bool is_whole(const char *picture, const char *end)
{
    char   last[32];
    FILE  *f = fopen(picture, "rb");
    size_t n = f && !fseek(f, -(long)sizeof last, SEEK_END) ? fread(last, 1, sizeof last, f) : 0,
           k = strlen(end);
    bool found = false;
    for (size_t i = 0; i + k <= n && !found; i++) found = !memcmp(last + i, end, k);
    if (f) fclose(f);
    return found;
}

/* "orbit.svg" is drawn as "orbit.part.svg". What is no plain file gets a copy. */
static bool put_in_place(const char *beside, const char *path)
{
    char some[4096];
    if (output_is_plain(path)) return output_take_place(beside, path, true);
    FILE *from = fopen(beside, "rb"), *to = from ? fopen(path, "wb") : NULL;
    bool  well = to;
    for (size_t n; well && (n = fread(some, 1, sizeof some, from)) > 0;)
        well = fwrite(some, 1, n, to) == n;
    if (to && fclose(to)) well = false;
    const int reason = errno;
    if (from) fclose(from);
    remove(beside);
    errno = reason;
    return well;
}

/* The script is made before gnuplot starts: it never sees half of one. */
static int draw(const char *path, const char *beside, gnuplot_script *script, const void *self)
{
    char  *words = NULL;
    size_t n = 0;
    FILE  *room = open_memstream(&words, &n), *to;
    if (room) script(self, beside, room);
    if (!room || fclose(room)) no_memory();
    to = start();
    if (to) fwrite(words, 1, n, to);
    free(words);
    return to ? finish(to, path) : EXIT_IO;
}

int gnuplot_draw(const char *path, gnuplot_script *script, const void *self)
{
    const struct format *as = format_of(path);
    assert(as);
    const int stem = (int)(strlen(path) - strlen(as->suffix));
    char     *beside = text("%.*s.part%s", stem, path, as->suffix);
    int       code = draw(path, beside, script, self);
    errno = 0;
    if (code == EXIT_DONE && !(is_whole(beside, as->end) && put_in_place(beside, path))) {
        complain("cannot write %s: %s", path,
                 errno ? strerror(errno) : "the picture has no end; the disk may be full");
        code = EXIT_IO;
    }
    if (code != EXIT_DONE) remove(beside);
    free(beside);
    return code;
}
