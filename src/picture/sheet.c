/* sheet.c - from a caller's plot to panes: logarithms are taken, ranges hold all points, and panes
 * over the same quantity share its axis. */
#include "picture/picture.h"

#include <math.h>
#include <string.h>

const char *words_of(const char *s)
{
    return s ? s : "";
}

bool has_flag(const line *l, unsigned flag)
{
    return (l->of->flags & flag) != 0;
}

/* What has no logarithm breaks the line. */
static const double *scaled(mem *m, const double *x, size_t n, bool log)
{
    if (!log) return x;
    double *out = mem_array(m, n + 1, double);
    for (size_t i = 0; i < n; i++) out[i] = x[i] > 0 ? log10(x[i]) : (double)NAN;
    return out;
}

static line line_of(mem *m, const dal_curve *c, unsigned flags)
{
    return (line){c, scaled(m, c->x, c->points, flags & DAL_PANEL_LOG_X),
                  scaled(m, c->y, c->points, flags & DAL_PANEL_LOG_Y), (long)c->points};
}

/* A panel of one curve is named by its axis; slopes have their number beside them. */
static bool needs_legend(const dal_panel *p)
{
    int named = 0, curves = 0;
    for (size_t i = 0; i < p->curves; i++) {
        const bool area = p->curve[i].flags & DAL_CURVE_AREA;
        named += !area && *words_of(p->curve[i].label), curves += !area;
    }
    return named && (curves > 1 || !*words_of(p->ylabel));
}

static pane pane_of(mem *m, const dal_panel *p)
{
    pane out = {.of = p, .line = mem_array(m, p->curves + 1, line), .lines = (int)p->curves};
    out.x = range_none(p->flags & DAL_PANEL_LOG_X), out.y = range_none(p->flags & DAL_PANEL_LOG_Y);
    for (int i = 0; i < out.lines; i++) {
        line *l = &out.line[i];
        *l = line_of(m, &p->curve[i], p->flags);
        for (long k = 0; k < l->points; k++) {
            if (drawable(l->y[k]) || out.y.log) out.x = range_with(out.x, l->x[k]);
            if (drawable(l->x[k])) out.y = range_with(out.y, l->y[k]);
        }
    }
    out.legend = needs_legend(p);
    return out;
}

/* The same quantity below, on the same kind of axis. */
static bool same_axis(const pane *a, const pane *b)
{
    const char *name = words_of(a->of->xlabel);
    const bool  equal = (a->of->flags | b->of->flags) & DAL_PANEL_EQUAL;
    return *name && !strcmp(name, words_of(b->of->xlabel)) && a->x.log == b->x.log && !equal;
}

/* From the last pane upward, then down again: all that are joined have the range of all. */
static void join(sheet *s)
{
    for (int i = s->panes - 1; i-- > 0;) {
        pane *a = &s->pane[i], *b = &s->pane[i + 1];
        a->joined = same_axis(a, b);
        if (a->joined) a->x = range_with(range_with(a->x, b->x.least), b->x.most);
    }
    for (int i = 0; i + 1 < s->panes; i++)
        if (s->pane[i].joined) s->pane[i + 1].x = s->pane[i].x;
}

/* Does the legend of the pane above say it all? */
static bool same_legend(const pane *a, const pane *b)
{
    bool same = a->lines == b->lines;
    for (int i = 0; i < a->lines && same; i++)
        same = !strcmp(words_of(a->line[i].of->label), words_of(b->line[i].of->label));
    return same;
}

sheet sheet_of(mem *m, const dal_plot *of)
{
    sheet s = {m, of, mem_array(m, of->panels + 1, pane), (int)of->panels};
    for (int i = 0; i < s.panes; i++) s.pane[i] = pane_of(m, &of->panel[i]);
    join(&s);
    for (int i = 0; i < s.panes; i++) {
        pane *p = &s.pane[i];
        p->x = range_drawn(p->x), p->y = range_drawn(p->y);
        if (i && s.pane[i - 1].joined && same_legend(p - 1, p)) p->legend = false;
    }
    return s;
}
