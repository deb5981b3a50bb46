/* simulate.c - simulations and runs: each call is its counterpart in src/run, under the guard. */
#include "api/api.h"
#include "run/corners.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include "api/retractions.h"

typedef struct {
    dal_sim            *s;
    const dal_model    *model;
    const dal_options  *options;
    const dal_observer *observer;
    FILE               *file;
    const char         *name;
    double             *out;
    long                count;
    const dal_event    *events;
    size_t              listed;
} job;

/* Retractions are copied too: options may be freed while the simulation lives. */
static dal_status begin(void *self)
{
    job    *j = self;
    request r;
    limits  most;
    if (limits_read(j->s->cx, j->options, &most)) return DAL_INVALID;
    if (limits_foresee(j->s->cx, most, (int)dal_model_count(j->model, DAL_COORDINATES))) return DAL_NOMEM;
    j->s->m.most = most.bytes;
    options_request(j->options, &r);
    options_copy(&j->s->m, j->options, &j->s->asked);
    if (r.map) {
        retraction_map *kept = mem_array(&j->s->m, 1, retraction_map);
        *kept = retraction_of(&j->s->m, r.map->self);
        r.map = kept;
    }
    dal_status bad = simulation_start(j->s, &j->model->is, &r);
    if (j->s->call.ranks) bad = agree_on_steps(j->s, bad);
    if (!bad) unused_options_note(j->s, &j->model->is, &r);
    if (!bad) corners_note(j->s);
    return bad;
}

dal_status dal_sim_new(const dal_model *m, const dal_options *o, dal_sim **out)
{
    if (out) *out = NULL;
    NEEDS(o ? o->cx : NULL, m);
    NEEDS(o ? o->cx : m->cx, out);
    dal_context *cx = o ? o->cx : m->cx;
    dal_sim     *s = object_new(cx, sizeof *s);
    *out = NULL;
    if (!s) return DAL_NOMEM;
    s->cx = cx, s->ds = &cx->ds, s->of = m, s->call.spare = &cx->spare, s->call.ranks = cx->of;
    job        j = {.s = s, .model = m, .options = o};
    dal_status bad = guarded(cx, &s->m, begin, &j);
    if (bad) dal_sim_free(s);
    else *out = s;
    return bad;
}

void dal_sim_free(dal_sim *s)
{
    if (!s) return;
    simulation_end(s);
    object_free(s);
}

/* Stepping and running. ------------------------------------------------------------------------ */

static dal_status step(void *self)
{
    return simulation_some(((job *)self)->s, 1);
}

dal_status dal_step(dal_sim *s)
{
    NEEDS(NULL, s);
    RESTS(s);
    job j = {.s = s};
    return guarded(s->cx, &s->m, step, &j);
}

static dal_status advance(void *self)
{
    job *j = self;
    if (j->count < 0 || j->count > LONG_MAX - j->s->k)
        return diag_error(j->s->ds, DAL_INVALID, span_none(),
                          "the count must be 0 or more", "%ld steps cannot be made",
                          j->count);
    return simulation_advance(j->s, j->count);
}

dal_status dal_advance(dal_sim *s, long count)
{
    NEEDS(NULL, s);
    RESTS(s);
    job j = {.s = s, .count = count};
    return guarded(s->cx, &s->m, advance, &j);
}

/* s->call.running keeps an observer from stepping. */
static dal_status run_loop(void *self)
{
    job             *j = self;
    const agreement  of = {j->s->cx, j->observer};
    const dal_observer all = observer_of_ranks(&of);
    return loop_run(j->s, j->s->call.ranks ? &all : j->observer);
}

dal_status dal_run(dal_sim *s, const dal_observer *observer)
{
    NEEDS(NULL, s);
    RESTS(s);
    job j = {.s = s, .observer = observer};
    s->call.running = true;
    dal_status status = guarded(s->cx, &s->m, run_loop, &j);
    s->call.running = false;
    return status;
}

