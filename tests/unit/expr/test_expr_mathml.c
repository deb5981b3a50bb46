/* test_expr_mathml.c - expressions in MathML: what is printed, and that every tag is closed, also
 * of what is cut short. */
#include "expr_bench.h"

#include <ctype.h>

static void name_variable(void *self, int variable, text *out)
{
    (void)self;
    text_printf(out, "<mi>%c</mi>", "xyz"[variable % 3]);
}

static const char *printed(bench *b, expr e)
{
    text_clear(&b->out);
    expr_print_mathml(&b->g, e, name_variable, NULL, &b->out);
    return text_str(&b->out);
}

/* The first tag that is not closed in its turn; NULL: there is none. */
static const char *unclosed(const char *s)
{
    enum { DEEP = 4000 };
    static const char *open[DEEP];
    int                n = 0;
    for (; (s = strchr(s, '<')); s++) {
        const char *end = strchr(s, '>');
        size_t      length = strcspn(s + 1, " />");
        if (!end) return s;
        if (end[-1] == '/') continue;
        if (s[1] != '/') {
            if (n == DEEP) return s;
            open[n++] = s + 1;
            continue;
        }
        length = strcspn(s + 2, ">");
        if (!n || strncmp(open[--n], s + 2, length) || isalnum((unsigned char)open[n][length]))
            return s;
    }
    return n ? open[n - 1] : NULL;
}

static void fractions_powers_and_functions_are_set(void **state)
{
    bench *b = *state;
    graph *g = &b->g;
    expr   x = expr_var(g, 0), y = expr_var(g, 1), two = expr_const(g, 2);
    assert_string_equal(printed(b, expr_div(g, x, y)),
                        "<mfrac><mrow><mi>x</mi></mrow><mrow><mi>y</mi></mrow></mfrac>");
    assert_string_equal(printed(b, expr_powi(g, x, 2)),
                        "<msup><mrow><mi>x</mi></mrow><mrow><mn>2</mn></mrow></msup>");
    assert_string_equal(printed(b, expr_powi(g, expr_op1(g, OP_SIN, x), 2)),
                        "<msup><mi>sin</mi><mrow><mn>2</mn></mrow></msup><mrow><mo>(</mo><mi>x</"
                        "mi><mo>)</mo></mrow>");
    assert_string_equal(printed(b, expr_op1(g, OP_SQRT, x)),
                        "<msqrt><mrow><mi>x</mi></mrow></msqrt>");
    assert_string_equal(printed(b, expr_sub(g, x, y)), "<mi>x</mi><mo>−</mo><mi>y</mi>");
    assert_string_equal(printed(b, expr_const(g, 0.5)), "<mfrac><mn>1</mn><mn>2</mn></mfrac>");
    assert_string_equal(printed(b, expr_const(g, -1.5e-7)),
                        "<mo>−</mo><mn>1.5</mn><mo>·</mo><msup><mn>10</mn><mn>−7</mn></msup>");
    assert_string_equal(printed(b, two), "<mn>2</mn>");
}

static void every_tag_is_closed(void **state)
{
    bench               *b = *state;
    static const expr_op ops[] = {OP_ADD, OP_MUL, OP_DIV,  OP_NEG, OP_POW,  OP_SIN,
                                  OP_EXP, OP_ABS, OP_SQRT, OP_MAX, OP_ATAN2};
    for (int i = 0; i < 300; i++) {
        expr        e = random_simplified(b, i, ops, sizeof ops / sizeof *ops, 6);
        const char *s = printed(b, e), *bad = unclosed(s);
        if (bad) fail_msg("not closed: %.40s in %s", bad, s);
    }
}

/* Nested so deep that it is cut short: what is left out is a mark, and tags are closed all the
 * same. */
static void a_text_that_is_cut_short_is_still_well_formed(void **state)
{
    bench *b = *state;
    graph *g = &b->g;
    expr   e = expr_var(g, 0);
    for (int i = 0; i < 24; i++)
        e = expr_div(g, expr_op1(g, OP_SIN, e), expr_add(g, expr_const(g, i + 2), e));
    assert_null(unclosed(printed(b, expr_if(g, expr_op2(g, OP_LT, b->x, b->y), b->x, b->y))));
    const char *s = printed(b, e);
    assert_non_null(strstr(s, "<mo>…</mo>"));
    assert_true(strlen(s) < 400000);
    assert_null(unclosed(s));
    enum { TERMS = 30000 };
    expr *terms = malloc(TERMS * sizeof *terms);
    for (int i = 0; i < TERMS; i++)
        terms[i] = expr_op1(g, OP_SIN, expr_mul(g, expr_const(g, i + 1), b->x));
    s = printed(b, expr_sum(g, terms, TERMS));
    free(terms);
    assert_true(strlen(s) < 201000);
    assert_null(unclosed(s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        bench_test(fractions_powers_and_functions_are_set),
        bench_test(every_tag_is_closed),
        bench_test(a_text_that_is_cut_short_is_still_well_formed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
