/* Singular matrices are recognised by every kind of solver, and what is not singular is not taken
 * for it. */
#include "matrices.h"

/* Every kind that takes the pattern calls the matrix singular, and recovers afterwards. */
static void check_singular(const builder *b)
{
    int                       count;
    const solver_kind *const *kinds = solver_kinds(&count);
    for (int k = 0; k < count; k++) {
        solver *s = solver_new(b->m, &b->p, kinds[k]->name);
        if (!s) continue;
        if (kinds[k]->aim) continue; /* it finds out while it solves: test_linalg_cg.c */
        if (solver_factor(s, b->a))
            fail_msg("%s takes a singular matrix, n = %d", kinds[k]->name, b->n);
        double *good = random_vector(b->m, pattern_count(&b->p));
        assert_true(solver_factor(s, good));
        assert_false(solver_factor(s, b->a));
    }
}

static void singular_matrices_are_recognised(void **state)
{
    mem         *m = *state;
    const double rank1[] = {1, 2, 1e-8, 2e-8}, rank2[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    const double third[] = {1.0 / 3, 1.0 / 7, 1, 1.0 / 7};
    builder      two = from_rows(m, 2, rank1), three = from_rows(m, 3, rank2);
    check_singular(&two);
    check_singular(&three);
    builder regular = from_rows(m, 2, third);
    check_all_kinds(&regular, 1e-15);

    builder chain = matrix_new(m, 300, 1200); /* springs without a wall */
    for (int i = 0; i + 1 < 300; i++) {
        double k = 1.1 + uniform();
        put(&chain, i, i, k), put(&chain, i + 1, i + 1, k);
        put(&chain, i, i + 1, -k), put(&chain, i + 1, i, -k);
    }
    finish(&chain);
    check_singular(&chain);
}

/* Rounding may leave a pivot of any size for a zero; rarely one that is mistaken for regular. */
static void random_matrices_of_lower_rank_are_hardly_ever_missed(void **state)
{
    int                       count, missed, tried;
    const solver_kind *const *kinds = solver_kinds(&count);
    for (int k = 0; k < count; k++) {
        missed = tried = 0;
        for (int n = 3; n <= 40; n++)
            for (int again = 0; again < 10; again++) {
                builder b = random_full(*state, n);
                solver *s = solver_new(b.m, &b.p, kinds[k]->name);
                if (s) assert_true(solver_factor(s, b.a));
                for (int i = 0; i < n * n; i++) b.a[i] = uniform(); /* old pivots do not suit */
                for (int j = 0; j < n; j++) { /* the last row is the sum of the others */
                    double *last = &b.a[(n - 1) * n + j];
                    *last = 0;
                    for (int i = 0; i + 1 < n; i++) *last += b.a[i * n + j];
                }
                if (s) missed += solver_factor(s, b.a), tried++;
                solver_free(s);
            }
        check_below(missed, 0.02 * tried);
    }
}

static void a_constraint_stated_twice_is_singular(void **state)
{
    const double h = 1e-6,
                 a[] = {1 / (h * h), 0, 1, 1, 0, 2 / (h * h), -1, -1, 1, -1, 0, 0, 1, -1, 0, 0};
    builder b = from_rows(*state, 4, a);
    check_singular(&b);
}

static void entries_that_are_not_finite_and_zero_rows_are_singular(void **state)
{
    const double bad[] = {0, -0.0, NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 5; k++) {
        builder one = from_rows(*state, 1, &bad[k]);
        check_singular(&one);
        for (int n = 2; n <= 4; n++) {
            builder b = random_full(*state, n);
            b.a[n - 1] = bad[k]; /* right of every pivot */
            if (k < 2)
                for (int j = 0; j < n; j++) b.a[j] = 0;
            check_singular(&b);
        }
    }
}

static void new_values_that_defeat_old_pivots_get_new_ones(void **state)
{
    int     n = 200;
    builder b = matrix_new(*state, n, 8 * n);
    for (int i = 0; i < n; i++) {
        put(&b, i, i, 3), put(&b, i, (i + 1) % n, 1), put(&b, (i + 7) % n, i, 1);
        put(&b, i, below(n), 0.3);
    }
    finish(&b);
    double                   *rhs = random_vector(b.m, n);
    int                       kind_count;
    const solver_kind *const *kinds = solver_kinds(&kind_count);
    for (int k = 0; k < kind_count; k++) {
        solver *s = solver_new(b.m, &b.p, kinds[k]->name);
        if (!s) continue;
        assert_true(solver_factor(s, b.a));
        double *kept = mem_array(b.m, pattern_count(&b.p), double);
        memcpy(kept, b.a, (size_t)pattern_count(&b.p) * sizeof *kept);
        for (int i = 0; i < n; i++) b.a[pattern_find(&b.p, i, i)] = i % 3 ? 1e-13 : 3;
        assert_true(solver_factor(s, b.a));
        double error = backward_error(&b, solved(b.m, s, n, rhs), rhs);
        if (!(error <= 1e-13)) fail_msg("%s: backward error %.2e", kinds[k]->name, error);
        memcpy(b.a, kept, (size_t)pattern_count(&b.p) * sizeof *kept);
        solver_free(s);
    }
}

#define TEST(f) mem_test(f)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(singular_matrices_are_recognised),
        TEST(random_matrices_of_lower_rank_are_hardly_ever_missed),
        TEST(a_constraint_stated_twice_is_singular),
        TEST(entries_that_are_not_finite_and_zero_rows_are_singular),
        TEST(new_values_that_defeat_old_pivots_get_new_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
