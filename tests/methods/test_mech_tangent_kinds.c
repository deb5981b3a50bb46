/* The tangent of steps that end with more than a Newton iteration: directions without inertia,
 * along which momenta are not free and charges move until forces balance, and retractions that a
 * caller brought. */
#include "step_differences.h"

#include "mech/dirac/retraction.h"

static const step_options plain = {0};

/* Resistance acts along U = qR + qC. */
static const char *const resistive =
    "system Parallel {\n"
    "  parameter l = 0.75, C = 2, R = 0.8, g = 0.3\n"
    "  input u = 0.2\n"
    "  coordinate qR, qL, qC\n"
    "  lagrangian l/2*qL'^2 + 0.1*qL'^4 - qC^2/(2*C)*(1 + 0.1*sin(t)) - g*qC^4/4 + u*qC\n"
    "  force qR: -R*qR' - 0.2*qR'^3\n"
    "  force qC: 0.5*cos(2*t)\n"
    "  constraint node: qR' = qL' + qC'\n"
    "  start qR = 0.2, qL = 0.1, qC = 0.4, qL' = 0.7\n"
    "}\n";

/* Only stiffness acts along U = q1 - q2: q1, q2 are moved until their voltages are equal. */
static const char *const stiff = "system Network {\n"
                                 "  parameter l = 0.75, C1 = 3, C2 = 2, g = 0.2\n"
                                 "  input u = 0.1\n"
                                 "  coordinate qL, q1, q2, q3\n"
                                 "  lagrangian l/2*qL'^2 - q1^2/(2*C1) - g*q1^4/4 - q2^2/(2*C2)*(1 "
                                 "+ 0.2*sin(t)) - q3^2/2 + u*q1*cos(t)\n"
                                 "  force q1: -0.1*(qL'*q2 - q3)\n"
                                 "  constraint node_a: qL' = q1' + q2'\n"
                                 "  constraint node_b: qL' = q3'\n"
                                 "  start qL = 0.3, q1 = 0.6, q2 = 0.4, q3 = 0.2, qL' = 0.5\n"
                                 "}\n";

/* Along U = c - a the force of the capacitor is one of the coil's current: q and p are moved
 * together. */
static const char *const gyrated =
    "system Gyrated {\n"
    "  parameter l = 0.3, r = 0.7, R = 0.5\n"
    "  input u = 0.1\n"
    "  coordinate s, c, a, b\n"
    "  lagrangian l/2*b'^2 - c^2/2*(1 + 0.2*sin(t)) - c^4/4 - a^2/9 + r/2*(a'*b - a*b')\n"
    "  force s: u + cos(t) - R*s'\n"
    "  force c: -0.1*b'*b\n"
    "  constraint node: s' = c' + a'\n"
    "  start c = 0.4, b' = 0.66285714285714284\n"
    "}\n";

/* The current of a capacitor that a source holds pushes the coil: p is moved with q. */
static const char *const pushed = "system Pushed {\n"
                                  "  parameter k = 0.5, R = 0.8\n"
                                  "  input u = 0.1\n"
                                  "  coordinate s, c, r, l\n"
                                  "  lagrangian l'^2/2 - c^2/2*(1 + 0.2*t) - c^4/4 - l^2\n"
                                  "  force s: 0.464 + sin(t)*(1 + u)\n"
                                  "  force r: -R*r'\n"
                                  "  force l: k*c'\n"
                                  "  constraint s' = c' + r' + l'\n"
                                  "  start c = 0.4, l' = 0.3\n"
                                  "}\n";

/* Both, and nothing is related. */
static const char *const lone =
    "system Lone {\n"
    "  parameter R = 0.7, k = 2\n"
    "  coordinate x, a, b\n"
    "  lagrangian x'^2/2 - k*x^2/2 - (a - x)^2/2 - a^4/4 - (b - x)^2*(1 + b^2)\n"
    "  force a: -R*a' + 0.3*sin(t)\n"
    "  start x = 0.5, a = 0.2, b = 0.5, x' = 0.3\n"
    "}\n";

/* Momenta are functions of positions: L of first order, with a potential that turns. */
static const char *const vortex =
    "system Vortices {\n"
    "  parameter c = 0.4\n"
    "  coordinate x, y\n"
    "  lagrangian (x + c*x^3/3)*y' - (1 + 0.2*cos(t))*x^2/2 - y^4/4 - x*y/3\n"
    "  start x = 0.8, y = 0.3\n"
    "}\n";

static const step_options papers = {.momentum = MOMENTUM_PAPERS};
/* The same with drag that depends on the state, a relation and a mass beside it. */
static const char *const guided = "system Guided {\n"
                                  "  parameter c = 0.4, m = 0.8\n"
                                  "  input u = 0.1\n"
                                  "  coordinate x, y, z, s\n"
                                  "  lagrangian (x + c*x^3/3 + u*sin(t)*x^2)*y' + m*z'^2/2 + "
                                  "x*z'/5 - x^2/2 - y^4/4 - (z - x)^2/2\n"
                                  "  force y: -0.1*x^2*y' + 0.05*x'\n"
                                  "  constraint s' = 2*z'\n"
                                  "  start x = 0.8, y = 0.3, z = 0.4, s = 0.1, z' = 0.5\n"
                                  "}\n";

