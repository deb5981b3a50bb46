/* Dirac structures and retractions through the public header: membership of real steps, direct
 * sums, the bowtie, distributions; and a run along the chords of a retraction. */
#include "check.h"
#include "dalembert.h"

#include <string.h>

/* The knife edge: sin(th) x' = cos(th) y'. */
static int knife(void *self, const double *q, double *W, double *dW)
{
    (void)self;
    W[0] = sin(q[2]), W[1] = -cos(q[2]), W[2] = 0;
    if (!dW) return 0;
    memset(dW, 0, 9 * sizeof *dW);
    dW[2] = cos(q[2]), dW[5] = sin(q[2]);
    return 0;
}

static const dal_one_forms edge = {.n = 3, .rows = 1, .eval = knife};

/* One midpoint step of L = (x'^2 + y'^2)/2 + th'^2/4 under the constraint, written out by hand:
 *     D1 L_d = -M v,  D2 L_d = M v,  M v = p0 - mu W(q0)^T,  W((q0+q1)/2) v = 0 */
static void knife_step(double h, double *z, double *alpha, const dal_structure *D)
{
    const double M[] = {1, 1, 0.5}, p0[] = {0.7, 0.1, 0.6};
    double       W[3], q0[] = {0.1, -0.2, 0.4}, q1[3], v[3], D1[3], D2[3], mu = 0;
    for (int it = 0; it < 100; it++) { /* v_th does not depend on mu here, so this is linear */
        double middle[3] = {0, 0, q0[2] + h / 2 * p0[2] / M[2]}, Wm[3];
        knife(NULL, q0, W, NULL), knife(NULL, middle, Wm, NULL);
        double top = 0, bottom = 0;
        for (int i = 0; i < 3; i++) top += Wm[i] * p0[i] / M[i], bottom += Wm[i] * W[i] / M[i];
        mu = top / bottom;
    }
    for (int i = 0; i < 3; i++) {
        v[i] = (p0[i] - mu * W[i]) / M[i], q1[i] = q0[i] + h * v[i];
        D1[i] = -M[i] * v[i], D2[i] = M[i] * v[i];
    }
    memcpy(z, q0, sizeof q0), memcpy(z + 3, p0, sizeof p0);
    memcpy(z + 6, q1, sizeof q1), memcpy(z + 9, D2, sizeof D2);
    dal_structure_differential(D, q0, q1, D1, D2, alpha);
}

static void a_step_of_the_knife_edge_is_in_its_structure(void **state)
{
    (void)state;
    dal_context   *cx = dal_context_new(NULL);
    dal_structure *D = NULL;
    double         z[12], alpha[12], relation, basis[144], defect;
    size_t         count;
    assert_int_equal(dal_structure_induced(cx, DAL_FORWARD, &edge, NULL, DAL_AT_MIDPOINT, &D),
                     DAL_OK);
    assert_int_equal(dal_structure_coordinates(D), 3);
    assert_int_equal(dal_structure_relations(D), 1);
    knife_step(0.1, z, alpha, D);
    check_below(dal_structure_residual(D, 0.1, z, alpha), 1e-15);
    dal_structure_constraint(D, 0.1, z, &relation);
    check_close(relation, 0, 1e-16);
    const double *W = dal_structure_annihilator(D, 0.1, z, &count);
    assert_int_equal(count, 1);
    check_close(W[0], sin(0.4), 1e-16);
    assert_int_equal(dal_structure_fibre(D, 0.1, z, basis, &defect), 6); /* half of 12 */
    alpha[7] += 0.01;                                                    /* another covector */
    check_close(dal_structure_residual(D, 0.1, z, alpha), 0.01 * sin(0.4), 1e-4);
    z[6] += 0.01; /* another point */
    assert_true(dal_structure_residual(D, 0.1, z, alpha) > 0.003);
    dal_structure_free(D), dal_context_free(cx);
}

/* Two particles, side by side, that an interaction makes move as one: the whole is induced by the
 * constraint that joins them. */
