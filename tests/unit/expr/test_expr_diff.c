/* test_expr_diff.c - derivatives against the complex step, and the branch not taken. */
#include "expr_bench.h"

#include <complex.h>

static const int xyz[RANDOM_VARS] = {0, 1, 2};

typedef double complex cplx;

/* Operators off the real line. Which piece of a choice, of abs and of atan2 holds is decided by the
 * real parts, so that the function is analytic around the point. */
static cplx atan2_of(cplx y, cplx x)
{
    double turn = atan2(creal(y), creal(x));
    if (fabs(creal(x)) > fabs(creal(y))) {
        cplx t = catan(y / x);
        return t + (turn - creal(t));
    }
    cplx t = -catan(x / y);
    return t + (turn - creal(t));
}

static cplx powi_of(cplx x, int n)
{
    cplx y = 1;
    for (int i = 0; i < abs(n); i++) y *= x;
    return n < 0 ? 1 / y : y;
}

static cplx complex_op(expr_op op, cplx a, cplx b, cplx c)
{
    switch (op) {
    case OP_MUL: return a * b;
    case OP_DIV: return a / b;
    case OP_NEG: return -a;
    case OP_POW: return cexp(b * clog(a));
    case OP_SQRT: return csqrt(a);
    case OP_EXP: return cexp(a);
    case OP_LOG: return clog(a);
    case OP_SIN: return csin(a);
    case OP_COS: return ccos(a);
    case OP_TAN: return csin(a) / ccos(a);
    case OP_ASIN: return casin(a);
    case OP_ACOS: return cacos(a);
    case OP_ATAN: return catan(a);
    case OP_ATAN2: return atan2_of(a, b);
    case OP_SINH: return csinh(a);
    case OP_COSH: return ccosh(a);
    case OP_TANH: return csinh(a) / ccosh(a);
    case OP_ABS: return creal(a) < 0 ? -a : a;
    case OP_MIN: return creal(a) <= creal(b) ? a : b;
    case OP_MAX: return creal(a) >= creal(b) ? a : b;
    case OP_IF: return creal(a) != 0 ? b : c;
    default: return op_value(op, creal(a), creal(b), creal(c));
    }
}

static cplx complex_value(const graph *g, expr e, const cplx *vars, cplx *value)
{
    for (expr i = 0; i <= e; i++) {
        const expr_node *node = node_of(g, i);
        const expr      *x = args_of(g, i);
        cplx             arg[3] = {0, 0, 0};
        for (int j = 0; j < node->n && j < 3; j++) arg[j] = value[x[j]];
        if (node->op == OP_CONST) value[i] = node->value;
        else if (node->op == OP_VAR) value[i] = vars[node->variable];
        else if (node->op == OP_POWI) value[i] = powi_of(arg[0], node->power);
        else if (node->op == OP_ADD) {
            value[i] = 0;
            for (int j = 0; j < node->n; j++) value[i] += value[x[j]];
        } else value[i] = complex_op((expr_op)node->op, arg[0], arg[1], arg[2]);
    }
    return value[e];
}

/* d e / d variable v = Im e(x + ih) / h: no difference, so no cancellation, however small h is */
static double complex_step(const graph *g, expr e, const double *at, int v, cplx *room)
{
    const double h = 1e-40;
    cplx         vars[RANDOM_VARS];
    for (int i = 0; i < RANDOM_VARS; i++) vars[i] = at[i], vars[i] += (i == v ? h : 0) * (cplx)I;
    return cimag(complex_value(g, e, vars, room)) / h;
}

static void random_point(int seed, double *at)
{
    rng r = rng_new(seed + 12345);
    for (int i = 0; i < RANDOM_VARS; i++) at[i] = rng_real(&r, -2, 2);
}

/* How far is `derivative` from the complex step through e, relative to its condition? -1: no value
 * there. */
static double misfit(bench *b, expr e, expr derivative, int v, const double *at)
{
    static cplx complex_room[ROOM];
    if (!isfinite(expr_eval(&b->g, e, at, b->value))) return -1;
    double here = condition(&b->g, e, b->value, b->other);
    double cond = chain_terms(&b->g, e, v, b->value, b->other);
    double got = expr_eval(&b->g, derivative, at, b->value);
    cond += condition(&b->g, derivative, b->value, b->other);
    double want = complex_step(&b->g, e, at, v, complex_room);
    if (!isfinite(got) || !isfinite(want) || cond > 1e6 || here > 1e6) return -1;
    return got == want ? 0 : fabs(got - want) / cond;
}

