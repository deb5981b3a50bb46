/* test_api_energy_turning.c - the energy principle at turning points: a chord may turn back at its
 * middle and end where it began, and is a step like any other. */
#include "api_run.h"

static const char WELL[] = "system Well {\n coordinate q\n lagrangian q'^2/2 - (q^4 - q^2)/2\n"
                           " start q = 0.74\n}\n";

/* Among this many steps some chord has an increment of less than 1e-9 of the others. */
static void steps_go_on_for_long(void **state)
{
    static const char *const backend[] = {"vm", "native"}, *const step[] = {"0.1", "0.01"};
    (void)state;
    for (int k = 0; k < 4; k++) {
        const setting set[] = {{"principle", "energy"},
                               {"scheme", "midpoint"},
                               {"step", step[k / 2]},
                               {"steps", "100000"},
                               {"record", "100000"},
                               {"backend", backend[k % 2]},
                               {0}};
        run           r = begin_text(WELL, set);
        run_to_end(&r);
        assert_int_equal(dal_steps(r.s), 100000);
        check_below(dal_summarise(r.s)->balance_error, 1e-15);
        end(&r);
    }
}

/* From p = h q/2 the chord of an oscillator stays at q, and all its chords have one length. The
 * step before that one is the step from -p, mirrored. */
static void a_chord_may_end_where_it_began(void **state)
{
    static const char *const backend[] = {"vm", "native"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        const setting set[] = {{"principle", "energy"},
                               {"scheme", "midpoint"},
                               {"step", "0.1"},
                               {"backend", backend[k]},
                               {0}};
        run           r = begin_text("system Spring {\n coordinate q\n"
                                               " lagrangian q'^2/2 - q^2/2\n start q = 1\n}\n",
                                     set);
        const double  h = 0.1, at = 0.99, x = -h * at / (1 + h * h / 4);
        const double  q = at + h * x, p = -(2 * x + h * at / 2);
        assert_int_equal(dal_set_state(r.s, 0, &q, NULL, &p), DAL_OK);
        assert_int_equal(dal_step(r.s), DAL_OK);
        check_close(*dal_q(r.s), at, 1e-15);
        check_close(*dal_p(r.s), h * at / 2, 1e-15);
        for (int j = 1; j < 200; j++) assert_int_equal(dal_step(r.s), DAL_OK);
        check_close(dal_time(r.s), 20, 1e-9);
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_go_on_for_long),
        cmocka_unit_test(a_chord_may_end_where_it_began),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
