/* writing.c - the words of the three ways to write equations. */
#include "model/print/writing.h"

static void name_plain(const char *path, bool dot, text *out)
{
    text_printf(out, "%s%s", path, dot ? "'" : "");
}

static void name_latex(const char *path, bool dot, text *out)
{
    naming_path_latex(path, dot ? "\\dot" : NULL, out);
}

/* A comment, since a file may have any name. */
static void place_latex(span at, text *out)
{
    text_add(out, "%");
    naming_place(at, out);
    text_add(out, "\n");
}

static void place_mathml(span at, text *out)
{
    text words = text_new(out->m);
    naming_place(at, &words);
    for (const char *c = text_str(&words); *c; c++)
        if (*c == '<') text_add(out, "&lt;");
        else if (*c == '&') text_add(out, "&amp;");
        else text_add_bytes(out, c, 1);
    text_drop(&words);
}

const writing writing_plain = {
    .open = "",
    .close = "",
    .line = "",
    .end_of_line = "\n",
    .next_line = "\n   ",
    .rate_open = "d/dt (",
    .rate_close = ")",
    .momentum_open = "d/dt p(",
    .momentum_close = ")",
    .equals = " = ",
    .at_least = " >= ",
    .at_most = " <= ",
    .zero = "0",
    .plus = " + ",
    .minus = " - ",
    .bracket_open = "(",
    .bracket_close = ")",
    .where = "where\n",
    .words = {"", "\n"},
    .place = naming_place,
    .text = {"", ""},
    .space = " ",
    .head_end = ": ",
    .lagrangian = "L",
    .hamiltonian = "H",
    .most = 100,
    .left = 40,
    .indent = 6,
    .print = expr_print_fair,
    .feed = naming_feed,
    .name = name_plain,
    .multipliers = true,
};

const writing writing_latex = {
    .open = "\\begin{align*}\n",
    .close = "\\end{align*}\n",
    .line = "",
    .end_of_line = " \\\\\n",
    .next_line = " \\\\\n  &\\quad",
    .rate_open = "\\frac{d}{dt}\\left(",
    .rate_close = "\\right)",
    .momentum_open = "\\dot{p}_{",
    .momentum_close = "}",
    .equals = " &= ",
    .at_least = " &\\ge ",
    .at_most = " &\\le ",
    .zero = "0",
    .plus = " + ",
    .minus = " - ",
    .bracket_open = "\\left(",
    .bracket_close = "\\right)",
    .where = "\\intertext{where}\n",
    .words = {"\\noindent ", "\n"},
    .place = place_latex,
    .text = {"\\text{", "}"},
    .space = "\\ ",
    .head_end = "\\colon &\\quad ",
    .lagrangian = "L",
    .hamiltonian = "H",
    .most = 96,
    .left = 18,
    .indent = 24,
    .aligned = true,
    .print = expr_print_latex,
    .feed = naming_feed_latex,
    .name = name_latex,
};

#define CELL "<td><math displaystyle=\"true\"><mrow>"
const writing writing_mathml = {
    .open = "<table class=\"equations\" role=\"presentation\">\n",
    .close = "</table>\n",
    .line = "<tr>" CELL,
    .end_of_line = "</mrow></math></td></tr>\n",
    .next_line = "</mrow></math></td></tr>\n<tr class=\"more\"><td></td>" CELL,
    .rate_open = "<mfrac><mi>d</mi><mrow><mi>d</mi><mi>t</mi></mrow></mfrac><mrow><mo>(</mo>",
    .rate_close = "<mo>)</mo></mrow>",
    .momentum_open = "<msub><mover><mi>p</mi><mo>˙</mo></mover>",
    .momentum_close = "</msub>",
    .equals = "</mrow></math></td>" CELL "<mo>=</mo>",
    .at_least = "</mrow></math></td>" CELL "<mo>≥</mo>",
    .at_most = "</mrow></math></td>" CELL "<mo>≤</mo>",
    .zero = "<mn>0</mn>",
    .plus = "<mo form=\"infix\">+</mo>",
    .minus = "<mo form=\"infix\">−</mo>",
    .bracket_open = "<mrow><mo>(</mo>",
    .bracket_close = "<mo>)</mo></mrow>",
    .where = "<tr class=\"where\"><td colspan=\"2\">where</td></tr>\n",
    .words = {"<p>", "</p>\n"},
    .place = place_mathml,
    .text = {"<mtext>", "</mtext>"},
    .space = "<mspace width=\"0.25em\"/>",
    .head_end = "<mo form=\"postfix\">:</mo></mrow></math></td>" CELL,
    .lagrangian = "<mi>L</mi>",
    .hamiltonian = "<mi>H</mi>",
    .most = 104,
    .left = 18,
    .indent = 24,
    .aligned = true,
    .print = expr_print_mathml,
    .feed = naming_feed_mathml,
    .name = naming_path_mathml,
    .energy = true,
};
