/* Runs whose steps are all solved and whose numbers are doubtful still: they are warned of, and
 * sound runs are not. */
#include "api_run.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    const char *model, *scheme, *step, *until;
} doubtful;

/* How many messages of the run hold the words. */
static int count_messages(const doubtful *of, const char *words)
{
    const setting set[] = {{"scheme", of->scheme}, {"step", of->step}, {"until", of->until}, {0}};
    run           r = begin_text(of->model, set);
    int           count = 0;
    must(&r, dal_run(r.s, NULL));
    for (size_t i = 0; i < dal_message_count(r.cx); i++)
        count += strstr(dal_message_at(r.cx, i).text, words) != NULL;
    end(&r);
    return count;
}

/* V = -1/x: the exact motion ends in x = 0, the discrete one jumps over it. */
static const char *const fall = "system Fall {\n"
                                "  coordinate x\n"
                                "  lagrangian x'^2/2 + 1/x\n"
                                "  start x = 1, x' = -3\n"
                                "}\n";

/* V = 1/x keeps off x = 0, but for steps that are too long to see it. */
static const char *const wall = "system Wall {\n"
                                "  coordinate x\n"
                                "  lagrangian x'^2/2 - 1/x\n"
                                "  start x = 1, x' = -3\n"
                                "}\n";

/* The energy is 0, and small against what it adds up; p of a Hamiltonian coordinate counts too. */
static const char *const balanced = "system Balanced {\n"
                                    "  coordinate x\n"
                                    "  lagrangian x'^2/2 + x^2/2 - x^4/4\n"
                                    "  start x = 1.4142135623730951\n"
                                    "}\n";
static const char *const phase = "system Phase {\n"
                                 "  coordinate x\n"
                                 "  hamiltonian p(x)^2/2 - x^2/2 + x^4/4\n"
                                 "  start x = 1.4142135623730951\n"
                                 "}\n";

/* The force changes the energy, and is meant to. */
static const char *const damped = "system Damped {\n"
                                  "  coordinate x\n"
                                  "  lagrangian x'^2/2 - x^2/2\n"
                                  "  force x: -x'\n"
                                  "  start x = 1\n"
                                  "}\n";

static const char *const pumped = "system Pumped {\n"
                                  "  coordinate x\n"
                                  "  lagrangian x'^2/2 - (1 + sin(2*t)/2)*x^2/2\n"
                                  "  start x = 1\n"
                                  "}\n";

/* The same fall, along a groove and in coordinates whose momenta nearly cancel. */
static const char *const groove = "system Groove {\n"
                                  "  coordinate x, y\n"
                                  "  lagrangian (x'^2 + y'^2)/2 + 1/x\n"
                                  "  constraint y' = x'/(1 + x^2)\n"
                                  "  start x = 1, x' = -3, y' free\n"
                                  "}\n";
static const char *const sheared = "system Sheared {\n"
                                   "  coordinate x, y\n"
                                   "  lagrangian x'^2/2 + 500000*(y' + 100*x')^2 + 1/x\n"
                                   "  start x = 1, x' = -3, y' = 300\n"
                                   "}\n";

static const char *const dragged = "system Dragged {\n"
                                   "  coordinate x, y\n"
                                   "  lagrangian (x'^2 + y'^2)/2\n"
                                   "  constraint y' = x\n"
                                   "  start x' = 1\n"
                                   "}\n";

