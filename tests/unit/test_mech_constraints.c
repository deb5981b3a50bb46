/* test_mech_constraints.c - constrained and degenerate steps against independent numbers. */
#include "stepping.h"

#include "constrained.h"
#include "reference_steps.h"

#include "mech/stepper.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static void check_row(const char *what, const reference_step *row, const double *got, const double *want, int n,
                      double tol)
{
    for (int i = 0; i < n; i++)
        if (!(fabs(got[i] - want[i]) <= tol * fmax(1, fabs(want[i])))) {
            print_error("%s %s: %s[%d] = %.17g, expected %.17g (off by %.1e)\n", row->problem, row->scheme, what, i,
                        got[i], want[i], got[i] - want[i]);
            fail();
        }
}

static void every_unknown_of_a_step_agrees_with_the_reference(void **state)
{
    (void)state;
    jet_system s;
    for (size_t k = 0; k < COUNT(reference_steps); k++) {
        const reference_step *row = &reference_steps[k];
        const named_problem  *pb = problem_named(row->problem);
        const double          h = 0.1;
        bench                 b;
        bench_open(&b, jet_system_init(&s, &pb->pb, pb->c, 8), row->scheme, NULL, NULL);
        const equations *eq = &b.st->eq;
        const int        n = eq->n, M = eq->relations;
        bench_set(&b, 0, row->q0, row->p0);
        bench_run(&b, h, 1);
        for (int nu = 1; nu <= row->d; nu++)
            check_row("Z", row, b.st->y + (nu - 1) * n, row->Z[nu - 1], n, 1e-12);
        for (int nu = 0; nu < row->d; nu++)
            check_row("lam", row, b.st->y + eq->lam + nu * M, row->lam[nu], M, 1e-11);
        check_row("p-", row, b.st->p, row->p_minus, n, 1e-12);
        check_row("p1", row, stepper_p(b.st), row->p1, n, 1e-12);
        check_row("v1", row, stepper_v(b.st), row->v1, n, 1e-12);
        double last[3];
        for (int a = 0; a < M; a++) last[a] = b.st->nu[a] / (h * eq->control.b[eq->d]);
        check_row("lam at the end", row, last, row->lam[row->d], M, 1e-11);
        check_below(stepper_dirac_residual(b.st), 1e-14);
        check_below(fabs(stepper_power_defect(b.st)), 1e-14);
        bench_close(&b);
    }
}

static void short_runs_agree_with_the_reference(void **state)
{
    (void)state;
    jet_system s;
    for (size_t k = 0; k < COUNT(reference_runs); k++) {
        const reference_run *row = &reference_runs[k];
        const named_problem *pb = problem_named(row->problem);
        bench                b;
        bench_open(&b, jet_system_init(&s, &pb->pb, pb->c, 8), row->scheme, row->force, NULL);
        bench_set(&b, 0, row->q0, row->p0);
        bench_run(&b, row->T / row->steps, row->steps);
        double q = distance(stepper_q(b.st), row->q, pb->pb.n), p = distance(stepper_p(b.st), row->p, pb->pb.n);
        if (!(q < 2e-13 && p < 2e-12))
            print_error("%s %s %s: off by %.1e, %.1e\n", row->problem, row->scheme, row->force, q, p), fail();
        bench_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_unknown_of_a_step_agrees_with_the_reference),
        cmocka_unit_test(short_runs_agree_with_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
