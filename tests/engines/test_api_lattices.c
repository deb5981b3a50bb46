/* test_api_lattices.c - implicit steps of lattices and networks by conjugate gradients, and of trees
 * and linkages in an order with little fill: the same steps as by sparse LU to a few units of the last place, on any number
 * of threads the same bits, and resumed as if they had never stopped. What does not suit is left to
 * sparse LU. */
#include "api_run.h"

#include <float.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Links that differ, some that are missing, a ring in one direction; potentials of three kinds. */
#define SITES "  parameter N = 34, a = 0.3\n  coordinate u[N][N periodic]\n" \
              "  for i in 1..N, j in 1..N { start u[i][j] = a*sin(0.7*i + 0.1*i*j), u[i][j]' = 0.2*cos(i - j) }\n"
#define INERTIA "  lagrangian sum(i in 1..N, j in 1..N: (1 + 0.3*sin(i + 2*j))*u[i][j]'^2/2)\n"
static const char QUARTIC[] =
    "system Lattice {\n" SITES INERTIA
    "  lagrangian -sum(i in 1..N-1, j in 1..N: (u[i+1][j] - u[i][j])^2/2 + (u[i+1][j] - u[i][j])^4/4)\n"
    "  lagrangian -sum(i in 1..N, j in 1..N: (1.5 + sin(i*j))*(u[i][j+1] - u[i][j])^2/2)\n"
    "}\n";
static const char EXPONENTIAL[] =
    "system Lattice {\n" SITES INERTIA
    "  lagrangian -sum(i in 1..N-1, j in 1..N: exp(u[i][j] - u[i+1][j]) - u[i][j] + u[i+1][j])\n"
    "  lagrangian sum(i in 1..N, j in 1..N: if(mod(i + j, 3) > 0, cos(u[i][j+1] - u[i][j]), 0))\n"
    "}\n";
/* damping of sites and of links, and a force that swings */
static const char DAMPED[] =
    "system Lattice {\n" SITES INERTIA
    "  lagrangian -sum(i in 1..N-1, j in 1..N: (u[i+1][j] - u[i][j])^2/2)\n"
    "  lagrangian -sum(i in 1..N, j in 1..N: (u[i][j+1] - u[i][j])^2/2 + u[i][j]^4/4)\n"
    "  for i in 1..N, j in 1..N { force u[i][j]: -0.1*u[i][j]' + 0.1*sin(t + i) }\n"
    "  for i in 1..N-1, j in 1..N {\n"
    "    force u[i][j]: 0.2*(u[i+1][j]' - u[i][j]')\n    force u[i+1][j]: 0.2*(u[i][j]' - u[i+1][j]')\n"
    "  }\n}\n";
static const char LINEAR[] =
    "system Lattice {\n" SITES
    "  lagrangian sum(i in 1..N, j in 1..N: u[i][j]'^2/2 - u[i][j]^2/20 - (u[i][j+1] - u[i][j])^2/2)\n"
    "  lagrangian -sum(i in 1..N-1, j in 1..N: (u[i+1][j] - u[i][j])^2/2)\n"
    "}\n";
/* everything joined to something far away */
static const char NETWORK[] =
    "system Network {\n"
    "  parameter N = 900\n  coordinate x[N]\n"
    "  lagrangian sum(k in 1..N: x[k]'^2/2 - x[k]^2/10)\n"
    "  lagrangian -sum(k in 1..N: (x[k] - x[mod(k*k*7 + 11, N) + 1])^2/2)\n"
    "  lagrangian -sum(k in 1..N: (x[k] - x[mod(k*397, N) + 1])^4/4)\n"
    "  for k in 1..N { start x[k] = 0.4*sin(0.37*k) }\n"
    "}\n";
static const char CUBE[] =
    "system Cube {\n"
    "  parameter N = 10\n  coordinate u[N][N][N]\n"
    "  lagrangian sum(i in 1..N, j in 1..N, l in 1..N: u[i][j][l]'^2/2 - u[i][j][l]^4/4)\n"
    "  lagrangian -sum(i in 1..N-1, j in 1..N, l in 1..N: (u[i+1][j][l] - u[i][j][l])^2/2)\n"
    "  lagrangian -sum(i in 1..N, j in 1..N-1, l in 1..N: (u[i][j+1][l] - u[i][j][l])^2/2)\n"
    "  lagrangian -sum(i in 1..N, j in 1..N, l in 1..N-1: (u[i][j][l+1] - u[i][j][l])^2/2)\n"
    "  for i in 1..N, j in 1..N, l in 1..N { start u[i][j][l] = sin(i + 2*j + 3*l) }\n"
    "}\n";
