/* test_api_linear_chains.c - large linear chains: masses and springs that differ, drives and
 * friction; what may change between steps, and what a matrix that is kept must not do. */
#include "linear_run.h"

/* 1001 is no multiple of the pieces that are solved side by side */
static const char UNEQUAL[] =
    "system Chain {\n"
    "  parameter k = 1, m[1001] = 1\n"
    "  coordinate x[1001]\n"
    "  lagrangian sum(i in 1..1001: (m[i] + 0.3*sin(i))*x[i]'^2/2)\n"
    "  lagrangian -sum(i in 1..1000: k*(1 + 0.2*cos(i))*(x[i+1] - x[i])^2/2) - x[1]^2\n"
    "  for i in 1..1001 { force x[i]: -0.02*x[i]'\n    start x[i] = 0.3*cos(0.2*i) }\n"
    "}\n";
/* time in every row, an input, and friction between neighbours, so that the matrix is not symmetric
 * in shape alone */
static const char DRIVEN[] = "system Chain {\n"
                             "  input push = 0.5\n"
                             "  coordinate x[1000]\n"
                             "  lagrangian sum(i in 1..1000: x[i]'^2/2 - 0.1*sin(t)*x[i]) - sum(i "
                             "in 1..999: (x[i+1] - x[i])^2/2)\n"
                             "  for i in 1..999 { force x[i]: 0.1*(x[i+1]' - x[i]')\n    force "
                             "x[i+1]: 0.05*(x[i]' - x[i+1]') }\n"
                             "  force x[1]: push*cos(2*t)\n"
                             "}\n";
/* further than partitions reach, so that factors are those of the band solver */
static const char WIDE[] =
    "system Chain {\n"
    "  coordinate x[1200]\n"
    "  lagrangian sum(i in 1..1200: x[i]'^2/2) - sum(i in 1..1199: (x[i+1] - x[i])^2/2)\n"
    "  lagrangian -sum(i in 1..1193: (1 + 0.1*sin(i))*(x[i+7] - x[i])^2/2)\n"
    "  for i in 1..1200 { start x[i] = 0.3*cos(0.02*i) }\n"
    "}\n";

static const linear_row rows[] = {
    {UNEQUAL, "midpoint", "compensated", "eliminate", "tridiagonal", false},
    {UNEQUAL, "compose(midpoint, yoshida(4))", "plain", "eliminate", "tridiagonal", false},
    {DRIVEN, "midpoint", "compensated", "eliminate", "tridiagonal", false},
    {UNEQUAL, "gauss(2)", "compensated", "eliminate", "auto", false},
    {WIDE, "midpoint", "compensated", "eliminate", "band", false},
};
static linear_list all = {rows, sizeof rows / sizeof *rows};

/* After a parameter was set, the factors are those of the new matrix: as of a run that began there.
 */
static void a_parameter_that_is_set_makes_new_factors(void **state)
{
    (void)state;
    const linear_row *r = &rows[0];
    run    a = begin_linear(r, "native", "1", "auto"), b = begin_linear(r, "vm", "1", r->solver);
    size_t n = dal_size(a.s);
    go(&a, 10), go(&b, 10);
    assert_int_equal(DAL_OK, dal_set_parameter(a.s, "k", 3));
    assert_int_equal(DAL_OK, dal_set_parameter(b.s, "k", 3));
    go(&a, 15), go(&b, 15);
    assert_true(apart_relatively(dal_q(a.s), dal_q(b.s), n) < 1e-14);
    run fresh = begin_linear(r, "vm", "1", r->solver);
    assert_int_equal(DAL_OK, dal_set_parameter(fresh.s, "k", 3));
    assert_int_equal(DAL_OK, dal_set_state(fresh.s, dal_time(a.s), dal_q(a.s), NULL, dal_p(a.s)));
    go(&fresh, 3), go(&a, 3);
    assert_true(apart_relatively(dal_q(a.s), dal_q(fresh.s), n) < 1e-13);
    end(&a), end(&b), end(&fresh);
}

static void masses_that_were_one_may_change(void **state)
{
    (void)state;
    check_number_may_change(&rows[0], "m[500]", 2.5);
}

static void an_input_may_change_between_steps(void **state)
{
    (void)state;
    const linear_row *r = &rows[2];
    run a = begin_linear(r, "native", "1", "auto"), b = begin_linear(r, "vm", "1", r->solver);
    for (int k = 0; k < 20; k++) {
        assert_int_equal(DAL_OK, dal_set_input(a.s, "push", k % 3 - 0.7));
        assert_int_equal(DAL_OK, dal_set_input(b.s, "push", k % 3 - 0.7));
        go(&a, 1), go(&b, 1);
        assert_true(apart_relatively(dal_q(a.s), dal_q(b.s), dal_size(a.s)) < 1e-13);
    }
    end(&a), end(&b);
}

/* A matrix that is kept must not make energy drift: 20000 steps of a chain without friction. */
static void energy_stays_at_roundoff(void **state)
{
    (void)state;
    static const char FREE[] =
        "system Chain {\n  coordinate x[400]\n"
        "  lagrangian sum(k in 1..400: x[k]'^2/2) - sum(k in 1..399: (x[k+1] - x[k])^2/2)\n"
        "  for k in 1..400 { start x[k] = cos(0.7*k) + 0.1*sin(0.1*k) }\n}\n";
    const linear_row r = {FREE, "midpoint", "compensated", "eliminate", "auto", false};
    run              a = begin_linear(&r, "native", "1", "auto");
    double           first, last;
    assert_int_equal(DAL_OK, dal_measure(a.s, "energy", &first));
    go(&a, 20000);
    assert_int_equal(DAL_OK, dal_measure(a.s, "energy", &last));
    if (!(fabs(last - first) < 1e-14 * first))
        print_error("energy moved by %.2e\n", last / first - 1);
    assert_true(fabs(last - first) < 1e-14 * first);
    end(&a);
}

/* Two sites without mass that nothing but each other holds: the step says so, whoever makes it. */
static void a_singular_matrix_is_still_told(void **state)
{
    (void)state;
    static const char LOOSE[] =
        "system Chain {\n  coordinate x[600], loose, end\n"
        "  lagrangian sum(k in 1..600: x[k]'^2/2) - sum(k in 1..599: (x[k+1] - x[k])^2/2)\n"
        "  lagrangian -(loose - end)^2/2\n}\n";
    static const char *const backend[] = {"vm", "native"};
    for (int k = 0; k < 2; k++) {
        const setting set[] = {{"step", "0.1"}, {"steps", "5"}, {"backend", backend[k]}, {0}};
        run           r = with_settings(set);
        dal_status    bad = try_text(&r, LOOSE);
        if (!bad) bad = dal_step(r.s);
        assert_int_equal(DAL_SINGULAR, bad);
        char  *said = NULL;
        size_t length;
        FILE  *to = open_memstream(&said, &length);
        dal_report(r.cx, to, 0);
        fclose(to);
        assert_non_null(strstr(said, "singular, and nothing determines loose + end;"));
        free(said);
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LINEAR_TESTS(&all),
        cmocka_unit_test(a_parameter_that_is_set_makes_new_factors),
        cmocka_unit_test(masses_that_were_one_may_change),
        cmocka_unit_test(an_input_may_change_between_steps),
        cmocka_unit_test(energy_stays_at_roundoff),
        cmocka_unit_test(a_singular_matrix_is_still_told),
    };
    return cmocka_run_group_tests(tests, open_own_cache, remove_own_cache);
}
