/* test_mech_newton.c - the solve inside a step: how many iterations, what when it fails, and
 * that nothing is changed then. */
#define DOFS_MOST 3
#include "orders.h"
#include "stepping.h"

#include "mech/stepper/stepper.h"

/* L = v^2/2 - (q^2 - 1)^2/4 - c0 q^6 */
static jet well_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)t;
    jet V = add(times(0.25, square(plus(square(q[0]), -1))), times(c[0], cube(square(q[0]))));
    return sub(times(0.5, square(v[0])), V);
}

static const problem well = {.n = 1, .lambda = well_L};

static void small_steps_take_one_iteration_and_large_ones_few(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        double      h, most;
    } row[] = {{"midpoint", 0.002, 1.05}, {"midpoint", 0.01, 2.0}, {"midpoint", 0.1, 2.2},
               {"gauss(2)", 0.002, 1.05}, {"gauss(3)", 0.1, 2.2},  {"lobatto(4)", 0.1, 2.2},
               {"lobatto(2)", 0.1, 2.2},  {"midpoint", 0.4, 4.0}};
    const double none = 0, q0 = 1.2, p0 = 0.3;
    for (size_t k = 0; k < COUNT(row); k++) {
        jet_system s;
        bench      b;
        bench_open(&b, jet_system_init(&s, &well, &none, 1), row[k].words, NULL, NULL);
        bench_set(&b, 0, &q0, &p0);
        bench_run(&b, row[k].h, 500);
        const newton_statistics *n = stepper_statistics(b.st);
        assert_int_equal(n->steps, 500);
        assert_int_equal(n->failures, 0);
        check_below((double)n->iterations / 500, row[k].most);
        bench_close(&b);
    }
}

/* Two oscillators in units 15 decades apart must both be right to the last digits. */
static jet units_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)t;
    jet a = times(1 / c[0], q[0]), av = times(1 / c[0], v[0]), b = times(1 / c[1], q[1]),
        bv = times(1 / c[1], v[1]);
    jet A = sub(times(0.5, square(av)), times(0.25, fourth(a)));
    jet B = sub(times(0.5, square(bv)), add(times(0.5, square(b)), times(0.25, fourth(b))));
    return add(times(c[0] * c[0], A), times(c[1] * c[1], B));
}

static void unknowns_of_different_units_are_all_solved_for(void **state)
{
    (void)state;
    static const problem two = {.n = 2, .lambda = units_L};
    double               out[2][4];
    for (int k = 0; k < 2; k++) {
        const double c[2] = {k ? 1e-12 : 1, k ? 1e3 : 1};
        const double q0[] = {0.7 * c[0], -0.4 * c[1]}, p0[] = {0.2 * c[0], 1.1 * c[1]};
        jet_system   s;
        bench        b;
        bench_open(&b, jet_system_init(&s, &two, c, 2), "gauss(2)", NULL, NULL);
        bench_set(&b, 0, q0, p0);
        bench_run(&b, 0.05, 400);
        for (int i = 0; i < 2; i++)
            out[k][i] = stepper_q(b.st)[i] / c[i], out[k][2 + i] = stepper_p(b.st)[i] / c[i];
        bench_close(&b);
    }
    check_below(distance(out[0], out[1], 4), 1e-13);
}

/* L = 2 log cosh v has |p| < 2: with a force c0 there is no step with p + h c0/2 > 2. */
static jet bounded_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)c, (void)t, (void)q;
    double th = tanh(v[0].x);
    return times(2, jet_map(v[0], log(cosh(v[0].x)), th, 1 - th * th));
}

static void constant_force(const double *c, jet t, const jet *q, const jet *v, jet *f)
{
    (void)t, (void)q, (void)v;
    f[0] = jet_of(c[0]);
}

