/* Tokens, line ends, numbers, names, and the reading of files. */
#include "world.h"

#include "lang/lex.h"

#include <string.h>

static const token *tokens_of(world *w, const char *s, int *n)
{
    const source *of = source_text(&w->m, "test", s, strlen(s));
    assert_true(source_check(&w->ds, of));
    return lex(&w->m, &w->ns, &w->ds, of, n);
}

/* The kinds of the tokens as one line: names, numbers and strings by one letter, NL as |. */
static const char *kinds(world *w, const char *s)
{
    text         out = text_new(&w->m);
    int          n;
    const token *t = tokens_of(w, s, &n);
    for (int i = 0; i < n - 1; i++) {
        const char *spelling = token_spelling(t[i].kind);
        text_printf(&out, "%s%s", i ? " " : "",
                    t[i].kind == TOK_NL       ? "|"
                    : t[i].kind == TOK_NAME   ? t[i].word
                    : t[i].kind == TOK_NUMBER ? "#"
                    : t[i].kind == TOK_STRING ? "$"
                    : spelling                ? spelling
                                              : token_shown(t[i].kind));
    }
    assert_int_equal(t[n - 1].kind, TOK_END);
    return text_str(&out);
}

static double number_of(world *w, const char *s)
{
    int          n;
    const token *t = tokens_of(w, s, &n);
    assert_int_equal(t[0].kind, TOK_NUMBER);
    assert_int_equal(t[0].end, strlen(s));
    return t[0].number;
}

static void numbers_take_every_form_of_the_grammar(void **state)
{
    world *w = *state;
    check_close(number_of(w, "12"), 12, 0);
    check_close(number_of(w, "1.5"), 1.5, 0);
    check_close(number_of(w, "2."), 2, 0);
    check_close(number_of(w, ".5"), 0.5, 0);
    check_close(number_of(w, "1e3"), 1000, 0);
    check_close(number_of(w, "2.e-3"), 0.002, 0);
    check_close(number_of(w, ".5E+1"), 5, 0);
    check_close(number_of(w, "1e-400"), 0, 0);
    assert_int_equal(w->ds.errors, 0);
}

static void two_dots_belong_to_a_range(void **state)
{
    world *w = *state;
    assert_string_equal(kinds(w, "1..N"), "# .. N");
    assert_string_equal(kinds(w, "1.5..2."), "# .. #");
    assert_string_equal(kinds(w, "1.. .5"), "# .. #");
    assert_string_equal(kinds(w, "a[1].x"), "a [ # ] . x");
    assert_int_equal(w->ds.errors, 0);
}

static void a_letter_after_a_number_goes_on_as_a_product(void **state)
{
    world *w = *state;
    assert_string_equal(kinds(w, "2x"), "# * x");
    assert_int_equal(w->ds.errors, 1);
    assert_string_equal(w->ds.list.at[0].hint, "type '2*x'");
    assert_string_equal(kinds(w, "2*x"), "# * x");
    assert_int_equal(w->ds.errors, 1);
}

static void a_line_ends_a_statement_unless_it_goes_on(void **state)
{
    world *w = *state;
    assert_string_equal(kinds(w, "a\nb"), "a | b");
    assert_string_equal(kinds(w, "\n\na\n\n # c\n b\n"), "| a | b |");
    assert_string_equal(kinds(w, "a +\nb"), "a + b");
    assert_string_equal(kinds(w, "a\n+ b"), "a + b");
    assert_string_equal(kinds(w, "a\n  # comment\n  , b"), "a , b");
    assert_string_equal(kinds(w, "a # comment +\nb"), "a | b");
    assert_string_equal(kinds(w, "f(a\nb)\nc"), "f ( a b ) | c");
    assert_string_equal(kinds(w, "a[\n1\n]\nb"), "a [ # ] | b");
    assert_string_equal(kinds(w, "{\na\n}\n"), "{ | a | } |");
    assert_string_equal(kinds(w, "a and\nb\nor c"), "a and b or c");
    assert_string_equal(kinds(w, "a =\nb:\nc ->\nd ..\ne"), "a = b : c -> d .. e");
    assert_string_equal(kinds(w, "a\n= b"), "a | = b");
    assert_string_equal(kinds(w, "a'\nb"), "a ' | b");
    assert_string_equal(kinds(w, "not\na"), "not | a");
    assert_int_equal(w->ds.errors, 0);
}

