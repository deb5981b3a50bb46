/* args.c - flags in the manner of GNU: --long VALUE, --long=VALUE, -x VALUE, -xVALUE, -- ends them.
 * All flags are rows of three tables (common, the command's own, the library's), which also make
 * the help. */
#include "cli.h"

#include <string.h>

static const flag_row common[] = {
    {"help", 'h', NULL, "print this help"},
    {"quiet", 'q', NULL, "print messages only, no summary"},
    {"verbose", 'v', NULL, "print more"},
    {"output", 'o', "FILE", "write to FILE; - is standard output"},
    {"json", 0, NULL, "print JSON"}, /* the last one: not every command has it */
};
enum { COMMON = sizeof common / sizeof *common };

/* Finding. ------------------------------------------------------------------------------------- */

typedef enum { FLAG_NONE, FLAG_COMMON, FLAG_OWN, FLAG_LIBRARY } flag_kind;

typedef struct {
    flag_kind   kind;
    const char *name, *argument;
} found;

/* By letter if the name is one, else by the whole word. */
static found find_row(flag_kind kind, const flag_row *rows, int count, const char *name, size_t n)
{
    for (int i = 0; i < count; i++) {
        bool letter = n == 1 && rows[i].letter && rows[i].letter == name[0];
        if (letter || (n > 1 && strlen(rows[i].name) == n && !strncmp(rows[i].name, name, n)))
            return (found){kind, rows[i].name, rows[i].argument};
    }
    return (found){FLAG_NONE, NULL, NULL};
}

static int own_flags(const command *c, flag_row *out)
{
    return c->flags ? c->flags(out) : 0;
}

/* Common flags first, so that a command cannot redefine them; the library's only for commands
 * that take a model. */
static found find_flag(const command *c, const char *name, size_t n)
{
    flag_row          own[FLAGS_MOST];
    int               count = own_flags(c, own);
    found             f = find_row(FLAG_COMMON, common, COMMON - !c->json, name, n);
    size_t            rows = 0;
    const dal_option *row = dal_option_rows(&rows);
    if (!f.kind) f = find_row(FLAG_OWN, own, count, name, n);
    for (size_t i = 0; !f.kind && c->models && i < rows; i++)
        if (strlen(row[i].key) == n && !strncmp(row[i].key, name, n))
            f = (found){FLAG_LIBRARY, row[i].key, row[i].argument};
    return f;
}

/* The message offers the nearest name; EXIT_WRONG. */
static int unknown_flag(const command *c, const char *name, size_t n)
{
    enum { NAMES = 64 };
    const char       *names[NAMES], *near;
    char              wrong[64];
    flag_row          mine[FLAGS_MOST];
    int               count = 0, own = own_flags(c, mine);
    size_t            rows;
    const dal_option *row = dal_option_rows(&rows);
    for (int i = 0; i < COMMON - !c->json; i++) names[count++] = common[i].name;
    for (int i = 0; i < own && count < NAMES; i++) names[count++] = mine[i].name;
    for (size_t i = 0; c->models && i < rows && count < NAMES; i++) names[count++] = row[i].key;
    snprintf(wrong, sizeof wrong, "%.*s", (int)n, name);
    near = n > 1 ? nearest(wrong, names, count) : NULL;
    if (near) return complain("%s has no option --%s; did you mean --%s?", c->name, wrong, near);
    return complain("%s has no option %s%s; 'dalembert %s --help' lists them", c->name,
                    n > 1 ? "--" : "-", wrong, c->name);
}

/* Reading. ------------------------------------------------------------------------------------- */

/* The first letter tells them apart; --help is all that a program does then. */
static int take_common(arguments *a, const char *name, const char *value)
{
    switch (name[0]) {
    case 'h':
        command_help(a->command, stdout);
        return close_output(stdout, "-") ? EXIT_DONE : EXIT_IO;
    case 'q': a->quiet = true; return GO_ON;
    case 'v': a->verbose = true; return GO_ON;
    case 'j': a->json = true; return GO_ON;
    default:
        if (a->outputs == OUTPUTS_MOST)
            return complain("at most %d files can be written", OUTPUTS_MOST);
        a->output[a->outputs++] = value;
        return GO_ON;
    }
}

/* -1: it is no flag of this command. */
static int own_row(const arguments *a, const char *name)
{
    flag_row own[FLAGS_MOST];
    int      row = own_flags(a->command, own);
    while (--row >= 0 && strcmp(own[row].name, name)) continue;
    return row;
}

const char *own_value(const arguments *a, const char *name)
{
    int row = own_row(a, name);
    return row < 0 ? NULL : a->own[row];
}

/* Both by row, where the last one counts, and in order, for those that may be repeated. */
static int take_own(arguments *a, const char *name, const char *value)
{
    a->own[own_row(a, name)] = value ? value : "";
    if (a->givens == GIVEN_MOST) return complain("too many options: at most %d", GIVEN_MOST);
    a->given[a->givens].name = name, a->given[a->givens++].value = value ? value : "";
    return GO_ON;
}

/* GO_ON, or the exit code of a program that is done. */
static int take(arguments *a, found f, const char *value)
{
    if (f.kind == FLAG_COMMON) return take_common(a, f.name, value);
    if (f.kind == FLAG_OWN) return take_own(a, f.name, value);
    dal_status bad = dal_options_set(a->options, f.name, value);
    if (bad) return exit_code_unrun(bad);
    return GO_ON;
}

