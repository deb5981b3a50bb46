/* test_lang_values.c - the numbers of a run, from the text and the command line; files and imports.
 */
#include "bench.h"

/* Values. -------------------------------------------------------------------------------------- */

static void the_outermost_start_wins(void **state)
{
    (void)state;
    bench b;
    bench_open(&b);
    b.start[0] = option("--start", "a.w=9"), b.start[1] = option("--start", "p(a.z)=8");
    b.over.start = b.start, b.over.starts = 2;
    if (load(&b, "system M {\n parameter k = 3\n coordinate x, y, z, w\n lagrangian x'^2 + y'^2 + "
                 "z'^2 + w'^2 + k\n"
                 " start x = k, y = 2*k, z' = 1, w = 5\n}\n"
                 "system A {\n part a : M(k = 4)\n start a.y = -1, p(a.x) = 6, a.z = 2 free, a.x' "
                 "free\n}\n") ||
        evaluate(&b))
        print_messages(&b), fail();
    check_close(b.v.q[0], 4, 0);
    check_close(b.v.q[1], -1, 0);
    check_close(b.v.p[0], 6, 0);
    check_close(b.v.q[3], 9, 0);
    check_close(b.v.p[2], 8, 0);
    assert_int_equal(b.v.given[0], GIVEN_Q | GIVEN_P | FREE_V);
    assert_int_equal(b.v.given[2],
                     GIVEN_Q | FREE_Q | GIVEN_P); /* the outer p(z) replaces the inner z' */
    bench_close(&b);
}

static void arrays_take_lists(void **state)
{
    (void)state;
    bench b;
    make(&b, "system M {\n parameter c[2][2] = 1\n coordinate u[2][2]\n"
             " lagrangian sum(i in 1..2, j in 1..2: c[i][j]*u[i][j]'^2)\n}\n"
             "system A {\n part m : M(c = [[1, 2], [3, 4]])\n start m.u = [[5, 6], [7, 8]], m.u' = "
             "[[0, 0], [1/2, 0]]\n}\n");
    for (int i = 0; i < 4; i++) {
        check_close(b.v.parameter[i], i + 1, 0);
        check_close(b.v.q[i], i + 5, 0);
    }
    check_close(b.v.v[2], 0.5, 0);
    bench_close(&b);
}

static void arrays_take_the_names_of_arrays(void **state)
{
    (void)state;
    bench b;
    make(&b, "system M {\n parameter n = 1, c[n][2] = 0, s[n] = 0\n coordinate u[n][2]\n"
             " lagrangian sum(i in 1..n, j in 1..2: c[i][j]*u[i][j]'^2 - s[i])\n start u = c\n}\n"
             "system K {\n parameter n = 1, d[n][2] = 0, r[n] = 0\n"
             " part m : M(n = n, c = d, s = r)\n}\n"
             "system A {\n parameter N = 2, e[i in 0..N-1][2] = [[1, 2], [3, 4]], f[N] = 7\n"
             " part k : K(n = N, d = e, r = f)\n}\n");
    const int last = b.md->parameters;
    for (int i = 0; i < 4; i++) {
        check_close(b.v.q[i], i + 1, 0);
        check_close(b.v.parameter[last - 6 + i], i + 1, 0);
    }
    check_close(b.v.parameter[last - 1], 7, 0);
    bench_close(&b);
}

static void tied_coordinates_share_a_start(void **state)
{
    (void)state;
    bench b;
    make(&b, "system M {\n coordinate x\n lagrangian x'^2\n}\n"
             "system A {\n parameter n = 2, gap = 0.5\n part a[5] : M\n connect a[1].x = a[2].x\n"
             " connect a[2].x = n*a[3].x + gap\n connect a[4].x = a[5].x + gap\n start a[3].x = 3, "
             "a[1].x' = 4\n}\n");
    static const double q[] = {6.5, 6.5, 3, 0.5, 0}, v[] = {4, 4, 2, 0, 0};
    for (int i = 0; i < 5; i++) {
        check_close(b.v.q[i], q[i], 1e-15);
        check_close(b.v.v[i], v[i], 1e-15);
    }
    assert_int_equal(b.v.given[0], GIVEN_Q | GIVEN_V);
    assert_int_equal(b.v.given[3], 0);
    bench_close(&b);
}

static void a_free_start_gives_way_to_a_tie(void **state)
{
    (void)state;
    bench b;
    make(&b, "system M {\n coordinate x\n lagrangian x'^2\n}\n"
             "system A {\n part a[2] : M\n connect a[1].x = a[2].x\n start a[1].x = 1, a[2].x = 3 "
             "free\n}\n");
    check_close(b.v.q[1], 1, 0);
    bench_close(&b);
}

