/* printer.c - the stack of pieces, and what all layouts print alike. */
#include "expr/printer.h"

#include <math.h>

binding binding_of_operator(expr_op op)
{
    switch (op) {
    case OP_OR: return OR;
    case OP_AND: return AND;
    case OP_NOT: return NOT;
    case OP_LT:
    case OP_LE:
    case OP_EQ:
    case OP_NE: return COMPARISON;
    case OP_ADD: return SUM;
    case OP_MUL: return TERM;
    case OP_POW:
    case OP_POWI: return POWER;
    default: return PRIMARY;
    }
}

static void push(printer *p, piece x)
{
    vec_push(p->g->m, p->stack, x);
}

void put_words(printer *p, const char *words)
{
    push(p, (piece){.kind = WORDS, .words = words});
}

void put_number(printer *p, double x)
{
    push(p, (piece){.kind = NUMBER, .number = x});
}

void put_signed(printer *p, expr e, binding at, bool unsign)
{
    push(p, (piece){.kind = EXPRESSION, .e = e, .at = at, .unsign = unsign});
}

void put(printer *p, expr e, binding at)
{
    put_signed(p, e, at, false);
}

/* The last of the new pieces must lie lowest. */
static void reverse_from(printer *p, int first)
{
    for (int i = first, j = p->stack.n - 1; i < j; i++, j--) {
        piece x = p->stack.at[i];
        p->stack.at[i] = p->stack.at[j], p->stack.at[j] = x;
    }
}

/* Words close what is open; the terms of a sum, and what else there is between them, leave one
 * mark. */
static void leave_out(printer *p, piece x, bool *said)
{
    if (x.kind == WORDS && (x.words == p->as->plus || x.words == p->as->minus)) return;
    if (x.kind == WORDS || !*said) text_add(p->out, x.kind == WORDS ? x.words : p->as->rest);
    *said = x.kind != WORDS;
}

/* The first positive term leads, so that b - a is not printed as -a + b. */
static void put_sum(printer *p, expr e)
{
    int n = node_of(p->g, e)->n, lead = 0;
    while (lead < n && is_negative(p->g, args_of(p->g, e)[lead])) lead++;
    if (lead == n) lead = 0;
    put(p, args_of(p->g, e)[lead], TERM);
    for (int i = 0; i < n; i++) {
        expr term = args_of(p->g, e)[i];
        if (i == lead) continue;
        put_words(p, is_negative(p->g, term) ? p->as->minus : p->as->plus);
        put_signed(p, term, TERM, true);
    }
}

/* Numbers, names and sums are the same in all layouts. */
static void lay_out_bare(printer *p, expr e, bool unsign)
{
    const expr_node *node = node_of(p->g, e);
    switch (node->op) {
    case OP_CONST: put_number(p, unsign ? fabs(node->value) : node->value); break;
    case OP_VAR: p->namer(p->self, node->variable, p->out); break;
    case OP_ADD: put_sum(p, e); break;
    default: p->as->lay_out(p, e, unsign); break;
    }
}

/* In brackets if it binds looser than its place allows. */
static void lay_out(printer *p, piece x)
{
    bool unsign = x.unsign && is_negative(p->g, x.e);
    bool brackets = p->as->binding_of(p->g, x.e) < x.at && !unsign;
    if (brackets) put_words(p, p->as->open);
    lay_out_bare(p, x.e, unsign);
    if (brackets) put_words(p, p->as->close);
}

/* Pieces are laid out in turn; each may put others in its place. */
static void run(printer *p)
{
    size_t most = p->out->n + p->as->most;
    bool   said = false;
    while (p->stack.n && (p->out->n <= most || p->as->rest)) {
        piece x = p->stack.at[--p->stack.n];
        int   first = p->stack.n;
        if (p->out->n > most) leave_out(p, x, &said);
        else if (x.kind == WORDS) text_add(p->out, x.words);
        else if (x.kind == NUMBER) p->as->number(p, x.number);
        else lay_out(p, x);
        reverse_from(p, first);
    }
    if (p->stack.n) text_add(p->out, " ...");
    vec_drop(p->g->m, p->stack);
}

void print_as(const layout *as, const graph *g, expr e, expr_namer namer, void *self, text *out)
{
    printer p = {.g = g, .namer = namer, .self = self, .out = out, .as = as};
    put(&p, e, OR);
    run(&p);
}

/* A product has the sign of its constant, which stands first. */
bool is_negative(const graph *g, expr e)
{
    expr_op op = expr_opcode(g, e);
    if (op == OP_NEG) return true;
    if (op == OP_MUL || op == OP_DIV) e = args_of(g, e)[0];
    double c;
    return expr_is_const(g, e, &c) && c < 0;
}
