/* sweep_files.c - the observer of a sweep: members to tables, trajectories to files of their own,
 * progress to the terminal. */
#include "sweep.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Choosing. ------------------------------------------------------------------------------------ */

static bool is_directory(const char *path)
{
    struct stat s;
    size_t      n = strlen(path);
    return (n && path[n - 1] == '/') || (!stat(path, &s) && S_ISDIR(s.st_mode));
}

static int choose_one(sweep_files *f, const arguments *a, const char *path)
{
    const char *dot = strrchr(path, '.');
    if (!path[0])
        return complain("-o needs the name of a file, or of a directory with / at its end");
    if (!strcmp(path, a->word[0]) && !is_standard(path))
        return complain("-o %s would overwrite the model", path);
    if (is_directory(path)) {
        if (f->directory) return complain("give only one directory for trajectories");
        f->directory = path;
        return GO_ON;
    }
    if (dot && (!strcmp(dot, ".npy") || !strcmp(dot, ".npz")))
        return complain("%s: a table of members is written as .csv or .h5", path);
    const bool hdf5 = dot && !strcmp(dot, ".h5");
    if (!writer_kind_of(path)) return EXIT_WRONG;
    if (!strcmp(path, "-") && a->json)
        return complain("-o - and --json both write to standard output; write the table to a file");
    f->table[f->tables++] = (table_file){.path = path, .hdf5 = hdf5};
    return GO_ON;
}

/* "a/b.dal" -> "b_sweep.csv"; in a directory of trajectories it is members.csv */
static bool name_table(const sweep_files *f, const char *model, char *out, size_t room)
{
    int n;
    if (f->directory) {
        n = snprintf(out, room, "%s%smembers.csv", f->directory,
                     f->directory[strlen(f->directory) - 1] == '/' ? "" : "/");
        return n > 0 && (size_t)n < room;
    }
    if (!output_name(model, ".csv", out, room)) return false;
    n = (int)strlen(out) - 4;
    return (size_t)n + 11 <= room && snprintf(out + n, room - (size_t)n, "_sweep.csv") > 0;
}

int sweep_files_choose(sweep_files *f, const arguments *a, char *fallback, size_t room)
{
    int code = GO_ON;
    for (int i = 0; i < a->outputs && code == GO_ON; i++) code = choose_one(f, a, a->output[i]);
    if (code != GO_ON) return code;
    if (!f->tables) {
        if (!name_table(f, a->word[0], fallback, room))
            return complain("the name of %s is too long; give -o FILE", a->word[0]);
        f->table[f->tables++].path = fallback;
    }
    if (f->directory && mkdir(f->directory, 0777) && errno != EEXIST) {
        complain("cannot make the directory %s: %s", f->directory, strerror(errno));
        return EXIT_IO;
    }
    f->progress = !a->quiet && !a->json && isatty(STDERR_FILENO);
    return GO_ON;
}

/* The table. ----------------------------------------------------------------------------------- */

static void put_name(FILE *out, const char *name)
{
    if (!name[strcspn(name, ",\"\n")]) {
        fputs(name, out);
        return;
    }
    fputc('"', out);
    for (; *name; name++) fputs(*name == '"' ? "\"\"" : (char[]){*name, 0}, out);
    fputc('"', out);
}

static dal_status put_header(sweep_files *f, FILE *out)
{
    size_t                  count;
    const dal_sweep_column *c = dal_sweep_columns(f->sweep, &count);
    fputs("member", out);
    for (size_t i = 0; i < count; i++) fputc(',', out), put_name(out, c[i].name);
    return fputs(",status\n", out) < 0 ? DAL_IO : DAL_OK;
}

static dal_status put_member(sweep_files *f, const dal_member *m, FILE *out)
{
    size_t count;
    dal_sweep_columns(f->sweep, &count);
    fprintf(out, "%zu", m->index);
    for (size_t i = 0; i < count; i++) {
        if (isnan(m->value[i])) fputs(",nan", out);
        else fprintf(out, ",%.17g", m->value[i]);
    }
    return fprintf(out, ",%s\n", member_word(m)) < 0 ? DAL_IO : DAL_OK;
}

/* The files are opened with the first member, so that nothing is left behind when nothing is run.
 */
