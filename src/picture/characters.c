/* plot_text.c - a figure in characters: frames, ticks and legends around canvases of dots. The
 * ranges are those of the data, so that extremes touch the frame. */
#include "plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *side, *tick, *corner, *floor, *foot;
} strokes;
static const strokes fine = {"│", "┤", "└", "─", "┬"}, plain = {"|", "+", "+", "-", "+"};

enum { OWNERS_MOST = 127 }; /* what a canvas tells apart */

typedef struct {
    range  x, y;
    int    columns, rows, gutter; /* of the canvas; the width of what stands left of the frame */
    double step_x, step_y;
} view;

/* Which of so many dots or characters shows x. */
static int place(double x, range r, int count)
{
    double at = (x - r.least) / range_width(r) * (count - 1);
    return at < 0 ? 0 : at > count - 1 ? count - 1 : (int)(at + 0.5);
}

/* The frame. ----------------------------------------------------------------------------------- */

static bool row_tick(const view *v, int row, char *out, size_t room)
{
    for (double k = tick_first(v->y, v->step_y); k <= tick_last(v->y, v->step_y); k++)
        if (v->rows - 1 - place(k * v->step_y, v->y, 4 * v->rows) / 4 == row) {
            tick_text(out, room, k, v->step_y, v->y);
            return true;
        }
    return false;
}

static void put_rows(const view *v, const canvas *c, const screen *s, FILE *out)
{
    const strokes *k = s->ascii ? &plain : &fine;
    for (int row = 0; row < v->rows; row++) {
        char label[32] = "";
        bool tick = row_tick(v, row, label, sizeof label);
        fprintf(out, "%*s %s", v->gutter - 1, label, tick ? k->tick : k->side);
        canvas_row(c, row, s, out);
        fputc('\n', out);
    }
}

/* The lower side with its ticks and, unless it is bare, numbers below those that have room. */
static void put_floor(const view *v, const screen *s, bool bare, FILE *out)
{
    const strokes *draw = s->ascii ? &plain : &fine;
    char          *foot = need(NULL, (size_t)v->columns, 1);
    char          *line = text("%*s", v->gutter + 1 + v->columns + 32, "");
    int            end = 0, width = v->gutter + 1 + v->columns;
    memset(foot, 0, (size_t)v->columns);
    for (double k = tick_first(v->x, v->step_x); k <= tick_last(v->x, v->step_x); k++) {
        char label[32];
        int  n = tick_text(label, sizeof label, k, v->step_x, v->x);
        int  at = place(k * v->step_x, v->x, 2 * v->columns) / 2, from = v->gutter + 1 + at - n / 2;
        if (from + n > width) from = width - n;
        foot[at] = 1;
        if (from <= end && end) continue;
        memcpy(line + from, label, (size_t)n);
        end = from + n;
    }
    fprintf(out, "%*s%s", v->gutter, "", draw->corner);
    for (int i = 0; i < v->columns; i++) fputs(foot[i] ? draw->foot : draw->floor, out);
    line[end] = 0;
    fprintf(out, bare ? "\n" : "\n%s\n", line);
    free(line), free(foot);
}

static void put_legend(const panel *p, const view *v, const screen *s, FILE *out)
{
    int used = v->gutter + 1 + (int)strlen(p->ylabel) + 3;
    fprintf(out, "%*s%s%s", v->gutter + 1, "", p->ylabel,
            p->ylabel[0] && p->curves > 1 ? "   " : "");
    for (int i = 0; i < p->curves && p->curves > 1; i++) {
        int wide = (int)strlen(p->curve[i].label) + 6;
        if (used + wide > s->columns && i) {
            fprintf(out, "\n%*s", v->gutter + 1, "");
            used = v->gutter + 1;
        }
        put_sample(i, s, out);
        fprintf(out, i + 1 < p->curves ? " %s   " : " %s", p->curve[i].label);
        used += wide;
    }
    fputc('\n', out);
}

/* The curves. ---------------------------------------------------------------------------------- */

