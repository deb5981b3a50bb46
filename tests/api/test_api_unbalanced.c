/* test_api_unbalanced.c - starts along directions without inertia: where forces balance near them
 * they are moved there, where they do not near or far the reason is told, and multipliers that are
 * written as coordinates are told from coordinates. */
#include "api_run.h"

#include <stdbool.h>
#include <string.h>

static run begin_or_not(const char *text, const char *project)
{
    const setting set[] = {
        {"scheme", "gauss(2)"}, {"step", "0.01"}, {"steps", "50"}, {"project-start", project}, {0}};
    run r = with_settings(set);
    r.status = try_text(&r, text);
    return r;
}

static bool says(const run *r, const char *words)
{
    for (size_t i = 0; i < dal_message_count(r->cx); i++) {
        const dal_message m = dal_message_at(r->cx, i);
        if (strstr(m.text, words) || (m.hint && strstr(m.hint, words))) return true;
    }
    return false;
}

static void the_nearest_balance_is_found_by_halves(void **state)
{
    static const char steep[] = /* atan(y): from 2 whole corrections lead away */
        "system Steep {\n coordinate x, y\n lagrangian x'^2/2 - x^2/2 - (y - x)*atan(y - x) + "
        "log(1 + (y - x)^2)/2\n start x = 0.4, y = 2.4\n}\n";
    run r = begin_or_not(steep, "yes");
    (void)state;
    must(&r, r.status);
    check_close(dal_q(r.s)[1], 0.4, 1e-15);
    end(&r);
}

static void where_nothing_balances_it_is_told(void **state)
{
    run r =
        begin_or_not("system Pushed {\n coordinate x, y\n lagrangian x'^2/2 - x^2/2 - exp(y - x)\n"
                     " start x = 0.4\n}\n",
                     "yes");
    (void)state;
    assert_int_equal(r.status, DAL_INVALID);
    assert_true(says(&r, "the forces along y do not balance at the start: 0.67") &&
                says(&r, "start elsewhere"));
    assert_false(says(&r, "project-start"));
    end(&r);
}

static void a_multiplier_is_no_coordinate(void **state)
{
    run r = begin_or_not(
        "system Rod {\n coordinate x, y, lam\n"
        " lagrangian (x'^2 + y'^2)/2 - y + lam*(x^2 + y^2 - 1)\n start x = 0.6, y = -0.8\n}\n",
        NULL);
    (void)state;
    assert_int_equal(r.status, DAL_INVALID);
    assert_true(says(&r, "the direction lam has no inertia") && says(&r, "holonomic"));
    end(&r);
}

/* y is held by x y^2/2 and y^4: its stiffness is 0 at the start, and at no other time. */
static void stiffness_that_vanishes_at_a_point_is_stiffness(void **state)
{
    run r = begin_or_not(
        "system Passing {\n coordinate x, y\n lagrangian x'^2/2 - x^2/2 - x*y^2/2 - (x - y)^4\n"
        " start x' = 1\n}\n",
        NULL);
    (void)state;
    must(&r, r.status);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_balance_is_found_by_halves),
        cmocka_unit_test(where_nothing_balances_it_is_told),
        cmocka_unit_test(a_multiplier_is_no_coordinate),
        cmocka_unit_test(stiffness_that_vanishes_at_a_point_is_stiffness),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
