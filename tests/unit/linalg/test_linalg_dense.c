/* test_linalg_dense.c - singular values, rank, null space, least norm and echelon form against what is
 * known. */
#include "memory.h"
#include "linalg/dense.h"

#include <string.h>

static uint32_t seed = 11;

static double uniform(void) /* in (-1, 1) */
{
    seed = seed * 1664525u + 1013904223u;
    return ((seed >> 8) + 0.5) / 8388608.0 - 1;
}

/* a = x y, of rank at most `inner` */
static double *product(mem *m, const double *x, const double *y, int rows, int inner, int columns)
{
    double *a = mem_array(m, rows * columns, double);
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < inner; k++)
            for (int j = 0; j < columns; j++)
                a[i * columns + j] += x[i * inner + k] * y[k * columns + j];
    return a;
}

static double *random_matrix(mem *m, int rows, int columns)
{
    double *a = mem_array(m, rows * columns, double);
    for (int k = 0; k < rows * columns; k++) a[k] = uniform();
    return a;
}

static double length_of_product(const double *a, const double *x, int rows, int columns)
{
    double sum = 0;
    for (int i = 0; i < rows; i++) {
        double s = 0;
        for (int j = 0; j < columns; j++) s += a[i * columns + j] * x[j];
        sum += s * s;
    }
    return sqrt(sum);
}

static double inner_product(const double *x, const double *y, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] * y[i];
    return s;
}

/* |A v_j| = sigma_j, V orthogonal, sigma descending, sum of squares = Frobenius norm */
static void check_svd(mem *m, const double *a, int rows, int columns)
{
    double *sigma = mem_array(m, columns, double), *vt = mem_array(m, columns * columns, double);
    double  squares = 0;
    dense_svd(m, a, rows, columns, sigma, vt);
    for (int j = 0; j < columns; j++) {
        const double *v = vt + j * columns;
        check_close(length_of_product(a, v, rows, columns), sigma[j], 1e-13 * (1 + sigma[0]));
        for (int k = 0; k <= j; k++)
            check_close(inner_product(v, vt + k * columns, columns), j == k, 1e-13);
        assert_true(!j || sigma[j] <= sigma[j - 1]);
        squares += sigma[j] * sigma[j];
    }
    check_close(squares, inner_product(a, a, rows * columns), 1e-13);
}

static void decompositions_hold_for_every_shape(void **state)
{
    for (int rows = 1; rows <= 13; rows += 3)
        for (int columns = 1; columns <= 13; columns += 2)
            check_svd(*state, random_matrix(*state, rows, columns), rows, columns);
    check_svd(*state, random_matrix(*state, 60, 60), 60, 60);
    const double zero[6] = {0};
    check_svd(*state, zero, 2, 3);
}

/* Singular values of diag(d) times an orthogonal matrix are the d, to a relative error each. */
static void small_singular_values_are_relatively_accurate(void **state)
{
    enum { N = 8 };
    mem   *m = *state;
    double q[N * N], a[N * N], sigma[N], vt[N * N], v[N], length = 0;
    for (int i = 0; i < N; i++) v[i] = uniform(), length += v[i] * v[i];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) q[i * N + j] = (i == j) - 2 * v[i] * v[j] / length;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) a[i * N + j] = q[i * N + j] * pow(10, -3 * j);
    dense_svd(m, a, N, N, sigma, vt);
    for (int j = 0; j < N; j++) check_close(sigma[j] / pow(10, -3 * j), 1, 1e-14);
    check_close(dense_condition(m, a, N) / 1e21, 1, 1e-13);
}

static void rank_and_null_space_of_products_are_found(void **state)
{
    mem *m = *state;
    for (int rank = 0; rank <= 6; rank++) {
        double *a = product(m, random_matrix(m, 9, rank), random_matrix(m, rank, 7), 9, rank, 7);
        double  null[49];
        assert_int_equal(dense_rank(m, a, 9, 7, 0, null), rank);
        for (int k = 0; k < 7 - rank; k++) {
            check_below(length_of_product(a, null + 7 * k, 9, 7), 1e-14);
            for (int l = 0; l <= k; l++)
                check_close(inner_product(null + 7 * k, null + 7 * l, 7), k == l, 1e-14);
        }
    }
    /* equal columns behind a shorter one, which change places */
    const double behind[] = {1, 0, 0, 0, 0, 1, 1, 1};
    double       of_two[16];
    assert_int_equal(dense_rank(m, behind, 2, 4, 0, of_two), 2);
    check_below(length_of_product(behind, of_two, 2, 4), 1e-15);
    check_below(length_of_product(behind, of_two + 4, 2, 4), 1e-15);
    const double wide[] = {1, 2, 3, 2, 4, 6};
    double       null[9];
    assert_int_equal(dense_rank(m, wide, 2, 3, 0, null), 1);
    assert_int_equal(dense_rank(m, wide, 1, 3, 0, NULL), 1);
    assert_int_equal(dense_rank(m, NULL, 0, 3, 0, null), 0);
    for (int k = 0; k < 9; k++) check_close(null[k], k % 4 == 0, 0);
}

