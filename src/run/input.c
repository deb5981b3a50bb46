/* input.c - reading tables of inputs, and looking up in them. Every mistake in a file is shown at
 * its line. */
#include "run/input.h"

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

static span cell_span(const reader *rd, const char *from, const char *to)
{
    return (span){rd->file, (int)(from - rd->file->text), (int)(to - rd->file->text)};
}

/* The next cell of a line, without blanks and quotes around it; *at moves behind its comma. */
static void next_cell(const char **at, const char *end, const char **from, const char **to)
{
    const char *comma = memchr(*at, ',', (size_t)(end - *at));
    *from = *at, *to = comma ? comma : end;
    *at = comma ? comma + 1 : NULL;
    while (*from < *to && strchr(" \t\"", **from)) ++*from;
    while (*to > *from && strchr(" \t\"\r", (*to)[-1])) --*to;
}

static bool cell_number(const char *from, const char *to, double *out)
{
    char copy[64];
    if (to - from >= (int)sizeof copy) return false;
    memcpy(copy, from, (size_t)(to - from)), copy[to - from] = 0;
    return text_is_number(copy, out);
}

static bool cell_is(const char *from, const char *to, const char *word)
{
    return (size_t)(to - from) == strlen(word) && !memcmp(from, word, (size_t)(to - from));
}

/* The first line says how many columns there are and, if it holds names, which ones count. */
static dal_status read_header(reader *rd, const char *at, const char *end, bool *named)
{
    const char *line = at, *from, *to;
    double      number;
    bool        found = false;
    *named = false, rd->columns = 0, rd->time = 0, rd->value = 1;
    while (at) {
        next_cell(&at, end, &from, &to);
        if (!rd->columns) *named = !cell_number(from, to, &number);
        if (cell_is(from, to, "t")) rd->time = rd->columns;
        if (cell_is(from, to, rd->name)) rd->value = rd->columns, found = true;
        rd->columns++;
    }
    if (rd->columns < 2 || (rd->columns > 2 && !found))
        return diag_error(
            rd->ds, DAL_INVALID, cell_span(rd, line, end), NULL,
            "a table for '%s' has two columns, time and value, or a header with t and %s", rd->name,
            rd->name);
    return DAL_OK;
}

static dal_status read_row(reader *rd, const char *at, const char *end)
{
    const char *line = at, *from, *to;
    double      t = 0, u = 0, number;
    int         k = 0;
    for (; at; k++) {
        next_cell(&at, end, &from, &to);
        if (k != rd->time && k != rd->value) continue;
        if (!cell_number(from, to, &number))
            return diag_error(rd->ds, DAL_INVALID, cell_span(rd, from, to), NULL,
                              "'%.*s' is not a number", (int)(to - from), from);
        *(k == rd->time ? &t : &u) = number;
    }
    if (k != rd->columns)
        return diag_error(rd->ds, DAL_INVALID, cell_span(rd, line, end), NULL,
                          "this line has %d columns, the first one %d", k, rd->columns);
    if (rd->t.n && t <= rd->t.at[rd->t.n - 1])
        return diag_error(rd->ds, DAL_INVALID, cell_span(rd, line, end), NULL,
                          "times must increase from line to line");
    vec_push(rd->m, rd->t, t);
    vec_push(rd->m, rd->u, u);
    return DAL_OK;
}

static dal_status read_table(reader *rd)
{
    const char *at = rd->file->text, *stop = at + rd->file->length;
    bool        first = true, named = false;
    while (at < stop) {
        const char *end = memchr(at, '\n', (size_t)(stop - at)), *next = end ? end + 1 : stop;
        if (!end) end = stop;
        while (end > at && strchr(" \t\r", end[-1])) end--;
        if (end > at) {
            dal_status bad = first ? read_header(rd, at, end, &named) : DAL_OK;
            if (!bad && !(first && named)) bad = read_row(rd, at, end);
            if (bad) return bad;
            first = false;
        }
        at = next;
    }
    if (!rd->t.n)
        return diag_error(rd->ds, DAL_INVALID, cell_span(rd, stop, stop), NULL,
                          "the table for '%s' holds no numbers", rd->name);
    return DAL_OK;
}

dal_status track_read(mem *m, const model *md, const source *option, const kept_texts *kept,
                      diags *ds, track *out)
{
    const char *equals = strchr(option->text, '=');
    reader      rd = {.m = m, .ds = ds};
    if (!equals || equals == option->text || !equals[1])
        return diag_error(ds, DAL_INVALID, source_span(option), "NAME=FILE.csv, as u=load.csv",
                          "an input needs a name and a file");
    char *word = mem_printf(m, "%.*s", (int)(equals - option->text), option->text);
    *out = (track){0};
    if (!model_find(md, word, MEMBER_INPUT, &out->input))
        return diag_error(ds, DAL_INVALID, (span){option, 0, (int)(equals - option->text)}, NULL,
                          "%s has no input '%s'", md->system, word);
    rd.name = word;
    dal_status bad = source_open(m, ds, source_span(option), equals + 1, kept, &rd.file);
    if (!bad) bad = read_table(&rd);
    out->file = rd.file, out->n = rd.t.n, out->t = rd.t.at, out->u = rd.u.at;
    return bad;
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

static double track_at(track *tr, double t)
{
    if (t <= tr->t[0]) return tr->u[0];
    if (t >= tr->t[tr->n - 1]) return tr->u[tr->n - 1];
    int k = tr->last;
    if (t < tr->t[k] || t >= tr->t[k + 1]) { /* t_k <= t < t_{k+1}, by bisection */
        int high = tr->n - 1;
        k = 0;
        while (high - k > 1) {
            int middle = k + (high - k) / 2;
            if (tr->t[middle] <= t) k = middle;
            else high = middle;
        }
        tr->last = k;
    }
    double x = (t - tr->t[k]) / (tr->t[k + 1] - tr->t[k]);
    return (1 - x) * tr->u[k] + x * tr->u[k + 1];
}

void tracks_at(void *self, double t, double *u)
{
    const tracks *all = self;
    for (int i = 0; i < all->n; i++) u[all->at[i].input] = track_at(&all->at[i], t);
}
