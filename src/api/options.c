/* options.c - options by key: rows of options.def, each with the texts it was given. */
#include "api/api.h"

#include <string.h>

enum { REPEATS = DAL_OPTION_REPEATS, SWITCH = DAL_OPTION_SWITCH };

static const dal_option rows[] = {
#define OPTION(key, argument, choices, flags, help) {key, argument, choices, help, flags},
#include "api/options.def"
#undef OPTION
};
enum { ROWS = sizeof rows / sizeof *rows };

const dal_option *dal_option_rows(size_t *count)
{
    if (count) *count = ROWS;
    return rows;
}

/* -1: there is no such key. */
static int row_of(const char *key)
{
    for (int i = 0; i < ROWS; i++)
        if (!strcmp(rows[i].key, key)) return i;
    return -1;
}

/* is `word` one of "a|b|c"? */
static bool among(const char *choices, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = choices; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL)
        if (strcspn(at, "|") == n && !strncmp(at, word, n)) return true;
    return false;
}

/* Making and setting. -------------------------------------------------------------------------- */

typedef struct {
    dal_options *o;
    const char  *key, *text;
} set_job;

static dal_status prepare(void *job)
{
    dal_options *o = job;
    o->value = mem_array(&o->m, ROWS, option_value);
    return DAL_OK;
}

dal_options *dal_options_new(dal_context *cx)
{
    dal_options *o = cx ? object_new(cx, sizeof *o) : NULL;
    if (!o) return NULL;
    o->cx = cx;
    if (!guarded(cx, &o->m, prepare, o)) return o;
    object_free(o);
    return NULL;
}

void dal_options_free(dal_options *o)
{
    if (o) object_free(o);
}

static dal_status unknown_key(dal_context *cx, const char *key)
{
    const char *keys[ROWS];
    for (int i = 0; i < ROWS; i++) keys[i] = rows[i].key;
    const char *near = name_nearest(key, keys, ROWS);
    return diag_error(&cx->ds, DAL_INVALID, span_none(),
                      near ? mem_printf(&cx->m, "did you mean '%s'?", near) : NULL,
                      "there is no option '%s'", key);
}

static source option_source(dal_options *o, const char *key, const char *value)
{
    return (source){mem_printf(&o->m, "--%s", key), mem_printf(&o->m, "%s", value), strlen(value)};
}

/* The text must outlive the message, so that it is kept with the options. */
static dal_status wrong(dal_options *o, source given, const char *what, const char *want)
{
    source *kept = mem_array(&o->m, 1, source);
    *kept = given;
    return diag_error(&o->cx->ds, DAL_INVALID, source_span(kept), want, "'%s' is %s", given.text,
                      what);
}

/* A switch without a value is on. */
static dal_status check_text(dal_options *o, const dal_option *row, source given)
{
    const char *choices = row->choices ? row->choices : row->flags & SWITCH ? "yes|no" : NULL;
    if (!given.text[0])
        return diag_error(&o->cx->ds, DAL_INVALID, span_none(), NULL, "%s needs a value: %s %s",
                          given.file, given.file, row->argument ? row->argument : choices);
    if (choices && !among(choices, given.text))
        return wrong(o, given, "not one of the choices", choices);
    if (row->flags & REPEATS && !strchr(given.text, '='))
        return wrong(o, given, "not an assignment", row->argument);
    return DAL_OK;
}

/* An option that repeats is added, any other is replaced. */
static dal_status set(void *job)
{
    set_job *s = job;
    int      i = row_of(s->key);
    if (i < 0) return unknown_key(s->o->cx, s->key);
    const char *words = s->text ? s->text : rows[i].flags & SWITCH ? "yes" : "";
    source      given = option_source(s->o, s->key, words);
    dal_status  bad = check_text(s->o, &rows[i], given);
    if (bad) return bad;
    if (!(rows[i].flags & REPEATS)) s->o->value[i].text.n = 0;
    vec_push(&s->o->m, s->o->value[i].text, given);
    return DAL_OK;
}

dal_status dal_options_set(dal_options *o, const char *key, const char *value)
{
    NEEDS(NULL, o);
    NEEDS(o->cx, key);
    set_job job = {o, key, value};
    return guarded(o->cx, &o->m, set, &job);
}

/* Reading. ------------------------------------------------------------------------------------- */

/* o NULL: nothing is set. The key must be one of the table. */
static const source *texts_of(const dal_options *o, const char *key, int *count)
{
    const option_value *value = o ? &o->value[row_of(key)] : NULL;
    *count = value ? value->text.n : 0;
    return *count ? value->text.at : NULL;
}

const source *option_text(const dal_options *o, const char *key)
{
    int count;
    return texts_of(o, key, &count);
}

const char *dal_options_get(const dal_options *o, const char *key)
{
    if (!key || row_of(key) < 0) return NULL;
    int           count;
    const source *texts = texts_of(o, key, &count);
    return count ? texts[count - 1].text : NULL;
}

const char *dal_options_at(const dal_options *o, const char *key, size_t index)
{
    if (!key || row_of(key) < 0) return NULL;
    int           count;
    const source *texts = texts_of(o, key, &count);
    return index < (size_t)count ? texts[index].text : NULL;
}

static bool switched_on(const dal_options *o, const char *key)
{
    const char *said = dal_options_get(o, key);
    return said && !strcmp(said, "yes");
}

/* Points into o, which must outlive the request. */
void options_request(const dal_options *o, request *out)
{
    *out = (request){.backend = option_text(o, "backend"),
                     .threads = option_text(o, "threads"),
                     .monitor = option_text(o, "monitor"),
                     .solver = option_text(o, "solver"),
                     .jacobian = option_text(o, "jacobian"),
                     .map = o ? o->map : NULL,
                     .interconnection = option_text(o, "interconnection"),
                     .on_breakdown = option_text(o, "on-breakdown"),
                     .lyapunov = option_text(o, "lyapunov")};
    for (int key = 0; key < SETTINGS; key++)
        out->over.setting[key] = option_text(o, setting_name[key]);
    out->over.set = texts_of(o, "set", &out->over.sets);
    out->over.start = texts_of(o, "start", &out->over.starts);
    out->over.columns = option_text(o, "columns");
    out->input = texts_of(o, "input", &out->inputs);
    out->kept = o ? o->kept : NULL;
    out->project_start = switched_on(o, "project-start");
    out->ledger = switched_on(o, "ledger");
    out->insist = switched_on(o, "insist");
}

void options_copy(mem *m, const dal_options *o, asked_list *out)
{
    for (int i = 0; o && i < ROWS; i++)
        for (int k = 0; k < o->value[i].text.n; k++) {
            const source *of = &o->value[i].text.at[k];
            vec_push(m, *out, (source){rows[i].key, mem_printf(m, "%s", of->text), of->length});
        }
}
