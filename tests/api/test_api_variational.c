/* Discrete Lagrangians and forces against the exact ones, and the doubled system against the forced
 * one. */
#include "check.h"
#include "dalembert.h"
#include "kernel/jet.h"
#include "mech/dirac/discrete.h"

#include <string.h>

static const char driven[] =
    "system Driven {\n"
    "  parameter c = 0.3\n"
    "  coordinate x, y\n"
    "  lagrangian (1 + y^2)/2*x'^2 + y'^2/2 + 0.3*sin(t)*x*y' - x^4/4 - x*y - y^2\n"
    "  force x: -c*x'*(1 + x^2) + cos(2*t)\n"
    "  force y: 0.2*x'*y'\n"
    "  start x = 0.5, y = 0.2, x' = -0.3, y' = 0.4\n"
    "}\n"
    "simulate {\n  scheme = midpoint\n  step = 0.05\n}\n";

/* Five masses on springs that stiffen, with drag that depends on its neighbours. */
static const char row_of_five[] =
    "system Row {\n"
    "  coordinate x[5]\n"
    "  lagrangian sum(i in 1..5: (1 + 0.2*i + 0.1*x[i]^2)*x[i]'^2/2 - x[i]^4/4)\n"
    "  lagrangian -sum(i in 1..4: (x[i + 1] - x[i])^2 + cos(x[i + 1] - x[i]))\n"
    "  for i in 1..5 { force x[i]: -0.2*x[i]'*(1 + x[i]^2) + 0.1*cos(2*t + i) }\n"
    "  for i in 1..5 { start x[i] = sin(i), x[i]' = 0.6*cos(i) }\n"
    "}\n"
    "simulate {\n  scheme = midpoint\n  step = 0.05\n}\n";

typedef struct {
    const char *scheme, *force, *step;
    double      order;
} claim;

static void check_order(const char *model, const claim *of)
{
    dal_context     *cx = dal_context_new(NULL);
    dal_options     *o = dal_options_new(cx);
    dal_model       *m = NULL;
    dal_variational *v = NULL;
    dal_options_set(o, "scheme", of->scheme), dal_options_set(o, "step", of->step);
    if (of->force) dal_options_set(o, "force", of->force);
    assert_int_equal(dal_model_parse(cx, "driven", model, o, &m), DAL_OK);
    assert_int_equal(dal_variational_order(m, o, &v), DAL_OK);
    assert_int_equal(v->claimed, (int)of->order);
    for (int k = 0; k < DAL_VARIATIONAL; k++)
        if (!(v->observed[k] > of->order - 0.35)) {
            print_error("%s of %s: order %.2f in %d\n", v->scheme, v->model, v->observed[k], k);
            fail();
        }
    const bool shot = !strncmp(of->scheme, "shooting", 8);
    for (int k = 0; k < DAL_POWERS && !shot; k++)
        if (!(v->power_observed[k] > of->order - 0.35)) {
            print_error("%s of %s: order %.2f in power %d\n", v->scheme, v->model,
                        v->power_observed[k], k);
            fail();
        }
    if (isfinite(v->doubled)) check_below(v->doubled, 1e-11);
    dal_variational_free(v), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
}

static void check_orders(const char *model)
{
    static const claim row[] = {{"midpoint", NULL, "0.02", 2},
                                {"trapezoid", NULL, "0.02", 2},
                                {"lobatto(3)", NULL, "0.05", 4},
                                {"gauss(2)", NULL, "0.05", 4},
                                {"gauss(3)", NULL, "0.1", 6},
                                {"radau(2)", NULL, "0.02", 3},
                                {"gauss(2)", "trapezoid", "0.02", 2},
                                {"polynomial(2) with gauss(3)", NULL, "0.02", 4},
                                {"shooting(taylor(2)) with trapezoid", NULL, "0.02", 2},
                                {"shooting(taylor(3)) with simpson", NULL, "0.05", 4},
                                {"shooting(taylor(4)) with gauss(3)", NULL, "0.05", 5},
                                {"shooting(rk4) with simpson", NULL, "0.05", 4}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) check_order(model, &row[k]);
}

