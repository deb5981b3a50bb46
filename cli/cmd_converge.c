/* cmd_converge.c - dalembert converge: errors over steps for several schemes, with the orders that
 * they show. */
#include "converge.h"
#include "picture_file.h"

#include <math.h>
#include <string.h>

static int converge_flags(flag_row *out)
{
    out[0] =
        (flag_row){"schemes", 0, "LIST", "\"lobatto(2..5), midpoint\"; default: that of the model"};
    out[1] = (flag_row){"steps", 0, "LIST",
                        "numbers of steps: 8..256 doubles, 10,20,50 is a list; six that double "
                        "from --step on, or from 8"};
    out[2] = (flag_row){"plot", 0, "FILE", "draw a picture: .svg; .png or .pdf by gnuplot"};
    return 3;
}

/* The table. ----------------------------------------------------------------------------------- */

static const char *const quantity[DAL_QUANTITIES] = {"q", "p", "energy"};

static void print_reference(const dal_convergence *c, FILE *out)
{
    fprintf(out, "%s  (%s), t from %.10g to %.10g\n", c->model, c->file, c->from, c->until);
    if (!c->times) fputs("errors       at the end of each run, which chooses its steps\n", out);
    else
        fprintf(out, "errors       the largest at %ld time%s that all runs share\n", c->times,
                c->times == 1 ? "" : "s");
    fprintf(out, "reference    %s in %ld steps; %s in %ld steps differs from it by", c->reference,
            c->reference_steps, c->second, c->second_steps);
    for (int k = 0; k < DAL_QUANTITIES; k++)
        fprintf(out, "%s %.1e in %s", k ? "," : "", c->doubt[k], quantity[k]);
    fputc('\n', out);
}

/* An empty cell where there is no number. */
static void print_cell(FILE *out, double x, const char *format, int width)
{
    char text[32] = "";
    if (isfinite(x)) snprintf(text, sizeof text, format, x);
    fprintf(out, "%*s", width, text);
}

/*     ratio = error before / error now, which is 2^order where steps are halved */
static void print_row(const dal_convergence_row *row, const dal_convergence_row *before, FILE *out)
{
    fprintf(out, "%9ld %11.4g", row->steps, row->step);
    if (row->failure) {
        fprintf(out, "  %s\n", row->failure);
        return;
    }
    for (int k = 0; k < DAL_QUANTITIES; k++) {
        double ratio =
            before && isfinite(row->order[k]) ? before->error[k] / row->error[k] : row->order[k];
        fprintf(out, "  %15.2e%c", row->error[k], row->roundoff[k] ? '*' : ' ');
        print_cell(out, ratio, ratio < 999.5 ? "%.1f" : "%.0f", 7);
        print_cell(out, row->order[k], "%.2f", 6);
    }
    fputc('\n', out);
}

static void print_observed(const dal_convergence_scheme *s, FILE *out)
{
    fprintf(out, "    order%12s", "");
    for (int k = 0; k < DAL_QUANTITIES; k++) {
        fprintf(out, "%25s", "");
        if (isfinite(s->observed[k])) fprintf(out, "%6.2f", s->observed[k]);
        else fprintf(out, "%6s", "-");
    }
    fprintf(out, "  of %d%s\n", s->claimed, s->missed ? "  <- below it: try smaller steps" : "");
}

/* True: some error is marked as roundoff, so the mark is to be explained. */
static bool print_scheme(const dal_convergence_scheme *s, FILE *out)
{
    bool marks = false;
    fprintf(out, "\n%s, order %d\n%9s %11s", s->name, s->claimed, "steps", "step");
    for (int k = 0; k < DAL_QUANTITIES; k++)
        fprintf(out, "%*s%s %7s%6s", 17 - (int)strlen(quantity[k]), "error in ", quantity[k],
                "ratio", "order");
    fputc('\n', out);
    for (size_t i = 0; i < s->rows; i++) {
        print_row(&s->row[i], i ? &s->row[i - 1] : NULL, out);
        for (int k = 0; k < DAL_QUANTITIES; k++) marks |= s->row[i].roundoff[k];
    }
    print_observed(s, out);
    return marks;
}

static void print_table(const dal_convergence *c, FILE *out)
{
    bool marks = false;
    print_reference(c, out);
    for (size_t i = 0; i < c->schemes; i++) marks |= print_scheme(&c->scheme[i], out);
    if (marks)
        fputs("\n* not above the uncertainty of the reference: left out of the order\n", out);
}

/* The command. --------------------------------------------------------------------------------- */

static int show(arguments *a, const dal_convergence *c)
{
    const char *path = a->outputs ? a->output[a->outputs - 1] : "-", *plot = own_value(a, "plot");
    FILE       *out = open_output(path);
    if (!out) return EXIT_IO;
    if (a->json) convergence_json(c, out);
    else if (!a->quiet || strcmp(path, "-")) print_table(c, out);
    if (!close_output(out, path)) return EXIT_IO;
    return plot ? convergence_plot(a->cx, c, plot) : EXIT_DONE;
}

static int converge(arguments *a)
{
    dal_model       *m = NULL;
    dal_convergence *c = NULL;
    const char      *steps = own_value(a, "steps"), *plot = own_value(a, "plot");
    int              code = plot ? picture_check(plot) : GO_ON;
    if (code == GO_ON) code = load_model(a, &m);
    if (code == GO_ON) {
        dal_status bad = dal_converge(m, a->options, own_value(a, "schemes"), steps, &c);
        code = bad ? exit_code(bad) : show(a, c);
    }
    dal_convergence_free(c);
    dal_model_free(m);
    return code;
}

const command command_converge = {
    .name = "converge",
    .synopsis = "converge MODEL.dal [SYSTEM] [--schemes LIST] [--steps LIST] [OPTION]...",
    .title = "errors of schemes at several steps, with observed orders",
    .about = "Runs every scheme with every number of steps over the same time interval, and\n"
             "prints the largest error at the times that all runs share, against a reference of\n"
             "higher order and finer step. A second reference estimates the error of the first;\n"
             "errors below ten times that are marked and left out of the order. An order below\n"
             "the claimed one is marked, but the exit code is still 0.",
    .example = "Examples:\n"
               "  dalembert converge vdp.dal --schemes \"lobatto(2..5)\" --steps 8..256 --until 1\n"
               "  dalembert converge vdp.dal --schemes \"midpoint, simpson\" --plot order.svg\n",
    .least = 1,
    .most = 2,
    .models = true,
    .json = true,
    .flags = converge_flags,
    .run = converge,
};
