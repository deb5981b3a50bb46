/* test_api_chain_steps.c - steps of a compiled chain stay in lanes: whoever reads or saves the
 * state, sets another or steps otherwise between two steps finds the results of a run that someone
 * watches (here a ledger), which returns to rows after every step. */
#include "api_run.h"
#include "native.h"

#include <string.h>

/* a wall in front, whose rows are not those of the others, and lengths that no partition divides */
static const char CHAIN[] = "system Chain {\n"
                            "  coordinate x[2503]\n"
                            "  lagrangian sum(k in 1..2503: x[k]'^2/2) - sum(k in 1..2502: (x[k+1] "
                            "- x[k])^2/2 + (x[k+1] - x[k])^4/4)\n"
                            "  lagrangian -x[1]^4\n"
                            "  for k in 1..2503 { start x[k] = 0.3*cos(0.2*k) }\n"
                            "}\n";

/* springs that stiffen all at once, which no past step foretells */
static const char STIFFENING[] =
    "system Chain {\n"
    "  coordinate x[2503]\n"
    "  lagrangian sum(k in 1..2503: x[k]'^2/2) - sum(k in 1..2502: (1 + if(t > 2.5, 60, 0))\n"
    "    * (x[k+1] - x[k])^2/2 + (x[k+1] - x[k])^4/4)\n"
    "  for k in 1..2503 { start x[k] = 0.3*cos(0.2*k) }\n"
    "}\n";

enum { STEPS = 12 };

static run begin_of(const char *words, const char *ledger, const char *summation)
{
    const setting set[] = {{"scheme", "midpoint"}, {"summation", summation}, {"backend", "native"},
                           {"step", "0.4"},        {"steps", "12"},          {"ledger", ledger},
                           {0}};
    return begin_text(words, set);
}

static run begin(const char *summation)
{
    return begin_of(CHAIN, "no", summation);
}

static run begin_watched(const char *summation)
{
    return begin_of(CHAIN, "yes", summation);
}

static void step(const run *r, int count)
{
    for (int k = 0; k < count; k++) must(r, dal_step(r->s));
}

static void are_the_same(const run *a, const run *b)
{
    const size_t bytes = a->n * sizeof(double);
    assert_memory_equal(dal_q(a->s), dal_q(b->s), bytes);
    assert_memory_equal(dal_p(a->s), dal_p(b->s), bytes);
    assert_memory_equal(dal_v(a->s), dal_v(b->s), bytes);
}

static const char *const summations[] = {"plain", "compensated"};

static void who_looks_after_every_step_sees_what_a_watched_run_has(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        run rows = begin_watched(summations[k]), lanes = begin(summations[k]);
        for (int i = 0; i < STEPS; i++)
            step(&rows, 1), step(&lanes, 1), are_the_same(&rows, &lanes);
        assert_int_equal(dal_summarise(rows.s)->newton_iterations,
                         dal_summarise(lanes.s)->newton_iterations);
        end(&rows), end(&lanes);
    }
}

static void who_looks_at_the_end_only_sees_the_same(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        run rows = begin_watched(summations[k]), lanes = begin(summations[k]);
        run_to_end(&rows), run_to_end(&lanes);
        are_the_same(&rows, &lanes);
        assert_true(measure(&rows, "energy") == measure(&lanes, "energy"));
        end(&rows), end(&lanes);
    }
}

/* All that a simulation goes on from: the state, that before, and past solutions. */
static void are_the_same_inside(const run *a, const run *b)
{
    const void *of_a, *of_b;
    size_t      bytes, bytes_of_b;
    must(a, dal_sim_save_to_memory(a->s, &of_a, &bytes));
    must(b, dal_sim_save_to_memory(b->s, &of_b, &bytes_of_b));
    assert_int_equal(bytes, bytes_of_b);
    assert_memory_equal(of_a, of_b, bytes);
}

static void steps_in_one_go_are_those_one_by_one(void **state)
{
    static const char *const texts[] = {CHAIN, STIFFENING};
    (void)state;
    for (int k = 0; k < 2; k++) {
        run one = begin_of(texts[k], "no", summations[k]),
            all = begin_of(texts[k], "no", summations[k]);
        for (int count = 3; count < 6; count++) {
            step(&one, count);
            must(&all, dal_advance(all.s, count));
            are_the_same(&one, &all), are_the_same_inside(&one, &all);
        }
        assert_int_equal(dal_summarise(one.s)->newton_iterations,
                         dal_summarise(all.s)->newton_iterations);
        end(&one), end(&all);
    }
}

static void a_chain_that_was_saved_goes_on_as_if_it_had_not(void **state)
{
    (void)state;
    run whole = begin("compensated"), first = begin("compensated"),
        second = {.n = whole.n};
    const void     *bytes;
    size_t          length;
    dal_checkpoint *kept;
    step(&whole, STEPS), step(&first, 7);
    must(&first, dal_sim_save_to_memory(first.s, &bytes, &length));
    second.cx = dal_context_new(NULL), second.o = dal_options_new(second.cx);
    must(&second, dal_checkpoint_parse(second.cx, bytes, length, &kept));
    must(&second, dal_checkpoint_resume(kept, &second.m, &second.s));
    dal_checkpoint_free(kept);
    step(&first, STEPS - 7), step(&second, STEPS - 7);
    are_the_same(&whole, &first), are_the_same(&whole, &second);
    end(&whole), end(&first), end(&second);
}

static void a_state_that_is_put_counts_and_nothing_from_before(void **state)
{
    (void)state;
    run    fresh = begin("plain"), lanes = begin("plain");
    double q[2503], p[2503];
    for (int i = 0; i < 2503; i++) q[i] = 0.1 * sin(0.3 * i), p[i] = 0.2 * cos(i);
    for (int k = 0; k < 2; k++) {
        step(&lanes, 6);
        must(&lanes, dal_set_state(lanes.s, 0, q, NULL, p));
    }
    must(&fresh, dal_set_state(fresh.s, 0, q, NULL, p));
    step(&fresh, 6), step(&lanes, 6);
    are_the_same(&fresh, &lanes);
    end(&fresh), end(&lanes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_looks_after_every_step_sees_what_a_watched_run_has),
        cmocka_unit_test(who_looks_at_the_end_only_sees_the_same),
        cmocka_unit_test(steps_in_one_go_are_those_one_by_one),
        cmocka_unit_test(a_chain_that_was_saved_goes_on_as_if_it_had_not),
        cmocka_unit_test(a_state_that_is_put_counts_and_nothing_from_before),
    };
    return cmocka_run_group_tests(tests, open_own_cache, remove_own_cache);
}
