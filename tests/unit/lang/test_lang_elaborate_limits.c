/* Models at the limits: long sums, many lines, many cells, endless definitions, and memory that
 * runs out. */
#include "bench.h"
#include "memory.h"

static void a_long_sum_takes_linear_time(void **state)
{
    (void)state;
    bench b;
    bench_open(&b);
    text words = text_new(&b.m);
    text_add(&words,
             "system A {\n coordinate x[30000]\n lagrangian sum(k in 1..30000: x[k]'^2/2)\n");
    for (int k = 1; k <= 30000; k++) text_printf(&words, " - x[%d]^2/%d\n", k, k);
    text_add(&words, "}\n");
    if (load(&b, text_str(&words)) || evaluate(&b)) print_messages(&b), fail();
    assert_int_equal(b.md->elements.n, 2);
    bench_close(&b);
}

static void long_chains_of_lets_are_fine_and_endless_ones_are_refused(void **state)
{
    (void)state;
    static const struct {
        int        lets;
        dal_status status;
    } cases[] = {{1000, DAL_OK}, {20000, DAL_INVALID}};
    for (int i = 0; i < 2; i++)
        for (int backward = 0; backward < 2; backward++) {
            bench b;
            bench_open(&b);
            text words = text_new(&b.m);
            text_add(&words, "system A {\n coordinate x\n let s0 = x\n");
            for (int k = 1; k <= cases[i].lets; k++) {
                int n = backward ? cases[i].lets + 1 - k : k;
                text_printf(&words, " let s%d = s%d/2 + 1\n", n, n - 1);
            }
            text_printf(&words, " lagrangian x'^2 - s%d\n}\n", cases[i].lets);
            assert_int_equal(load(&b, text_str(&words)), cases[i].status);
            if (cases[i].status)
                assert_non_null(strstr(b.ds.list.at[0].message, "nested more than"));
            bench_close(&b);
        }
}

/* 2^31 parts are counted, not made. */
static void nested_parts_are_counted_before_they_are_made(void **state)
{
    (void)state;
    static const char *const holds[] = {
        "part a : S%d\n part b : S%d\n", "part a[2] : S%d\n", "part a[k in 3..4] : S%d\n",
        "parameter N = 2\n part a[N] : S%d\n", "parameter N = 1\n part a[k in N..2*N] : S%d\n"};
    for (int i = 0; i < 5; i++) {
        bench b;
        bench_open(&b);
        text words = text_new(&b.m);
        text_add(&words, "system S0 {\n coordinate x\n lagrangian x'^2/2\n}\n");
        for (int k = 1; k <= 31; k++) {
            text_printf(&words, "system S%d {\n ", k);
            text_printf(&words, holds[i], k - 1, k - 1);
            text_add(&words, "}\n");
        }
        assert_int_equal(load(&b, text_str(&words)), DAL_INVALID);
        assert_non_null(strstr(b.ds.list.at[0].message, "more than 67108864 parts"));
        check_below((double)b.m.total, 1e6);
        bench_close(&b);
    }
}

/* Sizes that are handed down multiply; what only the first element has does not. */
static void sizes_that_are_handed_down_are_counted_for_each(void **state)
{
    (void)state;
    static const struct {
        const char *size;
        dal_status  status;
    } cases[] = {{"N", DAL_INVALID}, {"if(k < 2, N, 1)", DAL_OK}, {"if(k < N, 1, N)", DAL_OK}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bench b;
        bench_open(&b);
        text words = text_new(&b.m);
        text_printf(&words,
                    "system S {\n coordinate x\n lagrangian x'^2/2\n}\n"
                    "system A {\n parameter N = 3\n part s[N] : S\n}\n"
                    "system B {\n parameter N = 10000\n part a[k in 1..N] : A(N = %s)\n}\n",
                    cases[i].size);
        assert_int_equal(load(&b, text_str(&words)), cases[i].status);
        if (cases[i].status) check_below((double)b.m.total, 1e6);
        bench_close(&b);
    }
}

