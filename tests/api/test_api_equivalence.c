/* test_api_equivalence.c - W = V(t,q) + a(t,q).v between L and the forces: of a, what is left in
 * row nu is the quadrature of d/dt (l_nu a), so that positions agree where the rule integrates that
 * exactly, of degree (k + 1) d - 1 for an a of degree k.                  theory.md [FORCE] */
#include "api_run.h"

#include <stdbool.h>

#define MODEL(more)                                                                                  \
    "system S {\n  parameter B = 0.7\n  coordinate x, y\n"                                           \
    "  lagrangian (1 + 0.1*y^2)*x'^2/2 + y'^2 - x^4/4 - x*y^2/3\n  force x: -0.1*x' + sin(t)\n" more \
    "  start x = 1, y = 0.1\n}\n"

static dal_equivalence_kind kind_of(const char *text, const char *W, const char *scheme,
                                    const char *step, double *apart)
{
    run r =
        with_settings((const setting[]){{"scheme", scheme}, {"step", step}, {"until", "2"}, {0}});
    dal_equivalence *e = NULL;
    must(&r, dal_model_parse(r.cx, "test.dal", text, r.o, &r.m));
    must(&r, dal_equivalence_of(r.m, r.o, W, &e));
    const dal_equivalence_kind kind = e->kind;
    assert_int_equal(e->splits, 11);
    *apart = e->split[10].q;
    dal_equivalence_free(e);
    end(&r);
    return kind;
}

/* order: of the rule; degree: of the curve */
static const struct {
    const char *name;
    int         order, degree;
} schemes[] = {{"midpoint", 2, 1},
               {"trapezoid", 2, 1},
               {"rectangle(0.3)", 1, 1},
               {"radau(2)", 3, 2},
               {"gauss(2)", 4, 2},
               {"lobatto(3)", 4, 2},
               {"gauss(3)", 6, 3},
               {"lobatto(4)", 6, 3},
               {"polynomial(1) with gauss(2)", 4, 1},
               {"polynomial(2) with gauss(3)", 6, 2},
               {"polynomial(2) with gauss(4)", 8, 2}};

/* degree: of a in positions and time together, which are polynomials of the curve's degree and of
 * degree 1; -1: none */
static const struct {
    const char *W;
    int         of_q, of_t;
} shifts[] = {{"B*(x*y' - y*x')", 1, 0}, {"x^2*y' + t*x", 2, 0},      {"x^3*y'", 3, 0},
              {"t^2*y'", 0, 2},          {"t*(x*y' - 2*y*x')", 1, 1}, {"x' + y", 0, 0}};

static void exact_rules_are_equivalent(void **state)
{
    (void)state;
    double apart;
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++)
        for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++) {
            const int  d = schemes[k].degree, of_a = shifts[i].of_q * d + shifts[i].of_t;
            const bool exact = d + of_a <= schemes[k].order;
            const dal_equivalence_kind kind =
                kind_of(MODEL(""), shifts[i].W, schemes[k].name, "0.1", &apart);
            if (kind != (exact ? DAL_WEAKLY_EQUIVALENT : DAL_NOT_EQUIVALENT))
                fail_msg("%s, %s: %d, %g apart", schemes[k].name, shifts[i].W, (int)kind, apart);
        }
}

/* Potentials, of time too, are strongly equivalent for every scheme with one rule. */
static void potentials_are_strongly_equivalent(void **state)
{
    (void)state;
    double apart;
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
        assert_int_equal(kind_of(MODEL(""), "sin(t*x)*y^2", schemes[k].name, "0.1", &apart),
                         DAL_EQUIVALENT);
        check_below(apart, 1e-13);
    }
}

