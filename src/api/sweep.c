/* sweep.c - a sweep as the caller sees it: what is varied, by key, and what came out, by member and
 * in summary. */
#include "api/sweep.h"

#include "run/engine_table.h"
#include "run/statistics.h"

#include <math.h>
#include <string.h>

enum { REPEATS = DAL_OPTION_REPEATS, THREADS_MOST = 1024 };

static const dal_option rows[] = {
#define OPTION(key, argument, choices, flags, help) {key, argument, choices, help, flags},
#include "api/sweep.def"
#undef OPTION
};
enum { ROWS = sizeof rows / sizeof *rows };

const dal_option *dal_sweep_option_rows(size_t *count)
{
    if (count) *count = ROWS;
    return rows;
}

/* Making and setting. -------------------------------------------------------------------------- */

/* Nothing is read yet; axes are added by dal_sweep_set. */
dal_status dal_sweep_new(const dal_model *m, const dal_options *o, dal_sweep **out)
{
    if (out) *out = NULL;
    NEEDS(o ? o->cx : NULL, m);
    NEEDS(o ? o->cx : m->cx, out);
    dal_context *cx = o ? o->cx : m->cx;
    dal_sweep   *w = object_new(cx, sizeof *w);
    *out = w;
    if (!w) return DAL_NOMEM;
    w->cx = cx, w->model = m, w->threads = 1;
    w->of = (members){.m = &w->m, .ds = &cx->ds};
    options_request(o, &w->asked);
    return DAL_OK;
}

void dal_sweep_free(dal_sweep *w)
{
    if (!w) return;
    dal_sim_free(w->first);
    object_free(w);
}

typedef struct {
    dal_sweep                *w;
    const char               *key, *text;
    const dal_sweep_observer *o;
} job;

/* In the sweep that these members belong to. */
static dal_status set_threads(members *ms, const source *of)
{
    dal_sweep *w = (dal_sweep *)(void *)((char *)ms - offsetof(dal_sweep, of));
    double     n;
    if (!text_is_number(of->text, &n) || n != floor(n) || n < 1 || n > THREADS_MOST)
        return diag_error(ms->ds, DAL_INVALID, source_span(of), NULL,
                          "a whole number from 1 to %d is needed here", THREADS_MOST);
    w->threads = (int)n;
    return DAL_OK;
}

/* Keys are those of sweep.def; what is read is checked at once. */
static dal_status set(void *self)
{
    static const struct {
        const char *key;
        dal_status (*read)(members *, const source *);
    } keys[] = {{"grid", members_grid}, {"random", members_random},  {"members", members_draws},
                {"seed", members_seed}, {"from-csv", members_table}, {"threads", set_threads}};
    job       *j = self;
    dal_sweep *w = j->w;
    if (w->outcome)
        return diag_error(&w->cx->ds, DAL_INVALID, span_none(), NULL,
                          "a sweep that has begun cannot be changed");
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        if (strcmp(keys[k].key, j->key)) continue;
        source *of = mem_array(&w->m, 1, source);
        *of = (source){mem_printf(&w->m, "--%s", j->key), mem_printf(&w->m, "%s", j->text),
                       strlen(j->text)};
        return keys[k].read(&w->of, of);
    }
    return diag_error(&w->cx->ds, DAL_INVALID, span_none(),
                      "grid, random, members, seed, from-csv, threads",
                      "a sweep has no option '%s'", j->key);
}

dal_status dal_sweep_set(dal_sweep *w, const char *key, const char *words)
{
    NEEDS(NULL, w);
    NEEDS(w->cx, key);
    job j = {.w = w, .key = key, .text = words ? words : ""};
    return guarded(w->cx, &w->m, set, &j);
}

/* Running. ------------------------------------------------------------------------------------- */

/* The first member that can begin tells the columns; if there is none, the first says why. */
static dal_status find_columns(dal_sweep *w)
{
    const int  before = w->cx->ds.list.n, errors = w->cx->ds.errors, warnings = w->cx->ds.warnings;
    dal_status first = DAL_OK, bad = DAL_INVALID;
    int        said = before;
    for (long i = 0; i < w->of.count && bad; i++) {
        bad = member_columns(w, i);
        if (i == 0) first = bad, said = w->cx->ds.list.n;
        if (i) w->cx->ds.list.n = said;
    }
    if (!bad) w->cx->ds.list.n = before, w->cx->ds.errors = errors, w->cx->ds.warnings = warnings;
    return bad ? first : DAL_OK;
}

/* Of a run with nothing swept, whatever the members are; 0: it has no end, or is no run. */
static long steps_unswept(dal_sweep *w)
{
    plan   p = {0};
    values val;
    mem   *m = mem_child(&w->m);
    diags  unheard;
    diags_init(&unheard, m);
    dal_status bad = w->model->md->by->evaluate(w->model->md, &w->asked.over, &unheard, m, &val);
    if (!bad) bad = plan_make(&p, &w->asked, &val, &unheard, m);
    mem_free(m);
    return bad || p.steps < 0 ? 0 : p.steps;
}

/* What members run: compiled for all of them, or as each by itself. */
static bool is_native(const dal_sweep *w)
{
    return w->with.block || w->with.alone || (w->first && w->first->engine.native);
}

/* Whoever asked for native code is told why there is none, others only if they have to wait. */
static void tell(dal_sweep *w, bool asked, long steps)
{
    const engine_cost interpreted = engines[GENERAL].cost(&w->first->engine.of, false);
    if (!w->with.no_native || is_native(w)) return;
    if (asked)
        diag_warning(&w->cx->ds, span_none(), NULL,
                     "the virtual machine runs instead of native code: %s", w->with.no_native);
    else if (engine_total(interpreted, (double)steps * (double)w->of.count) > 1)
        diag_note(&w->cx->ds, span_none(), NULL, "native code would be faster, but %s",
                  w->with.no_native);
}

