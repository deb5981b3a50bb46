/* What a caller changes between steps: the state, inputs, parameters. */
#include "api_run.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

static void begin(run *r, const char *text)
{
    *r = begin_text(text, NULL);
}

static bool says(const run *r, const char *words)
{
    size_t n = dal_message_count(r->cx);
    return n && strstr(dal_message_at(r->cx, n - 1).text, words);
}

static const char *const rod = "system Rod {\n"
                               "  parameter g = 9.81\n"
                               "  coordinate x, y\n"
                               "  lagrangian (x'^2 + y'^2)/2 - g*y\n"
                               "  holonomic rod: x^2 + y^2 = 1\n"
                               "  start x = 1\n"
                               "}\n"
                               "simulate {\n"
                               "  scheme = gauss(2)\n"
                               "  step = 0.01\n"
                               "  until = 1\n"
                               "}\n";

static void advancing_is_stepping(void **state)
{
    (void)state;
    run a, b;
    begin(&a, rod), begin(&b, rod);
    for (int i = 0; i < 37; i++) assert_int_equal(dal_step(a.s), DAL_OK);
    assert_int_equal(dal_advance(b.s, 30), DAL_OK);
    assert_int_equal(dal_advance(b.s, 0), DAL_OK);
    assert_int_equal(dal_advance(b.s, 7), DAL_OK);
    assert_int_equal(dal_steps(b.s), 37);
    assert_memory_equal(dal_q(a.s), dal_q(b.s), 2 * sizeof(double));
    assert_memory_equal(dal_p(a.s), dal_p(b.s), 2 * sizeof(double));
    check_close(dal_time(b.s), dal_time(a.s), 0);
    assert_int_equal(dal_advance(b.s, -1), DAL_INVALID);
    assert_int_equal(dal_advance(b.s, LONG_MAX), DAL_INVALID);
    assert_int_equal(dal_steps(b.s), 37);
    end(&a), end(&b);
}

static void a_state_that_is_put_back_goes_on_as_before(void **state)
{
    (void)state;
    run a, b;
    begin(&a, rod), begin(&b, rod);
    for (int i = 0; i < 37; i++) assert_int_equal(dal_step(a.s), DAL_OK);
    assert_int_equal(dal_set_state(b.s, dal_time(a.s), dal_q(a.s), NULL, dal_p(a.s)), DAL_OK);
    check_close(dal_time(b.s), 0.37, 1e-15);
    assert_int_equal(dal_steps(b.s), 0);
    assert_int_equal(dal_steps_planned(b.s), 63); /* until stays where it is */
    double energy;
    assert_int_equal(dal_measure(a.s, "energy", &energy), DAL_OK);
    check_close(dal_summarise(b.s)->energy.first, energy, 1e-14);
    assert_int_equal(dal_run(a.s, NULL), DAL_OK);
    assert_int_equal(dal_run(b.s, NULL), DAL_OK);
    for (int k = 0; k < 2; k++) {
        check_close(dal_q(a.s)[k], dal_q(b.s)[k], 1e-13);
        check_close(dal_p(a.s)[k], dal_p(b.s)[k], 1e-12);
    }
    check_close(dal_time(a.s), dal_time(b.s), 1e-14);
    end(&a), end(&b);
}

static void a_state_must_keep_the_relations(void **state)
{
    (void)state;
    run          r;
    const double q[] = {0.6, -0.8}, v[] = {0.8, 0.6}, off[] = {0.7, -0.8}, wrong[] = {1, 1};
    begin(&r, rod);
    assert_int_equal(dal_set_state(r.s, 0, q, v, NULL), DAL_OK);
    check_close(dal_v(r.s)[0], 0.8, 1e-15);
    assert_int_equal(dal_set_state(r.s, 0, off, v, NULL), DAL_INVALID);
    assert_true(says(&r, "violates rod"));
    assert_int_equal(dal_set_state(r.s, 0, q, wrong, NULL), DAL_INVALID);
    check_close(dal_q(r.s)[0], 0.6, 1e-15); /* and nothing has changed */
    check_close(dal_v(r.s)[0], 0.8, 1e-15);
    assert_int_equal(dal_set_state(r.s, 0, q, NULL, NULL), DAL_INVALID);
    assert_int_equal(dal_set_state(r.s, 0, q, v, v), DAL_INVALID);
    assert_true(says(&r, "one of the two"));
    assert_int_equal(dal_set_state(r.s, (double)NAN, q, v, NULL), DAL_INVALID);
    end(&r);
}

