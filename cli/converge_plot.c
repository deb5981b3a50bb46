/* converge_plot.c - the error over the step, doubly logarithmic, drawn by gnuplot: one curve per
 * scheme, above a triangle of the claimed slope. Rows at roundoff are open circles. */
#include "converge.h"
#include "gnuplot.h"

#include <math.h>

typedef struct {
    double finest, coarsest, least, most;
} frame;

/* All errors that can be drawn, and the steps. */
static frame frame_of(const dal_convergence *c)
{
    frame f = {INFINITY, 0, INFINITY, 0};
    for (size_t i = 0; i < c->schemes; i++)
        for (size_t k = 0; k < c->scheme[i].rows; k++) {
            const dal_convergence_row *row = &c->scheme[i].row[k];
            double                     e = row->error[DAL_OF_Q];
            f.finest = fmin(f.finest, row->step), f.coarsest = fmax(f.coarsest, row->step);
            if (e > 0 && isfinite(e)) f.least = fmin(f.least, e), f.most = fmax(f.most, e);
        }
    return f;
}

/* Within little more than a decade the steps themselves are the marks of the axis. */
static void put_steps(const dal_convergence *c, FILE *to)
{
    fputs("set format x '%g'\nset mxtics 1\nset xtics (", to);
    for (size_t k = 0; c->schemes && k < c->scheme[0].rows; k++) {
        double h = c->scheme[0].row[k].step;
        fprintf(to, "%s'%.3g' %.17g", k ? ", " : "", h, h);
    }
    fputs(")\n", to);
}

static void put_axes(const dal_convergence *c, const char *path, const frame *f, FILE *to)
{
    put_terminal(to, path, 0.75);
    put_style(to);
    fputs("set logscale xy\nset format x '10^{%L}'\nset format y '10^{%L}'\n"
          "set xlabel 'step'\nset ylabel 'error in q'\n"
          "set mxtics 10\nset mytics 1\n"
          "set key outside above left Left reverse samplen 1.5 spacing 1.1 width 1 maxcols 2\n",
          to);
    if (f->coarsest / f->finest < 30) put_steps(c, to);
    fprintf(to, "set xrange [%.6g:%.6g]\nset yrange [%.6g:%.6g]\n", f->finest / 1.3,
            f->coarsest * 1.3, f->least / 8, f->most * 4);
}

/* The row at which the triangle of the claimed slope stands: the finest above roundoff. */
static const dal_convergence_row *anchor_of(const dal_convergence_scheme *s)
{
    for (size_t k = s->rows; k-- > 0;)
        if (!s->row[k].failure && !s->row[k].roundoff[DAL_OF_Q] && s->row[k].error[DAL_OF_Q] > 0)
            return &s->row[k];
    return NULL;
}

/* One block of data for each scheme; 1 in the third column marks roundoff. */
static void put_data(const dal_convergence *c, FILE *to)
{
    for (size_t i = 0; i < c->schemes; i++) {
        const dal_convergence_scheme *s = &c->scheme[i];
        fprintf(to, "$s%zu << EOD\n", i);
        for (size_t k = 0; k < s->rows; k++) {
            const dal_convergence_row *row = &s->row[k];
            if (row->failure || !(row->error[DAL_OF_Q] > 0)) continue;
            fprintf(to, "%.17g %.17g %d\n", row->step, row->error[DAL_OF_Q],
                    row->roundoff[DAL_OF_Q]);
        }
        fputs("EOD\n", to);
    }
}

/* A triangle of the claimed slope below the finest point that tells something, once for every
 * order. */
static void put_triangles(const dal_convergence *c, FILE *to)
{
    for (size_t i = 0; i < c->schemes; i++) {
        const dal_convergence_row *at = anchor_of(&c->scheme[i]);
        const int                  order = c->scheme[i].claimed;
        bool                       drawn = false;
        for (size_t k = 0; k < i; k++)
            drawn |= c->scheme[k].claimed == order && anchor_of(&c->scheme[k]);
        if (!at || drawn) continue;
        double x0 = at->step, x1 = 1.9 * x0, y0 = 0.4 * at->error[DAL_OF_Q],
               y1 = y0 * pow(x1 / x0, order);
        fprintf(to,
                "set object polygon from %.6g,%.6g to %.6g,%.6g to %.6g,%.6g to %.6g,%.6g "
                "fillstyle solid 0.15 border "
                "linecolor '%s' fillcolor '%s'\nset label '%d' at %.6g,%.6g left offset 0.4,0 "
                "textcolor '#404040'\n",
                x0, y0, x1, y0, x1, y1, x0, y0, gnuplot_colour((int)i), gnuplot_colour((int)i),
                order, x1, sqrt(y0 * y1));
    }
}

/* Each scheme twice: filled points with lines, and open ones for roundoff. */
static void put_curves(const dal_convergence *c, FILE *to)
{
    fputs("plot ", to);
    for (size_t i = 0; i < c->schemes; i++) {
        const char *paint = gnuplot_colour((int)i);
        fprintf(to,
                "$s%zu using 1:($3==0 ? $2 : 1/0) with linespoints linecolor '%s' linewidth 1.6 "
                "pointtype 7 pointsize "
                "0.9 title ",
                i, paint);
        put_quoted(to, c->scheme[i].name);
        fprintf(to, ".', order %d' noenhanced", c->scheme[i].claimed);
        fprintf(to,
                ", $s%zu using 1:($3==1 ? $2 : 1/0) with points linecolor '%s' pointtype 6 "
                "pointsize 0.9 notitle%s",
                i, paint, i + 1 < c->schemes ? ", " : "\n");
    }
}

static void put_script(const void *self, const char *path, FILE *to)
{
    const dal_convergence *c = self;
    const frame            f = frame_of(c);
    put_axes(c, path, &f, to), put_triangles(c, to), put_data(c, to), put_curves(c, to);
}

int convergence_plot(const dal_convergence *c, const char *path)
{
    if (!(frame_of(c).most > 0)) return complain("%s: there is no error to draw", path);
    return gnuplot_draw(path, put_script, c);
}