static void the_bowtie_connects_what_stands_side_by_side(void **state)
{
    (void)state;
    static const double tie[] = {1, -1};
    const dal_one_forms none = {.n = 1, .rows = 0}, join = {.n = 2, .rows = 1, .constant = tie};
    dal_context        *cx = dal_context_new(NULL);
    dal_structure      *part[2], *sum, *link, *whole, *direct, *other;
    for (int k = 0; k < 2; k++)
        assert_int_equal(dal_structure_induced(cx, DAL_FORWARD, &none, NULL, DAL_AT_LEFT, &part[k]),
                         DAL_OK);
    assert_int_equal(dal_structure_direct_sum(cx, part, 2, &sum), DAL_OK);
    assert_int_equal(dal_structure_interaction(cx, DAL_FORWARD, &join, NULL, DAL_AT_LEFT, &link),
                     DAL_OK);
    assert_int_equal(dal_structure_bowtie(cx, sum, link, &whole), DAL_OK);
    assert_int_equal(dal_structure_induced(cx, DAL_FORWARD, &join, NULL, DAL_AT_LEFT, &direct),
                     DAL_OK);
    double z[] = {0, 0, 1, 2, 0.3, 0.3, 1.5, 1.5}, alpha[8];
    dal_structure_flat(whole, z, alpha);
    alpha[4] += 0.25, alpha[5] -= 0.25; /* a force of the tie */
    check_below(dal_structure_residual(whole, 0.1, z, alpha), 1e-15);
    check_below(dal_structure_residual(direct, 0.1, z, alpha), 1e-15);
    alpha[4] += 0.1; /* and one that it cannot exert */
    check_close(dal_structure_residual(whole, 0.1, z, alpha), 0.1 / sqrt(2), 1e-15);
    check_close(dal_structure_residual(direct, 0.1, z, alpha), 0.1 / sqrt(2), 1e-15);
    z[4] += 0.01;
    check_close(dal_structure_residual(sum, 0.1, z, alpha), 0.27, 1); /* only its covector is off */
    assert_int_equal(dal_structure_bowtie(cx, sum, part[0], &other), DAL_INVALID);
    assert_null(other);
    assert_int_equal(dal_structure_interaction(cx, DAL_BACKWARD, &join, NULL, DAL_AT_RIGHT, &other),
                     DAL_OK);
    dal_structure *mixed;
    assert_int_equal(dal_structure_bowtie(cx, sum, other, &mixed), DAL_INVALID);
    dal_structure_free(other), dal_structure_free(whole), dal_structure_free(direct);
    dal_structure_free(link), dal_structure_free(sum);
    for (int k = 0; k < 2; k++) dal_structure_free(part[k]);
    dal_context_free(cx);
}

static void distributions_of_a_run_are_read_from_its_relations(void **state)
{
    (void)state;
    dal_context *cx = dal_context_new(NULL);
    dal_model   *m = NULL;
    dal_sim     *s = NULL;
    double       A[3], basis[9];
    dal_options *o = dal_options_new(cx);
    dal_options_set(o, "step", "0.1");
    assert_int_equal(dal_model_parse(cx, "knife.dal",
                                     "system Knife {\n coordinate x, y, th\n"
                                     " lagrangian (x'^2 + y'^2)/2 + th'^2/4\n"
                                     " constraint sin(th)*x' = cos(th)*y'\n"
                                     " start th = 0.5, x' = cos(0.5), y' = sin(0.5), th' = 1\n}\n",
                                     o, &m),
                     DAL_OK);
    assert_int_equal(dal_sim_new(m, o, &s), DAL_OK);
    dal_relations(s, A);
    check_close(A[0], sin(0.5), 1e-16);
    check_close(A[1], -cos(0.5), 1e-16);
    assert_int_equal(dal_distribution(cx, A, 1, 3, basis), 2);
    double along = 0;
    for (int i = 0; i < 3; i++) along += A[i] * basis[i];
    check_close(along, 0, 1e-15);
    assert_int_equal(dal_annihilator(cx, A, 1, 3, basis), 1);
    check_close(fabs(basis[0]), sin(0.5), 1e-15);
    dal_sim_free(s), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
}

