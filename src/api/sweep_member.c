/* sweep_member.c - one member by itself: a simulation with its numbers, in a context of its own, so
 * that members on other threads share nothing with it but the model. */
#include "api/sweep.h"

#include <math.h>
#include <string.h>

/* Only the ends are looked at, unless rows are recorded or diagnostics are asked for; the energy is
 * accounted for now and then. */
static void watch_the_ends(dal_sim *s, const request *asked, bool rows)
{
    enum { SELDOM = 16 };
    s->mon.accurate.brief = true;
    if (!rows) s->plan.record = 0, s->plan.times = (requested_times){0};
    if (!rows && s->plan.sample < SELDOM) s->plan.sample = SELDOM;
    if (!rows && !asked->monitor) s->plan.monitor = s->plan.steps + 1;
}

/* Members share one compiled function; each by itself would have to be compiled. */
static request request_of(const dal_sweep *w, long who, mem *m)
{
    static const source by_vm = {"--backend", "vm",
                                 2}; /* what is compiled is shared by all members */
    request             r = w->asked;
    r.backend = &by_vm;
    r.over = members_overrides(&w->of, &w->asked.over, who, m);
    return r;
}

static dal_status start_member(const dal_sweep *w, long who, dal_sim *s)
{
    const request r = request_of(w, who, &s->m);
    dal_status    bad = simulation_start(s, &w->model->is, &r);
    if (!bad && s->plan.steps < 0) bad = loop_run(s, NULL); /* says that no end is given */
    return bad;
}

/* Columns. ------------------------------------------------------------------------------------- */

/* What is varied comes first, then the columns of a run, then how the energy changed. */
static void name_columns(dal_sweep *w, const dal_sim *s)
{
    const members *ms = &w->of;
    w->swept = ms->axes.n, w->columns = w->swept + s->columns + 1;
    w->column = mem_array(&w->m, w->columns, dal_sweep_column);
    for (int i = 0; i < w->swept; i++)
        w->column[i] = (dal_sweep_column){
            mem_printf(&w->m, ms->axes.at[i].start ? "start(%s)" : "%s", ms->axes.at[i].name), 1};
    for (int i = 0; i < s->columns; i++)
        w->column[w->swept + i].name = mem_printf(&w->m, "%s", s->shown[i].name);
    w->column[w->columns - 1].name = "energy_drift";
    w->sum.model = s->title, w->sum.file = s->md->file, w->sum.principle = s->plan.principle;
    w->sum.scheme = mem_printf(&w->m, "%s", s->plan.scheme.title);
}

typedef struct {
    dal_sweep *w;
    long       who;
    dal_sim   *s;
} columns_job;

static dal_status look_at_columns(void *self)
{
    columns_job *j = self;
    dal_status   bad = start_member(j->w, j->who, j->s);
    if (!bad) name_columns(j->w, j->s);
    return bad;
}

/* The simulation is kept as the one that all others must be like. */
dal_status member_columns(dal_sweep *w, long who)
{
    columns_job j = {w, who, object_new(w->cx, sizeof *j.s)};
    if (!j.s) return DAL_NOMEM;
    j.s->cx = w->cx, j.s->ds = &w->cx->ds, j.s->of = w->model;
    dal_status bad = guarded(w->cx, &j.s->m, look_at_columns, &j);
    if (bad) dal_sim_free(j.s);
    else w->first = j.s;
    return bad;
}

/* Running. ------------------------------------------------------------------------------------- */

static dal_status on_row(void *self, dal_sim *s)
{
    running *r = self;
    return r->ended = r->at->o->row(r->at->o->self, r->at->worker, (size_t)r->who, s);
}

static dal_status on_step(void *self, dal_sim *s)
{
    running *r = self;
    (void)s;
    return r->ended = r->at->pause(r->at->self);
}

/* At the end of a member, or where it failed. */
static void take_row(const dal_sweep *w, long who, dal_sim *s)
{
    double *row = row_of_member(w, who);
    column_values(s, row + w->swept);
    row[w->columns - 1] = s->mon.sum.energy.last - s->mon.sum.energy.first;
}

/* Is it run alone, where that is to decide? All of a few members are, some of many. */
static bool is_run_again(const dal_sweep *w, long who)
{
    enum { FEW = 64 };
    return who % ((w->of.count + FEW - 1) / FEW) == 0;
}

/* A member that cannot begin is refused, which does not end the sweep; a file that cannot be
 * read does. */
static dal_status begin(void *self)
{
    running         *r = self;
    const dal_sweep *w = r->at->w;
    dal_status       bad = start_member(w, r->who, r->s);
    if (bad) return bad == DAL_IO ? DAL_IO : DAL_INVALID;
    watch_the_ends(r->s, &w->asked, r->at->o->row != NULL);
    r->s->mon.accurate.again = is_run_again(w, r->who);
    return DAL_OK;
}

/* Numbers up to a failure are kept, and how many steps it made. */
static dal_status simulate(void *self)
{
    running     *r = self;
    dal_observer o = {.row = r->at->o->row ? on_row : NULL, .wait = on_step, .self = r};
    r->s->call.running = true;
    dal_status bad = loop_run(r->s, &o);
    take_row(r->at->w, r->who, r->s);
    r->at->w->outcome[r->who].steps = r->s->k;
    r->at->w->outcome[r->who].open =
        !bad && (defect_judge(r->s) == DEFECT_OPEN || r->s->mon.resolved.doubted ||
                 r->s->mon.accurate.doubted);
    return bad;
}

