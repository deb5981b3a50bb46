/* Texts that mean harm: bad bytes, deep nesting, endless mistakes, changed models, and memory that
 * runs out. */
#include "folder.h"
#include "parsing.h"

#include <stdlib.h>

static const char *repeated(world *w, const char *before, const char *unit, int times,
                            const char *after)
{
    text out = text_new(&w->m);
    text_add(&out, before);
    for (int i = 0; i < times; i++) text_add(&out, unit);
    text_add(&out, after);
    return text_str(&out);
}

static void nothing_in_a_file_is_an_empty_file(void **state)
{
    world      *w = *state;
    const char *empty[] = {"", "\n", "\n\n\r\n", "# only a comment", "   \t", "\xEF\xBB\xBF"};
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
        assert_string_equal(file_of(w, empty[i]), "");
    check_silent(w);
}

static void check_only(world *w, const char *message)
{
    assert_int_equal(w->ds.errors, 1);
    assert_non_null(strstr(w->ds.list.at[0].message, message));
    diags_clear(&w->ds);
}

static void bad_bytes_give_one_message(void **state)
{
    world *w = *state;
    parse_file(&w->m, &w->ns, &w->ds, source_text(&w->m, "test", "system A {\0}", 12));
    check_only(w, "NUL");
    file_of(w, "# caf\xE9\n# \xE9\nsystem A { bad");
    check_only(w, "0xE9 is not UTF-8");
}

/* with every bracket closed in turn */
static const char *closed(world *w, const char *s)
{
    static const char pairs[] = "()[]{}";
    text              out = text_new(&w->m);
    text_add(&out, s);
    for (size_t k = strlen(s); k > 0; k--) {
        const char *open = strchr(pairs, s[k - 1]);
        if (open && (open - pairs) % 2 == 0) text_add_bytes(&out, open + 1, 1);
    }
    return text_str(&out);
}

static void deep_nesting_is_refused_and_not_a_crash(void **state)
{
    static const struct {
        const char *before, *unit, *after;
    } cases[] = {{"let a = ", "(", "1"},
                 {"let a = ", "-", "1"},
                 {"let a = ", "+", "1"},
                 {"let a = ", "not ", "1"},
                 {"let a = 1", "^1", ""},
                 {"let a = ", "f(", "1"},
                 {"let a = ", "a[", "1"},
                 {"let a = ", "(1+", "1"},
                 {"let a = ", "sum(k in 1..", "1"},
                 {"let a[", "a[", "1"},
                 {"system A { parameter a = ", "[", "1"},
                 {"system A {", "for k in 1..2 { ", "start x = 1"}};
    world *w = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *deep = repeated(w, cases[i].before, cases[i].unit, 10000, cases[i].after);
        file_of(w, closed(w, deep));
        assert_true(w->ds.errors >= 1);
        assert_string_equal(w->ds.list.at[0].message, "nested too deep");
        diags_clear(&w->ds);
        file_of(w, deep); /* the same without the closing brackets: whatever it says, it returns */
        assert_true(w->ds.errors >= 1);
        diags_clear(&w->ds);
    }
    file_of(w, repeated(w, "let a = ", "(", 999, repeated(w, "1", ")", 999, "\n")));
    check_silent(w);
}

static void long_texts_are_read(void **state)
{
    world    *w = *state;
    ast_file *f = parse_file(&w->m, &w->ns, &w->ds,
                             text_of(w, repeated(w, "let s = 0", " + x", 1000000, "\n")));
    check_silent(w);
    assert_int_equal(f->let[0]->value->n, 1000001);
    f = parse_file(
        &w->m, &w->ns, &w->ds,
        text_of(w, repeated(w, "system A {\n", "  force x: -k*x # one\n", 100000, "}\n")));
    check_silent(w);
    assert_int_equal(f->system[0]->count, 100000);
    f = parse_file(&w->m, &w->ns, &w->ds,
                   text_of(w, repeated(w, "let s = f(0", ", 1", 100000, ")\n")));
    check_silent(w);
    assert_int_equal(f->let[0]->value->n, 100001);
}

