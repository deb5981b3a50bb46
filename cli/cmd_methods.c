/* cmd_methods.c - dalembert methods: every scheme, with its order and what it keeps, from the library's table. */
#include "cli.h"

#include <jansson.h>
#include <string.h>

static int methods_flags(flag_row *out)
{
    out[0] = (flag_row){"markdown", 0, NULL, "print a table for a document"};
    return 1;
}

static const char *yes(unsigned claims, unsigned claim)
{
    return claims & claim ? "yes" : "-";
}

static void print_plain(FILE *out)
{
    fprintf(out, "%-28s %-10s %-20s %-10s %-11s %s\n", "scheme", "order", "curve", "symmetric", "symplectic", "");
    for (size_t i = 0; i < dal_method_count(); i++) {
        dal_method row = dal_method_at(i);
        fprintf(out, "%-28s %-10s %-20s %-10s %-11s %s\n", row.name, row.order, row.curve,
                yes(row.claims, DAL_SYMMETRIC), yes(row.claims, DAL_SYMPLECTIC), row.title);
    }
    fputs("\nA scheme is a curve times a quadrature: 'polynomial(2) with gauss(3)' is one too.\n"
          "Principles: dirac+ (default), dirac- (same positions, other reported momentum with momentum = papers).\n",
          out);
}

static void print_markdown(FILE *out)
{
    fputs("| scheme | order | curve | symmetric | symplectic | | |\n|---|---|---|---|---|---|---|\n", out);
    for (size_t i = 0; i < dal_method_count(); i++) {
        dal_method row = dal_method_at(i);
        fprintf(out, "| `%s` | %s | %s | %s | %s | %s | %s |\n", row.name, row.order, row.curve,
                yes(row.claims, DAL_SYMMETRIC), yes(row.claims, DAL_SYMPLECTIC), row.title,
                row.cite ? row.cite : "");
    }
}

static void print_json(FILE *out)
{
    json_t *all = json_array();
    for (size_t i = 0; i < dal_method_count(); i++) {
        dal_method row = dal_method_at(i);
        json_array_append_new(
            all, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s*, s:b, s:b}", "name", row.name, "example",
                           row.example, "order", row.order, "curve", row.curve, "title", row.title, "cite",
                           row.cite, "symmetric", (row.claims & DAL_SYMMETRIC) != 0, "symplectic",
                           (row.claims & DAL_SYMPLECTIC) != 0));
    }
    json_dumpf(all, out, JSON_INDENT(2));
    fputc('\n', out);
    json_decref(all);
}

static int methods(arguments *a)
{
    const char *path = a->outputs ? a->output[a->outputs - 1] : "-";
    FILE       *out = open_output(path);
    if (!out) return EXIT_IO;
    if (a->json) print_json(out);
    else if (a->choice) print_markdown(out);
    else print_plain(out);
    return close_output(out, path) ? EXIT_DONE : EXIT_IO;
}

const command command_methods = {
    .name = "methods",
    .synopsis = "methods [--markdown | --json]",
    .title = "list every scheme, with its order and properties",
    .about = "The library's own table. The tests hold every claim in it to account.",
    .example = "Example:\n"
               "  dalembert methods\n",
    .json = true,
    .flags = methods_flags,
    .run = methods,
};
