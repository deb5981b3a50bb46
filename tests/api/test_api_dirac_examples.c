/* What the first lines of the constrained examples claim, measured. */
#include "dirac.h"

static const double PI = 3.14159265358979323846;

/* The largest of `measure` over all steps of a run. */
static double largest_over(trial *t, double (*measure)(trial *t))
{
    double most = measure(t);
    while (dal_steps(t->s) < dal_steps_planned(t->s)) {
        trial_good(t, dal_step(t->s));
        most = fmax(most, measure(t));
    }
    return most;
}

static double example(const char *name, const char *options, double (*measure)(trial *t))
{
    trial t;
    char  path[256];
    snprintf(path, sizeof path, "../examples/%s", name);
    trial_good(&t, trial_begin(&t, path, options));
    double most = largest_over(&t, measure);
    trial_end(&t);
    return most;
}

/* x = G/4 (1 - cos 2t), y = G/4 (2t - sin 2t) with G = g sin(alpha) and phi' = 1 */
static double off_cycloid(const trial *t, double G)
{
    const double *q = dal_q(t->s), s = 2 * dal_time(t->s);
    return fmax(fabs(q[0] - G / 4 * (1 - cos(s))), fabs(q[1] - G / 4 * (s - sin(s))));
}

static double off_gentle_cycloid(trial *t)
{
    return off_cycloid(t, sin(0.5));
}

static double off_steep_cycloid(trial *t)
{
    return off_cycloid(t, 9.81 * sin(PI / 6));
}

static double how_low(trial *t)
{
    return dal_q(t->s)[0];
}

static void a_knife_edge_goes_across_the_slope_on_a_cycloid(void **state)
{
    (void)state;
    check_below(example("knife_edge", "", off_gentle_cycloid), 1e-5);
    check_below(example("knife_edge", "scheme=gauss(4)", off_gentle_cycloid), 1e-11);
    check_below(example("knife_edge", "until=400", how_low), sin(0.5) / 2 + 1e-6);
    check_close(example("papers/knife_edge", "", off_steep_cycloid), 0.12270017355292318, 1e-10);
    check_close(
        example("papers/knife_edge", "scheme=midpoint retraction=midpoint", off_steep_cycloid),
        0.0002266146925684609, 1e-10);
}

static void a_sleigh_ends_up_going_straight(void **state)
{
    (void)state;
    static const char *const spins[] = {"start=th'=1", "start=th'=-1", "start=th'=5",
                                        "start=th'=0.1 until=200", "start=x'=-0.5 until=60"};
    for (size_t k = 0; k < sizeof spins / sizeof *spins; k++) {
        trial t;
        trial_good(&t, trial_begin(&t, "../examples/chaplygin_sleigh", spins[k]));
        double v = trial_value(&t, "speed"), w = trial_value(&t, "spin");
        trial_good(&t, dal_run(t.s, NULL));
        check_below(fabs(trial_value(&t, "spin")), 1e-4);
        check_close(trial_value(&t, "speed"), sqrt(v * v + (0.4 + 0.09) * w * w), 1e-5);
        check_below(fabs(dal_summarise(t.s)->energy.last - dal_summarise(t.s)->energy.first),
                    1e-6 * (1 + w * w));
        trial_end(&t);
    }
    check_close(sqrt(0.2 * 0.2 + 0.49), 0.728, 1e-4);
}

/* distance from the circle round (0, r), r = theta'/phi', that begins at the origin along x, with
 * theta' = 1 */
static double off_circle(const trial *t, double turn)
{
    const double *q = dal_q(t->s), s = turn * dal_time(t->s), r = 1 / turn;
    double        off = fmax(fabs(q[0] - r * sin(s)), fabs(q[1] - r * (1 - cos(s))));
    return fmax(off, fabs(q[2] - dal_time(t->s)));
}

static double off_wide_circle(trial *t)
{
    return off_circle(t, 0.3);
}

static double off_narrow_circle(trial *t)
{
    return off_circle(t, 0.5);
}

static double friction_off(trial *t)
{
    return fabs(hypot(trial_value(t, "along"), trial_value(t, "across")) - 0.3);
}

static void a_disk_rolls_on_a_circle_held_by_friction(void **state)
{
    (void)state;
    check_below(example("rolling_disk", "", off_wide_circle), 1e-6);
    check_below(example("rolling_disk", "", friction_off), 1e-7);
    check_close(2 * PI / 0.3, 20.9, 0.01);
    check_close(example("papers/rolling_disk", "", off_narrow_circle), 0.0010417073584676473,
                1e-10);
    check_close(
        example("papers/rolling_disk", "scheme=rectangle(0) retraction=left", off_narrow_circle),
        0.8087015210175927, 1e-10);
}

