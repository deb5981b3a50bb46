/* models.c - models: texts become immutable models, compiled once for all simulations. */
#include "api/api.h"
#include "lang/load.h"
#include "model/velocities.h"

#include <string.h>

typedef struct {
    dal_model         *m;
    const char        *file, *text; /* text NULL: the file is read */
    const dal_options *options;
} load_job;

/* Where imports are searched: as usual, or as when their texts were kept. */
static const char *const *import_directories(dal_model *m, const dal_options *o, int *count)
{
    if (!o || !o->kept) return parts_directories(&m->m, count);
    const char **copy = mem_array(&m->m, o->directories, const char *);
    for (int i = 0; i < o->directories; i++) copy[i] = mem_printf(&m->m, "%s", o->directory[i]);
    *count = o->directories;
    return copy;
}

/* The options are kept, to be saved with a checkpoint. */
static dal_status load(void *self)
{
    load_job *job = self;
    request   r;
    limits    most;
    int       directories;
    options_request(job->options, &r);
    const dal_options *o = job->options;
    dal_status         bad = limits_read(job->m->cx, o, &most);
    if (bad) return bad;
    job->m->m.most = most.bytes;
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
                             .kept = r.kept,
                             .values = most.values,
                             .bytes = most.bytes};
    return model_load(job->m->cx->heap, &job->m->cx->ds, &rq, &job->m->md);
}

/* What is compiled has velocities in place of momenta where it can; m->md stays as it was written.
 */
static dal_status compile_model(void *self)
{
    load_job  *job = self;
    dal_model *m = job->m;
    const model *run = model_in_velocities(&m->m, m->md);
    m->is = (subject){.md = m->md, .compiled = compile(&m->m, run), .title = m->md->system};
    solved_forms_new(&m->m, run, m->is.solved);
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
    NEEDS(NULL, cx);
    NEEDS(cx, out);
    *out = NULL;
    NEEDS(cx, path);
    return make(cx, (load_job){.file = path, .options = o}, out);
}

dal_status dal_model_parse(dal_context *cx, const char *file, const char *string,
                           const dal_options *o, dal_model **out)
{
    NEEDS(NULL, cx);
    NEEDS(cx, out);
    *out = NULL;
    if (!string) return is_null(cx, __func__, "text");
    return make(cx, (load_job){.file = file ? file : "text", .text = string, .options = o}, out);
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
    return m ? m->is.title : NULL;
}

const char *dal_model_file(const dal_model *m)
{
    return m && m->md ? m->md->file : NULL;
}

const char *dal_model_text(const dal_model *m)
{
    return m && m->md ? m->md->text : NULL;
}

const dal_drawing *dal_drawings(const dal_model *m, size_t *count)
{
    if (count) *count = m && m->md ? (size_t)m->md->drawing.n : 0;
    return m && m->md ? m->md->drawing.at : NULL;
}

size_t dal_drawn(const dal_model *m)
{
    return m && m->md ? (size_t)m->md->drawn : 0;
}

int dal_drawn_dimensions(const dal_model *m)
{
    return !dal_drawn(m) ? 0 : m->md->space ? 3 : 2;
}

size_t dal_model_count(const dal_model *m, dal_kind kind)
{
    if (!m) return 0;
    const model         *md = m->md;
    const dal_callbacks *of = m->is.made ? &m->is.made->given : NULL;
    const int            written[] = {md ? model_written(md) : 0, md ? md->coordinates : 0,
                           md ? md->inputs : 0,        md ? md->outputs : 0,
                           md ? md->symmetries : 0,    md ? md->relations : 0};
    const int            made[] = {of ? of->parameters : 0,
                                   of ? of->coordinates : 0,
                                   of ? of->inputs : 0,
                                   0,
                                   0,
                                   of ? of->constraints + of->holonomic : 0};
    if ((size_t)kind >= sizeof made / sizeof *made) return 0;
    return (size_t)(of ? made : written)[kind];
}

typedef struct {
    const dal_model *m;
    mem             *room;
    dal_kind         kind;
    int              index;
    const char      *name;
    char            *out;
    size_t           size, length;
} name_job;

static const member_kind kinds[] = {MEMBER_PARAMETER, MEMBER_COORDINATE, MEMBER_INPUT,
                                    MEMBER_OUTPUT,    MEMBER_SYMMETRY,   MEMBER_RELATION};

static void put_name(const dal_model *m, dal_kind kind, int index, text *out)
{
    const functions *of = m->is.made;
    if (!of) model_name(m->md, kinds[kind], index, out);
    else functions_name(of, kinds[kind], index, out);
}

/* The length of the whole name, even if less of it was copied. */
static dal_status copy_name(void *self)
{
    name_job *job = self;
    text      word = text_new(job->room);
    put_name(job->m, job->kind, job->index, &word);
    job->length = word.n;
    if (job->size) snprintf(job->out, job->size, "%s", text_str(&word));
    return DAL_OK;
}

static dal_status look_up(void *self)
{
    name_job *job = self;
    job->index = -1;
    if (job->m->is.made)
        job->index = functions_find(job->m->is.made, job->room, kinds[job->kind], job->name);
    else if (!model_find(job->m->md, job->name, kinds[job->kind], &job->index)) job->index = -1;
    return DAL_OK;
}

/* With memory of its own, since threads that share a model may ask for names at the same time. */
static void apart_from_context(name_job *job, action *act)
{
    mem         room;
    dal_context alone = {.heap = job->m->cx->heap};
    mem_init(&room, alone.heap);
    mem_init(&alone.m, alone.heap);
    job->room = &room;
    guarded(&alone, &room, act, job);
    mem_free(&room);
    mem_free(&alone.m);
}

/* As snprintf: returns how long the name is, and writes at most room bytes. */
size_t dal_model_name(const dal_model *m, dal_kind kind, size_t index, char *out, size_t room)
{
    if (!out) room = 0;
    if (room) out[0] = 0;
    if (index >= dal_model_count(m, kind)) return 0;
    name_job job = {.m = m, .kind = kind, .index = (int)index, .out = out, .size = room};
    apart_from_context(&job, copy_name);
    return job.length;
}

long dal_model_find(const dal_model *m, dal_kind kind, const char *word)
{
    if (!word || !dal_model_count(m, kind)) return -1;
    name_job job = {.m = m, .kind = kind, .index = -1, .name = word};
    apart_from_context(&job, look_up);
    return job.index;
}

const char *dal_model_unit(const dal_model *m, dal_kind kind, size_t index)
{
    const bool  none = index >= dal_model_count(m, kind) || m->is.made;
    const char *label = none ? NULL : model_label(m->md, kinds[kind], (int)index);
    return label ? label : "";
}
