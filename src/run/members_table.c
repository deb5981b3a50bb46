/* members_table.c - members from a CSV file: its first line names parameters and starts, each other
 * line is a member. */
#include "lang/source.h"
#include "run/cells.h"
#include "run/members.h"
#include "run/plan.h"

#include <string.h>

typedef struct {
    members      *ms;
    const source *file;
    int           columns, first; /* of the file; the first axis that it makes */
    vec(int) axis_of;             /* per column; -1: it is left out            */
} table;

/* "k", or as in the table that a sweep writes, start(x) */
static const char *column_name(table *t, cell c)
{
    size_t n = (size_t)(c.to - c.from);
    if (n > 7 && !strncmp(c.from, "start(", 6) && c.to[-1] == ')') c.from += 6, c.to--, n -= 7;
    return mem_printf(t->ms->m, "%.*s", (int)n, c.from);
}

/* A column called "member" is left out: it numbers the lines of a table that was written by a
 * sweep. */
static dal_status read_names(table *t, cell line)
{
    members *ms = t->ms;
    double   number;
    for (const char *at = line.from; at; t->columns++) {
        cell c = cell_next(&at, line.to);
        bool counts = cell_is(c, "member");
        if (cell_number(c, &number) || c.from == c.to)
            return diag_error(ms->ds, DAL_INVALID, cell_span(t->file, c), "as in k,x,x'",
                              "the first line of the table names parameters and starts");
        if (cell_is(c, "t"))
            return diag_error(ms->ds, DAL_INVALID, cell_span(t->file, c),
                              "values that change in time are an input: --input NAME=FILE",
                              "'t' is time; each line of the table is one run, not one instant");
        vec_push(ms->m, t->axis_of, counts ? -1 : ms->axes.n);
        if (counts) continue;
        axis x = {.kind = AXIS_TABLE,
                  .of = t->file,
                  .at = cell_span(t->file, c),
                  .name = column_name(t, c)};
        vec_push(ms->m, ms->axes, x);
    }
    return DAL_OK;
}

/* One number for each axis that the file makes. */
static dal_status read_numbers(table *t, cell line)
{
    members *ms = t->ms;
    int      k = 0;
    for (const char *at = line.from; at; k++) {
        double number;
        cell   c = cell_next(&at, line.to);
        if (k < t->columns && t->axis_of.at[k] < 0) continue;
        if (!cell_number(c, &number))
            return diag_error(ms->ds, DAL_INVALID, cell_span(t->file, c), NULL,
                              "'%.*s' is not a number", (int)(c.to - c.from), c.from);
        if (k < t->columns) vec_push(ms->m, ms->axes.at[t->axis_of.at[k]].value, number);
    }
    if (k != t->columns)
        return diag_error(ms->ds, DAL_INVALID, cell_span(t->file, line), NULL,
                          "this line has %d columns, the first one %d", k, t->columns);
    return DAL_OK;
}

/* The table may be given once; its rows are members. */
dal_status members_table(members *ms, const source *path)
{
    table       t = {.ms = ms, .first = ms->axes.n};
    const char *at;
    cell        line;
    if (ms->rows)
        return diag_error(ms->ds, DAL_INVALID, source_span(path), NULL,
                          "one table of members is enough");
    dal_status bad = source_read(ms->m, ms->ds, source_span(path), path->text, &t.file);
    if (bad) return bad;
    at = t.file->text;
    if (line_next(t.file, &at, &line)) bad = read_names(&t, line);
    for (; !bad && line_next(t.file, &at, &line); ms->rows++) bad = read_numbers(&t, line);
    if (!bad && !ms->rows)
        bad = diag_error(
            ms->ds, DAL_INVALID, source_span(path), NULL,
            "%s has no members: it needs a line of names, then a line of numbers for each member",
            path->text);
    if (!bad && t.first == ms->axes.n)
        bad = diag_error(ms->ds, DAL_INVALID, source_span(path), NULL,
                         "%s names no parameter and no start", path->text);
    return bad;
}
