/* input.c - reading tables of inputs, and looking up in them. Every mistake in a file is shown at
 * its line. */
#include "run/input.h"

#include "run/cells.h"
#include "run/plan.h"

#include <string.h>

/* Tables. -------------------------------------------------------------------------------------- */

typedef struct {
    mem          *m;
    diags        *ds;
    const source *file;
    const char   *name;    /* of the input                      */
    int           columns; /* of the first line                 */
    int           time, value;
    vec(double) t, u;
} reader;

/* The first line says how many columns there are and, if it holds names, which ones count. */
static dal_status read_header(reader *rd, cell line, bool *named)
{
    double number;
    bool   found = false;
    *named = false, rd->columns = 0, rd->time = 0, rd->value = 1;
    for (const char *at = line.from; at; rd->columns++) {
        cell c = cell_next(&at, line.to);
        if (!rd->columns) *named = !cell_number(c, &number);
        if (cell_is(c, "t")) rd->time = rd->columns;
        if (cell_is(c, rd->name)) rd->value = rd->columns, found = true;
    }
    if (rd->columns < 2 || (rd->columns > 2 && !found))
        return diag_error(
            rd->ds, DAL_INVALID, cell_span(rd->file, line), NULL,
            "a table for '%s' has two columns, time and value, or a header with t and %s", rd->name,
            rd->name);
    return DAL_OK;
}

/* Only the two columns that count have to be numbers. */
static dal_status read_row(reader *rd, cell line)
{
    double t = 0, u = 0, number;
    int    k = 0;
    for (const char *at = line.from; at; k++) {
        cell c = cell_next(&at, line.to);
        if (k != rd->time && k != rd->value) continue;
        if (!cell_number(c, &number))
            return diag_error(rd->ds, DAL_INVALID, cell_span(rd->file, c), NULL,
                              "'%.*s' is not a number", (int)(c.to - c.from), c.from);
        *(k == rd->time ? &t : &u) = number;
    }
    if (k != rd->columns)
        return diag_error(rd->ds, DAL_INVALID, cell_span(rd->file, line), NULL,
                          "this line has %d columns, the first one %d", k, rd->columns);
    const int n = rd->t.n;
    if (n && t < rd->t.at[n - 1])
        return diag_error(rd->ds, DAL_INVALID, cell_span(rd->file, line), NULL,
                          "times must not decrease from line to line");
    if (n > 1 && t == rd->t.at[n - 2])
        return diag_error(rd->ds, DAL_INVALID, cell_span(rd->file, line),
                          "two lines with the same time are a jump, from the first to the second",
                          "this is the third line with the time %.10g", t);
    vec_push(rd->m, rd->t, t);
    vec_push(rd->m, rd->u, u);
    return DAL_OK;
}

/* A header is optional; then the table has two columns, time first. */
static dal_status read_table(reader *rd)
{
    const char *at = rd->file->text;
    bool        first = true, named = false;
    for (cell line; line_next(rd->file, &at, &line); first = false) {
        dal_status bad = first ? read_header(rd, line, &named) : DAL_OK;
        if (!bad && !(first && named)) bad = read_row(rd, line);
        if (bad) return bad;
    }
    if (!rd->t.n)
        return diag_error(rd->ds, DAL_INVALID, cell_span(rd->file, (cell){at, at}), NULL,
                          "the table for '%s' contains no numbers", rd->name);
    return DAL_OK;
}

/* "held(FILE)" is FILE, the other is its own name. */
static const char *file_named(mem *m, const char *given, bool *held)
{
    const size_t n = strlen(given), word = strlen("held(");
    *held = n > word && !strncmp(given, "held(", word) && given[n - 1] == ')';
    return *held ? mem_printf(m, "%.*s", (int)(n - word - 1), given + word) : given;
}

/* out->t and out->u ascend in time; the file stays in m. */
dal_status track_read(mem *m, const model *md, const source *option, const kept_texts *kept,
                      diags *ds, track *out)
{
    const char *equals = strchr(option->text, '=');
    reader      rd = {.m = m, .ds = ds};
    if (!equals || equals == option->text || !equals[1])
        return diag_error(ds, DAL_INVALID, source_span(option),
                          "NAME=FILE.csv, as in u=load.csv, or u=held(load.csv)",
                          "an input needs a name and a file");
    char *word = mem_printf(m, "%.*s", (int)(equals - option->text), option->text);
    *out = (track){0};
    if (!model_find(md, word, MEMBER_INPUT, &out->input))
        return diag_error(ds, DAL_INVALID, (span){option, 0, (int)(equals - option->text)},
                          model_list(ds->m, md, MEMBER_INPUT, md->inputs), "%s has no input '%s'",
                          md->system, word);
    if (md->bound[out->input])
        return diag_error(ds, DAL_INVALID, (span){option, 0, (int)(equals - option->text)}, NULL,
                          "the input '%s' is bound by an outer system", word);
    rd.name = word;
    const char *path = file_named(m, equals + 1, &out->held);
    dal_status  bad = source_open(m, ds, source_span(option), path, kept, &rd.file);
    if (!bad) bad = read_table(&rd);
    out->file = rd.file, out->n = rd.t.n, out->t = rd.t.at, out->u = rd.u.at;
    return bad;
}

