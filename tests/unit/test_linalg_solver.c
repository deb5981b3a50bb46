/* test_linalg_solver.c - every kind of solver against residuals, against the others, and against
 * singular and badly scaled matrices. */
#include "memory.h"
#include "linalg/solver.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static uint32_t seed = 3;

static double uniform(void) /* in (-1, 1) */
{
    seed = seed * 1664525u + 1013904223u;
    return ((seed >> 8) + 0.5) / 8388608.0 - 1;
}

static int below(int n)
{
    return (int)((uniform() + 1) / 2 * n);
}

/* A matrix to fill: pairs with values, repeated ones added. */
typedef struct {
    mem    *m;
    int     n, count;
    int    *row, *column;
    double *value;
    pattern p;
    double *a; /* values by pattern, after finish */
} builder;

static builder matrix_new(mem *m, int n, int room)
{
    return (builder){.m = m,
                     .n = n,
                     .row = mem_array(m, room, int),
                     .column = mem_array(m, room, int),
                     .value = mem_array(m, room, double)};
}

static void put(builder *b, int i, int j, double value)
{
    b->row[b->count] = i, b->column[b->count] = j, b->value[b->count++] = value;
}

static void finish(builder *b)
{
    int *place = mem_array(b->m, b->count, int);
    b->p = pattern_from_pairs(b->m, b->n, b->n, b->row, b->column, b->count, place);
    b->a = mem_array(b->m, pattern_count(&b->p), double);
    for (int k = 0; k < b->count; k++) b->a[place[k]] += b->value[k];
}

static builder from_rows(mem *m, int n, const double *a)
{
    builder b = matrix_new(m, n, n * n);
    for (int k = 0; k < n * n; k++) put(&b, k / n, k % n, a[k]);
    finish(&b);
    return b;
}

static builder random_full(mem *m, int n)
{
    builder b = matrix_new(m, n, n * n);
    for (int k = 0; k < n * n; k++) put(&b, k / n, k % n, uniform());
    finish(&b);
    return b;
}

/* a chain with `reach` neighbours to each side, shuffled, with a weak diagonal */
static builder random_chain(mem *m, int n, int reach)
{
    builder b = matrix_new(m, n, n * (2 * reach + 1));
    int    *name = mem_array(m, n, int);
    for (int i = 0; i < n; i++) name[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int j = below(i + 1), t = name[i];
        name[i] = name[j], name[j] = t;
    }
    for (int i = 0; i < n; i++)
        for (int j = i - reach; j <= i + reach; j++)
            if (j >= 0 && j < n) put(&b, name[i], name[j], uniform() * (i == j ? 0.1 : 1));
    finish(&b);
    return b;
}

/* the same with neighbours side by side: tridiagonal, and rows have to be exchanged */
static builder plain_chain(mem *m, int n)
{
    builder b = matrix_new(m, n, 3 * n);
    for (int i = 0; i < n; i++)
        for (int j = i - 1; j <= i + 1; j++)
            if (j >= 0 && j < n) put(&b, i, j, uniform() * (i == j ? 0.1 : 1));
    finish(&b);
    return b;
}

/* [M/h^2, G^T; G, 0] for masses in a row, held together by rigid links */
static builder chain_with_multipliers(mem *m, int masses, double h)
{
    builder b = matrix_new(m, 2 * masses - 1, 5 * masses);
    for (int i = 0; i < masses; i++) put(&b, i, i, (1.5 + uniform()) / (h * h));
    for (int i = 0; i + 1 < masses; i++)
        for (int side = 0; side < 2; side++) {
            double g = side ? 1.2 : -0.8 + 0.1 * uniform();
            put(&b, masses + i, i + side, g);
            put(&b, i + side, masses + i, g);
        }
    finish(&b);
    return b;
}

/* max_i |A x - b|_i / (|A| |x| + |b|)_i: at most a few n eps for a backward stable solver */
static double backward_error(const builder *b, const double *x, const double *rhs)
{
    double worst = 0;
    for (int i = 0; i < b->n; i++) {
        double r = -rhs[i], size = fabs(rhs[i]);
        for (int k = b->p.start[i]; k < b->p.start[i + 1]; k++) {
            r += b->a[k] * x[b->p.column[k]];
            size += fabs(b->a[k] * x[b->p.column[k]]);
        }
        if (!(fabs(r) / size <= worst)) worst = fabs(r) / size;
    }
    return worst;
}

static double *random_vector(mem *m, int n)
{
    double *x = mem_array(m, n, double);
    for (int i = 0; i < n; i++) x[i] = uniform();
    return x;
}

