/* canvas.c - dots on a grid of characters, 2 x 4 in each: those of Braille, which are about as
 * far from each other across as upward. Curves are told apart by colour, or by marks on them. */
#include "picture/picture.h"

#include <stdlib.h>
#include <string.h>

canvas canvas_new(mem *m, int columns, int rows)
{
    size_t n = (size_t)columns * (size_t)rows;
    canvas c = {columns, rows, mem_array(m, n, unsigned char), mem_array(m, n, signed char),
                mem_array(m, n, char)};
    memset(c.owner, -1, n);
    return c;
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

static void add_sign(int owner, strokes with, text *out)
{
    if (with.ascii) text_add_bytes(out, &letter[owner % SIGNS], 1);
    else text_add(out, sign[owner % SIGNS]);
}

/* U+2800 and the dots, in UTF-8 */
static void add_braille(unsigned dots, text *out)
{
    if (!dots) text_add(out, " ");
    else text_printf(out, "%c%c%c", 0xE2, (int)(0xA0 | dots >> 6), (int)(0x80 | (dots & 0x3F)));
}

static void add_plain(unsigned dots, text *out)
{
    enum { UPPER = 0x01 | 0x08 | 0x02 | 0x10, LOWER = 0x04 | 0x20 | 0x40 | 0x80 };
    text_add(out, dots & UPPER ? dots & LOWER ? ":" : "'" : dots & LOWER ? "." : " ");
}

void canvas_row(const canvas *c, int row, strokes with, text *out)
{
    int present = -1;
    for (int x = 0; x < c->columns; x++) {
        size_t at = (size_t)row * (size_t)c->columns + (size_t)x;
        int    owner = c->owner[at];
        if (with.colour && owner >= 0 && owner != present)
            text_printf(out, "\033[%dm", paint[owner % PAINTS]), present = owner;
        if (c->mark[at]) add_sign(owner, with, out);
        else if (with.ascii) add_plain(c->dots[at], out);
        else add_braille(c->dots[at], out);
    }
    if (present >= 0) text_add(out, "\033[0m");
}

void add_sample(int owner, strokes with, text *out)
{
    if (!with.colour) add_sign(owner, with, out);
    else text_printf(out, "\033[%dm%s\033[0m", paint[owner % PAINTS], with.ascii ? "--" : "━━");
}