/* Once: members, columns, room for all results, and what is compiled for them. */
static dal_status begin(dal_sweep *w, const dal_sweep_observer *o)
{
    if (!w->model->md)
        return diag_error(&w->cx->ds, DAL_INVALID, span_none(), NULL,
                          "a sweep needs a model in the language; '%s' is made of functions",
                          w->model->is.title);
    dal_status bad = members_settle(&w->of, w->model->md, &w->asked.over);
    if (!bad) bad = find_columns(w);
    if (bad) return bad;
    const size_t cells = (size_t)w->of.count * (size_t)w->columns;
    w->value = mem_resize(&w->m, NULL, (cells + 1) * sizeof *w->value);
    for (size_t k = 0; k < cells; k++) w->value[k] = (double)NAN;
    w->outcome = mem_array(&w->m, w->of.count, outcome);
    const char *how = w->asked.backend ? w->asked.backend->text : "auto";
    const long  steps = steps_unswept(w);
    ensemble_choose(&w->with, &w->m, w->first, steps, o->row, how);
    tell(w, !strcmp(how, "native"), steps);
    return DAL_OK;
}

/* What all ranks must have alike: shares of as many members, which are run in the same way. */
static dal_status agree(dal_sweep *w, dal_status bad)
{
    char as[RANK_WORDS] = "";
    if (!bad)
        snprintf(as, sizeof as, "%ld members of %d columns, run %s", w->of.count, w->columns,
                 w->with.block    ? "in blocks"
                 : is_native(w) ? "by compiled steps"
                                : "by the interpreter");
    return agree_on(w->cx, bad, as);
}

/* A sweep that was interrupted goes on with the members that are not done. */
static dal_status run_all(void *self)
{
    job       *j = self;
    double     began = now_seconds();
    dal_status bad = agree(j->w, j->w->outcome ? DAL_OK : begin(j->w, j->o));
    if (!bad) bad = sweep_threads_run(j->w, j->o);
    j->w->sum.seconds += now_seconds() - began;
    return bad;
}

dal_status dal_sweep_run(dal_sweep *w, const dal_sweep_observer *observer)
{
    NEEDS(NULL, w);
    static const dal_sweep_observer nobody = {0};
    job                             j = {.w = w, .o = observer ? observer : &nobody};
    return guarded(w->cx, &w->m, run_all, &j);
}

/* Results. ------------------------------------------------------------------------------------- */

const dal_sweep_column *dal_sweep_columns(const dal_sweep *w, size_t *count)
{
    if (count) *count = w ? (size_t)w->columns : 0;
    return w ? w->column : NULL;
}

size_t dal_sweep_members(const dal_sweep *w)
{
    return w && w->outcome ? (size_t)w->of.count : 0;
}

dal_member dal_sweep_member(const dal_sweep *w, size_t index)
{
    if (index >= dal_sweep_members(w)) return (dal_member){.index = index, .status = DAL_INVALID};
    const outcome *o = &w->outcome[index];
    return (dal_member){index, o->status, o->error, o->warning, row_of_member(w, (long)index)};
}

/* From the last to the first, so that first_failed and first_warned are the lowest. */
static void count_outcomes(dal_sweep *w)
{
    dal_sweep_summary *sum = &w->sum;
    sum->done = sum->failed = sum->refused = sum->warned = sum->together = 0, sum->steps = 0;
    for (long i = w->of.count - 1; i >= 0 && w->outcome; i--) {
        const outcome *o = &w->outcome[i];
        if (!o->done) continue;
        sum->steps += o->steps;
        sum->done += o->status == DAL_OK;
        sum->refused += o->status == DAL_INVALID;
        sum->failed += o->status != DAL_OK && o->status != DAL_INVALID;
        sum->warned += o->warning != NULL;
        sum->together += o->together;
        if (o->status) sum->first_failed = (size_t)i;
        if (o->warning) sum->first_warned = (size_t)i;
    }
}

/* Statistics over the members that reached their end. */
static dal_status summarise(void *self)
{
    dal_sweep *w = ((job *)self)->w;
    count_outcomes(w);
    w->sum.members = dal_sweep_members(w), w->sum.threads = w->threads;
    w->sum.ranks = w->cx->of ? w->cx->of->count : 1;
    w->sum.columns = (size_t)(w->columns - w->swept);
    w->sum.backend = is_native(w) ? "native" : "vm";
    dal_statistics *all = mem_array(&w->m, w->sum.columns, dal_statistics);
    double         *x = mem_resize(&w->m, NULL, (w->sum.done + 1) * sizeof *x);
    for (size_t c = 0; c < w->sum.columns; c++) {
        size_t n = 0;
        all[c].name = w->column[(size_t)w->swept + c].name;
        for (long i = 0; i < w->of.count && w->outcome; i++)
            if (w->outcome[i].done && !w->outcome[i].status)
                x[n++] = row_of_member(w, i)[(size_t)w->swept + c];
        statistics_of(x, n, &all[c]);
    }
    mem_drop(&w->m, x);
    w->sum.column = all;
    return DAL_OK;
}

const dal_sweep_summary *dal_sweep_summarise(dal_sweep *w)
{
    job j = {.w = w};
    if (!w) return NULL;
    return guarded(w->cx, &w->m, summarise, &j) ? NULL : &w->sum;
}
