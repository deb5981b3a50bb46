/* test_api_fused_relaxed.c - steps whose velocities are corrected by one small matrix: the same as
 * Newton's, for constraints of every kind and inertia that varies; where it is slow Newton takes
 * over. */
#include "fusing.h"

#include <stdlib.h>

typedef struct {
    const char *model, *scheme, *step;
} problem;

static const char SLEIGH[] =
    "system Sleigh {\n parameter m = 1, I = 0.4, a = 0.3, c = 0.05\n coordinate x, y, th\n"
    " let X = x + a*cos(th), Y = y + a*sin(th)\n lagrangian m/2*(X'^2 + Y'^2) + I/2*th'^2 - "
    "cos(y)/2\n"
    " force x: -c*x'\n force y: -c*y'*(1 + x^2)\n force th: -c*th' + cos(2*t)/9\n"
    " constraint runner: -sin(th)*x' + cos(th)*y' = 0\n start x' = 0.2, th' = 1\n}\n";

static const char DISK[] =
    "system Disk {\n parameter m = 1, I = 0.4, J = 0.2, R = 0.7\n coordinate x, y, th, ph\n"
    " lagrangian m/2*(x'^2 + y'^2) + I/2*th'^2 + J/2*ph'^2 - (x^2 + 2*y^2)/2 - sin(th)/2 + "
    "cos(ph)/2\n"
    " constraint rollx: x' = R*th'*cos(ph)\n constraint rolly: y' = R*th'*sin(ph)\n"
    " start th' = 1, x' = 0.7, ph' = 0.5\n}\n";

static const char DRIVEN[] = /* the blade turns with the table under it */
    "system Driven {\n parameter w = 0.4\n coordinate x, y, th\n"
    " lagrangian (x'^2 + y'^2)/2 + th'^2/4 - x/3 - (x^2 + y^2)/4\n"
    " force th: sin(3*t)/5\n"
    " constraint blade: -sin(th)*(x' + w*y*cos(t)) + cos(th)*(y' - w*x) = 0\n"
    " start x' = 0.3, y' = 0, th' = 0.8\n}\n";

static const char BOARD[] = /* two wheel sets and a rotor on a body */
    "system Board {\n parameter l = 0.5, a = 0.4\n coordinate x, y, th, psi, f, b\n"
    " lagrangian (x'^2 + y'^2)/2 + th'^2/3 + (psi' + th')^2/8 + (f'^2 + b'^2)/16 - cos(psi)/5\n"
    " force f: cos(t)/20 - f/4 - f'/9\n force b: sin(2*t)/20 - b/4 - b'/9\n force psi: sin(t)/9\n"
    " constraint front: -sin(th + a + f)*x' + cos(th + a + f)*y' + l*cos(a + f)*th' = 0\n"
    " constraint back: -sin(th - a + b)*x' + cos(th - a + b)*y' - l*cos(b - a)*th' = 0\n"
    " start psi' = 0.5\n}\n";

static const char ARM[] = /* no constraint, inertia that varies */
    "system Arm {\n parameter g = 9.81\n coordinate a, b\n"
    " let X = sin(a) + sin(b)/2, Y = -cos(a) - cos(b)/2\n"
    " lagrangian (a'^2 + X'^2 + Y'^2)/2 + g*cos(a) - g*Y\n"
    " force a: -a'/20\n start a = 0.7, b = 1.2, a' = 0.3\n}\n";

static const char RODS[] = /* positions are constrained, and move */
    "system Rods {\n parameter g = 3\n coordinate x, y, X, Y\n"
    " lagrangian (x'^2 + y'^2)/2 + 0.35*(X'^2 + Y'^2) - g*y - 0.7*g*Y - x^4/9\n"
    " force X: -X'/9\n"
    " holonomic inner: x^2 + (y - sin(t)/9)^2 = 1\n holonomic outer: (X - x)^2 + (Y - y)^2 = 0.64\n"
    " start x = 0.6, y = -0.8, X = 0.6, Y = -1.6, x' = 0.4, X' = 0.1\n}\n";

