/* test_lang_vary.c - numbers that change from one evaluation to the next, in names that are read
 * once: the same bits as with texts. */
#include "bench.h"

#include <stdio.h>

static const char *const model_text =
    "system M {\n parameter k = 3, c[2] = 1\n input u = 2\n coordinate x, y\n"
    " lagrangian x'^2 + y'^2 - k*x^2 - c[1]*c[2]*y^2\n force x: u\n start x = k, y = 2*k\n}\n"
    "system A {\n parameter s = 1, r = s/3\n part a : M(k = r, c = [s, 2])\n part b : M\n"
    " start b.x' = r^2\n}\n"
    "simulate {\n step = s/100\n}\n";

static const char *const varied[] = {"s", "b.k", "b.u", "a.y", "b.x'", "p(a.x)"};
static const bool        starts[] = {false, false, false, true, true, true};
enum { COUNT = 6 };

static void by_text(bench *b, const double *number)
{
    source set[COUNT + 1], start[COUNT + 1];
    char   words[COUNT][64];
    int    sets = 0, begun = 0;
    set[sets++] = option("--set", "b.c=[7, 8]");
    for (int i = 0; i < COUNT; i++) {
        snprintf(words[i], sizeof words[i], "%s=%.17g", varied[i], number[i]);
        if (starts[i]) start[begun++] = option("--start", words[i]);
        else set[sets++] = option("--set", words[i]);
    }
    b->over = (overrides){.set = set, .sets = sets, .start = start, .starts = begun};
    if (evaluate(b)) print_messages(b), fail();
    b->over = (overrides){0};
}

static varying by_name(bench *b, const overrides *over, source called[COUNT])
{
    for (int i = 0; i < COUNT; i++) called[i] = option("--grid", varied[i]);
    return (varying){.over = over, .count = COUNT, .name = called, .start = starts, .m = &b->m};
}

static void numbers_by_name_are_those_of_texts_to_the_bit(void **state)
{
    (void)state;
    static const double number[][COUNT] = {{1, 2, 3, 4, 5, 6},
                                           {0.1, -1e-3, 1.0 / 3, -0.0, 1e300, 5e-324},
                                           {1, 2, 3, 4, 5, 6},
                                           {-2.5, 7, 0, 1e-17, -4, 0.3}};
    bench               b;
    source              given = option("--set", "b.c=[7, 8]"), called[COUNT];
    make(&b, model_text);
    const overrides over = {.set = &given, .sets = 1};
    varying         of = by_name(&b, &over, called);
    for (size_t k = 0; k < sizeof number / sizeof *number; k++) {
        values now;
        by_text(&b, number[k]);
        of.number = number[k];
        assert_int_equal(b.md->by->vary(b.md, &of, &b.ds, &b.m, &now), DAL_OK);
        const size_t of_n = (size_t)b.md->coordinates * sizeof(double);
        assert_memory_equal(now.parameter, b.v.parameter,
                            (size_t)b.md->parameters * sizeof(double));
        assert_memory_equal(now.input, b.v.input, (size_t)b.md->inputs * sizeof(double));
        assert_memory_equal(now.q, b.v.q, of_n);
        assert_memory_equal(now.v, b.v.v, of_n);
        assert_memory_equal(now.p, b.v.p, of_n);
        assert_memory_equal(now.given, b.v.given, (size_t)b.md->coordinates);
        assert_true(now.set[SET_STEP].number == number[k][0] / 100);
    }
    bench_close(&b);
}

static void a_name_that_is_none_and_a_value_that_cannot_be_are_refused(void **state)
{
    (void)state;
    bench           b;
    source          called = option("--grid", "nobody");
    const bool      start = false;
    double          number = 0;
    values          now;
    const overrides over = {0};
    make(&b, "system R {\n parameter s = 1\n coordinate x\n lagrangian x'^2/2\n"
             " start x = log(s)\n}\nsimulate {\n step = s\n}\n");
    varying of = {.over = &over, .count = 1, .name = &called, .start = &start, .number = &number};
    of.m = &b.m;
    assert_int_equal(b.md->by->vary(b.md, &of, &b.ds, &b.m, &now), DAL_INVALID);
    called = option("--grid", "s"), of.read = NULL, number = -1;
    assert_int_equal(b.md->by->vary(b.md, &of, &b.ds, &b.m, &now), DAL_INVALID);
    assert_true(b.ds.errors > 0);
    number = 1;
    assert_int_equal(b.md->by->vary(b.md, &of, &b.ds, &b.m, &now), DAL_OK);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_by_name_are_those_of_texts_to_the_bit),
        cmocka_unit_test(a_name_that_is_none_and_a_value_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
