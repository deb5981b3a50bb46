/* The energy principle with Hamiltonians, relations and work along the curve: against Lagrangian
 * twins, an independent implementation, and formulas. */
#include "energy_run.h"

#include <float.h>

/* t, q, h after so many steps. */
typedef struct {
    double t, q, h;
} ending;

static ending after(const char *model, const char *scheme, double h, int steps, const setting *more)
{
    run b = open_model(model, scheme, h);
    for (; more && more->key; more++)
        assert_int_equal(dal_options_set(b.o, more->key, more->value), DAL_OK);
    start(&b);
    for (int k = 0; k < steps; k++) must(&b, dal_step(b.s));
    const ending e = {dal_time(b.s), dal_q(b.s)[0], measured(b.s, "h")};
    check_below(dal_summarise(b.s)->balance_error, 1e-14);
    end(&b);
    return e;
}

static void agree(ending a, ending b, double tolerance)
{
    check_close(a.t, b.t, tolerance);
    check_close(a.q, b.q, tolerance);
    check_close(a.h, b.h, tolerance);
}

static void hamiltonians_step_as_their_lagrangians_do(void **state)
{
    (void)state;
    static const char *const H[] = {
        "system H {\n  coordinate q\n  hamiltonian (q^2 + 1)*p(q)^2/2 + 4*q^2 + q^4\n"
        "  start q = 0.5, p(q) = 0.4\n}\n",
        "system H {\n  coordinate q\n  hamiltonian (q^2 + 1)*p(q)^2/2 + 4*q^2 + q^4 + 0.1*q*sin(t)\n"
        "  force q: 0.1*cos(t) - 0.05*p(q)*(q^2 + 1)\n  start q = 0.5, p(q) = 0.4\n}\n"};
    static const char *const L[] = {
        "system L {\n  coordinate q\n  lagrangian q'^2/(2*(q^2 + 1)) - 4*q^2 - q^4\n"
        "  start q = 0.5, p(q) = 0.4\n}\n",
        "system L {\n  coordinate q\n  lagrangian q'^2/(2*(q^2 + 1)) - 4*q^2 - q^4 - 0.1*q*sin(t)\n"
        "  force q: 0.1*cos(t) - 0.05*q'\n  start q = 0.5, p(q) = 0.4\n}\n"};
    for (int k = 0; k < 2; k++) {
        agree(after(H[k], "midpoint", 0.1, 30, NULL), after(L[k], "midpoint", 0.1, 30, NULL),
              1e-11);
        agree(after(H[k], "gauss(2)", 0.2, 5, NULL), after(L[k], "gauss(2)", 0.2, 5, NULL), 1e-9);
    }
}

/* Work along the curve makes V the same in L and in f. Values and conditions are those of an
 * independent implementation. */
static const char *const shared_well = "system Well {\n"
                                       "  parameter alpha = 0\n"
                                       "  coordinate q\n"
                                       "  lagrangian q'^2/2 - (1 - alpha)*(q^4 - q^2)/2\n"
                                       "  force q: -alpha*(2*q^3 - q)\n"
                                       "}\n";

static void lines_make_forces_and_potentials_the_same(void **state)
{
    (void)state;
    static const struct {
        const char *scheme, *start;
        double      h;
        ending      want;
        double      condition;
    } rows[] = {
        {"midpoint",
         "q=0.74",
         0.1,
         {3.1211485233242335, 0.6951903337586989, 0.10507200847279644},
         9e4},
        {"midpoint",
         "q=0.995",
         0.1,
         {6.6160346152231195, 0.842402830896404, 0.10993267446638488},
         2e3},
        {"gauss(2)",
         "q=0.9",
         0.2,
         {8.322961102776361, 0.5779273739036045, 0.2728855270701028},
         6e5},
    };
    static const char *const alpha[] = {"alpha=0", "alpha=0.3", "alpha=1"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int k = 0; k < 3; k++) {
            const setting more[] = {
                {"power", "lines"}, {"set", alpha[k]}, {"start", rows[i].start}, {0}};
            agree(after(shared_well, rows[i].scheme, rows[i].h, 30, more), rows[i].want,
                  200 * sqrt(30) * DBL_EPSILON * rows[i].condition);
        }
    /* at the nodes they are not: this one ends */
    run b = open_model(shared_well, "midpoint", 0.1);
    set(&b, "set", "alpha=%g", 1), set(&b, "start", "q=%g", 0.74), set(&b, "steps", "%g", 30);
    start(&b);
    assert_int_equal(dal_run(b.s, NULL), DAL_BREAKDOWN);
    end(&b);
}

