/* simplify.c - what building a node simplifies, so that equal expressions meet in one node: sums,
 * functions, comparisons and choices; products are in product.c.
 *
 * Values change by a few units in the last place at most (constants are gathered, terms reordered),
 * and a value that is not finite stays so (the sign of a zero aside): 0*x and x - x are 0 only
 * where x is finite by construction, 3*x - x is 2*x only where x is never infinite. A sum has its
 * terms by number of their cores, like terms gathered, the constant last. */
#include "expr/graph.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* The number of terms of an inner sum that an outer one absorbs, so that chains stay linear: few in
 * derivatives, where an inner sum is usually shared. */
enum { FLATTEN_MOST = 8, FLATTEN_LEAST = 2 };

static bool is_finite(const graph *g, expr e)
{
    return node_of(g, e)->finite;
}

static expr node1(graph *g, expr_op op, expr a)
{
    return graph_node(g, op, &a, 1);
}

static expr node2(graph *g, expr_op op, expr a, expr b)
{
    return graph_node(g, op, (expr[]){a, b}, 2);
}

/* Sums. -----------------------------------------------------------------------------------------
 */

/* Short inner sums are absorbed with their sign; long ones stay, as they may be shared. */
static void push_term(graph *g, expr e)
{
    expr_term t = expr_split_quotient(g, e);
    expr_node inner = t.core == EXPR_NONE ? (expr_node){.op = OP_CONST} : *node_of(g, t.core);
    const int most = g->deriving || g->copying ? FLATTEN_LEAST : FLATTEN_MOST;
    if (inner.op != OP_ADD || inner.n > most || fabs(t.coefficient) != 1) {
        vec_push(g->m, g->terms, t);
        return;
    }
    for (int i = 0; i < inner.n; i++) {
        expr_term s = expr_split_quotient(g, g->args.at[inner.first + i]);
        s.coefficient *= t.coefficient;
        vec_push(g->m, g->terms, s);
    }
}

/* By number of the core; constants, whose core is -1, come last. */
static int compare_terms(const void *a, const void *b)
{
    const expr_term *s = a, *t = b;
    unsigned         x = (unsigned)s->core, y = (unsigned)t->core;
    if (x != y) return x < y ? -1 : 1;
    return (s->coefficient > t->coefficient) - (s->coefficient < t->coefficient);
}

/* Mostly sorted already, and mostly short. */
static void sort_terms(expr_term *t, int n)
{
    bool sorted = true;
    for (int i = 1; i < n && sorted; i++) sorted = compare_terms(&t[i - 1], &t[i]) <= 0;
    if (!sorted && n > 16) qsort(t, (size_t)n, sizeof *t, compare_terms);
    if (sorted || n > 16) return;
    for (int i = 1, j; i < n; i++) {
        expr_term x = t[i];
        for (j = i; j > 0 && compare_terms(&t[j - 1], &x) > 0; j--) t[j] = t[j - 1];
        t[j] = x;
    }
}

/* May c*x and d*x become (c+d)*x? Of unlike signs only if x is never infinite: inf - inf is NaN. */
static bool are_like(const graph *g, expr_term s, expr_term t)
{
    if (s.core != t.core || !isfinite(s.coefficient + t.coefficient)) return false;
    if (s.core == EXPR_NONE || (s.coefficient < 0) == (t.coefficient < 0)) return true;
    return node_of(g, s.core)->poleless;
}

/* Adds up like neighbours; returns how many terms are left. */
static int gather_terms(const graph *g, expr_term *t, int n)
{
    int kept = 0;
    for (int i = 0; i < n; i++) {
        if (kept && are_like(g, t[kept - 1], t[i])) t[kept - 1].coefficient += t[i].coefficient;
        else t[kept++] = t[i];
    }
    return kept;
}

/* Turns terms into nodes; what is surely zero falls out. */
static int build_terms(graph *g, int base, int n)
{
    int kept = 0;
    for (int i = 0; i < n; i++) {
        expr_term t = g->terms.at[base + i];
        expr      e = t.core == EXPR_NONE ? expr_const(g, t.coefficient)
                                          : expr_scale(g, t.coefficient, t.core);
        if (!expr_is_zero(g, e)) g->terms.at[base + kept++].core = e;
    }
    return kept;
}

/* Terms of one core meet as neighbours and are added up; what is left is one node. */
expr expr_sum(graph *g, const expr *terms, int n)
{
    int base = g->terms.n;
    if (n == 1) return terms[0];
    for (int i = 0; i < n; i++) push_term(g, terms[i]);
    n = g->terms.n - base;
    sort_terms(g->terms.at + base, n);
    n = gather_terms(g, g->terms.at + base, n);
    n = build_terms(g, base, n);
    g->terms.n = base;
    const expr_term *t = g->terms.at + base;
    if (n < 2) return n ? t[0].core : expr_const(g, 0);
    vec_reserve(g->m, g->args, n);
    expr *args = g->args.at + g->args.n;
    for (int i = 0; i < n; i++) args[i] = t[i].core;
    return graph_node(g, OP_ADD, args, n);
}

