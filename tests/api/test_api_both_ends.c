/* test_api_both_ends.c - steps that settle at both ends, where L is of first order and its one-form
 * is nonlinear: they have the order they claim, by themselves and composed, are reversible, keep
 * the energy bounded, and their tangents are those of the whole step. */
#include "api_run.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 4 };

/* Nothing about it is symmetric, so that nothing cancels. */
static const char BENT[] =
    "system Bent {\n coordinate x, y\n"
    " lagrangian -y*(1 + 0.3*x^2 + 0.2*y + 0.1*x*y^2)*x' + (0.2*x^2*y + 0.3*sin(x + 2*y))*y'\n"
    " lagrangian -(x^2 + y^2)/2 - 0.2*x^3 - 0.1*y^3 - 0.15*x*y^2 - 0.3*x^2*y - 0.1*x^4 - 0.2*y^4\n"
    " start x = 0.5, y = 0.2\n}\n";

static const char GUIDING[] =
    "system Guiding {\n coordinate x, y, z, u\n"
    " lagrangian (0.2*u*z - 2*y - 0.3*x*y^2)*x' + (x + 0.2*x^2 + 0.1*u*x)*y'"
    " + u*(1 + 0.1*x^2 + 0.05*y*z)*z'\n"
    " lagrangian -u^2/2 - (x^2 + 1.3*y^2 + z^2)/2 - 0.2*x^2*y - 0.15*x*z^2\n"
    " lagrangian -(x^4 + y^4 + z^4)/10\n start x = 0.5, y = 0.1, z = 0.3, u = 0.4\n}\n";

static const char PREDATORS[] =
    "system Predators {\n coordinate x, y\n"
    " lagrangian (log(y)/x*x' - log(x)/y*y')/2 - (x - log(x) + 2*y - 3*log(y))\n"
    " start x = 1.5, y = 2.5\n}\n";

/* A mass on a spring beside them, time, and resistance that does not vary. */
static const char MIXED[] =
    "system Mixed {\n parameter b = 0.3\n coordinate m, x, y\n"
    " lagrangian m'^2/2 - m^2/2 - m*x/5 + (y + b*x^2*y)*x' + b*sin(x*y)*y' - x^2/2 - y^4/4\n"
    " lagrangian x*cos(t)/9 - exp(y)\n force x: -x'/20\n force m: y/8\n"
    " start m = 1, x = 0.5, y = 0.2\n}\n";

/* Velocities of y appear nowhere: a move at the end alone will do. */
static const char HALF[] = "system Half {\n coordinate x, y\n"
                           " lagrangian log(y)/x*x' - x + log(x) - y + log(y)\n"
                           " start x = 1.5, y = 1.2\n}\n";

static const char VORTICES[] =
    "system Vortices {\n coordinate x, y, u, v\n"
    " lagrangian (x*y' - y*x')/2 + u*v' - v*u' + log((x - u)^2 + (y - v)^2)\n"
    " start x = 1, u = -0.5, v = 0.8\n}\n";

/* Two capacitors, one of them nonlinear, share a voltage: only stiffness acts along what parts
 * them. */
static const char CAPACITORS[] =
    "system Capacitors {\n coordinate i, q, r\n"
    " lagrangian 0.4*i'^2 - q^2/6 - r^2/4 - 0.1*r^4\n constraint node: i' = q' + r'\n"
    " start q = 0.9, r = 0.5, i' = 0.3, q' free, r' free\n}\n";

static const char *const models[] = {BENT, GUIDING, PREDATORS, MIXED, HALF, VORTICES, CAPACITORS};
enum { MODELS = sizeof models / sizeof *models };

static run at_end_of(const char *model, const char *scheme, int steps)
{
    char words[2][32];
    snprintf(words[0], sizeof words[0], "2/%d", steps);
    snprintf(words[1], sizeof words[1], "%d", steps);
    const setting set[] = {
        {"scheme", scheme}, {"step", words[0]}, {"steps", words[1]}, {"backend", "vm"}, {0}};
    run r = begin_text(model, set);
    run_to_end(&r);
    return r;
}

