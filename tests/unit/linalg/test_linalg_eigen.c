/* test_linalg_eigen.c - eigenvalues and eigenvectors of small real matrices: known ones, random
 * ones by their definition, and matrices that have no basis of eigenvectors. */
#include "check.h"
#include "linalg/eigen.h"

#include <math.h>
#include <stdint.h>

enum { N = EIGEN_MOST };

/*     |a v_k - x_k v_k|,   |u_j v_k - delta_jk| */
static double worst_of(const long double *a, int n, const complex_number *x,
                       const complex_number *right, const complex_number *left)
{
    double worst = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            complex_number off = -x[k] * right[i * n + k], one = i == k ? -1 : 0;
            for (int j = 0; j < n; j++) {
                off += a[i * n + j] * right[j * n + k];
                one += left[i * n + j] * right[j * n + k];
            }
            worst = fmax(worst, (double)fmaxl(cabsl(off), cabsl(one)));
        }
    return worst;
}

/* The companion matrix of (x - 1)(x^2 - 2x + 5): 1, 1 + 2i, 1 - 2i. */
static void a_pair_and_a_real_one(void **state)
{
    (void)state;
    const long double a[] = {3, -7, 5, 1, 0, 0, 0, 1, 0};
    complex_number    x[3], right[9], left[9];
    assert_true(eigen_find(a, 3, x, right, left));
    check_below(worst_of(a, 3, x, right, left), 1e-15);
    int pairs = 0;
    for (int k = 0; k < 3; k++) {
        const double re = (double)creall(x[k]), im = (double)cimagl(x[k]);
        check_close(re, 1, 1e-15);
        if (im == 0) continue;
        check_close(im, pairs++ ? -2 : 2, 1e-15);
    }
    assert_int_equal(pairs, 2);
}

static void random_ones_by_their_definition(void **state)
{
    (void)state;
    uint32_t seed = 7;
    for (int n = 1; n <= 8; n++) {
        long double    a[N * N];
        complex_number x[N], right[N * N], left[N * N];
        for (int k = 0; k < n * n; k++) {
            seed = seed * 1664525u + 1013904223u;
            a[k] = seed / 4294967296.0L - 0.5L;
        }
        assert_true(eigen_find(a, n, x, right, left));
        check_below(worst_of(a, n, x, right, left), 1e-13);
    }
}

static void without_a_basis_there_is_none(void **state)
{
    (void)state;
    const long double jordan[] = {2, 1, 0, 2}, nothing[] = {0, 0, 0, 0};
    complex_number    x[2], right[4], left[4];
    assert_false(eigen_find(jordan, 2, x, right, left));
    assert_false(eigen_find(nothing, 2, x, right, left));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pair_and_a_real_one),
        cmocka_unit_test(random_ones_by_their_definition),
        cmocka_unit_test(without_a_basis_there_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
