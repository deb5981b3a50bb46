/* What `show` prints is what one would write on paper. */
#include "check.h"

#include "handmade.h"
#include "model/naming.h"
#include "model/print/print.h"

typedef void (*printer)(const compiled *c, text *out);

static void equations(const compiled *c, text *out)
{
    print_equations(c, NULL, out);
}

static void equations_latex(const compiled *c, text *out)
{
    print_equations_latex(c, NULL, out);
}

/* The print of a model; lives in m. */
static const char *printed(mem *m, hand *h, printer print)
{
    text out = text_new(m);
    print(compile(m, hand_end(h)), &out);
    return text_str(&out);
}

static void oscillator(hand *h)
{
    hand_begin(h, 1, 3);
    hand_element(h, EL_LAGRANGIAN, 1);
    graph *g = h->g;
    expr   x = hand_q(h, 0), v = hand_v(h, 0), m = hand_k(h, 0), k = hand_k(h, 1);
    hand_root(h, expr_sub(g, expr_mul(g, m, half_square(g, v)), expr_mul(g, k, half_square(g, x))),
              0);
    hand_element(h, EL_FORCE, 1);
    g = h->g;
    expr drive = expr_op1(g, OP_COS, hand_t(h));
    hand_root(h, expr_sub(g, drive, expr_mul(g, hand_k(h, 2), hand_v(h, 0))), 0);
}

static void euler_lagrange_equations_read_as_on_paper(void **state)
{
    (void)state;
    hand h;
    mem  m;
    oscillator(&h);
    mem_init(&m, mem_heap_default());
    assert_string_equal(printed(&m, &h, equations), "d/dt (k0*x0') = cos(t) - k1*x0 - k2*x0'\n");
    assert_string_equal(
        printed(&m, &h, equations_latex),
        "\\begin{align*}\n"
        "\\frac{d}{dt}\\left(k_{0} \\, \\dot{x}_{0}\\right) &= \\cos\\left(t\\right)"
        " - k_{1} \\, x_{0} - k_{2} \\, \\dot{x}_{0} \\\\\n"
        "\\end{align*}\n");
    mem_free(&m);
    hand_free(&h);
}

static void hamiltons_equations_come_in_pairs(void **state)
{
    (void)state;
    hand h;
    mem  m;
    hand_begin(&h, 1, 0);
    h.md.hamiltonian[0] = 1;
    hand_element(&h, EL_HAMILTONIAN, 1);
    expr quartic = expr_scale(h.g, 0.25, expr_powi(h.g, hand_q(&h, 0), 4));
    hand_root(&h, expr_add(h.g, half_square(h.g, hand_p(&h, 0)), quartic), 0);
    mem_init(&m, mem_heap_default());
    assert_string_equal(printed(&m, &h, equations), "x0' = p(x0)\n"
                                                    "d/dt p(x0) = -x0^3\n");
    mem_free(&m);
    hand_free(&h);
}

static void reactions_carry_their_multipliers(void **state)
{
    (void)state;
    hand h;
    mem  m;
    hand_begin(&h, 2, 1);
    hand_element(&h, EL_LAGRANGIAN, 2);
    hand_root(&h, half_square(h.g, hand_run(&h, SLOT_V, 0, 1)), 0);
    int rod = hand_relations(&h, REL_HOLONOMIC, 1), slip = hand_relations(&h, REL_VELOCITY, 1);
    hand_element(&h, EL_RELATION, 1);
    graph *g = h.g;
    expr   xx = expr_powi(g, hand_q(&h, 0), 2), yy = expr_powi(g, hand_q(&h, 1), 2);
    expr   sum = expr_add(g, xx, yy);
    hand_root(&h, expr_sub(g, sum, expr_powi(g, hand_k(&h, 0), 2)), rod);
    hand_element(&h, EL_RELATION, 1);
    hand_root(&h, expr_sub(h.g, hand_v(&h, 0), hand_v(&h, 1)), slip);
    mem_init(&m, mem_heap_default());
    assert_string_equal(printed(&m, &h, equations),
                        "d/dt (x0') = lambda[1] + 2*lambda[2]*x0\n"
                        "d/dt (x1') = 2*lambda[2]*x1 - lambda[1]\n"
                        "x0' - x1' = 0   with multiplier lambda[1]\n"
                        "x0^2 + x1^2 - k0^2 = 0   with multiplier lambda[2]\n");
    mem_free(&m);
    hand_free(&h);
}

static void chain(hand *h, int n)
{
    hand_begin(h, n, 1);
    hand_element(h, EL_LAGRANGIAN, n);
    hand_root(h, half_square(h->g, hand_run(h, SLOT_V, 0, 1)), 0);
    hand_element(h, EL_LAGRANGIAN, n - 1);
    expr x = hand_run(h, SLOT_Q, 0, 1), y = hand_run(h, SLOT_Q, 1, 1), s = expr_sub(h->g, y, x);
    hand_root(h, expr_neg(h->g, expr_mul(h->g, hand_k(h, 0), expr_powi(h->g, s, 4))), 0);
}

