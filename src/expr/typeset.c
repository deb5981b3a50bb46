/* typeset.c - the layout of expressions as a paper sets them; the words are those of a dialect. */
#include "expr/typeset.h"

#include <math.h>
#include <string.h>

/* Fractions are set in one piece and need brackets only if something is raised or applied to
 * them. */
static binding binding_of(const graph *g, expr e)
{
    expr_op op = expr_opcode(g, e);
    double  c;
    if (expr_is_const(g, e, &c)) return c < 0 ? UNARY : c == floor(c) && c < 1e15 ? PRIMARY : POWER;
    switch (op) {
    case OP_IF: return SUM;
    case OP_DIV: return is_negative(g, e) ? TERM : POWER;
    case OP_NEG: return binding_of(g, args_of(g, e)[0]) == TERM ? TERM : UNARY;
    default: return binding_of_operator(op);
    }
}

static const dialect *as(const printer *p)
{
    return p->as->self;
}

/* A name without brackets of its own gets those of the dialect. */
static dress dress_of(const printer *p, expr e)
{
    dress d = as(p)->dress[expr_opcode(p->g, e)];
    if (d.name && !d.open) d.open = as(p)->open, d.close = as(p)->close;
    return d;
}

static const char *relation_of(const dialect *d, expr_op op)
{
    switch (op) {
    case OP_LT: return d->less;
    case OP_LE: return d->at_most;
    case OP_EQ: return d->equal;
    case OP_NE: return d->unequal;
    case OP_AND: return d->and;
    default: return d->or ;
    }
}

/* 1.5e-07 is 1.5 times a power of ten. */
static void print_decimal(const dialect *d, text *out, double x)
{
    char s[NUMBER_ROOM], *e;
    int  exponent = 0;
    number_print(s, x);
    if ((e = strchr(s, 'e'))) {
        *e = 0;
        for (const char *c = e + 1 + (e[1] == '-' || e[1] == '+'); *c; c++)
            exponent = 10 * exponent + *c - '0';
        if (e[1] == '-') exponent = -exponent;
    }
    d->decimal(out, s, exponent, e != NULL);
}

/* Halves, quarters and eighths are fractions. */
static void print_number(printer *p, double x)
{
    const dialect *d = as(p);
    if (fabs(x) < 1000 && x != floor(x))
        for (int by = 2; by <= 8; by *= 2)
            if (x * by == floor(x * by)) {
                text_printf(p->out, d->half, x < 0 ? d->sign : "", (int)fabs(x * by), by);
                return;
            }
    print_decimal(d, p->out, x);
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
    put_words(p, begins_with_digit(p->g, b) ? as(p)->dot : as(p)->times);
    put(p, b, TERM);
}

static void put_factors(printer *p, const expr *of, int count)
{
    for (int i = 0; i < count; i++) {
        if (i) put_words(p, begins_with_digit(p->g, of[i]) ? as(p)->dot : as(p)->times);
        put(p, of[i], count > 1 ? TERM : OR);
    }
}

/* A product of quotients as one fraction, behind a number. False: it is none. */
static bool lay_out_fraction(printer *p, expr e, bool unsign)
{
    fraction f;
    double   c;
    if (expr_opcode(p->g, e) != OP_MUL || !fraction_of(p->g, e, &f)) return false;
    const int first = f.overs > 1 && expr_is_const(p->g, f.over[0], &c);
    if (!first && is_negative(p->g, e)) return false;
    if (first) put_signed(p, f.over[0], TERM, unsign), put_words(p, as(p)->times);
    put_words(p, as(p)->fraction[0]);
    if (f.overs) put_factors(p, f.over + first, f.overs - first);
    else put_number(p, 1);
    put_words(p, as(p)->fraction[1]);
    put_factors(p, f.under, f.unders);
    put_words(p, as(p)->fraction[2]);
    return true;
}

