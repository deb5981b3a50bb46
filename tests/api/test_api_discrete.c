/* Discrete objects as values: against formulas, differences and the steps of the library; and steps
 * by generating functions of a caller. */
#include "api_run.h"

#include <stdbool.h>
#include <string.h>

static dal_discrete *objects(run *b, const char *model, const char *scheme)
{
    dal_discrete *d;
    *b = with_settings((const setting[]){{"scheme", scheme}, {"step", "0.1"}, {0}});
    must(b, dal_model_parse(b->cx, "test.dal", model, b->o, &b->m));
    must(b, dal_discrete_new(b->m, b->o, &d));
    return d;
}

static void drop(run *b, dal_discrete *d)
{
    dal_discrete_free(d);
    end(b);
}

/*     L_d = w/(2 sin wh) ((q0^2 + q1^2) cos wh - 2 q0 q1) */
static void exact_values_are_those_of_an_oscillator(void **state)
{
    (void)state;
    run           b;
    dal_discrete *d =
        objects(&b, "system O {\n  coordinate q\n  lagrangian q'^2/2 - 2*q^2\n}\n", "midpoint");
    dal_discrete_values x;
    static const double steps[] = {0.1, 0.7, 1.4};
    const double        w = 2, q0 = 0.8, q1 = 0.3;
    for (int k = 0; k < 3; k++) {
        const double h = steps[k], s = sin(w * h), c = cos(w * h);
        const double p0 = w / s * (q1 - q0 * c), p1 = w / s * (q1 * c - q0);
        const double L = w / (2 * s) * ((q0 * q0 + q1 * q1) * c - 2 * q0 * q1);
        double       H, other, end_;
        must(&b, dal_discrete_at(d, DAL_EXACTLY, 0, h, &q0, &q1, &x));
        check_close(x.L, L, 1e-13 * (1 + fabs(L)));
        check_close(*x.p0, p0, 1e-13 * fabs(p0));
        check_close(*x.p1, p1, 1e-13 * fabs(p0));
        check_close(*x.D1, -p0, 1e-13 * fabs(p0));
        must(&b, dal_discrete_plus(d, DAL_EXACTLY, 0, h, &q0, &p1, &H, &other, &end_));
        check_close(H, p1 * q1 - L, 1e-12 * (1 + fabs(L)));
        check_close(other, p0, 1e-12 * fabs(p0));
        check_close(end_, q1, 1e-12);
        must(&b, dal_discrete_minus(d, DAL_EXACTLY, 0, h, &p0, &q1, &H, &other, &end_));
        check_close(H, -p0 * q0 - L, 1e-12 * (1 + fabs(L)));
        check_close(other, q0, 1e-12);
        check_close(end_, p1, 1e-12 * fabs(p0));
    }
    /* half a period: all motions from q0 meet */
    const double back = -q0;
    assert_int_equal(dal_discrete_at(d, DAL_EXACTLY, 0, acos(-1) / w, &q0, &back, &x),
                     DAL_DIVERGED);
    assert_non_null(strstr(dal_message_at(b.cx, 0).text, "conjugate"));
    drop(&b, d);
}

static const char *const three =
    "system Three {\n  coordinate a, b, c\n"
    "  lagrangian a'^2/2 + (1 + a^2)*b'^2/2 + c'^2/2 - cos(a - b) - (b - c)^4/4 - a^2 - c^2\n"
    "  force c: -0.3*c'*(1 + a^2)\n  force a: 0.2*cos(t)\n"
    "  start a = 0.5, b = 0.2, c = -0.3, a' = 0.4, c' = 1\n}\n";
static const char *const schemes[] = {"midpoint", "trapezoid", "gauss(2)", "lobatto(3)",
                                      "shooting(taylor(4)) with gauss(2)"};

