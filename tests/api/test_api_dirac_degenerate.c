/* Coordinates without inertia, as a user meets them: what check says, which schemes are refused and
 * why, what is reported, and that the order is kept. */
#include "api_run.h"
#include "dirac.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* The report of `check`; its status in *bad. */
static char *check_text(trial *t, const char *model, const char *options, dal_status *bad)
{
    static char report[16384];
    char        path[512];
    FILE       *f = tmpfile();
    trial_open(t, options);
    snprintf(path, sizeof path, TEST_DATA "/%s.dal", model);
    trial_good(t, dal_model_load(t->cx, path, t->o, &t->m));
    *bad = dal_check(t->m, t->o, f);
    rewind(f);
    report[fread(report, 1, sizeof report - 1, f)] = 0;
    fclose(f);
    return report;
}

/* Ranks are those of an independent code, the circuit's that of the papers. */
static void singular_steps_are_refused_by_their_rank(void **state)
{
    (void)state;
    static const struct {
        const char *model, *options, *rank, *direction, *instead;
    } row[] = {
        {"dirac/lc", "scheme=rectangle(0) retraction=left", "rank 5 of 6", "qC1 - qC3", "midpoint"},
        {"dirac/lc", "scheme=rectangle(1) retraction=right", "rank 5 of 6", "qC1 - qC3",
         "midpoint"},
        {"dirac/lc", "scheme=rectangle(0) interconnection=multipliers", "rank 5 of 6", "qC1 - qC3",
         "gauss"},
        {"dirac/lc_hamiltonian", "scheme=rectangle(0)", "rank 8 of 9", "p(qC1) - p(qC2) + p(qC3)",
         "Lagrangian"},
        {"dirac/lc_hamiltonian", "scheme=midpoint", "rank 8 of 9", "p(qC1) - p(qC2) + p(qC3)",
         "Lagrangian"},
        {"dirac/capacitors", "scheme=lobatto(2)", "rank 3 of 4", "q1 - q2", "gauss"},
        {"dirac/capacitors", "scheme=lobatto(3)", "rank 7 of 8", "q1 - q2", "gauss"},
        {"dirac/capacitors", "scheme=radau(2)", "rank 7 of 8", "q1 - q2", "gauss"},
        {"dirac/capacitors", "scheme=radau_left(2)", "rank 7 of 8", "q1 - q2", "gauss"},
        {"dirac/capacitors", "scheme=rectangle(0)", "rank 3 of 4", "q1 - q2", "gauss"},
        {"dirac/parallel", "scheme=radau(2)", "rank 7 of 8", "qR + qC", "gauss"},
    };
    for (size_t k = 0; k < COUNT(row); k++) {
        trial      t;
        dal_status bad;
        char       options[256];
        check_text(&t, row[k].model, row[k].options, &bad);
        assert_int_equal(bad, DAL_SINGULAR);
        check_said(&t, row[k].rank);
        check_said(&t, row[k].direction);
        check_said(&t, row[k].instead);
        trial_end(&t);
        snprintf(options, sizeof options, "%s step=0.1 steps=1", row[k].options);
        trial_good(&t, trial_begin(&t, row[k].model, options));
        assert_int_equal(dal_step(t.s), DAL_SINGULAR);
        check_said(&t, row[k].rank);
        trial_end(&t);
    }
}

static void check_names_the_directions_without_inertia(void **state)
{
    (void)state;
    trial       t;
    dal_status  bad;
    const char *said = check_text(&t, "dirac/lc", "scheme=gauss(2)", &bad);
    assert_int_equal(bad, DAL_OK);
    assert_non_null(
        strstr(said, "1 direction has neither inertia nor relation, 0 with resistance: qC1 - qC3"));
    trial_end(&t);
    said = check_text(&t, "dirac/parallel", "scheme=gauss(2)", &bad);
    assert_int_equal(bad, DAL_OK);
    assert_non_null(
        strstr(said, "1 direction has neither inertia nor relation, 1 with resistance: qR + qC"));
    const char *row = strstr(said, "\n    lobatto(3) "), *why = "no: the direction qR + qC";
    assert_non_null(row);
    row += strlen("\n    lobatto(3) "), row += strspn(row, " ");
    assert_int_equal(strncmp(row, why, strlen(why)), 0);
    trial_end(&t);
    said = check_text(&t, "dirac/series", "", &bad);
    assert_int_equal(bad, DAL_OK);
    assert_null(strstr(said, "neither inertia nor relation"));
    assert_null(strstr(said, "no:"));
    trial_end(&t);
}

