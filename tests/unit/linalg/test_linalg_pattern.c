/* test_linalg_pattern.c - patterns from pairs, and orders that make bands narrow. */
#include "memory.h"
#include "linalg/pattern.h"

#include <stdlib.h>

static uint32_t seed = 7;

static int below(int n)
{
    seed = seed * 1664525u + 1013904223u;
    return (int)((seed >> 8) % (uint32_t)n);
}

static void pairs_become_ascending_rows_without_repetition(void **state)
{
    enum { ROWS = 37, COLUMNS = 23, COUNT = 600 };
    int  row[COUNT], column[COUNT], place[COUNT];
    char there[ROWS][COLUMNS] = {{0}};
    int  entries = 0;
    for (int k = 0; k < COUNT; k++) {
        row[k] = below(ROWS), column[k] = below(COLUMNS);
        entries += !there[row[k]][column[k]];
        there[row[k]][column[k]] = 1;
    }
    pattern p = pattern_from_pairs(*state, ROWS, COLUMNS, row, column, COUNT, place);
    assert_int_equal(pattern_count(&p), entries);
    for (int i = 0; i < ROWS; i++)
        for (int k = p.start[i] + 1; k < p.start[i + 1]; k++)
            assert_true(p.column[k - 1] < p.column[k]);
    for (int k = 0; k < COUNT; k++) {
        assert_int_equal(p.column[place[k]], column[k]);
        assert_in_range(place[k], p.start[row[k]], p.start[row[k] + 1] - 1);
    }
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            assert_int_equal(pattern_find(&p, i, j) >= 0, there[i][j]);
}

static void full_and_diagonal_patterns_are_recognised(void **state)
{
    int     row[] = {1, 0, 1, 0, 2, 2, 2, 0, 1}, column[] = {1, 0, 0, 1, 2, 0, 1, 2, 2};
    pattern full = pattern_from_pairs(*state, 3, 3, row, column, 9, NULL);
    pattern part = pattern_from_pairs(*state, 3, 3, row, column, 8, NULL);
    assert_true(pattern_is_full(&full) && !pattern_is_diagonal(&full));
    assert_true(!pattern_is_full(&part) && !pattern_is_diagonal(&part));
    int     diagonal[] = {2, 0, 1, 1}, crossed[] = {1, 2, 0};
    pattern yes = pattern_from_pairs(*state, 3, 3, diagonal, diagonal, 4, NULL);
    pattern no = pattern_from_pairs(*state, 3, 3, diagonal, crossed, 3, NULL);
    pattern missing = pattern_from_pairs(*state, 4, 4, diagonal, diagonal, 4, NULL);
    assert_true(pattern_is_diagonal(&yes) && !pattern_is_full(&yes));
    assert_false(pattern_is_diagonal(&no));
    assert_false(pattern_is_diagonal(&missing));
    pattern none = pattern_from_pairs(*state, 0, 0, NULL, NULL, 0, NULL);
    assert_int_equal(pattern_count(&none), 0);
}

/* Couples i with i + 1 for each link, under a random numbering; returns the distance after
 * ordering. */
static int bandwidth_after_order(mem *m, int n, int ring)
{
    int *name = mem_array(m, n, int), *position = mem_array(m, n, int);
    int *row = mem_array(m, 3 * n, int), *column = mem_array(m, 3 * n, int), count = 0, widest = 0;
    for (int i = 0; i < n; i++) name[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int j = below(i + 1), t = name[i];
        name[i] = name[j], name[j] = t;
    }
    for (int i = 0; i < n; i++) {
        row[count] = name[i], column[count++] = name[i];
        if (i + 1 == n && !ring) continue;
        row[count] = name[i], column[count++] = name[(i + 1) % n];
        row[count] = name[(i + 1) % n], column[count++] = name[i];
    }
    pattern p = pattern_from_pairs(m, n, n, row, column, count, NULL);
    pattern_order(m, &p, position);
    for (int k = 0; k < count; k++) {
        int apart = abs(position[row[k]] - position[column[k]]);
        if (apart > widest) widest = apart;
    }
    char *taken = mem_array(m, n, char);
    for (int i = 0; i < n; i++) taken[position[i]]++;
    for (int i = 0; i < n; i++) assert_int_equal(taken[i], 1);
    return widest;
}

static void a_shuffled_chain_is_put_in_line(void **state)
{
    assert_int_equal(bandwidth_after_order(*state, 1000, 0), 1);
    assert_int_equal(bandwidth_after_order(*state, 1000, 1), 2);
    assert_int_equal(bandwidth_after_order(*state, 1, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        mem_test(pairs_become_ascending_rows_without_repetition),
        mem_test(full_and_diagonal_patterns_are_recognised),
        mem_test(a_shuffled_chain_is_put_in_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