/* A knife edge at th = 0.5 with speed 2 and spin 3 feels lam = -2*3 along (sin, -cos): by hand. The
 * structure has dimension 2n, is isotropic, and is that of a discrete one at the same point. */
static void motions_lie_in_the_continuous_structure(void **state)
{
    (void)state;
    dal_context *cx = dal_context_new(NULL);
    const double s = sin(0.5), c = cos(0.5), W[] = {s, -c, 0}, lam = -2 * 3;
    double basis[144], x[12] = {2 * c, 2 * s, 3, lam * s, -lam * c, 0, 0, 0, 0, 2 * c, 2 * s, 3};
    check_below(dal_dirac_residual(cx, W, 1, 3, x), 1e-14);
    x[5] += 0.1; /* a torque of 0.1 that nothing exerts */
    check_close(dal_dirac_residual(cx, W, 1, 3, x), 0.1 / sqrt(2), 1e-14);
    assert_int_equal(dal_dirac(cx, W, 1, 3, basis), 6);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            double pairing = 0; /* a.v' + a'.v */
            for (int k = 0; k < 6; k++)
                pairing += basis[i * 12 + 6 + k] * basis[j * 12 + k] +
                           basis[j * 12 + 6 + k] * basis[i * 12 + k];
            check_close(pairing, 0, 1e-14);
        }
    dal_structure      *D;
    const dal_one_forms forms = {.n = 3, .rows = 1, .constant = W};
    const double        z[12] = {0};
    double              fibre[144], defect;
    assert_int_equal(dal_structure_induced(cx, DAL_FORWARD, &forms, NULL, DAL_AT_LEFT, &D), DAL_OK);
    assert_int_equal(dal_structure_fibre(D, 0.1, z, fibre, &defect), 6);
    for (int i = 0; i < 6; i++) check_below(dal_dirac_residual(cx, W, 1, 3, fibre + 12 * i), 1e-13);
    dal_structure_free(D), dal_context_free(cx);
}

/* Retractions in a run. ------------------------------------------------------------------------ */

/* The plane in polar coordinates (r, phi), lines straight in the plane; the third coordinate flat.
 */
static int polar_apply(void *self, int n, const double *q, const double *v, double *q1,
                       double *by_q, double *by_v)
{
    (void)self, (void)n;
    double a = q[0] + v[0], b = q[0] * v[1], s = a * a + b * b, l = sqrt(s);
    if (!(a > 0)) return 1;
    q1[0] = l, q1[1] = q[1] + atan2(b, a), q1[2] = q[2] + v[2];
    const double da[2] = {a / l, b / l}, dp[2] = {-b / s, a / s};
    if (by_q) {
        const double J[] = {da[0] + da[1] * v[1], 0, 0, dp[0] + dp[1] * v[1], 1, 0, 0, 0, 1};
        memcpy(by_q, J, sizeof J);
    }
    if (by_v) {
        const double J[] = {da[0], da[1] * q[0], 0, dp[0], dp[1] * q[0], 0, 0, 0, 1};
        memcpy(by_v, J, sizeof J);
    }
    return 0;
}

static int polar_inverse(void *self, int n, const double *q, const double *q1, double *v,
                         double *by_q, double *by_q1)
{
    (void)self, (void)n;
    const double d = q1[1] - q[1], c = cos(d), s = sin(d), r = q[0], R = q1[0];
    if (!(c > 0)) return 1;
    v[0] = R * c - r, v[1] = R * s / r, v[2] = q1[2] - q[2];
    if (by_q) {
        const double J[] = {-1, R * s, 0, -R * s / (r * r), -R * c / r, 0, 0, 0, -1};
        memcpy(by_q, J, sizeof J);
    }
    if (by_q1) {
        const double J[] = {c, -R * s, 0, s / r, R * c / r, 0, 0, 0, 1};
        memcpy(by_q1, J, sizeof J);
    }
    return 0;
}

