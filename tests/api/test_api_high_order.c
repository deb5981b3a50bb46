/* Orders from 8 to 16, which doubles cannot show: the program makes the same map as a 60-digit code
 * of the same schemes, and that code shows the orders. The rows are what tests/claims/high_order.py
 * prints: the end of two steps of length 2, and in the comment the orders it sees under halving. At
 * that length the schemes lie 1e-8 or more apart. */
#include "api_run.h"

static const struct {
    const char *scheme;
    int         order;
    double      q, p;
} rows[] = {
    {"gauss(4)", 8, -0.051475789636471428724,
     0.07608845100933105056}, /* orders q 7.93 7.98 p 8.16 8.04 */
    {"gauss(5)", 10, -0.05062254865149018493,
     0.076407225297968685461}, /* orders q 9.92 9.98 p 10.09 10.02 */
    {"gauss(6)", 12, -0.050742809025256135508,
     0.076359685507517198273}, /* orders q 12.18 12.04 p 12.15 12.04 */
    {"gauss(7)", 14, -0.050733438405439521805,
     0.076363634553917368358}, /* orders q 14.46 14.13 p 14.27 14.07 */
    {"gauss(8)", 16, -0.050733459300931162367,
     0.076363425102720888825}, /* orders q 16.14 16.04 p 16.08 16.02 */
    {"lobatto(5)", 8, -0.049931659906780538271,
     0.076749785422843593569}, /* orders q 8.00 8.00 p 8.07 8.02 */
    {"lobatto(6)", 10, -0.050862890669441333033,
     0.076321387008257621749}, /* orders q 9.96 9.99 p 10.12 10.03 */
    {"lobatto(7)", 12, -0.050722833337438901217,
     0.076367798882048576502}, /* orders q 12.12 12.03 p 12.10 12.02 */
    {"lobatto(8)", 14, -0.050733733933872036523,
     0.076363220791805278339}, /* orders q 15.25 14.52 p 14.92 14.33 */
    {"lobatto(9)", 16, -0.050733507759925128602,
     0.076363435586726512793}, /* orders q 16.10 16.02 p 16.06 16.02 */
};

static const char model[] = "system S {\n coordinate x\n lagrangian (1 + x^2/2)*x'^2/2 - x^4/4\n"
                            " force x: -(1 + x^2)*x'/5 + cos(2*t)/2\n start x = 0.5\n}\n";

static void high_orders_are_those_of_a_code_with_sixty_digits(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const setting set[] = {{"scheme", rows[k].scheme}, {"step", "2"}, {"steps", "2"}, {0}};
        run           r = begin_text(model, set);
        must(&r, dal_run(r.s, NULL));
        check_close(dal_q(r.s)[0], rows[k].q, 1e-14);
        check_close(dal_p(r.s)[0], rows[k].p, 1e-14);
        assert_int_equal(dal_summarise(r.s)->order, rows[k].order); /* claimed as it was seen */
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(high_orders_are_those_of_a_code_with_sixty_digits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
