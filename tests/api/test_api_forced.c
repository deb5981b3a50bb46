/* Forced systems as text: the papers' experiments against an independent implementation, and the
 * orders of curves that are shot. */
#include "api_run.h"
#include "reference_forced.h"

#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static run open_model(const char *path, const char *text)
{
    run r = with_settings(NULL);
    must(&r, path ? dal_model_load(r.cx, path, r.o, &r.m)
                  : dal_model_parse(r.cx, "text", text, r.o, &r.m));
    return r;
}

static void set(run *r, const char *key, const char *value)
{
    assert_int_equal(DAL_OK, dal_options_set(r->o, key, value));
}

static void set_number(run *r, const char *key, const char *name, double x)
{
    char words[64];
    snprintf(words, sizeof words, "%s%.17g", name, x);
    set(r, key, words);
}

static void begin(run *r)
{
    dal_status bad = dal_sim_new(r->m, r->o, &r->s);
    if (bad) dal_report(r->cx, stderr, 0);
    assert_int_equal(bad, DAL_OK);
}

static void advance(run *r, long to)
{
    while (dal_steps(r->s) < to) assert_int_equal(DAL_OK, dal_step(r->s));
}

#define PAPERS TEST_DATA "/../examples/papers/"

/* The papers. ---------------------------------------------------------------------------------- */

static void damped_oscillator_ends_as_the_reference_does(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof oscillator_rows / sizeof *oscillator_rows; k++)
        for (int i = 0; i < 4; i++) {
            const oscillator_row *row = &oscillator_rows[k];
            run                   r = open_model(PAPERS "damped_oscillator.dal", NULL);
            set(&r, "scheme", row->scheme), set_number(&r, "step", "", 2 * acos(-1.0) / (20 << i));
            set_number(&r, "start", "q=", row->q0), set_number(&r, "start", "p(q)=", row->p0);
            begin(&r), advance(&r, 100 << i);
            check_close(dal_q(r.s)[0], row->q[i], 1e-12);
            check_close(dal_p(r.s)[0], row->p[i], 1e-12);
            end(&r);
        }
}

/* The printed digits of the second-order row: |q - q_exact| at 10 pi. */
static void first_table_has_the_printed_digits(void **state)
{
    (void)state;
    static const double printed[] = {0.2275, 0.0557, 0.0138, 0.0035};
    const double        w = sqrt(1 - 0.005 * 0.005), t = 10 * acos(-1.0);
    const double        exact = exp(-0.005 * t) * sin(w * t) / w;
    for (int i = 0; i < 4; i++)
        check_close(fabs(oscillator_rows[0].q[i] - exact), printed[i], 5e-5);
}

static void split_potentials_move_as_the_reference_does(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof split_rows / sizeof *split_rows; k++) {
        const split_row *row = &split_rows[k];
        char             scheme[64];
        run              r = open_model(PAPERS "split_oscillator.dal", NULL);
        snprintf(scheme, sizeof scheme, "shooting(taylor(2)) with %s", row->rule);
        set(&r, "scheme", scheme), set(&r, "force", row->force);
        set_number(&r, "set", "alpha=", row->alpha);
        begin(&r);
        for (int i = 0; i < SPLIT_TIMES; i++) {
            advance(&r, split_times[i]);
            check_close(dal_q(r.s)[0], row->q[i], 1e-12);
            check_close(dal_p(r.s)[0], row->p[i], 1e-12);
        }
        end(&r);
    }
}

static void cancelled_forces_move_as_the_reference_does(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof cancel_rows / sizeof *cancel_rows; k++) {
        const cancel_row *row = &cancel_rows[k];
        char              scheme[64];
        run               r = open_model(PAPERS "cancelled_force.dal", NULL);
        snprintf(scheme, sizeof scheme, "shooting(rk4) with %s", row->rule);
        set(&r, "scheme", scheme), set(&r, "force", "trapezoid");
        set_number(&r, "start", "q=", row->start);
        begin(&r);
        for (int i = 0; i < row->times; i++) {
            advance(&r, cancel_times[i]);
            check_close(dal_q(r.s)[0], row->q[i], 1e-10);
            check_close(dal_p(r.s)[0], row->p[i], 1e-10);
        }
        end(&r);
    }
}