static const expr_op smooth[] = {
    OP_ADD, OP_SUB, OP_MUL, OP_DIV,  OP_NEG,  OP_POW,  OP_POWI,  OP_SQRT, OP_EXP,  OP_LOG,
    OP_SIN, OP_COS, OP_TAN, OP_ASIN, OP_ACOS, OP_ATAN, OP_ATAN2, OP_SINH, OP_COSH, OP_TANH,
};
static const expr_op kinked[] = {
    OP_ADD,   OP_SUB, OP_MUL, OP_SIN, OP_ABS,  OP_SIGN,
    OP_FLOOR, OP_MIN, OP_MAX, OP_IF,  OP_POWI, OP_SQRT,
};
enum { SMOOTH = sizeof smooth / sizeof *smooth, KINKED = sizeof kinked / sizeof *kinked };

static void report(bench *b, int seed, expr e, double worst);

/* Gradients of random expressions of the given operators; returns how many comparisons were made.
 */
static int compare_gradients(bench *b, const expr_op *ops, int count, int depth, int seeds)
{
    int compared = 0;
    for (int seed = 0; seed < seeds; seed++) {
        expr   e = random_simplified(b, seed, ops, count, depth), grad[RANDOM_VARS];
        double at[RANDOM_VARS];
        random_point(seed, at);
        expr_gradient(&b->g, e, xyz, RANDOM_VARS, grad);
        for (int v = 0; v < RANDOM_VARS; v++) {
            double off = misfit(b, e, grad[v], v, at);
            if (off > 1e-14) report(b, seed, e, off);
            compared += off >= 0 && !expr_is_zero(&b->g, grad[v]);
        }
    }
    return compared;
}

static void name_variable(void *self, int variable, text *out)
{
    (void)self;
    text_printf(out, "%c", "xyz"[variable]);
}

static void report(bench *b, int seed, expr e, double worst)
{
    text t = text_new(&b->m);
    expr_print(&b->g, e, name_variable, NULL, &t);
    print_error("seed %d: off by %.2e of the condition: %s\n", seed, worst, text_str(&t));
    fail();
}

/* Tests. ----------------------------------------------------------------------------------------
 */

static void each_smooth_operator_agrees_with_complex_step(void **state)
{
    for (int k = 0; k < SMOOTH; k++) {
        expr_op ops[] = {smooth[k], OP_ADD, OP_MUL, OP_SIN};
        int     compared = compare_gradients(*state, ops, 4, 3, 200);
        if (compared < 100) print_error("%s: only %d\n", op_symbol(smooth[k]), compared);
        assert_true(compared >= 100);
    }
}

static void mixtures_of_all_smooth_operators_agree_with_complex_step(void **state)
{
    assert_true(compare_gradients(*state, smooth, SMOOTH, 4, 3000) > 1500);
    assert_true(compare_gradients(*state, smooth, SMOOTH, 6, 500) > 50);
}

static void non_smooth_operators_agree_with_their_branch(void **state)
{
    assert_true(compare_gradients(*state, kinked, KINKED, 4, 3000) > 1500);
}

static void second_derivatives_agree_with_complex_step_of_the_gradient(void **state)
{
    bench *b = *state;
    int    compared = 0;
    for (int seed = 0; seed < 1500; seed++) {
        bool   rough = seed % 3 == 0;
        expr   e = random_simplified(b, seed, rough ? kinked : smooth, rough ? KINKED : SMOOTH, 3);
        expr   grad[RANDOM_VARS], h[RANDOM_VARS * RANDOM_VARS];
        double at[RANDOM_VARS];
        random_point(seed, at);
        expr_gradient(&b->g, e, xyz, RANDOM_VARS, grad);
        expr_hessian(&b->g, grad, RANDOM_VARS, xyz, RANDOM_VARS, h);
        for (int i = 0; i < RANDOM_VARS * RANDOM_VARS; i++) {
            double off = misfit(b, grad[i / RANDOM_VARS], h[i], i % RANDOM_VARS, at);
            if (off > 1e-14) report(b, seed, e, off);
            compared += off >= 0 && !expr_is_zero(&b->g, h[i]);
        }
    }
    assert_true(compared > 1000);
}

