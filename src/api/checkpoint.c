/* checkpoint.c - checkpoints: the state of a simulation, and before it the texts and options that
 * it was made of, so that nothing else is needed to go on. */
#include "api/api.h"

#include "base/file.h"
#include "run/save.h"

#include <string.h>

struct dal_checkpoint {
    mem          m;
    dal_context *cx;
    const char  *path; /* in messages */
    char        *bytes;
    size_t       length;
};

/* What it was made of. ------------------------------------------------------------------------- */

enum { LISTED_MOST = 1000000 };

/* One text of a list, "texts[3].name". Returns it, or what was read. */
static const char *listed(archive *r, const char *list, int i, const char *which, const char *words)
{
    char called[ARCHIVE_NAME_MOST];
    snprintf(called, sizeof called, "%s[%d].%s", list, i, which);
    archive_text(r, called, &words);
    return words;
}

/* Name and bytes of one text, written or read. */
static void listed_source(archive *r, int i, source *of)
{
    char called[ARCHIVE_NAME_MOST];
    snprintf(called, sizeof called, "texts[%d].text", i);
    of->file = listed(r, "texts", i, "name", of->file);
    archive_bytes(r, called, &of->text, &of->length);
}

/* A count that no checkpoint can have is damage, and must not become a loop. */
static int list_length(archive *r, const char *list, int count)
{
    archive_int(r, list, &count);
    if (count < 0 || count > LISTED_MOST) archive_refuse(r, "its list of %s is damaged", list);
    return r->bad ? 0 : count;
}

/* Keys and values in the order in which they were set. */
static void save_options(archive *r, const char *list, const asked_list *asked)
{
    list_length(r, list, asked->n);
    for (int i = 0; i < asked->n; i++) {
        listed(r, list, i, "key", asked->at[i].file);
        listed(r, list, i, "value", asked->at[i].text);
    }
}

/* Files of the model, then the tables of inputs. */
static void save_texts(archive *r, const dal_sim *s)
{
    const int files = s->md ? s->md->source.n : 0;
    list_length(r, "texts", files + s->follow.n);
    for (int i = 0; i < files + s->follow.n; i++) {
        source of = i < files ? *s->md->source.at[i] : *s->follow.at[i - files].file;
        listed_source(r, i, &of);
    }
}

/* All that is needed to make the simulation again; before the state, so that it can be read
 * alone. */
static void save_origin(archive *r, const dal_sim *s)
{
    const char *version = DAL_VERSION, *file = s->md ? s->md->file : "";
    archive_text(r, "version", &version);
    archive_int(r, "trajectories", &(int){DAL_TRAJECTORY_VERSION});
    archive_text(r, "file", &file);
    save_options(r, "model options", &s->of->asked);
    save_options(r, "options", &s->asked);
    save_texts(r, s);
    list_length(r, "directories", s->of->directories);
    for (int i = 0; i < s->of->directories; i++)
        listed(r, "directories", i, "name", s->of->directory[i]);
    list_length(r, "notes", s->notes.n);
    for (int i = 0; i < s->notes.n; i++) {
        listed(r, "notes", i, "key", s->notes.at[i].key);
        listed(r, "notes", i, "value", s->notes.at[i].value);
    }
}

/* Saving. -------------------------------------------------------------------------------------- */

typedef struct {
    dal_sim              *s;
    const dal_checkpoint *c;
    const char           *path, *key, *value;
} job;

/* The archive stays with the simulation: its memory is used again by the next one. */
static dal_status save(void *self)
{
    job     *j = self;
    archive *r = &j->s->saved;
    archive_write_to(r, &j->s->m);
    save_origin(r, j->s);
    simulation_archive(j->s, r);
    archive_close(r);
    const char *reason = j->path ? file_replace(&j->s->m, j->path, r->at, r->n) : NULL;
    if (!reason) return DAL_OK;
    return diag_error(j->s->ds, DAL_IO, span_none(), NULL, "cannot write the checkpoint %s: %s",
                      j->path, reason);
}

/* The file is replaced as a whole, so that a crash leaves the old one or the new one. */
dal_status dal_sim_save(dal_sim *s, const char *path)
{
    NEEDS(NULL, s);
    NEEDS(s->cx, path);
    job j = {.s = s, .path = path};
    return guarded(s->cx, &s->m, save, &j);
}

/* The bytes are valid until the next save. */
dal_status dal_sim_save_to_memory(dal_sim *s, const void **bytes, size_t *length)
{
    NEEDS(NULL, s);
    NEEDS(s->cx, bytes);
    NEEDS(s->cx, length);
    job        j = {.s = s};
    dal_status bad = guarded(s->cx, &s->m, save, &j);
    *bytes = bad ? NULL : s->saved.at, *length = bad ? 0 : s->saved.n;
    return bad;
}

/* Notes. --------------------------------------------------------------------------------------- */

/* -1: there is none. */
static int note_at(const dal_sim *s, const char *key)
{
    for (int i = 0; i < s->notes.n; i++)
        if (!strcmp(s->notes.at[i].key, key)) return i;
    return -1;
}

