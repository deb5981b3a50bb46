/* test_api_compiled_dense.c - systems in which everything depends on everything: nested sums, whose
 * terms are derived as one, and Jacobians by a forward sweep, compiled and not. */
#include "compiled.h"

/* Bodies on a chain of rods, with masses and lengths of their own. */
static const char LINKS[] = "system Links {\n parameter N = %d, g = 9.81\n parameter m[k in 1..N] "
                            "= 1 + k/10, l[k in 1..N] = 1 - k/50\n"
                            " coordinate th[N]\n"
                            " let X[k in 1..N] = sum(j in 1..k: l[j]*sin(th[j])), Y[k in 1..N] = "
                            "-sum(j in 1..k: l[j]*cos(th[j]))\n"
                            " lagrangian sum(k in 1..N: m[k]*((X[k]'^2 + Y[k]'^2)/2 - g*Y[k]))\n"
                            " for k in 1..N { force th[k]: -th[k]'/10*(1 + th[k]^2)\n start th[k] "
                            "= 0.5 + k/7, th[k]' = 0.3 }\n}\n";

/* The same kinetic energy as a matrix. */
static const char MATRIX[] = "system Matrix {\n parameter N = %d, g = 9.81\n parameter m[k in "
                             "1..N] = 1 + k/10, l[k in 1..N] = 1 - k/50\n"
                             " coordinate th[N]\n"
                             " lagrangian sum(k in 1..N: sum(i in 1..k: sum(j in 1..k: "
                             "m[k]*l[i]*l[j]*cos(th[i] - th[j])*th[i]'*th[j]'/2)))\n"
                             " lagrangian sum(k in 1..N: sum(i in 1..k: g*m[k]*l[i]*cos(th[i])))\n"
                             " for k in 1..N { force th[k]: -th[k]'/10*(1 + th[k]^2)\n start th[k] "
                             "= 0.5 + k/7, th[k]' = 0.3 }\n}\n";

/* Every smooth function, of sums over all coordinates. */
static const char FUNCTIONS[] =
    "system Functions {\n parameter N = %d, a = 2.5\n coordinate x[N]\n"
    " let s = sum(j in 1..N: x[j]*(1 + j/20))/N, r = 1 + sum(j in 1..N: x[j]^2)/N\n"
    " lagrangian sum(k in 1..N: x[k]'^2/2*(1 + k/10) - x[k]^2) + s'^2*r/2\n"
    " lagrangian -sqrt(r) - exp(s) + log(r) + sin(s)*cos(r) + tan(s/4) + asin(s/8) - acos(s/8) + "
    "atan(s)\n"
    " lagrangian atan2(s, r) + sinh(s/2) - cosh(s) + tanh(s*x[1]) + r^a/9 + r^(s/3) + abs(s + "
    "3)/(r + 1) - 1/(2 + s)^3\n"
    " force x[1]: -x[1]'*r + sin(s)\n"
    " for k in 1..N { start x[k] = 0.1 + k/60, x[k]' = 0.2 }\n}\n";

/* What is not smooth is differentiated with more care. */
static const char CHOICES[] =
    "system Choices {\n parameter N = %d\n coordinate x[N]\n let s = sum(j in 1..N: x[j])\n"
    " lagrangian sum(k in 1..N: x[k]'^2/2 - x[k]^4) - if(s > 1, (s - 1)^2, 0) + max(s, 2)^2/9\n"
    " for k in 1..N { start x[k] = 0.1 + k/40, x[k]' = 0.2 }\n}\n";

/* The end of the chain is held on a line. */
static const char HELD[] =
    "system Held {\n parameter N = %d, g = 9.81\n coordinate th[N]\n"
    " let X[k in 1..N] = sum(j in 1..k: sin(th[j])), Y[k in 1..N] = -sum(j in 1..k: cos(th[j]))\n"
    " lagrangian sum(k in 1..N: (X[k]'^2 + Y[k]'^2)/2 - g*Y[k])\n"
    " holonomic X[N] + Y[N]/2 = sum(j in 1..N: sin(0.1*j) - cos(0.1*j)/2)\n"
    " for k in 1..N { start th[k] = 0.1*k }\n}\n";

