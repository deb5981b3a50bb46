/* save.c - a simulation field by field: which it is, where it has got to, what it has seen so far;
 * the same list saves and restores. */
#include "run/save.h"

#include "mech/stepper/save.h"
#include "run/paced_run.h"

#include <string.h>

/* Which simulation it is. ---------------------------------------------------------------------- */

/* While saving it writes mine; while restoring it compares. */
static void same_text(archive *r, const char *what, const char *mine)
{
    const char *theirs = mine;
    archive_text(r, what, &theirs);
    if (strcmp(mine, theirs))
        archive_refuse(r, "it is of another run: its %s is '%s', and here it is '%s'", what, theirs,
                       mine);
}

static void same_number(archive *r, const char *what, double mine)
{
    double theirs = mine;
    archive_double(r, what, &theirs);
    if (mine != theirs)
        archive_refuse(r, "it is of another run: its %s is %.10g, and here it is %.10g", what,
                       theirs, mine);
}

/* Two halves, as numbers are stored as doubles. */
static void same_digest(archive *r, const char *what, uint64_t mine)
{
    double parts[2] = {(double)(mine >> 32), (double)(mine & 0xFFFFFFFFu)}, theirs[2];
    memcpy(theirs, parts, sizeof theirs);
    archive_doubles(r, what, theirs, 2);
    if (memcmp(parts, theirs, sizeof parts))
        archive_refuse(r, "it is of another run: its %s is not the one here", what);
}

/* Of all texts that the model was read from, imports included. */
static uint64_t text_digest(const model *md)
{
    uint64_t sum = 0;
    for (int i = 0; md && i < md->source.n; i++)
        sum = archive_digest(sum, md->source.at[i]->text, md->source.at[i]->length);
    return sum;
}

/* What the bits of a run depend on must be the same, or it is another run. */
static void archive_identity(dal_sim *s, archive *r)
{
    const dal_summary *sum = &s->mon.sum;
    same_text(r, "model", s->title);
    same_digest(r, "text", text_digest(s->md));
    same_text(r, "principle", sum->principle);
    same_text(r, "scheme", sum->scheme);
    same_text(r, "step function", sum->is_fused ? "compiled" : "general");
    same_text(r, "solver", stepper_solver(pace_stepper(s)));
    same_number(r, "coordinates", s->sys->n);
    same_number(r, "relations", s->sys->m + s->sys->r);
    same_number(r, "step", s->plan.h);
}

/* What it has seen. ---------------------------------------------------------------------------- */

/* As an array, there and back. */
static void archive_range(archive *r, const char *what, dal_range *x)
{
    double all[] = {x->first, x->last, x->min, x->max};
    archive_doubles(r, what, all, 4);
    *x = (dal_range){all[0], all[1], all[2], all[3]};
}

static void archive_momenta(monitor *mon, archive *r, mem *m)
{
    const size_t count = mon->sum.momenta;
    double      *all = mem_resize(m, NULL, (2 * count + 1) * sizeof *all);
    for (size_t i = 0; i < count; i++)
        all[2 * i] = mon->momentum[i].first, all[2 * i + 1] = mon->momentum[i].max_drift;
    archive_doubles(r, "momenta", all, 2 * count);
    for (size_t i = 0; i < count; i++)
        mon->momentum[i].first = all[2 * i], mon->momentum[i].max_drift = all[2 * i + 1];
    mem_drop(m, all);
}

