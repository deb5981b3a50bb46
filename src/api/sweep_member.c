/* sweep_member.c - one member by itself: a simulation with its numbers, in a context of its own, so that members on other
 * threads share nothing with it but the model. */
#include "api/sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const member_place *at;
    long                who;
    dal_context        *cx;
    dal_sim            *s;
    dal_status          ended; /* how the observer or a pause ended it */
} job;

/* Only the ends are looked at, unless rows are recorded or diagnostics are asked for. */
static void watch_the_ends(dal_sim *s, const request *asked, bool rows)
{
    if (!rows) s->plan.record = 0;
    if (!rows && !asked->monitor) s->plan.monitor = s->plan.steps + 1;
}

static dal_status start_member(const dal_sweep *w, long who, dal_sim *s)
{
    request r = w->asked;
    r.over = members_overrides(&w->of, &w->asked.over, who, &s->m);
    dal_status bad = simulation_start(s, &w->model->is, &r);
    if (!bad && s->plan.steps < 0) bad = loop_run(s, NULL); /* says that no end is given */
    return bad;
}

/* Columns. ------------------------------------------------------------------------------------- */

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

dal_status member_columns(dal_sweep *w, long who)
{
    columns_job j = {w, who, object_new(w->cx, sizeof *j.s)};
    if (!j.s) return DAL_NOMEM;
    j.s->cx = w->cx, j.s->ds = &w->cx->ds, j.s->of = w->model;
    dal_status bad = guarded(w->cx, &j.s->m, look_at_columns, &j);
    dal_sim_free(j.s);
    return bad;
}

/* Running. ------------------------------------------------------------------------------------- */

static dal_status on_row(void *self, dal_sim *s)
{
    job *j = self;
    return j->ended = j->at->o->row(j->at->o->self, j->at->worker, (size_t)j->who, s);
}

static dal_status on_step(void *self, dal_sim *s)
{
    job *j = self;
    (void)s;
    return j->ended = j->at->pause(j->at->self);
}

static void take_row(const dal_sweep *w, long who, dal_sim *s)
{
    double *row = row_of_member(w, who);
    for (int i = 0; i < s->columns; i++) row[w->swept + i] = column_value(s, s->column[i]);
    row[w->columns - 1] = s->mon.sum.energy.last - s->mon.sum.energy.first;
}

static dal_status simulate(void *self)
{
    job             *j = self;
    const dal_sweep *w = j->at->w;
    dal_observer     o = {j->at->o->row ? on_row : NULL, on_step, j};
    dal_status       bad = start_member(w, j->who, j->s);
    if (bad) return bad == DAL_IO ? DAL_IO : DAL_INVALID;
    watch_the_ends(j->s, &w->asked, o.row != NULL);
    bad = loop_run(j->s, &o);
    take_row(w, j->who, j->s);
    w->outcome[j->who].steps = j->s->k;
    return bad;
}

static const char *first_message(const job *j, diag_kind kind)
{
    const diags *ds = &j->cx->ds;
    for (int i = 0; i < ds->list.n; i++)
        if (ds->list.at[i].kind == kind) return mem_printf(j->at->notes, "%s", ds->list.at[i].message);
    return NULL;
}

static dal_status keep_messages(void *self)
{
    const job *j = self;
    outcome   *o = &j->at->w->outcome[j->who];
    o->warning = first_message(j, DIAG_WARNING);
    o->error = o->status ? first_message(j, DIAG_ERROR) : NULL;
    return DAL_OK;
}

dal_status member_run(const member_place *at, long who)
{
    const dal_sweep    *w = at->w;
    const mem_heap      heap = w->cx->heap;
    const dal_allocator allocator = {heap.resize, heap.self};
    job                 j = {.at = at, .who = who, .cx = dal_context_new(&allocator)};
    outcome            *o = &w->outcome[who];
    j.s = j.cx ? object_new(j.cx, sizeof *j.s) : NULL;
    dal_status bad = DAL_NOMEM;
    if (j.s) {
        j.s->cx = j.cx, j.s->ds = &j.cx->ds, j.s->of = w->model;
        for (int i = 0; i < w->swept; i++) row_of_member(w, who)[i] = members_value(&w->of, i, who);
        o->status = guarded(j.cx, &j.s->m, simulate, &j);
        bad = j.ended ? j.ended : o->status == DAL_NOMEM || o->status == DAL_IO ? o->status : DAL_OK;
        if (!bad) bad = guarded(j.cx, at->notes, keep_messages, &j);
        dal_sim_free(j.s);
    }
    if (!bad && at->o->last) bad = at->o->last(at->o->self, at->worker, (size_t)who);
    o->done = !bad;
    dal_context_free(j.cx);
    return bad;
}
