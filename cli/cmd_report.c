/* cmd_report.c - dalembert report: one page for a run: the model with its equations, how it was run
 * and how well, and plots to explore it with. */
#include "report/report.h"
#include "run.h"

#include <stdlib.h>
#include <string.h>

static int report_flags(flag_row *out)
{
    out[0] = (flag_row){"model", 0, "FILE", "the model of a result that does not contain it (CSV)"};
    out[1] = (flag_row){"verify", 0, NULL,
                        "measure the order too: runs with twice, once and half the step"};
    return 2;
}

/* The model. ----------------------------------------------------------------------------------- */

/* What cannot be shown, or by nobody be read, is left out: the page has the rest. */
static void put_view(bytes *b, const result *r, const char *view)
{
    enum { VIEW_MOST = 1 << 19 };
    char      *at = NULL;
    size_t     n = 0;
    FILE      *to = open_memstream(&at, &n);
    dal_status bad = to ? dal_show(r->model, r->options, view, to) : DAL_OK;
    if (!to || fclose(to)) no_memory();
    if (!bad && n > VIEW_MOST)
        html_format(b,
                    "<p class=\"note\">The equations would take %.0f MB of this page; "
                    "<code>dalembert show</code> prints them.</p>\n",
                    (double)n / (1 << 20));
    else if (!bad) bytes_add(b, at, n);
    free(at);
}

static void put_model(bytes *b, const result *r)
{
    const char *words = r->model ? dal_model_text(r->model) : table_note(&r->rows, "model");
    if (r->lost) html_format(b, "<p class=\"note\">"), html_text(b, r->lost), html_add(b, "</p>\n");
    if (r->model) {
        html_add(b, "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"equations of "
                    "motion\">\n");
        put_view(b, r, "mathml");
        html_add(b, "</div>\n");
    }
    if (!words || !*words) return;
    html_add(b,
             "<details open><summary>The text of the model</summary>\n<pre tabindex=\"0\"><code>");
    html_text(b, words);
    html_add(b, "</code></pre>\n</details>\n");
}

/* How it was run. ------------------------------------------------------------------------------ */

/* At most MOST entries; lists are written entry by entry. */
static void put_object(bytes *b, const char *name, const char *about, const char *text)
{
    enum { MOST = 24 };
    json_t     *all = text ? json_loads(text, 0, NULL) : NULL, *value, *one;
    const char *key;
    size_t      i;
    bytes       line = {0};
    int         n = 0;
    json_object_foreach(all, key, value)
    {
        if (n++ >= MOST) continue;
        if (json_is_string(value))
            html_format(&line, "%s%s = %s", line.n ? ", " : "", key, json_string_value(value));
        if (json_is_number(value))
            html_format(&line, "%s%s = %.10g", line.n ? ", " : "", key, json_number_value(value));
        json_array_foreach(value, i, one)
            html_format(&line, "%s%s %s", line.n ? ", " : "", key, json_string_value(one));
    }
    if (n > MOST) html_format(&line, ", and %d more", n - MOST);
    bytes_add(&line, "", 1);
    html_add(b, "<tr><th scope=\"row\">"), html_text(b, name), html_add(b, "</th><td>");
    html_text(b, n ? (const char *)line.at : "none");
    html_add(b, "</td><td class=\"about\">"), html_text(b, about), html_add(b, "</td></tr>\n");
    free(line.at);
    json_decref(all);
}

static const char *noted(const result *r, const char *key)
{
    const char *s = table_note(&r->rows, key);
    return s && *s ? s : "not known";
}

