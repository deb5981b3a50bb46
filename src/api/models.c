/* models.c - models: texts become immutable models, compiled once for all simulations. */
#include "api/api.h"
#include "lang/load.h"

#include <string.h>

typedef struct {
    dal_model         *m;
    const char        *file, *text; /* text NULL: the file is read */
    const dal_options *options;
} load_job;

/* Where imports are looked for: as ever, or as it was when their texts were kept. */
static const char *const *import_directories(dal_model *m, const dal_options *o, int *count)
{
    if (!o || !o->kept) return parts_directories(&m->m, count);
    const char **copy = mem_array(&m->m, o->directories, const char *);
    for (int i = 0; i < o->directories; i++) copy[i] = mem_printf(&m->m, "%s", o->directory[i]);
    *count = o->directories;
    return copy;
}

static dal_status load(void *self)
{
    load_job *job = self;
    request   r;
    int       directories;
    options_request(job->options, &r);
    const dal_options *o = job->options;
    const char *const *directory = import_directories(job->m, o, &directories);
    job->m->directory = directory, job->m->directories = directories;
    options_copy(&job->m->m, o, &job->m->asked);
    load_request       rq = {.file = job->file,
                             .text = job->text,
                             .length = job->text ? strlen(job->text) : 0,
                             .system = dal_options_get(job->options, "system"),
                             .directory = directory,
                             .directories = directories,
                             .over = &r.over,
                             .kept = r.kept};
    return model_load(job->m->cx->heap, &job->m->cx->ds, &rq, &job->m->md);
}

static dal_status compile_model(void *self)
{
    load_job  *job = self;
    dal_model *m = job->m;
    m->is = (subject){.md = m->md, .compiled = compile(&m->m, m->md), .title = m->md->system};
    solved_forms_new(&m->m, m->md, m->is.solved);
    return DAL_OK;
}

static dal_status make(dal_context *cx, load_job job, dal_model **out)
{
    *out = NULL;
    job.m = object_new(cx, sizeof *job.m);
    if (!job.m) return DAL_NOMEM;
    job.m->cx = cx;
    double     begin = now_seconds();
    dal_status bad = guarded(cx, &job.m->m, load, &job);
    if (!bad) bad = guarded(cx, &job.m->m, compile_model, &job);
    job.m->is.seconds = now_seconds() - begin;
    if (bad) dal_model_free(job.m);
    else *out = job.m;
    return bad;
}

dal_status dal_model_load(dal_context *cx, const char *path, const dal_options *o, dal_model **out)
{
    return make(cx, (load_job){.file = path, .options = o}, out);
}

dal_status dal_model_parse(dal_context *cx, const char *file, const char *string,
                           const dal_options *o, dal_model **out)
{
    return make(cx, (load_job){.file = file, .text = string, .options = o}, out);
}

void dal_model_free(dal_model *m)
{
    if (!m) return;
    if (m->md) model_free(m->md);
    object_free(m);
}

/* What is in it. ------------------------------------------------------------------------------- */

const char *dal_model_system(const dal_model *m)
{
    return m->is.title;
}

const char *dal_model_file(const dal_model *m)
{
    return m->md ? m->md->file : NULL;
}

const char *dal_model_text(const dal_model *m)
{
    return m->md ? m->md->text : NULL;
}

size_t dal_model_count(const dal_model *m, dal_kind kind)
{
    const model *md = m->md;
    if (!md) return kind == DAL_COORDINATES ? (size_t)m->is.sys->n : 0;
    const int counts[] = {md->parameters, md->coordinates, md->inputs,
                          md->outputs,    md->symmetries,  md->relations};
    return (size_t)kind < sizeof counts / sizeof *counts ? (size_t)counts[kind] : 0;
}

typedef struct {
    const dal_model *m;
    member_kind      kind;
    int              index;
    char            *out;
    size_t           room, length;
} name_job;

static dal_status copy_name(void *self)
{
    name_job         *job = self;
    text              word = text_new(&job->m->cx->m);
    const dal_system *sys = job->m->is.sys;
    if (job->m->md) model_name(job->m->md, job->kind, job->index, &word);
    else sys->coordinate_name(sys->self, job->index, &word);
    job->length = word.n;
    if (job->room) snprintf(job->out, job->room, "%s", text_str(&word));
    text_drop(&word);
    return DAL_OK;
}

size_t dal_model_name(const dal_model *m, dal_kind kind, size_t index, char *out, size_t room)
{
    static const member_kind kinds[] = {MEMBER_PARAMETER, MEMBER_COORDINATE, MEMBER_INPUT,
                                        MEMBER_OUTPUT,    MEMBER_SYMMETRY,   MEMBER_RELATION};
    if (room) out[0] = 0;
    if (index >= dal_model_count(m, kind)) return 0;
    name_job job = {m, kinds[kind], (int)index, out, room, 0};
    guarded(m->cx, NULL, copy_name, &job);
    return job.length;
}
