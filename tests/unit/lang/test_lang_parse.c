/* The tree that a text becomes: precedence, every statement, names, spans and options. */
#include "parsing.h"

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
    assert_true(
        parse_columns_text(&w->m, &w->ns, &w->ds, text_of(w, "x, p(y), a[1].b"), &column, &n));
    assert_int_equal(n, 3);
    check_silent(w);
    assert_null(parse_state_text(&w->m, &w->ns, &w->ds, text_of(w, "x + 1")));
    assert_null(parse_expr_text(&w->m, &w->ns, &w->ds, text_of(w, "")));
    assert_null(parse_expr_text(&w->m, &w->ns, &w->ds, text_of(w, "1 2")));
    assert_null(parse_expr_text(&w->m, &w->ns, &w->ds, text_of(w, "a\nb")));
    assert_null(parse_expr_text(&w->m, &w->ns, &w->ds, text_of(w, "a \u2212 b")));
    assert_false(parse_columns_text(&w->m, &w->ns, &w->ds, text_of(w, "x,"), &column, &n));
    assert_int_equal(w->ds.errors, 6);
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
