/* test_mech_stability.c - up to which h omega, or h c, a scheme is stable: closed forms, from the
 * step of one mode q'' = -omega^2 q - c q' by hand. */
#include "check.h"
#include "mech/stability/stability.h"
#include "memory.h"

#include <math.h>

typedef struct {
    const char *scheme;
    fast_part   of;
    double      limit;
} row;

/* With z = h omega, steps of degree 1 have the trace (2 - a z^2)/(1 + b z^2), where L_d weighs the
 * ends and their product: -2 is reached at z = 2 (trapezoid), 2/|1 - 2 alpha| (rectangle), and
 * sqrt(12) where the curve is integrated exactly, as with linear elements. Simpson's rule has its
 * first gap at sqrt(8). Momenta that are only damped, z = h c, are multiplied by
 * (1 - alpha z)/(1 + (1 - alpha) z) (rectangle) and by (6 - 4 z + z^2)/(6 + 2 z) (radau(2)). */
static const row rows[] = {
    {"trapezoid", FAST_OSCILLATION, 2},
    {"rectangle(0)", FAST_OSCILLATION, 2},
    {"rectangle(0.3)", FAST_OSCILLATION, 5},
    {"polynomial(1) with gauss(3)", FAST_OSCILLATION, 3.4641016151377544},
    {"polynomial(1) with simpson", FAST_OSCILLATION, 3.4641016151377544},
    {"shooting(taylor(1)) with trapezoid", FAST_OSCILLATION, 2}, /* the same curve, shot */
    {"shooting(taylor(1)) with gauss(3)", FAST_OSCILLATION, 3.4641016151377544},
    {"simpson", FAST_OSCILLATION, 2.8284271247461903},
    {"midpoint", FAST_OSCILLATION, HUGE_VAL},
    {"gauss(2)", FAST_OSCILLATION, HUGE_VAL},
    {"compose(midpoint, suzuki(4))", FAST_OSCILLATION, HUGE_VAL},
    {"rectangle(1)", FAST_DAMPING, 2},
    {"rectangle(0.7)", FAST_DAMPING, 5},
    {"radau(2)", FAST_DAMPING, 6},
    {"radau_left(2)", FAST_DAMPING, HUGE_VAL},
    {"rectangle(0)", FAST_DAMPING, HUGE_VAL},
    {"trapezoid", FAST_DAMPING, HUGE_VAL},
    {"gauss(3)", FAST_DAMPING, HUGE_VAL},
};
enum { ROWS = sizeof rows / sizeof *rows };

static double limit_of(mem *m, const char *title, fast_part of)
{
    scheme sch;
    text   why = text_new(m);
    assert_int_equal(scheme_parse(&sch, title, NULL, &why), DAL_OK);
    return stability_limit(m, &sch, of);
}

static void limits_are_those_by_hand(void **state)
{
    for (int k = 0; k < ROWS; k++) {
        const double limit = limit_of(*state, rows[k].scheme, rows[k].of);
        if (isinf(rows[k].limit)) assert_true(isinf(limit));
        else assert_true(fabs(limit - rows[k].limit) < 1e-5 * rows[k].limit);
    }
}

/* The trace of Verlet steps of lengths gamma_j z, each [[1 - x, z'], [-x (2 - x)/z', 1 - x]] with
 * x = z'^2/2. */
static double trace(const double *gamma, int count, double z)
{
    double S[2][2] = {{1, 0}, {0, 1}};
    for (int j = 0; j < count; j++) {
        const double l = gamma[j] * z, x = l * l / 2, a = 1 - x, c = -x * (2 - x) / l;
        for (int k = 0; k < 2; k++) {
            const double q = S[0][k], p = S[1][k];
            S[0][k] = a * q + l * p, S[1][k] = c * q + a * p;
        }
    }
    return S[0][0] + S[1][1];
}

static void that_of_a_composition_is_that_of_the_product_of_its_steps(void **state)
{
    const double g = 1 / (2 - cbrt(2)), gamma[] = {g, 1 - 2 * g, g};
    double       low = 1, high = 1.7;
    assert_true(fabs(trace(gamma, 3, low)) < 2 && fabs(trace(gamma, 3, high)) > 2);
    for (int k = 0; k < 60; k++) {
        const double middle = (low + high) / 2;
        if (fabs(trace(gamma, 3, middle)) > 2) high = middle;
        else low = middle;
    }
    assert_true(fabs(limit_of(*state, "compose(trapezoid, yoshida(4))", FAST_OSCILLATION) - low) <
                1e-5);
    assert_true(fabs(low - 1.5734) < 1e-4); /* as in the literature */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        mem_test(limits_are_those_by_hand),
        mem_test(that_of_a_composition_is_that_of_the_product_of_its_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
