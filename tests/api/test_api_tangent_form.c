/* What the tangent of a step does to areas in phase space: it keeps them without forces, also under
 * constraints, and shrinks them as damping does. */
#include "tangent_run.h"

/* D^T Omega D - Omega, Omega = (0, 1; -1, 0) */
static double symplectic_defect(const double *D, size_t n)
{
    double worst = 0;
    for (size_t a = 0; a < 2 * n; a++)
        for (size_t b = 0; b < 2 * n; b++) {
            double sum = 0;
            for (size_t i = 0; i < n; i++)
                sum += D[i * 2 * n + a] * D[(n + i) * 2 * n + b] -
                       D[(n + i) * 2 * n + a] * D[i * 2 * n + b];
            sum -= b == a + n ? 1 : a == b + n ? -1 : 0;
            worst = fmax(worst, fabs(sum));
        }
    return worst;
}

static const char *const pair =
    "system Pair {\n"
    "  coordinate a, b, c\n"
    "  lagrangian a'^2 + b'^2/2 + a'*b'*cos(a - b) + (1 + b^2)*c'^2/2 + 2*cos(a) + cos(b)\n"
    "  lagrangian -c^4/4 - a*c + b^2*c'\n"
    "  start a = 1, b = -0.4, c = 0.3, b' = 0.7, c' = -0.2\n"
    "}\n";

static void conservative_steps_are_symplectic(void **state)
{
    (void)state;
    static const char *const schemes[] = {"midpoint",
                                          "trapezoid",
                                          "lobatto(3)",
                                          "lobatto(5)",
                                          "gauss(2)",
                                          "gauss(4)",
                                          "radau(3)",
                                          "rectangle(0)",
                                          "polynomial(2) with gauss(3)",
                                          "compose(midpoint, suzuki(4))"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        double D[6 * 6];
        run    b = open_model(pair, schemes[i], 0.1);
        start(&b);
        for (int k = 0; k < 3; k++) {
            tangent_matrix(&b, D);
            check_below(symplectic_defect(D, 3), 1e-14);
            assert_int_equal(dal_step(b.s), DAL_OK);
        }
        end(&b);
    }
}

/* On the circle the tangent space is spanned by (tau, -(v.tau) r) and (0, tau), tau along it and r
 * outward: so g and its velocity form stay 0 to first order. The form on it is 1, and is kept. */
static void holonomic_steps_are_symplectic_on_their_manifold(void **state)
{
    (void)state;
    static const char *const schemes[] = {"midpoint", "lobatto(2)", "lobatto(4)", "gauss(3)",
                                          "radau(2)"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        run b = open_model("system Pendulum {\n  coordinate x, y\n"
                           "  lagrangian (x'^2 + y'^2)/2 - 9.81*y\n  holonomic x^2 + y^2 = 1\n"
                           "  start x = 0.6, y = -0.8, x' = 0.8, y' = 0.6\n}\n",
                           schemes[i], 0.05);
        start(&b);
        for (int k = 0; k < 5; k++) {
            const double *q = dal_q(b.s), *v = dal_v(b.s);
            const double  tau[] = {-q[1], q[0]}, along = v[0] * tau[0] + v[1] * tau[1];
            const double  in[] = {-along * q[0], -along * q[1]};
            double        out[2][4];
            tangent_along(&b, &(dal_direction){.q = tau, .p = in}, out[0]);
            tangent_along(&b, &(dal_direction){.p = tau}, out[1]);
            assert_int_equal(dal_step(b.s), DAL_OK);
            const double *r = dal_q(b.s), *u = dal_v(b.s);
            double        form = 0;
            for (int j = 0; j < 2; j++)
                form += out[0][j] * out[1][2 + j] - out[1][j] * out[0][2 + j];
            check_close(form, 1, 2e-14);
            for (int c = 0; c < 2; c++) { /* and they stay in the tangent space */
                check_close(r[0] * out[c][0] + r[1] * out[c][1], 0, 1e-14);
                check_close(u[0] * out[c][0] + u[1] * out[c][1] + r[0] * out[c][2] +
                                r[1] * out[c][3],
                            0, 1e-13);
            }
        }
        end(&b);
    }
}

static double determinant2(const double *D)
{
    return D[0] * D[3] - D[1] * D[2];
}

/* Linear damping with the midpoint rule: det = (1 - hc/2 + h^2 k/4)/(1 + hc/2 + h^2 k/4). */
static void damping_shrinks_areas_as_it_should(void **state)
{
    (void)state;
    static const double rates[] = {0, 0.1, 1, -0.3};
    for (size_t i = 0; i < 4; i++) {
        double D[4];
        char   words[32];
        run    b = open_model("system Damped {\n  parameter c = 0\n  coordinate q\n"
                                 "  lagrangian q'^2/2 - 2*q^2\n  force q: -c*q'\n  start q = 1\n"
                                 "}\n",
                              "midpoint", 0.2);
        snprintf(words, sizeof words, "c=%g", rates[i]);
        dal_options_set(b.o, "set", words);
        start(&b);
        tangent_matrix(&b, D);
        check_close(determinant2(D), (1 - 0.1 * rates[i] + 0.04) / (1 + 0.1 * rates[i] + 0.04),
                    1e-15);
        end(&b);
    }
}

/* About an equilibrium the eigenvalues are those of the linear motion: exp(+-i w h), to the order
 * of the scheme, and with the midpoint rule (1 +- i w h/2)/(1 -+ i w h/2). */
static void about_an_equilibrium_it_turns_with_the_frequencies(void **state)
{
    (void)state;
    const double h = 0.1, w = sqrt(9.81);
    static const struct {
        const char *scheme;
        int         order;
    } rows[] = {{"midpoint", 2}, {"gauss(2)", 4}, {"lobatto(4)", 6}, {"gauss(4)", 8}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double D[4];
        run    b = open_model("system Pendulum {\n  coordinate a\n"
                                 "  lagrangian a'^2/2 + 9.81*cos(a)\n  start a = 0\n}\n",
                              rows[i].scheme, h);
        start(&b);
        tangent_matrix(&b, D);
        check_close((D[0] + D[3]) / 2, cos(w * h), 0.1 * pow(w * h, rows[i].order + 2));
        if (i == 0)
            check_close((D[0] + D[3]) / 2, (1 - w * w * h * h / 4) / (1 + w * w * h * h / 4),
                        1e-15);
        end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conservative_steps_are_symplectic),
        cmocka_unit_test(holonomic_steps_are_symplectic_on_their_manifold),
        cmocka_unit_test(damping_shrinks_areas_as_it_should),
        cmocka_unit_test(about_an_equilibrium_it_turns_with_the_frequencies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
