/* test_pace_long.c - a million canonical steps of a Kepler problem that a quadrupole and a distant
 * mass disturb, which no integral but the energy is left of: the means of its error over tenths
 * have no trend. */
#include "../api_run.h"

static const char text[] = "system Disturbed {\n  parameter e = 0.8\n  coordinate x, y\n"
                           "  let r = sqrt(x^2 + y^2)\n"
                           "  lagrangian (x'^2 + y'^2)/2 + 1/r + 0.002*(x^2 - y^2)/r^5 "
                           "+ 0.01/sqrt((x - 4)^2 + (y - 3)^2)\n"
                           "  start x = 1 - e, y' = sqrt((1 + e)/(1 - e))\n}\n";

static void a_million_steps_without_drift(void **state)
{
    (void)state;
    enum { TENTHS = 10, SAMPLES = 1031, APART = 97 };
    const setting set[] = {
        {"scheme", "gauss(2)"}, {"step", "0.1"}, {"steps", "1000070"}, {"pace", "r^1.5"}, {0}};
    run          r = begin_text(text, set);
    const double first = measure(&r, "energy");
    double       mean[TENTHS], slope = 0, least = HUGE_VAL, most = -HUGE_VAL;
    for (int k = 0; k < TENTHS; k++) {
        mean[k] = 0;
        for (int i = 0; i < SAMPLES; i++) {
            must(&r, dal_advance(r.s, APART));
            mean[k] += (measure(&r, "energy") - first) / first / SAMPLES;
        }
        least = fmin(least, mean[k]), most = fmax(most, mean[k]);
        slope += (k - (TENTHS - 1) / 2.0) * mean[k] / 82.5; /* least squares */
    }
    /* the orbit turns slowly, and the mean with it, to and fro */
    if (fabs(slope) * (TENTHS - 1) > (most - least) / 2 || most > 3e-7 || least < 0)
        fail_msg("slope %.1e, %.2e .. %.2e", slope, least, most);
    assert_true(dal_steps(r.s) > 1000000);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_million_steps_without_drift)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
