/* The tangent of a step against differences of the step itself, of fourth order: in q, p, t, h,
 * every parameter and every input, for every kind of system and scheme. */
#include "step_differences.h"

static const char *const plane =
    "system Plane {\n"
    "  parameter m = 1.3, B = 0.4, k = 2, c = 0.3\n"
    "  input u = 0.2\n"
    "  coordinate x, y\n"
    "  lagrangian (1 + y^2 + 0.1*sin(t))*x'^2/2 + m*y'^2/2 + B*x*(x*y' - y*x')\n"
    "  lagrangian -x^4/4 - k*(1 + 0.2*cos(t))*y^2/2 - x*y + u*x\n"
    "  force x: -c*(1 + y^2)*x' + u^2*cos(t)\n"
    "  force y: -c*y' + c*cos(3*t)\n"
    "  start x = 0.6, y = -0.3, x' = 0.5, y' = 0.8\n"
    "}\n";

/* A pendulum whose pivot moves and whose length changes, of which the second hangs on the first. */
static const char *const pendulum =
    "system Pendulum {\n"
    "  parameter g = 3, l = 1, a = 0.1, c = 0.2\n"
    "  coordinate x, y, X, Y\n"
    "  lagrangian (x'^2 + y'^2)/2 + 0.35*(X'^2 + Y'^2) - g*y - 0.7*g*Y - x^4/4\n"
    "  force x: -c*x'*(1 + y^2)\n"
    "  force X: 0.1*cos(2*t)\n"
    "  holonomic (x - a*sin(t))^2 + y^2 = l^2*(1 + 0.05*sin(t))\n"
    "  holonomic (X - x)^2 + (Y - y)^2 = 0.64\n"
    "  start x = 0.7, y = -0.7, X = 1.4, Y = -0.3, x' = 0.4, y' = 0.4\n"
    "}\n";

static const char *const sleigh =
    "system Sleigh {\n"
    "  parameter m = 1, J = 0.4, a = 0.3, w = 0.2\n"
    "  input u = 0.1\n"
    "  coordinate x, y, th\n"
    "  lagrangian m/2*((x' - a*sin(th)*th')^2 + (y' + a*cos(th)*th')^2) + J*th'^2/2 - cos(y)/2\n"
    "  force x: -0.2*x'\n"
    "  force th: 0.5*cos(3*t) + u\n"
    "  constraint -sin(th + w*t)*x' + cos(th + w*t)*y' = w*cos(x)*sin(t) + u\n"
    "  start x = 0.1, y = 0.2, th = 0.5, x' = 0.9, y' = 0.5, th' = 0.9\n"
    "}\n";

static const char *const phase =
    "system Phase {\n"
    "  parameter b = 1, c = 0.1\n"
    "  coordinate q, r\n"
    "  hamiltonian (q^2 + b)*(p(q)^2 + 1)/2 + p(r)^2/2 + r^4/4 + q*r*(1 + 0.1*sin(t))\n"
    "  force q: -c*p(q) + q*cos(t)/5\n"
    "  start q = 0.7, p(q) = 0.4, r = 0.3, p(r) = -0.2\n"
    "}\n";

static const char *const phase_disk =
    "system Disk {\n"
    "  parameter m = 1, J = 0.5, R = 1\n"
    "  coordinate x, y, th, phi\n"
    "  hamiltonian (p(x)^2 + p(y)^2)/(2*m) + p(th)^2/(2*J) + 2*p(phi)^2 + (x^2 + 2*y^2)/2\n"
    "  constraint x' = R*cos(phi)*th'\n"
    "  constraint y' = R*sin(phi)*th'\n"
    "  start x = 0.3, phi = 0.4, p(th) = 0.5, p(phi) = 0.2, p(x) = cos(0.4), p(y) = sin(0.4)\n"
    "}\n";