static const char RESTING[] = /* x moves first, then th, then y and c: nothing has a scale at first */
    "system Resting {\n coordinate x, y, th, c\n"
    " lagrangian (x'^2 + y'^2)/2 + th'^2/5 + c'^2/7 - y*c^2 - (c - th)^4\n"
    " force x: 0.3\n force th: x/2 - th'/9\n"
    " constraint -sin(th)*x' + cos(th)*y' = 0\n}\n";

static const problem every[] = {
    {SLEIGH, "gauss(4)", "0.1"}, {SLEIGH, "gauss(3)", "0.05"}, {DISK, "gauss(4)", "0.1"},
    {DRIVEN, "gauss(5)", "0.1"}, {BOARD, "gauss(2)", "0.05"},  {ARM, "radau(3)", "0.01"},
    {RODS, "gauss(4)", "0.05"},  {RODS, "radau(3)", "0.02"},   {RESTING, "gauss(4)", "0.1"},
};

static run open_text(const problem *p, const char *backend, const char *steps)
{
    const setting set[] = {{"backend", backend}, {"scheme", p->scheme},    {"step", p->step},
                           {"steps", steps},     {"project-start", "yes"}, {0}};
    return begin_text(p->model, set);
}

static void a_step_is_newtons_to_a_few_units(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof every / sizeof *every; k++) {
        run    a = open_text(&every[k], "vm", "30"), b = open_text(&every[k], "native", "30");
        double far = 0;
        for (int i = 0; i < 30; i++) {
            assert_int_equal(dal_step(a.s), DAL_OK), assert_int_equal(dal_step(b.s), DAL_OK);
            far = fmax(far, states_apart(&a, &b) / (i + 1));
        }
        const dal_summary *sum = dal_summarise(b.s);
        if (!(far < 20 * DBL_EPSILON))
            print_error("%zu, %s: %.1e apart a step\n", k, every[k].scheme, far), fail();
        if (!(sum->is_fused && sum->fixed_point_sweeps > 50))
            print_error("%zu, %s: %ld sweeps\n", k, every[k].scheme, sum->fixed_point_sweeps),
                fail();
        check_below(sum->constraint_residual, 1e-14);
        end(&a), end(&b);
    }
}

static void newton_is_not_asked(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof every / sizeof *every; k++) {
        run r = open_text(&every[k], "native", "200");
        run_to_end(&r);
        const dal_summary *sum = dal_summarise(r.s);
        if (sum->newton_iterations > 0)
            print_error("%zu, %s: %ld iterations\n", k, every[k].scheme, sum->newton_iterations),
                fail();
        end(&r);
    }
}

/* Steps of half a radian: without what velocities do to inertia and relations, or with one matrix
 * for the whole step, a third more. */
static void few_sweeps_suffice(void **state)
{
    static const char sleigh[] =
        "system Free {\n coordinate x, y, th\n let X = x + 0.3*cos(th), Y = y + 0.3*sin(th)\n"
        " lagrangian (X'^2 + Y'^2)/2 + th'^2/5\n"
        " constraint runner: -sin(th)*x' + cos(th)*y' = 0\n start x' = 0.2, th' = 1\n}\n";
    const problem p = {sleigh, "gauss(4)", "0.5"};
    run           r = open_text(&p, "native", "60");
    (void)state;
    run_to_end(&r);
    const dal_summary *sum = dal_summarise(r.s);
    assert_int_equal(sum->newton_iterations, 0);
    if (sum->fixed_point_sweeps > 345) print_error("%ld sweeps\n", sum->fixed_point_sweeps), fail();
    end(&r);
}

/* Three steps, each half of the one before: by how much the last two are closer than the first two.
 */
static double gained(const char *model, const char *scheme)
{
    static const char *const step[] = {"0.1", "0.05", "0.025"}, *const steps[] = {"20", "40", "80"};
    run r[3];
    for (int k = 0; k < 3; k++) {
        const problem p = {model, scheme, step[k]};
        r[k] = open_text(&p, "native", steps[k]);
        run_to_end(&r[k]);
    }
    double order = log2(states_apart(&r[0], &r[1]) / states_apart(&r[1], &r[2]));
    for (int k = 0; k < 3; k++) end(&r[k]);
    return order;
}

