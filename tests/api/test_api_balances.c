/* test_api_balances.c - what is balanced over the last step is computed when somebody looks, or
 * before the step is left: the same numbers whether they are read always, at the end, or after
 * something was changed. */
#include "api_run.h"

static const char BEAD[] =
    "system Bead {\n parameter g = 3, c = 0.1\n coordinate x, y\n"
    " lagrangian (x'^2 + y'^2)/2 - g*y\n force x: -c*x'\n holonomic x^2 + y^2 = 1\n"
    " start x = 0.6, y = -0.8\n}\n";

static run bead(const char *backend)
{
    const setting set[] = {
        {"backend", backend}, {"scheme", "gauss(2)"}, {"step", "0.1"}, {"steps", "30"}, {0}};
    return begin_text(BEAD, set);
}

static dal_status look(void *self, dal_sim *s)
{
    ++*(int *)self;
    return dal_summarise(s) ? DAL_OK : DAL_INVALID;
}

static void same_balances(const run *one, const run *other)
{
    const dal_summary *a = dal_summarise(one->s), *b = dal_summarise(other->s);
    assert_true(a->power_error > 0 && a->dirac_residual > 0);
    assert_true(a->power_error == b->power_error && a->dirac_residual == b->dirac_residual);
    assert_true(a->energy.max == b->energy.max && a->energy.last == b->energy.last);
}

static void a_summary_is_the_same_however_often_it_is_read(void **state)
{
    static const char *const backend[] = {"vm", "native"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        int          looks = 0;
        dal_observer o = {.self = &looks, .step = look};
        run          a = bead(backend[k]), b = bead(backend[k]);
        must(&a, dal_run(a.s, NULL)), must(&b, dal_run(b.s, &o));
        assert_int_equal(looks, 30);
        same_balances(&a, &b);
        end(&a), end(&b);
    }
}

static void what_is_changed_after_a_run_does_not_enter(void **state)
{
    (void)state;
    run a = bead("native"), b = bead("native");
    must(&a, dal_run(a.s, NULL)), must(&b, dal_run(b.s, NULL));
    must(&b, dal_set_parameter(b.s, "g", 50));
    same_balances(&a, &b);
    end(&a), end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_summary_is_the_same_however_often_it_is_read),
        cmocka_unit_test(what_is_changed_after_a_run_does_not_enter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
