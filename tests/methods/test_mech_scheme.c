/* Schemes: what their words mean, what they claim, what is refused and how; and the order
 * conditions of compositions. */
#include "memory.h"

#include "mech/scheme/scheme.h"

#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static scheme parsed(mem *m, const char *what, const char *force)
{
    scheme s;
    text   why = text_new(m);
    if (scheme_parse(&s, what, force, &why)) fail_msg("%s: %s", what, text_str(&why));
    return s;
}

/* the reason why `what` is refused */
static const char *refused(mem *m, const char *what, const char *force, dal_status status)
{
    scheme     s;
    text       why = text_new(m);
    dal_status got = scheme_parse(&s, what, force, &why);
    if (got != status) fail_msg("%s: status %d, expected %d", what, (int)got, (int)status);
    return text_str(&why);
}

static void check_has(const char *message, const char *part)
{
    if (!strstr(message, part)) fail_msg("'%s' lacks '%s'", message, part);
}

/* Orders as measured on forced, time-dependent, nonlinear problems. */
static void orders_are_those_of_curve_and_rules(void **state)
{
    static const struct {
        const char *what, *force;
        int         order;
    } cases[] = {
        {"midpoint", NULL, 2},
        {"trapezoid", NULL, 2},
        {"simpson", NULL, 4},
        {"gauss(1)", NULL, 2},
        {"gauss(3)", NULL, 6},
        {"lobatto(2)", NULL, 2},
        {"lobatto(5)", NULL, 8},
        {"radau(1)", NULL, 1},
        {"radau(2)", NULL, 3},
        {"radau(4)", NULL, 7},
        {"radau_left(2)", NULL, 3},
        {"rectangle(0)", NULL, 1},
        {"rectangle(.3)", NULL, 1},
        {"rectangle(1)", NULL, 1},
        {"rectangle(1/2)", NULL, 2},
        {"polynomial(1) with radau(2)", NULL, 2},
        {"polynomial(1) with gauss(2)", NULL, 2},
        {"polynomial(1) with simpson", NULL, 2},
        {"polynomial(2) with simpson", NULL, 4},
        {"polynomial(2) with gauss(3)", NULL, 4},
        {"polynomial(2) with lobatto(4)", NULL, 4},
        {"polynomial(2) with radau(3)", NULL, 4},
        {"polynomial(2) with trapezoid", NULL, 2},
        {"polynomial(3) with gauss(4)", NULL, 6},
        {"lobatto(3)", "trapezoid", 2},
        {"lobatto(3)", "midpoint", 2},
        {"lobatto(3)", "gauss(2)", 4},
        {"lobatto(3)", "gauss(3)", 4},
        {"gauss(2)", "simpson", 4},
        {"gauss(2)", "radau(2)", 3},
        {"gauss(3)", "gauss(2)", 4},
        {"gauss(3)", "lobatto(4)", 6},
        {"lobatto(4)", "gauss(3)", 6},
        {"lobatto(2)", "gauss(2)", 2},
        {"shooting(taylor(2)) with trapezoid", NULL, 2},
        {"shooting(taylor(4)) with simpson", NULL, 4},
        {"shooting(taylor(4)) with gauss(3)", NULL, 5},
        {"shooting(taylor(1)) with gauss(3)", NULL, 2},
        {"shooting(euler) with gauss(3)", NULL, 1},
        {"shooting(midpoint) with gauss(3)", NULL, 2},
        {"shooting(dopri5) with gauss(3)", NULL, 5},
        {"shooting(rk4) with trapezoid", NULL, 2},
        {"shooting(rk4) with simpson", "trapezoid", 2},
        {"compose(midpoint, yoshida(6))", NULL, 6},
        {"compose(gauss(2), triple(6))", NULL, 6},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        scheme s = parsed(*state, cases[i].what, cases[i].force);
        if (s.order != cases[i].order)
            fail_msg("%s has order %d, expected %d", s.title, s.order, cases[i].order);
    }
}

