/* test_mech_step.c - unconstrained steps against independent numbers. */
#define DOFS_MOST 2
#include "orders.h"
#include "stepping.h"

#include "van_der_pol.h"

/* L = |v|^2/2 - q1^2/2 - (1+rho) q2^2/2 - lam (q1-q2)^2,  f_i = (eps - q_i^2) v_i */
static jet van_der_pol(const double *c, jet t, const jet *q, const jet *v)
{
    (void)t;
    jet kinetic = times(0.5, add(square(v[0]), square(v[1])));
    jet springs = add(times(0.5, square(q[0])), times(0.5 * (1 + c[1]), square(q[1])));
    return sub(kinetic, add(springs, times(c[2], square(sub(q[0], q[1])))));
}

static void van_der_pol_force(const double *c, jet t, const jet *q, const jet *v, jet *f)
{
    (void)t;
    for (int i = 0; i < 2; i++) f[i] = mul(plus(times(-1, square(q[i])), c[0]), v[i]);
}

static const problem coupled = {.n = 2, .lambda = van_der_pol, .force = van_der_pol_force};
static const double  coupled_parameters[] = {0.5, 0.02, 0.8};

static void van_der_pol_agrees_with_the_reference(void **state)
{
    (void)state;
    jet_system s;
    for (size_t k = 0; k < sizeof van_der_pol_runs / sizeof *van_der_pol_runs; k++) {
        const van_der_pol_run *row = &van_der_pol_runs[k];
        const double           q0[] = {-0.5, -0.25}, p0[] = {0, 4};
        bench                  b;
        bench_open(&b, jet_system_init(&s, &coupled, coupled_parameters, 3), row->scheme, NULL,
                   NULL);
        bench_set(&b, 0, q0, p0);
        bench_run(&b, 1.0 / row->steps, row->steps);
        for (int i = 0; i < 2; i++) {
            check_close(stepper_q(b.st)[i], row->q[i], 1e-11);
            check_close(stepper_p(b.st)[i], row->p[i], 1e-11);
        }
        bench_close(&b);
    }
}

/* L with a mass matrix that depends on q, terms linear in v, and a share alpha of V given as a
 * force instead. */
static jet share_V(const double *c, const jet *q)
{
    jet V = add(times(0.25, add(fourth(q[0]), fourth(q[1]))), mul(q[0], q[1]));
    return times(c[0], add(V, times(0.5, square(sine(q[1])))));
}

static jet curved_L(const double *c, jet t, const jet *q, const jet *v)
{
    const double rest[] = {1 - c[0]};
    (void)t;
    jet T = times(0.5, add(mul(plus(square(q[1]), 1), square(v[0])), times(1.3, square(v[1]))));
    jet gyro = times(0.4, mul(q[0], sub(mul(q[0], v[1]), mul(q[1], v[0]))));
    return sub(add(T, gyro), share_V(rest, q));
}

static void curved_force(const double *c, jet t, const jet *q, const jet *v, jet *f)
{
    (void)t, (void)v;
    f[0] = times(-c[0], add(cube(q[0]), q[1]));
    f[1] = times(-c[0], add(add(cube(q[1]), q[0]), mul(sine(q[1]), cosine(q[1]))));
}

static const problem curved = {.n = 2, .lambda = curved_L};
static const problem split = {.n = 2, .lambda = curved_L, .force = curved_force};
static const double  curved_q[] = {0.6, -0.3}, curved_p[] = {0.5, 0.8};

static const char *const every[] = {"rectangle(0)",
                                    "rectangle(0.3)",
                                    "rectangle(1)",
                                    "midpoint",
                                    "trapezoid",
                                    "simpson",
                                    "lobatto(4)",
                                    "lobatto(6)",
                                    "gauss(2)",
                                    "gauss(3)",
                                    "gauss(5)",
                                    "radau(2)",
                                    "radau(3)",
                                    "radau_left(2)",
                                    "polynomial(2) with gauss(3)",
                                    "polynomial(1) with simpson",
                                    "compose(midpoint, suzuki(4))",
                                    "compose(lobatto(2), yoshida(6))"};

