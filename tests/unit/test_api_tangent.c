/* The tangent of a step: against an independent implementation, against differences of the step
 * itself, and by what it must keep. */
#include "check.h"
#include "dalembert.h"
#include "reference_tangent.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 16 }; /* 2 n */

typedef struct {
    dal_context *cx;
    dal_options *o;
    dal_model   *m;
    dal_sim     *s;
    size_t       n;
} bench;

static bench open_bench(const char *model, const char *scheme, double step)
{
    char  words[32];
    bench b = {.cx = dal_context_new(NULL)};
    b.o = dal_options_new(b.cx);
    snprintf(words, sizeof words, "%.17g", step);
    dal_options_set(b.o, "scheme", scheme), dal_options_set(b.o, "step", words);
    dal_status bad = dal_model_parse(b.cx, "test.dal", model, b.o, &b.m);
    if (bad) dal_report(b.cx, stderr, 0);
    assert_int_equal(bad, DAL_OK);
    return b;
}

static void start(bench *b)
{
    dal_status bad = dal_sim_new(b->m, b->o, &b->s);
    if (bad) dal_report(b->cx, stderr, 0);
    assert_int_equal(bad, DAL_OK);
    b->n = dal_size(b->s);
}

static void stop(bench *b)
{
    dal_sim_free(b->s);
    b->s = NULL;
}

static void close_bench(bench *b)
{
    dal_sim_free(b->s), dal_model_free(b->m), dal_options_free(b->o), dal_context_free(b->cx);
}

static void tangent_matrix(bench *b, double *M)
{
    dal_status bad = dal_tangent_matrix(b->s, M);
    if (bad) dal_report(b->cx, stderr, 0);
    assert_int_equal(bad, DAL_OK);
}

static void tangent_along(bench *b, const dal_direction *along, double *out)
{
    dal_status bad = dal_tangent(b->s, 1, along, out);
    if (bad) dal_report(b->cx, stderr, 0);
    assert_int_equal(bad, DAL_OK);
}

/* L depends on q and v together, the mass on q; f on t, q and v. */
static const char *const plane =
    "system Plane {\n"
    "  parameter m = 1.3, B = 0.4, k = 2, c = 0.3\n"
    "  coordinate x, y\n"
    "  lagrangian (1 + y^2)*x'^2/2 + m*y'^2/2 + B*x*(x*y' - y*x') - x^4/4 - k*y^2/2 - x*y\n"
    "  force x: -c*(1 + y^2)*x'\n"
    "  force y: -c*y' + c*cos(3*t)\n"
    "  start x = 0.6, y = -0.3, x' = 0.5, y' = 0.8\n"
    "}\n";

static const char *const disk =
    "system Disk {\n"
    "  parameter m = 1, I = 0.5, J = 0.25, R = 1, k = 1\n"
    "  coordinate x, y, th, phi\n"
    "  lagrangian m*(x'^2 + y'^2)/2 + I*th'^2/2 + J*phi'^2/2 - k*(x^2 + 2*y^2)/2 - sin(th)/2\n"
    "  lagrangian cos(phi)/2\n"
    "  constraint x' = R*cos(phi)*th'\n"
    "  constraint y' = R*sin(phi)*th'\n"
    "  start x = 0.3, y = -0.2, th = 0.1, phi = 0.4, th' = 1, phi' = 0.7\n"
    "  start x' = cos(0.4), y' = sin(0.4)\n"
    "}\n";

static void tangents_agree_with_the_reference(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof tangents / sizeof *tangents; i++) {
        const tangent_reference *r = &tangents[i];
        double                   M[4 * 4], one[4][4] = {{0}}, out[4];
        bench                    b = open_bench(plane, r->scheme, 0.2);
        start(&b);
        for (int j = 0; j < 4; j++) {
            one[j][j] = 1;
            tangent_along(&b, &(dal_direction){.parameter = one[j]}, out);
            for (int a = 0; a < 4; a++) check_close(out[a], r->parameter[a][j], 1e-13);
        }
        stop(&b);
        dal_options_set(b.o, "set", "c=0");
        start(&b);
        tangent_matrix(&b, M);
        for (int a = 0; a < 16; a++) check_close(M[a], r->state[a / 4][a % 4], 1e-13);
        close_bench(&b);
    }
}

