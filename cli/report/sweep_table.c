/* sweep_table.c - the table of a sweep on a page: statistics of what its members ended with, and every
 * result over the first quantity that was swept. */
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLOTS_MOST = 24 };

bool is_ensemble(const table *t)
{
    return t->columns > 2 && !strcmp(t->name[0], "member") && table_find(t, "status", 6) > 0;
}

/* Swept quantities stand before the time that members reached, results behind it. */
static int time_column(const table *t)
{
    const int at = table_find(t, "t", 1);
    return at > 0 ? at : 1;
}

/* Statistics. ---------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Mean, deviation, least, median and greatest of the finite values. */
static void put_statistics(bytes *b, const table *t, int k)
{
    double *x = need(NULL, (size_t)t->rows, sizeof *x), mean = 0, square = 0;
    size_t  n = 0;
    for (long i = 0; i < t->rows; i++)
        if (isfinite(t->cell[k][i])) x[n++] = t->cell[k][i];
    for (size_t i = 0; i < n; i++) mean += x[i] / (double)n;
    for (size_t i = 0; i < n; i++) square += (x[i] - mean) * (x[i] - mean) / (double)n;
    qsort(x, n, sizeof *x, compare);
    html_add(b, "<tr><th scope=\"row\">"), html_text(b, t->name[k]), html_add(b, "</th>");
    if (!n) html_add(b, "<td colspan=\"5\">no finite value</td>");
    else
        html_format(b, "<td>%.6g</td><td>%.6g</td><td>%.6g</td><td>%.6g</td><td>%.6g</td>", mean,
                    sqrt(square), x[0], 0.5 * (x[(n - 1) / 2] + x[n / 2]), x[n - 1]);
    html_add(b, "</tr>\n");
    free(x);
}

static void put_table(bytes *b, const table *t)
{
    html_add(b, "<div class=\"scroll\"><table>\n<tr><th></th><th>mean</th><th>deviation</th>"
                "<th>least</th><th>median</th><th>greatest</th></tr>\n");
    for (int k = 1; k < t->columns; k++)
        if (t->wanted[k]) put_statistics(b, t, k);
    html_add(b, "</table></div>\n");
}

/* Pictures. ------------------------------------------------------------------------------------ */

static dal_status put_picture(bytes *b, dal_context *cx, const table *t, int over, int k)
{
    const dal_curve points = {.x = t->cell[over],
                              .y = t->cell[k],
                              .points = (size_t)t->rows,
                              .flags = DAL_CURVE_POINTS | DAL_CURVE_BARE};
    const dal_panel frame = {&points, 1, t->name[over], t->name[k], 0};
    const dal_plot  plot = {
         .size = sizeof plot, .panel = &frame, .panels = 1, .width = 460, .height = 280};
    return html_picture(b, cx, &plot);
}

static dal_status put_pictures(bytes *b, dal_context *cx, const table *t)
{
    const int  time = time_column(t), over = time > 1 ? 1 : 0;
    dal_status bad = DAL_OK;
    html_add(b, "<div class=\"pictures\">\n");
    for (int k = time + 1, shown = 0; k < t->columns && shown < PLOTS_MOST && !bad; k++)
        if (t->wanted[k]) bad = put_picture(b, cx, t, over, k), shown++;
    html_add(b, "</div>\n");
    return bad;
}

/* Words stand in the columns from the status on: they are no numbers. */
int put_ensemble(bytes *b, dal_context *cx, table *t, int number)
{
    char      id[24];
    const int words = table_find(t, "status", 6);
    for (int k = 0; k < words; k++) t->wanted[k] = true;
    int code = table_read(t);
    if (code != GO_ON) return code;
    snprintf(id, sizeof id, "ensemble%d", number + 1);
    html_element(b, "h1", "Ensemble");
    html_add(b, "<p class=\"lead\"><span>"), html_text(b, t->path);
    html_format(b, "</span>: %ld members</p>\n", t->rows);
    section_open(b, id, "Results of the members");
    dal_status bad = put_pictures(b, cx, t);
    put_table(b, t);
    section_close(b);
    return bad ? exit_code(bad) : GO_ON;
}