/* Along qR + qC a root of Lobatto's steps grows; the defect is the alarm. */
static void unstable_schemes_are_refused_unless_insisted_on(void **state)
{
    (void)state;
    static const char *const        unstable[] = {"trapezoid", "simpson", "lobatto(4)",
                                                  "polynomial(2)~with~gauss(3)"},
                             *const fine[] = {"midpoint", "gauss(2)", "gauss(4)", "rectangle(0)",
                                              "compose(midpoint,yoshida(4))"};
    char                            options[256];
    trial                           t;
    for (size_t k = 0; k < COUNT(unstable); k++) {
        snprintf(options, sizeof options, "scheme=%s step=0.1 steps=100", unstable[k]);
        assert_int_equal(trial_begin(&t, "dirac/parallel", options), DAL_INVALID);
        check_said(&t, "qR + qC has no inertia and no relation fixes it");
        check_said(&t, "; use gauss(s)");
        check_said(&t, "--insist");
        trial_end(&t);
        strcat(options, " insist");
        trial_run(&t, "dirac/parallel", options);
        check_below(1e-9, dal_summarise(t.s)->momentum_defect);
        trial_end(&t);
    }
    for (size_t k = 0; k < COUNT(fine); k++) {
        snprintf(options, sizeof options, "scheme=%s step=0.1 steps=100", fine[k]);
        trial_run(&t, "dirac/parallel", options);
        check_below(dal_summarise(t.s)->momentum_defect, 1e-14);
        trial_end(&t);
    }
}

static void forces_with_a_rule_of_their_own_are_refused_without_inertia(void **state)
{
    (void)state;
    trial t;
    assert_int_equal(
        trial_begin(&t, "dirac/parallel", "scheme=gauss(2) force=gauss(3) step=0.1 steps=1"),
        DAL_INVALID);
    check_said(&t, "separate quadrature for the forces");
    trial_end(&t);
    trial_run(&t, "dirac/series", "scheme=gauss(2) force=gauss(3) step=0.1 steps=1");
    trial_end(&t);
}

/* What has no inertia has no momentum, and charges that only capacitors hold must balance. */
static void starts_that_no_motion_has_are_refused(void **state)
{
    (void)state;
    trial t;
    assert_int_equal(trial_begin(&t, "dirac/parallel", "step=0.1 steps=1 start=p(qR)=0.3"),
                     DAL_INVALID);
    check_said(&t, "qR");
    check_said(&t, "momentum");
    trial_end(&t);
    assert_int_equal(trial_begin(&t, "dirac/capacitors", "step=0.1 steps=1 start=q2=0.1"),
                     DAL_INVALID);
    check_said(&t, "q1 - q2");
    check_said(&t, "--project-start");
    trial_end(&t);
    trial_good(&t,
               trial_begin(&t, "dirac/capacitors", "step=0.1 steps=1 start=q2=0.1 project-start"));
    const double *q = dal_q(t.s);
    check_close(q[1] + q[2], 0.8, 1e-15); /* the charge stays, its shares move */
    check_close(q[1] + 0.4 * q[1] * q[1] * q[1], 2 * q[2], 1e-14);
    check_said(&t, "the start was moved");
    trial_end(&t);
}

static double farthest(const double *x, const double *y, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i] - y[i]));
    return most;
}

/* q, p and v of a run into y; how many numbers */
static size_t run_to(const char *model, const char *scheme, int steps, double T, double y[32])
{
    char  options[256];
    trial t;
    snprintf(options, sizeof options, "scheme=%s steps=%d step=%.17g", scheme, steps, T / steps);
    trial_run(&t, model, options);
    const size_t count = trial_state(&t, y);
    trial_end(&t);
    return count;
}

