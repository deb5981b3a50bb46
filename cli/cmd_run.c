/* cmd_run.c - dalembert run: simulate a model, write its trajectory, print what there is to know
 * about it. */
#include "events_file.h"
#include "picture_file.h"
#include "plot.h"
#include "report/report.h"
#include "run.h"

#include <string.h>
#include <sys/stat.h>

static int run_flags(flag_row *out)
{
    out[0] = (flag_row){"plot", 0, "FILE", "draw a picture: .svg; .png or .pdf by gnuplot"};
    out[1] = (flag_row){"report", 0, "FILE", "write an HTML page, as `report` does"};
    out[2] = (flag_row){"events", 0, "FILE", "write what happened at instants, as CSV"};
    return 3 + keeper_flags(out + 3);
}

/* Also by another name: a link, or a path with dots. */
bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    if (!strcmp(a, b)) return true;
    return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Refuses what would overwrite an input or itself, before anything runs. */
int check_outputs(const arguments *a, const char *what)
{
    const char *checkpoint = own_value(a, "checkpoint");
    bool        standard = false;
    for (int i = 0; i < a->outputs; i++) {
        const char *path = a->output[i];
        if (!path[0]) return complain("-o needs the name of a file");
        if (!is_standard(path) && same_file(path, a->word[0]))
            return complain("-o %s would overwrite the %s", path, what);
        if (checkpoint && same_file(path, checkpoint))
            return complain("-o and --checkpoint both name %s", path);
        if (!writer_kind_of(path)) return EXIT_WRONG;
        for (int k = 0; k < i; k++)
            if (!strcmp(path, a->output[k])) return complain("-o %s is given twice", path);
        standard |= !strcmp(path, "-");
    }
    if (standard && a->json)
        return complain(
            "-o - and --json both write to standard output; write the trajectory to a file");
    return GO_ON;
}

/* The picture is made of the first file that was written. */
static const char *file_to_plot(const recorder *r)
{
    for (int i = 0; i < r->files; i++)
        if (strcmp(r->path[i], "-")) return r->path[i];
    return NULL;
}

static int check_plot(const arguments *a)
{
    const char *plot = own_value(a, "plot");
    if ((plot || own_value(a, "report")) && a->outputs == 1 && !strcmp(a->output[0], "-"))
        return complain("--%s needs a file to read; add -o FILE to -o -", plot ? "plot" : "report");
    return plot ? picture_check(plot) : GO_ON;
}

static void tell_how_to_go_on(const recorder *r, const dal_sim *s)
{
    fprintf(stderr, "interrupted at t = %.10g: 'dalembert resume %s' continues\n", dal_time(s),
            r->keep.path);
}

/* Words go to standard error where the trajectory has standard output. */
static bool takes_standard(const recorder *r)
{
    for (int i = 0; i < r->files; i++)
        if (!strcmp(r->path[i], "-")) return true;
    return false;
}

/* Files are closed before the summary, so that it can tell what was written; an error of writing
 * prevails. */
int run_simulation(arguments *a, dal_sim *s, recorder *r)
{
    dal_observer observer = recorder_observer(r);
    dal_status   status = dal_run(s, &observer);
    const bool elsewhere = status == DAL_INTERRUPTED && !signals_ask_to_stop(); /* another rank */
    if (!status || elsewhere) {
        const dal_status bad = recorder_keep_end(r, s);
        if (bad) status = bad;
    }
    bool       written = recorder_close(r, s, a->cx);
    int        code = exit_code(status);
    const bool standard = takes_standard(r);
    if (code == EXIT_WRONG) return code;
    if (code == EXIT_INTERRUPTED && r->keep.path && !a->quiet) tell_how_to_go_on(r, s);
    if (a->json && code != EXIT_IO && summary_json(s, a->cx, stdout)) written = false;
    if (!a->json && !a->quiet && code != EXIT_IO)
        summary_print(s, r, a->verbose, standard ? stderr : stdout);
    if (!standard && !close_output(stdout, "-")) written = false;
    return written ? code : EXIT_IO;
}

static int write_events(const arguments *a, dal_sim *s)
{
    const char      *path = own_value(a, "events");
    size_t           count;
    const dal_event *e = dal_events(s, &count);
    return path ? events_write(path, e, count) : EXIT_DONE;
}

/* What was drawn stands under the files of the summary. */
static void tell_drawn(const arguments *a, const recorder *r, const char *path)
{
    if (!a->json && !a->quiet)
        fprintf(takes_standard(r) ? stderr : stdout, "  %-12s%s\n", "", path);
}

/* The picture and the page, also of a run that did not reach its end: then they are wanted most. */
static int show_result(arguments *a, const recorder *r, dal_model *m, dal_sim *s, int code)
{
    const char *plot = own_value(a, "plot"), *report = own_value(a, "report");
    const int   listed = write_events(a, s);
    if (listed != EXIT_DONE) return listed;
    int drawn = plot ? plot_result(a->cx, file_to_plot(r), m, s, plot) : EXIT_DONE;
    if (drawn == EXIT_DONE && plot) tell_drawn(a, r, plot);
    if (drawn == EXIT_DONE && report) drawn = report_run(a, file_to_plot(r), m, s, report);
    if (drawn == EXIT_DONE && report) tell_drawn(a, r, report);
    return code == EXIT_DONE ? drawn : code;
}

/* Everything that can be refused is refused before the model is read. */
static int run(arguments *a)
{
    char       fallback[4096];
    dal_model *m = NULL;
    dal_sim   *s = NULL;
    recorder   r;
    int        code = check_outputs(a, "model");
    if (code == GO_ON && a->ranks > 1 && own_value(a, "report"))
        code = complain("--report is not made by %d processes: 'dalembert report' makes it afterwards",
                        a->ranks);
    if (code == GO_ON) code = check_plot(a);
    if (code == GO_ON && !a->outputs && !output_name(a->word[0], ".csv", fallback, sizeof fallback))
        code = complain("the name of %s is too long; give -o FILE", a->word[0]);
    waiting_begin(a);
    if (code == GO_ON) code = load_model(a, &m);
    if (code == GO_ON) {
        dal_status bad = dal_sim_new(m, a->options, &s);
        if (bad) code = exit_code_unrun(bad);
    }
    waiting_end();
    if (code == GO_ON) {
        recorder_init(&r, a, fallback);
        code = keeper_read(&r.keep, a, NULL, NULL);
    }
    if (code == GO_ON) {
        recorder_begin(&r, a, m, s);
        code = run_simulation(a, s, &r);
        if (code != EXIT_IO && r.rows && !r.silent) code = show_result(a, &r, m, s, code);
    }
    dal_sim_free(s);
    dal_model_free(m);
    return code;
}

const command command_run = {
    .name = "run",
    .synopsis = "run MODEL.dal [SYSTEM] [OPTION]...",
    .title = "simulate, print a summary, write the trajectory",
    .about = "Runs the last system in the file, or SYSTEM, as its simulate block says. The\n"
             "trajectory goes to MODEL.csv in the working directory unless -o names another file\n"
             "(may be repeated).",
    .example =
        "Examples:\n"
        "  dalembert run pendulum.dal\n"
        "  dalembert run pendulum.dal --scheme \"gauss(2)\" --step 0.1 -o fine.csv\n"
        "  dalembert run chain.dal --set first.k2=3 --start \"last.x'=1\" --json\n",
    .least = 1,
    .most = 2,
    .models = true,
    .json = true,
    .shared = true,
    .flags = run_flags,
    .run = run,
};
