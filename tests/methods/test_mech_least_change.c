/* test_mech_least_change.c - the smallest change that satisfies linear conditions: the sparse way
 * finds what the dense one does. */
#include "memory.h"

#include "mech/start/least_change.h"

/* Row r: x_2r - 2 x_2r+1 + x_2r+2 / 2, so that neighbours share an unknown. */
static sparse_entries rows_of(mem *m, int rows)
{
    sparse_entries B = {0};
    for (int r = 0; r < rows; r++) {
        sparse_add(m, &B, r, 2 * r, 1);
        sparse_add(m, &B, r, 2 * r + 1, -2);
        sparse_add(m, &B, r, 2 * r + 2, 0.5);
    }
    return B;
}

static double off_by(const sparse_entries *B, int rows, const double *value, const double *dx)
{
    double worst = 0;
    for (int r = 0; r < rows; r++) {
        double sum = value[r];
        for (int k = 3 * r; k < 3 * r + 3; k++) sum += B->value.at[k] * dx[B->column.at[k]];
        worst = fmax(worst, fabs(sum));
    }
    return worst;
}

static void
the_sparse_change_satisfies_the_conditions_and_is_as_small_as_the_dense_one(void **state)
{
    mem   *m = *state;
    double norm[2];
    for (int large = 0; large < 2;
         large++) { /* the same conditions, and many unknowns without any */
        int            rows = 60, n = large ? LEAST_CHANGE_DENSE + 500 : 130;
        sparse_entries B = rows_of(m, rows);
        uint8_t       *may = mem_array(m, n, uint8_t);
        double        *value = mem_array(m, rows, double), *dx = mem_array(m, n, double);
        for (int i = 0; i < n; i++) may[i] = i % 5 != 4;
        for (int r = 0; r < rows; r++) value[r] = sin(r + 1.0);
        assert_true(least_change(m, &B, rows, n, may, value, dx));
        assert_true(off_by(&B, rows, value, dx) < 1e-12);
        norm[large] = 0;
        for (int i = 0; i < n; i++) {
            if (!may[i]) assert_true(dx[i] == 0);
            norm[large] += dx[i] * dx[i];
        }
    }
    assert_true(fabs(norm[0] - norm[1]) < 1e-12 * norm[0]);
}

static void nothing_that_may_move_changes_nothing(void **state)
{
    mem           *m = *state;
    sparse_entries B = rows_of(m, 3);
    uint8_t        may[9] = {0};
    double         value[3] = {1, 1, 1}, dx[9] = {0};
    assert_false(least_change(m, &B, 3, 9, may, value, dx));
}

static void relations_of_a_large_system_that_contradict_are_refused(void **state)
{
    mem           *m = *state;
    sparse_entries B = {0};
    int            n = LEAST_CHANGE_DENSE + 1;
    uint8_t       *may = mem_array(m, n, uint8_t);
    double         value[2] = {1, 2}, *dx = mem_array(m, n, double);
    for (int i = 0; i < n; i++) may[i] = 1;
    sparse_add(m, &B, 0, 0, 1), sparse_add(m, &B, 1, 0, 1);
    assert_false(least_change(m, &B, 2, n, may, value, dx));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        mem_test(the_sparse_change_satisfies_the_conditions_and_is_as_small_as_the_dense_one),
        mem_test(nothing_that_may_move_changes_nothing),
        mem_test(relations_of_a_large_system_that_contradict_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
