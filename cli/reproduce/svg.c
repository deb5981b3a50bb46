/* svg.c - a chart as SVG within a page: axes, ticks, curves, a legend. Colours of text and lines
 * are those of the page, so that it can be light or dark. */
#include "gnuplot.h"
#include "reproduce.h"

#include <math.h>
#include <stdlib.h>

enum { WIDTH = 560, HEIGHT = 340, LEFT = 72, RIGHT = 16, TOP = 44, BOTTOM = 46 };

static double place(double x, range r, double from, double to)
{
    return from + (x - r.least) / range_width(r) * (to - from);
}

static double across(const chart *c, double x) { return place(x, c->panel.x, LEFT, WIDTH - RIGHT); }
static double down(const chart *c, double y) { return place(y, c->panel.y, HEIGHT - BOTTOM, TOP); }

static void put_text(FILE *out, double x, double y, const char *how, const char *s)
{
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, how);
    put_html(out, s);
    fputs("</text>\n", out);
}

enum { TICKS_MOST = 32 };

typedef struct {
    double at;
    char   label[32];
} tick;

static int even_ticks(range r, int most, tick *out)
{
    double step = tick_step(r, most);
    int    n = 0;
    for (double k = tick_first(r, step); k <= tick_last(r, step) && n < TICKS_MOST; k++, n++) {
        out[n].at = k * step;
        tick_text(out[n].label, sizeof out[n].label, k, step, r);
    }
    return n;
}

/* Powers of ten; over less than two of them also twice and five times as much. */
static int log_ticks(range r, int most, tick *out)
{
    bool fine = range_width(r) < 2;
    int  every = (int)ceil(range_width(r) / most), n = 0;
    for (int k = (int)floor(r.least); k <= r.most; k++)
        for (int m = 1; m <= 5; m = m == 1 ? 2 : m + 3) {
            double at = k + log10(m);
            if (at < r.least || at > r.most || n == TICKS_MOST) continue;
            if (fine ? 0 : m > 1 || k % (every ? every : 1)) continue;
            out[n].at = at;
            snprintf(out[n++].label, sizeof out->label, "%g", pow(10, k) * m);
        }
    return n;
}

static void put_axes(const chart *c, FILE *out)
{
    tick t[TICKS_MOST];
    int  n = c->log_x ? log_ticks(c->panel.x, 7, t) : even_ticks(c->panel.x, 7, t);
    for (int i = 0; i < n; i++) {
        double at = across(c, t[i].at);
        fprintf(out, "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>\n", at,
                TOP, at, HEIGHT - BOTTOM);
        put_text(out, at, HEIGHT - BOTTOM + 16, "text-anchor=\"middle\"", t[i].label);
    }
    n = c->log_y ? log_ticks(c->panel.y, 6, t) : even_ticks(c->panel.y, 6, t);
    for (int i = 0; i < n; i++) {
        double at = down(c, t[i].at);
        fprintf(out, "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>\n", LEFT,
                at, WIDTH - RIGHT, at);
        put_text(out, LEFT - 6, at + 4, "text-anchor=\"end\"", t[i].label);
    }
    put_text(out, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 10, "text-anchor=\"middle\"",
             c->panel.xlabel);
    put_text(out, 0, 0, "text-anchor=\"middle\" transform=\"translate(14,190) rotate(-90)\"",
             c->panel.ylabel);
}

static void put_curve(const chart *c, int index, FILE *out)
{
    const curve *u = &c->panel.curve[index];
    long         n, *kept = curve_thin(u, &c->panel, &n);
    bool         pen_down = false;
    const char  *colour = gnuplot_colour(index);
    if (!c->marks) fprintf(out, "<path class=\"curve\" stroke=\"%s\" d=\"", colour);
    for (long k = 0; k < n; k++) {
        long i = kept[k];
        if (i < 0 || !drawable(u->x[i]) || !drawable(u->y[i])) {
            pen_down = false;
            continue;
        }
        double x = across(c, u->x[i]), y = down(c, u->y[i]);
        if (c->marks)
            fprintf(out, "<circle fill=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n", colour, x, y);
        else fprintf(out, "%c%.1f %.1f", pen_down ? 'L' : 'M', x, y);
        pen_down = true;
    }
    if (!c->marks) fputs("\"/>\n", out);
    free(kept);
}

static void put_legend(const chart *c, FILE *out)
{
    double x = LEFT;
    for (int k = 0; k < c->panel.curves; k++) {
        const char *label = c->panel.curve[k].label, *colour = gnuplot_colour(k);
        if (!*label) continue;
        fprintf(out,
                "<line stroke=\"%s\" stroke-width=\"3\" x1=\"%.1f\" y1=\"33\" x2=\"%.1f\" "
                "y2=\"33\"/>\n",
                colour, x, x + 16);
        put_text(out, x + 21, 37, "", label);
        x += 36;
        for (const char *s = label; *s; s++) x += ((unsigned char)*s & 0xc0) == 0x80 ? 0 : 6.6;
    }
}

void chart_svg(const chart *c, FILE *out)
{
    fprintf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH, HEIGHT);
    put_html(out, c->title);
    fputs("\">\n", out);
    put_text(out, LEFT, 18, "class=\"title\"", c->title);
    put_axes(c, out);
    for (int k = 0; k < c->panel.curves; k++) put_curve(c, k, out);
    put_legend(c, out);
    fputs("</svg>\n", out);
}
