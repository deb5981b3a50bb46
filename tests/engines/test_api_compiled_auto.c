/* test_api_compiled_auto.c - `auto` compiles a step where the run repays it: by its number of steps
 * and by what one of them costs. */
#include "api_run.h"
#include "native.h"

static const char WELL[] =
    "system W {\n coordinate q\n lagrangian q'^2/2 - (q^4 - q^2)/2\n start q = 0.74\n}\n";

static const char ROW[] = "system R {\n parameter N = 40\n coordinate th[N]\n"
                          " lagrangian sum(i in 1..N: (th[i]'^2 + sin(th[i])^2)/2 + cos(th[i]))\n"
                          " lagrangian -sum(i in 1..N-1: (th[i+1] - th[i])^2/2)\n"
                          " start th[1] = 1\n}\n";

static const char CHAIN[] = "system C {\n parameter N = 2000\n coordinate x[N]\n"
                            " lagrangian sum(i in 1..N: x[i]'^2/2)\n"
                            " lagrangian -sum(i in 1..N-1: (x[i+1] - x[i])^4)\n"
                            " start x[1] = 1\n}\n";

static int is_fused_of(const char *model, const char *scheme, const char *steps)
{
    const setting set[] = {
        {"scheme", scheme}, {"backend", "auto"}, {"step", "0.01"}, {"steps", steps}, {0}};
    run       r = begin_text(model, set);
    const int fused = dal_summarise(r.s)->is_fused;
    end(&r);
    return fused;
}

static int is_fused(const char *scheme, const char *steps)
{
    return is_fused_of(WELL, scheme, steps);
}

static void short_runs_wait_for_no_compiler(void **state)
{
    (void)state;
    assert_false(is_fused("midpoint", "1000"));
    assert_false(is_fused("gauss(6)", "1000"));
}

static void long_runs_are_compiled_as_a_whole(void **state)
{
    (void)state;
    assert_true(is_fused("midpoint", "10000000"));
}

static void costly_steps_are_compiled_for_fewer_of_them(void **state)
{
    (void)state;
    assert_false(is_fused("midpoint", "400000"));
    assert_true(is_fused("gauss(6)", "400000"));
    assert_true(is_fused("shooting(rk4) with simpson", "400000"));
    assert_false(is_fused("shooting(rk4) with simpson", "1000"));
}

/* The machine makes twenty million of them in a second. */
static void explicit_steps_are_compiled_for_more_of_them(void **state)
{
    (void)state;
    assert_false(is_fused("trapezoid", "1000000"));
    assert_true(is_fused("midpoint", "1000000"));
    assert_true(is_fused("trapezoid", "10000000"));
}

/* What is saved of a coordinate and step, and what compilers take, is another for each. */
static void passes_over_many_are_compiled_where_that_is_repaid(void **state)
{
    (void)state;
    assert_false(is_fused_of(CHAIN, "trapezoid", "30000"));
    assert_true(is_fused_of(CHAIN, "trapezoid", "60000"));
    assert_false(is_fused_of(CHAIN, "midpoint", "10000"));
    assert_true(is_fused_of(CHAIN, "midpoint", "20000"));
}

/* Its matrix has a narrow band, and the text of its step is long. */
static void a_row_of_many_waits_for_no_compiler(void **state)
{
    (void)state;
    assert_false(is_fused_of(ROW, "gauss(3)", "500"));
    assert_false(is_fused_of(ROW, "gauss(3)", "5000"));
    assert_true(is_fused_of(ROW, "gauss(3)", "3000000"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_runs_wait_for_no_compiler),
        cmocka_unit_test(long_runs_are_compiled_as_a_whole),
        cmocka_unit_test(costly_steps_are_compiled_for_fewer_of_them),
        cmocka_unit_test(explicit_steps_are_compiled_for_more_of_them),
        cmocka_unit_test(passes_over_many_are_compiled_where_that_is_repaid),
        cmocka_unit_test(a_row_of_many_waits_for_no_compiler),
    };
    return cmocka_run_group_tests(tests, open_own_cache, remove_own_cache);
}
