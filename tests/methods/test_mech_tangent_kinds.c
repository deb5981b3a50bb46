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
/* The same with drag that depends on the state, a relation and a mass beside it: it bends. */
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
    }
    compare(stiff, "gauss(2)", NULL, &papers, 0.1);
}

/* Directions that bend: a skate, a bead on a ring, a ratio of time and state, a spin, drag beside
 * stiffness, drag that varies along a one-form, and relations of both kinds. */
static const char *const bent[] = {
    "system Skate {\n parameter c = 1\n coordinate x, y, th\n"
    " lagrangian th'^2/2 - c*x^2/2 - y^2\n force x: -x'*(1 + x'^2/4)\n force y: -c*y'\n"
    " constraint sin(th)*x' = cos(th)*y'\n start x = 0.3, th = 0.4, th' = 1\n}\n",
    "system Ring {\n parameter k = 5\n input u = 0.1\n coordinate x, y, a, b\n"
    " lagrangian (x'^2 + y'^2)/2 - 2*y - k/2*((x - a)^2 + (y - b)^2) - b*(1 + u*sin(t))\n"
    " holonomic ring: a^2 + k*b^2/5 = 1\n"
    " start x = 0.7, y = -0.9, a = cos(2.2), b = -sin(2.2)\n}\n",
    "system Ratio {\n parameter c = 0.5\n coordinate q, r, x\n"
    " lagrangian x'^2/2 - 2*x^2 - q^2/2 - r^2\n force q: cos(2*t)\n force x: -0.3*x'\n"
    " constraint tap: (1 + c*sin(x + t))*q' + r' = 0\n start q = 0.5, r = 0.25, x = 0.4, x' = 0.3\n"
    "}\n",
    "system Spin {\n parameter G = 1.3\n coordinate x, y, z\n"
    " lagrangian G*z*(x*y' - y*x')/(x^2 + y^2) - z*(1 + sin(t)/5) - x/5\n"
    " holonomic sphere: x^2 + y^2 + z^2 = 1\n start x = 0.8, y = 0.6, z = 0\n}\n",
    "system Mixed {\n parameter c = 0.5\n coordinate x, a, b, c2\n"
    " lagrangian x'^2/2 - x^2/2 - (a - x)^2/2 - b^2/2 - b^4/6 - (c2 - x)^2 - c2^4/5\n"
    " force a: -a' - a'^3/4\n force x: cos(t)/2\n"
    " constraint w: (1 + c*sin(x))*a' + b' + (1 + x*c2/3 + sin(t)/4)*c2' = 0\n"
    " start x = 0.3, a = 0.4, b = 0.2, c2 = 0.2\n}\n",
    "system Drag {\n parameter c = 0.2\n coordinate x, y\n"
    " lagrangian (2*x + 0.15*x^2 + c*x*sin(t))*y' - x^2/2 - x^4/40 - y^2\n"
    " force x: -(x' + x'^3)/5\n force y: -y'/5\n start x = 0.8, y = 0.3\n}\n",
    "system Both {\n parameter c = 0.5\n coordinate x, a, b, d\n"
    " lagrangian x'^2/2 - x^2 - (a - x)^2 - 1.5*(b - a)^2 - (d - b)^2/2 - d^4/5 - d^2 - b\n"
    " force a: cos(2*t)*c\n constraint w: (1 + a*x/4)*a' + (1 + sin(2*t)/3)*b' + d'/2 = 0\n"
    " holonomic g: d + b^2/5 + a*x/6 = 0.3\n start x = 0.4, a = 0.2, b = -0.1, d = 0.28\n}\n",
};

/* A kernel of inertia that turns with state, time and parameters: with resistance, with a relation
 * of either kind, of first order, and with stiffness alone. */
