/* test_api_linear.c - large linear systems: factored once for every length of step, one solve a step, and the motion of
 * the general way to roundoff, with the same bits compiled, by the machine, on any number of threads and after a
 * resume. */
#include "api_run.h"
#include "native.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* 803 and 1001 are no multiples of the pieces that are solved side by side */
static const char LADDER[] =
    "system Cell { parameter R = 0.05\n  coordinate coil, plate\n"
    "  lagrangian coil'^2/2 - plate^2/2\n  force coil: -R*coil' }\n"
    "system Ladder {\n"
    "  part c[803] : Cell\n"
    "  for k in 1..802 { connect c[k].coil' = c[k].plate' + c[k+1].coil' }\n"
    "  connect c[803].coil' = c[803].plate'\n"
    "  force c[1].coil: sin(t)\n"
    "}\n";
/* what is tied is apart by a number of its own at every tie, or turns the other way round, by a gear */
static const char CHARGED[] =
    "system Cell { coordinate coil, plate\n  lagrangian coil'^2/2 - plate^2/2\n  force coil: -0.05*coil' }\n"
    "system Ladder {\n"
    "  part c[603] : Cell\n"
    "  for k in 1..602 { connect c[k].coil' = c[k].plate' + c[k+1].coil' }\n"
    "  connect c[603].coil' = c[603].plate'\n"
    "  for k in 1..603 { start c[k].plate = 0.5 + 0.1*cos(0.1*k) }\n"
    "}\n";
static const char GEARED[] =
    "system Wheel { coordinate a, b\n  lagrangian (a'^2 + b'^2)/2 - (a - b)^2/2 }\n"
    "system Train {\n"
    "  parameter ratio = 1\n  part w[400] : Wheel\n"
    "  for k in 1..399 { connect w[k].b' = -ratio*w[k+1].a' }\n"
    "  for k in 1..399 { start w[k].a = 0.3*cos(0.2*k) }\n"
    "}\n";
static const char UNEQUAL[] =
    "system Chain {\n"
    "  parameter k = 1, m[1001] = 1\n"
    "  coordinate x[1001]\n"
    "  lagrangian sum(i in 1..1001: (m[i] + 0.3*sin(i))*x[i]'^2/2)\n"
    "  lagrangian -sum(i in 1..1000: k*(1 + 0.2*cos(i))*(x[i+1] - x[i])^2/2) - x[1]^2\n"
    "  for i in 1..1001 { force x[i]: -0.02*x[i]'\n    start x[i] = 0.3*cos(0.2*i) }\n"
    "}\n";
/* time in every row, an input, and friction between neighbours, so that the matrix is not symmetric in shape alone */
static const char DRIVEN[] =
    "system Chain {\n"
    "  input push = 0.5\n"
    "  coordinate x[1000]\n"
    "  lagrangian sum(i in 1..1000: x[i]'^2/2 - 0.1*sin(t)*x[i]) - sum(i in 1..999: (x[i+1] - x[i])^2/2)\n"
    "  for i in 1..999 { force x[i]: 0.1*(x[i+1]' - x[i]')\n    force x[i+1]: 0.05*(x[i]' - x[i+1]') }\n"
    "  force x[1]: push*cos(2*t)\n"
    "}\n";
static const char PLANAR[] =
    "system Bead { coordinate x, y\n  lagrangian (x'^2 + y'^2)/2 - 0.1*x*y - x^2 }\n"
    "system Planar {\n"
    "  part m[501] : Bead\n"
    "  lagrangian -sum(k in 1..500: (m[k+1].x - m[k].x)^2/2 + (m[k+1].y - m[k].y)^2 + m[k].x*m[k+1].y/5)\n"
    "  for k in 1..501 { start m[k].x = cos(0.3*k)\n    start m[k].y = sin(0.1*k) }\n"
    "}\n";
static const char SPATIAL[] =
    "system Bead { coordinate r[3]\n  lagrangian (r[1]'^2 + r[2]'^2 + r[3]'^2)/2 - (r[1] - r[2] + r[3])^2/3\n"
    "  for j in 1..3 { force r[j]: -0.01*r[j]' } }\n"
    "system Rope {\n"
    "  part m[301] : Bead\n"
    "  lagrangian -sum(k in 1..300: sum(j in 1..3: (m[k+1].r[j] - m[k].r[j])^2/2))\n"
    "  for k in 1..301 { start m[k].r[1] = 0.3*sin(0.1*k)\n    start m[k].r[3]' = 0.1*cos(0.3*k) }\n"
    "}\n";
