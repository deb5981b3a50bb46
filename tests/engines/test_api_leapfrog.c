/* test_api_leapfrog.c - many explicit steps per pass: stretches of a chain in lanes, blocks on
 * threads and the gaps between them move as the chain does step by step, with the same bits
 * however they are divided. */
#include "api_run.h"
#include "native.h"

#include <stdlib.h>
#include <string.h>

static const char SPRINGS[] = "system Spring { coordinate a, b\n"
                              "  lagrangian (a'^2 + b'^2)/4 - (b - a)^2/2 - (b - a)^4/4 }\n"
                              "system Chain {\n"
                              "  part s[6500] : Spring\n"
                              "  for k in 1..6499 { connect s[k].b = s[k+1].a }\n"
                              "  for k in 1..6500 { start s[k].a = 0.5*sin(0.05*k) }\n"
                              "}\n";
/* masses and springs that differ, walls, a term at every third mass, one in the middle of all */
static const char UNEQUAL[] =
    "system Chain {\n"
    "  parameter m[7001] = 1\n"
    "  coordinate x[7001]\n"
    "  lagrangian sum(k in 1..7001: (m[k] + 0.2*sin(k))*x[k]'^2/2)\n"
    "  lagrangian -sum(k in 1..7000: (1 + 0.5*cos(k))*(x[k+1] - x[k])^2/2 + exp(x[k] - x[k+1]))\n"
    "  lagrangian -x[1]^2/2 - (x[7001] - 1)^4 - (x[3500] - x[3502])^2\n"
    "  lagrangian -sum(k in 1..2300: 0.1*cos(3*x[3*k]))\n"
    "  for k in 1..7001 { start x[k] = 0.3*cos(0.11*k)\n    start x[k]' = 0.1*sin(k) }\n"
    "}\n";
/* three coordinates a mass, each of its own weight, held at both ends */
static const char SPATIAL[] =
    "system Bead { coordinate r[3]\n  lagrangian r[1]'^2/2 + r[2]'^2 + 2*r[3]'^2 - 0.01*r[2]^4 }\n"
    "system Rope {\n"
    "  part m[3000] : Bead\n"
    "  lagrangian -sum(k in 1..2999:"
    " 20*(sqrt(sum(j in 1..3: (m[k+1].r[j] - m[k].r[j])^2)) - 1)^2)\n"
    "  lagrangian -sum(j in 1..3: m[1].r[j]^2/9 + m[3000].r[j]^2/9)\n"
    "  for k in 1..3000 { start m[k].r[1] = 3*cos(0.34*k)\n    start m[k].r[2] = 3*sin(0.34*k)\n"
    "    start m[k].r[3]' = 0.1*cos(0.3*k) }\n"
    "}\n";
/* springs side by side and to the mass after the next, of one kind, each as stiff as its part
 * says */
static const char DOUBLED[] =
    "system Spring { parameter k = 1\n  coordinate a, b\n"
    "  lagrangian -k*(b - a)^2/2 - (b - a)^4/4 }\n"
    "system Mass { coordinate x\n  lagrangian x'^2/2 }\n"
    "system Chain {\n"
    "  part m[5000] : Mass\n  part s[j in 1..4999] : Spring(k = 1 + j/5000)\n"
    "  part r[4999] : Spring\n"
    "  part far[4998] : Spring\n"
    "  for k in 1..4999 { connect s[k].a = m[k].x\n    connect s[k].b = m[k+1].x\n"
    "    connect r[k].a = m[k].x\n    connect r[k].b = m[k+1].x }\n"
    "  for k in 1..4998 { connect far[k].a = m[k].x\n    connect far[k].b = m[k+2].x }\n"
    "  for k in 1..5000 { start m[k].x = 0.5*sin(0.05*k) }\n"
    "}\n";
/* two kinds of mass and of spring in turn, in two chains with nothing between them */
static const char DIATOMIC[] =
    "system Chain {\n"
    "  coordinate x[4000], y[1000]\n"
    "  lagrangian sum(k in 1..2000: x[2*k]'^2/2 + x[2*k-1]'^2) + sum(k in 1..1000: y[k]'^2/2)\n"
    "  lagrangian -sum(k in 1..1999: (x[2*k+1] - x[2*k])^2/2)"
    " - sum(k in 1..2000: (x[2*k] - x[2*k-1])^4)\n"
    "  lagrangian -sum(k in 1..999: cosh(y[k+1] - y[k]))\n"
    "  for k in 1..4000 { start x[k] = 0.4*sin(0.2*k) }\n"
    "  for k in 1..1000 { start y[k] = 0.4*sin(0.1*k) }\n"
    "}\n";
