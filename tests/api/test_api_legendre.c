/* test_api_legendre.c - velocities from momenta that are not linear in them, where a correction may
 * lead to where the Lagrangian has no value, or far beyond. */
#include "api_run.h"

#include <float.h>
#include <math.h>

static const char FAST[] = "system Fast {\n"
                           "  coordinate x\n"
                           "  lagrangian -sqrt(1 - x'^2) - 50*x^2\n"
                           "  output v = x'\n"
                           "  start x = 1, p(x) = 5\n"
                           "}\n";

/*     E = sqrt(1 + p^2) + 50 x^2,   v = p/sqrt(1 + p^2) */
static void velocities_near_that_of_light_are_found(void **state)
{
    (void)state;
    static const char *const scheme[] = {"midpoint", "trapezoid", "gauss(2)", "gauss(3)"};
    for (int k = 0; k < 4; k++) {
        const setting set[] = {{"scheme", scheme[k]}, {"step", "0.05"}, {"steps", "100"}, {0}};
        run           r = begin_text(FAST, set);
        for (int i = 0; i <= 100; i++) {
            const double x = dal_q(r.s)[0], p = dal_p(r.s)[0], of_p = sqrt(1 + p * p);
            assert_true(fabs(measure(&r, "v") - p / of_p) < 1e-12);
            /* dE/dv = gamma^3 v: what an ulp of v makes of it, beside that of E itself */
            const double E = of_p + 50 * x * x, ulp = DBL_EPSILON * (of_p * of_p * of_p + E);
            assert_true(fabs(measure(&r, "energy") - E) < 8 * ulp);
            if (i < 100) must(&r, dal_step(r.s));
        }
        end(&r);
    }
}

/* p = sinh v: the first correction from v = 0 is 10^6, where sinh has no value. */
static void a_start_by_a_large_momentum_is_found(void **state)
{
    (void)state;
    static const char text[] = "system Steep {\n"
                               "  coordinate x\n"
                               "  lagrangian cosh(x')\n"
                               "  output v = x'\n"
                               "  start p(x) = 1e6\n"
                               "}\n";
    const setting     set[] = {{"step", "0.05"}, {"steps", "10"}, {0}};
    run               r = begin_text(text, set);
    for (int i = 0; i <= 10; i++) {
        assert_true(fabs(measure(&r, "v") - asinh(1e6)) < 1e-12);
        if (i < 10) must(&r, dal_step(r.s));
    }
    end(&r);
}

/* The momenta of a relation are added before the velocities are sought. */
static void constrained_velocities_near_that_of_light_are_found(void **state)
{
    (void)state;
    static const char text[] = "system Ring {\n"
                               "  coordinate x, y\n"
                               "  lagrangian -sqrt(1 - x'^2 - y'^2) - 20*y\n"
                               "  holonomic x^2 + y^2 = 1\n"
                               "  output v2 = x'^2 + y'^2\n"
                               "  start x = 1, y' = 0.2\n"
                               "}\n";
    const setting     set[] = {{"step", "0.01"}, {"steps", "200"}, {"scheme", "gauss(2)"}, {0}};
    run               r = begin_text(text, set);
    const double      first = measure(&r, "energy");
    for (int i = 0; i < 200; i++) {
        must(&r, dal_step(r.s));
        const double gamma = first - 20 * dal_q(r.s)[1];
        assert_true(fabs(measure(&r, "v2") - (1 - 1 / (gamma * gamma))) < 1e-3);
    }
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_near_that_of_light_are_found),
        cmocka_unit_test(a_start_by_a_large_momentum_is_found),
        cmocka_unit_test(constrained_velocities_near_that_of_light_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
