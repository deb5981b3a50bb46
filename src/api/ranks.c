/* ranks.c - a context that is one of several ranks. */
#include "api/api.h"
#include "run/engine_table.h"

#include <stdint.h>
#include <string.h>

typedef struct {
    dal_context *cx;
    int         *rank, *count;
} ranks_job;

static dal_status begin(void *self)
{
    const ranks_job   *j = self;
    dal_context       *cx = j->cx;
    ranks             *of = mem_array(&cx->m, 1, ranks);
    char               why[RANK_WORDS];
    int                paths;
    const char *const *path = ranks_files(&cx->m, &paths);
    if (!ranks_begin(of, path, paths, why))
        return diag_error(&cx->ds, DAL_INVALID, span_none(), NULL,
                          "this is one of %d processes that work together, but %s", ranks_started(),
                          why);
    cx->of = of, *j->rank = of->rank, *j->count = of->count;
    return DAL_OK;
}

dal_status dal_ranks_begin(dal_context *cx, int *rank, int *count)
{
    NEEDS(cx, cx);
    NEEDS(cx, rank);
    NEEDS(cx, count);
    *rank = 0, *count = 1;
    ranks_job j = {cx, rank, count};
    return ranks_started() > 1 ? guarded(cx, NULL, begin, &j) : DAL_OK;
}

/* With the first error that the context has. */
static rank_stand stand_of(const dal_context *cx, dal_status status, const char *as)
{
    rank_stand  stand = {.status = (int)status, .rank = cx->of->rank};
    const char *words = status ? dal_status_text(status) : "";
    for (int i = cx->ds.list.n - 1; status && i >= 0; i--)
        if (cx->ds.list.at[i].kind == DIAG_ERROR) words = cx->ds.list.at[i].message;
    snprintf(stand.why, sizeof stand.why, "%s", words);
    snprintf(stand.as, sizeof stand.as, "%s", as);
    return stand;
}

void dal_ranks_end(dal_context *cx, dal_status status)
{
    if (!cx || !cx->of) return;
    const rank_stand mine = stand_of(cx, status, "");
    ranks_end(cx->of, &mine);
    cx->of = NULL;
}

typedef struct {
    dal_context      *cx;
    const rank_stand *of;
} telling;

static dal_status tell(void *self)
{
    const telling   *j = self;
    const dal_status bad = j->of->status ? (dal_status)j->of->status : DAL_INVALID;
    return diag_error(&j->cx->ds, bad, span_none(), NULL, "rank %d: %s", j->of->rank, j->of->why);
}

dal_status tell_of_rank(dal_context *cx, const rank_stand *of)
{
    telling j = {cx, of};
    return guarded(cx, NULL, tell, &j);
}

dal_status agree_on(dal_context *cx, dal_status mine, const char *as)
{
    if (!cx->of) return mine;
    const rank_stand stand = stand_of(cx, mine, as), all = ranks_agree(cx->of, &stand, DAL_INVALID);
    if (mine || !all.status) return mine;
    return all.status == DAL_INTERRUPTED ? DAL_INTERRUPTED : tell_of_rank(cx, &all);
}

/* Runs. ---------------------------------------------------------------------------------------- */

/* Why the engine that shares steps is not the one of this run. */
static const char *not_by_rows(dal_sim *s)
{
    text why = text_new(&s->m);
    if (!engines[LEAPFROG].fits(&s->engine.of, &why)) return text_str(&why);
    return text_str(&s->engine.why[LEAPFROG]);
}

/* What does not go with shared steps; NULL: they can be. */
static const char *not_shared(dal_sim *s)
{
    const step_options *o = &s->plan.method;
    if (o->principle == ENERGY) return "the energy principle chooses the lengths of its steps";
    if (s->pace) return "its steps follow a pace";
    if (s->events) return "it has events";
    if (s->exponents) return "Lyapunov exponents need the tangent of every step";
    if (s->book) return "a ledger reads every step";
    if (o->threads > 1) return "each of the processes has one thread";
    if (s->plan.backend == BACKEND_VM) return "its steps are to be interpreted";
    return s->engine.name == LEAPFROG ? NULL : not_by_rows(s);
}

dal_status agree_on_steps(dal_sim *s, dal_status bad)
{
    const char *why = bad ? NULL : not_shared(s);
    if (why)
        bad = diag_error(s->ds, DAL_INVALID, span_none(), "start it without mpirun",
                         "the steps of this run cannot be shared by %d processes: %s",
                         s->call.ranks->count, why);
    return agree_on(s->cx, bad, bad ? "" : mem_printf(&s->m, "%d coordinates", state_solved(s)->n));
}

static dal_status row_of_all(void *self, dal_sim *s)
{
    const agreement    *a = self;
    const dal_observer *o = a->theirs;
    return agree_on(a->cx, o && o->row ? o->row(o->self, s) : DAL_OK, "");
}

static dal_status step_of_all(void *self, dal_sim *s)
{
    const agreement    *a = self;
    const dal_observer *o = a->theirs;
    return agree_on(a->cx, o->step(o->self, s), "");
}

static dal_status wait_of_all(void *self, dal_sim *s)
{
    const agreement    *a = self;
    const dal_observer *o = a->theirs;
    return agree_on(a->cx, o && o->wait ? o->wait(o->self, s) : DAL_OK, "");
}

/* All of them have the same callbacks, or none. */
dal_observer observer_of_ranks(const agreement *of)
{
    const dal_observer *o = of->theirs;
    return (dal_observer){.row = o && o->row ? row_of_all : NULL,
                          .step = o && o->step ? step_of_all : NULL,
                          .wait = wait_of_all,
                          .self = (void *)(uintptr_t)of};
}
