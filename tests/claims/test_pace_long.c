/* test_pace_long.c - a million steps of a Kepler problem, e = 0.9, whose ellipse turns and which
 * a tide disturbs, so that no integral but the energy is left: the means of its error over tenths of
 * the run are the same to 2 %, each way of pacing. The error of a revolution depends on its
 * eccentricity, which this disturbance brings round many times in a tenth. */
#include "../api_run.h"

static const char text[] = "system Disturbed {\n  parameter e = 0.9\n  coordinate x, y\n"
                           "  let r = sqrt(x^2 + y^2)\n"
                           "  lagrangian (x'^2 + y'^2)/2 + 1/r + 1e-4/r^3 + 5e-5*x^2\n"
                           "  start x = 1 - e, y' = sqrt((1 + e)/(1 - e))\n}\n";

static void no_drift(const char *pacing, double most)
{
    enum { TENTHS = 10, SAMPLES = 1104, APART = 97 };
    const setting set[] = {{"scheme", "gauss(2)"}, {"step", "0.1"},    {"steps", "1070880"},
                           {"pace", "r^1.5"},      {"pacing", pacing}, {0}};
    run           r = begin_text(text, set);
    const double  first = measure(&r, "energy");
    double        mean[TENTHS], all = 0;
    for (int k = 0; k < TENTHS; k++) {
        mean[k] = 0;
        for (int i = 0; i < SAMPLES; i++) {
            must(&r, dal_advance(r.s, APART));
            mean[k] += (measure(&r, "energy") - first) / first / SAMPLES;
        }
        all += mean[k] / TENTHS;
    }
    for (int k = 0; k < TENTHS; k++)
        if (!(fabs(mean[k] - all) < 0.02 * fabs(all)))
            fail_msg("%s: %.3e, %.3e", pacing, mean[k], all);
    assert_true(fabs(all) < most);
    assert_int_equal(dal_steps(r.s), 1070880);
    end(&r);
}

/* Kepler's motion itself has -1.03e-6, 9.1e-6 and -2.71e-5. */
static void a_million_steps_without_drift(void **state)
{
    (void)state;
    no_drift("canonical", 1.04e-6);
    no_drift("plain", 9.1e-6);
    no_drift("density", 2.71e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_million_steps_without_drift)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
