/* frame.c - where the frames of a picture stand. Frames above each other are equally far from the
 * left; legends stand above their frame, so that they cover no curve. */
#include "picture/picture.h"

#include <math.h>
#include <string.h>

enum {
    WIDTH = 640,
    EDGE = 10,    /* of the picture                                */
    RIGHT = 24,   /* room for half of the last number              */
    TITLE = 30,   /* height of the title                           */
    BELOW = 46,   /* numbers and the name of x                     */
    BETWEEN = 12, /* two frames with one axis                      */
    FRAME_LEAST = 40
};

double across(const frame *f, double x)
{
    return f->left + (x - f->x.least) / range_width(f->x) * f->width;
}

double down(const frame *f, double y)
{
    return f->top + (f->y.most - y) / range_width(f->y) * f->height;
}

/* The legend. ---------------------------------------------------------------------------------- */

double legend_from(const frame *f)
{
    return f->left + (f->exponent ? 56 : 0);
}

/* The place of a name that begins at `at`, or on the next line where it would not fit. */
spot legend_next(spot at, double from, double to, const char *label, spot *next)
{
    const double wide = SAMPLE + 6 + words_width(label);
    if (at.x > from && at.x + wide > to) at = (spot){from, at.row + 1};
    *next = (spot){at.x + wide + 18, at.row};
    return at;
}

static int legend_rows(const pane *p, const frame *f)
{
    const double from = legend_from(f);
    spot         at = {from, 0};
    if (!p->legend) return 0;
    for (int i = 0; i < p->lines; i++)
        if (*words_of(p->line[i].of->label) && !has_flag(&p->line[i], DAL_CURVE_AREA))
            legend_next(at, from, f->left + f->width, words_of(p->line[i].of->label), &at);
    return at.row + 1;
}

/* Frames. -------------------------------------------------------------------------------------- */

/* Lines that only go forward fill their frame. */
static bool only_forward(const pane *p)
{
    for (int i = 0; i < p->lines; i++)
        if (has_flag(&p->line[i], DAL_CURVE_BARE)) return false;
    for (int i = 0; i < p->lines; i++)
        for (long k = 1; k < p->line[i].points; k++)
            if (p->line[i].x[k] < p->line[i].x[k - 1]) return false;
    return true;
}

static double natural_height(const sheet *s, const pane *p)
{
    int full = 0;
    for (int i = 0; i < s->panes; i++) full += !(s->pane[i].of->flags & DAL_PANEL_LOW);
    if (s->panes == 1) return 320;
    if (p->of->flags & DAL_PANEL_LOW) return 140;
    return full == 1 ? 270 : 190;
}

/* Equal units: the frame gets the proportions of the data, within reason, and the ranges the rest.
 */
static void make_equal(frame *f, bool fixed)
{
    double unit = range_width(f->x) / f->width;
    if (!fixed) f->height = fmin(fmax(range_width(f->y) / unit, 0.3 * WIDTH), 0.9 * WIDTH);
    double up = range_width(f->y) / f->height;
    if (unit < up) f->x = range_equal(f->x, up / unit);
    else f->y = range_equal(f->y, unit / up);
}

static double label_width(const ticks *t)
{
    double widest = 0;
    for (int i = 0; i < t->count; i++) {
        double wide = words_width(t->at[i].label);
        if (t->at[i].power) wide = 0.75 * wide + words_width("10");
        widest = fmax(widest, wide);
    }
    return widest;
}

static void set_ticks(frame *f)
{
    f->exponent = exponent_of(f->y);
    f->of_x = ticks_of(f->x, 0, (int)fmin(10, f->width / 64));
    f->of_y = ticks_of(f->y, f->exponent, (int)fmin(8, f->height / 26));
    for (int most = 7; most > 2 && f->of_x.count * (label_width(&f->of_x) + 8) > f->width; most--)
        if (!f->x.log) f->of_x = ticks_of(f->x, 0, most);
}

/* Margins that curves have within the frame: portraits on all sides. */
static void set_ranges(frame *f, const pane *p)
{
    f->x = p->x, f->y = range_wider(p->y, 0.05);
    if (!only_forward(p) || f->x.log) f->x = range_wider(f->x, 0.04);
}

/* What a pane takes beside its frame; numbers below the last frame of an axis only. */
static double above_frame(const pane *p, const frame *f)
{
    const int rows = legend_rows(p, f);
    return EDGE + WORDS_LINE * (rows > 1 || !f->exponent ? rows : 1);
}

static double below_frame(const pane *p)
{
    if (p->joined) return BETWEEN;
    return *words_of(p->of->xlabel) ? BELOW : BELOW - WORDS_LINE;
}

/* All frames with the left edge `left`; the height of all. `stretch` of natural heights. */
static double place(const sheet *s, frames *out, double left, double stretch)
{
    double at = *words_of(s->of->title) ? TITLE : 0;
    out->title = EDGE + 12;
    for (int i = 0; i < s->panes; i++) {
        const pane *p = &s->pane[i];
        frame      *f = &out->frame[i];
        f->left = left, f->width = fmax(out->width - left - RIGHT, FRAME_LEAST);
        f->height = fmax(natural_height(s, p) * stretch, FRAME_LEAST);
        set_ranges(f, p);
        if (p->of->flags & DAL_PANEL_EQUAL) make_equal(f, stretch != 1);
        set_ticks(f);
        f->legend = at + EDGE + 8;
        f->top = at + above_frame(p, f);
        at = f->top + f->height + below_frame(p);
    }
    return at;
}

static double left_of(const sheet *s, const frames *out)
{
    double widest = 0;
    bool   named = false;
    for (int i = 0; i < s->panes; i++) {
        widest = fmax(widest, label_width(&out->frame[i].of_y));
        named |= *words_of(s->pane[i].of->ylabel) != 0;
    }
    return EDGE + (named ? WORDS_LINE : 0) + widest + 8;
}

/* Numbers at the side depend on heights, heights on widths, and these on the numbers: twice. */
frames frames_of(const sheet *s)
{
    frames out = {.width = s->of->width > 0 ? s->of->width : WIDTH};
    out.frame = mem_array(s->m, s->panes + 1, frame);
    double stretch = 1, left = 60;
    for (int pass = 0; pass < 3; pass++) {
        double height = place(s, &out, left, stretch), inside = 0;
        for (int i = 0; i < s->panes; i++) inside += out.frame[i].height;
        if (s->of->height > 0 && inside > 0)
            stretch *= fmax(s->of->height - (height - inside), FRAME_LEAST) / inside;
        left = left_of(s, &out);
    }
    out.height = ceil(place(s, &out, left, stretch));
    if (s->of->height > 0) out.height = s->of->height;
    return out;
}
