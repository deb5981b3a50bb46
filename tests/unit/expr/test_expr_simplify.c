/* test_expr_simplify.c - building simplifies: to these forms, without changing a value or hiding a
 * NaN. */
#include "expr_bench.h"

static expr number(bench *b, double c)
{
    return expr_const(&b->g, c);
}
static void check_const(bench *b, expr e, double want)
{
    double got = NAN;
    assert_true(expr_is_const(&b->g, e, &got));
    check_close(got, want, 0);
}

/* Forms. ----------------------------------------------------------------------------------------
 */

static void constants_are_computed(void **state)
{
    bench *b = *state;
    graph *g = &b->g;
    check_const(b, expr_add(g, number(b, 2), number(b, 3)), 5);
    check_const(b, expr_sub(g, number(b, 2), number(b, 3)), -1);
    check_const(b, expr_mul(g, number(b, 2), number(b, 3)), 6);
    check_const(b, expr_div(g, number(b, 1), number(b, 3)), 1.0 / 3);
    check_const(b, expr_pow(g, number(b, 2), number(b, 10)), 1024);
    check_const(b, expr_pow(g, number(b, 2), number(b, 0.5)), sqrt(2));
    check_const(b, expr_op1(g, OP_SIN, number(b, 1)), sin(1));
    check_const(b, expr_op2(g, OP_LT, number(b, 1), number(b, 2)), 1);
    check_const(b, expr_op2(g, OP_MIN, number(b, 1), number(b, 2)), 1);
}

static void what_is_not_finite_is_not_computed(void **state)
{
    bench *b = *state;
    graph *g = &b->g;
    expr   pole = expr_div(g, number(b, 1), number(b, 0));
    assert_false(expr_is_const(g, pole, NULL));
    assert_true(isinf(expr_eval(g, pole, NULL, b->value)));
    assert_true(isnan(expr_eval(g, expr_op1(g, OP_LOG, number(b, -1)), NULL, b->value)));
    assert_true(isnan(expr_eval(g, expr_sub(g, pole, pole), NULL, b->value)));
    assert_true(isinf(expr_eval(g, expr_powi(g, number(b, 0), -2), NULL, b->value)));
    assert_true(
        isinf(expr_eval(g, expr_mul(g, number(b, 1e200), number(b, 1e200)), NULL, b->value)));
}

static void neutral_elements_vanish(void **state)
{
    bench *b = *state;
    graph *g = &b->g;
    expr   x = b->x, zero = number(b, 0), one = number(b, 1);
    assert_int_equal(expr_add(g, x, zero), x);
    assert_int_equal(expr_sub(g, x, zero), x);
    assert_int_equal(expr_mul(g, one, x), x);
    assert_int_equal(expr_div(g, x, one), x);
    assert_int_equal(expr_mul(g, number(b, -1), x), expr_neg(g, x));
    assert_int_equal(expr_neg(g, expr_neg(g, x)), x);
    assert_int_equal(expr_pow(g, x, one), x);
    check_const(b, expr_pow(g, x, zero), 1);
    check_const(b, expr_mul(g, zero, x), 0);
    check_const(b, expr_sub(g, x, x), 0);
    check_const(b, expr_sum(g, NULL, 0), 0);
    assert_int_equal(expr_sum(g, &x, 1), x);
}

static void constants_and_like_terms_are_gathered(void **state)
{
    bench *b = *state;
    graph *g = &b->g;
    expr   x = b->x, y = b->y, xy = expr_mul(g, x, y), root = expr_op1(g, OP_SQRT, x);
    assert_int_equal(expr_scale(g, 2, expr_scale(g, 3, x)), expr_scale(g, 6, x));
    assert_int_equal(expr_mul(g, expr_scale(g, 2, x), expr_scale(g, 3, y)), expr_scale(g, 6, xy));
    assert_int_equal(expr_add(g, x, x), expr_scale(g, 2, x));
    assert_int_equal(expr_add(g, expr_scale(g, 3, x), expr_scale(g, 2, x)), expr_scale(g, 5, x));
    assert_int_equal(expr_add(g, expr_add(g, x, number(b, 1)), expr_add(g, y, number(b, 2))),
                     expr_sum(g, (expr[]){number(b, 3), y, x}, 3));
    assert_int_equal(expr_sub(g, x, expr_sub(g, x, y)), y);
    assert_int_equal(expr_mul(g, x, x), expr_powi(g, x, 2));
    assert_int_equal(expr_mul(g, expr_powi(g, x, 2), x), expr_powi(g, x, 3));
    assert_int_equal(expr_powi(g, expr_powi(g, x, 2), -3), expr_powi(g, x, -6));
    assert_int_equal(expr_mul(g, expr_neg(g, x), expr_neg(g, y)), xy);
    assert_int_equal(expr_powi(g, expr_neg(g, x), 2), expr_powi(g, x, 2));
    assert_int_equal(expr_div(g, x, number(b, 4)), expr_scale(g, 0.25, x));
    assert_int_equal(expr_scale(g, 3, expr_div(g, x, number(b, 3))), x);
    assert_int_equal(expr_div(g, expr_scale(g, 6, x), expr_scale(g, 3, y)),
                     expr_scale(g, 2, expr_div(g, x, y)));
    assert_int_equal(expr_scale(g, 3, expr_div(g, number(b, 2), y)), expr_div(g, number(b, 6), y));
    assert_int_equal(expr_add(g, expr_div(g, number(b, 2), y), expr_div(g, number(b, 3), y)),
                     expr_div(g, number(b, 5), y));
    assert_int_equal(expr_add(g, root, root), expr_scale(g, 2, root));
    assert_int_equal(expr_pow(g, x, number(b, 0.5)), root);
}

