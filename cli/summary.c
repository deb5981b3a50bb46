/* summary.c - the summary of a run for people: what was run, where it ended, what it kept. */
#include "run.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHOWN = 6, /* elements of arrays, of one kind,  */
    FEW = 20,  /* if there are more of them than this */
    SHOWN_VERBOSE = 40
};

typedef struct {
    FILE       *out;
    const char *bold, *plain;
    bool        verbose;
} page;

static void label(const page *pg, const char *word)
{
    fprintf(pg->out, "  %s%-12s%s", pg->bold, word, pg->plain);
}

static size_t most_elements(const page *pg)
{
    return pg->verbose ? SHOWN_VERBOSE : SHOWN;
}

static void print_head(const page *pg, const dal_summary *sum)
{
    fprintf(pg->out, "%s%s%s  (%s)\n", pg->bold, sum->model, pg->plain, sum->file);
    label(pg, "method");
    fprintf(pg->out, "%s, order %d", sum->scheme, sum->order);
    if (sum->is_reduced) fprintf(pg->out, " (here %d: %s)", sum->reduced_order, sum->reduced_by);
    fprintf(pg->out, ", %s\n", sum->principle);
    label(pg, "steps");
    fprintf(pg->out, "%ld of %.10g%s, t = %.10g .. %.10g\n", sum->steps, sum->step,
            sum->pacing ? " in tau" : "", sum->from, sum->t);
    if (!sum->pacing) return;
    label(pg, "pacing");
    fprintf(pg->out, "%s, h = %.3g .. %.3g\n", sum->pacing, sum->length.min, sum->length.max);
}

/* The values of one kind, three to a line: "x = 1   y = 2"; of long rows only the first elements of
 * arrays, and how many more there are. */
static void print_values(const page *pg, const char *word, int kind, const dal_column *c,
                         const double *row, size_t count)
{
    size_t shown = 0, all = 0, elements = 0, before = 0, most = most_elements(pg);
    for (size_t i = 0; i < count; i++)
        if ((int)c[i].kind == kind) all++, is_left_out(c[i].of, most, &elements);
    if (elements <= FEW && most < FEW) most = FEW;
    for (size_t i = 0; i < count; i++) {
        if ((int)c[i].kind != kind || is_left_out(c[i].of, most, &before)) continue;
        if (shown % 3) fputs("   ", pg->out);
        else if (shown) fprintf(pg->out, "\n%14s", "");
        else label(pg, word);
        fprintf(pg->out, "%s = %.10g", c[i].name, row[i]);
        shown++;
    }
    if (all > shown) fprintf(pg->out, "   and %zu more", all - shown);
    if (all) fputc('\n', pg->out);
}

/* The last state; the file has all of it. */
static void print_final(const page *pg, dal_sim *s)
{
    size_t            count;
    const dal_column *c = dal_columns(s, &count);
    double           *row = need(NULL, count, sizeof *row);
    dal_row(s, row);
    print_values(pg, "final state", DAL_COLUMN_COORDINATE, c, row, count);
    print_values(pg, "", DAL_COLUMN_MOMENTUM, c, row, count);
    print_values(pg, "outputs", DAL_COLUMN_OUTPUT, c, row, count);
    print_values(pg, "inputs", DAL_COLUMN_INPUT, c, row, count);
    free(row);
}

static void print_energy(const page *pg, const dal_summary *sum)
{
    const dal_range *e = &sum->energy;
    double           spread = e->max - e->min, size = fmax(fabs(e->first), fabs(e->last));
    label(pg, "energy");
    if (!isfinite(e->first + e->last)) fputs("not finite\n", pg->out);
    else if (spread <= 1e-3 * size)
        fprintf(pg->out, "%.10g, drift %.2g, range %.2g\n", e->last, e->last - e->first, spread);
    else
        fprintf(pg->out, "%.6g -> %.6g, between %.6g and %.6g\n", e->first, e->last, e->min,
                e->max);
    const bool balanced = !isnan(sum->power_error); /* curves that are shot have no balance */
    if (!balanced && sum->work == 0) return;
    label(pg, "power");
    if (balanced) fprintf(pg->out, "balanced to %.1e", sum->power_error);
    if (sum->work != 0)
        fprintf(pg->out, "%swork of the forces %.6g", balanced ? "; " : "", sum->work);
    fputc('\n', pg->out);
}