/* every second site is without mass, and dragged along */
static const char MASSLESS[] =
    "system Chain {\n"
    "  coordinate x[800]\n"
    "  lagrangian sum(k in 1..400: x[2*k]'^2/2) - sum(k in 1..799: (x[k+1] - x[k])^2/2)\n"
    "  for k in 1..400 { force x[2*k-1]: -0.5*x[2*k-1]' }\n"
    "  for k in 1..400 { start x[2*k] = 0.1*sin(0.2*k) }\n"
    "}\n";
/* a short wave and steps to match, and a matrix that is not symmetric: predictions are no good, and every step is refined */
static const char ROUGH[] =
    "system Chain {\n"
    "  coordinate x[700]\n"
    "  lagrangian sum(k in 1..700: x[k]'^2/2) - sum(k in 1..699: 400*(x[k+1] - x[k])^2/2)\n"
    "  for k in 1..699 { force x[k]: 0.001*(x[k+1]' - x[k]') }\n"
    "  for k in 1..700 { start x[k] = cos(2.5*k) }\n"
    "}\n";

/* so long that several ropes share it, with a stretch of other links, and one spring that is longer */
static const char LONG[] =
    "system Chain {\n"
    "  coordinate x[20011]\n"
    "  lagrangian sum(i in 1..20011: x[i]'^2/2) - sum(i in 1..12000: (x[i+1] - x[i])^2/2)\n"
    "  lagrangian -sum(i in 12001..20010: 0.3*(x[i+1] - x[i])^2) - (x[9000] - x[9002])^2/4\n"
    "  for i in 1..20011 { force x[i]: -0.01*x[i]'\n    start x[i] = 0.3*cos(0.2*i) }\n"
    "}\n";

typedef struct {
    const char *text, *scheme, *summation, *interconnection, *solver;
} row;

static const row rows[] = {
    {LADDER, "midpoint", "plain", "eliminate", "tridiagonal"},
    {LADDER, "midpoint", "compensated", "eliminate", "tridiagonal"},
    {LADDER, "midpoint", "compensated", "multipliers", "auto"},
    {UNEQUAL, "midpoint", "compensated", "eliminate", "tridiagonal"},
    {UNEQUAL, "compose(midpoint, yoshida(4))", "plain", "eliminate", "tridiagonal"},
    {DRIVEN, "midpoint", "compensated", "eliminate", "tridiagonal"},
    {PLANAR, "midpoint", "compensated", "eliminate", "band"},
    {SPATIAL, "midpoint", "plain", "eliminate", "band"},
    {MASSLESS, "midpoint", "compensated", "eliminate", "tridiagonal"},
    {ROUGH, "midpoint", "compensated", "eliminate", "tridiagonal"},
    {CHARGED, "midpoint", "compensated", "eliminate", "tridiagonal"},
    {GEARED, "midpoint", "plain", "eliminate", "tridiagonal"},
    {LONG, "midpoint", "plain", "eliminate", "band"},
    {UNEQUAL, "gauss(2)", "compensated", "eliminate", "auto"},
};
enum { ROWS = sizeof rows / sizeof *rows, STEPS = 30, GEARED_ROW = 11 };

/* Only those by midpoint with all relations taken out go in passes, which are worth compiling here. */
static bool in_passes(const row *r)
{
    return !strcmp(r->interconnection, "eliminate") && strcmp(r->scheme, "gauss(2)") != 0;
}

static run begin(const row *r, const char *backend, const char *threads, const char *solver)
{
    const setting set[] = {
        {"scheme", r->scheme}, {"summation", r->summation}, {"interconnection", r->interconnection},
        {"backend", backend},  {"threads", threads},        {"step", "0.05"},
        {"until", "1.52"},     {"solver", solver},          {0}};
    return begin_text(r->text, set);
}

static void go(run *r, int steps)
{
    for (int k = 0; k < steps; k++) assert_int_equal(DAL_OK, dal_step(r->s));
}

static void assert_same_bits(run *a, run *b, size_t k)
{
    const size_t bytes = dal_size(a->s) * sizeof(double);
    if (memcmp(dal_q(a->s), dal_q(b->s), bytes)) print_error("row %zu\n", k);
    assert_memory_equal(dal_q(a->s), dal_q(b->s), bytes);
    assert_memory_equal(dal_p(a->s), dal_p(b->s), bytes);
    assert_true(dal_summarise(a->s)->work == dal_summarise(b->s)->work);
}