static void energy_that_nothing_changes_is_warned_of_when_it_changes(void **state)
{
    (void)state;
    static const doubtful runs[] = {
        {fall, "midpoint", "0.1", "3"},   {fall, "trapezoid", "0.01", "3"},
        {fall, "gauss(2)", "0.05", "1"},  {wall, "trapezoid", "0.3", "3"},
        {groove, "midpoint", "0.1", "3"}, {sheared, "midpoint", "0.1", "3"}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        assert_int_equal(count_messages(&runs[i], "the energy changed by"), 1);
}

static void sound_runs_and_energy_that_is_meant_to_change_are_not(void **state)
{
    (void)state;
    static const doubtful runs[] = {{wall, "midpoint", "0.1", "3"},
                                    {wall, "trapezoid", "0.1", "3"},
                                    {damped, "midpoint", "0.1", "10"},
                                    {pumped, "midpoint", "0.1", "30"},
                                    {dragged, "midpoint", "0.1", "5"}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        assert_int_equal(count_messages(&runs[i], ""), 0);
}

/* Positions are lost: the true motion stays at the saddle that it tends to, and x(30) = 3e-13. */
static void an_energy_of_0_is_not_changed(void **state)
{
    (void)state;
    static const doubtful runs[] = {{balanced, "midpoint", "0.1", "30"},
                                    {phase, "midpoint", "0.1", "30"}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        assert_int_equal(count_messages(&runs[i], "energy"), 0);
        assert_int_equal(count_messages(&runs[i], "positions at the end are off"), 1);
    }
}

/* Down a steep power Newton comes by a constant factor an iteration only. */
static void many_iterations_are_warned_of(void **state)
{
    (void)state;
    static const char *const stiff = "system Stiff {\n"
                                     "  coordinate x\n"
                                     "  lagrangian x'^2/2 - 1e6*x^12\n"
                                     "  start x = 1, x' = 1\n"
                                     "}\n";
    const doubtful           doubted = {stiff, "midpoint", "0.5", "20"};
    assert_int_equal(count_messages(&doubted, "iterations a step"), 1);
}

/* Of a constant mass and of one that depends on the state; of a Hamiltonian; not of what has
 * none. */
static void a_mass_of_the_wrong_sign_is_warned_of(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        ("system A {\n parameter m = -1\n coordinate x, y\n lagrangian m/2*x'^2 + y'^2/2 - x^2/2\n"
         " start x = 1\n}\n"),
        "system A {\n coordinate x\n lagrangian cos(x)/2*x'^2\n start x = 2, x' = 1\n}\n",
        "system A {\n coordinate x\n hamiltonian x^2/2 - p(x)^2/2\n start x = 1\n}\n"};
    static const char *const right[] = {
        "system A {\n coordinate x\n lagrangian cos(x)/2*x'^2\n start x = 0.5, x' = 0.1\n}\n",
        "system A {\n coordinate x, y\n lagrangian x*y' - x^2/2 - y^2/2\n start x = 1\n}\n",
        "system A {\n coordinate x, y\n hamiltonian p(x)*p(y) + x^2/2\n start x = 1\n}\n"};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(
            count_messages(&(doubtful){wrong[i], "midpoint", "0.1", "1"}, "kinetic energy of 'x'"),
            1);
        assert_int_equal(
            count_messages(&(doubtful){right[i], "midpoint", "0.1", "1"}, "kinetic energy"), 0);
    }
}

/* The metric of Schwarzschild is indefinite on purpose: one note says so. Light has the
 * energy 0, whose relative change means nothing. */
static void a_metric_of_space_and_time_is_noted_once(void **state)
{
    (void)state;
    static const char *const starts[] = {"r = 10, w' = 1.2, phi' = 0.038",
                                         "r = 10, w' = 1, r' = -0.8"};
    for (int i = 0; i < 2; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "system Schwarzschild {\n coordinate w, r, phi\n let f = 1 - 2/r\n"
                 " lagrangian (-f*w'^2 + r'^2/f + r^2*phi'^2)/2\n start %s\n}\n",
                 starts[i]);
        const doubtful fall_in = {text, "gauss(2)", "0.05", "3"};
        assert_int_equal(count_messages(&fall_in, "the kinetic energy is indefinite: along 'w'"),
                         1);
        assert_int_equal(count_messages(&fall_in, ""), 1);
    }
}

/* Coils that share more flux than each of them has; not those that share all of it, nor a product
 * of velocities that have no inertia of their own. */
