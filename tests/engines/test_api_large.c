/* test_api_large.c - large systems in passes move as they do when they are evaluated as a whole:
 * chains and lattices, with ends of their own, numbers for every instance, damping and time.
 * On any number of threads the passes give the same bits. */
#include "api_run.h"
#include "native.h"

#include <stdbool.h>
#include <string.h>

static const char SPRINGS[] = "system Spring { coordinate a, b\n"
                              "  lagrangian (a'^2 + b'^2)/4 - (b - a)^2/2 - (b - a)^4/4 }\n"
                              "system Chain {\n"
                              "  part s[6500] : Spring\n"
                              "  for k in 1..6499 { connect s[k].b = s[k+1].a }\n"
                              "  for k in 1..6500 { start s[k].a = 0.5*sin(0.05*k) }\n"
                              "}\n";

/* masses and springs that differ, walls at the ends, gravity that swings */
static const char UNEQUAL[] =
    "system Chain {\n"
    "  parameter g = 0.3, m[2100] = 1\n"
    "  coordinate x[2100]\n"
    "  lagrangian sum(k in 1..2100: (m[k] + 0.2*sin(k))*x[k]'^2/2)\n"
    "  lagrangian -sum(k in 1..2099: (1 + 0.5*cos(k))*(x[k+1] - x[k])^2/2 + exp(x[k] - x[k+1]))\n"
    "  lagrangian -x[1]^2/2 - (x[2100] - 1)^4\n"
    "  lagrangian -sum(k in 1..700: 0.1*cos(3*x[3*k]))\n"
    "  for k in 1..2100 { start x[k] = 0.3*cos(0.11*k)\n    start x[k]' = 0.1*sin(k) }\n"
    "}\n";
static const char DRIVEN[] = "system Chain {\n"
                             "  parameter c = 0.2\n"
                             "  coordinate x[1000]\n"
                             "  lagrangian sum(k in 1..1000: x[k]'^2/2 - g*sin(t)*x[k]) - sum(k in "
                             "1..999: (x[k+1] - x[k])^2/2 "
                             "+ (x[k+1] - x[k])^4/4)\n"
                             "  parameter g = 0.1\n"
                             "  for k in 1..1000 { force x[k]: -c*x[k]' }\n"
                             "  for k in 1..999 { force x[k]: 0.1*(x[k+1]' - x[k]')\n    force "
                             "x[k+1]: 0.1*(x[k]' - x[k+1]') }\n"
                             "  force x[1]: 0.5*cos(2*t)\n"
                             "  for k in 1..1000 { start x[k] = 0.2*cos(0.3*k) }\n"
                             "}\n";
static const char LATTICE[] =
    "system Lattice {\n"
    "  coordinate u[40][50]\n"
    "  lagrangian sum(i in 1..40: sum(j in 1..50: u[i][j]'^2/2 - u[i][j]^4/8))\n"
    "  lagrangian -sum(i in 1..39: sum(j in 1..50: (u[i+1][j] - u[i][j])^2/2))\n"
    "  lagrangian -sum(i in 1..40: sum(j in 1..49: 2*(u[i][j+1] - u[i][j])^2/2))\n"
    "  for i in 1..40 { for j in 1..50 { start u[i][j] = sin(0.2*i)*cos(0.3*j) } }\n"
    "}\n";
/* two coordinates a mass */
static const char PLANAR[] =
    "system Bead { coordinate x, y\n  lagrangian (x'^2 + y'^2)/2 - 0.1*x^2*y }\n"
    "system Planar {\n"
    "  part m[900] : Bead\n"
    "  lagrangian -sum(k in 1..899: (m[k+1].x - m[k].x)^2/2 + (m[k+1].y - m[k].y - 0.1)^2)\n"
    "  for k in 1..900 { start m[k].x = cos(k)\n    start m[k].y = sin(0.1*k) }\n"
    "}\n";
/* three, with friction, and ends that are held */
static const char SPATIAL[] =
    "system Bead { coordinate r[3]\n  lagrangian (r[1]'^2 + r[2]'^2 + r[3]'^2)/2\n"
    "  for j in 1..3 { force r[j]: -0.01*r[j]' } }\n"
    "system Rope {\n"
    "  part m[700] : Bead\n"
    "  lagrangian -sum(k in 1..699: 20*(sqrt(sum(j in 1..3: (m[k+1].r[j] - m[k].r[j])^2)) - 1)^2)\n"
    "  lagrangian -sum(j in 1..3: m[1].r[j]^2 + (m[700].r[j] - 300)^2)\n"
    "  for k in 1..700 { start m[k].r[1] = 1.02*k\n    start m[k].r[2] = 0.3*sin(0.1*k)\n"
    "    start m[k].r[3]' = 0.1*cos(0.3*k) }\n"
    "}\n";