static void like_factors_are_gathered_where_no_pole_is_lost(void **state)
{
    bench *b = *state;
    graph *g = &b->g;
    expr   x = b->x, y = b->y, z = b->z, xy = expr_mul(g, x, y), one = number(b, 1);
    expr   r = expr_op1(g, OP_SQRT, y);
    assert_int_equal(expr_mul(g, xy, x), expr_mul(g, expr_powi(g, x, 2), y));
    assert_int_equal(expr_div(g, expr_div(g, x, r), r),
                     expr_mul(g, x, expr_div(g, one, expr_powi(g, r, 2))));
    assert_int_equal(expr_div(g, one, expr_div(g, one, x)), expr_powi(g, expr_div(g, one, x), -1));
    assert_int_equal(expr_powi(g, expr_powi(g, x, -2), 3), expr_powi(g, x, -6));
    assert_int_equal(expr_mul(g, z, expr_mul(g, x, expr_div(g, one, y))),
                     expr_mul(g, x, expr_mul(g, z, expr_div(g, one, y))));
    assert_int_equal(expr_opcode(g, expr_div(g, x, x)), OP_DIV);
    assert_int_equal(expr_opcode(g, expr_div(g, expr_powi(g, x, 3), x)), OP_DIV);
    assert_int_equal(expr_opcode(g, expr_div(g, x, expr_powi(g, x, 3))), OP_DIV);
}

static void signs_come_out_of_odd_functions(void **state)
{
    bench *b = *state;
    graph *g = &b->g;
    expr   x = b->x, minus = expr_neg(g, x);
    assert_int_equal(expr_op1(g, OP_SIN, minus), expr_neg(g, expr_op1(g, OP_SIN, x)));
    assert_int_equal(expr_op1(g, OP_COS, minus), expr_op1(g, OP_COS, x));
    assert_int_equal(expr_op1(g, OP_TANH, expr_scale(g, -2, x)),
                     expr_neg(g, expr_op1(g, OP_TANH, expr_scale(g, 2, x))));
    assert_int_not_equal(expr_op1(g, OP_EXP, minus), expr_op1(g, OP_EXP, x));
}

static void choices_that_are_none_vanish(void **state)
{
    bench *b = *state;
    graph *g = &b->g;
    expr x = b->x, y = b->y, less = expr_op2(g, OP_LT, x, y), yes = number(b, 1), no = number(b, 0);
    assert_int_equal(expr_if(g, less, x, x), x);
    assert_int_equal(expr_if(g, yes, x, y), x);
    assert_int_equal(expr_if(g, no, x, y), y);
    assert_int_equal(expr_op2(g, OP_MIN, x, x), x);
    assert_int_equal(expr_op2(g, OP_AND, less, yes), less);
    assert_int_equal(expr_op2(g, OP_OR, no, less), less);
    check_const(b, expr_op2(g, OP_AND, no, less), 0);
    check_const(b, expr_op2(g, OP_OR, less, yes), 1);
    check_const(b, expr_op2(g, OP_LT, x, x), 0);
    check_const(b, expr_op2(g, OP_LE, x, x), 1);
    assert_int_equal(expr_op2(g, OP_EQ, x, y), expr_op2(g, OP_EQ, y, x));
}

/* Values. ---------------------------------------------------------------------------------------
 */