/*     L_d = h L(b, v),   q1 = R_b(h v/2),  q0 = R_b(-h v/2)                  theory.md [RETRACTION]
 */
static int along_chords(void *self, double t, double h, const double *q0, const double *q1,
                        double *L)
{
    (void)self, (void)t;
    const double x = (q0[0] * cos(q0[1]) + q1[0] * cos(q1[1])) / 2;
    const double y = (q0[0] * sin(q0[1]) + q1[0] * sin(q1[1])) / 2;
    const double b[] = {hypot(x, y), atan2(y, x), (q0[2] + q1[2]) / 2};
    double       v[3];
    if (polar_inverse(NULL, 3, b, q1, v, NULL, NULL)) return 1;
    for (int j = 0; j < 3; j++) v[j] *= 2 / h;
    const double c = b[0] * cos(b[1]), s = b[0] * sin(b[1]);
    *L = h * ((v[0] * v[0] + b[0] * b[0] * v[1] * v[1] + v[2] * v[2]) / 2 - c * c * c * c / 4 -
              c * s / 2 - s * s * (1 + b[2] * b[2]));
    return 0;
}

/* In polar coordinates, along chords that are straight in the plane: the midpoint rule of Cartesian
 * ones, which the same motion by the scheme would not be. */
static void a_lagrangian_along_polar_chords_is_the_cartesian_one(void **state)
{
    (void)state;
    static const char plane[] =
        "system P {\n coordinate x, y, z\n lagrangian (x'^2 + y'^2 + z'^2)/2"
        " - x^4/4 - x*y/2 - y^2*(1 + z^2)\n"
        " start x = 1, y = 0.5, z = 0.3, x' = 0.2, y' = 0.7\n}\n";
    const dal_generating g = {.size = sizeof g, .n = 3, .type = DAL_TYPE_1, .value = along_chords};
    dal_context         *cx = dal_context_new(NULL);
    dal_options         *o = dal_options_new(cx);
    dal_model           *m;
    dal_sim             *sim;
    dal_options_set(o, "step", "0.1"), dal_options_set(o, "scheme", "midpoint");
    assert_int_equal(dal_model_parse(cx, "plane.dal", plane, o, &m), DAL_OK);
    assert_int_equal(dal_sim_new(m, o, &sim), DAL_OK);
    double q[] = {hypot(1, 0.5), atan2(0.5, 1), 0.3}, p[] = {0, 0.7 - 0.1, 0};
    p[0] = (0.2 + 0.5 * 0.7) / q[0];
    for (int k = 0; k < 20; k++) {
        double q1[3], p1[3];
        memcpy(q1, q, sizeof q), memcpy(p1, p, sizeof p);
        assert_int_equal(dal_generating_step(cx, &g, DAL_FORWARD, 0.1 * k, 0.1, q, p, q1, p1, NULL),
                         DAL_OK);
        assert_int_equal(dal_step(sim), DAL_OK);
        memcpy(q, q1, sizeof q), memcpy(p, p1, sizeof p);
        check_close(q[0] * cos(q[1]), dal_q(sim)[0], 1e-9);
        check_close(q[0] * sin(q[1]), dal_q(sim)[1], 1e-9);
        check_close(q[2], dal_q(sim)[2], 1e-9);
    }
    dal_sim_free(sim), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
}

/* A knife edge in polar coordinates: the blade points to th, measured from the ray. */
static const char *const skate =
    "system Skate {\n"
    "  coordinate r, phi, th\n"
    "  lagrangian (r'^2 + r^2*phi'^2)/2 + th'^2/4 - 0.1*r^2\n"
    "  constraint sin(th - phi)*r' = cos(th - phi)*r*phi'\n"
    "  start r = 1, phi = 0, th = 0.5, r' = cos(0.5), phi' = sin(0.5), th' = 0.7\n"
    "}\n";

