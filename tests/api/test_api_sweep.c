/* Ensembles through the public header: which members there are, that each is its own run, and that
 * mistakes and failures are told. */
#include "sweep_run.h"

#include <stdio.h>

static const char *const pendulum = "system Pendulum {\n"
                                    "  parameter g = 9.81\n"
                                    "  coordinate x, y\n"
                                    "  lagrangian (x'^2 + y'^2)/2 - g*y\n"
                                    "  holonomic rod: x^2 + y^2 = 1\n"
                                    "  start x = 1, y = 0\n"
                                    "}\n"
                                    "simulate {\n  step = 0.01\n  steps = 20\n}\n";

/* Which members there are. --------------------------------------------------------------------- */

static void grids_multiply_and_the_last_varies_fastest(void **state)
{
    (void)state;
    bench b;
    begin(&b, oscillator);
    set(&b, "grid", "k=1..2/3");
    set(&b, "grid", " x = 0.01..100/3 log, -7, 1..2 ");
    run(&b, NULL);
    static const double k[] = {1, 1.5, 2}, x[] = {0.01, 1, 100, -7, 1, 2};
    assert_int_equal(dal_sweep_members(b.w), 18);
    for (size_t i = 0; i < 18; i++) {
        check_close(value(&b, i, "k"), k[i / 6], 0);
        check_close(value(&b, i, "start(x)"), x[i % 6], 1e-15);
    }
    end(&b);
}

static void draws_and_rows_of_a_table_multiply_with_grids(void **state)
{
    (void)state;
    bench b;
    FILE *f = fopen("members_of_a_test.csv", "w");
    assert_non_null(f);
    fputs("member,m,\"start(x')\"\n0,1,0.5\n1,2,-0.5\n", f);
    fclose(f);
    begin(&b, oscillator);
    set(&b, "from-csv", "members_of_a_test.csv");
    remove("members_of_a_test.csv");
    set(&b, "grid", "k=1..3");
    set(&b, "random", "x=uniform(2, 3)");
    set(&b, "members", "2");
    run(&b, NULL);
    assert_int_equal(dal_sweep_members(b.w), 12);
    for (size_t i = 0; i < 12; i++) {
        assert_true(value(&b, i, "k") == 1 + (double)(i / 4));
        assert_true(value(&b, i, "m") == 1 + (double)(i / 2 % 2));
        assert_true(value(&b, i, "start(x')") == (i / 2 % 2 ? -0.5 : 0.5));
        double x = value(&b, i, "start(x)");
        assert_true(x > 2 && x < 3);
        for (size_t j = 0; j < i; j++) assert_true(x != value(&b, j, "start(x)"));
    }
    end(&b);
}

static void more_draws_leave_the_first_ones_as_they_were(void **state)
{
    (void)state;
    bench few, many;
    begin(&few, oscillator), begin(&many, oscillator);
    set(&few, "random", "x=normal(0, 1)"), set(&few, "members", "5"), set(&few, "seed", "9");
    set(&many, "random", "k=uniform(1, 2)"), set(&many, "random", "x=normal(0, 1)"),
        set(&many, "members", "50");
    set(&many, "seed", "9"), set(&many, "threads", "2");
    run(&few, NULL), run(&many, NULL);
    for (size_t i = 0; i < 5; i++)
        assert_true(value(&few, i, "start(x)") == value(&many, i, "start(x)"));
    end(&few), end(&many);
}

/* That each is its own run. -------------------------------------------------------------------- */

