/* data.c - the numbers of a page. A long result is cut into stretches, and of each the rows are
 * kept in which a column has its least or its greatest value: whatever is drawn of them shows every
 * extreme. */
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    COLUMNS_MOST = 64,
    NUMBERS_MOST = 240000,
    ROWS_MOST = 8000,
    FRAMES_MOST = 1500,
    FRAME_NUMBERS_MOST = 300000
};

/* JSON has no infinity and no NaN. */
static void put_number(bytes *b, double x, int digits)
{
    if (isfinite(x)) html_format(b, "%.*g", digits, x);
    else html_add(b, "null");
}

/* A text as JSON, in which no tag can end. */
static void put_json_text(bytes *b, const char *words)
{
    json_t *s = json_string(words);
    char   *all = s ? json_dumps(s, JSON_ENCODE_ANY) : NULL;
    for (const char *c = all ? all : "\"\""; *c; c++) {
        if (*c == '<') html_add(b, "\\u003c");
        else bytes_add(b, c, 1);
    }
    free(all);
    json_decref(s);
}

/* Columns. ------------------------------------------------------------------------------------- */

static bool is_asked_for(const result *r, int k)
{
    const char *name = r->rows.name[k];
    return r->model && (dal_model_find(r->model, DAL_OUTPUTS, name) >= 0 ||
                        dal_model_find(r->model, DAL_INPUTS, name) >= 0);
}

/* Of more than fit a page: time and energy, outputs and inputs on half of it, then the others. */
static int choose_columns(const result *r, int *chosen)
{
    const int columns = r->rows.columns, energy = table_find(&r->rows, "energy", 6),
              most = columns < COLUMNS_MOST ? columns : COLUMNS_MOST, half = most / 2;
    unsigned char *taken = need(NULL, (size_t)columns, 1);
    memset(taken, 0, (size_t)columns);
    taken[0] = 1, taken[energy < 0 ? 0 : energy] = 1;
    int n = 1 + (energy > 0), all = 0;
    for (int k = 0; k < columns && n < half; k++)
        if (!taken[k] && is_asked_for(r, k)) taken[k] = 1, n++;
    for (int k = 0; k < columns && n < most; k++)
        if (!taken[k]) taken[k] = 1, n++;
    for (int k = 0; k < columns; k++)
        if (taken[k]) chosen[all++] = k;
    free(taken);
    return all;
}

static void mark_extremes(const double *cell, long from, long to, unsigned char *kept)
{
    long least = -1, most = -1;
    for (long i = from; i < to; i++) {
        if (!isfinite(cell[i]))
            kept[i] |= i == from || isfinite(cell[i - 1]); /* a gap stays a gap */
        else if (least < 0) least = most = i;
        else if (cell[i] < cell[least]) least = i;
        else if (cell[i] > cell[most]) most = i;
    }
    if (least >= 0) kept[least] = kept[most] = 1;
}

/* Which rows to show; their number. */
static long choose_rows(const table *t, const int *chosen, int n, unsigned char *kept)
{
    const int curves = n > 0 ? n : 1;
    long      each = NUMBERS_MOST / curves, most = each < ROWS_MOST ? each : ROWS_MOST, count = 0;
    memset(kept, t->rows <= most, (size_t)t->rows);
    long stretches = most / (2 * curves);
    if (stretches < 100) stretches = 100;
    if (stretches > t->rows) stretches = t->rows;
    for (long s = 0; t->rows > most && s < stretches; s++)
        for (int k = 1; k < n; k++)
            mark_extremes(t->cell[chosen[k]], s * t->rows / stretches,
                          (s + 1) * t->rows / stretches, kept);
    kept[0] = kept[t->rows - 1] = 1;
    for (long i = 0; i < t->rows; i++) count += kept[i];
    return count;
}

/* The first number of a column. Others are written as what they differ from it: few digits then
 * tell a drift as well as a value. */
static double first_of(const table *t, int k)
{
    for (long i = 0; i < t->rows; i++)
        if (isfinite(t->cell[k][i])) return t->cell[k][i];
    return 0;
}