static void carriage_returns_before_line_feeds_are_blank(void **state)
{
    world *w = *state;
    assert_string_equal(kinds(w, "a\r\nb\r\n"), "a | b |");
    assert_int_equal(w->ds.errors, 0);
    assert_string_equal(kinds(w, "a\rb"), "a | b");
    assert_int_equal(w->ds.errors, 1);
}

static void a_principle_is_one_token_only_in_a_simulate_block(void **state)
{
    world *w = *state;
    assert_string_equal(kinds(w, "simulate {\nprinciple = dirac+\nstep = 1\n}"),
                        "simulate { | principle = a principle | step = # | }");
    assert_string_equal(kinds(w, "simulate { principle = energy }"),
                        "simulate { principle = a principle }");
    assert_string_equal(kinds(w, "start principle = dirac+\na"), "start principle = dirac + a");
    assert_string_equal(kinds(w, "system A { let principle = dirac+1 }"),
                        "system A { let principle = dirac + # }");
    assert_int_equal(w->ds.errors, 0);
}

static name name_of(world *w, const char *s)
{
    int          n;
    const token *t = tokens_of(w, s, &n);
    assert_int_equal(n, 2);
    assert_int_equal(t[0].kind, TOK_NAME);
    return t[0].word;
}

static void names_are_unicode_letters(void **state)
{
    world      *w = *state;
    const char *good[] = {"x",      "_a1",    "theta",  "\u03B8",    "\u03C9_1", "x\u2081\u2082",
                          "\u00E9", "\u210F", "\u4E2D", "\U0001D465"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_string_equal(name_of(w, good[i]), good[i]);
    assert_ptr_equal(name_of(w, "\u00B5m"), name_of(w, "\u03BCm")); /* micro is mu    */
    assert_ptr_equal(name_of(w, "\u2126"), name_of(w, "\u03A9"));   /* ohm is Omega   */
    assert_ptr_not_equal(name_of(w, "X"), name_of(w, "x"));
    assert_int_equal(w->ds.errors, 0);
    const char *bad[] = {"\u00D7", "\u00F7", "\u037E", "\u2080", "\u20AC", "\uFFFD", "\u0300"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int errors = w->ds.errors;
        kinds(w, bad[i]);
        assert_int_equal(w->ds.errors, errors + 1);
    }
}

static void reserved_words_are_tokens_and_others_are_names(void **state)
{
    world *w = *state;
    int    n;
    assert_int_equal(tokens_of(w, "and", &n)[0].kind, TOK_AND);
    assert_int_equal(tokens_of(w, "free", &n)[0].kind, TOK_FREE);
    assert_int_equal(tokens_of(w, "android", &n)[0].kind, TOK_NAME);
    assert_int_equal(tokens_of(w, "force", &n)[0].kind, TOK_NAME);
    assert_int_equal(tokens_of(w, "t", &n)[0].kind, TOK_NAME);
}

static void pasted_characters_go_on_as_what_was_meant(void **state)
{
    world *w = *state;
    assert_string_equal(kinds(w, "a \u2212 b\u00B7c"), "a - b * c");
    assert_string_equal(kinds(w, "x\u2032\u00B2"), "x ' ^ #");
    assert_string_equal(kinds(w, "a \u2264 b"), "a <= b");
    assert_string_equal(kinds(w, "a\u00A0b"), "a b");
    assert_string_equal(kinds(w, "a; b"), "a | b");
    assert_string_equal(kinds(w, "a != b"), "a != b");
    assert_int_equal(w->ds.errors, 7);
}

static void spans_are_of_the_text_itself(void **state)
{
    world       *w = *state;
    int          n;
    const token *t = tokens_of(w, "\u03B8 + \"a b\"\n", &n);
    assert_int_equal(t[0].start, 0), assert_int_equal(t[0].end, 2);
    assert_int_equal(t[2].start, 5), assert_int_equal(t[2].end, 10);
    assert_string_equal(t[2].word, "a b");
    assert_true(t[0].first);
    assert_false(t[1].first);
}

static void text_is_checked_to_be_utf8(void **state)
{
    static const struct {
        const char *bytes;
        size_t      length;
        int         place; /* -1: it is good */
    } cases[] = {{"a\xC3\xA9", 3, -1},
                 {"a\xC3", 2, 1},
                 {"ab\xFF", 3, 2},
                 {"\x80", 1, 0},
                 {"\xC0\xAF", 2, 0},
                 {"\xED\xA0\x80", 3, 0},
                 {"\xF4\x90\x80\x80", 4, 0},
                 {"\xF0\x9F\x98\x80", 4, -1},
                 {"\xE2\x82", 2, 0},
                 {"# \xE9t\xE9", 5, 2},
                 {"a\0b", 3, 1},
                 {"", 0, -1}};
    world *w = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const source *of = source_text(&w->m, "test", cases[i].bytes, cases[i].length);
        diags_clear(&w->ds);
        assert_int_equal(source_check(&w->ds, of), cases[i].place < 0);
        assert_int_equal(w->ds.errors, cases[i].place >= 0);
        if (cases[i].place >= 0) assert_int_equal(w->ds.list.at[0].at.start, cases[i].place);
    }
}

