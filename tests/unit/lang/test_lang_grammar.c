/* The grammar in the comments of the parser is the one that docs/language.md shows. */
#include "parsing.h"

#include <ctype.h>
#include <stdlib.h>

/* one rule per line: blanks single, continuations joined */
typedef struct {
    text rules;
    bool open; /* the rule may go on in the next line */
} grammar;

static bool begins_rule(const char *s)
{
    const char *word = s;
    while (islower((unsigned char)*s)) s++;
    if (s == word) return false;
    while (*s == ' ') s++;
    return s[0] == '=' && s[1] == ' ';
}

static void add_squeezed(text *out, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (s[i] != ' ' || (i + 1 < n && s[i + 1] != ' ')) text_add_bytes(out, s + i, 1);
}

static void add_line(grammar *g, const char *s, size_t n)
{
    while (n && *s == ' ') s++, n--;
    while (n && s[n - 1] == ' ') n--;
    if (begins_rule(s)) text_add(&g->rules, "\n");
    else if (!n || *s != '|' || !g->open) {
        g->open = false;
        return;
    } else text_add(&g->rules, " ");
    g->open = true;
    add_squeezed(&g->rules, s, n);
}

static void add_grammar(grammar *g, const char *s)
{
    for (; *s; s += strcspn(s, "\n"), s += *s == '\n') add_line(g, s, strcspn(s, "\n"));
}

/* the rules in comments that begin with one */
static void add_comments(grammar *g, const char *s)
{
    while ((s = strstr(s, "/* ")) != NULL) {
        const char *end = strstr(s, "*/");
        bool        rule = begins_rule(s + 3);
        for (s += 3; rule && s < end;) {
            const char *stop = s + strcspn(s, "\n");
            add_line(g, s, (size_t)((stop < end ? stop : end) - s));
            s = stop + (*stop == '\n');
            s += strspn(s, " "), s += *s == '*' && s < end;
        }
        g->open = false;
        s = end;
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int sorted_lines(char *s, char **out, int most)
{
    int n = 0;
    for (char *line = strtok(s, "\n"); line && n < most; line = strtok(NULL, "\n")) out[n++] = line;
    qsort(out, (size_t)n, sizeof *out, by_text);
    return n;
}

/* the ```ebnf block of docs/language.md */
static const char *documented_grammar(world *w)
{
    const char *page = whole_file(w, TEST_DATA "/../docs/language.md");
    const char *block = page ? strstr(page, "```ebnf\n") : NULL;
    assert_non_null(block);
    block += 8;
    return mem_printf(&w->m, "%.*s", (int)(strstr(block, "```") - block), block);
}

static void the_comments_of_the_parser_are_the_grammar(void **state)
{
    world      *w = *state;
    grammar     want = {text_new(&w->m), false}, got = {text_new(&w->m), false};
    const char *files[] = {"parse.c",       "parse_stmt.c", "parse_law.c",     "parse_draw.c",
                           "parse_event.c", "parse_expr.c", "parse_simulate.c"};
    char       *a[100], *b[100];
    add_grammar(&want, documented_grammar(w));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        add_comments(&got, whole_file(w, mem_printf(&w->m, TEST_DATA "/../src/lang/%s", files[i])));
    int n = sorted_lines(want.rules.at, a, 100), k = sorted_lines(got.rules.at, b, 100);
    assert_true(n > 40);
    for (int i = 0; i < n && i < k; i++) assert_string_equal(b[i], a[i]);
    assert_int_equal(k, n);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_world, close_world)
    const struct CMUnitTest tests[] = {
        TEST(the_comments_of_the_parser_are_the_grammar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