static void tangents_of_a_rolling_disk_agree_with_the_reference(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof tangents / sizeof *tangents; i++) {
        double M[8 * 8];
        if (tangents[i].disk[0][0] == 0) continue;
        bench b = open_bench(disk, tangents[i].scheme, 0.1);
        start(&b);
        tangent_matrix(&b, M);
        for (int a = 0; a < 64; a++) check_close(M[a], tangents[i].disk[a / 8][a % 8], 1e-13);
        close_bench(&b);
    }
}

/* Along one direction of the state, the same by differences of runs that begin a little aside. */
static void start_at(bench *b, const char *format, double x)
{
    char words[64];
    snprintf(words, sizeof words, format, x);
    dal_options_set(b->o, "start", words);
}

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
        bench  b = open_bench(pair, schemes[i], 0.1);
        start(&b);
        for (int k = 0; k < 3; k++) {
            tangent_matrix(&b, D);
            check_below(symplectic_defect(D, 3), 1e-14);
            assert_int_equal(dal_step(b.s), DAL_OK);
        }
        close_bench(&b);
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
        bench b = open_bench("system Pendulum {\n  coordinate x, y\n"
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
        close_bench(&b);
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
        bench  b = open_bench("system Damped {\n  parameter c = 0\n  coordinate q\n"
                               "  lagrangian q'^2/2 - 2*q^2\n  force q: -c*q'\n  start q = 1\n}\n",
                              "midpoint", 0.2);
        snprintf(words, sizeof words, "c=%g", rates[i]);
        dal_options_set(b.o, "set", words);
        start(&b);
        tangent_matrix(&b, D);
        check_close(determinant2(D), (1 - 0.1 * rates[i] + 0.04) / (1 + 0.1 * rates[i] + 0.04),
                    1e-15);
        close_bench(&b);
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
        bench  b = open_bench("system Pendulum {\n  coordinate a\n"
                               "  lagrangian a'^2/2 + 9.81*cos(a)\n  start a = 0\n}\n",
                              rows[i].scheme, h);
        start(&b);
        tangent_matrix(&b, D);
        check_close((D[0] + D[3]) / 2, cos(w * h), 0.1 * pow(w * h, rows[i].order + 2));
        if (i == 0)
            check_close((D[0] + D[3]) / 2, (1 - w * w * h * h / 4) / (1 + w * w * h * h / 4),
                        1e-15);
        close_bench(&b);
    }
}

/* Two parts, tied: the eliminated system and the one that keeps its ties have the same tangent, in
 * the coordinates of the model, and on the tie it is that of one mass. */
static void ties_that_are_taken_out_are_seen_through(void **state)
{
    (void)state;
    static const char *const tied =
        "system Tied {\n  parameter k = 2\n  coordinate x, y\n"
        "  lagrangian x'^2/2 + y'^2 - k*x^2/2 - y^4/4\n"
        "  connect x = 2*y\n  start y = 0.5, x = 1, x' = 0.4, y' = 0.2\n}\n";
    static const char *const one = "system One {\n  parameter k = 2\n  coordinate y\n"
                                   "  lagrangian 3*y'^2 - 2*k*y^2 - y^4/4\n"
                                   "  start y = 0.5, y' = 0.2\n}\n";
    static const char *const how[] = {"eliminate", "multipliers"};
    const double             dk = 1;
    double                   want[2], wanted_k[2], D[4];
    bench                    a = open_bench(one, "gauss(2)", 0.1);
    start(&a);
    tangent_matrix(&a, D);
    tangent_along(&a, &(dal_direction){.parameter = &dk}, wanted_k);
    want[0] = D[0] + 3 * D[1], want[1] = D[2] + 3 * D[3];
    close_bench(&a);
    for (size_t i = 0; i < 2;
         i++) { /* dy = 1, dx = 2; dp_x = 2 * dv = 1, dp_y = 2 dv = 1, dp = 3 */
        const double dq[] = {2, 1}, dp[] = {1, 1};
        double       out[4];
        bench        b = open_bench(tied, "gauss(2)", 0.1);
        dal_options_set(b.o, "interconnection", how[i]);
        start(&b);
        tangent_along(&b, &(dal_direction){.q = dq, .p = dp}, out);
        check_close(out[1], want[0], 1e-14);
        check_close(out[0], 2 * out[1], 1e-14);
        check_close(2 * out[2] + out[3], want[1], 1e-14);
        check_close(out[2], out[3], 1e-14); /* p_x = x' = 2 y', p_y = 2 y' */
        tangent_along(&b, &(dal_direction){.parameter = &dk}, out);
        check_close(out[1], wanted_k[0], 1e-14);
        check_close(2 * out[2] + out[3], wanted_k[1], 1e-14);
        close_bench(&b);
    }
}