static run van_der_pol(const char *scheme, int steps, const double *start)
{
    static const char *const name[] = {"q1=", "q2=", "p(q1)=", "p(q2)="};
    run                      r = open_model(TEST_DATA "/../examples/van_der_pol.dal", NULL);
    set(&r, "scheme", scheme), set(&r, "until", "1");
    set_number(&r, "step", "", 1.0 / steps);
    for (int i = 0; i < 4; i++) set_number(&r, "start", name[i], start[i]);
    begin(&r), advance(&r, steps);
    return r;
}

static void van_der_pol_ends_as_the_reference_does(void **state)
{
    (void)state;
    static const double start[] = {-0.5, -0.25, 0, 4};
    for (size_t k = 0; k < sizeof vdp_rows / sizeof *vdp_rows; k++) {
        const vdp_row *row = &vdp_rows[k];
        run            r = van_der_pol(row->scheme, row->steps, start);
        double         energy;
        for (int i = 0; i < 2; i++) {
            check_close(dal_q(r.s)[i], row->end[i], 1e-11);
            check_close(dal_p(r.s)[i], row->end[2 + i], 1e-11);
        }
        assert_int_equal(DAL_OK, dal_measure(r.s, "energy", &energy));
        check_close(energy, row->energy, 1e-11);
        end(&r);
    }
}

static double distance(const double *q, const double *p, const double *to)
{
    double sum = 0;
    for (int i = 0; i < 2; i++)
        sum += (q[i] - to[i]) * (q[i] - to[i]) + (p[i] - to[2 + i]) * (p[i] - to[2 + i]);
    return sqrt(sum);
}

static void ensemble_ends_as_the_reference_does(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof ensemble_errors / sizeof *ensemble_errors; k++) {
        double mean = 0;
        for (int e = 0; e < ENSEMBLE; e++) {
            run r = van_der_pol("lobatto(3)", ensemble_errors[k].steps, ensemble_start[e]);
            if (ensemble_errors[k].steps == ENSEMBLE_STEPS)
                for (int i = 0; i < 2; i++) {
                    check_close(dal_q(r.s)[i], ensemble_end[e][i], 1e-11);
                    check_close(dal_p(r.s)[i], ensemble_end[e][2 + i], 1e-11);
                }
            mean += distance(dal_q(r.s), dal_p(r.s), ensemble_exact[e]) / ENSEMBLE;
            end(&r);
        }
        check_close(mean / ensemble_errors[k].mean_error, 1, 1e-4);
    }
}

/* Orders. -------------------------------------------------------------------------------------- */

static const char curved[] =
    "system Curved {\n"
    "  parameter m = 1.3, B = 0.4, k = 0.9, c = 0.3\n"
    "  coordinate x, y\n"
    "  lagrangian (1 + y^2)*x'^2/2 + m*y'^2/2 + B*x*(x*y' - y*x') - x^4/4 - k*y^2/2 - x*y\n"
    "  lagrangian 0.2*sin(t)*x'*y + 0.1*cos(t)*x*y'\n"
    "  force x: -c*(1 + y^2)*x'\n"
    "  force y: -c*y'*(1 + x*y') + c*cos(3*t)\n"
    "  start x = 0.7, y = -0.4, x' = 0.5, y' = 0.9\n"
    "}\n"
    "simulate {\n  scheme = midpoint\n  step = 0.1\n  until = 2\n}\n";

static const char exponential[] = "system Exponential {\n"
                                  "  parameter a = 0.6\n"
                                  "  coordinate u, w\n"
                                  "  lagrangian exp(w)*u'^2/2 + (2 + sin(u))*w'^2/2 + "
                                  "a*u'*w'*cos(u - w) - cosh(u) - log(1 + w^2)\n"
                                  "  force u: -0.2*sqrt(1 + u'^2)*u' + 0.3*sin(t)*w\n"
                                  "  force w: 0.1*tanh(u')*u - 0.1*w'^3\n"
                                  "  start u = 0.4, w = 0.3, u' = -0.6, w' = 0.8\n"
                                  "}\n"
                                  "simulate {\n  scheme = midpoint\n  step = 0.1\n  until = 2\n}\n";

/* Schemes, the force rule (or NULL), and the order that is claimed and must be seen. */
typedef struct {
    const char *schemes, *force, *steps;
    int         order;
} order_row;

/* Of force rules too coarse for the inner functions of the curve: min(r, 2(r - d + 1)), and 1, or 2
 * by symmetry, where that is below. */