/* each site pushes one neighbour that does not push back */
static const char ONE_WAY[] =
    "system Lattice {\n" SITES INERTIA
    "  lagrangian -sum(i in 1..N-1, j in 1..N: (u[i+1][j] - u[i][j])^2/2)\n"
    "  lagrangian -sum(i in 1..N, j in 1..N: (u[i][j+1] - u[i][j])^2/2 + u[i][j]^4/4)\n"
    "  for i in 2..N, j in 1..N { force u[i][j]: 0.1*sin(u[i-1][j]) }\n"
    "}\n";
/* sites on top of hills and on stiff springs: the diagonal is positive, the matrix is not */
static const char HILLS[] =
    "system Lattice {\n" SITES
    "  lagrangian sum(i in 1..N, j in 1..N: u[i][j]'^2/2 + 3*u[i][j]^2 - u[i][j]^4/10^10)\n"
    "  lagrangian -sum(i in 1..N-1, j in 1..N: 5*(u[i+1][j] - u[i][j])^2/2)\n"
    "  lagrangian -sum(i in 1..N, j in 1..N: 5*(u[i][j+1] - u[i][j])^2/2)\n"
    "}\n";
/* every other site runs backward in time */
static const char MIXED[] =
    "system Lattice {\n" SITES
    "  lagrangian sum(i in 1..N, j in 1..N: (1 - 2*mod(i, 2))*(u[i][j]'^2/2 - u[i][j]^4/4))\n"
    "  lagrangian -sum(i in 1..N-1, j in 1..N: (u[i+1][j] - u[i][j])^2/40)\n"
    "  lagrangian -sum(i in 1..N, j in 1..N: (u[i][j+1] - u[i][j])^2/40)\n"
    "}\n";
static const char TREE[] =
    "system Tree {\n"
    "  parameter N = 1500\n  coordinate x[N]\n"
    "  lagrangian sum(k in 1..N: x[k]'^2/2) - x[1]^2/2\n"
    "  lagrangian -sum(k in 2..N: (x[k] - x[floor(k/3) + 1])^2/2 + cos(x[k] - x[floor(k/3) + 1])/3)\n"
    "  for k in 1..N { start x[k] = 0.4*sin(0.37*k) }\n"
    "}\n";
static const char STAR[] =
    "system Star {\n"
    "  parameter N = 1000\n  coordinate c, x[N]\n"
    "  lagrangian c'^2*N/2 + sum(k in 1..N: x[k]'^2/2 - (x[k] - c)^2/2 - (x[k] - c)^4/4) - c^2/2\n"
    "  for k in 1..N { force x[k]: -0.1*(x[k]' - 2*c') }\n"
    "  for k in 1..N { start x[k] = 0.4*sin(0.37*k) }\n"
    "}\n";

/* rods, some of which stand upright, on springs that bend them; one coordinate in all relations; and
 * relations of velocities beside holonomic ones */
static const char RODS[] =
    "system Rods {\n"
    "  parameter N = 300\n  coordinate x[N], y[N]\n"
    "  lagrangian sum(k in 1..N: (1 + 0.3*sin(k))*(x[k]'^2 + y[k]'^2)/2 - 9.81*y[k])\n"
    "  lagrangian -sum(k in 2..N-1: cosh(x[k+1] - 2*x[k] + x[k-1]) + (y[k+1] - 2*y[k] + y[k-1])^2)\n"
    "  holonomic first: x[1]^2 + y[1]^2 = 1\n"
    "  holonomic rod[k in 2..N]: (x[k] - x[k-1])^2 + (y[k] - y[k-1])^2 = 1\n"
    "  for k in 1..N { start x[k] = floor(k/2), y[k] = -floor((k + 1)/2) }\n"
    "}\n";
static const char HUB[] =
    "system Hub {\n"
    "  parameter N = 300\n  coordinate a, b, x[N], y[N]\n"
    "  lagrangian 10*N*(a'^2 + b'^2)/2 + sum(k in 1..N: (x[k]'^2 + y[k]'^2)/2 - 9.81*y[k]) - 20*N*a^2 - 20*N*b^2\n"
    "  holonomic rod[k in 1..N]: (x[k] - a)^2 + (y[k] - b)^2 = 1\n"
    "  for k in 1..N { start x[k] = sin(0.02*k), y[k] = -cos(0.02*k) }\n"
    "}\n";