/* The sign stands before the fraction, not in its numerator. */
static void lay_out_quotient(printer *p, expr e, bool unsign)
{
    expr a = args_of(p->g, e)[0], b = args_of(p->g, e)[1];
    if (is_negative(p->g, e) && !unsign) put_words(p, as(p)->sign);
    put_words(p, as(p)->fraction[0]);
    put_signed(p, a, OR, is_negative(p->g, e));
    put_words(p, as(p)->fraction[1]);
    put(p, b, OR);
    put_words(p, as(p)->fraction[2]);
}

static void put_power(printer *p, expr e)
{
    const expr_node *node = node_of(p->g, e);
    put_words(p, as(p)->raise[0]);
    if (node->op == OP_POWI) put_number(p, node->power);
    else put(p, args_of(p->g, e)[1], OR);
    put_words(p, as(p)->raise[1]);
}

/* `power` is the node of a power of this call, to be set behind the function's name; or NONE. */
static void lay_out_call(printer *p, expr e, expr power)
{
    dress d = dress_of(p, e);
    if (power != EXPR_NONE) put_words(p, as(p)->name_raised);
    put_words(p, d.name);
    if (power != EXPR_NONE) put_power(p, power);
    put_words(p, d.open);
    for (int i = 0; i < node_of(p->g, e)->n; i++) {
        if (i) put_words(p, as(p)->comma);
        put(p, args_of(p->g, e)[i], OR);
    }
    put_words(p, d.close);
}

/* sin^2 x for whole powers of functions that have a name; e^x in brackets, as two powers would
 * stack. */
static void lay_out_power(printer *p, expr e)
{
    const expr_node *node = node_of(p->g, e);
    expr             base = args_of(p->g, e)[0];
    dress            d = dress_of(p, base);
    if (d.name && *d.name && node->op == OP_POWI && node->power > 0) {
        lay_out_call(p, base, e);
        return;
    }
    bool bare = binding_of(p->g, base) == PRIMARY && expr_opcode(p->g, base) != OP_EXP;
    put_words(p, bare ? as(p)->base[0] : as(p)->bracketed[0]);
    put(p, base, OR);
    put_words(p, bare ? as(p)->base[1] : as(p)->bracketed[1]);
    put_power(p, e);
}

/* The value comes before its condition, as papers have it. */
static void lay_out_cases(printer *p, expr e)
{
    put_words(p, as(p)->cases[0]);
    put(p, args_of(p->g, e)[1], OR);
    put_words(p, as(p)->cases[1]);
    put(p, args_of(p->g, e)[0], OR);
    put_words(p, as(p)->cases[2]);
    put(p, args_of(p->g, e)[2], OR);
    put_words(p, as(p)->cases[3]);
}

static void lay_out_relation(printer *p, expr e, binding left, binding right)
{
    put(p, args_of(p->g, e)[0], left);
    put_words(p, relation_of(as(p), expr_opcode(p->g, e)));
    put(p, args_of(p->g, e)[1], right);
}

static void lay_out(printer *p, expr e, bool unsign)
{
    switch (expr_opcode(p->g, e)) {
    case OP_MUL:
        if (!lay_out_fraction(p, e, unsign)) lay_out_product(p, e, unsign);
        break;
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
        put_words(p, as(p)->not );
        put(p, args_of(p->g, e)[0], PRIMARY);
        break;
    case OP_NEG:
        if (!unsign) put_words(p, as(p)->sign);
        put(p, args_of(p->g, e)[0], TERM);
        break;
    default: lay_out_call(p, e, EXPR_NONE); break;
    }
}

void typeset(const graph *g, expr e, expr_namer namer, void *self, const dialect *d, text *out)
{
    const layout as_set = {.binding_of = binding_of,
                           .lay_out = lay_out,
                           .number = print_number,
                           .self = d,
                           .open = d->open,
                           .close = d->close,
                           .plus = d->plus,
                           .minus = d->minus,
                           .rest = d->rest,
                           .most = d->most};
    print_as(&as_set, g, e, namer, self, out);
}
