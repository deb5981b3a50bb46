/* cmd_reproduce.c - dalembert reproduce: the tables and figures of the papers, ours beside the
 * printed ones. */
#include "reproduce/reproduce.h"

#include <stdlib.h>
#include <string.h>

enum { PAPERS_MOST = 8 };

static const paper *const papers[] = {&paper_forced, &paper_interconnection, &paper_order,
                                      &paper_dirac,  &paper_energy,          NULL};

static int unknown_paper(const char *name)
{
    const char *names[PAPERS_MOST];
    int         count = 0;
    for (; papers[count]; count++) names[count] = papers[count]->name;
    const char *near = nearest(name, names, count);
    if (near) return complain("there is no paper '%s'; did you mean '%s'?", name, near);
    return complain(
        "there is no paper '%s'; there are forced, interconnection, order, dirac, energy", name);
}

/* Those that are named, in the order of the table; all if none is. GO_ON or the exit code. */
static int choose(const arguments *a, const paper **chosen, int *count)
{
    bool wanted[PAPERS_MOST] = {false};
    for (int w = 0; w < a->words; w++) {
        int i = 0;
        while (papers[i] && strcmp(papers[i]->name, a->word[w])) i++;
        if (!papers[i]) return unknown_paper(a->word[w]);
        wanted[i] = true;
    }
    for (int i = 0; papers[i]; i++)
        if (wanted[i] || !a->words) chosen[(*count)++] = papers[i];
    return GO_ON;
}

/* Findings that were expected to differ do not count. */
static bool study_holds(const study *s)
{
    bool holds = !s->failure;
    for (int i = 0; i < s->findings; i++) holds &= s->finding[i].verdict != DIFFERS;
    return holds;
}

/* All studies of a paper, printed as soon as they are made. The caller frees them. */
static study *make(const paper *p, bool quiet, bool *holds)
{
    study *s = need(NULL, (size_t)p->rows, sizeof *s);
    for (int i = 0; i < p->rows; i++) {
        study_init(&s[i], &p->row[i]);
        p->row[i].run(&s[i]);
        *holds &= study_holds(&s[i]);
    }
    if (!quiet) paper_text(p, s, stdout), fflush(stdout);
    return s;
}

static int write_page(dal_context *cx, const paper *const *p, study *const *s, int count,
                      const char *path, bool quiet)
{
    FILE *out = open_output(path);
    if (!out) return EXIT_IO;
    dal_status bad = papers_page(cx, p, s, count, out);
    int        code = finish_output(out, path, bad ? exit_code(bad) : EXIT_DONE);
    if (code == EXIT_DONE && !quiet) printf("written  %s\n", path);
    return code;
}

/* Exit code 2 if some number differs that should agree, whatever was written. */
static int reproduce(arguments *a)
{
    const paper *chosen[PAPERS_MOST];
    study       *made[PAPERS_MOST];
    int          count = 0, code = choose(a, chosen, &count);
    bool         holds = true;
    const char  *page = a->outputs ? a->output[a->outputs - 1] : "reproduce.html";
    bool         quiet = a->quiet || a->json || !strcmp(page, "-");
    if (code != GO_ON) return code;
    if (a->json && !strcmp(page, "-"))
        return complain("-o - and --json both write to standard output; drop one of them");
    for (int i = 0; i < count; i++) made[i] = make(chosen[i], quiet, &holds);
    code = a->json && !a->outputs ? EXIT_DONE : write_page(a->cx, chosen, made, count, page, quiet);
    if (a->json) papers_json(chosen, made, count, stdout);
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < chosen[i]->rows; k++) study_free(&made[i][k]);
        free(made[i]);
    }
    if (code == EXIT_DONE && !close_output(stdout, "-")) code = EXIT_IO;
    return code == EXIT_DONE && !holds ? EXIT_FAILED : code;
}

const command command_reproduce = {
    .name = "reproduce",
    .synopsis = "reproduce [PAPER]... [OPTION]...",
    .title = "the papers' tables and figures, recomputed and compared",
    .about = "Runs the experiments of the papers with the models of examples/papers, which are\n"
             "built in, and prints each number next to the printed one. The page reproduce.html,\n"
             "or that of -o, has the figures too. Papers: forced (Parks and Leok),\n"
             "interconnection (Parks and Leok), order (Martin de Diego and Sato), dirac (Leok\n"
             "and Ohsawa), energy (Sharma, Patil and Woolsey). The exit code is 2 if a number\n"
             "differs that should agree.",
    .example = "Examples:\n"
               "  dalembert reproduce\n"
               "  dalembert reproduce energy -o energy.html\n",
    .least = 0,
    .most = PAPERS_MOST,
    .json = true,
    .run = reproduce,
};
