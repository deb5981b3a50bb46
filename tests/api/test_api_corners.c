/* Jumps and kinks in time: the order that is left is announced, and it is the one that errors
 * against closed solutions show. */
#include "api_run.h"

static const double C = 1.0 / 3, END = 2; /* c/h is never whole, for h = 0.1/2^k */

#define MODEL(force)                                                                               \
    "system Driven {\n  parameter c = 1/3\n  coordinate x\n  input u = 0\n"                        \
    "  lagrangian x'^2/2 - x^2/2\n  " force "\n  start x = 1\n}\n"

/* x'' + x = f(t) from x = 1 at rest:   x = cos t + integral of sin(t - s) f(s) */
static double step_up(double t)
{
    return t > C ? 1 - cos(t - C) : 0;
}
static double ramp(double t)
{
    return t > C ? t - C - sin(t - C) : 0;
}
static double parabola(double t)
{
    return t > C ? (t - C) * (t - C) - 2 + 2 * cos(t - C) : 0;
}
static double smooth(double t)
{
    return (sin(t) - t * cos(t)) / 2;
}

typedef struct {
    const char *model;
    double (*answer)(double t);
    int order; /* that is left of 4; 4: all of it */
} driven;

static const driven all[] = {
    {MODEL("force x: if(t < c, 0, 1)"), step_up, 1},
    {MODEL("force x: (1 + sign(t - c))/2"), step_up, 1},
    {MODEL("force x: floor(1 + (t - c)/3)"), step_up, 1},
    {MODEL("force x: max(t - c, 0)"), ramp, 2},
    {MODEL("force x: (t - c + abs(t - c))/2"), ramp, 2},
    {MODEL("force x: if(t < c, 0, t - c)"), ramp, 2},
    {MODEL("force x: max(t - c, 0)^2"), parabola, 3},
    {MODEL("force x: sin(t)"), smooth, 4},
};

static double error_of(const driven *d, const char *step, int *announced)
{
    const setting set[] = {
        {"scheme", "gauss(2)"}, {"step", step}, {"until", "2"}, {"switches", "free"}, {0}};
    run r = begin_text(d->model, set);
    run_to_end(&r);
    const dal_summary *sum = dal_summarise(r.s);
    *announced = sum->is_reduced ? sum->reduced_order : sum->order;
    const double error = fabs(dal_q(r.s)[0] - cos(END) - d->answer(END));
    end(&r);
    return error;
}

static void the_order_that_is_left_is_announced(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        int          announced[2];
        const double coarse = error_of(&all[k], "0.025", &announced[0]);
        const double fine = error_of(&all[k], "0.0015625", &announced[1]);
        assert_int_equal(announced[0], all[k].order);
        assert_int_equal(announced[1], all[k].order);
        check_close(log2(coarse / fine) / 4, all[k].order, 0.15);
    }
}

/* What the summary says of a force with its corner at `at`. */
static int order_with(const char *model, const char *scheme, const char *c)
{
    const setting      set[] = {{"scheme", scheme}, {"step", "0.1"},      {"until", "2"},
                                {"set", c},         {"switches", "free"}, {0}};
    run           r = begin_text(model, set);
    const dal_summary *sum = dal_summarise(r.s);
    const int          order = sum->is_reduced ? sum->reduced_order : sum->order;
    assert_int_equal(sum->reduced_by != NULL, sum->is_reduced);
    end(&r);
    return order;
}

