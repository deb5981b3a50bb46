/* test_linalg_cg.c - conjugate gradients on lattices and random graphs: as accurate as was asked
 * for, in any units, and left to a direct solver where they do not suit. */
#include "matrices.h"

#include <float.h>

enum { SIDE = 20, N = SIDE * SIDE, EDGES = 4 * N };

/* a spring: k on the diagonal of both, -k between them */
static void join(builder *b, int i, int j, double k)
{
    if (i == j) return;
    put(b, i, i, k), put(b, j, j, k), put(b, i, j, -k), put(b, j, i, -k);
}

/* 1 + springs of stiffness up to k, in a lattice of which some links are missing and others wrap,
 * or between knots at random; all times s. */
static builder springs(mem *m, bool lattice, double k, double s)
{
    builder b = matrix_new(m, N, N + 4 * EDGES);
    for (int i = 0; i < N; i++) put(&b, i, i, s);
    for (int i = 0; i < N && lattice; i++) {
        if (i % 7) join(&b, i, i % SIDE + 1 < SIDE ? i + 1 : i - SIDE + 1, s * k * (1 + uniform()));
        join(&b, i, (i + SIDE) % N, s * k * (1 + uniform()));
    }
    for (int e = 0; e < 2 * N && !lattice; e++)
        join(&b, below(N), below(N), s * k * (1 + uniform()));
    finish(&b);
    return b;
}

/* The largest difference from what sparse or dense LU finds, in units of c = |a_ii|^(-1/2), as a
 * part of the largest solution; *used: by which kind. */
static double error_of(const builder *b, double part, const char **used)
{
    solver *cg = solver_new(b->m, &b->p, "cg"), *lu = solver_new(b->m, &b->p, "dense");
    double *rhs = random_vector(b->m, b->n), *none = mem_array(b->m, b->n, double);
    double  most = 0, size = 0;
    for (int i = 0; i < b->n; i++) rhs[i] *= sqrt(fabs(b->a[pattern_find(&b->p, i, i)]));
    assert_true(solver_factor(lu, b->a) && solver_factor(cg, b->a));
    solver_aim(cg, part, none);
    double *x = solved(b->m, cg, b->n, rhs), *y = solved(b->m, lu, b->n, rhs);
    for (int i = 0; i < b->n; i++) {
        const double c = 1 / sqrt(fabs(b->a[pattern_find(&b->p, i, i)]));
        most = fmax(most, fabs(x[i] - y[i]) / c), size = fmax(size, fabs(y[i]) / c);
    }
    *used = solver_used(cg);
    solver_free(cg);
    return most / size;
}

static void as_accurate_as_asked_for(void **state)
{
    const char *used;
    for (int k = 0; k < 12; k++) {
        builder b = springs(*state, k % 2, (double[]){0.02, 0.1, 0.2}[k / 2 % 3], k < 6 ? 3 : -0.2);
        for (double part = 0.1; part > 1e-13; part /= 100) {
            check_below(error_of(&b, part, &used), 3 * part);
            assert_string_equal(used, "cg");
        }
        check_below(error_of(&b, DBL_EPSILON, &used), 64 * DBL_EPSILON);
    }
}

static double *by_gradients(const builder *b, const double *rhs)
{
    solver *cg = solver_new(b->m, &b->p, "cg");
    assert_true(solver_factor(cg, b->a));
    double *x = solved(b->m, cg, b->n, rhs);
    assert_string_equal(solver_used(cg), "cg");
    return x;
}

/* Units of each unknown and its equation, of which no bit depends; sizes whose squares are no
 * numbers; nothing at all. */