static void gauss_keeps_its_order_where_only_capacitors_hold_the_charge(void **state)
{
    (void)state;
    double exact[32], y[32];
    run_to("dirac/capacitors", "gauss(5)", 64, 1, exact);
    for (int s = 1; s <= 3; s++) {
        char   scheme[32];
        double error[2];
        snprintf(scheme, sizeof scheme, "gauss(%d)", s);
        for (int k = 0; k < 2; k++) {
            size_t n = run_to("dirac/capacitors", scheme, k ? 8 : 4, 1, y);
            error[k] = farthest(y, exact, n);
        }
        check_close(log2(error[0] / error[1]), 2 * s, 0.15);
    }
}

/* Along its edge the forces on the skate balance: v = -(x cos + 2 y sin); across, the edge holds
 * them. */
static void directions_without_inertia_turn_with_the_state(void **state)
{
    (void)state;
    static const char *const schemes[] = {"midpoint", "gauss(2)", "gauss(3)"};
    for (size_t k = 0; k < COUNT(schemes); k++) {
        trial t;
        char  options[128];
        snprintf(options, sizeof options, "scheme=%s step=0.05 until=3 record=0 monitor=1000",
                 schemes[k]);
        trial_run(&t, "dirac/massless_skate", options);
        const double *q = dal_q(t.s), *v = dal_v(t.s), c = cos(q[2]), s = sin(q[2]);
        const double  along = -(q[0] * c + 2 * q[1] * s);
        check_close(v[0], along * c, 1e-14);
        check_close(v[1], along * s, 1e-14);
        check_close(trial_value(&t, "edge"), (q[0] + v[0]) * s - (2 * q[1] + v[1]) * c, 1e-14);
        trial_end(&t);
    }
}

/* A diode that blocks: the current that balances the voltage is found however steeply the balance
 * bends, and so is the reaction, with which the capacitor holds the node. */
static void currents_of_diodes_balance_at_the_grid_points(void **state)
{
    (void)state;
    static const char node[] =
        "system S { coordinate a, b, d\n lagrangian a'^2/2 - a^2/2 - b^2\n"
        " force d: -0.1*log(1 + exp(10*d')) - 0.001*d'\n force a: sin(3*t)\n"
        " constraint node: a' = b' + d'\n start a = 0.5, b = 0.3, d = 0.2 }\n";
    static const char bare[] = "system S { coordinate x, y\n lagrangian x'^2/2 - (x - y)^2\n"
                               " force y: -0.1*log(1 + exp(10*y')) - 0.001*y'\n force x: sin(3*t)\n"
                               " start x = 0.5, y = 0.3 }\n";
    const setting     set[] = {{"scheme", "midpoint"}, {"step", "0.05"}, {"steps", "40"}, {0}};
    run               joined = begin_text(node, set), alone = begin_text(bare, set);
    for (int k = 0; k < 40; k++) {
        must(&joined, dal_step(joined.s)), must(&alone, dal_step(alone.s));
        check_close(measure(&joined, "node"), -2 * dal_q(joined.s)[1], 1e-12);
        const double *q = dal_q(alone.s), *v = dal_v(alone.s);
        check_close(0.1 * log1p(exp(10 * v[1])) + 0.001 * v[1], 2 * (q[0] - q[1]), 1e-12);
    }
    end(&joined), end(&alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(singular_steps_are_refused_by_their_rank),
        cmocka_unit_test(check_names_the_directions_without_inertia),
        cmocka_unit_test(unstable_schemes_are_refused_unless_insisted_on),
        cmocka_unit_test(forces_with_a_rule_of_their_own_are_refused_without_inertia),
        cmocka_unit_test(starts_that_no_motion_has_are_refused),
        cmocka_unit_test(gauss_keeps_its_order_where_only_capacitors_hold_the_charge),
        cmocka_unit_test(directions_without_inertia_turn_with_the_state),
        cmocka_unit_test(currents_of_diodes_balance_at_the_grid_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
