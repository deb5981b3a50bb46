/* fraction.c - a product of quotients as one fraction, for the eye: a*(1/b) is a/b. */
#include "expr/printer.h"

typedef struct {
    expr e;
    bool under;
} factor;

/* Quotients come last. */
static bool comes_first(const graph *g, expr a, expr b)
{
    return expr_opcode(g, a) != OP_DIV || expr_opcode(g, b) == OP_DIV;
}

/* The factors of a factor, the first one on top; false: it has none. */
static bool take_apart(const graph *g, factor x, factor *two)
{
    const expr_op op = expr_opcode(g, x.e);
    if (op != OP_MUL && op != OP_DIV) return false;
    const expr a = args_of(g, x.e)[0], b = args_of(g, x.e)[1];
    const bool swapped = op == OP_MUL && !comes_first(g, a, b);
    two[0] = (factor){swapped ? a : b, x.under != (op == OP_DIV)};
    two[1] = (factor){swapped ? b : a, x.under};
    return true;
}

/* Factors wait in `todo`; one that cannot be taken apart goes above or below the line. */
bool fraction_of(const graph *g, expr e, fraction *out)
{
    factor todo[FACTORS_MOST + 1] = {{e, false}};
    double c;
    *out = (fraction){0};
    for (int n = 1; n > 0;) {
        if (n == FACTORS_MOST) return false;
        const factor x = todo[--n];
        if (take_apart(g, x, todo + n)) {
            n += 2;
            continue;
        }
        if (expr_is_const(g, x.e, &c) && c == 1) continue;
        int *count = x.under ? &out->unders : &out->overs;
        if (*count == FACTORS_MOST) return false;
        (x.under ? out->under : out->over)[(*count)++] = x.e;
    }
    return out->unders > 0;
}