static void put_method(bytes *b, const result *r)
{
    facts_open(b);
    fact(b, "scheme", 0, "the curve and the quadrature of a step", "%s", noted(r, "scheme"));
    fact(b, "principle", 0, "the equations that a step solves", "%s", noted(r, "principle"));
    if (table_note(&r->rows, "step"))
        fact(b, "step", 0, "of time", "%.15g", atof(table_note(&r->rows, "step")));
    put_object(b, "parameters", "of the system that ran", table_note(&r->rows, "parameters"));
    put_object(b, "options", "instead of what the file says", table_note(&r->rows, "options"));
    fact(b, "rows", 0, "recorded states, and what of them", "%ld of %d columns", r->rows.rows,
         r->rows.columns);
    fact(b, "version", 0, "of dalembert that ran it", "%s", noted(r, "version"));
    facts_close(b);
}

/* Verification: the same run with twice, once and half the step. */
static dal_convergence *measure(const result *r, char **why)
{
    dal_convergence *c = NULL;
    long             steps = r->sim ? dal_steps_planned(r->sim) : -1;
    if (!r->sim) *why = text("the model is not known");
    else if (steps < 2) *why = text("a run of one step has no half");
    if (*why) return NULL;
    steps += steps % 2;
    char *list = text("%ld,%ld,%ld", steps / 2, steps, 2 * steps);
    if (dal_converge(r->model, r->options, NULL, list, &c)) {
        size_t n = dal_message_count(r->cx);
        *why = text("%s", n ? dal_message_at(r->cx, n - 1).text : "it could not be measured");
        dal_messages_clear(r->cx);
    }
    free(list);
    return c;
}

/* The page. ------------------------------------------------------------------------------------ */

/* Where uPlot is missing: what `plot RESULT` draws, which cannot be zoomed. */
static int put_still_plots(bytes *b, result *r)
{
    figure f = {.model = r->model, .width = 900, .height = 520};
    f.event = result_events(r, &f.events);
    int    code = figure_of(&f, &r->rows);
    if (code == GO_ON) {
        drawing    d = figure_drawing(&f);
        dal_status bad = html_picture(b, r->cx, &d.plot);
        if (bad) code = exit_code(bad);
        drawing_free(&d);
    }
    figure_free(&f);
    return code;
}

/* For people in a hurry first: plots, then how good they are, how they were made, and the model. */
static int put_result(bytes *b, result *r, const arguments *a, int number, int count)
{
    char        id[5][24];
    const char *parts[] = {"model", "method", "certificate", "plots", "r"};
    char *why = own_value(a, "verify") ? NULL : text("report --verify measures it by further runs");
    dal_convergence *measured = own_value(a, "verify") ? measure(r, &why) : NULL;
    const char      *system = r->model ? dal_model_system(r->model) : noted(r, "system");
    for (int i = 0; i < 5; i++) snprintf(id[i], sizeof id[i], "%s%d", parts[i], number + 1);
    r->id = id[4];
    html_element(b, "h1", system);
    html_add(b, "<p class=\"lead\"><span>"), html_text(b, r->rows.path), html_add(b, "</span>");
    if (count > 1) html_format(b, ", result %d of %d", number + 1, count);
    html_add(b, "</p>\n");
    section_open(b, id[3], "Plots");
    const int code = page_is_live() ? GO_ON : put_still_plots(b, r);
    put_data(b, r);
    section_close(b);
    section_open(b, id[2], "Certificate");
    put_certificate(b, r, measured, why);
    section_close(b);
    section_open(b, id[1], "How it was run");
    put_method(b, r);
    section_close(b);
    section_open(b, id[0], "Model");
    put_model(b, r);
    section_close(b);
    dal_convergence_free(measured);
    free(why);
    return code;
}

/* The page of a run that has just ended; its rows are read from the file. */
int report_run(const arguments *a, const char *file, dal_model *m, dal_sim *s, const char *path)
{
    result r;
    int    code = result_of_run(&r, a, file, m, s);
    page   p = {.title = text("%s – dalembert", dal_model_system(m))};
    if (code == GO_ON) code = put_result(&p.body, &r, a, 0, 1);
    p.space = r.space;
    if (code == GO_ON) code = page_write(path, &p) ? EXIT_DONE : EXIT_IO;
    result_close(&r);
    free(p.body.at), free(p.title);
    return code;
}