/* Hamiltonian coordinates, alone and beside others; a surface; a surface that moves. */
static void orders_of_every_kind_of_system(void **state)
{
    (void)state;
    static const char *const models[] = {
        "system H {\n  coordinate q\n  hamiltonian (1 + q^2)*p(q)^2/2 + p(q)^4/8 + q^4/4\n"
        "  force q: -0.3*p(q)*(1 + q^2) + cos(t)\n  start q = 0.4, p(q) = 0.7\n}\n",
        "system A {\n  coordinate q\n  hamiltonian p(q)^2/2 + p(q)^4/8 + cos(q)\n  start q = 0.4, p(q) = "
        "0.7\n}\n"
        "system B {\n  coordinate x\n  lagrangian x'^2/2*(1 + x^2) - x^4/4\n  start x = 0.6, x' = 0.7\n}\n"
        "system M {\n  part a : A\n  part b : B\n  force a.q: -b.x*p(a.q)\n  force b.x: -0.3*b.x'*a.q\n}\n",
        "system B {\n  coordinate x, y, z\n  lagrangian (x'^2 + 2*y'^2 + z'^2)/2 - x*z - y^3\n"
        "  force x: -0.2*x'*(1 + y^2)\n  force y: 0.3*z*cos(2*t)\n"
        "  holonomic x^2 + y^2/2 + z^2 = 1\n"
        "  start x = 0.6, z = 0.8, y' = 1.1, x' = 0.4, z' = -0.3\n}\n",
        "system W {\n  coordinate x, y\n  lagrangian (x'^2 + y'^2)/2 - 3*y\n  force x: -0.3*x'\n"
        "  holonomic x^2 + y^2 = (1 + 0.2*sin(t))^2\n  start x = 0.6, y = -0.8, x' = 1, y' = 0.5\n}\n"};
    static const claim row[] = {{"midpoint", NULL, "0.02", 2},
                                {"gauss(2)", NULL, "0.05", 4},
                                {"gauss(3)", NULL, "0.1", 6},
                                {"lobatto(3)", NULL, "0.05", 4},
                                {"compose(midpoint, suzuki(4))", NULL, "0.05", 4},
                                {"compose(gauss(2), triple(6))", NULL, "0.06", 6}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        check_order(driven, &row[k]);
        for (size_t i = 0; i < sizeof models / sizeof *models; i++) check_order(models[i], &row[k]);
    }
}

static void discrete_lagrangian_and_forces_have_the_order_of_the_scheme(void **state)
{
    (void)state;
    check_orders(driven), check_orders(row_of_five);
}

/* Where q1 is rounded, so are momenta, to eps |q| m/h: that tells nothing of the order. */
static void roundoff_of_momenta_is_no_order(void **state)
{
    (void)state;
    static const char pumped[] = "system Pumped {\n"
                                 "  coordinate x\n"
                                 "  lagrangian x'^2/2 - x^2/2\n"
                                 "  force x: 3*(1 - x^2)*x' + 1.2*cos(1.3*t)\n"
                                 "  start x = 1\n"
                                 "}\n"
                                 "simulate {\n  scheme = gauss(5)\n  step = 0.02\n}\n";
    dal_context      *cx = dal_context_new(NULL);
    dal_options      *o = dal_options_new(cx);
    dal_model        *m = NULL;
    dal_variational  *v = NULL;
    assert_int_equal(dal_model_parse(cx, "pumped", pumped, o, &m), DAL_OK);
    assert_int_equal(dal_variational_order(m, o, &v), DAL_OK);
    for (int of = 0; of < DAL_VARIATIONAL; of++)
        assert_true(isnan(v->observed[of]) || v->observed[of] > 9);
    dal_variational_free(v), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
}

/* The coupled van der Pol oscillators by hand, for the numbers of an independent implementation.
 * -- */

static int vdp_eval(void *self, unsigned want, int count, const sys_point *at, sys_values *out)
{
    static const double eps = 0.5, rho = 0.02, lambda = 0.8;
    (void)self, (void)count;
    const double *q = at->q, *v = at->w, stretch = q[0] - q[1];
    if (want & WANT_L)
        out->L = (v[0] * v[0] + v[1] * v[1] - q[0] * q[0] - (1 + rho) * q[1] * q[1]) / 2 -
                 lambda * stretch * stretch;
    if (want & WANT_GRADIENT) {
        out->Lw[0] = v[0], out->Lw[1] = v[1];
        out->Lq[0] = -q[0] - 2 * lambda * stretch,
        out->Lq[1] = -(1 + rho) * q[1] + 2 * lambda * stretch;
    }
    if (want & WANT_FORCE)
        for (int i = 0; i < 2; i++) out->f[i] = (eps - q[i] * q[i]) * v[i];
    return 0;
}

static sys_jets *some_jets(void *self, mem *m, int degree, text *why)
{
    static const kernel nothing = {0};
    sys_jets           *j = mem_array(m, 1, sys_jets);
    (void)self, (void)why;
    j->interpreter = jet_interpreter_new(m, &nothing, 4, degree);
    return j;
}

/* Control points, and the gradient of the forced action there, h = 0.1. */
static const struct {
    const char *scheme;
    double      Q[6], G[6];
} duplication[] = {
    {"gauss(1)",
     {0.345584192064786, 0.8216181435011584, 0.33043707618338714, -1.303157231604361},
     {0.08534672188140623, 20.836728154206664, -0.2175955957465715, -21.658779347903714}},
    {"lobatto(3)",
     {0.9053558666731177, 0.4463745723640113, -0.5369532353602852, 0.5811181041963531,
      0.36457239618607573, 0.294132496655526},
     {36.91019832110209, -4.061336118749322, -62.42351754117058, 11.070860639209705,
      26.08905177342048, -7.217215842324993}},
    {"gauss(2)",
     {0.02842224131579679, 0.5467129866124469, -0.7364540870016669, -0.16290994799305278,
      -0.48211931267997826, 0.5988462126346276},
     {18.58570733660441, 18.848121678899076, -27.256531129102864, -39.29726233943801,
      8.55447120441025, 20.358410960709104}}};