/* Both Legendre transforms of a chord are the momenta of the step that has it. */
static void momenta_are_those_of_steps(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
        run                 b;
        dal_discrete       *d = objects(&b, three, schemes[k]);
        dal_discrete_values x;
        double              q0[3], p0[3], H, p[3], q[3];
        must(&b, try_simulation(&b));
        memcpy(q0, dal_q(b.s), sizeof q0), memcpy(p0, dal_p(b.s), sizeof p0);
        must(&b, dal_step(b.s));
        must(&b, dal_discrete_at(d, DAL_BY_SCHEME, 0, 0.1, q0, dal_q(b.s), &x));
        check_below(apart(x.p0, p0, 3), 1e-12);
        check_below(apart(x.p1, dal_p(b.s), 3), 1e-12);
        must(&b, dal_discrete_plus(d, DAL_BY_SCHEME, 0, 0.1, q0, dal_p(b.s), &H, p, q));
        check_below(apart(q, dal_q(b.s), 3), 1e-12);
        check_below(apart(p, p0, 3), 1e-11);
        must(&b, dal_discrete_minus(d, DAL_BY_SCHEME, 0, 0.1, p0, dal_q(b.s), &H, q, p));
        check_below(apart(q, q0, 3), 1e-12);
        check_below(apart(p, dal_p(b.s), 3), 1e-11);
        drop(&b, d);
    }
}

/* D1 L_d and D2 L_d of a conservative chord, by differences of L_d, by the scheme and exactly. */
static void derivatives_are_those_of_the_discrete_lagrangian(void **state)
{
    (void)state;
    static const char *const model =
        "system Pair {\n  coordinate a, b\n  lagrangian a'^2/2 + (1 + a^2)*b'^2/2 - cos(a - b) - a^4\n}\n";
    static const double weight[] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12}, at[] = {-2, -1, 1, 2};
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++)
        for (int by = DAL_BY_SCHEME; by <= DAL_EXACTLY; by++) {
            run                 b;
            dal_discrete       *d = objects(&b, model, schemes[k]);
            dal_discrete_values x;
            double              ends[4] = {0.4, -0.2, 0.55, 0.1}, D[4];
            must(&b, dal_discrete_at(d, (dal_means)by, 0, 0.2, ends, ends + 2, &x));
            memcpy(D, x.D1, 2 * sizeof *D), memcpy(D + 2, x.D2, 2 * sizeof *D);
            for (int i = 0; i < 4; i++) {
                double sum = 0, was = ends[i];
                for (int j = 0; j < 4; j++) {
                    ends[i] = was + 1e-3 * at[j];
                    must(&b, dal_discrete_at(d, (dal_means)by, 0, 0.2, ends, ends + 2, &x));
                    sum += weight[j] * x.L / 1e-3;
                }
                ends[i] = was;
                check_close(D[i], sum, 1e-9);
            }
            drop(&b, d);
        }
}

/* Of Hamiltonians, compositions and relations: momenta of a chord are those of the step that has
 * it, on a surface along it; both Hamiltonians lead to the other ends. */
#define mixed                                                                                         \
    "system A {\n  coordinate q\n  hamiltonian p(q)^2/2 + p(q)^4/8 + cos(q)\n"                        \
    "  start q = 0.4, p(q) = 0.7\n}\n"                                                                \
    "system B {\n  coordinate x\n  lagrangian x'^2/2*(1 + x^2) - x^4/4\n  start x = 0.1, x' = 1\n}\n" \
    "system M {\n  part a : A\n  part b : B\n  force a.q: -b.x*p(a.q)\n  force b.x: -0.3*b.x'*a.q\n}\n"

static const struct {
    const char *model, *scheme;
    int         n;
    const char *surface; /* NULL: there are no relations */
} chord_of[] = {{"system H {\n  coordinate q\n  hamiltonian (1 + q^2)*p(q)^2/2 + p(q)^4/8 + q^4/4\n"
                 "  force q: -0.3*p(q) + cos(t)\n  start q = 0.4, p(q) = 0.7\n}\n",
                 "gauss(2)", 1, NULL},
                {mixed, "gauss(2)", 2, NULL},
                {mixed, "compose(midpoint, yoshida(6))", 2, NULL},
                {NULL, "compose(trapezoid, suzuki(4))", 3, NULL},
                {NULL, "compose(gauss(2), triple(6))", 3, NULL},
                {"system B {\n  coordinate x, y, z\n  lagrangian (x'^2 + y'^2 + z'^2)/2 - x*z - y\n"
                 "  force x: -0.2*x'\n  holonomic x^2 + y^2 + z^2 = 1\n"
                 "  start x = 0.6, z = 0.8, y' = 1.1, x' = 0.4, z' = -0.3\n}\n",
                 "gauss(3)", 3, "sphere"},
                {"system B {\n  coordinate x, y, z\n  lagrangian (x'^2 + y'^2 + z'^2)/2 - x*z - y\n"
                 "  force x: -0.2*x'\n  holonomic x^2 + y^2 + z^2 = 1\n"
                 "  start x = 0.6, z = 0.8, y' = 1.1, x' = 0.4, z' = -0.3\n}\n",
                 "compose(lobatto(2), suzuki(4))", 3, "sphere"}};