static void compare_with_run(const char *model, const char *scheme, const char *option,
                             const char *name, const double *at, size_t count)
{
    bench b;
    char  words[256];
    snprintf(words, sizeof words, "%s=%.17g", name, at[0]);
    for (size_t i = 1; i < count; i++) {
        size_t n = strlen(words);
        snprintf(words + n, sizeof words - n, ", %.17g", at[i]);
    }
    open_model(&b, model);
    dal_options_set(b.o, "scheme", scheme);
    assert_int_equal(dal_sweep_new(b.m, b.o, &b.w), DAL_OK);
    set(&b, "grid", words);
    run(&b, NULL);
    for (size_t i = 0; i < count; i++) {
        dal_options *o = dal_options_new(b.cx);
        dal_sim     *s = NULL;
        size_t       columns;
        snprintf(words, sizeof words, "%s=%.17g", name, at[i]);
        dal_options_set(o, "scheme", scheme);
        dal_options_set(o, option, words);
        assert_int_equal(dal_sim_new(b.m, o, &s), DAL_OK);
        assert_int_equal(dal_run(s, NULL), DAL_OK);
        const dal_column *c = dal_columns(s, &columns);
        double           *row = calloc(columns, sizeof *row);
        dal_row(s, row);
        for (size_t j = 0; j < columns; j++) check_close(value(&b, i, c[j].name), row[j], 1e-13);
        free(row);
        dal_sim_free(s), dal_options_free(o);
    }
    end(&b);
}

static void a_member_is_its_own_run(void **state)
{
    (void)state;
    static const double some[] = {0.5, 1, 1.75, 4}, gravity[] = {1, 9.81, 20};
    compare_with_run(oscillator, "midpoint", "set", "k", some, 4);
    compare_with_run(oscillator, "trapezoid", "start", "x", some, 4);
    compare_with_run(oscillator, "gauss(3)", "start", "x'", some, 4);
    compare_with_run(oscillator, "compose(midpoint, suzuki(4))", "start", "p(x)", some, 4);
    compare_with_run(pendulum, "lobatto(3)", "set", "g", gravity, 3);
}

static void what_depends_on_a_swept_parameter_follows_it(void **state)
{
    (void)state;
    bench b;
    begin(&b, oscillator);
    set(&b, "grid", "k=1, 4, 9");
    run(&b, NULL);
    for (size_t i = 0; i < 3; i++) assert_true(value(&b, i, "rate") == (double)(i + 1));
    end(&b);
}

/* Failures. ------------------------------------------------------------------------------------ */

static void a_member_that_cannot_begin_says_so_and_the_others_run(void **state)
{
    (void)state;
    bench b;
    begin(&b, pendulum);
    set(&b, "grid", "x=0.5, 1, 2"); /* only 1 lies on the rod */
    run(&b, NULL);
    const dal_sweep_summary *sum = dal_sweep_summarise(b.w);
    assert_int_equal(sum->done, 1);
    assert_int_equal(sum->refused, 2);
    assert_int_equal(sum->first_failed, 0);
    assert_int_equal(dal_sweep_member(b.w, 1).status, DAL_OK);
    assert_int_equal(dal_sweep_member(b.w, 2).status, DAL_INVALID);
    assert_non_null(strstr(dal_sweep_member(b.w, 2).error, "rod"));
    assert_true(isnan(value(&b, 2, "y")) && value(&b, 2, "start(x)") == 2);
    assert_int_equal(dal_message_count(b.cx), 0);
    end(&b);
}

static void a_member_that_fails_on_its_way_keeps_its_last_good_state(void **state)
{
    (void)state;
    bench b;
    begin(
        &b,
        "system Fall {\n  parameter k = 1\n  coordinate x\n  lagrangian x'^2/2 - k*log(x)\n  start "
        "x = 1\n}\n"
        "simulate {\n  step = 0.01\n  until = 3\n  scheme = midpoint\n}\n"); /* with k > 0 it falls
                                                                                into x = 0 */
    set(&b, "grid", "k=-1, 1");
    run(&b, NULL);
    const dal_sweep_summary *sum = dal_sweep_summarise(b.w);
    assert_int_equal(sum->done, 1);
    assert_int_equal(sum->failed, 1);
    assert_int_equal(dal_sweep_member(b.w, 1).status, DAL_DIVERGED);
    assert_true(value(&b, 1, "t") > 0.5 && value(&b, 1, "t") < 2 && value(&b, 1, "x") > 0);
    assert_non_null(dal_sweep_member(b.w, 1).error);
    end(&b);
}

