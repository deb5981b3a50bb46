/* test_linalg_solver.c - every kind of solver against residuals, against the others, and against
 * badly scaled matrices; and memory that runs out. */
#include "matrices.h"

#include <float.h>

static void nothing_to_solve_is_solved(void **state)
{
    int                       count;
    const solver_kind *const *kinds = solver_kinds(&count);
    pattern                   p = pattern_from_pairs(*state, 0, 0, NULL, NULL, 0, NULL);
    for (int k = 0; k <= count; k++) {
        solver *s = solver_new(*state, &p, k < count ? kinds[k]->name : NULL);
        if (!s) continue;
        assert_true(solver_factor(s, NULL));
        solver_solve(s, NULL);
    }
}

static void full_systems_of_every_size_are_solved_to_roundoff(void **state)
{
    for (int n = 1; n <= 40; n++) {
        builder b = random_full(*state, n);
        check_all_kinds(&b, 20 * n * DBL_EPSILON);
    }
    builder b = random_full(*state, 150);
    check_all_kinds(&b, 1e-13);
}

static void chains_of_any_numbering_are_solved_to_roundoff(void **state)
{
    for (int reach = 1; reach <= 4; reach++) {
        builder b = random_chain(*state, 400, reach);
        check_all_kinds(&b, 1e-13);
    }
}

static void all_kinds_agree_on_a_well_conditioned_matrix(void **state)
{
    builder b = matrix_new(*state, 60, 600);
    for (int i = 0; i < 60; i++) put(&b, i, i, 4);
    for (int k = 0; k < 120; k++) put(&b, below(60), below(60), uniform());
    finish(&b);
    double                   *rhs = random_vector(b.m, 60), *first = NULL;
    int                       count;
    const solver_kind *const *kinds = solver_kinds(&count);
    for (int k = 0; k < count; k++) {
        solver *s = solver_new(b.m, &b.p, kinds[k]->name);
        if (!s) continue;
        assert_true(solver_factor(s, b.a));
        double *x = solved(b.m, s, 60, rhs);
        if (!first) first = x;
        for (int i = 0; i < 60; i++) check_close(x[i], first[i], 1e-14);
    }
}

static void multiplier_systems_are_accepted_however_small_the_step(void **state)
{
    for (double h = 1; h > 1e-13; h /= 10) {
        builder small = chain_with_multipliers(*state, 3, h);
        check_all_kinds(&small, 1e-13);
        builder large = chain_with_multipliers(*state, 200, h);
        check_all_kinds(&large, 1e-12);
    }
}

static void units_of_rows_and_columns_do_not_matter(void **state)
{
    for (int n = 2; n <= 12; n += 5) {
        builder b = random_full(*state, n);
        for (int i = 0; i < n; i++) {
            double row = pow(10, 40 * uniform());
            for (int j = 0; j < n; j++) b.a[i * n + j] *= row;
        }
        for (int j = 0; j < n; j++) {
            double column = pow(10, 40 * uniform());
            for (int i = 0; i < n; i++) b.a[i * n + j] *= column;
        }
        check_all_kinds(&b, 1e-12);
    }
}

/* P1 + P2 = p, Z = h P1/m, Z = h P2/m: each entry beside a 1 in its row and in its column. */
static void units_that_no_row_shows_do_not_matter(void **state)
{
    for (double d = 1; d > 1e-60; d /= 1e3) {
        const double a[] = {1e-3 / d, 1, 1, 0.5, -d, 0, 0.5, 0, -d};
        /* the last row is half of the second and a quarter of the first */
        const double same[] = {a[0], 1, 1, 0.5, -d, 0, 0.25 + a[0] / 4, 0.25 - d / 2, 0.25};
        builder      b = from_rows(*state, 3, a), twice = from_rows(*state, 3, same);
        double       x[] = {0.3, 2, 1}, rhs[3] = {0};
        for (int k = 0; k < 9; k++) rhs[k / 3] += a[k] * x[k % 3] * (k % 3 ? 1 / d : 1);
        solver *s = solver_new(b.m, &b.p, "dense");
        assert_true(solver_factor(s, b.a));
        solver_solve(s, rhs);
        check_close(rhs[0], x[0], 1e-12);
        check_close(rhs[1] * d, x[1], 1e-12);
        check_close(rhs[2] * d, x[2], 1e-12);
        s = solver_new(twice.m, &twice.p, "dense");
        assert_false(solver_factor(s, twice.a));
    }
}