static const char MIXED_RELATIONS[] =
    "system Skates {\n"
    "  parameter N = 300\n  coordinate x[N], y[N], u[N], w[N]\n"
    "  lagrangian sum(k in 1..N: (x[k]'^2 + y[k]'^2 + u[k]'^2)/2 - sin(x[k])*y[k] + w[k]'^2)\n"
    "  lagrangian -sum(k in 1..N-1: (w[k+1] - w[k])^4)\n"
    "  constraint skate[k in 1..N]: y[k]'*cos(u[k]) = x[k]'*sin(u[k])\n"
    "  holonomic pair[k in 2..N]: w[k] + w[k-1]^2 = x[k]/4\n"
    "  for k in 1..N { start x[k] = if(k > 1, 8, 0), u[k] = 0.1*k, u[k]' = 1, w[k] = 1 }\n"
    "}\n";

typedef struct {
    const char *text, *step, *solver; /* the one that solves it in the end; NULL: not cg */
    const char *steps;
} row;
static const row rows[] = {
    {QUARTIC, "0.5", "cg", "30"}, {EXPONENTIAL, "0.7", "cg", "30"}, {DAMPED, "0.6", "cg", "30"},
    {LINEAR, "0.5", "cg", "30"},  {NETWORK, "0.5", "cg", "30"},     {CUBE, "0.5", "cg", "30"},
    {QUARTIC, "2", "cg", "8"},    {NETWORK, "2", "cg", "8"},
    {ONE_WAY, "0.5", NULL, "30"}, {HILLS, "0.9", NULL, "4"},        {MIXED, "0.5", NULL, "30"},
    {TREE, "0.5", "sparse", "30"},  {STAR, "0.4", "sparse", "30"},
    {RODS, "0.002", "sparse", "30"}, {HUB, "0.01", "sparse", "30"}, {MIXED_RELATIONS, "0.01", "sparse", "30"},
};
enum { ROWS = sizeof rows / sizeof *rows };

static run begin_with(const row *of, const char *solver, const char *threads, const char *steps)
{
    return begin_text(of->text, (setting[]){{"scheme", "midpoint"}, {"step", of->step},
                                            {"steps", steps}, {"backend", "vm"},
                                            {"solver", solver}, {"threads", threads}, {0}});
}

static run end_of(const row *of, const char *solver, const char *threads, const char *steps)
{
    run r = begin_with(of, solver, threads, steps);
    run_to_end(&r);
    return r;
}

/* Sparse factors, in builds that have them. */
static const char *factors(void)
{
    run        r = with_settings((setting[]){{"scheme", "midpoint"}, {"step", "0.1"}, {"steps", "1"},
                                             {"solver", "klu"}, {0}});
    const bool sparse = !try_text(&r, STAR);
    end(&r);
    return sparse ? "klu" : "dense";
}

/* After one step, a few units in the last place of the largest; then as roundoff grows. */
static void steps_are_those_of_sparse_factors(void **state)
{
    (void)state;
    for (int k = 0; k < ROWS; k++)
        for (int many = 0; many < 2; many++) {
            const char *steps = many ? rows[k].steps : "1";
            run         a = end_of(&rows[k], "auto", "1", steps),
                b = end_of(&rows[k], factors(), "1", steps);
            const char *by = dal_summarise(a.s)->solver;
            if (rows[k].solver) assert_string_equal(by, rows[k].solver);
            else assert_string_not_equal(by, "cg");
            check_below(states_apart(&a, &b), many ? 1e-12 : 16 * DBL_EPSILON);
            end(&a), end(&b);
        }
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    for (int k = 0; k < ROWS; k++) {
        run a = end_of(&rows[k], "auto", "1", rows[k].steps),
            b = end_of(&rows[k], "auto", "2", rows[k].steps);
        assert_memory_equal(dal_q(a.s), dal_q(b.s), a.n * sizeof(double));
        assert_memory_equal(dal_p(a.s), dal_p(b.s), a.n * sizeof(double));
        end(&a), end(&b);
    }
}

static void resumed_runs_have_the_same_bits(void **state)
{
    (void)state;
    for (int k = 0; k < ROWS; k++) {
        run whole = end_of(&rows[k], "auto", "1", rows[k].steps);
        run half = begin_with(&rows[k], "auto", "1", rows[k].steps);
        must(&half, dal_advance(half.s, atoi(rows[k].steps) / 2));
        check_goes_on_to(&half, &whole);
        end(&half), end(&whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_sparse_factors),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(resumed_runs_have_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
