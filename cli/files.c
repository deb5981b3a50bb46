/* files.c - the observer of a run: rows to files, progress to the terminal, and an ear for
 * signals. */
#include "run.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A signal asks the run to stop after the present step; a second one ends the program at once. */
static volatile sig_atomic_t stop_asked;

/* Nothing but what a signal handler may do; the second signal finds the default again. */
static void on_signal(int number)
{
    stop_asked = 1;
    signal(number, SIG_DFL);
}

void signals_listen(void)
{
    waiting_end();
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

/* MODEL.csv for dir/MODEL.dal: always in the working directory. False: too long. */
bool output_name(const char *model, const char *suffix, char *out, size_t room)
{
    if (is_standard(model)) model = "stdin";
    const char *slash = strrchr(model, '/'), *base = slash ? slash + 1 : model,
               *dot = strrchr(base, '.');
    int length = dot && dot > base ? (int)(dot - base) : (int)strlen(base);
    int n = snprintf(out, room, "%.*s%s", length, base, suffix);
    return n > 0 && (size_t)n < room;
}

/* Files. --------------------------------------------------------------------------------------- */

/* Progress only where a person looks at the terminal. */
static void start(recorder *r, const arguments *a)
{
    r->stride = r->next = 1, r->written = true;
    r->progress = !a->quiet && !a->json && isatty(STDERR_FILENO);
    r->began = r->looked = r->flushed = r->keep.last = seconds();
    signals_listen();
}

/* Without -o one file, under the fallback name; its room is the caller's. */
void recorder_init(recorder *r, const arguments *a, char *fallback)
{
    *r = (recorder){.files = a->outputs || !fallback ? a->outputs : 1};
    r->path[0] = fallback;
    for (int i = 0; i < a->outputs; i++) r->path[i] = a->output[i];
    if (a->rank) r->silent = true, r->files = 0;
    start(r, a);
}

/* After this the recorder takes rows; files are opened with the first one. */
void recorder_begin(recorder *r, const arguments *a, const dal_model *m, dal_sim *s)
{
    size_t columns;
    dal_columns(s, &columns);
    r->row = need(NULL, columns, sizeof *r->row);
    for (int i = 0; i < r->files; i++) r->noted |= writer_keeps_notes(r->path[i]);
    if (r->noted) notes_take(&r->about, m, a->options, s); /* a million parameters take seconds */
    if (r->progress) dal_measure(s, "energy", &r->energy);
    r->first_step = dal_steps(s);
}

dal_status recorder_failed(const writer *w)
{
    return w->bad ? w->bad : DAL_IO;
}

/* The first file that cannot be opened ends the run. */
dal_status recorder_open(recorder *r, dal_sim *s)
{
    r->opened = true;
    for (int i = 0; i < r->files; i++)
        if (!writer_open(&r->file[i], r->path[i], s, &r->about, r->keep.path))
            return recorder_failed(&r->file[i]);
    return DAL_OK;
}

static dal_status write_row(void *self, dal_sim *s)
{
    recorder  *r = self;
    dal_status bad = r->opened ? DAL_OK : recorder_open(r, s);
    if (bad) return bad;
    r->rows++;
    dal_row(s, r->row);
    for (int i = 0; i < r->files; i++)
        if (!writer_row(&r->file[i], r->row)) return recorder_failed(&r->file[i]);
    return DAL_OK;
}

/* False: some row was lost. Everything is freed all the same. */
bool recorder_close(recorder *r, dal_sim *s, const dal_context *cx)
{
    if (r->drawn > 0) fputs("\r\033[K", stderr);
    if (r->noted) notes_end(&r->about, s, cx);
    for (int i = 0; i < r->files; i++)
        if (!writer_close(&r->file[i])) r->written = false;
    notes_free(&r->about);
    free(r->row);
    return r->written;
}

/* Checkpoints. --------------------------------------------------------------------------------- */

/* A pipe has none, and needs none. */
static void to_disk(const char *path)
{
    int file = strcmp(path, "-") ? open(path, O_RDONLY | O_NONBLOCK) : -1;
    if (file < 0) return;
    fsync(file);
    close(file);
}

/* The rows are on the disk before the checkpoint that counts on them. */
static dal_status save(recorder *r, dal_sim *s, double now)
{
    if (r->silent) return DAL_OK;
    for (int i = 0; i < r->files; i++) {
        if (!writer_flush(&r->file[i])) return DAL_IO;
        to_disk(r->path[i]);
    }
    dal_status bad = files_note(r, s);
    return bad ? bad : keeper_save(&r->keep, s, now);
}

dal_status recorder_keep_end(recorder *r, dal_sim *s)
{
    return r->keep.path ? save(r, s, seconds()) : DAL_OK;
}

/* Between the steps. --------------------------------------------------------------------------- */

/* [#####     ]  50%  t = 12.5  1.2e+06 steps/s  energy +3.1e-09  8 s left */
static void draw_progress(recorder *r, dal_sim *s, double now)
{
    static const char full[] = "####################", none[] = "                    ";
    enum { WIDE = sizeof full - 1 };
    double done = (double)dal_steps(s) / (double)dal_steps_planned(s), energy = NAN;
    if (done > 1) done = 1; /* the plan is a guess where steps choose their length */
    if (now - r->began < 1 || now - r->drawn < 0.1) return;
    int    marks = (int)(done * WIDE);
    double spent = now - r->began, steps = (double)(dal_steps(s) - r->first_step);
    r->drawn = now;
    dal_measure(s, "energy", &energy);
    fprintf(stderr, "\r\033[K[%.*s%.*s] %3.0f%%  t = %.6g  %.3g steps/s  energy %+.1e  %.0f s left",
            marks, full, WIDE - marks, none, 100 * done, dal_time(s), steps / spent,
            energy - r->energy,
            steps > 0 ? spent / steps * (double)(dal_steps_planned(s) - dal_steps(s)) : 0.0);
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
    if (stop_asked || keeper_due_by_steps(&r->keep, dal_steps(s))) {
        dal_status bad = r->keep.path ? save(r, s, seconds()) : DAL_OK;
        if (bad || stop_asked) return bad ? bad : DAL_INTERRUPTED;
    }
    if (dal_steps(s) < r->next) return DAL_OK;
    double now = seconds();
    if (now - r->looked < 0.01) r->stride *= 2;
    else if (now - r->looked > 0.04 && r->stride > 1) r->stride /= 2;
    r->looked = now, r->next = dal_steps(s) + r->stride;
    if (r->progress) draw_progress(r, s, now);
    return keeper_due_by_clock(&r->keep, now) ? save(r, s, now) : flush_files(r, now);
}

dal_observer recorder_observer(recorder *r)
{
    return (dal_observer){.row = write_row, .wait = after_step, .self = r};
}