static void a_coupling_beyond_both_inertias_is_warned_of(void **state)
{
    (void)state;
    static const char *const coils =
        "system Coils {\n parameter M = %s\n coordinate a, b\n"
        " lagrangian 0.05*a'^2 + 0.2*b'^2 + M*a'*b' - a^2/2 - b^2/2\n start a = 1, b = 2\n}\n";
    static const char *const mirror =
        "system Mirror {\n coordinate x, y\n lagrangian x'*y' - x*y\n start x = 1\n}\n";
    static const char *const M[] = {"0.199", "0.2", "0.201", "-0.201"};
    for (int i = 0; i < 4; i++) {
        char text[300];
        snprintf(text, sizeof text, coils, M[i]);
        assert_int_equal(count_messages(&(doubtful){text, "midpoint", "0.1", "1"},
                                        "some velocities of 'a' and 'b' have a negative"),
                         i > 1);
    }
    assert_int_equal(
        count_messages(&(doubtful){mirror, "midpoint", "0.1", "1"}, "negative kinetic"), 0);
}

/* A pendulum with drag gains energy by steps of a seventh of its period. */
static void energy_that_no_work_explains_is_warned_of(void **state)
{
    (void)state;
    static const char swinging[] = "system Swinging {\n"
                                   "  coordinate x, y, z\n"
                                   "  lagrangian 0.65*(x'^2 + y'^2 + z'^2) - 12.753*z\n"
                                   "  holonomic x^2 + y^2 + z^2 = 1.21\n"
                                   "  force x: -0.1*x'\n"
                                   "  force y: -0.1*y'\n"
                                   "  force z: -0.1*z'\n"
                                   "  start x = 0.9, z = -sqrt(0.4), y' = 1.5\n"
                                   "}\n";
    static const char stiff[] = "system Stiff {\n"
                                "  coordinate x\n"
                                "  lagrangian x'^2/2 - 5000*x^2\n"
                                "  force x: -0.1*x'\n"
                                "  start x = 1\n"
                                "}\n";
    const doubtful    coarse = {stiff, "trapezoid", "0.0201", "2.01"};
    /* the last step alone would jump to the other side of the sphere; parts of it do not */
    const doubtful in_parts = {swinging, "midpoint", "0.3", "2.1"};
    const doubtful fine = {swinging, "midpoint", "0.03", "2.1"};
    assert_int_equal(count_messages(&coarse, "and the work of the forces is -"), 1);
    assert_int_equal(count_messages(&fine, "the work of the forces"), 0);
    assert_int_equal(count_messages(&in_parts, "the work of the forces"), 0);
    assert_int_equal(count_messages(&(doubtful){damped, "midpoint", "0.1", "20"}, "work"), 0);
}

/* Only x' + y' has inertia; the balance x + x^3 = 2 y makes the rest of x' = 1/6, y' = 1/3. */
static void a_velocity_that_the_motion_does_not_take_up_is_warned_of(void **state)
{
    (void)state;
    static const char alone[] = "system Joint {\n"
                                "  coordinate x, y\n"
                                "  lagrangian (x' + y')^2/2 - x^2/2 - y^2 - x^4/4\n"
                                "  start x = 1, y = 1, x' = 0.5\n"
                                "}\n";
    static const char both[] = "system Joint {\n"
                               "  coordinate x, y\n"
                               "  lagrangian (x' + y')^2/2 - x^2/2 - y^2 - x^4/4\n"
                               "  start x = 1, y = 1, x' = 1/6, y' = 1/3\n"
                               "}\n";
    const doubtful    wrong = {alone, "midpoint", "0.01", "0.1"};
    const doubtful    right = {both, "midpoint", "0.01", "0.1"};
    assert_int_equal(count_messages(&wrong, "x' = 0.5, and the motion begins with 0.16666"), 1);
    assert_int_equal(count_messages(&right, "the motion begins with"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_that_nothing_changes_is_warned_of_when_it_changes),
        cmocka_unit_test(sound_runs_and_energy_that_is_meant_to_change_are_not),
        cmocka_unit_test(an_energy_of_0_is_not_changed),
        cmocka_unit_test(many_iterations_are_warned_of),
        cmocka_unit_test(a_mass_of_the_wrong_sign_is_warned_of),
        cmocka_unit_test(a_metric_of_space_and_time_is_noted_once),
        cmocka_unit_test(a_coupling_beyond_both_inertias_is_warned_of),
        cmocka_unit_test(energy_that_no_work_explains_is_warned_of),
        cmocka_unit_test(a_velocity_that_the_motion_does_not_take_up_is_warned_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