/* rows far apart: blocks and zones only */
static const char LATTICE[] =
    "system Lattice {\n"
    "  coordinate u[200][40]\n"
    "  lagrangian sum(i in 1..200: sum(j in 1..40: u[i][j]'^2/2 - u[i][j]^4/8))\n"
    "  lagrangian -sum(i in 1..199: sum(j in 1..40: (u[i+1][j] - u[i][j])^2/2))\n"
    "  lagrangian -sum(i in 1..200: sum(j in 1..39: (u[i][j+1] - u[i][j])^2))\n"
    "  for i in 1..200 { for j in 1..40 { start u[i][j] = sin(0.2*i)*cos(0.3*j) } }\n"
    "}\n";

static const struct {
    const char *text, *summation;
} chains[] = {
    {SPRINGS, "plain"},       {SPRINGS, "compensated"}, {UNEQUAL, "compensated"},
    {SPATIAL, "plain"},       {DOUBLED, "compensated"}, {DIATOMIC, "plain"},
    {LATTICE, "compensated"},
};
enum { CHAINS = sizeof chains / sizeof *chains, STEPS = 77 };

static run begin(int chain, const char *backend, const char *threads, const char *solver,
                 const char *record)
{
    const setting set[] = {{"scheme", "trapezoid"}, {"summation", chains[chain].summation},
                           {"backend", backend},    {"threads", threads},
                           {"step", "0.02"},        {"steps", "77"},
                           {"solver", solver},      {"record", record},
                           {"monitor", "1000"},     {0}};
    return begin_text(chains[chain].text, set);
}

static void assert_same_state(int chain, const run *a, const run *b)
{
    const size_t bytes = dal_size(a->s) * sizeof(double);
    if (memcmp(dal_q(a->s), dal_q(b->s), bytes)) print_error("chain %d\n", chain);
    assert_memory_equal(dal_q(a->s), dal_q(b->s), bytes);
    assert_memory_equal(dal_p(a->s), dal_p(b->s), bytes);
}

/* On threads, and one after the other. */
static void many_steps_have_the_bits_of_each(void **state)
{
    (void)state;
    static const char *const threads[] = {"1", "2", "3"};
    for (int k = 0; k < CHAINS; k++) {
        run one = begin(k, "native", "1", "auto", "0");
        for (int i = 0; i < STEPS; i++) assert_int_equal(DAL_OK, dal_step(one.s));
        for (int t = 0; t < 3; t++) {
            run many = begin(k, "native", threads[t], "auto", "0");
            assert_int_equal(DAL_OK, dal_run(many.s, NULL));
            assert_int_equal(STEPS, dal_steps(many.s));
            assert_same_state(k, &one, &many);
            end(&many);
        }
        end(&one);
    }
}

/* So long that each thread has several blocks to take, with fewer steps than a wave holds at the
 * end. */
static void a_long_chain_is_shared_out_in_small_blocks(void **state)
{
    (void)state;
    static const char LONG[] =
        "system Chain {\n"
        "  coordinate x[150001]\n"
        "  lagrangian sum(k in 1..150001: x[k]'^2/2)\n"
        "  lagrangian -sum(k in 1..150000: (x[k+1] - x[k])^2/2 + (x[k+1] - x[k])^4/4)\n"
        "  for k in 1..150001 { start x[k] = 0.5*sin(0.05*k) }\n"
        "}\n";
    setting set[] = {{"scheme", "trapezoid"}, {"summation", "plain"}, {"backend", "native"},
                     {"threads", "1"},        {"step", "0.02"},       {"steps", "77"},
                     {"record", "0"},         {"monitor", "1000"},    {0}};
    run one = begin_text(LONG, set);
    assert_int_equal(DAL_OK, dal_run(one.s, NULL));
    set[3].value = "2";
    run two = begin_text(LONG, set);
    assert_int_equal(DAL_OK, dal_run(two.s, NULL));
    assert_same_state(-1, &one, &two);
    end(&one), end(&two);
}

static void many_steps_move_as_the_whole_does(void **state)
{
    (void)state;
    for (int k = 0; k < CHAINS; k++) {
        run many = begin(k, "native", "2", "auto", "0"),
            whole = begin(k, "vm", "1", "diagonal", "0");
        assert_int_equal(DAL_OK, dal_run(many.s, NULL));
        assert_int_equal(DAL_OK, dal_run(whole.s, NULL));
        for (size_t i = 0; i < dal_size(many.s); i++) {
            assert_true(fabs(dal_q(many.s)[i] - dal_q(whole.s)[i]) < 1e-12);
            assert_true(fabs(dal_p(many.s)[i] - dal_p(whole.s)[i]) < 1e-12);
        }
        end(&many), end(&whole);
    }
}