static dal_status open_tables(sweep_files *f)
{
    dal_status bad = DAL_OK;
    for (int i = 0; i < f->tables && !bad; i++) {
        if (f->table[i].hdf5) continue;
        f->table[i].file = open_rows(f->table[i].path);
        bad = f->table[i].file ? put_header(f, f->table[i].file) : DAL_IO;
    }
    return bad;
}

static dal_status on_member(void *self, const dal_member *m)
{
    sweep_files *f = self;
    dal_status   bad = f->rows++ ? DAL_OK : open_tables(f);
    for (int i = 0; i < f->tables && !bad; i++)
        if (f->table[i].file) bad = put_member(f, m, f->table[i].file);
    return bad;
}

/* Trajectories. -------------------------------------------------------------------------------- */

static bool name_trajectory(const sweep_files *f, size_t member, char path[OUTPUT_NAME_MOST])
{
    const char *slash = f->directory[strlen(f->directory) - 1] == '/' ? "" : "/";
    int n = snprintf(path, OUTPUT_NAME_MOST, "%s%smember-%06zu.csv", f->directory, slash, member);
    return n > 0 && n < OUTPUT_NAME_MOST;
}

static FILE *open_trajectory(const sweep_files *f, size_t member)
{
    char path[OUTPUT_NAME_MOST];
    if (name_trajectory(f, member, path)) return open_rows(path);
    complain("the name of the directory %s is too long", f->directory);
    return NULL;
}

static dal_status on_row(void *self, int worker, size_t member, dal_sim *s)
{
    sweep_files *f = self;
    FILE       **out = &f->trajectory[worker];
    if (!*out) {
        *out = open_trajectory(f, member);
        dal_status bad = *out ? dal_csv_header(s, *out) : DAL_IO;
        if (bad) return bad;
    }
    return dal_csv_row(s, *out);
}

static dal_status on_last(void *self, int worker, size_t member)
{
    sweep_files *f = self;
    FILE        *out = f->trajectory[worker];
    char         path[OUTPUT_NAME_MOST];
    f->trajectory[worker] = NULL;
    if (!out) return DAL_OK;
    name_trajectory(f, member, path);
    return close_output(out, path) ? DAL_OK : DAL_IO;
}

/* Meanwhile. ----------------------------------------------------------------------------------- */

static void draw_progress(sweep_files *f, size_t done, size_t members, double now)
{
    if (now - f->began < 1 || now - f->drawn < 0.1) return;
    f->drawn = now;
    fprintf(stderr, "\r\033[K%3.0f%%  %zu of %zu members", 100 * (double)done / (double)members,
            done, members);
    if (done)
        fprintf(stderr, "  %.0f s left",
                (now - f->began) * (double)(members - done) / (double)done);
    fflush(stderr);
}

/* Called first when members are about to begin. */
static dal_status on_wait(void *self, size_t done, size_t members)
{
    sweep_files *f = self;
    double       now = seconds();
    if (f->began == 0) f->began = f->flushed = now, signals_listen();
    if (f->progress) draw_progress(f, done, members, now);
    if (now - f->flushed > 1) {
        f->flushed = now;
        for (int i = 0; i < f->tables; i++)
            if (f->table[i].file && fflush(f->table[i].file)) return DAL_IO;
    }
    return signals_ask_to_stop() ? DAL_INTERRUPTED : DAL_OK;
}

dal_sweep_observer sweep_files_observer(sweep_files *f)
{
    if (!f->directory) return (dal_sweep_observer){.member = on_member, .wait = on_wait, .self = f};
    return (dal_sweep_observer){on_row, on_last, on_member, on_wait, f};
}

bool sweep_files_close(sweep_files *f, bool whole)
{
    bool fine = true;
    if (f->drawn > 0) fputs("\r\033[K", stderr);
    for (int i = 0; i < f->tables; i++) {
        if (f->table[i].file && !close_output(f->table[i].file, f->table[i].path)) fine = false;
        f->table[i].file = NULL;
        if (f->table[i].hdf5 && f->rows && whole && !sweep_h5_write(f, f->table[i].path))
            fine = false;
    }
    for (int i = 0; i < WORKERS_MOST; i++) /* of members that an interrupt has ended */
        if (f->trajectory[i] && !close_output(f->trajectory[i], f->directory)) fine = false;
    return fine;
}
