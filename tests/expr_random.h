/* expr_random.h - random expressions, written down without simplification, and the condition of a
 * value.
 *
 * The condition of a node is the sum of the absolute values that meet in it: by how many units of
 * the rounding error its value may honestly be off, to first order. */
#ifndef TESTS_EXPR_RANDOM_H
#define TESTS_EXPR_RANDOM_H

#include "expr/graph.h"

#include <math.h>

enum { RANDOM_VARS = 3 };

typedef struct {
    uint64_t state;
} rng;

static inline uint64_t rng_next(rng *r) /* xorshift* */
{
    r->state ^= r->state >> 12, r->state ^= r->state << 25, r->state ^= r->state >> 27;
    return r->state * 2685821657736338717u;
}

static inline rng rng_new(int seed)
{
    rng r = {(uint64_t)seed * 0x9E3779B97F4A7C15u + 1};
    for (int i = 0; i < 4; i++) rng_next(&r);
    return r;
}

static inline int rng_int(rng *r, int n)
{
    return (int)((rng_next(r) >> 33) % (uint64_t)n);
}
static inline double rng_real(rng *r, double low, double high)
{
    return low + (high - low) * (double)(rng_next(r) >> 11) * 0x1p-53;
}

/* Raw nodes: as written, nothing simplified. */
static inline expr raw1(graph *g, expr_op op, expr a)
{
    return graph_node(g, op, &a, 1);
}
static inline expr raw2(graph *g, expr_op op, expr a, expr b)
{
    return graph_node(g, op, (expr[]){a, b}, 2);
}

static inline expr random_leaf(graph *g, rng *r)
{
    static const double plain[] = {0, 1, -1, 2, 3, 0.5, -0.25, 1.5, 0.1};
    if (rng_int(r, 10) < 6) return expr_var(g, rng_int(r, RANDOM_VARS));
    return expr_const(g, plain[rng_int(r, (int)(sizeof plain / sizeof *plain))]);
}

/* 1/2 + a^2 and 0.9 sin a: arguments for what is defined on part of the line only */
static inline expr positive(graph *g, expr a)
{
    return raw2(g, OP_ADD, expr_const(g, 0.5), graph_node_powi(g, a, 2));
}
static inline expr within_one(graph *g, expr a)
{
    return raw2(g, OP_MUL, expr_const(g, 0.9), raw1(g, OP_SIN, a));
}

/* An operator on random arguments, tamed so that its value exists at most points. */
static inline expr random_node(graph *g, rng *r, expr_op op, expr a, expr b, expr c)
{
    switch (op) {
    case OP_POWI: return graph_node_powi(g, a, rng_int(r, 8) - 2);
    case OP_ADD: return graph_node(g, OP_ADD, (expr[]){a, b, c}, 2 + rng_int(r, 2));
    case OP_SUB: return raw2(g, OP_ADD, a, raw1(g, OP_NEG, b));
    case OP_POW: return raw2(g, OP_POW, positive(g, a), b);
    case OP_SQRT:
    case OP_LOG: return raw1(g, op, positive(g, a));
    case OP_ASIN:
    case OP_ACOS: return raw1(g, op, within_one(g, a));
    case OP_MUL:
    case OP_DIV:
    case OP_ATAN2:
    case OP_MIN:
    case OP_MAX: return raw2(g, op, a, b);
    case OP_IF: return graph_node(g, OP_IF, (expr[]){raw2(g, OP_LT, a, b), b, c}, 3);
    default: return raw1(g, op, a);
    }
}

static inline expr random_expr(graph *g, rng *r, const expr_op *ops, int count, int depth)
{
    if (depth == 0 || rng_int(r, 8) == 0) return random_leaf(g, r);
    expr a = random_expr(g, r, ops, count, depth - 1);
    expr b = random_expr(g, r, ops, count, depth - 1);
    expr c = random_expr(g, r, ops, count, depth - 2 > 0 ? depth - 2 : 0);
    return random_node(g, r, ops[rng_int(r, count)], a, b, c);
}

/* |d v / d a| and |d v / d b| */
static inline void slopes(const expr_node *node, double v, double a, double b, double s[2])
{
    s[0] = s[1] = 1;
    switch (node->op) {
    case OP_MUL: s[0] = b, s[1] = a; break;
    case OP_DIV: s[0] = 1 / b, s[1] = v / b; break;
    case OP_POWI: s[0] = node->power * pow(a, node->power - 1); break;
    case OP_POW: s[0] = b * pow(a, b - 1), s[1] = a > 0 ? v * log(a) : 0; break;
    case OP_SQRT: s[0] = 0.5 / v; break;
    case OP_EXP: s[0] = v; break;
    case OP_LOG: s[0] = 1 / a; break;
    case OP_SIN: s[0] = cos(a); break;
    case OP_COS: s[0] = sin(a); break;
    case OP_TAN: s[0] = 1 + v * v; break;
    case OP_ASIN:
    case OP_ACOS: s[0] = 1 / sqrt(1 - a * a); break;
    case OP_ATAN: s[0] = 1 / (1 + a * a); break;
    case OP_ATAN2: s[0] = b / (a * a + b * b), s[1] = a / (a * a + b * b); break;
    case OP_SINH: s[0] = cosh(a); break;
    case OP_COSH: s[0] = sinh(a); break;
    case OP_TANH: s[0] = 1 - v * v; break;
    default: break;
    }
    s[0] = fabs(s[0]), s[1] = fabs(s[1]);
}

/* Sum over the arguments of |d node / d argument| * weight of the argument; of a choice, the branch
 * taken. */
static inline double weigh_args(const graph *g, expr e, const double *value, const double *weight)
{
    const expr_node *node = node_of(g, e);
    const expr      *x = args_of(g, e);
    double           s[2], sum = 0;
    if (node->n == 0 || (node->op >= OP_LT && node->op <= OP_NOT)) return 0;
    if (node->op == OP_IF) return weight[value[x[0]] != 0 ? x[1] : x[2]];
    slopes(node, value[e], value[x[0]], node->n > 1 ? value[x[1]] : 0, s);
    for (int j = 0; j < node->n; j++) sum += (j < 2 ? s[j] : 1) * weight[x[j]];
    return sum;
}

/* Condition of e, whose nodes have the values that expr_eval left in `value`; room is as large. */
static inline double condition(const graph *g, expr e, const double *value, double *room)
{
    for (expr i = 0; i <= e; i++) room[i] = fabs(value[i]) + weigh_args(g, i, value, room);
    return room[e];
}

/* Sum of the absolute values of all terms that the chain rule adds up to d e / d variable v. */
static inline double chain_terms(const graph *g, expr e, int v, const double *value, double *room)
{
    for (expr i = 0; i <= e; i++) {
        bool here = node_of(g, i)->op == OP_VAR && node_of(g, i)->variable == v;
        room[i] = here + weigh_args(g, i, value, room);
    }
    return room[e];
}

#endif
