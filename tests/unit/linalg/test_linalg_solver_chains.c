/* Tridiagonal matrices and narrow bands, which are factored in partitions where they are long: as
 * good as those of a band. */
#include "matrices.h"

#include <float.h>

/* max |A x - b| / (|A| max |x| + max |b|): what exchanges of rows keep small whatever the matrix
 * is, though a small entry of x may be wrong in its own row */
static double whole_error(const builder *b, const double *x, const double *rhs)
{
    double r_most = 0, row_most = 0, x_most = 0, rhs_most = 0;
    for (int i = 0; i < b->n; i++) {
        double r = -rhs[i], row = 0;
        for (int k = b->p.start[i]; k < b->p.start[i + 1]; k++)
            r += b->a[k] * x[b->p.column[k]], row += fabs(b->a[k]);
        r_most = fmax(r_most, fabs(r)), row_most = fmax(row_most, row);
        x_most = fmax(x_most, fabs(x[i])), rhs_most = fmax(rhs_most, fabs(rhs[i]));
    }
    return r_most / (row_most * x_most + rhs_most);
}

static void a_tridiagonal_matrix_is_solved_as_by_a_band(void **state)
{
    mem *m = *state;
    for (int n = 3; n < 400; n = n * 3 / 2 + 1) {
        builder b = plain_chain(m, n);
        double *rhs = random_vector(m, n);
        solver *s = solver_new(m, &b.p, "tridiagonal");
        assert_non_null(s);
        assert_true(solver_factor(s, b.a));
        check_below(whole_error(&b, solved(m, s, n, rhs), rhs), 4 * DBL_EPSILON);
    }
}

/* springs and masses: diagonal `weight` more than what the springs need */
static builder long_chain(mem *m, int n, double weight)
{
    builder b = matrix_new(m, n, 3 * n);
    for (int i = 0; i < n; i++) {
        if (i > 0) put(&b, i, i - 1, -1 - 0.1 * uniform());
        put(&b, i, i, 2.2 + weight * (1 + 0.1 * uniform()));
        if (i < n - 1) put(&b, i, i + 1, -1 - 0.1 * uniform());
    }
    finish(&b);
    return b;
}

/* Long chains go in partitions: whatever the rest, whether the partitions feel each other along
 * their whole length or not at all, and where rows have to be exchanged. */
static void a_long_tridiagonal_matrix_is_solved_to_roundoff(void **state)
{
    mem *m = *state;
    for (int n = 250; n < 4000; n = n * 5 / 4 + 1)
        for (int k = 0; k < 5; k++) {
            static const double weight[] = {1e-6, 0.1, 1, 1e3};
            builder             b = k < 4 ? long_chain(m, n, weight[k]) : plain_chain(m, n);
            double             *rhs = random_vector(m, n);
            solver             *s = solver_new(m, &b.p, "tridiagonal");
            assert_true(solver_factor(s, b.a));
            const double *x = solved(m, s, n, rhs);
            check_below(k < 4 ? backward_error(&b, x, rhs) : whole_error(&b, x, rhs),
                        4 * DBL_EPSILON);
        }
}

static void a_long_tridiagonal_matrix_can_be_singular(void **state)
{
    mem *m = *state;
    for (int n = 256; n < 3000; n = n * 3 / 2 + 1) {
        builder b = matrix_new(m, n, 3 * n); /* free masses */
        for (int i = 0; i < n; i++) {
            if (i > 0) put(&b, i, i - 1, -1);
            put(&b, i, i, i == 0 || i == n - 1 ? 1 : 2);
            if (i < n - 1) put(&b, i, i + 1, -1);
        }
        finish(&b);
        solver *s = solver_new(m, &b.p, "tridiagonal");
        assert_false(solver_factor(s, b.a));
        b.a[0] = (double)NAN;
        assert_false(solver_factor(s, b.a));
        b.a[0] = 2, b.a[pattern_find(&b.p, n / 2, n / 2)] = (double)INFINITY;
        assert_false(solver_factor(s, b.a));
    }
}

/* w entries beside the diagonal, which outweighs them, or is as random as they are, or is
 * missing */
static builder narrow_band(mem *m, int n, int w, double diagonal)
{
    builder b = matrix_new(m, n, n * (2 * w + 1));
    for (int i = 0; i < n; i++)
        for (int j = i - w; j <= i + w; j++)
            if (j >= 0 && j < n)
                put(&b, i, j, i == j ? diagonal * (1 + 0.1 * uniform()) : uniform());
    finish(&b);
    return b;
}

/* Narrow bands go without exchanges of rows where they can: wherever rows have to be exchanged,
 * they still are. */
static void a_narrow_band_is_solved_to_roundoff(void **state)
{
    mem *m = *state;
    for (int w = 1; w <= 9; w++)
        for (int n = 100; n < 700; n = n * 2 + 1) {
            static const double diagonal[] = {20, 0.5, 0};
            for (int k = 0; k < (w > 1 ? 3 : 2); k++) { /* chains of odd length need a diagonal */
                builder b = narrow_band(m, n, w, diagonal[k]);
                double *rhs = random_vector(m, n);
                solver *s = solver_new(m, &b.p, "band");
                assert_true(solver_factor(s, b.a));
                assert_true(backward_error(&b, solved(m, s, n, rhs), rhs) <
                            (k ? n : 4) * DBL_EPSILON);
                b.a[pattern_count(&b.p) / 2] = (double)NAN;
                assert_false(solver_factor(s, b.a));
            }
        }
}

static void a_tridiagonal_matrix_is_singular_where_a_band_says_so(void **state)
{
    mem    *m = *state;
    builder b = matrix_new(m, 40, 120); /* free masses: constants are in its kernel */
    for (int i = 0; i < 40; i++) {
        if (i > 0) put(&b, i, i - 1, -1);
        put(&b, i, i, i == 0 || i == 39 ? 1 : 2);
        if (i < 39) put(&b, i, i + 1, -1);
    }
    finish(&b);
    static const char *const kind[] = {"tridiagonal", "band"};
    for (int k = 0; k < 2; k++) {
        solver *s = solver_new(m, &b.p, kind[k]);
        b.a[0] = 1;
        assert_false(solver_factor(s, b.a));
        b.a[0] = 1 + 1e-9;
        assert_true(solver_factor(s, b.a));
        b.a[0] = (double)NAN;
        assert_false(solver_factor(s, b.a));
    }
}

#define TEST(f) mem_test(f)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_tridiagonal_matrix_is_solved_as_by_a_band),
        TEST(a_long_tridiagonal_matrix_is_solved_to_roundoff),
        TEST(a_long_tridiagonal_matrix_can_be_singular),
        TEST(a_tridiagonal_matrix_is_singular_where_a_band_says_so),
        TEST(a_narrow_band_is_solved_to_roundoff),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