/* Of a run that is over, about. */
static void print_accuracy(const page *pg, const dal_summary *sum)
{
    if (!(sum->error_estimate < 1)) return; /* unknown, or a warning said so */
    label(pg, "accuracy");
    fprintf(pg->out, "positions to about %.0e of their amplitude (estimated)\n",
            sum->error_estimate);
}

/* How far the energy has moved the step, what it keeps of itself, and how well it decides. */
static void print_adaptive(const page *pg, const dal_summary *sum)
{
    label(pg, "chords");
    fprintf(pg->out, "energy %.10g at first, balanced to %.1e; h between %.6g and %.6g\n",
            sum->discrete_energy, sum->balance_error, sum->length.min, sum->length.max);
    if (sum->condition.max > 0) {
        label(pg, "condition");
        fprintf(pg->out,
                "%.2g to %.2g, by velocities %.2g to %.2g; h is accurate to about %.0e of itself\n",
                sum->condition.min, sum->condition.max, sum->condition_papers.min,
                sum->condition_papers.max, sum->length_noise);
    }
    if (sum->is_held) {
        label(pg, "fixed step");
        fprintf(pg->out, "from t = %.10g on, where the energy principle broke down\n",
                sum->held_from);
    }
    if (sum->resets) {
        label(pg, "resets");
        fprintf(pg->out, "%ld, the first at t = %.10g: nothing determined the step there\n",
                sum->resets, sum->reset_first);
    }
}

static void print_kept(const page *pg, const dal_summary *sum)
{
    size_t shown = 0, elements = 0;
    for (size_t i = 0; i < sum->momenta; i++) {
        const dal_momentum *of = &sum->momentum[i];
        if (is_left_out(of->name, most_elements(pg), &elements)) continue;
        label(pg, shown++ ? "" : "momenta");
        fprintf(pg->out, "%s = %.10g, drift %.2g\n", of->name, of->first, of->max_drift);
    }
    if (sum->momenta > shown) fprintf(pg->out, "%14sand %zu more\n", "", sum->momenta - shown);
    if (sum->constraints) {
        label(pg, "constraints");
        fprintf(pg->out, "%zu, held to %.1e; Dirac residual %.1e\n", sum->constraints,
                sum->constraint_residual, sum->dirac_residual);
    }
    if (sum->momentum_defect > 0) {
        label(pg, "momentum");
        fprintf(pg->out, "defect %.1e along coordinates without inertia\n", sum->momentum_defect);
    }
}

/* As many digits as its error leaves, from two to ten. */
static int digits_known(double x, double error)
{
    const double digits = floor(log10(fabs(x) / error)) + 2;
    return digits < 2 ? 2 : digits < 10 ? (int)digits : 10;
}

static void print_exponents(const page *pg, const dal_summary *sum)
{
    if (!sum->exponents) return;
    label(pg, "lyapunov");
    for (size_t i = 0; i < sum->exponents; i++) {
        const double x = sum->exponent[i], error = sum->exponent_error[i];
        if (i) fputs(i % 3 ? ", " : ",\n              ", pg->out);
        if (isnan(error)) fprintf(pg->out, "%.4g", x);
        else fprintf(pg->out, "%.*g +- %.0e", digits_known(x, error), x, error);
    }
    fprintf(pg->out, " per unit of time, over the second half\n");
}

/* The accounts of parts and the connections between them: elements of arrays only the first ones,
 * or all. */
static size_t most_accounts(const page *pg)
{
    return pg->verbose ? SIZE_MAX : 2 * SHOWN;
}

