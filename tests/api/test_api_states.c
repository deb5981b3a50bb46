/* States: orders with coordinates, constraints and parts; arrays, tangents, sweeps, checkpoints. */
#include "upwinded.h"

#include <stdlib.h>

/* A cart on a curve that pulls a lagging actuator, in a part; filters in an array; a relation holds
 * a state too. */
static const char model[] =
    "system Lag {\n"
    "  parameter tau = 0.4\n"
    "  input u\n"
    "  state z' \"N\" = (u - z - 0.1*z^3)/tau\n"
    "  start z = 0.2\n"
    "}\n"
    "system Cart {\n"
    "  parameter c = 0.7\n"
    "  coordinate x, y, s\n"
    "  part lag[2] : Lag(u = sin(x) - x'*y)\n"
    "  state f[k in 1..3]' = -k*f[k] + x'*cos(t) + if(k > 1, f[max(k - 1, 1)], 0)\n"
    "  lagrangian (1 + y^2)*x'^2/2 + y'^2/2 + s'^2/2 - x^4/4 - y^2 - x*y\n"
    "  constraint s' = y*x' + 0.3*lag[2].z\n"
    "  force x: 0.2*lag[1].z + f[3]\n"
    "  damping y: -c*y'*(1 + y'^2) - f[2]\n"
    "  output rate = f[1]', sum_of = f[1] + lag[1].z\n"
    "  start x = 0.6, y = -0.3, x' = 0.5, y' = 0.8, s' = -0.09, f = [0.1, 0.2, -0.1]\n"
    "}\n";
enum { COORDINATES = 3, ALL = 8 };

static const upwinded cart = {model, "1", "gauss"};

static void orders_are_2s_less_1(void **state)
{
    (void)state;
    check_orders(&cart, "0.025", 0.3);
}

static void compiled_steps_are_the_same(void **state)
{
    (void)state;
    check_compiled(&cart);
}

/* Outputs hold states and their rates; columns have no momenta of states, but units. */
static void states_are_columns(void **state)
{
    (void)state;
    run r = begin_scheme(&cart, "gauss(2)", "0.1", "vm");
    check_close(measure(&r, "sum_of"), 0.1 + 0.2, 1e-15);
    check_close(measure(&r, "rate"), -0.1 + 0.5, 1e-14);
    int               momenta = 0, units = 0;
    size_t            count;
    const dal_column *c = dal_columns(r.s, &count);
    for (size_t k = 0; k < count; k++) {
        momenta += c[k].kind == DAL_COLUMN_MOMENTUM;
        units += !strcmp(c[k].unit, "N");
    }
    assert_int_equal(momenta, COORDINATES);
    assert_int_equal(units, 2);
    end(&r);
}

/* Along a state: by differences of steps that begin a little aside. */
static void tangents_know_states(void **state)
{
    (void)state;
    static const double far = 1e-4;
    double              moved[2][2 * ALL], out[2 * ALL], along[ALL] = {0};
    run                 r = begin_scheme(&cart, "gauss(2)", "0.2", "vm");
    size_t              count, at = 0;
    const dal_column   *c = dal_columns(r.s, &count);
    while (strcmp(c[1 + at].name, "f[2]")) at++; /* behind t come the coordinates */
    along[at] = 1;
    must(&r, dal_tangent(r.s, 1, &(dal_direction){.q = along}, out));
    end(&r);
    for (int side = 0; side < 2; side++)
        step_with(model,
                  (const setting[]){{"scheme", "gauss(2)"},
                                    {"step", "0.2"},
                                    {"start", side ? "f[2]=0.1999" : "f[2]=0.2001"},
                                    {"backend", "vm"},
                                    {0}},
                  moved[side]);
    for (int i = 0; i < 2 * ALL; i++)
        check_close(out[i], (moved[0][i] - moved[1][i]) / (2 * far), 1e-6);
}

/* z' = w x z - a z turns about w and decays, each of two by itself: Rodrigues' formula. */
static void vectors_turn(void **state)
{
    (void)state;
    static const double w[] = {0, 0.3, 0.4}, start[2][3] = {{1, 0, 2}, {0, 1, 0}}, a = 0.2, t = 2;
    const double        angle = 0.5 * t, decay = exp(-a * t);
    run                 r =
        begin_text("system S {\n  parameter w[3] = [0, 0.3, 0.4], N = 2\n  coordinate x[3]\n"
                   "  state z[k in 1..N][3]' = cross(w, z[k]) - 0.2*z[k], y[3]' = x' - 5*y\n"
                   "  lagrangian dot(x', x')/2\n  output rate = z[2]'\n"
                   "  start z[1] = [1, 0, 2], z[2] = [0, 1, 0], x' = [1, 2, 3]\n}\n",
                   (const setting[]){{"scheme", "gauss(4)"}, {"step", "0.1"}, {"until", "2"}, {0}});
    check_close(measure(&r, "rate[1]"), -0.4, 1e-15);
    check_close(measure(&r, "rate[2]"), -0.2, 1e-15);
    run_to_end(&r);
    for (int k = 0; k < 2; k++) {
        const double *z = start[k], along = (w[1] * z[1] + w[2] * z[2]) / 0.25 * (1 - cos(angle));
        for (int i = 0; i < 3; i++) {
            const int    n = (i + 1) % 3, p = (i + 2) % 3;
            const double aside = (w[n] * z[p] - w[p] * z[n]) / 0.5 * sin(angle);
            check_close(dal_q(r.s)[3 + 3 * k + i],
                        decay * (z[i] * cos(angle) + aside + w[i] * along), 1e-12);
        }
    }
    for (int i = 0; i < 3; i++)
        check_close(dal_q(r.s)[9 + i], (i + 1) * (1 - exp(-5 * t)) / 5, 1e-9);
    end(&r);
}