/* Functions, comparisons, choices. --------------------------------------------------------------
 */

typedef enum { NO_PARITY, ODD, EVEN } parity;
static const parity parity_of[OP_COUNT] = {
    [OP_SIN] = ODD,  [OP_TAN] = ODD,  [OP_ASIN] = ODD, [OP_ATAN] = ODD,  [OP_SINH] = ODD,
    [OP_TANH] = ODD, [OP_SIGN] = ODD, [OP_COS] = EVEN, [OP_COSH] = EVEN, [OP_ABS] = EVEN,
};

/* Folded if finite; odd and even functions have their argument with a positive sign, so that
 * sin(x) and sin(-x) meet. */
expr expr_op1(graph *g, expr_op op, expr a)
{
    double c;
    if (op == OP_NEG) return expr_scale(g, -1, a);
    if (expr_is_const(g, a, &c) && isfinite(op_value(op, c, 0, 0)))
        return expr_const(g, op_value(op, c, 0, 0));
    expr_term t = expr_split(g, a);
    if (parity_of[op] && t.coefficient < 0) {
        expr f = node1(g, op, expr_neg(g, a));
        return parity_of[op] == ODD ? expr_neg(g, f) : f;
    }
    return node1(g, op, a);
}

/* Is its value 0 or 1 by construction? */
static bool is_condition(const graph *g, expr e)
{
    expr_op op = expr_opcode(g, e);
    return op == OP_LT || op == OP_LE || op == OP_EQ || op == OP_NE || op == OP_AND ||
           op == OP_OR || op == OP_NOT;
}

/* A constant on one side decides, or leaves the other side: true and b = b, true or b = true. */
static expr connect_conditions(graph *g, expr_op op, expr a, expr b)
{
    double c;
    if (expr_is_const(g, b, NULL) || (!expr_is_const(g, a, NULL) && a > b)) {
        expr swap = a;
        a = b, b = swap;
    }
    if (a == b && is_condition(g, a)) return a;
    if (!expr_is_const(g, a, &c)) return node2(g, op, a, b);
    if ((c != 0) == (op == OP_OR)) return expr_const(g, op == OP_OR);
    return is_condition(g, b) ? b : node2(g, OP_NE, b, expr_const(g, 0));
}

/* a op a: false for <, true for <= and == where a is finite (NaN equals nothing) */
static expr compare(graph *g, expr_op op, expr a, expr b)
{
    if (a == b && op == OP_LT) return expr_const(g, 0);
    if (a == b && is_finite(g, a)) return expr_const(g, op != OP_NE);
    if ((op == OP_EQ || op == OP_NE) && a > b) return node2(g, op, b, a);
    return node2(g, op, a, b);
}

expr expr_op2(graph *g, expr_op op, expr a, expr b)
{
    double x, y;
    switch (op) {
    case OP_ADD: return expr_sum(g, (expr[]){a, b}, 2);
    case OP_SUB: return expr_sum(g, (expr[]){a, expr_neg(g, b)}, 2);
    case OP_MUL: return expr_product(g, a, b);
    case OP_DIV: return expr_quotient(g, a, b);
    case OP_POW: return expr_pow(g, a, b);
    default: break;
    }
    if (expr_is_const(g, a, &x) && expr_is_const(g, b, &y) && isfinite(op_value(op, x, y, 0)))
        return expr_const(g, op_value(op, x, y, 0));
    switch (op) {
    case OP_MIN:
    case OP_MAX: return a == b ? a : node2(g, op, a, b);
    case OP_LT:
    case OP_LE:
    case OP_EQ:
    case OP_NE: return compare(g, op, a, b);
    case OP_AND:
    case OP_OR: return connect_conditions(g, op, a, b);
    default: return node2(g, op, a, b);
    }
}

/* Equal branches need no condition. */
expr expr_if(graph *g, expr condition, expr a, expr b)
{
    double c;
    if (a == b) return a;
    if (expr_is_const(g, condition, &c)) return c != 0 ? a : b;
    return graph_node(g, OP_IF, (expr[]){condition, a, b}, 3);
}

expr expr_apply(graph *g, expr_op op, int power, const expr *args, int n)
{
    if (op == OP_POWI) return expr_powi(g, args[0], power);
    if (op == OP_ADD) return expr_sum(g, args, n);
    if (op == OP_IF) return expr_if(g, args[0], args[1], args[2]);
    assert(n == 1 || n == 2);
    return n == 1 ? expr_op1(g, op, args[0]) : expr_op2(g, op, args[0], args[1]);
}