static void run_skate(const dal_retraction *R, const char *at, const char *steps, double h,
                      double *end)
{
    dal_context *cx = dal_context_new(NULL);
    dal_options *o = dal_options_new(cx);
    dal_model   *m = NULL;
    dal_sim     *s = NULL;
    char         step[32];
    snprintf(step, sizeof step, "%.17g", h);
    dal_options_set(o, "step", step), dal_options_set(o, "steps", steps);
    dal_options_set(o, "retraction", at);
    assert_int_equal(dal_options_retraction(o, R), DAL_OK);
    if (dal_model_parse(cx, "skate.dal", skate, o, &m) || dal_sim_new(m, o, &s) ||
        (dal_options_free(o), o = NULL, dal_run(s, NULL)))
        dal_report(cx, stderr, 0), fail();
    memcpy(end, dal_q(s), 3 * sizeof *end);
    check_below(dal_summarise(s)->newton_max_iterations, 6); /* so its Jacobian is right */
    dal_sim_free(s), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
}

static double apart(const double *a, const double *b)
{
    return fmax(fmax(fabs(a[0] - b[0]), fabs(a[1] - b[1])), fabs(a[2] - b[2]));
}

static void a_flat_retraction_is_the_one_that_is_built_in(void **state)
{
    (void)state;
    static const char *const places[] = {"midpoint", "left", "right"};
    const dal_retraction     flat = dal_retraction_flat(3);
    for (int k = 0; k < 3; k++) {
        double with[3], without[3];
        run_skate(&flat, places[k], "40", 0.05, with);
        run_skate(NULL, places[k], "40", 0.05, without);
        check_below(apart(with, without), 1e-13);
    }
}

static void a_run_along_polar_chords_has_its_order(void **state)
{
    (void)state;
    const dal_retraction polar = {.n = 3, .apply = polar_apply, .inverse = polar_inverse};
    static const struct {
        const char *at;
        double      order;
    } row[] = {{"midpoint", 2}, {"left", 1}, {"right", 1}};
    for (int k = 0; k < 3; k++) {
        double exact[3], end[3][3];
        run_skate(NULL, "midpoint", "8000", 0.00025, exact);
        run_skate(&polar, row[k].at, "100", 0.02, end[0]);
        run_skate(&polar, row[k].at, "200", 0.01, end[1]);
        run_skate(NULL, row[k].at, "200", 0.01, end[2]);
        check_close(log2(apart(end[0], exact) / apart(end[1], exact)), row[k].order, 0.15);
        assert_true(apart(end[1], end[2]) > 1e-7); /* and it is another method */
    }
}

/* At the midpoint its chords are symmetric, so compositions have their order; at an end they gain
 * nothing. A curve of degree two is no chord. */
/* Copies that are compared along polar chords, K = (F(Q,V).R_Q^-1(q) - F(q,v).R_q^-1(Q))/2. */
static void a_doubled_run_takes_any_retraction(void **state)
{
    (void)state;
    static const char    drag[] = "system Drag {\n coordinate r, phi, z\n"
                                  " lagrangian (r'^2 + r^2*phi'^2 + z'^2)/2 - r^2/2 - z^2*r\n"
                                  " force r: -0.3*r'*(1 + z^2)\n force phi: -0.2*r*phi' + 0.1*cos(t)\n"
                                  " start r = 1.2, phi = 0.4, phi' = 0.8, z' = 0.5\n}\n";
    const dal_retraction polar = {.n = 3, .apply = polar_apply, .inverse = polar_inverse};
    dal_context         *cx = dal_context_new(NULL);
    dal_options         *o = dal_options_new(cx);
    dal_model           *m;
    dal_duplicate       *d;
    dal_options_set(o, "step", "0.05"), dal_options_set(o, "scheme", "gauss(2)");
    assert_int_equal(dal_options_retraction(o, &polar), DAL_OK);
    assert_int_equal(dal_model_parse(cx, "drag.dal", drag, o, &m), DAL_OK);
    assert_int_equal(dal_duplicate_of(m, o, &d), DAL_OK);
    check_below(d->off_diagonal, 1e-14);
    check_below(d->apart, 1e-14);
    check_close(d->observed, 4, 0.1);
    dal_duplicate_free(d), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
}

