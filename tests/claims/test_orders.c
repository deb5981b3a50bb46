/* test_orders.c - every scheme of the table, and every member of a family as far as double
 * precision shows it, has the order that it claims. */
#include "measured_order.h"

static void schemes_have_their_order(void **state)
{
    scheme sch;
    (void)state;
    each_scheme(15, order_is_as_claimed);
    assert_true(claim_parse("gauss(8)", &sch));
    assert_int_equal(sch.order, 16);
    order_is_as_claimed("gauss(8)", &sch);
}

static void pairs_have_their_order(void **state)
{
    (void)state;
    each_pair(order_is_as_claimed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schemes_have_their_order),
        cmocka_unit_test(pairs_have_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
