/* test_api_compiled_schemes.c - compiled steps agree with the general ones, scheme by scheme: every
 * row of the table and every composition, forward and backward. */
#include "compiled.h"

static const char MODEL[] =
    "system S {\n parameter a = 0.3\n coordinate x, y\n"
    " lagrangian (x'^2 + (1 + x^2/4)*y'^2)/2 + a*x*y' - x^4/4 - y^2/2 + x*cos(t)\n"
    " force x: -x'/10\n start x = 1, y' = 0.5\n}\n";

/* Solved for nothing: p' = F(q), with momenta at rest. */
static const char EXPLICIT[] =
    "system E {\n coordinate x, y\n lagrangian (x'^2 + 3*y'^2)/2 + 0.7*x' - x^4/4 - x^2*y^2/2\n"
    " force y: -x/10\n start x = 1, y' = 0.5\n}\n";

/* Linear, with a constant, diagonal matrix: nothing is predicted, but it is solved. */
static const char DRIVEN[] =
    "system D {\n coordinate x, y\n lagrangian (x'^2 + y'^2)/2 - x^2/2 - y^2 - x*cos(3*t)/5\n"
    " force y: -y'/10\n start x = 1, y' = 0.5\n}\n";

/* So many entries of one kind that they are written as a loop over lists. */
static const char MANY[] =
    "system M {\n coordinate x[40]\n lagrangian sum(k in 1..40: (1 + x[k]^2/10)*x[k]'^2/2)\n"
    " lagrangian -sum(k in 1..39: (x[k+1] - x[k])^4/4 + x[k]*x[k+1])\n"
    " for k in 1..39 { force x[k]: -0.1*(x[k]' - x[k+1]')*x[k]^2 }\n"
    " for k in 1..40 { start x[k] = 0.3*sin(k) }\n}\n";

static dal_sim *open_with(dal_context *cx, const char *text, const char *backend,
                          const char *scheme, const char *force, const char *until, dal_model **m)
{
    dal_sim     *s = NULL;
    dal_options *o = dal_options_new(cx);
    dal_options_set(o, "backend", backend), dal_options_set(o, "scheme", scheme);
    dal_options_set(o, "step", "0.05"), dal_options_set(o, "until", until);
    if (force) dal_options_set(o, "force", force);
    if (!dal_model_parse(cx, "scheme.dal", text, o, m)) dal_sim_new(*m, o, &s);
    dal_options_free(o);
    return s;
}

static void rules_agree(const char *text, const char *scheme, const char *force, const char *until)
{
    dal_context *cx = dal_context_new(NULL);
    dal_model   *ma = NULL, *mb = NULL;
    dal_sim     *a = open_with(cx, text, "vm", scheme, force, until, &ma),
            *b = open_with(cx, text, "native", scheme, force, until, &mb);
    assert_non_null(a), assert_non_null(b);
    if (!dal_summarise(b)->is_fused) print_error("%s is not fused\n", scheme), fail();
    assert_int_equal(dal_run(a, NULL), DAL_OK), assert_int_equal(dal_run(b, NULL), DAL_OK);
    const size_t n = dal_size(a);
    double q = apart_relatively(dal_q(a), dal_q(b), n), p = apart_relatively(dal_p(a), dal_p(b), n);
    double work = fabs(dal_summarise(a)->work - dal_summarise(b)->work);
    double power = dal_summarise(b)->power_error; /* of the last curve as it was handed back */
    if (strstr(scheme, "shooting")) power = 0;          /* not defined along it */
    if (!(q < 20 * DBL_EPSILON && p < 20 * DBL_EPSILON && work < 20 * DBL_EPSILON &&
          power < 20 * DBL_EPSILON))
        print_error("%s until %s: q %.1e, p %.1e, work %.1e apart, power %.1e\n", scheme, until, q,
                    p, work, power),
            fail();
    dal_sim_free(a), dal_sim_free(b), dal_model_free(ma), dal_model_free(mb), dal_context_free(cx);
}

static void model_agrees(const char *text, const char *scheme, const char *until)
{
    rules_agree(text, scheme, NULL, until);
}

static void agrees(const char *scheme, const char *until)
{
    model_agrees(MODEL, scheme, until);
}

static void every_row_of_the_table_is_the_same_compiled(void **state)
{
    (void)state;
    for (size_t i = 0; i < dal_method_count(); i++) agrees(dal_method_at(i).example, "0.5");
}

