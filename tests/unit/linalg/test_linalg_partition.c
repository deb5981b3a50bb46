/* test_linalg_partition.c - a band in partitions side by side: solutions as exact as those of
 * elimination row by row, for every reach, for lengths that the partitions do not divide, and
 * whether or not the ends of a partition see each other; where rows would have to be exchanged,
 * that is said. */
#include "check.h"
#include "linalg/partition.h"
#include "linalg/solver.h"

#include <math.h>
#include <string.h>

static uint64_t state_of = 1;

static double noise(void)
{
    state_of = state_of * 6364136223846793005u + 1442695040888963407u;
    return (double)(state_of >> 11) / 9007199254740992.0 * 2 - 1;
}

typedef struct { /* row i: its 2 B + 1 entries, and the right-hand side */
    mem     m;
    int     n, B;
    double *a, *b, *x;
} problem;

static problem make(int n, int B, double dominance)
{
    problem p = {.n = n, .B = B};
    mem_init(&p.m, mem_heap_default());
    p.a = mem_array(&p.m, n * (2 * B + 1), double);
    p.b = mem_array(&p.m, n, double), p.x = mem_array(&p.m, n, double);
    for (int i = 0; i < n; i++) {
        double sum = 0, *row = p.a + i * (2 * B + 1);
        for (int o = -B; o <= B; o++)
            if (o && i + o >= 0 && i + o < n) row[B + o] = noise(), sum += fabs(row[B + o]);
        row[B] = (noise() > 0 ? 1 : -1) * (dominance * sum + 0.01), p.b[i] = noise();
    }
    return p;
}

/* Planes of a tile of all partitions of a group. */
static void fill(const problem *p, const partitions *s, int number, int from, int rows,
                 double *planes)
{
    const int width = 2 * p->B + 1;
    for (int l = 0; l < GROUP; l++)
        for (int i = 0; i < rows; i++) {
            const int row = (number * GROUP + l) * s->length + from + i;
            double   *to = planes + l * (width + 1) * GROUP_PLANE + i;
            to[0] = row < p->n ? p->b[row] : 0;
            for (int q = 0; q < width; q++)
                to[(q + 1) * GROUP_PLANE] = row < p->n ? p->a[row * width + q] : q == p->B;
        }
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static partition_end solve(problem *p)
{
    partitions   *s = partitions_new(&p->m, p->n, p->B, 1);
    const int     room = (2 * p->B + 2) * GROUP_PLANE * GROUP;
    double      *planes = mem_array(&p->m, room, double);
    partition_end end = PARTITIONS_PIVOTS;
    assert_non_null(s);
    for (int round = 0; round < 2; round++) { /* nothing is left from the first */
        for (int k = 0; k < s->groups; k++) {
            group_begin(&s->group[k], p->B);
            for (int from = 0; from < s->length; from += PARTITION_TILE) {
                const int rows = smaller(PARTITION_TILE, s->length - from);
                fill(p, s, k, from, rows, planes);
                group_down(&s->group[k], p->B, planes, from, rows);
            }
        }
        end = partitions_join(s);
    }
    for (int k = 0; k < s->groups && end == PARTITIONS_JOINED; k++)
        for (int from = (s->length - 1) / PARTITION_TILE * PARTITION_TILE; from >= 0;
             from -= PARTITION_TILE) {
            const int rows = smaller(PARTITION_TILE, s->length - from);
            group_up(&s->group[k], p->B, from, rows, planes);
            for (int l = 0; l < GROUP; l++)
                for (int i = 0; i < rows; i++) {
                    const int row = (k * GROUP + l) * s->length + from + i;
                    if (row < p->n) p->x[row] = planes[l * GROUP_PLANE + i];
                }
        }
    return end;
}

/* The largest residual of a row beside the sizes of what it adds up. */
static double backward_error(const problem *p)
{
    const int B = p->B;
    double    worst = 0;
    for (int i = 0; i < p->n; i++) {
        double sum = -p->b[i], size = fabs(p->b[i]);
        for (int o = -B; o <= B; o++)
            if (i + o >= 0 && i + o < p->n) {
                const double term = p->a[i * (2 * B + 1) + B + o] * p->x[i + o];
                sum += term, size += fabs(term);
            }
        worst = fmax(worst, fabs(sum) / size);
    }
    return worst;
}

static const int sizes[] = {192, 193, 260, 1000, 1999, 4096, 20000, 70001};

static void rows_are_solved_to_roundoff(void **state)
{
    (void)state;
    for (int B = 1; B <= PARTITION_REACH; B++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            problem p = make(sizes[k], B, 1.5);
            assert_int_equal(PARTITIONS_JOINED, solve(&p));
            if (backward_error(&p) > 1e-14)
                print_error("reach %d, %d rows: %g\n", B, p.n, backward_error(&p));
            assert_true(backward_error(&p) <= 1e-14);
            mem_free(&p.m);
        }
}

/* -1, 2, -1: what happens at one end is felt at the other. */
static void partitions_whose_ends_see_each_other_are_joined_exactly(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        problem p = make(sizes[k], 1, 2);
        for (int i = 0; i < p.n; i++) {
            double *row = p.a + 3 * i;
            row[0] = i ? -1 : 0, row[1] = 2, row[2] = i < p.n - 1 ? -1 : 0, p.b[i] = i == 0;
        }
        assert_int_equal(PARTITIONS_JOINED, solve(&p));
        for (int i = 0; i < p.n; i++) /* x_i = 1 - (i + 1)/(n + 1) */
            assert_true(fabs(p.x[i] - (1 - (i + 1.0) / (p.n + 1.0))) < 1e-9);
        mem_free(&p.m);
    }
}

static void pivots_that_vanish_are_noticed_wherever_they_are(void **state)
{
    (void)state;
    for (int B = 1; B <= PARTITION_REACH; B++)
        for (int at = 0; at < 1000; at += 37) {
            problem p = make(1000, B, 1.5);
            double *row = p.a + at * (2 * B + 1);
            memset(row, 0, (size_t)(2 * B + 1) * sizeof *row);
            assert_int_equal(PARTITIONS_PIVOTS, solve(&p));
            mem_free(&p.m);
        }
}

static void what_is_not_finite_is_noticed_wherever_it_is(void **state)
{
    (void)state;
    for (int B = 1; B <= PARTITION_REACH; B++)
        for (int at = 0; at < 1000; at += 37) {
            problem p = make(1000, B, 1.5);
            p.b[at] = at % 2 ? (double)NAN : (double)INFINITY;
            assert_int_equal(PARTITIONS_NOT_FINITE, solve(&p));
            p.b[at] = 1, p.a[at * (2 * B + 1) + B] = (double)NAN;
            assert_int_not_equal(PARTITIONS_JOINED, solve(&p));
            mem_free(&p.m);
        }
}

static void what_is_too_short_or_too_wide_has_no_partitions(void **state)
{
    (void)state;
    mem m;
    mem_init(&m, mem_heap_default());
    assert_null(partitions_new(&m, 100, 1, 1));
    assert_null(partitions_new(&m, 100000, PARTITION_REACH + 1, 1));
    assert_null(partitions_new(&m, 100000, 0, 1));
    mem_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_solved_to_roundoff),
        cmocka_unit_test(partitions_whose_ends_see_each_other_are_joined_exactly),
        cmocka_unit_test(pivots_that_vanish_are_noticed_wherever_they_are),
        cmocka_unit_test(what_is_not_finite_is_noticed_wherever_it_is),
        cmocka_unit_test(what_is_too_short_or_too_wide_has_no_partitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
