/* test_api_steps_at_once.c - a run makes many steps of a small system in one go, and explicit steps of a
 * long chain follow each other through its rows: they are the steps that are made one by one, to
 * the last bit, and one that cannot be made ends both in the same state with the same words. */
#include "api_run.h"

#include <stdbool.h>

static const char WELL[] =
    "system W {\n coordinate q\n lagrangian q'^2/2 - (q^4 - q^2)/2\n start q = 0.74\n}\n";
static const char FORCED[] =
    "system F {\n coordinate a, b\n lagrangian (a'^2 + b'^2)/2 - a^2/2 - 0.6*b^2 - 0.3*(a - b)^2\n"
    " force a: (0.5 - a^2)*a' + sin(3*t)\n force b: (0.5 - b^2)*b'\n"
    " start a = -0.5, b = -0.25, b' = 4\n}\n";
static const char EXPLODING[] =
    "system E {\n coordinate q\n lagrangian q'^2/2 + q^6\n start q = 1\n}\n";
/* damped and driven, between walls, in more rows than one tile has, and one that explodes in its middle */
static const char CHAIN[] =
    "system C {\n coordinate x[9000]\n lagrangian sum(k in 1..9000: x[k]'^2/2)\n"
    " lagrangian -sum(k in 1..8999: (x[k+1] - x[k])^2/2 + (x[k+1] - x[k])^4/4)\n"
    " lagrangian -x[1]^2/2\n lagrangian -x[9000]^4/2\n"
    " for k in 1..9000 { force x[k]: sin(3*t) - 0.1*x[k]'\n start x[k] = 0.5*sin(0.5*k) }\n}\n";
static const char BURSTING[] =
    "system B {\n coordinate x[9000]\n"
    " lagrangian sum(k in 1..9000: x[k]'^2/2 + 1e-4*x[k]^6)\n"
    " lagrangian -sum(k in 1..8999: (x[k+1] - x[k])^2/2)\n"
    " for k in 1..9000 { start x[k] = 0.1*sin(0.5*k) }\n start x[5000]' = 300\n}\n";

static run open_run(const char *words, const char *scheme)
{
    const setting set[] = {{"scheme", scheme},
                           {"backend", "vm"},
                           {"step", "0.01"},
                           {"steps", "500"},
                           {"record", "0"},
                           {"monitor", "500"},
                           {0}};
    return begin_text(words, set);
}

static dal_status look_at_step(void *self, dal_sim *s)
{
    (void)self, (void)s;
    return DAL_OK;
}

/* One that looks at every step has them made one by one. */
static run make_run(const char *words, const char *scheme, bool one_by_one)
{
    const dal_observer looks = {.step = look_at_step};
    run                r = open_run(words, scheme);
    r.status = dal_run(r.s, one_by_one ? &looks : NULL);
    return r;
}

static void check_same(const char *words, const char *scheme, int n, dal_status ended)
{
    run                go = make_run(words, scheme, false), single = make_run(words, scheme, true);
    const size_t       bytes = (size_t)n * sizeof(double);
    const dal_summary *a = dal_summarise(go.s), *b = dal_summarise(single.s);
    assert_int_equal(go.status, ended);
    assert_int_equal(single.status, ended);
    assert_int_equal(dal_steps(go.s), dal_steps(single.s));
    assert_memory_equal(dal_q(go.s), dal_q(single.s), bytes);
    assert_memory_equal(dal_p(go.s), dal_p(single.s), bytes);
    assert_memory_equal(dal_v(go.s), dal_v(single.s), bytes);
    assert_true(dal_time(go.s) == dal_time(single.s));
    assert_true(a->work == b->work);
    /* of numbers that are too large, too */
    assert_memory_equal(&a->energy, &b->energy, sizeof a->energy);
    if (!ended) assert_int_equal(a->newton_iterations, b->newton_iterations);
    if (ended) assert_string_equal(a->error, b->error);
    end(&go), end(&single);
}

static void steps_in_one_go_have_the_bits_of_single_ones(void **state)
{
    static const char *const scheme[] = {"midpoint",     "trapezoid",
                                         "gauss(2)",     "lobatto(3)",
                                         "rectangle(0)", "compose(midpoint, suzuki(4))"};
    (void)state;
    for (size_t k = 0; k < sizeof scheme / sizeof *scheme; k++) {
        check_same(WELL, scheme[k], 1, DAL_OK);
        check_same(FORCED, scheme[k], 2, DAL_OK);
    }
    check_same(CHAIN, "trapezoid", 9000, DAL_OK);
}

static void a_step_that_cannot_be_made_ends_both_alike(void **state)
{
    (void)state;
    check_same(EXPLODING, "midpoint", 1, DAL_DIVERGED);
    check_same(EXPLODING, "gauss(2)", 1, DAL_DIVERGED);
}

static void numbers_that_are_not_finite_end_both_alike(void **state)
{
    (void)state;
    check_same(EXPLODING, "trapezoid", 1, DAL_DIVERGED);
    check_same(BURSTING, "trapezoid", 9000, DAL_DIVERGED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_in_one_go_have_the_bits_of_single_ones),
        cmocka_unit_test(a_step_that_cannot_be_made_ends_both_alike),
        cmocka_unit_test(numbers_that_are_not_finite_end_both_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