/* Few unknowns have loops of their own; beside rows of the identity they are among many. */
static void few_unknowns_have_the_bits_of_many(void **state)
{
    enum { MANY = 12, FEW = 8 };
    for (int n = 3; n <= FEW; n++)
        for (int round = 0; round < 50; round++) {
            builder b = random_full(*state, n);
            double  a[MANY * MANY] = {0}, x[FEW], y[MANY] = {0};
            for (int i = 0; i < MANY; i++) a[i * MANY + i] = 1;
            for (int k = 0; k < n * n; k++) {
                b.a[k] *= k % 5 == round % 5 ? 1e6 : 1; /* so that columns are exchanged */
                a[k / n * MANY + k % n] = b.a[k];
            }
            builder many = from_rows(*state, MANY, a);
            for (int i = 0; i < n; i++) x[i] = y[i] = sin(i + round);
            solver *few = solver_new(b.m, &b.p, "dense"), *all = solver_new(many.m, &many.p, "dense");
            assert_true(solver_factor(few, b.a) && solver_factor(all, many.a));
            solver_solve(few, x), solver_solve(all, y);
            assert_memory_equal(x, y, (size_t)n * sizeof *x);
        }
}

static void factoring_and_solving_do_not_allocate(void **state)
{
    (void)state;
    scarce_heap heap = {.left = -1};
    mem         m;
    mem_init(&m, (mem_heap){scarce_resize, &heap});
    builder full = random_full(&m, 20), chain = random_chain(&m, 300, 2), one = random_full(&m, 1);
    const builder *matrices[] = {&full, &chain, &one};
    for (int k = 0; k < 3; k++) {
        solver *s = solver_new(&m, &matrices[k]->p, NULL);
        double *x = random_vector(&m, matrices[k]->n);
        long    before = heap.calls;
        assert_true(solver_factor(s, matrices[k]->a));
        solver_solve(s, x);
        assert_int_equal(heap.calls, before);
    }
    mem_free(&m);
}

/* Factors with every kind, from memory that fails after `calls` calls; false if it did. */
static bool survives(const builder *b, int calls)
{
    scarce_heap   heap = {.left = calls};
    jmp_buf       guard;
    mem           m;
    volatile bool done = false;
    mem_init(&m, (mem_heap){scarce_resize, &heap});
    m.guard = &guard;
    if (!setjmp(guard)) {
        int                       count;
        const solver_kind *const *kinds = solver_kinds(&count);
        for (int k = 0; k < count; k++) {
            solver *s = solver_new(&m, &b->p, kinds[k]->name);
            if (s) assert_true(solver_factor(s, b->a));
        }
        done = true;
    }
    mem_free(&m);
    assert_int_equal(heap.live, 0);
    return done;
}

static void an_allocation_that_fails_leaks_nothing(void **state)
{
    builder b = random_chain(*state, 2000, 1);
    int     calls = 0;
    while (!survives(&b, calls)) calls++;
    assert_true(calls > 10);
}

static void the_choice_follows_the_pattern(void **state)
{
    mem    *m = *state;
    builder diagonal = matrix_new(m, 50, 50), chain = random_chain(m, 500, 1);
    builder full = random_full(m, 50), star = matrix_new(m, 500, 1500), plain = plain_chain(m, 500);
    for (int i = 0; i < 50; i++) put(&diagonal, i, i, 1);
    for (int i = 0; i < 500; i++) put(&star, i, i, 2), put(&star, 0, i, 1), put(&star, i, 0, 1);
    finish(&diagonal), finish(&star);
    assert_string_equal(solver_name(solver_new(m, &diagonal.p, NULL)), "diagonal");
    assert_string_equal(solver_name(solver_new(m, &chain.p, NULL)), "band");
    assert_string_equal(solver_name(solver_new(m, &plain.p, NULL)), "tridiagonal");
    assert_string_equal(solver_name(solver_new(m, &full.p, NULL)), "dense");
    assert_string_equal(solver_name(solver_new(m, &star.p, NULL)), "sparse");
    assert_null(solver_new(m, &full.p, "diagonal"));
    assert_null(solver_new(m, &full.p, "no such kind"));
}

#define TEST(f) mem_test(f)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(nothing_to_solve_is_solved),
        TEST(full_systems_of_every_size_are_solved_to_roundoff),
        TEST(chains_of_any_numbering_are_solved_to_roundoff),
        TEST(all_kinds_agree_on_a_well_conditioned_matrix),
        TEST(multiplier_systems_are_accepted_however_small_the_step),
        TEST(units_of_rows_and_columns_do_not_matter),
        TEST(units_that_no_row_shows_do_not_matter),
        TEST(few_unknowns_have_the_bits_of_many),
        TEST(factoring_and_solving_do_not_allocate),
        TEST(an_allocation_that_fails_leaks_nothing),
        TEST(the_choice_follows_the_pattern),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