static void share_of_the_potential_does_not_matter(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(every); k++) {
        double end[3][4];
        for (int j = 0; j < 3; j++) {
            const double alpha = j == 0 ? 0 : j == 1 ? 0.37 : 1;
            jet_system   s;
            bench        b;
            bench_open(&b, jet_system_init(&s, j ? &split : &curved, &alpha, 1), every[k], NULL,
                       NULL);
            bench_set(&b, 0, curved_q, curved_p);
            bench_run(&b, 0.05, 400);
            memcpy(end[j], stepper_q(b.st), 2 * sizeof(double)),
                memcpy(end[j] + 2, stepper_p(b.st), 2 * sizeof(double));
            bench_close(&b);
        }
        check_below(distance(end[0], end[1], 4), 1e-13);
        check_below(distance(end[0], end[2], 4), 1e-13);
    }
}

/* (q, p) after two steps */
static void two_steps(const char *words, const problem *pb, const double *c, const double z[4],
                      double out[4])
{
    jet_system s;
    bench      b;
    bench_open(&b, jet_system_init(&s, pb, c, 1), words, NULL, NULL);
    bench_set(&b, 0, z, z + 2);
    bench_run(&b, 0.1, 2);
    memcpy(out, stepper_q(b.st), 2 * sizeof(double)),
        memcpy(out + 2, stepper_p(b.st), 2 * sizeof(double));
    bench_close(&b);
}

/* |D^T J D - J| with the tangent D of two steps by differences of fourth order */
static double symplectic_defect(const char *words, const problem *pb, const double *c)
{
    const double d = 1e-3;
    double       D[4][4], most = 0;
    for (int j = 0; j < 4; j++) {
        double out[4][4];
        for (int k = 0; k < 4; k++) {
            double z[] = {curved_q[0], curved_q[1], curved_p[0], curved_p[1]};
            z[j] += (k < 2 ? k - 2 : k - 1) * d;
            two_steps(words, pb, c, z, out[k]);
        }
        for (int i = 0; i < 4; i++)
            D[i][j] = (out[0][i] - 8 * out[1][i] + 8 * out[2][i] - out[3][i]) / (12 * d);
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double form = 0, J = i < 2 ? j == i + 2 : -(j == i - 2);
            for (int k = 0; k < 2; k++) form += D[k][i] * D[k + 2][j] - D[k + 2][i] * D[k][j];
            most = fmax(most, fabs(form - J));
        }
    return most;
}

static void every_scheme_is_symplectic_without_forces_only(void **state)
{
    (void)state;
    const double none = 0;
    for (size_t k = 0; k < COUNT(every); k++) {
        double defect = symplectic_defect(every[k], &curved, &none);
        if (!(defect < 1e-10)) print_error("%s: %.1e\n", every[k], defect), fail();
    }
    assert_true(symplectic_defect("midpoint", &coupled, coupled_parameters) > 1e-2);
}

static void steps_back_undo_steps_forward(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(every); k++) {
        jet_system s;
        bench      b;
        bench_open(&b, jet_system_init(&s, &coupled, coupled_parameters, 3), every[k], NULL, NULL);
        bench_set(&b, 0, curved_q, curved_p);
        bench_run(&b, 0.02, 50);
        b.t0 = 1, b.k = 0;
        bench_run(&b, -0.02, 50);
        check_below(distance(stepper_q(b.st), curved_q, 2), 1e-14);
        check_below(distance(stepper_p(b.st), curved_p, 2), 1e-14);
        bench_close(&b);
    }
}

static void velocity_power_and_membership_are_right_at_each_step(void **state)
{
    (void)state;
    const double half = 0.5;
    for (size_t k = 0; k < COUNT(every); k++) {
        jet_system s;
        bench      b;
        bench_open(&b, jet_system_init(&s, &split, &half, 1), every[k], NULL, NULL);
        bench_set(&b, 0, curved_q, curved_p);
        for (int j = 0; j < 20; j++) {
            bench_run(&b, 0.05, 1);
            const double *q = stepper_q(b.st), *p = stepper_p(b.st), *v = stepper_v(b.st);
            check_close(p[0], (1 + q[1] * q[1]) * v[0] - 0.4 * q[0] * q[1], 1e-15);
            check_close(p[1], 1.3 * v[1] + 0.4 * q[0] * q[0], 1e-15);
            check_below(fabs(stepper_balances(b.st).power), 1e-14);
            check_below(stepper_balances(b.st).membership, 1e-14);
        }
        bench_close(&b);
    }
}

