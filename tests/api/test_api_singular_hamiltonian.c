/* test_api_singular_hamiltonian.c - Hamiltonians with singular H_pp, and Lagrangians of first
 * order: schemes that would lose their order are refused, the others have the order they claim. */
#include "api_run.h"

#include <string.h>

/* Light in a layer: H is of the first degree in all momenta. */
static const char RAYS[] = "system Rays {\n"
                           "  coordinate x, y\n"
                           "  hamiltonian sqrt(p(x)^2 + p(y)^2)/(1 + 0.3*exp(-y^2))\n"
                           "  start y = 0.3, p(x) = 1, p(y) = 0.4\n"
                           "}\n";

/* H is linear in one of them. */
static const char CARRIED[] = "system Carried {\n"
                              "  coordinate x, y\n"
                              "  hamiltonian p(x)*sin(y) + p(y)^2/2 + x^2/2\n"
                              "  start x = 0.3, p(x) = 0.5, y = 0.2, p(y) = 0.1\n"
                              "}\n";

static const char VORTICES[] =
    "system Vortices {\n"
    "  coordinate x, y, u, v\n"
    "  lagrangian (x*y' - y*x')/2 + u*v' - v*u' + log((x - u)^2 + (y - v)^2)\n"
    "  start x = 1, u = -0.5, v = 0.8\n"
    "}\n";

/* The one-form is not linear in the positions, and has both components. */
static const char PREDATORS[] =
    "system Predators {\n"
    "  coordinate x, y\n"
    "  lagrangian (log(y)/x*x' - log(x)/y*y')/2 - (x - log(x) + 2*y - 3*log(y))\n"
    "  start x = 1.5, y = 2.5\n"
    "}\n";

/* Fermat's principle: the path of light, at no speed. */
static const char FERMAT[] = "system Fermat {\n"
                             "  coordinate x, y, z\n"
                             "  lagrangian (1 + 0.3*y)*sqrt(x'^2 + y'^2) + z'^2/2 - z^2/2\n"
                             "  start y = 0.2, x' = 1, y' = 0.3\n"
                             "}\n";

/* No inertia along a - b at any velocity, though inertia varies with it; nor along c at rest. */
static const char VARYING[] = "system Varying {\n"
                              "  coordinate a, b, c\n"
                              "  lagrangian (a' + b')^2/2 + (a' + b')^4/4 + c'^4/4 + c'^2/2\n"
                              "    - (a^2 + 2*b^2 + c^2)/2\n"
                              "  start a = 0.2, b = 0.1, a' = 0.5\n"
                              "}\n";

static run attempt(const char *text, const char *scheme, const char *insist)
{
    const setting set[] = {
        {"scheme", scheme}, {"insist", insist}, {"step", "0.05"}, {"steps", "5"}, {0}};
    run r = with_settings(set);
    r.status = try_text(&r, text);
    return r;
}

static void check_refused(const char *text, const char *scheme, const char *words)
{
    run r = attempt(text, scheme, NULL);
    assert_int_equal(r.status, DAL_INVALID);
    const dal_message said = dal_message_at(r.cx, 0);
    if (!strstr(said.text, words)) fail_msg("'%s' does not speak of '%s'", said.text, words);
    assert_non_null(strstr(said.text, "gauss(s)"));
    end(&r);
    r = attempt(text, scheme, "yes");
    assert_int_equal(r.status, DAL_OK);
    end(&r);
}

static void check_taken(const char *text, const char *scheme)
{
    run r = attempt(text, scheme, NULL);
    must(&r, r.status);
    run_to_end(&r);
    end(&r);
}

static void momenta_without_velocity_need_as_many_degrees_as_points(void **state)
{
    (void)state;
    static const char *const bad[] = {"trapezoid", "lobatto(3)", "lobatto(4)",
                                      "polynomial(2) with gauss(3)"};
    static const char *const good[] = {"midpoint", "gauss(2)", "radau(2)", "rectangle(0)",
                                       "compose(midpoint, suzuki(4))"};
    for (int k = 0; k < 4; k++) {
        check_refused(RAYS, bad[k], "p(x) + 0.4*p(y) does not determine a velocity");
        check_refused(CARRIED, bad[k], "p(x) does not determine a velocity");
    }
    for (int k = 0; k < 5; k++) check_taken(RAYS, good[k]), check_taken(CARRIED, good[k]);
}