static void put_columns(bytes *b, const table *t, const int *chosen, int n,
                        const unsigned char *kept)
{
    html_add(b, "\"columns\":[");
    for (int k = 0; k < n; k++) {
        html_add(b, k ? ",{\"name\":" : "{\"name\":");
        put_json_text(b, t->name[chosen[k]]);
        html_add(b, ",\"unit\":");
        put_json_text(b, t->unit[chosen[k]]);
        html_add(b, "}");
    }
    html_add(b, "],\n\"first\":[");
    for (int k = 0; k < n; k++)
        html_add(b, k ? "," : ""), put_number(b, first_of(t, chosen[k]), 17);
    html_add(b, "],\n\"changes\":[");
    for (int k = 0; k < n; k++) {
        const double *cell = t->cell[chosen[k]], from = first_of(t, chosen[k]);
        bool          begun = false;
        html_add(b, k ? ",\n[" : "\n[");
        for (long i = 0; i < t->rows; i++) {
            if (!kept[i]) continue;
            if (begun) html_add(b, ",");
            put_number(b, cell[i] - from, k ? 9 : 12), begun = true;
        }
        html_add(b, "]");
    }
    html_add(b, "]");
}

/* Which of the columns are outputs that the model declares. */
static void put_outputs(bytes *b, const result *r, const int *chosen, int n)
{
    size_t            count = 0;
    const dal_column *column = r->sim ? dal_columns(r->sim, &count) : NULL;
    bool              any = false;
    html_add(b, ",\n\"outputs\":[");
    for (int k = 0; k < n; k++)
        for (size_t i = 0; i < count; i++)
            if (column[i].kind == DAL_COLUMN_OUTPUT &&
                !strcmp(column[i].name, r->rows.name[chosen[k]]))
                html_format(b, any ? ",%d" : "%d", k), any = true;
    html_add(b, "]");
}

/* Events: t, words, how many; those that would stand on each other share a place. */
static void put_events(bytes *b, const result *r)
{
    enum { PLACES = 300 };
    const table     *t = &r->rows;
    size_t           count;
    const dal_event *e = result_events(r, &count);
    const double     from = t->cell[0][0], width = t->cell[0][t->rows - 1] - from;
    long             last = -1, here = 0;
    if (!count || !(width > 0)) return;
    html_add(b, ",\n\"events\":[");
    for (size_t i = 0; i < count; i++) {
        const long place = (long)((e[i].t - from) / width * PLACES);
        here++;
        if (place > last) {
            char *words = text("%s %s", e[i].name, e[i].what);
            if (last >= 0) html_format(b, ",%ld],", here - 1);
            html_add(b, "["), put_number(b, e[i].t, 12), html_add(b, ",");
            put_json_text(b, words);
            free(words);
            last = place, here = 1;
        }
    }
    html_format(b, ",%ld]]", here);
}

/* Frames of the mechanism. --------------------------------------------------------------------- */

/* Where the columns of the simulation are among those of the result, -1: nowhere; false: a
 * coordinate was not recorded. */
static bool find_columns(const result *r, const dal_column *c, size_t columns, int *at)
{
    bool all = true;
    for (size_t i = 0; i < columns; i++) {
        at[i] = table_find(&r->rows, c[i].name, strlen(c[i].name));
        all &= at[i] >= 0 || c[i].kind != DAL_COLUMN_COORDINATE;
    }
    return all;
}

/* The picture at a row; false: it cannot be drawn from what was recorded. */
static bool draw_at(const result *r, const int *at, size_t columns, long row, double *cell,
                    double *out)
{
    for (size_t i = 0; i < columns; i++)
        cell[i] = at[i] < 0 ? (double)NAN : r->rows.cell[at[i]][row];
    const dal_status bad = dal_draw_row(r->sim, cell, out);
    if (bad == DAL_NOMEM) no_memory();
    return !bad;
}

