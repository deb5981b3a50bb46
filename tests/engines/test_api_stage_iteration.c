/* test_api_stage_iteration.c - stages of large systems iterated in compiled passes (engine `stages`): the
 * steps of the general engine for chains, ladders, lattices, nested arrays, forces of every kind
 * and compositions; the same bits on any number of threads and after a checkpoint; steps that are
 * too long for it; and back in time to where the motion began. */
#include "compiled.h"
#include "native.h"
#include "springs.h"

static const char PLAIN[] = CHAIN_OF(700, ""), LONG[] = CHAIN_OF(40000, "");
static const char DRIVEN[] = CHAIN_OF(500, "  lagrangian sum(i in 1..N: 0.1*u[i]*sin(2*t + i))\n");
static const char DRAGGED[] =
    CHAIN_OF(500, "  for i in 1..N { force u[i]: -0.2*u[i]' - 0.1*u[i]'^3 + 0.1*cos(u[i] + t) }\n");
static const char PUSHED[] = CHAIN_OF(500, "  for i in 1..N { force u[i]: 0.1*cos(u[i]) }\n");
static const char LADDER[] = LADDER_OF(300, "u[i]'^2/2 + w[i]'^2");
static const char LATTICE[] = LATTICE_OF(30), NESTED[] = CELLS_OF(150);

typedef struct {
    const char *text, *scheme, *step;
} row;

static const row rows[] = {
    {PLAIN, "gauss(2)", "0.3"},   {PLAIN, "gauss(3)", "0.4"},
    {PLAIN, "gauss(4)", "0.4"},   {PLAIN, "gauss(5)", "0.4"},
    {PLAIN, "lobatto(3)", "0.2"}, {PLAIN, "radau(2)", "0.2"},
    {PLAIN, "gauss(2)", "1.5"},   {LONG, "gauss(2)", "0.3"},
    {DRIVEN, "gauss(2)", "0.2"},  {DRIVEN, "gauss(3)", "-0.2"},
    {DRAGGED, "gauss(2)", "0.1"}, {DRAGGED, "gauss(3)", "0.1"},
    {PUSHED, "gauss(2)", "0.2"},  {LADDER, "gauss(2)", "0.2"},
    {LATTICE, "gauss(2)", "0.2"}, {LATTICE, "gauss(3)", "0.3"},
    {LATTICE, "midpoint", "0.1"}, {NESTED, "gauss(2)", "0.3"},
    {NESTED, "gauss(3)", "0.3"},  {PLAIN, "compose(gauss(2), yoshida(6))", "0.3"},
};

enum { STEPS = 30 };

static run begin_row(const row *r, const char *backend, const char *threads, const char *summation)
{
    const bool    back = r->step[0] == '-';
    const setting set[] = {{"scheme", r->scheme},
                           {"step", r->step + back},
                           {back ? "until" : "steps", back ? "-6" : "30"},
                           {"backend", backend},
                           {"threads", threads},
                           {"monitor", "1"},
                           {"summation", summation},
                           {0}};
    return begin_text(r->text, set);
}

static void sweeps_make_the_steps_of_the_general_engine(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (int plain = 0; plain < (k ? 1 : 2); plain++) {
            const char *sums = plain ? "plain" : "compensated";
            run         a = begin_row(&rows[k], "native", NULL, sums);
            run         b = begin_row(&rows[k], "vm", NULL, sums);
            run_to_end(&a), run_to_end(&b);
            const dal_summary *x = dal_summarise(a.s), *y = dal_summarise(b.s);
            if (!x->is_fused) print_error("%s %s is not swept\n", rows[k].scheme, rows[k].step);
            assert_true(x->is_fused && !y->is_fused);
            check_below(states_apart(&a, &b), 4 * STEPS * DBL_EPSILON);
            check_close(x->work, y->work, 1e-13 * (1 + fabs(y->work)));
            check_below(x->dirac_residual, 1e-13);
            end(&a), end(&b);
        }
}

static void same_bits(const run *a, const run *b)
{
    const size_t bytes = dal_size(a->s) * sizeof(double);
    assert_memory_equal(dal_q(a->s), dal_q(b->s), bytes);
    assert_memory_equal(dal_p(a->s), dal_p(b->s), bytes);
}

static void threads_and_checkpoints_change_no_bit(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        run             whole = begin_row(&rows[k], "native", "1", NULL);
        run             half = begin_row(&rows[k], "native", "2", NULL);
        run             rest = begin_row(&rows[k], "native", "3", NULL);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_make_the_steps_of_the_general_engine),
        cmocka_unit_test(threads_and_checkpoints_change_no_bit),
    };
    return cmocka_run_group_tests(tests, open_own_cache, remove_own_cache);
}