/* What the summary has seen so far; what it can compute from the state is left out. */
static void archive_monitor(dal_sim *s, archive *r)
{
    dal_summary *sum = &s->mon.sum;
    archive_long(r, "last", &s->mon.last);
    if (r->reading) s->mon.last_energy = s->mon.last;
    archive_bool(r, "warned", &s->mon.warned);
    archive_range(r, "energy", &sum->energy);
    archive_momenta(&s->mon, r, &s->m);
    archive_double(r, "constraint_residual", &sum->constraint_residual);
    archive_double(r, "dirac_residual", &sum->dirac_residual);
    archive_double(r, "momentum_defect", &sum->momentum_defect);
    archive_double(r, "work", &sum->work);
    archive_double(r, "power_error", &sum->power_error);
    archive_double(r, "run_seconds", &sum->run_seconds);
    archive_double(r, "record_seconds", &sum->record_seconds);
    archive_range(r, "length", &sum->length);
    archive_range(r, "condition", &sum->condition);
    archive_double(r, "discrete_energy", &sum->discrete_energy);
    archive_double(r, "balance_error", &sum->balance_error);
    if (!r->reading || archive_count(r, "length_noise") > 0)
        archive_double(r, "length_noise", &sum->length_noise);
    if (!r->reading || archive_count(r, "condition_papers") > 0)
        archive_range(r, "condition_papers", &sum->condition_papers);
    archive_int(r, "is_held", &sum->is_held);
    archive_double(r, "held_from", &sum->held_from);
    archive_long(r, "resets", &sum->resets);
    archive_double(r, "reset_first", &sum->reset_first);
}

/* Parameters may have been set since the start: what was computed from them is computed again. */
static void archive_parameters(dal_sim *s, archive *r)
{
    const size_t count = (size_t)(s->made ? s->made->given.parameters : s->md->parameters);
    double      *then = mem_resize(&s->m, NULL, (count + 1) * sizeof *then);
    if (count) memcpy(then, s->val.parameter, count * sizeof *then);
    archive_doubles(r, "parameters", then, count);
    for (size_t i = 0; r->reading && i < count && !r->bad; i++) {
        const double now = s->val.parameter[i];
        if (memcmp(&now, &then[i], sizeof now) && simulation_set_parameter(s, (int)i, then[i]))
            archive_refuse(r, "its parameters cannot be set here");
    }
    mem_drop(&s->m, then);
}

/* Inputs of functions and of models are the caller's, so they are part of the state. */
static void archive_progress(dal_sim *s, archive *r)
{
    archive_double(r, "from", &s->plan.from);
    archive_long(r, "steps", &s->plan.steps);
    archive_double(r, "until", &s->plan.until);
    archive_bool(r, "timed", &s->plan.timed);
    archive_bool(r, "by_time", &s->plan.by_time);
    archive_long(r, "k", &s->k);
    archive_double(r, "t", &s->t);
    archive_long(r, "recorded", &s->recorded);
    archive_doubles(r, "inputs", s->val.input,
                    (size_t)inputs_of(s));
}

/* What was computed of the state before is not of the one that was restored. */
static void forget_readings(dal_sim *s)
{
    s->now.have = 0, s->mon.sum.from = s->plan.from;
}

/* Identity first: a checkpoint of another run is refused before anything is changed. */
void simulation_archive(dal_sim *s, archive *r)
{
    if (r->reading) times_hide(s), s->mon.owed = false;
    else times_exchange(s), monitor_balances(s);
    archive_section(r, "");
    archive_identity(s, r);
    if (r->bad) return; /* only while reading */
    archive_section(r, "run.");
    archive_parameters(s, r);
    archive_progress(s, r);
    if (s->full) full_system_archive(s->full, r);
    archive_section(r, "monitor.");
    archive_monitor(s, r);
    const bool sums = defect_archive(&s->mon.defect, r);
    if (s->book) ledger_archive(s->book, r);
    if (s->exponents) lyapunov_archive(s->exponents, r);
    pace_archive(s, r);
    stepper_archive(pace_stepper(s), r);
    if (r->reading && s->pace && s->pace->run) paced_run_resume(s);
    events_archive(s, r);
    times_archive(s, r);
    resolution_archive(s, r);
    accuracy_archive(s, r);
    if (s->joint) interaction_archive(s->joint, r, &s->m);
    if (r->reading) forget_readings(s);
    if (!sums && !r->bad) defect_restart(s);
    if (!r->reading) times_exchange(s);
}
