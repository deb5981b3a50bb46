/* json.c - the summary of a run for programs: one object, with keys that stay. */
#include "run.h"

#include <math.h>
#include <stdlib.h>

/* JSON has no infinity and no NaN: null. */
static json_t *number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

/* The columns of a row, by their kind. */
static json_t *final_state(dal_sim *s)
{
    static const struct {
        const char     *key;
        dal_column_kind kind;
    } kinds[] = {{"q", DAL_COLUMN_COORDINATE},
                 {"p", DAL_COLUMN_MOMENTUM},
                 {"multipliers", DAL_COLUMN_MULTIPLIER},
                 {"outputs", DAL_COLUMN_OUTPUT},
                 {"inputs", DAL_COLUMN_INPUT}};
    json_t           *all = json_object();
    size_t            count;
    const dal_column *c = dal_columns(s, &count);
    double           *row = need(NULL, count, sizeof *row);
    dal_row(s, row);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        json_t *of = json_object();
        for (size_t i = 0; i < count; i++)
            if (c[i].kind == kinds[k].kind) json_object_set_new(of, c[i].of, number(row[i]));
        json_object_set_new(all, kinds[k].key, of);
    }
    free(row);
    return all;
}

static json_t *momenta(const dal_summary *sum)
{
    json_t *all = json_object();
    for (size_t i = 0; i < sum->momenta; i++)
        json_object_set_new(all, sum->momentum[i].name,
                            json_pack("{s:o, s:o}", "first", number(sum->momentum[i].first),
                                      "max_drift", number(sum->momentum[i].max_drift)));
    return all;
}

static json_t *account(const dal_account *a)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "first", number(a->first), "last", number(a->last),
                     "work", number(a->work), "received", number(a->received));
}

static json_t *passage(const dal_passage *c)
{
    json_t *into = json_object();
    for (size_t k = 0; k < c->sides; k++)
        json_object_set_new(into, c->side[k].part, number(c->side[k].work));
    return json_pack("{s:o, s:o}", "into", into, "net", number(c->net));
}

static json_t *impulses(const dal_ledger *book)
{
    json_t *all = json_object();
    for (size_t i = 0; i < book->symmetries; i++) {
        const dal_impulses *J = &book->impulses[i];
        json_object_set_new(all, J->name,
                            json_pack("{s:o, s:o, s:o, s:o, s:o}", "first", number(J->first),
                                      "last", number(J->last), "forces", number(J->forces),
                                      "relations", number(J->relations), "lagrangian",
                                      number(J->lagrangian)));
    }
    return all;
}

static json_t *ledger(const dal_ledger *book)
{
    json_t *parts = json_object(), *connections = json_object();
    for (size_t i = 1; i < book->accounts; i++)
        json_object_set_new(parts, book->account[i].part, account(&book->account[i]));
    for (size_t i = 0; i < book->passages; i++)
        json_object_set_new(connections, book->passage[i].name, passage(&book->passage[i]));
    return json_pack("{s:o, s:o, s:o, s:o}", "whole", account(&book->account[0]), "parts", parts,
                     "connections", connections, "impulses", impulses(book));
}

static json_t *warnings(const dal_context *cx)
{
    json_t *all = json_array();
    for (size_t i = 0; i < dal_message_count(cx); i++) {
        dal_message w = dal_message_at(cx, i);
        if (w.severity != DAL_WARNING) continue;
        json_array_append_new(
            all, w.file ? json_sprintf("%s:%d:%d: %s", w.file, w.line, w.column, w.text)
                        : json_string(w.text));
    }
    return all;
}

static const char *status_word(dal_status status)
{
    return status == DAL_OK            ? "done"
           : status == DAL_BREAKDOWN   ? "breakdown"
           : status == DAL_INTERRUPTED ? "interrupted"
                                       : "failed";
}