/* Sines of some coordinates, of sums, and functions that are written like them; the first may be
 * so far that its sine is left to the library. */
static const char ROTORS[] =
    "system Rotors {\n parameter N = 9, far = %d\n coordinate x[N]\n"
    " let s = sum(j in 2..N: x[j])/N\n"
    " lagrangian sum(k in 1..N: x[k]'^2*(1 + k/9)/2) + s'^2/3 - asin(x[2]/9) - cosh(x[4])\n"
    " lagrangian sum(k in 1..5: sin(x[2*k - 1])*cos(x[10 - k])) - s^2 + sin(x[2]*x[4])\n"
    " start x[1] = 1000000*far\n for k in 2..N { start x[k] = 0.2*k, x[k]' = 0.1 }\n}\n";

static run open_model(const char *model, int n, const char *backend, const char *scheme,
                      const char *steps)
{
    char          words[2048];
    const setting set[] = {
        {"backend", backend}, {"scheme", scheme}, {"step", "0.01"}, {"steps", steps}, {0}};
    snprintf(words, sizeof words, model, n);
    return begin_text(words, set);
}

/* The compiled step keeps its Jacobian over a step: were an entry wrong, iterations would show it.
 */
static void agrees(const char *model, int n, const char *scheme)
{
    run a = open_model(model, n, "vm", scheme, "20"),
        b = open_model(model, n, "native", scheme, "20");
    assert_true(dal_summarise(b.s)->is_fused);
    run_to_end(&a), run_to_end(&b);
    double far = states_apart(&a, &b);
    if (!(far < 400 * DBL_EPSILON)) print_error("n = %d, %s: %.1e apart\n", n, scheme, far), fail();
    check_below(dal_summarise(b.s)->newton_max_iterations, 9);
    assert_int_equal(dal_summarise(b.s)->newton_failures, 0);
    end(&a), end(&b);
}

static void nested_sums_are_the_matrix_they_stand_for(void **state)
{
    (void)state;
    run a = open_model(LINKS, 7, "vm", "midpoint", "60"),
        b = open_model(MATRIX, 7, "vm", "midpoint", "60");
    run_to_end(&a), run_to_end(&b);
    check_below(states_apart(&a, &b), 1e-12);
    end(&a), end(&b);
}

static void chains_of_rods_agree_at_any_size(void **state)
{
    static const int links[] = {6, 21};
    (void)state;
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) agrees(LINKS, links[i], "midpoint");
}

static void chains_of_rods_agree_under_any_scheme(void **state)
{
    static const char *const scheme[] = {"gauss(2)", "lobatto(3)"};
    (void)state;
    for (size_t i = 0; i < sizeof scheme / sizeof *scheme; i++) agrees(LINKS, 7, scheme[i]);
}

static void every_smooth_function_has_its_slope(void **state)
{
    (void)state;
    agrees(FUNCTIONS, 17, "midpoint"), agrees(FUNCTIONS, 9, "gauss(2)");
}

static void sines_beside_each_other_are_those_of_the_library(void **state)
{
    (void)state;
    agrees(ROTORS, 0, "midpoint"), agrees(ROTORS, 2, "midpoint");
}

static void choices_take_one_branch(void **state)
{
    (void)state;
    agrees(CHOICES, 17, "midpoint");
}

static void constraints_join_a_sweep(void **state)
{
    (void)state;
    agrees(HELD, 17, "midpoint"), agrees(HELD, 6, "lobatto(3)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nested_sums_are_the_matrix_they_stand_for),
        cmocka_unit_test(chains_of_rods_agree_at_any_size),
        cmocka_unit_test(chains_of_rods_agree_under_any_scheme),
        cmocka_unit_test(every_smooth_function_has_its_slope),
        cmocka_unit_test(sines_beside_each_other_are_those_of_the_library),
        cmocka_unit_test(choices_take_one_branch),
        cmocka_unit_test(constraints_join_a_sweep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