static const char *const turning_kernel[] = {
    "system Turning {\n parameter c = 0.5, m = 1\n coordinate x, y, z\n"
    " lagrangian m*(x'*cos(c*z) + y'*sin(c*z))^2/2 + z'^2/2 - x^2/2 - y^2 - z^2/2 - x*y*z/3\n"
    " force x: -x'\n force y: -y'*(1 + x^2/3) + cos(t)/3\n"
    " start x = 0.5, y = 0.3, z = 0.4, z' = 0.2, x' free, y' free\n}\n",
    "system Bound {\n parameter c = 0.5\n coordinate x, y, z, u\n"
    " lagrangian (x'*cos(c*z + t/3) + y'*sin(c*z + t/3))^2/2 + z'^2/2 - x^2/2 - y^2 - z^2/2 - u^2\n"
    " force x: -x'*(1 + x'^2/5)\n force y: -y'\n force u: -u'/2 + cos(2*t)\n"
    " constraint w: (1 + c*sin(x))*y' + u' + z'/4 = 0\n"
    " start x = 0.5, y = 0.3, z = 0.4, u = 0.1, z' = 0.2, x' free, y' free, u' free\n}\n",
    "system Rod {\n parameter c = 0.5\n coordinate x, y, z, s\n"
    " lagrangian (x'*cos(c*z) + y'*sin(c*z))^2/2 + (z'^2 + s'^2)/2 - x^2/2 - y^2 - s - x*y*z/3\n"
    " force x: -x'\n force y: -y'*(1 + x^2/3)\n holonomic g: z^2 + s^2 = 1 + c/10\n"
    " start x = 0.5, y = 0.3, z = 0.6, s = -sqrt(0.69), x' free, y' free, z' free\n}\n",
    "system First {\n parameter c = 0.5\n coordinate x, y, z, u\n"
    " lagrangian (x'*cos(c*z) + y'*sin(c*z))^2/2 + z'^2/2 + (x + x^3/3)*u' - x^2/2 - y^2 - u^2/2"
    " - u^4/9 - x*y*z/3\n force y: -y'/3\n"
    " start x = 0.5, y = 0.3, z = 0.4, u = 0.2, z' = 0.2, x' free, y' free, u' free\n}\n",
    "system Stiff {\n parameter c = 0.5, k = 2\n coordinate x, y, z\n"
    " lagrangian (x'*cos(c*z) + y'*sin(c*z))^2/2 + z'^2/2 - x^2/2 - k*y^2/2 - z^2/2 - x*y*z/3\n"
    " force x: cos(t)/9\n start x = 0.5, y = 0.0443663585 free, z = 0.4, z' = 0.2, x' free, y' free\n}\n",
};

/* Hamiltonian coordinates beside directions that bend: a ring, and a ratio with drag. */
static const char *const beside[] = {
    "system Clock {\n parameter m = 1\n coordinate q\n"
    " hamiltonian p(q)^2/(2*(m + q^2/4)) + q^2/2 + q^4/8\n start q = 0.5, p(q) = 0.3\n}\n"
    "system Bead {\n parameter k = 2\n coordinate a, b\n lagrangian -a^2*k/2 - b*(1 + sin(t)/5)\n"
    " holonomic ring: a^2 + b^2 = 1\n start a = 0.28, b = -0.96\n}\n"
    "system Whole {\n part h : Clock\n part r : Bead\n parameter c = 0.3\n"
    " lagrangian -c*(h.q - r.a)^2 - r.a*c/2\n}\n",
    "system Clock {\n parameter m = 1\n coordinate q\n"
    " hamiltonian p(q)^2/(2*(m + q^2/4)) + q^2/2 + q^4/8\n start q = 0.5, p(q) = 0.3\n}\n"
    "system Ratio {\n coordinate u, w\n lagrangian -u^2/2 - w^2 - w^4/5\n"
    " force u: -u'*(1 + u'^2/4) + cos(t)\n start u = 0.4, w = 0.2, u' free, w' free\n}\n"
    "system Whole {\n part h : Clock\n part r : Ratio\n parameter c = 0.3\n"
    " lagrangian -c*h.q*r.u\n force h.q: -c*h.q'/5\n"
    " constraint (1 + c*sin(3*t))*r.u' + (1 + h.q^2/5)*r.w' + 0.4*h.q' = 0\n"
    " start r.w' free, r.u' free\n}\n",
};

/* And beside straight ones, with stiffness only and of first order. */
static const char *const beside_straight[] = {
    "system Clock {\n parameter m = 1\n coordinate q\n"
    " hamiltonian p(q)^2/(2*(m + q^2/4)) + q^2/2 + q^4/8\n start q = 0.5, p(q) = 0.3\n}\n"
    "system Whole {\n part h : Clock\n coordinate a\n parameter c = 0.3\n"
    " lagrangian -(a - h.q)^2 - c*a^4\n start a = 0.4\n}\n",
    "system Clock {\n parameter m = 1\n coordinate q\n"
    " hamiltonian p(q)^2/(2*(m + q^2/4)) + q^2/2 + q^4/8\n start q = 0.5, p(q) = 0.3\n}\n"
    "system Whole {\n part h : Clock\n coordinate x, y\n parameter c = 0.3\n"
    " lagrangian (x + c*x^3/3)*y' - x^2/2 - y^4/4 - x*h.q/3\n start x = 0.8, y = 0.3\n}\n",
};

enum { WIDE = 2 * N_MOST };

/* The ends of two steps, the k-th of (q, p, t, h, parameters, inputs) moved; h in the second. The
 * first leads to where states belong together, also with velocities. */
