/* sweep_summary.c - the summary of a sweep for people: how many members ended how, and what came
 * out on the whole. */
#include "sweep.h"

#include <stdint.h>
#include <string.h>

enum { SHOWN = 20 }; /* elements of arrays with statistics, unless more is asked for */

const char *member_word(const dal_member *m)
{
    return m->status == DAL_OK          ? m->warning ? "warned" : "done"
           : m->status == DAL_BREAKDOWN ? "breakdown"
           : m->status == DAL_INVALID   ? "refused"
                                        : "failed";
}

static void label(FILE *out, const char *word)
{
    bool colour = colours(out);
    fprintf(out, "  %s%-12s%s", colour ? "\033[1m" : "", word, colour ? "\033[0m" : "");
}

static void print_members(const dal_sweep_summary *sum, bool interrupted, FILE *out)
{
    label(out, "members");
    fprintf(out, "%zu: %zu done", sum->members, sum->done);
    if (sum->failed) fprintf(out, ", %zu failed", sum->failed);
    if (sum->refused) fprintf(out, ", %zu could not begin", sum->refused);
    if (interrupted)
        fprintf(out, ", %zu left", sum->members - sum->done - sum->failed - sum->refused);
    fputc('\n', out);
    label(out, "time");
    fprintf(out, "%.3g s on ", sum->seconds);
    if (sum->ranks > 1) fprintf(out, "%d ranks of ", sum->ranks);
    fprintf(out, "%d thread%s, %ld steps", sum->threads, sum->threads == 1 ? "" : "s", sum->steps);
    if (sum->steps) fprintf(out, ", %.3g us each", 1e6 * sum->seconds / (double)sum->steps);
    if (sum->together) fprintf(out, "; %zu members in blocks", sum->together);
    if (sum->steps && !strcmp(sum->backend, "vm")) fputs("; interpreted", out);
    fputc('\n', out);
}

static void print_statistics(const dal_sweep_summary *sum, bool verbose, FILE *out)
{
    const size_t most = verbose ? SIZE_MAX : SHOWN;
    size_t       shown = 0, elements = 0;
    int          wide = 12;
    for (size_t i = 0; i < sum->columns; i++)
        if (!is_left_out(sum->column[i].name, most, &elements) &&
            (int)strlen(sum->column[i].name) > wide)
            wide = (int)strlen(sum->column[i].name);
    label(out, "at the end");
    fprintf(out, "%-*s %12s %12s %12s %12s %12s", wide, "", "mean", "sd", "min", "median", "max");
    fprintf(out, verbose ? " %12s %12s %12s %12s\n" : "\n", "5%", "25%", "75%", "95%");
    elements = 0;
    for (size_t i = 0; i < sum->columns; i++) {
        const dal_statistics *s = &sum->column[i];
        const double         *q = s->quantile;
        if (is_left_out(s->name, most, &elements)) continue;
        fprintf(out, "%14s%-*s %12.6g %12.6g %12.6g %12.6g %12.6g", "", wide, s->name, s->mean,
                s->sd, s->min, q[2], s->max);
        if (verbose) fprintf(out, " %12.6g %12.6g %12.6g %12.6g", q[0], q[1], q[3], q[4]);
        fputc('\n', out);
        shown++;
    }
    if (shown < sum->columns) fprintf(out, "%14sand %zu more: -v\n", "", sum->columns - shown);
}

static void print_troubles(const sweep_files *f, const dal_sweep_summary *sum, FILE *out)
{
    if (sum->failed + sum->refused) {
        dal_member m = dal_sweep_member(f->sweep, sum->first_failed);
        label(out, "failures");
        fprintf(out, "%zu; the first is member %zu: %s\n", sum->failed + sum->refused, m.index,
                m.error ? m.error : dal_status_text(m.status));
    }
    if (sum->warned) {
        dal_member m = dal_sweep_member(f->sweep, sum->first_warned);
        label(out, "warnings");
        fprintf(out, "of %zu member%s; the first is member %zu: %s\n", sum->warned,
                sum->warned == 1 ? "" : "s", m.index, m.warning);
    }
}

void sweep_print(const sweep_files *f, const dal_sweep_summary *sum, bool interrupted, bool verbose,
                 FILE *out)
{
    size_t columns;
    bool   colour = colours(out);
    dal_sweep_columns(f->sweep, &columns);
    fprintf(out, "%s%s%s  (%s)\n", colour ? "\033[1m" : "", sum->model, colour ? "\033[0m" : "",
            sum->file);
    label(out, "method");
    fprintf(out, "%s, %s\n", sum->scheme, sum->principle);
    print_members(sum, interrupted, out);
    if (sum->done) print_statistics(sum, verbose, out);
    print_troubles(f, sum, out);
    if (interrupted) {
        label(out, "stopped");
        fprintf(out, "interrupted; %s\n",
                f->rows ? "members up to the first that is not done are kept"
                        : "nothing was written");
    }
    for (int i = 0; f->rows && i < f->tables; i++) {
        label(out, i ? "" : "written");
        fprintf(out, "%s: %zu %s of %zu columns\n",
                strcmp(f->table[i].path, "-") ? f->table[i].path : "standard output", f->rows,
                f->rows == 1 ? "row" : "rows", columns + 2);
    }
    if (f->directory) fprintf(out, "%14s%s: a trajectory each\n", "", f->directory);
}
