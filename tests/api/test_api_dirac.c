/* Constrained systems as a user runs them: both sides, both directions of time, every momentum;
 * starts that do not fit; long runs; and the same mechanism in other coordinates. */
#include "dirac.h"

#include <stdbool.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Largest difference of q and p over the steps of two simulations, relative to the largest number
 * or 1. */
static double apart(trial *a, trial *b, int steps)
{
    double most = 0, size = 1;
    for (int k = 0; k < steps; k++) {
        trial_good(a, dal_step(a->s));
        trial_good(b, dal_step(b->s));
        for (size_t i = 0; i < dal_size(a->s); i++) {
            size = fmax(size, fmax(fabs(dal_q(a->s)[i]), fabs(dal_p(a->s)[i])));
            most = fmax(most, fabs(dal_q(a->s)[i] - dal_q(b->s)[i]));
            most = fmax(most, fabs(dal_p(a->s)[i] - dal_p(b->s)[i]));
        }
    }
    return most / size;
}

static void both_sides_make_the_same_500_steps(void **state)
{
    (void)state;
    static const char *const start =
        " start=x=0.3 start=y=-0.2 start=theta=0.1 start=phi=0.4 project-start"
        " start=p(theta)=0.5 start=p(phi)=0.175 start=p(x)=0.9210609940028851"
        " start=p(y)=0.3894183423086505";
    static const struct {
        const char *model, *options;
        bool        started;
    } row[] = {
        {"dirac/knife", "momentum=papers step=0.01 scheme=rectangle(0) retraction=left", false},
        {"dirac/knife",
         "momentum=papers step=0.01 scheme=rectangle(1) retraction=right principle=dirac-", false},
        {"dirac/knife", "momentum=papers step=0.01 scheme=midpoint", false},
        {"dirac/knife", "step=0.01 scheme=lobatto(3)", false},
        {"dirac/disk_bowl", "step=0.05 scheme=gauss(2)", true},
        {"dirac/disk_bowl", "step=0.05 scheme=lobatto(4)", true},
        {"dirac/lc_inertia", "step=0.01 scheme=rectangle(0) retraction=left momentum=papers",
         false},
        {"dirac/lc_inertia", "step=0.01 scheme=gauss(3)", false},
    };
    for (size_t k = 0; k < COUNT(row); k++) {
        trial a, b;
        char  options[512], other[128];
        snprintf(options, sizeof options, "%s%s", row[k].options, row[k].started ? start : "");
        snprintf(other, sizeof other, "%s_hamiltonian", row[k].model);
        trial_good(&a, trial_begin(&a, row[k].model, options));
        trial_good(&b, trial_begin(&b, other, options));
        check_below(apart(&a, &b, 500), 1e-11);
        trial_end(&a), trial_end(&b);
    }
}

/* The two principles and the two momenta differ in what is reported, not in where the motion goes.
 */
static void positions_do_not_depend_on_the_reported_momentum(void **state)
{
    (void)state;
    static const char *const schemes[] = {"midpoint", "lobatto(3)", "gauss(3)", "radau(2)"};
    for (size_t k = 0; k < COUNT(schemes); k++) {
        double q[4][3];
        for (int how = 0; how < 4; how++) {
            trial t;
            char  options[256];
            snprintf(options, sizeof options,
                     "scheme=%s step=0.05 steps=40 principle=dirac%s momentum=%s", schemes[k],
                     how & 1 ? "+" : "-", how & 2 ? "papers" : "projected");
            trial_run(&t, "dirac/knife", options);
            memcpy(q[how], dal_q(t.s), sizeof q[how]);
            trial_end(&t);
        }
        for (int how = 1; how < 4; how++)
            for (int i = 0; i < 3; i++) check_close(q[how][i], q[0][i], 1e-14);
    }
}

/* The papers' momenta of a state are made of its neighbours: begun there, a run reports those of
 * the run that passes through it, in both directions of time. */
static void starts_report_the_momenta_of_the_papers(void **state)
{
    (void)state;
    static const char *const how[] = {
        "principle=dirac- until=5 scheme=midpoint", "principle=dirac- until=5 scheme=gauss(2)",
        "principle=dirac+ until=-5 scheme=midpoint", "principle=dirac+ until=-5 scheme=lobatto(3)"};
    for (size_t k = 0; k < COUNT(how); k++) {
        trial  through, begun;
        char   options[256];
        double p[3];
        snprintf(options, sizeof options, "%s momentum=papers step=0.05", how[k]);
        trial_good(&through, trial_begin(&through, "dirac/knife", options));
        trial_good(&begun, trial_begin(&begun, "dirac/knife", options));
        trial_good(&through, dal_advance(through.s, 20));
        memcpy(p, dal_p(through.s), sizeof p);
        trial_good(&begun, dal_set_state(begun.s, dal_time(through.s), dal_q(through.s),
                                         dal_v(through.s), NULL));
        assert_true(fabs(p[1] - dal_v(through.s)[1]) > 0.01); /* m = 1: a kick is to be seen */
        for (int i = 0; i < 3; i++) check_close(dal_p(begun.s)[i], p[i], 1e-13);
        trial_end(&through), trial_end(&begun);
    }
}

