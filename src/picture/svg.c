/* svg.c - a plot as SVG that needs nothing but itself. Colours and sizes are attributes, which the
 * style of a page may override: text, .paper, .grid, .axis, .curve. */
#include "picture/picture.h"

#include <string.h>

static const char *const dashes[] = {"", "6 3", "2 3", "8 3 2 3", "12 4"};

/* Words. --------------------------------------------------------------------------------------- */

static void add_words(text *out, double x, double y, const char *how, const char *words)
{
    text_printf(out, "<text x=\"%.1f\" y=\"%.1f\"%s>", x, y, how);
    add_xml(out, words);
    text_add(out, "</text>\n");
}

/* A minus sign is one, and a power stands above. */
static void add_number(text *out, const char *number)
{
    for (; *number; number++)
        if (*number == '-') text_add(out, "−");
        else text_add_bytes(out, number, 1);
}

static void add_power(text *out, const char *exponent)
{
    text_add(out, "10<tspan dy=\"-5\" font-size=\"9\">");
    add_number(out, exponent);
    text_add(out, "</tspan>");
}

static void add_label(text *out, double x, double y, const char *anchor, const tick *t)
{
    text_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    if (t->power) add_power(out, t->label);
    else add_number(out, t->label);
    text_add(out, "</text>\n");
}

/* Axes. ---------------------------------------------------------------------------------------- */

static void add_stroke(text *out, const char *class, const char *colour, double x0, double y0,
                       double x1, double y1)
{
    text_printf(out, "<path class=\"%s\" stroke=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", class,
                colour, x0, y0, x1, y1);
}

static void add_grid(text *out, const frame *f)
{
    for (int i = 0; i < f->of_x.count; i++) {
        const double x = across(f, f->of_x.at[i].at);
        if (*f->of_x.at[i].label)
            add_stroke(out, "grid", "#e2e2e2", x, f->top, x, f->top + f->height);
        else add_stroke(out, "axis", "#505050", x, f->top + f->height, x, f->top + f->height - 3);
    }
    for (int i = 0; i < f->of_y.count; i++) {
        const double y = down(f, f->of_y.at[i].at);
        if (*f->of_y.at[i].label)
            add_stroke(out, "grid", "#e2e2e2", f->left, y, f->left + f->width, y);
        else add_stroke(out, "axis", "#505050", f->left, y, f->left + 3, y);
    }
    text_printf(out,
                "<path class=\"axis\" stroke=\"#505050\" fill=\"none\" d=\"M%.1f %.1fV%.1fH%.1f\"/>"
                "\n",
                f->left, f->top, f->top + f->height, f->left + f->width);
}

/* Of labels that would touch each other, the later is left out. */
static void add_labels_of_x(text *out, const frame *f)
{
    double end = -1e9;
    for (int i = 0; i < f->of_x.count; i++) {
        const tick  *t = &f->of_x.at[i];
        const double x = across(f, t->at), half = 0.5 * words_width(t->label) + (t->power ? 7 : 0);
        if (!*t->label || x - half < end + 4) continue;
        add_label(out, x, f->top + f->height + 17, "middle", t);
        end = x + half;
    }
}

static void add_axes(text *out, const pane *p, const frame *f)
{
    const double middle = f->top + 0.5 * f->height;
    char         turned[96];
    add_grid(out, f);
    for (int i = 0; i < f->of_y.count; i++)
        if (*f->of_y.at[i].label)
            add_label(out, f->left - 7, down(f, f->of_y.at[i].at) + 4.5, "end", &f->of_y.at[i]);
    if (!p->joined) {
        add_labels_of_x(out, f);
        add_words(out, f->left + 0.5 * f->width, f->top + f->height + 38, " text-anchor=\"middle\"",
                  words_of(p->of->xlabel));
    }
    snprintf(turned, sizeof turned, " text-anchor=\"middle\" transform=\"rotate(-90 17 %d)\"",
             (int)middle);
    if (*words_of(p->of->ylabel)) add_words(out, 17, (int)middle, turned, p->of->ylabel);
    if (!f->exponent) return;
    char exponent[16];
    snprintf(exponent, sizeof exponent, "%d", f->exponent);
    text_printf(out, "<text x=\"%.1f\" y=\"%.1f\">×", f->left, f->top - 8);
    add_power(out, exponent);
    text_add(out, "</text>\n");
}

/* Curves. -------------------------------------------------------------------------------------- */

static void add_stroke_style(text *out, const line *l, double width)
{
    text_printf(out, " stroke=\"%s\" stroke-width=\"%g\"", colour_of(l), width);
    if (dash_of(l)) text_printf(out, " stroke-dasharray=\"%s\"", dashes[dash_of(l)]);
}

/* A line of many points is thin, so that it can be seen through. */
static void add_line(text *out, const line *l, const frame *f, const long *kept, long n)
{
    enum { MANY = 5000 };
    bool pen_down = false;
    text_add(out, "<path class=\"curve\" fill=\"none\" stroke-linejoin=\"round\"");
    add_stroke_style(out, l, n > MANY ? 0.8 : 1.5);
    text_add(out, " d=\"");
    for (long k = 0; k < n; k++) {
        const long i = kept[k];
        const bool shown = i >= 0 && drawable(l->x[i]) && drawable(l->y[i]);
        if (shown)
            text_printf(out, "%s%.2f %.2f", pen_down ? " " : "M", across(f, l->x[i]),
                        down(f, l->y[i]));
        pen_down = shown;
    }
    text_add(out, "\"/>\n");
}