static void endless_mistakes_come_to_an_end(void **state)
{
    static const char *const units[] = {"force x = 1\n",
                                        ";",
                                        "}\n",
                                        "{",
                                        "(",
                                        ")",
                                        "x x\n",
                                        "\"\n",
                                        "$ ",
                                        "for k in 1..2 { )\n",
                                        "system A {\n",
                                        "2x ",
                                        "import 3\n",
                                        "let a = (\n"};
    world                   *w = *state;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        file_of(w, repeated(w, "system A {\n", units[i], 20000, ""));
        assert_in_range(w->ds.errors, 1, 2000);
        diags_clear(&w->ds);
    }
    file_of(w, repeated(w, "let a = ", "(", 200000, repeated(w, "1", "]", 200000, "")));
    assert_in_range(w->ds.errors, 1, 2000);
}

/* Changes of the examples, the same in every run. ------------------------------------------ */

static uint32_t roll(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

static void change(char *s, size_t *n, uint32_t *seed)
{
    static const char marks[] = "(){}[]'\"\n,:=+-*/^.<>#;x1 \xC3\xE2";
    size_t            at = roll(seed, (uint32_t)*n), more = roll(seed, 8);
    switch (roll(seed, 4)) {
    case 0: s[at] = marks[roll(seed, sizeof marks - 1)]; break;
    case 1: s[at] = (char)roll(seed, 256); break;
    case 2: /* take out */
        if (at + more >= *n || *n < 20) break;
        memmove(s + at, s + at + more, *n - at - more), *n -= more;
        break;
    case 3: /* double */
        if (at + more >= *n) break;
        memmove(s + at + more, s + at, *n - at), *n += more;
        break;
    }
}

static void parse_bytes(const char *s, size_t n)
{
    world w;
    text  out;
    mem_init(&w.m, mem_heap_default());
    names_init(&w.ns, &w.m);
    diags_init(&w.ds, &w.m);
    out = text_new(&w.m);
    ast_file_print(parse_file(&w.m, &w.ns, &w.ds, source_text(&w.m, "test", s, n)), &out);
    diags_print(&w.ds, &out, false);
    mem_free(&w.m);
}

enum { SEEDS = 300, ROOM = 8192 };

static void changed_examples_never_crash(void **state)
{
    world       *w = *state;
    const models all = models_of(TEST_DATA "/lang/ok");
    char         s[ROOM];
    for (int i = 0; i < all.n; i++) {
        const char *model = whole_file(w, all.path[i]);
        size_t      length = strlen(model);
        if (length > ROOM / 2) length = ROOM / 2;
        for (size_t n = 0; n < length; n += 3) parse_bytes(model, n);
        for (uint32_t seed = 1; seed <= SEEDS; seed++) {
            uint32_t r = seed * 7919u;
            size_t   n = length;
            memcpy(s, model, n);
            for (uint32_t k = roll(&r, 12) + 1; k; k--) change(s, &n, &r);
            parse_bytes(s, n);
        }
    }
}

/* Memory that runs out. --------------------------------------------------------------------- */

/* true if the text was read with so few allocations; what was taken is given back either way */
static bool parse_with(int allocations, const char *s)
{
    scarce_heap few = {.left = allocations};
    jmp_buf     full;
    mem         m;
    mem_init(&m, (mem_heap){scarce_resize, &few});
    if (setjmp(full)) {
        mem_free(&m);
        assert_int_equal(few.live, 0);
        return false;
    }
    m.guard = &full;
    names ns;
    diags ds;
    names_init(&ns, &m);
    diags_init(&ds, &m);
    parse_file(&m, &ns, &ds, source_text(&m, "test", s, strlen(s)));
    mem_free(&m);
    return true;
}

static void memory_that_runs_out_leaves_nothing_behind(void **state)
{
    world      *w = *state;
    const char *model = whole_file(w, TEST_DATA "/lang/ok/links.dal");
    const char *wrong = whole_file(w, TEST_DATA "/lang/syntax/expressions.dal");
    int         n = 0, k = 0;
    while (!parse_with(n, model)) n++;
    while (!parse_with(k, wrong)) k++;
    assert_true(n > 10 && k > 10);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_world, close_world)
    const struct CMUnitTest tests[] = {
        TEST(nothing_in_a_file_is_an_empty_file),
        TEST(bad_bytes_give_one_message),
        TEST(deep_nesting_is_refused_and_not_a_crash),
        TEST(long_texts_are_read),
        TEST(endless_mistakes_come_to_an_end),
        TEST(changed_examples_never_crash),
        TEST(memory_that_runs_out_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