static void add(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

static json_t *condition(const dal_range *r, bool measured)
{
    return json_pack("{s:o, s:o}", "min", number(measured ? r->min : (double)NAN), "max",
                     number(measured ? r->max : (double)NAN));
}

/* Steps that follow a pace. */
static void add_pacing(json_t *o, const dal_summary *sum)
{
    add(o, "pacing", json_string(sum->pacing));
    add(o, "step_range",
        json_pack("{s:o, s:o}", "min", number(sum->length.min), "max", number(sum->length.max)));
}

/* What the energy principle has: its steps, the energy of its chords, how well h is decided. */
static void add_adaptive(json_t *o, const dal_summary *sum)
{
    const bool measured = sum->condition.max > 0;
    add(o, "step_range",
        json_pack("{s:o, s:o, s:o}", "min", number(sum->length.min), "max",
                  number(sum->length.max), "noise", number(sum->length_noise)));
    add(o, "discrete_energy",
        json_pack("{s:o, s:o}", "first", number(sum->discrete_energy), "max_error",
                  number(sum->balance_error)));
    add(o, "condition", condition(&sum->condition, measured));
    add(o, "condition_papers", condition(&sum->condition_papers, measured));
    if (sum->is_held) add(o, "fixed_from", number(sum->held_from));
    if (sum->resets)
        add(o, "resets",
            json_pack("{s:I, s:o}", "count", (json_int_t)sum->resets, "first",
                      number(sum->reset_first)));
}

static json_t *exponents(const dal_summary *sum, const double *of)
{
    json_t *all = json_array();
    for (size_t i = 0; i < sum->exponents; i++)
        json_array_append_new(all, number(of[i]));
    return all;
}

/* What was run, and where it ended. */
static void add_run(json_t *o, dal_sim *s, const dal_summary *sum)
{
    add(o, "model", json_string(sum->model));
    add(o, "file", json_string(sum->file));
    add(o, "principle", json_string(sum->principle));
    add(o, "scheme", json_string(sum->scheme));
    add(o, "order", json_integer(sum->order));
    if (sum->is_reduced)
        add(o, "reduced_order",
            json_pack("{s:i, s:s}", "order", sum->reduced_order, "by", sum->reduced_by));
    add(o, "step", number(sum->step));
    add(o, "steps", json_integer(sum->steps));
    add(o, "t", number(sum->t));
    add(o, "final", final_state(s));
}

/* What happened at instants: the first of them, since files keep this text; `--events` has all. */
static json_t *event_list(dal_sim *s)
{
    enum { MOST = 10000 };
    size_t           count;
    const dal_event *e = dal_events(s, &count);
    json_t          *list = json_array();
    for (size_t i = 0; i < count && i < MOST; i++)
        json_array_append_new(list, json_pack("{s:o, s:s, s:s, s:o, s:o}", "t", number(e[i].t),
                                              "name", e[i].name, "what", e[i].what, "impulse",
                                              number(e[i].impulse), "energy", number(e[i].energy)));
    return list;
}

/* How well it kept what it has to keep. */
static void add_evidence(json_t *o, dal_sim *s, const dal_summary *sum)
{
    const dal_range *e = &sum->energy;
    add(o, "energy",
        json_pack("{s:o, s:o, s:o, s:o}", "first", number(e->first), "last", number(e->last), "min",
                  number(e->min), "max", number(e->max)));
    add(o, "momenta", momenta(sum));
    add(o, "constraints", json_pack("{s:o}", "max_residual", number(sum->constraint_residual)));
    add(o, "dirac_residual", number(sum->dirac_residual));
    add(o, "momentum_defect", number(sum->momentum_defect));
    add(o, "work", number(sum->work));
    add(o, "power_balance", json_pack("{s:o}", "max_error", number(sum->power_error)));
    if (!isnan(sum->error_estimate)) add(o, "error_estimate", number(sum->error_estimate));
    if (sum->exponents) add(o, "lyapunov", exponents(sum, sum->exponent));
    if (sum->exponents) add(o, "lyapunov_error", exponents(sum, sum->exponent_error));
    size_t events;
    dal_events(s, &events);
    if (events) add(o, "event_count", json_integer((json_int_t)events));
    if (events) add(o, "events", event_list(s));
    if (dal_ledger_of(s)) add(o, "ledger", ledger(dal_ledger_of(s)));
    if (sum->is_adaptive) add_adaptive(o, sum);
    if (sum->pacing) add_pacing(o, sum);
}

/* What solved the steps, and in what time. */
static void add_effort(json_t *o, const dal_summary *sum)
{
    const double stepping = fmax(sum->run_seconds - sum->record_seconds, 0);
    add(o, "newton",
        json_pack("{s:I, s:i, s:I}", "iterations", (json_int_t)sum->newton_iterations,
                  "max_iterations", sum->newton_max_iterations, "failures",
                  (json_int_t)sum->newton_failures));
    add(o, "solved_by", json_string(sum->solved_by));
    add(o, "fixed_point",
        json_pack("{s:I, s:i}", "sweeps", (json_int_t)sum->fixed_point_sweeps, "max_sweeps",
                  sum->fixed_point_max_sweeps));
    add(o, "time",
        json_pack("{s:o, s:o, s:o}", "setup_s", number(sum->setup_seconds), "run_s",
                  number(sum->run_seconds), "ns_per_step",
                  number(sum->steps ? 1e9 * stepping / (double)sum->steps : 0)));
    add(o, "backend", json_string(sum->backend));
    add(o, "solver", json_string(sum->solver));
}

json_t *summary_object(dal_sim *s, const dal_context *cx)
{
    const dal_summary *sum = dal_summarise(s);
    json_t            *o = json_object();
    add_run(o, s, sum);
    add_evidence(o, s, sum);
    add(o, "status", json_string(status_word(sum->status)));
    if (sum->error) add(o, "error", json_string(sum->error));
    add_effort(o, sum);
    add(o, "warnings", warnings(cx));
    return o;
}

int summary_json(dal_sim *s, const dal_context *cx, FILE *out)
{
    json_t *o = summary_object(s, cx);
    int     bad =
        json_dumpf(o, out, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) || fputc('\n', out) == EOF;
    json_decref(o);
    return bad ? EXIT_IO : EXIT_DONE;
}
