/* antiderivative.c - integrals in one variable of sums of products of powers, and of functions of
 * an argument that is linear in it. What has no rule here has none: an answer is to be checked by
 * differentiating it. */
#include "expr/expr.h"
#include "expr/graph.h"

enum { DEEPEST = 64 }; /* of nested operators that are looked into */

typedef struct {
    graph *g;
    int    variable;
} integration;

static bool holds(const integration *s, expr e)
{
    uint8_t *used = mem_resize(s->g->m, NULL, (size_t)s->variable + 1);
    for (int v = 0; v <= s->variable; v++) used[v] = 0;
    expr_uses(s->g, &e, 1, used, s->variable + 1);
    bool is = used[s->variable];
    mem_drop(s->g->m, used);
    return is;
}

/* n if e = x^n, 0 if it is no power. */
static int power_of(const integration *s, expr e)
{
    const expr_node *of = node_of(s->g, e);
    if (of->op == OP_VAR) return of->variable == s->variable;
    if (of->op != OP_POWI) return 0;
    const expr_node *base = node_of(s->g, *args_of(s->g, e));
    return base->op == OP_VAR && base->variable == s->variable ? of->power : 0;
}

/* x^(n+1)/(n+1) */
static expr raise(graph *g, expr x, int n)
{
    return expr_scale(g, 1.0 / (n + 1), expr_powi(g, x, n + 1));
}

/* F(y) of f(y); EXPR_NONE: no rule. */
static expr function_integral(graph *g, expr f, expr y)
{
    switch (expr_opcode(g, f)) {
    case OP_SIN: return expr_neg(g, expr_op1(g, OP_COS, y));
    case OP_COS: return expr_op1(g, OP_SIN, y);
    case OP_EXP: return f;
    case OP_SINH: return expr_op1(g, OP_COSH, y);
    case OP_COSH: return expr_op1(g, OP_SINH, y);
    case OP_POWI: return raise(g, y, node_of(g, f)->power);
    default: return EXPR_NONE;
    }
}

/* F(a + b x)/b */
static expr integrate_function(const integration *s, expr f)
{
    expr slope, y = *args_of(s->g, f);
    if (node_of(s->g, f)->n != 1) return EXPR_NONE;
    expr_gradient(s->g, y, &s->variable, 1, &slope);
    if (holds(s, slope)) return EXPR_NONE;
    expr F = function_integral(s->g, f, y);
    return F == EXPR_NONE ? F : expr_div(s->g, F, slope);
}

static expr integrate(const integration *s, expr e, int depth);

static expr integrate_sum(const integration *s, expr e, int depth)
{
    expr sum = expr_const(s->g, 0);
    for (int k = 0; k < node_of(s->g, e)->n; k++) {
        expr part = integrate(s, args_of(s->g, e)[k], depth);
        if (part == EXPR_NONE) return EXPR_NONE;
        sum = expr_add(s->g, sum, part);
    }
    return sum;
}

/* What is free of x comes before the integral; powers of x are counted together. */
static expr integrate_product(const integration *s, expr e, int depth)
{
    expr todo[DEEPEST], before = expr_const(s->g, 1), rest = EXPR_NONE;
    int  waiting = 1, power = 0;
    todo[0] = e;
    while (waiting) {
        expr f = todo[--waiting];
        if (!holds(s, f)) before = expr_mul(s->g, before, f);
        else if (power_of(s, f)) power += power_of(s, f);
        else if (expr_opcode(s->g, f) == OP_MUL && waiting + 2 < DEEPEST) {
            todo[waiting] = args_of(s->g, f)[0], todo[waiting + 1] = args_of(s->g, f)[1];
            waiting += 2;
        } else if (rest == EXPR_NONE) rest = f;
        else return EXPR_NONE;
    }
    if (rest != EXPR_NONE && (power || rest == e)) return EXPR_NONE;
    expr within = rest == EXPR_NONE ? raise(s->g, expr_var(s->g, s->variable), power)
                                    : integrate(s, rest, depth);
    return within == EXPR_NONE ? within : expr_mul(s->g, before, within);
}

static expr integrate(const integration *s, expr e, int depth)
{
    graph *g = s->g;
    if (!holds(s, e)) return expr_mul(g, e, expr_var(g, s->variable));
    if (depth > DEEPEST) return EXPR_NONE;
    if (power_of(s, e)) return raise(g, expr_var(g, s->variable), power_of(s, e));
    switch (expr_opcode(g, e)) {
    case OP_ADD: return integrate_sum(s, e, depth + 1);
    case OP_MUL: return integrate_product(s, e, depth + 1);
    case OP_NEG: {
        expr part = integrate(s, *args_of(g, e), depth + 1);
        return part == EXPR_NONE ? part : expr_neg(g, part);
    }
    case OP_DIV: {
        expr below = args_of(g, e)[1];
        expr above = holds(s, below) ? EXPR_NONE : integrate(s, args_of(g, e)[0], depth + 1);
        return above == EXPR_NONE ? above : expr_div(g, above, below);
    }
    default: return integrate_function(s, e);
    }
}

expr expr_antiderivative(graph *g, expr e, int variable)
{
    const integration s = {g, variable};
    return integrate(&s, e, 0);
}
