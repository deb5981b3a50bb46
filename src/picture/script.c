/* script.c - a plot as a script of gnuplot, data and all, with the frames, ticks and words of the
 * SVG. It sets no terminal and no output: whoever runs it does. Words of others get into it by
 * add_quoted alone, and with `noenhanced`. */
#include "picture/picture.h"

static void add_style(text *out)
{
    text_add(out, "set encoding utf8\nset border 3 linecolor '#404040'\n"
                  "set tics nomirror textcolor '#404040'\n"
                  "set grid xtics ytics linecolor '#e0e0e0' linetype 1 linewidth 0.5\n");
}

static void add_data(const sheet *s, int index, text *out)
{
    const pane *p = &s->pane[index];
    for (int i = 0; i < p->lines; i++) {
        const line *l = &p->line[i];
        long        n, *kept = line_thin(s->m, l, p, &n);
        text_printf(out, "$panel%d_%d << EOD\n", index, i);
        for (long k = 0; k < n; k++) {
            const long at = kept[k];
            if (at < 0 || !drawable(l->x[at]) || !drawable(l->y[at])) text_add(out, "\n");
            else text_printf(out, "%.17g %.17g\n", l->x[at], l->y[at]);
        }
        text_add(out, "EOD\n");
    }
}

static void add_ticks(const char *axis, range r, const ticks *all, bool bare, text *out)
{
    text_printf(out, "set %srange [%.17g:%.17g]\nset %stics (", axis, r.least, r.most, axis);
    for (int i = 0; i < all->count; i++) {
        const tick *t = &all->at[i];
        text_printf(out, "%s'%s%s%s' %.17g %d", i ? ", " : "", t->power && !bare ? "10^{" : "",
                    bare ? "" : t->label, t->power && !bare ? "}" : "", t->at, !*t->label);
    }
    text_add(out, ")\n");
}

static void add_names(const pane *p, const frame *f, text *out)
{
    text_add(out, "set xlabel ");
    add_quoted(out, p->joined ? "" : words_of(p->of->xlabel));
    text_add(out, " noenhanced offset 0,0.4\nunset label\nset label ");
    add_quoted(out, words_of(p->of->ylabel));
    text_add(out, " at screen 0.03,graph 0.5 center rotate by 90 noenhanced\n");
    if (f->exponent)
        text_printf(out,
                    "set label '×10^{%d}' at graph 0,1 left offset 0,0.8 textcolor '#404040'\n",
                    f->exponent);
}

static void add_legend(const frame *f, const frames *all, text *out)
{
    text_printf(out,
                "set key at screen %.4f,%.4f left top Left reverse horizontal samplen 1.5 "
                "spacing 1.1 width 1\n",
                legend_from(f) / all->width, 1 - (f->legend - WORDS_LINE) / all->height);
}

static void add_frame(const pane *p, const frame *f, const frames *all, text *out)
{
    text_printf(out,
                "set lmargin at screen %.4f\nset rmargin at screen %.4f\n"
                "set tmargin at screen %.4f\nset bmargin at screen %.4f\n",
                f->left / all->width, (f->left + f->width) / all->width, 1 - f->top / all->height,
                1 - (f->top + f->height) / all->height);
    add_ticks("x", f->x, &f->of_x, p->joined, out);
    add_ticks("y", f->y, &f->of_y, false, out);
    add_names(p, f, out), add_legend(f, all, out);
}

/* Slope triangles, each with its label at the middle of its right side. */
static void add_area(const line *l, text *out)
{
    const double *x = l->x, *y = l->y;
    if (l->points < 3) return;
    text_add(out, "set object polygon from ");
    for (long i = 0; i <= l->points; i++)
        text_printf(out, "%s%.6g,%.6g", i ? " to " : "", x[i % l->points], y[i % l->points]);
    text_printf(out, " fillstyle solid 0.15 border linecolor '%s' fillcolor '%s'\nset label ",
                colour_of(l), colour_of(l));
    add_quoted(out, words_of(l->of->label));
    text_printf(out, " at %.6g,%.6g left offset 0.4,0 textcolor '#404040' noenhanced\n", x[1],
                0.5 * (y[1] + y[2]));
}

static const char *style_of(const line *l)
{
    const bool open = has_flag(l, DAL_CURVE_OPEN);
    if (has_flag(l, DAL_CURVE_BARE) || l->points == 1)
        return open ? "points pointtype 6" : "points pointtype 7";
    return has_flag(l, DAL_CURVE_POINTS) ? "linespoints pointtype 7" : "lines";
}

/* Of data without a point gnuplot would complain. */
static bool has_point(const line *l)
{
    for (long i = 0; i < l->points; i++)
        if (drawable(l->x[i]) && drawable(l->y[i])) return true;
    return false;
}

static void add_curves(const pane *p, int index, text *out)
{
    bool any = false;
    text_add(out, "plot ");
    for (int i = 0; i < p->lines; i++) {
        const line *l = &p->line[i];
        const char *label = words_of(l->of->label);
        if (has_flag(l, DAL_CURVE_AREA) || !has_point(l)) continue;
        text_printf(out, "%s$panel%d_%d using 1:2 with %s linecolor '%s' dashtype %d linewidth %g ",
                    any ? ", \\\n     " : "", index, i, style_of(l), colour_of(l), 1 + dash_of(l),
                    l->points > 10000 ? 0.8 : 1.6);
        if (!p->legend || !*label) text_add(out, "notitle");
        else text_add(out, "title "), add_quoted(out, label), text_add(out, " noenhanced");
        any = true;
    }
    text_add(out, any ? "\n" : "1/0 notitle\n");
}

static void add_events(const sheet *s, const pane *p, const frame *f, text *out)
{
    enum { MOST = 300 };
    int   n;
    mark *at = marks_of(s, p, f->x, MOST, &n);
    text_add(out, "unset arrow\n");
    for (int i = 0; i < n; i++)
        text_printf(out,
                    "set arrow from first %.17g,graph 0 to first %.17g,graph %.4f nohead front "
                    "linecolor '#c03028' linewidth 1.5\n",
                    at[i].x, at[i].x, 9 / f->height);
}

void draw_script(const sheet *s, text *out)
{
    const frames all = frames_of(s);
    const char  *title = words_of(s->of->title);
    add_style(out);
    for (int i = 0; i < s->panes; i++) add_data(s, i, out);
    text_add(out, "set multiplot");
    if (*title) text_add(out, " title "), add_quoted(out, title), text_add(out, " noenhanced");
    text_add(out, "\n");
    for (int i = 0; i < s->panes; i++) {
        const pane *p = &s->pane[i];
        add_frame(p, &all.frame[i], &all, out);
        if (s->of->events) add_events(s, p, &all.frame[i], out);
        text_add(out, "unset object\n");
        for (int k = 0; k < p->lines; k++)
            if (has_flag(&p->line[k], DAL_CURVE_AREA)) add_area(&p->line[k], out);
        add_curves(p, i, out);
    }
    text_add(out, "unset multiplot\n");
}