/* Between two steps a kink does no harm, and a jump only to rules with points there. */
static void corners_between_steps_are_harmless(void **state)
{
    (void)state;
    static const char jump[] = MODEL("force x: if(t < c, 0, x)"),
                      bend[] = MODEL("force x: max(t - c, 0)"), saw[] = MODEL("force x: mod(t, c)"),
                      mass[] = MODEL("lagrangian if(t < c, 0, 1)*x'^2/2");
    assert_int_equal(order_with(jump, "gauss(2)", "c=0.5"), 4);
    assert_int_equal(order_with(jump, "gauss(2)", "c=0.52"), 1);
    assert_int_equal(order_with(jump, "lobatto(3)", "c=0.5"), 1);
    assert_int_equal(order_with(jump, "radau(2)", "c=0.5"), 1);
    assert_int_equal(order_with(mass, "gauss(2)", "c=0.5"), 4);
    assert_int_equal(order_with(mass, "lobatto(3)", "c=0.5"), 1);
    assert_int_equal(order_with(bend, "lobatto(3)", "c=0.5"), 4);
    assert_int_equal(order_with(bend, "lobatto(3)", "c=0.52"), 2);
    assert_int_equal(order_with(bend, "midpoint", "c=0.52"), 2);
    assert_int_equal(order_with(saw, "gauss(2)", "c=0.3"), 4);
    assert_int_equal(order_with(saw, "gauss(2)", "c=0.31"), 1);
    assert_int_equal(order_with(saw, "gauss(2)", "c=7"), 4); /* beyond the end */
    assert_int_equal(order_with(jump, "compose(midpoint, yoshida(4))", "c=0.5"), 4);
    assert_int_equal(order_with(jump, "compose(trapezoid, suzuki(4))", "c=0.5"), 1);
}

/* Functions that are smooth but for an edge or a branch, and others that come close to none. */
static void corners_of_smooth_functions(void **state)
{
    (void)state;
    static const struct {
        const char *model;
        int         order;
    } of[] = {
        {MODEL("force x: asin(sin(3*t))"), 2},
        {MODEL("force x: acos(cos(3*t))"), 2},
        {MODEL("force x: sqrt(sin(3*t)^2)"), 2},
        {MODEL("force x: (1 - cos(6*t))^0.5"), 2},
        {MODEL("force x: atan(tan(3*t))"), 1},
        {MODEL("force x: atan2(sin(3*t), cos(3*t))"), 1},
        {MODEL("force x: asin(0.9*sin(3*t)) + atan2(sin(3*t), 2) + tan(sin(3*t))"), 4},
        {MODEL("force x: sqrt(0.01 + sin(3*t)^2) + sin(3*t)^3"), 4},
        {MODEL("force x: max(sin(3*t), 0)^3"), 4},
        {MODEL("force x: max(sin(3*t), 0)^2"), 3},
    };
    for (size_t k = 0; k < sizeof of / sizeof *of; k++)
        assert_int_equal(order_with(of[k].model, "gauss(2)", "c=0.5"), of[k].order);
}

/* Relations hold over steps: lobatto(3) keeps its order where they have a corner between two. */
static void corners_of_relations(void **state)
{
    (void)state;
    static const char length[] =
        "system Rope {\n  parameter c = 0.5\n  coordinate x, y\n"
        "  lagrangian (x'^2 + y'^2)/2 - 9.81*y\n"
        "  holonomic x^2 + y^2 = (1 + max(t - c, 0))^2\n  start x = 1\n}\n",
                      signal[] = "system Signal {\n  parameter c = 0.5\n  coordinate x, z\n"
                                 "  lagrangian x'^2/2 - x^2/2\n"
                                 "  constraint z' = if(t < c, x, 2*x)\n  start x = 1\n}\n";
    assert_int_equal(order_with(length, "lobatto(3)", "c=0.5"), 4);
    assert_int_equal(order_with(length, "lobatto(3)", "c=0.52"), 2);
    assert_int_equal(order_with(signal, "lobatto(3)", "c=0.5"), 4);
    assert_int_equal(order_with(signal, "lobatto(3)", "c=0.52"), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_that_is_left_is_announced),
        cmocka_unit_test(corners_between_steps_are_harmless),
        cmocka_unit_test(corners_of_smooth_functions),
        cmocka_unit_test(corners_of_relations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