static void orders_are_those_that_are_claimed(void **state)
{
    static const struct {
        const char *scheme;
        int         steps, order;
    } of[] = {{"midpoint", 32, 2},
              {"gauss(2)", 32, 4},
              {"gauss(3)", 12, 6},
              {"compose(midpoint, yoshida(4))", 32, 4},
              {"compose(midpoint, kahan_li(6))", 12, 6},
              {"compose(gauss(2), triple(6))", 24, 6}};
    (void)state;
    for (size_t i = 0; i < MODELS; i++) {
        run exact = at_end_of(models[i], "gauss(6)", 100);
        for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
            run a = at_end_of(models[i], of[k].scheme, of[k].steps),
                b = at_end_of(models[i], of[k].scheme, 2 * of[k].steps);
            const double coarse = states_apart(&a, &exact), fine = states_apart(&b, &exact);
            assert_int_equal(dal_summarise(b.s)->order, of[k].order);
            if (!(fine < 1e-12) && !(log2(coarse / fine) > of[k].order - 0.25))
                fail_msg("model %zu, %s: %g, %g", i, of[k].scheme, coarse, fine);
            end(&a), end(&b);
        }
        end(&exact);
    }
}

/* There and back again: the largest distance from the start. */
static double way_back(const char *model, const char *scheme, const char *backend)
{
    const setting there[] = {{"scheme", scheme},
                             {"step", "0.1"},
                             {"until", "10"},
                             {"backend", backend},
                             {0}},
                  back[] = {{"scheme", scheme}, {"step", "0.1"},      {"from", "10"},
                            {"until", "0"},     {"backend", backend}, {0}};
    run a = begin_text(model, there), b = begin_text(model, back), c = begin_text(model, there);
    run_to_end(&a);
    assert_int_equal(dal_set_state(b.s, dal_time(a.s), dal_q(a.s), NULL, dal_p(a.s)), DAL_OK);
    run_to_end(&b);
    check_close(dal_time(b.s), 0, 1e-12);
    const double off = states_apart(&b, &c);
    end(&a), end(&b), end(&c);
    return off;
}

static void steps_are_taken_back(void **state)
{
    static const char *const scheme[] = {"midpoint", "gauss(2)", "compose(midpoint, yoshida(4))"};
    (void)state;
    for (size_t i = 0; i < MODELS; i++)
        for (size_t k = 0; k < 3; k++) {
            const double off = way_back(models[i], scheme[k], "vm");
            if (!(off < 2e-12)) fail_msg("model %zu, %s: %g", i, scheme[k], off);
        }
    check_below(way_back(GUIDING, "gauss(2)", "native"), 2e-12);
    check_below(way_back(BENT, "midpoint", "native"), 2e-12);
}

/* Steps that settle at their end alone gain 56 in 28 000 steps, and then end. */
static void energy_stays_near_for_long(void **state)
{
    static const struct {
        const char *model, *scheme, *step;
        double      range;
    } of[] = {{BENT, "midpoint", "0.2", 2e-3},
              {BENT, "gauss(2)", "0.2", 1e-5},
              {GUIDING, "midpoint", "0.3", 6e-4},
              {GUIDING, "gauss(2)", "0.3", 2e-6}};
    (void)state;
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        const setting set[] = {{"scheme", of[k].scheme},
                               {"step", of[k].step},
                               {"steps", "30000"},
                               {"backend", "native"},
                               {0}};
        run           r = begin_text(of[k].model, set);
        run_to_end(&r);
        const dal_summary *sum = dal_summarise(r.s);
        check_below(sum->energy.max - sum->energy.min, of[k].range);
        check_below(sum->momentum_defect, 2e-15);
        end(&r);
    }
}