static void two_steps(setup *s, int k, double by, double *ends)
{
    const int    n = s->sys->n, at_h = 2 * n + 1;
    const double h = s->h, t = s->t + h + (k == 2 * n ? by : 0);
    moved(s, k == at_h ? 0 : k, k == at_h ? 0 : by, ends);
    double v[N_MOST];
    memcpy(v, stepper_v(s->st), (size_t)n * sizeof *v);
    memcpy(ends + WIDE, ends, WIDE * sizeof *ends);
    double *place = k < at_h + 1 ? NULL
                    : k < at_h + 1 + s->b.md->parameters
                        ? &s->b.v.parameter[k - at_h - 1]
                        : &s->b.v.input[k - at_h - 1 - s->b.md->parameters];
    if (place) *place += by, refresh(s);
    stepper_set(s->st, t, ends, ends + n, v);
    if (stepper_step(s->st, t, h + (k == at_h ? by : 0), &s->why))
        fail_msg("%s", text_str(&s->why));
    memcpy(ends + WIDE, stepper_q(s->st), (size_t)n * sizeof *ends);
    memcpy(ends + WIDE + n, stepper_p(s->st), (size_t)n * sizeof *ends);
    if (place) *place -= by, refresh(s);
}

/* Along what the first step makes of a direction, the tangent of the second is the difference of
 * seconds. */
static void compare_second(const char *words, const char *rule, double h)
{
    static const double weight[] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12}, at[] = {-2, -1, 1, 2};
    setup               s;
    tangent            *tg;
    double              worst = 0;
    open_setup(&s, words, rule, NULL, &plain, h, false);
    const int n = s.sys->n, columns = 2 * n + 2 + s.b.md->parameters + s.b.md->inputs;
    if (tangent_new(&s.b.m, s.st, &tg, &s.why)) fail_msg("%s", text_str(&s.why));
    for (int k = 0; k < columns; k++) {
        double ends[2 * WIDE], slope[2 * WIDE] = {0}, room[WIDE + OTHERS_MOST], out[WIDE];
        double v[N_MOST];
        for (int j = 0; j < 4; j++) {
            two_steps(&s, k, at[j] * 1e-3, ends);
            for (int i = 0; i < 2 * WIDE; i++) slope[i] += weight[j] * ends[i] / 1e-3;
        }
        moved(&s, 0, 0, ends);
        memcpy(v, stepper_v(s.st), (size_t)n * sizeof *v);
        stepper_set(s.st, s.t + h, ends, ends + n, v);
        step_direction along = direction(&s, k, room);
        along.q = slope, along.p = slope + n;
        if (tangent_step(tg, s.t + h, h, 1, &along, out, &s.why)) fail_msg("%s", text_str(&s.why));
        for (int i = 0; i < 2 * n; i++) {
            const double want = slope[WIDE + i], off = fabs(out[i] - want) / (1 + fabs(want));
            if (!(off <= 2e-9))
                print_error("%s, column %d, row %d: %.12g, by differences %.12g\n", rule, k, i,
                            out[i], want);
            worst = off <= worst ? worst : off;
        }
    }
    check_below(worst, 2e-9);
    tangent_free(tg);
    close_setup(&s);
}

static void tangents_along_directions_that_bend_are_exact(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof bent / sizeof *bent; m++)
        for (size_t k = 0; k < sizeof of_gauss / sizeof *of_gauss; k++)
            compare_second(bent[m], of_gauss[k], 0.1);
    for (size_t k = 0; k < sizeof of_gauss / sizeof *of_gauss; k++)
        compare_second(guided, of_gauss[k], 0.1);
    compare_second(bent[0], "gauss(2)", -0.1);
}

static void tangents_where_the_kernel_of_inertia_turns_are_exact(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof turning_kernel / sizeof *turning_kernel; m++)
        for (size_t k = 0; k < sizeof of_gauss / sizeof *of_gauss; k++)
            compare_second(turning_kernel[m], of_gauss[k], 0.1);
}

static void tangents_beside_hamiltonian_coordinates_are_exact(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof of_gauss / sizeof *of_gauss; k++)
        for (size_t m = 0; m < sizeof beside / sizeof *beside; m++) {
            compare_second(beside[m], of_gauss[k], 0.1);
            compare(beside_straight[m], of_gauss[k], NULL, &plain, 0.1);
        }
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
        cmocka_unit_test(tangents_along_directions_that_bend_are_exact),
        cmocka_unit_test(tangents_where_the_kernel_of_inertia_turns_are_exact),
        cmocka_unit_test(tangents_beside_hamiltonian_coordinates_are_exact),
        cmocka_unit_test(retractions_of_a_caller_have_tangents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
