/* test_pace_orders.c - steps that follow a pace keep the order of their scheme: canonical, plain
 * and by their density, with forces, time, moving holonomic and affine nonholonomic relations, in
 * both directions of time. Exact solutions come from equations of motion that were derived by hand,
 * in other variables where there are relations, by an extrapolation code. */
#include "../api_run.h"
#include "extrapolation.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    const char *text, *pace;
    const char *columns[4]; /* that are compared, as far as they are given */
    void (*rates)(const void *self, real t, const real *y, real *dy);
    void (*seen)(real t, const real *y, double *out); /* NULL: y itself */
    int    size;
    double start[5], c[2];
} problem;

/* (1 + y^2) x'^2/2 + y'^2/2 + 0.4 x^2 y' - (x^2 + y^2)/2 (1 + c sin t) - x^4/4, c[1]: forces */
static void two_rates(const void *self, real t, const real *y, real *dy)
{
    const double *c = self;
    const real    k = 1 + c[0] * sinl(t), m = 1 + y[1] * y[1];
    dy[0] = y[2], dy[1] = y[3];
    dy[2] = (0.8L * y[0] * y[3] - y[0] * k - y[0] * y[0] * y[0] - 2 * y[1] * y[3] * y[2] -
             0.2L * c[1] * y[2] * m) /
            m;
    dy[3] = y[1] * y[2] * y[2] - 0.8L * y[0] * y[2] - y[1] * k +
            c[1] * (0.3L * cosl(2 * t) - 0.2L * y[3]);
}

/* A pendulum on a pivot at 0.2 sin t, by its angle; c[1]: damping of x and y */
static void angle_rates(const void *self, real t, const real *y, real *dy)
{
    const double *c = self;
    dy[0] = y[1];
    dy[1] = -sinl(y[0]) + 0.2L * sinl(t) * cosl(y[0]) -
            c[1] * 0.3L * (y[1] + 0.2L * cosl(t) * cosl(y[0]));
}

static void seen_in_plane(real t, const real *y, double *out)
{
    out[0] = (double)(0.2L * sinl(t) + sinl(y[0])), out[1] = (double)-cosl(y[0]);
    out[2] = (double)(0.2L * cosl(t) + cosl(y[0]) * y[1]), out[3] = (double)(sinl(y[0]) * y[1]);
}

/* A sleigh whose edge slips sideways by b = 0.2 + 0.1 x sin t; y = (x, y, a, u, a'), u along the
 * edge */
static void sleigh_rates(const void *self, real t, const real *y, real *dy)
{
    (void)self;
    const real co = cosl(y[2]), si = sinl(y[2]), b = 0.2L + 0.1L * y[0] * sinl(t);
    const real vx = y[3] * co - b * si, vy = y[3] * si + b * co;
    dy[0] = vx, dy[1] = vy, dy[2] = y[4];
    dy[3] = (-1.5L - 0.2L * vx) * co - 0.2L * vy * si + b * y[4];
    dy[4] = (-0.1L * y[4] + 0.5L * cosl(2 * t)) / 0.4L;
}

static void seen_sleigh(real t, const real *y, double *out)
{
    (void)t;
    out[0] = (double)y[0], out[1] = (double)y[1], out[2] = (double)y[2], out[3] = (double)y[4];
}

#define TWO(k, f)                                                                                  \
    "system Two {\n  coordinate x, y\n  lagrangian (1 + y^2)*x'^2/2 + y'^2/2 + 0.4*x^2*y' - "      \
    "(x^2 + y^2)/2*" k " - x^4/4\n" f                                                              \
    "  output u = x', w = y'\n  start x = 0.7, y = 0.2, x' = 0.3, y' = -0.4\n}\n"
#define FORCES "  force x: -0.2*x'*(1 + y^2)\n  force y: 0.3*cos(2*t) - 0.2*y'\n"
#define PENDULUM(f)                                                                                \
    "system Pendulum {\n  coordinate x, y\n  lagrangian (x'^2 + y'^2)/2 - y\n" f                   \
    "  holonomic (x - 0.2*sin(t))^2 + y^2 = 1\n  output u = x', w = y'\n"                          \
    "  start x = sin(0.9), y = -cos(0.9), x' = 0.2 + 0.3*cos(0.9), y' = 0.3*sin(0.9)\n}\n"