/* The work of the forces is what the energy of the rest gains, to the order of the scheme. */
static void work_of_the_forces_balances_the_energy(void **state)
{
    (void)state;
    const double alpha =
        1; /* all of V is a force: kinetic energy plus V is kept, so T gains the work */
    jet_system s;
    bench      b;
    bench_open(&b, jet_system_init(&s, &split, &alpha, 1), "gauss(4)", NULL, NULL);
    bench_set(&b, 0, curved_q, curved_p);
    double work = 0, T[2];
    for (int k = 0; k < 2; k++) {
        const double *q = stepper_q(b.st), *v = stepper_v(b.st);
        T[k] = 0.5 * ((1 + q[1] * q[1]) * v[0] * v[0] + 1.3 * v[1] * v[1]);
        for (int j = 0; j < 20 && k == 0; j++) bench_run(&b, 0.05, 1), work += stepper_work(b.st);
    }
    check_close(T[1] - T[0], work, 1e-12);
    bench_close(&b);
}

static void summation_may_be_plain(void **state)
{
    (void)state;
    const step_options o = {.plain_summation = true};
    const double       none = 0;
    double             q[2][2];
    for (int k = 0; k < 2; k++) {
        jet_system s;
        bench      b;
        bench_open(&b, jet_system_init(&s, &curved, &none, 1), "midpoint", NULL, k ? &o : NULL);
        bench_set(&b, 0, curved_q, curved_p);
        bench_run(&b, 0.01, 1000);
        memcpy(q[k], stepper_q(b.st), sizeof q[k]);
        bench_close(&b);
    }
    check_below(distance(q[0], q[1], 2), 1e-12);
    assert_true(distance(q[0], q[1], 2) > 0);
}

static void what_cannot_be_stepped_is_refused_in_a_sentence(void **state)
{
    (void)state;
    mem          m;
    scheme       sch;
    stepper     *st;
    jet_system   s;
    step_options o = {.principle = ENERGY}, plain = {0}, odd = {.solver = "abacus"};
    mem_init(&m, mem_heap_default());
    text        why = text_new(&m);
    dal_system *sys = jet_system_init(&s, &coupled, coupled_parameters, 3);
    assert_int_equal(scheme_parse(&sch, "compose(midpoint, yoshida(4))", NULL, &why), DAL_OK);
    assert_int_equal(stepper_new(&m, sys, &sch, &o, &st, &why), DAL_INVALID);
    assert_non_null(strstr(text_str(&why), "energy"));
    assert_int_equal(scheme_parse(&sch, "midpoint", NULL, &why), DAL_OK);
    assert_int_equal(stepper_new(&m, sys, &sch, &odd, &st, &why), DAL_INVALID);
    assert_non_null(strstr(text_str(&why), "abacus"));
    assert_int_equal(scheme_parse(&sch, "shooting(rk4) with simpson", NULL, &why), DAL_OK);
    assert_int_equal(stepper_new(&m, sys, &sch, &plain, &st, &why), DAL_INVALID);
    assert_non_null(strstr(text_str(&why), "user-defined functions"));
    assert_null(st);
    mem_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(van_der_pol_agrees_with_the_reference),
        cmocka_unit_test(share_of_the_potential_does_not_matter),
        cmocka_unit_test(every_scheme_is_symplectic_without_forces_only),
        cmocka_unit_test(steps_back_undo_steps_forward),
        cmocka_unit_test(velocity_power_and_membership_are_right_at_each_step),
        cmocka_unit_test(work_of_the_forces_balances_the_energy),
        cmocka_unit_test(summation_may_be_plain),
        cmocka_unit_test(what_cannot_be_stepped_is_refused_in_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
