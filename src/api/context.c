/* context.c - messages and the guard. A failing allocation jumps back here, whatever it happened
 * in. */
#include "api/api.h"
#include "kernel/compiler.h"

#include <fenv.h>
#include <string.h>

const char *dal_version(void)
{
    return DAL_VERSION;
}

void dal_stop_compilers(void)
{
    compilers_end();
}

int dal_trajectory_version(void)
{
    return DAL_TRAJECTORY_VERSION;
}

const char *dal_status_text(dal_status status)
{
    static const char *const texts[] = {
        [DAL_OK] = "success",
        [DAL_SYNTAX] = "the text is not a valid model",
        [DAL_INVALID] = "the model, an option or an argument is invalid",
        [DAL_SINGULAR] = "the equations of a step have no unique solution",
        [DAL_DIVERGED] = "a step could not be solved",
        [DAL_BREAKDOWN] = "the energy principle has no further step",
        [DAL_IO] = "a file could not be read or written",
        [DAL_NOMEM] = "out of memory",
        [DAL_INTERRUPTED] = "interrupted",
    };
    return (size_t)status < sizeof texts / sizeof *texts ? texts[status] : "unknown status";
}

/* Objects. ------------------------------------------------------------------------------------- */

/* The mem of an object is its first member, so that it can be freed as one. */
void *object_new(dal_context *cx, size_t size)
{
    mem *object = cx->heap.resize(cx->heap.self, NULL, size);
    if (!object) {
        cx->no_memory = true;
        return NULL;
    }
    memset(object, 0, size);
    mem_init(object, cx->heap);
    return object;
}

/* The mem goes before the block that holds it. */
void object_free(void *object)
{
    mem     *m = object;
    mem_heap heap = m->heap;
    mem_free(m);
    heap.resize(heap.self, object, 0);
}

/* A context has no owner, so it takes its own block with a heap that is passed by value. */
dal_context *dal_context_new(const dal_allocator *allocator)
{
    mem_heap heap = allocator ? (mem_heap){allocator->resize, allocator->self} : mem_heap_default();
    dal_context  seed = {.heap = heap};
    dal_context *cx = object_new(&seed, sizeof *cx);
    if (!cx) return NULL;
    cx->heap = heap, cx->spare = SPARE_AT_FIRST;
    diags_init(&cx->ds, &cx->m);
    return cx;
}

void dal_context_free(dal_context *cx)
{
    if (cx) object_free(cx);
}

/* The guard. ----------------------------------------------------------------------------------- */

/* Messages point into texts of models and options, which may be freed before they are shown: copy
 * those. */
static dal_status keep_texts(void *job)
{
    dal_context *cx = job;
    for (int i = cx->kept; i < cx->ds.list.n; i++) {
        const source *of = cx->ds.list.at[i].at.of;
        if (!of) continue;
        source *copy = mem_array(&cx->m, 1, source);
        char   *bytes = mem_take(&cx->m, of->length + 1);
        memcpy(bytes, of->text, of->length);
        *copy = (source){mem_printf(&cx->m, "%s", of->file), bytes, of->length};
        for (int k = i; k < cx->ds.list.n; k++)
            if (cx->ds.list.at[k].at.of == of) cx->ds.list.at[k].at.of = copy;
    }
    cx->kept = cx->ds.list.n;
    return DAL_OK;
}

/* Guards nest: an observer may call again from within a call. */
static dal_status run_guarded(dal_context *cx, mem *owner, action *act, void *job)
{
    jmp_buf  here;
    jmp_buf *outer = cx->m.guard, *owner_outer = owner ? owner->guard : NULL;
    cx->m.guard = &here;
    if (owner) owner->guard = &here;
    dal_status status = setjmp(here) ? DAL_NOMEM : act(job);
    cx->m.guard = outer;
    if (owner) owner->guard = owner_outer;
    return status;
}

typedef struct {
    dal_context *cx;
    const mem   *owner;
} full_job;

/* Recorded under a guard of its own, as memory has just run out. */
static dal_status say_full(void *job)
{
    const full_job *j = job;
    limits_report(j->cx, j->owner);
    return DAL_OK;
}

