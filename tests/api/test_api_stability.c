/* test_api_stability.c - a step beyond the stability limit is said to be so before the run, one
 * below it is not: for systems whose fastest oscillation or strongest damping is known in closed
 * form. */
#include "api_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODEL(body) "system S {\n" body "\n}\n"
#define UNDAMPED "lagrangian x'^2/2 - k/2*x^2\n start x = 1\n"

static const char BEYOND[] = "step beyond the stability limit";

/* The first message with these words; its text is NULL if there is none. */
static dal_message find_message(const run *r, const char *words)
{
    for (size_t i = 0; i < dal_message_count(r->cx); i++)
        if (strstr(dal_message_at(r->cx, i).text, words)) return dal_message_at(r->cx, i);
    return (dal_message){0};
}

static const char *message_with(const run *r, const char *words)
{
    return find_message(r, words).text;
}

static run begin_at(const char *text, const char *scheme, double h)
{
    static char step[40];
    snprintf(step, sizeof step, "%.17g", h);
    return begin_text(
        text,
        (setting[]){{"scheme", scheme}, {"step", step}, {"steps", "1000"}, {"backend", "vm"}, {0}});
}

/* The number behind these words of the warning; 0: there is none. */
static double told(const char *text, const char *scheme, double h, const char *words)
{
    run         r = begin_at(text, scheme, h);
    const char *said = message_with(&r, BEYOND), *at = said ? strstr(said, words) : NULL;
    double      x = at ? strtod(at + strlen(words), NULL) : 0;
    if (said) assert_non_null(at);
    end(&r);
    return x;
}

typedef struct {
    const char *what, *text, *scheme;
    double      limit;  /* the longest step              */
    double      rate;   /* that the warning tells        */
    double      nearly; /* the part of the limit that is tried, and of the rate that is told */
} row;

static const char RATE[] = "the rate ", FREQUENCY[] = "angular frequency ";

