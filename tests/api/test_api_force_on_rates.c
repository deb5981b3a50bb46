/* A force along a let that is linear in velocities: F dw/dq' on every coordinate. */
#include "api_run.h"

/* Euler's equations of a ball, in the frame of the ball: I w' = torque, whatever its angles do. */
#define BALL(energy)                                                                               \
    "system Ball {\n"                                                                              \
    "  parameter I = 0.4, torque = 0.3\n"                                                          \
    "  coordinate phi, theta, psi\n"                                                               \
    "  input gain = 1\n"                                                                           \
    "  let w1 = gain*(phi'*sin(theta)*sin(psi) + theta'*cos(psi)) + 3*t\n"                         \
    "  let w2 = phi'*sin(theta)*cos(psi) - theta'*sin(psi)\n"                                      \
    "  let w3 = phi'*cos(theta) + psi'\n"                                                          \
    "  " energy "\n"                                                                               \
    "  force w1: torque\n"                                                                         \
    "  force w3: -2*torque\n"                                                                      \
    "  output a = w1 - 3*t, b = w2, c = w3\n"                                                      \
    "  start theta = 1, p(phi) = 0.1, p(theta) = 0.08, p(psi) = -0.02\n"                           \
    "}\n"

static void check_ball(const char *text)
{
    static const setting set[] = {{"scheme", "gauss(4)"}, {"step", "0.02"}, {"until", "1"}, {0}};
    run                  r = begin_text(text, set);
    const double         before[] = {measure(&r, "a"), measure(&r, "b"), measure(&r, "c")};
    run_to_end(&r);
    /* in the frame of a ball, momentum and torque turn together: I w_k' = torque_k */
    check_close(measure(&r, "a"), before[0] + 0.3 / 0.4, 1e-9);
    check_close(measure(&r, "b"), before[1], 1e-9);
    check_close(measure(&r, "c"), before[2] - 0.6 / 0.4, 1e-9);
    end(&r);
}

static void a_torque_in_the_frame_of_a_body(void **state)
{
    (void)state;
    check_ball(BALL("lagrangian I/2*((w1 - 3*t)^2 + w2^2 + w3^2)"));
}

/* H of the same ball; its velocities are dH/dp. */
static void also_of_hamiltonian_coordinates(void **state)
{
    (void)state;
    check_ball(BALL("hamiltonian (p(theta)^2 + p(psi)^2 + "
                    "((p(phi) - p(psi)*cos(theta))/sin(theta))^2)/(2*I)"));
}

/* A rod whose tip is pushed along itself: of the let of positions and of its rate the force is one. */
static void a_rate_of_positions_is_as_good_as_they(void **state)
{
    (void)state;
    static const setting set[] = {{"scheme", "gauss(2)"}, {"step", "0.05"}, {"until", "2"}, {0}};
    double               end_at[2][4];
    for (int k = 0; k < 2; k++) {
        char text[600];
        snprintf(text, sizeof text,
                 "system Rod {\n  coordinate x, y\n  let s = x*cos(y) + sin(t), w = s' - cos(t)\n"
                 "  lagrangian x'^2/2 + x^2*y'^2/2 - x^2/2\n  force %s: 0.3 - w\n"
                 "  start x = 1, y' = 0.4\n}\n",
                 k ? "w" : "s");
        run r = begin_text(text, set);
        run_to_end(&r);
        for (int i = 0; i < 2; i++) end_at[k][i] = dal_q(r.s)[i], end_at[k][2 + i] = dal_p(r.s)[i];
        end(&r);
    }
    check_close(apart(end_at[0], end_at[1], 4), 0, 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_torque_in_the_frame_of_a_body),
        cmocka_unit_test(also_of_hamiltonian_coordinates),
        cmocka_unit_test(a_rate_of_positions_is_as_good_as_they),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