/* Inertia that a state bends: x' = y/m, y' = F beside a rocket's mass m' = -u that burns;
 * Tsiolkovsky's formula without gravity. */
static void masses_may_be_states(void **state)
{
    (void)state;
    run r = begin_text(
        "system Rocket {\n  state m' = -0.3, x' = y/m, y' = -0.3*(y/m - 2)\n  start m = 1\n}\n",
        (const setting[]){{"scheme", "gauss(4)"}, {"step", "0.05"}, {"until", "2"}, {0}});
    run_to_end(&r);
    const double m = 1 - 0.3 * 2, v = -2 * log(m);
    check_close(measure(&r, "y") / m, v, 1e-12);
    end(&r);
}

/* The word is free as a name. */
static void state_may_be_a_name(void **state)
{
    (void)state;
    run r =
        begin_text("system S {\n  coordinate state\n  parameter damping = 1\n"
                   "  lagrangian state'^2/2\n  force state: -damping*state'\n"
                   "  start state' = 1\n}\n",
                   (const setting[]){{"scheme", "gauss(2)"}, {"step", "0.1"}, {"until", "1"}, {0}});
    run_to_end(&r);
    check_close(dal_p(r.s)[0], exp(-1), 1e-5);
    end(&r);
}

static void what_has_no_upwinded_functions_is_refused(void **state)
{
    (void)state;
    static const char alone[] = "system S {\n  state z' = -z\n  start z = 1\n}\n";
    check_refused(alone, (const setting[]){{"scheme", "midpoint"}, {"step", "0.1"}, {0}},
                  "states need the upwinded functions");
    check_refused(alone, (const setting[]){{"scheme", "radau(2)"}, {"step", "0.1"}, {0}},
                  "states need the upwinded functions");
    check_refused(
        alone,
        (const setting[]){{"scheme", "gauss(2)"}, {"principle", "energy"}, {"step", "0.1"}, {0}},
        "the equations of states have none");
}

/* L-stable: what is stiff is gone after a step, and then of order s. */
static void stiff_states_are_gone_after_a_step(void **state)
{
    (void)state;
    static const char *const step[] = {"0.1", "0.05"};
    double                   error[2];
    for (int k = 0; k < 2; k++) {
        run r = begin_text(
            "system S {\n  state z' = -1e6*(z - cos(t)) - sin(t)\n  start z = 2\n}\n",
            (const setting[]){{"scheme", "gauss(3)"}, {"step", step[k]}, {"until", "1"}, {0}});
        run_to_end(&r);
        error[k] = fabs(dal_q(r.s)[0] - cos(1));
        end(&r);
    }
    check_below(error[0], 1e-5);
    check_close(log2(error[0] / error[1]), 3, 0.2);
}

/* A start off the slow manifold is a layer that no step resolves: no reason to warn. */
static void layers_are_no_reason_to_warn(void **state)
{
    (void)state;
    run r = begin_text(
        "system S {\n  coordinate q\n  state z' = 1e3*(q - z)\n  lagrangian q'^2/2 + cos(q)\n"
        "  damping q: -1e3*q' - z\n  start q = 2, q' = 1, z = 0.3\n}\n",
        (const setting[]){{"scheme", "gauss(2)"}, {"step", "0.1"}, {"until", "2"}, {0}});
    run_to_end(&r);
    for (size_t k = 0; k < dal_message_count(r.cx); k++)
        assert_true(dal_message_at(r.cx, k).severity == DAL_NOTE);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_are_2s_less_1),
        cmocka_unit_test(compiled_steps_are_the_same),
        cmocka_unit_test(states_are_columns),
        cmocka_unit_test(tangents_know_states),
        cmocka_unit_test(vectors_turn),
        cmocka_unit_test(masses_may_be_states),
        cmocka_unit_test(state_may_be_a_name),
        cmocka_unit_test(what_has_no_upwinded_functions_is_refused),
        cmocka_unit_test(stiff_states_are_gone_after_a_step),
        cmocka_unit_test(layers_are_no_reason_to_warn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