static void short_names_are_curves_with_rules(void **state)
{
    static const char *const same[][4] = {
        {"midpoint", "gauss(1)", "polynomial(1) with midpoint", "rectangle(0.5)"},
        {"trapezoid", "lobatto(2)", "polynomial(1) with trapezoid",
         "polynomial( 1 )with lobatto( 2 )"},
        {"simpson", "lobatto(3)", "polynomial(2) with lobatto(3)", "polynomial(2) with simpson"},
        {"lobatto(5)", "polynomial(4) with lobatto(5)", "lobatto(10/2)", " lobatto(5.0)\n"},
        {"gauss(4)", "polynomial(4) with gauss(4)", "gauss( 4 )", "gauss(4e0)"},
        {"radau(3)", "polynomial(3) with radau(3)", "radau(+3)", "radau(3.)"},
    };
    for (int i = 0; i < COUNT(same); i++) {
        scheme first = parsed(*state, same[i][0], NULL);
        for (int j = 1; j < 4; j++) {
            scheme other = parsed(*state, same[i][j], NULL);
            assert_string_equal(other.title, first.title);
            assert_string_equal(other.name, first.name);
            assert_memory_equal(&other.rule, &first.rule, sizeof first.rule);
            assert_int_equal(other.degree, first.degree);
        }
    }
}

static void titles_read_back_as_the_same_scheme(void **state)
{
    static const char *const some[] = {
        "midpoint",
        "trapezoid",
        "lobatto(7)",
        "radau_left(3)",
        "rectangle(1/3)",
        "polynomial(2) with gauss(5)",
        "shooting(taylor(3)) with simpson",
        "shooting(rk4) with gauss(2)",
        "compose(lobatto(2), kahan_li(8))",
        "compose(polynomial(1) with gauss(3), suzuki(4))",
        "compose(compose(midpoint, suzuki(4)), triple(6))",
    };
    for (int i = 0; i < COUNT(some); i++) {
        scheme s = parsed(*state, some[i], NULL);
        scheme by_title = parsed(*state, s.title, s.force_title);
        scheme by_name = parsed(*state, s.name, NULL);
        assert_memory_equal(&by_title, &s, sizeof s);
        assert_memory_equal(&by_name, &s, sizeof s);
    }
    assert_string_equal(parsed(*state, "simpson", NULL).title, "polynomial(2) with lobatto(3)");
    assert_string_equal(parsed(*state, "lobatto(2)", NULL).name, "trapezoid");
    assert_string_equal(parsed(*state, "compose(gauss(1),yoshida(4))", NULL).title,
                        "compose(midpoint, yoshida(4))");
}

static void a_force_rule_is_its_own_only_if_it_differs(void **state)
{
    scheme s = parsed(*state, "lobatto(3)", NULL);
    assert_false(s.own_force_rule);
    assert_memory_equal(&s.force, &s.rule, sizeof s.rule);
    assert_false(parsed(*state, "lobatto(3)", "simpson").own_force_rule);
    s = parsed(*state, "lobatto(3)", "gauss(2)");
    assert_true(s.own_force_rule);
    assert_int_equal(s.force.s, 2);
    assert_string_equal(s.force_title, "gauss(2)");
}

static void symmetry_is_claimed_where_the_points_are_symmetric(void **state)
{
    assert_int_equal(parsed(*state, "gauss(2)", NULL).claims, CLAIM_SYMMETRIC | CLAIM_SYMPLECTIC);
    assert_int_equal(parsed(*state, "gauss(2)", "radau(2)").claims, CLAIM_SYMPLECTIC);
    assert_int_equal(parsed(*state, "radau(2)", NULL).claims, CLAIM_SYMPLECTIC);
    assert_int_equal(parsed(*state, "rectangle(0)", NULL).claims, CLAIM_SYMPLECTIC);
    assert_int_equal(parsed(*state, "shooting(rk4) with simpson", NULL).claims, CLAIM_SYMPLECTIC);
    assert_int_equal(parsed(*state, "compose(gauss(2), triple(6))", NULL).claims,
                     CLAIM_SYMMETRIC | CLAIM_SYMPLECTIC);
}

static void every_row_of_the_table_can_be_used_as_its_example_says(void **state)
{
    int               count;
    const scheme_row *row = scheme_rows(&count);
    assert_true(count > 8);
    for (int i = 0; i < count; i++) {
        scheme s = parsed(*state, row[i].example, NULL);
        assert_int_equal(s.claims & row[i].claims, row[i].claims);
        assert_true(*row[i].title && *row[i].cite && *row[i].order && *row[i].curve);
        for (int k = row[i].least; k && k <= row[i].most; k++) {
            char words[32];
            snprintf(words, sizeof words, "%.*s(%d)", (int)strcspn(row[i].name, "("), row[i].name,
                     k);
            parsed(*state, words, NULL);
        }
    }
}

