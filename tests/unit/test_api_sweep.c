/* Ensembles through the public header: which members there are, that each is its own run, and that
 * nothing depends on who computes it. */
#include "check.h"
#include "dalembert.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char *const oscillator = "system Oscillator {\n"
                                      "  parameter k = 4, m = 1\n"
                                      "  parameter w = sqrt(k/m)\n"
                                      "  coordinate x\n"
                                      "  lagrangian m/2*x'^2 - k/2*x^2 - x^4/4\n"
                                      "  output speed = x'\n"
                                      "  output rate = w\n"
                                      "  start x = 1\n"
                                      "}\n"
                                      "simulate {\n  step = 0.01\n  steps = 50\n}\n";

static const char *const pendulum = "system Pendulum {\n"
                                    "  parameter g = 9.81\n"
                                    "  coordinate x, y\n"
                                    "  lagrangian (x'^2 + y'^2)/2 - g*y\n"
                                    "  holonomic rod: x^2 + y^2 = 1\n"
                                    "  start x = 1, y = 0\n"
                                    "}\n"
                                    "simulate {\n  step = 0.01\n  steps = 20\n}\n";

typedef struct {
    dal_context *cx;
    dal_options *o;
    dal_model   *m;
    dal_sweep   *w;
} bench;

static void open_model(bench *b, const char *model)
{
    b->cx = dal_context_new(NULL), b->o = dal_options_new(b->cx), b->w = NULL;
    dal_status bad = dal_model_parse(b->cx, "test.dal", model, b->o, &b->m);
    if (bad) dal_report(b->cx, stderr, 0);
    assert_int_equal(bad, DAL_OK);
}

static void begin(bench *b, const char *model)
{
    open_model(b, model);
    assert_int_equal(dal_sweep_new(b->m, b->o, &b->w), DAL_OK);
}

static void end(bench *b)
{
    dal_sweep_free(b->w), dal_model_free(b->m), dal_options_free(b->o), dal_context_free(b->cx);
}

static void set(bench *b, const char *key, const char *text)
{
    dal_status bad = dal_sweep_set(b->w, key, text);
    if (bad) dal_report(b->cx, stderr, 0);
    assert_int_equal(bad, DAL_OK);
}

static void run(bench *b, const dal_sweep_observer *o)
{
    dal_status bad = dal_sweep_run(b->w, o);
    if (bad) dal_report(b->cx, stderr, 0);
    assert_int_equal(bad, DAL_OK);
}

static size_t column(const bench *b, const char *name)
{
    size_t                  count;
    const dal_sweep_column *c = dal_sweep_columns(b->w, &count);
    for (size_t i = 0; i < count; i++)
        if (!strcmp(c[i].name, name)) return i;
    print_error("there is no column %s\n", name);
    fail();
    return 0;
}

static double value(const bench *b, size_t member, const char *name)
{
    return dal_sweep_member(b->w, member).value[column(b, name)];
}

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

/* Who computes it. ----------------------------------------------------------------------------- */

typedef struct {
    size_t members, rows[64], lasts[64], waits, stop_after;
    bool   in_order;
} notes;

static dal_status note_member(void *self, const dal_member *m)
{
    notes *n = self;
    n->in_order &= m->index == n->members;
    n->members++;
    return n->members == n->stop_after ? DAL_INTERRUPTED : DAL_OK;
}

static dal_status note_row(void *self, int worker, size_t member, dal_sim *s)
{
    notes *n = self;
    (void)worker, (void)s;
    n->rows[member]++; /* a member has one thread */
    return DAL_OK;
}

static dal_status note_last(void *self, int worker, size_t member)
{
    (void)worker;
    ((notes *)self)->lasts[member]++;
    return DAL_OK;
}

static dal_status note_wait(void *self, size_t done, size_t members)
{
    ((notes *)self)->waits += done <= members;
    return DAL_OK;
}