/* No energy sees the length of a quaternion: its momenta give velocities with the relation only. */
static const char *const top =
    "system Top {\n"
    "  coordinate a, b, c, d, s\n"
    "  let w1 = 2*(a*b' - b*a' - c*d' + d*c')\n"
    "  let w2 = 2*(a*c' - c*a' - d*b' + b*d')\n"
    "  let w3 = 2*(a*d' - d*a' - b*c' + c*b')\n"
    "  lagrangian (w1^2 + 2*w2^2 + 3*w3^2)/2 + s'^2/2 + s'*w1/4 - 2*(a^2 - b^2 - c^2 + d^2)\n"
    "  holonomic unit: a^2 + b^2 + c^2 + d^2 = 1 + sin(s)/10\n"
    "  start a = 0.8, b = 0.6, c' = 1, d' = -0.5\n"
    "}\n"
    "simulate {\n"
    "  scheme = gauss(2)\n"
    "  step = 0.01\n"
    "  until = 1\n"
    "}\n";

static void momenta_and_relations_together_are_a_state(void **state)
{
    (void)state;
    run    r;
    double q[5], v[5], p[5];
    begin(&r, top);
    assert_int_equal(dal_advance(r.s, 40), DAL_OK);
    memcpy(q, dal_q(r.s), sizeof q), memcpy(v, dal_v(r.s), sizeof v);
    memcpy(p, dal_p(r.s), sizeof p);
    assert_int_equal(dal_set_state(r.s, 0.4, q, NULL, p), DAL_OK);
    for (int k = 0; k < 5; k++) check_close(dal_v(r.s)[k], v[k], 1e-13);

    for (int k = 0; k < 4; k++) p[k] += 0.1 * q[k]; /* what no motion has */
    assert_int_equal(dal_set_state(r.s, 0.4, q, NULL, p), DAL_INVALID);
    assert_true(says(&r, "no motion that obeys the relations has these momenta"));
    check_close(dal_v(r.s)[0], v[0], 1e-13);
    end(&r);
}

static void momenta_that_leave_a_velocity_open_name_it(void **state)
{
    (void)state;
    run          r;
    const double q[] = {0, 0, 0}, p[] = {1, 1, 0.5};
    begin(&r, "system Sum {\n"
              "  coordinate z, x, y\n"
              "  lagrangian z'^2/2 + (x' + 0.5*y')^2/2 - z^2 - x^2 - y^2\n"
              "}\n"
              "simulate {\n"
              "  step = 0.01\n"
              "  until = 1\n"
              "}\n");
    assert_int_equal(dal_set_state(r.s, 0, q, NULL, p), DAL_INVALID);
    assert_true(says(&r, "the momentum given for y does not determine its velocity"));
    end(&r);
}

/* Two wheels in gear: the ratio is a parameter, and the tie is taken out before anything is solved.
 */
static const char *const gear = "system Gear {\n"
                                "  parameter ratio = 2, J = 1, twice = 2*J\n"
                                "  input torque = 1\n"
                                "  coordinate a, b\n"
                                "  lagrangian J*a'^2/2 + J*b'^2/2\n"
                                "  force a: torque\n"
                                "  connect b = ratio*a\n"
                                "}\n"
                                "simulate {\n"
                                "  step = 0.125\n"
                                "}\n";