static void gradient_agrees_with_directions(void **state)
{
    bench *b = *state;
    for (int seed = 0; seed < 2000; seed++) {
        bool   rough = seed % 2;
        expr   e = random_simplified(b, seed, rough ? kinked : smooth, rough ? KINKED : SMOOTH, 4);
        expr   grad[RANDOM_VARS], direction[RANDOM_VARS], products[RANDOM_VARS];
        double at[RANDOM_VARS];
        random_point(seed, at);
        expr_gradient(&b->g, e, xyz, RANDOM_VARS, grad);
        for (int i = 0; i < RANDOM_VARS; i++) {
            direction[i] =
                i == 1 ? expr_op1(&b->g, OP_COS, expr_var(&b->g, 2)) : expr_const(&b->g, i + 1);
            products[i] = expr_mul(&b->g, grad[i], direction[i]);
        }
        expr   along = expr_along(&b->g, e, xyz, direction, RANDOM_VARS);
        expr   sum = expr_sum(&b->g, products, RANDOM_VARS);
        double got = expr_eval(&b->g, along, at, b->value);
        double scale = condition(&b->g, along, b->value, b->other);
        double want = expr_eval(&b->g, sum, at, b->value);
        scale += condition(&b->g, sum, b->value, b->other);
        if (!isfinite(got) || !isfinite(want) || scale > 1e8) continue;
        if (fabs(got - want) > 1e-14 * scale) report(b, seed, e, fabs(got - want) / scale);
    }
}

/* if(x > 0, f(x), 0): below 0 and at 0 value, gradient and curvature are those of the zero branch,
 * also where the operator stands inside of other things. */
static void the_branch_not_taken_leaves_no_trace(void **state)
{
    bench *b = *state;
    graph *g = &b->g;
    for (int k = 0; k < 4; k++) {
        graph_reset(g);
        expr x = expr_var(g, 0), y = expr_var(g, 1), zero = expr_const(g, 0);
        expr f = k == 0   ? expr_op1(g, OP_SQRT, x)
                 : k == 1 ? expr_op1(g, OP_LOG, x)
                 : k == 2 ? expr_powi(g, x, -2)
                          : expr_pow(g, x, y);
        expr chosen = expr_if(g, expr_op2(g, OP_LT, zero, x), f, zero);
        expr e = expr_add(g, expr_mul(g, expr_op1(g, OP_EXP, chosen), y), expr_powi(g, chosen, 3));
        expr grad[2], h[4], along;
        expr_gradient(g, e, xyz, 2, grad);
        expr_hessian(g, grad, 2, xyz, 2, h);
        along = expr_along(g, e, xyz, (expr[]){y, x}, 2);
        for (double at = 0; at >= -2; at -= 2) {
            double p[2] = {at, 0.5};
            check_close(expr_eval(g, e, p, b->value), 0.5, 0);
            check_close(expr_eval(g, grad[0], p, b->value), 0, 0);
            check_close(expr_eval(g, grad[1], p, b->value), 1, 0);
            check_close(expr_eval(g, along, p, b->value), at, 0);
            for (int i = 0; i < 4; i++) check_close(expr_eval(g, h[i], p, b->value), 0, 0);
        }
    }
}

static void choices_within_choices_leave_no_trace(void **state)
{
    graph *g = &((bench *)*state)->g;
    double room[400], at[1] = {-1};
    graph_reset(g);
    expr x = expr_var(g, 0), zero = expr_const(g, 0), grad;
    expr inner =
        expr_if(g, expr_op2(g, OP_LT, zero, x), expr_op1(g, OP_SQRT, x), expr_powi(g, x, 2));
    expr outer =
        expr_op2(g, OP_MAX, expr_mul(g, inner, x), expr_op2(g, OP_MIN, x, expr_const(g, -3)));
    expr_gradient(g, outer, xyz, 1, &grad);
    check_close(expr_eval(g, grad, at, room), 3, 0); /* max(x^3, -3) */
    at[0] = -2;
    check_close(expr_eval(g, grad, at, room), 0, 0);
    at[0] = 4;
    check_close(expr_eval(g, grad, at, room), 3, 1e-15); /* max(x^1.5, -3) */
}

