/* test_kernel_vm.c - both machines against the slow evaluator of the graph, bit for bit. */
#include "memory.h"
#include "kernel/kernel.h"

#include <stdlib.h>
#include <string.h>

static uint64_t seed = 5;

static uint32_t random_bits(void) /* 24 of them */
{
    seed ^= seed >> 12, seed ^= seed << 25, seed ^= seed >> 27;
    return (uint32_t)(seed * 0x2545f4914f6cdd1du >> 40);
}

static int below(int n)
{
    return (int)(random_bits() % (uint32_t)n);
}

/* mostly ordinary numbers, now and then one that is not */
static double random_number(void)
{
    const double odd[] = {NAN, INFINITY, -INFINITY, 0, -0.0, 1e308, -1e-310, 1, -1};
    if (below(8) == 0) return odd[below(9)];
    return (random_bits() / 8388608.0 - 1) * 3;
}

/* equal bits, all NaN being one */
static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || !memcmp(&a, &b, sizeof a);
}

static int arity_of(expr_op op)
{
    static const int arity[OP_COUNT] = {
#define OP(name, arity, symbol, value, text) [OP_##name] = arity,
#include "expr/ops.def"
#undef OP
    };
    return arity[op];
}

/* An expression of a random operator over those in pool. */
static expr random_expr(graph *g, const expr *pool, int n)
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
static void random_bundle(graph *g, expr *roots)
{
    expr pool[POOL];
    for (int i = 0; i < INPUTS; i++) pool[i] = expr_var(g, i);
    for (int i = INPUTS; i < POOL; i++)
        pool[i] = below(10) ? random_expr(g, pool, i) : expr_const(g, random_bits() / 1e6);
    for (int k = 0; k < ROOTS; k++) roots[k] = pool[below(POOL)];
}

static void both_machines_give_the_bits_of_the_evaluator(void **state)
{
    mem    *m = *state;
    double *lanes = mem_array(m, 4000 * KERNEL_BLOCK, double), reg[4000], vars[INPUTS];
    graph   g;
    graph_init(&g, m);
    for (int round = 0; round < 60; round++) {
        expr roots[ROOTS];
        graph_reset(&g);
        random_bundle(&g, roots);
        const kernel *k = kernel_new(m, &g, roots, ROOTS, INPUTS);
        double       *scratch = mem_array(m, g.nodes.n, double);
        int           count = round % 3 ? 1 + below(KERNEL_BLOCK) : KERNEL_BLOCK;
        assert_true(k->registers <= 4000);
        kernel_prepare(k, reg);
        kernel_prepare_batch(k, lanes);
        for (int i = 0; i < INPUTS * KERNEL_BLOCK; i++) lanes[i] = random_number();
        kernel_run_batch(k, lanes, count);
        for (int l = 0; l < count; l++) {
            for (int i = 0; i < INPUTS; i++) reg[i] = vars[i] = lanes[i * KERNEL_BLOCK + l];
            kernel_run(k, reg);
            for (int i = 0; i < INPUTS; i++) assert_true(same(reg[i], vars[i]));
            for (int j = 0; j < ROOTS; j++) {
                double want = expr_eval(&g, roots[j], vars, scratch), one = reg[k->out[j]];
                double many = lanes[k->out[j] * KERNEL_BLOCK + l];
                if (!same(one, want) || !same(many, want))
                    fail_msg("root %d: evaluator %a, scalar %a, batched %a", j, want, one, many);
            }
        }
    }
}

static void every_operator_is_in_some_program(void **state)
{
    mem  *m = *state;
    char  seen[OP_COUNT] = {0};
    graph g;
    graph_init(&g, m);
    for (int round = 0; round < 60; round++) {
        expr roots[ROOTS];
        graph_reset(&g);
        random_bundle(&g, roots);
        const kernel *k = kernel_new(m, &g, roots, ROOTS, INPUTS);
        for (int r = 0; r < k->runs; r++) seen[k->run[r].op] = 1;
    }
    for (int op = OP_POWI + 1; op < OP_COUNT; op++)
        if (!seen[op]) fail_msg("operator %d was never compiled", op);
    assert_false(seen[OP_CONST] || seen[OP_VAR] || seen[OP_POWI]);
}

static void lanes_beyond_the_count_stay_as_they_are(void **state)
{
    mem  *m = *state;
    graph g;
    graph_init(&g, m);
    expr          root = expr_mul(&g, expr_var(&g, 0), expr_var(&g, 1));
    const kernel *k = kernel_new(m, &g, &root, 1, 2);
    double       *reg = mem_array(m, k->registers * KERNEL_BLOCK, double);
    kernel_prepare_batch(k, reg);
    for (int i = 0; i < k->registers * KERNEL_BLOCK; i++) reg[i] = 3;
    kernel_run_batch(k, reg, 5);
    for (int l = 0; l < KERNEL_BLOCK; l++)
        check_close(reg[k->out[0] * KERNEL_BLOCK + l], l < 5 ? 9 : 3, 0);
    kernel_run_batch(k, reg, 0);
}

static void roots_may_be_inputs_constants_and_repeated(void **state)
{
    mem  *m = *state;
    graph g;
    graph_init(&g, m);
    expr          x = expr_var(&g, 1), product = expr_mul(&g, x, expr_var(&g, 0));
    expr          roots[] = {x, expr_const(&g, 2.5), product, x, product, expr_const(&g, 0)};
    const kernel *k = kernel_new(m, &g, roots, 6, 3);
    double        reg[16] = {0};
    assert_true(k->registers <= 16);
    kernel_prepare(k, reg);
    reg[0] = 4, reg[1] = 5, reg[2] = 6;
    kernel_run(k, reg);
    const double want[] = {5, 2.5, 20, 5, 20, 0};
    for (int i = 0; i < 6; i++) check_close(reg[k->out[i]], want[i], 0);
    const kernel *empty = kernel_new(m, &g, NULL, 0, 3);
    assert_int_equal(empty->instructions, 0);
    kernel_run(empty, reg);
}

static void running_twice_gives_the_same(void **state)
{
    mem  *m = *state;
    graph g;
    expr  roots[ROOTS];
    graph_init(&g, m);
    random_bundle(&g, roots);
    const kernel *k = kernel_new(m, &g, roots, ROOTS, INPUTS);
    double       *reg = mem_array(m, k->registers, double), first[ROOTS];
    kernel_prepare(k, reg);
    for (int i = 0; i < INPUTS; i++) reg[i] = 0.3 * i - 1;
    for (int again = 0; again < 2; again++) {
        kernel_run(k, reg);
        for (int j = 0; j < ROOTS; j++) {
            if (!again) first[j] = reg[k->out[j]];
            assert_true(same(reg[k->out[j]], first[j]));
        }
    }
}

#define TEST(f) mem_test(f)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(both_machines_give_the_bits_of_the_evaluator),
        TEST(every_operator_is_in_some_program),
        TEST(lanes_beyond_the_count_stay_as_they_are),
        TEST(roots_may_be_inputs_constants_and_repeated),
        TEST(running_twice_gives_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
