/* Simulations and runs through the public header: what an embedding program relies on. */
#include "api_run.h"

#include <string.h>

static const char *const oscillator = "system Oscillator {\n"
                                      "  parameter k = 4\n"
                                      "  coordinate x\n"
                                      "  input u = 0\n"
                                      "  lagrangian x'^2/2 - k/2*x^2\n"
                                      "  force x: u\n"
                                      "  output speed = x'\n"
                                      "  start x = 1\n"
                                      "}\n"
                                      "simulate {\n"
                                      "  step = 0.01\n"
                                      "  steps = 100\n"
                                      "  record = every 30\n"
                                      "}\n";

static const char *const plane = "system Plane {\n"
                                 "  coordinate x, y, z\n"
                                 "  lagrangian (x'^2 + y'^2 + z'^2)/2 - (x^2 + y^2)^2\n"
                                 "  symmetry rotation: x -> -y, y -> x\n"
                                 "  start x = 1, y' = 1, z' = 2\n"
                                 "}\n"
                                 "simulate {\n  step = 0.01\n  steps = 500\n}\n";

typedef struct {
    long rows, steps, stop_at;
    long at[16];
} notes;

static dal_status note_row(void *self, dal_sim *s)
{
    notes *n = self;
    if (n->rows < 16) n->at[n->rows] = dal_steps(s);
    n->rows++;
    return DAL_OK;
}

static dal_status note_step(void *self, dal_sim *s)
{
    notes *n = self;
    n->steps++;
    return dal_steps(s) == n->stop_at ? DAL_INTERRUPTED : DAL_OK;
}

static void rows_are_the_first_each_nth_and_the_last(void **state)
{
    (void)state;
    run   b = begin_text(oscillator, NULL);
    notes n = {0};
    assert_int_equal(dal_run(b.s, &(dal_observer){.row = note_row, .step = note_step, .self = &n}),
                     DAL_OK);
    assert_int_equal(n.rows, 5);
    assert_int_equal(n.steps, 100);
    static const long expected[] = {0, 30, 60, 90, 100};
    for (int i = 0; i < 5; i++) assert_int_equal(n.at[i], expected[i]);
    check_close(dal_time(b.s), 1, 1e-15);
    end(&b);
}

static void an_observer_stops_a_run_and_it_goes_on_to_the_same_bits(void **state)
{
    (void)state;
    run   whole = begin_text(oscillator, NULL), parts = begin_text(oscillator, NULL);
    notes n = {.stop_at = 42};
    assert_int_equal(dal_run(whole.s, NULL), DAL_OK);
    assert_int_equal(
        dal_run(parts.s, &(dal_observer){.row = note_row, .step = note_step, .self = &n}),
        DAL_INTERRUPTED);
    assert_int_equal(dal_steps(parts.s), 42);
    assert_int_equal(n.at[2], 42); /* the state at which it stopped is recorded */
    assert_int_equal(dal_summarise(parts.s)->status, DAL_INTERRUPTED);
    assert_int_equal(dal_run(parts.s, NULL), DAL_OK);
    assert_memory_equal(dal_q(whole.s), dal_q(parts.s), sizeof(double));
    assert_memory_equal(dal_p(whole.s), dal_p(parts.s), sizeof(double));
    end(&whole), end(&parts);
}

enum { WIDTH = 5 }; /* t, x, p(x), speed, energy */

static dal_status keep_row(void *self, dal_sim *s)
{
    double **at = self;
    dal_row(s, *at);
    *at += WIDTH;
    return DAL_OK;
}

