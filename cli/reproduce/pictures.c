/* pictures.c - the curves of a study, drawn by the library. */
#include "reproduce.h"

#include <math.h>
#include <stdlib.h>

chart *study_chart(study *s, const char *title, const char *xlabel, const char *ylabel)
{
    chart *c = need(NULL, 1, sizeof *c);
    s->chart = need(s->chart, (size_t)s->charts + 1, sizeof *s->chart);
    s->chart[s->charts++] = c;
    *c = (chart){
        .title = text("%s", title), .xlabel = text("%s", xlabel), .ylabel = text("%s", ylabel)};
    return c;
}

static double *copied(const double *x, long n, bool sizes)
{
    double *copy = need(NULL, (size_t)n, sizeof *copy);
    for (long i = 0; i < n; i++) copy[i] = sizes ? fabs(x[i]) : x[i];
    return copy;
}

void chart_curve(chart *c, const char *label, const double *x, const double *y, long n)
{
    const chart_numbers own = {copied(x, n, c->log_x), copied(y, n, c->log_y), text("%s", label)};
    c->curve = need(c->curve, (size_t)c->curves + 1, sizeof *c->curve);
    c->own = need(c->own, (size_t)c->curves + 1, sizeof *c->own);
    c->own[c->curves] = own;
    c->curve[c->curves] = (dal_curve){
        .x = own.x, .y = own.y, .points = (size_t)n, .label = own.label, .colour = c->curves};
    c->curves++;
}

dal_status chart_svg(dal_context *cx, const chart *c, FILE *out)
{
    const dal_panel panel = {.curve = c->curve,
                             .curves = (size_t)c->curves,
                             .xlabel = c->xlabel,
                             .ylabel = c->ylabel,
                             .flags = (c->log_x ? DAL_PANEL_LOG_X : 0u) |
                                      (c->log_y ? DAL_PANEL_LOG_Y : 0u)};
    const dal_plot  plot = {.size = sizeof plot,
                            .panel = &panel,
                            .panels = 1,
                            .title = c->title,
                            .width = 520,
                            .height = 340};
    return dal_plot_write(cx, &plot, "svg", out);
}

void chart_free(chart *c)
{
    for (int i = 0; i < c->curves; i++) free(c->own[i].x), free(c->own[i].y), free(c->own[i].label);
    free(c->own), free(c->curve), free(c->title), free(c->xlabel), free(c->ylabel);
    free(c);
}