static void mistakes_are_answered_with_what_would_be_right(void **state)
{
    static const struct {
        const char *what, *force, *wrong, *right;
        dal_status  status;
    } cases[] = {
        {"lobato(3)", NULL, "no scheme 'lobato'", "lobatto(3)", DAL_INVALID},
        {"polinomial(2) with gauss(2)", NULL, "'polinomial'", "polynomial(2)", DAL_INVALID},
        {"polynomial(2) with gaus(2)", NULL, "no quadrature 'gaus'", "gauss(2)", DAL_INVALID},
        {"verlet", NULL, "no scheme 'verlet'", "trapezoid", DAL_INVALID},
        {"bulirsch_stoer", NULL, "no scheme", "lobatto(s)", DAL_INVALID},
        {"lobatto", NULL, "number of points", "lobatto(3)", DAL_INVALID},
        {"lobatto(1)", NULL, "'lobatto(1)'", "2 to 32", DAL_INVALID},
        {"gauss(2.5)", NULL, "'gauss(2.5)'", "1 to 32", DAL_INVALID},
        {"gauss(1e300)", NULL, "is not a rule", "1 to 32", DAL_INVALID},
        {"gauss(midpoint)", NULL, "is not a rule", "1 to 32", DAL_INVALID},
        {"midpoint(2)", NULL, "no argument", "Write midpoint", DAL_INVALID},
        {"rectangle(-1)", NULL, "'rectangle(-1)'", "from 0 to 1", DAL_INVALID},
        {"polynomial(3)", NULL, "is a curve", "polynomial(3) with gauss(3)", DAL_INVALID},
        {"polynomial(40) with gauss(2)", NULL, "degree", "1 to 32", DAL_INVALID},
        {"gauss(2) with gauss(2)", NULL, "not a curve", "polynomial(1) with gauss(2)", DAL_INVALID},
        {"shooting(rk5) with simpson", NULL, "taylor(p) with p from 1 to 20", "with simpson",
         DAL_INVALID},
        {"polynomial(3) with gauss(2)", NULL, "2 points", "polynomial(3) with gauss(3)",
         DAL_INVALID},
        {"polynomial(2) with midpoint", NULL, "1 point,", "at least 2", DAL_INVALID},
        {"midpoint", "polynomial(2) with gauss(2)", "not a quadrature", "trapezoid", DAL_INVALID},
        {"midpoint", "trapezoit", "'trapezoit'", "mean trapezoid", DAL_INVALID},
        {"compose(midpoint)", NULL, "not a composition", "suzuki(4)", DAL_INVALID},
        {"compose(midpoint, 4)", NULL, "not a composition", "suzuki(4)", DAL_INVALID},
        {"compose(midpoint, yoshda(4))", NULL, "'yoshda'", "yoshida", DAL_INVALID},
        {"compose(midpoint, yoshida(5))", NULL, "no order 5", "yoshida(6)", DAL_INVALID},
        {"compose(midpoint, triple(5))", NULL, "no order 5", "triple(k)", DAL_INVALID},
        {"compose(radau(2), yoshida(6))", NULL, "radau(2) is not symmetric", "gauss", DAL_INVALID},
        {"compose(gauss(2), yoshida(6))", "radau(2)", "not symmetric", "force rule", DAL_INVALID},
        {"compose(gauss(2), suzuki(4))", NULL, "order 4 already", "triple(6)", DAL_INVALID},
        {"compose(midpoint, triple(12))", NULL, "more than 64", "kahan_li(8)", DAL_INVALID},
        {"", NULL, "ends where a name", "lobatto(3)", DAL_SYNTAX},
        {"lobatto(3", NULL, "ends where ')'", "lobatto(3)", DAL_SYNTAX},
        {"lobatto(3,4,5)", NULL, "where ')'", "lobatto(3)", DAL_SYNTAX},
        {"lobatto(3) gauss", NULL, "has 'g'", "'with' or the end", DAL_SYNTAX},
        {"gauss(1/0)", NULL, "finite", "lobatto(3)", DAL_SYNTAX},
        {"gauss(\xC3\xA9)", NULL, "has '\xC3\xA9'", "lobatto(3)", DAL_SYNTAX},
        {"midpoint", "3", "has '3'", "a name", DAL_SYNTAX},
        {"a(a(a(a(a(a(a(a(a(a(a(a(a(a(a(a(a(a(a(a(a(a(a(a(a(a(a(", NULL, "too many words",
         "compose", DAL_SYNTAX},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        const char *why = refused(*state, cases[i].what, cases[i].force, cases[i].status);
        check_has(why, cases[i].wrong);
        check_has(why, cases[i].right);
    }
}

