/* test_api_compiled_simplified.c - steps whose velocities are corrected by a small matrix at each
 * point: the same as Newton's, for constraints of every kind and inertia that varies; where it is
 * slow Newton takes over. */
#include "simplified.h"

static const problem every[] = {
    {SLEIGH, "gauss(4)", "0.1"}, {SLEIGH, "gauss(3)", "0.05"}, {DISK, "gauss(4)", "0.1"},
    {DRIVEN, "gauss(5)", "0.1"}, {BOARD, "gauss(2)", "0.05"},  {ARM, "radau(3)", "0.01"},
    {RODS, "gauss(4)", "0.05"},  {RODS, "radau(3)", "0.02"},   {RESTING, "gauss(4)", "0.1"},
};

static void a_step_is_newtons_to_a_few_units_and_newton_is_not_asked(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof every / sizeof *every; k++) {
        run a = open_problem(&every[k], "vm", "200"), b = open_problem(&every[k], "native", "200");
        double far = 0;
        for (int i = 0; i < 30; i++) {
            assert_int_equal(dal_step(a.s), DAL_OK), assert_int_equal(dal_step(b.s), DAL_OK);
            far = fmax(far, states_apart(&a, &b) / (i + 1));
        }
        run_to_end(&b);
        const dal_summary *sum = dal_summarise(b.s);
        if (!(far < 20 * DBL_EPSILON))
            print_error("%zu, %s: %.1e apart a step\n", k, every[k].scheme, far), fail();
        if (!(sum->is_fused && sum->fixed_point_sweeps > 350 && sum->newton_iterations == 0))
            print_error("%zu, %s: %ld sweeps, %ld iterations\n", k, every[k].scheme,
                        sum->fixed_point_sweeps, sum->newton_iterations),
                fail();
        check_below(sum->constraint_residual, 1e-14);
        end(&a), end(&b);
    }
}

/* Steps of half a radian: without what velocities do to inertia and relations, or with one matrix
 * for the whole step, a third more. */
static void few_sweeps_suffice(void **state)
{
    static const char sleigh[] =
        "system Free {\n coordinate x, y, th\n let X = x + 0.3*cos(th), Y = y + 0.3*sin(th)\n"
        " lagrangian (X'^2 + Y'^2)/2 + th'^2/5\n"
        " constraint runner: -sin(th)*x' + cos(th)*y' = 0\n start x' = 0.2, th' = 1\n}\n";
    const problem p = {sleigh, "gauss(4)", "0.5"};
    run           r = open_problem(&p, "native", "60");
    (void)state;
    run_to_end(&r);
    const dal_summary *sum = dal_summarise(r.s);
    assert_int_equal(sum->newton_iterations, 0);
    if (sum->fixed_point_sweeps > 345) print_error("%ld sweeps\n", sum->fixed_point_sweeps), fail();
    end(&r);
}

/* Too fast for its step: what is left of a correction is as large as the correction. */
static void newton_takes_over_where_corrections_do_not_shrink(void **state)
{
    static const char spun[] =
        "system Spun {\n coordinate x, y, th\n lagrangian (x'^2 + y'^2)/2 + th'^2/5 + "
        "(x*cos(9*th))^2\n"
        " constraint -sin(th)*x' + cos(th)*y' = 0\n start x' = 1, th' = 12\n}\n";
    const problem p = {spun, "gauss(4)", "0.3"};
    run           a = open_problem(&p, "vm", "40"), b = open_problem(&p, "native", "40");
    (void)state;
    for (int i = 0; i < 10; i++) {
        assert_int_equal(dal_step(a.s), DAL_OK), assert_int_equal(dal_step(b.s), DAL_OK);
        check_below(states_apart(&a, &b), 1e-11);
    }
    assert_true(dal_summarise(b.s)->newton_iterations > 10);
    end(&a), end(&b);
}

static void one_step_at_a_time_has_the_same_bits(void **state)
{
    const problem p = {BOARD, "gauss(4)", "0.1"};
    run           a = open_problem(&p, "native", "50"), b = open_problem(&p, "native", "50");
    (void)state;
    run_to_end(&a);
    for (int i = 0; i < 50; i++) assert_int_equal(dal_step(b.s), DAL_OK);
    assert_memory_equal(dal_q(a.s), dal_q(b.s), 6 * sizeof(double));
    assert_memory_equal(dal_p(a.s), dal_p(b.s), 6 * sizeof(double));
    end(&a), end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_newtons_to_a_few_units_and_newton_is_not_asked),
        cmocka_unit_test(few_sweeps_suffice),
        cmocka_unit_test(newton_takes_over_where_corrections_do_not_shrink),
        cmocka_unit_test(one_step_at_a_time_has_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
