/* Tangents where the state is less than (q, p): the form that they keep on the right space, runs
 * that begin aside at states that are allowed, and the exponents of motions that are known. */
#include "api_run.h"

#include <stdbool.h>
#include <string.h>

enum { MOST = 8 };

/* d becomes its image under the tangent of the next step. */
static void carry(run *b, double *d)
{
    double next[2 * MOST];
    assert_true(b->n <= MOST);
    must(b, dal_tangent(b->s, 1, &(dal_direction){.q = d, .p = d + b->n}, next));
    memcpy(d, next, 2 * b->n * sizeof *d);
}

/*     sum dq_i ^ dp_i */
static double form(const run *b, const double *x, const double *y)
{
    double sum = 0;
    for (size_t i = 0; i < b->n; i++) sum += x[i] * y[b->n + i] - y[i] * x[b->n + i];
    return sum;
}

/* Two directions, of which the first step takes what is not allowed; the form of them stays from
 * then on. */
static void check_form(const char *model, const setting *set, double *x, double *y, double allowed)
{
    run    b = begin_text(model, set);
    double first = 0;
    for (int k = 0; k < 20; k++) {
        carry(&b, x), carry(&b, y);
        assert_int_equal(dal_step(b.s), DAL_OK);
        if (k == 0) first = form(&b, x, y);
        check_close(form(&b, x, y), first, allowed);
    }
    check_below(0.01, fabs(first));
    end(&b);
}

static const char *const gauss[] = {"midpoint", "gauss(2)", "gauss(3)",
                                    "compose(midpoint, suzuki(4))"};

/* Two of three capacitors share their charge at every instant; all voltages are nonlinear. */
static const char *const network =
    "system Network {\n  coordinate qL, q1, q2, q3\n"
    "  lagrangian 0.4*qL'^2 + 0.05*qL'^4 - q1^2/6 - q1^4/4 - q2^2/4 - q2^4/8 - q3^2/2\n"
    "  constraint qL' = q1' + q2'\n  constraint qL' = q3'\n"
    "  start q1 = 0.6 free, q2 = 0.6, q3 = 0.5, qL' = 0.4\n}\n";

static void circuits_keep_the_form_on_what_is_left_of_phase_space(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof gauss / sizeof *gauss; k++) {
        const setting set[] = {
            {"scheme", gauss[k]}, {"step", "0.1"}, {"project-start", "yes"}, {0}};
        double     x[2 * MOST] = {1, 0.4, 0.6, 1, 0.3}, y[2 * MOST] = {0.2, 0.5, -0.3, 0.2, 1};
        check_form(network, set, x, y, 1e-13);
    }
}

/* L of first order: the momenta are functions of the positions, and the form is theirs. Where
 * they are not linear a step settles, unless it reports as the papers do; both keep it. */
static void point_vortices_keep_their_form(void **state)
{
    (void)state;
    static const char *const vortices[] = {
        "system Vortices {\n  coordinate x, y\n"
        "  lagrangian x*y' - x^2/2 - y^4/4 - x*y/3\n  start x = 0.8, y = 0.3\n}\n",
        "system Bent {\n  coordinate x, y\n"
        "  lagrangian (x + x^3/5)*y' - x^2/2 - y^4/4 - x*y/3\n  start x = 0.8, y = 0.3\n}\n"};
    for (size_t k = 0; k < 3 * sizeof gauss / sizeof *gauss; k++) {
        const bool   bent = k % 3, papers = k % 3 == 2;
        const setting set[] = {{"scheme", gauss[k / 3]},
                               {"step", "0.1"},
                               {"momentum", papers ? "papers" : "projected"},
                               {0}};
        const double slope = bent ? 1 + 0.6 * 0.8 * 0.8 : 1; /* p_y = x + x^3/5 */
        double       x[2 * MOST] = {1, 0, 0, slope}, y[2 * MOST] = {0.2, 1, 0, 0.2 * slope};
        check_form(vortices[bent], set, x, y, 1e-13);
    }
}

/* Tied masses: as forces, the form stays on the space of the tie, since the steps there are
 * those of the tie. */
static void interaction_forces_keep_the_form_on_the_tie(void **state)
{
    (void)state;
    static const char *const tied =
        "system Mass {\n  parameter m = 1\n  coordinate x\n  lagrangian m/2*x'^2 - x^4/4\n}\n"
        "system Tied {\n  part a : Mass\n  part b : Mass(m = 2)\n  connect a.x = 2*b.x\n  start "
        "a.x = 1, a.x' = 0.5\n}\n";
    static const char *const schemes[] = {"midpoint", "lobatto(3)", "gauss(2)", "radau(2)"};
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
        const setting set[] = {
            {"scheme", schemes[k]}, {"step", "0.1"}, {"interconnection", "forces"}, {0}};
        double x[2 * MOST] = {2, 1, 0, 0}, y[2 * MOST] = {0, 0, 2, 2}; /* dv_a = 2 dv_b, p = m v */
        check_form(tied, set, x, y, 1e-12);
    }
}

/* A circuit with resistance: the chain of tangents against runs that begin aside, at allowed
 * states. */
static const char *const parallel =
    "system Parallel {\n  parameter R = 0.8\n  coordinate qR, qL, qC\n"
    "  lagrangian 0.4*qL'^2 + 0.1*qL'^4 - qC^2/4 - qC^4/8\n"
    "  force qR: -R*qR' - 0.1*qR'^3\n  force qC: 0.3*cos(2*t)\n  constraint qR' = qL' + qC'\n"
    "  start qC = 0.4, qL' = 0.7, qR' free, qC' free\n}\n";

