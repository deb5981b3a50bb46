/* test_expr_fold.c - expressions for the eye: names are found among other factors and terms, common
 * factors stand once, and the value stays what it was. */
#include "expr_bench.h"

#include "expr/fold.h"

enum { NAMED = RANDOM_VARS }; /* variables from here on are names */

static void name_variable(void *self, int variable, text *out)
{
    (void)self;
    if (variable < NAMED) text_printf(out, "%c", "xyz"[variable]);
    else text_printf(out, "%c", 'A' + variable - NAMED);
}

/* x is a parameter. */
static bool is_x(void *self, int variable)
{
    (void)self;
    return variable == 0;
}

static const char *folded(bench *b, const expr_named *known, int n, expr e)
{
    const folding f = {&b->g, known, n, is_x, NULL, EXPR_NONE, false, false};
    text_clear(&b->out);
    expr_print(&b->g, expr_fold(&f, e, true), name_variable, NULL, &b->out);
    return text_str(&b->out);
}

static void names_stand_among_other_factors_and_terms(void **state)
{
    bench     *b = *state;
    graph     *g = &b->g;
    const expr s = expr_op1(g, OP_SIN, b->y), A = expr_var(g, NAMED), B = expr_var(g, NAMED + 1);
    const expr xs = expr_mul(g, b->x, s);                     /* A = x sin y   */
    const expr sum = expr_add(g, A, expr_mul(g, b->z, b->z)); /* B = A + z^2   */
    const expr_named known[] = {{xs, A, false}, {sum, B, false}};
    assert_string_equal(folded(b, known, 2, expr_mul(g, expr_mul(g, s, b->z), b->x)), "z*A");
    assert_string_equal(folded(b, known, 2, expr_scale(g, -3, xs)), "-3*A");
    assert_string_equal(folded(b, known, 2, expr_powi(g, xs, 2)), "A^2");
    const expr both = expr_add(g, xs, expr_powi(g, b->z, 2));
    assert_string_equal(folded(b, known, 2, both), "B");
    assert_string_equal(folded(b, known, 2, expr_add(g, expr_scale(g, 2, both), b->y)), "y + 2*B");
    assert_string_equal(folded(b, known, 2, expr_op1(g, OP_EXP, expr_neg(g, both))), "exp(-B)");
}

static void common_factors_stand_once(void **state)
{
    bench     *b = *state;
    graph     *g = &b->g;
    const expr s = expr_op1(g, OP_SIN, b->y);
    const expr e = expr_add(g, expr_mul(g, expr_mul(g, s, b->x), b->z), expr_mul(g, s, b->x));
    assert_string_equal(folded(b, NULL, 0, e), "x*sin(y)*(1 + z)");
    assert_string_equal(folded(b, NULL, 0, expr_neg(g, e)), "-x*sin(y)*(1 + z)");
    assert_string_equal(folded(b, NULL, 0, expr_sub(g, b->z, e)), "z - x*sin(y) - x*z*sin(y)");
}

/* With names replaced by their values it is the same number, up to rounding. */
static void the_value_stays(void **state)
{
    static const expr_op ops[] = {OP_ADD, OP_SUB, OP_MUL,  OP_MUL,  OP_ADD,
                                  OP_DIV, OP_SIN, OP_POWI, OP_SQRT, OP_IF};
    bench               *b = *state;
    int                  compared = 0;
    for (int seed = 1; seed <= 4000; seed++) {
        rng        r = rng_new(seed);
        const expr e = random_simplified(b, seed, ops, sizeof ops / sizeof *ops, 6);
        graph     *g = &b->g;
        const expr xy = expr_mul(g, expr_var(g, 0), expr_var(g, 1)), name = expr_var(g, NAMED);
        const expr sum = expr_add(g, name, expr_var(g, 2));
        const expr_named known[] = {{xy, name, false}, {sum, expr_var(g, NAMED + 1), false}};
        const folding    f = {g, known, 2, is_x, NULL, EXPR_NONE, false, false};
        const expr       short_one = expr_fold(&f, e, true);
        double           vars[NAMED + 2];
        for (int i = 0; i < NAMED; i++) vars[i] = rng_real(&r, 0.5, 2);
        vars[NAMED] = vars[0] * vars[1], vars[NAMED + 1] = vars[NAMED] + vars[2];
        assert_true(g->nodes.n <= ROOM);
        const double a = expr_eval(g, e, vars, b->value),
                     z = expr_eval(g, short_one, vars, b->other);
        double most = 1;
        for (int i = 0; i <= e; i++) most = fmax(most, fabs(b->value[i]));
        if (!isfinite(a) || !isfinite(most) || most > 1e8) continue;
        check_close(z / most, a / most, 1e-9);
        compared++;
    }
    assert_true(compared > 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        bench_test(names_stand_among_other_factors_and_terms),
        bench_test(common_factors_stand_once),
        bench_test(the_value_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