/* Rows into memory. */
typedef struct {
    const dal_observer *theirs;
    double             *row;
    size_t              width, room, count;
    double              waited;
} filling;

/* No room for another row interrupts the run; the next call goes on from there. */
static dal_status fill_row(void *self, dal_sim *s)
{
    filling *f = self;
    dal_row(s, f->row + f->count++ * f->width);
    s->call.pausing = f->count == f->room;
    return s->call.pausing ? DAL_INTERRUPTED : DAL_OK;
}

static dal_status fill_step(void *self, dal_sim *s)
{
    const dal_observer *o = ((filling *)self)->theirs;
    return o->step(o->self, s);
}

/* Asked at most fifty times a second: whoever waits may be slow. */
static dal_status fill_wait(void *self, dal_sim *s)
{
    static const double OFTEN = 0.02; /* seconds */
    filling            *f = self;
    const double        now = now_seconds();
    if (now - f->waited < OFTEN) return DAL_OK;
    f->waited = now;
    return f->theirs->wait(f->theirs->self, s);
}

dal_status dal_run_rows(dal_sim *s, const dal_observer *observer, double *rows, size_t room,
                        size_t *count)
{
    if (count) *count = 0;
    NEEDS(NULL, s);
    NEEDS(s->cx, rows);
    NEEDS(s->cx, count);
    if (!room) return is_null(s->cx, __func__, "room");
    filling      f = {observer, rows, (size_t)s->columns, room, 0, now_seconds()};
    dal_observer mine = {.row = fill_row, .self = &f};
    if (observer && observer->step) mine.step = fill_step;
    if (observer && observer->wait) mine.wait = fill_wait;
    dal_status status = dal_run(s, &mine);
    *count = f.count;
    return status;
}

double dal_time(const dal_sim *s)
{
    return s ? s->t : (double)NAN;
}

long dal_steps(const dal_sim *s)
{
    return s ? s->k : 0;
}

typedef struct {
    dal_sim    *s;
    const char *key, *text;
    bool        spare;
} extend_job;

/* A new end is a text with a place, like an option. */
static dal_status extend(void *self)
{
    extend_job *j = self;
    const bool  time = !strcmp(j->key, "until");
    if (!time && strcmp(j->key, "steps"))
        return diag_error(j->s->ds, DAL_INVALID, span_none(), NULL,
                          "the end is until or steps, not '%s'", j->key);
    source *of = mem_array(&j->s->m, 1, source);
    *of = (source){mem_printf(&j->s->m, "--%s", j->key), mem_printf(&j->s->m, "%s", j->text),
                   strlen(j->text)};
    return simulation_extend(j->s, time, of, &j->spare);
}

dal_status dal_sim_extend(dal_sim *s, const char *key, const char *words, int *spare)
{
    NEEDS(NULL, s);
    NEEDS(s->cx, key);
    if (!words) return is_null(s->cx, __func__, "text");
    extend_job j = {s, key, words, false};
    dal_status bad = guarded(s->cx, &s->m, extend, &j);
    if (spare) *spare = j.spare;
    return bad;
}

long dal_steps_planned(const dal_sim *s)
{
    return s ? s->plan.steps : -1;
}

/* State. --------------------------------------------------------------------------------------- */

size_t dal_size(const dal_sim *s)
{
    return s ? (size_t)s->sys->n : 0;
}

const double *dal_q(const dal_sim *s)
{
    return s ? state_q(s) : NULL;
}

const double *dal_p(const dal_sim *s)
{
    return s ? state_p(s) : NULL;
}

const double *dal_v(const dal_sim *s)
{
    return s ? state_v(s) : NULL;
}

const double *dal_parameters(const dal_sim *s)
{
    return s ? s->val.parameter : NULL;
}

/* Results. ------------------------------------------------------------------------------------- */

