/* test_api_pace_examples.c - the examples of steps that adapt: what their first lines say, beside
 * closed forms, an extrapolation code on equations derived by hand, and the figures of another
 * program. */
#include "api_run.h"
#include "claims/extrapolation.h"

#include <stdio.h>
#include <string.h>

static run run_example(const char *name, const setting *set)
{
    char path[400];
    run  r = with_settings(set);
    snprintf(path, sizeof path, "%s/../examples/time/%s.dal", TEST_DATA, name);
    must(&r, dal_model_load(r.cx, path, r.o, &r.m));
    must(&r, try_simulation(&r));
    run_to_end(&r);
    return r;
}

static void an_orbit_of_eccentricity_099(void **state)
{
    (void)state;
    run                r = run_example("close_orbit", NULL);
    const dal_summary *sum = dal_summarise(r.s);
    assert_int_equal(sum->steps, 1145);
    assert_true(hypot(dal_q(r.s)[0] - 0.01, dal_q(r.s)[1]) < 6.5e-9);
    assert_true(sum->momentum[0].max_drift < 1e-14);
    end(&r);
}

/* Of another program, with a quarter of the step: it agrees with its own finer steps to 1e-6. */
static void pythagoras(void **state)
{
    (void)state;
    static const double q[6] = {0.743807601621379, 0.264010369760802,  -0.657492856781493,
                                1.9399482214799,   -0.731624513568003, -0.578669322033561};
    const setting       fine[] = {{"step", "0.025"}, {0}};
    run                 r = run_example("pythagorean", NULL), f = run_example("pythagorean", fine);
    assert_int_equal(dal_summarise(r.s)->steps, 5405);
    assert_true(apart(dal_q(r.s), q, 6) < 2e-4); /* theirs is 1.3e-4 off with this step */
    assert_true(apart(dal_q(f.s), q, 6) < 1e-5);
    assert_true(fabs(dal_summarise(r.s)->energy.last - dal_summarise(r.s)->energy.first) < 1e-11);
    end(&r), end(&f);
}

/* y = (x, y, x', y') */
static void comet_rates(const void *self, real t, const real *y, real *dy)
{
    (void)self;
    const real px = y[0] - cosl(t), py = y[1] - sinl(t), r = sqrtl(y[0] * y[0] + y[1] * y[1]),
               d = sqrtl(px * px + py * py), a = 1 / (r * r * r), b = 0.001L / (d * d * d);
    dy[0] = y[2], dy[1] = y[3], dy[2] = -a * y[0] - b * px, dy[3] = -a * y[1] - b * py;
}

static void a_comet(void **state)
{
    (void)state;
    const setting fine[] = {{"step", "0.025"}, {0}};
    run           r = run_example("comet", NULL), f = run_example("comet", fine);
    real          y[4] = {-4 * 1.97L, 0, 0, sqrtl(0.03L / 1.97L / 4)};
    extrapolate(comet_rates, NULL, 4, 0, 100, 20000, y);
    const double exact[2] = {(double)y[0], (double)y[1]};
    assert_string_equal(dal_summarise(r.s)->pacing, "canonical");
    assert_true(dal_summarise(r.s)->steps < 400);
    const double e = apart(exact, dal_q(r.s), 2), e_fine = apart(exact, dal_q(f.s), 2);
    if (!(e < 1e-5 && e_fine < e / 40)) fail_msg("%.2e, %.2e", e, e_fine);
    end(&r), end(&f);
}

static void van_der_pol_rates(const void *self, real t, const real *y, real *dy)
{
    (void)self;
    dy[0] = y[1], dy[1] = 5 * (1 - y[0] * y[0]) * y[1] - y[0] + cosl(t);
}

/* A step of one length needs more of them. */
static void a_relaxation(void **state)
{
    (void)state;
    static const char *const way[] = {NULL, "density"};
    real                     y[2] = {2, 0};
    extrapolate(van_der_pol_rates, NULL, 2, 0, 12, 4000, y);
    for (int k = 0; k < 2; k++) {
        const setting set[] = {{"pacing", way[k]}, {0}};
        run           r = run_example("relaxation", set);
        assert_string_equal(dal_summarise(r.s)->pacing, "density");
        const double off = fabs(dal_q(r.s)[0] - (double)y[0]);
        if (!(off < 1e-8)) fail_msg("%.2e after %ld steps", off, dal_summarise(r.s)->steps);
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_orbit_of_eccentricity_099),
        cmocka_unit_test(pythagoras),
        cmocka_unit_test(a_comet),
        cmocka_unit_test(a_relaxation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