/* Options for running make no sense where every word is a finished result. */
static int check_words(const arguments *a)
{
    bool              any = false;
    size_t            rows;
    const dal_option *row = dal_option_rows(&rows);
    for (int i = 0; i < a->words; i++) {
        const char *dot = strrchr(a->word[i], '.');
        any |= dot && !strcmp(dot, ".dal");
    }
    for (size_t i = 0; i < rows && !any && !own_value(a, "model"); i++)
        if (dal_options_get(a->options, row[i].key))
            return complain(
                "--%s says how to run a model, and this is a finished result: dalembert "
                "report MODEL.dal --%s ...",
                row[i].key, row[i].key);
    if (a->outputs > 1) return complain("report writes one page; give -o once");
    return GO_ON;
}

/* The table of a sweep has a page of another kind. False: it is none, and nothing was added. */
static bool add_ensemble(bytes *b, const arguments *a, int number, int *code)
{
    const char *path = a->word[number], *dot = strrchr(path, '.');
    table       t = {0};
    if (!dot || strcmp(dot, ".csv") || own_value(a, "model")) return false;
    *code = table_open(&t, path);
    const bool is_one = *code == GO_ON && is_ensemble(&t);
    if (is_one) *code = put_ensemble(b, a->cx, &t, number);
    table_free(&t);
    return is_one || *code != GO_ON;
}

static int make_page(const arguments *a, const char *path)
{
    page p = {0};
    int  code = GO_ON;
    if (a->words > 1 && page_is_live()) {
        section_open(&p.body, "together", "Together");
        section_close(&p.body);
    }
    for (int i = 0; i < a->words && code == GO_ON; i++) {
        result r;
        if (add_ensemble(&p.body, a, i, &code)) {
            if (!p.title) p.title = text("%s – dalembert", a->word[i]);
            continue;
        }
        code = result_open(&r, a, a->word[i]);
        if (code == GO_ON) code = put_result(&p.body, &r, a, i, a->words);
        p.space |= r.space;
        if (code == GO_ON && !p.title)
            p.title = text("%s – dalembert", r.model ? dal_model_system(r.model) : a->word[i]);
        if (r.options != a->options) {
            result_close(&r);
            dal_options_free(r.options);
        } else result_close(&r);
    }
    if (code == GO_ON) code = page_write(path, &p) ? EXIT_DONE : EXIT_IO;
    free(p.body.at), free(p.title);
    return code;
}

static int report(arguments *a)
{
    char        fallback[4096];
    const char *path = a->outputs ? a->output[0] : fallback;
    int         code = check_words(a);
    if (code == GO_ON && !a->outputs &&
        !output_name(a->word[0], ".html", fallback, sizeof fallback))
        code = complain("the name of %s is too long; give -o FILE", a->word[0]);
    if (code == GO_ON) code = make_page(a, path);
    if (code == EXIT_DONE && !a->quiet && strcmp(path, "-")) printf("written     %s\n", path);
    return code;
}

const command command_report = {
    .name = "report",
    .synopsis = "report RESULT|MODEL.dal... [OPTION]...",
    .title = "an HTML page: equations, certificate, plots, animation",
    .about = "Writes a page that needs nothing but a browser, for results that contain their\n"
             "model (.h5, .npz), for a CSV with --model, for the table of a sweep, or for a\n"
             "model, which is run first. Several results share one plot. The page goes to\n"
             "RESULT.html in the working directory unless -o names another file. The options\n"
             "below are for a model.",
    .example = "Examples:\n"
               "  dalembert report pendulum.dal\n"
               "  dalembert report pendulum.h5 -o page.html\n"
               "  dalembert report pendulum.csv --model pendulum.dal\n"
               "  dalembert report pendulum.dal --verify --scheme \"gauss(3)\"\n",
    .least = 1,
    .most = 16,
    .models = true,
    .flags = report_flags,
    .run = report,
};