/* relations that take coordinates out, with numbers that all instances share */
static const char LADDER[] =
    "system Cell { parameter R = 0.05\n  coordinate coil, plate\n"
    "  lagrangian coil'^2/2 - plate^2/2\n  force coil: -R*coil' }\n"
    "system Ladder {\n"
    "  part c[k in 1..800] : Cell(R = 0.05 + k/9000)\n"
    "  for k in 1..799 { connect c[k].coil' = c[k].plate' + c[k+1].coil' }\n"
    "  connect c[800].coil' = c[800].plate'\n"
    "  force c[1].coil: sin(t)\n"
    "  for k in 1..800 { start c[k].plate = 0.1*cos(k) }\n"
    "}\n";
/* a ring: the last spring closes it; numbered along both sides at once it is a chain */
static const char RING[] = "system Ring {\n"
                           "  coordinate x[900]\n"
                           "  lagrangian sum(k in 1..900: x[k]'^2/2) - sum(k in 1..899: (x[k+1] - "
                           "x[k])^4/2) - (x[1] - x[900])^2/2\n"
                           "  for k in 1..900 { start x[k] = cos(k) }\n"
                           "}\n";
/* springs of one kind side by side, and others of it to the mass after the next */
static const char DOUBLED[] =
    "system Spring { coordinate a, b\n  lagrangian -(b - a)^2/2 - (b - a)^4/4 }\n"
    "system Mass { coordinate x\n  lagrangian x'^2/2 }\n"
    "system Chain {\n"
    "  part m[1200] : Mass\n  part s[1199] : Spring\n  part r[1199] : Spring\n"
    "  part far[1198] : Spring\n"
    "  for k in 1..1199 { connect s[k].a = m[k].x\n    connect s[k].b = m[k+1].x\n"
    "    connect r[k].a = m[k].x\n    connect r[k].b = m[k+1].x }\n"
    "  for k in 1..1198 { connect far[k].a = m[k].x\n    connect far[k].b = m[k+2].x }\n"
    "  for k in 1..1200 { start m[k].x = 0.5*sin(0.05*k) }\n"
    "}\n";
/* Passes are not found, or must be; those of some rows other rows compile too, which takes
 * seconds. */
typedef enum { NONE, FOUND, FOUND_ELSEWHERE } finding;

typedef struct {
    const char *text, *scheme, *summation;
    finding     by;
    const char *solver; /* of the whole */
} row;

static run begin_with(const row *r, const char *backend, const char *threads, const char *solver)
{
    const setting set[] = {{"scheme", r->scheme}, {"summation", r->summation},
                           {"backend", backend},  {"threads", threads},
                           {"step", "0.05"},      {"steps", "40"},
                           {"solver", solver},    {0}};
    return begin_text(r->text, set);
}

static run begin(const row *r, const char *backend, const char *threads)
{
    return begin_with(r, backend, threads, "auto");
}

static const row rows[] = {
    {SPRINGS, "trapezoid", "compensated", FOUND_ELSEWHERE, "diagonal"},
    {SPRINGS, "trapezoid", "plain", FOUND, "diagonal"},
    {SPRINGS, "midpoint", "compensated", FOUND_ELSEWHERE, "tridiagonal"},
    {SPRINGS, "midpoint", "plain", FOUND, "band"},
    {UNEQUAL, "trapezoid", "compensated", FOUND, "diagonal"},
    {UNEQUAL, "midpoint", "compensated", FOUND_ELSEWHERE, "tridiagonal"},
    {DRIVEN, "midpoint", "compensated", FOUND, "tridiagonal"},
    {DRIVEN, "trapezoid", "compensated", NONE, "auto"},
    {LATTICE, "trapezoid", "compensated", FOUND, "diagonal"},
    {LATTICE, "midpoint", "compensated", FOUND, "auto"},
    {PLANAR, "trapezoid", "compensated", FOUND, "diagonal"},
    {PLANAR, "midpoint", "compensated", FOUND_ELSEWHERE, "band"},
    {SPATIAL, "midpoint", "compensated", FOUND, "band"},
    {LADDER, "midpoint", "compensated", FOUND, "tridiagonal"},
    {RING, "trapezoid", "compensated", FOUND, "diagonal"},
    {DOUBLED, "trapezoid", "compensated", FOUND, "diagonal"},
    {DOUBLED, "midpoint", "compensated", FOUND_ELSEWHERE, "band"},
    {UNEQUAL, "gauss(2)", "compensated", FOUND, "auto"},
};