/* The values change often: each has a block of its own. */
static dal_status put_note(void *self)
{
    job   *j = self;
    int    i = note_at(j->s, j->key);
    size_t length = strlen(j->value) + 1;
    if (i < 0) {
        i = j->s->notes.n;
        vec_push(&j->s->m, j->s->notes, (note){mem_printf(&j->s->m, "%s", j->key), NULL});
    }
    note *of = &j->s->notes.at[i];
    if (of->value && !strcmp(of->value, j->value)) return DAL_OK; /* it may be the very same */
    char *value = mem_resize(&j->s->m, NULL, length);
    memcpy(value, j->value, length);
    mem_drop(&j->s->m, of->value);
    of->value = value;
    return DAL_OK;
}

dal_status dal_sim_note(dal_sim *s, const char *key, const char *words)
{
    NEEDS(NULL, s);
    NEEDS(s->cx, key);
    if (!words) return is_null(s->cx, __func__, "text");
    job j = {.s = s, .key = key, .value = words};
    return guarded(s->cx, &s->m, put_note, &j);
}

const char *dal_sim_note_of(const dal_sim *s, const char *key)
{
    int i = s && key ? note_at(s, key) : -1;
    return i < 0 ? NULL : s->notes.at[i].value;
}

/* Reading. ------------------------------------------------------------------------------------- */

/* The file is named in every message, as it was given. */
static dal_status refuse(const dal_checkpoint *c, dal_status status, const archive *r)
{
    return diag_error(&c->cx->ds, status, span_none(), NULL, "cannot resume from %s: %s", c->path,
                      text_str(&r->why));
}

typedef struct {
    dal_checkpoint *c;
    const char     *path;
    const void     *bytes;
    size_t          length;
} read_job;

/* Bytes of a caller are copied, so that they are aligned and stay. */
static dal_status take_bytes(void *self)
{
    read_job       *j = self;
    dal_checkpoint *c = j->c;
    const char     *reason = NULL;
    archive         r;
    c->path = mem_printf(&c->m, "%s", j->path ? j->path : "the checkpoint");
    if (j->path) c->bytes = file_read(&c->m, j->path, &c->length, &reason);
    else {
        c->bytes = mem_resize(&c->m, NULL, j->length + 1), c->length = j->length;
        if (j->length) memcpy(c->bytes, j->bytes, j->length);
    }
    if (reason)
        return diag_error(&c->cx->ds, DAL_IO, span_none(), NULL, "cannot read '%s': %s", j->path,
                          reason);
    return archive_read_from(&r, &c->m, c->bytes, c->length) ? DAL_OK : refuse(c, DAL_IO, &r);
}

/* *out is NULL on failure, and everything that was taken is freed. */
static dal_status open_checkpoint(dal_context *cx, read_job j, dal_checkpoint **out)
{
    *out = NULL;
    j.c = object_new(cx, sizeof *j.c);
    if (!j.c) return DAL_NOMEM;
    j.c->cx = cx;
    dal_status bad = guarded(cx, &j.c->m, take_bytes, &j);
    if (bad) dal_checkpoint_free(j.c);
    else *out = j.c;
    return bad;
}

dal_status dal_checkpoint_load(dal_context *cx, const char *path, dal_checkpoint **out)
{
    NEEDS(NULL, cx);
    NEEDS(cx, out);
    *out = NULL;
    NEEDS(cx, path);
    return open_checkpoint(cx, (read_job){.path = path}, out);
}

dal_status dal_checkpoint_parse(dal_context *cx, const void *bytes, size_t length,
                                dal_checkpoint **out)
{
    NEEDS(NULL, cx);
    NEEDS(cx, out);
    *out = NULL;
    NEEDS(cx, bytes);
    return open_checkpoint(cx, (read_job){.bytes = bytes, .length = length}, out);
}

void dal_checkpoint_free(dal_checkpoint *c)
{
    if (c) object_free(c);
}

/* Restoring. ----------------------------------------------------------------------------------- */

/* The simulation must be of the same run; otherwise it is left as it was. */
static dal_status restore(void *self)
{
    job    *j = self;
    archive r;
    archive_read_from(&r, &j->s->m, j->c->bytes, j->c->length);
    simulation_archive(j->s, &r);
    int notes = list_length(&r, "notes", 0);
    for (int i = 0; i < notes && !r.bad; i++) {
        job one = {.s = j->s,
                   .key = listed(&r, "notes", i, "key", ""),
                   .value = listed(&r, "notes", i, "value", "")};
        if (!r.bad) put_note(&one);
    }
    return r.bad ? refuse(j->c, DAL_INVALID, &r) : DAL_OK;
}

dal_status dal_sim_restore(dal_sim *s, const dal_checkpoint *c)
{
    NEEDS(NULL, s);
    NEEDS(s->cx, c);
    RESTS(s);
    job j = {.s = s, .c = c};
    return guarded(s->cx, &s->m, restore, &j);
}

/* Resuming. ------------------------------------------------------------------------------------ */