static const order_row coarse_forces[] = {
    {"gauss(2), polynomial(2) with gauss(3)", "radau(2)", "32..128", 3},
    {"gauss(3), lobatto(4)", "radau(2)", "64..256", 2},
    {"gauss(4), polynomial(5) with lobatto(6)", "radau(2)", "64..256", 1},
    {"gauss(3)", "gauss(2)", "16..64", 4},
    {"gauss(4), lobatto(5), gauss(5)", "gauss(2)", "32..128", 2},
    {"compose(gauss(4), suzuki(4))", "simpson", "16..64", 4},
    {"gauss(3)", "radau_left(3)", "16..64", 5},
    {"gauss(4)", "radau_left(3)", "16..64", 4},
    {"gauss(5), lobatto(6)", "gauss(3)", "16..64", 4},
    {"gauss(6)", "lobatto(4)", "32..128", 2},
};

static const order_row shot[] = {
    {"shooting(taylor(1)) with midpoint, shooting(taylor(1)) with gauss(2)", NULL, "32..128", 2},
    {"shooting(taylor(2)) with trapezoid, shooting(taylor(2)) with midpoint", NULL, "32..128", 2},
    {"shooting(taylor(2)) with gauss(2), shooting(taylor(2)) with simpson", NULL, "64..512", 3},
    {"shooting(taylor(3)) with simpson, shooting(taylor(4)) with simpson", NULL, "32..128", 4},
    {"shooting(taylor(4)) with gauss(3)", NULL, "16..64", 5},
    {"shooting(taylor(5)) with gauss(3), shooting(taylor(6)) with lobatto(4)", NULL, "16..64", 6},
    {"shooting(taylor(7)) with gauss(4)", NULL, "8..32", 8},
    {"shooting(euler) with midpoint, shooting(euler) with gauss(2)", NULL, "256..1024", 1},
    {"shooting(midpoint) with trapezoid, shooting(rk2) with gauss(2)", NULL, "32..128", 2},
    {"shooting(rk4) with simpson, shooting(rk4) with gauss(3)", NULL, "32..128", 4},
    {"shooting(rk4) with trapezoid", NULL, "32..128", 2},
    {"shooting(rk4) with simpson, shooting(taylor(4)) with simpson", "trapezoid", "32..128", 2},
    {"shooting(taylor(5)) with gauss(3)", "gauss(2)", "32..128", 4},
    {"shooting(dopri5) with gauss(3), shooting(dopri5) with lobatto(4)", NULL, "64..256", 5},
};

static void orders_hold(const char *text, const order_row *orders, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        run              r = open_model(NULL, text);
        dal_convergence *c = NULL;
        if (orders[k].force) set(&r, "force", orders[k].force);
        assert_int_equal(DAL_OK, dal_converge(r.m, r.o, orders[k].schemes, orders[k].steps, &c));
        for (size_t i = 0; i < c->schemes; i++) {
            const dal_convergence_scheme *s = &c->scheme[i];
            assert_int_equal(s->claimed, orders[k].order);
            for (int of = 0; of < DAL_QUANTITIES; of++)
                if (!(s->observed[of] > s->claimed - 0.25)) {
                    print_error("%s: order %.2f of %d\n", s->title, s->observed[of], s->claimed);
                    fail();
                }
        }
        dal_convergence_free(c);
        end(&r);
    }
}

static void shooting_reaches_its_orders_with_a_varying_mass_matrix(void **state)
{
    (void)state;
    orders_hold(curved, shot, COUNT(shot));
}

static void shooting_reaches_its_orders_with_transcendental_functions(void **state)
{
    (void)state;
    orders_hold(exponential, shot, COUNT(shot));
}

static void a_force_rule_is_worth_what_the_inner_curve_leaves(void **state)
{
    (void)state;
    orders_hold(curved, coarse_forces, COUNT(coarse_forces));
    orders_hold(exponential, coarse_forces, COUNT(coarse_forces));
}

/* The same step, however it is put: a straight curve, and one that Newton's method cannot tell from
 * it. */
static void shooting_along_a_line_is_the_polynomial_of_degree_one(void **state)
{
    (void)state;
    static const char *const pair[][2] = {
        {"shooting(taylor(1)) with midpoint", "midpoint"},
        {"shooting(taylor(1)) with trapezoid", "trapezoid"},
        {"shooting(taylor(1)) with gauss(3)", "polynomial(1) with gauss(3)"}};
    for (int k = 0; k < 3; k++) {
        run r[2];
        for (int i = 0; i < 2; i++) {
            r[i] = open_model(NULL, exponential);
            set(&r[i], "scheme", pair[k][i]);
            begin(&r[i]), advance(&r[i], 20);
        }
        for (int i = 0; i < 2; i++) {
            check_close(dal_q(r[0].s)[i], dal_q(r[1].s)[i], 1e-13);
            check_close(dal_p(r[0].s)[i], dal_p(r[1].s)[i], 1e-13);
        }
        end(&r[0]), end(&r[1]);
    }
}

