/* test_expr_eval.c - values, the node that went wrong, and where an expression is not smooth. */
#include "expr_bench.h"

static double at(bench *b, expr e, double x, double y)
{
    return expr_eval(&b->g, e, (double[]){x, y}, b->value);
}

static expr nonfinite_source(bench *b, expr e, double x, double y)
{
    return expr_nonfinite_source(&b->g, e, (double[]){x, y}, b->value);
}

static void every_operator_has_its_value(void **state)
{
    bench *b = *state;
    for (expr_op op = OP_POWI + 1; op < OP_COUNT; op++) {
        double x = 0.3, y = 0.7;
        if (op == OP_SUB) continue; /* in no graph */
        if (op == OP_IF) continue;
        bool one = op == OP_NEG || op == OP_NOT || (op >= OP_SQRT && op <= OP_ATAN) ||
                   (op >= OP_SINH && op <= OP_FLOOR);
        expr e = one ? expr_op1(&b->g, op, b->x) : expr_op2(&b->g, op, b->x, b->y);
        check_close(at(b, e, x, y), op_value(op, x, y, 0), 0);
    }
}

static void only_what_is_below_is_evaluated(void **state)
{
    bench *b = *state;
    expr   far =
        expr_op1(&b->g, OP_EXP, expr_var(&b->g, 1000000)); /* no such variable at the point */
    expr e = expr_add(&b->g, expr_op1(&b->g, OP_SIN, b->x), b->y);
    assert_true(far < e);
    check_close(at(b, e, 0, 2), 2, 0);
}

static void the_branch_not_taken_does_no_harm(void **state)
{
    bench *b = *state;
    expr   positive = expr_op2(&b->g, OP_LT, expr_const(&b->g, 0), b->x);
    expr   e = expr_if(&b->g, positive, expr_op1(&b->g, OP_LOG, b->x), b->y);
    check_close(at(b, e, -1, 5), 5, 0);
    check_close(at(b, e, 0, 5), 5, 0);
    check_close(at(b, e, 2, NAN), log(2), 0);
}

static void the_culprit_is_the_first_that_fails(void **state)
{
    bench *b = *state;
    graph *g = &b->g;
    expr   root = expr_op1(g, OP_SQRT, b->x), log_y = expr_op1(g, OP_LOG, b->y);
    expr   e = expr_op1(g, OP_SIN, expr_mul(g, root, expr_add(g, log_y, b->x)));
    assert_int_equal(nonfinite_source(b, e, 1, 1), EXPR_NONE);
    assert_int_equal(nonfinite_source(b, e, -1, 1), root);
    assert_int_equal(nonfinite_source(b, e, 1, 0), log_y);
    assert_int_equal(nonfinite_source(b, e, NAN, 1), b->x);
}

static void the_culprit_is_on_a_branch_that_counts(void **state)
{
    bench *b = *state;
    graph *g = &b->g;
    expr   root = expr_op1(g, OP_SQRT, b->x), pole = expr_div(g, expr_const(g, 1), b->y);
    expr   e = expr_if(g, expr_op2(g, OP_LT, expr_const(&b->g, 0), b->x), root, pole);
    assert_int_equal(nonfinite_source(b, e, -1, 2), EXPR_NONE);
    assert_int_equal(nonfinite_source(b, e, -1, 0), pole);
    assert_int_equal(nonfinite_source(b, e, 4, 0), EXPR_NONE);
    expr least = expr_add(g, expr_op2(g, OP_MIN, b->y, root), pole);
    assert_int_equal(nonfinite_source(b, least, 4, 0), pole);
}

static void kinks_are_found_where_they_depend_on_the_state(void **state)
{
    bench  *b = *state;
    graph  *g = &b->g;
    uint8_t x_only[2] = {1, 0}, y_only[2] = {0, 1};
    expr    out[4], size = expr_op1(g, OP_ABS, b->x);
    expr    choice = expr_if(g, expr_op2(g, OP_LT, b->y, expr_const(&b->g, 0)), b->x, size);
    expr    e = expr_add(g, expr_op1(g, OP_SIN, choice), expr_op2(g, OP_MAX, b->x, b->y));
    assert_int_equal(expr_kinks(g, e, x_only, false, NULL, 0), 2);
    assert_int_equal(expr_kinks(g, e, x_only, false, out, 4), 2);
    assert_int_equal(out[0], size);
    assert_int_equal(expr_opcode(g, out[1]), OP_MAX);
    assert_int_equal(expr_kinks(g, e, y_only, false, out, 4), 2);
    assert_int_equal(out[0], choice);
    assert_int_equal(expr_kinks(g, e, (uint8_t[]){0, 0}, false, out, 4), 0);
    assert_int_equal(expr_kinks(g, e, (uint8_t[]){1, 1}, false, out, 2), 3);
    assert_int_equal(expr_kinks(g, expr_op1(g, OP_SIN, b->x), x_only, false, out, 4), 0);
    assert_int_equal(expr_kinks(g, expr_op1(g, OP_ASIN, b->x), x_only, false, out, 4), 0);
    assert_int_equal(expr_kinks(g, expr_op1(g, OP_ASIN, b->x), x_only, true, out, 4), 1);
    assert_int_equal(expr_kinks(g, expr_op1(g, OP_ASIN, b->x), y_only, true, out, 4), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        bench_test(every_operator_has_its_value),
        bench_test(only_what_is_below_is_evaluated),
        bench_test(the_branch_not_taken_does_no_harm),
        bench_test(the_culprit_is_the_first_that_fails),
        bench_test(the_culprit_is_on_a_branch_that_counts),
        bench_test(kinks_are_found_where_they_depend_on_the_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