static const problem
    autonomous = {TWO("1", ""),
                  "(1 + x^2 + y^2/2)/2",
                  {"x", "y", "u", "w"},
                  two_rates,
                  NULL,
                  4,
                  {0.7, 0.2, 0.3, -0.4},
                  {0, 0}},
    timed = {TWO("(1 + 0.3*sin(t))", ""),
             "(1 + x^2 + y^2/2)*(1 + 0.3*sin(t))/2",
             {"x", "y", "u", "w"},
             two_rates,
             NULL,
             4,
             {0.7, 0.2, 0.3, -0.4},
             {0.3, 0}},
    forced = {TWO("(1 + 0.3*sin(t))", FORCES),
              "(1 + x^2 + y^2/2)*(1 + 0.3*sin(t))/2",
              {"x", "y", "u", "w"},
              two_rates,
              NULL,
              4,
              {0.7, 0.2, 0.3, -0.4},
              {0.3, 1}},
    by_speed = {TWO("(1 + 0.3*sin(t))", FORCES),
                "1/sqrt(1 + x'^2 + y'^2)",
                {"x", "y", "u", "w"},
                two_rates,
                NULL,
                4,
                {0.7, 0.2, 0.3, -0.4},
                {0.3, 1}},
    pivoted = {PENDULUM(""),         "(1 + x^2/2)*(1 + 0.3*sin(t))",
               {"x", "y", "u", "w"}, angle_rates,
               seen_in_plane,        2,
               {0.9, 0.3},           {0, 0}},
    damped = {PENDULUM("  force x: -0.3*x'\n  force y: -0.3*y'\n"),
              "(1 + x^2/2)*(1 + 0.3*sin(t))",
              {"x", "y", "u", "w"},
              angle_rates,
              seen_in_plane,
              2,
              {0.9, 0.3},
              {0, 1}},
    sleigh = {"system Sleigh {\n  coordinate x, y, a\n"
              "  lagrangian (x'^2 + y'^2)/2 + 0.2*a'^2 - 1.5*x\n"
              "  force x: -0.2*x'\n  force y: -0.2*y'\n  force a: -0.1*a' + 0.5*cos(2*t)\n"
              "  constraint -sin(a)*x' + cos(a)*y' = 0.2 + 0.1*x*sin(t)\n  output w = a'\n"
              "  start a = 0.5, a' = 0.6, x' = 0.8*cos(0.5) - 0.2*sin(0.5), "
              "y' = 0.8*sin(0.5) + 0.2*cos(0.5)\n}\n",
              "(1 + 0.4*y^2 + 0.3*cos(a))*(1 + 0.3*sin(t))",
              {"x", "y", "a", "w"},
              sleigh_rates,
              seen_sleigh,
              5,
              {0, 0, 0.5, 0.8, 0.6},
              {0, 0}};

static void solve_exactly(const problem *of, double until, double *out)
{
    real y[5];
    for (int i = 0; i < of->size; i++) y[i] = of->start[i];
    extrapolate(of->rates, of->c, of->size, 0, until, 12, y);
    if (of->seen) of->seen(until, y, out);
    for (int i = 0; !of->seen && i < of->size; i++) out[i] = (double)y[i];
}

static double error_of(const problem *of, const char *scheme, const char *pacing, double step,
                       double until)
{
    char words[2][40];
    snprintf(words[0], sizeof words[0], "%.17g", step);
    snprintf(words[1], sizeof words[1], "%.17g", until);
    const setting set[] = {{"scheme", scheme}, {"pace", of->pace},  {"pacing", pacing},
                           {"step", words[0]}, {"until", words[1]}, {0}};
    run           r = begin_text(of->text, set);
    double        exact[4], found[4];
    solve_exactly(of, until, exact);
    run_to_end(&r);
    assert_true(dal_time(r.s) == until);
    if (pacing) assert_string_equal(dal_summarise(r.s)->pacing, pacing);
    for (int i = 0; i < 4; i++) found[i] = measure(&r, of->columns[i]);
    end(&r);
    return apart(exact, found, 4);
}

