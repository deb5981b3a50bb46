/* test_linalg_null_vector.c - directions that large sparse matrices take to 0. */
#include "linalg/null_vector.h"

#include "memory.h"

enum { N = 5000 };

/* Springs from each to the next, in units that differ by row and column; with a wall: held at 0. */
static void chain(mem *m, bool wall, pattern *p, double **values, double *unit)
{
    int    *row = mem_array(m, 3 * N, int), *column = mem_array(m, 3 * N, int), count = 0;
    double *a = mem_array(m, 3 * N, double);
    for (int i = 0; i < N; i++) {
        unit[i] = pow(10, i % 7 - 3);
        for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < N; j++, count++) {
            const int neighbours = (i > 0) + (i < N - 1) + (wall && i == 0);
            row[count] = i, column[count] = j;
            a[count] = (i == j ? neighbours : -1) * pow(1000, i % 3 - 1);
        }
    }
    *p = pattern_from_pairs(m, N, N, row, column, count, NULL);
    *values = mem_array(m, pattern_count(p), double);
    for (int k = 0; k < count; k++)
        (*values)[pattern_find(p, row[k], column[k])] = a[k] / unit[column[k]];
}

static void a_chain_moves_as_a_whole(void **state)
{
    mem    *m = *state;
    pattern p;
    double *a, *unit = mem_array(m, N, double), *x = mem_array(m, N, double);
    chain(m, false, &p, &a, unit);
    assert_true(null_vector(m, &p, a, x));
    for (int i = 0; i < N; i++) check_close(x[i] / unit[i], x[0] / unit[0], 1e-6);
}

static void what_is_held_has_no_such_direction(void **state)
{
    mem    *m = *state;
    pattern p;
    double *a, *unit = mem_array(m, N, double), *x = mem_array(m, N, double);
    chain(m, true, &p, &a, unit);
    assert_false(null_vector(m, &p, a, x));
}

/* Two unknowns that are in no equation: one of them is named, not a mixture. */
static void of_many_directions_one_is_found(void **state)
{
    mem    *m = *state;
    int    *at = mem_array(m, N, int), rows = 0;
    double *a = mem_array(m, N, double), *x = mem_array(m, N, double);
    for (int i = 0; i < N; i++)
        if (i != 70 && i != 4000) at[rows] = i, a[rows++] = 2;
    const pattern p = pattern_from_pairs(m, N, N, at, at, rows, NULL);
    assert_true(null_vector(m, &p, a, x));
    check_close(fabs(x[70]) + fabs(x[4000]), 1, 1e-9);
    for (int i = 0; i < N; i++)
        if (i != 70 && i != 4000) check_close(x[i], 0, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        mem_test(a_chain_moves_as_a_whole),
        mem_test(what_is_held_has_no_such_direction),
        mem_test(of_many_directions_one_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