static void print_accounts(const page *pg, const dal_ledger *book)
{
    size_t wide = 4, shown = 0, elements = 0;
    for (size_t i = 0; i < book->accounts; i++)
        if (!is_left_out(book->account[i].part, most_accounts(pg), &elements) &&
            strlen(book->account[i].part) > wide)
            wide = strlen(book->account[i].part);
    label(pg, "ledger");
    fprintf(pg->out, "%-*s %12s %12s %12s %12s %9s\n", (int)wide, "part", "energy: first", "last",
            "work", "received", "rest");
    elements = 0;
    for (size_t i = 0; i < book->accounts; i++) {
        const dal_account *a = &book->account[i];
        if (is_left_out(a->part, most_accounts(pg), &elements)) continue;
        fprintf(pg->out, "%14s%-*s %12.6g %12.6g %12.6g %12.6g %9.1e\n", "", (int)wide, a->part,
                a->first, a->last, a->work, a->received,
                a->last - a->first - a->work - a->received);
        shown++;
    }
    if (shown < book->accounts)
        fprintf(pg->out, "%14sand %zu more: -v\n", "", book->accounts - shown);
}

static void print_passages(const page *pg, const dal_ledger *book)
{
    size_t shown = 0, elements = 0;
    for (size_t i = 0; i < book->passages; i++) {
        const dal_passage *c = &book->passage[i];
        if (is_left_out(c->name, most_accounts(pg), &elements)) continue;
        label(pg, shown++ ? "" : "connections");
        fprintf(pg->out, "%s:", c->name);
        for (size_t k = 0; k < c->sides; k++)
            fprintf(pg->out, "%s %.6g into %s", k ? "," : "", c->side[k].work, c->side[k].part);
        fprintf(pg->out, "; net %.1e\n", c->net);
    }
    if (shown < book->passages)
        fprintf(pg->out, "%14sand %zu more: -v\n", "", book->passages - shown);
}

/* What has changed the momenta of symmetries. */
static void print_impulses(const page *pg, const dal_ledger *book)
{
    size_t wide = 8;
    for (size_t i = 0; i < book->symmetries; i++)
        if (strlen(book->impulses[i].name) > wide) wide = strlen(book->impulses[i].name);
    if (!book->symmetries) return;
    label(pg, "impulses");
    fprintf(pg->out, "%-*s %12s %12s %12s %12s %9s %9s\n", (int)wide, "momentum", "first", "last",
            "forces", "relations", "L", "rest");
    for (size_t i = 0; i < book->symmetries; i++) {
        const dal_impulses *J = &book->impulses[i];
        fprintf(pg->out, "%14s%-*s %12.6g %12.6g %12.6g %12.6g %9.1e %9.1e\n", "", (int)wide,
                J->name, J->first, J->last, J->forces, J->relations, J->lagrangian,
                J->last - J->first - J->forces - J->relations - J->lagrangian);
    }
}

static void print_ledger(const page *pg, const dal_ledger *book)
{
    if (!book) return;
    print_accounts(pg, book);
    print_passages(pg, book);
    print_impulses(pg, book);
}

/* Newton's iterations, sweeps without a matrix, or solves of linear equations; the solver where one
 * was used. */
