/* test_api_compiled_projected.c - compiled steps of systems with directions without inertia: after
 * each step the state settles along them as the general step has it. */
#include "compiled.h"

typedef struct {
    const char *model, *scheme;
} problem;

static const char VARACTOR[] = /* two capacitors, one of them nonlinear, always share the voltage */
    "system Varactor {\n parameter l = 0.75, C = 3, b = 0.3, R = 0.1, g = 1\n coordinate i, q, r\n"
    " lagrangian l/2*i'^2 - q^2/(2*C) - r^2/4 - b*r^4/4\n"
    " constraint node: i' = q' + g*r'\n force i: -R*i' + cos(1.3*t)/5\n"
    " start q = 1.5, r = 0.9\n}\n";

static const char FOLLOWERS[] = /* both follow x at once, one with a momentum of its own */
    "system Followers {\n coordinate x, y, z\n"
    " lagrangian x'^2/2 - x^2/2 - (x - y)^4/4 - (x - y)^2 - exp(z - y) + z*sin(t) + y*z'/9\n"
    " force z: -z'/5\n start x = 1, y = 0.7, z = 0.3\n}\n";

static const char PREDATORS[] = /* of first order, and nonlinear: momenta belong to positions */
    "system Predators {\n parameter b = 0.5\n coordinate x, y\n"
    " lagrangian y*x' + sin(x)*y'/3 - exp(x) + x - b*exp(y) + y - cos(t)*x/9\n"
    " start x = 0.5, y = 0.2\n}\n";

static const char BENT[] = /* the direction turns with the charge */
    "system Bent {\n parameter l = 0.75, C = 3, b = 0.3, R = 0.1\n coordinate i, q, r\n"
    " lagrangian l/2*i'^2 - q^2/(2*C) - r^2/4 - b*r^4/4\n"
    " constraint node: i' = q' + (1 + r/5)*r'\n force i: -R*i' + cos(1.3*t)/5\n"
    " start q = 1.5, r = 0.9\n}\n";

static const char GYRATED[] = /* a force that is the velocity of another: y follows from x' */
    "system Gyrated {\n parameter k = 3\n coordinate x, y, z\n"
    " lagrangian x'^2/2 + z'^2/2 - x^2/2 - y^2/2 - z^2 - y^4/4 - x*z/9\n"
    " force y: x'/k\n force x: -y'/k - x'/9\n start x = 1\n}\n";

static const problem every[] = {
    {VARACTOR, "gauss(2)"},
    {VARACTOR, "gauss(3)"},
    {VARACTOR, "compose(gauss(2), yoshida(6))"},
    {FOLLOWERS, "gauss(2)"},
    {GYRATED, "gauss(2)"},
    {GYRATED, "gauss(3)"},
    {PREDATORS, "midpoint"},
    {PREDATORS, "gauss(3)"},
    {PREDATORS, "compose(midpoint, yoshida(4))"},
    {BENT, "gauss(2)"},
    {BENT, "compose(gauss(2), yoshida(6))"},
};

static run open_text(const problem *p, const char *backend, const char *summation)
{
    const setting set[] = {{"backend", backend},     {"scheme", p->scheme},
                           {"step", "0.05"},         {"steps", "200"},
                           {"project-start", "yes"}, {"momentum", "projected"},
                           {"summation", summation}, {0}};
    return begin_text(p->model, set);
}

/* The largest distance in so many steps, over the number of those since the start. */
static double part_by(run *a, run *b, int steps)
{
    double far = 0;
    for (int k = 0; k < steps; k++) {
        assert_int_equal(dal_step(a->s), DAL_OK), assert_int_equal(dal_step(b->s), DAL_OK);
        far = fmax(far, states_apart(a, b) / (double)dal_summarise(a->s)->steps);
    }
    return far;
}

static void a_step_settles_as_the_general_one_does(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof every / sizeof *every; k++)
        for (int plain = 0; plain < 2; plain++) {
            const char *sums = plain ? "plain" : "compensated";
            run a = open_text(&every[k], "vm", sums), b = open_text(&every[k], "native", sums);
            const double far = part_by(&a, &b, 60);
            if (!(far < 20 * DBL_EPSILON))
                print_error("%zu, %s: %.1e apart a step\n", k, every[k].scheme, far), fail();
            if (!dal_summarise(b.s)->is_fused)
                print_error("%zu, %s is not compiled\n", k, every[k].scheme), fail();
            end(&a), end(&b);
        }
}

/* q/C = r/2 + b r^3, which the scheme alone would miss by the square of the step. */
static void voltages_are_equal_after_every_step(void **state)
{
    run r = open_text(&every[0], "native", "compensated");
    (void)state;
    for (int k = 0; k < 200; k++) {
        assert_int_equal(dal_step(r.s), DAL_OK);
        const double *x = dal_q(r.s);
        check_below(fabs(x[1] / 3 - x[2] / 2 - 0.3 * x[2] * x[2] * x[2]), 1e-15);
    }
    end(&r);
}

/* What couples the charges has turned the direction, and the next step settles along the new one.
 */
static void parameters_change_between_steps(const char *model, const char *name)
{
    const problem p = {model, "gauss(2)"};
    run a = open_text(&p, "vm", "compensated"), b = open_text(&p, "native", "compensated");
    for (int k = 0; k < 3; k++) {
        check_below(part_by(&a, &b, 20), 20 * DBL_EPSILON);
        assert_int_equal(dal_set_parameter(a.s, name, 1.5 + k), DAL_OK);
        assert_int_equal(dal_set_parameter(b.s, name, 1.5 + k), DAL_OK);
    }
    end(&a), end(&b);
}

static void directions_turn_with_parameters(void **state)
{
    (void)state;
    parameters_change_between_steps(VARACTOR, "g");
    parameters_change_between_steps(BENT, "C");
    parameters_change_between_steps(GYRATED, "k");
}

/* Those that move with others are projected by the stepper that makes the call. */
static void many_steps_in_a_call_settle_one_by_one(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof every / sizeof *every; k++) {
        run a = open_text(&every[k], "native", "compensated"),
            b = open_text(&every[k], "native", "compensated");
        must(&a, dal_advance(a.s, 50));
        for (int i = 0; i < 50; i++) must(&b, dal_step(b.s));
        assert_memory_equal(dal_q(a.s), dal_q(b.s), a.n * sizeof(double));
        assert_memory_equal(dal_p(a.s), dal_p(b.s), a.n * sizeof(double));
        end(&a), end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_settles_as_the_general_one_does),
        cmocka_unit_test(voltages_are_equal_after_every_step),
        cmocka_unit_test(directions_turn_with_parameters),
        cmocka_unit_test(many_steps_in_a_call_settle_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