/* p^4 has no second derivative at its start, and has one nearby. */
static void a_momentum_that_starts_at_rest_is_not_idle(void **state)
{
    (void)state;
    static const char text[] = "system Quartic {\n"
                               "  coordinate x, y\n"
                               "  hamiltonian p(x)^4/4 + p(y)^2/2 + x^2/2 + x*y + y^2\n"
                               "  start x = 1\n"
                               "}\n";
    run               r = attempt(text, "lobatto(3)", NULL);
    must(&r, r.status);
    end(&r);
}

static void only_gauss_points_take_lagrangians_of_first_order(void **state)
{
    (void)state;
    static const char *const bad[] = {"radau(2)",  "radau_left(2)", "rectangle(0)",
                                      "trapezoid", "lobatto(3)",    "polynomial(2) with gauss(3)"};
    for (int k = 0; k < 6; k++) check_refused(VORTICES, bad[k], "L is linear in its velocity");
    check_taken(VORTICES, "midpoint");
    check_taken(VORTICES, "gauss(3)");
    check_taken(VORTICES, "compose(midpoint, yoshida(4))");
}

/* How far predators and prey are from where they should be at t = 3, in N steps; the claimed
 * order. */
static double error_in(int N, const char *scheme, int *claimed)
{
    static const double there[] = {0.32294052047376054, 1.9410989527106646}; /* extrapolation */
    char                step[32], steps[16];
    snprintf(step, sizeof step, "3/%d", N), snprintf(steps, sizeof steps, "%d", N);
    const setting set[] = {{"scheme", scheme}, {"step", step}, {"steps", steps}, {0}};
    run           r = begin_text(PREDATORS, set);
    run_to_end(&r);
    const double off = apart(dal_q(r.s), there, 2);
    *claimed = dal_summarise(r.s)->order;
    end(&r);
    return off;
}

static void settled_steps_have_the_order_they_claim(void **state)
{
    (void)state;
    static const struct {
        const char *scheme;
        int         order;
    } of[] = {{"midpoint", 2},
              {"gauss(2)", 4},
              {"gauss(3)", 6},
              {"compose(midpoint, yoshida(4))", 4},
              {"compose(midpoint, kahan_li(6))", 6},
              {"compose(gauss(2), triple(6))", 6}};
    for (int k = 0; k < 6; k++) {
        int          claimed;
        const double coarse = error_in(80, of[k].scheme, &claimed),
                     fine = error_in(160, of[k].scheme, &claimed);
        assert_int_equal(claimed, of[k].order);
        if (!(fine < 1e-11) && !(log2(coarse / fine) > claimed - 0.2))
            fail_msg("%s: %g, %g", of[k].scheme, coarse, fine);
    }
}

/* What is settled after a step is no defect of it. */
static void settled_steps_are_in_the_discrete_dirac_structure(void **state)
{
    (void)state;
    static const char *const scheme[] = {"midpoint", "gauss(2)", "gauss(3)"};
    for (int k = 0; k < 3; k++) {
        const setting set[] = {{"scheme", scheme[k]}, {"step", "0.05"}, {"steps", "60"}, {0}};
        run           r = begin_text(PREDATORS, set);
        run_to_end(&r);
        assert_true(dal_summarise(r.s)->dirac_residual < 1e-14);
        assert_true(dal_summarise(r.s)->power_error < 1e-13);
        end(&r);
    }
}

static void paths_without_a_speed_are_told_so(void **state)
{
    (void)state;
    static const char *const schemes[] = {"midpoint", "gauss(2)", "trapezoid"};
    for (int k = 0; k < 3; k++) {
        run r = attempt(FERMAT, schemes[k], NULL);
        assert_int_equal(r.status, DAL_INVALID);
        const dal_message said = dal_message_at(r.cx, 0);
        assert_non_null(strstr(said.text, "x + 0.3*y has no inertia at the initial velocity"));
        assert_non_null(strstr(said.text, "the path of a motion but not its speed"));
        end(&r);
    }
    check_taken(VARYING, "midpoint");
    check_taken(VARYING, "gauss(2)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momenta_without_velocity_need_as_many_degrees_as_points),
        cmocka_unit_test(a_momentum_that_starts_at_rest_is_not_idle),
        cmocka_unit_test(only_gauss_points_take_lagrangians_of_first_order),
        cmocka_unit_test(settled_steps_have_the_order_they_claim),
        cmocka_unit_test(settled_steps_are_in_the_discrete_dirac_structure),
        cmocka_unit_test(paths_without_a_speed_are_told_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
