/* test_api_compiled_simplified_runs.c - whole runs of such steps: their order, their
 * energy after many, and sines of any angle. */
#include "simplified.h"

/* Three steps, each half of the one before: by how much the last two are closer than the first two.
 */
static double gained(const char *model, const char *scheme)
{
    static const char *const step[] = {"0.1", "0.05", "0.025"}, *const steps[] = {"20", "40", "80"};
    run r[3];
    for (int k = 0; k < 3; k++) {
        const problem p = {model, scheme, step[k]};
        r[k] = open_problem(&p, "native", steps[k]);
        run_to_end(&r[k]);
    }
    double order = log2(states_apart(&r[0], &r[1]) / states_apart(&r[1], &r[2]));
    for (int k = 0; k < 3; k++) end(&r[k]);
    return order;
}

static void the_order_is_kept(void **state)
{
    (void)state;
    check_close(gained(DISK, "gauss(2)"), 4, 0.08);
    check_close(gained(SLEIGH, "gauss(3)"), 6, 0.08);
    check_close(gained(RODS, "gauss(2)"), 4, 0.08);
}

/* A disk that rolls through its potential for ever: energy oscillates and stays. */
static void long_runs_do_not_drift(void **state)
{
    const problem p = {DISK, "gauss(4)", "0.1"};
    run           r = open_problem(&p, "native", "100000");
    (void)state;
    run_to_end(&r);
    const dal_summary *sum = dal_summarise(r.s);
    check_below(sum->energy.max - sum->energy.min, 2e-10);
    check_below(sum->constraint_residual, 1e-14);
    check_below((double)sum->newton_iterations, 4000);
    end(&r);
}

/* Impulses of sines and cosines, small angles and large, compiled for all points at once and not.
 */
static void sines_are_right_for_every_angle(void **state)
{
    static const double speed[] = {1e-9, 0.1, 1, 17.3, 1e3, 3.14159265358979e4, 2.5e5, 1e7};
    (void)state;
    for (size_t k = 0; k < sizeof speed / sizeof *speed; k++) {
        char words[400];
        snprintf(words, sizeof words,
                 "system S {\n parameter w = %.17g\n coordinate a, b\n"
                 " lagrangian (a'^2 + b'^2)/2 - (a - b)^4\n force a: sin(w*t)\n force b: cos(w*t - "
                 "0.3)\n}\n",
                 speed[k]);
        const problem p = {words, "gauss(4)", "0.037"};
        run           x = open_problem(&p, "vm", "100"), y = open_problem(&p, "native", "100");
        for (int i = 0; i < 100; i++) {
            dal_step(x.s), dal_step(y.s);
            check_below(states_apart(&x, &y), (100 + 8 * speed[k]) * DBL_EPSILON); /* of the time */
        }
        end(&x), end(&y);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_is_kept),
        cmocka_unit_test(long_runs_do_not_drift),
        cmocka_unit_test(sines_are_right_for_every_angle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
