/* converge_plot.c - the error over the step, doubly logarithmic: one curve per scheme, above a
 * triangle of the claimed slope. Rows at roundoff are open circles. */
#include "converge.h"
#include "picture_file.h"

#include <math.h>
#include <stdlib.h>

/* What of a scheme is drawn: a curve, its rows at roundoff, and a triangle. */
enum { KINDS = 3, CORNERS = 3 };

static bool has_error(const dal_convergence_row *row)
{
    return !row->failure && row->error[DAL_OF_Q] > 0 && isfinite(row->error[DAL_OF_Q]);
}

/* The row at which the triangle of the claimed slope stands: the finest above roundoff. */
static const dal_convergence_row *anchor_of(const dal_convergence_scheme *s)
{
    for (size_t k = s->rows; k-- > 0;)
        if (has_error(&s->row[k]) && !s->row[k].roundoff[DAL_OF_Q]) return &s->row[k];
    return NULL;
}

/* A triangle stands once for every order. */
static bool is_first_of_order(const dal_convergence *c, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (c->scheme[k].claimed == c->scheme[i].claimed && anchor_of(&c->scheme[k])) return false;
    return true;
}

/* Rows at roundoff, or all others: room for x and y comes from *room. */
static dal_curve curve_of(const dal_convergence_scheme *s, bool roundoff, double **room)
{
    double *x = *room, *y = x + s->rows;
    size_t  n = 0;
    for (size_t k = 0; k < s->rows; k++)
        if (has_error(&s->row[k]) && !s->row[k].roundoff[DAL_OF_Q] == !roundoff)
            x[n] = s->row[k].step, y[n++] = s->row[k].error[DAL_OF_Q];
    *room = y + s->rows;
    return (dal_curve){.x = x, .y = y, .points = n};
}

/*     from (h, 0.4 e) to 1.9 h, and up by 1.9^order */
static dal_curve triangle_of(const dal_convergence_scheme *s, double **room)
{
    const dal_convergence_row *at = anchor_of(s);
    double                    *x = *room, *y = x + CORNERS;
    *room = y + CORNERS;
    x[0] = at->step, x[1] = x[2] = 1.9 * x[0];
    y[0] = y[1] = 0.4 * at->error[DAL_OF_Q], y[2] = y[0] * pow(1.9, s->claimed);
    return (dal_curve){.x = x, .y = y, .points = CORNERS};
}

static size_t add_scheme(const dal_convergence *c, size_t i, dal_curve *out, char **label,
                         double **room)
{
    const dal_convergence_scheme *s = &c->scheme[i];
    size_t                        n = 0;
    label[0] = text("%s, order %d", s->name, s->claimed), label[1] = text("%d", s->claimed);
    if (anchor_of(s) && is_first_of_order(c, i)) {
        out[n] = triangle_of(s, room), out[n].flags = DAL_CURVE_AREA;
        out[n++].label = label[1];
    }
    out[n] = curve_of(s, false, room), out[n].flags = DAL_CURVE_POINTS, out[n++].label = label[0];
    out[n] = curve_of(s, true, room);
    out[n++].flags = DAL_CURVE_POINTS | DAL_CURVE_OPEN | DAL_CURVE_BARE;
    for (size_t k = 0; k < n; k++) out[k].colour = (int)i;
    return n;
}

int convergence_plot(dal_context *cx, const dal_convergence *c, const char *path)
{
    size_t numbers = 2 * CORNERS * c->schemes, curves = 0;
    bool   any = false;
    for (size_t i = 0; i < c->schemes; i++)
        for (size_t k = 0; k < c->scheme[i].rows; k++)
            numbers += 4, any |= has_error(&c->scheme[i].row[k]);
    if (!any) return complain("%s: there is no error to draw", path);
    dal_curve *curve = need(NULL, KINDS * c->schemes, sizeof *curve);
    char     **label = need(NULL, 2 * c->schemes, sizeof *label);
    double    *all = need(NULL, numbers, sizeof *all), *room = all;
    for (size_t i = 0; i < c->schemes; i++)
        curves += add_scheme(c, i, curve + curves, label + 2 * i, &room);
    const dal_panel panel = {curve, curves, "step", "error in q",
                             DAL_PANEL_LOG_X | DAL_PANEL_LOG_Y};
    const dal_plot  plot = {.size = sizeof plot, .panel = &panel, .panels = 1, .height = 480};
    const int       code = picture_write(cx, &plot, path);
    for (size_t i = 0; i < 2 * c->schemes; i++) free(label[i]);
    free(curve), free(label), free(all);
    return code;
}