/* States that are recorded on the way cut the steps into other numbers of them. */
static void what_is_recorded_changes_no_bit(void **state)
{
    (void)state;
    static const char *const every[] = {"1", "5", "19", "40"};
    for (int k = 0; k < CHAINS; k += 3) {
        run alone = begin(k, "native", "1", "auto", "0");
        assert_int_equal(DAL_OK, dal_run(alone.s, NULL));
        for (size_t e = 0; e < sizeof every / sizeof *every; e++) {
            run recorded = begin(k, "native", "2", "auto", every[e]);
            assert_int_equal(DAL_OK, dal_run(recorded.s, NULL));
            assert_same_state(k, &alone, &recorded);
            end(&recorded);
        }
        end(&alone);
    }
}

/* Numbers of the parts are read anew. */
static void a_parameter_that_changes_is_seen(void **state)
{
    (void)state;
    run by[2] = {begin(2, "vm", "1", "auto", "0"), begin(2, "native", "2", "auto", "0")};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(DAL_OK, dal_run(by[k].s, NULL));
        assert_int_equal(DAL_OK, dal_set_parameter(by[k].s, "m[3000]", 2.5));
        assert_int_equal(DAL_OK, dal_set_state(by[k].s, 0, dal_q(by[k].s), NULL, dal_p(by[k].s)));
        assert_int_equal(DAL_OK, dal_run(by[k].s, NULL));
    }
    check_below(states_apart(&by[0], &by[1]), 1e-12);
    end(&by[0]), end(&by[1]);
}

/* Masses are kept where only the state is new. */
static void a_state_that_is_put_moves_as_from_the_start(void **state)
{
    (void)state;
    for (int k = 0; k < CHAINS; k += 3) {
        run by[2] = {begin(k, "native", "2", "auto", "0"), begin(k, "native", "1", "auto", "0")};
        const size_t bytes = dal_size(by[0].s) * sizeof(double);
        double      *q = malloc(bytes), *p = malloc(bytes);
        memcpy(q, dal_q(by[0].s), bytes);
        memcpy(p, dal_p(by[0].s), bytes);
        assert_int_equal(DAL_OK, dal_run(by[0].s, NULL));
        assert_int_equal(DAL_OK, dal_set_state(by[0].s, 0, q, NULL, p));
        for (int i = 0; i < 2; i++) assert_int_equal(DAL_OK, dal_run(by[i].s, NULL));
        assert_same_state(k, &by[0], &by[1]);
        free(q), free(p), end(&by[0]), end(&by[1]);
    }
}

/* In a simulation that is new, and in one that was elsewhere. */
static void a_checkpoint_is_gone_on_from_to_the_bit(void **state)
{
    (void)state;
    for (int k = 0; k < CHAINS; k += 3) {
        run             a = begin(k, "native", "2", "auto", "0"), b = {.cx = a.cx};
        const void     *bytes;
        size_t          length;
        dal_checkpoint *c;
        for (int i = 0; i < 3; i++) assert_int_equal(DAL_OK, dal_step(a.s));
        assert_int_equal(DAL_OK, dal_sim_save_to_memory(a.s, &bytes, &length));
        assert_int_equal(DAL_OK, dal_checkpoint_parse(a.cx, bytes, length, &c));
        assert_int_equal(DAL_OK, dal_run(a.s, NULL));
        assert_int_equal(DAL_OK, dal_checkpoint_resume(c, &b.m, &b.s));
        assert_int_equal(DAL_OK, dal_run(b.s, NULL));
        assert_same_state(k, &a, &b);
        assert_int_equal(DAL_OK, dal_sim_restore(b.s, c));
        assert_int_equal(DAL_OK, dal_run(b.s, NULL));
        assert_same_state(k, &a, &b);
        dal_checkpoint_free(c), dal_sim_free(b.s), dal_model_free(b.m), end(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_steps_have_the_bits_of_each),
        cmocka_unit_test(a_long_chain_is_shared_out_in_small_blocks),
        cmocka_unit_test(many_steps_move_as_the_whole_does),
        cmocka_unit_test(what_is_recorded_changes_no_bit),
        cmocka_unit_test(a_parameter_that_changes_is_seen),
        cmocka_unit_test(a_state_that_is_put_moves_as_from_the_start),
        cmocka_unit_test(a_checkpoint_is_gone_on_from_to_the_bit),
    };
    return cmocka_run_group_tests(tests, open_own_cache, remove_own_cache);
}
