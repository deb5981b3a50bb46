/* plot_script.c - a figure as a script of gnuplot, data and all. The frame of every panel is placed
 * by us, so that panels above each other align and equal units are equal. Lengths are in widths of
 * the picture. */
#include "gnuplot.h"
#include "plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double right = 0.955, line = 0.042, letter = 0.0135; /* of text */

typedef struct {
    range  x, y;
    double left, top, height, bottom;   /* beside and above the frame, it, and below it */
    int    exponent;                    /* y is drawn in units of 10^exponent           */
    double step_x, step_y;              /* between ticks                                */
    bool   joined;                      /* the panel below has the same x axis          */
    int    legend_columns, legend_rows; /* 0: it needs none                           */
} frame;

/* Layout. -------------------------------------------------------------------------------------- */

/* Equal units: the frame gets the proportions of the data, within reason, and the ranges the rest.
 */
static void make_equal(frame *f)
{
    double across = range_width(f->x) / (right - f->left);
    f->height = fmin(fmax(range_width(f->y) / across, 0.3), 0.9);
    double up = range_width(f->y) / f->height;
    if (across < up) f->x = range_wider(f->x, 0.5 * (up / across - 1));
    else f->y = range_wider(f->y, 0.5 * (across / up - 1));
}

static void lay_out_legend(frame *f, const panel *p)
{
    enum { SAMPLE = 6 };
    int most = (int)((right - f->left) / letter), longest = 1;
    for (int i = 0; i < p->curves; i++) {
        int n = (int)strlen(p->curve[i].label);
        if (n > longest) longest = n;
    }
    f->legend_columns = most > longest + SAMPLE ? most / (longest + SAMPLE) : 1;
    if (f->legend_columns > p->curves) f->legend_columns = p->curves;
    f->legend_rows = p->curves > 1 ? (p->curves - 1) / f->legend_columns + 1 : 0;
}

/* Does the legend of the panel above say it all? */
static bool same_legend(const panel *a, const panel *b)
{
    bool same = a->curves == b->curves;
    for (int i = 0; i < a->curves && same; i++)
        same = !strcmp(a->curve[i].label, b->curve[i].label);
    return same;
}

/* Very large and very small numbers lose their powers of ten to the corner. */
static int exponent_of(range r)
{
    if (r.log) return 0;
    int e = (int)floor(log10(fmax(fabs(r.least), fabs(r.most))));
    return e < -2 || e > 4 ? e : 0;
}

static range in_units(range r, int exponent)
{
    double unit = pow(10, exponent);
    return (range){r.least / unit, r.most / unit, r.log};
}

static frame frame_of(const panel *p, int kind, bool alone, double beside)
{
    static const double heights[PANELS] = {[SERIES] = 0.42, [PORTRAITS] = 0.6, [ERRORS] = 0.22};
    frame               f = {p->x, p->y.log ? p->y : range_wider(p->y, 0.05), .left = beside};
    f.height = alone ? fmax(heights[kind], 0.5) : heights[kind];
    if (kind == PORTRAITS && !f.x.log) f.x = range_wider(f.x, 0.04);
    if (p->equal) make_equal(&f);
    f.exponent = exponent_of(p->y);
    f.y = in_units(f.y, f.exponent);
    f.step_x = tick_step(f.x, 8), f.step_y = tick_step(f.y, f.height < 0.3 ? 4 : 7);
    f.left = fmax(beside, 2.2 * line + letter * tick_width(f.y, f.step_y));
    lay_out_legend(&f, p);
    f.bottom = 2.7 * line;
    return f;
}

/* The frames of all panels, equally far from the left; the height of all. */
static double lay_out(const figure *f, frame *out)
{
    bool   alone = figure_panels(f) == 1;
    double height = f->title ? 1.5 * line : 0, beside = 0.1;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < PANELS; i++)
            if (f->panel[i].curves) {
                out[i] = frame_of(&f->panel[i], i, alone, beside);
                beside = out[i].left;
            }
    if (figure_joined(f)) {
        out[SERIES].joined = true, out[SERIES].bottom = 0.02;
        if (same_legend(&f->panel[SERIES], &f->panel[ERRORS])) out[ERRORS].legend_rows = 0;
    }
    for (int i = 0; i < PANELS; i++) {
        if (!f->panel[i].curves) continue;
        out[i].top = 0.02 + line * out[i].legend_rows + (out[i].exponent ? line : 0);
        height += out[i].top + out[i].height + out[i].bottom;
    }
    return height;
}

/* The script. ---------------------------------------------------------------------------------- */

static void put_ticks(FILE *to, const char *axis, range r, double step)
{
    fprintf(to, "set %srange [%.17g:%.17g]\nset %stics %.17g\n", axis, r.least, r.most, axis, step);
    if (!r.log) {
        fprintf(to, "set format %s '%%.%dg'\n", axis, tick_digits(r, step));
        return;
    }
    fprintf(to, "set format %s '10^{%%g}'\n", axis);
    for (double k = r.least; k < r.most && range_width(r) < 8;
         k++) /* 2 .. 9 between the powers of ten */
        for (int i = 2; i < 10; i++)
            fprintf(to, "set %stics add ('' %.6f 1)\n", axis, k + log10(i));
}

static void put_labels(FILE *to, const panel *p, const frame *f)
{
    fputs("set xlabel ", to), put_quoted(to, f->joined ? "" : p->xlabel),
        fputs(" noenhanced\n", to);
    fputs("unset label\nset label ", to), put_quoted(to, p->ylabel);
    fprintf(to, " at screen %.4f,graph 0.5 center rotate by 90 noenhanced\n", 0.8 * line);
    if (f->exponent)
        fprintf(to, "set label '×10^{%d}' at graph 0,1 left offset 0,0.8 textcolor '#404040'\n",
                f->exponent);
}