/* Run to the end, then from there back: `until` before `from`. */
static void runs_go_back_to_where_they_began(void **state)
{
    (void)state;
    static const struct {
        const char *model, *options;
    } row[] = {
        {"dirac/knife",
         "principle=dirac- momentum=papers scheme=rectangle(1) retraction=right step=0.01"},
        {"dirac/knife_hamiltonian",
         "principle=dirac- momentum=papers scheme=rectangle(1) retraction=right step=0.01"},
        {"dirac/knife", "principle=dirac+ scheme=rectangle(0) retraction=left step=0.01"},
        {"dirac/knife", "scheme=gauss(3) step=0.01"},
        {"dirac/disk", "scheme=lobatto(3) step=0.05"},
        {"dirac/disk", "scheme=radau(2) step=0.05"},
    };
    for (size_t k = 0; k < COUNT(row); k++) {
        trial  t;
        char   options[2048], name[64];
        double q0[4], p0[4];
        snprintf(options, sizeof options, "%s until=5", row[k].options);
        trial_good(&t, trial_begin(&t, row[k].model, options));
        size_t n = dal_size(t.s);
        memcpy(q0, dal_q(t.s), n * sizeof *q0), memcpy(p0, dal_p(t.s), n * sizeof *p0);
        trial_good(&t, dal_run(t.s, NULL));
        size_t used =
            (size_t)snprintf(options, sizeof options, "%s from=5 until=0", row[k].options);
        for (size_t i = 0; i < n; i++) {
            dal_model_name(t.m, DAL_COORDINATES, i, name, sizeof name);
            used += (size_t)snprintf(options + used, sizeof options - used,
                                     " start=%s=%.17g start=p(%s)=%.17g", name, dal_q(t.s)[i], name,
                                     dal_p(t.s)[i]);
        }
        trial_end(&t);
        strcat(options, " project-start");
        trial_run(&t, row[k].model, options);
        check_close(dal_time(t.s), 0, 1e-12);
        for (size_t i = 0; i < n; i++) {
            check_close(dal_q(t.s)[i], q0[i], 2e-11);
            check_close(dal_p(t.s)[i], p0[i], 2e-11);
        }
        trial_end(&t);
    }
}

/* The damped double pendulum with rods as constraints, against the same in angles. */
static void rods_move_as_angles_do(void **state)
{
    (void)state;
    static const char *const outputs[] = {"ox1", "oy1", "ox2", "oy2"}, *const names[] = {
                                                                           "x1", "y1", "x2", "y2"};
    trial       a, b;
    const char *run = " scheme=gauss(4) step=0.015625 until=4";
    char        options[512];
    double      th = 0.8, ph = 1.3;
    snprintf(options, sizeof options,
             "start=x1=%.17g start=y1=%.17g start=x2=%.17g start=y2=%.17g start=x1'=%.17g "
             "start=y1'=%.17g"
             " start=x2'=%.17g start=y2'=%.17g%s",
             sin(th), -cos(th), sin(th) + 0.8 * sin(ph), -cos(th) - 0.8 * cos(ph), 0.5 * cos(th),
             0.5 * sin(th), 0.5 * cos(th) - 0.24 * cos(ph), 0.5 * sin(th) - 0.24 * sin(ph), run);
    trial_run(&a, "dirac/rods", options);
    snprintf(options, sizeof options, "start=a=%.17g start=b=%.17g start=a'=0.5 start=b'=-0.3%s",
             th, ph, run);
    trial_run(&b, "dirac/rods_angles", options);
    for (int i = 0; i < 4; i++)
        check_close(trial_value(&a, names[i]), trial_value(&b, outputs[i]), 1e-11);
    check_close(trial_value(&a, "energy"), trial_value(&b, "energy"), 1e-11);
    trial_end(&a), trial_end(&b);
}