static void rows_in_memory_are_those_of_a_run_in_any_pieces(void **state)
{
    (void)state;
    for (size_t room = 1; room <= 6; room++) {
        run        a = begin_text(oscillator, NULL), b = begin_text(oscillator, NULL);
        double     whole[6 * WIDTH] = {0}, rows[6 * WIDTH] = {0}, *at = whole;
        size_t     count, all = 0;
        dal_status ended;
        must(&a, dal_run(a.s, &(dal_observer){.row = keep_row, .self = &at}));
        do {
            ended = dal_run_rows(b.s, NULL, rows + WIDTH * all, room, &count);
            assert_true(ended == DAL_OK ? count < room : count == room);
            all += count;
        } while (ended == DAL_INTERRUPTED);
        must(&b, ended);
        assert_int_equal(all, 5);
        assert_memory_equal(rows, whole, sizeof whole);
        end(&a), end(&b);
    }
}

static dal_status count_waits(void *self, dal_sim *s)
{
    (void)s;
    return ++*(int *)self < 3 ? DAL_OK : DAL_INTERRUPTED;
}

static void rows_in_memory_are_watched_as_others_are(void **state)
{
    (void)state;
    run    r = begin_text(oscillator, (const setting[]){{"steps", "1000000000"}, {0}});
    double rows[4 * WIDTH];
    size_t count;
    int    waits = 0;
    notes  n = {.stop_at = 42};
    assert_int_equal(
        dal_run_rows(r.s, &(dal_observer){.step = note_step, .self = &n}, rows, 4, &count),
        DAL_INTERRUPTED);
    assert_int_equal(dal_steps(r.s), 42);
    assert_int_equal(count, 3); /* 0, 30, and where it stopped */
    must(&r, dal_sim_extend(r.s, "steps", "2000000000", NULL));
    end(&r);
    r = begin_text(oscillator,
                   (const setting[]){{"steps", "1000000000"}, {"record", "0"}, {0}});
    assert_int_equal(
        dal_run_rows(r.s, &(dal_observer){.wait = count_waits, .self = &waits}, rows, 4, &count),
        DAL_INTERRUPTED);
    assert_int_equal(waits, 3);
    assert_int_equal(dal_run_rows(r.s, NULL, NULL, 4, &count), DAL_INVALID);
    assert_int_equal(dal_run_rows(r.s, NULL, rows, 0, &count), DAL_INVALID);
    end(&r);
}

static void steps_one_by_one_are_the_run(void **state)
{
    (void)state;
    run whole = begin_text(oscillator, NULL), steps = begin_text(oscillator, NULL);
    assert_int_equal(dal_steps_planned(whole.s), 100);
    assert_int_equal(dal_run(whole.s, NULL), DAL_OK);
    for (int i = 0; i < 100; i++) assert_int_equal(dal_step(steps.s), DAL_OK);
    assert_memory_equal(dal_q(whole.s), dal_q(steps.s), sizeof(double));
    end(&whole), end(&steps);
}

static void quantities_are_measured_by_name(void **state)
{
    (void)state;
    run    b = begin_text(oscillator, NULL);
    double x;
    assert_int_equal(dal_measure(b.s, "x", &x), DAL_OK);
    check_close(x, 1, 0);
    assert_int_equal(dal_run(b.s, NULL), DAL_OK);
    assert_int_equal(dal_measure(b.s, "energy", &x), DAL_OK);
    check_close(x, 2, 1e-13);
    double v, p;
    assert_int_equal(dal_measure(b.s, "speed", &v), DAL_OK);
    assert_int_equal(dal_measure(b.s, "p(x)", &p), DAL_OK);
    check_close(v, p, 1e-15);
    check_close(v, dal_v(b.s)[0], 0);
    assert_int_equal(dal_measure(b.s, "nothing", &x), DAL_INVALID);
    assert_non_null(strstr(dal_message_at(b.cx, 0).text, "no quantity 'nothing'"));
    end(&b);
}

static void columns_say_what_a_row_holds(void **state)
{
    (void)state;
    static const char *const names[] = {"t", "x", "p(x)", "speed", "energy"};
    run                      b = begin_text(oscillator, NULL);
    size_t                   count;
    double                   row[5];
    const dal_column *c = dal_columns(b.s, &count);
    assert_int_equal(count, 5);
    for (size_t i = 0; i < 5; i++) assert_string_equal(c[i].name, names[i]);
    assert_int_equal(c[2].kind, DAL_COLUMN_MOMENTUM);
    assert_string_equal(c[2].of, "x");
    dal_row(b.s, row);
    check_close(row[1], 1, 0);
    check_close(row[4], 2, 0);
    end(&b);
}

