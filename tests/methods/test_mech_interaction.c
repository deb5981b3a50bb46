/* Connections as forces: their Jacobian is exact, and so is the tangent of their steps. */
#include "step_differences.h"

#include "mech/stepper/stepper.h"

static const step_options plain = {0};

/* Inertia that depends on position, velocity and time; L_vq; ties, a gear, a connection that
 * turns with the state and one that moves by itself; forces of all kinds; a constraint that
 * stays one. */
static const char *const wild =
    "system Body {\n"
    "  parameter m = 1, k = 1\n"
    "  input u = 0.2\n"
    "  coordinate x, y\n"
    "  lagrangian m/2*(1 + 0.3*sin(x)*cos(y) + 0.1*sin(t))*x'^2 + (1 + x^2/4)*y'^2/2 + "
    "0.2*x'*y'*cos(x - y)\n"
    "  lagrangian 0.05*x'^4 + x*y*y'/3 - k/2*x^2 - y^4/4 + u*x*cos(t)\n"
    "  force x: -0.1*x'*(1 + y^2) + u\n"
    "  force y: 0.3*sin(2*t)*x - 0.2*y'^3\n"
    "}\n"
    "system Wild {\n"
    "  parameter r = 1.5, w = 0.2\n"
    "  part a : Body\n"
    "  part b : Body(m = 2)\n"
    "  connect tie: a.x = b.x\n"
    "  connect bent: cos(a.y + w*t)*b.y' = r*(1 + 0.2*sin(b.x))*a.x' + w*sin(t)\n"
    "  constraint kept: a.y' = 0.3*(1 + 0.1*b.y)*b.x'\n"
    "  start a.x = 0.6, a.y = -0.3, b.y = 0.2, a.x' = 0.5, a.y' = 0.15, b.y' = 0.9\n"
    "}\n";

/* A Hamiltonian part, tied to a Lagrangian one and geared to another Hamiltonian one. */
static const char *const mixed =
    "system Well {\n"
    "  parameter c = 0.1\n"
    "  coordinate q\n"
    "  hamiltonian p(q)^2/2*(1 + q^2/5)*(1 + 0.1*sin(t)) + q^4/4 + 0.1*p(q)*q\n"
    "  force q: -c*p(q) + 0.2*cos(t)*q\n"
    "}\n"
    "system Bob {\n"
    "  coordinate x\n"
    "  lagrangian (1 + 0.2*sin(x))*x'^2 - x^2/2\n"
    "  force x: -0.1*x'\n"
    "}\n"
    "system Mixed {\n"
    "  parameter r = 2\n"
    "  part one : Well\n"
    "  part two : Well(c = 0.3)\n"
    "  part bob : Bob\n"
    "  connect tie: one.q = bob.x\n"
    "  connect gear: two.q' = r*(1 + 0.1*one.q)*one.q'\n"
    "  start one.q = 0.5, two.q = -0.3, bob.x' = 0.3\n"
    "  start p(one.q) = 0.25, p(two.q) = 0.6\n"
    "}\n";

/* Ties of constant inertia, linear: the Jacobian is constant. */
static const char *const springs = "system Spring {\n"
                                   "  parameter k = 2, m = 1\n"
                                   "  coordinate a, b\n"
                                   "  lagrangian m/2*(a'^2 + b'^2) - k/2*(b - a)^2 + 0.1*a*b'\n"
                                   "  force a: -0.1*a'\n"
                                   "}\n"
                                   "system Springs {\n"
                                   "  part s[3] : Spring(m = 1.5)\n"
                                   "  connect one: s[1].b = s[2].a\n"
                                   "  connect two: s[2].b' = 2*s[3].a'\n"
                                   "  start s[1].b = 0.3, s[1].a' = 0.5, s[2].b' = 0.4\n"
                                   "}\n";

static const char *const schemes[] = {"midpoint", "trapezoid", "lobatto(3)",  "gauss(2)",
                                      "gauss(3)", "radau(2)",  "rectangle(0)"};

static void take_residual(setup *s, const double *y, double *r)
{
    if (!equations_residual(&s->st->eq, y, r, false)) fail_msg("no residual");
}

