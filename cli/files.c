/* files.c - the observer of a run: rows to files, progress to the terminal, and an ear for
 * signals. */
#include "run.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A signal asks the run to stop after the present step; a second one ends the program at once. */
static volatile sig_atomic_t stop_asked;

static void on_signal(int number)
{
    stop_asked = 1;
    signal(number, SIG_DFL);
}

void signals_listen(void)
{
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
}

bool signals_ask_to_stop(void)
{
    return stop_asked;
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool output_name(const char *model, char *out, size_t room)
{
    const char *slash = strrchr(model, '/'), *base = slash ? slash + 1 : model,
               *dot = strrchr(base, '.');
    int length = dot && dot > base ? (int)(dot - base) : (int)strlen(base);
    int n = snprintf(out, room, "%.*s.csv", length, base);
    return n > 0 && (size_t)n < room;
}

/* Files. --------------------------------------------------------------------------------------- */

void recorder_init(recorder *r, const arguments *a, char *fallback)
{
    *r = (recorder){.files = a->outputs ? a->outputs : 1, .stride = 1, .next = 1, .written = true};
    r->path[0] = fallback;
    for (int i = 0; i < a->outputs; i++) r->path[i] = a->output[i];
    r->progress = !a->quiet && !a->json && isatty(STDERR_FILENO);
    r->began = r->looked = r->flushed = seconds();
    signals_listen();
}

bool recorder_begin(recorder *r, const arguments *a, const dal_model *m, dal_sim *s)
{
    size_t columns;
    dal_columns(s, &columns);
    r->row = malloc(columns * sizeof *r->row);
    notes_take(&r->about, m, a->options, s);
    if (!r->row) complain("out of memory");
    return r->row;
}

static dal_status open_files(recorder *r, dal_sim *s)
{
    for (int i = 0; i < r->files; i++)
        if (!writer_open(&r->file[i], r->path[i], s, &r->about, 0)) return DAL_IO;
    return DAL_OK;
}

static dal_status write_row(void *self, dal_sim *s)
{
    recorder *r = self;
    if (!r->rows++ && open_files(r, s)) return DAL_IO;
    dal_row(s, r->row);
    for (int i = 0; i < r->files; i++)
        if (!writer_row(&r->file[i], r->row)) return DAL_IO;
    return DAL_OK;
}

bool recorder_close(recorder *r, dal_sim *s, const dal_context *cx)
{
    if (r->drawn > 0) fputs("\r\033[K", stderr);
    notes_end(&r->about, s, cx);
    for (int i = 0; i < r->files; i++)
        if (!writer_close(&r->file[i])) r->written = false;
    notes_free(&r->about);
    free(r->row);
    return r->written;
}

/* Between the steps. --------------------------------------------------------------------------- */

static void draw_progress(recorder *r, dal_sim *s, double now)
{
    double done = (double)dal_steps(s) / (double)dal_steps_planned(s);
    if (done > 1) done = 1; /* the plan is a guess where steps choose their length */
    if (now - r->began < 1 || now - r->drawn < 0.1) return;
    r->drawn = now;
    fprintf(stderr, "\r\033[K%3.0f%%  t = %.6g  %.0f s left", 100 * done, dal_time(s),
            (now - r->began) * (1 - done) / done);
    fflush(stderr);
}

/* What is computed is on the disk a second later, and a failing write is noticed then. */
static dal_status flush_files(recorder *r, double now)
{
    if (now - r->flushed < 1) return DAL_OK;
    r->flushed = now;
    for (int i = 0; i < r->files; i++)
        if (!writer_flush(&r->file[i])) return DAL_IO;
    return DAL_OK;
}

/* Looks at the clock about every 20 ms, however long a step takes. */
static dal_status after_step(void *self, dal_sim *s)
{
    recorder *r = self;
    if (stop_asked) return DAL_INTERRUPTED;
    if (dal_steps(s) < r->next) return DAL_OK;
    double now = seconds();
    if (now - r->looked < 0.01) r->stride *= 2;
    else if (now - r->looked > 0.04 && r->stride > 1) r->stride /= 2;
    r->looked = now, r->next = dal_steps(s) + r->stride;
    if (r->progress) draw_progress(r, s, now);
    return flush_files(r, now);
}

dal_observer recorder_observer(recorder *r)
{
    return (dal_observer){write_row, after_step, r};
}