static void print_solve(const page *pg, const dal_summary *sum)
{
    const double steps = (double)sum->steps;
    label(pg, "solved by");
    if (sum->is_explicit) {
        fputs("nothing: the step is explicit\n", pg->out);
        return;
    }
    if (sum->fixed_point_sweeps)
        fprintf(pg->out, "fixed point, %.2f sweeps a step, at most %d%s",
                (double)sum->fixed_point_sweeps / steps, sum->fixed_point_max_sweeps,
                sum->newton_iterations ? "; " : "");
    if (!strcmp(sum->solved_by, "linear"))
        fprintf(pg->out, "%s solver%s; %.2f solves a step", sum->solver,
                strcmp(sum->solver, "cg") ? ", factored once" : "",
                (double)sum->newton_iterations / steps);
    else if (sum->fixed_point_sweeps && sum->newton_iterations)
        fprintf(pg->out, "Newton, %ld iterations in all; %s solver", sum->newton_iterations,
                sum->solver);
    else if (sum->newton_iterations)
        fprintf(pg->out, "%s, %.2f iterations a step, at most %d; %s solver",
                strcmp(sum->solved_by, "broyden") ? "Newton" : "Broyden with a kept Jacobian",
                (double)sum->newton_iterations / steps, sum->newton_max_iterations, sum->solver);
    fputc('\n', pg->out);
}

/* "0.5 us", "12 ms", "9.7 s" */
static void print_time(FILE *out, double seconds)
{
    if (seconds < 1e-3) fprintf(out, "%.3g us", 1e6 * seconds);
    else if (seconds < 1) fprintf(out, "%.3g ms", 1e3 * seconds);
    else fprintf(out, "%.3g s", seconds);
}

static void print_work(const page *pg, const dal_summary *sum)
{
    if (!sum->steps) return;
    /* writing is timed by samples, and may seem to take longer than the run */
    double each = fmax(sum->run_seconds - sum->record_seconds, 0) / (double)sum->steps;
    print_solve(pg, sum);
    label(pg, "time");
    print_time(pg->out, each), fputs(" a step; ", pg->out);
    print_time(pg->out, sum->run_seconds), fputs(" in all, ", pg->out);
    print_time(pg->out, sum->record_seconds), fputs(" of it writing; set up in ", pg->out);
    print_time(pg->out, sum->setup_seconds), fputc('\n', pg->out);
}

static void print_files(const page *pg, dal_sim *s, const recorder *r)
{
    size_t columns;
    dal_columns(s, &columns);
    for (int i = 0; i < r->files; i++) {
        label(pg, i ? "" : "written");
        fprintf(pg->out, "%s: %ld %s of %zu columns\n",
                strcmp(r->path[i], "-") ? r->path[i] : "standard output", r->rows,
                r->rows == 1 ? "row" : "rows", columns);
    }
}

/* The last few, and how many there were. */
static void print_events(const page *pg, dal_sim *s)
{
    enum { LAST_FEW = 6 };
    size_t           count;
    const dal_event *e = dal_events(s, &count);
    for (size_t i = count > LAST_FEW && !pg->verbose ? count - LAST_FEW : 0, first = i; i < count;
         i++) {
        label(pg, i == first ? "events" : "");
        if (i == first && first) fprintf(pg->out, "%zu before, then ", first);
        fprintf(pg->out, "t = %.10g  %s %s", e[i].t, e[i].name, e[i].what);
        if (e[i].impulse != 0) fprintf(pg->out, ", impulse %.6g", e[i].impulse);
        if (e[i].energy != 0) fprintf(pg->out, ", energy %+.4g", e[i].energy);
        fputc('\n', pg->out);
    }
}

void summary_print(dal_sim *s, const recorder *r, bool verbose, FILE *out)
{
    const dal_summary *sum = dal_summarise(s);
    bool               colour = colours(out);
    page               pg = {out, colour ? "\033[1m" : "", colour ? "\033[0m" : "", verbose};
    print_head(&pg, sum);
    print_final(&pg, s);
    print_energy(&pg, sum);
    print_accuracy(&pg, sum);
    if (sum->is_adaptive) print_adaptive(&pg, sum);
    print_kept(&pg, sum);
    print_exponents(&pg, sum);
    print_events(&pg, s);
    print_ledger(&pg, dal_ledger_of(s));
    print_work(&pg, sum);
    print_files(&pg, s, r);
    if (sum->status) {
        label(&pg, "stopped");
        fprintf(out, "at t = %.10g: %s; what was computed is kept\n", sum->t,
                dal_status_text(sum->status));
    }
}