/* Where runs that begin aside lead to, over ten steps. */
static void run_aside(const char *model, const char *scheme, const double *q, double *last)
{
    const setting set[] = {
        {"scheme", scheme}, {"step", "0.1"}, {"steps", "10"}, {"backend", "vm"}, {0}};
    run          r = begin_text(model, set);
    const size_t n = r.n;
    assert_int_equal(dal_set_state(r.s, 0, q, (const double[MOST]){0}, NULL), DAL_OK);
    run_to_end(&r);
    memcpy(last, dal_q(r.s), n * sizeof *last), memcpy(last + n, dal_p(r.s), n * sizeof *last);
    end(&r);
}

static void check_tangent(const char *model, const char *scheme, const double *q, const double *dp)
{
    static const double weight[] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12}, at[] = {-2, -1, 1, 2};
    const setting       set[] = {{"scheme", scheme}, {"step", "0.1"}, {0}};
    double              d[2 * MOST] = {1}, next[2 * MOST], want[2 * MOST] = {0}, last[2 * MOST];
    run                 r = begin_text(model, set);
    memcpy(d + r.n, dp, r.n * sizeof *d);
    for (int k = 0; k < 10; k++) {
        must(&r, dal_tangent(r.s, 1, &(dal_direction){.q = d, .p = d + r.n}, next));
        memcpy(d, next, 2 * r.n * sizeof *d);
        assert_int_equal(dal_step(r.s), DAL_OK);
    }
    for (int j = 0; j < 4; j++) {
        double aside[MOST];
        memcpy(aside, q, r.n * sizeof *aside);
        aside[0] += 1e-3 * at[j];
        run_aside(model, scheme, aside, last);
        for (size_t i = 0; i < 2 * r.n; i++) want[i] += weight[j] * last[i] / 1e-3;
    }
    for (size_t i = 0; i < 2 * r.n; i++) check_close(d[i], want[i], 1e-9);
    end(&r);
}

static void tangents_are_those_of_runs_beside(void **state)
{
    static const double q[] = {0.5, 0.2};
    const double        x = 0.5, y = 0.2; /* the first column of how p changes with q */
    const double        dp[] = {-y * (0.6 * x + 0.1 * y * y), 0.4 * x * y + 0.3 * cos(x + 2 * y)};
    (void)state;
    check_tangent(BENT, "midpoint", q, dp);
    check_tangent(BENT, "gauss(2)", q, dp);
    check_tangent(BENT, "compose(midpoint, yoshida(4))", q, dp);
}

/* With parameters and time: one step. */
static void tangents_know_parameters(void **state)
{
    static const double weight[] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12}, at[] = {-2, -1, 1, 2};
    const setting       set[] = {{"scheme", "compose(midpoint, yoshida(4))"}, {"step", "0.1"}, {0}};
    const double        along = 1;
    double              d[6], want[6] = {0};
    run                 r = begin_text(MIXED, set);
    (void)state;
    /* momenta at the start are functions of b too, which begins aside with them */
    const double x = 0.5, y = 0.2, dp[] = {0, x * x * y, sin(x * y)};
    must(&r, dal_tangent(r.s, 1, &(dal_direction){.p = dp, .parameter = &along}, d));
    end(&r);
    for (int j = 0; j < 4; j++) {
        char b[32];
        snprintf(b, sizeof b, "b=%.17g", 0.3 + 1e-3 * at[j]);
        const setting aside[] = {
            {"scheme", "compose(midpoint, yoshida(4))"}, {"step", "0.1"}, {"set", b}, {0}};
        run c = begin_text(MIXED, aside);
        assert_int_equal(dal_step(c.s), DAL_OK);
        for (int i = 0; i < 3; i++) {
            want[i] += weight[j] * dal_q(c.s)[i] / 1e-3;
            want[3 + i] += weight[j] * dal_p(c.s)[i] / 1e-3;
        }
        end(&c);
    }
    for (int i = 0; i < 6; i++) check_close(d[i], want[i], 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_are_those_that_are_claimed),
        cmocka_unit_test(steps_are_taken_back),
        cmocka_unit_test(energy_stays_near_for_long),
        cmocka_unit_test(tangents_are_those_of_runs_beside),
        cmocka_unit_test(tangents_know_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