static void a_tolerance_decides_what_counts(void **state)
{
    const double a[] = {1, 0, 0, 1e-6};
    assert_int_equal(dense_rank(*state, a, 2, 2, 0, NULL), 2);
    assert_int_equal(dense_rank(*state, a, 2, 2, 1e-3, NULL), 1);
}

/* [M/h^2, G^T; G, 0] with G twice the same row: one null vector, in the multipliers. */
static void units_do_not_hide_the_rank(void **state)
{
    const double h = 1e-9;
    const double a[] = {1 / (h * h), 0, 1, 1, 0, 2 / (h * h), -1, -1, 1, -1, 0, 0, 1, -1, 0, 0};
    double       null[16];
    assert_int_equal(dense_rank_scaled(*state, a, 4, 4, 0, null), 3);
    check_close(null[0], 0, 1e-14);
    check_close(null[1], 0, 1e-14);
    check_close(fabs(null[2]), sqrt(0.5), 1e-14);
    check_close(null[2] + null[3], 0, 1e-14);
    const double zero_column[] = {1e9, 0, 1, 0};
    assert_int_equal(dense_rank_scaled(*state, zero_column, 2, 2, 0, null), 1);
    check_close(null[0], 0, 0);
    check_close(fabs(null[1]), 1, 0);
}

static void the_least_norm_solution_solves_and_is_shortest(void **state)
{
    mem    *m = *state;
    double *a = product(m, random_matrix(m, 5, 3), random_matrix(m, 3, 8), 5, 3, 8);
    double *y = random_matrix(m, 8, 1), b[5] = {0}, x[8], null[64];
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 8; j++) b[i] += a[i * 8 + j] * y[j];
    dense_least_norm(m, a, 5, 8, b, 0, x);
    for (int i = 0; i < 5; i++) check_close(inner_product(a + 8 * i, x, 8), b[i], 1e-13);
    assert_int_equal(dense_rank(m, a, 5, 8, 0, null), 3);
    for (int k = 0; k < 5; k++) check_close(inner_product(null + 8 * k, x, 8), 0, 1e-13);
    /* fit c + d t through (1,1), (2,3), (3,2) */
    const double fit[] = {1, 1, 1, 2, 1, 3}, values[] = {1, 3, 2};
    double       cd[2];
    dense_least_norm(m, fit, 3, 2, values, 0, cd);
    check_close(cd[0], 1, 1e-14);
    check_close(cd[1], 0.5, 1e-14);
}

static void a_singular_matrix_has_no_finite_condition(void **state)
{
    const double a[] = {1, 0, 0, 0}, identity[] = {1e-200, 0, 0, 1e-200},
                 large[] = {1e300, 0, 0, 1e290};
    assert_true(isinf(dense_condition(*state, a, 2)));
    check_close(dense_condition(*state, identity, 2), 1, 0);
    check_close(dense_condition(*state, large, 2), 1e10, 1e-15);
}

static void check_all(const double *a, const double *b, int count)
{
    for (int k = 0; k < count; k++) check_close(a[k], b[k], 1e-15);
}

/* Row 3 = row 1 + 2 row 2; the other order of columns has other pivots. */
static void echelon_forms_are_those_by_hand(void **state)
{
    const double a[] = {1, 2, 0, 1, 0, 0, 2, 4, 1, 2, 4, 9};
    const double reduced[] = {1, 2, 0, 1, 0, 0, 1, 2, 0, 0, 0, 0};
    const double backward[] = {1, 2, 0, 1, -2, -4, 1, 0, 0, 0, 0, 0};
    const int    order[] = {3, 2, 1, 0};
    double       x[12];
    (void)state;
    memcpy(x, a, sizeof x);
    assert_int_equal(2, dense_echelon(x, 3, 4, NULL, 4, 1e-12, NULL));
    check_all(x, reduced, 12);
    memcpy(x, a, sizeof x);
    assert_int_equal(2, dense_echelon(x, 3, 4, order, 4, 1e-12, NULL));
    check_all(x, backward, 12);
    memcpy(x, a, sizeof x);
    assert_int_equal(1, dense_echelon(x, 3, 4, order, 1, 1e-12, NULL));
}

/*     det = 2 (3 5 - 4 1) - 7 (1 5 - 4 6) + 1 (1 1 - 3 6) = 138 */
static void the_product_of_pivots_is_the_determinant(void **state)
{
    double a[] = {2, 7, 1, 1, 3, 4, 6, 1, 5}, even[] = {0, 1, 1, 0}, det;
    (void)state;
    assert_int_equal(3, dense_echelon(a, 3, 3, NULL, 3, 0, &det));
    check_close(det, 138, 1e-14);
    assert_int_equal(2, dense_echelon(even, 2, 2, NULL, 2, 0, &det));
    check_close(det, -1, 0);
}

#define TEST(f) mem_test(f)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(decompositions_hold_for_every_shape),
        TEST(small_singular_values_are_relatively_accurate),
        TEST(rank_and_null_space_of_products_are_found),
        TEST(a_tolerance_decides_what_counts),
        TEST(units_do_not_hide_the_rank),
        TEST(the_least_norm_solution_solves_and_is_shortest),
        TEST(a_singular_matrix_has_no_finite_condition),
        TEST(echelon_forms_are_those_by_hand),
        TEST(the_product_of_pivots_is_the_determinant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