static const row rows[] = {
    {"an oscillator", MODEL("parameter k = 1e6\n coordinate x\n" UNDAMPED), "trapezoid", 0.002,
     1000, 0.999},
    {"beside a force that depends on time",
     MODEL("parameter k = 1e6\n coordinate x\n" UNDAMPED "force x: 0.1*sin(t)"), "trapezoid", 0.002,
     1000, 0.999},
    {"a composition", MODEL("parameter k = 100\n coordinate x\n" UNDAMPED),
     "compose(trapezoid, yoshida(4))", 0.157340, 10, 0.99},
    {"Simpson's rule", MODEL("parameter k = 100\n coordinate x\n" UNDAMPED), "lobatto(3)",
     0.2828427, 10, 0.99},
    {"a damped oscillator, whose limit damping does not change",
     MODEL("parameter k = 100\n coordinate x\n" UNDAMPED "force x: -30*x'"), "trapezoid", 0.2, 10,
     0.99},
    {"a chain between walls: 2 sqrt(k/m) sin(N pi/(2 (N + 1)))",
     MODEL("parameter N = 30, k = 50, m = 2\n coordinate x[N]\n"
           "lagrangian sum(i in 1..N: m/2*x[i]'^2) - sum(i in 1..N-1: k/2*(x[i+1] - x[i])^2)"
           " - k/2*x[1]^2 - k/2*x[N]^2\n start x[3] = 1"),
     "trapezoid", 0.2 / 0.99871651, 9.9871651, 0.99},
    {"a chain of many",
     MODEL("parameter N = 100000\n coordinate x[N]\n"
           "lagrangian sum(i in 1..N: x[i]'^2/2) - sum(i in 1..N-1: (x[i+1] - x[i])^2/2)\n"
           "start x[3] = 1"),
     "trapezoid", 1, 2, 0.97},
    {"a membrane between walls: 2 sqrt(2) sin(N pi/(2 (N + 1)))",
     MODEL(
         "parameter N = 20\n coordinate u[N][N]\n"
         "lagrangian sum(i in 1..N: sum(j in 1..N: u[i][j]'^2/2))"
         " - sum(i in 1..N-1: sum(j in 1..N: (u[i+1][j] - u[i][j])^2/2))"
         " - sum(i in 1..N: sum(j in 1..N-1: (u[i][j+1] - u[i][j])^2/2))"
         " - sum(i in 1..N: (u[i][1]^2 + u[i][N]^2 + u[1][i]^2 + u[N][i]^2)/2)\n start u[3][4] = 1"),
     "trapezoid", 0.70909, 2.82050, 0.98},
    {"two pendulums by a stiff spring: sqrt(g/l + 2 k/m), inertia not diagonal",
     MODEL("coordinate a, s\n" /* s: of the second from the first */
           "lagrangian (a'^2 + (a' + s')^2)/2 - 5*s^2*1e4 - (a^2 + (a + s)^2)/2\n start s = 0.1"),
     "trapezoid", 2 / 447.21471, 447.21471, 0.99},
    {"a pendulum of rigid rods: sqrt(g/l)",
     MODEL("coordinate x, y\n lagrangian (x'^2 + y'^2)/2 - 9*y\n holonomic x^2 + y^2 = 0.25\n"
           "start y = -0.5"),
     "trapezoid", 2 / 4.2426407, 4.2426407, 0.99},
    {"the same, whose reactions act at the ends of a midpoint step, too",
     MODEL("coordinate x, y\n lagrangian (x'^2 + y'^2)/2 - 9*y\n holonomic x^2 + y^2 = 0.25\n"
           "start y = -0.5"),
     "midpoint", 2 / 4.2426407, 4.2426407, 0.99},
    {"a series circuit: 1/sqrt(L C)",
     MODEL("parameter L = 1e-3, C = 1e-9, R = 5\n coordinate q\n"
           "lagrangian L/2*q'^2 - q^2/(2*C)\n force q: -R*q'\n start q = 1e-6"),
     "rectangle(0)", 2e-6, 1e6, 0.99},
    {"a Hamiltonian: sqrt(H_xx H_pp)",
     MODEL("coordinate x\n hamiltonian sqrt(1 + p(x)^2) + 50*x^2\n start x = 0.001"), "trapezoid",
     0.2, 10, 0.99},
    {"stiff damping", MODEL("coordinate x\n lagrangian x'^2/2\n force x: -1e4*x'\n start x' = 1"),
     "radau(2)", 6e-4, 1e4, 0.99},
    {"and its mirror image",
     MODEL("coordinate x\n lagrangian x'^2/2\n force x: -50*x'\n start x' = 1"), "rectangle(1)",
     0.04, 50, 0.99},
};
enum { ROWS = sizeof rows / sizeof *rows };

static void a_step_beyond_the_limit_is_warned_of_and_no_other(void **state)
{
    (void)state;
    for (int k = 0; k < ROWS; k++) {
        const row   *x = &rows[k];
        const char  *words = strstr(x->text, "lagrangian x'^2/2\n") ? RATE : FREQUENCY;
        const double above = told(x->text, x->scheme, x->limit / x->nearly, words);
        const double below = told(x->text, x->scheme, x->limit * x->nearly, words);
        if (!(above > x->nearly * x->rate && above < 1.001 * x->rate) || below != 0)
            fail_msg("%s: %g and %g instead of %g and 0", x->what, above, below, x->rate);
    }
}

/* x'' = B y' - x, y'' = -B x' - y: central differences oscillate while
 *     h^2 <= 2 (1 + sqrt(1 + B^2 h^2/4)),    for B = 4: h^2 <= 20, not 4. */
static void gyroscopic_forces_are_seen_together_with_all_others(void **state)
{
    (void)state;
    static const char GYRO[] =
        MODEL("coordinate x, y\n"
              "lagrangian (x'^2 + y'^2)/2 + 2*(x*y' - y*x') - (x^2 + y^2)/2\n"
              "start x = 1");
    assert_true(told(GYRO, "trapezoid", sqrt(20) * 0.99, "factor of ") == 0);
    assert_true(told(GYRO, "trapezoid", sqrt(20) * 1.01, "factor of ") > 1.001);
}