static double *solved(mem *m, solver *s, int n, const double *rhs)
{
    double *x = mem_array(m, n, double);
    memcpy(x, rhs, (size_t)n * sizeof *x);
    solver_solve(s, x);
    return x;
}

/* Every kind that takes the pattern solves to a small backward error. */
static void check_all_kinds(const builder *b, double tol)
{
    int                       count, tried = 0;
    double                   *rhs = random_vector(b->m, b->n);
    const solver_kind *const *kinds = solver_kinds(&count);
    for (int k = 0; k < count; k++) {
        solver *s = solver_new(b->m, &b->p, kinds[k]->name);
        if (!s) continue;
        for (int again = 0; again < 2; again++, tried++) {
            assert_true(solver_factor(s, b->a));
            double error = backward_error(b, solved(b->m, s, b->n, rhs), rhs);
            if (!(error <= tol))
                fail_msg("%s, n = %d: backward error %.2e", kinds[k]->name, b->n, error);
        }
        solver_free(s);
    }
    assert_true(tried >= 4);
}

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

/* Every kind that takes the pattern calls the matrix singular, and recovers afterwards. */
static void check_singular(const builder *b)
{
    int                       count;
    const solver_kind *const *kinds = solver_kinds(&count);
    for (int k = 0; k < count; k++) {
        solver *s = solver_new(b->m, &b->p, kinds[k]->name);
        if (!s) continue;
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

static void a_tridiagonal_matrix_is_solved_as_by_a_band(void **state)
{
    mem *m = *state;
    for (int n = 3; n < 400; n = n * 3 / 2 + 1) {
        builder b = plain_chain(m, n);
        double *rhs = random_vector(m, n);
        solver *s = solver_new(m, &b.p, "tridiagonal");
        assert_non_null(s);
        assert_true(solver_factor(s, b.a));
        assert_true(backward_error(&b, solved(m, s, n, rhs), rhs) < 4 * n * DBL_EPSILON);
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

/* Long chains go in eight pieces: whatever the rest, whether the pieces feel each other along their whole length
 * or not at all, and where rows have to be exchanged. */
static void a_long_tridiagonal_matrix_is_solved_to_roundoff(void **state)
{
    mem *m = *state;
    for (int n = 250; n < 4000; n = n * 5 / 4 + 1)
        for (int k = 0; k < 5; k++) {
            static const double weight[] = {1e-6, 0.1, 1, 1e3};
            builder             b = k < 4 ? long_chain(m, n, weight[k]) : plain_chain(m, n);
            double             *rhs = random_vector(m, n), error[2];
            for (int other = 0; other < 2; other++) {
                solver *s = solver_new(m, &b.p, other ? "band" : "tridiagonal");
                assert_true(solver_factor(s, b.a));
                error[other] = backward_error(&b, solved(m, s, n, rhs), rhs);
            }
            assert_true(error[0] < (k < 4 ? 4 * DBL_EPSILON : 10 * error[1]));
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

/* w entries beside the diagonal, which outweighs them, or is as random as they are, or is missing */
static builder narrow_band(mem *m, int n, int w, double diagonal)
{
    builder b = matrix_new(m, n, n * (2 * w + 1));
    for (int i = 0; i < n; i++)
        for (int j = i - w; j <= i + w; j++)
            if (j >= 0 && j < n) put(&b, i, j, i == j ? diagonal * (1 + 0.1 * uniform()) : uniform());
    finish(&b);
    return b;
}

/* Narrow bands go without exchanges of rows where they can: wherever rows have to be exchanged, they still are. */
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
                assert_true(backward_error(&b, solved(m, s, n, rhs), rhs) < (k ? n : 4) * DBL_EPSILON);
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
    int                       count;
    const solver_kind *const *kinds = solver_kinds(&count);
    assert_string_equal(solver_name(solver_new(m, &star.p, NULL)), kinds[count - 1]->name);
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
        TEST(singular_matrices_are_recognised),
        TEST(random_matrices_of_lower_rank_are_hardly_ever_missed),
        TEST(a_constraint_stated_twice_is_singular),
        TEST(entries_that_are_not_finite_and_zero_rows_are_singular),
        TEST(new_values_that_defeat_old_pivots_get_new_ones),
        TEST(factoring_and_solving_do_not_allocate),
        TEST(an_allocation_that_fails_leaks_nothing),
        TEST(a_tridiagonal_matrix_is_solved_as_by_a_band),
        TEST(a_long_tridiagonal_matrix_is_solved_to_roundoff),
        TEST(a_long_tridiagonal_matrix_can_be_singular),
        TEST(a_tridiagonal_matrix_is_singular_where_a_band_says_so),
        TEST(a_narrow_band_is_solved_to_roundoff),
        TEST(the_choice_follows_the_pattern),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
