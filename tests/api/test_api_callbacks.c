/* Models made of functions: the methods cannot tell them from models of the language. */
#include "check.h"
#include "dalembert.h"

#include <string.h>

/* A damped, driven pendulum on a cart, in (x, th):
 *     L = x'^2 + c x' th' + th'^2/2 + g c,  c = cos th;  f = (sin t - 0.1 x', -0.2 th'). */
static const char *const pendulum = "system Cart {\n"
                                    "  parameter g = 9.81\n"
                                    "  coordinate x, th\n"
                                    "  lagrangian x'^2 + cos(th)*x'*th' + th'^2/2 + g*cos(th)\n"
                                    "  force x: sin(t) - 0.1*x'\n"
                                    "  force th: -0.2*th'\n"
                                    "  start x = 0.3, th = 1, th' = 0.5\n"
                                    "}\n";

static int cart(void *self, unsigned want, const dal_point *at, dal_evaluation *out)
{
    const double *q = at->q, *v = at->v, t = at->t;
    double        g = *(double *)self, c = cos(q[1]), s = sin(q[1]);
    if (want & DAL_WANT_L) out->L = v[0] * v[0] + c * v[0] * v[1] + v[1] * v[1] / 2 + g * c;
    if (want & DAL_WANT_GRADIENT) {
        out->Lq[0] = 0, out->Lq[1] = -s * v[0] * v[1] - g * s;
        out->Lv[0] = 2 * v[0] + c * v[1], out->Lv[1] = c * v[0] + v[1];
    }
    if (want & DAL_WANT_HESSIAN) {
        double qq[] = {0, 0, 0, -c * v[0] * v[1] - g * c}, qv[] = {0, 0, -s * v[1], -s * v[0]};
        double vv[] = {2, c, c, 1};
        memcpy(out->Lqq, qq, sizeof qq), memcpy(out->Lqv, qv, sizeof qv),
            memcpy(out->Lvv, vv, sizeof vv);
    }
    if (want & DAL_WANT_FORCE) out->f[0] = sin(t) - 0.1 * v[0], out->f[1] = -0.2 * v[1];
    if (want & DAL_WANT_FORCE_JACOBIAN) {
        memset(out->fq, 0, 4 * sizeof(double)), memset(out->fv, 0, 4 * sizeof(double));
        out->fv[0] = -0.1, out->fv[3] = -0.2;
    }
    if (want & DAL_WANT_TIME) {
        out->Lt = out->Ltt = 0;
        for (int i = 0; i < 2; i++) out->Lqt[i] = out->Lvt[i] = out->ft[i] = 0;
        out->ft[0] = cos(t);
    }
    return 0;
}

static void set(dal_options *o, const char *scheme)
{
    assert_int_equal(dal_options_set(o, "scheme", scheme), DAL_OK);
    assert_int_equal(dal_options_set(o, "step", "0.05"), DAL_OK);
    assert_int_equal(dal_options_set(o, "steps", "200"), DAL_OK);
}

static void functions_and_text_give_the_same_motion(void **state)
{
    (void)state;
    static const char *const schemes[] = {"midpoint", "trapezoid", "lobatto(4)", "gauss(3)",
                                          "rectangle(0.25)"};
    static const char *const names[] = {"x", "th"};
    static const double      q[] = {0.3, 1}, v[] = {0, 0.5};
    double                   g = 9.81;
    dal_callbacks            made = {.size = sizeof made,
                                     .name = "Cart",
                                     .coordinates = 2,
                                     .coordinate = names,
                                     .q = q,
                                     .v = v,
                                     .constant = DAL_FV,
                                     .zero = DAL_FQ,
                                     .self = &g,
                                     .eval = cart};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        dal_context *cx = dal_context_new(NULL);
        dal_options *o = dal_options_new(cx);
        dal_model   *m[2] = {NULL, NULL};
        dal_sim     *s[2] = {NULL, NULL};
        set(o, schemes[i]);
        assert_int_equal(dal_model_parse(cx, "cart.dal", pendulum, o, &m[0]), DAL_OK);
        assert_int_equal(dal_model_from_callbacks(cx, &made, &m[1]), DAL_OK);
        for (int k = 0; k < 2; k++) {
            dal_status bad = dal_sim_new(m[k], o, &s[k]);
            if (!bad) bad = dal_run(s[k], NULL);
            if (bad) dal_report(cx, stderr, 0);
            assert_int_equal(bad, DAL_OK);
        }
        for (int k = 0; k < 2; k++) {
            check_close(dal_q(s[1])[k], dal_q(s[0])[k], 1e-11);
            check_close(dal_p(s[1])[k], dal_p(s[0])[k], 1e-11);
        }
        double th;
        assert_int_equal(dal_measure(s[1], "p(th)", &th), DAL_OK);
        check_close(th, dal_p(s[1])[1], 0);
        check_close(dal_summarise(s[1])->energy.last, dal_summarise(s[0])->energy.last, 1e-11);
        check_close(dal_summarise(s[1])->work, dal_summarise(s[0])->work, 1e-11);
        for (int k = 0; k < 2; k++) dal_sim_free(s[k]), dal_model_free(m[k]);
        dal_options_free(o), dal_context_free(cx);
    }
}