/* How far a and b are apart along the sphere at q. */
static double apart_on(const char *surface, const double *q, const double *a, const double *b,
                       int n)
{
    double d[3], normal = 0;
    for (int j = 0; j < n; j++) d[j] = a[j] - b[j], normal += surface ? d[j] * q[j] : 0;
    for (int j = 0; j < n; j++) d[j] -= surface ? normal * q[j] : 0;
    return apart(d, (const double[3]){0}, (size_t)n);
}

static void chords_are_those_of_steps_of_every_kind(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof chord_of / sizeof *chord_of; k++) {
        run           b;
        const int     n = chord_of[k].n;
        const char   *on = chord_of[k].surface;
        dal_discrete *d =
            objects(&b, chord_of[k].model ? chord_of[k].model : three, chord_of[k].scheme);
        dal_discrete_values x;
        double              q0[3], p0[3], H, p[3], q[3];
        const size_t        bytes = (size_t)n * sizeof *q0;
        must(&b, try_simulation(&b));
        memcpy(q0, dal_q(b.s), bytes), memcpy(p0, dal_p(b.s), bytes);
        must(&b, dal_step(b.s));
        must(&b, dal_discrete_at(d, DAL_BY_SCHEME, 0, 0.1, q0, dal_q(b.s), &x));
        check_below(apart_on(on, q0, x.p0, p0, n), 1e-12);
        check_below(apart_on(on, dal_q(b.s), x.p1, dal_p(b.s), n), 1e-12);
        must(&b, dal_discrete_plus(d, DAL_BY_SCHEME, 0, 0.1, q0, dal_p(b.s), &H, p, q));
        check_below(apart(q, dal_q(b.s), (size_t)n), 1e-12);
        check_below(apart_on(on, q0, p, p0, n), 1e-12);
        must(&b, dal_discrete_minus(d, DAL_BY_SCHEME, 0, 0.1, p0, dal_q(b.s), &H, q, p));
        check_below(apart(q, q0, (size_t)n), 1e-12);
        check_below(apart_on(on, dal_q(b.s), p, dal_p(b.s), n), 1e-12);
        drop(&b, d);
    }
}

/* Second derivatives are those of the momenta, by the scheme and exactly; of an oscillator, whose
 * exact L_d = w/(2 sin wh) ((q0^2 + q1^2) cos wh - 2 q0 q1):   w cos/sin and -w/sin. */
static void second_derivatives_are_those_of_the_momenta(void **state)
{
    (void)state;
    run           b;
    double        S[4], big[36];
    dal_discrete *d =
        objects(&b, "system O {\n  coordinate q\n  lagrangian q'^2/2 - 2*q^2\n}\n", "midpoint");
    const double w = 2, h = 0.7, q0 = 0.8, q1 = 0.3;
    must(&b, dal_discrete_second(d, DAL_EXACTLY, 0, h, &q0, &q1, S));
    for (int k = 0; k < 4; k++)
        check_close(S[k], (k == 0 || k == 3 ? cos(w * h) : -1) * w / sin(w * h), 1e-12);
    drop(&b, d);
    for (int by = DAL_BY_SCHEME; by <= DAL_EXACTLY; by++) {
        dal_discrete_values x;
        double              ends[6] = {0.5, 0.2, -0.3, 0.6, 0.1, -0.1};
        d = objects(&b, three, "compose(gauss(2), triple(6))");
        must(&b, dal_discrete_second(d, (dal_means)by, 0.3, 0.2, ends, ends + 3, big));
        for (int k = 0; k < 6; k++) {
            double       slope[6] = {0};
            const double was = ends[k];
            for (int side = -2; side <= 2; side++) {
                static const double weight[] = {1.0 / 12, -2.0 / 3, 0, 2.0 / 3, -1.0 / 12};
                ends[k] = was + 1e-3 * side;
                must(&b, dal_discrete_at(d, (dal_means)by, 0.3, 0.2, ends, ends + 3, &x));
                for (int i = 0; i < 3; i++)
                    slope[i] -= weight[side + 2] * x.p0[i] / 1e-3,
                        slope[3 + i] += weight[side + 2] * x.p1[i] / 1e-3;
            }
            ends[k] = was;
            for (int i = 0; i < 6; i++) check_close(big[i * 6 + k], slope[i], 1e-9);
        }
        drop(&b, d);
    }
    d = objects(&b, three, schemes[4]); /* shot */
    assert_int_equal(dal_discrete_second(d, DAL_BY_SCHEME, 0, 0.1, big, big + 3, big + 6),
                     DAL_DIVERGED);
    drop(&b, d);
}