static void step_both(run *a, run *b)
{
    for (int i = 0; i < 40; i++) {
        assert_int_equal(DAL_OK, dal_step(a->s));
        assert_int_equal(DAL_OK, dal_step(b->s));
    }
}

/* Of positions, by whose roundoff forces differ: the largest beside 100. */
static double breadth(const run *r, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(dal_q(r->s)[i]));
    return fmax(1, most / 100);
}

/* Rounding is all that differs: a few units in the last place a step. */
static void are_alike(const run *a, const run *b)
{
    const size_t n = dal_size(a->s);
    assert_true(apart(dal_q(a->s), dal_q(b->s), n) < 1e-12);
    assert_true(apart(dal_p(a->s), dal_p(b->s), n) < 1e-12 * breadth(a, n));
    assert_true(fabs(dal_summarise(a->s)->work - dal_summarise(b->s)->work) < 1e-11);
}

/* Without a compiler all of them are evaluated as a whole. */
static void passes_move_as_the_whole_does(void **state)
{
    (void)state;
    bool possible = false;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (rows[k].by == FOUND_ELSEWHERE) continue;
        run whole = begin_with(&rows[k], "vm", "1", rows[k].solver),
            passes = begin(&rows[k], "native", "1");
        step_both(&whole, &passes);
        are_alike(&whole, &passes);
        const bool compiled = dal_summarise(passes.s)->is_fused;
        if (k == 1) possible = compiled;
        if (compiled != (possible && rows[k].by == FOUND)) print_error("row %zu\n", k);
        assert_int_equal(compiled, possible && rows[k].by == FOUND);
        end(&whole), end(&passes);
    }
}

static void the_number_of_threads_changes_no_bit(void **state)
{
    (void)state;
    static const char *const threads[] = {"1", "2", "3"};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (rows[k].by != FOUND) continue;
        run    r[3];
        size_t n = 0;
        for (int t = 0; t < 3; t++) {
            r[t] = begin(&rows[k], "native", threads[t]);
            n = dal_size(r[t].s) * sizeof(double);
            assert_int_equal(DAL_OK, dal_run(r[t].s, NULL));
        }
        for (int t = 1; t < 3; t++) {
            assert_memory_equal(dal_q(r[0].s), dal_q(r[t].s), n);
            assert_memory_equal(dal_p(r[0].s), dal_p(r[t].s), n);
        }
        for (int t = 0; t < 3; t++) end(&r[t]);
    }
}

/* Where a spring tears, the run ends at the same state and with the same message. */
static void a_step_that_fails_leaves_the_state_before_it(void **state)
{
    (void)state;
    static const char TORN[] =
        "system Chain {\n  coordinate x[1000]\n"
        "  lagrangian sum(k in 1..1000: x[k]'^2/2) - sum(k in 1..999: -(x[k+1] - x[k])^6)\n"
        "  for k in 1..1000 { start x[k] = k + 0.1*sin(k) }\n}\n";
    const row         r = {TORN, "trapezoid", "compensated", FOUND, "diagonal"};
    run               by[2] = {begin(&r, "vm", "1"), begin(&r, "native", "2")};
    size_t            n = dal_size(by[0].s) * sizeof(double);
    long              steps[2];
    for (int k = 0; k < 2; k++) {
        assert_int_not_equal(DAL_OK, dal_run(by[k].s, NULL));
        steps[k] = dal_steps(by[k].s);
        for (size_t i = 0; i < n / sizeof(double); i++) assert_true(isfinite(dal_q(by[k].s)[i]));
    }
    assert_int_equal(steps[0], steps[1]);
    end(&by[0]), end(&by[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_move_as_the_whole_does),
        cmocka_unit_test(the_number_of_threads_changes_no_bit),
        cmocka_unit_test(a_step_that_fails_leaves_the_state_before_it),
    };
    return cmocka_run_group_tests(tests, open_own_cache, remove_own_cache);
}