/* A pendulum in Cartesian coordinates: L = (x'^2 + y'^2)/2 - g y, x^2 + y^2 = 1. */
static int rod(void *self, unsigned want, const dal_point *at, dal_evaluation *out)
{
    const double *q = at->q, *v = at->v, *lam = at->lam;
    double        g = *(double *)self;
    if (want & DAL_WANT_L) out->L = (v[0] * v[0] + v[1] * v[1]) / 2 - g * q[1];
    if (want & DAL_WANT_GRADIENT)
        out->Lq[0] = 0, out->Lq[1] = -g, out->Lv[0] = v[0], out->Lv[1] = v[1];
    if (want & DAL_WANT_HESSIAN)
        for (int e = 0; e < 4; e++) out->Lqq[e] = out->Lqv[e] = 0, out->Lvv[e] = e == 0 || e == 3;
    if (want & DAL_WANT_HOLONOMIC) out->g[0] = q[0] * q[0] + q[1] * q[1] - 1;
    if (want & DAL_WANT_RELATIONS) {
        out->A[0] = 2 * q[0], out->A[1] = 2 * q[1];
        out->e[0] = 2 * (q[0] * v[0] + q[1] * v[1]);
    }
    if (want & DAL_WANT_RELATIONS_JACOBIAN) {
        out->eq[0] = 2 * v[0], out->eq[1] = 2 * v[1], out->et[0] = 0;
        for (int e = 0; e < 4; e++) out->curvature[e] = lam && (e == 0 || e == 3) ? 2 * lam[0] : 0;
    }
    return 0;
}

static void a_rod_of_functions_swings_as_its_angle_does(void **state)
{
    (void)state;
    static const double q[] = {1, 0};
    double              g = 9.81;
    dal_callbacks       made = {.size = sizeof made,
                                .name = "Rod",
                                .coordinates = 2,
                                .holonomic = 1,
                                .q = q,
                                .autonomous = 1,
                                .zero = DAL_F | DAL_LQQ | DAL_LQV,
                                .constant = DAL_LVV,
                                .self = &g,
                                .eval = rod};
    dal_context        *cx = dal_context_new(NULL);
    dal_options        *o = dal_options_new(cx);
    dal_model          *m[2] = {NULL, NULL};
    dal_sim            *s[2] = {NULL, NULL};
    set(o, "gauss(4)");
    assert_int_equal(dal_model_from_callbacks(cx, &made, &m[0]), DAL_OK);
    assert_int_equal(
        dal_model_parse(cx, "angle.dal",
                        "system Angle {\n  coordinate a\n  lagrangian a'^2/2 + 9.81*cos(a)\n"
                        "  start a = pi/2\n}\n",
                        o, &m[1]),
        DAL_OK);
    for (int k = 0; k < 2; k++) {
        dal_status bad = dal_sim_new(m[k], o, &s[k]);
        if (!bad) bad = dal_run(s[k], NULL);
        if (bad) dal_report(cx, stderr, 0);
        assert_int_equal(bad, DAL_OK);
    }
    check_close(dal_q(s[0])[0], sin(dal_q(s[1])[0]), 1e-8);
    check_close(dal_q(s[0])[1], -cos(dal_q(s[1])[0]), 1e-8);
    check_below(dal_summarise(s[0])->constraint_residual, 1e-13);
    for (int k = 0; k < 2; k++) dal_sim_free(s[k]), dal_model_free(m[k]);
    dal_options_free(o), dal_context_free(cx);
}

static void what_is_missing_is_said(void **state)
{
    (void)state;
    dal_context  *cx = dal_context_new(NULL);
    dal_model    *m = NULL;
    dal_callbacks made = {.size = sizeof made, .coordinates = 2};
    assert_int_equal(dal_model_from_callbacks(cx, &made, &m), DAL_INVALID);
    assert_null(m);
    made.eval = rod, made.size = 0;
    assert_int_equal(dal_model_from_callbacks(cx, &made, &m), DAL_INVALID);
    made.size = sizeof made, made.coordinates = 0;
    assert_int_equal(dal_model_from_callbacks(cx, &made, &m), DAL_INVALID);
    assert_int_equal(dal_message_count(cx), 3); /* each says another thing */
    dal_context_free(cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_and_text_give_the_same_motion),
        cmocka_unit_test(a_rod_of_functions_swings_as_its_angle_does),
        cmocka_unit_test(what_is_missing_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
