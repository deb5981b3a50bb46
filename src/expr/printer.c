/* printer.c - the stack of pieces, and sums, which all print alike. */
#include "expr/printer.h"

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

void put_unsigned(printer *p, expr e, binding at)
{
    put_signed(p, e, at, true);
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
    if (x.kind == WORDS && (x.words == p->plus || x.words == p->minus)) return;
    if (x.kind == WORDS || !*said) text_add(p->out, x.kind == WORDS ? x.words : p->rest);
    *said = x.kind != WORDS;
}

void printer_run(printer *p, expr e)
{
    size_t most = p->out->n + p->most;
    bool   said = false;
    put(p, e, OR);
    while (p->stack.n && (p->out->n <= most || p->rest)) {
        piece x = p->stack.at[--p->stack.n];
        int   first = p->stack.n;
        if (p->out->n > most) leave_out(p, x, &said);
        else if (x.kind == WORDS) text_add(p->out, x.words);
        else if (x.kind == NUMBER) p->number(p, x.number);
        else p->lay_out(p, x);
        reverse_from(p, first);
    }
    if (p->stack.n) text_add(p->out, " ...");
    vec_drop(p->g->m, p->stack);
}

bool is_negative(const graph *g, expr e)
{
    expr_op op = expr_opcode(g, e);
    if (op == OP_NEG) return true;
    if (op == OP_MUL || op == OP_DIV) e = args_of(g, e)[0];
    double c;
    return expr_is_const(g, e, &c) && c < 0;
}

/* The first positive term leads, so that b - a is not printed as -a + b. */
void put_sum(printer *p, expr e)
{
    int n = node_of(p->g, e)->n, lead = 0;
    while (lead < n && is_negative(p->g, args_of(p->g, e)[lead])) lead++;
    if (lead == n) lead = 0;
    put(p, args_of(p->g, e)[lead], TERM);
    for (int i = 0; i < n; i++) {
        expr term = args_of(p->g, e)[i];
        if (i == lead) continue;
        put_words(p, is_negative(p->g, term) ? p->minus : p->plus);
        put_unsigned(p, term, TERM);
    }
}
