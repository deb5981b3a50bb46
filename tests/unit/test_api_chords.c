/* test_api_chords.c - systems in which everything attracts everything, by midpoint: forces are
 * iterated without Newton's matrix where that is quick, with the same steps; where it is not Newton
 * makes them. */
#include "fusing.h"

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

static runner open_text(const problem *p, const char *backend, const char *solver)
{
    char         words[1024];
    runner       r = {.cx = dal_context_new(NULL)};
    dal_options *o = dal_options_new(r.cx);
    snprintf(words, sizeof words, p->model, p->value);
    dal_options_set(o, "backend", backend), dal_options_set(o, "scheme", "midpoint");
    dal_options_set(o, "step", p->step), dal_options_set(o, "steps", p->steps);
    if (solver) dal_options_set(o, "solver", solver);
    if (dal_model_parse(r.cx, "chords.dal", words, o, &r.m) || dal_sim_new(r.m, o, &r.s))
        dal_report(r.cx, stderr, 0), fail();
    dal_options_free(o);
    return r;
}

static void run(const runner *r)
{
    if (dal_run(r->s, NULL)) dal_report(r->cx, stderr, 0), fail();
}

static double distance(const runner *a, const runner *b)
{
    const size_t n = dal_model_count(a->m, DAL_COORDINATES);
    return fmax(apart(dal_q(a->s), dal_q(b->s), n), apart(dal_p(a->s), dal_p(b->s), n));
}

static void forces_that_are_iterated_make_newtons_steps(void **state)
{
    static const char *const backend[] = {"vm", "native"};
    const problem            p = {BODIES, "0.05", "0.01", "200"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        runner a = open_text(&p, "vm", "dense"), b = open_text(&p, backend[k], NULL);
        run(&a), run(&b);
        assert_string_equal(dal_summarise(a.s)->solved_by, "newton");
        assert_string_equal(dal_summarise(b.s)->solved_by, "fixed point and newton");
        check_below((double)dal_summarise(b.s)->newton_iterations, 20);
        check_below((double)dal_summarise(b.s)->fixed_point_sweeps, 7 * 200);
        check_below(distance(&a, &b), 1e-12);
        runner_close(&a), runner_close(&b);
    }
}

static void newton_takes_over_where_they_are_stiff(void **state)
{
    static const char *const backend[] = {"vm", "native"};
    const problem            p = {STIFF, "400", "0.02", "100"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        runner a = open_text(&p, "vm", "dense"), b = open_text(&p, backend[k], NULL);
        run(&a), run(&b);
        assert_true(dal_summarise(b.s)->newton_iterations > 150);
        check_below(distance(&a, &b), 1e-11);
        runner_close(&a), runner_close(&b);
    }
}

static void energy_stays_and_is_the_same_in_any_pieces(void **state)
{
    const problem p = {BODIES, "0.3", "0.02", "3000"};
    runner        a = open_text(&p, "vm", NULL), b = open_text(&p, "vm", NULL);
    (void)state;
    run(&a);
    for (int k = 0; k < 3000; k++) assert_int_equal(dal_step(b.s), DAL_OK);
    assert_memory_equal(dal_q(a.s), dal_q(b.s), 27 * sizeof(double));
    assert_memory_equal(dal_p(a.s), dal_p(b.s), 27 * sizeof(double));
    const dal_range *e = &dal_summarise(b.s)->energy;
    check_below((e->max - e->min) / fabs(e->min), 1e-3);
    runner_close(&a), runner_close(&b);
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