static void doubled_action_gives_the_forced_equations_at_the_identities(void **state)
{
    (void)state;
    mem m;
    int start[] = {0, 2, 4}, column[] = {0, 1, 0, 1}, transpose[] = {0, 2, 1, 3}, none[] = {0};
    dal_system sys = {.n = 2,
                      .K = {2, 2, start, column},
                      .transpose = transpose,
                      .A = {0, 2, none, NULL},
                      .forced = true,
                      .eval = vdp_eval,
                      .jets = some_jets};
    for (int f = 0; f < F_CURV; f++) sys.varies[f] = FIELD_VARIES;
    mem_init(&m, mem_heap_default());
    for (size_t k = 0; k < sizeof duplication / sizeof *duplication; k++) {
        scheme sch;
        text   why = text_new(&m);
        double G[6], Q[6], least = 1e-3;
        assert_int_equal(scheme_parse(&sch, duplication[k].scheme, NULL, &why), DAL_OK);
        discretiser *c = discretiser_new(&m, &sys, &sch, &why);
        assert_non_null(c);
        int N = 2 * (discrete_degree(c) + 1);
        assert_true(discrete_gradient(c, 0, 0.1, duplication[k].Q, G));
        for (int i = 0; i < N; i++) check_close(G[i], duplication[k].G[i], 1e-13);
        for (int i = 0; i < N;
             i++) { /* the action is of fourth degree: these differences are exact */
            double slope = 0;
            for (int j = 0; j < N; j++) Q[j] = duplication[k].Q[j];
            for (int side = -2; side <= 2; side++) {
                static const double weight[] = {1. / 12, -2. / 3, 0, 2. / 3, -1. / 12};
                Q[i] = duplication[k].Q[i] + side * least;
                slope += weight[side + 2] *
                         discrete_doubled_action(c, 0, 0.1, Q, duplication[k].Q) / least;
            }
            check_close(slope, G[i], 1e-11);
            Q[i] = duplication[k].Q[i] + least;
            double       there = discrete_doubled_action(c, 0, 0.1, Q, duplication[k].Q);
            const double doubled = discrete_doubled_action(c, 0, 0.1, duplication[k].Q, Q);
            check_close(doubled, -there, 1e-14); /* terms of 20 */
        }
        discretiser_free(c);
    }
    mem_free(&m);
}

/* The doubled run is the forced one, of Lagrangians and Hamiltonians, and has its order. */
static void doubled_runs_are_the_forced_ones(void **state)
{
    (void)state;
    static const char        phased[] = "system Phased {\n"
                                        "  coordinate q\n"
                                        "  hamiltonian (q^2 + 1)*p(q)^2/2 + q^4\n"
                                        "  force q: -0.3*p(q) + 0.2*cos(t)\n"
                                        "  start q = 0.9\n"
                                        "}\n";
    static const char *const models[] = {driven, row_of_five, phased};
    static const struct {
        const char *scheme;
        double      order;
    } row[] = {
        {"midpoint", 2}, {"gauss(2)", 4}, {"lobatto(3)", 4}, {"compose(midpoint, suzuki(4))", 4}};
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
            dal_context   *cx = dal_context_new(NULL);
            dal_options   *o = dal_options_new(cx);
            dal_model     *m = NULL;
            dal_duplicate *d = NULL;
            dal_options_set(o, "scheme", row[i].scheme), dal_options_set(o, "step", "0.05");
            assert_int_equal(dal_model_parse(cx, "doubled", models[k], o, &m), DAL_OK);
            assert_int_equal(dal_duplicate_of(m, o, &d), DAL_OK);
            check_below(d->off_diagonal, 1e-14);
            check_below(d->apart, 1e-14);
            check_close(d->observed, row[i].order, 0.1);
            for (int K = 0; K < DAL_JOINTS; K++) { /* whatever K is away from the diagonal */
                check_below(d->by[K].off_diagonal, 1e-13);
                check_below(d->by[K].apart, 1e-13);
                check_close(d->by[K].observed, row[i].order, 0.1);
            }
            dal_duplicate_free(d), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discrete_lagrangian_and_forces_have_the_order_of_the_scheme),
        cmocka_unit_test(orders_of_every_kind_of_system),
        cmocka_unit_test(roundoff_of_momenta_is_no_order),
        cmocka_unit_test(doubled_action_gives_the_forced_equations_at_the_identities),
        cmocka_unit_test(doubled_runs_are_the_forced_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