static void the_order_is_kept(void **state)
{
    (void)state;
    check_close(gained(DISK, "gauss(2)"), 4, 0.08);
    check_close(gained(SLEIGH, "gauss(3)"), 6, 0.08);
    check_close(gained(RODS, "gauss(2)"), 4, 0.08);
}

/* A disk that rolls through its potential for ever: energy oscillates and stays. */
static void long_runs_do_not_drift(void **state)
{
    const problem p = {DISK, "gauss(4)", "0.1"};
    run           r = open_text(&p, "native", "100000");
    (void)state;
    run_to_end(&r);
    const dal_summary *sum = dal_summarise(r.s);
    check_below(sum->energy.max - sum->energy.min, 2e-10);
    check_below(sum->constraint_residual, 1e-14);
    check_below((double)sum->newton_iterations, 4000);
    end(&r);
}

/* Too fast for its step: what is left of a correction is as large as the correction. */
static void newton_takes_over_where_corrections_do_not_shrink(void **state)
{
    static const char spun[] =
        "system Spun {\n coordinate x, y, th\n lagrangian (x'^2 + y'^2)/2 + th'^2/5 + "
        "(x*cos(9*th))^2\n"
        " constraint -sin(th)*x' + cos(th)*y' = 0\n start x' = 1, th' = 12\n}\n";
    const problem p = {spun, "gauss(4)", "0.3"};
    run           a = open_text(&p, "vm", "40"), b = open_text(&p, "native", "40");
    (void)state;
    for (int i = 0; i < 10; i++) {
        assert_int_equal(dal_step(a.s), DAL_OK), assert_int_equal(dal_step(b.s), DAL_OK);
        check_below(states_apart(&a, &b), 1e-11);
    }
    assert_true(dal_summarise(b.s)->newton_iterations > 20);
    end(&a), end(&b);
}

static void one_step_at_a_time_has_the_same_bits(void **state)
{
    const problem p = {BOARD, "gauss(4)", "0.1"};
    run           a = open_text(&p, "native", "50"), b = open_text(&p, "native", "50");
    (void)state;
    run_to_end(&a);
    for (int i = 0; i < 50; i++) assert_int_equal(dal_step(b.s), DAL_OK);
    assert_memory_equal(dal_q(a.s), dal_q(b.s), 6 * sizeof(double));
    assert_memory_equal(dal_p(a.s), dal_p(b.s), 6 * sizeof(double));
    end(&a), end(&b);
}

/* Impulses of sines and cosines, small angles and large, compiled for all points at once and not.
 */
static void sines_are_right_for_every_angle(void **state)
{
    static const double speed[] = {1e-9, 0.1, 1, 17.3, 1e3, 3.14159265358979e4, 2.5e5, 1e7};
    (void)state;
    for (size_t k = 0; k < sizeof speed / sizeof *speed; k++) {
        char words[400];
        snprintf(words, sizeof words,
                 "system S {\n parameter w = %.17g\n coordinate a, b\n"
                 " lagrangian (a'^2 + b'^2)/2 - (a - b)^4\n force a: sin(w*t)\n force b: cos(w*t - "
                 "0.3)\n}\n",
                 speed[k]);
        const problem p = {words, "gauss(4)", "0.037"};
        run           x = open_text(&p, "vm", "100"), y = open_text(&p, "native", "100");
        for (int i = 0; i < 100; i++) {
            dal_step(x.s), dal_step(y.s);
            check_below(states_apart(&x, &y), (100 + 8 * speed[k]) * DBL_EPSILON); /* of the time */
        }
        end(&x), end(&y);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_newtons_to_a_few_units),
        cmocka_unit_test(newton_is_not_asked),
        cmocka_unit_test(few_sweeps_suffice),
        cmocka_unit_test(the_order_is_kept),
        cmocka_unit_test(long_runs_do_not_drift),
        cmocka_unit_test(newton_takes_over_where_corrections_do_not_shrink),
        cmocka_unit_test(one_step_at_a_time_has_the_same_bits),
        cmocka_unit_test(sines_are_right_for_every_angle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