/* 0 = m a w^2 + (0.9 - v)/R,  0 = -m a v w + (0.1 - 0.2 w) 0.2/R  in the steady turn */
static void a_robot_settles_into_a_circle(void **state)
{
    (void)state;
    trial  t;
    double v = 0.9, w = 0;
    for (int k = 0; k < 100; k++) w = 0.2 / (0.4 + 0.4 * v), v = 0.9 + 0.04 * w * w;
    trial_run(&t, "../examples/robot", "");
    check_close(trial_value(&t, "speed"), v, 1e-8);
    check_close(dal_v(t.s)[2], w, 1e-8);
    check_close(v, 0.903, 1e-3);
    check_close(v / w, 3.44, 2e-3);
    trial_end(&t);
}

static void a_slider_crank_comes_to_rest_in_balance(void **state)
{
    (void)state;
    trial t;
    trial_run(&t, "../examples/slider_crank", "until=120 record=0");
    check_close(cos(trial_value(&t, "a")), 2 / (9.81 * 0.3), 1e-12);
    check_below(fabs(trial_value(&t, "p(a)")), 1e-12);
    trial_end(&t);
}

static double shares_differ(trial *t)
{
    return fabs(dal_q(t->s)[1] / 3 - dal_q(t->s)[2] / 2);
}

/* qL = -(2/1.2) (1 - cos w t) */
static double off_ringing(trial *t)
{
    double w = sqrt((1 + 1 / 5.0) / 0.75);
    return fabs(dal_q(t->s)[0] + 2 / 1.2 * (1 - cos(w * dal_time(t->s))));
}

static void capacitors_share_their_charge_at_every_instant(void **state)
{
    (void)state;
    trial t;
    check_below(example("lc_network", "", shares_differ), 1e-14);
    check_below(example("lc_network", "", off_ringing), 1e-4);
    check_below(example("lc_network", "scheme=gauss(4)", off_ringing), 1e-10);
    check_close(sqrt((1 + 1 / 5.0) / 0.75), 1.265, 1e-4);
    trial_run(&t, "../examples/lc_network", "");
    dal_range e = dal_summarise(t.s)->energy;
    check_below(e.max - e.min, 1e-13 * e.first);
    trial_end(&t);
}

static double late_charge(trial *t)
{
    return dal_time(t->s) < 350 ? 0 : fabs(dal_q(t->s)[2]);
}

static void one_source_drives_two_charges(void **state)
{
    (void)state;
    static const char *const charged = "set=w=1.5 until=400 start=qL=2.5 start=qR=2.5 start=qC=2.5";
    check_close(example("nonlinear_circuit", "set=w=1.5 until=400", late_charge), 0.40, 0.01);
    check_close(example("nonlinear_circuit", charged, late_charge), 2.93, 0.005);
}

static double pull(trial *t)
{
    return trial_value(t, "tension");
}

static void a_pendulum_pulls_three_times_its_weight(void **state)
{
    (void)state;
    check_close(example("cartesian_pendulum", "step=0.002", pull), 3 * 9.81, 1e-5);
}

/* qC from rest at 1: exp(-d t) (cos w t + d/w sin w t), 2 d = R/L */
static double off_damped(trial *t)
{
    const double d = 0.1 / 1.5, w = sqrt(1 / (3 * 0.75) - d * d), s = dal_time(t->s);
    return fabs(trial_value(t, "qC") - exp(-d * s) * (cos(w * s) + d / w * sin(w * s)));
}

static void circuits_ring_down_as_they_must(void **state)
{
    (void)state;
    trial t;
    check_below(example("rlc", "", off_damped), 1e-6);
    check_close(example("papers/rlc_loop", "", off_damped), 0.00034116766518287045, 1e-10);
    trial_good(&t, trial_begin(&t, "../examples/papers/lc_circuit",
                               "scheme=rectangle(0) retraction=left"));
    assert_int_equal(dal_step(t.s), DAL_SINGULAR);
    check_said(&t, "rank 5 of 6");
    trial_end(&t);
    trial_run(&t, "../examples/papers/lc_circuit", "");
    trial_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_knife_edge_goes_across_the_slope_on_a_cycloid),
        cmocka_unit_test(a_sleigh_ends_up_going_straight),
        cmocka_unit_test(a_disk_rolls_on_a_circle_held_by_friction),
        cmocka_unit_test(a_robot_settles_into_a_circle),
        cmocka_unit_test(a_slider_crank_comes_to_rest_in_balance),
        cmocka_unit_test(capacitors_share_their_charge_at_every_instant),
        cmocka_unit_test(one_source_drives_two_charges),
        cmocka_unit_test(a_pendulum_pulls_three_times_its_weight),
        cmocka_unit_test(circuits_ring_down_as_they_must),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
