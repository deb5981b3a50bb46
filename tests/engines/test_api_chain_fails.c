/* test_api_chain_fails.c - chains whose steps cannot be solved: in partitions they fail at the same
 * step as the whole system does, with the same words, and are left in the same state; whether one
 * group is long enough for them or not. */
#include "chain_run.h"
#include "native.h"

#include <stdio.h>

/* at rest the springs have no stiffness, and one mass stands where its inertia is cancelled:
 * 4 m/h^2 = 4 */
static const char SINGULAR[] =
    "system Chain {\n"
    "  parameter N = 400\n"
    "  coordinate x[N]\n"
    "  lagrangian sum(k in 1..N: x[k]'^2/2) - sum(k in 1..N-1: (x[k+1] - x[k])^4/4)\n"
    "  lagrangian 2*x[211]^2 - x[211]^4\n"
    "}\n";
/* a spring that cannot be shorter than it is */
static const char TORN[] =
    "system Chain {\n"
    "  parameter N = 400\n"
    "  coordinate x[N]\n"
    "  lagrangian sum(k in 1..N: x[k]'^2/2)"
    " - sum(k in 1..N-1: (x[k+1] - x[k])^2/2 + (x[k+1] - x[k])^4/4)\n"
    "  lagrangian -sqrt(1 + x[101] - x[100])\n"
    "  start x[100]' = 30\n"
    "}\n";

static const chain_row rows[] = {
    {SINGULAR, "N=400", "1", "plain", "tridiagonal"},
    {SINGULAR, "N=17000", "1", "compensated", "tridiagonal"},
    {TORN, "N=400", "1", "compensated", "tridiagonal"},
    {TORN, "N=17000", "1", "plain", "tridiagonal"},
};
enum { ROWS = sizeof rows / sizeof *rows };

static char *words_of(dal_context *cx)
{
    char  *words = NULL;
    size_t n = 0;
    FILE  *f = open_memstream(&words, &n);
    assert_non_null(f);
    dal_report(cx, f, 0);
    fclose(f);
    return words;
}

static void partitions_fail_as_the_whole_does(void **state)
{
    (void)state;
    for (int k = 0; k < ROWS; k++) {
        run        whole = begin_chain(&rows[k], 0, "vm", "1", rows[k].solver);
        dal_status failed = DAL_OK;
        for (int i = 0; i < 4 && !failed; i++) failed = dal_step(whole.s);
        char *said = words_of(whole.cx);
        assert_int_not_equal(failed, DAL_OK);
        for (int native = 0; native < 2; native++) {
            run        other = begin_chain(&rows[k], 0, native ? "native" : "vm", "2", "auto");
            dal_status also = DAL_OK;
            for (int i = 0; i < 4 && !also; i++) also = dal_step(other.s);
            char *words = words_of(other.cx);
            assert_int_equal(failed, also);
            assert_string_equal(words, said);
            assert_true(dal_time(other.s) == dal_time(whole.s));
            assert_true(apart_relatively(dal_q(other.s), dal_q(whole.s), whole.n) <= 1e-13 ||
                        dal_time(whole.s) == 0);
            free(words), end(&other);
        }
        free(said), end(&whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(partitions_fail_as_the_whole_does)};
    return cmocka_run_group_tests(tests, open_own_cache, remove_own_cache);
}