static void what_no_member_can_do_is_an_error(void **state)
{
    (void)state;
    bench b;
    open_model(&b, "system Free {\n  parameter m = 1\n  coordinate x\n  lagrangian "
                   "m*x'^2\n}\nsimulate {\n  step = 1\n}\n");
    assert_int_equal(dal_sweep_new(b.m, b.o, &b.w), DAL_OK);
    set(&b, "grid", "m=1..3");
    assert_int_equal(dal_sweep_run(b.w, NULL), DAL_INVALID);
    assert_non_null(strstr(dal_message_at(b.cx, 0).text, "no end is given"));
    assert_int_equal(dal_message_count(b.cx), 1);
    end(&b);
}

static void mistakes_are_met_with_what_would_be_right(void **state)
{
    (void)state;
    static const struct {
        const char *key, *text, *said;
    } wrong[] = {
        {"grid", "k", "a name and '='"},
        {"grid", "k=", "a number is missing"},
        {"grid", "k=1..", "no end"},
        {"grid", "k=1..2/", "behind '/'"},
        {"grid", "k=1..2/2.5", "whole number of values"},
        {"grid", "k=1..2/1", "one value"},
        {"grid", "k=0..2/5 log", "logarithmic"},
        {"grid", "k=1.5..2", "how many values"},
        {"grid", "k=1;2", "does not belong"},
        {"random", "k=gauss(1, 2)", "uniform, normal and lognormal"},
        {"random", "k=normal(1)", "two numbers"},
        {"random", "k=uniform(2, 1)", "above"},
        {"random", "k=normal(2, -1)", "not negative"},
        {"members", "1.5", "whole number"},
        {"seed", "-1", "whole number"},
        {"threads", "0", "whole number"},
        {"frobs", "0", "no option"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        bench b;
        begin(&b, oscillator);
        assert_int_equal(dal_sweep_set(b.w, wrong[i].key, wrong[i].text), DAL_INVALID);
        if (!strstr(dal_message_at(b.cx, 0).text, wrong[i].said)) {
            print_error("%s: %s\n", wrong[i].text, dal_message_at(b.cx, 0).text);
            fail();
        }
        end(&b);
    }
}

static void names_that_cannot_be_swept_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {{"grid", "kk=1..3"},
                                           {"grid", "y'=1..3"},
                                           {"grid", "speed=1..3"},
                                           {"random", "k=normal(0, 1)"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        bench b;
        begin(&b, oscillator);
        set(&b, wrong[i][0], wrong[i][1]);
        assert_int_equal(dal_sweep_run(b.w, NULL), DAL_INVALID);
        assert_true(dal_message_count(b.cx) > 0);
        end(&b);
    }
    bench b;
    begin(&b, "system S {\n  parameter n = 3\n  coordinate x[k in 1..n]\n  lagrangian sum(i in "
              "1..n: x[i]'^2)\n}\n"
              "simulate {\n  step = 1\n  steps = 1\n}\n");
    set(&b, "grid", "n=3..4");
    assert_int_equal(dal_sweep_run(b.w, NULL), DAL_INVALID);
    assert_non_null(strstr(dal_message_at(b.cx, 0).text, "sizes depend on 'n'"));
    end(&b);
}

/* Steps of 1 are beyond the limit of stability where sqrt(k) > 2, and the energy is bounded below it
 * whatever the members' engine. With f(t) in L nothing but its growth tells in a block. Near the
 * limit nobody is warned of lost phases; far below it, of 150 steps with omega h = 1. */
static void members_that_run_away_are_warned_of(void **state)
{
    (void)state;
    static const char *const model = "system Oscillator {\n"
                                     "  parameter k = 1\n"
                                     "  coordinate x\n"
                                     "  lagrangian x'^2/2 - k/2*x^2%s\n"
                                     "%s"
                                     "  start x = 1\n"
                                     "}\n"
                                     "simulate {\n  scheme = trapezoid\n  step = 1\n  steps = 150\n}\n";
    static const double      k[] = {1, 3.61, 3.96, 4.04, 4.2};
    static const char *const backends[] = {"vm", "native"};
    for (int f = 0; f < 2; f++)
        for (int i = 0; i < 2; i++) {
            char text[400];
            snprintf(text, sizeof text, model, f ? " + 0.1*x*sin(t)" : "",
                     f ? "" : "  force x: 0.1*sin(t)\n");
            bench b;
            open_model(&b, text);
            assert_int_equal(dal_options_set(b.o, "backend", backends[i]), DAL_OK);
            assert_int_equal(dal_sweep_new(b.m, b.o, &b.w), DAL_OK);
            set(&b, "grid", "k=1, 3.61, 3.96, 4.04, 4.2");
            run(&b, NULL);
            for (size_t who = 0; who < sizeof k / sizeof *k; who++) {
                assert_int_equal(dal_sweep_member(b.w, who).status, DAL_OK);
                const char *warning = dal_sweep_member(b.w, who).warning;
                assert_int_equal(warning != NULL, k[who] > 4 || k[who] < 3);
                if (k[who] < 3) assert_non_null(strstr(warning, "positions at the end"));
                if (k[who] > 4) assert_null(strstr(warning, "positions at the end"));
            }
            assert_int_equal(dal_sweep_summarise(b.w)->warned, 3);
            end(&b);
        }
}

/* An orbit of e = 0.6 by the energy principle: with 0.1 it is on the other side of its ellipse at
 * t = 60, with 0.005 it is off by 0.03, as Kepler's equation tells (test_api_accuracy). */
static void members_with_chosen_lengths_are_judged(void **state)
{
    (void)state;
    static const char *const model = "system Orbit {\n"
                                     "  coordinate x, y\n"
                                     "  lagrangian (x'^2 + y'^2)/2 + 1/sqrt(x^2 + y^2)\n"
                                     "  start x = 0.4, y' = 2\n"
                                     "}\n"
                                     "simulate {\n  scheme = midpoint\n  principle = energy\n"
                                     "  step = %s\n  until = 60\n}\n";
    static const char *const step[] = {"0.1", "0.005"};
    for (int i = 0; i < 2; i++) {
        char text[400];
        snprintf(text, sizeof text, model, step[i]);
        bench b;
        open_model(&b, text);
        assert_int_equal(dal_sweep_new(b.m, b.o, &b.w), DAL_OK);
        set(&b, "grid", "y'=2, 1.999, 2.001");
        run(&b, NULL);
        for (size_t who = 0; who < 3; who++) {
            const char *warning = dal_sweep_member(b.w, who).warning;
            assert_int_equal(warning != NULL, i == 0);
            if (warning) assert_non_null(strstr(warning, "positions at the end"));
        }
        end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_multiply_and_the_last_varies_fastest),
        cmocka_unit_test(draws_and_rows_of_a_table_multiply_with_grids),
        cmocka_unit_test(more_draws_leave_the_first_ones_as_they_were),
        cmocka_unit_test(a_member_is_its_own_run),
        cmocka_unit_test(what_depends_on_a_swept_parameter_follows_it),
        cmocka_unit_test(a_member_that_cannot_begin_says_so_and_the_others_run),
        cmocka_unit_test(a_member_that_fails_on_its_way_keeps_its_last_good_state),
        cmocka_unit_test(what_no_member_can_do_is_an_error),
        cmocka_unit_test(mistakes_are_met_with_what_would_be_right),
        cmocka_unit_test(names_that_cannot_be_swept_are_refused),
        cmocka_unit_test(members_that_run_away_are_warned_of),
        cmocka_unit_test(members_with_chosen_lengths_are_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
