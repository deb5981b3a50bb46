/* test_api_reliable.c - momentum along directions without inertia, where there can be none, ends a
 * run. Schemes that would leave it are refused; what is left are directions that change their kind
 * on the way, as where a resistor is switched on. */
#include "api_run.h"

#include <string.h>

/* A node that a capacitor holds, and that a resistor holds, too, as soon as a body has passed it at
 * x = t - t^2/20 = 1. */
#define NODE(resistance)                                                                           \
    "system S {\n coordinate x, q\n lagrangian x'^2/2 - q^2/2 - 0.1*x\n"                           \
    " force q: -(" resistance ")*q' + 0.3*sin(t)\n start x' = 1\n}\n"

static run ended(const char *text, const char *scheme, const char *step, const char *backend)
{
    const setting set[] = {
        {"scheme", scheme}, {"step", step}, {"until", "5"}, {"backend", backend}, {0}};
    run r = begin_text(text, set);
    r.status = dal_run(r.s, NULL);
    return r;
}

/* R max(0, x - 1) q' + r q' = 0.3 sin t - q, q(0) = 0, by small backward steps. */
static double node_at(double until, double R, double r)
{
    enum { STEPS = 400000 };
    const double h = until / STEPS;
    double       q = 0;
    for (int k = 1; k <= STEPS; k++) {
        const double t = k * h, all = r + R * fmax(0, t - t * t / 20 - 1);
        q = (all * q + h * 0.3 * sin(t)) / (all + h);
    }
    return q;
}

static const char *const schemes[] = {"midpoint", "gauss(2)", "gauss(3)"};
static const char *const steps[] = {"0.1", "0.02"};

/* The run ends after the resistor has come on, and before anything is far off. */
static void resistance_that_comes_on_ends_the_run(void **state)
{
    static const char *const model[] = {NODE("max(0, x - 1)"), NODE("0.03*max(0, x - 1)")};
    const double             begins = 10 - sqrt(80);
    (void)state;
    for (size_t k = 0; k < 2 * 3 * 2 * 2; k++) {
        run r = ended(model[k / 12], schemes[k / 4 % 3], steps[k / 2 % 2], k % 2 ? "native" : "vm");
        assert_int_equal(r.status, DAL_DIVERGED);
        const char *why = dal_summarise(r.s)->error;
        assert_non_null(strstr(why, "without inertia, which can have no momentum"));
        assert_non_null(strstr(why, "where resistance along them is 0 at the start"));
        const double t = dal_time(r.s), exact = node_at(t, k < 12 ? 1 : 0.03, 0);
        assert_true(t >= begins);
        check_close(dal_q(r.s)[0], t - t * t / 20, 1e-12);
        if (!(fabs(dal_q(r.s)[1] - exact) < 0.01))
            fail_msg("%zu: at t = %g q is %g instead of %g", k, t, dal_q(r.s)[1], exact);
        end(&r);
    }
}

/* What the message advises. */
static void resistance_that_is_there_from_the_start_is_sound(void **state)
{
    const double exact = node_at(5, 1, 1e-3);
    (void)state;
    for (size_t k = 0; k < 3 * 2 * 2; k++) {
        run r = ended(NODE("1e-3 + max(0, x - 1)"), schemes[k / 4], steps[k / 2 % 2],
                      k % 2 ? "native" : "vm");
        assert_int_equal(r.status, DAL_OK);
        check_below(dal_summarise(r.s)->momentum_defect, 1e-14);
        check_close(dal_q(r.s)[1], exact, 1e-4);
        end(&r);
    }
}

/* Resistance that never comes on does no harm: q = 0.3 sin t. */
static void resistance_that_never_comes_on_is_sound(void **state)
{
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        run r = ended(NODE("max(0, x - 6)"), schemes[k], "0.1", "auto");
        assert_int_equal(r.status, DAL_OK);
        check_below(dal_summarise(r.s)->momentum_defect, 1e-14);
        check_close(dal_q(r.s)[1], 0.3 * sin(5), 1e-12);
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resistance_that_comes_on_ends_the_run),
        cmocka_unit_test(resistance_that_is_there_from_the_start_is_sound),
        cmocka_unit_test(resistance_that_never_comes_on_is_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
