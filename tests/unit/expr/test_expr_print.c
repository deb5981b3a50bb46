/* test_expr_print.c - what is printed, and that a small parser of the language's grammar reads it
 * back. */
#include "expr_bench.h"

#include <ctype.h>

static void name_variable(void *self, int variable, text *out)
{
    (void)self;
    if (variable < 3) text_add_bytes(out, &"xyz"[variable], 1);
    else text_printf(out, "x%d", variable);
}

static const char *printed(bench *b, expr e)
{
    text_clear(&b->out);
    expr_print(&b->g, e, name_variable, NULL, &b->out);
    return text_str(&b->out);
}

/* The parser: the expression rules of the grammar, one function each. ----------------------------
 */

static expr parse_or(bench *b);

static bool eat(bench *b, const char *token)
{
    while (*b->at == ' ') b->at++;
    size_t n = strlen(token);
    if (strncmp(b->at, token, n) != 0) return false;
    if (isalpha((unsigned char)*token) && isalnum((unsigned char)b->at[n])) return false;
    if (strchr("<>=!", *token) && n == 1 && b->at[1] == '=') return false;
    b->at += n;
    return true;
}

static void need(bench *b, const char *token)
{
    if (!eat(b, token))
        fail_msg("'%s' expected before '%s' in '%s'", token, b->at, text_str(&b->out));
}

static expr parse_call(bench *b, expr_op op)
{
    expr args[3];
    int  n = 0;
    need(b, "(");
    do args[n++] = parse_or(b);
    while (n < 3 && eat(b, ","));
    need(b, ")");
    return expr_apply(&b->g, op, 0, args, n);
}

static expr parse_primary(bench *b)
{
    static const char *const names[] = {"x", "y", "z"};
    if (eat(b, "(")) {
        expr e = parse_or(b);
        need(b, ")");
        return e;
    }
    for (expr_op op = OP_SQRT; op < OP_COUNT; op++)
        if (isalpha((unsigned char)*op_symbol(op)) && op != OP_AND && op != OP_OR && op != OP_NOT &&
            eat(b, op_symbol(op)))
            return parse_call(b, op);
    for (int i = 0; i < 3; i++)
        if (eat(b, names[i])) return expr_var(&b->g, i);
    char  *end;
    double number = strtod(b->at, &end);
    if (end == b->at || !isdigit((unsigned char)*b->at))
        fail_msg("a value expected before '%s' in '%s'", b->at, text_str(&b->out));
    b->at = end;
    return expr_const(&b->g, number);
}

static expr parse_unary(bench *b);

static expr parse_power(bench *b)
{
    expr a = parse_primary(b);
    return eat(b, "^") ? expr_pow(&b->g, a, parse_unary(b)) : a;
}

static expr parse_unary(bench *b)
{
    return eat(b, "-") ? expr_neg(&b->g, parse_unary(b)) : parse_power(b);
}

static expr parse_term(bench *b)
{
    expr a = parse_unary(b);
    for (;;) {
        if (eat(b, "*")) a = expr_mul(&b->g, a, parse_unary(b));
        else if (eat(b, "/")) a = expr_div(&b->g, a, parse_unary(b));
        else return a;
    }
}

static expr parse_sum(bench *b)
{
    expr a = parse_term(b);
    for (;;) {
        if (eat(b, "+")) a = expr_add(&b->g, a, parse_term(b));
        else if (eat(b, "-")) a = expr_sub(&b->g, a, parse_term(b));
        else return a;
    }
}

static expr parse_test(bench *b)
{
    if (eat(b, "not")) return expr_op1(&b->g, OP_NOT, parse_test(b));
    expr a = parse_sum(b);
    if (eat(b, "<=")) return expr_op2(&b->g, OP_LE, a, parse_sum(b));
    if (eat(b, "==")) return expr_op2(&b->g, OP_EQ, a, parse_sum(b));
    if (eat(b, "!=")) return expr_op2(&b->g, OP_NE, a, parse_sum(b));
    if (eat(b, "<")) return expr_op2(&b->g, OP_LT, a, parse_sum(b));
    return a;
}

static expr parse_and(bench *b)
{
    expr a = parse_test(b);
    while (eat(b, "and")) a = expr_op2(&b->g, OP_AND, a, parse_test(b));
    return a;
}

