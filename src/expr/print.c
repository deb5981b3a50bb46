/* print.c - expressions as the language writes them, with no more brackets than it takes to read
 * them back.
 *
 * Factors that a graph keeps as c*(a/b) or c*(a*b) are printed as c*a/b and c*a*b: reading gathers
 * the constant again. */
#include "expr/printer.h"

static binding binding_of(const graph *g, expr e)
{
    switch (expr_opcode(g, e)) {
    case OP_CONST: return is_negative(g, e) ? UNARY : PRIMARY;
    case OP_DIV: return TERM;
    case OP_NEG: return binding_of(g, args_of(g, e)[0]) == TERM ? TERM : UNARY;
    default: return binding_of_operator(expr_opcode(g, e));
    }
}

/* Of two factors the product comes first, the quotient last: a*b*c, a*(1/b). */
static int rank(const graph *g, expr e)
{
    return expr_opcode(g, e) == OP_MUL ? 0 : expr_opcode(g, e) == OP_DIV ? 2 : 1;
}

/* A constant stays in front, since reading it back gathers it there. */
static void lay_out_product(printer *p, expr e, bool unsign)
{
    const graph *g = p->g;
    expr         a = args_of(g, e)[0], b = args_of(g, e)[1];
    double       c = 1;
    bool         constant = expr_is_const(g, a, &c);
    if (!constant && rank(g, b) < rank(g, a)) {
        expr swap = a;
        a = b, b = swap;
    }
    put_signed(p, a, TERM, unsign);
    put_words(p, "*");
    put(p, b, constant && c != 0 ? TERM : POWER);
}

static void lay_out_quotient(printer *p, expr e, bool unsign)
{
    expr a = args_of(p->g, e)[0], b = args_of(p->g, e)[1];
    put_signed(p, a, TERM, unsign);
    put_words(p, "/");
    put(p, b, POWER);
}

static void lay_out_negation(printer *p, expr e, bool unsign)
{
    expr a = args_of(p->g, e)[0];
    if (!unsign) put_words(p, "-");
    put(p, a, TERM);
}

/* How tightly its two sides must bind: a < b takes sums, `and` groups to the left. */
static void lay_out_infix(printer *p, expr e, binding left, binding right)
{
    expr a = args_of(p->g, e)[0], b = args_of(p->g, e)[1];
    put(p, a, left);
    put_words(p, " ");
    put_words(p, op_symbol(expr_opcode(p->g, e)));
    put_words(p, " ");
    put(p, b, right);
}

static void lay_out_call(printer *p, expr e)
{
    put_words(p, op_symbol(expr_opcode(p->g, e)));
    put_words(p, "(");
    for (int i = 0; i < node_of(p->g, e)->n; i++) {
        if (i) put_words(p, ", ");
        put(p, args_of(p->g, e)[i], OR);
    }
    put_words(p, ")");
}

/* -x^2 is -(x^2), so the base must be primary; the exponent may have a sign. */
static void lay_out_power(printer *p, expr e)
{
    const expr_node *node = node_of(p->g, e);
    put(p, args_of(p->g, e)[0], PRIMARY);
    put_words(p, "^");
    if (node->op == OP_POWI) put_number(p, node->power);
    else put(p, args_of(p->g, e)[1], UNARY);
}

static void lay_out(printer *p, expr e, bool unsign)
{
    switch (expr_opcode(p->g, e)) {
    case OP_MUL: lay_out_product(p, e, unsign); break;
    case OP_DIV: lay_out_quotient(p, e, unsign); break;
    case OP_NEG: lay_out_negation(p, e, unsign); break;
    case OP_POW:
    case OP_POWI: lay_out_power(p, e); break;
    case OP_LT:
    case OP_LE:
    case OP_EQ:
    case OP_NE: lay_out_infix(p, e, SUM, SUM); break;
    case OP_AND: lay_out_infix(p, e, AND, NOT); break;
    case OP_OR: lay_out_infix(p, e, OR, AND); break;
    case OP_NOT:
        put_words(p, "not ");
        put(p, args_of(p->g, e)[0], NOT);
        break;
    default: lay_out_call(p, e); break;
    }
}

static void put_factors(printer *p, const expr *of, int count)
{
    for (int i = 0; i < count; i++) {
        if (i) put_words(p, "*");
        put(p, of[i], POWER);
    }
}

/* Products of quotients as one. */
static void lay_out_fairly(printer *p, expr e, bool unsign)
{
    const expr_op op = expr_opcode(p->g, e);
    fraction      f;
    if ((op != OP_MUL && op != OP_DIV) || !fraction_of(p->g, e, &f)) {
        lay_out(p, e, unsign);
        return;
    }
    if (f.overs) put_signed(p, f.over[0], TERM, unsign);
    else put_number(p, 1);
    if (f.overs > 1) put_words(p, "*"), put_factors(p, f.over + 1, f.overs - 1);
    put_words(p, f.unders > 1 ? "/(" : "/");
    put_factors(p, f.under, f.unders);
    if (f.unders > 1) put_words(p, ")");
}

static void print_number(printer *p, double x)
{
    text_number(p->out, x);
}

static void print_with(void (*by)(printer *p, expr e, bool unsign), const graph *g, expr e,
                       expr_namer namer, void *self, text *out)
{
    const layout infix = {.binding_of = binding_of,
                          .lay_out = by,
                          .number = print_number,
                          .open = "(",
                          .close = ")",
                          .plus = " + ",
                          .minus = " - ",
                          .most = PRINT_MOST};
    print_as(&infix, g, e, namer, self, out);
}

void expr_print(const graph *g, expr e, expr_namer namer, void *self, text *out)
{
    print_with(lay_out, g, e, namer, self, out);
}

void expr_print_fair(const graph *g, expr e, expr_namer namer, void *self, text *out)
{
    print_with(lay_out_fairly, g, e, namer, self, out);
}
