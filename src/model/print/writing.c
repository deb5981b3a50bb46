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
    .zero = "0",
    .plus = " + ",
    .minus = " - ",
    .bracket_open = "(",
    .bracket_close = ")",
    .where = "where\n",
    .words_open = "",
    .words_close = "\n",
    .head_open = "",
    .head_close = "",
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
    .zero = "0",
    .plus = " + ",
    .minus = " - ",
    .bracket_open = "\\left(",
    .bracket_close = "\\right)",
    .where = "\\intertext{where}\n",
    .words_open = "% ",
    .words_close = "\n",
    .head_open = "%",
    .head_close = "\n  & ",
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
    .zero = "<mn>0</mn>",
    .plus = "<mo form=\"infix\">+</mo>",
    .minus = "<mo form=\"infix\">−</mo>",
    .bracket_open = "<mrow><mo>(</mo>",
    .bracket_close = "<mo>)</mo></mrow>",
    .where = "<tr class=\"where\"><td colspan=\"2\">where</td></tr>\n",
    .words_open = "<p>",
    .words_close = "</p>\n",
    .head_open = "<mtext>",
    .head_close = "</mtext></mrow></math></td>" CELL,
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
