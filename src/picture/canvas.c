/* plot_canvas.c - dots on a grid of characters, 2 x 4 in each: those of Braille, which are about as
 * far from each other across as upward. Curves are told apart by colour, or by marks on them. */
#include "plot.h"

#include <stdlib.h>
#include <string.h>

canvas canvas_new(int columns, int rows)
{
    size_t n = (size_t)columns * (size_t)rows;
    canvas c = {columns, rows, need(NULL, n, 1), need(NULL, n, 1), need(NULL, n, 1)};
    memset(c.dots, 0, n), memset(c.owner, -1, n), memset(c.mark, 0, n);
    return c;
}

void canvas_free(canvas *c)
{
    free(c->dots), free(c->owner), free(c->mark);
}

static void set_dot(canvas *c, int x, int y, int owner)
{
    static const unsigned char bit[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    size_t                     at = (size_t)(y / 4) * (size_t)c->columns + (size_t)(x / 2);
    c->dots[at] |= bit[y % 4][x % 2];
    c->owner[at] = (signed char)owner;
}

/* All dots nearest to the line: as many as its longer side has. */
void canvas_line(canvas *c, int x0, int y0, int x1, int y1, int owner)
{
    int across = abs(x1 - x0), up = abs(y1 - y0), n = across > up ? across : up;
    for (int i = 0; i <= n; i++) {
        double s = n ? (double)i / n : 0;
        set_dot(c, (int)(x0 + s * (x1 - x0) + 0.5), (int)(y0 + s * (y1 - y0) + 0.5), owner);
    }
}

/* The owner's mark in some of its columns, at the highest character that it owns there. */
void canvas_mark(canvas *c, int owner, int first, int every)
{
    for (int x = first; x < c->columns; x += every)
        for (int y = 0; y < c->rows; y++) {
            size_t at = (size_t)y * (size_t)c->columns + (size_t)x;
            if (c->owner[at] != owner || c->mark[at]) continue;
            c->mark[at] = 1;
            break;
        }
}

/* Characters. ---------------------------------------------------------------------------------- */

static const char *const sign[] = {"●", "○", "■", "□", "▲", "△", "◆", "◇"};
static const char        letter[] = "*o+x#@%&";
static const int         paint[] = {34, 31, 32, 35, 33, 36}; /* of a terminal */
enum { SIGNS = sizeof sign / sizeof *sign, PAINTS = sizeof paint / sizeof *paint };

static void put_sign(int owner, const screen *s, FILE *out)
{
    if (s->ascii) fputc(letter[owner % SIGNS], out);
    else fputs(sign[owner % SIGNS], out);
}

/* U+2800 and the dots, in UTF-8 */
static void put_braille(unsigned dots, FILE *out)
{
    if (!dots) fputc(' ', out);
    else fprintf(out, "%c%c%c", 0xE2, (int)(0xA0 | dots >> 6), (int)(0x80 | (dots & 0x3F)));
}

static void put_plain(unsigned dots, FILE *out)
{
    enum { UPPER = 0x01 | 0x08 | 0x02 | 0x10, LOWER = 0x04 | 0x20 | 0x40 | 0x80 };
    fputc(dots & UPPER ? dots & LOWER ? ':' : '\'' : dots & LOWER ? '.' : ' ', out);
}

void canvas_row(const canvas *c, int row, const screen *s, FILE *out)
{
    int present = -1;
    for (int x = 0; x < c->columns; x++) {
        size_t at = (size_t)row * (size_t)c->columns + (size_t)x;
        int    owner = c->owner[at];
        if (s->colour && owner >= 0 && owner != present)
            fprintf(out, "\033[%dm", paint[owner % PAINTS]), present = owner;
        if (c->mark[at]) put_sign(owner, s, out);
        else if (s->ascii) put_plain(c->dots[at], out);
        else put_braille(c->dots[at], out);
    }
    if (present >= 0) fputs("\033[0m", out);
}

void put_sample(int owner, const screen *s, FILE *out)
{
    if (!s->colour) put_sign(owner, s, out);
    else fprintf(out, "\033[%dm%s\033[0m", paint[owner % PAINTS], s->ascii ? "--" : "━━");
}