/* Exact chords of the spherical pendulum without weight are arcs of great circles: L_d = a^2/2h;
 * and of H = |p|, where no L_d is a function of the ends, H_d+ is. */
static void exact_chords_on_a_sphere_are_arcs(void **state)
{
    (void)state;
    run                 b;
    dal_discrete_values x;
    dal_discrete       *d = objects(&b,
                                    "system S {\n  coordinate x, y, z\n  lagrangian (x'^2 + y'^2 + "
                                          "z'^2)/2\n  holonomic x^2 + y^2 + z^2 = 1\n  start x = 1\n}\n",
                                    "midpoint");
    const double q0[] = {1, 0, 0}, q1[] = {cos(0.9), sin(0.9) * 0.6, sin(0.9) * 0.8}, h = 0.5;
    const double along[] = {0, 0.6, 0.8};
    must(&b, dal_discrete_at(d, DAL_EXACTLY, 0, h, q0, q1, &x));
    check_close(x.L, 0.9 * 0.9 / (2 * h), 1e-13);
    check_below(apart_on("sphere", q0, x.p0,
                         (const double[]){0, 0.9 / h * along[1], 0.9 / h * along[2]}, 3),
                1e-12);
    drop(&b, d);
    d = objects(&b, "system P {\n  coordinate q\n  hamiltonian q*p(q)\n  start q = 1\n}\n",
                "gauss(2)");
    double       H, p0, end_;
    const double start = 0.7, p1 = 1.3; /* q1 = q0 e^h, p0 = p1 e^h, L_d = 0 */
    must(&b, dal_discrete_plus(d, DAL_EXACTLY, 0, h, &start, &p1, &H, &p0, &end_));
    check_close(end_, start * exp(h), 1e-13);
    check_close(p0, p1 * exp(h), 1e-13);
    check_close(H, p1 * start * exp(h), 1e-13);
    assert_int_equal(dal_discrete_at(d, DAL_EXACTLY, 0, h, &start, &p1, &x), DAL_DIVERGED);
    drop(&b, d);
}

/* Midpoint: f_d^- = f_d^+ = h f/2, g_d^- = g_d^+ = -h f.v/2. */
static void forces_and_powers_are_those_of_the_rule(void **state)
{
    (void)state;
    run                 b;
    dal_discrete_values x;
    dal_discrete       *d =
        objects(&b, "system F {\n  coordinate q\n  lagrangian q'^2/2\n  force q: -q'^3 + t\n}\n",
                "midpoint");
    const double q0 = 0.2, q1 = 0.5, h = 0.1, v = 3, f = -27 + 1.05;
    must(&b, dal_discrete_at(d, DAL_BY_SCHEME, 1, h, &q0, &q1, &x));
    check_close(*x.force_minus, h * f / 2, 1e-14);
    check_close(*x.force_plus, h * f / 2, 1e-14);
    check_close(x.power_minus, -h * f * v / 2, 1e-13);
    check_close(x.power_plus, -h * f * v / 2, 1e-13);
    drop(&b, d);
}