static void they_move_as_the_general_way_does(void **state)
{
    (void)state;
    for (size_t k = 0; k < ROWS; k++) {
        run whole = begin(&rows[k], "vm", "1", rows[k].solver),
            quick = begin(&rows[k], "vm", "1", "auto");
        size_t n = dal_size(whole.s);
        assert_true(dal_summarise(quick.s)->is_linear);
        for (int i = 1; i <= STEPS; i++) {
            go(&whole, 1), go(&quick, 1);
            const double tolerance = (rows[k].text == ROUGH ? 400 : 8) * DBL_EPSILON * i;
            if (!(apart_relatively(dal_q(whole.s), dal_q(quick.s), n) < tolerance))
                print_error("row %zu, step %d\n", k, i);
            assert_true(apart_relatively(dal_q(whole.s), dal_q(quick.s), n) < tolerance);
        }
        assert_true(apart_relatively(dal_p(whole.s), dal_p(quick.s), n) < 1e-12);
        end(&whole), end(&quick);
    }
}

/* `until` is no multiple of the step: the last one is shorter. */
static void compiled_and_shared_out_they_give_the_bits_of_the_machine(void **state)
{
    (void)state;
    for (size_t k = 0; k < ROWS; k++) {
        if (!in_passes(&rows[k])) continue;
        run by[] = {begin(&rows[k], "vm", "1", "auto"), begin(&rows[k], "native", "1", "auto"),
                    begin(&rows[k], "native", "2", "auto")};
        for (int j = 0; j < 3; j++) assert_int_equal(DAL_OK, dal_run(by[j].s, NULL));
        for (int j = 1; j < 3; j++) assert_same_bits(&by[0], &by[j], k);
        for (int j = 0; j < 3; j++) end(&by[j]);
    }
}

static void a_step_is_one_solve_once_there_is_a_past(void **state)
{
    (void)state;
    for (size_t k = 0; k < ROWS; k++) {
        run r = begin(&rows[k], in_passes(&rows[k]) ? "native" : "vm", "1", "auto");
        go(&r, 10);
        const long before = dal_summarise(r.s)->newton_iterations;
        go(&r, 10);
        const long solves = dal_summarise(r.s)->newton_iterations - before;
        const long curves = strcmp(rows[k].scheme, "compose(midpoint, yoshida(4))") ? 10 : 30;
        if (rows[k].text == ROUGH) assert_true(solves > curves && solves <= 2 * curves);
        else assert_int_equal(curves, solves);
        end(&r);
    }
}

static void a_resumed_run_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    for (size_t k = 0; k < ROWS; k++) {
        const char     *by = in_passes(&rows[k]) ? "native" : "vm";
        run all = begin(&rows[k], by, "1", "auto"), half = begin(&rows[k], by, "1", "auto");
        run             rest = {.cx = dal_context_new(NULL)};
        const void     *bytes;
        size_t          length;
        dal_checkpoint *kept;
        go(&all, 20), go(&half, 9);
        assert_int_equal(DAL_OK, dal_sim_save_to_memory(half.s, &bytes, &length));
        assert_int_equal(DAL_OK, dal_checkpoint_parse(rest.cx, bytes, length, &kept));
        assert_int_equal(DAL_OK, dal_checkpoint_resume(kept, &rest.m, &rest.s));
        go(&rest, 11);
        assert_same_bits(&all, &rest, k);
        dal_checkpoint_free(kept);
        end(&all), end(&half), end(&rest);
    }
}

/* After a parameter was set, the factors are those of the new matrix: as of a run that began there. */
static void a_parameter_that_is_set_makes_new_factors(void **state)
{
    (void)state;
    const row *r = &rows[3];
    run        a = begin(r, "native", "1", "auto"), b = begin(r, "vm", "1", r->solver);
    size_t     n = dal_size(a.s);
    go(&a, 10), go(&b, 10);
    assert_int_equal(DAL_OK, dal_set_parameter(a.s, "k", 3));
    assert_int_equal(DAL_OK, dal_set_parameter(b.s, "k", 3));
    go(&a, 15), go(&b, 15);
    assert_true(apart_relatively(dal_q(a.s), dal_q(b.s), n) < 1e-14);
    run fresh = begin(r, "vm", "1", r->solver);
    assert_int_equal(DAL_OK, dal_set_parameter(fresh.s, "k", 3));
    assert_int_equal(DAL_OK, dal_set_state(fresh.s, dal_time(a.s), dal_q(a.s), NULL, dal_p(a.s)));
    go(&fresh, 3), go(&a, 3);
    assert_true(apart_relatively(dal_q(a.s), dal_q(fresh.s), n) < 1e-13);
    end(&a), end(&b), end(&fresh);
}