static void inputs_are_held_until_they_are_set_again(void **state)
{
    (void)state;
    run b = begin_text(oscillator, (const setting[]){{"set", "k=0"}, {0}});
    assert_int_equal(dal_set_input(b.s, "u", 2), DAL_OK);
    for (int i = 0; i < 100; i++) assert_int_equal(dal_step(b.s), DAL_OK);
    check_close(dal_q(b.s)[0], 2, 1e-13); /* 1 + t^2 */
    assert_int_equal(dal_set_input(b.s, "u", 0), DAL_OK);
    for (int i = 0; i < 100; i++) assert_int_equal(dal_step(b.s), DAL_OK);
    check_close(dal_q(b.s)[0], 4, 1e-13);
    assert_int_equal(dal_set_input(b.s, "w", 0), DAL_INVALID);
    end(&b);
}

static void a_summary_knows_what_is_kept(void **state)
{
    (void)state;
    run b = begin_text(plane, NULL);
    assert_int_equal(dal_run(b.s, NULL), DAL_OK);
    const dal_summary *sum = dal_summarise(b.s);
    assert_string_equal(sum->model, "Plane");
    assert_string_equal(sum->file, "test.dal");
    assert_int_equal(sum->steps, 500);
    assert_int_equal(sum->momenta, 2); /* the declared one, and the cyclic z */
    assert_string_equal(sum->momentum[0].name, "rotation");
    assert_string_equal(sum->momentum[1].name, "p(z)");
    check_close(sum->momentum[0].first, 1, 1e-15);
    check_close(sum->momentum[1].first, 2, 1e-15);
    check_below(sum->momentum[0].max_drift, 1e-14);
    check_below(sum->momentum[1].max_drift, 1e-15);
    check_below(sum->energy.max - sum->energy.min, 1e-2);
    assert_true(sum->energy.max > sum->energy.min);
    check_close(sum->work, 0, 0);
    end(&b);
}

static void models_tell_their_names(void **state)
{
    (void)state;
    dal_context *cx = dal_context_new(NULL);
    dal_model   *m = NULL;
    char         name[8];
    assert_int_equal(dal_model_parse(cx, "test.dal", oscillator, NULL, &m), DAL_OK);
    assert_string_equal(dal_model_system(m), "Oscillator");
    assert_int_equal(dal_model_count(m, DAL_COORDINATES), 1);
    assert_int_equal(dal_model_count(m, DAL_INPUTS), 1);
    assert_int_equal(dal_model_name(m, DAL_OUTPUTS, 0, name, sizeof name), 5);
    assert_string_equal(name, "speed");
    assert_int_equal(dal_model_name(m, DAL_OUTPUTS, 0, name, 3), 5);
    assert_string_equal(name, "sp");
    assert_int_equal(dal_model_name(m, DAL_OUTPUTS, 1, name, 3), 0);
    dal_model_free(m), dal_context_free(cx);
}

static void one_model_feeds_many_simulations(void **state)
{
    (void)state;
    run      b = begin_text(oscillator, NULL);
    dal_sim *other = NULL;
    dal_options_set(b.o, "set", "k=9");
    assert_int_equal(dal_sim_new(b.m, b.o, &other), DAL_OK);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(dal_step(b.s), DAL_OK);
        assert_int_equal(dal_step(other), DAL_OK);
    }
    check_close(dal_q(b.s)[0], cos(2), 1e-3);
    check_close(dal_q(other)[0], cos(3), 1e-3);
    dal_sim_free(other);
    end(&b);
}