typedef struct {
    const char *scheme;
    double      order, step;
} claim;

static void has_order(const problem *of, const char *name, const char *pacing, const claim *as,
                      double until)
{
    const double e[3] = {error_of(of, as->scheme, pacing, as->step, until),
                         error_of(of, as->scheme, pacing, as->step / 2, until),
                         error_of(of, as->scheme, pacing, as->step / 4, until)};
    const double order = log2(e[0] / e[2]) / 2;
    if (!(order > as->order - 0.2))
        fail_msg("%s, %s, %s: order %.2f (%.1e, %.1e, %.1e)", name, pacing, as->scheme, order, e[0],
                 e[1], e[2]);
}

static const claim gauss[] = {{"midpoint", 2, 0.1}, {"gauss(2)", 4, 0.2}, {"gauss(3)", 6, 0.3}},
                   lobatto[] = {{"trapezoid", 2, 0.1},
                                {"lobatto(3)", 4, 0.2},
                                {"lobatto(4)", 6, 0.3}},
                   others[] = {{"polynomial(2) with gauss(3)", 4, 0.2},
                               {"polynomial(2) with lobatto(4)", 4, 0.2},
                               {"radau(2)", 3, 0.1},
                               {"radau(3)", 4, 0.2},
                               {"compose(midpoint, yoshida(4))", 4, 0.1},
                               {"compose(gauss(2), yoshida(6))", 6, 0.25}},
                   shot[] = {{"shooting(dopri5) with gauss(2)", 4, 0.2}};

#define ALL(of, name, pacing, list, until)                                                         \
    for (size_t i_ = 0; i_ < sizeof list / sizeof *list; i_++)                                     \
    has_order(of, name, pacing, &list[i_], until)

static void canonical(void **state)
{
    (void)state;
    ALL(&autonomous, "autonomous", "canonical", gauss, 2);
    ALL(&autonomous, "autonomous", "canonical", lobatto, 2);
    ALL(&autonomous, "autonomous", "canonical", others, 2);
    ALL(&autonomous, "backward", "canonical", gauss, -2);
    ALL(&timed, "timed", "canonical", gauss, 2);
    ALL(&pivoted, "pivoted", "canonical", gauss, 2);
    ALL(&forced, "forced", "canonical", gauss, 2);
    ALL(&damped, "damped", "canonical", gauss, 2);
    ALL(&sleigh, "sleigh", "canonical", gauss, 2);
}

static void plain(void **state)
{
    (void)state;
    ALL(&autonomous, "autonomous", "plain", gauss, 2);
    ALL(&autonomous, "autonomous", "plain", lobatto, 2);
    ALL(&timed, "timed", "plain", gauss, 2);
    ALL(&timed, "timed", "plain", lobatto, 2);
    ALL(&forced, "forced", "plain", gauss, 2);
    ALL(&forced, "forced", "plain", lobatto, 2);
    ALL(&forced, "backward", "plain", gauss, -1.5);
    ALL(&damped, "damped", "plain", gauss, 2);
    ALL(&damped, "damped", "plain", lobatto, 2);
    ALL(&sleigh, "sleigh", "plain", gauss, 2);
    ALL(&sleigh, "sleigh", "plain", lobatto, 2);
}

static void density(void **state)
{
    (void)state;
    ALL(&forced, "forced", "density", gauss, 2);
    ALL(&forced, "forced", "density", lobatto, 2);
    ALL(&forced, "forced", "density", others, 2);
    ALL(&forced, "forced", "density", shot, 2);
    ALL(&forced, "backward", "density", gauss, -1.5);
    ALL(&by_speed, "by speed", "density", gauss, 2);
    ALL(&damped, "damped", "density", gauss, 2);
    ALL(&damped, "damped", "density", lobatto, 2);
    ALL(&sleigh, "sleigh", "density", gauss, 2);
    ALL(&sleigh, "sleigh", "density", lobatto, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(canonical), cmocka_unit_test(plain),
                                       cmocka_unit_test(density)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