static void run_aside(const char *start, double *last)
{
    const setting set[] = {{"scheme", "gauss(2)"}, {"step", "0.1"}, {"start", start}, {0}};
    run           b = begin_text(parallel, set);
    for (int k = 0; k < 20; k++) assert_int_equal(dal_step(b.s), DAL_OK);
    memcpy(last, dal_q(b.s), 3 * sizeof *last), memcpy(last + 3, dal_p(b.s), 3 * sizeof *last);
    end(&b);
}

static void tangents_chain_along_circuits(void **state)
{
    (void)state;
    static const double weight[] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12}, at[] = {-2, -1, 1, 2};
    const double        v = 0.7, slope = 0.8 + 1.2 * v * v; /* dp_L/dv_L */
    static const char *const moved[] = {"qC=%.17g", "qL'=%.17g"};
    for (int what = 0; what < 2; what++) {
        const setting set[] = {{"scheme", "gauss(2)"}, {"step", "0.1"}, {0}};
        double        d[2 * MOST] = {0}, want[6] = {0}, last[6];
        run           b = begin_text(parallel, set);
        d[what ? 4 : 2] = what ? slope : 1;
        for (int k = 0; k < 20; k++) carry(&b, d), assert_int_equal(dal_step(b.s), DAL_OK);
        end(&b);
        for (int j = 0; j < 4; j++) {
            char words[64];
            snprintf(words, sizeof words, moved[what], (what ? v : 0.4) + 1e-3 * at[j]);
            run_aside(words, last);
            for (int i = 0; i < 6; i++) want[i] += weight[j] * last[i] / 1e-3;
        }
        for (int i = 0; i < 6; i++) check_close(d[i], want[i], 1e-8);
    }
}

/* Exponents of linear motions: rates of decay, also along a direction without inertia. */
static void exponents_of_circuits_are_their_rates(void **state)
{
    (void)state;
    const setting set[] = {
        {"scheme", "gauss(3)"}, {"step", "0.05"}, {"until", "200"}, {"lyapunov", "3"}, {0}};
    run b = begin_text("system RC {\n  coordinate q, x\n  lagrangian -q^2 + x'^2/2 - x^2/2\n"
                       "  force q: -2*q'\n  force x: -0.2*x'\n  start q = 1, x = 1\n}\n",
                       set);
    assert_int_equal(dal_run(b.s, NULL), DAL_OK);
    const dal_summary *sum = dal_summarise(b.s);
    check_close(sum->exponent[0] + sum->exponent[1], -0.2, 0.02);
    check_close(sum->exponent[0] + sum->exponent[1] + sum->exponent[2], -1.2, 0.01);
    end(&b);
}

static void there_are_no_more_exponents_than_the_state_has_numbers(void **state)
{
    (void)state;
    const setting set[] = {
        {"scheme", "gauss(2)"}, {"step", "0.1"}, {"lyapunov", "5"}, {"project-start", "yes"}, {0}};
    run b = with_settings(set);
    assert_int_equal(try_text(&b, network), DAL_INVALID); /* 8 - 2 relations - 2 along U */
    assert_non_null(strstr(dal_message_at(b.cx, dal_message_count(b.cx) - 1).text, "there are 4"));
    end(&b);
}

/* With the energy principle the state is (q, p, t, E). The first column of it over many steps,
 * by the chain rule, against runs that begin aside. */
static void energy_run(double aside, double *last)
{
    char       words[64];
    const setting set[] = {
        {"scheme", "midpoint"}, {"step", "0.2"}, {"principle", "energy"}, {"start", words}, {0}};
    snprintf(words, sizeof words, "q=%.17g", 0.7 + aside);
    run b = begin_text(
        "system Well {\n  coordinate q\n  lagrangian q'^2/2 - q^2 - q^4/4\n  start p(q) = 0.3\n}\n",
        set);
    for (int k = 0; k < 10; k++) assert_int_equal(dal_step(b.s), DAL_OK);
    last[0] = *dal_q(b.s), last[1] = *dal_p(b.s), last[2] = dal_time(b.s);
    end(&b);
}

static void tangents_of_the_energy_principle_chain(void **state)
{
    (void)state;
    static const double weight[] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12}, at[] = {-2, -1, 1, 2};
    const setting set[] = {{"scheme", "midpoint"}, {"step", "0.2"}, {"principle", "energy"}, {0}};
    double              d[4] = {1, 0, 0, 0}, next[4], want[3] = {0}, last[3];
    run b = begin_text("system Well {\n  coordinate q\n  lagrangian q'^2/2 - q^2 - q^4/4\n  "
                       "start q = 0.7, p(q) = 0.3\n}\n",
                       set);
    assert_int_equal(dal_tangent_size(b.s), 4);
    for (int k = 0; k < 10; k++) {
        const dal_direction along = {.q = d, .p = d + 1, .t = d[2], .E = d[3]};
        assert_int_equal(dal_tangent(b.s, 1, &along, next), DAL_OK);
        memcpy(d, next, sizeof d);
        assert_int_equal(dal_step(b.s), DAL_OK);
    }
    end(&b);
    for (int j = 0; j < 4; j++) {
        energy_run(1e-4 * at[j], last);
        for (int i = 0; i < 3; i++) want[i] += weight[j] * last[i] / 1e-4;
    }
    for (int i = 0; i < 3; i++) check_close(d[i], want[i], 1e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(circuits_keep_the_form_on_what_is_left_of_phase_space),
        cmocka_unit_test(point_vortices_keep_their_form),
        cmocka_unit_test(interaction_forces_keep_the_form_on_the_tie),
        cmocka_unit_test(tangents_chain_along_circuits),
        cmocka_unit_test(exponents_of_circuits_are_their_rates),
        cmocka_unit_test(tangents_of_the_energy_principle_chain),
        cmocka_unit_test(there_are_no_more_exponents_than_the_state_has_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
