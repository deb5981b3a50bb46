/* kernel_random.h - random bundles of expressions over all operators, and numbers to try them on.
 */
#ifndef TESTS_KERNEL_RANDOM_H
#define TESTS_KERNEL_RANDOM_H

#include "kernel/kernel.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>

static uint64_t seed = 5;

static inline uint32_t random_bits(void) /* 24 of them */
{
    seed ^= seed >> 12, seed ^= seed << 25, seed ^= seed >> 27;
    return (uint32_t)(seed * 0x2545f4914f6cdd1du >> 40);
}

static inline int below(int n)
{
    return (int)(random_bits() % (uint32_t)n);
}

/* mostly ordinary numbers, now and then one that is not */
static inline double random_number(void)
{
    const double odd[] = {NAN, INFINITY, -INFINITY, 0, -0.0, 1e308, -1e-310, 1, -1};
    if (below(8) == 0) return odd[below(9)];
    return (random_bits() / 8388608.0 - 1) * 3;
}

/* equal bits, all NaN being one */
static inline bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || !memcmp(&a, &b, sizeof a);
}

static inline int arity_of(expr_op op)
{
    static const int arity[OP_COUNT] = {
#define OP(name, arity, symbol, value, text) [OP_##name] = arity,
#include "expr/ops.def"
#undef OP
    };
    return arity[op];
}

/* An expression of a random operator over those in pool. */
static inline expr random_expr(graph *g, const expr *pool, int n)
{
    int  op = OP_POWI + below(OP_COUNT - OP_POWI);
    expr x[6];
    for (int i = 0; i < 6; i++) x[i] = pool[below(n)];
    if (op == OP_POWI) return expr_powi(g, x[0], below(24) - 8);
    switch (arity_of((expr_op)op)) {
    case 1: return expr_op1(g, (expr_op)op, x[0]);
    case 2: return expr_op2(g, (expr_op)op, x[0], x[1]);
    case 3: return expr_if(g, x[0], x[1], x[2]);
    default: return expr_sum(g, x, 2 + below(5));
    }
}

enum { INPUTS = 7, POOL = 120, ROOTS = 40 };

/* A random bundle; its roots are any of the expressions, leaves and repetitions included. */
static inline void random_bundle(graph *g, expr *roots)
{
    expr pool[POOL];
    for (int i = 0; i < INPUTS; i++) pool[i] = expr_var(g, i);
    for (int i = INPUTS; i < POOL; i++)
        pool[i] = below(10) ? random_expr(g, pool, i) : expr_const(g, random_bits() / 1e6);
    for (int k = 0; k < ROOTS; k++) roots[k] = pool[below(POOL)];
}

#endif