static void add_marks(text *out, const line *l, const frame *f, const long *kept, long n)
{
    const bool open = has_flag(l, DAL_CURVE_OPEN);
    for (long k = 0; k < n; k++) {
        const long i = kept[k];
        if (i < 0 || !drawable(l->x[i]) || !drawable(l->y[i])) continue;
        text_printf(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3\" %s=\"%s\"%s/>\n",
                    across(f, l->x[i]), down(f, l->y[i]), open ? "stroke" : "fill", colour_of(l),
                    open ? " fill=\"none\" stroke-width=\"1.2\"" : "");
    }
}

/* Filled, with its label beside the last of its sides that goes upward. */
static void add_area(text *out, const line *l, const frame *f)
{
    double right = f->left, y = f->top;
    text_printf(out, "<path fill=\"%s\" fill-opacity=\"0.15\" stroke=\"%s\" d=\"", colour_of(l),
                colour_of(l));
    for (long i = 0; i < l->points; i++) {
        const double x = across(f, l->x[i]);
        text_printf(out, "%s%.2f %.2f", i ? " " : "M", x, down(f, l->y[i]));
        if (x < right) continue;
        y = x > right ? down(f, l->y[i]) : 0.5 * (y + down(f, l->y[i]));
        right = x;
    }
    text_add(out, "Z\"/>\n");
    add_words(out, right + 5, y + 4, "", words_of(l->of->label));
}

static void add_curve(const sheet *s, const pane *p, const line *l, const frame *f, text *out)
{
    long n, *kept = line_thin(s->m, l, p, &n);
    if (has_flag(l, DAL_CURVE_AREA)) {
        add_area(out, l, f);
        return;
    }
    if (!has_flag(l, DAL_CURVE_BARE)) add_line(out, l, f, kept, n);
    if (has_flag(l, DAL_CURVE_POINTS) || n == 1) add_marks(out, l, f, kept, n);
}

/* Ticks that stand on the axis, darker where there are more; their words are shown on hover. */
static void add_events(const sheet *s, const pane *p, const frame *f, text *out)
{
    enum { HIGH = 9, EACH = 2 }; /* pixels */
    int   n;
    mark *at = marks_of(s, p, f->x, (int)(f->width / EACH), &n);
    for (int i = 0; i < n; i++) {
        text words = text_new(s->m);
        text_printf(out,
                    "<path class=\"event\" stroke=\"#c03028\" stroke-width=\"%d\" "
                    "stroke-opacity=\"%g\" d=\"M%.1f %.1fv-%d\"><title>",
                    EACH, at[i].count > 1 ? 1 : 0.7, across(f, at[i].x), f->top + f->height, HIGH);
        add_mark_words(&words, &at[i]);
        add_xml(out, text_str(&words));
        text_add(out, "</title></path>\n");
        text_drop(&words);
    }
}

static void add_legend(text *out, const pane *p, const frame *f)
{
    const double from = legend_from(f);
    spot         next = {from, 0};
    for (int i = 0; i < p->lines && p->legend; i++) {
        const line *l = &p->line[i];
        const char *label = words_of(l->of->label);
        if (!*label || has_flag(l, DAL_CURVE_AREA)) continue;
        const spot   at = legend_next(next, from, f->left + f->width, label, &next);
        const double y = f->legend + at.row * WORDS_LINE;
        text_add(out, "<path fill=\"none\"");
        add_stroke_style(out, l, 2.5);
        text_printf(out, " d=\"M%.1f %.1fh%d\"/>\n", at.x, y - 4.5, SAMPLE);
        add_words(out, at.x + SAMPLE + 6, y, "", label);
    }
}

void draw_svg(const sheet *s, text *out)
{
    const frames at = frames_of(s);
    const char  *title = words_of(s->of->title);
    text_printf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" "
                "viewBox=\"0 0 %g %g\" font-family=\"Helvetica, Arial, sans-serif\" "
                "font-size=\"%d\" fill=\"#202020\" role=\"img\" aria-label=\"",
                at.width, at.height, at.width, at.height, FONT);
    add_xml(out, *title ? title : "plot");
    text_add(out, "\">\n<rect class=\"paper\" width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    if (*title)
        add_words(out, s->panes ? at.frame[0].left : 0, at.title,
                  " class=\"title\" font-weight=\"bold\" font-size=\"15\"", title);
    for (int i = 0; i < s->panes; i++) {
        const pane  *p = &s->pane[i];
        const frame *f = &at.frame[i];
        add_axes(out, p, f);
        for (int k = 0; k < p->lines; k++) add_curve(s, p, &p->line[k], f, out);
        add_events(s, p, f, out);
        add_legend(out, p, f);
    }
    text_add(out, "</svg>\n");
}