static const char *const sized =
    "let double(x) = 2*x\n"
    "system Cell {\n parameter n = 1, R = 5\n coordinate u[n]\n"
    " lagrangian sum(k in 1..n: R*u[k]'^2)\n}\n"
    "system A {\n parameter M = 1, gain = 3\n part c[2] : Cell(n = double(M), R = gain)\n}\n";

static void parameters_are_set_from_outside(void **state)
{
    (void)state;
    bench b;
    int   R;
    bench_open(&b);
    b.set[0] = option("--set", "M=3"), b.set[1] = option("--set", "c[2].R=2*gain"),
    b.set[2] = option("--set", "c[1].n=1");
    b.over.set = b.set, b.over.sets = 3;
    if (load(&b, sized) || evaluate(&b)) print_messages(&b), fail();
    assert_int_equal(b.md->coordinates, 1 + 6);
    assert_true(model_find(b.md, "c[1].R", MEMBER_PARAMETER, &R));
    check_close(b.v.parameter[R], 3, 0);
    assert_true(model_find(b.md, "c[2].R", MEMBER_PARAMETER, &R));
    check_close(b.v.parameter[R], 6, 0);
    assert_int_equal(b.md->structural[0], 1);
    assert_int_equal(b.md->structural[1], 0);
    b.over.sets = 0; /* sizes stay as they were made */
    assert_int_equal(evaluate(&b), DAL_OK);
    check_close(b.v.parameter[0], 3, 0);
    check_close(b.v.parameter[R], 3, 0);
    bench_close(&b);
}

static void a_made_model_keeps_its_sizes(void **state)
{
    (void)state;
    bench b;
    make(&b, sized);
    b.set[0] = option("--set", "M=3"), b.over.set = b.set, b.over.sets = 1;
    assert_int_equal(evaluate(&b), DAL_INVALID);
    assert_non_null(strstr(b.ds.list.at[0].message, "sizes depend on 'M'"));
    diags_clear(&b.ds);
    b.set[0] = option("--set", "gain=7");
    assert_int_equal(evaluate(&b), DAL_OK);
    check_close(b.v.parameter[1], 7, 0);
    bench_close(&b);
}

static void wrong_options_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *set, *start, *columns, *message, *hint;
    } cases[] = {{"grr=3", NULL, NULL, "unknown name 'grr'", NULL},
                 {"gian=3", NULL, NULL, "unknown name 'gian'", "did you mean 'gain' (parameter"},
                 {"c[3].R=3", NULL, NULL, "index 3 of 'c' is out of range", NULL},
                 {"c[1].Q=3", NULL, NULL, "'c' has no member 'Q'", "Cell has parameters n, R"},
                 {"gain=", NULL, NULL, "a value after '=' is missing", NULL},
                 {"=3", NULL, NULL, "a name before '=' is missing", NULL},
                 {"gain", NULL, NULL, "NAME=VALUE", NULL},
                 {"gain=1/0", NULL, NULL, "parameter 'gain' is not finite", NULL},
                 {"c[1].u[1]=1", NULL, NULL, "'u' is not a parameter",
                  "give a coordinate its value with --start"},
                 {NULL, "gain=1", NULL, "'gain' is a parameter; --start needs a coordinate", NULL},
                 {NULL, "c[1].u[9]=1", NULL, "index 9 of 'u' is out of range", NULL},
                 {NULL, NULL, "gain", "the parameter 'gain' is not a column", NULL},
                 {NULL, NULL, "c[1].u[1], x", "unknown name 'x'", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bench b;
        make(&b, sized);
        if (cases[i].set)
            b.set[0] = option("--set", cases[i].set), b.over.set = b.set, b.over.sets = 1;
        if (cases[i].start)
            b.start[0] = option("--start", cases[i].start), b.over.start = b.start,
            b.over.starts = 1;
        if (cases[i].columns)
            b.columns = option("--columns", cases[i].columns), b.over.columns = &b.columns;
        assert_int_equal(evaluate(&b), DAL_INVALID);
        if (!strstr(b.ds.list.at[0].message, cases[i].message) ||
            (cases[i].hint && !strstr(b.ds.list.at[0].hint, cases[i].hint))) {
            print_messages(&b);
            fail_msg("case %zu", i);
        }
        bench_close(&b);
    }
}

