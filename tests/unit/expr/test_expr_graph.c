/* test_expr_graph.c - nodes stored once, graphs emptied and copied, large ones in reasonable time.
 */
#include "check.h"
#include "expr/graph.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static int make_graph(void **state)
{
    struct pair {
        graph g;
        mem   m;
    } *p = calloc(1, sizeof *p);
    mem_init(&p->m, mem_heap_default());
    graph_init(&p->g, &p->m);
    *state = p;
    return 0;
}

static int free_graph(void **state)
{
    mem_free(((graph *)*state)->m);
    free(*state);
    return 0;
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void equal_expressions_are_one_node(void **state)
{
    graph *g = *state;
    expr   x = expr_var(g, 0), y = expr_var(g, 1), two = expr_const(g, 2);
    assert_int_equal(x, expr_var(g, 0));
    assert_int_equal(two, expr_const(g, 2));
    assert_int_not_equal(x, y);
    assert_int_equal(expr_const(g, -0.0), expr_const(g, 0));
    assert_int_equal(expr_add(g, x, y), expr_add(g, y, x));
    assert_int_equal(expr_mul(g, x, y), expr_mul(g, y, x));
    assert_int_not_equal(expr_div(g, x, y), expr_div(g, y, x));
    assert_int_not_equal(expr_powi(g, x, 3), expr_powi(g, x, -3));
    assert_int_equal(expr_op1(g, OP_SIN, expr_sub(g, x, y)),
                     expr_op1(g, OP_SIN, expr_sub(g, x, y)));
    int before = g->nodes.n;
    expr_op1(g, OP_SIN, expr_sub(g, x, y));
    assert_int_equal(g->nodes.n, before);
}

static void children_come_first(void **state)
{
    graph *g = *state;
    expr   e = expr_var(g, 0);
    for (int i = 1; i < 200; i++)
        e = expr_mul(g, expr_op1(g, OP_COS, e), expr_add(g, e, expr_var(g, i % 7)));
    for (expr i = 0; i < g->nodes.n; i++)
        for (int j = 0; j < node_of(g, i)->n; j++) assert_true(args_of(g, i)[j] < i);
}

/* A graph that was large once is emptied in the time of what it holds now: a million times here. */
static void reset_costs_what_was_built(void **state)
{
    graph *g = *state;
    for (int i = 0; i < 300000; i++) expr_var(g, i);
    graph_reset(g);
    double start = seconds();
    for (int i = 0; i < 1000000; i++) {
        expr x = expr_var(g, 0), y = expr_var(g, 1);
        assert_int_equal(expr_add(g, x, y), 2);
        assert_int_equal(g->nodes.n, 3);
        graph_reset(g);
    }
    check_below(seconds() - start, 5.0);
    for (int i = 0; i < g->room; i++) assert_int_equal(g->table[i].node, EXPR_NONE);
}

static void what_was_reset_is_built_anew(void **state)
{
    graph *g = *state;
    for (int round = 0; round < 50; round++) {
        expr e = expr_const(g, round);
        for (int i = 0; i < 10 * round; i++)
            e = expr_op1(g, OP_SIN, expr_add(g, e, expr_var(g, i)));
        assert_int_equal(expr_opcode(g, e), round ? OP_SIN : OP_CONST);
        for (expr i = 0; i < g->nodes.n; i++)
            for (int j = 0; j < node_of(g, i)->n; j++) assert_true(args_of(g, i)[j] < i);
        graph_reset(g);
        assert_int_equal(g->nodes.n + g->args.n, 0);
    }
}

static void opcodes_and_arguments_can_be_asked_for(void **state)
{
    graph *g = *state;
    expr   x = expr_var(g, 0), e = expr_op2(g, OP_ATAN2, x, expr_const(g, 3));
    double c = 0;
    assert_int_equal(expr_opcode(g, e), OP_ATAN2);
    assert_int_equal(args_of(g, e)[0], x);
    assert_true(expr_is_const(g, args_of(g, e)[1], &c) && c == 3);
    assert_false(expr_is_const(g, x, NULL));
    assert_true(expr_is_zero(g, expr_const(g, 0)));
    assert_string_equal(op_symbol(OP_ATAN2), "atan2");
}

static void integer_powers_are_multiplications(void **state)
{
    (void)state;
    double x = -1.7;
    check_close(powi_value(x, 0), 1, 0);
    check_close(powi_value(x, 1), x, 0);
    check_close(powi_value(x, 2), x * x, 0);
    check_close(powi_value(x, 3), x * (x * x), 0);
    check_close(powi_value(x, 4), (x * x) * (x * x), 0);
    check_close(powi_value(x, -2), 1 / (x * x), 0);
    check_close(powi_value(0, 0), 1, 0);
    assert_true(isinf(powi_value(0, -1)));
    for (int n = -64; n <= 64; n++) check_close(powi_value(1.01, n) / pow(1.01, n), 1, 1e-14);
}

static void values_of_operators_are_those_of_the_table(void **state)
{
    (void)state;
    check_close(op_value(OP_SUB, 3, 5, 0), -2, 0);
    check_close(op_value(OP_ATAN2, 1, -1, 0), atan2(1, -1), 0);
    check_close(op_value(OP_SIGN, -3, 0, 0), -1, 0);
    check_close(op_value(OP_SIGN, 0, 0, 0), 0, 0);
    check_close(op_value(OP_MIN, 2, 1, 0), 1, 0);
    check_close(op_value(OP_MAX, 2, 1, 0), 2, 0);
    check_close(op_value(OP_AND, 1, 0, 0), 0, 0);
    check_close(op_value(OP_NOT, 0, 0, 0), 1, 0);
    check_close(op_value(OP_IF, 1, 5, NAN), 5, 0);
    check_close(op_value(OP_IF, 0, INFINITY, 6), 6, 0);
}

static void variables_in_use_are_found(void **state)
{
    graph  *g = *state;
    uint8_t used[5] = {0};
    expr    unrelated = expr_op1(g, OP_EXP, expr_var(g, 3));
    expr    e = expr_add(g, expr_var(g, 1), expr_op1(g, OP_SIN, expr_var(g, 4)));
    assert_true(unrelated >= 0);
    expr_uses(g, &e, 1, used, 5);
    assert_memory_equal(used, ((uint8_t[]){0, 1, 0, 0, 1}), 5);
}

static void import_puts_expressions_for_variables(void **state)
{
    graph *g = *state, h;
    double room[64], at[2] = {0.3, 2};
    int    memo[64];
    graph_init(&h, g->m);
    expr x = expr_var(g, 0), y = expr_var(g, 1);
    expr e =
        expr_if(g, expr_op2(g, OP_LT, x, y), expr_powi(g, expr_add(g, x, y), 3), expr_div(g, x, y));
    expr f = expr_mul(g, e, expr_op2(g, OP_POW, y, x));
    expr u = expr_var(&h, 0), image[2] = {expr_op1(&h, OP_SIN, u), expr_const(&h, 2)};
    memset(memo, 0xff, sizeof memo);
    expr   copy = expr_import(&h, g, f, image, memo);
    double want = expr_eval(g, f, (double[]){sin(0.3), 2}, room);
    check_close(expr_eval(&h, copy, at, room), want, 1e-15);
    int before = h.nodes.n;
    assert_int_equal(expr_import(&h, g, e, image, memo), memo[e]);
    assert_int_equal(h.nodes.n, before); /* what is shared was copied once */
    graph_drop(&h);
}

static void import_simplifies_with_what_it_puts_in(void **state)
{
    graph *g = *state, h;
    int    memo[64];
    graph_init(&h, g->m);
    expr x = expr_var(g, 0), y = expr_var(g, 1);
    expr e = expr_add(g, expr_mul(g, x, y), expr_powi(g, y, 2));
    expr u = expr_var(&h, 5), image[2] = {u, expr_const(&h, 0)};
    memset(memo, 0xff, sizeof memo);
    assert_true(expr_is_zero(&h, expr_import(&h, g, e, image, memo)));
    graph_drop(&h);
}

static void a_long_sum_stays_one_node(void **state)
{
    enum { N = 100000 };
    graph *g = *state;
    expr  *terms = malloc(N * sizeof *terms), *grad = malloc(N * sizeof *grad);
    int   *vars = malloc(N * sizeof *vars);
    for (int i = 0; i < N; i++)
        vars[i] = i, terms[i] = expr_powi(g, expr_var(g, (i * 7919) % N), 2);
    double start = seconds();
    expr   e = expr_sum(g, terms, N);
    assert_int_equal(expr_opcode(g, e), OP_ADD);
    assert_int_equal(node_of(g, e)->n, N);
    expr_gradient(g, e, vars, N, grad);
    for (int i = 0; i < N; i++) assert_int_equal(grad[i], expr_scale(g, 2, expr_var(g, i)));
    check_below(seconds() - start, 2.0);
    free(terms), free(grad), free(vars);
}

static void a_sum_built_term_by_term_is_linear(void **state)
{
    enum { N = 200000 };
    graph *g = *state;
    double start = seconds();
    expr   e = expr_const(g, 0);
    for (int i = 0; i < N; i++) e = expr_add(g, e, expr_var(g, i));
    check_below(seconds() - start, 2.0);
    assert_true(g->args.n < 10 * N);
    double *one = malloc(N * sizeof *one), *room = malloc((size_t)g->nodes.n * sizeof *room);
    for (int i = 0; i < N; i++) one[i] = 1;
    check_close(expr_eval(g, e, one, room), N, 0);
    free(one), free(room);
}

static void copying_a_million_nodes_needs_no_stack(void **state)
{
    enum { N = 1000000 };
    graph *g = *state, h;
    graph_init(&h, g->m);
    expr e = expr_var(g, 0);
    for (int i = 0; i < N; i++) e = expr_op1(g, i % 2 ? OP_SIN : OP_ATAN, e);
    int *memo = malloc((size_t)g->nodes.n * sizeof *memo);
    memset(memo, 0xff, (size_t)g->nodes.n * sizeof *memo);
    expr image[1] = {expr_var(&h, 0)};
    assert_int_equal(expr_import(&h, g, e, image, memo), e);
    assert_int_equal(h.nodes.n, g->nodes.n);
    free(memo);
    graph_drop(&h);
}

int main(void)
{
#define each(test) cmocka_unit_test_setup_teardown(test, make_graph, free_graph)
    const struct CMUnitTest tests[] = {
        each(equal_expressions_are_one_node),
        each(children_come_first),
        each(reset_costs_what_was_built),
        each(what_was_reset_is_built_anew),
        each(opcodes_and_arguments_can_be_asked_for),
        each(integer_powers_are_multiplications),
        each(values_of_operators_are_those_of_the_table),
        each(variables_in_use_are_found),
        each(import_puts_expressions_for_variables),
        each(import_simplifies_with_what_it_puts_in),
        each(a_long_sum_stays_one_node),
        each(a_sum_built_term_by_term_is_linear),
        each(copying_a_million_nodes_needs_no_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