static void nothing_depends_on_the_number_of_threads(void **state)
{
    (void)state;
    static const char *const threads[] = {"1", "2", "3", "7"};
    bench                    b[4];
    size_t                   columns, members = 200;
    for (int k = 0; k < 4; k++) {
        notes n = {.in_order = true};
        begin(&b[k], oscillator);
        set(&b[k], "grid", "k=0.1..10/20 log");
        set(&b[k], "random", "x=normal(0, 1)");
        set(&b[k], "members", "10");
        set(&b[k], "threads", threads[k]);
        run(&b[k], &(dal_sweep_observer){.member = note_member, .wait = note_wait, .self = &n});
        assert_int_equal(n.members, members);
        assert_true(n.in_order && n.waits > 0);
    }
    dal_sweep_columns(b[0].w, &columns);
    for (int k = 1; k < 4; k++)
        for (size_t i = 0; i < members; i++)
            assert_memory_equal(dal_sweep_member(b[k].w, i).value,
                                dal_sweep_member(b[0].w, i).value, columns * sizeof(double));
    for (int k = 1; k < 4; k++)
        for (size_t c = 0; c < columns - 2; c++)
            assert_memory_equal(&dal_sweep_summarise(b[k].w)->column[c].mean,
                                &dal_sweep_summarise(b[0].w)->column[c].mean, sizeof(double));
    for (int k = 0; k < 4; k++) end(&b[k]);
}

static void rows_of_a_member_come_from_one_thread_at_every_recorded_state(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 2; threads++) {
        bench b;
        notes n = {.in_order = true};
        open_model(&b, oscillator);
        dal_options_set(b.o, "record", "20");
        assert_int_equal(dal_sweep_new(b.m, b.o, &b.w), DAL_OK);
        set(&b, "grid", "k=1..10");
        set(&b, "threads", threads == 1 ? "1" : "2");
        run(&b, &(dal_sweep_observer){note_row, note_last, note_member, note_wait, &n});
        for (size_t i = 0; i < 10; i++) {
            assert_int_equal(n.rows[i], 4); /* 0, 20, 40, 50 */
            assert_int_equal(n.lasts[i], 1);
        }
        end(&b);
    }
}

static void an_interrupted_sweep_goes_on_where_it_was(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads += 2) {
        bench b;
        notes n = {.in_order = true, .stop_after = 4};
        begin(&b, oscillator);
        set(&b, "grid", "k=1..12");
        set(&b, "threads", threads == 1 ? "1" : "3");
        dal_sweep_observer o = {.member = note_member, .self = &n};
        assert_int_equal(dal_sweep_run(b.w, &o), DAL_INTERRUPTED);
        assert_int_equal(n.members, 4);
        n.stop_after = 0, n.members = 3; /* the one that was refused is told again */
        assert_int_equal(dal_sweep_run(b.w, &o), DAL_OK);
        assert_int_equal(n.members, 12);
        assert_true(n.in_order);
        assert_int_equal(dal_sweep_summarise(b.w)->done, 12);
        end(&b);
    }
}

static void statistics_are_those_of_the_values(void **state)
{
    (void)state;
    bench b;
    begin(&b, oscillator);
    set(&b, "grid", "k=1, 4, 16, 25, 9"); /* rate = 1, 2, 4, 5, 3 */
    run(&b, NULL);
    const dal_sweep_summary *sum = dal_sweep_summarise(b.w);
    const dal_statistics    *rate = NULL;
    for (size_t i = 0; i < sum->columns; i++)
        if (!strcmp(sum->column[i].name, "rate")) rate = &sum->column[i];
    assert_non_null(rate);
    assert_int_equal(rate->count, 5);
    check_close(rate->mean, 3, 1e-15);
    check_close(rate->sd, sqrt(2.5), 1e-15);
    check_close(rate->min, 1, 0);
    check_close(rate->max, 5, 0);
    static const double quantile[DAL_QUANTILES] = {1.2, 2, 3, 4, 4.8};
    for (int k = 0; k < DAL_QUANTILES; k++) check_close(rate->quantile[k], quantile[k], 1e-15);
    assert_int_equal(sum->steps, 250);
    end(&b);
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
        cmocka_unit_test(nothing_depends_on_the_number_of_threads),
        cmocka_unit_test(rows_of_a_member_come_from_one_thread_at_every_recorded_state),
        cmocka_unit_test(an_interrupted_sweep_goes_on_where_it_was),
        cmocka_unit_test(statistics_are_those_of_the_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