static expr parse_or(bench *b)
{
    expr a = parse_and(b);
    while (eat(b, "or")) a = expr_op2(&b->g, OP_OR, a, parse_and(b));
    return a;
}

static expr parse(bench *b, const char *words)
{
    b->at = words;
    expr e = parse_or(b);
    if (*b->at) fail_msg("'%s' is left over of '%s'", b->at, words);
    return e;
}

/* Tests. ----------------------------------------------------------------------------------------
 */

/* Each is how one writes it, so that is how it is printed. */
static void natural_forms_are_printed_as_written(void **state)
{
    static const char *const forms[] = {
        "x",
        "2",
        "-x",
        "x + y",
        "x - y",
        "x - y - z",
        "x*y",
        "2*x",
        "-2*x",
        "x/y",
        "1/x",
        "2/x",
        "x^2",
        "1/x^2",
        "-x^2",
        "(-2)^x",
        "x^y",
        "x^y^z",
        "(x^y)^z",
        "x^(y + z)",
        "x^-y",
        "x^(y*z)",
        "(x + y)^2",
        "z*(x + y)",
        "x*y*z",
        "x*y/z",
        "x/y/z",
        "x/(y*z)",
        "x/(y/z)",
        "x/(y + z)",
        "0.5*x^2",
        "x^2 - 1",
        "x + y*z",
        "-x - y",
        "-(x + y)",
        "-x*y",
        "-x/y",
        "2*x*y",
        "2*x/y",
        "x/3",
        "2*x/3",
        "x/(3*y)",
        "1.5e-07*x",
        "3*(x + y)",
        "x - 3*(y + z)",
        "x*(1/y)",
        "x - 2/y",
        "sin(x)",
        "-sin(x)",
        "sin(x)^2",
        "sqrt(x^2 + y^2)",
        "atan2(y, x)",
        "min(x, max(y, z))",
        "exp(-x)",
        "x*exp(-x^2)",
        "1/sqrt(x)",
        "abs(x - y)",
        "if(x < y, x, y^2)",
        "1/(1/x + 1/y)",
        "if(x <= 0 and y < z or not x == y, 1, 0)",
        "if(not (x < y and y < z), 1, 0)",
        "if((x < 0 or y < 0) and z < 0, 1, 0)",
        "if(x != y, floor(x), sign(x))",
        "log(x)/log(x + 2)",
    };
    bench *b = *state;
    for (int i = 0; i < (int)(sizeof forms / sizeof *forms); i++) {
        graph_reset(&b->g);
        for (int v = 0; v < 3; v++) expr_var(&b->g, v);
        assert_string_equal(printed(b, parse(b, forms[i])), forms[i]);
    }
}

static void forms_are_brought_to_natural_ones(void **state)
{
    static const char *const forms[][2] = {
        {"x + -1*y", "x - y"},  {"-x + y", "y - x"},  {"x*-2", "-2*x"},
        {"z*(x*y)", "x*y*z"},   {"x/-y", "-x/y"},     {"0 - 1/x", "-1/x"},
        {"x - -2", "x + 2"},    {"x*2*y*3", "6*x*y"}, {"x/2", "0.5*x"},
        {"(x*y)^1", "x*y"},     {"1 - x", "1 - x"},   {"x^0.5", "sqrt(x)"},
        {"sin(-x)", "-sin(x)"}, {"x*(x*x)", "x^3"},   {"z - (x - y)", "y - x + z"},
    };
    bench *b = *state;
    for (int i = 0; i < (int)(sizeof forms / sizeof *forms); i++) {
        graph_reset(&b->g);
        for (int v = 0; v < 3; v++) expr_var(&b->g, v);
        assert_string_equal(printed(b, parse(b, forms[i][0])), forms[i][1]);
    }
}

static const expr_op all_ops[] = {
    OP_ADD,  OP_SUB, OP_MUL, OP_DIV, OP_NEG,  OP_POW,  OP_POWI, OP_SQRT,  OP_EXP,  OP_LOG,
    OP_SIN,  OP_ABS, OP_COS, OP_TAN, OP_ASIN, OP_ACOS, OP_ATAN, OP_ATAN2, OP_SINH, OP_COSH,
    OP_TANH, OP_MIN, OP_MAX, OP_IF,  OP_ADD,  OP_SUB,  OP_MUL,  OP_DIV,   OP_NEG,  OP_POWI,
};