/* Inertia that is no diagonal, and sines. */
static const char LINKS[] =
    "system L {\n coordinate a, b, c\n"
    " lagrangian 3*a'^2/2 + b'^2 + c'^2/2 + 2*a'*b'*cos(a - b) + a'*c'*cos(a - c)\n"
    " lagrangian b'*c'*cos(b - c) + 3*cos(a) + 2*cos(b) + cos(c)\n"
    " start a = 1, b = -0.5, c = 0.2\n}\n";

static void shot_curves_are_the_same_compiled(void **state)
{
    static const char *const scheme[] = {
        "shooting(euler) with rectangle(0)", "shooting(midpoint) with midpoint",
        "shooting(rk2) with trapezoid",      "shooting(rk4) with gauss(2)",
        "shooting(dopri5) with lobatto(4)",  "shooting(taylor(1)) with midpoint",
        "shooting(taylor(2)) with radau(2)", "shooting(taylor(5)) with gauss(4)"};
    (void)state;
    for (size_t i = 0; i < sizeof scheme / sizeof *scheme; i++) {
        agrees(scheme[i], "0.5"), agrees(scheme[i], "-0.5");
        model_agrees(LINKS, scheme[i], "0.5");
    }
}

/* Inertia that elimination without exchanges takes, and one that is left to the general engine. */
static const char INDEFINITE[] =
    "system I {\n coordinate x, y\n"
    " lagrangian (x'^2 - y'^2)/2 + 1.5*x'*y' - x^4/4 + y^2/2 - x*y/3\n start x = 1, y' = 0.3\n}\n";
static const char SWAPPED[] =
    "system W {\n coordinate x, y\n lagrangian x'*y' - x^4/4 - y^2/2\n start x = 1, y' = 0.3\n}\n";

static void shot_curves_with_other_inertia_and_forces_are_the_same_compiled(void **state)
{
    (void)state;
    model_agrees(INDEFINITE, "shooting(rk4) with simpson", "1");
    model_agrees(SWAPPED, "shooting(rk4) with simpson", "1");
    rules_agree(MODEL, "shooting(rk4) with simpson", "gauss(2)", "0.5");
    rules_agree(MODEL, "shooting(taylor(3)) with gauss(2)", "trapezoid", "-0.5");
}

static void compositions_and_steps_backward_are_the_same_compiled(void **state)
{
    (void)state;
    agrees("compose(midpoint, yoshida(4))", "0.5"), agrees("compose(trapezoid, suzuki(4))", "-0.5");
    agrees("radau(2)", "-0.5"), agrees("polynomial(3) with gauss(4)", "0.5");
    model_agrees(DRIVEN, "compose(midpoint, yoshida(4))", "0.5");
    model_agrees(DRIVEN, "compose(trapezoid, suzuki(4))", "-0.5");
}

static void explicit_steps_are_the_same_compiled(void **state)
{
    static const char *const scheme[] = {"trapezoid", "rectangle(0)", "rectangle(1)",
                                         "compose(trapezoid, yoshida(4))"};
    (void)state;
    for (int i = 0; i < 4; i++)
        model_agrees(EXPLICIT, scheme[i], "1"), model_agrees(EXPLICIT, scheme[i], "-1");
}

/* What is carried from step to step is part of the state: it does not matter how many go at once.
 */
static void explicit_steps_at_once_are_those_one_by_one(void **state)
{
    (void)state;
    dal_context *cx = dal_context_new(NULL);
    dal_model   *ma = NULL, *mb = NULL;
    dal_sim     *a = open_with(cx, EXPLICIT, "native", "trapezoid", NULL, "10", &ma),
            *b = open_with(cx, EXPLICIT, "native", "trapezoid", NULL, "10", &mb);
    assert_int_equal(dal_run(a, NULL), DAL_OK);
    for (int k = 0; k < 200; k++) assert_int_equal(dal_step(b), DAL_OK);
    assert_memory_equal(dal_q(a), dal_q(b), 2 * sizeof(double));
    assert_memory_equal(dal_p(a), dal_p(b), 2 * sizeof(double));
    dal_sim_free(a), dal_sim_free(b), dal_model_free(ma), dal_model_free(mb), dal_context_free(cx);
}

static void many_entries_are_the_same_compiled(void **state)
{
    (void)state;
    model_agrees(MANY, "midpoint", "1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_table_is_the_same_compiled),
        cmocka_unit_test(shot_curves_are_the_same_compiled),
        cmocka_unit_test(shot_curves_with_other_inertia_and_forces_are_the_same_compiled),
        cmocka_unit_test(compositions_and_steps_backward_are_the_same_compiled),
        cmocka_unit_test(explicit_steps_are_the_same_compiled),
        cmocka_unit_test(explicit_steps_at_once_are_those_one_by_one),
        cmocka_unit_test(many_entries_are_the_same_compiled)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