/* A single pendulum, air and hinge: the tension is m (v^2/l - g y/l). */
static void a_rod_pulls_as_hard_as_it_must(void **state)
{
    (void)state;
    static const char *const        rod = "system Pendulum {\n"
                                          "  parameter m = 2, l = 1.5, c = 0.2, g = 9.81\n"
                                          "  coordinate x, y\n"
                                          "  lagrangian m/2*(x'^2 + y'^2) - m*g*y\n"
                                          "  force x: -c*x'\n"
                                          "  force y: -c*y'\n"
                                          "  holonomic rod: x^2 + y^2 = l^2\n"
                                          "  output pull = -2*l*rod,"
                                          " must = m*((x'^2 + y'^2)/l - g*y/l)\n"
                                          "  start x = 1.5*sin(1), y = -1.5*cos(1)\n"
                                          "}\n",
                             *const angle = "system Pendulum {\n"
                                            "  parameter m = 2, l = 1.5, c = 0.2, g = 9.81\n"
                                            "  coordinate a\n"
                                            "  let x = l*sin(a), y = -l*cos(a)\n"
                                            "  lagrangian m/2*(x'^2 + y'^2) - m*g*y\n"
                                            "  force x: -c*x'\n"
                                            "  force y: -c*y'\n"
                                            "  output ox = x, oy = y\n"
                                            "  start a = 1\n"
                                            "}\n";
    static const char *const        run = "scheme=gauss(4) step=0.02 until=10";
    trial                           a, b;
    trial_good(&a, trial_parse(&a, rod, run));
    trial_good(&b, trial_parse(&b, angle, run));
    trial_good(&a, dal_run(a.s, NULL));
    trial_good(&b, dal_run(b.s, NULL));
    check_close(trial_value(&a, "x"), trial_value(&b, "ox"), 1e-11);
    check_close(trial_value(&a, "y"), trial_value(&b, "oy"), 1e-11);
    check_close(trial_value(&a, "pull"), trial_value(&a, "must"), 1e-12);
    trial_end(&a), trial_end(&b);
}

/* q, p and v after time 1 in N steps; how many numbers */
static size_t state_after(const char *model, const char *start, const char *scheme, int N,
                          double *y)
{
    trial t;
    char  options[1024];
    snprintf(options, sizeof options, "scheme=%s step=%.17g steps=%d project-start %s", scheme,
             1.0 / N, N, start);
    trial_run(&t, model, options);
    const size_t count = trial_state(&t, y);
    trial_end(&t);
    return count;
}

static double error_after(const char *model, const char *start, const char *scheme, int N,
                          const double *exact)
{
    double y[32], most = 0;
    size_t n = state_after(model, start, scheme, N, y);
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(y[i] - exact[i]));
    return most;
}

/* Nonholonomic, holonomic, mixed, affine, depending on time: the order in q, p and v is that of the
 * scheme. */
