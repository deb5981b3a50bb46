/* files.c - the observer of a run: rows to files, progress to the terminal, and an ear for
 * signals. */
#include "run.h"

#include <errno.h>
#include <signal.h>
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
    r->file[0].path = fallback;
    for (int i = 0; i < a->outputs; i++) r->file[i].path = a->output[i];
    r->progress = !a->quiet && !a->json && isatty(STDERR_FILENO);
    r->began = r->looked = r->flushed = seconds();
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
}

static dal_status open_files(recorder *r, dal_sim *s)
{
    for (int i = 0; i < r->files; i++) {
        r->file[i].file = open_output(r->file[i].path);
        if (!r->file[i].file) return DAL_IO;
        dal_status bad = dal_csv_header(s, r->file[i].file);
        if (bad) return bad;
    }
    return DAL_OK;
}

static dal_status write_row(void *self, dal_sim *s)
{
    recorder  *r = self;
    dal_status bad = r->rows++ ? DAL_OK : open_files(r, s);
    for (int i = 0; i < r->files && !bad; i++) bad = dal_csv_row(s, r->file[i].file);
    return bad;
}

bool recorder_close(recorder *r)
{
    if (r->drawn > 0) fputs("\r\033[K", stderr);
    for (int i = 0; i < r->files; i++) {
        if (r->file[i].file && !close_output(r->file[i].file, r->file[i].path)) r->written = false;
        r->file[i].file = NULL;
    }
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
        if (r->file[i].file && fflush(r->file[i].file)) return DAL_IO;
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