/* Newton's matrix is exact: corrections square. */
static void shooting_takes_few_iterations(void **state)
{
    (void)state;
    static const char *const schemes[] = {"shooting(taylor(6)) with gauss(3)",
                                          "shooting(rk4) with simpson",
                                          "shooting(dopri5) with gauss(3)"};
    for (int k = 0; k < 3; k++) {
        run r = open_model(NULL, exponential);
        set(&r, "scheme", schemes[k]), set(&r, "step", "0.2");
        begin(&r), advance(&r, 10);
        const dal_summary *sum = dal_summarise(r.s);
        assert_true(sum->newton_max_iterations <= 5);
        assert_true(sum->newton_failures == 0);
        check_below(sum->dirac_residual, 1e-13);
        end(&r);
    }
}

static void shooting_keeps_the_momentum_of_a_symmetry(void **state)
{
    (void)state;
    run r =
        open_model(NULL, "system Central {\n  coordinate x, y\n"
                         "  lagrangian (x'^2 + y'^2)/2*(1 + (x^2 + y^2)/4) - sqrt(1 + x^2 + y^2)\n"
                         "  output J = x*p(y) - y*p(x)\n"
                         "  start x = 1, y' = 0.7\n}\n"
                         "simulate {\n  scheme = shooting(taylor(3)) with simpson\n  step = 0.1\n  "
                         "steps = 500\n}\n");
    double first, last;
    begin(&r);
    assert_int_equal(DAL_OK, dal_measure(r.s, "J", &first));
    advance(&r, 500);
    assert_int_equal(DAL_OK, dal_measure(r.s, "J", &last));
    check_close(last, first, 1e-13);
    check_below(fabs(dal_summarise(r.s)->energy.last - dal_summarise(r.s)->energy.first), 1e-5);
    end(&r);
}

/* z = (a, b, p(a), p(b)) after three steps from z0 */
static void shoot(const char *scheme, const double *z0, double *z)
{
    static const char *const names[] = {"a=", "b=", "p(a)=", "p(b)="};
    static const char        text[] = "system S {\n coordinate a, b\n"
                                      " let x = sin(a) + 0.7*sin(b), y = -cos(a) - 0.7*cos(b)\n"
                                      " lagrangian a'^2/2 + (x'^2 + y'^2)/2 + a*b'/3 + cos(a) - y\n}\n";

    run r = open_model(NULL, text);
    set(&r, "scheme", scheme), set(&r, "step", "0.1"), set(&r, "steps", "3");
    for (int i = 0; i < 4; i++) set_number(&r, "start", names[i], z0[i]);
    begin(&r), advance(&r, 3);
    for (int i = 0; i < 2; i++) z[i] = dal_q(r.s)[i], z[2 + i] = dal_p(r.s)[i];
    end(&r);
}

/* column j of the tangent, by differences of fourth order */
static void tangent_column(const char *scheme, int j, double *column)
{
    const double at[] = {0.4, -0.3, 0.5, 0.2}, weight[] = {1, -8, 8, -1}, delta = 1e-3;
    double       moved[4], z[4];
    memset(column, 0, 4 * sizeof *column);
    for (int k = 0; k < 4; k++) {
        memcpy(moved, at, sizeof at);
        moved[j] += delta * (k < 2 ? k - 2 : k - 1);
        shoot(scheme, moved, z);
        for (int i = 0; i < 4; i++) column[i] += weight[k] * z[i] / (12 * delta);
    }
}

static void shooting_is_symplectic(void **state)
{
    (void)state;
    static const char *const schemes[] = {"shooting(taylor(3)) with simpson",
                                          "shooting(rk4) with gauss(2)",
                                          "shooting(euler) with trapezoid"};
    for (int k = 0; k < 3; k++) {
        double D[4][4];
        for (int j = 0; j < 4; j++) tangent_column(schemes[k], j, D[j]);
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < i; j++) /* D_i^T J D_j */
                check_close(D[j][0] * D[i][2] + D[j][1] * D[i][3] - D[j][2] * D[i][0] -
                                D[j][3] * D[i][1],
                            i == j + 2, 1e-9);
    }
}