/* One --long flag; *i moves on if its value is the next word. */
static int read_long(arguments *a, int argc, char **argv, int *i)
{
    const char *name = argv[*i] + 2, *equals = strchr(name, '='),
               *value = equals ? equals + 1 : NULL;
    size_t n = equals ? (size_t)(equals - name) : strlen(name);
    found  f = n > 1 ? find_flag(a->command, name, n) : (found){FLAG_NONE, NULL, NULL};
    if (!f.kind) return unknown_flag(a->command, name, n);
    if (!f.argument && value) return complain("--%s takes no value", f.name);
    if (f.argument && !value && *i + 1 < argc) value = argv[++*i];
    if (f.argument && !value)
        return complain("--%s needs a value: --%s %s", f.name, f.name, f.argument);
    return take(a, f, value);
}

/* A word of letters, as -qv, -o FILE or -oFILE. */
static int read_short(arguments *a, int argc, char **argv, int *i)
{
    int         code = GO_ON;
    const char *word = argv[*i] + 1;
    /* -step, meant as --step */
    if (find_flag(a->command, word, strcspn(word, "=")).kind && word[1])
        return complain("type --%s instead of -%s", word, word);
    for (const char *c = word; *c && code == GO_ON; c++) {
        found f = find_flag(a->command, c, 1);
        if (!f.kind) return unknown_flag(a->command, c, 1);
        if (!f.argument) {
            code = take(a, f, NULL);
            continue;
        }
        const char *value = c[1] ? c + 1 : *i + 1 < argc ? argv[++*i] : NULL;
        if (!value) return complain("-%c needs a value: -%c %s", *c, *c, f.argument);
        return take(a, f, value);
    }
    return code;
}

/* Words are counted against the command's own limits. */
static int take_word(arguments *a, const char *word)
{
    if (a->words == a->command->most)
        return complain("unexpected argument '%s'; usage: dalembert %s", word,
                        a->command->synopsis);
    a->word[a->words++] = word;
    return GO_ON;
}

int arguments_read(arguments *a, int argc, char **argv)
{
    bool flags = true;
    int  code = GO_ON;
    for (int i = 0; i < argc && code == GO_ON; i++) {
        if (flags && !strcmp(argv[i], "--")) flags = false;
        else if (flags && !strncmp(argv[i], "--", 2)) code = read_long(a, argc, argv, &i);
        else if (flags && argv[i][0] == '-' && argv[i][1]) code = read_short(a, argc, argv, &i);
        else code = take_word(a, argv[i]);
    }
    if (code == GO_ON && a->words < a->command->least)
        return complain("a %s is missing: dalembert %s", a->command->models ? "model" : "file",
                        a->command->synopsis);
    return code;
}

/* Help. ---------------------------------------------------------------------------------------- */

enum { HELP_LEFT = 29, HELP_WIDTH = 80 };

/* Words, from the column `at` on; lines go on under the column `left`. */
static int wrap(FILE *out, const char *words, int at, int left)
{
    while (*words) {
        const int length = (int)strcspn(words, " \n");
        if (at > left && at + 1 + length > HELP_WIDTH) fprintf(out, "\n%*s", left, ""), at = left;
        else if (at > left) fputc(' ', out), at++;
        fprintf(out, "%.*s", length, words), at += length;
        words += length + (words[length] != 0);
    }
    return at;
}

/* Long flags have their help on the next line. */
static void help_row(FILE *out, char letter, const char *name, const char *argument,
                     const char *help, const char *choices)
{
    char left[64];
    snprintf(left, sizeof left, "%c%c%c --%s%s%s", letter ? '-' : ' ', letter ? letter : ' ',
             letter ? ',' : ' ', name, argument ? " " : "", argument ? argument : "");
    int at = fprintf(out, "  %-26s", left);
    fputc(at < HELP_LEFT ? ' ' : '\n', out);
    if (at >= HELP_LEFT) fprintf(out, "%*s", HELP_LEFT, "");
    at = wrap(out, help, HELP_LEFT, HELP_LEFT);
    if (choices) fputc(':', out), wrap(out, choices, at + 1, HELP_LEFT);
    fputc('\n', out);
}

/* Options of the library that the command has as its own are listed once. */
void command_help(const command *c, FILE *out)
{
    flag_row own[FLAGS_MOST];
    int      count = own_flags(c, own);
    size_t   rows;
    const int head = fprintf(out, "%s\n\n  dalembert", c->title) - (int)strlen(c->title) - 2;
    wrap(out, c->synopsis, head + 1, head), fputs("\n\n", out);
    wrap(out, c->about, 0, 0), fputc('\n', out);
    if (count) fputc('\n', out);
    for (int i = 0; i < count; i++)
        help_row(out, own[i].letter, own[i].name, own[i].argument, own[i].help, NULL);
    fputc('\n', out);
    for (int i = 0; i < COMMON - !c->json; i++)
        help_row(out, common[i].letter, common[i].name, common[i].argument, common[i].help, NULL);
    const dal_option *row = dal_option_rows(&rows);
    if (c->models) fputs("\nTo override the simulate block of the file:\n", out);
    for (size_t i = 0; c->models && i < rows; i++)
        if (!find_row(FLAG_OWN, own, count, row[i].key, strlen(row[i].key)).kind)
            help_row(out, 0, row[i].key, row[i].argument, row[i].help, row[i].choices);
    fprintf(out, "\n%s", c->example);
}

void program_help(FILE *out)
{
    fputs("dalembert - structure-preserving simulation: a Lagrangian in, a trajectory out\n\n",
          out);
    for (int i = 0; commands[i]; i++)
        fprintf(out, "  dalembert %-10s %s\n", commands[i]->name, commands[i]->title);
    fputs(
        "\n'dalembert COMMAND --help' explains a command; 'dalembert --version' prints the\nversion.\n"
        "Exit codes: 0 done, 1 the model or the command line is wrong, 2 a step failed,\n"
        "3 a file could not be read or written, 130 interrupted.\n",
        out);
}
