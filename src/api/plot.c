/* plot.c - dal_plot_write: a plot is drawn as text under the guard, then written in one piece. */
#include "api/api.h"
#include "picture/picture.h"

#include <stddef.h>
#include <string.h>

typedef struct {
    dal_context    *cx;
    mem             m; /* for the drawing: gone with it */
    const dal_plot *plot;
    const char     *format;
    FILE           *file;
    double         *width, *height;
} plot_job;

static const char *const formats[] = {"svg", "text", "ascii", "ansi", "gnuplot"};
enum { SVG, TEXT, ASCII, ANSI, GNUPLOT, FORMATS };

static dal_status is_wrong(dal_context *cx, const char *what)
{
    return diag_error(&cx->ds, DAL_INVALID, span_none(), NULL, "a plot %s", what);
}

/* As the header has it now: a caller's may be shorter. */
static dal_plot whole(const dal_plot *of)
{
    dal_plot out = {0};
    memcpy(&out, of, of->size < sizeof out ? of->size : sizeof out);
    return out;
}

/* What a caller may have left out. */
static dal_status check(dal_context *cx, const dal_plot *p)
{
    if (p->size < offsetof(dal_plot, event))
        return is_wrong(cx, "begins with its size: sizeof(dal_plot)");
    if (!p->panels || !p->panel) return is_wrong(cx, "needs at least one panel");
    if (!(p->width >= 0 && p->width < 1e5 && p->height >= 0 && p->height < 1e5))
        return is_wrong(cx, "is at most 100000 wide and high");
    for (size_t i = 0; i < p->panels; i++)
        for (size_t k = 0; k < p->panel[i].curves; k++) {
            const dal_curve *c = &p->panel[i].curve[k];
            if (c->points && (!c->x || !c->y)) return is_wrong(cx, "has a curve without points");
        }
    if (whole(p).events && !whole(p).event) return is_wrong(cx, "has events that are nowhere");
    return DAL_OK;
}

static int format_of(const char *as)
{
    int k = 0;
    while (k < FORMATS && strcmp(as, formats[k]) != 0) k++;
    return k;
}

static dal_status draw(void *self)
{
    plot_job  *job = self;
    const int  as = format_of(job->format);
    text       out = text_new(&job->m);
    dal_status bad = check(job->cx, job->plot);
    if (bad) return bad;
    const dal_plot plot = whole(job->plot);
    const sheet    s = sheet_of(&job->m, &plot);
    switch (as) {
    case SVG: draw_svg(&s, &out); break;
    case GNUPLOT: draw_script(&s, &out); break;
    case TEXT:
    case ASCII:
    case ANSI: draw_characters(&s, (strokes){as == ANSI, as == ASCII}, &out); break;
    default:
        return diag_error(&job->cx->ds, DAL_INVALID, span_none(), NULL,
                          "'%s' is no format of plots: svg, text, ascii, ansi or gnuplot",
                          job->format);
    }
    return fwrite(out.at, 1, out.n, job->file) == out.n ? DAL_OK : DAL_IO;
}

static dal_status measure(void *self)
{
    plot_job  *job = self;
    dal_status bad = check(job->cx, job->plot);
    if (bad) return bad;
    const dal_plot plot = whole(job->plot);
    const sheet    s = sheet_of(&job->m, &plot);
    const frames all = frames_of(&s);
    *job->width = all.width, *job->height = all.height;
    return DAL_OK;
}

static dal_status run_job(plot_job *job, action *act)
{
    mem_init(&job->m, job->cx->heap);
    dal_status bad = guarded(job->cx, &job->m, act, job);
    mem_free(&job->m);
    return bad;
}

dal_status dal_plot_write(dal_context *cx, const dal_plot *plot, const char *format, FILE *out)
{
    NEEDS(NULL, cx);
    NEEDS(cx, plot);
    NEEDS(cx, format);
    NEEDS(cx, out);
    plot_job job = {.cx = cx, .plot = plot, .format = format, .file = out};
    return run_job(&job, draw);
}

dal_status dal_plot_size(dal_context *cx, const dal_plot *plot, double *width, double *height)
{
    NEEDS(NULL, cx);
    NEEDS(cx, plot);
    NEEDS(cx, width);
    NEEDS(cx, height);
    plot_job job = {.cx = cx, .plot = plot, .width = width, .height = height};
    return run_job(&job, measure);
}