/* One mode of a chain of twenty masses between walls; the separatrix x = 1/cosh(t) of a double
 * well. */
static void long_chains_and_high_degrees_can_be_shot(void **state)
{
    (void)state;
    static const char chain[] =
        "system S {\n parameter N = 20\n coordinate x[N]\n let X[k in 0..N+1] = if(k*(N + 1 - k) > 0, "
        "x[min(max(k, 1), N)], 0)\n lagrangian sum(k in 1..N: x[k]'^2/2) - sum(k in 0..N: (X[k+1] - "
        "X[k])^2/2)\n for k in 1..N { start x[k] = sin(3*pi*k/(N + 1)) }\n}\n";
    const double PI = acos(-1), omega = 2 * sin(3 * PI / (2 * 21));
    run          r = open_model(NULL, chain);
    set(&r, "scheme", "shooting(taylor(5)) with gauss(3)"), set(&r, "step", "0.1");
    set(&r, "until", "1");
    must(&r, try_simulation(&r));
    run_to_end(&r);
    for (int k = 0; k < 20; k++)
        check_close(dal_q(r.s)[k], sin(3 * PI * (k + 1) / 21) * cos(omega), 1e-9);
    end(&r);
    r = open_model(NULL, "system S {\n coordinate x\n lagrangian x'^2/2 + x^2/2 - x^4/2\n"
                         " start x = 1\n}\n");
    set(&r, "scheme", "shooting(taylor(18)) with gauss(10)"), set(&r, "step", "0.25");
    set(&r, "until", "2");
    must(&r, try_simulation(&r));
    run_to_end(&r);
    check_close(dal_q(r.s)[0], 1 / cosh(2), 1e-12);
    check_close(dal_p(r.s)[0], -tanh(2) / cosh(2), 1e-12);
    end(&r);
}

static void what_cannot_be_shot_is_refused_with_the_reason(void **state)
{
    (void)state;
    static const struct {
        const char *text, *reason;
    } row[] = {
        {"system S {\n coordinate x, y\n lagrangian (x'^2 + y'^2)/2\n constraint x' = y'*x\n}\n",
         "constraints"},
        {"system S {\n coordinate x\n hamiltonian (1 + x^2)*p(x)^2/2\n}\n", "Hamiltonian"},
        {"system S {\n coordinate x, y\n lagrangian x'^2/2 - x*y - y^2\n}\n", "and y has none"},
        {"system S {\n coordinate x, y\n lagrangian (x' + y')^2/2 - x^2 - y^2\n}\n", "no inertia"},
        {"system S {\n coordinate x[33]\n lagrangian sum(i in 1..33: x[i]'^2/2)\n}\n",
         "at most 32"},
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        run r = open_model(NULL, row[k].text);
        set(&r, "scheme", "shooting(rk4) with simpson"), set(&r, "step", "0.1"),
            set(&r, "steps", "1");
        assert_int_not_equal(DAL_OK, dal_sim_new(r.m, r.o, &r.s));
        size_t      n = dal_message_count(r.cx);
        const char *said = n ? dal_message_at(r.cx, n - 1).text : "";
        if (!strstr(said, row[k].reason))
            print_error("'%s' does not say '%s'\n", said, row[k].reason);
        assert_non_null(strstr(said, row[k].reason));
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damped_oscillator_ends_as_the_reference_does),
        cmocka_unit_test(first_table_has_the_printed_digits),
        cmocka_unit_test(split_potentials_move_as_the_reference_does),
        cmocka_unit_test(cancelled_forces_move_as_the_reference_does),
        cmocka_unit_test(van_der_pol_ends_as_the_reference_does),
        cmocka_unit_test(ensemble_ends_as_the_reference_does),
        cmocka_unit_test(a_force_rule_is_worth_what_the_inner_curve_leaves),
        cmocka_unit_test(shooting_reaches_its_orders_with_a_varying_mass_matrix),
        cmocka_unit_test(shooting_reaches_its_orders_with_transcendental_functions),
        cmocka_unit_test(shooting_along_a_line_is_the_polynomial_of_degree_one),
        cmocka_unit_test(shooting_takes_few_iterations),
        cmocka_unit_test(shooting_keeps_the_momentum_of_a_symmetry),
        cmocka_unit_test(shooting_is_symplectic),
        cmocka_unit_test(long_chains_and_high_degrees_can_be_shot),
        cmocka_unit_test(what_cannot_be_shot_is_refused_with_the_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