static void settings_are_evaluated_in_the_system_that_runs(void **state)
{
    (void)state;
    bench b;
    make(&b,
         "system A {\n parameter T = 2, s = 3\n coordinate x, y[2]\n lagrangian x'^2 + T*(y[1]'^2 "
         "+ y[2]'^2)\n"
         " output o = x\n constraint c: x' = t\n symmetry r: y[1] -> 1\n}\n"
         "simulate {\n principle = dirac-\n scheme = polynomial(s - 1) with lobatto(s)\n"
         " force = compose(rectangle(1/4), yoshida(4))\n retraction = left\n momentum = papers\n"
         " summation = plain\n"
         " step = T/100\n steps = 10*s\n from = -1\n record = every s\n columns = y, p(y), energy, "
         "o, c, r, x\n}\n");
    assert_string_equal(b.v.set[SET_SCHEME].words, "polynomial(2) with lobatto(3)");
    assert_string_equal(b.v.set[SET_FORCE].words, "compose(rectangle(0.25), yoshida(4))");
    assert_string_equal(b.v.set[SET_PRINCIPLE].words, "dirac-");
    assert_string_equal(b.v.set[SET_RETRACTION].words, "left");
    assert_string_equal(b.v.set[SET_MOMENTUM].words, "papers");
    assert_string_equal(b.v.set[SET_SUMMATION].words, "plain");
    check_close(b.v.set[SET_STEP].number, 0.02, 0);
    check_close(b.v.set[SET_STEPS].number, 30, 0);
    check_close(b.v.set[SET_FROM].number, -1, 0);
    check_close(b.v.set[SET_RECORD].number, 3, 0);
    assert_false(b.v.set[SET_UNTIL].given);
    static const column want[] = {{COL_Q, 1},          {COL_Q, 2},        {COL_P, 1},
                                  {COL_P, 2},          {COL_ENERGY, 0},   {COL_OUTPUT, 0},
                                  {COL_MULTIPLIER, 0}, {COL_SYMMETRY, 0}, {COL_Q, 0}};
    assert_int_equal(b.v.columns, 9);
    for (int i = 0; i < 9; i++)
        assert_true(b.v.column[i].kind == want[i].kind && b.v.column[i].index == want[i].index);
    bench_close(&b);
}

/* Files. --------------------------------------------------------------------------------------- */

static void imports_are_read_once_and_may_go_in_circles(void **state)
{
    (void)state;
    bench             b;
    static const char path[] = TEST_DATA "/lang/import/main.dal", *const installed[] = {
                                                                      TEST_DATA
                                                                      "/lang/import/share"};
    load_request rq = {.file = path, .directory = installed, .directories = 1};
    bench_open(&b);
    if (model_load(mem_heap_default(), &b.ds, &rq, &b.md) || evaluate(&b))
        print_messages(&b), fail();
    assert_string_equal(b.md->system, "Main");
    assert_int_equal(b.md->coordinates, 2);
    check_close(b.v.parameter[0], 9.81, 0);
    assert_false(
        b.v.set[SET_STEP].given); /* the simulate block of an imported file counts for nothing */
    assert_int_equal(b.ds.list.n, 0);
    model_free(b.md);
    rq.directories = 0;
    assert_int_equal(model_load(mem_heap_default(), &b.ds, &rq, &b.md), DAL_IO);
    assert_null(b.md);
    rq.file = "/no/such/file.dal";
    assert_int_equal(model_load(mem_heap_default(), &b.ds, &rq, &b.md), DAL_IO);
    bench_close(&b);
}

static void the_system_to_run_can_be_named(void **state)
{
    (void)state;
    bench        b;
    const char   words[] = "system First {\n coordinate x\n lagrangian x'^2\n}\nsystem Second {\n "
                           "coordinate y\n lagrangian y'^2\n}\n";
    load_request rq = {
        .file = "two.dal", .text = words, .length = sizeof words - 1, .system = "First"};
    bench_open(&b);
    assert_int_equal(model_load(mem_heap_default(), &b.ds, &rq, &b.md), DAL_OK);
    assert_string_equal(b.md->system, "First");
    model_free(b.md);
    rq.system = "Frist";
    assert_int_equal(model_load(mem_heap_default(), &b.ds, &rq, &b.md), DAL_INVALID);
    assert_string_equal(b.ds.list.at[0].hint, "did you mean 'First'?");
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_outermost_start_wins),
        cmocka_unit_test(arrays_take_lists),
        cmocka_unit_test(arrays_take_the_names_of_arrays),
        cmocka_unit_test(tied_coordinates_share_a_start),
        cmocka_unit_test(a_free_start_gives_way_to_a_tie),
        cmocka_unit_test(parameters_are_set_from_outside),
        cmocka_unit_test(a_made_model_keeps_its_sizes),
        cmocka_unit_test(wrong_options_are_told),
        cmocka_unit_test(settings_are_evaluated_in_the_system_that_runs),
        cmocka_unit_test(imports_are_read_once_and_may_go_in_circles),
        cmocka_unit_test(the_system_to_run_can_be_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