/* The same run, with more samples of its energy. */
static dal_status simulate_again(void *self)
{
    running     *r = self;
    dal_observer o = {.wait = on_step, .self = r};
    r->s->plan.sample = plan_samples(r->s->plan.steps), r->s->call.running = true;
    r->s->mon.accurate.brief = false;
    return loop_run(r->s, &o);
}

/* Copied to where they outlive the member. */
static const char *first_message(const running *r, diag_kind kind)
{
    const diags *ds = &r->cx->ds;
    for (int i = 0; i < ds->list.n; i++)
        if (ds->list.at[i].kind == kind)
            return mem_printf(r->at->notes, "%s", ds->list.at[i].message);
    return NULL;
}

static dal_status keep_messages(void *self)
{
    const running *r = self;
    outcome       *o = &r->at->w->outcome[r->who];
    if (!o->warning) o->warning = first_message(r, DIAG_WARNING);
    o->error = o->status ? first_message(r, DIAG_ERROR) : NULL;
    return DAL_OK;
}

static bool ends_all(dal_status status)
{
    return status == DAL_NOMEM || status == DAL_IO;
}

/* r is to be dropped whatever is returned. */
dal_status member_begin(running *r, const member_place *at, long who)
{
    const dal_sweep    *w = at->w;
    const dal_allocator allocator = {w->cx->heap.resize, w->cx->heap.self};
    outcome            *o = &w->outcome[who];
    o->warning = NULL;
    *r = (running){.at = at, .who = who, .cx = dal_context_new(&allocator)};
    r->s = r->cx ? object_new(r->cx, sizeof *r->s) : NULL;
    if (!r->s) return DAL_NOMEM;
    r->s->cx = r->cx, r->s->ds = &r->cx->ds, r->s->of = w->model;
    for (int i = 0; i < w->swept; i++) row_of_member(w, who)[i] = members_value(&w->of, i, who);
    o->status = guarded(r->cx, &r->s->m, begin, r);
    r->begun = !o->status;
    return ends_all(o->status) ? o->status : DAL_OK;
}

void member_drop(running *r)
{
    dal_sim_free(r->s);
    dal_context_free(r->cx);
    r->s = NULL, r->cx = NULL, r->begun = false;
}

/* What came out stays; only a warning is added. */
static dal_status examine(const member_place *at, long who)
{
    outcome      *o = &at->w->outcome[who];
    const outcome was = *o;
    running       r;
    dal_status    bad = member_begin(&r, at, who);
    if (!bad && r.begun) {
        ensemble_attach(&at->w->with, r.s);
        guarded(r.cx, &r.s->m, simulate_again, &r);
        bad = r.ended ? r.ended : guarded(r.cx, at->notes, keep_messages, &r);
    }
    const char *warning = o->warning;
    *o = was;
    if (!o->warning) o->warning = warning;
    member_drop(&r);
    return bad;
}

/* A member that was refused has its messages taken too. o->done only if nothing ended the sweep. */
dal_status member_end(running *r)
{
    outcome   *o = &r->at->w->outcome[r->who];
    dal_status bad = DAL_OK;
    if (r->begun) {
        ensemble_attach(&r->at->w->with, r->s);
        o->status = guarded(r->cx, &r->s->m, simulate, r);
        bad = r->ended ? r->ended : ends_all(o->status) ? o->status : DAL_OK;
    }
    if (!bad) bad = guarded(r->cx, r->at->notes, keep_messages, r);
    if (!bad && o->open && !o->warning) bad = examine(r->at, r->who);
    if (!bad && r->at->o->last) bad = r->at->o->last(r->at->o->self, r->at->worker, (size_t)r->who);
    o->done = !bad;
    return bad;
}

typedef struct {
    running *r;
    bool    *other;
} again_job;

/* What is varied, by name; its numbers are the first of the member's row. */
static varying varying_of(const dal_sweep *w, mem *m)
{
    const int n = w->of.axes.n;
    source   *called = mem_array(m, n + 1, source);
    bool     *start = mem_array(m, n + 1, bool);
    for (int i = 0; i < n; i++) {
        const axis *x = &w->of.axes.at[i];
        called[i] = (source){x->of->file, x->name, strlen(x->name)}, start[i] = x->start;
    }
    return (varying){.over = &w->asked.over, .count = n, .name = called, .start = start, .m = m};
}

static bool all_finite(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

/* Names are read once for a simulation; then only numbers change. */
static dal_status start_again(void *self)
{
    again_job       *j = self;
    running         *r = j->r;
    const dal_sweep *w = r->at->w;
    const double    *number = row_of_member(w, r->who);
    *j->other = !all_finite(number, w->swept); /* what the language has no word for */
    if (*j->other) return DAL_OK;
    if (!r->vary.m) r->vary = varying_of(w, &r->s->m);
    r->vary.number = number;
    return simulation_again(r->s, &w->model->is, &w->asked, &r->vary, j->other);
}

/* The status is that of the member; *other means that it was not begun at all. */
dal_status member_again(running *r, const member_place *at, long who, bool *other)
{
    const dal_sweep *w = at->w;
    again_job        j = {r, other};
    r->at = at, r->who = who, r->ended = DAL_OK, r->begun = true, r->uses++;
    dal_messages_clear(r->cx);
    w->outcome[who].warning = NULL;
    for (int i = 0; i < w->swept; i++) row_of_member(w, who)[i] = members_value(&w->of, i, who);
    return w->outcome[who].status = guarded(r->cx, &r->s->m, start_again, &j);
}
