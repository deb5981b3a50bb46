/* Systems that relations hold at rest: nothing moves, and reactions balance the forces. */
#include "api_run.h"

#include <math.h>
#include <stdio.h>

/* All increments are roundoff of the reaction, which balances the force, linear or not, at 0 too.
 */
static void a_system_that_relations_hold_stays(void **state)
{
    (void)state;
    static const char *const        scheme[] = {"gauss(1)", "gauss(2)", "gauss(3)", "lobatto(3)"},
                             *const potential[] = {"0", "cos(a)"}, *const at[] = {"0", "1"};
    for (int k = 0; k < 16; k++) {
        char          text[300];
        const setting set[] = {{"scheme", scheme[k % 4]}, {"step", "0.01"}, {"until", "6"}, {0}};
        snprintf(text, sizeof text,
                 "system S { coordinate a\n lagrangian a'^2/2 + %s\n force a: -1 + 3*sin(2*t)\n"
                 " constraint hold: a' = 0\n output F = hold\n start a = %s }",
                 potential[k / 4 % 2], at[k / 8]);
        run          r = begin_text(text, set);
        const double a = k / 8, force = -1 + 3 * sin(12) - (k / 4 % 2 ? sin(a) : 0);
        run_to_end(&r);
        check_close(dal_q(r.s)[0], a, 1e-18);
        check_close(measure(&r, "F"), -force, 1e-12);
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_system_that_relations_hold_stays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
