/* plot_drawing.c - a figure as the library draws it: curves in the colours of their order, and
 * triangles of the slopes that were asked for. */
#include "plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MARKED_MOST = 60, CORNERS = 3 };

static dal_curve curve_drawn(const figure *f, const curve *c, int colour)
{
    const long rows = c->from->rows;
    return (dal_curve){.x = c->x,
                       .y = c->y,
                       .points = (size_t)rows,
                       .label = c->label,
                       .flags = f->log_x && rows < MARKED_MOST ? DAL_CURVE_POINTS : 0,
                       .colour = colour};
}

static bool has_logarithms(const curve *c, long i)
{
    return c->x[i] > 0 && c->y[i] > 0 && isfinite(c->x[i]) && isfinite(c->y[i]);
}

/* Of logarithms, the slope of the line through the ends of a curve: its order. */
static double slope_of(const curve *c)
{
    long a = 0, b = c->from->rows - 1;
    while (a < b && !has_logarithms(c, a)) a++;
    while (a < b && !has_logarithms(c, b)) b--;
    return a < b ? log(c->y[b] / c->y[a]) / log(c->x[b] / c->x[a]) : (double)NAN;
}

/* Of the panel: the logarithms of its least and its greatest value. */
static void spread(const panel *p, bool of_x, double *least, double *most)
{
    *least = INFINITY, *most = -INFINITY;
    for (int i = 0; i < p->curves; i++)
        for (long k = 0; k < p->curve[i].from->rows; k++) {
            if (!has_logarithms(&p->curve[i], k)) continue;
            const double at = log10(of_x ? p->curve[i].x[k] : p->curve[i].y[k]);
            *least = fmin(*least, at), *most = fmax(*most, at);
        }
}

/* A triangle of that slope below the middle of the curve that has it most nearly. */
static bool triangle(const panel *p, double slope, double *x, double *y)
{
    const curve *best = &p->curve[0];
    double       left, right, low, high;
    for (int i = 1; i < p->curves; i++)
        if (fabs(slope_of(&p->curve[i]) - slope) < fabs(slope_of(best) - slope))
            best = &p->curve[i];
    const long m = best->from->rows / 2;
    if (!has_logarithms(best, m)) return false;
    spread(p, true, &left, &right), spread(p, false, &low, &high);
    const double wide = 0.12 * (right - left), drop = 0.05 * (high - low);
    x[0] = best->x[m], y[0] = y[1] = best->y[m] * pow(10, -drop);
    x[1] = x[2] = x[0] * pow(10, wide), y[2] = y[0] * pow(10, slope * wide);
    return true;
}

static int add_triangles(const figure *f, const panel *p, drawing *d, int curves)
{
    for (int k = 0; k < f->slopes; k++) {
        double *x = d->corner + 2 * (size_t)CORNERS * (size_t)curves, *y = x + CORNERS;
        if (!triangle(p, f->slope[k], x, y)) continue;
        d->curve[curves++] = (dal_curve){x, y, CORNERS, f->slope_name[k], DAL_CURVE_AREA, -1};
    }
    return curves;
}

/* Over the first column, which is time. */
static bool is_over_time(const panel *p)
{
    return p->kind != PORTRAITS && p->curves && !strcmp(p->curve[0].from->name[0], "t");
}

static unsigned flags_of(const figure *f, const panel *p)
{
    return (f->log_x ? DAL_PANEL_LOG_X : 0u) | (f->log_y ? DAL_PANEL_LOG_Y : 0u) |
           (f->equal && p->kind == PORTRAITS ? DAL_PANEL_EQUAL : 0u) |
           (p->kind == ERRORS ? DAL_PANEL_LOW : 0u) | (is_over_time(p) ? DAL_PANEL_EVENTS : 0u);
}

drawing figure_drawing(const figure *f)
{
    size_t most = 0;
    for (int i = 0; i < f->panels; i++) most += (size_t)(f->panel[i].curves + f->slopes);
    drawing d = {.panel = need(NULL, (size_t)f->panels, sizeof *d.panel),
                 .curve = need(NULL, most, sizeof *d.curve),
                 .corner = need(NULL, 2 * CORNERS * most, sizeof *d.corner)};
    int     curves = 0;
    for (int i = 0; i < f->panels; i++) {
        const panel *p = &f->panel[i];
        const int    first = curves;
        for (int k = 0; k < p->curves; k++) d.curve[curves++] = curve_drawn(f, &p->curve[k], k);
        curves = add_triangles(f, p, &d, curves);
        d.panel[i] = (dal_panel){.curve = d.curve + first,
                                 .curves = (size_t)(curves - first),
                                 .xlabel = f->xlabel ? f->xlabel : p->xlabel,
                                 .ylabel = f->ylabel && !i ? f->ylabel : p->ylabel,
                                 .flags = flags_of(f, p)};
    }
    d.plot = (dal_plot){.size = sizeof d.plot,
                        .panel = d.panel,
                        .panels = (size_t)f->panels,
                        .title = f->title,
                        .width = f->width,
                        .height = f->height,
                        .event = f->event,
                        .events = f->events};
    return d;
}

void drawing_free(drawing *d)
{
    free(d->panel), free(d->curve), free(d->corner);
}