static void maps_of_the_triple_compose(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3, 4, 5, 6, 7, 8}, plus[] = {1, 2, 7, 8, -5, -6, 3, 4};
    double       y[8], z[8], w[8];
    for (int k = DAL_KAPPA; k <= DAL_GAMMA_MINUS; k++) {
        dal_triple((dal_triple_map)k, 2, x, y), dal_triple_inverse((dal_triple_map)k, 2, y, z);
        check_below(apart(x, z, 8), 0);
    }
    for (int k = 0; k < 2; k++) { /* gamma = Omega o kappa^-1 */
        dal_triple_inverse(DAL_KAPPA, 2, x, y),
            dal_triple(k ? DAL_OMEGA_MINUS : DAL_OMEGA_PLUS, 2, y, z);
        dal_triple(k ? DAL_GAMMA_MINUS : DAL_GAMMA_PLUS, 2, x, w);
        check_below(apart(z, w, 8), 0);
    }
    dal_triple(DAL_GAMMA_PLUS, 2, x, y);
    check_below(apart(y, plus, 8), 0); /* (q0, D2 L_d, -D1 L_d, q1) */
}

static void what_has_no_chords_is_said(void **state)
{
    (void)state;
    static const struct {
        const char *model, *scheme, *said;
    } rows[] = {
        {"system A {\n  coordinate x, y\n  lagrangian x'^2 + y'^2\n  constraint y*x' = y'\n}\n",
         "gauss(2)", "no extremum"},
        {"system A {\n  coordinate x\n  lagrangian x'^2\n  damping x: -x'\n}\n", "gauss(2)",
         "upwinded"},
        {"system A {\n  coordinate R : rotation\n  lagrangian dot(bodyspin(R), bodyspin(R))\n}\n",
         "midpoint", "rotations"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dal_discrete *d;
        run           b = with_settings((const setting[]){{"scheme", rows[i].scheme}, {0}});
        must(&b, dal_model_parse(b.cx, "test.dal", rows[i].model, b.o, &b.m));
        assert_int_equal(dal_discrete_new(b.m, b.o, &d), DAL_INVALID);
        assert_non_null(
            strstr(dal_message_at(b.cx, dal_message_count(b.cx) - 1).text, rows[i].said));
        end(&b);
    }
}

/* Generating functions. ------------------------------------------------------------------------ */

/* A pendulum by the midpoint rule. */
static int pendulum_L(void *self, double t, double h, const double *q0, const double *q1, double *L)
{
    (void)self, (void)t;
    const double v = (*q1 - *q0) / h;
    *L = h * (v * v / 2 + cos((*q0 + *q1) / 2));
    return 0;
}

static int pendulum_by(void *self, double t, double h, const double *q0, const double *q1,
                       double *by_0, double *by_1)
{
    (void)self, (void)t;
    const double v = (*q1 - *q0) / h, f = -h / 2 * sin((*q0 + *q1) / 2);
    *by_0 = -v + f, *by_1 = v + f;
    return 0;
}

static int refusing(void *self, double t, double h, const double *q0, const double *q1, double *L)
{
    (void)t, (void)h, (void)q0, (void)q1;
    *L = NAN;
    return self != NULL;
}

static void own_lagrangians_step_as_the_built_in_one(void **state)
{
    (void)state;
    for (int exact = 0; exact < 2; exact++) {
        run b = begin_text(
            "system P {\n  coordinate q\n  lagrangian q'^2/2 + cos(q)\n  start q = 1, q' = 0.5\n}\n",
            (const setting[]){{"scheme", "midpoint"}, {"step", "0.1"}, {0}});
        const dal_generating g = {.size = sizeof g,
                                  .n = 1,
                                  .type = DAL_TYPE_1,
                                  .value = pendulum_L,
                                  .gradient = exact ? pendulum_by : NULL};
        double               q = *dal_q(b.s), p = *dal_p(b.s);
        for (int k = 0; k < 20; k++) {
            double q1 = q, p1 = p;
            must(&b, dal_generating_step(b.cx, &g, k % 2 ? DAL_BACKWARD : DAL_FORWARD, 0.1 * k, 0.1,
                                         &q, &p, &q1, &p1, NULL));
            must(&b, dal_step(b.s));
            q = q1, p = p1;
            check_close(q, *dal_q(b.s), exact ? 1e-14 : 1e-10);
            check_close(p, *dal_p(b.s), exact ? 1e-14 : 1e-10);
        }
        end(&b);
    }
}

/*     H_d^+ = p1 q0 + h H(q0, p1),   H_d^- = -p0 q1 + h H(q1, p0),   H = p^2/2 - cos q */
static int euler_H(void *self, double t, double h, const double *a, const double *b, double *H)
{
    (void)t;
    const bool   plus = *(dal_generating_type *)self == DAL_TYPE_2;
    const double q = plus ? *a : *b, p = plus ? *b : *a;
    *H = (plus ? 1 : -1) * p * q + h * (p * p / 2 - cos(q));
    return 0;
}

static void own_hamiltonians_make_both_symplectic_eulers(void **state)
{
    (void)state;
    dal_context *cx = dal_context_new(NULL);
    for (int k = 0; k < 2; k++) {
        dal_generating_type  type = k ? DAL_TYPE_3 : DAL_TYPE_2;
        const dal_generating g = {
            .size = sizeof g, .n = 1, .type = type, .value = euler_H, .self = &type};
        const double q0 = 1, p0 = 0.3, h = 0.1;
        double       q1 = q0, p1 = p0;
        assert_int_equal(dal_generating_step(cx, &g, DAL_FORWARD, 0, h, &q0, &p0, &q1, &p1, NULL),
                         DAL_OK);
        const double kicked = p0 - h * sin(q0), drifted = q0 + h * p0;
        check_close(p1, k ? p0 - h * sin(drifted) : kicked, 1e-11);
        check_close(q1, k ? drifted : q0 + h * kicked, 1e-11);
    }
    dal_context_free(cx);
}

/* A knife edge by the midpoint rule: L_d, and Delta_d with W at the middle of the chord. */
static int sleigh_by(void *self, double t, double h, const double *q0, const double *q1,
                     double *by_0, double *by_1)
{
    (void)self, (void)t;
    for (int i = 0; i < 3; i++) {
        const double v = (q1[i] - q0[i]) / h, f = i == 0 ? -h / 2 * (q0[0] + q1[0]) / 2 : 0;
        by_0[i] = -v + f, by_1[i] = v + f;
    }
    return 0;
}

static int sleigh_forms(void *self, double t, const double *q, double *W)
{
    (void)self, (void)t;
    W[0] = sin(q[2]), W[1] = -cos(q[2]), W[2] = 0;
    return 0;
}

static int sleigh_set(void *self, double t, double h, const double *q0, const double *q1, double *r)
{
    double q[3], W[3];
    for (int i = 0; i < 3; i++) q[i] = (q0[i] + q1[i]) / 2;
    sleigh_forms(self, t, q, W);
    r[0] = 0;
    for (int i = 0; i < 3; i++) r[0] += W[i] * (q1[i] - q0[i]) / h;
    return 0;
}

static void own_constraint_sets_step_as_the_built_in_one(void **state)
{
    (void)state;
    static const char *const sides[] = {"dirac+", "dirac-"};
    for (int side = 0; side < 2; side++) {
        run b = begin_text(
            "system S {\n  coordinate x, y, a\n  lagrangian (x'^2 + y'^2 + a'^2)/2 - x^2/2\n"
            "  constraint sin(a)*x' - cos(a)*y' = 0\n"
            "  start x = 0.4, a = 0.3, x' = cos(0.3), y' = sin(0.3), a' = 0.5\n}\n",
            (const setting[]){{"scheme", "midpoint"},
                              {"step", "0.1"},
                              {"momentum", "papers"},
                              {"principle", sides[side]},
                              {0}});
        const dal_generating g = {.size = sizeof g,
                                  .n = 3,
                                  .rows = 1,
                                  .type = DAL_TYPE_1,
                                  .gradient = sleigh_by,
                                  .constraint = sleigh_set,
                                  .one_forms = sleigh_forms};
        double               q[3], p[3], q1[3], p1[3], mu;
        memcpy(q, dal_q(b.s), sizeof q), memcpy(p, dal_p(b.s), sizeof p);
        for (int k = 0; k < 10; k++) {
            memcpy(q1, q, sizeof q), memcpy(p1, p, sizeof p);
            must(&b, dal_generating_step(b.cx, &g, (dal_side_of)side, 0, 0.1, q, p, q1, p1, &mu));
            must(&b, dal_step(b.s));
            memcpy(q, q1, sizeof q), memcpy(p, p1, sizeof p);
            check_below(apart(q, dal_q(b.s), 3), 1e-12);
            check_below(apart(p, dal_p(b.s), 3), 1e-12);
        }
        end(&b);
    }
}

/* A charge in a magnetic field as a structure: v_q = a_p, v_p = -a_q + B v_q, with a free particle:
 *     p1 = (1 - h B)^-1 p0,   q1 = q0 + h p1 */
static int free_H(void *self, double t, double h, const double *q, const double *p, double *H)
{
    (void)self, (void)t;
    *H = p[0] * q[0] + p[1] * q[1] + h * (p[0] * p[0] + p[1] * p[1]) / 2;
    return 0;
}

static int magnetic(void *self, double h, const double *z, const double *v, const double *a,
                    double *r)
{
    (void)h, (void)z;
    const double B = *(double *)self;
    r[0] = v[0] - a[2], r[1] = v[1] - a[3];
    r[2] = v[2] + a[0] - B * v[1], r[3] = v[3] + a[1] + B * v[0];
    return 0;
}

static void structures_need_not_be_induced(void **state)
{
    (void)state;
    dal_context         *cx = dal_context_new(NULL);
    double               B = 0.7;
    const dal_generating g = {.size = sizeof g,
                              .n = 2,
                              .type = DAL_TYPE_2,
                              .value = free_H,
                              .structure = magnetic,
                              .self = &B};
    const double         q0[] = {0.1, 0.2}, p0[] = {1, -0.5}, h = 0.1, b = h * B;
    double               q1[] = {0.1, 0.2}, p1[] = {1, -0.5};
    assert_int_equal(dal_generating_step(cx, &g, DAL_FORWARD, 0, h, q0, p0, q1, p1, NULL), DAL_OK);
    check_close(p1[0], (p0[0] + b * p0[1]) / (1 + b * b), 1e-11);
    check_close(p1[1], (p0[1] - b * p0[0]) / (1 + b * b), 1e-11);
    check_close(q1[0], q0[0] + h * p1[0], 1e-11);
    check_close(q1[1], q0[1] + h * p1[1], 1e-11);
    dal_context_free(cx);
}

static void functions_without_a_value_make_no_step(void **state)
{
    (void)state;
    dal_context   *cx = dal_context_new(NULL);
    const double   q0 = 1, p0 = 0;
    double         q1 = 1, p1 = 0;
    dal_generating g = {.size = sizeof g, .n = 1, .value = refusing};
    for (int k = 0; k < 2; k++, g.self = cx)
        assert_int_equal(dal_generating_step(cx, &g, DAL_FORWARD, 0, 0.1, &q0, &p0, &q1, &p1, NULL),
                         DAL_DIVERGED);
    g.rows = 1;
    assert_int_equal(dal_generating_step(cx, &g, DAL_FORWARD, 0, 0.1, &q0, &p0, &q1, &p1, NULL),
                     DAL_INVALID);
    assert_non_null(
        strstr(dal_message_at(cx, dal_message_count(cx) - 1).text, "constraint and one_forms"));
    dal_context_free(cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_values_are_those_of_an_oscillator),
        cmocka_unit_test(momenta_are_those_of_steps),
        cmocka_unit_test(derivatives_are_those_of_the_discrete_lagrangian),
        cmocka_unit_test(chords_are_those_of_steps_of_every_kind),
        cmocka_unit_test(second_derivatives_are_those_of_the_momenta),
        cmocka_unit_test(exact_chords_on_a_sphere_are_arcs),
        cmocka_unit_test(forces_and_powers_are_those_of_the_rule),
        cmocka_unit_test(maps_of_the_triple_compose),
        cmocka_unit_test(what_has_no_chords_is_said),
        cmocka_unit_test(own_lagrangians_step_as_the_built_in_one),
        cmocka_unit_test(own_hamiltonians_make_both_symplectic_eulers),
        cmocka_unit_test(own_constraint_sets_step_as_the_built_in_one),
        cmocka_unit_test(structures_need_not_be_induced),
        cmocka_unit_test(functions_without_a_value_make_no_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
