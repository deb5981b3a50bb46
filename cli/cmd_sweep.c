/* cmd_sweep.c - dalembert sweep: an ensemble of runs over parameters and starts, on all cores, one
 * row each. */
#include "sweep.h"

#include <string.h>
#include <unistd.h>

static int sweep_flags(flag_row *out)
{
    size_t            count;
    const dal_option *row = dal_sweep_option_rows(&count);
    for (size_t i = 0; i < count; i++)
        out[i] = (flag_row){row[i].key, 0, row[i].argument, row[i].help};
    return (int)count;
}

/* What is swept, on as many threads as there are processors unless a number is given; of several
 * ranks each has one, as mpirun starts as many as there are. */
static int set_up(arguments *a, dal_sweep *w)
{
    char threads[32];
    long processors = a->ranks > 1 ? 1 : sysconf(_SC_NPROCESSORS_ONLN);
    snprintf(threads, sizeof threads, "%ld",
             processors < 1              ? 1
             : processors > WORKERS_MOST ? WORKERS_MOST
                                         : processors);
    dal_status bad = own_value(a, "threads") ? DAL_OK : dal_sweep_set(w, "threads", threads);
    for (int i = 0; i < a->givens && !bad; i++)
        bad = dal_sweep_set(w, a->given[i].name, a->given[i].value);
    return bad ? exit_code_unrun(bad) : GO_ON;
}

/* Failures are no summary: they are told to those who want none, too. */
static void tell_failures(const sweep_files *f, const dal_sweep_summary *sum)
{
    const size_t     failed = sum->failed + sum->refused;
    const dal_member m = dal_sweep_member(f->sweep, sum->first_failed);
    const char      *path = f->table[0].path;
    fprintf(stderr,
            "dalembert: %zu of %zu members failed, as %s tells of each; the first, %zu: %s\n",
            failed, sum->members, strcmp(path, "-") ? path : "standard output", m.index,
            m.error ? m.error : dal_status_text(m.status));
}

/* Exit code 2 if members failed or were refused, although the sweep itself is done. */
static int show(arguments *a, const sweep_files *f, bool interrupted)
{
    const dal_sweep_summary *sum = dal_sweep_summarise(f->sweep);
    bool                     standard = false;
    int                      code = EXIT_DONE;
    for (int i = 0; i < f->tables; i++) standard |= !strcmp(f->table[i].path, "-");
    if (!sum) return EXIT_FAILED; /* no memory for it */
    if (a->json) code = sweep_json(f, sum, interrupted, stdout);
    else if (!a->quiet) sweep_print(f, sum, interrupted, a->verbose, standard ? stderr : stdout);
    else if (sum->failed + sum->refused) tell_failures(f, sum);
    if (!standard && !close_output(stdout, "-")) code = EXIT_IO;
    if (code) return code;
    return interrupted ? EXIT_INTERRUPTED : sum->failed + sum->refused ? EXIT_FAILED : EXIT_DONE;
}

static int run_members(arguments *a, sweep_files *f)
{
    dal_sweep_observer observer = sweep_files_observer(f);
    dal_status         status = dal_sweep_run(f->sweep, &observer);
    waiting_end();
    bool               written = sweep_files_close(f, !status || status == DAL_INTERRUPTED);
    int                code = exit_code(status);
    if (code == EXIT_DONE || code == EXIT_INTERRUPTED) code = show(a, f, code == EXIT_INTERRUPTED);
    return written ? code : EXIT_IO;
}

/* Files are chosen before the model is read, members only after it. */
static int sweep(arguments *a)
{
    char        fallback[4096];
    dal_model  *m = NULL;
    sweep_files f = {.sweep = NULL};
    int         code = sweep_files_choose(&f, a, fallback, sizeof fallback);
    waiting_begin(a);
    if (code == GO_ON) code = load_model(a, &m);
    if (code == GO_ON) {
        dal_status bad = dal_sweep_new(m, a->options, &f.sweep);
        if (bad) code = exit_code_unrun(bad);
    }
    if (code == GO_ON) code = set_up(a, f.sweep);
    if (code == GO_ON) code = run_members(a, &f);
    waiting_end();
    dal_sweep_free(f.sweep);
    dal_model_free(m);
    return code;
}

const command command_sweep = {
    .name = "sweep",
    .synopsis =
        "sweep MODEL.dal [SYSTEM] [--grid NAME=VALUES]... [OPTION]...",
    .title = "an ensemble: values on a grid, at random or from a table",
    .about = "Runs the model once for every member of an ensemble, on all cores, and writes one\n"
             "row for each: what was swept, the last state, the energy drift, and how it ended.\n"
             "A name is a parameter (k, first.k2) or a start (x, x', p(x)). Grids, table rows\n"
             "and random draws are combined in all ways. The table goes to MODEL_sweep.csv\n"
             "unless -o names another file; -o DIR/ keeps each member's trajectory there, and\n"
             "the table as members.csv. A member that fails says so in its row; the others\n"
             "continue, and the exit code is 2.",
    .example = "Examples:\n"
               "  dalembert sweep pendulum.dal --grid \"phi=0.1..3/30\" --until 20\n"
               "  dalembert sweep vdp.dal --grid \"eps=0.01..10/13 log\" --grid \"rho=0, 0.1\"\n"
               "  dalembert sweep vdp.dal --random \"q1=normal(0, 0.1)\" --members 10000\n"
               "  dalembert sweep robot.dal --from-csv measured.csv -o runs/\n",
    .least = 1,
    .most = 2,
    .models = true,
    .json = true,
    .shared = true,
    .flags = sweep_flags,
    .run = sweep,
};
