/* The energy principle through the public header: what it keeps, where it breaks down, what it
 * cannot take, and what `check` foretells of it. */
#include "energy_run.h"

#include <stdlib.h>

static void the_energy_of_chords_is_kept(void **state)
{
    (void)state;
    static const double starts[] = {0.74, 0.995}, steps[] = {0.1, 0.01};
    for (int i = 0; i < 4; i++) {
        run b = open_model(well, "midpoint", steps[i % 2]);
        set(&b, "start", "q=%.17g", starts[i / 2]), set(&b, "until", "%.17g", 50);
        start(&b);
        assert_int_equal(dal_run(b.s, NULL), DAL_OK);
        const dal_summary *sum = dal_summarise(b.s);
        check_below(sum->balance_error, 1e-13 * fabs(sum->discrete_energy));
        end(&b);
    }
}

/* Two equal pendulums on a spring; an oscillator with two frequencies and coupled inertia. */
static const char *const pendulums =
    "system Pair {\n"
    "  coordinate a, b\n"
    "  lagrangian a'^2/2 + b'^2/2 + cos(a) + cos(b) - 0.2*(a - b)^2\n"
    "  start a = 1, b = -0.4, b' = 0.3\n"
    "}\n";
static const char *const anisotropic = "system Plane {\n"
                                       "  coordinate x, y\n"
                                       "  lagrangian x'^2 + x'*y'/2 + y'^2 - x^2/2 - 3*y^2/2\n"
                                       "  start x = 1, y' = 0.7\n"
                                       "}\n";
static const char *const bent = "system Bent {\n"
                                "  coordinate x, y\n"
                                "  lagrangian (1 + y^2)*x'^2/2 + y'^2/2 - x^4/4 - y^2\n"
                                "  force x: -0.02*x' + 0.1*cos(t)\n"
                                "  start x = 1, y = 0.4, y' = 0.3\n"
                                "}\n";

static void many_degrees_of_freedom_keep_it_too(void **state)
{
    (void)state;
    static const char *const models[] = {pendulums, pendulums, anisotropic, anisotropic, bent};
    static const char *const schemes[] = {"midpoint", "gauss(2)"};
    for (int i = 0; i < 5; i++) {
        run b = open_model(models[i], schemes[i % 2], 0.1);
        set(&b, "until", "%.17g", 30);
        start(&b);
        dal_status bad = dal_run(b.s, NULL);
        if (bad) dal_report(b.cx, stderr, 0);
        assert_int_equal(bad, DAL_OK);
        const dal_summary *sum = dal_summarise(b.s);
        check_below(sum->balance_error, 1e-14);
        if (models[i] != anisotropic) /* e is constant where everything is linear */
            assert_true(sum->length.max > 1.0001 * sum->length.min);
        assert_true(dal_time(b.s) > 30 - 1e-9 && dal_time(b.s) < 30 + sum->length.max);
        end(&b);
    }
}

static void a_breakdown_goes_on_with_a_fixed_step_if_asked(void **state)
{
    (void)state;
    run b = open_model(well, "midpoint", 0.01);
    set(&b, "start", "q=%.17g", 1.05), set(&b, "until", "%.17g", 3);
    dal_options_set(b.o, "on-breakdown", "fixed");
    start(&b);
    assert_int_equal(dal_run(b.s, NULL), DAL_OK);
    const dal_summary *sum = dal_summarise(b.s);
    assert_true(sum->is_held);
    check_close(sum->held_from, 1.506, 1e-3);
    check_close(measured(b.s, "h"), 0.01, 1e-15);
    check_close(dal_time(b.s), 3, 0.01);
    assert_true(dal_message_count(b.cx) == 1 && dal_message_at(b.cx, 0).severity == DAL_WARNING);
    end(&b);
}

static void a_breakdown_begins_anew_if_asked(void **state)
{
    (void)state;
    run b = open_model(well, "midpoint", 0.01);
    set(&b, "start", "q=%.17g", 1.05), set(&b, "until", "%.17g", 4);
    dal_options_set(b.o, "on-breakdown", "reset");
    start(&b);
    assert_int_equal(dal_run(b.s, NULL), DAL_OK);
    const dal_summary *sum = dal_summarise(b.s);
    assert_true(!sum->is_held && sum->resets >= 2 && sum->resets <= 4); /* the hump has two sides */
    check_close(sum->reset_first, 1.506, 1e-3);
    check_close(sum->balance_error, 2.926e-6, 1e-8);
    assert_true(sum->length.min < 0.01 && sum->length.max > 0.04);
    assert_true(dal_message_count(b.cx) == 1 && dal_message_at(b.cx, 0).severity == DAL_WARNING);
    end(&b);
}

/* An energy that changes at once, which no length of step makes good. */
static void a_jump_leaves_no_step_nearby(void **state)
{
    (void)state;
    static const char *const jump = "system Jump {\n  coordinate q\n"
                                    "  lagrangian q'^2/2 - q^2/2 - if(t < 1, 0, 10)\n"
                                    "  start q = 1\n}\n";
    run                      b = open_model(jump, "midpoint", 0.1);
    set(&b, "until", "%g", 5);
    start(&b);
    assert_int_equal(dal_run(b.s, NULL), DAL_BREAKDOWN);
    assert_non_null(strstr(dal_summarise(b.s)->error, "no step between 0.0125 and 0.8"));
    check_close(dal_time(b.s), 1, 1e-12);
    dal_sim_free(b.s);
    dal_options_set(b.o, "on-breakdown", "reset");
    start(&b);
    assert_int_equal(dal_run(b.s, NULL), DAL_OK);
    assert_int_equal(dal_summarise(b.s)->resets, 1);
    assert_int_equal(dal_steps(b.s), 50); /* the end is met but for roundoff */
    check_close(dal_summarise(b.s)->balance_error, 10, 1e-12);
    end(&b);
}