/* What is no polynomial differs by the order of the scheme. */
/* By every scheme, through a torque of which derivatives do not commute. */
static void so_are_potentials_of_rotations(void **state)
{
    static const char model[] =
        "system Top {\n coordinate R : rotation, n : direction, x\n let W = bodyspin(R)\n"
        " lagrangian dot(W, diag([1, 2, 2.6])*W)/2 + dot(n', n')/2 + x'^2/2 - x^2 - n[3]\n"
        " start R = rotation([1, 2, -1], 0.7), bodyspin(R) = [0.4, -0.3, 1.5]\n"
        " start n = [0.6, 0, -0.8], x = 1\n}\n";
    double apart;
    (void)state;
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++)
        assert_int_equal(kind_of(model, "x*(R*[0.3, 0.2, 1])[3] + dot(n, R*n)^2 + t*R[1][2]*n[1]",
                                 schemes[k].name, "0.1", &apart),
                         DAL_EQUIVALENT);
}

static void others_differ_by_the_order(void **state)
{
    (void)state;
    double coarse, fine;
    assert_int_equal(kind_of(MODEL(""), "sin(x)*y'", "gauss(2)", "0.1", &coarse),
                     DAL_NOT_EQUIVALENT);
    assert_int_equal(kind_of(MODEL(""), "sin(x)*y'", "gauss(2)", "0.05", &fine),
                     DAL_NOT_EQUIVALENT);
    check_close(log2(coarse / fine), 4, 0.2);
}

/* With relations, starts by momenta, ties; and a Hamiltonian coordinate's potential. */
static void other_systems(void **state)
{
    (void)state;
    double apart;
    assert_int_equal(
        kind_of("system S {\n  coordinate x, y, s\n  lagrangian (x'^2 + y'^2 + s'^2)/2 - y\n"
                "  holonomic x^2 + y^2 = 1\n  constraint s' = 0.3*x'*cos(y)\n"
                "  start x = 1, p(y) = 0.4\n}\n",
                "x*y' - y*x' + t*s", "gauss(2)", "0.1", &apart),
        DAL_WEAKLY_EQUIVALENT);
    assert_int_equal(
        kind_of("system A {\n  coordinate x, y\n  lagrangian (x'^2 + y'^2)/2 - x^2/2\n}\n"
                "system P {\n  part a[2] : A\n  connect a[1].x = 2*a[2].y\n"
                "  start a[1].x = 1, p(a[1].y) = 0.3\n}\n",
                "a[1].x*a[2].x'", "lobatto(3)", "0.1", &apart),
        DAL_WEAKLY_EQUIVALENT);
    assert_int_equal(
        kind_of(
            "system H {\n  coordinate x, y\n"
            "  hamiltonian (p(x)^2 + p(y)^2)/2*(1 + x^2) + x^4/4\n  start x = 1, p(y) = 0.4\n}\n",
            "t*x*y", "lobatto(3)", "0.1", &apart),
        DAL_EQUIVALENT);
}

/* A charge in a uniform field, from L and from Lorentz' force: both go in circles of radius v/B. */
static void charges_go_in_circles(void **state)
{
    (void)state;
    static const char *const laws[] = {"lagrangian 0.7*(x*y' - y*x')/2",
                                       "force x: 0.7*y'\n  force y: -0.7*x'"};
    run                      r[2];
    for (int k = 0; k < 2; k++) {
        char text[256];
        snprintf(text, sizeof text,
                 "system S {\n  coordinate x, y\n  lagrangian (x'^2 + y'^2)/2\n  %s\n"
                 "  start x' = 1\n}\n",
                 laws[k]);
        r[k] = begin_text(
            text, (const setting[]){{"scheme", "gauss(4)"}, {"step", "0.1"}, {"until", "3"}, {0}});
        run_to_end(&r[k]);
        check_close(dal_q(r[k].s)[0], sin(0.7 * 3) / 0.7, 1e-12);
        check_close(dal_q(r[k].s)[1], (cos(0.7 * 3) - 1) / 0.7, 1e-12);
    }
    check_below(apart(dal_q(r[0].s), dal_q(r[1].s), 2), 1e-14);
    end(&r[0]), end(&r[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_rules_are_equivalent),
        cmocka_unit_test(potentials_are_strongly_equivalent),
        cmocka_unit_test(so_are_potentials_of_rotations),
        cmocka_unit_test(others_differ_by_the_order),
        cmocka_unit_test(other_systems),
        cmocka_unit_test(charges_go_in_circles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