static void compositions_of_polar_chords_have_their_order(void **state)
{
    (void)state;
    const dal_retraction polar = {.n = 3, .apply = polar_apply, .inverse = polar_inverse};
    static const struct {
        const char *at, *scheme, *steps;
        int         order;
    } row[] = {{"midpoint", "compose(midpoint, suzuki(4))", "20, 40, 80", 4},
               {"midpoint", "compose(midpoint, yoshida(6))", "20, 40, 80", 6},
               {"left", "compose(midpoint, suzuki(4))", "100, 200, 400", 1}};
    for (int k = 0; k < 3; k++) {
        dal_context     *cx = dal_context_new(NULL);
        dal_options     *o = dal_options_new(cx);
        dal_model       *m = NULL;
        dal_convergence *found = NULL;
        dal_options_set(o, "until", "2"), dal_options_set(o, "retraction", row[k].at);
        dal_options_set(o, "scheme", row[k].scheme);
        assert_int_equal(dal_options_retraction(o, &polar), DAL_OK);
        if (dal_model_parse(cx, "skate.dal", skate, o, &m) ||
            dal_converge(m, o, NULL, row[k].steps, &found))
            dal_report(cx, stderr, 0), fail();
        assert_int_equal(found->scheme->claimed, row[k].order);
        check_close(found->scheme->observed[DAL_OF_Q], row[k].order, 0.2);
        dal_convergence_free(found), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
    }
}

static void a_retraction_that_does_not_fit_is_refused(void **state)
{
    (void)state;
    dal_context         *cx = dal_context_new(NULL);
    dal_options         *o = dal_options_new(cx);
    dal_model           *m = NULL;
    dal_sim             *s = NULL;
    const dal_retraction flat = dal_retraction_flat(2), sphere = dal_retraction_sphere(3);
    double               q[] = {1, 0, 0}, v[] = {0, 0.75, 0}, q1[3];
    assert_int_equal(sphere.apply(sphere.self, 3, q, v, q1, NULL, NULL), 0);
    check_close(q1[1], 0.6, 1e-15);
    dal_options_set(o, "step", "0.1");
    assert_int_equal(dal_options_retraction(o, &flat), DAL_OK);
    assert_int_equal(dal_model_parse(cx, "skate.dal", skate, o, &m), DAL_OK);
    assert_int_equal(dal_sim_new(m, o, &s), DAL_INVALID);
    assert_non_null(strstr(dal_message_at(cx, 0).text, "for 2 coordinates"));
    dal_options_set(o, "scheme", "gauss(2)");
    assert_int_equal(dal_sim_new(m, o, &s), DAL_INVALID);
    assert_non_null(strstr(dal_message_at(cx, 1).text, "the curve of gauss(2) is none"));
    assert_int_equal(dal_options_retraction(o, &(dal_retraction){.n = 3}), DAL_INVALID);
    dal_model_free(m), dal_options_free(o), dal_context_free(cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motions_lie_in_the_continuous_structure),
        cmocka_unit_test(a_step_of_the_knife_edge_is_in_its_structure),
        cmocka_unit_test(the_bowtie_connects_what_stands_side_by_side),
        cmocka_unit_test(distributions_of_a_run_are_read_from_its_relations),
        cmocka_unit_test(a_flat_retraction_is_the_one_that_is_built_in),
        cmocka_unit_test(a_run_along_polar_chords_has_its_order),
        cmocka_unit_test(compositions_of_polar_chords_have_their_order),
        cmocka_unit_test(a_doubled_run_takes_any_retraction),
        cmocka_unit_test(a_lagrangian_along_polar_chords_is_the_cartesian_one),
        cmocka_unit_test(a_retraction_that_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
