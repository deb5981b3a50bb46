/* Who computes an ensemble: threads, which change nothing, observers, which are told in order, and
 * an interrupt in between; and what is said of its values. */
#include "sweep_run.h"

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
        cmocka_unit_test(nothing_depends_on_the_number_of_threads),
        cmocka_unit_test(rows_of_a_member_come_from_one_thread_at_every_recorded_state),
        cmocka_unit_test(an_interrupted_sweep_goes_on_where_it_was),
        cmocka_unit_test(statistics_are_those_of_the_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
