/* The tree: precedence, every statement, the grammar in the comments, and inputs that mean harm. */
#include "world.h"

#include "lang/ast.h"
#include "lang/source.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static const source *text_of(world *w, const char *s)
{
    return source_text(&w->m, "test", s, strlen(s));
}

static void check_silent(const world *w)
{
    for (int i = 0; i < w->ds.list.n; i++) print_error("%s\n", w->ds.list.at[i].message);
    assert_int_equal(w->ds.list.n, 0);
}

/* An expression as it was understood, with all brackets. */
static const char *expr_of(world *w, const char *s)
{
    text       out = text_new(&w->m);
    const ast *e = parse_expr_text(&w->m, &w->ns, &w->ds, text_of(w, s));
    check_silent(w);
    assert_non_null(e);
    ast_print(e, &out);
    return text_str(&out);
}

static const char *file_of(world *w, const char *s)
{
    text out = text_new(&w->m);
    ast_file_print(parse_file(&w->m, &w->ns, &w->ds, text_of(w, s)), &out);
    return text_str(&out);
}

static void precedence_is_that_of_the_language(void **state)
{
    static const char *const cases[][2] = {
        {"-x^2", "(-(x^2))"},
        {"2^-1", "(2^(-1))"},
        {"x'^2", "(x'^2)"},
        {"a/b*c", "(a/b*c)"},
        {"a^b^c", "(a^(b^c))"},
        {"-a*b", "((-a)*b)"},
        {"a - -b", "(a - (-b))"},
        {"+a + +b", "(a + b)"},
        {"a + b*c^d'", "(a + (b*(c^d')))"},
        {"(a + b)*c", "((a + b)*c)"},
        {"a - b + c", "(a - b + c)"},
        {"not a < b and c or d", "(((not (a < b)) and c) or d)"},
        {"not not a", "(not (not a))"},
        {"a + 1 <= b*2", "((a + 1) <= (b*2))"},
        {"a or b or c", "(a or b or c)"},
        {"(x + y)'^2", "((x + y)'^2)"},
        {"a[i + 1][j].b[2].c'", "a[(i + 1)][j].b[2].c'"},
        {"f(a, -b)", "f(a, (-b))"},
        {"f()", "f()"},
        {"energy()", "energy()"},
        {"a (b)", "a(b)"},
        {"sum(k in 1..N: x[k])", "sum(k in 1..N: x[k])"},
        {"sum(i in 1..N, j in 1..i: i*j)", "sum(i in 1..N, j in 1..i: (i*j))"},
        {"sum + sum.sum", "(sum + sum.sum)"},
        {"p(x)^2 + p", "((p(x)^2) + p)"},
        {"d(e, x')", "d(e, x')"},
        {"if(a < b, 1, 2)", "if((a < b), 1, 2)"},
        {"[1, [2, 3], x]", "[1, [2, 3], x]"},
        {"force*input - left/record", "((force*input) - (left/record))"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(expr_of(*state, cases[i][0]), cases[i][1]);
}

static void every_statement_has_its_tree(void **state)
{
    world      *w = *state;
    const char *printed =
        file_of(w, "import \"parts.dal\"\n"
                   "let g = 9.81, sq(x, y) = x*y\n"
                   "system A {\n"
                   "  parameter a = 1, b[2] \"m\" = [1, 2]\n"
                   "  coordinate x, th[k in 0..3][2] \"rad\"\n"
                   "  input u, v = 0\n"
                   "  let V[k in 1..2] = k*x\n"
                   "  output e = energy(), f[2] = x\n"
                   "  part c[k in 1..3] : Cell(R = 2*k, q = [1, 2])\n"
                   "  part s : Source\n"
                   "  lagrangian x'^2/2\n"
                   "  force c[1].x: u\n"
                   "  constraint x' = 0\n"
                   "  holonomic rod[k in 1..2]: th[k][1] = sum(j in 1..k: j)\n"
                   "  connect c[1].x' = s.x'\n"
                   "  symmetry r: x -> 1, th[1][2] -> -x\n"
                   "  start x = 1, x' = 2 free, p(th[1][1]), th = [1, 2]\n"
                   "  for i in 1..2, j in i..2 { for k in 1..2 { start x = 1 } }\n"
                   "}\n"
                   "simulate {\n"
                   "  principle = dirac-\n"
                   "  scheme = compose(polynomial(2) with lobatto(3), yoshida(4))\n"
                   "  force = rectangle(a/2)\n"
                   "  step = T/100\n"
                   "  record = every 10\n"
                   "  columns = x, p(c[1].x), energy\n"
                   "}\n");
    check_silent(w);
    assert_string_equal(printed, "import \"parts.dal\"\n"
                                 "let g = 9.81\n"
                                 "let sq(x, y) = (x*y)\n"
                                 "system A {\n"
                                 "  parameter a = 1\n"
                                 "  parameter b[2] \"m\" = [1, 2]\n"
                                 "  coordinate x\n"
                                 "  coordinate th[k in 0..3][2] \"rad\"\n"
                                 "  input u\n"
                                 "  input v = 0\n"
                                 "  let V[k in 1..2] = (k*x)\n"
                                 "  output e = energy()\n"
                                 "  output f[2] = x\n"
                                 "  part c[k in 1..3] : Cell(R = (2*k), q = [1, 2])\n"
                                 "  part s : Source\n"
                                 "  lagrangian ((x'^2)/2)\n"
                                 "  force c[1].x: u\n"
                                 "  constraint x' = 0\n"
                                 "  holonomic rod[k in 1..2]: th[k][1] = sum(j in 1..k: j)\n"
                                 "  connect c[1].x' = s.x'\n"
                                 "  symmetry r: x -> 1, th[1][2] -> (-x)\n"
                                 "  start x = 1\n"
                                 "  start x' = 2 free\n"
                                 "  start p(th[1][1])\n"
                                 "  start th = [1, 2]\n"
                                 "  for i in 1..2, j in i..2 {\n"
                                 "    for k in 1..2 {\n"
                                 "      start x = 1\n"
                                 "    }\n"
                                 "  }\n"
                                 "}\n"
                                 "simulate {\n"
                                 "  principle = dirac-\n"
                                 "  scheme = compose(polynomial(2) with lobatto(3), yoshida(4))\n"
                                 "  force = rectangle((a/2))\n"
                                 "  step = (T/100)\n"
                                 "  record = 10\n"
                                 "  columns = x, p(c[1].x), energy\n"
                                 "}\n");
}

static void words_of_the_language_may_name_things(void **state)
{
    world *w = *state;
    file_of(w, "system system {\n"
               "  coordinate force, input, start, p, sum, let, with, record, every, system\n"
               "  parameter parameter = 1, lagrangian = 2\n"
               "  lagrangian lagrangian*force'^2 - sum*p(p)\n"
               "  force force: 1\n"
               "  constraint constraint: force' = input'\n"
               "  symmetry symmetry: force -> 1\n"
               "  start start = 1, p(p) = 2, p = 3, p' = 4\n"
               "  part part : part(part = part)\n"
               "  for for in 1..2 { start record = 1 }\n"
               "}\n");
    check_silent(w);
}

static void a_relation_has_a_name_if_a_colon_stands_outside_brackets(void **state)
{
    world    *w = *state;
    ast_file *f = parse_file(&w->m, &w->ns, &w->ds,
                             text_of(w, "system A {\n"
                                        "  constraint sum(k in 1..2: x[k]') = 0\n"
                                        "  constraint rod: sum(k in 1..2: x[k]') = 0\n"
                                        "  constraint x' = sum(k in 1..2: x[k]')\n"
                                        "}"));
    check_silent(w);
    assert_null(f->system[0]->statement[0]->slot.word);
    assert_string_equal(f->system[0]->statement[1]->slot.word, "rod");
    assert_null(f->system[0]->statement[2]->slot.word);
}

static void check_span(const char *of, span at, const char *want)
{
    char got[128];
    snprintf(got, sizeof got, "%.*s", at.end - at.start, of + at.start);
    assert_string_equal(got, want);
}

static void spans_cover_what_was_written(void **state)
{
    static const char of[] =
        "system A {\n  parameter a = 1, b = 2 + 3\n  lagrangian (a + b)*c[1].d'\n}\n";
    world    *w = *state;
    ast_file *f = parse_file(&w->m, &w->ns, &w->ds, text_of(w, of));
    stmt    **s = f->system[0]->statement;
    check_silent(w);
    check_span(of, s[0]->at, "parameter a = 1");
    check_span(of, s[1]->at, "b = 2 + 3");
    check_span(of, s[1]->word_at, "parameter");
    check_span(of, s[1]->value->at, "2 + 3");
    check_span(of, s[1]->value->op_at, "+");
    check_span(of, s[2]->value->at, "(a + b)*c[1].d'");
    check_span(of, s[2]->value->arg[0]->at, "(a + b)");
    check_span(of, s[2]->value->arg[1]->at, "c[1].d'");
    check_span(of, s[2]->value->arg[1]->op_at, "'");
    check_span(of, s[2]->value->arg[1]->arg[0]->step[1].at, "d");
    check_span(of, f->system[0]->word_at, "A");
}

static void options_are_read_by_the_same_rules(void **state)
{
    world *w = *state;
    ast  **column;
    int    n;
    assert_int_equal(parse_state_text(&w->m, &w->ns, &w->ds, text_of(w, "p(a.x)"))->kind, AST_CALL);
    assert_int_equal(parse_state_text(&w->m, &w->ns, &w->ds, text_of(w, "x'"))->kind, AST_PRIME);
    assert_int_equal(parse_state_text(&w->m, &w->ns, &w->ds, text_of(w, "a.k"))->kind, AST_PATH);
    ast_rule *r =
        parse_rule_text(&w->m, &w->ns, &w->ds, text_of(w, "polynomial(2) with lobatto(3)"));
    assert_string_equal(r->with->word, "lobatto");
    check_close(r->option[0]->value->number, 2, 0);
    assert_true(
        parse_columns_text(&w->m, &w->ns, &w->ds, text_of(w, "x, p(y), a[1].b"), &column, &n));
    assert_int_equal(n, 3);
    check_silent(w);
    assert_null(parse_state_text(&w->m, &w->ns, &w->ds, text_of(w, "x + 1")));
    assert_null(parse_expr_text(&w->m, &w->ns, &w->ds, text_of(w, "")));
    assert_null(parse_expr_text(&w->m, &w->ns, &w->ds, text_of(w, "1 2")));
    assert_null(parse_expr_text(&w->m, &w->ns, &w->ds, text_of(w, "a\nb")));
    assert_null(parse_expr_text(&w->m, &w->ns, &w->ds, text_of(w, "a \u2212 b")));
    assert_null(parse_rule_text(&w->m, &w->ns, &w->ds, text_of(w, "lobatto(3")));
    assert_false(parse_columns_text(&w->m, &w->ns, &w->ds, text_of(w, "x,"), &column, &n));
    assert_int_equal(w->ds.errors, 7);
}

/* The grammar. ----------------------------------------------------------------------------- */

static const char *whole_file(world *w, const char *path)
{
    const source *of;
    return source_read(&w->m, &w->ds, span_none(), path, &of) ? NULL : of->text;
}

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
    const char *files[] = {"parse.c", "parse_stmt.c", "parse_draw.c", "parse_expr.c", "parse_simulate.c"};
    char       *a[100], *b[100];
    add_grammar(&want, documented_grammar(w));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        add_comments(&got, whole_file(w, mem_printf(&w->m, TEST_DATA "/../src/lang/%s", files[i])));
    int n = sorted_lines(want.rules.at, a, 100), k = sorted_lines(got.rules.at, b, 100);
    assert_true(n > 40);
    for (int i = 0; i < n && i < k; i++) assert_string_equal(b[i], a[i]);
    assert_int_equal(k, n);
}

/* Inputs that mean harm. ------------------------------------------------------------------- */

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
    world         *w = *state;
    DIR           *folder = opendir(TEST_DATA "/lang/ok");
    struct dirent *e;
    char           s[ROOM];
    assert_non_null(folder);
    while ((e = readdir(folder)) != NULL) {
        if (e->d_name[0] == '.') continue;
        const char *model = whole_file(w, mem_printf(&w->m, TEST_DATA "/lang/ok/%s", e->d_name));
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
    closedir(folder);
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
        TEST(precedence_is_that_of_the_language),
        TEST(every_statement_has_its_tree),
        TEST(words_of_the_language_may_name_things),
        TEST(a_relation_has_a_name_if_a_colon_stands_outside_brackets),
        TEST(spans_cover_what_was_written),
        TEST(options_are_read_by_the_same_rules),
        TEST(the_comments_of_the_parser_are_the_grammar),
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
