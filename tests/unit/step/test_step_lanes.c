/* test_step_lanes.c - the files of a step over vectors: each system has what it would have alone.
 */
#include "check.h"

#include <math.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wpsabi" /* nobody else calls functions of vectors */

#define LANES 4
#define HUGE_VALUE HUGE_VAL
#define RESTRICT restrict
#define ABS size_of
#define WITHIN static inline __attribute__((always_inline, unused))
#define PIECE static
#define RARE static

typedef double number;
#include "step/numbers.h"

#include "step/lanes.h"

#include "step/judge.h"
#include "step/predict.h"
#include "step/sum.h"

#define N 7
#include "step/circle.h"
#include "step/lu.h"

static real of(double a, double b, double c, double d)
{
    const real x = {a, b, c, d};
    return x;
}

static void masks_choose_and_are_counted(void **state)
{
    (void)state;
    const real   x = of(-1, 2, (double)NAN, -HUGE_VAL), chosen = CHOOSE(x < 0, REAL(1), REAL(2));
    const double expected[] = {1, 2, 2, 1};
    for (int l = 0; l < LANES; l++) assert_true(chosen[l] == expected[l]);
    assert_true(ANY(x < 0) && !ALL(x < 0) && !ANY(x > 5) && ALL(ABS(REAL(-3)) == 3));
    assert_true(isnan(LARGER(REAL(1), x)[2])); /* the second, as for one system */
    assert_true(LARGER(REAL(1), x)[1] == 2 && LARGER(REAL(1), x)[0] == 1);
}

/* Systems 0 and 1 need no exchanges, 2 has a vanishing diagonal, 3 is singular. */
static double coefficient(int l, int i, int j)
{
    if (l == 3) return i == N - 1 ? 3 * cos(2.0 * j) : cos(i * i + 2.0 * j);
    if (l == 2) return i == j ? 0 : cos(i * i + 2.0 * j) * exp2(9 * (i % 4) + 7 * (j % 3));
    return (i == j ? 4 + l : 0) + sin(1.0 + i + 2 * j + l);
}

static void begin(factored *f, real *r)
{
    for (int l = 0; l < LANES; l++)
        for (int i = 0; i < N; i++) {
            r[i][l] = 0;
            for (int j = 0; j < N; j++) {
                f->a[i * N + j][l] = coefficient(l, i, j);
                r[i][l] -= coefficient(l, i, j) * (j + 1 + l);
            }
        }
}

static void each_system_has_its_own_pivots(void **state)
{
    (void)state;
    factored f;
    real     r[N], x[N];
    memset(&f, 0, sizeof f);
    begin(&f, r);
    const mask regular = factor(&f, EVERYWHERE);
    assert_true(regular[0] && regular[1] && regular[2] && !regular[3]);
    solve(&f, r, x);
    for (int l = 0; l < 3; l++)
        for (int i = 0; i < N; i++) check_close(x[i][l], i + 1 + l, 1e-9);
}

/* What others do, with or without exchanges, does not change a bit. */
static void factors_are_renewed_for_some(void **state)
{
    (void)state;
    factored f;
    real     r[N], x[N], again[N];
    memset(&f, 0, sizeof f);
    begin(&f, r);
    factor(&f, EVERYWHERE);
    solve(&f, r, x);
    for (int k = 0; k < N * N; k++) f.a[k] = REAL(k % (N + 1) ? 0.01 * k : 2);
    const mask some = {0, -1, 0, -1};
    const mask regular = factor(&f, some);
    assert_true(!regular[0] && regular[1] && !regular[2] && regular[3]);
    solve(&f, r, again);
    for (int i = 0; i < N; i++) {
        assert_true(again[i][0] == x[i][0] && again[i][2] == x[i][2]);
        assert_true(again[i][1] != x[i][1]);
    }
}

static void sines_are_those_of_libm(void **state)
{
    (void)state;
    for (double x = -1000; x < 1000; x += 0.37) {
        const real angle = of(x, x * x, 1e-3 * x, 2e6), s = sine_of(angle), c = cosine_of(angle);
        for (int l = 0; l < 3; l++) {
            check_close(s[l], sin(angle[l]), 2e-16);
            check_close(c[l], cos(angle[l]), 2e-16);
        }
        assert_true(isnan(s[3]) && isnan(c[3])); /* left to libm */
    }
}

static void every_system_is_judged_alone(void **state)
{
    (void)state;
    const real    eta = of(1e-9, 1e-3, 1e-3, 0.9), before = of(1e-3, 1e-2, 2e-3, 0.1);
    const mask    kept = NOT(EVERYWHERE);
    const verdict said = judge(eta, eta, 0, before, before, kept, EVERYWHERE);
    assert_true(!said.ends[0] && !said.strays[0] && !said.renews[0]);
    assert_true(!said.ends[1] && !said.renews[1] && said.renews[2]);
    const verdict fresh = judge(eta, eta, 0, before, before, EVERYWHERE, EVERYWHERE);
    assert_true(fresh.ends[0] && !fresh.ends[1] && fresh.strays[3]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks_choose_and_are_counted),
        cmocka_unit_test(each_system_has_its_own_pivots),
        cmocka_unit_test(factors_are_renewed_for_some),
        cmocka_unit_test(sines_are_those_of_libm),
        cmocka_unit_test(every_system_is_judged_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
