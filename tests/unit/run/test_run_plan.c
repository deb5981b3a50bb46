/* Plans: which text counts, when a run ends, and what is refused before anything is computed. */
#include "check.h"
#include "run/plan.h"

#include <string.h>

typedef struct {
    mem     m;
    jmp_buf guard;
    diags   ds;
    request r;
    values  v;
    plan    p;
} fixture;

static fixture *fresh(fixture *f)
{
    memset(f, 0, sizeof *f);
    mem_init(&f->m, mem_heap_default());
    f->m.guard = &f->guard;
    diags_init(&f->ds, &f->m);
    return f;
}

static void in_file(fixture *f, setting_key key, double number, const char *words)
{
    f->v.set[key] = (setting){.given = true, .at = span_none(), .number = number, .words = words};
}

static void as_option(fixture *f, setting_key key, const char *words)
{
    source *s = mem_array(&f->m, 1, source);
    *s = (source){"--option", words, strlen(words)};
    f->r.over.setting[key] = s;
}

static dal_status make(fixture *f)
{
    return plan_make(&f->p, &f->r, &f->v, &f->ds, &f->m);
}

static void the_defaults_are_midpoint_and_every_state(void **state)
{
    (void)state;
    fixture f;
    in_file(fresh(&f), SET_STEP, 0.1, NULL);
    assert_int_equal(make(&f), DAL_OK);
    assert_string_equal(f.p.principle, "dirac+");
    assert_int_equal(f.p.scheme.order, 2);
    assert_int_equal(f.p.steps, -1);
    assert_int_equal(f.p.record, 1);
    check_close(f.p.from, 0, 0);
    check_close(f.p.h, 0.1, 0);
    mem_free(&f.m);
}