static void a_file_of_many_lines_takes_linear_time(void **state)
{
    (void)state;
    bench b;
    bench_open(&b);
    text words = text_new(&b.m);
    text_add(&words, "system A {\n");
    for (int k = 0; k < 20000; k++)
        text_printf(&words,
                    " parameter k%d = %d\n coordinate x%d\n lagrangian x%d'^2/2 - k%d*x%d^2\n "
                    "start x%d = 1\n",
                    k, k, k, k, k, k, k);
    text_add(&words, "}\n");
    if (load(&b, text_str(&words)) || evaluate(&b)) print_messages(&b), fail();
    assert_int_equal(b.md->coordinates, 20000);
    bench_close(&b);
}

static void a_hundred_thousand_cells_are_two_elements(void **state)
{
    (void)state;
    bench b;
    make(&b,
         "system Spring {\n parameter m = 1, k = 4\n coordinate a, x\n lagrangian m/2*x'^2 - "
         "k/2*(x - a)^2\n}\n"
         "system Chain {\n parameter N = 100000\n part cell[i in 1..N] : Spring(k = 1 + 0.1*i)\n"
         " for i in 1..N-1 { connect cell[i].x = cell[i+1].a }\n start cell[1].x = 1\n}\n");
    assert_int_equal(b.md->elements.n, 2);
    assert_int_equal(b.md->relations, 99999);
    check_below((double)b.md->m.total, 300e5);
    check_close(b.v.parameter[2 * 99999 + 2], 1 + 0.1 * 100000, 0);
    check_close(b.v.q[2], 1, 0);
    bench_close(&b);
}

static void a_failing_allocation_leaks_nothing(void **state)
{
    (void)state;
    static const char words[] = "let double(x) = 2*x\n"
                                "system Cell {\n parameter n = 1, R = 5\n coordinate u[n]\n"
                                " lagrangian sum(k in 1..n: R*u[k]'^2)\n}\n"
                                "system A {\n parameter M = 1\n part c[2] : Cell(n = double(M))\n"
                                " connect c[1].u[1] = c[2].u[1]\n output o = c[1].u[1]'\n}\n";
    bench             b;
    int               n = 0;
    bool              done = false;
    for (; !done && n < 100000; n++) {
        scarce_heap  s = {.left = n};
        load_request rq = {.file = "cells.dal", .text = words, .length = sizeof words - 1};
        bench_open(&b);
        dal_status got = model_load((mem_heap){scarce_resize, &s}, &b.ds, &rq, &b.md);
        assert_true(got == DAL_OK || got == DAL_NOMEM);
        done = got == DAL_OK;
        bench_close(&b);
        assert_int_equal(s.live, 0);
    }
    assert_in_range(n, 10, 99999);
}

/* 2^60 calls, of numbers and of vectors; in a statement each is made once. */
static void functions_of_functions_are_bounded(void **state)
{
    (void)state;
    static const char *const start[] = {"x = f60([1, 2, 3])", "x[1] = f60(1)"};
    for (int i = 0; i < 2; i++) {
        bench b;
        bench_open(&b);
        text words = text_new(&b.m);
        text_add(&words, "let f0(a) = a\n");
        for (int k = 1; k <= 60; k++)
            text_printf(&words, "let f%d(a) = f%d(a) + f%d(a)\n", k, k - 1, k - 1);
        text_printf(&words,
                    "system A {\n coordinate x[3]\n lagrangian dot(x', x')/2\n"
                    " force x: f60(x)\n start %s\n}\n",
                    start[i]);
        assert_int_equal(load(&b, text_str(&words)), DAL_OK);
        assert_int_equal(evaluate(&b), DAL_INVALID);
        assert_non_null(strstr(b.ds.list.at[0].message, "run through more than"));
        bench_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_sum_takes_linear_time),
        cmocka_unit_test(long_chains_of_lets_are_fine_and_endless_ones_are_refused),
        cmocka_unit_test(nested_parts_are_counted_before_they_are_made),
        cmocka_unit_test(sizes_that_are_handed_down_are_counted_for_each),
        cmocka_unit_test(a_file_of_many_lines_takes_linear_time),
        cmocka_unit_test(a_hundred_thousand_cells_are_two_elements),
        cmocka_unit_test(a_failing_allocation_leaks_nothing),
        cmocka_unit_test(functions_of_functions_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