/* J^-1 times the difference of residuals along d must be d. */
static double jacobian_error(const char *words, const char *scheme_words, const char *force,
                             double h)
{
    static const double weight[] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12}, at[] = {-2, -1, 1, 2};
    enum { SIZE_MOST = 100 };
    setup  s;
    double y[SIZE_MOST], d[SIZE_MOST], moved_y[SIZE_MOST], r[SIZE_MOST], slope[SIZE_MOST],
        worst = 0;
    open_setup(&s, words, scheme_words, force, &plain, h, true);
    equations *eq = &s.st->eq;
    stepper_set(s.st, s.t, s.q, s.p, s.v);
    if (stepper_step(s.st, s.t, h, &s.why)) fail_msg("%s", text_str(&s.why));
    const int size = eq->size;
    assert_true(size <= SIZE_MOST && eq->J.rows > size);
    eq->q = s.st->q0, eq->q_low = s.st->q0_low, eq->p = s.st->p0, eq->p_low = s.st->p0_low;
    for (int k = 0; k < size; k++) y[k] = s.st->y[k] + 0.01 * sin(k + 1.0); /* not where r = 0 */
    solver *lu = solver_new(&s.b.m, &eq->J, NULL);
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < size; k++) d[k] = sin(1 + 1.7 * k + c), slope[k] = 0;
        for (int j = 0; j < 4; j++) {
            for (int k = 0; k < size; k++) moved_y[k] = y[k] + 1e-3 * h * at[j] * d[k];
            take_residual(&s, moved_y, r);
            for (int k = 0; k < size; k++) slope[k] += weight[j] * r[k] / (1e-3 * h);
        }
        if (!equations_residual(eq, y, r, true)) fail_msg("no residual");
        equations_fill(eq);
        if (!solver_factor(lu, eq->values)) fail_msg("singular");
        equations_divide(eq, lu, slope);
        for (int k = 0; k < size; k++) worst = fmax(worst, fabs(slope[k] - d[k]));
    }
    solver_free(lu);
    close_setup(&s);
    return worst;
}

static void jacobians_of_interaction_forces_are_exact(void **state)
{
    (void)state;
    static const char *const models[] = {wild, mixed, springs};
    for (size_t m = 0; m < 3; m++)
        for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++)
            for (int back = 0; back < 2; back++)
                check_below(jacobian_error(models[m], schemes[k], NULL, back ? -0.1 : 0.1), 1e-8);
    check_below(jacobian_error(wild, "lobatto(3)", "gauss(3)", 0.1), 1e-8);
}

/* From a bad beginning the residual falls as a square does, down to roundoff. */
static void newton_converges_quadratically_with_interaction_forces(void **state)
{
    (void)state;
    setup s;
    open_setup(&s, wild, "gauss(2)", NULL, &plain, 0.2, true);
    stepper_set(s.st, s.t, s.q, s.p, s.v);
    if (stepper_step(s.st, s.t, 0.2, &s.why)) fail_msg("%s", text_str(&s.why));
    equations *eq = &s.st->eq;
    double     y[100], error[8];
    eq->q = s.st->q0, eq->q_low = s.st->q0_low, eq->p = s.st->p0, eq->p_low = s.st->p0_low;
    for (int k = 0; k < eq->size; k++) y[k] = s.st->y[k] + 0.02 * cos(3.0 * k);
    newton_begin(&s.st->nw);
    for (int it = 0; it < 6; it++) {
        assert_true(newton_correction(&s.st->nw, y));
        error[it] = 0;
        for (int k = 0; k < eq->n * eq->d; k++) {
            error[it] = fmax(error[it], fabs(s.st->nw.delta[k]));
        }
        for (int k = 0; k < eq->size; k++) y[k] -= s.st->nw.delta[k];
        if (it && error[it] > 1e-15) check_below(error[it], 100 * error[it - 1] * error[it - 1]);
    }
    check_below(error[4], 1e-15);
    close_setup(&s);
}

static void tangents_with_interaction_forces_are_exact(void **state)
{
    (void)state;
    static const char *const models[] = {wild, mixed, springs};
    for (size_t m = 0; m < 3; m++)
        for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++)
            compare_as(models[m], schemes[k], NULL, &plain, k == 3 ? -0.1 : 0.1, true);
    compare_as(wild, "lobatto(3)", "gauss(3)", &plain, 0.1, true);
    compare_as(springs, "compose(midpoint, suzuki(4))", NULL, &plain, 0.1, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jacobians_of_interaction_forces_are_exact),
        cmocka_unit_test(newton_converges_quadratically_with_interaction_forces),
        cmocka_unit_test(tangents_with_interaction_forces_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
