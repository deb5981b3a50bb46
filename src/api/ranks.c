/* ranks.c - a context that is one of several ranks. */
#include "api/api.h"

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
    return mine || !all.status ? mine : tell_of_rank(cx, &all);
}