/* Both oscillate with frequency 1, however strongly the first pushes the second. */
static void forces_that_are_not_mutual_are_no_stiffness(void **state)
{
    (void)state;
    static const char ONE_WAY[] = MODEL("coordinate x, y\n"
                                        "lagrangian (x'^2 + y'^2)/2 - (x^2 + y^2)/2\n"
                                        "force y: 1e6*x\n start x = 1");
    assert_true(told(ONE_WAY, "trapezoid", 1.99, "factor of ") == 0);
    assert_true(told(ONE_WAY, "trapezoid", 2.01, "factor of ") > 1.001);
}

/* What runs away by itself, a wall that is left at once, and schemes without a limit. */
static void what_is_no_instability_of_the_step_is_not_warned_of(void **state)
{
    (void)state;
    static const struct {
        const char *text, *scheme;
        double      h;
    } quiet[] = {
        {MODEL("coordinate x\n lagrangian x'^2/2 + 50*x^2\n start x = 1e-9"), "trapezoid", 1},
        {MODEL("coordinate x\n lagrangian x'^2/2 - x^4/4\n start x = 1.27"), "trapezoid", 1},
        {MODEL("coordinate x, y\n lagrangian (x'^2 + y'^2)/2 + 1/sqrt(x^2 + y^2)\n"
               "start x = 1, y' = 1"),
         "trapezoid", 0.3},
        {MODEL("parameter k = 1e6\n coordinate x\n" UNDAMPED), "gauss(2)", 1},
        {MODEL("coordinate x\n lagrangian x'^2/2\n force x: -1e4*x'\n start x' = 1"),
         "radau_left(2)", 1},
        {MODEL("coordinate x\n lagrangian x'^2/2\n start x' = 1"), "trapezoid", 100},
    };
    for (size_t k = 0; k < sizeof quiet / sizeof *quiet; k++) {
        run r = begin_at(quiet[k].text, quiet[k].scheme, quiet[k].h);
        assert_int_equal(dal_message_count(r.cx), 0);
        end(&r);
    }
}

/* (1 - z/2)/(1 + z/2) with z = h c = 100 */
static void damping_that_rings_is_noted(void **state)
{
    (void)state;
    static const char STIFF[] =
        MODEL("coordinate x\n lagrangian x'^2/2 - x^2/2\n force x: -1e4*x'\n start x = 1");
    static const char *const ringing[] = {"trapezoid", "midpoint"}, *const quiet = "rectangle(0)";
    for (int k = 0; k < 2; k++) {
        run r = begin_at(STIFF, ringing[k], 0.01);
        assert_non_null(message_with(&r, "multiplies it by -0.961"));
        assert_null(message_with(&r, BEYOND));
        end(&r);
    }
    run r = begin_at(STIFF, quiet, 0.01);
    assert_int_equal(dal_message_count(r.cx), 0);
    end(&r);
}

/* Whatever else is said of the number that overflowed. */
static void a_run_that_overflows_names_the_limit(void **state)
{
    (void)state;
    run r = begin_at(MODEL("parameter k = 1e6\n coordinate x\n" UNDAMPED), "trapezoid", 0.003);
    assert_int_equal(dal_run(r.s, NULL), DAL_DIVERGED);
    const dal_message last = find_message(&r, "the energy is not finite");
    assert_non_null(last.text);
    assert_non_null(strstr(last.hint, BEYOND));
    assert_null(strstr(last.hint, "left the region"));
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_beyond_the_limit_is_warned_of_and_no_other),
        cmocka_unit_test(gyroscopic_forces_are_seen_together_with_all_others),
        cmocka_unit_test(forces_that_are_not_mutual_are_no_stiffness),
        cmocka_unit_test(what_is_no_instability_of_the_step_is_not_warned_of),
        cmocka_unit_test(damping_that_rings_is_noted),
        cmocka_unit_test(a_run_that_overflows_names_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