static void a_step_without_solution_fails_and_changes_nothing(void **state)
{
    (void)state;
    static const problem bounded = {.n = 1, .lambda = bounded_L, .force = constant_force};
    static const char   *words[] = {"midpoint", "lobatto(3)", "compose(midpoint, suzuki(4))"};
    const double         push = 1, q0 = 0.3, p0 = 1;
    for (size_t k = 0; k < COUNT(words); k++) {
        jet_system s;
        bench      b;
        bench_open(&b, jet_system_init(&s, &bounded, &push, 1), words[k], NULL, NULL);
        bench_set(&b, 0, &q0, &p0);
        bench_run(&b, 0.01, 10);
        double q = stepper_q(b.st)[0], p = stepper_p(b.st)[0];
        assert_int_equal(stepper_step(b.st, 0.1, 2.5, &b.why), DAL_DIVERGED);
        assert_non_null(strstr(text_str(&b.why), "the equation of x1"));
        assert_non_null(strstr(text_str(&b.why), "residuals"));
        assert_non_null(strstr(text_str(&b.why), "smaller step"));
        assert_true(stepper_q(b.st)[0] == q && stepper_p(b.st)[0] == p);
        assert_int_equal(stepper_statistics(b.st)->failures, 1);
        assert_int_equal(stepper_step(b.st, 0.1, 0.01, &b.why), DAL_OK);
        check_close(stepper_p(b.st)[0], 1.11, 1e-15);
        bench_close(&b);
    }
}

/* L = v^2/2 + c0 sqrt(1 - q): the motion reaches the end of its domain. */
static jet edge_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)t;
    return add(times(0.5, square(v[0])), times(c[0], root(plus(times(-1, q[0]), 1))));
}

static bool edge_culprit(void *self, const sys_point *at, text *out)
{
    (void)self;
    if (at->q[0] <= 1) return false;
    text_printf(out, "sqrt(1 - x1) at x1 = %.3g", at->q[0]);
    return true;
}

static void a_value_that_is_not_finite_is_named(void **state)
{
    (void)state;
    static const problem edge = {.n = 1, .lambda = edge_L};
    const double         c = 0.1, q0 = 0.5, p0 = 3;
    for (int k = 0; k < 2; k++) {
        jet_system s;
        bench      b;
        jet_system_init(&s, &edge, &c, 1)->nonfinite_source = edge_culprit;
        bench_open(&b, &s.sys, k ? "gauss(2)" : "midpoint", NULL, NULL);
        bench_set(&b, 0, &q0, &p0);
        dal_status status = DAL_OK;
        double     q = 0;
        for (int j = 0; j < 100 && !status; j++) {
            q = stepper_q(b.st)[0];
            status = stepper_step(b.st, 0.01 * j, 0.01, &b.why);
        }
        assert_int_equal(status, DAL_DIVERGED);
        assert_non_null(strstr(text_str(&b.why), "sqrt(1 - x1)"));
        assert_true(stepper_q(b.st)[0] == q);
        assert_int_equal(stepper_statistics(b.st)->failures, 1);
        bench_close(&b);
    }
}

/* L = 2 log cosh v - q^2/4, so |p| < 2, with a force that jumps: extrapolation is wrong at each
 * jump. */
static jet logcosh_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)c, (void)t;
    double th = tanh(v[0].x);
    return sub(times(2, jet_map(v[0], log(cosh(v[0].x)), th, 1 - th * th)),
               times(0.25, square(q[0])));
}

static void jumping_force(const double *c, jet t, const jet *q, const jet *v, jet *f)
{
    (void)q;
    f[0] = add(times(-0.5, v[0]), jet_of(fmod(t.x, 1) < 0.5 ? c[0] : -c[0]));
}

static void a_bad_prediction_does_not_end_a_run(void **state)
{
    (void)state;
    static const problem jumps = {.n = 1, .lambda = logcosh_L, .force = jumping_force};
    static const char   *words[] = {"midpoint", "gauss(3)", "lobatto(3)",
                                    "compose(midpoint, suzuki(4))"};
    const double         c = 1.2, q0 = 0, p0 = 1.9;
    for (size_t k = 0; k < COUNT(words); k++) {
        jet_system s;
        bench      b;
        bench_open(&b, jet_system_init(&s, &jumps, &c, 1), words[k], NULL, NULL);
        bench_set(&b, 0, &q0, &p0);
        bench_run(&b, 0.05, 600);
        assert_true(isfinite(stepper_q(b.st)[0]) && fabs(stepper_p(b.st)[0]) < 2);
        check_below(stepper_balances(b.st).membership, 1e-14);
        bench_close(&b);
    }
}

