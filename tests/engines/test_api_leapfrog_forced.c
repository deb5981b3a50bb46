/* test_api_leapfrog_forced.c - many explicit steps in one go where forces act: resistance, forces
 * of the position and of time, or all of them, on all masses or on a few, move a chain as Newton's
 * steps do, do the same work, and give the same bits however the chain is divided. */
#include "api_run.h"
#include "native.h"

#include <string.h>

/* the same resistance everywhere */
static const char DAMPED[] = "system Spring { coordinate a, b\n"
                             "  lagrangian (a'^2 + b'^2)/4 - (b - a)^2/2 - (b - a)^4/4\n"
                             "  force a: -0.05*a'\n  force b: -0.05*b' }\n"
                             "system Chain {\n"
                             "  parameter N = 6000\n"
                             "  part s[N] : Spring\n"
                             "  for k in 1..N-1 { connect s[k].b = s[k+1].a }\n"
                             "  for k in 1..N { start s[k].a = 0.5*sin(0.05*k) }\n"
                             "}\n";
/* masses and resistances that differ, and a force that follows each mass */
static const char UNEQUAL[] =
    "system Chain {\n"
    "  parameter N = 5000\n"
    "  parameter r[N] = 0.1\n"
    "  coordinate x[N]\n"
    "  lagrangian sum(k in 1..N: (1 + 0.2*sin(k))*x[k]'^2/2)\n"
    "  lagrangian -sum(k in 1..N-1: (x[k+1] - x[k])^2/2 + exp(x[k] - x[k+1]))\n"
    "  for k in 1..N { force x[k]: -(r[k] + 0.05*cos(k))*x[k]' - 0.3*x[k]^3\n"
    "    start x[k] = 0.3*cos(0.11*k)\n    start x[k]' = 0.1*sin(k) }\n"
    "}\n";
/* weight, and a few that are pushed or braked */
static const char FEW[] =
    "system Bead { coordinate r[2]\n  lagrangian r[1]'^2/2 + r[2]'^2\n  force r[2]: -0.4 }\n"
    "system Rope {\n"
    "  parameter N = 3000\n"
    "  part m[N] : Bead\n"
    "  lagrangian -sum(k in 1..N-1: 20*(sqrt(sum(j in 1..2: (m[k+1].r[j] - m[k].r[j])^2)) - 1)^2)\n"
    "  lagrangian -sum(j in 1..2: m[1].r[j]^2/9 + m[N].r[j]^2/9)\n"
    "  force m[2].r[1]: 0.5*m[2].r[2]^2 - m[2].r[1]'\n"
    "  force m[N/2].r[2]: 1 - 2*m[N/2].r[2]'\n"
    "  for k in 1..N { start m[k].r[1] = 3*cos(0.34*k)\n    start m[k].r[2] = 3*sin(0.34*k) }\n"
    "}\n";

/* a wall that moves, all pushed in turn, and one that is shaken */
static const char DRIVEN[] =
    "system Chain {\n"
    "  parameter N = 5000\n"
    "  coordinate x[N]\n"
    "  lagrangian sum(k in 1..N: x[k]'^2/2) - (x[1] - sin(3*t))^2/2\n"
    "  lagrangian -sum(k in 1..N-1: (x[k+1] - x[k])^2/2 + (x[k+1] - x[k])^4/4)\n"
    "  for k in 1..N { force x[k]: 0.1*cos(t + 0.01*k) - 0.02*x[k]'\n"
    "    start x[k] = 0.3*cos(0.11*k) }\n"
    "  force x[N/2]: t*sin(20*t)\n"
    "}\n";

static const struct {
    const char *text, *summation;
} chains[] = {{DAMPED, "plain"}, {DAMPED, "compensated"}, {UNEQUAL, "plain"},
              {UNEQUAL, "compensated"}, {FEW, "plain"}, {FEW, "compensated"},
              {DRIVEN, "plain"}, {DRIVEN, "compensated"}};
enum { CHAINS = sizeof chains / sizeof *chains, STEPS = 77 };

static run begin(int chain, const char *backend, const char *threads, const char *N)
{
    const setting set[] = {{"scheme", "trapezoid"}, {"summation", chains[chain].summation},
                           {"backend", backend},    {"threads", threads},
                           {"step", "0.02"},        {"steps", "77"},
                           {"record", "0"},         {"monitor", "1000"},
                           {"set", N},              {0}};
    return begin_text(chains[chain].text, set);
}