static const char *const rod = "system Rod {\n"
                               "  coordinate x, y\n"
                               "  lagrangian (x'^2 + y'^2)/2 - y\n"
                               "  holonomic length: x^2 + y^2 = 1\n"
                               "  start x = sin(1.2), y = -cos(1.2)\n"
                               "}\n";

/* A reaction counts like a force: e = (1 - lambda^2)/24 is 0 at 3 cos(theta) = 1 + 2 cos(1.2),
 * which the angle reaches at t = 0.727. */
static void reactions_end_it_where_theory_says(void **state)
{
    (void)state;
    static const double steps[] = {0.1, 0.05}, last[] = {0.655, 0.658};
    for (int k = 0; k < 2; k++) {
        run b = open_model(rod, "midpoint", steps[k]);
        set(&b, "until", "%g", 5);
        start(&b);
        assert_int_equal(dal_run(b.s, NULL), DAL_BREAKDOWN);
        const dal_summary *sum = dal_summarise(b.s);
        check_close(dal_time(b.s), last[k], 1e-3);
        check_below(sum->balance_error, 1e-14);
        check_below(sum->constraint_residual, 1e-15);
        end(&b);
    }
}

/* A stiffer potential keeps e above 0. */
static void rods_go_on_where_the_potential_is_stiff(void **state)
{
    (void)state;
    static const char *const model =
        "system Rod {\n  coordinate x, y\n"
        "  lagrangian (x'^2 + y'^2)/2 - y - 5*(x^2 + 2*y^2)/2\n"
        "  holonomic length: x^2 + y^2 = 1\n  start x = sin(1.2), y = -cos(1.2)\n}\n";
    run b = open_model(model, "midpoint", 0.05);
    set(&b, "until", "%g", 5);
    start(&b);
    must(&b, dal_run(b.s, NULL));
    const dal_summary *sum = dal_summarise(b.s);
    check_below(sum->balance_error, 1e-13);
    check_below(sum->constraint_residual, 1e-15);
    assert_true(sum->length.max > 1.01 * sum->length.min);
    end(&b);
}

static void knife_edges_keep_it(void **state)
{
    (void)state;
    static const char *const model =
        "system Sleigh {\n  coordinate x, y, a\n"
        "  lagrangian (x'^2 + y'^2 + a'^2)/2 - (x^2 + 2*y^2 + cos(a))/2\n"
        "  constraint edge: sin(a)*x' - cos(a)*y' = 0\n"
        "  start x = 0.7, y = 0.2, a = 0.4, x' = 0.5*cos(0.4), y' = 0.5*sin(0.4), a' = 0.3\n}\n";
    static const char *const schemes[] = {"midpoint", "gauss(2)"};
    for (int k = 0; k < 2; k++) {
        run b = open_model(model, schemes[k], 0.05);
        for (start(&b); dal_time(b.s) < 0.5;) must(&b, dal_step(b.s));
        check_below(dal_summarise(b.s)->balance_error, 1e-14);
        end(&b);
    }
}

/* A relation that moves does work: the same motion with x = 0.3 t put into L has the same steps,
 * S being that of the other up to a constant. */
static void moving_relations_step_as_time_in_L_does(void **state)
{
    (void)state;
    static const char *const moved =
        "system Moved {\n  coordinate y, x\n"
        "  lagrangian y'^2/2 + 2*x'^2/2 - (y - x)^4/4 - (y - x)^2/2\n"
        "  holonomic wagon: x = 0.3*t\n  start y = 0.8, x = 0, x' = 0.3\n}\n";
    static const char *const reduced =
        "system Reduced {\n  coordinate y\n"
        "  lagrangian y'^2/2 - (y - 0.3*t)^4/4 - (y - 0.3*t)^2/2\n  start y = 0.8\n}\n";
    static const setting kept[] = {{"interconnection", "multipliers"}, {0}};
    agree(after(moved, "midpoint", 0.1, 20, kept), after(reduced, "midpoint", 0.1, 20, NULL),
          1e-10);
    agree(after(moved, "gauss(2)", 0.3, 8, kept), after(reduced, "gauss(2)", 0.3, 8, NULL), 1e-8);
}

/* Its own unknowns: F(v, h) = v + h V'(q + v h/2)/2 - p,  G(v, h) = v^2/2 + V(q + v h/2) - E, at
 * the second step of a well. Condition of a 2 x 2 matrix by its invariants. */