static void draw_curve(canvas *on, const view *v, const curve *c, int owner)
{
    bool joined = false;
    int  x0 = 0, y0 = 0;
    for (long i = 0; i < c->points; i++) {
        bool shown = drawable(c->x[i]) && drawable(c->y[i]);
        if (shown) {
            int x = place(c->x[i], v->x, 2 * v->columns);
            int y = 4 * v->rows - 1 - place(c->y[i], v->y, 4 * v->rows);
            canvas_line(on, joined ? x0 : x, joined ? y0 : y, x, y, owner);
            x0 = x, y0 = y;
        }
        joined = shown;
    }
}

/* A dot is as wide as it is high, nearly: then equal units take equal numbers of dots. */
static void make_equal(view *v, int rows_most)
{
    double unit = range_width(v->x) / (2 * v->columns);
    double rows = ceil(range_width(v->y) / unit / 4);
    v->rows = rows > rows_most ? rows_most : rows < 4 ? 4 : (int)rows;
    double across = range_width(v->x) / (2 * v->columns), up = range_width(v->y) / (4 * v->rows);
    if (across < up) v->x = range_wider(v->x, 0.5 * (up / across - 1));
    else v->y = range_wider(v->y, 0.5 * (across / up - 1));
}

static void set_ticks(view *v)
{
    v->step_x = tick_step(v->x, v->columns / 10);
    v->step_y = tick_step(v->y, v->rows / 2);
}

/* Equal ranges depend on the columns, these on the numbers at the side, and they on the ranges. */
static view view_of(const panel *p, const screen *s, int rows, int gutter)
{
    view v = {.gutter = gutter};
    for (int pass = 0; pass < 3; pass++) {
        v.x = p->x, v.y = p->y;
        v.columns = s->columns - v.gutter - 1, v.rows = rows;
        if (p->equal) make_equal(&v, s->rows > 16 ? s->rows - 6 : 10);
        set_ticks(&v);
        int wide = tick_width(v.y, v.step_y) + 1;
        if (wide > v.gutter) v.gutter = wide;
    }
    return v;
}

static void put_panel(const panel *p, const view *v, const screen *s, bool joined, FILE *out)
{
    canvas on = canvas_new(v->columns, v->rows);
    int    every = 4 * p->curves > 12 ? 4 * p->curves : 12;
    for (int i = 0; i < p->curves; i++) draw_curve(&on, v, &p->curve[i], i % OWNERS_MOST);
    for (int i = 0; i < p->curves && p->curves > 1 && !s->colour; i++)
        canvas_mark(&on, i % OWNERS_MOST, (2 + i * every / p->curves) % every, every);
    put_legend(p, v, s, out);
    put_rows(v, &on, s, out);
    canvas_free(&on);
    put_floor(v, s, joined, out);
    int middle = v->gutter + 1 + (v->columns + (int)strlen(p->xlabel)) / 2;
    if (!joined) fprintf(out, "%*s\n", middle, p->xlabel);
}

static int rows_of(const figure *f, const screen *s, int kind)
{
    int count = figure_panels(f), room = s->rows - 1 - 4 * count;
    if (room > s->columns / 3) room = s->columns / 3;
    if (room < 6 * count) room = 6 * count;
    return count == 1 ? room : kind == ERRORS ? room / 3 : room - room / 3;
}

void figure_text(const figure *f, screen s, FILE *out)
{
    int gutter = 0;
    if (s.columns < 40) s.columns = 40;
    for (int i = 0; i < PANELS; i++) {
        if (!f->panel[i].curves) continue;
        view v = view_of(&f->panel[i], &s, rows_of(f, &s, i), gutter);
        gutter = v.gutter;
    }
    if (f->title) fprintf(out, "%*s\n", (s.columns + (int)strlen(f->title)) / 2, f->title);
    for (int i = 0; i < PANELS; i++) {
        if (!f->panel[i].curves) continue;
        view v = view_of(&f->panel[i], &s, rows_of(f, &s, i), gutter);
        put_panel(&f->panel[i], &v, &s, i == SERIES && figure_joined(f), out);
    }
}
