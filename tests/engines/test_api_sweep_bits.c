/* test_api_sweep_bits.c - a member of a sweep has the same bits whatever the others are: how many
 * there are, which is the first, whether their times are the same. */
#include "api_run.h"
#include "native.h"

#include <stdio.h>
#include <string.h>

static const char TOP[] =
    "system Top {\n parameter I1 = 1, I3 = 0.5, mgl = 1\n coordinate theta, phi, psi\n"
    " lagrangian I1/2*(theta'^2 + sin(theta)^2*phi'^2)\n"
    " lagrangian I3/2*(psi' + cos(theta)*phi')^2 - mgl*cos(theta)\n"
    " start theta = 0.5, psi' = 5\n}\n";
static const char PENDULUM[] =
    "system P {\n parameter k = 1, h = 0.05\n coordinate a\n lagrangian a'^2/2 + k*cos(a)\n"
    " force a: -0.1*a'\n start a = 1\n}\n simulate { step = h }\n";
static const char SLEIGH[] = /* relations: no block takes it */
    "system S {\n parameter k = 0.2\n coordinate x, y, a\n lagrangian (x'^2 + y'^2 + a'^2)/2\n"
    " constraint x'*sin(a) = y'*cos(a)\n force a: -k*a\n start x' = 1, a' = 1\n}\n";

typedef struct {
    dal_context *cx;
    dal_options *o;
    dal_model   *m;
    dal_sweep   *w;
} ensemble;

static ensemble swept(const char *model, const char *const settings[][2], const char *grid)
{
    ensemble e = {.cx = dal_context_new(NULL)};
    e.o = dal_options_new(e.cx);
    for (; (*settings)[0]; settings++)
        assert_int_equal(DAL_OK, dal_options_set(e.o, (*settings)[0], (*settings)[1]));
    assert_int_equal(DAL_OK, dal_model_parse(e.cx, "test.dal", model, e.o, &e.m));
    assert_int_equal(DAL_OK, dal_sweep_new(e.m, e.o, &e.w));
    assert_int_equal(DAL_OK, dal_sweep_set(e.w, "grid", grid));
    dal_status bad = dal_sweep_run(e.w, NULL);
    if (bad) dal_report(e.cx, stderr, 0);
    assert_int_equal(DAL_OK, bad);
    return e;
}

static void end_swept(ensemble *e)
{
    dal_sweep_free(e->w), dal_model_free(e->m), dal_options_free(e->o), dal_context_free(e->cx);
}

/* Members of the one are found among the other by what is swept, which is the first column. */
static void check_members(const char *model, const char *const settings[][2], const char *few,
                          const char *many)
{
    ensemble a = swept(model, settings, few), b = swept(model, settings, many);
    size_t   columns, found = 0;
    dal_sweep_columns(a.w, &columns);
    for (size_t i = 0; i < dal_sweep_members(a.w); i++)
        for (size_t k = 0; k < dal_sweep_members(b.w); k++) {
            const dal_member x = dal_sweep_member(a.w, i), y = dal_sweep_member(b.w, k);
            if (x.value[0] != y.value[0]) continue;
            found++;
            assert_int_equal(x.status, y.status);
            if (memcmp(x.value, y.value, columns * sizeof *x.value))
                fail_msg("member %zu of %s is another among %s", i, few, many);
        }
    assert_true(found >= dal_sweep_members(a.w));
    end_swept(&a), end_swept(&b);
}

static void check_backends(const char *model, const char *scheme, const char *steps,
                           const char *few, const char *many)
{
    static const char *const backends[] = {"vm", "native", "auto"};
    for (int i = 0; i < 3; i++) {
        const char *const settings[][2] = {{"scheme", scheme},
                                           {"steps", steps},
                                           {"step", strstr(model, "simulate") ? "h" : "0.02"},
                                           {"backend", backends[i]},
                                           {0}};
        check_members(model, settings, few, many);
    }
}

static void ten_members_are_the_same_among_seventeen(void **state)
{
    (void)state;
    check_backends(TOP, "midpoint", "60", "theta=0.1..1.0/10", "theta=0.1..1.0/10,2..3/7");
    check_backends(TOP, "gauss(2)", "60", "theta=0.1..1.0/10", "theta=0.1..1.0/10,2..3/7");
}

static void twenty_members_are_the_same_among_three_thousand(void **state)
{
    (void)state;
    check_backends(PENDULUM, "midpoint", "1000", "k=1..20", "k=1..20,21..23/2980");
}

static void one_is_the_same_alone(void **state)
{
    (void)state;
    check_backends(PENDULUM, "gauss(2)", "100", "k=3", "k=1..70");
    check_backends(PENDULUM, "trapezoid", "100", "k=3", "k=1..70");
}

/* The first member decides for the others what their block is; its own times may be others. */
static void members_of_other_times_are_the_same(void **state)
{
    (void)state;
    check_backends(PENDULUM, "midpoint", "100", "h=0.03,0.05", "h=0.01,0.02,0.03,0.04,0.05,0.06");
    check_backends(PENDULUM, "gauss(2)", "100", "h=0.05,0.03", "h=0.01,0.02,0.03,0.04,0.05,0.06");
}

static void members_that_run_by_themselves_are_the_same(void **state)
{
    (void)state;
    check_backends(SLEIGH, "midpoint", "50", "k=0.1..0.5/5", "k=0.6..0.9/20,0.1..0.5/5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_members_are_the_same_among_seventeen),
        cmocka_unit_test(twenty_members_are_the_same_among_three_thousand),
        cmocka_unit_test(one_is_the_same_alone),
        cmocka_unit_test(members_of_other_times_are_the_same),
        cmocka_unit_test(members_that_run_by_themselves_are_the_same),
    };
    return cmocka_run_group_tests(tests, open_own_cache, remove_own_cache);
}