/* The chain of tangents is the tangent of the run: against runs that begin aside. */
static void tangents_chain_over_many_steps(void **state)
{
    (void)state;
    static const double weight[] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12}, at[] = {-2, -1, 1, 2};
    double              d[4] = {1, 0, 0, 0}, next[4], want[4] = {0};
    bench               b = open_bench(plane, "lobatto(3)", 0.1);
    start(&b);
    const double p[] = {dal_p(b.s)[0], dal_p(b.s)[1]};
    for (int k = 0; k < 30; k++) {
        tangent_along(&b, &(dal_direction){.q = d, .p = d + 2}, next);
        memcpy(d, next, sizeof d);
        assert_int_equal(dal_step(b.s), DAL_OK);
    }
    for (int j = 0; j < 4; j++) {
        bench a = open_bench(plane, "lobatto(3)", 0.1);
        start_at(&a, "x=%.17g", 0.6 + 1e-3 * at[j]);
        start_at(&a, "p(x)=%.17g", p[0]), start_at(&a, "p(y)=%.17g", p[1]);
        start(&a);
        for (int k = 0; k < 30; k++) assert_int_equal(dal_step(a.s), DAL_OK);
        for (int i = 0; i < 2; i++)
            want[i] += weight[j] * dal_q(a.s)[i] / 1e-3,
                want[2 + i] += weight[j] * dal_p(a.s)[i] / 1e-3;
        close_bench(&a);
    }
    for (int i = 0; i < 4; i++) check_close(d[i], want[i], 1e-8);
    close_bench(&b);
}

/* The largest exponent: a direction is carried along and its growth added up. */
static double exponent(const char *model, const char *scheme, double h, int steps)
{
    bench  b = open_bench(model, scheme, h);
    double d[MOST] = {1, 0.3, 0.2, 0.1}, next[MOST], sum = 0;
    start(&b);
    for (int k = 0; k < steps; k++) {
        double size = 0;
        tangent_along(&b, &(dal_direction){.q = d, .p = d + b.n}, next);
        assert_int_equal(dal_step(b.s), DAL_OK);
        for (size_t i = 0; i < 2 * b.n; i++) size += next[i] * next[i];
        for (size_t i = 0; i < 2 * b.n; i++) d[i] = next[i] / sqrt(size);
        if (k >= steps / 2) sum += log(size) / 2;
    }
    close_bench(&b);
    return sum / (h * (steps - steps / 2));
}

static void exponents_are_those_that_are_known(void **state)
{
    (void)state;
    check_close(
        exponent("system Saddle {\n  coordinate q\n  lagrangian q'^2/2 + 2*q^2\n  start q = 0\n}\n",
                 "gauss(3)", 0.1, 400),
        2, 1e-7);
    /* the length of a direction wavers as it turns, by some 10%: ln(1.1)/200 */
    check_close(exponent("system Damped {\n  coordinate q\n  lagrangian q'^2/2 - q^2/2\n"
                         "  force q: -0.2*q'\n  start q = 1\n}\n",
                         "gauss(3)", 0.1, 4000),
                -0.1, 5e-4);
    static const char *const heiles =
        "system HenonHeiles {\n  parameter E = 0.16\n  coordinate x, y\n"
        "  lagrangian (x'^2 + y'^2)/2 - (x^2 + y^2)/2 - x^2*y + y^3/3\n"
        "  start y = 0.1, y' = 0.1, x' = sqrt(2*E - 0.1^2 - 0.1^2 + 2*0.1^3/3)\n}\n";
    double chaotic = exponent(heiles, "lobatto(3)", 0.1, 10000);
    assert_true(chaotic > 0.03 && chaotic < 0.15);
}

