/* cmd_methods.c - dalembert methods: every scheme, composition and principle, from the library's
 * tables. */
#include "cli.h"

#include <jansson.h>

static int methods_flags(flag_row *out)
{
    out[0] = (flag_row){"markdown", 0, NULL, "print the tables as a Markdown page"};
    return 1;
}

static const char *yes(unsigned claims, unsigned claim)
{
    return claims & claim ? "yes" : "-";
}

static const char *composition_name(const dal_composition *row, char *out, size_t room)
{
    if (row->order) snprintf(out, room, "%s(%d)", row->name, row->order);
    else snprintf(out, room, "%s(k)", row->name);
    return out;
}

static const char *count_or(int n, const char *otherwise, char *out, size_t room)
{
    if (n) snprintf(out, room, "%d", n);
    else snprintf(out, room, "%s", otherwise);
    return out;
}

/* Plain. --------------------------------------------------------------------------------------- */

static void print_schemes(FILE *out)
{
    fprintf(out, "%-26s %-15s %-10s %-10s %-11s %s\n", "scheme", "order", "points", "symmetric",
            "symplectic", "a step is");
    for (size_t i = 0; i < dal_method_count(); i++) {
        dal_method row = dal_method_at(i);
        fprintf(out, "%-26s %-15s %-10s %-10s %-11s %s\n", row.name, row.order, row.points,
                yes(row.claims, DAL_SYMMETRIC), yes(row.claims, DAL_SYMPLECTIC), row.solves);
        fprintf(out, "    %s\n    needs: %s\n", row.title, row.needs);
    }
}

static void print_compositions(FILE *out)
{
    char name[48], order[16], steps[16];
    fprintf(out, "\n%-26s %-15s %-10s\n", "compose(SCHEME, ...)", "order", "steps");
    for (size_t i = 0; i < dal_composition_count(); i++) {
        dal_composition row = dal_composition_at(i);
        fprintf(out, "%-26s %-15s %-10s %s\n", composition_name(&row, name, sizeof name),
                count_or(row.order, "k, even", order, sizeof order),
                count_or(row.steps, "", steps, sizeof steps), row.title);
    }
}

static void print_plain(FILE *out)
{
    size_t               count;
    const dal_principle *row = dal_principles(&count);
    print_schemes(out);
    print_compositions(out);
    fprintf(out, "\n%-26s\n", "principle");
    for (size_t i = 0; i < count; i++) fprintf(out, "%-26s %s\n", row[i].name, row[i].title);
}

/* Markdown: docs/methods.md. ------------------------------------------------------------------- */

static const char intro[] =
    "# Methods\n\n"
    "Written by `dalembert methods --markdown`. The tests in `tests/claims` measure, for every row "
    "but "
    "shooting, whose orders\n"
    "`tests/unit/test_api_forced.c` has: the order of q and p on nonlinear, forced, time-dependent "
    "systems, without constraints\n"
    "(families up to order 15, `gauss(s)` to 16) and with them (up to order 8); symmetry on the "
    "reversed problem; symplecticity\n"
    "by the derivative of a step, and the momentum of a rotation, without constraints. Beyond "
    "order 8 "
    "roundoff comes before\n"
    "small steps, and the order measured in doubles lies up to 0.65 below the claimed one; there "
    "the program is compared\n"
    "with a code of 60 digits (`tests/claims/high_order.py`), which shows `gauss(4..8)` and "
    "`lobatto(5..9)` to have theirs.\n\n"
    "A scheme is a curve times a quadrature ([theory](theory.md), [SCHEME]): the curve joins two "
    "states, the quadrature takes\n"
    "the Lagrangian and the forces along it. All schemes take Lagrangian and Hamiltonian systems, "
    "forces, holonomic and\n"
    "nonholonomic constraints, and time; shooting takes Lagrangian systems without constraints. "
    "`force = RULE` takes the\n"
    "forces by another quadrature; the order is then the least of all, and the scheme no longer "
    "ignores what is called a\n"
    "force (`dalembert check --equivalence`).\n\n";

static const char words[] = "\n*Order*: of q, p, velocity and energy at the grid points. *Points*: "
                            "at which L and f are evaluated in a step.\n"
                            "*Symmetric*: a step back undoes a step. *Symplectic*: without forces, "
                            "and with holonomic constraints on their manifold;\n"
                            "nonholonomic systems have no symplectic form to keep. *Separable*: a "
                            "constant mass matrix, and forces without velocities.\n"
                            "*Inertia in every direction*: L_vv (or H_pp) is regular on the "
                            "directions that the constraints leave free; where it is\n"
                            "not, as in most circuits, take `gauss(s)`. Every scheme conserves the "
                            "momentum of an affine symmetry to roundoff.\n\n";