static void assert_same(const run *a, const run *b)
{
    const size_t bytes = dal_size(a->s) * sizeof(double);
    const double work[] = {dal_summarise(a->s)->work, dal_summarise(b->s)->work};
    assert_memory_equal(dal_q(a->s), dal_q(b->s), bytes);
    assert_memory_equal(dal_p(a->s), dal_p(b->s), bytes);
    assert_memory_equal(&work[0], &work[1], sizeof work[0]);
}

/* The general engine leads there too. */
static void many_steps_have_the_same_bits_on_any_number_of_threads(void **state)
{
    (void)state;
    for (int k = 0; k < CHAINS; k++) {
        run whole = begin(k, "vm", "1", "N=5200"), one = begin(k, "native", "1", "N=5200"),
            two = begin(k, "native", "2", "N=5200");
        run_to_end(&whole);
        run_to_end(&one);
        run_to_end(&two);
        assert_same(&one, &two);
        check_below(states_apart(&whole, &one), 1e-13);
        check_close(dal_summarise(whole.s)->work, dal_summarise(one.s)->work, 1e-12);
        end(&whole), end(&one), end(&two);
    }
}

/* To the bit, unless times are read, which are added up in another way. */
static void single_steps_lead_where_many_do(void **state)
{
    (void)state;
    for (int k = 1; k < CHAINS; k += 2) {
        run one = begin(k, "native", "1", "N=5200"), many = begin(k, "native", "2", "N=5200");
        for (int i = 0; i < STEPS; i++) assert_int_equal(DAL_OK, dal_step(one.s));
        run_to_end(&many);
        check_below(states_apart(&one, &many), chains[k].text == DRIVEN ? 1e-14 : 0);
        check_close(dal_summarise(one.s)->work, dal_summarise(many.s)->work, 1e-12);
        end(&one), end(&many);
    }
}

/* Small systems are compiled as Newton's steps: the same equations, solved by others. */
static void newton_leads_there_too(void **state)
{
    (void)state;
    for (int k = 1; k < CHAINS; k += 2) {
        run by[] = {begin(k, "vm", "1", "N=8"), begin(k, "native", "1", "N=8")};
        for (int i = 0; i < 2; i++) run_to_end(&by[i]);
        check_below(states_apart(&by[0], &by[1]), 1e-13);
        check_close(dal_summarise(by[1].s)->work, dal_summarise(by[0].s)->work, 1e-12);
        end(&by[0]), end(&by[1]);
    }
}

/* What forces do is what the energy changes by, to the second order. */
static double off_balance(const char *step, long steps)
{
    const setting set[] = {{"scheme", "trapezoid"}, {"backend", "native"}, {"threads", "2"},
                           {"step", step},          {"record", "0"},       {0}};
    run           r = begin_text(UNEQUAL, set);
    const double  before = measure(&r, "energy");
    must(&r, dal_advance(r.s, steps));
    const double off = dal_summarise(r.s)->work - (measure(&r, "energy") - before);
    end(&r);
    return off;
}

static void work_is_what_the_energy_changes_by(void **state)
{
    (void)state;
    check_close(off_balance("0.04", 50) / off_balance("0.02", 100), 4, 0.05);
}

/* Resistances are read anew. */
static void a_resistance_that_changes_is_seen(void **state)
{
    (void)state;
    run by[2] = {begin(3, "vm", "1", "N=5200"), begin(3, "native", "2", "N=5200")};
    for (int k = 0; k < 2; k++) {
        run_to_end(&by[k]);
        assert_int_equal(DAL_OK, dal_set_parameter(by[k].s, "r[2600]", 2.5));
        assert_int_equal(DAL_OK, dal_set_state(by[k].s, 0, dal_q(by[k].s), NULL, dal_p(by[k].s)));
        run_to_end(&by[k]);
    }
    check_below(states_apart(&by[0], &by[1]), 1e-12);
    end(&by[0]), end(&by[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_steps_have_the_same_bits_on_any_number_of_threads),
        cmocka_unit_test(single_steps_lead_where_many_do),
        cmocka_unit_test(newton_leads_there_too),
        cmocka_unit_test(work_is_what_the_energy_changes_by),
        cmocka_unit_test(a_resistance_that_changes_is_seen),
    };
    return cmocka_run_group_tests(tests, open_own_cache, remove_own_cache);
}
