/* test_kernel_vm.c - both machines against the slow evaluator of the graph, bit for bit. */
#include "kernel_random.h"

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

static void every_operator_and_form_is_in_some_program(void **state)
{
    mem  *m = *state;
    char  seen[OP_COUNT] = {0}, form[INSTRUCTION_FORMS] = {0};
    graph g;
    graph_init(&g, m);
    for (int round = 0; round < 60; round++) {
        expr roots[ROOTS];
        graph_reset(&g);
        random_bundle(&g, roots);
        const kernel *k = kernel_new(m, &g, roots, ROOTS, INPUTS);
        for (int i = 0; i < k->instructions; i++)
            seen[k->code[i].op] = form[k->code[i].form % INSTRUCTION_FORMS] = 1;
    }
    for (int op = OP_POWI + 1; op < OP_COUNT; op++)
        if (!seen[op]) fail_msg("operator %d was never compiled", op);
    for (int f = 0; f < INSTRUCTION_FORMS; f++) assert_true(form[f]);
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
        TEST(every_operator_and_form_is_in_some_program),
        TEST(lanes_beyond_the_count_stay_as_they_are),
        TEST(roots_may_be_inputs_constants_and_repeated),
        TEST(running_twice_gives_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