/* Sums that make up for roundoff, and angles that are reduced, need rounding to nearest. Only then
 * are 1 + tiny and 1 - tiny the same: upward the left side is the next number, downward and toward
 * 0 the right is. This costs nothing, where fegetround takes a fifth of a short step. */
dal_status guarded(dal_context *cx, mem *owner, action *act, void *job)
{
    static const volatile double tiny = 1e-30;
    const int                    theirs = 1 + tiny == 1 - tiny ? FE_TONEAREST : fegetround();
    if (theirs != FE_TONEAREST) fesetround(FE_TONEAREST);
    dal_status status = run_guarded(cx, owner, act, job);
    if (theirs != FE_TONEAREST) fesetround(theirs);
    full_job   of = {cx, owner};
    bool       said =
        status == DAL_NOMEM && owner && owner->full && !run_guarded(cx, NULL, say_full, &of);
    if (cx->kept < cx->ds.list.n && run_guarded(cx, NULL, keep_texts, cx)) {
        cx->ds.list.n = cx->kept; /* no room for the texts: rather no message than a dangling one */
        status = DAL_NOMEM;
    }
    if (status == DAL_NOMEM && !said) cx->no_memory = true;
    return status;
}

typedef struct {
    dal_context *cx;
    const char  *call, *argument;
} null_job;

static dal_status say_null(void *job)
{
    const null_job *j = job;
    return diag_error(&j->cx->ds, DAL_INVALID, span_none(), NULL, "%s was called with NULL for %s",
                      j->call, j->argument);
}

/* Without a context there is nobody to tell. */
dal_status is_null(dal_context *cx, const char *call, const char *argument)
{
    null_job job = {cx, call, argument};
    return cx ? guarded(cx, NULL, say_null, &job) : DAL_INVALID;
}

static dal_status say_running(void *job)
{
    const null_job *j = job;
    return diag_error(&j->cx->ds, DAL_INVALID, span_none(),
                      "an observer may read the simulation, and set inputs and parameters",
                      "%s was called while the simulation runs", j->call);
}

dal_status is_running(const dal_sim *s, const char *call)
{
    null_job job = {s->cx, call, NULL};
    return guarded(s->cx, NULL, say_running, &job);
}

/* Messages. ------------------------------------------------------------------------------------ */

size_t dal_message_count(const dal_context *cx)
{
    return cx ? (size_t)cx->ds.list.n + cx->no_memory : 0;
}

/* Out of memory is a message of its own, which needed no memory. */
dal_message dal_message_at(const dal_context *cx, size_t index)
{
    if (index >= dal_message_count(cx)) return (dal_message){.severity = DAL_NOTE, .text = ""};
    if (index >= (size_t)cx->ds.list.n)
        return (dal_message){.severity = DAL_ERROR, .text = dal_status_text(DAL_NOMEM)};
    const diag *d = &cx->ds.list.at[index];
    return (dal_message){(dal_severity)d->kind,
                         d->at.of ? d->at.of->file : NULL,
                         span_line(d->at),
                         span_column(d->at),
                         d->message,
                         d->hint};
}

void dal_messages_clear(dal_context *cx)
{
    if (!cx) return;
    diags_clear(&cx->ds);
    cx->kept = 0, cx->no_memory = false;
}

typedef struct {
    dal_context *cx;
    FILE        *out;
    int          colour;
} report_job;

/* All messages in one piece. */
static dal_status report(void *job)
{
    report_job *r = job;
    text        all = text_new(&r->cx->m);
    diags_print(&r->cx->ds, &all, r->colour);
    fputs(text_str(&all), r->out);
    text_drop(&all);
    return DAL_OK;
}

void dal_report(dal_context *cx, FILE *out, int colour)
{
    if (!cx || !out) return;
    report_job job = {cx, out, colour};
    guarded(cx, NULL, report, &job);
    if (cx->no_memory) fprintf(out, "error: %s\n", dal_status_text(DAL_NOMEM));
}
