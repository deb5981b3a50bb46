/* test_api_stages.c - steps of several stages of large systems: corrections with the system frozen
 * in the middle of the curve end where Newton's method does, for every kind of term; their order on
 * a nonlinear motion that is known; and a run that is resumed goes on with the same bits. */
#include "compiled.h"
#include "springs.h"

#include <stdlib.h>

static const char CHAIN[] =
    "system Chain {\n"
    "  parameter N = 150\n"
    "  coordinate u[N]\n"
    "  lagrangian sum(i in 1..N: u[i]'^2/2)\n"
    "  lagrangian -sum(i in 1..N-1: " SPRING("u[i+1] - u[i]") ")\n" START "}\n";
/* Inertia depends on positions, positions and velocities are coupled, forces damp and depend on
 * time. */
static const char MIXED[] =
    "system Mixed {\n"
    "  parameter N = 120\n"
    "  coordinate u[N]\n"
    "  lagrangian sum(i in 1..N: u[i]'^2/2*(1 + u[i]^2/5))\n"
    "  lagrangian sum(i in 1..N-1: 0.3*u[i]*u[i+1]'*cos(u[i+1]))\n"
    "  lagrangian -sum(i in 1..N-1: " SPRING(
        "u[i+1] - u[i]") ")\n"
                         "  for i in 1..N { force u[i]: -0.2*u[i]' + 0.1*sin(2*t + i) }\n" START
                         "}\n";
static const char DAMPED[] =
    "system Damped {\n"
    "  parameter N = 120\n"
    "  coordinate u[N]\n"
    "  lagrangian sum(i in 1..N: u[i]'^2/2 - u[i]^2/2)\n"
    "  lagrangian -sum(i in 1..N-1: " SPRING(
        "u[i+1] - u[i]") ")\n"
                         "  for i in 1..N { damping u[i]: -0.3*u[i]' }\n" START "}\n";
static const char LADDER[] = LADDER_OF(60, "u[i]'^2/2 + w[i]'^2 + u[i]'*w[i]'/4");
static const char LATTICE[] = LATTICE_OF(12), NESTED[] = CELLS_OF(30);

typedef struct {
    const char *text, *scheme, *step;
} row;

static run begin_row(const row *r, const char *jacobian, const char *threads)
{
    const setting set[] = {{"scheme", r->scheme},
                           {"step", r->step},
                           {"steps", "40"},
                           {"jacobian", jacobian},
                           {"backend", "vm"},
                           {"threads", threads},
                           {0}};
    return begin_text(r->text, set);
}

static run run_of(const row *r, const char *jacobian)
{
    run a = begin_row(r, jacobian, NULL);
    run_to_end(&a);
    return a;
}

static const row rows[] = {
    {CHAIN, "gauss(2)", "1.2"},    {CHAIN, "gauss(3)", "1.2"},   {CHAIN, "gauss(4)", "1.5"},
    {CHAIN, "gauss(5)", "1.5"},    {CHAIN, "lobatto(3)", "0.9"}, {CHAIN, "lobatto(4)", "0.9"},
    {CHAIN, "radau(3)", "0.9"},    {MIXED, "gauss(2)", "0.3"},   {MIXED, "gauss(3)", "0.3"},
    {MIXED, "gauss(4)", "0.4"},    {MIXED, "lobatto(3)", "0.3"}, {DAMPED, "gauss(2)", "0.4"},
    {DAMPED, "gauss(3)", "0.4"},   {LADDER, "gauss(2)", "0.8"},  {LADDER, "gauss(3)", "0.8"},
    {LADDER, "lobatto(3)", "0.5"}, {LATTICE, "gauss(3)", "1"},   {LATTICE, "lobatto(3)", "0.8"},
    {NESTED, "gauss(2)", "1"},     {NESTED, "gauss(3)", "1"},
};

/* Steps are the same but for a few units in the last place of the largest number each. Simplified
 * corrections converge linearly: there are more of them. */
static void simplified_corrections_end_where_newtons_do(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        run                a = run_of(&rows[k], "auto"), b = run_of(&rows[k], "newton");
        const dal_summary *sum = dal_summarise(a.s), *full = dal_summarise(b.s);
        const double       apart = states_apart(&a, &b);
        if (!(apart <= 40 * 8 * DBL_EPSILON) || sum->newton_iterations <= full->newton_iterations)
            print_error("%s %s: %.2e apart, %ld and %ld iterations\n", rows[k].scheme, rows[k].step,
                        apart, sum->newton_iterations, full->newton_iterations);
        check_below(apart, 40 * 8 * DBL_EPSILON);
        assert_true(sum->newton_iterations > full->newton_iterations);
        check_below(sum->dirac_residual, 1e-13);
        end(&a), end(&b);
    }
}

