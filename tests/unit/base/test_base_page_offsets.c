/* test_base_page_offsets.c - arrays for one pass begin at different offsets in their pages. */
#include "memory.h"

#include <stdint.h>

enum { SLOTS = 12, PAGE = 4096, LINE = 64, COUNT = 1000 };

static void arrays_begin_lines_at_other_places_of_their_pages(void **state)
{
    uintptr_t at[SLOTS];
    for (int k = 0; k < SLOTS; k++) {
        double *x = mem_apart(*state, COUNT, k);
        at[k] = (uintptr_t)x % PAGE;
        assert_int_equal(0, at[k] % LINE);
        for (int i = 0; i < COUNT; i++) assert_true(x[i] == 0), x[i] = k;
        for (int j = 0; j < k; j++) assert_true(labs((long)at[k] - (long)at[j]) >= LINE);
    }
}

static void few_numbers_take_no_page(void **state)
{
    mem         *m = *state;
    const size_t before = m->total;
    for (int k = 0; k < 100; k++) mem_apart(m, 4, k)[3] = 1;
    check_below((double)(m->total - before), PAGE * 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        mem_test(arrays_begin_lines_at_other_places_of_their_pages),
        mem_test(few_numbers_take_no_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
