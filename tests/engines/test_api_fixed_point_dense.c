/* test_api_fixed_point_dense.c - systems in which everything attracts everything, by midpoint: forces are
 * iterated without Newton's matrix where that converges quickly, with the same steps; otherwise
 * Newton's iteration makes them. */
#include "compiled.h"

static const char BODIES[] =
    "system Bodies {\n parameter N = 9, e = %s, m = 1/N\n coordinate x[N], y[N], z[N]\n"
    " lagrangian sum(i in 1..N: m*(x[i]'^2 + y[i]'^2 + z[i]'^2)/2)\n"
    " lagrangian sum(i in 1..N: sum(j in i+1..N: m^2/sqrt((x[i]-x[j])^2 + (y[i]-y[j])^2 + "
    "(z[i]-z[j])^2 + e^2)))\n"
    " for i in 1..N { start x[i] = cos(7*i), y[i] = sin(11*i), z[i] = cos(5*i*i)\n"
    "  start x[i]' = -sin(3*i)/2, y[i]' = cos(2*i)/2, z[i]' = sin(i)/2 }\n}\n";

static const char STIFF[] = /* springs between all, far too stiff for forces to be iterated */
    "system Stiff {\n parameter N = 24, k = %s\n coordinate x[N]\n"
    " lagrangian sum(i in 1..N: x[i]'^2/2)\n"
    " lagrangian -sum(i in 1..N: sum(j in i+1..N: k*((x[i]-x[j])^2/2 + (x[i]-x[j])^4/4)))\n"
    " for i in 1..N { start x[i] = sin(i), x[i]' = cos(i)/2 }\n}\n";

typedef struct {
    const char *model, *value, *step, *steps;
} problem;

static run open_text(const problem *p, const char *backend, const char *solver)
{
    char          words[1024];
    const setting set[] = {{"backend", backend}, {"scheme", "midpoint"}, {"step", p->step},
                           {"steps", p->steps},  {"solver", solver},     {0}};
    snprintf(words, sizeof words, p->model, p->value);
    return begin_text(words, set);
}

static void forces_that_are_iterated_make_newtons_steps(void **state)
{
    static const char *const backend[] = {"vm", "native"};
    const problem            p = {BODIES, "0.05", "0.01", "200"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        run a = open_text(&p, "vm", "dense"), b = open_text(&p, backend[k], NULL);
        run_to_end(&a), run_to_end(&b);
        assert_string_equal(dal_summarise(a.s)->solved_by, "newton");
        assert_string_equal(dal_summarise(b.s)->solved_by, "fixed point");
        check_below((double)dal_summarise(b.s)->fixed_point_sweeps, 7 * 200);
        check_below(states_apart(&a, &b), 1e-12);
        check_below(dal_summarise(b.s)->dirac_residual, 1e-14);
        end(&a), end(&b);
    }
}

static void newton_takes_over_where_they_are_stiff(void **state)
{
    static const char *const backend[] = {"vm", "native"};
    const problem            p = {STIFF, "400", "0.02", "100"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        run a = open_text(&p, "vm", "dense"), b = open_text(&p, backend[k], NULL);
        run_to_end(&a), run_to_end(&b);
        assert_true(dal_summarise(b.s)->newton_iterations > 150);
        check_below(states_apart(&a, &b), 1e-11);
        end(&a), end(&b);
    }
}

static void energy_stays_and_is_the_same_in_any_pieces(void **state)
{
    const problem p = {BODIES, "0.3", "0.02", "3000"};
    run           a = open_text(&p, "vm", NULL), b = open_text(&p, "vm", NULL);
    (void)state;
    run_to_end(&a);
    for (int k = 0; k < 3000; k++) assert_int_equal(dal_step(b.s), DAL_OK);
    assert_memory_equal(dal_q(a.s), dal_q(b.s), 27 * sizeof(double));
    assert_memory_equal(dal_p(a.s), dal_p(b.s), 27 * sizeof(double));
    const dal_range *e = &dal_summarise(b.s)->energy;
    check_below((e->max - e->min) / fabs(e->min), 1e-3);
    end(&a), end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_that_are_iterated_make_newtons_steps),
        cmocka_unit_test(newton_takes_over_where_they_are_stiff),
        cmocka_unit_test(energy_stays_and_is_the_same_in_any_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