/* Arrays, so that programs run over instances; a tie is kept as a relation here. */
static const char *const chain =
    "system Chain {\n"
    "  parameter k = 1, beta = 0.5, c = 0.1, ratio = 1.5\n"
    "  input u[2] = 0.1\n"
    "  coordinate x[5]\n"
    "  lagrangian sum(i in 1..5: x[i]'^2/2)\n"
    "  lagrangian -sum(i in 1..4: k/2*(x[i+1] - x[i])^2 + beta*i/4*(x[i+1] - x[i])^4)\n"
    "  for i in 1..2 {\n"
    "    force x[i]: u[i]*(1 + x[i]^2) - c*x[i]'\n"
    "  }\n"
    "  connect x[5] = ratio*x[4]\n"
    "  start x[1] = 0.5, x[2]' = 0.3\n"
    "}\n";

static const step_options plain = {0};

static void unconstrained_tangents_are_exact(void **state)
{
    (void)state;
    static const char *const schemes[] = {"midpoint",
                                          "trapezoid",
                                          "lobatto(3)",
                                          "lobatto(4)",
                                          "gauss(2)",
                                          "gauss(3)",
                                          "radau(2)",
                                          "radau_left(3)",
                                          "rectangle(0)",
                                          "rectangle(1)",
                                          "rectangle(0.3)",
                                          "polynomial(2) with gauss(3)",
                                          "compose(midpoint, suzuki(4))"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        compare(plane, schemes[i], NULL, &plain, 0.2);
        compare(plane, schemes[i], NULL, &plain, -0.2);
    }
    compare(plane, "lobatto(3)", "gauss(3)", &plain, 0.2);
    compare(plane, "gauss(2)", "trapezoid", &plain, -0.2);
}

static void tangents_along_curves_that_are_shot_are_exact(void **state)
{
    (void)state;
    static const char *const schemes[] = {"shooting(taylor(2)) with trapezoid",
                                          "shooting(taylor(4)) with lobatto(3)",
                                          "shooting(rk4) with gauss(2)"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        compare(plane, schemes[i], NULL, &plain, 0.2);
        compare(plane, schemes[i], "trapezoid", &plain, -0.2);
    }
}

static void constrained_tangents_are_exact(void **state)
{
    (void)state;
    static const char *const schemes[] = {"midpoint",
                                          "lobatto(2)",
                                          "lobatto(3)",
                                          "gauss(2)",
                                          "gauss(3)",
                                          "radau(2)",
                                          "compose(midpoint, yoshida(4))"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        compare(pendulum, schemes[i], NULL, &plain, 0.1);
        compare(sleigh, schemes[i], NULL, &plain, 0.1);
        compare(sleigh, schemes[i], NULL, &plain, -0.1);
        compare(chain, schemes[i], NULL, &plain, 0.2);
    }
    compare(pendulum, "lobatto(3)", "gauss(3)", &plain, 0.1);
}

static void retractions_and_the_papers_momentum_have_tangents(void **state)
{
    (void)state;
    compare(sleigh, "midpoint", NULL, &(step_options){.retraction = RETRACTION_LEFT}, 0.1);
    compare(sleigh, "trapezoid", NULL, &(step_options){.retraction = RETRACTION_RIGHT}, 0.1);
    compare(sleigh, "midpoint", NULL, &(step_options){.momentum = MOMENTUM_PAPERS}, 0.1);
    compare(pendulum, "gauss(2)", NULL, &(step_options){.momentum = MOMENTUM_PAPERS}, 0.1);
}

static void hamiltonian_tangents_are_exact(void **state)
{
    (void)state;
    static const char *const schemes[] = {"midpoint", "lobatto(3)", "gauss(2)", "rectangle(0)",
                                          "rectangle(1)"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        compare(phase, schemes[i], NULL, &plain, 0.2);
        compare(phase_disk, schemes[i], NULL, &plain, 0.1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unconstrained_tangents_are_exact),
        cmocka_unit_test(tangents_along_curves_that_are_shot_are_exact),
        cmocka_unit_test(constrained_tangents_are_exact),
        cmocka_unit_test(retractions_and_the_papers_momentum_have_tangents),
        cmocka_unit_test(hamiltonian_tangents_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