static expr random_in(bench *b, int seed, int depth)
{
    return random_simplified(b, seed, all_ops, (int)(sizeof all_ops / sizeof *all_ops), depth);
}

static void check_read_back(bench *b, expr e, int *same, int *other)
{
    expr   again = parse(b, printed(b, e));
    double at[] = {0.7, -1.3, 1.9};
    (*(again == e ? same : other))++;
    if (again == e) return;
    double want = expr_eval(&b->g, e, at, b->value);
    double scale = condition(&b->g, e, b->value, b->other);
    double got = expr_eval(&b->g, again, at, b->value);
    assert_true(isfinite(got) == isfinite(want));
    if (isfinite(want) && !(fabs(got - want) <= 8e-16 * scale))
        print_error("%s\n", text_str(&b->out));
    if (isfinite(want)) check_below(fabs(got - want), 8e-16 * scale);
}

/* Into the same node, but for rare forms that gather differently; then the value is the same. */
static void random_expressions_and_gradients_read_back(void **state)
{
    static const int vars[] = {0, 1, 2};
    bench           *b = *state;
    int              same = 0, other = 0;
    for (int seed = 0; seed < 4000; seed++) {
        expr e = random_in(b, seed, 1 + seed % 5), grad[3];
        check_read_back(b, e, &same, &other);
        if (strlen(printed(b, e)) > 300) continue;
        expr_gradient(&b->g, e, vars, 3, grad);
        for (int i = 0; i < 3; i++)
            if (strlen(printed(b, grad[i])) < 20000) check_read_back(b, grad[i], &same, &other);
    }
    print_message("%d read back into the same node, %d into one of equal value\n", same, other);
    assert_true(other * 50 < same);
}

static const char *printed_fairly(bench *b, expr e)
{
    text_clear(&b->out);
    expr_print_fair(&b->g, e, name_variable, NULL, &b->out);
    return text_str(&b->out);
}

static void for_the_eye_products_of_quotients_are_one(void **state)
{
    static const char *const forms[][2] = {
        {"x*(1/y)", "x/y"},
        {"(1/y)*x", "x/y"},
        {"-2*x*(1/y)", "-2*x/y"},
        {"z - x*(1/y)", "z - x/y"},
        {"x*(1/y)*(1/z)", "x/(y*z)"},
        {"(1/x)*(1/y)", "1/(x*y)"},
        {"x*z*(1/(1 + y)^2)", "x*z/(y + 1)^2"},
        {"(x + y)*(1/z)", "(x + y)/z"},
        {"(x*(1/y))/z", "x/(y*z)"},
        {"x/(y*(1/z))", "x*z/y"},
        {"(x*(1/y))^2", "(x/y)^2"},
        {"sin(x*(1/y))", "sin(x/y)"},
        {"2*(x + y)*z", "2*z*(x + y)"},
        {"-x*y", "-x*y"},
        {"x/3", "x/3"},
        {"1/(1/x + 1/y)", "1/(1/x + 1/y)"},
    };
    bench *b = *state;
    for (int i = 0; i < (int)(sizeof forms / sizeof *forms); i++) {
        graph_reset(&b->g);
        for (int v = 0; v < 3; v++) expr_var(&b->g, v);
        assert_string_equal(printed_fairly(b, parse(b, forms[i][0])), forms[i][1]);
    }
}

static void what_is_for_the_eye_has_the_same_value(void **state)
{
    static const expr_op ops[] = {OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_NEG, OP_POWI, OP_SIN};
    bench               *b = *state;
    const double         at[] = {0.7, -1.3, 1.9};
    int                  other = 0;
    for (int seed = 0; seed < 2000; seed++) {
        graph_reset(&b->g);
        for (int v = 0; v < 3; v++) expr_var(&b->g, v);
        expr e = random_simplified(b, seed, ops, (int)(sizeof ops / sizeof *ops), 6);
        other += strlen(printed(b, e)) != strlen(printed_fairly(b, e));
        expr   again = parse(b, text_str(&b->out));
        double want = expr_eval(&b->g, e, at, b->value);
        double scale = condition(&b->g, e, b->value, b->other);
        double got = expr_eval(&b->g, again, at, b->value);
        if (isfinite(want) && isfinite(scale)) check_below(fabs(got - want), 1e-14 * scale);
    }
    assert_true(other > 100);
}