/* Exponents of a run, also of one that was saved on the way: the same bits. */
static void exponents_go_on_from_a_checkpoint(void **state)
{
    (void)state;
    bench b = open_bench(plane, "lobatto(3)", 0.1);
    dal_options_set(b.o, "lyapunov", "3");
    start(&b);
    const void *bytes = NULL;
    size_t      length = 0;
    for (int k = 0; k < 20; k++) {
        if (k == 9) assert_int_equal(dal_sim_save_to_memory(b.s, &bytes, &length), DAL_OK);
        assert_int_equal(dal_step(b.s), DAL_OK);
        if (k == 0) assert_true(isnan(dal_summarise(b.s)->exponent[0]));
    }
    const dal_summary *sum = dal_summarise(b.s);
    double             want[3];
    assert_int_equal(sum->exponents, 3);
    memcpy(want, sum->exponent, sizeof want);
    assert_true(isfinite(want[0]) && want[0] != want[1]);
    dal_checkpoint *c = NULL;
    assert_int_equal(dal_checkpoint_parse(b.cx, bytes, length, &c), DAL_OK);
    assert_int_equal(dal_sim_restore(b.s, c), DAL_OK);
    dal_checkpoint_free(c);
    for (int k = 9; k < 20; k++) assert_int_equal(dal_step(b.s), DAL_OK);
    assert_memory_equal(dal_summarise(b.s)->exponent, want, sizeof want);
    close_bench(&b);
}

/* L = v^2/2 - k q^2/2, by a function */
static int spring(void *self, unsigned want, const dal_point *at, dal_evaluation *out)
{
    const double k = at->parameter[0];
    (void)self;
    if (want & DAL_WANT_L) out->L = at->v[0] * at->v[0] / 2 - k * at->q[0] * at->q[0] / 2;
    if (want & DAL_WANT_GRADIENT) out->Lq[0] = -k * at->q[0], out->Lv[0] = at->v[0];
    if (want & DAL_WANT_HESSIAN) out->Lqq[0] = -k, out->Lqv[0] = 0, out->Lvv[0] = 1;
    return 0;
}

/*     D = (1 - a, h; -h k, 1 - a)/(1 + a), a = h^2 k/4 */
static void functions_have_tangents_too(void **state)
{
    (void)state;
    const double  q = 1, k = 3, h = 0.2, a = h * h * k / 4, one = 1;
    const double  want[] = {(1 - a) / (1 + a), h / (1 + a), -h * k / (1 + a), (1 - a) / (1 + a)};
    double        D[4], out[2];
    dal_callbacks c = {.size = sizeof c,
                       .coordinates = 1,
                       .parameters = 1,
                       .q = &q,
                       .parameter_value = &k,
                       .autonomous = 1,
                       .zero = DAL_F,
                       .eval = spring};
    bench         b = {.cx = dal_context_new(NULL)};
    b.o = dal_options_new(b.cx);
    dal_options_set(b.o, "scheme", "midpoint"), dal_options_set(b.o, "step", "0.2");
    assert_int_equal(dal_model_from_callbacks(b.cx, &c, &b.m), DAL_OK);
    start(&b);
    tangent_matrix(&b, D);
    for (int i = 0; i < 4; i++) check_close(D[i], want[i], 1e-15);
    tangent_along(&b, &(dal_direction){.parameter = &one}, out); /* by differences, but for J */
    check_close(out[0], -2 * (h * h / 4) / ((1 + a) * (1 + a)), 1e-9);
    check_close(out[1], -h / (1 + a) + h * k * (h * h / 4) / ((1 + a) * (1 + a)), 1e-9);
    close_bench(&b);
}

static void what_has_no_tangent_says_why(void **state)
{
    (void)state;
    double D[16];
    bench  b = open_bench(plane, "midpoint", 0.1);
    dal_options_set(b.o, "momentum", "papers"), dal_options_set(b.o, "principle", "dirac-");
    start(&b);
    assert_int_equal(dal_tangent_matrix(b.s, D), DAL_INVALID);
    assert_non_null(strstr(dal_message_at(b.cx, 0).text, "looks one step ahead"));
    assert_int_equal(dal_step(b.s), DAL_OK); /* and nothing else is lost */
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tangents_agree_with_the_reference),
        cmocka_unit_test(tangents_of_a_rolling_disk_agree_with_the_reference),
        cmocka_unit_test(conservative_steps_are_symplectic),
        cmocka_unit_test(holonomic_steps_are_symplectic_on_their_manifold),
        cmocka_unit_test(damping_shrinks_areas_as_it_should),
        cmocka_unit_test(about_an_equilibrium_it_turns_with_the_frequencies),
        cmocka_unit_test(ties_that_are_taken_out_are_seen_through),
        cmocka_unit_test(tangents_chain_over_many_steps),
        cmocka_unit_test(exponents_are_those_that_are_known),
        cmocka_unit_test(exponents_go_on_from_a_checkpoint),
        cmocka_unit_test(functions_have_tangents_too),
        cmocka_unit_test(what_has_no_tangent_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