/* Neighbours move against each other on a ring:  a'' = -4 a - 16 a^3,  a = A cn(w t | m). A total
 * derivative in L changes momenta, not the motion. */
static const char RING[] =
    "system Ring {\n"
    "  parameter N = 100\n"
    "  coordinate u[N]\n"
    "  lagrangian sum(i in 1..N: u[i]'^2/2 + u[i]^2*u[i]'/4)\n"
    "  lagrangian -sum(i in 1..N-1: " SPRING(
        "u[i+1] - u[i]") ")\n"
                         "  lagrangian -" SPRING(
                             "u[1] - u[N]") "\n"
                                            "  for i in 1..N { start u[i] = 0.3*cos(pi*i) }\n"
                                            "}\n";

/* cn by descending Landen transformations: the arithmetic-geometric mean. */
static double cn(double x, double m)
{
    enum { MOST = 12 };
    double a[MOST] = {1}, c[MOST] = {sqrt(m)}, b = sqrt(1 - m);
    int    k = 0;
    for (; k + 1 < MOST && fabs(c[k]) > DBL_EPSILON; k++) {
        a[k + 1] = (a[k] + b) / 2, c[k + 1] = (a[k] - b) / 2;
        b = sqrt(a[k] * b);
    }
    double phi = ldexp(a[k] * x, k);
    for (; k > 0; k--) phi = (phi + asin(c[k] * sin(phi) / a[k])) / 2;
    return cos(phi);
}

static double error_of(const char *scheme, double h)
{
    const double A = 0.3, T = 2, w2 = 4 + 16 * A * A;
    char         step[32], steps[32];
    snprintf(step, sizeof step, "%.17g", h),
        snprintf(steps, sizeof steps, "%d", (int)(T / h + 0.5));
    const setting set[] = {
        {"scheme", scheme}, {"step", step}, {"steps", steps}, {"backend", "vm"}, {0}};
    run a = begin_text(RING, set);
    run_to_end(&a);
    const double apart = fabs(dal_q(a.s)[1] - A * cn(sqrt(w2) * T, 16 * A * A / (2 * w2)));
    end(&a);
    return apart;
}

static void orders_are_those_of_the_scheme(void **state)
{
    (void)state;
    static const struct {
        const char *scheme;
        double      h, order;
    } of[] = {
        {"gauss(2)", 0.25, 4}, {"gauss(3)", 0.5, 6}, {"gauss(4)", 0.5, 8}, {"lobatto(3)", 0.25, 4}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        const double coarse = error_of(of[k].scheme, of[k].h),
                     fine = error_of(of[k].scheme, of[k].h / 2);
        check_close(log2(coarse / fine), of[k].order, 0.6);
    }
}

/* Saved in the middle and resumed, with one thread and with two: every bit is the same. */
static void a_resumed_run_has_the_same_bits(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        run             whole = run_of(&rows[k], "auto"), half = begin_row(&rows[k], "auto", "2");
        run             rest = begin_row(&rows[k], "auto", NULL);
        const void     *bytes;
        size_t          length;
        dal_checkpoint *c;
        for (int i = 0; i < 20; i++) assert_int_equal(dal_step(half.s), DAL_OK);
        must(&half, dal_sim_save_to_memory(half.s, &bytes, &length));
        must(&rest, dal_checkpoint_parse(rest.cx, bytes, length, &c));
        must(&rest, dal_sim_restore(rest.s, c));
        dal_checkpoint_free(c);
        run_to_end(&rest);
        assert_memory_equal(dal_q(rest.s), dal_q(whole.s), dal_size(whole.s) * sizeof(double));
        assert_memory_equal(dal_p(rest.s), dal_p(whole.s), dal_size(whole.s) * sizeof(double));
        end(&whole), end(&half), end(&rest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simplified_corrections_end_where_newtons_do),
        cmocka_unit_test(orders_are_those_of_the_scheme),
        cmocka_unit_test(a_resumed_run_has_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
