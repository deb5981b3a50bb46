/* test_api_linkages.c - steps of masses that relations hold together, by Newton's iteration for the
 * multipliers alone: the same as with the matrix of all unknowns, on any number of threads the same
 * bits, and resumed as if they had never stopped. */
#include "api_run.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#define MASSES "  coordinate x[N], y[N]\n" \
               "  lagrangian sum(k in 1..N: (1 + 0.3*sin(k))*(x[k]'^2 + y[k]'^2)/2 - 9.81*y[k])\n"
/* rods to and fro, so that positions are no larger than rods */
#define FOLDED "  for k in 1..N { start x[k] = mod(k, 2), y[k]' = if(k > 1, 0, 1) }\n}\n"
#define ROD(k, l) "(x[" k "] - x[" l "])^2 + (y[" k "] - y[" l "])^2 = 1\n"

static const char RODS[] = "system Rods {\n  parameter N = 200\n" MASSES
                           "  holonomic first: x[1]^2 + y[1]^2 = 1\n"
                           "  holonomic rod[k in 2..N]: " ROD("k", "k-1") FOLDED;
static const char PENDULUMS[] =
    "system Pendulums {\n  parameter N = 300\n" MASSES
    "  holonomic rod[k in 1..N]: x[k]^2 + y[k]^2 = 1\n"
    "  for k in 1..N { start x[k] = sin(3*k/N), y[k] = -cos(3*k/N), x[k]' = cos(3*k/N)/k, y[k]' = sin(3*k/N)/k }\n}\n";
/* each mass is held by one far before it */
static const char TREE[] = "system Tree {\n  parameter N = 200\n" MASSES
                           "  holonomic first: x[1]^2 + y[1]^2 = 1\n"
                           "  holonomic rod[k in 1..N/2-1]: " ROD("2*k", "k")
                           "  holonomic twin[k in 1..N/2-1]: " ROD("2*k+1", "k")
                           "  for k in 1..N { start x[k] = mod(floor(log(k)/log(2) + 10^-9) + 1, 2), y[k]' = if(k > 1, 0, 1) }\n}\n";
/* neighbours on curves of two kinds, in no order; x y z of a point side by side, drag, a pivot that
 * is moved */
static const char CURVES[] =
    "system Curves {\n  parameter N = 90\n  coordinate p[N][3]\n"
    "  lagrangian sum(k in 1..N, i in 1..3: p[k][i]'^2/2 - p[k][3])\n"
    "  for k in 1..N, i in 1..3 { force p[k][i]: -0.1*p[k][i]' }\n"
    "  holonomic bowl[k in 1..N/3]: p[3*k][3] = (p[3*k][1]^2 + p[3*k][2]^2)/4 + sin(t)/10\n"
    "  holonomic rope[k in 1..N/3]: (p[3*k][1] - p[3*k-1][1])^2 + (p[3*k][2] - p[3*k-1][2])^2"
    " + (p[3*k][3] - p[3*k-1][3])^2 = 1\n"
    "  holonomic wave[k in 1..N/3]: p[3*k-2][2] = sin(p[3*k-2][1])\n"
    "  for k in 1..N/3 { start p[3*k][1] = 0.1*k, p[3*k][3] = k^2/400, p[3*k-1][1] = 0.1*k,"
    " p[3*k-1][3] = k^2/400 - 1, p[3*k][3]' = 0.1, p[3*k-1][3]' = 0.1, p[3*k-2][1]' = 1, p[3*k-2][2]' = 1 }\n}\n";
/* forces that a step by the trapezoidal rule takes from its ends */
static const char MOLECULES[] =
    "system Molecules {\n  parameter N = 200\n  coordinate x[N], y[N]\n"
    "  lagrangian sum(k in 1..N: (x[k]'^2 + y[k]'^2)/2)\n"
    "  lagrangian -sum(k in 1..N-2: exp(x[k] - x[k+2] + 2) + cosh(y[k] - y[k+2]) + x[k]^4/10^8)\n"
    "  holonomic bond[k in 1..N/2]: (x[2*k] - x[2*k-1])^2 + (y[2*k] - y[2*k-1])^2 = 1\n"
    "  for k in 1..N { start x[k] = k, y[k]' = sin(k), x[k]' = 0.1*cos(floor((k + 1)/2)) }\n}\n";

typedef struct {
    const char *text, *scheme, *step, *solver; /* of the multipliers */
} row;
static const row rows[] = {
    {RODS, "midpoint", "0.002", "tridiagonal"},
    {RODS, "compose(midpoint, yoshida(4))", "0.002", "tridiagonal"},
    {PENDULUMS, "midpoint", "0.01", "diagonal"},
    {PENDULUMS, "trapezoid", "0.02", "diagonal"},
    {TREE, "midpoint", "0.01", "sparse"},
    {CURVES, "midpoint", "0.01", NULL},
    {MOLECULES, "trapezoid", "0.01", "diagonal"},
    {MOLECULES, "compose(trapezoid, suzuki(4))", "0.02", "diagonal"},
};
enum { ROWS = sizeof rows / sizeof *rows };

static run begin_with(const row *of, const char *solver, const char *threads, const char *steps)
{
    return begin_text(of->text, (setting[]){{"scheme", of->scheme}, {"step", of->step},
                                            {"steps", steps}, {"backend", "vm"},
                                            {"solver", solver}, {"threads", threads}, {0}});
}

static run end_of(const row *of, const char *solver, const char *threads, const char *steps)
{
    run r = begin_with(of, solver, threads, steps);
    run_to_end(&r);
    return r;
}

/* The first step has no multipliers before it, and is made with the matrix of all unknowns. */
static void steps_are_those_of_all_unknowns(void **state)
{
    (void)state;
    for (int k = 0; k < ROWS; k++)
        for (int many = 0; many < 2; many++) {
            const char *steps = many ? "60" : "2";
            run a = end_of(&rows[k], "auto", "1", steps), b = end_of(&rows[k], "sparse", "1", steps);
            if (rows[k].solver) assert_string_equal(dal_summarise(a.s)->solver, rows[k].solver);
            check_below(states_apart(&a, &b), 1e-12);
            end(&a), end(&b);
        }
}

/* One for the prediction, and one to be sure. */
static void few_corrections_are_made(void **state)
{
    (void)state;
    run r = end_of(&rows[2], "auto", "1", "60");
    check_below((double)dal_summarise(r.s)->newton_iterations, 60 * 2.5);
    end(&r);
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    for (int k = 0; k < ROWS; k++) {
        run a = end_of(&rows[k], "auto", "1", "30"), b = end_of(&rows[k], "auto", "2", "30");
        assert_memory_equal(dal_q(a.s), dal_q(b.s), a.n * sizeof(double));
        assert_memory_equal(dal_p(a.s), dal_p(b.s), a.n * sizeof(double));
        end(&a), end(&b);
    }
}

static void resumed_runs_have_the_same_bits(void **state)
{
    (void)state;
    for (int k = 0; k < ROWS; k++) {
        run whole = end_of(&rows[k], "auto", "1", "30");
        run half = begin_with(&rows[k], "auto", "1", "30");
        must(&half, dal_advance(half.s, 15));
        check_goes_on_to(&half, &whole);
        end(&half), end(&whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_all_unknowns),
        cmocka_unit_test(few_corrections_are_made),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(resumed_runs_have_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
