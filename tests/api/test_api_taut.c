/* test_api_taut.c - ropes of rigid links: how short their steps must be follows from their tension,
 * and a step that fails says so. */
#include "api_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Hangs askew: its tension grows to N m g at the top, where its points swing at up to
 * 2 sqrt(N g/l). */
static const char ROPE[] =
    "system Rope {\n"
    "  parameter N = 60, m = 2, g = 10, l = 0.1\n"
    "  coordinate x[N], y[N]\n"
    "  lagrangian sum(k in 1..N: m/2*(x[k]'^2 + y[k]'^2) - m*g*y[k])\n"
    "  holonomic top: x[1]^2 + y[1]^2 = l^2\n"
    "  holonomic rod[k in 2..N]: (x[k] - x[k-1])^2 + (y[k] - y[k-1])^2 = l^2\n"
    "  for k in 1..N { start x[k] = l*k*sin(0.3), y[k] = -l*k*cos(0.3) }\n"
    "}\n";
enum { N = 60 };

/* Begins at rest and sideways: nothing pulls at the rod. */
static const char SLACK[] = "system Pendulum {\n"
                            "  coordinate x, y\n"
                            "  lagrangian (x'^2 + y'^2)/2 - 9.81*y\n"
                            "  holonomic x^2 + y^2 = 1\n"
                            "  start x = 1\n"
                            "}\n";

typedef struct {
    const char *scheme;
    double      bound;   /* step times rate */
    double      longest; /* substep         */
} row;
static const row rows[] = {
    {"midpoint", 2, 1},
    {"trapezoid", 2, 1},
    {"gauss(2)", 2.83, 1},
    {"compose(midpoint, suzuki(4))", 2, 0.658},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* How many of 300 steps are made; message: what was said of the one that was not. */
static int steps_made(const char *text, const char *scheme, double h, char *message, size_t size)
{
    char step[40];
    int  made = 0;
    snprintf(step, sizeof step, "%.17g", h);
    run r = begin_text(
        text,
        (setting[]){{"scheme", scheme}, {"step", step}, {"steps", "300"}, {"backend", "vm"}, {0}});
    while (made < 300 && !dal_step(r.s)) made++;
    snprintf(message, size, "%s",
             made < 300 ? dal_message_at(r.cx, dal_message_count(r.cx) - 1).text : "");
    end(&r);
    return made;
}

static double taut_rate(void)
{
    return 2 * sqrt(N * 10 / 0.1);
}

static void steps_are_made_up_to_the_bound(void **state)
{
    (void)state;
    char message[2000];
    for (int k = 0; k < ROWS; k++) {
        const double bound = rows[k].bound / rows[k].longest / taut_rate();
        assert_int_equal(steps_made(ROPE, rows[k].scheme, 0.9 * bound, message, sizeof message),
                         300);
    }
}

static void a_step_that_is_too_long_is_told_one_that_is_not(void **state)
{
    (void)state;
    char message[2000];
    for (int k = 0; k < ROWS; k++) {
        const double bound = rows[k].bound / rows[k].longest / taut_rate(), h = 1.5 * bound;
        assert_in_range(steps_made(ROPE, rows[k].scheme, h, message, sizeof message), 0, 299);
        const char *said = strstr(message, "the constraint forces make the system oscillate");
        assert_non_null(said);
        const char *advice = strstr(said, "try a step of ");
        assert_non_null(advice);
        const double better = strtod(advice + strlen("try a step of "), NULL);
        assert_true(better > 0.3 * bound && better < h);
        assert_non_null(strstr(said, rows[k].longest < 1 ? "longest substep" : "while the step"));
    }
}

static void slack_relations_are_not_blamed(void **state)
{
    (void)state;
    char message[2000];
    assert_int_equal(steps_made(SLACK, "lobatto(3)", 3, message, sizeof message), 0);
    assert_non_null(strstr(message, "try a smaller step"));
    assert_null(strstr(message, "swing"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_made_up_to_the_bound),
        cmocka_unit_test(a_step_that_is_too_long_is_told_one_that_is_not),
        cmocka_unit_test(slack_relations_are_not_blamed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
