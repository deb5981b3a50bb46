/* test_api_linear.c - large linear systems of parts that are tied: circuits and gears. */
#include "linear_run.h"

/* 803 is no multiple of the pieces that are solved side by side */
static const char LADDER[] =
    "system Cell { parameter R = 0.05\n  coordinate coil, plate\n"
    "  lagrangian coil'^2/2 - plate^2/2\n  force coil: -R*coil' }\n"
    "system Ladder {\n"
    "  part c[803] : Cell\n"
    "  for k in 1..802 { connect c[k].coil' = c[k].plate' + c[k+1].coil' }\n"
    "  connect c[803].coil' = c[803].plate'\n"
    "  force c[1].coil: sin(t)\n"
    "}\n";
/* what is tied is apart by a number of its own at every tie, or turns the other way round, by a
 * gear */
static const char CHARGED[] =
    "system Cell { coordinate coil, plate\n  lagrangian coil'^2/2 - plate^2/2\n  force coil: "
    "-0.05*coil' }\n"
    "system Ladder {\n"
    "  part c[603] : Cell\n"
    "  for k in 1..602 { connect c[k].coil' = c[k].plate' + c[k+1].coil' }\n"
    "  connect c[603].coil' = c[603].plate'\n"
    "  for k in 1..603 { start c[k].plate = 0.5 + 0.1*cos(0.1*k) }\n"
    "}\n";
static const char GEARED[] =
    "system Wheel { coordinate a, b\n  lagrangian (a'^2 + b'^2)/2 - (a - b)^2/2 }\n"
    "system Train {\n"
    "  parameter ratio = 1\n  part w[400] : Wheel\n"
    "  for k in 1..399 { connect w[k].b' = -ratio*w[k+1].a' }\n"
    "  for k in 1..399 { start w[k].a = 0.3*cos(0.2*k) }\n"
    "}\n";

static const linear_row rows[] = {
    {LADDER, "midpoint", "plain", "eliminate", "tridiagonal", false},
    {LADDER, "midpoint", "compensated", "eliminate", "tridiagonal", false},
    {LADDER, "midpoint", "compensated", "multipliers", "auto", false},
    {CHARGED, "midpoint", "compensated", "eliminate", "tridiagonal", false},
    {GEARED, "midpoint", "plain", "eliminate", "tridiagonal", false},
};
static linear_list all = {rows, sizeof rows / sizeof *rows};

static void ratios_that_were_one_may_change(void **state)
{
    (void)state;
    check_number_may_change(&rows[4], "ratio", 1.25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LINEAR_TESTS(&all),
        cmocka_unit_test(ratios_that_were_one_may_change),
    };
    return cmocka_run_group_tests(tests, open_own_cache, remove_own_cache);
}
