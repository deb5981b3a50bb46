/* study.c - the runs of a study: a model that the program carries, options, and every row kept. */
#include "embedded.h"
#include "reproduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void study_init(study *s, const study_row *row)
{
    *s = (study){.row = row};
}

static void record_free(record *r)
{
    for (int k = 0; k < r->columns; k++) free(r->name[k]), free(r->cell[k]);
    free(r->name), free(r->cell), free(r->model), free(r->message), free(r);
}

void study_free(study *s)
{
    for (int i = 0; i < s->findings; i++)
        free(s->finding[i].what), free(s->finding[i].printed), free(s->finding[i].ours);
    for (int i = 0; i < s->charts; i++) chart_free(s->chart[i]);
    for (int i = 0; i < s->records; i++) record_free(s->record[i]);
    free(s->finding), free(s->chart), free(s->record), free(s->failure);
}

static void name_columns(record *r, dal_sim *s)
{
    size_t            count;
    const dal_column *column = dal_columns(s, &count);
    r->columns = (int)count;
    r->name = need(NULL, count, sizeof *r->name);
    r->cell = need(NULL, count, sizeof *r->cell);
    for (size_t k = 0; k < count; k++) r->name[k] = text("%s", column[k].name), r->cell[k] = NULL;
}

static dal_status keep_row(void *self, dal_sim *s)
{
    record *r = self;
    if (!r->columns) name_columns(r, s);
    if (r->rows >= r->room) {
        r->room = r->room ? 2 * r->room : 256;
        for (int k = 0; k < r->columns; k++)
            r->cell[k] = need(r->cell[k], (size_t)r->room, sizeof **r->cell);
    }
    double *row = need(NULL, (size_t)r->columns, sizeof *row);
    dal_row(s, row);
    for (int k = 0; k < r->columns; k++) /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
        r->cell[k][r->rows] = row[k];    /* there is room */
    free(row);
    r->rows++;
    return DAL_OK;
}

/* "key=value; key=value": a value may hold = itself. */
static dal_status set_options(dal_options *o, const char *list)
{
    char      *copy = text("%s", list), *rest = copy;
    dal_status bad = DAL_OK;
    while (!bad && *rest) {
        char *end = strchr(rest, ';'), *equal = strchr(rest, '=');
        if (end) *end = 0;
        if (equal) *equal = 0;
        bad = dal_options_set(o, rest, equal ? equal + 1 : NULL);
        rest = end ? end + 1 + strspn(end + 1, " ") : strchr(equal ? equal + 1 : rest, 0);
    }
    free(copy);
    return bad;
}

static dal_status run_into(record *r, dal_context *cx, const char *options)
{
    char                *path = text("examples/%s.dal", r->model);
    const embedded_file *f = embedded(path);
    dal_options         *o = dal_options_new(cx);
    dal_model           *m = NULL;
    dal_sim             *s = NULL;
    dal_status           bad = o && f ? set_options(o, options) : DAL_NOMEM;
    if (!bad) bad = dal_model_parse(cx, path, f->data, o, &m);
    if (!bad) bad = dal_sim_new(m, o, &s);
    if (!bad) bad = dal_run(s, &(dal_observer){.row = keep_row, .self = r});
    if (s) r->end = *dal_summarise(s);
    dal_sim_free(s), dal_model_free(m), dal_options_free(o), free(path);
    return bad;
}

static record *study_record(study *s, const char *model)
{
    record *r = need(NULL, 1, sizeof *r);
    *r = (record){.model = text("%s", model)};
    s->record = need(s->record, (size_t)s->records + 1, sizeof *s->record);
    return s->record[s->records++] = r;
}

static const record *run_model(study *s, const char *model, const char *options, bool may_fail)
{
    record      *r = study_record(s, model);
    dal_context *cx = dal_context_new(NULL);
    r->status = cx ? run_into(r, cx, options) : DAL_NOMEM;
    if (r->status == DAL_NOMEM) no_memory();
    for (size_t i = 0; i < dal_message_count(cx) && !r->message; i++)
        if (dal_message_at(cx, i).severity == DAL_ERROR)
            r->message = text("%s", dal_message_at(cx, i).text);
    if (r->status && !may_fail && !s->failure)
        s->failure = text("%s with %s: %s", model, options,
                          r->message ? r->message : dal_status_text(r->status));
    dal_context_free(cx);
    return r;
}

const record *study_run(study *s, const char *model, const char *options)
{
    return run_model(s, model, options, false);
}

const record *study_attempt(study *s, const char *model, const char *options)
{
    return run_model(s, model, options, true);
}

/* Of a run that failed at once there are no rows, and nobody reads them. */
const double *record_column(const record *r, const char *name)
{
    static const double nothing = 0;
    for (int k = 0; k < r->columns; k++)
        if (!strcmp(r->name[k], name)) return r->cell[k];
    if (!r->rows) return &nothing;
    complain("%s has no column %s", r->model, name);
    exit(EXIT_FAILED);
}

double record_last(const record *r, const char *name)
{
    const double *x = record_column(r, name);
    return r->rows ? x[r->rows - 1] : (double)NAN;
}

double largest_gap(const double *x, const double *y, long n)
{
    double gap = 0;
    for (long i = 0; i < n; i++) gap = fmax(gap, fabs(x[i] - (y ? y[i] : 0)));
    return gap;
}

range range_of(const double *x, long n)
{
    range r = {INFINITY, -INFINITY};
    for (long i = 0; i < n; i++)
        if (isfinite(x[i])) r.least = fmin(r.least, x[i]), r.most = fmax(r.most, x[i]);
    return r;
}