/* A product of many factors is not taken apart. */
static void long_fractions_are_printed_as_they_are(void **state)
{
    bench *b = *state;
    expr   e = expr_var(&b->g, 0);
    for (int i = 1; i < 200; i++)
        e = expr_mul(&b->g, e, expr_div(&b->g, expr_const(&b->g, 1), expr_var(&b->g, i)));
    assert_true(strlen(printed_fairly(b, e)) > 400);
}

static void latex_is_what_a_paper_would_set(void **state)
{
    static const char *const forms[][2] = {
        {"x - y", "x - y"},
        {"x/y", "\\frac{x}{y}"},
        {"-x/y", "-\\frac{x}{y}"},
        {"x*(1/y)", "\\frac{x}{y}"},
        {"x*(1/y)*(1/z)", "\\frac{x}{y \\, z}"},
        {"0.5*x*(1/y)", "\\frac{1}{2} \\, \\frac{x}{y}"},
        {"z - x*(1/y)", "z - \\frac{x}{y}"},
        {"-3*(1/x)*(1/y)", "-\\frac{3}{x \\, y}"},
        {"(x + y)*(1/z)", "\\frac{x + y}{z}"},
        {"0.5*x^2", "\\frac{1}{2} \\, {x}^{2}"},
        {"x*y", "x \\, y"},
        {"2*3^x", "2 \\cdot {3}^{x}"},
        {"sin(x)^2", "\\sin^{2}\\left(x\\right)"},
        {"sqrt(x + 1)", "\\sqrt{x + 1}"},
        {"exp(-x)", "e^{-x}"},
        {"(x + y)*z", "z \\, \\left(x + y\\right)"},
        {"(x + y)^3", "\\left(x + y\\right)^{3}"},
        {"(x/y)^2", "\\left(\\frac{x}{y}\\right)^{2}"},
        {"1.5e-7*x", "1.5 \\cdot 10^{-7} \\, x"},
        {"1e20*x", "10^{20} \\, x"},
        {"abs(x)", "\\left|x\\right|"},
        {"atan2(y, x)", "\\operatorname{atan2}\\left(y, x\\right)"},
        {"if(x <= y, x, 0)",
         "\\begin{cases} x & \\text{if } x \\le y \\\\ 0 & \\text{otherwise} \\end{cases}"},
    };
    bench *b = *state;
    for (int i = 0; i < (int)(sizeof forms / sizeof *forms); i++) {
        graph_reset(&b->g);
        for (int v = 0; v < 3; v++) expr_var(&b->g, v);
        expr e = parse(b, forms[i][0]);
        text_clear(&b->out);
        expr_print_latex(&b->g, e, name_variable, NULL, &b->out);
        assert_string_equal(text_str(&b->out), forms[i][1]);
    }
}

static void long_deep_and_shared_ones_end_in_dots(void **state)
{
    enum { TERMS = 60000 };
    bench *b = *state;
    graph *g = &b->g;
    expr   deep = expr_var(g, 0), shared = expr_var(g, 0), terms[TERMS];
    for (int i = 0; i < 1000000; i++) deep = expr_op1(g, i % 2 ? OP_SIN : OP_ATAN, deep);
    for (int i = 0; i < 100; i++) shared = expr_mul(g, shared, expr_op1(g, OP_SIN, shared));
    for (int i = 0; i < TERMS; i++) terms[i] = expr_var(g, i);
    expr all[] = {deep, shared, expr_sum(g, terms, TERMS)};
    for (int i = 0; i < 3; i++) {
        size_t n = strlen(printed(b, all[i]));
        assert_true(n > 20000 && n < 20100);
        assert_string_equal(text_str(&b->out) + n - 4, " ...");
        text_clear(&b->out);
        expr_print_latex(g, all[i], name_variable, NULL, &b->out);
        assert_true(b->out.n < 20200);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        bench_test(natural_forms_are_printed_as_written),
        bench_test(forms_are_brought_to_natural_ones),
        bench_test(random_expressions_and_gradients_read_back),
        bench_test(for_the_eye_products_of_quotients_are_one),
        bench_test(what_is_for_the_eye_has_the_same_value),
        bench_test(long_fractions_are_printed_as_they_are),
        bench_test(latex_is_what_a_paper_would_set),
        bench_test(long_deep_and_shared_ones_end_in_dots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
