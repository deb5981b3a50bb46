/* origin.c - where a report gets its numbers: from a result that knows its model, from one that is
 * told it, or from a model that is run for it. */
#include "report.h"

#include "run.h"

#include <stdlib.h>
#include <string.h>

static bool is_model(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strcmp(dot, ".dal");
}

/* Running a model: its rows are kept as a table, its notes as those of a file. -------------------
 */

typedef struct {
    table  *t;
    double *row;
    long    room;
} memory;

static int nothing(table *t)
{
    (void)t;
    return GO_ON;
}

static void nothing_more(table *t)
{
    (void)t;
}

static const reader kept = {"", nothing, nothing, nothing_more};

static dal_status keep_row(void *self, dal_sim *s)
{
    memory *m = self;
    if (m->t->rows == m->room) {
        m->room = m->room ? 2 * m->room : 1024;
        table_room(m->t, m->room);
    }
    dal_row(s, m->row);
    for (int k = 0; k < m->t->columns; k++) m->t->cell[k][m->t->rows] = m->row[k];
    m->t->rows++;
    return DAL_OK;
}

static void take_notes(result *r)
{
    notes n;
    notes_take(&n, r->model, r->options, r->sim);
    notes_end(&n, r->sim, r->cx);
    for (int i = 0; i < NOTES; i++) table_add_note(&r->rows, n.of[i].key, n.of[i].text);
    table_add_note(&r->rows, "summary", n.summary);
    notes_free(&n);
}

static int run_model(result *r, const char *path)
{
    size_t     columns;
    dal_status bad = dal_model_load(r->cx, path, r->options, &r->model);
    if (!bad) bad = dal_sim_new(r->model, r->options, &r->sim);
    if (bad) return exit_code_unrun(bad);
    const dal_column *c = dal_columns(r->sim, &columns);
    r->rows = (table){.path = path, .kind = &kept};
    for (size_t i = 0; i < columns; i++) table_add_column(&r->rows, c[i].name, c[i].unit);
    r->rows.wanted = need(NULL, columns + 1, sizeof *r->rows.wanted);
    r->rows.cell = need(NULL, columns + 1, sizeof *r->rows.cell);
    for (size_t i = 0; i < columns; i++) r->rows.wanted[i] = true, r->rows.cell[i] = NULL;
    memory       m = {&r->rows, need(NULL, columns, sizeof *m.row), 0};
    dal_observer watch = {.row = keep_row, .self = &m};
    bad = dal_run(r->sim, &watch);
    r->ran = true;
    free(m.row);
    take_notes(r);
    if (bad == DAL_NOMEM) return EXIT_FAILED;
    return exit_code(bad) == EXIT_WRONG ? EXIT_WRONG : GO_ON;
}

/* Reading a result. ---------------------------------------------------------------------------- */

/* The options that the run was given. */
static dal_status set_options(dal_options *o, const char *text)
{
    json_t     *all = text ? json_loads(text, 0, NULL) : NULL, *value, *one;
    const char *key;
    size_t      i;
    dal_status  bad = DAL_OK;
    json_object_foreach(all, key, value)
    {
        if (!bad && json_is_string(value)) bad = dal_options_set(o, key, json_string_value(value));
        json_array_foreach(value, i, one)
            if (!bad) bad = dal_options_set(o, key, json_string_value(one));
    }
    json_decref(all);
    return bad;
}

/* Messages of a model that is only needed for its equations and pictures go to the page. */
static void lose_model(result *r, const char *why)
{
    size_t n = dal_message_count(r->cx);
    r->lost = n ? text("%s: %s", why, dal_message_at(r->cx, n - 1).text) : text("%s", why);
    dal_messages_clear(r->cx);
}

static void find_model(result *r, const char *told)
{
    const char *words = table_note(&r->rows, "model"), *file = table_note(&r->rows, "file"),
               *system = table_note(&r->rows, "system");
    dal_status bad = DAL_OK;
    if (!told && (!words || !*words)) {
        lose_model(r, "the file does not say which model it belongs to");
        return;
    }
    if (!told) bad = set_options(r->options, table_note(&r->rows, "options"));
    if (!bad && !told && system && *system) bad = dal_options_set(r->options, "system", system);
    if (!bad)
        bad = told ? dal_model_load(r->cx, told, r->options, &r->model)
                   : dal_model_parse(r->cx, file && *file ? file : "model", words, r->options,
                                     &r->model);
    if (!bad) bad = dal_sim_new(r->model, r->options, &r->sim);
    if (bad == DAL_NOMEM) no_memory();
    if (bad) lose_model(r, "the model cannot be read again");
}

static int read_rows(result *r, const char *path)
{
    int code = table_open(&r->rows, path);
    for (int k = 0; code == GO_ON && k < r->rows.columns; k++) r->rows.wanted[k] = true;
    return code == GO_ON ? table_read(&r->rows) : code;
}

static void read_summary(result *r)
{
    const char *said = table_note(&r->rows, "summary");
    if (said) r->summary = json_loads(said, 0, NULL);
}

static int read_result(result *r, const char *path, const char *model)
{
    int code = read_rows(r, path);
    if (code != GO_ON) return code;
    if (!model && !table_note(&r->rows, "model"))
        return complain(
            "%s does not say which model it belongs to: add --model MODEL.dal, or write the "
            "result as .h5 or .npz",
            path);
    find_model(r, model);
    if (r->model) table_add_units(&r->rows, r->model);
    return model && !r->model ? complain("%s", r->lost) : GO_ON;
}

int result_open(result *r, const arguments *a, const char *path)
{
    const char *model = own_value(a, "model");
    *r = (result){.cx = a->cx, .options = a->options};
    if (is_model(path) && model)
        return complain("--model is for results without a model of their own; %s is a model", path);
    if (!is_model(path) && !model) r->options = dal_options_new(a->cx);
    if (!r->options) no_memory();
    int code = is_model(path) ? run_model(r, path) : read_result(r, path, model);
    read_summary(r);
    if (!r->ran) events_of_summary(&r->happened, r->summary);
    return code;
}

const dal_event *result_events(const result *r, size_t *count)
{
    if (r->ran) return dal_events(r->sim, count);
    return *count = r->happened.count, r->happened.at;
}

int result_of_run(result *r, const arguments *a, const char *file, dal_model *m, dal_sim *s)
{
    *r = (result){
        .cx = a->cx, .options = a->options, .model = m, .sim = s, .borrowed = true, .ran = true};
    int code = read_rows(r, file);
    if (code == GO_ON && !table_note(&r->rows, "summary")) take_notes(r);
    if (code == GO_ON) read_summary(r), table_add_units(&r->rows, m);
    return code;
}

void result_close(result *r)
{
    if (!r->borrowed) dal_sim_free(r->sim), dal_model_free(r->model);
    events_free(&r->happened);
    json_decref(r->summary);
    free(r->lost);
    table_free(&r->rows);
}