static void parameters_change_between_steps(void **state)
{
    (void)state;
    run    r;
    double value;
    begin(&r, gear);
    assert_int_equal(dal_step(r.s), DAL_OK);
    check_close(dal_q(r.s)[0], 0.125 * 0.125 / 10, 1e-16); /* inertia 1 + 2^2 */
    check_close(dal_q(r.s)[1], 2 * dal_q(r.s)[0], 1e-16);
    assert_int_equal(dal_set_parameter(r.s, "J", 3), DAL_OK);
    assert_int_equal(dal_parameter(r.s, "J", &value), DAL_OK);
    check_close(value, 3, 0);
    assert_int_equal(dal_parameter(r.s, "twice", &value), DAL_OK);
    check_close(value, 2, 0); /* computed from J when the text was read, and no more */
    check_close(dal_q(r.s)[0], 0.125 * 0.125 / 10, 1e-16); /* the state stays */
    double before = dal_q(r.s)[0], p = dal_p(r.s)[0] + 2 * dal_p(r.s)[1];
    assert_int_equal(dal_step(r.s), DAL_OK);
    check_close(dal_q(r.s)[0] - before, 0.125 * (p + 0.125 / 2) / 15, 1e-16);
    assert_int_equal(dal_set_parameter(r.s, "K", 3), DAL_INVALID);
    assert_true(says(&r, "no parameter 'K'"));
    assert_int_equal(dal_set_parameter(r.s, "J", (double)INFINITY), DAL_INVALID);
    end(&r);
}

static void a_parameter_must_go_with_the_present_state(void **state)
{
    (void)state;
    run    r;
    double value;
    begin(&r, "system Rod {\n"
              "  parameter l = 1, g = 9.81\n"
              "  coordinate x, y\n"
              "  lagrangian (x'^2 + y'^2)/2 - g*y\n"
              "  holonomic rod: x^2 + y^2 = l^2\n"
              "  start x = 1\n"
              "}\n"
              "simulate {\n"
              "  step = 0.01\n"
              "}\n");
    assert_int_equal(dal_step(r.s), DAL_OK);
    assert_int_equal(dal_set_parameter(r.s, "l", 2), DAL_INVALID);
    assert_true(says(&r, "violates rod"));
    assert_int_equal(dal_parameter(r.s, "l", &value), DAL_OK);
    check_close(value, 1, 0);
    assert_int_equal(dal_set_parameter(r.s, "g", 2), DAL_OK);
    assert_int_equal(dal_step(r.s), DAL_OK);
    check_close(hypot(dal_q(r.s)[0], dal_q(r.s)[1]), 1, 1e-15);
    end(&r);
}

static void inputs_are_held_until_they_are_set_again(void **state)
{
    (void)state;
    run    r;
    size_t count;
    begin(&r, gear);
    double *input = dal_inputs(r.s, &count);
    assert_int_equal(count, 1);
    check_close(input[0], 1, 0);
    input[0] = 0;
    assert_int_equal(dal_step(r.s), DAL_OK);
    check_close(dal_q(r.s)[0], 0, 0);
    assert_int_equal(dal_set_input(r.s, "torque", -10), DAL_OK);
    check_close(input[0], -10, 0);
    assert_int_equal(dal_step(r.s), DAL_OK);
    check_close(dal_p(r.s)[0] + 2 * dal_p(r.s)[1], -1.25, 1e-15);
    double measured;
    assert_int_equal(dal_measure(r.s, "torque", &measured), DAL_OK); /* as any column */
    check_close(measured, -10, 0);
    assert_int_equal(dal_set_input(r.s, "push", 1), DAL_INVALID);
    assert_int_equal(dal_set_input(r.s, "torque", (double)NAN), DAL_INVALID);
    assert_int_equal(dal_model_find(r.m, DAL_INPUTS, "torque"), 0);
    assert_int_equal(dal_model_find(r.m, DAL_COORDINATES, "b"), 1);
    assert_int_equal(dal_model_find(r.m, DAL_COORDINATES, "c"), -1);
    assert_string_equal(dal_model_unit(r.m, DAL_COORDINATES, 1), "");
    assert_string_equal(dal_model_unit(r.m, DAL_COORDINATES, 99), "");
    end(&r);
}