static void steps_beyond_their_bounds_end_the_run(void **state)
{
    (void)state;
    static const struct {
        const char *key, *bound, *zeta, *words;
    } rows[] = {{"h_max", "0.15", "zeta=0.01", "longer than h_max = 0.15; damping makes"},
                {"h_min", "0.05", "zeta=-0.01", "shorter than h_min"}};
    for (size_t i = 0; i < 2; i++) {
        run b = open_model(damped, "midpoint", 0.1);
        dal_options_set(b.o, rows[i].key, rows[i].bound), dal_options_set(b.o, "set", rows[i].zeta);
        dal_options_set(b.o, "start", "q=1"), dal_options_set(b.o, "until", "100");
        start(&b);
        assert_int_equal(dal_run(b.s, NULL), DAL_BREAKDOWN);
        assert_non_null(strstr(dal_summarise(b.s)->error, rows[i].words));
        check_close(measured(b.s, "h") / atof(rows[i].bound), 1, 0.01);
        end(&b);
    }
}

static void what_the_principle_cannot_take_is_refused_with_the_reason(void **state)
{
    (void)state;
    static const struct {
        const char *model, *scheme, *reason;
    } rows[] = {{"system A {\n  coordinate x\n  lagrangian x'^2\n  damping x: -x'\n}\n",
                 "damped(3)", "write force instead of damping"},
                {"system A {\n  coordinate x\n  lagrangian x'^2 - x^2\n}\n",
                 "compose(midpoint, yoshida(4))", "length of a single curve"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        run b = open_model(rows[i].model, rows[i].scheme, 0.1);
        assert_int_equal(dal_sim_new(b.m, b.o, &b.s), DAL_INVALID);
        assert_non_null(strstr(dal_message_at(b.cx, 0).text, rows[i].reason));
        end(&b);
    }
}

static void ties_that_are_taken_out_are_fine(void **state)
{
    (void)state;
    run b = open_model("system Tied {\n  coordinate x, y\n"
                       "  lagrangian x'^2/2 + y'^2/2 - x^2/2 - y^4/4\n"
                       "  connect x = y\n  start x = 1, y = 1\n}\n",
                       "gauss(2)", 0.1);
    set(&b, "until", "%g", 10);
    start(&b);
    assert_int_equal(dal_run(b.s, NULL), DAL_OK);
    check_below(dal_summarise(b.s)->balance_error, 1e-14);
    check_close(dal_q(b.s)[0], dal_q(b.s)[1], 1e-15);
    end(&b);
}

/* What `check` says of a model with a scheme. */
static void forecast(const char *model, const char *scheme, const char *first, char *said,
                     size_t room)
{
    run   b = open_model(model, scheme, 0.01);
    FILE *f = tmpfile();
    assert_non_null(f);
    dal_options_set(b.o, "start", first), dal_options_set(b.o, "until", "5");
    assert_int_equal(dal_check(b.m, b.o, f), DAL_OK);
    rewind(f);
    said[fread(said, 1, room - 1, f)] = 0;
    fclose(f);
    size_t n = strlen(said);
    for (size_t i = 0; i < dal_message_count(b.cx); i++)
        n += (size_t)snprintf(said + n, room - n, "WARNING %s\n", dal_message_at(b.cx, i).text);
    end(&b);
}

static void check_tells_where_it_will_break_down(void **state)
{
    (void)state;
    static char said[16384];
    forecast(damped, "lobatto(3)", "q=1", said, sizeof said);
    assert_non_null(
        strstr(said, "WARNING principle = energy with lobatto(3): breaks down near t = 0.44"));
    forecast(well, "midpoint", "q=1.05", said, sizeof said);
    assert_non_null(
        strstr(said, "WARNING principle = energy with midpoint: breaks down near t = 1.5"));
    forecast("system Free {\n  coordinate q\n  lagrangian q'^2/2\n}\n", "midpoint", "q'=1", said,
             sizeof said);
    assert_non_null(strstr(said, "WARNING principle = energy with midpoint: nothing determines h"));
    forecast(well, "midpoint", "q=0.74", said, sizeof said);
    assert_null(strstr(said, "WARNING"));
    assert_non_null(strstr(said, "h between 0.01 and 0.0107"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_energy_of_chords_is_kept),
        cmocka_unit_test(many_degrees_of_freedom_keep_it_too),
        cmocka_unit_test(a_breakdown_goes_on_with_a_fixed_step_if_asked),
        cmocka_unit_test(a_breakdown_begins_anew_if_asked),
        cmocka_unit_test(a_jump_leaves_no_step_nearby),
        cmocka_unit_test(steps_beyond_their_bounds_end_the_run),
        cmocka_unit_test(what_the_principle_cannot_take_is_refused_with_the_reason),
        cmocka_unit_test(ties_that_are_taken_out_are_fine),
        cmocka_unit_test(check_tells_where_it_will_break_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