static void a_large_system_is_printed_by_kind_of_term(void **state)
{
    (void)state;
    hand h;
    mem  m;
    chain(&h, 500);
    mem_init(&m, mem_heap_default());
    assert_string_equal(printed(&m, &h, equations), "500 terms at hand.dal:2, the first:\n"
                                                    "  L: 0.5*x0'^2\n"
                                                    "  adds to dL/dx0': x0'\n"
                                                    "499 terms at hand.dal:2, the first:\n"
                                                    "  L: -k0*(x1 - x0)^4\n"
                                                    "  adds to dL/dx0: 4*k0*(x1 - x0)^3\n"
                                                    "  adds to dL/dx1: -4*k0*(x1 - x0)^3\n");
    mem_free(&m);
    hand_free(&h);
}

static void the_system_is_listed_with_its_numbers(void **state)
{
    (void)state;
    hand   h;
    mem    m;
    double p[3] = {1, 2, 0.5};
    oscillator(&h);
    mem_init(&m, mem_heap_default());
    text out = text_new(&m);
    print_system(compile(&m, hand_end(&h)), NULL, p, &out);
    assert_string_equal(text_str(&out), "system Hand\n"
                                        "coordinates\n"
                                        "  x0\n"
                                        "parameters\n"
                                        "  k0 = 1\n"
                                        "  k1 = 2\n"
                                        "  k2 = 0.5\n"
                                        "terms\n"
                                        "  lagrangian 0.5*k0*x0'^2 - 0.5*k1*x0^2\n"
                                        "  force x0: cos(t) - k2*x0'\n");
    mem_free(&m);
    hand_free(&h);
}

static void patterns_are_drawn(void **state)
{
    (void)state;
    hand h;
    mem  m;
    chain(&h, 4);
    mem_init(&m, mem_heap_default());
    assert_string_equal(printed(&m, &h, print_pattern), "K: 4 x 4, 10 entries\n"
                                                        "  **..\n"
                                                        "  ***.\n"
                                                        "  .***\n"
                                                        "  ..**\n"
                                                        "  L_qq       changes, 10 entries\n"
                                                        "  L_qw       zero\n"
                                                        "  L_ww       constant, 4 entries\n"
                                                        "  f_q        zero\n"
                                                        "  f_w        zero\n"
                                                        "  curvature  zero\n");
    mem_free(&m);
    hand_free(&h);
}

static void programs_show_where_they_read_and_write(void **state)
{
    (void)state;
    hand h;
    mem  m;
    oscillator(&h);
    mem_init(&m, mem_heap_default());
    const char *one = printed(&m, &h, print_programs);
    assert_non_null(strstr(one, "program for gradient, force: 6 instructions\n  r0 = k0\n"));
    assert_non_null(strstr(one, "  LWW[0] = r0\n"));
    hand_free(&h);
    chain(&h, 500);
    const char *many = printed(&m, &h, print_programs);
    assert_non_null(strstr(many, "program for gradient, 499 instances at hand.dal:2"));
    assert_non_null(strstr(many, "  r0 = x0, ...\n"));
    assert_non_null(strstr(many, "program for what parameters alone decide, 500 instances"));
    mem_free(&m);
    hand_free(&h);
}

static void names_become_latex(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"x", "x"},
        {"x2", "x_{2}"},
        {"\u03b8", "\\theta"},
        {"\u03b81", "\\theta_{1}"},
        {"\u0394x", "{\\Delta}\\mathrm{x}"},
        {"\u00e9", "\\text{\u00e9}"},
        {"theta", "\\theta"},
        {"th[3]", "\\mathrm{th}_{3}"},
        {"u[2][3]", "u_{2,3}"},
        {"a.x2", "a{.}x_{2}"},
        {"q_L", "q_{L}"},
        {"tip_x2", "\\mathrm{tip}_{\\mathrm{x2}}"},
        {"v_0", "v_{0}"},
        {"_a_", "\\mathrm{\\_a\\_}"},
    };
    mem m;
    mem_init(&m, mem_heap_default());
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        text t = text_new(&m);
        naming_path_latex(pairs[k][0], NULL, &t);
        assert_string_equal(text_str(&t), pairs[k][1]);
    }
    mem_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(euler_lagrange_equations_read_as_on_paper),
        cmocka_unit_test(hamiltons_equations_come_in_pairs),
        cmocka_unit_test(reactions_carry_their_multipliers),
        cmocka_unit_test(a_large_system_is_printed_by_kind_of_term),
        cmocka_unit_test(the_system_is_listed_with_its_numbers),
        cmocka_unit_test(patterns_are_drawn),
        cmocka_unit_test(programs_show_where_they_read_and_write),
        cmocka_unit_test(names_become_latex),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