typedef struct {
    const dal_checkpoint *c;
    dal_options          *of_model, *of_sim;
    const char           *file;
} resume_job;

/* The model is read from these texts later, not from files that may have changed. */
static void read_texts(archive *r, dal_options *o)
{
    const int n = list_length(r, "texts", 0);
    source   *at = mem_array(&o->m, n, source);
    o->kept = mem_array(&o->m, 1, kept_texts);
    for (int i = 0; i < n && !r->bad; i++) {
        at[i].file = at[i].text = "";
        listed_source(r, i, &at[i]);
    }
    *o->kept = (kept_texts){n, at};
    o->directories = list_length(r, "directories", 0);
    o->directory = mem_array(&o->m, o->directories, const char *);
    for (int i = 0; i < o->directories; i++)
        o->directory[i] = listed(r, "directories", i, "name", "");
}

/* The options are checked again, as if they were given now. */
static dal_status read_options(archive *r, const char *list, dal_options *o)
{
    dal_status bad = DAL_OK;
    const int  n = list_length(r, list, 0);
    for (int i = 0; i < n && !bad && !r->bad; i++) {
        const char *key = listed(r, list, i, "key", ""), *value = listed(r, list, i, "value", "");
        bad = r->bad ? DAL_OK : dal_options_set(o, key, value);
    }
    return bad;
}

static dal_status copy_options(void *self)
{
    resume_job *j = self;
    archive     r;
    archive_read_from(&r, &j->of_sim->m, j->c->bytes, j->c->length);
    dal_status bad = read_options(&r, "options", j->of_sim);
    return r.bad ? refuse(j->c, DAL_IO, &r) : bad;
}

dal_status dal_checkpoint_options(const dal_checkpoint *c, dal_options *o)
{
    NEEDS(NULL, c);
    NEEDS(c->cx, o);
    resume_job j = {.c = c, .of_sim = o};
    return guarded(c->cx, &o->m, copy_options, &j);
}

/* Another version and another text are both allowed, and told. */
static void warn_of_changes(const resume_job *j, const char *version, int trajectories)
{
    diags      *ds = &j->c->cx->ds;
    kept_texts *kept = j->of_sim->kept;
    if (trajectories != DAL_TRAJECTORY_VERSION)
        diag_warning(ds, span_none(), NULL,
                     "%s was written by version %s; this is %s, whose numbers differ in "
                     "their last digits, and so will the rest of the run",
                     j->c->path, version, DAL_VERSION);
    for (int i = 0; i < kept->n; i++)
        if (file_differs(&j->of_sim->m, kept->at[i].file, kept->at[i].text, kept->at[i].length))
            diag_warning(
                ds, span_none(), NULL,
                "%s has changed since the run began; the run continues with the model as it was then",
                kept->at[i].file);
}

/* Everything before the state: versions, options, texts. */
static dal_status read_origin(void *self)
{
    resume_job *j = self;
    const char *version = "";
    int         trajectories = 0;
    archive     r;
    archive_read_from(&r, &j->of_sim->m, j->c->bytes, j->c->length);
    archive_text(&r, "version", &version);
    archive_int(&r, "trajectories", &trajectories);
    archive_text(&r, "file", &j->file);
    dal_status bad = read_options(&r, "model options", j->of_model);
    if (!bad) bad = read_options(&r, "options", j->of_sim);
    read_texts(&r, j->of_sim);
    j->of_model->kept = j->of_sim->kept;
    j->of_model->directory = j->of_sim->directory,
    j->of_model->directories = j->of_sim->directories;
    if (!r.bad && j->file && !j->file[0])
        archive_refuse(&r, "its model is made of functions: create it again, and use "
                           "dal_sim_restore");
    if (r.bad) return refuse(j->c, DAL_IO, &r);
    warn_of_changes(j, version, trajectories);
    return bad;
}

/* The state is restored into a simulation that was made as the first one was. */
static dal_status remake(const resume_job *j, dal_model **m, dal_sim **s)
{
    dal_status bad = dal_model_load(j->c->cx, j->file, j->of_model, m);
    if (!bad) bad = dal_sim_new(*m, j->of_sim, s);
    if (!bad) bad = dal_sim_restore(*s, j->c);
    return bad;
}

/* Both are the caller's on success, and NULL on failure. */
dal_status dal_checkpoint_resume(const dal_checkpoint *c, dal_model **m, dal_sim **s)
{
    NEEDS(NULL, c);
    NEEDS(c->cx, m);
    NEEDS(c->cx, s);
    resume_job j = {.c = c, .of_model = dal_options_new(c->cx), .of_sim = dal_options_new(c->cx)};
    dal_status bad = j.of_model && j.of_sim ? DAL_OK : DAL_NOMEM;
    *m = NULL, *s = NULL;
    if (!bad) bad = guarded(c->cx, &j.of_sim->m, read_origin, &j);
    if (!bad) bad = remake(&j, m, s);
    if (bad) {
        dal_sim_free(*s), dal_model_free(*m);
        *m = NULL, *s = NULL;
    }
    dal_options_free(j.of_model), dal_options_free(j.of_sim);
    return bad;
}