static double slope_at(graph *g, expr e, double x, double n)
{
    double room[400], at[2] = {x, n};
    expr   d;
    expr_gradient(g, e, xyz, 1, &d);
    assert_true(g->nodes.n <= 400);
    return expr_eval(g, d, at, room);
}

static void powers_are_right_at_zero_and_below(void **state)
{
    graph *g = &((bench *)*state)->g;
    graph_reset(g);
    expr x = expr_var(g, 0), n = expr_var(g, 1), by_n = expr_pow(g, x, n), d, dd;
    check_close(slope_at(g, expr_powi(g, x, 2), 0, 0), 0, 0);
    check_close(slope_at(g, expr_powi(g, x, 3), -2, 0), 12, 0);
    check_close(slope_at(g, expr_pow(g, x, expr_const(g, 1.5)), 0, 0), 0, 0);
    check_close(slope_at(g, expr_pow(g, x, expr_const(g, 101)), -1, 0), 101, 1e-14);
    check_close(slope_at(g, by_n, 0, 2), 0, 0);
    check_close(slope_at(g, by_n, 0, 1), 1, 0);
    check_close(slope_at(g, by_n, 0, 0), 0, 0);
    check_close(slope_at(g, by_n, -2, 3), 12, 1e-15);
    expr_gradient(g, by_n, xyz, 1, &d);
    expr_gradient(g, d, xyz, 1, &dd);
    double room[400], at[2] = {0, 1};
    check_close(expr_eval(g, dd, at, room), 0, 0); /* (x^n)'' for n = 1, at 0 */
    at[1] = 2;
    check_close(expr_eval(g, dd, at, room), 2, 0);
    expr_gradient(g, by_n, xyz + 1, 1, &d);
    check_close(expr_eval(g, d, at, room), 0, 0); /* by the exponent, at base 0 */
}

static void powers_of_a_distance_are_smooth_at_its_zero(void **state)
{
    graph *g = &((bench *)*state)->g;
    double room[400], at[2] = {0, 0}, below[2] = {-3, 0};
    graph_reset(g);
    expr x = expr_var(g, 0), y = expr_var(g, 1), grad[2], root = expr_op1(g, OP_SQRT, x);
    expr r = expr_op1(g, OP_SQRT, expr_add(g, expr_powi(g, x, 2), expr_powi(g, y, 2)));
    expr_gradient(g, expr_powi(g, r, 3), xyz, 2, grad);
    check_close(expr_eval(g, grad[0], at, room), 0, 0);
    expr_gradient(g, expr_powi(g, root, 3), xyz, 1, grad);
    check_close(expr_eval(g, grad[0], at, room), 0, 0);
    assert_true(isnan(expr_eval(g, grad[0], below, room)));
    expr_gradient(g, expr_div(g, y, r), xyz, 2,
                  grad); /* where the function has a pole, it has one */
    assert_true(!isfinite(expr_eval(g, grad[1], at, room)));
}

static void kinks_have_the_derivative_of_the_branch_taken(void **state)
{
    graph *g = &((bench *)*state)->g;
    graph_reset(g);
    expr x = expr_var(g, 0), y = expr_scale(g, 3, x);
    check_close(slope_at(g, expr_op1(g, OP_ABS, x), 0, 0), 0, 0);
    check_close(slope_at(g, expr_op1(g, OP_ABS, x), -2, 0), -1, 0);
    check_close(slope_at(g, expr_op1(g, OP_SIGN, x), 1, 0), 0, 0);
    check_close(slope_at(g, expr_op1(g, OP_FLOOR, x), 1.5, 0), 0, 0);
    check_close(slope_at(g, expr_op2(g, OP_MIN, x, y), 0, 0), 1, 0); /* the first of equals */
    check_close(slope_at(g, expr_op2(g, OP_MAX, y, x), 0, 0), 3, 0);
}

