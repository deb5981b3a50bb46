/* test_api_sequence.c - chains whose numbering hides them: rings, and several arrays along one
 * chain. They are solved as the chains they are, and move as without a new numbering. */
#include "api_run.h"

#define START(x) "start " x "[k] = 0.3*sin(0.7*k), " x "[k]' = 0.2*cos(0.3*k)"

static const char RING[] =
    "system Ring {\n  parameter N = 601, b = 0.7, m[k in 1..N] = 1 + 0.3*sin(k)\n"
    "  coordinate x[N]\n"
    "  let V(r) = r^2/2 + b*r^4/4\n"
    "  lagrangian sum(i in 1..N: m[i]*x[i]'^2/2) - sum(i in 1..N-1: V(x[i+1] - x[i])) - "
    "V(x[1] - x[N])\n"
    "  for k in 1..N { force x[k]: -0.01*x[k]'\n  " START("x") " }\n"
                                                               "  force x[5]: sin(t)\n}\n";
static const char LINEAR[] =
    "system Ring {\n  parameter N = 600\n  coordinate x[k in 0..N-1]\n"
    "  lagrangian sum(i in 0..N-1: x[i]'^2/2 - (x[mod(i+1, N)] - x[i])^2/2)\n"
    "  for k in 0..N-1 { " START("x") " }\n}\n";
static const char PLANE[] =
    "system Plane {\n  parameter N = 400\n  coordinate x[N], y[N]\n"
    "  lagrangian sum(i in 1..N: (x[i]'^2 + y[i]'^2)/2) - sum(i in 1..N-1: 2*(sqrt((1 + x[i+1] - "
    "x[i])^2 + (y[i+1] - y[i])^2) - 1)^2)\n"
    "  for k in 1..N { " START("x") "\n    " START("y") " }\n}\n";
static const char INNER[] =
    "system Inner {\n  parameter N = 400\n  coordinate x[N], y[N]\n"
    "  hamiltonian sum(i in 1..N: (p(x[i])^2 + p(y[i])^2)/2 + (y[i] - x[i])^4) + sum(i in 1..N-1: "
    "(x[i+1] - x[i])^2/2)\n"
    "  for k in 1..N { start x[k] = 0.3*sin(0.7*k), p(y[k]) = 0.1 }\n}\n";
/* too wide for a chain in any order: it stays as it is */
static const char LATTICE[] =
    "system Lattice {\n  parameter N = 20\n  coordinate u[N][N]\n"
    "  lagrangian sum(i in 1..N, j in 1..N: u[i][j]'^2/2) - sum(i in 1..N-1, j in 1..N: "
    "(u[i+1][j] - u[i][j])^4 + (u[j][i+1] - u[j][i])^2)\n"
    "  for i in 1..N, j in 1..N { start u[i][j] = 0.2*sin(i + 2*j) }\n}\n";

static run run_of(const char *text, const char *scheme, const char *joined, const char *threads)
{
    run r = begin_text(text, (setting[]){{"scheme", scheme},
                                         {"step", "0.05"},
                                         {"steps", "40"},
                                         {"backend", "vm"},
                                         {"interconnection", joined},
                                         {"threads", threads},
                                         {"ledger", "yes"},
                                         {0}});
    run_to_end(&r);
    return r;
}

static void they_move_as_before(void **state)
{
    static const char *const models[] = {RING, LINEAR, PLANE, INNER, LATTICE};
    static const char *const schemes[] = {"midpoint", "trapezoid", "gauss(2)"};
    (void)state;
    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
        for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++) {
            run a = run_of(models[k], schemes[s], "multipliers", "1");
            run b = run_of(models[k], schemes[s], "eliminate", "1");
            run c = run_of(models[k], schemes[s], "eliminate", "2");
            check_below(states_apart(&a, &b), 1e-14);
            assert_true(states_apart(&b, &c) == 0);
            const dal_account *x = dal_ledger_of(a.s)->account, *y = dal_ledger_of(b.s)->account;
            check_close(x->last, y->last, 1e-11);
            check_close(x->work, y->work, 1e-13);
            end(&a), end(&b), end(&c);
        }
}

/* What is measured by its name is found where it has gone. */
static void names_stay_in_their_places(void **state)
{
    double x[2], p[2];
    (void)state;
    for (int k = 0; k < 2; k++) {
        run r = run_of(PLANE, "midpoint", k ? "eliminate" : "multipliers", "1");
        x[k] = measure(&r, "x[7]"), p[k] = measure(&r, "p(y[399])");
        end(&r);
    }
    check_close(x[0], x[1], 1e-14);
    check_close(p[0], p[1], 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_move_as_before),
        cmocka_unit_test(names_stay_in_their_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