static void markdown_schemes(FILE *out)
{
    fputs("## Schemes\n\n| scheme | order | curve | points | a step is | symmetric | symplectic | "
          "needs | | |\n"
          "|---|---|---|---|---|---|---|---|---|---|\n",
          out);
    for (size_t i = 0; i < dal_method_count(); i++) {
        dal_method row = dal_method_at(i);
        fprintf(out, "| `%s`", row.name);
        if (row.most) fprintf(out, ", s = %d .. %d", row.least, row.most);
        fprintf(out, " | %s | %s | %s | %s | %s | %s | %s | %s | [%s] |\n", row.order, row.curve,
                row.points, row.solves, yes(row.claims, DAL_SYMMETRIC),
                yes(row.claims, DAL_SYMPLECTIC), row.needs, row.title, row.cite);
    }
    fputs(words, out);
}

static void markdown_compositions(FILE *out)
{
    char name[48], order[16], steps[16];
    fputs("## Compositions\n\n"
          "`compose(SCHEME, NAME(k))` makes one step of order k from several of a symmetric "
          "scheme, some of them backward.\n"
          "They keep symmetry, symplecticity and momenta. The number of steps is that on a scheme "
          "of order 2.\n\n"
          "| | order | steps | | |\n|---|---|---|---|---|\n",
          out);
    for (size_t i = 0; i < dal_composition_count(); i++) {
        dal_composition row = dal_composition_at(i);
        fprintf(out, "| `%s` | %s | %s | %s | [%s] |\n", composition_name(&row, name, sizeof name),
                count_or(row.order, "k, even", order, sizeof order),
                count_or(row.steps, "", steps, sizeof steps), row.title, row.cite);
    }
}

static void print_markdown(FILE *out)
{
    size_t               count;
    const dal_principle *row = dal_principles(&count);
    fputs(intro, out);
    markdown_schemes(out);
    markdown_compositions(out);
    fputs("\n## Principles\n\n| principle | |\n|---|---|\n", out);
    for (size_t i = 0; i < count; i++) fprintf(out, "| `%s` | %s |\n", row[i].name, row[i].title);
    fputs("\nThe names in brackets are those of the references in [theory](theory.md).\n", out);
}

/* JSON. ---------------------------------------------------------------------------------------- */

static json_t *schemes_json(void)
{
    json_t *all = json_array();
    for (size_t i = 0; i < dal_method_count(); i++) {
        dal_method row = dal_method_at(i);
        json_array_append_new(
            all,
            json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:b, s:b}", "name", row.name,
                      "example", row.example, "order", row.order, "curve", row.curve, "points",
                      row.points, "solves", row.solves, "needs", row.needs, "title", row.title,
                      "cite", row.cite, "symmetric", (row.claims & DAL_SYMMETRIC) != 0,
                      "symplectic", (row.claims & DAL_SYMPLECTIC) != 0));
    }
    return all;
}

static json_t *compositions_json(void)
{
    json_t *all = json_array();
    for (size_t i = 0; i < dal_composition_count(); i++) {
        dal_composition row = dal_composition_at(i);
        json_array_append_new(all,
                              json_pack("{s:s, s:o, s:o, s:s, s:s}", "name", row.name, "order",
                                        row.order ? json_integer(row.order) : json_null(), "steps",
                                        row.steps ? json_integer(row.steps) : json_null(), "title",
                                        row.title, "cite", row.cite));
    }
    return all;
}

static json_t *principles_json(void)
{
    json_t              *all = json_array();
    size_t               count;
    const dal_principle *row = dal_principles(&count);
    for (size_t i = 0; i < count; i++)
        json_array_append_new(all,
                              json_pack("{s:s, s:s}", "name", row[i].name, "title", row[i].title));
    return all;
}

static void print_json(FILE *out)
{
    json_t *all = json_pack("{s:o, s:o, s:o}", "schemes", schemes_json(), "compositions",
                            compositions_json(), "principles", principles_json());
    json_dumpf(all, out, JSON_INDENT(2));
    fputc('\n', out);
    json_decref(all);
}

static int methods(arguments *a)
{
    const char *path = a->outputs ? a->output[a->outputs - 1] : "-";
    if (a->json && own_value(a, "markdown"))
        return complain("--markdown and --json exclude each other");
    FILE *out = open_output(path);
    if (!out) return EXIT_IO;
    if (a->json) print_json(out);
    else if (own_value(a, "markdown")) print_markdown(out);
    else print_plain(out);
    return close_output(out, path) ? EXIT_DONE : EXIT_IO;
}

const command command_methods = {
    .name = "methods",
    .synopsis = "methods [--markdown | --json]",
    .title = "list every scheme, with its order and properties",
    .about = "The tables of schemes, compositions and principles. The tests verify every\n"
             "property in them.",
    .example = "Examples:\n"
               "  dalembert methods\n"
               "  dalembert methods --markdown -o docs/methods.md\n",
    .json = true,
    .flags = methods_flags,
    .run = methods,
};