/* Linear systems. -------------------------------------------------------------------------- */

static jet chain_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)c, (void)t;
    jet L = times(0.5, add(square(v[0]), add(square(v[1]), times(2, square(v[2])))));
    L = sub(L, times(3, add(square(q[0]), square(sub(q[1], q[0])))));
    return sub(L, times(2, square(sub(q[2], q[1]))));
}

static void chain_force(const double *c, jet t, const jet *q, const jet *v, jet *f)
{
    (void)c, (void)q;
    for (int i = 0; i < 3; i++) f[i] = times(-0.1, v[i]);
    f[2] = add(f[2], cosine(t));
}

static void a_linear_system_is_factored_once_per_length(void **state)
{
    (void)state;
    static const problem chain = {.n = 3, .lambda = chain_L, .force = chain_force};
    static const struct {
        const char *words;
        int         lengths, substeps;
    } row[] = {{"midpoint", 1, 1},
               {"gauss(3)", 1, 1},
               {"compose(midpoint, suzuki(4))", 2, 5},
               {"compose(midpoint, yoshida(6))", 4, 7}};
    const double q0[] = {0.1, 0.2, -0.3}, p0[] = {1, 0, 0.5};
    for (size_t k = 0; k < COUNT(row); k++) {
        jet_system  s;
        bench       b;
        dal_system *sys = jet_system_init(&s, &chain, NULL, 0);
        for (int f = 0; f < F_COUNT; f++)
            if (sys->varies[f]) sys->varies[f] = FIELD_CONSTANT;
        bench_open(&b, sys, row[k].words, NULL, NULL);
        bench_set(&b, 0, q0, p0);
        bench_run(&b, 0.1, 100);
        const newton_statistics *n = stepper_statistics(b.st);
        assert_true(stepper_linear(b.st));
        assert_int_equal(n->factorisations, row[k].lengths);
        /* twice until six steps are known to predict from */
        assert_true(n->iterations <= 106 * row[k].substeps);
        bench_run(&b, 0.05, 20); /* another length: once more, not more */
        assert_int_equal(n->factorisations, 2 * row[k].lengths);
        bench_close(&b);
    }
}

static void a_linear_system_has_the_same_motion_when_known_to_be_linear(void **state)
{
    (void)state;
    static const problem chain = {.n = 3, .lambda = chain_L, .force = chain_force};
    const double         q0[] = {0.1, 0.2, -0.3}, p0[] = {1, 0, 0.5};
    double               q[2][3];
    for (int told = 0; told < 2; told++) {
        jet_system  s;
        bench       b;
        dal_system *sys = jet_system_init(&s, &chain, NULL, 0);
        for (int f = 0; f < F_COUNT && told; f++)
            if (sys->varies[f]) sys->varies[f] = FIELD_CONSTANT;
        bench_open(&b, sys, "gauss(2)", NULL, NULL);
        bench_set(&b, 0, q0, p0);
        bench_run(&b, 0.1, 1000);
        memcpy(q[told], stepper_q(b.st), sizeof q[0]);
        bench_close(&b);
    }
    check_below(distance(q[0], q[1], 3), 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_steps_take_one_iteration_and_large_ones_few),
        cmocka_unit_test(unknowns_of_different_units_are_all_solved_for),
        cmocka_unit_test(a_step_without_solution_fails_and_changes_nothing),
        cmocka_unit_test(a_value_that_is_not_finite_is_named),
        cmocka_unit_test(a_bad_prediction_does_not_end_a_run),
        cmocka_unit_test(a_linear_system_is_factored_once_per_length),
        cmocka_unit_test(a_linear_system_has_the_same_motion_when_known_to_be_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
