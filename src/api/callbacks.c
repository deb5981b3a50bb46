/* callbacks.c - models made of a caller's functions; model/functions/functions.c does the work. */
#include "api/api.h"

typedef struct {
    dal_model           *m;
    const dal_callbacks *given;
} make_job;

/* Under the guard, as everything below that allocates: what fails jumps back to guarded(). */
static dal_status make(void *self)
{
    make_job *job = self;
    text      why = text_new(&job->m->cx->m);
    double    begin = now_seconds();
    job->m->is.made = functions_new(&job->m->m, job->given, &why);
    if (!job->m->is.made)
        return diag_error(&job->m->cx->ds, DAL_INVALID, span_none(), NULL, "%s", text_str(&why));
    text_drop(&why);
    job->m->is.title = job->m->is.made->given.name;
    job->m->is.seconds = now_seconds() - begin;
    return DAL_OK;
}

dal_status dal_model_from_callbacks(dal_context *cx, const dal_callbacks *callbacks,
                                    dal_model **out)
{
    NEEDS(NULL, cx);
    NEEDS(cx, out);
    *out = NULL;
    NEEDS(cx, callbacks);
    make_job job = {object_new(cx, sizeof *job.m), callbacks};
    if (!job.m) return DAL_NOMEM;
    job.m->cx = cx;
    dal_status bad = guarded(cx, &job.m->m, make, &job);
    if (bad) dal_model_free(job.m);
    else *out = job.m;
    return bad;
}
