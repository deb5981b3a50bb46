/* What solved the steps is told as it was: nothing, linear equations, Newton's iteration, or sweeps
 * without a matrix; by the general steps and by compiled ones. */
#include "api_run.h"

#include <string.h>

static const char well[] = "system Well {\n"
                           "  coordinate x, y\n"
                           "  lagrangian (x'^2 + y'^2)/2 - (x^2 + y^2 - 1)^2/4\n"
                           "  start x = 1.1, y' = 0.2\n"
                           "}\n"
                           "simulate {\n  step = 0.05\n  steps = 400\n}\n";
static const char steep[] = "system Well {\n"
                            "  coordinate x, y\n"
                            "  lagrangian (x'^2 + y'^2)/2 - (x^2 + y^2 - 1)^2/4\n"
                            "  start x = 2.6, y' = 0.2\n"
                            "}\n"
                            "simulate {\n  step = 0.4\n  steps = 400\n}\n";
static const char spring[] = "system Spring {\n"
                             "  coordinate x\n"
                             "  lagrangian x'^2/2 - x^2/2\n"
                             "  start x = 1\n"
                             "}\n"
                             "simulate {\n  step = 0.05\n  steps = 400\n}\n";

static const struct {
    const char *model, *scheme, *backend, *solved_by, *solver;
    int         newton, sweeps; /* are there any? */
} row[] = {
    {well, "trapezoid", "vm", "explicit", "none", 0, 0},
    {well, "trapezoid", "native", "explicit", "none", 0, 0},
    {well, "midpoint", "vm", "newton", "dense", 1, 0},
    {well, "midpoint", "native", "newton", "dense", 1, 0},
    {spring, "gauss(2)", "vm", "linear", "dense", 1, 0},
    {spring, "gauss(2)", "native", "linear", "dense", 1, 0},
    {well, "gauss(4)", "vm", "fixed point", "none", 0, 1},
    {well, "gauss(4)", "native", "fixed point", "none", 0, 1},
    {steep, "gauss(4)", "vm", "fixed point and newton", "dense", 1, 1},
    {steep, "gauss(4)", "native", "fixed point and newton", "dense", 1, 1},
};

static void a_summary_says_what_solved_the_steps(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        const setting set[] = {{"scheme", row[k].scheme}, {"backend", row[k].backend}, {0}};
        run           r = begin_text(row[k].model, set);
        must(&r, dal_run(r.s, NULL));
        const dal_summary *sum = dal_summarise(r.s);
        assert_string_equal(sum->solved_by, row[k].solved_by);
        assert_string_equal(sum->solver, row[k].solver);
        assert_int_equal(sum->newton_iterations > 0, row[k].newton);
        assert_int_equal(sum->newton_max_iterations > 0, row[k].newton);
        assert_int_equal(sum->fixed_point_sweeps > sum->steps, row[k].sweeps);
        assert_int_equal(sum->fixed_point_max_sweeps > 1, row[k].sweeps);
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_summary_says_what_solved_the_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