/* Figures that make at least two frames: those of a larger picture that come first. */
static size_t choose_drawings(const dal_drawing *d, size_t n)
{
    size_t kept = 0;
    while (kept < n && d[kept].first + d[kept].count <= FRAME_NUMBERS_MOST / 2) kept++;
    return kept;
}

static void put_drawings(bytes *b, const dal_drawing *d, size_t n)
{
    html_add(b, ",\n\"drawings\":[");
    for (size_t i = 0; i < n; i++) {
        html_format(b, "%s{\"figure\":\"%s\",\"first\":%zu,\"count\":%zu,\"words\":", i ? "," : "",
                    dal_figure_name(d[i].figure), d[i].first, d[i].count);
        put_json_text(b, d[i].words ? d[i].words : "");
        html_add(b, "}");
    }
    html_add(b, "]");
}

static long frame_row(const result *r, long f, long frames)
{
    return frames > 1 ? f * (r->rows.rows - 1) / (frames - 1) : 0;
}

/* Of the first `drawn` numbers of the picture. */
static void put_frames(bytes *b, const result *r, const int *at, size_t columns, size_t drawn,
                       double *cell, double *out)
{
    const table *t = &r->rows;
    long         most = FRAME_NUMBERS_MOST / (long)drawn, frames;
    if (most > FRAMES_MOST) most = FRAMES_MOST;
    frames = t->rows < most ? t->rows : most;
    html_add(b, ",\n\"frame_times\":[");
    for (long f = 0; f < frames; f++)
        html_add(b, f ? "," : ""), put_number(b, t->cell[0][frame_row(r, f, frames)], 9);
    html_add(b, "],\n\"frames\":[");
    for (long f = 0; f < frames; f++) {
        draw_at(r, at, columns, frame_row(r, f, frames), cell, out);
        html_add(b, f ? ",\n[" : "\n[");
        for (size_t k = 0; k < drawn; k++) html_add(b, k ? "," : ""), put_number(b, out[k], 6);
        html_add(b, "]");
    }
    html_add(b, "]");
}

static void put_mechanism(bytes *b, result *r)
{
    size_t columns = 0, n = 0;
    if (!r->sim || !dal_drawn(r->model) || !r->rows.rows) return;
    const dal_column  *c = dal_columns(r->sim, &columns);
    const dal_drawing *d = dal_drawings(r->model, &n);
    const size_t       kept = choose_drawings(d, n);
    int               *at = need(NULL, columns, sizeof *at);
    double            *cell = need(NULL, columns, sizeof *cell),
           *out = need(NULL, dal_drawn(r->model), sizeof *out);
    if (kept && find_columns(r, c, columns, at) && draw_at(r, at, columns, 0, cell, out)) {
        const int dimensions = dal_drawn_dimensions(r->model);
        r->space = dimensions == 3;
        html_format(b, ",\n\"dimensions\":%d,\"figures\":%zu", dimensions, n);
        put_drawings(b, d, kept);
        put_frames(b, r, at, columns, d[kept - 1].first + d[kept - 1].count, cell, out);
    }
    free(at), free(cell), free(out);
}

void put_data(bytes *b, result *r)
{
    const table   *t = &r->rows;
    int            chosen[COLUMNS_MOST], n = choose_columns(r, chosen);
    unsigned char *kept = need(NULL, (size_t)t->rows, 1);
    long           rows = choose_rows(t, chosen, n, kept);
    if (rows < t->rows)
        html_format(b,
                    "<p class=\"note\">This page shows %ld of %ld rows: in every "
                    "interval, those with the smallest and the largest value of a "
                    "column.</p>\n",
                    rows, t->rows);
    if (n < t->columns)
        html_format(b, "<p class=\"note\">%d of %d columns are on this page.</p>\n", n, t->columns);
    html_format(b,
                "<script type=\"application/json\" class=\"result\">\n{\"id\":\"%s\",\"rows\":%ld,",
                r->id, t->rows);
    put_columns(b, t, chosen, n, kept);
    put_outputs(b, r, chosen, n);
    put_events(b, r);
    put_mechanism(b, r);
    html_add(b, "}\n</script>\n");
    free(kept);
}
