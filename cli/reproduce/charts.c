/* charts.c - the curves of a study, and the ranges that show them. */
#include "reproduce.h"

#include <math.h>

chart *study_chart(study *s, const char *title, const char *xlabel, const char *ylabel)
{
    chart *c = need(NULL, 1, sizeof *c);
    s->chart = need(s->chart, (size_t)s->charts + 1, sizeof *s->chart);
    s->chart[s->charts++] = c;
    *c = (chart){.title = text("%s", title)};
    c->panel.xlabel = text("%s", xlabel), c->panel.ylabel = text("%s", ylabel);
    return c;
}

static double *scaled(const double *x, long n, bool logarithmic)
{
    double *copy = need(NULL, (size_t)n, sizeof *copy);
    for (long i = 0; i < n; i++)
        copy[i] = logarithmic ? log10(fabs(x[i])) : x[i]; /* of 0: not drawable */
    return copy;
}

void chart_curve(chart *c, const char *label, const double *x, const double *y, long n)
{
    panel *p = &c->panel;
    p->curve = need(p->curve, (size_t)p->curves + 1, sizeof *p->curve);
    p->curve[p->curves++] = (curve){.label = text("%s", label),
                                    .x = scaled(x, n, c->log_x),
                                    .y = scaled(y, n, c->log_y),
                                    .points = n};
}

void chart_finish(chart *c)
{
    panel *p = &c->panel;
    p->x = p->y = range_none();
    for (int k = 0; k < p->curves; k++)
        for (long i = 0; i < p->curve[k].points; i++) {
            p->x = range_with(p->x, p->curve[k].x[i]);
            p->y = range_with(p->y, p->curve[k].y[i]);
        }
    p->x = range_wider(range_drawn(p->x), c->marks ? 0.03 : 0);
    p->y = range_wider(range_drawn(p->y), 0.05);
}