static void the_condition_is_also_that_of_the_papers_unknowns(void **state)
{
    (void)state;
    run b = open_model(well, "midpoint", 0.1);
    set(&b, "start", "q=%g", 0.74), set(&b, "monitor", "%g", 1), set(&b, "steps", "%g", 2);
    double q[3];
    start(&b);
    q[0] = *dal_q(b.s);
    must(&b, dal_step(b.s));
    q[1] = *dal_q(b.s);
    must(&b, dal_run(b.s, NULL));
    q[2] = *dal_q(b.s);
    const double h = measured(b.s, "h"), v = (q[2] - q[1]) / h, x = (q[1] + q[2]) / 2;
    const double V1 = 2 * x * x * x - x, V2 = 6 * x * x - 1;
    const double a = 1 + h * h / 4 * V2, c = V1 / 2 + h * v / 4 * V2, d = v + h / 2 * V1,
                 e = v / 2 * V1;
    const double sum = a * a + c * c + d * d + e * e, det = fabs(a * e - c * d);
    const double root = sqrt(sum * sum - 4 * det * det);
    check_close(dal_summarise(b.s)->condition_papers.max * 2 * det / (sum + root), 1, 1e-6);
    end(&b);
}

/* What `converge` measures: each run at its own end. */
static void orders_are_measured_at_the_ends_of_runs(void **state)
{
    (void)state;
    static const struct {
        const char *scheme, *steps;
        double      order;
    } rows[] = {{"midpoint", "100, 200, 400", 2}, {"gauss(2)", "20, 40, 80", 4}};
    for (int k = 0; k < 2; k++) {
        run              b = open_model(well, rows[k].scheme, 0.1);
        dal_convergence *found;
        set(&b, "start", "q=%g", 0.74), set(&b, "until", "%g", 10);
        must(&b, dal_converge(b.m, b.o, NULL, rows[k].steps, &found));
        assert_int_equal(found->times, 0);
        check_close(found->scheme->observed[DAL_OF_Q], rows[k].order, 0.15);
        check_close(found->scheme->observed[DAL_OF_ENERGY], rows[k].order, 0.15);
        dal_convergence_free(found);
        end(&b);
    }
}

/* Ten tangents, chained, against runs that begin aside in the first start value. */
static void run_aside(const char *model, const setting *more, double aside, double *last)
{
    char words[64];
    run  b = open_model(model, "midpoint", 0.1);
    for (; more && more->key; more++)
        assert_int_equal(dal_options_set(b.o, more->key, more->value), DAL_OK);
    snprintf(words, sizeof words, "p(y)=%.17g", 0.3 + aside);
    assert_int_equal(dal_options_set(b.o, "start", words), DAL_OK);
    start(&b);
    for (int k = 0; k < 5; k++) must(&b, dal_step(b.s));
    last[0] = dal_q(b.s)[0], last[1] = dal_p(b.s)[0], last[2] = dal_time(b.s);
    end(&b);
}

static void check_tangent(const char *model, const setting *more)
{
    static const double weight[] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12}, at[] = {-2, -1, 1, 2};
    double              d[8] = {0}, next[8], want[3] = {0}, last[3];
    run                 b = open_model(model, "midpoint", 0.1);
    for (const setting *s = more; s && s->key; s++)
        assert_int_equal(dal_options_set(b.o, s->key, s->value), DAL_OK);
    assert_int_equal(dal_options_set(b.o, "start", "p(y)=0.3"), DAL_OK);
    start(&b);
    const size_t n = b.n;
    assert_int_equal(dal_tangent_size(b.s), 2 * n + 2);
    d[n] = 1;
    for (int k = 0; k < 5; k++) {
        const dal_direction along = {.q = d, .p = d + n, .t = d[2 * n], .E = d[2 * n + 1]};
        must(&b, dal_tangent(b.s, 1, &along, next));
        memcpy(d, next, (2 * n + 2) * sizeof *d);
        must(&b, dal_step(b.s));
    }
    end(&b);
    for (int j = 0; j < 4; j++) {
        run_aside(model, more, 1e-3 * at[j], last);
        for (int i = 0; i < 3; i++) want[i] += weight[j] * last[i] / 1e-3;
    }
    check_close(d[0], want[0], 1e-6);
    check_close(d[n], want[1], 1e-6);
    check_close(d[2 * n], want[2], 1e-6);
}

