/* print_latex.c - expressions as a paper sets them: fractions, roots, cases. */
#include "expr/printer.h"

#include <math.h>
#include <string.h>

static binding binding_of(const graph *g, expr e)
{
    expr_op op = expr_opcode(g, e);
    double  c;
    if (expr_is_const(g, e, &c)) return c < 0 ? UNARY : c == floor(c) && c < 1e15 ? PRIMARY : POWER;
    switch (op) {
    case OP_OR: return OR;
    case OP_AND: return AND;
    case OP_NOT: return NOT;
    case OP_LT:
    case OP_LE:
    case OP_EQ:
    case OP_NE: return COMPARISON;
    case OP_ADD:
    case OP_IF: return SUM;
    case OP_MUL: return TERM;
    case OP_DIV: return is_negative(g, e) ? TERM : POWER;
    case OP_NEG: return binding_of(g, args_of(g, e)[0]) == TERM ? TERM : UNARY;
    case OP_POW:
    case OP_POWI: return POWER;
    default: return PRIMARY;
    }
}

/* What stands around the arguments of a function; powers go behind a name that is a name. */
typedef struct {
    const char *name, *open, *close;
} dress;

static dress dress_of(expr_op op)
{
    static const dress special[OP_COUNT] = {
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
    dress d = special[op];
    if (d.name && !d.open) d.open = "\\left(", d.close = "\\right)";
    return d;
}

static const char *relation_of(expr_op op)
{
    switch (op) {
    case OP_LT: return " < ";
    case OP_LE: return " \\le ";
    case OP_EQ: return " = ";
    case OP_NE: return " \\ne ";
    case OP_AND: return " \\land ";
    default: return " \\lor ";
    }
}

/* 1.5e-07 is 1.5 \cdot 10^{-7} */
static void print_decimal(text *out, double x)
{
    char s[NUMBER_ROOM], *e;
    number_print(s, x);
    if (!(e = strchr(s, 'e'))) {
        text_add(out, s);
        return;
    }
    *e = 0;
    int exponent = 0;
    for (const char *d = e + 1 + (e[1] == '-' || e[1] == '+'); *d; d++)
        exponent = 10 * exponent + *d - '0';
    if (strcmp(s, "1") != 0) text_add(out, s), text_add(out, " \\cdot ");
    text_printf(out, "10^{%s%d}", e[1] == '-' ? "-" : "", exponent);
}

/* Halves, quarters and eighths are fractions. */
static void print_number(text *out, double x)
{
    if (fabs(x) < 1000 && x != floor(x))
        for (int by = 2; by <= 8; by *= 2)
            if (x * by == floor(x * by)) {
                text_printf(out, "%s\\frac{%d}{%d}", x < 0 ? "-" : "", (int)fabs(x * by), by);
                return;
            }
    print_decimal(out, x);
}

/* 2 3^x needs a dot: does e begin with a digit? */
static bool begins_with_digit(const graph *g, expr e)
{
    for (expr_op op = expr_opcode(g, e); op == OP_MUL || op == OP_POW || op == OP_POWI;
         op = expr_opcode(g, e))
        e = args_of(g, e)[0];
    return expr_opcode(g, e) == OP_CONST;
}

static void lay_out_product(printer *p, expr e, bool unsign)
{
    expr a = args_of(p->g, e)[0], b = args_of(p->g, e)[1];
    put_signed(p, a, TERM, unsign);
    put_words(p, begins_with_digit(p->g, b) ? " \\cdot " : " \\, ");
    put(p, b, TERM);
}

static void lay_out_quotient(printer *p, expr e, bool unsign)
{
    expr a = args_of(p->g, e)[0], b = args_of(p->g, e)[1];
    if (is_negative(p->g, e) && !unsign) put_words(p, "-");
    put_words(p, "\\frac{");
    put_signed(p, a, OR, is_negative(p->g, e));
    put_words(p, "}{");
    put(p, b, OR);
    put_words(p, "}");
}

static void put_power(printer *p, expr e)
{
    const expr_node *node = node_of(p->g, e);
    put_words(p, "^{");
    if (node->op == OP_POWI) put_number(p, node->power);
    else put(p, args_of(p->g, e)[1], OR);
    put_words(p, "}");
}

/* `power` is the node of a power of this call, to be set behind the function's name; or NONE. */
static void lay_out_call(printer *p, expr e, expr power)
{
    dress d = dress_of(expr_opcode(p->g, e));
    put_words(p, d.name);
    if (power != EXPR_NONE) put_power(p, power);
    put_words(p, d.open);
    for (int i = 0; i < node_of(p->g, e)->n; i++) {
        if (i) put_words(p, ", ");
        put(p, args_of(p->g, e)[i], OR);
    }
    put_words(p, d.close);
}

static void lay_out_power(printer *p, expr e)
{
    const expr_node *node = node_of(p->g, e);
    expr             base = args_of(p->g, e)[0];
    dress            d = dress_of(expr_opcode(p->g, base));
    if (d.name && *d.name && node->op == OP_POWI && node->power > 0) {
        lay_out_call(p, base, e);
        return;
    }
    bool bare = binding_of(p->g, base) == PRIMARY && expr_opcode(p->g, base) != OP_EXP;
    put_words(p, bare ? "{" : "\\left(");
    put(p, base, OR);
    put_words(p, bare ? "}" : "\\right)");
    put_power(p, e);
}

static void lay_out_cases(printer *p, expr e)
{
    put_words(p, "\\begin{cases} ");
    put(p, args_of(p->g, e)[1], OR);
    put_words(p, " & \\text{if } ");
    put(p, args_of(p->g, e)[0], OR);
    put_words(p, " \\\\ ");
    put(p, args_of(p->g, e)[2], OR);
    put_words(p, " & \\text{otherwise} \\end{cases}");
}

static void lay_out_relation(printer *p, expr e, binding left, binding right)
{
    put(p, args_of(p->g, e)[0], left);
    put_words(p, relation_of(expr_opcode(p->g, e)));
    put(p, args_of(p->g, e)[1], right);
}

static void lay_out_bare(printer *p, expr e, bool unsign)
{
    const expr_node *node = node_of(p->g, e);
    switch (node->op) {
    case OP_CONST: put_number(p, unsign ? fabs(node->value) : node->value); break;
    case OP_VAR: p->namer(p->self, node->variable, p->out); break;
    case OP_ADD: put_sum(p, e); break;
    case OP_MUL: lay_out_product(p, e, unsign); break;
    case OP_DIV: lay_out_quotient(p, e, unsign); break;
    case OP_POW:
    case OP_POWI: lay_out_power(p, e); break;
    case OP_IF: lay_out_cases(p, e); break;
    case OP_LT:
    case OP_LE:
    case OP_EQ:
    case OP_NE: lay_out_relation(p, e, SUM, SUM); break;
    case OP_AND: lay_out_relation(p, e, AND, NOT); break;
    case OP_OR: lay_out_relation(p, e, OR, AND); break;
    case OP_NOT:
        put_words(p, "\\lnot ");
        put(p, args_of(p->g, e)[0], PRIMARY);
        break;
    case OP_NEG:
        if (!unsign) put_words(p, "-");
        put(p, args_of(p->g, e)[0], TERM);
        break;
    default: lay_out_call(p, e, EXPR_NONE); break;
    }
}

static void lay_out(printer *p, piece x)
{
    bool unsign = x.unsign && is_negative(p->g, x.e);
    bool brackets = binding_of(p->g, x.e) < x.at && !unsign;
    if (brackets) put_words(p, "\\left(");
    lay_out_bare(p, x.e, unsign);
    if (brackets) put_words(p, "\\right)");
}

void expr_print_latex(const graph *g, expr e, expr_namer namer, void *self, text *out)
{
    printer p = {g, namer, self, out, lay_out, print_number, {0}};
    printer_run(&p, e);
}