static void the_end_is_the_first_grid_time_at_or_after_until(void **state)
{
    (void)state;
    static const struct {
        double from, step, until;
        long   steps;
        double h;
    } cases[] = {
        {0, 0.1, 1, 10, 0.1},
        {0, 0.1, 1.05, 11, 0.1},
        {0, 0.1, 0.3, 3, 0.1},
        {0, 0.01, 0.07, 7, 0.01},
        {5, 0.25, 4, 4, -0.25},
        {5, 0.25, 3.9, 5, -0.25},
        {0, 0.1, 0, 0, 0.1},
        {0, 0.1, 1e-12, 0, 0.1},
        {0, 1e-3, 1e6, 1000000000, 1e-3},
        {0.1, 0.1, 0.7, 6, 0.1},
        {0, 3, 1, 1, 3},
        {-1, 0.5, 1, 4, 0.5},
        {0, 0.1, 1 + 1e-11, 10, 0.1},
        {0, 0.1, 1 + 1e-8, 11, 0.1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f;
        fresh(&f);
        in_file(&f, SET_FROM, cases[i].from, NULL), in_file(&f, SET_STEP, cases[i].step, NULL);
        in_file(&f, SET_UNTIL, cases[i].until, NULL);
        assert_int_equal(make(&f), DAL_OK);
        if (f.p.steps != cases[i].steps) print_error("case %zu\n", i);
        assert_int_equal(f.p.steps, cases[i].steps);
        check_close(f.p.h, cases[i].h, 0);
        mem_free(&f.m);
    }
}

static void an_option_overrides_the_file(void **state)
{
    (void)state;
    fixture f;
    fresh(&f);
    in_file(&f, SET_STEP, 0.1, NULL), in_file(&f, SET_UNTIL, 10, NULL);
    in_file(&f, SET_SCHEME, 0, "midpoint"), in_file(&f, SET_RECORD, 5, NULL);
    as_option(&f, SET_SCHEME, "lobatto(3)"), as_option(&f, SET_STEP, "2.5e-1"),
        as_option(&f, SET_STEPS, "12");
    as_option(&f, SET_RECORD, "0"), as_option(&f, SET_PRINCIPLE, "dirac-");
    assert_int_equal(make(&f), DAL_OK);
    assert_int_equal(f.p.steps, 12);
    assert_int_equal(f.p.scheme.order, 4);
    assert_int_equal(f.p.record, 0);
    assert_int_equal(f.p.method.principle, DIRAC_MINUS);
    check_close(f.p.h, 0.25, 0);
    mem_free(&f.m);
}

static void a_long_run_is_watched_about_a_thousand_times(void **state)
{
    (void)state;
    fixture f;
    in_file(fresh(&f), SET_STEP, 1, NULL), in_file(&f, SET_STEPS, 250000, NULL);
    assert_int_equal(make(&f), DAL_OK);
    assert_int_equal(f.p.monitor, 250);
    source every = {"--monitor", "1", 1};
    f.r.monitor = &every;
    assert_int_equal(make(&f), DAL_OK);
    assert_int_equal(f.p.monitor, 1);
    mem_free(&f.m);
}

static void what_cannot_be_run_is_refused(void **state)
{
    (void)state;
    static const struct {
        setting_key key;
        const char *words, *message;
    } cases[] = {
        {SET_H_MAX, "5", "bound the step of principle = energy"},
        {SET_PRINCIPLE, "dirac", "there are dirac+, dirac-, energy"},
        {SET_SCHEME, "gaus(2)", ""},
        {SET_RETRACTION, "middle", "is not a retraction"},
        {SET_SUMMATION, "plane", "is not a summation; there are compensated, plain"},
        {SET_STEP, "0", "positive"},
        {SET_STEP, "-0.1", "positive"},
        {SET_STEP, "inf", "not a number"},
        {SET_STEP, "0x10", "not a number"},
        {SET_STEP, "1e999", "not a number"},
        {SET_STEP, "1e-300", "too many"},
        {SET_STEPS, "5", NULL},
        {SET_STEPS, "-5", "whole number"},
        {SET_STEPS, "2.5", "whole number"},
        {SET_RECORD, "-1", "whole number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f;
        in_file(fresh(&f), SET_STEP, 0.1, NULL), in_file(&f, SET_UNTIL, 1, NULL);
        as_option(&f, cases[i].key, cases[i].words);
        dal_status status = make(&f);
        if (!cases[i].message) {
            assert_int_equal(status, DAL_OK);
        } else {
            assert_int_not_equal(status, DAL_OK);
            assert_int_equal(f.ds.errors, 1);
            if (!strstr(f.ds.list.at[0].message, cases[i].message))
                print_error("%s\n", f.ds.list.at[0].message);
            assert_non_null(strstr(f.ds.list.at[0].message, cases[i].message));
        }
        mem_free(&f.m);
    }
}

static void a_step_is_needed_and_one_end_only(void **state)
{
    (void)state;
    fixture f;
    assert_int_equal(make(fresh(&f)), DAL_INVALID);
    assert_non_null(strstr(f.ds.list.at[0].message, "no step"));
    in_file(&f, SET_STEP, 0.1, NULL), in_file(&f, SET_UNTIL, 1, NULL),
        in_file(&f, SET_STEPS, 3, NULL);
    assert_int_equal(make(&f), DAL_INVALID);
    assert_non_null(strstr(f.ds.list.at[1].message, "give only one of them"));
    mem_free(&f.m);
}

static void left_and_right_retractions_need_a_chord(void **state)
{
    (void)state;
    fixture f;
    in_file(fresh(&f), SET_STEP, 0.1, NULL), as_option(&f, SET_RETRACTION, "left");
    assert_int_equal(make(&f), DAL_OK);
    as_option(&f, SET_SCHEME, "gauss(2)");
    assert_int_equal(make(&f), DAL_INVALID);
    assert_non_null(strstr(f.ds.list.at[0].message, "polynomial(1)"));
    mem_free(&f.m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_defaults_are_midpoint_and_every_state),
        cmocka_unit_test(the_end_is_the_first_grid_time_at_or_after_until),
        cmocka_unit_test(an_option_overrides_the_file),
        cmocka_unit_test(a_long_run_is_watched_about_a_thousand_times),
        cmocka_unit_test(what_cannot_be_run_is_refused),
        cmocka_unit_test(a_step_is_needed_and_one_end_only),
        cmocka_unit_test(left_and_right_retractions_need_a_chord),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