static void an_end_is_needed_only_to_run(void **state)
{
    (void)state;
    run b = begin_text("system Free {\n  coordinate x\n  lagrangian x'^2/2\n  start x' = 1\n}\n",
                       (const setting[]){{"step", "0.5"}, {0}});
    assert_int_equal(dal_steps_planned(b.s), -1);
    assert_int_equal(dal_step(b.s), DAL_OK);
    check_close(dal_q(b.s)[0], 0.5, 1e-16);
    assert_int_equal(dal_run(b.s, NULL), DAL_INVALID);
    assert_non_null(strstr(dal_message_at(b.cx, 0).text, "no end"));
    end(&b);
}

static void a_wrong_model_gives_no_model_and_a_message_at_its_place(void **state)
{
    (void)state;
    dal_context *cx = dal_context_new(NULL);
    dal_model   *m = (dal_model *)cx;
    assert_int_not_equal(dal_model_parse(cx, "wrong.dal",
                                         "system A {\n  coordinate x\n  lagrangian y\n}\n", NULL,
                                         &m),
                         DAL_OK);
    assert_null(m);
    dal_message said = dal_message_at(cx, 0);
    assert_string_equal(said.file, "wrong.dal");
    assert_int_equal(said.line, 3);
    assert_int_equal(said.column, 14);
    assert_int_equal(dal_model_load(cx, "/no/such/file.dal", NULL, &m), DAL_IO);
    dal_context_free(cx);
}

/* Rows with and without the energy; a summary is that of the states that are judged, and of rows. */
static void rows_cost_no_diagnostics_that_they_do_not_hold(void **state)
{
    (void)state;
    const setting held[] = {{"record", "1"}, {"columns", "x, energy"}, {"monitor", "40"}, {0}};
    const setting bare[] = {{"record", "1"}, {"columns", "x"}, {"monitor", "40"}, {0}};
    run           b = begin_text(oscillator, held), without = begin_text(oscillator, bare);
    double row[101][3], least = INFINITY, most = -INFINITY;
    size_t count;
    assert_int_equal(dal_run_rows(b.s, NULL, row[0], 101, &count), DAL_INTERRUPTED);
    assert_int_equal(dal_run(b.s, NULL), DAL_OK);
    assert_int_equal(count, 101);
    for (int i = 0; i < 101; i++) least = fmin(least, row[i][2]), most = fmax(most, row[i][2]);
    const dal_range all = dal_summarise(b.s)->energy;
    assert_true(all.min == least && all.max == most && all.last == row[100][2]);
    assert_int_equal(dal_run(without.s, NULL), DAL_OK);
    const dal_range some = dal_summarise(without.s)->energy;
    double          judged_least = INFINITY, judged_most = -INFINITY;
    for (int i = 0; i < 4; i++) {
        const double E = row[i < 3 ? 40 * i : 100][2];
        judged_least = fmin(judged_least, E), judged_most = fmax(judged_most, E);
    }
    assert_true(some.first == row[0][2] && some.last == row[100][2]);
    assert_true(some.min == judged_least && some.max == judged_most);
    end(&b), end(&without);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_the_first_each_nth_and_the_last),
        cmocka_unit_test(an_observer_stops_a_run_and_it_goes_on_to_the_same_bits),
        cmocka_unit_test(rows_in_memory_are_those_of_a_run_in_any_pieces),
        cmocka_unit_test(rows_in_memory_are_watched_as_others_are),
        cmocka_unit_test(rows_cost_no_diagnostics_that_they_do_not_hold),
        cmocka_unit_test(steps_one_by_one_are_the_run),
        cmocka_unit_test(quantities_are_measured_by_name),
        cmocka_unit_test(columns_say_what_a_row_holds),
        cmocka_unit_test(inputs_are_held_until_they_are_set_again),
        cmocka_unit_test(a_summary_knows_what_is_kept),
        cmocka_unit_test(models_tell_their_names),
        cmocka_unit_test(one_model_feeds_many_simulations),
        cmocka_unit_test(an_end_is_needed_only_to_run),
        cmocka_unit_test(a_wrong_model_gives_no_model_and_a_message_at_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
