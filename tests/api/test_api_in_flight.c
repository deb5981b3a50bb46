/* Parameters and states that a motion cannot go on with are refused, and leave no trace in it. */
#include "api_run.h"

#include <string.h>

static const char *const well = "system Well {\n"
                                "  parameter m = 1, k = 4\n"
                                "  coordinate x\n"
                                "  lagrangian m/2*x'^2 - k/4*x^4\n"
                                "  start x = 1\n"
                                "}\n"
                                "simulate {\n"
                                "  step = 0.01\n"
                                "}\n";

static const char *const gear = "system Gear {\n"
                                "  parameter J = 1, ratio = 2\n"
                                "  coordinate a, b\n"
                                "  lagrangian J*a'^2/2 + J*b'^2/2 - a^4/4\n"
                                "  connect b = ratio*a\n"
                                "  start a = 1, b = 2\n"
                                "}\n"
                                "simulate {\n"
                                "  step = 0.01\n"
                                "}\n";

/* one of many beads has a parameter of its own */
static const char *const beads = "system Beads {\n"
                                 "  parameter N = 100, c = 1\n"
                                 "  parameter m[N] = 1\n"
                                 "  coordinate x[N]\n"
                                 "  lagrangian sum(i in 1..N: m[i]*x[i]'^2/2 - x[i]^2/2)\n"
                                 "  for i in 1..N { force x[i]: -c*x[i]' }\n"
                                 "  start x[3] = 1\n"
                                 "}\n"
                                 "simulate {\n"
                                 "  step = 0.01\n"
                                 "}\n";

static void refused(const run *r, const char *parameter, double value, const char *words)
{
    double before, after;
    dal_messages_clear(r->cx);
    must(r, dal_parameter(r->s, parameter, &before));
    assert_int_equal(dal_set_parameter(r->s, parameter, value), DAL_INVALID);
    assert_non_null(strstr(dal_message_at(r->cx, 0).text, words));
    must(r, dal_parameter(r->s, parameter, &after));
    check_close(after, before, 0);
}

/* The same steps with an attempt between them, and without. */
static void without_a_trace(const char *text, const char *parameter, const char *words)
{
    run a = begin_text(text, NULL), b = begin_text(text, NULL);
    must(&a, dal_advance(a.s, 10)), must(&b, dal_advance(b.s, 10));
    refused(&a, parameter, 0, words);
    for (int k = 0; k < 20; k++) {
        must(&a, dal_step(a.s)), must(&b, dal_step(b.s));
        assert_memory_equal(dal_q(a.s), dal_q(b.s), a.n * sizeof(double));
        assert_memory_equal(dal_p(a.s), dal_p(b.s), a.n * sizeof(double));
        assert_memory_equal(dal_v(a.s), dal_v(b.s), a.n * sizeof(double));
    }
    end(&a), end(&b);
}

static void what_moves_does_not_lose_its_inertia(void **state)
{
    (void)state;
    without_a_trace(well, "m", "no inertia is left along x");
    without_a_trace(gear, "J", "no inertia is left along a");
    without_a_trace(beads, "m[3]", "no inertia is left along x[3]");
}

/* y has no inertia, but friction */
static const char *const end_of_spring = "system End {\n"
                                         "  parameter m = 1, e = 0\n"
                                         "  coordinate x, y\n"
                                         "  lagrangian m*x'^2/2 + e*y'^2/2 - x^2/2 - (x - y)^2\n"
                                         "  force y: -y'\n"
                                         "  start x = 1\n"
                                         "}\n"
                                         "simulate {\n"
                                         "  scheme = gauss(2)\n"
                                         "  step = 0.01\n"
                                         "}\n";

static void what_has_none_does_not_gain_it(void **state)
{
    (void)state;
    run r = begin_text(end_of_spring, NULL);
    must(&r, dal_advance(r.s, 10));
    refused(&r, "e", 1, "y gets inertia");
    must(&r, dal_set_parameter(r.s, "m", 2));
    must(&r, dal_step(r.s));
    check_close(dal_v(r.s)[0], dal_p(r.s)[0] / 2, 1e-15);
    end(&r);
}

/* Of a x' + b y' there is inertia, across it only friction: where that is, a decides. */
static const char *const turned = "system Turned {\n"
                                  "  parameter a = 1, b = 1\n"
                                  "  coordinate x, y\n"
                                  "  lagrangian (a*x' + b*y')^2/2 - x^2/2 - y^2\n"
                                  "  force x: -x'\n"
                                  "  force y: -y'\n"
                                  "  start x = 1, y = 0.5\n"
                                  "}\n"
                                  "simulate {\n"
                                  "  scheme = gauss(2)\n"
                                  "  step = 0.01\n"
                                  "}\n";

static void directions_without_inertia_turn_with_a_parameter(void **state)
{
    (void)state;
    const setting already[] = {{"set", "a=3"}, {0}};
    run           r = begin_text(turned, NULL), other = begin_text(turned, already);
    must(&r, dal_set_parameter(r.s, "a", 3));
    for (int k = 0; k < 10; k++) {
        check_close(apart(dal_v(r.s), dal_v(other.s), 2), 0, 1e-14);
        must(&r, dal_step(r.s)), must(&other, dal_step(other.s));
        check_close(apart(dal_q(r.s), dal_q(other.s), 2), 0, 1e-14);
        check_close(apart(dal_p(r.s), dal_p(other.s), 2), 0, 1e-14);
    }
    end(&r), end(&other);
}

static void a_state_is_finite(void **state)
{
    (void)state;
    run          r = begin_text(well, NULL);
    const double good = 1, bad = (double)NAN, huge = (double)INFINITY;
    must(&r, dal_step(r.s));
    const double x = dal_q(r.s)[0];
    assert_int_equal(dal_set_state(r.s, 0, &bad, NULL, &good), DAL_INVALID);
    assert_int_equal(dal_set_state(r.s, 0, &good, &huge, NULL), DAL_INVALID);
    assert_int_equal(dal_set_state(r.s, 0, &good, NULL, &bad), DAL_INVALID);
    assert_string_equal(dal_message_at(r.cx, 0).text, "the state is not finite: q of x is nan");
    check_close(dal_q(r.s)[0], x, 0);
    must(&r, dal_step(r.s));
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_moves_does_not_lose_its_inertia),
        cmocka_unit_test(what_has_none_does_not_gain_it),
        cmocka_unit_test(directions_without_inertia_turn_with_a_parameter),
        cmocka_unit_test(a_state_is_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