/* The order conditions. A symmetric step is exp(h Y_1 + h^3 Y_3 + ...) with Y_1, Y_3, ... free of
 * each other, so a composition is a series in the words over {1, 3, 5, ...}. Multiplying by the
 * exponential of the step gamma adds to the coefficient of a word those of its beginnings, each
 * times gamma^(sum of the letters left) / (their number)!. Order k: of the words whose letters sum
 * to at most k, that of m ones has the coefficient 1/m!, and every other has 0. */
enum { LETTERS_MOST = 12 };

static long double coefficient(const scheme *s, const int *word, int letters, bool sizes)
{
    long double f[LETTERS_MOST + 1] = {1};
    for (int j = 0; j < s->substeps; j++) {
        long double gamma = sizes ? fabs(s->gamma[j]) : s->gamma[j];
        for (int end = letters; end > 0; end--) {
            long double factor = 1;
            for (int begin = end - 1; begin >= 0; begin--) {
                factor *= powl(gamma, word[begin]) / (end - begin);
                f[end] += f[begin] * factor;
            }
        }
    }
    return f[letters];
}

/* the worst defect over all words of a degree that begin as given, relative to the sizes that are
 * summed */
static double defect(const scheme *s, int degree, int *word, int letters)
{
    if (degree == 0) {
        long double want = 1;
        for (int i = 0; i < letters; i++) want = word[i] == 1 ? want / (i + 1) : 0;
        return (double)(fabsl(coefficient(s, word, letters, false) - want) /
                        coefficient(s, word, letters, true));
    }
    double worst = 0;
    for (word[letters] = 1; word[letters] <= degree; word[letters] += 2) {
        int next = word[letters];
        worst = fmax(worst, defect(s, degree - next, word, letters + 1));
        word[letters] = next;
    }
    return worst;
}

static double order_defect(const scheme *s, int degree)
{
    int word[LETTERS_MOST + 1];
    return defect(s, degree, word, 0);
}

static void check_order(const scheme *s, int order)
{
    for (int degree = 1; degree <= order; degree++) check_below(order_defect(s, degree), 1e-15);
    if (order + 1 > LETTERS_MOST) return;
    if (order_defect(s, order + 1) < 1e-7) fail_msg("%s has an order above %d", s->title, order);
}

static void name_composition(char out[64], const composition_row *row, int order)
{
    snprintf(out, 64, "compose(midpoint, %s(%d))", row->name, order);
}

static void compositions_satisfy_all_order_conditions_and_no_more(void **state)
{
    int                    count;
    const composition_row *row = composition_rows(&count);
    for (int i = 0; i < count; i++)
        for (int k = 4; k <= 8; k += 2) {
            char words[64];
            int  order = row[i].order ? row[i].order : k;
            if ((row[i].order && k > 4) || (strcmp(row[i].name, "suzuki") == 0 && k > 6)) continue;
            name_composition(words, &row[i], order);
            scheme s = parsed(*state, words, NULL);
            assert_int_equal(s.order, order);
            check_order(&s, order);
        }
}

static void compositions_are_palindromes_with_sum_one(void **state)
{
    int                    count;
    const composition_row *row = composition_rows(&count);
    for (int i = 0; i < count; i++) {
        char words[64];
        name_composition(words, &row[i], row[i].order ? row[i].order : 6);
        scheme      s = parsed(*state, words, NULL);
        long double sum = 0, size = 0;
        for (int j = 0; j < s.substeps; j++) {
            assert_true(s.gamma[j] == s.gamma[s.substeps - 1 - j]);
            sum += s.gamma[j], size += fabs(s.gamma[j]);
        }
        check_below((double)(fabsl(sum - 1) / size), 2e-16);
    }
}

