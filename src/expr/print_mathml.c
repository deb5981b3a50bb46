/* print_mathml.c - expressions in MathML, for pages that a browser sets. */
#include "expr/typeset.h"

#include <string.h>

static const dress dresses[OP_COUNT] = {
    [OP_SQRT] = {"", "<msqrt><mrow>", "</mrow></msqrt>"},
    [OP_EXP] = {"", "<msup><mi>e</mi><mrow>", "</mrow></msup>"},
    [OP_ABS] = {"", "<mrow><mo>|</mo>", "<mo>|</mo></mrow>"},
    [OP_FLOOR] = {"", "<mrow><mo>⌊</mo>", "<mo>⌋</mo></mrow>"},
    [OP_SIN] = {"<mi>sin</mi>", NULL, NULL},
    [OP_COS] = {"<mi>cos</mi>", NULL, NULL},
    [OP_TAN] = {"<mi>tan</mi>", NULL, NULL},
    [OP_ASIN] = {"<mi>arcsin</mi>", NULL, NULL},
    [OP_ACOS] = {"<mi>arccos</mi>", NULL, NULL},
    [OP_ATAN] = {"<mi>arctan</mi>", NULL, NULL},
    [OP_SINH] = {"<mi>sinh</mi>", NULL, NULL},
    [OP_COSH] = {"<mi>cosh</mi>", NULL, NULL},
    [OP_TANH] = {"<mi>tanh</mi>", NULL, NULL},
    [OP_LOG] = {"<mi>log</mi>", NULL, NULL},
    [OP_MIN] = {"<mi>min</mi>", NULL, NULL},
    [OP_MAX] = {"<mi>max</mi>", NULL, NULL},
    [OP_ATAN2] = {"<mi>atan2</mi>", NULL, NULL},
    [OP_SIGN] = {"<mi>sign</mi>", NULL, NULL},
};

/* 1.5e-07 is 1.5 times 10 to the -7 */
static void decimal(text *out, const char *digits, int exponent, bool has_exponent)
{
    if (*digits == '-') text_add(out, "<mo>−</mo>"), digits++;
    if (!has_exponent || strcmp(digits, "1") != 0) text_printf(out, "<mn>%s</mn>", digits);
    if (!has_exponent) return;
    if (strcmp(digits, "1") != 0) text_add(out, "<mo>·</mo>");
    text_printf(out, "<msup><mn>10</mn><mn>%s%d</mn></msup>", exponent < 0 ? "−" : "",
                exponent < 0 ? -exponent : exponent);
}

static const dialect mathml = {
    .open = "<mrow><mo>(</mo>",
    .close = "<mo>)</mo></mrow>",
    .plus = "<mo>+</mo>",
    .minus = "<mo>−</mo>",
    .sign = "<mo>−</mo>",
    .not = "<mo>¬</mo>",
    .times = "<mspace width=\"0.17em\"/>",
    .dot = "<mo>·</mo>",
    .comma = "<mo>,</mo>",
    .fraction = {"<mfrac><mrow>", "</mrow><mrow>", "</mrow></mfrac>"},
    .base = {"<msup><mrow>", "</mrow>"},
    .bracketed = {"<msup><mrow><mo>(</mo>", "<mo>)</mo></mrow>"},
    .raise = {"<mrow>", "</mrow></msup>"},
    .name_raised = "<msup>",
    .cases = {"<mrow><mo>{</mo><mtable><mtr><mtd>", "</mtd><mtd><mtext>if </mtext>",
              "</mtd></mtr><mtr><mtd>",
              "</mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable></mrow>"},
    .less = "<mo>&lt;</mo>",
    .at_most = "<mo>≤</mo>",
    .equal = "<mo>=</mo>",
    .unequal = "<mo>≠</mo>",
    .and = "<mo>∧</mo>",
    .or = "<mo>∨</mo>",
    .rest = "<mo>…</mo>",
    .most = 10 * PRINT_MOST, /* its words are longer */
    .dress = dresses,
    .decimal = decimal,
    .half = "%s<mfrac><mn>%d</mn><mn>%d</mn></mfrac>",
};

void expr_print_mathml(const graph *g, expr e, expr_namer namer, void *self, text *out)
{
    typeset(g, e, namer, self, &mathml, out);
}
