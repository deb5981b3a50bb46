/* test_step_rules.c - the stopping rule and the predictor of a step, as the C that they are. */
#include "check.h"
#include "step/words.h"

#include "step/judge.h"
#include "step/predict.h"

/* Corrections of sizes eta, eta^p ...: how many are made until the last. */
static int corrections(real eta, real order, real ratio, int fresh)
{
    real before = 0;
    for (int it = 1; it < 40; it++) {
        const verdict said = judge(eta, eta, it == 1, before, before, fresh, 1);
        if (said.ends && (fresh || it > 1)) return it;
        assert_false(said.strays);
        before = eta, eta = ratio * pow(eta, order);
    }
    return 40;
}

static void an_iteration_ends_when_what_is_left_is_roundoff(void **state)
{
    (void)state;
    assert_int_equal(corrections(1e-9, 2, 1, 1), 1);
    assert_int_equal(corrections(1e-3, 2, 1, 1), 3);      /* 1e-12, whose square is nothing */
    assert_int_equal(corrections(3e-4, 2, 0.1, 1), 2);    /* 9e-9 */
    assert_int_equal(corrections(1e-3, 1, 1e-4, 0), 4);   /* 1e-15 leaves 1e-19 */
    assert_int_equal(corrections(1e-9, 1, 0.9e-2, 0), 4); /* of a kept matrix 1e-9 is not small */
}

static void a_matrix_is_renewed_where_corrections_shrink_slowly(void **state)
{
    (void)state;
    verdict said = judge(1e-3, 1e-3, 0, 1e-2, 1e-1, 0, 1);
    assert_false(said.ends | said.strays | said.renews);
    assert_true(judge(1e-3, 1e-3, 0, 2e-3, 2e-3, 0, 1).renews);
    assert_true(judge(0.9, 0.9, 1, 0, 0, 1, 1).strays);
    assert_false(judge(0.9, 0.1, 1, 0, 0, 1, 1).strays); /* one unknown near 0 */
    assert_true(judge(0.9, 0.5, 0, 0.1, 0.1, 1, 1).strays);
    assert_true(judge(0.9, (real)NAN, 0, 0.1, 0.1, 1, 1).strays);
    assert_true(judge(1e-6, 1e-9, 0, 1e-6, 1e-9, 1, 1).ends); /* noise of that unknown */
}

/* What needs no division says the same. */
static void a_first_correction_leads_on_or_astray(void **state)
{
    (void)state;
    const real y[] = {1, 2}, scale[] = {0, 0}, near[] = {0.1, 0.5}, far[] = {0.1, 1.5};
    const real none[] = {(real)NAN, 0};
    assert_true(leads_on(2, 2, 2, near, y, scale, 1));
    assert_false(leads_on(2, 2, 2, far, y, scale, 1));
    assert_true(leads_on(2, 2, 2, far, y, scale, 0));
    assert_false(leads_on(2, 2, 2, none, y, scale, 0));
    assert_true(overall(2, 2, 2, far, y, scale) > ASTRAY);
}

static void decayed_unknowns_need_no_correction(void **state)
{
    (void)state;
    const real y[] = {1e-320}, delta[] = {1e-320}, none[] = {0};
    assert_true(overall(1, 1, 1, delta, y, none) == 0);
    assert_true(judge_linear(0, 1, 1).ends);
    assert_false(judge_linear(0.1, 1, 1).ends);
    assert_true(judge_linear(0.1, 0, 1).ends);
    assert_true(judge_linear(0.9, 1, 1).strays);
}

static real cubic(real k)
{
    return 1 + k * (2 - k * (0.5 + 0.25 * k));
}

static void polynomials_are_continued(void **state)
{
    (void)state;
    real a[HISTORY];
    for (int k = 0; k < HISTORY; k++) a[k] = cubic(-k);
    for (int known = 4; known <= HISTORY; known++)
        check_close(continued(known, a[0], a[1], a[2], a[3], a[4], a[5]), cubic(1), 1e-13);
    check_close(continued(2, a[0], a[1], a[2], a[3], a[4], a[5]), 2 * a[0] - a[1], 1e-15);
    check_close(continued(1, a[0], a[1], a[2], a[3], a[4], a[5]), a[0], 1e-15);
}

/* Increments of q = cubic(t/4), and of q = -3 cubic(t/4), over steps of 1, at nodes 1/2 and 1: X
 * continues those of a parabola, and differences over the steps the rest. */
static void curves_are_continued_along_themselves(void **state)
{
    (void)state;
    enum { D = 2, N = 2 };
    const real  X[D * D] = {0, -8, 1, 4}; /* by rows nu: l_nu(1 + x_mu) - l_nu(1) */
    const real  of[N] = {1, -3};
    real        y[HISTORY][D * N], next[D * N], room[(6 * N + 1) * D];
    const real *history[HISTORY];
    for (int k = 0; k < HISTORY; k++) {
        for (int nu = 0; nu < D; nu++)
            for (int j = 0; j < N; j++)
                y[k][nu * N + j] =
                    of[j] * (cubic((-k - 1 + (nu + 1) / 2.0) / 4) - cubic((-k - 1) / 4.0));
        history[k] = y[k];
    }
    continue_curves(HISTORY, N, D, history, X, room, next);
    for (int nu = 0; nu < D; nu++)
        for (int j = 0; j < N; j++)
            check_close(next[nu * N + j], of[j] * (cubic((nu + 1) / 8.0) - cubic(0)), 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_iteration_ends_when_what_is_left_is_roundoff),
        cmocka_unit_test(a_matrix_is_renewed_where_corrections_shrink_slowly),
        cmocka_unit_test(a_first_correction_leads_on_or_astray),
        cmocka_unit_test(decayed_unknowns_need_no_correction),
        cmocka_unit_test(polynomials_are_continued),
        cmocka_unit_test(curves_are_continued_along_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