static void a_jump_starts_from_the_order_of_its_scheme(void **state)
{
    scheme s = parsed(*state, "compose(gauss(2), triple(6))", NULL);
    double gamma = 1 / (2 - pow(2, 0.2)), fifth = 0;
    assert_int_equal(s.substeps, 3);
    check_close(s.gamma[0], gamma, 1e-15);
    for (int j = 0; j < 3; j++) fifth += pow(s.gamma[j], 5);
    check_below(fabs(fifth), 1e-14);
    assert_int_equal(parsed(*state, "compose(gauss(2), suzuki(6))", NULL).substeps, 5);
    assert_int_equal(parsed(*state, "compose(midpoint, suzuki(6))", NULL).substeps, 25);
    scheme nested = parsed(*state, "compose(compose(midpoint, triple(4)), triple(6))", NULL);
    scheme direct = parsed(*state, "compose(midpoint, triple(6))", NULL);
    assert_int_equal(nested.substeps, 9);
    for (int j = 0; j < 9; j++) check_close(nested.gamma[j], direct.gamma[j], 5e-16);
}

/* A nonlinear flow without any special structure, x' = sin z + cos y and cyclically, by shears. */
static void shear(long double x[3], int i, long double h)
{
    x[i] += h * (sinl(x[(i + 2) % 3]) + cosl(x[(i + 1) % 3]));
}

static void symmetric_step(long double x[3], long double h)
{
    shear(x, 0, h / 2), shear(x, 1, h / 2), shear(x, 2, h);
    shear(x, 1, h / 2), shear(x, 0, h / 2);
}

static void arrival(const scheme *s, int steps, long double x[3])
{
    x[0] = 0.3L, x[1] = -0.7L, x[2] = 1.1L;
    for (int k = 0; k < steps; k++)
        for (int j = 0; j < s->substeps; j++) symmetric_step(x, 4 * s->gamma[j] / steps);
}

static double error_after(const scheme *s, int steps, const long double want[3])
{
    long double x[3], worst = 0;
    arrival(s, steps, x);
    for (int i = 0; i < 3; i++) worst = fmaxl(worst, fabsl(x[i] - want[i]));
    return (double)worst;
}

/* order 10 is at roundoff before it is asymptotic; its conditions are checked above */
static void compositions_show_their_order_on_a_chaotic_flow(void **state)
{
    static const struct {
        const char *name;
        int         order, steps;
    } cases[] = {
        {"yoshida(4)", 4, 128},     {"suzuki(4)", 4, 64},   {"triple(6)", 6, 96},
        {"yoshida(6)", 6, 64},      {"kahan_li(6)", 6, 48}, {"suzuki(6)", 6, 24},
        {"yoshida(8)", 8, 64},      {"triple(8)", 8, 80},   {"kahan_li(8)", 8, 20},
        {"suzuki_umeno(8)", 8, 24},
    };
    scheme      best = parsed(*state, "compose(midpoint, kahan_li(8))", NULL);
    long double want[3];
    arrival(&best, 800, want);
    for (int i = 0; i < COUNT(cases); i++) {
        char words[64];
        snprintf(words, sizeof words, "compose(midpoint, %s)", cases[i].name);
        scheme s = parsed(*state, words, NULL);
        double coarse = error_after(&s, cases[i].steps, want);
        double fine = error_after(&s, 2 * cases[i].steps, want);
        check_below(fabs(log2(coarse / fine) - cases[i].order), 0.1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_are_those_of_curve_and_rules),
        cmocka_unit_test(short_names_are_curves_with_rules),
        cmocka_unit_test(titles_read_back_as_the_same_scheme),
        cmocka_unit_test(a_force_rule_is_its_own_only_if_it_differs),
        cmocka_unit_test(symmetry_is_claimed_where_the_points_are_symmetric),
        cmocka_unit_test(every_row_of_the_table_can_be_used_as_its_example_says),
        cmocka_unit_test(mistakes_are_answered_with_what_would_be_right),
        cmocka_unit_test(compositions_satisfy_all_order_conditions_and_no_more),
        cmocka_unit_test(compositions_are_palindromes_with_sum_one),
        cmocka_unit_test(a_jump_starts_from_the_order_of_its_scheme),
        cmocka_unit_test(compositions_show_their_order_on_a_chaotic_flow),
    };
    return cmocka_run_group_tests(tests, open_mem, close_mem);
}