/* x is 0, where each of these is NaN or infinite */
static void what_is_not_finite_stays_so(void **state)
{
    bench *b = *state;
    graph *g = &b->g;
    expr   x = b->x, zero = number(b, 0), pole = expr_div(g, number(b, 1), x);
    expr   wild[] = {pole,
                     expr_op1(g, OP_LOG, x),
                     expr_pow(g, x, b->y),
                     expr_powi(g, x, -2),
                     expr_op1(g, OP_SQRT, expr_sub(g, x, number(b, 1))),
                     expr_op1(g, OP_ACOS, b->z)};
    double at[3] = {0, -1, 2};
    for (int i = 0; i < (int)(sizeof wild / sizeof *wild); i++) {
        expr w = wild[i];
        expr all[] = {
            w,
            expr_mul(g, zero, w),
            expr_sub(g, w, w),
            expr_div(g, w, w),
            expr_mul(g, w, x),
            expr_mul(g, expr_mul(g, zero, w), b->y),
            expr_scale(g, 3, expr_mul(g, w, zero)),
            expr_sum(g, (expr[]){w, b->y, expr_neg(g, w)}, 3),
            expr_add(g, expr_add(g, b->y, w), expr_sub(g, b->z, w)),
            expr_mul(g, zero, expr_add(g, b->y, w)),
            expr_mul(g, zero, expr_powi(g, w, 2)),
            expr_mul(g, zero, expr_op1(g, OP_SIN, w)),
            expr_div(g, expr_powi(g, w, 2), expr_powi(g, w, 3)),
            expr_div(g, expr_powi(g, w, 3), w),
            expr_mul(g, expr_div(g, b->y, expr_powi(g, w, 3)), expr_powi(g, w, 2)),
            expr_mul(g, expr_mul(g, w, b->y), expr_div(g, b->z, w)),
        };
        for (int k = 0; k < (int)(sizeof all / sizeof *all); k++) {
            double v = expr_eval(g, all[k], at, b->value);
            if (isfinite(v)) print_error("expression %d of %d: %g\n", k, i, v);
            assert_true(!isfinite(v));
        }
    }
    assert_true(isnan(expr_eval(g, expr_div(g, x, x), at, b->value)));
    assert_true(isnan(expr_eval(g, expr_div(g, zero, x), at, b->value)));
    assert_true(isnan(expr_eval(g, expr_mul(g, pole, x), at, b->value)));
    assert_true(isnan(expr_eval(g, expr_div(g, expr_powi(g, x, 3), x), at, b->value)));
    assert_true(isinf(expr_eval(g, expr_div(g, b->y, expr_powi(g, x, 3)), at, b->value)));
    expr reduced = expr_mul(g, expr_div(g, b->y, expr_powi(g, x, 3)), x);
    assert_true(!isfinite(expr_eval(g, reduced, at, b->value)));
}

static void constants_are_not_gathered_to_extremes(void **state)
{
    bench *b = *state;
    graph *g = &b->g;
    double at[3] = {1e300, 1e-300, 1};
    expr   tiny = expr_scale(g, 1e-200, expr_scale(g, 1e-200, b->x));
    expr   huge = expr_scale(g, 1e200, expr_scale(g, 1e200, b->y));
    expr   both = expr_mul(g, expr_scale(g, 1e-200, b->x), expr_scale(g, 1e-200, b->x));
    check_close(expr_eval(g, tiny, at, b->value) * 1e100, 1, 1e-15);
    check_close(expr_eval(g, huge, at, b->value) * 1e-100, 1, 1e-15);
    check_close(expr_eval(g, both, at, b->value) * 1e-200, 1, 1e-15);
    expr quotient = expr_div(g, b->x, expr_scale(g, 1e305, b->y)); /* 1e300 / 1e5 */
    check_close(expr_eval(g, quotient, at, b->value) * 1e-295, 1, 1e-14);
}

static bool all_finite(const graph *g, const double *value)
{
    for (int i = 0; i < g->nodes.n; i++)
        if (!isfinite(value[i])) return false;
    return true;
}

/* Among them zeros, ones and equal numbers, where poles and cancellations are. */
static void special_point(rng *r, double *at)
{
    static const double special[] = {0, 0, 1, -1, 2, 0.5, -3, 1e-3};
    for (int i = 0; i < RANDOM_VARS; i++)
        at[i] = rng_int(r, 2) ? special[rng_int(r, 8)] : rng_real(r, -2, 2);
}

/* Rounding may differ, by what the condition allows; kinks are kept out, since rounding may cross
 * one. */
