/* test_api_branches.c - large networks: relations of several currents take out a coordinate each,
 * and nothing of the motion, the reactions or the energy tells. */
#include "api_run.h"

#include <string.h>

/* Capacitors have a resistance and another one in series, by a transformer; currents divide in the
 * ratio r. */
static const char LADDER[] =
    "system Coil { parameter L = 1\n coordinate q\n lagrangian L*q'^2/2 }\n"
    "system Resistor { coordinate q\n force q: -0.05*q' }\n"
    "system Capacitor { coordinate q\n lagrangian -q^2/2 - q^4/10\n force q: -0.1*q' }\n"
    "system Cell {\n"
    "  part coil : Coil\n  part wire : Resistor\n  part plate : Capacitor\n  part second : "
    "Capacitor\n"
    "  connect coil.q' = wire.q'\n"
    "  connect plate.q' = 2*second.q'\n"
    "}\n"
    "system Ladder {\n"
    "  parameter N = 10, r = 1.5\n"
    "  part source : Capacitor\n"
    "  part cell[N] : Cell\n"
    "  connect source.q' = cell[1].coil.q'\n"
    "  connect node[k in 1..N-1]: cell[k].wire.q' = r*cell[k].plate.q' + cell[k+1].coil.q'\n"
    "  connect cell[N].wire.q' = cell[N].plate.q'\n"
    "  force cell[1].coil.q: sin(t)\n"
    "  for k in 1..N { start cell[k].coil.q' = 0.3*cos(0.1*k) }\n"
    "  for k in 1..N { start cell[k].plate.q = 0.2*sin(0.3*k) }\n"
    "}\n";

static run begin(const char *joined, const char *count, const char *summation)
{
    const setting set[] = {{"interconnection", joined},
                           {"set", count},
                           {"summation", summation},
                           {"step", "0.05"},
                           {"steps", "100"},
                           {0}};
    return begin_text(LADDER, set);
}

static void nodes_that_are_taken_out_act_as_those_that_are_kept(void **state)
{
    (void)state;
    run out = begin("eliminate", "N=90", "compensated"),
        kept = begin("multipliers", "N=90", "compensated");
    size_t n = dal_size(out.s);
    for (int k = 0; k < 100; k++) {
        assert_int_equal(DAL_OK, dal_step(out.s));
        assert_int_equal(DAL_OK, dal_step(kept.s));
    }
    assert_true(apart(dal_q(out.s), dal_q(kept.s), n) < 1e-12);
    assert_true(apart(dal_p(out.s), dal_p(kept.s), n) < 1e-12);
    assert_true(fabs(measure(&out, "energy") - measure(&kept, "energy")) < 1e-11);
    static const char *const node[] = {"node[1]", "node[40]", "node[89]"};
    for (int k = 0; k < 3; k++)
        assert_true(fabs(measure(&out, node[k]) - measure(&kept, node[k])) < 1e-9);
    end(&out), end(&kept);
}

/* The chain of a large ladder is solved as one: no relation is left to solve. */
static void a_large_ladder_becomes_a_chain(void **state)
{
    (void)state;
    run large = begin("eliminate", "N=200", "plain"), small = begin("eliminate", "N=20", "plain");
    assert_string_equal(dal_summarise(large.s)->solver, "tridiagonal");
    assert_string_not_equal(dal_summarise(small.s)->solver, "tridiagonal");
    end(&large), end(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_that_are_taken_out_act_as_those_that_are_kept),
        cmocka_unit_test(a_large_ladder_becomes_a_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
