/* test_api_chain.c - chains that are solved in strands: of several ropes, of lengths that strands do not divide, with places
 * of two coordinates, and where pivots must be exchanged. They move as the same system does when it is evaluated and
 * factored as a whole; compiled, by the machine and on any number of threads they give the same bits. */
#include "api_run.h"
#include "native.h"

#include <stdlib.h>
#include <string.h>

/* a prime number of masses that differ, a drive, friction, a wall */
static const char LONG[] =
    "system Chain {\n"
    "  parameter c = 0.02\n"
    "  coordinate x[16411]\n"
    "  lagrangian sum(k in 1..16411: (1 + 0.3*sin(k))*x[k]'^2/2) - sum(k in 1..16410: (x[k+1] - x[k])^2/2 + (x[k+1] - x[k])^4/4)\n"
    "  lagrangian -x[1]^2/2\n"
    "  for k in 1..16411 { force x[k]: -c*x[k]' }\n"
    "  force x[16411]: 0.3*sin(2*t)\n"
    "  for k in 1..16411 { start x[k] = 0.3*cos(0.2*k) }\n"
    "}\n";
/* springs that turn in the plane: all four numbers of two neighbours meet in a row */
static const char PLANE[] =
    "system Bead { coordinate x, y\n  lagrangian (x'^2 + y'^2)/2 - 0.3*y }\n"
    "system Rope {\n"
    "  part m[211] : Bead\n"
    "  lagrangian -sum(k in 1..210: 5*(sqrt((m[k+1].x - m[k].x)^2 + (m[k+1].y - m[k].y)^2) - 1)^2)\n"
    "  lagrangian -(m[1].x^2 + m[1].y^2)\n"
    "  for k in 1..211 { start m[k].x = 1.01*k\n    start m[k].y = 0.2*sin(0.3*k) }\n"
    "}\n";
/* inertia couples neighbours in pairs, and has nothing on the diagonal */
static const char PAIRS[] =
    "system Pairs {\n"
    "  coordinate x[600]\n"
    "  lagrangian sum(k in 1..300: x[2*k-1]'*x[2*k]') - sum(k in 1..599: (x[k+1] - x[k])^4/4)\n"
    "  for k in 1..600 { start x[k] = 0.0002*sin(k)\n    start x[k]' = 0.0001*cos(k) }\n"
    "}\n";
/* short: strands of 38 masses, the last of 35 */
static const char SHORT[] =
    "system Chain {\n"
    "  parameter N = 301\n"
    "  coordinate x[N]\n"
    "  lagrangian sum(k in 1..N: x[k]'^2/2) - sum(k in 1..N-1: (x[k+1] - x[k])^2/2 + (x[k+1] - x[k])^4/4)\n"
    "  for k in 1..N { start x[k] = 0.2*cos(0.2*k) }\n"
    "}\n";

typedef struct {
    const char *text, *set, *step, *summation, *solver; /* solver: of the whole */
} row;

static const row rows[] = {
    {LONG, NULL, "0.4", "compensated", "tridiagonal"},
    {PLANE, NULL, "0.1", "compensated", "band"},
    {PAIRS, NULL, "0.05", "compensated", "tridiagonal"},
    {SHORT, "N=301", "0.3", "plain", "tridiagonal"},
};
enum { ROWS = sizeof rows / sizeof *rows, STEPS = 4 };

static run begin(const row *r, const char *backend, const char *threads, const char *solver)
{
    const setting set[] = {{"scheme", "midpoint"},
                           {"summation", r->summation},
                           {"backend", backend},
                           {"threads", threads},
                           {"step", r->step},
                           {"steps", "4"},
                           {"solver", solver},
                           {"set", r->set},
                           {0}};
    run           b = begin_text(r->text, set);
    for (int i = 0; i < STEPS; i++) assert_int_equal(DAL_OK, dal_step(b.s));
    return b;
}

static void strands_move_as_the_whole_does(void **state)
{
    (void)state;
    for (int k = 0; k < ROWS; k++) {
        run whole = begin(&rows[k], "vm", "1", rows[k].solver),
            strands = begin(&rows[k], "vm", "1", "auto");
        size_t n = dal_size(whole.s);
        double q = apart_relatively(dal_q(strands.s), dal_q(whole.s), n),
               p = apart_relatively(dal_p(strands.s), dal_p(whole.s), n);
        if (q > 1e-13 || p > 1e-13) print_error("row %d: %g, %g\n", k, q, p);
        assert_true(q <= 1e-13 && p <= 1e-13);
        assert_true(fabs(dal_summarise(whole.s)->work - dal_summarise(strands.s)->work) < 1e-11);
        assert_true(labs(dal_summarise(whole.s)->newton_iterations -
                         dal_summarise(strands.s)->newton_iterations) <= 2);
        end(&whole), end(&strands);
    }
}

static void threads_and_the_compiler_change_no_bit(void **state)
{
    (void)state;
    static const char *const manner[][2] = {{"vm", "1"}, {"native", "3"}, {"vm", "2"}};
    for (int k = 0; k < ROWS; k++) {
        run          first = begin(&rows[k], "vm", "1", "auto");
        const size_t bytes = dal_size(first.s) * sizeof(double);
        for (size_t i = 1; i < sizeof manner / sizeof *manner; i++) {
            run other = begin(&rows[k], manner[i][0], manner[i][1], "auto");
            assert_memory_equal(dal_q(first.s), dal_q(other.s), bytes);
            assert_memory_equal(dal_p(first.s), dal_p(other.s), bytes);
            assert_int_equal(dal_summarise(first.s)->newton_iterations,
                             dal_summarise(other.s)->newton_iterations);
            end(&other);
        }
        end(&first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strands_move_as_the_whole_does),
        cmocka_unit_test(threads_and_the_compiler_change_no_bit),
    };
    return cmocka_run_group_tests(tests, open_own_cache, remove_own_cache);
}