static void values_are_kept_up_to_rounding(void **state)
{
    static const expr_op ops[] = {
        OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_NEG,  OP_POW,  OP_POWI, OP_SQRT, OP_EXP,
        OP_LOG, OP_SIN, OP_COS, OP_TAN, OP_ASIN, OP_ACOS, OP_ATAN, OP_ADD,  OP_MUL,
        OP_DIV, OP_NEG, OP_ABS, OP_SUB, OP_SINH, OP_COSH, OP_TANH, OP_ADD,  OP_POWI,
    };
    bench *b = *state;
    int    compared = 0;
    for (int seed = 0; seed < 20000; seed++) {
        rng    r = rng_new(seed);
        double at[RANDOM_VARS];
        graph_reset(&b->raw);
        expr raw = random_expr(&b->raw, &r, ops, (int)(sizeof ops / sizeof *ops), 2 + seed % 4);
        expr e = simplified(b, raw);
        special_point(&r, at);
        double want = expr_eval(&b->raw, raw, at, b->value);
        if (!all_finite(&b->raw, b->value)) continue;
        double scale = condition(&b->raw, raw, b->value, b->other);
        double got = expr_eval(&b->g, e, at, b->value);
        if (!(scale < 1e12)) continue;
        if (!(fabs(got - want) <= 4 * 0x1p-52 * scale)) print_error("seed %d\n", seed);
        check_below(fabs(got - want), 4 * 0x1p-52 * scale);
        compared++;
    }
    assert_true(compared > 8000);
}

/* Simplifying does not keep the sign of a zero: 1/(0*z) is an infinity of either sign. */
static bool a_zero_is_negative(const graph *g, const double *value)
{
    for (int i = 0; i < g->nodes.n; i++)
        if (value[i] == 0 && signbit(value[i])) return true;
    return false;
}

/* x and y are 0: what was not finite as written is not finite when simplified. */
static void nothing_that_is_not_finite_is_hidden(void **state)
{
    static const expr_op ops[] = {OP_ADD, OP_SUB, OP_MUL, OP_NEG, OP_ADD, OP_DIV, OP_MUL};
    bench               *b = *state;
    int                  wild = 0;
    for (int seed = 0; seed < 50000; seed++) {
        rng    r = rng_new(seed);
        double at[RANDOM_VARS] = {0, 0, rng_real(&r, -2, 2)};
        graph_reset(&b->raw);
        expr    over = random_leaf(&b->raw, &r);
        expr    pole = raw2(&b->raw, OP_DIV, over, expr_var(&b->raw, rng_int(&r, 3)));
        expr    a = random_expr(&b->raw, &r, ops, 7, 3), c = random_expr(&b->raw, &r, ops, 7, 3);
        expr    d = random_node(&b->raw, &r, ops[rng_int(&r, 7)], a, pole, c);
        expr_op outer = ops[rng_int(&r, 7)];
        expr    raw = random_node(&b->raw, &r, outer, d, rng_int(&r, 2) ? pole : c, a);
        expr e = simplified(b, raw);
        if (isfinite(expr_eval(&b->raw, raw, at, b->value))) continue;
        if (a_zero_is_negative(&b->raw, b->value)) continue;
        if (isfinite(expr_eval(&b->g, e, at, b->value))) print_error("seed %d\n", seed);
        assert_true(!isfinite(expr_eval(&b->g, e, at, b->value)));
        wild++;
    }
    assert_true(wild > 3000);
}

/* Terms in any order, nested in any way, meet in one node. */
static void order_of_terms_does_not_matter(void **state)
{
    bench *b = *state;
    graph *g = &b->g;
    rng    r = rng_new(1);
    expr   terms[12];
    for (int i = 0; i < 12; i++)
        terms[i] = expr_scale(g, i - 4, expr_op1(g, OP_SIN, expr_var(g, i % 5)));
    expr want = expr_sum(g, terms, 12);
    for (int round = 0; round < 100; round++) {
        for (int i = 11; i > 0; i--) {
            int  j = rng_int(&r, i + 1);
            expr swap = terms[i];
            terms[i] = terms[j], terms[j] = swap;
        }
        expr left = expr_sum(g, terms, 5), right = expr_sum(g, terms + 5, 7);
        assert_int_equal(expr_add(g, left, right), want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        bench_test(constants_are_computed),
        bench_test(what_is_not_finite_is_not_computed),
        bench_test(neutral_elements_vanish),
        bench_test(constants_and_like_terms_are_gathered),
        bench_test(like_factors_are_gathered_where_no_pole_is_lost),
        bench_test(signs_come_out_of_odd_functions),
        bench_test(choices_that_are_none_vanish),
        bench_test(what_is_not_finite_stays_so),
        bench_test(constants_are_not_gathered_to_extremes),
        bench_test(values_are_kept_up_to_rounding),
        bench_test(nothing_that_is_not_finite_is_hidden),
        bench_test(order_of_terms_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