static void put_frame(FILE *to, const panel *p, const frame *f, double above, double whole)
{
    double top = 1 - (above + f->top) / whole, bottom = top - f->height / whole;
    fprintf(to,
            "set lmargin at screen %.4f\nset rmargin at screen %.4f\n"
            "set tmargin at screen %.4f\nset bmargin at screen %.4f\n",
            f->left, right, top, bottom);
    put_ticks(to, "x", f->x, f->step_x);
    put_ticks(to, "y", f->y, f->step_y);
    if (f->joined) fputs("set format x ''\n", to);
    put_labels(to, p, f);
    fprintf(to,
            "set key at screen %.4f,%.4f right top Left reverse horizontal maxcols %d "
            "samplen 1.5 spacing 1.1 width 1\n",
            right, 1 - (above + 0.01) / whole, f->legend_columns);
}

static void put_data(FILE *to, const panel *p, int kind)
{
    for (int i = 0; i < p->curves; i++) {
        const curve *c = &p->curve[i];
        long         n, *kept = curve_thin(c, p, &n);
        fprintf(to, "$panel%d_%d << EOD\n", kind, i);
        for (long k = 0; k < n; k++) {
            long at = kept[k];
            if (at < 0 || !drawable(c->x[at]) || !drawable(c->y[at])) fputc('\n', to);
            else fprintf(to, "%.17g %.17g\n", c->x[at], c->y[at]);
        }
        fputs("EOD\n", to);
        free(kept);
    }
}

/* Slope of the line through the ends of a curve; of logarithms, its order. */
static double slope_of(const curve *c)
{
    long a = 0, b = c->points - 1;
    while (a < b && !(drawable(c->x[a]) && drawable(c->y[a]))) a++;
    while (a < b && !(drawable(c->x[b]) && drawable(c->y[b]))) b--;
    return a < b ? (c->y[b] - c->y[a]) / (c->x[b] - c->x[a]) : (double)NAN;
}

/* A triangle of that slope below the middle of the curve that has it most nearly. */
static void put_triangle(FILE *to, const panel *p, double slope)
{
    const curve *best = &p->curve[0];
    for (int i = 1; i < p->curves; i++)
        if (fabs(slope_of(&p->curve[i]) - slope) < fabs(slope_of(best) - slope))
            best = &p->curve[i];
    long   m = best->points / 2;
    double wide = 0.12 * range_width(p->x), drop = 0.05 * range_width(p->y);
    double x0 = best->x[m], y0 = best->y[m] - drop, x1 = x0 + wide, y1 = y0 + slope * wide;
    if (!drawable(x0) || !drawable(y0)) return;
    fprintf(to,
            "set object polygon from %.6g,%.6g to %.6g,%.6g to %.6g,%.6g to %.6g,%.6g fillstyle "
            "solid 0.15 border "
            "linecolor '#606060' fillcolor '#606060'\n"
            "set label '%g' at %.6g,%.6g left offset 0.4,0 textcolor '#404040'\n",
            x0, y0, x1, y0, x1, y1, x0, y0, slope, x1, 0.5 * (y0 + y1));
}

static void put_curves(FILE *to, const panel *p, const frame *f, int kind)
{
    fputs("plot ", to);
    for (int i = 0; i < p->curves; i++) {
        const curve *c = &p->curve[i];
        fprintf(to,
                "%s$panel%d_%d using 1:($2/1e%d) with %s linecolor '%s' dashtype %d linewidth %g ",
                i ? ", \\\n     " : "", kind, i, f->exponent,
                c->points == 1               ? "points pointtype 7"
                : f->x.log && c->points < 60 ? "linespoints pointtype 7"
                                             : "lines",
                gnuplot_colour(i), 1 + i / GNUPLOT_COLOURS % 5, c->points > 10000 ? 0.8 : 1.6);
        if (!f->legend_rows) fputs("notitle", to);
        else fputs("title ", to), put_quoted(to, c->label), fputs(" noenhanced", to);
    }
    fputc('\n', to);
}

static void put_figure(const figure *f, const char *path, bool kept, FILE *to)
{
    frame  at[PANELS];
    double whole = lay_out(f, at), above = f->title ? 1.5 * line : 0;
    fputs("set encoding utf8\n", to);
    if (*path) put_terminal(to, path, whole);
    if (*path && kept) put_output(to, path);
    put_style(to);
    for (int i = 0; i < PANELS; i++) put_data(to, &f->panel[i], i);
    fputs("set multiplot", to);
    if (f->title) fputs(" title ", to), put_quoted(to, f->title), fputs(" noenhanced", to);
    fputc('\n', to);
    for (int i = 0; i < PANELS; i++) {
        if (!f->panel[i].curves) continue;
        put_frame(to, &f->panel[i], &at[i], above, whole);
        fputs("unset object\n", to);
        for (int k = 0; k < f->slopes; k++) put_triangle(to, &f->panel[i], f->slope[k]);
        put_curves(to, &f->panel[i], &at[i], i);
        above += at[i].top + at[i].height + at[i].bottom;
    }
    fputs("unset multiplot\n", to);
}

void figure_script(const figure *f, const char *path, FILE *to)
{
    put_figure(f, path, true, to);
}

static void script_of(const void *figure_of_it, const char *path, FILE *to)
{
    put_figure(figure_of_it, path, false, to);
}

int figure_picture(const figure *f, const char *path)
{
    return gnuplot_draw(path, script_of, f);
}