static void a_byte_order_mark_is_left_out(void **state)
{
    world        *w = *state;
    const source *of = source_text(&w->m, "test", "\xEF\xBB\xBFx", 4);
    assert_int_equal(of->length, 1);
    assert_string_equal(of->text, "x");
    assert_int_equal(source_text(&w->m, "test", "\xEF\xBB\xBF", 3)->length, 0);
}

static void a_file_that_cannot_be_read_says_why(void **state)
{
    world        *w = *state;
    const source *of = NULL;
    assert_int_equal(source_read(&w->m, &w->ds, span_none(), TEST_DATA "/lang/ok/chain.dal", &of),
                     DAL_OK);
    assert_non_null(strstr(of->text, "system Chain"));
    assert_int_equal(source_read(&w->m, &w->ds, span_none(), TEST_DATA "/nothing.dal", &of),
                     DAL_IO);
    assert_null(of);
    assert_non_null(strstr(w->ds.list.at[0].message, "No such file"));
    assert_int_equal(source_read(&w->m, &w->ds, span_none(), TEST_DATA, &of), DAL_IO);
    assert_non_null(strstr(w->ds.list.at[1].message, "directory"));
    assert_int_equal(source_read(&w->m, &w->ds, span_none(), "/dev/zero", &of), DAL_IO);
    assert_non_null(strstr(w->ds.list.at[2].message, "larger than 64 MB"));
    assert_int_equal(source_read(&w->m, &w->ds, span_none(), "/dev/null", &of), DAL_OK);
    assert_int_equal(of->length, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_world, close_world)
    const struct CMUnitTest tests[] = {
        TEST(numbers_take_every_form_of_the_grammar),
        TEST(two_dots_belong_to_a_range),
        TEST(a_letter_after_a_number_goes_on_as_a_product),
        TEST(a_line_ends_a_statement_unless_it_goes_on),
        TEST(carriage_returns_before_line_feeds_are_blank),
        TEST(a_principle_is_one_token_only_in_a_simulate_block),
        TEST(names_are_unicode_letters),
        TEST(reserved_words_are_tokens_and_others_are_names),
        TEST(pasted_characters_go_on_as_what_was_meant),
        TEST(spans_are_of_the_text_itself),
        TEST(text_is_checked_to_be_utf8),
        TEST(a_byte_order_mark_is_left_out),
        TEST(a_file_that_cannot_be_read_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
