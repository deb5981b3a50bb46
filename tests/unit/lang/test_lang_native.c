/* test_lang_native.c - every example as compiled code: the bits of the interpreters, for all that a
 * system can be asked for. */
#include "folder.h"
#include "kernel_random.h"
#include "lang/load.h"
#include "model/compile.h"
#include "native.h"
#include "world.h"


enum { EVERYTHING = 511 };

typedef struct {
    sys_values out;
    int        n, rows, K, A;
} answer;

static answer answer_new(mem *m, const dal_system *sys)
{
    answer a = {.n = sys->n, .rows = sys->m + sys->r};
    a.K = pattern_count(&sys->K), a.A = pattern_count(&sys->A);
    double **const vectors[] = {&a.out.Lq, &a.out.Lw, &a.out.f, &a.out.Lqt, &a.out.Lwt, &a.out.ft};
    double **const columns[] = {&a.out.e, &a.out.et, &a.out.g};
    for (int k = 0; k < 6; k++) *vectors[k] = mem_array(m, a.n + 1, double);
    for (int k = 0; k < 3; k++) *columns[k] = mem_array(m, a.rows + 1, double);
    for (int f = 0; f < F_COUNT; f++) a.out.on_K[f] = mem_array(m, a.K + 1, double);
    a.out.A = mem_array(m, a.A + 1, double), a.out.eq = mem_array(m, a.A + 1, double);
    return a;
}

static void check_same(const char *file, const char *what, const double *a, const double *b, int n)
{
    for (int i = 0; i < n; i++)
        if (!same(a[i], b[i])) fail_msg("%s: %s[%d] is %a, compiled %a", file, what, i, a[i], b[i]);
}

static void check_answers(const char *file, const answer *a, const answer *b)
{
    const sys_values *x = &a->out, *y = &b->out;
    check_same(file, "L", &x->L, &y->L, 1), check_same(file, "Lt", &x->Lt, &y->Lt, 1);
    check_same(file, "Lq", x->Lq, y->Lq, a->n), check_same(file, "Lw", x->Lw, y->Lw, a->n);
    check_same(file, "f", x->f, y->f, a->n), check_same(file, "ft", x->ft, y->ft, a->n);
    check_same(file, "Lqt", x->Lqt, y->Lqt, a->n), check_same(file, "Lwt", x->Lwt, y->Lwt, a->n);
    for (int f = 0; f < F_COUNT; f++) check_same(file, "a field", x->on_K[f], y->on_K[f], a->K);
    check_same(file, "e", x->e, y->e, a->rows), check_same(file, "et", x->et, y->et, a->rows);
    check_same(file, "A", x->A, y->A, a->A), check_same(file, "eq", x->eq, y->eq, a->A);
    check_same(file, "g", x->g, y->g, a->rows);
}

/* false: its programs are too long for native code */
static bool compare(world *w, const char *file, const model *md, merging how)
{
    mem           *m = mem_child(&w->m);
    text           why = text_new(m);
    const unsigned want = EVERYTHING;
    values         val;
    assert_int_equal(md->by->evaluate(md, &(overrides){0}, &w->ds, m, &val), DAL_OK);
    const compiled *c = compile_merging(m, md, how);
    bound          *by_machine = bound_new(m, c, val.parameter, val.input);
    bound          *by_code = bound_new(m, c, val.parameter, val.input);
    if (!bound_native(m, by_code, &want, 1, &why)) {
        if (!strstr(text_str(&why), "too long")) fail_msg("%s: %s", file, text_str(&why));
        mem_free(m);
        return false;
    }
    dal_system *one = bound_system(by_machine), *two = bound_system(by_code);
    answer      a = answer_new(m, one), b = answer_new(m, two);
    const int   width = turning_width(md->turns, a.n), all = width + 2 * a.n + a.rows;
    double     *x = mem_array(m, all + 1, double);
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < all; i++) x[i] = random_bits() / 8388608.0 - 1;
        sys_point at = {.t = random_bits() / 1e6,
                        .q = x,
                        .w = x + width,
                        .v = x + width + a.n,
                        .lam = x + width + 2 * a.n};
        one->eval(one->self, want, 1, &at, &a.out), two->eval(two->self, want, 1, &at, &b.out);
        check_answers(file, &a, &b);
    }
    mem_free(m);
    return true;
}

static int compare_all(world *w, const char *folder, bool lanes)
{
    const char *const parts[] = {TEST_DATA "/../share"};
    const models      all = models_of(folder);
    int               count = 0;
    for (int i = 0; i < all.n; i++) {
        model       *md;
        load_request rq = {.file = all.path[i], .directory = parts, .directories = 1};
        if (model_load(mem_heap_default(), &w->ds, &rq, &md)) continue; /* a library of parts */
        const bool asked = !lanes || count % 3 == 0;
        if (!asked || compare(w, file_name(all.path[i]), md, lanes ? MERGE_NONE : MERGE_AUTO))
            count++;
        model_free(md);
    }
    return count;
}

static void every_example_has_the_same_bits_as_compiled_code(void **state)
{
    assert_true(compare_all(*state, TEST_DATA "/../examples", false) >= 25);
}

static void instances_in_lanes_have_the_same_bits(void **state)
{
    assert_true(compare_all(*state, TEST_DATA "/../examples", true) >= 25);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, open_world, close_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_example_has_the_same_bits_as_compiled_code),
        TEST(instances_in_lanes_have_the_same_bits),
    };
    return cmocka_run_group_tests(tests, open_own_cache, remove_own_cache);
}
