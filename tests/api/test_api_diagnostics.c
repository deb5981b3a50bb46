/* test_api_diagnostics.c - what a run is told of itself, where there are short cuts to it:
 * velocities are those that the momenta have, and energy, power and residual what they are defined
 * as. */
#include "api_run.h"

/* Momenta that are not only masses times velocities: potentials of position and time. */
static const char CHARGED[] =
    "system Charged {\n"
    "  parameter N = 200, a = 0.3\n"
    "  coordinate x[N]\n"
    "  lagrangian sum(k in 1..N: (1 + k/N)*x[k]'^2/2 + a*sin(t)*x[k]' + 0.1*k)\n"
    "  lagrangian sum(k in 1..N-1: a*x[k]*x[k+1]' - (x[k+1] - x[k])^2/2)\n"
    "  for k in 1..N { start x[k] = sin(k)\n    start x[k]' = cos(k) }\n"
    "}\n";
/* with the forces of a step by another rule, and curves that bend */
static const char FORCED[] =
    "system Forced {\n"
    "  parameter N = 150, c = 0.2\n"
    "  coordinate x[N]\n"
    "  lagrangian sum(k in 1..N: x[k]'^2/2) - sum(k in 1..N-1: (x[k+1] - x[k])^4/4)\n"
    "  for k in 1..N { force x[k]: -c*x[k]' + cos(t + k)\n    start x[k] = sin(k) }\n"
    "}\n";
static const char MIXED[] =
    "system Mixed {\n"
    "  parameter N = 140\n"
    "  coordinate x[N]\n"
    "  hamiltonian sum(k in 1..N: p(x[k])^2/2 + x[k]^2/2) + sum(k in 1..N-1: x[k]^2*x[k+1]^2/4)\n"
    "  for k in 1..N { start x[k] = sin(k) }\n"
    "}\n";

static run begin_at(const char *text, const char *scheme, const char *force)
{
    return begin_text(text, (setting[]){{"scheme", scheme}, {"force", force}, {"step", "0.05"},
                                        {"steps", "20"}, {"backend", "vm"}, {0}});
}

static void velocities_are_those_of_the_momenta(void **state)
{
    (void)state;
    static const char *const scheme[] = {"midpoint", "trapezoid", "gauss(2)"};
    for (int i = 0; i < 3; i++) {
        run r = begin_at(CHARGED, scheme[i], NULL);
        for (int k = 0; k < 20; k++) {
            must(&r, dal_step(r.s));
            const double *q = dal_q(r.s), *p = dal_p(r.s), *v = dal_v(r.s);
            for (int j = 0; j < 200; j++) {
                const double m = 1 + (j + 1) / 200.0, beside = j ? 0.3 * q[j - 1] : 0;
                check_close(v[j], (p[j] - 0.3 * sin(dal_time(r.s)) - beside) / m, 1e-14);
            }
        }
        end(&r);
    }
}

static void power_balances_to_roundoff_by_every_rule(void **state)
{
    (void)state;
    static const struct {
        const char *text, *scheme, *force;
    } row[] = {{FORCED, "midpoint", NULL},      {FORCED, "trapezoid", "gauss(2)"},
               {FORCED, "gauss(3)", NULL},      {FORCED, "gauss(2)", "trapezoid"},
               {FORCED, "lobatto(4)", NULL},    {MIXED, "gauss(2)", NULL},
               {CHARGED, "gauss(2)", NULL},     {CHARGED, "midpoint", NULL}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        run r = begin_at(row[i].text, row[i].scheme, row[i].force);
        run_to_end(&r);
        const dal_summary *sum = dal_summarise(r.s);
        check_below(sum->power_error, 2e-12);
        check_below(sum->dirac_residual, 1e-13);
        assert_true(sum->power_error > 0 && sum->dirac_residual > 0);
        end(&r);
    }
}

static void energy_is_kept_or_worked_for(void **state)
{
    (void)state;
    run r = begin_at(FORCED, "gauss(3)", NULL);
    run_to_end(&r);
    const dal_summary *sum = dal_summarise(r.s);
    check_close(sum->energy.last - sum->energy.first, sum->work, 1e-7);
    assert_true(fabs(sum->work) > 1);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_are_those_of_the_momenta),
        cmocka_unit_test(power_balances_to_roundoff_by_every_rule),
        cmocka_unit_test(energy_is_kept_or_worked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