/* Of positions that it moves: u must have a derivative, if not at every row. */
dal_status track_is_continuous(const track *tr, const compiled *c, const source *option, diags *ds)
{
    static const char hint[] = "between rows it must be linear, without two rows at one time";
    if (!input_moves(c, tr->input)) return DAL_OK;
    for (int k = 1; k < tr->n; k++)
        if ((tr->held || tr->t[k] == tr->t[k - 1]) && tr->u[k] != tr->u[k - 1])
            return diag_error(ds, DAL_INVALID, source_span(option), hint,
                              "this input stands in a holonomic relation, and jumps at t = %.10g: "
                              "positions cannot jump",
                              tr->t[k]);
    return DAL_OK;
}

/* A single line is a constant; a table with more is held where it was not meant to be. */
void track_reaches(const track *tr, const source *option, double from, double until, diags *ds)
{
    const double first = tr->t[0], last = tr->t[tr->n - 1], slack = 1e-9 * (until - from);
    const bool   late = first > from + slack, early = last < until - slack;
    if (tr->n == 1 || (!late && !early)) return;
    diag_warning(ds, source_span(option), NULL,
                 "the table reaches from t = %.10g to %.10g, the run from %.10g to %.10g: %s held",
                 first, last, from, until,
                 late && early ? "its first and last values are"
                 : late        ? "before it, its first value is"
                               : "after it, its last value is");
}

/* Values. ------------------------------------------------------------------------------------- */

static const double NEAR = 1e-9; /* of an interval: t is at its end, up to roundoff */

/* The last k with t_k <= t, by bisection; between 0 and n - 2. */
static int interval_of(const track *tr, double t)
{
    int low = 0, high = tr->n - 1;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (tr->t[middle] <= t) low = middle;
        else high = middle;
    }
    return low;
}

/*     u = (1 - x) u_k + x u_{k+1},   x = (t - t_k)/(t_{k+1} - t_k);   held: x = 0
 * Where it jumps, the value behind the jump counts as soon as t is there up to roundoff; beyond
 * both ends the first and last values. */
static double track_at(track *tr, double t)
{
    if (tr->n < 2 || t < tr->t[tr->last] || t >= tr->t[tr->last + 1]) {
        if (t < tr->t[0]) return tr->u[0];
        if (t >= tr->t[tr->n - 1]) return tr->u[tr->n - 1];
        tr->last = interval_of(tr, t);
    }
    const int     k = tr->last;
    const double *at = tr->t + k, *u = tr->u + k, x = (t - at[0]) / (at[1] - at[0]);
    const bool    twice = k + 2 < tr->n && at[2] == at[1];
    if (x >= 1 - NEAR && (twice || tr->held)) return twice ? u[2] : u[1];
    return tr->held ? u[0] : (1 - x) * u[0] + x * u[1];
}

void tracks_at(void *self, double t, double *u)
{
    const tracks *all = self;
    for (int i = 0; i < all->n; i++) u[all->at[i].input] = track_at(&all->at[i], t);
}

/* Between rows k and k + 1. */
static double slope_between(const track *tr, int k)
{
    return (tr->u[k + 1] - tr->u[k]) / (tr->t[k + 1] - tr->t[k]);
}

/* The interval before k, or behind it, that has a length: k itself if there is none. */
static int neighbour(const track *tr, int k, int side)
{
    for (int i = k + side; i >= 0 && i < tr->n - 1; i += side)
        if (tr->t[i + 1] > tr->t[i]) return i;
    return k;
}

/* 0 beyond the table; at its first and last rows the slope inside, since a run that ends there has
 * seen no other. */
static double track_slope(const track *tr, double t)
{
    if (tr->n < 2 || tr->held) return 0;
    const int    row = interval_of(tr, t);
    const int    k = tr->t[row + 1] > tr->t[row] ? row : neighbour(tr, row, -1);
    const double length = tr->t[k + 1] - tr->t[k], x = (t - tr->t[k]) / length;
    if (!(x >= -NEAR && x <= 1 + NEAR)) return 0;
    const int beside = x < NEAR ? neighbour(tr, k, -1) : x > 1 - NEAR ? neighbour(tr, k, 1) : k;
    return (slope_between(tr, k) + slope_between(tr, beside)) / 2;
}

void tracks_slope(void *self, double t, double *u)
{
    const tracks *all = self;
    for (int i = 0; i < all->n; i++) u[all->at[i].input] = track_slope(&all->at[i], t);
}