/* Numbers that rows took for constants, of masses and of ties, are no more what they were. */
static void numbers_that_were_one_may_change(void **state)
{
    (void)state;
    static const struct {
        int         row;
        const char *name;
        double      value;
    } change[] = {{3, "m[500]", 2.5}, {GEARED_ROW, "ratio", 1.25}};
    for (int k = 0; k < 2; k++) {
        const row *r = &rows[change[k].row];
        run        a = begin(r, "native", "1", "auto"), b = begin(r, "vm", "1", r->solver);
        for (int j = 0; j < 3; j++) {
            const double value = j == 1 ? change[k].value : 1;
            assert_int_equal(DAL_OK, dal_set_parameter(a.s, change[k].name, value));
            assert_int_equal(DAL_OK, dal_set_parameter(b.s, change[k].name, value));
            go(&a, 10), go(&b, 10);
            assert_true(apart(dal_q(a.s), dal_q(b.s), dal_size(a.s)) < 1e-13);
        }
        end(&a), end(&b);
    }
}

static void an_input_may_change_between_steps(void **state)
{
    (void)state;
    const row *r = &rows[5];
    run        a = begin(r, "native", "1", "auto"), b = begin(r, "vm", "1", r->solver);
    for (int k = 0; k < 20; k++) {
        assert_int_equal(DAL_OK, dal_set_input(a.s, "push", k % 3 - 0.7));
        assert_int_equal(DAL_OK, dal_set_input(b.s, "push", k % 3 - 0.7));
        go(&a, 1), go(&b, 1);
        assert_true(apart_relatively(dal_q(a.s), dal_q(b.s), dal_size(a.s)) < 1e-13);
    }
    end(&a), end(&b);
}

/* A matrix that is kept must not make energy drift: 20000 steps of a chain without friction. */
static void energy_stays_at_roundoff(void **state)
{
    (void)state;
    static const char FREE[] =
        "system Chain {\n  coordinate x[400]\n"
        "  lagrangian sum(k in 1..400: x[k]'^2/2) - sum(k in 1..399: (x[k+1] - x[k])^2/2)\n"
        "  for k in 1..400 { start x[k] = cos(0.7*k) + 0.1*sin(0.1*k) }\n}\n";
    const row r = {FREE, "midpoint", "compensated", "eliminate", "auto"};
    run       a = begin(&r, "native", "1", "auto");
    double    first, last;
    assert_int_equal(DAL_OK, dal_measure(a.s, "energy", &first));
    go(&a, 20000);
    assert_int_equal(DAL_OK, dal_measure(a.s, "energy", &last));
    if (!(fabs(last - first) < 1e-14 * first))
        print_error("energy moved by %.2e\n", last / first - 1);
    assert_true(fabs(last - first) < 1e-14 * first);
    end(&a);
}

/* Two sites without mass that nothing but each other holds: the step says so, whoever makes it. */
static void a_singular_matrix_is_still_told(void **state)
{
    (void)state;
    static const char LOOSE[] =
        "system Chain {\n  coordinate x[600], loose, end\n"
        "  lagrangian sum(k in 1..600: x[k]'^2/2) - sum(k in 1..599: (x[k+1] - x[k])^2/2)\n"
        "  lagrangian -(loose - end)^2/2\n}\n";
    static const char *const backend[] = {"vm", "native"};
    for (int k = 0; k < 2; k++) {
        const setting set[] = {{"step", "0.1"}, {"steps", "5"}, {"backend", backend[k]}, {0}};
        run           r = with_settings(set);
        dal_status    bad = try_text(&r, LOOSE);
        if (!bad) bad = dal_step(r.s);
        assert_int_equal(DAL_SINGULAR, bad);
        char  *said = NULL;
        size_t length;
        FILE  *to = open_memstream(&said, &length);
        dal_report(r.cx, to, 0);
        fclose(to);
        assert_non_null(strstr(said, "singular, and nothing determines loose + end;"));
        free(said);
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_move_as_the_general_way_does),
        cmocka_unit_test(compiled_and_shared_out_they_give_the_bits_of_the_machine),
        cmocka_unit_test(a_step_is_one_solve_once_there_is_a_past),
        cmocka_unit_test(a_resumed_run_goes_on_with_the_same_bits),
        cmocka_unit_test(a_parameter_that_is_set_makes_new_factors),
        cmocka_unit_test(numbers_that_were_one_may_change),
        cmocka_unit_test(an_input_may_change_between_steps),
        cmocka_unit_test(energy_stays_at_roundoff),
        cmocka_unit_test(a_singular_matrix_is_still_told),
    };
    return cmocka_run_group_tests(tests, open_own_cache, remove_own_cache);
}
