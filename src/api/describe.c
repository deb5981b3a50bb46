/* describe.c - check and show: a text is made under the guard, then written in one piece. */
#include "run/describe.h"
#include "api/api.h"
#include "run/equivalence.h"

#include <errno.h>
#include <string.h>

typedef struct {
    dal_context       *cx;
    mem                m; /* for the description: gone with it */
    const dal_model   *model;
    const dal_options *options;
    const char        *view;      /* NULL: check */
    const source      *potential; /* of the equivalence; NULL: check, or the view */
    FILE              *file;
} describe_job;

static dal_status put(const text *out, FILE *file, diags *ds)
{
    if (!out->n || fwrite(out->at, 1, out->n, file) == out->n) return DAL_OK;
    return diag_error(ds, DAL_IO, span_none(), NULL, "cannot write: %s", strerror(errno));
}

/* What was made before an error is written all the same. */
static dal_status describe(void *self)
{
    describe_job *job = self;
    request       asked;
    text          out = text_new(&job->m);
    options_request(job->options, &asked);
    if (!job->model->md)
        return diag_error(&job->cx->ds, DAL_INVALID, span_none(), NULL,
                          "'%s' is made of functions: there is no text to describe",
                          job->model->is.title);
    description d = {&job->m, &job->model->is, &asked, &job->cx->ds, &out};
    dal_status  bad = job->potential ? describe_equivalence(&d, job->potential)
                      : job->view    ? describe_view(&d, job->view)
                                     : describe_check(&d);
    dal_status  unwritten = put(&out, job->file, &job->cx->ds);
    return unwritten ? unwritten : bad;
}

/* Memory for the description is gone afterwards. */
static dal_status run_job(const dal_model *m, const dal_options *o, const char *view,
                          const source *potential, FILE *file)
{
    describe_job job = {.cx = o ? o->cx : m->cx,
                        .model = m,
                        .options = o,
                        .view = view,
                        .potential = potential,
                        .file = file};
    mem_init(&job.m, job.cx->heap);
    dal_status bad = guarded(job.cx, &job.m, describe, &job);
    mem_free(&job.m);
    return bad;
}

dal_status dal_check(const dal_model *m, const dal_options *o, FILE *out)
{
    NEEDS(o ? o->cx : NULL, m);
    NEEDS(o ? o->cx : m->cx, out);
    return run_job(m, o, NULL, NULL, out);
}

dal_status dal_show(const dal_model *m, const dal_options *o, const char *view, FILE *out)
{
    NEEDS(o ? o->cx : NULL, m);
    NEEDS(o ? o->cx : m->cx, view);
    NEEDS(o ? o->cx : m->cx, out);
    return run_job(m, o, view, NULL, out);
}

dal_status dal_check_equivalence(const dal_model *m, const dal_options *o, const char *potential,
                                 FILE *out)
{
    NEEDS(o ? o->cx : NULL, m);
    NEEDS(o ? o->cx : m->cx, potential);
    NEEDS(o ? o->cx : m->cx, out);
    source words = {"--equivalence", potential, strlen(potential)};
    return run_job(m, o, NULL, &words, out);
}

const dal_view *dal_views(size_t *count)
{
    if (count) *count = (size_t)view_count;
    return views;
}