static void what_does_not_depend_has_derivative_zero(void **state)
{
    graph *g = &((bench *)*state)->g;
    graph_reset(g);
    expr x = expr_var(g, 0), y = expr_var(g, 1), out[3];
    int  vars[3] = {7, 0, 0};
    expr_gradient(g, expr_mul(g, x, y), vars, 3, out);
    assert_true(expr_is_zero(g, out[0]));
    assert_int_equal(out[1], y);
    assert_int_equal(out[2], y);
    expr_gradient(g, expr_const(g, 3), vars, 3, out);
    for (int i = 0; i < 3; i++) assert_true(expr_is_zero(g, out[i]));
}

/* Sixty variables, of which each term holds two: the Hessian is tridiagonal with exact zeros
 * elsewhere. */
static void hessian_of_a_chain_is_sparse(void **state)
{
    enum { N = 60 };
    graph *g = &((bench *)*state)->g;
    expr   terms[N - 1], grad[N], h[N * N];
    int    vars[N];
    graph_reset(g);
    for (int i = 0; i < N; i++) vars[i] = i;
    for (int i = 0; i + 1 < N; i++)
        terms[i] = expr_op1(g, OP_COS, expr_sub(g, expr_var(g, i + 1), expr_var(g, i)));
    expr_gradient(g, expr_sum(g, terms, N - 1), vars, N, grad);
    expr_hessian(g, grad, N, vars, N, h);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) assert_int_equal(expr_is_zero(g, h[i * N + j]), abs(i - j) > 1);
    assert_true(g->nodes.n < 40 * N);
}

static void a_chain_of_a_million_nodes_needs_no_stack(void **state)
{
    graph *g = &((bench *)*state)->g;
    expr   e, d;
    graph_reset(g);
    e = expr_var(g, 0);
    for (int i = 0; i < 1000000; i++) e = expr_op1(g, i % 2 ? OP_SIN : OP_ATAN, e);
    expr_gradient(g, e, xyz, 1, &d);
    double *room = malloc((size_t)g->nodes.n * sizeof *room), at[1] = {0};
    check_close(expr_eval(g, d, at, room), 1, 0);
    d = expr_along(g, e, xyz, (expr[]){expr_const(g, 2)}, 1);
    free(room);
    room = malloc((size_t)g->nodes.n * sizeof *room);
    check_close(expr_eval(g, d, at, room), 2, 0);
    free(room);
    graph_drop(g);
}

static void a_chain_of_choices_is_linear(void **state)
{
    graph *g = &((bench *)*state)->g;
    expr   e, d;
    graph_reset(g);
    e = expr_var(g, 0);
    for (int i = 0; i < 100000; i++)
        e = expr_op2(g, OP_MAX, expr_op1(g, OP_SIN, e), expr_const(g, -0.5));
    expr_gradient(g, e, xyz, 1, &d);
    assert_true(g->nodes.n < 1000000);
    double *room = malloc((size_t)g->nodes.n * sizeof *room), at[1] = {0};
    check_close(expr_eval(g, d, at, room), 1, 0);
    free(room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_smooth_operator_agrees_with_complex_step),
        cmocka_unit_test(mixtures_of_all_smooth_operators_agree_with_complex_step),
        cmocka_unit_test(non_smooth_operators_agree_with_their_branch),
        cmocka_unit_test(second_derivatives_agree_with_complex_step_of_the_gradient),
        cmocka_unit_test(gradient_agrees_with_directions),
        cmocka_unit_test(the_branch_not_taken_leaves_no_trace),
        cmocka_unit_test(choices_within_choices_leave_no_trace),
        cmocka_unit_test(powers_are_right_at_zero_and_below),
        cmocka_unit_test(powers_of_a_distance_are_smooth_at_its_zero),
        cmocka_unit_test(kinks_have_the_derivative_of_the_branch_taken),
        cmocka_unit_test(what_does_not_depend_has_derivative_zero),
        cmocka_unit_test(hessian_of_a_chain_is_sparse),
        cmocka_unit_test(a_chain_of_a_million_nodes_needs_no_stack),
        cmocka_unit_test(a_chain_of_choices_is_linear),
    };
    return cmocka_run_group_tests(tests, make_bench, free_bench);
}
