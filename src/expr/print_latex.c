/* print_latex.c - expressions in LaTeX. */
#include "expr/typeset.h"

#include <string.h>

static const dress dresses[OP_COUNT] = {
    [OP_SQRT] = {"", "\\sqrt{", "}"},
    [OP_EXP] = {"", "e^{", "}"},
    [OP_ABS] = {"", "\\left|", "\\right|"},
    [OP_FLOOR] = {"", "\\left\\lfloor ", "\\right\\rfloor "},
    [OP_SIN] = {"\\sin", NULL, NULL},
    [OP_COS] = {"\\cos", NULL, NULL},
    [OP_TAN] = {"\\tan", NULL, NULL},
    [OP_ASIN] = {"\\arcsin", NULL, NULL},
    [OP_ACOS] = {"\\arccos", NULL, NULL},
    [OP_ATAN] = {"\\arctan", NULL, NULL},
    [OP_SINH] = {"\\sinh", NULL, NULL},
    [OP_COSH] = {"\\cosh", NULL, NULL},
    [OP_TANH] = {"\\tanh", NULL, NULL},
    [OP_LOG] = {"\\log", NULL, NULL},
    [OP_MIN] = {"\\min", NULL, NULL},
    [OP_MAX] = {"\\max", NULL, NULL},
    [OP_ATAN2] = {"\\operatorname{atan2}", NULL, NULL},
    [OP_SIGN] = {"\\operatorname{sign}", NULL, NULL},
};

/* 1.5e-07 is 1.5 \cdot 10^{-7} */
static void decimal(text *out, const char *digits, int exponent, bool has_exponent)
{
    if (!has_exponent || strcmp(digits, "1") != 0) text_add(out, digits);
    if (!has_exponent) return;
    if (strcmp(digits, "1") != 0) text_add(out, " \\cdot ");
    text_printf(out, "10^{%d}", exponent);
}

static const dialect latex = {
    .open = "\\left(",
    .close = "\\right)",
    .plus = " + ",
    .minus = " - ",
    .sign = "-",
    .not = "\\lnot ",
    .times = " \\, ",
    .dot = " \\cdot ",
    .comma = ", ",
    .fraction = {"\\frac{", "}{", "}"},
    .base = {"{", "}"},
    .bracketed = {"\\left(", "\\right)"},
    .raise = {"^{", "}"},
    .name_raised = "",
    .cases = {"\\begin{cases} ", " & \\text{if } ", " \\\\ ", " & \\text{otherwise} \\end{cases}"},
    .less = " < ",
    .at_most = " \\le ",
    .equal = " = ",
    .unequal = " \\ne ",
    .and = " \\land ",
    .or = " \\lor ",
    .rest = NULL,
    .most = PRINT_MOST,
    .dress = dresses,
    .decimal = decimal,
    .half = "%s\\frac{%d}{%d}",
};

void expr_print_latex(const graph *g, expr e, expr_namer namer, void *self, text *out)
{
    typeset(g, e, namer, self, &latex, out);
}
