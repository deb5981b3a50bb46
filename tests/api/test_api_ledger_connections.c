/* The ledger of connected systems: accounts close, connections give what they take, and what a part
 * receives is what it stores and spends, however parts are joined. */
#include "connected_run.h"

static run keep_ledger(const char *path, const char *how, const char *scheme, const char *step)
{
    const setting set[] = {
        {"scheme", scheme}, {"step", step}, {"until", "2"}, {"ledger", "yes"}, {0}};
    run        r = must_begin(path, how, set);
    assert_int_equal(DAL_OK, dal_run(r.s, NULL));
    return r;
}

static double rest_of(const dal_account *a)
{
    return a->last - a->first - a->work - a->received;
}

static double largest_rest(const dal_ledger *book)
{
    double most = 0;
    for (size_t i = 0; i < book->accounts; i++) most = fmax(most, fabs(rest_of(&book->account[i])));
    return most;
}

static const char motor[] = TEST_DATA "/../examples/motor.dal";

static void accounts_add_up_to_the_change_of_the_whole(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++) {
        run               r = keep_ledger(motor, ways[way], "gauss(2)", "0.01");
        const dal_ledger *book = dal_ledger_of(r.s);
        double            change = 0, work = 0, received = 0;
        assert_int_equal(book->accounts, 5);
        assert_int_equal(book->passages, 3);
        for (size_t i = 1; i < book->accounts; i++) {
            const dal_account *a = &book->account[i];
            change += a->last - a->first, work += a->work, received += a->received;
        }
        check_close(book->account[0].last - book->account[0].first, change, 1e-13);
        check_close(book->account[0].work, work, 1e-13);
        check_close(dal_summarise(r.s)->work, work, 1e-13);
        check_close(received, 0, 1e-12);
        check_close(book->account[1].received, -work + book->account[2].work,
                    1e-12); /* what the battery gives away */
        assert_string_equal(book->account[2].part, "motor");
        end(&r);
    }
}

static void connections_pass_on_what_they_take(void **state)
{
    (void)state;
    static const char *const models[] = {
        TEST_DATA "/../examples/motor.dal", TEST_DATA "/../examples/rlc_ladder.dal",
        TEST_DATA "/../examples/lever.dal", TEST_DATA "/connected/bent.dal"};
    static const char *const rules[] = {"gauss(2)", "lobatto(3)", "trapezoid",
                                        "compose(midpoint, suzuki(4))"};
    for (int k = 0; k < 32; k++) {
        run               r = keep_ledger(models[k % 4], ways[k / 4 % 2], rules[k / 8], "0.02");
        const dal_ledger *book = dal_ledger_of(r.s);
        double            moved = 0;
        assert_true(book->passages > 0);
        for (size_t i = 0; i < book->passages; i++) {
            double size = 0;
            for (size_t j = 0; j < book->passage[i].sides; j++)
                size = fmax(size, fabs(book->passage[i].side[j].work));
            check_below(fabs(book->passage[i].net), 1e-13 * fmax(1, size));
            moved = fmax(moved, size);
        }
        check_below(0.01, moved);
        end(&r);
    }
}

static void what_a_part_receives_is_what_it_stores_and_spends(void **state)
{
    (void)state;
    /* exactly, where energy is quadratic and the rule is Gauss's */
    run r = keep_ledger(TEST_DATA "/../examples/rlc_ladder.dal", "eliminate", "gauss(2)", "0.05");
    check_below(largest_rest(dal_ledger_of(r.s)), 1e-13);
    end(&r);
    r = keep_ledger(TEST_DATA "/../examples/transformer.dal", "eliminate", "gauss(3)", "0.05");
    check_below(largest_rest(dal_ledger_of(r.s)), 1e-13);
    end(&r);
    /* else to the order of the scheme */
    static const char *const nonlinear[] = {TEST_DATA "/../examples/lever.dal",
                                            TEST_DATA "/connected/bent.dal"};
    for (int k = 0; k < 4; k++) {
        run coarse =
            keep_ledger(nonlinear[k / 2], "eliminate", k % 2 ? "lobatto(3)" : "gauss(2)", "0.1");
        run fine =
            keep_ledger(nonlinear[k / 2], "multipliers", k % 2 ? "lobatto(3)" : "gauss(2)", "0.05");
        double order =
            log2(largest_rest(dal_ledger_of(coarse.s)) / largest_rest(dal_ledger_of(fine.s)));
        check_below(3.6, order);
        end(&coarse), end(&fine);
    }
}

/* Forces take from one part what they give to another where the tie holds along the curve: to
 * roundoff, where forces and connection are the same; else to the order of the scheme. */
static void the_ledger_books_connections_that_are_forces(void **state)
{
    (void)state;
    for (int h = 0; h < 2; h++) {
        run               r = keep_ledger(h ? wells : oscillators, "forces", "gauss(2)", "0.02");
        run b = keep_ledger(h ? wells : oscillators, "multipliers", "gauss(2)", "0.02");
        const dal_ledger *book = dal_ledger_of(r.s), *other = dal_ledger_of(b.s);
        assert_int_equal(book->passages, 2);
        for (size_t i = 0; i < 2; i++) {
            check_below(fabs(book->passage[i].net), 1e-14);
            check_below(1e-3, fabs(book->passage[i].side[0].work));
            for (size_t j = 0; j < 2; j++)
                check_close(book->passage[i].side[j].work, other->passage[i].side[j].work, 1e-12);
        }
        check_below(largest_rest(book), 1e-7);
        end(&r), end(&b);
    }
    const char *const bent = TEST_DATA "/connected/bent.dal";
    run               coarse = keep_ledger(bent, "forces", "gauss(2)", "0.1"),
        fine = keep_ledger(bent, "forces", "gauss(2)", "0.05");
    check_below(3.6,
                log2(largest_rest(dal_ledger_of(coarse.s)) / largest_rest(dal_ledger_of(fine.s))));
    check_below(3.6, log2(fabs(dal_ledger_of(coarse.s)->passage[0].net /
                               dal_ledger_of(fine.s)->passage[0].net)));
    end(&coarse), end(&fine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accounts_add_up_to_the_change_of_the_whole),
        cmocka_unit_test(connections_pass_on_what_they_take),
        cmocka_unit_test(what_a_part_receives_is_what_it_stores_and_spends),
        cmocka_unit_test(the_ledger_books_connections_that_are_forces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