static const char *const of_gauss[] = {"midpoint", "gauss(2)", "gauss(3)",
                                       "compose(midpoint, suzuki(4))"};

static void tangents_along_directions_without_inertia_are_exact(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof of_gauss / sizeof *of_gauss; k++) {
        compare(resistive, of_gauss[k], NULL, &plain, 0.1);
        compare(resistive, of_gauss[k], NULL, &plain, -0.1);
        compare(stiff, of_gauss[k], NULL, &plain, 0.1);
        compare(pushed, of_gauss[k], NULL, &plain, 0.1);
        compare(gyrated, of_gauss[k], NULL, &plain, 0.1);
        compare(lone, of_gauss[k], NULL, &plain, 0.1);
        compare(vortex, of_gauss[k], NULL, &papers, 0.1);
        compare(vortex, of_gauss[k], NULL, &plain, 0.1);
        if (k < 3) compare(guided, of_gauss[k], NULL, &plain, 0.1); /* composed, it bends */
    }
    compare(stiff, "gauss(2)", NULL, &papers, 0.1);
}

/* A direction that bends with the state has no tangent here, and that is said. */
static void directions_that_bend_are_refused(void **state)
{
    (void)state;
    static const char *const skate = "system Skate {\n  coordinate x, y, th\n"
                                     "  lagrangian th'^2/2 - x^2/2 - y^2\n"
                                     "  force x: -x'\n  force y: -y'\n"
                                     "  constraint sin(th)*x' = cos(th)*y'\n"
                                     "  start x = 0.3, th = 0.4, th' = 1\n}\n";
    setup                    s;
    tangent                 *tg;
    double                   dq[3] = {1}, out[6];
    open_setup(&s, skate, "gauss(2)", NULL, &plain, 0.1, false);
    if (tangent_new(&s.b.m, s.st, &tg, &s.why)) fail_msg("%s", text_str(&s.why));
    stepper_set(s.st, s.t, s.q, s.p, s.v);
    assert_int_equal(DAL_INVALID,
                     tangent_step(tg, s.t, 0.1, 1, &(step_direction){.q = dq}, out, &s.why));
    assert_non_null(strstr(text_str(&s.why), "relations, time or the state bend"));
    tangent_free(tg);
    close_setup(&s);
}

/* A chart in which chords are straight: phi(q) = q + sin(q)/5 in each coordinate.
 *     R_q^-1(q1) = (phi(q1) - phi(q))/phi'(q) */
static double phi(double q)
{
    return q + sin(q) / 5;
}

static double slope_of_phi(double q)
{
    return 1 + cos(q) / 5;
}

static bool chart_inverse(const void *self, int n, const double *q, const double *q1, double *v,
                          double *by_q, double *by_q1)
{
    (void)self;
    for (int k = 0; k < n * n; k++) {
        if (by_q) by_q[k] = 0;
        if (by_q1) by_q1[k] = 0;
    }
    for (int i = 0; i < n; i++) {
        double s = slope_of_phi(q[i]);
        v[i] = (phi(q1[i]) - phi(q[i])) / s;
        if (by_q) by_q[i * n + i] = -1 + v[i] * sin(q[i]) / 5 / s;
        if (by_q1) by_q1[i * n + i] = slope_of_phi(q1[i]) / s;
    }
    return true;
}

static bool chart_apply(const void *self, int n, const double *q, const double *v, double *q1,
                        double *by_q, double *by_v)
{
    (void)self, (void)by_q, (void)by_v;
    for (int i = 0; i < n; i++) {
        double want = phi(q[i]) + slope_of_phi(q[i]) * v[i];
        q1[i] = q[i];
        for (int k = 0; k < 50; k++) q1[i] -= (phi(q1[i]) - want) / slope_of_phi(q1[i]);
    }
    return !by_q && !by_v;
}

static const char *const sleigh =
    "system Sleigh {\n"
    "  parameter m = 1, J = 0.4, a = 0.3, w = 0.2\n"
    "  coordinate x, y, th\n"
    "  lagrangian m/2*((x' - a*sin(th)*th')^2 + (y' + a*cos(th)*th')^2) + J*th'^2/2 - cos(y)/2\n"
    "  force x: -0.2*x'\n"
    "  constraint -sin(th + w*t)*x' + cos(th + w*t)*y' = w*cos(x)*sin(t)\n"
    "  start x = 0.1, y = 0.2, th = 0.5, x' = 0.9, y' = 0.5, th' = 0.9\n"
    "}\n";

static void retractions_of_a_caller_have_tangents(void **state)
{
    (void)state;
    const retraction_map    chart = {.n = 3, .apply = chart_apply, .inverse = chart_inverse};
    static const retraction places[] = {RETRACTION_MIDPOINT, RETRACTION_LEFT, RETRACTION_RIGHT};
    for (int k = 0; k < 3; k++) {
        const step_options o = {.map = &chart, .retraction = places[k]};
        compare(sleigh, "midpoint", NULL, &o, 0.1);
        compare(sleigh, "trapezoid", NULL, &o, -0.1);
        compare(sleigh, "rectangle(0)", NULL, &o, 0.1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tangents_along_directions_without_inertia_are_exact),
        cmocka_unit_test(directions_that_bend_are_refused),
        cmocka_unit_test(retractions_of_a_caller_have_tangents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
