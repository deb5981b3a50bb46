/* test_mech_step.c - unconstrained steps against independent numbers. */
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
        bench_open(&b, jet_system_init(&s, &coupled, coupled_parameters, 3), row->scheme, NULL, NULL);
        bench_set(&b, 0, q0, p0);
        bench_run(&b, 1.0 / row->steps, row->steps);
        for (int i = 0; i < 2; i++) {
            check_close(stepper_q(b.st)[i], row->q[i], 1e-11);
            check_close(stepper_p(b.st)[i], row->p[i], 1e-11);
        }
        bench_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(van_der_pol_agrees_with_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
