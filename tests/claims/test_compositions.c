/* test_compositions.c - every composition of the table, on several bases, has the order that it
 * claims, also for forces that depend on velocity and time; and schemes that are not symmetric are
 * refused. */
#include "measured_order.h"

static void compositions_have_their_order(void **state)
{
    static const char *const base[] = {"midpoint", "trapezoid"};
    static const char *const higher[] = {"compose(gauss(2), triple(6))",
                                         "compose(lobatto(3), suzuki(6))",
                                         "compose(gauss(2), triple(8))"};
    scheme                   sch;
    (void)state;
    each_composition(base, COUNT(base), 10, order_is_as_claimed);
    for (int i = 0; i < COUNT(higher); i++) {
        assert_true(claim_parse(higher[i], &sch));
        order_is_as_claimed(higher[i], &sch);
    }
}

static void schemes_that_are_not_symmetric_are_refused(void **state)
{
    static const char *const words[] = {"compose(radau(2), suzuki(6))",
                                        "compose(rectangle(0), triple(4))",
                                        "compose(polynomial(1) with radau(2), yoshida(4))"};
    scheme                   sch;
    (void)state;
    for (int i = 0; i < COUNT(words); i++) assert_false(claim_parse(words[i], &sch));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compositions_have_their_order),
        cmocka_unit_test(schemes_that_are_not_symmetric_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