static dal_status measure(void *self)
{
    job   *j = self;
    column c;
    if (!column_find(j->s, j->name, &c))
        return diag_error(
            j->s->ds, DAL_INVALID, span_none(), NULL,
            "there is no quantity '%s': coordinates, p(..), outputs, symmetries, named "
            "relations and energy can be measured",
            j->name);
    *j->out = column_value(j->s, c);
    return DAL_OK;
}

dal_status dal_measure(dal_sim *s, const char *what, double *out)
{
    NEEDS(NULL, s);
    if (!what) return is_null(s->cx, __func__, "name");
    NEEDS(s->cx, out);
    job j = {.s = s, .name = what, .out = out};
    return guarded(s->cx, &s->m, measure, &j);
}

static dal_status prepare_drawing(void *self)
{
    dal_sim *s = self;
    bound_prepare_drawing(s->bound, &s->m);
    return DAL_OK;
}

/* Without memory nothing is written. */
void dal_draw(dal_sim *s, double t, const double *q, double *out)
{
    if (!s || !s->md || !s->md->drawn || !q || !out) return;
    if (!guarded(s->cx, &s->m, prepare_drawing, s)) bound_draw(s->bound, t, q, out);
}

typedef struct {
    mem           m; /* for the positions: gone with them */
    dal_sim      *s;
    const double *row;
    double       *out;
} draw_job;

static dal_status draw_row(void *self)
{
    draw_job     *j = self;
    const double *q = positions_of_row(&j->m, j->s, j->row);
    if (q) bound_draw(j->s->bound, j->row[0], q, j->out);
    return q ? DAL_OK : DAL_INVALID;
}

dal_status dal_draw_row(dal_sim *s, const double *row, double *out)
{
    NEEDS(NULL, s);
    NEEDS(s->cx, row);
    NEEDS(s->cx, out);
    draw_job j = {.s = s, .row = row, .out = out};
    if (!s->md || !s->md->drawn) return DAL_OK;
    dal_status bad = guarded(s->cx, &s->m, prepare_drawing, s);
    if (bad) return bad;
    mem_init(&j.m, s->cx->heap);
    bad = guarded(s->cx, &j.m, draw_row, &j);
    mem_free(&j.m);
    return bad;
}

const dal_column *dal_columns(const dal_sim *s, size_t *count)
{
    if (count) *count = s ? (size_t)s->columns : 0;
    return s ? s->shown : NULL;
}

void dal_row(dal_sim *s, double *out)
{
    if (s && out) column_values(s, out);
}

static dal_status write_header(void *self)
{
    job *j = self;
    return csv_header(j->s, j->file);
}

static dal_status write_row(void *self)
{
    job *j = self;
    return csv_row(j->s, j->file);
}

dal_status dal_csv_header(dal_sim *s, FILE *out)
{
    NEEDS(NULL, s);
    NEEDS(s->cx, out);
    job j = {.s = s, .file = out};
    return guarded(s->cx, &s->m, write_header, &j);
}

dal_status dal_csv_row(dal_sim *s, FILE *out)
{
    NEEDS(NULL, s);
    NEEDS(s->cx, out);
    job j = {.s = s, .file = out};
    return guarded(s->cx, &s->m, write_row, &j);
}

const dal_summary *dal_summarise(dal_sim *s)
{
    return s ? monitor_summary(s) : NULL;
}

static dal_status list_events(void *of)
{
    job *j = of;
    j->events = events_list(j->s, &j->listed);
    return DAL_OK;
}

const dal_event *dal_events(dal_sim *s, size_t *count)
{
    job j = {.s = s};
    if (count) *count = 0;
    if (!s || !count || guarded(s->cx, &s->m, list_events, &j)) return NULL;
    *count = j.listed;
    return j.events;
}

const dal_ledger *dal_ledger_of(dal_sim *s)
{
    return s ? ledger_read(s) : NULL;
}