static void tangents_know_all_of_it(void **state)
{
    (void)state;
    static const setting lines[] = {{"power", "lines"}, {0}};
    check_tangent(
        "system H {\n  coordinate y\n  hamiltonian (y^2 + 1)*(p(y)^2 + 1)/2 + 0.1*y*sin(t)\n"
        "  force y: 0.1*cos(t) - 0.05*p(y)\n  start y = 0.9\n}\n",
        NULL);
    check_tangent("system F {\n  coordinate y\n  lagrangian y'^2/2 - y^2/2 - y^4/4\n"
                  "  force y: -0.1*y'*y^2 + 0.1*cos(t)\n  start y = 0.9\n}\n",
                  lines);
    check_tangent(
        "system Held {\n  coordinate y, x, z\n"
        "  lagrangian (y'^2 + x'^2 + z'^2)/2 - 2*y^2 - y^4/4 + 0.3*y*x - 5*(x^2 + 2*z^2)/2\n"
        "  holonomic length: x^2 + z^2 = 1\n  start y = 0.9, x = sin(1.2), z = -cos(1.2)\n}\n",
        NULL);
}

/* Of ties, too, which are relations here: both ends move together. */
static void tied_run(double aside, double *last)
{
    char x[32], y[32];
    run  b = open_model("system Tied {\n  coordinate x, y\n"
                         "  lagrangian x'^2/2 + y'^2 - x^2/2 - y^4/4 - y^2\n  connect x = y\n}\n",
                        "midpoint", 0.1);
    snprintf(x, sizeof x, "x=%.17g", 1 + aside), snprintf(y, sizeof y, "y=%.17g", 1 + aside);
    assert_int_equal(dal_options_set(b.o, "start", x), DAL_OK);
    assert_int_equal(dal_options_set(b.o, "start", y), DAL_OK);
    start(&b);
    double d[6] = {1, 1};
    for (int k = 0; k < 5; k++) {
        const dal_direction along = {.q = d, .p = d + 2, .t = d[4], .E = d[5]};
        double              next[6];
        must(&b, dal_tangent(b.s, 1, &along, next));
        memcpy(d, next, sizeof d);
        must(&b, dal_step(b.s));
    }
    const double now[] = {dal_q(b.s)[0], dal_p(b.s)[1], dal_time(b.s), d[0], d[3], d[4]};
    memcpy(last, now, sizeof now);
    end(&b);
}

static void tangents_know_ties(void **state)
{
    (void)state;
    static const double weight[] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12}, at[] = {-2, -1, 1, 2};
    double              want[3] = {0}, last[6], here[6];
    for (int j = 0; j < 4; j++) {
        tied_run(1e-3 * at[j], last);
        for (int i = 0; i < 3; i++) want[i] += weight[j] * last[i] / 1e-3;
    }
    tied_run(0, here);
    for (int i = 0; i < 3; i++) check_close(here[3 + i], want[i], 1e-6);
}

static void what_it_cannot_take_is_said(void **state)
{
    (void)state;
    static const struct {
        const char *model, *key, *value, *said;
    } rows[] = {
        {"system H {\n  coordinate q\n  hamiltonian p(q)^4/4 + q^2\n  force q: -0.1*q\n  start q = 1\n}\n",
         "power", "lines", "momenta of Hamiltonian coordinates are known at its stages only"},
        {"system W {\n  coordinate q\n  lagrangian q'^2/2 - q^2\n  start q = 1\n}\n", "scheme",
         "compose(midpoint, suzuki(4))", "joins 5"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const setting set[] = {
            {"principle", "energy"}, {"step", "0.1"}, {rows[i].key, rows[i].value}, {0}};
        run b = with_settings(set);
        assert_int_equal(try_text(&b, rows[i].model), DAL_INVALID);
        assert_non_null(
            strstr(dal_message_at(b.cx, dal_message_count(b.cx) - 1).text, rows[i].said));
        end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hamiltonians_step_as_their_lagrangians_do),
        cmocka_unit_test(lines_make_forces_and_potentials_the_same),
        cmocka_unit_test(reactions_end_it_where_theory_says),
        cmocka_unit_test(rods_go_on_where_the_potential_is_stiff),
        cmocka_unit_test(knife_edges_keep_it),
        cmocka_unit_test(moving_relations_step_as_time_in_L_does),
        cmocka_unit_test(the_condition_is_also_that_of_the_papers_unknowns),
        cmocka_unit_test(orders_are_measured_at_the_ends_of_runs),
        cmocka_unit_test(tangents_know_all_of_it),
        cmocka_unit_test(tangents_know_ties),
        cmocka_unit_test(what_it_cannot_take_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