static void in_any_units(void **state)
{
    for (int k = 0; k < 2; k++) {
        builder b = springs(*state, k, 0.2, 1);
        double *unit = mem_array(b.m, N, double), *rhs = random_vector(b.m, N);
        double *x = by_gradients(&b, rhs), *y;
        for (int i = 0; i < N; i++) unit[i] = ldexp(1, below(200) - 100), rhs[i] *= unit[i];
        for (int i = 0; i < N; i++)
            for (int e = b.p.start[i]; e < b.p.start[i + 1]; e++)
                b.a[e] *= unit[i] * unit[b.p.column[e]];
        y = by_gradients(&b, rhs);
        for (int i = 0; i < N; i++) assert_true(y[i] * unit[i] == x[i]);
    }
    builder b = springs(*state, true, 0.3, 1);
    for (double size = 1e-290; size < 1e300; size *= 1e145) {
        double *rhs = random_vector(b.m, N);
        for (int i = 0; i < N; i++) rhs[i] *= size;
        check_below(backward_error(&b, by_gradients(&b, rhs), rhs), 1e-13);
    }
    const double *none = by_gradients(&b, mem_array(b.m, N, double));
    for (int i = 0; i < N; i++) assert_true(none[i] == 0);
}

/* Not symmetric; a direction along which it is negative; a condition of 1e9. */
static void what_does_not_suit_is_left_to_factors(void **state)
{
    for (int k = 0; k < 3; k++) {
        builder     b = springs(*state, true, k == 2 ? 3e8 : 0.5, 1);
        const char *used;
        if (k == 0) b.a[b.p.start[5]] += 1e-9; /* beside the diagonal */
        for (int i = 0; i < N && k == 1; i++) b.a[pattern_find(&b.p, i, i)] -= 1.2;
        check_below(error_of(&b, DBL_EPSILON, &used), k == 2 ? 1e-6 : 1e-11);
        assert_string_not_equal(used, "cg");
    }
}

/* A solution to roundoff may take as many iterations more than a usual one as it gains digits more. */
static void to_roundoff_as_long_as_it_repays(void **state)
{
    for (int k = 0; k < 2; k++) {
        builder     b = springs(*state, k, 20, 1);
        const char *used;
        check_below(error_of(&b, DBL_EPSILON, &used), 1e-13);
        assert_string_equal(used, "cg");
    }
}

/* Only the solution shows it: what comes out is no number. */
static void singular_matrices_lead_nowhere(void **state)
{
    builder b = springs(*state, true, 1, 1);
    for (int i = 0; i < N; i++) b.a[pattern_find(&b.p, i, i)] -= 1;
    solver *cg = solver_new(b.m, &b.p, "cg");
    if (solver_factor(cg, b.a)) {
        double *x = solved(b.m, cg, N, random_vector(b.m, N));
        assert_true(isnan(x[0]));
    }
    assert_false(solver_factor(cg, b.a));
}

/* A fresh solver that is told of the past gives the same bits. */
static void the_past_is_remembered(void **state)
{
    builder b = springs(*state, false, 0.5, 1);
    double *rhs = random_vector(b.m, N);
    solver *first = solver_new(b.m, &b.p, "cg"), *next = solver_new(b.m, &b.p, "cg");
    assert_true(solver_factor(first, b.a));
    assert_null(solver_past(first));
    for (int i = 0; i < N; i++) b.a[pattern_find(&b.p, i, i)] -= 1.2;
    assert_true(solver_factor(first, b.a));
    solved(b.m, first, N, rhs);
    assert_non_null(solver_past(first));
    assert_true(solver_recall(next, solver_past(first)));
    for (int i = 0; i < N; i++) b.a[pattern_find(&b.p, i, i)] += 0.01;
    assert_true(solver_factor(first, b.a) && solver_factor(next, b.a));
    assert_memory_equal(solved(b.m, first, N, rhs), solved(b.m, next, N, rhs), N * sizeof *rhs);
    solver_free(first), solver_free(next);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        mem_test(as_accurate_as_asked_for),
        mem_test(in_any_units),
        mem_test(what_does_not_suit_is_left_to_factors),
        mem_test(to_roundoff_as_long_as_it_repays),
        mem_test(singular_matrices_lead_nowhere),
        mem_test(the_past_is_remembered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