static void relations_of_any_kind_keep_the_order(void **state)
{
    (void)state;
    static const char *const system[][2] = {
        {"dirac/sleigh",
         "start=x=0.1 start=y=0.2 start=th=0.5 start=x'=1.05 start=y'=0.575 start=th'=0.9"},
        {"dirac/sleigh_moving",
         "start=x=0.1 start=y=0.2 start=th=0.5 start=x'=1.1 start=y'=0.4 start=th'=0.9"},
        {"dirac/disk_bowl",
         "start=x=0.3 start=y=-0.2 start=theta=0.1 start=phi=0.4 start=theta'=1 start=phi'=0.7"},
        {"dirac/rods",
         "start=x1=0.7 start=y1=-0.7 start=x2=1.5 start=y2=-0.9 start=x1'=0.35 start=y1'=0.36"},
        {"dirac/mixed",
         "start=th=0.3 start=a=0.3 start=X=-0.94 start=Y=0.33 start=x'=0.95 start=th'=0.8"},
        {"dirac/mixed_moving",
         "start=th=0.3 start=a=0.3 start=X=-0.94 start=Y=0.33 start=x'=1.1 start=th'=0.6"},
    };
    static const struct {
        const char *scheme;
        int         order, N;
    } row[] = {{"midpoint", 2, 32},
               {"lobatto(2)", 2, 32},
               {"radau(2)", 3, 32},
               {"lobatto(3)", 4, 16},
               {"gauss(2)", 4, 16},
               {"polynomial(2)~with~gauss(3)", 4, 16},
               {"radau(3)", 5, 8},
               {"lobatto(4)", 6, 8},
               {"gauss(3)", 6, 8},
               {"lobatto(5)", 8, 4},
               {"gauss(4)", 8, 4},
               {"compose(midpoint,yoshida(4))", 4, 32},
               {"compose(lobatto(2),suzuki(4))", 4, 16},
               {"compose(midpoint,yoshida(6))", 6, 32},
               {"compose(gauss(2),triple(6))", 6, 16}};
    int wrong = 0;
    for (size_t j = 0; j < COUNT(system); j++) {
        double exact[32];
        state_after(system[j][0], system[j][1], "gauss(5)", 64, exact);
        for (size_t k = 0; k < COUNT(row); k++) {
            double coarse = error_after(system[j][0], system[j][1], row[k].scheme, row[k].N, exact);
            double fine =
                error_after(system[j][0], system[j][1], row[k].scheme, 2 * row[k].N, exact);
            if (log2(coarse / fine) > row[k].order - 0.3) continue;
            print_error("%s %s: %.2e, %.2e: order %.2f\n", system[j][0], row[k].scheme, coarse,
                        fine, log2(coarse / fine));
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

/* Reactions have the order of the scheme. */
static void reactions_converge_as_positions_do(void **state)
{
    (void)state;
    static const struct {
        const char *model, *relation, *start;
    } system[] = {
        {"dirac/sleigh", "edge",
         "start=x=0.1 start=y=0.2 start=th=0.5 start=x'=1 start=th'=0.9 project-start"},
        {"dirac/rods", "lower",
         "start=x1=0.6 start=y1=-0.8 start=x2=1.4 start=y2=-0.8 start=x1'=0.4 start=y1'=0.3"
         " start=x2'=0.4 start=y2'=-0.5"}};
    static const struct {
        const char *scheme;
        int         order;
    } row[] = {
        {"midpoint", 2}, {"lobatto(3)", 4}, {"gauss(2)", 4}, {"radau(2)", 3}, {"lobatto(4)", 6}};
    for (size_t j = 0; j < COUNT(system); j++) {
        char   options[512];
        double exact = 0, value;
        for (size_t k = 0; k <= COUNT(row); k++) {
            double error[2] = {0};
            for (int half = 0; half < 2; half++) {
                trial t;
                int   N = k ? (row[k - 1].order > 4 ? 8 : 16) << half : 64;
                snprintf(options, sizeof options, "scheme=%s step=%.17g until=1 %s",
                         k ? row[k - 1].scheme : "gauss(5)", 1.0 / N, system[j].start);
                trial_run(&t, system[j].model, options);
                value = trial_value(&t, system[j].relation);
                if (k) error[half] = fabs(value - exact);
                else exact = value;
                trial_end(&t);
            }
            if (k && !(log2(error[0] / error[1]) > row[k - 1].order - 0.35)) {
                print_error("%s %s: %.2e %.2e\n", system[j].model, row[k - 1].scheme, error[0],
                            error[1]);
                fail();
            }
        }
    }
}

static const char *const pendulum = "system Pendulum {\n"
                                    "  coordinate x, y\n"
                                    "  lagrangian (x'^2 + y'^2)/2 - 9.81*y\n"
                                    "  holonomic rod: x^2 + y^2 = 1\n"
                                    "  start %s\n"
                                    "}\n";

static dal_status begin_pendulum(trial *t, const char *start, const char *options)
{
    char text[512];
    snprintf(text, sizeof text, pendulum, start);
    return trial_parse(t, text, options);
}

static void a_start_that_does_not_fit_is_refused_or_moved(void **state)
{
    (void)state;
    trial t;
    assert_int_equal(begin_pendulum(&t, "x = 1.1, y = 0.1", "step=0.01 steps=1"), DAL_INVALID);
    check_said(&t, "rod");
    check_said(&t, "0.22"); /* 1.1^2 + 0.1^2 - 1 */
    trial_end(&t);
    assert_int_equal(begin_pendulum(&t, "x = 0.6, y = 0.8, x' = 0.5", "step=0.01 steps=1"),
                     DAL_INVALID);
    check_said(&t, "rod");
    check_said(&t, "0.6"); /* 2*0.6*0.5 */
    trial_end(&t);

    trial_good(&t, begin_pendulum(&t, "x = 1.1 free, y = 0.6", "step=0.01 steps=1"));
    check_close(dal_q(t.s)[0], 0.8, 1e-15);
    check_close(dal_q(t.s)[1], 0.6, 0);
    check_said(&t, "the start was moved");
    check_said(&t, "x = 0.8");
    trial_end(&t);
    trial_good(&t, begin_pendulum(&t, "x = 1.2, y = 1.6, x' = 1, y' = 0",
                                  "step=0.01 steps=1 project-start"));
    check_close(dal_q(t.s)[0], 0.6, 1e-15);
    check_close(dal_q(t.s)[1], 0.8, 1e-15);
    check_close(dal_v(t.s)[0], 0.64, 1e-15); /* (1,0) along the circle */
    check_close(dal_v(t.s)[1], -0.48, 1e-15);
    check_said(&t, "the start was moved");
    trial_end(&t);
    trial_good(&t,
               begin_pendulum(&t, "x = 1.2, y = 1.6, x' = 1", "step=0.01 steps=1 project-start"));
    check_close(dal_q(t.s)[0], 0.6, 1e-15);
    assert_true(dal_v(t.s)[0] == 1); /* y' was not given, and suffices */
    check_close(dal_v(t.s)[1], -0.75, 1e-15);
    trial_end(&t);
    trial_good(&t, begin_pendulum(&t, "x = 0.6, y = 0.8", "step=0.01 steps=1 project-start"));
    assert_int_equal(dal_message_count(t.cx), 0);
    trial_end(&t);
}

static void dependent_relations_are_named(void **state)
{
    (void)state;
    trial t;
    assert_int_equal(
        trial_parse(&t,
                    "system S {\n  coordinate x, y\n  lagrangian (x'^2 + y'^2)/2\n"
                    "  holonomic rod: x^2 + y^2 = 1\n  holonomic again: 3*x^2 + 3*y^2 = 3.1\n"
                    "  start x = 1\n}\n",
                    "step=0.01 steps=1"),
        DAL_INVALID);
    check_said(&t, "'again' follows from other relations");
    trial_end(&t);
    assert_int_equal(
        trial_parse(&t,
                    "system S {\n  coordinate x, y, z\n  lagrangian (x'^2 + y'^2 + z'^2)/2\n"
                    "  constraint one: x' = cos(z)*y'\n  constraint two: y' = z*z'\n"
                    "  constraint sum: x' + y' = cos(z)*y' + z*z' + 1\n  start z = 1\n}\n",
                    "step=0.01 steps=1"),
        DAL_INVALID);
    check_said(&t, "'sum' follows from other relations");
    trial_end(&t);
    trial_good(&t,
               trial_parse(&t,
                           "system S {\n  coordinate x, y, z\n  lagrangian (x'^2 + y'^2 + z'^2)/2\n"
                           "  constraint one: x' = y'\n  constraint two: y' = z'\n"
                           "  constraint three: 2*x' = 2*z'\n}\n",
                           "step=0.01 steps=1"));
    check_said(&t, "'three' repeats");
    trial_end(&t);
}

/* Watched at every hundredth state; bench/ and the manual tell of a million steps. */
static void constraints_hold_to_roundoff_for_long(void **state)
{
    (void)state;
    static const struct {
        const char *model, *options;
    } row[] = {{"../examples/rolling_disk", "scheme=lobatto(3) step=0.05 steps=20000"},
               {"../examples/cartesian_pendulum", "scheme=gauss(2) step=0.05 steps=20000"},
               {"../examples/slider_crank",
                "scheme=midpoint step=0.01 steps=20000"}, /* it comes to rest */
               {"../examples/slider_crank", "scheme=lobatto(3) step=0.01 steps=20000"},
               {"../examples/lc_network", "scheme=gauss(2) step=0.05 steps=20000"}};
    for (size_t k = 0; k < COUNT(row); k++) {
        trial t;
        char  options[256];
        snprintf(options, sizeof options, "%s record=0 monitor=100", row[k].options);
        trial_run(&t, row[k].model, options);
        const dal_summary *sum = dal_summarise(t.s);
        double             size = 1;
        for (size_t i = 0; i < dal_size(t.s); i++) size = fmax(size, fabs(dal_v(t.s)[i]));
        assert_true(isfinite(sum->energy.max));
        check_below(sum->constraint_residual, 1e-13 * size);
        check_below(sum->dirac_residual, 1e-12 * size);
        trial_end(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_sides_make_the_same_500_steps),
        cmocka_unit_test(positions_do_not_depend_on_the_reported_momentum),
        cmocka_unit_test(starts_report_the_momenta_of_the_papers),
        cmocka_unit_test(runs_go_back_to_where_they_began),
        cmocka_unit_test(rods_move_as_angles_do),
        cmocka_unit_test(a_rod_pulls_as_hard_as_it_must),
        cmocka_unit_test(relations_of_any_kind_keep_the_order),
        cmocka_unit_test(reactions_converge_as_positions_do),
        cmocka_unit_test(a_start_that_does_not_fit_is_refused_or_moved),
        cmocka_unit_test(dependent_relations_are_named),
        cmocka_unit_test(constraints_hold_to_roundoff_for_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