static dal_status count_steps(void *self, dal_sim *s)
{
    long  *calls = self;
    size_t inputs;
    dal_inputs(s, &inputs)[0] = ++*calls % 2 ? 1 : -1;
    return DAL_OK;
}

/* Compiled steps are made many in one go, unless somebody wants to see each. */
static void an_observer_of_steps_sees_every_one(void **state)
{
    (void)state;
    static const char *const backends[] = {"vm", "native"};
    double                   end_q[2];
    for (int k = 0; k < 2; k++) {
        run  r;
        long calls = 0;
        begin(&r, gear);
        dal_sim_free(r.s), r.s = NULL;
        dal_options_set(r.o, "backend", backends[k]), dal_options_set(r.o, "steps", "1000");
        dal_options_set(r.o, "record", "0"), dal_options_set(r.o, "monitor", "500");
        assert_int_equal(dal_sim_new(r.m, r.o, &r.s), DAL_OK);
        dal_observer watch = {.step = count_steps, .self = &calls};
        assert_int_equal(dal_run(r.s, &watch), DAL_OK);
        assert_int_equal(calls, 1000);
        end_q[k] = dal_q(r.s)[0];
        end(&r);
    }
    check_close(end_q[0], end_q[1], 1e-13);
}

/* The motion of a kept Jacobian is that of a new one in every iteration. */
static void broyden_ends_where_newton_does(void **state)
{
    (void)state;
    static const char *const text =
        "system Top {\n"
        "  coordinate a, b\n"
        "  lagrangian a'^2 + b'^2/2 + cos(a - b)*a'*b' + 2*cos(a) + cos(b)\n"
        "  force a: -0.1*a'*b^2\n"
        "  start a = 1, b = 1.4\n"
        "}\n";
    static const char *const schemes[] = {"midpoint", "gauss(3)", "lobatto(4)",
                                          "compose(midpoint, yoshida(4))"};
    for (int i = 0; i < 4; i++) {
        dal_context *cx = dal_context_new(NULL);
        dal_model   *m = NULL;
        dal_sim     *s[2] = {NULL, NULL};
        assert_int_equal(dal_model_parse(cx, "top.dal", text, NULL, &m), DAL_OK);
        for (int k = 0; k < 2; k++) {
            dal_options *o = dal_options_new(cx);
            dal_options_set(o, "scheme", schemes[i]), dal_options_set(o, "step", "0.05");
            dal_options_set(o, "steps", "200");
            dal_options_set(o, "jacobian", k ? "broyden" : "newton");
            assert_int_equal(dal_sim_new(m, o, &s[k]), DAL_OK);
            assert_int_equal(dal_run(s[k], NULL), DAL_OK);
            dal_options_free(o);
        }
        for (int k = 0; k < 2; k++) check_close(dal_q(s[0])[k], dal_q(s[1])[k], 3e-13);
        assert_int_equal(dal_summarise(s[1])->newton_failures, 0);
        for (int k = 0; k < 2; k++) dal_sim_free(s[k]);
        dal_model_free(m), dal_context_free(cx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(advancing_is_stepping),
        cmocka_unit_test(a_state_that_is_put_back_goes_on_as_before),
        cmocka_unit_test(a_state_must_keep_the_relations),
        cmocka_unit_test(momenta_and_relations_together_are_a_state),
        cmocka_unit_test(momenta_that_leave_a_velocity_open_name_it),
        cmocka_unit_test(parameters_change_between_steps),
        cmocka_unit_test(a_parameter_must_go_with_the_present_state),
        cmocka_unit_test(inputs_are_held_until_they_are_set_again),
        cmocka_unit_test(an_observer_of_steps_sees_every_one),
        cmocka_unit_test(broyden_ends_where_newton_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
