/* picture.h - plots: the curves of a caller as a sheet of panes, which is then drawn as SVG, with
 * characters, or as a script for gnuplot. Positions on a logarithmic axis are powers of ten. */
#ifndef PICTURE_PICTURE_H
#define PICTURE_PICTURE_H

#include "base/text.h"
#include "base/vec.h"
#include "dalembert.h"

/* scale.c: the range of an axis. */
typedef struct {
    double least, most;
    bool   log;
} range;

bool   drawable(double x); /* finite, and not absurd                             */
range  range_none(bool log);
range  range_with(range r, double x);      /* grown to hold x, if that is drawable               */
range  range_drawn(range r);               /* never empty, nor narrower than numbers resolve     */
range  range_wider(range r, double share); /* by that share of it at both ends                   */
double range_width(range r);

/* ticks.c: round numbers on an axis. */
enum { TICKS_MOST = 64, TICK_ROOM = 24 };
typedef struct {
    double at;
    bool   power;            /* the label is the exponent of a power of ten */
    char   label[TICK_ROOM]; /* "": a small tick between two others         */
} tick;
typedef struct {
    int  count;
    tick at[TICKS_MOST];
} ticks;

/* About `most` of them. Numbers are in units of 10^exponent. */
ticks ticks_of(range r, int exponent, int most);
int   exponent_of(range r); /* of numbers that are very large or very small; otherwise 0 */

/* sheet.c: a plot with ranges, logarithms taken. */
typedef struct {
    const dal_curve *of;
    const double    *x, *y;
    long             points;
} line;
typedef struct {
    const dal_panel *of;
    line            *line; /* as many as the panel has curves */
    int              lines;
    range            x, y;
    bool             joined; /* the pane below has the same x axis */
    bool             legend; /* curves are named above the frame   */
} pane;
typedef struct {
    mem            *m;
    const dal_plot *of;
    pane           *pane;
    int             panes;
} sheet;

sheet       sheet_of(mem *m, const dal_plot *of);
const char *words_of(const char *s); /* "" for NULL                                   */
bool        has_flag(const line *l, unsigned flag);
range       range_equal(range r, double share); /* widened to `share` times its width          */

/* thin.c: the n points that a picture can show; -1 breaks the line. */
long *line_thin(mem *m, const line *l, const pane *on, long *n);

/* marks.c: events of a pane over time, in at most so many places; there are *n. */
typedef struct {
    double           x;
    const dal_event *first;
    long             count;
} mark;
mark *marks_of(const sheet *s, const pane *p, range x, int most, int *n);
void  add_mark_words(text *out, const mark *m); /* "floor hits, t = 0.45, and 3 more" */

/* frame.c: where panes and their words stand, in pixels. */
typedef struct {
    range  x, y;
    double left, top, width, height; /* of the frame     */
    double legend;                   /* base of its first line of words                    */
    int    exponent;                 /* y is drawn in units of 10^exponent                 */
    ticks  of_x, of_y;
} frame;
typedef struct {
    double width, height, title; /* base of the title */
    frame *frame;                /* one for each pane */
} frames;

enum { FONT = 13, WORDS_LINE = 18, SAMPLE = 18 };
frames frames_of(const sheet *s);
double words_width(const char *words); /* about, in the font of the picture */
double across(const frame *f, double x);
double down(const frame *f, double y);

/* Where the name of a curve stands in the legend: after how many pixels, in which line of it. */
typedef struct {
    double x;
    int    row;
} spot;
spot   legend_next(spot at, double from, double to, const char *label, spot *next);
double legend_from(const frame *f);

/* look.c: colours and dashes; words as they may stand in XML or in a script. */
enum { COLOURS = 7 };
const char *colour_of(const line *l); /* #rrggbb */
int         dash_of(const line *l);   /* 0: none */
void        add_xml(text *out, const char *words);
void        add_quoted(text *out, const char *words); /* a string of gnuplot */

/* The drawings. */
void draw_svg(const sheet *s, text *out);
void draw_script(const sheet *s, text *out);
typedef struct {
    bool colour, ascii;
} strokes;
void draw_characters(const sheet *s, strokes with, text *out);

/* canvas.c: dots of a grid of characters, 2 x 4 in each, as those of Braille. */
typedef struct {
    int            columns, rows;
    unsigned char *dots;  /* of each character, in the order of Unicode           */
    signed char   *owner; /* the curve drawn last there; -1: none                 */
    char          *mark;  /* 1: the owner's mark stands there instead of the dots */
} canvas;

canvas canvas_new(mem *m, int columns, int rows);
void   canvas_line(canvas *c, int x0, int y0, int x1, int y1, int owner); /* dots from top left */
void   canvas_mark(canvas *c, int owner, int first, int every);
void   canvas_row(const canvas *c, int row, strokes with, text *out);
void   add_sample(int owner, strokes with, text *out); /* of a curve, for the legend */

#endif
