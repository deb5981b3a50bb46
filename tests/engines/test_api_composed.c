/* test_api_composed.c - compositions of explicit steps of large systems by engine `leapfrog`: the
 * substeps of the general engine, forward and backward, in lanes and in rows, with forces that
 * depend on time; the same bits on any number of threads, step by step and after a checkpoint; a
 * run that blows up ends where it does step by step. */
#include "compiled.h"
#include "native.h"
#include "springs.h"

static const char SHORT[] = CHAIN_OF(700, ""), LONG[] = CHAIN_OF(9000, "");
static const char DRIVEN[] = CHAIN_OF(5000, "  lagrangian sum(i in 1..N: 0.1*u[i]*sin(2*t + i))\n");
static const char UNSTABLE[] = CHAIN_OF(5000, "  lagrangian sum(i in 1..N: 5*u[i]^6)\n");
static const char LATTICE[] = LATTICE_OF(30);

typedef struct {
    const char *text, *scheme, *until, *summation;
} row;

static const row rows[] = {
    {SHORT, "compose(trapezoid, yoshida(4))", "6", "compensated"},
    {LONG, "compose(trapezoid, yoshida(4))", "6", "compensated"},
    {LONG, "compose(trapezoid, yoshida(4))", "6", "plain"},
    {LONG, "compose(trapezoid, suzuki(4))", "-6", "compensated"},
    {DRIVEN, "compose(trapezoid, yoshida(6))", "6", "compensated"},
    {DRIVEN, "compose(trapezoid, yoshida(6))", "-6", "compensated"},
    {LATTICE, "compose(trapezoid, suzuki(4))", "6", "compensated"},
};
enum { ROWS = sizeof rows / sizeof *rows, STEPS = 60 };

static run begin_row(const row *r, const char *backend, const char *threads)
{
    const setting set[] = {{"scheme", r->scheme},
                           {"step", "0.1"},
                           {"until", r->until},
                           {"summation", r->summation},
                           {"backend", backend},
                           {"threads", threads},
                           {0}};
    return begin_text(r->text, set);
}

static void substeps_are_those_of_the_general_engine(void **state)
{
    (void)state;
    for (size_t k = 0; k < ROWS; k++) {
        run a = begin_row(&rows[k], "native", NULL), b = begin_row(&rows[k], "vm", NULL);
        run_to_end(&a), run_to_end(&b);
        assert_true(dal_summarise(a.s)->is_fused && !dal_summarise(b.s)->is_fused);
        check_below(states_apart(&a, &b), 4 * STEPS * DBL_EPSILON);
        check_below(dal_summarise(a.s)->dirac_residual, 1e-13);
        end(&a), end(&b);
    }
}

static void same_bits(const run *a, const run *b)
{
    const size_t bytes = dal_size(a->s) * sizeof(double);
    assert_memory_equal(dal_q(a->s), dal_q(b->s), bytes);
    assert_memory_equal(dal_p(a->s), dal_p(b->s), bytes);
    assert_memory_equal(dal_v(a->s), dal_v(b->s), bytes);
}

static void threads_and_checkpoints_change_no_bit(void **state)
{
    (void)state;
    for (size_t k = 0; k < ROWS; k++) {
        run whole = begin_row(&rows[k], "native", "1"), half = begin_row(&rows[k], "native", "2"),
            rest = begin_row(&rows[k], "native", "3");
        const void     *bytes;
        size_t          length;
        dal_checkpoint *c;
        for (int i = 0; i < STEPS / 2; i++) must(&half, dal_step(half.s));
        must(&half, dal_sim_save_to_memory(half.s, &bytes, &length));
        must(&rest, dal_checkpoint_parse(rest.cx, bytes, length, &c));
        must(&rest, dal_sim_restore(rest.s, c));
        dal_checkpoint_free(c);
        run_to_end(&whole), run_to_end(&half), run_to_end(&rest);
        same_bits(&whole, &half), same_bits(&whole, &rest);
        end(&whole), end(&half), end(&rest);
    }
}

static void a_run_that_blows_up_ends_where_it_does_step_by_step(void **state)
{
    (void)state;
    const row r = {UNSTABLE, "compose(trapezoid, yoshida(4))", "60", "compensated"};
    run       a = begin_row(&r, "native", "1"), b = begin_row(&r, "native", "1");
    assert_int_not_equal(dal_advance(a.s, 600), DAL_OK);
    while (!dal_step(b.s)) continue;
    assert_true(dal_summarise(a.s)->steps > 0);
    assert_int_equal(dal_summarise(a.s)->steps, dal_summarise(b.s)->steps);
    same_bits(&a, &b);
    end(&a), end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(substeps_are_those_of_the_general_engine),
        cmocka_unit_test(threads_and_checkpoints_change_no_bit),
        cmocka_unit_test(a_run_that_blows_up_ends_where_it_does_step_by_step),
    };
    return cmocka_run_group_tests(tests, open_own_cache, remove_own_cache);
}
