/* Inputs in holonomic relations: a table moves positions, at the rate of its slope. */
#include "api_run.h"

#include <unistd.h>

/* The table as a file of its own, and the option that names it. */
static const char *table(const char *rows, const char *format)
{
    static char path[64], option[96];
    snprintf(path, sizeof path, "moving_inputs_%d.csv", (int)getpid());
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(rows, f);
    assert_int_equal(fclose(f), 0);
    snprintf(option, sizeof option, format, path);
    return option;
}

static void remove_table(void)
{
    char path[64];
    snprintf(path, sizeof path, "moving_inputs_%d.csv", (int)getpid());
    assert_int_equal(remove(path), 0);
}

#define WINCH(size)                                                                                \
    "system Winch {\n  parameter m1 = 1, m2 = 0.5, k = 3\n  coordinate x[" size "], y[" size "]\n" \
    "  input u = 0.2\n"                                                                            \
    "  lagrangian sum(i in 1.." size ": m1/2*x[i]'^2 + m2/2*y[i]'^2 - k/2*x[i]^2)\n"               \
    "  for i in 1.." size " {\n    holonomic y[i] = x[i] + u\n"                                    \
    "    start x[i] = 1, y[i] = 1.2, y[i]' free\n  }\n}\n"

/* Two masses at the distance u, one of them on a spring: (m1 + m2) x'' + k x = 0 while u' is
 * constant, and where u' jumps by d, x' jumps by -m2 d/(m1 + m2). */
static void two_masses_at_a_given_distance(void **state)
{
    (void)state;
    static const char *const winch[] = {WINCH("1"), WINCH("40")};
    static const char *const backend[] = {"vm", "native"};
    const double             w = sqrt(3 / 1.5), at = cos(w), v = -w * sin(w) + 0.5 * 0.75 / 1.5;
    const double             x = at * cos(w) + v / w * sin(w), rate = v * cos(w) - at * w * sin(w);
    const char              *u = table("t,u\n0,0.2\n1,0.7\n3,0.2\n", "u=%s");
    for (int k = 0; k < 4; k++) {
        const setting set[] = {{"scheme", "gauss(4)"},
                               {"step", "0.1"},
                               {"until", "2"},
                               {"input", u},
                               {"backend", backend[k % 2]},
                               {0}};
        run           r = begin_text(winch[k / 2], set);
        const size_t  n = k / 2 ? 40 : 1;
        check_close(dal_p(r.s)[n], 0.5 * 0.5, 1e-15); /* y' = u' */
        run_to_end(&r);
        for (size_t i = 0; i < n; i++) {
            check_close(dal_q(r.s)[i], x, 1e-11);
            check_close(dal_p(r.s)[i], rate, 1e-11);
            check_close(dal_q(r.s)[n + i], x + 0.45, 1e-11);
            check_close(dal_p(r.s)[n + i], 0.5 * (rate - 0.25), 1e-11);
        }
        end(&r);
    }
    remove_table();
}

/* A pendulum on a rope that is let out: as a table, and written as a function of t. */
static void a_ramp_is_a_function_of_time(void **state)
{
    (void)state;
    static const char *const length[] = {"u", "(1 + 0.1*t)"};
    static const char *const scheme[] = {"gauss(2)", "lobatto(3)", "trapezoid"};
    const char              *u = table("0,1\n4,1.4\n", "u=%s");
    for (int k = 0; k < 3; k++) {
        double q[2][2], p[2][2], reaction[2];
        for (int twin = 0; twin < 2; twin++) {
            char text[600];
            snprintf(text, sizeof text,
                     "system Rope {\n  coordinate x, y\n  input u = 1\n"
                     "  lagrangian (x'^2 + y'^2)/2 - 9.81*y\n  holonomic rope: x^2 + y^2 = %s^2\n"
                     "  output pull = rope + 0*u\n  start x = 1, x' = 0.1\n}\n",
                     length[twin]);
            const setting set[] = {
                {"scheme", scheme[k]}, {"step", "0.05"}, {"until", "3"}, {"input", u}, {0}};
            run r = begin_text(text, set);
            run_to_end(&r);
            for (int i = 0; i < 2; i++) q[twin][i] = dal_q(r.s)[i], p[twin][i] = dal_p(r.s)[i];
            reaction[twin] = measure(&r, "pull");
            end(&r);
        }
        check_close(apart(q[0], q[1], 2), 0, 1e-12);
        check_close(apart(p[0], p[1], 2), 0, 1e-12);
        check_close(reaction[0], reaction[1], 1e-11);
    }
    remove_table();
}

/* Positions cannot jump. */
static void what_jumps_is_refused(void **state)
{
    (void)state;
    static const char *const bad[][2] = {{"0,0.2\n1,0.7\n1,0.9\n3,1\n", "u=%s"},
                                         {"0,0.2\n1,0.7\n3,1\n", "u=held(%s)"}};
    for (int k = 0; k < 2; k++) {
        const setting set[] = {
            {"step", "0.1"}, {"until", "2"}, {"input", table(bad[k][0], bad[k][1])}, {0}};
        run r = with_settings(set);
        assert_int_equal(try_text(&r, WINCH("1")), DAL_INVALID);
        end(&r);
        remove_table();
    }
    static const setting set[] = {{"step", "0.1"}, {"until", "2"}, {0}};
    run                  r = begin_text(WINCH("1"), set);
    assert_int_equal(dal_set_input(r.s, "u", 0.3), DAL_INVALID);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_masses_at_a_given_distance),
        cmocka_unit_test(a_ramp_is_a_function_of_time),
        cmocka_unit_test(what_jumps_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
