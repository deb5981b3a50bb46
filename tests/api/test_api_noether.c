/* test_api_noether.c - momenta of symmetries, and what changes them: the balance closes to roundoff
 * for every polynomial curve, and its terms are those of the motion. */
#include "api_run.h"

#include <stdbool.h>
#include <string.h>

#define PLANE(more)                                                                                \
    "system S {\n  parameter m = 2, M = 3, c = 0.3\n  coordinate x, y, a, b\n"                     \
    "  lagrangian m/2*(x'^2 + y'^2) + M/2*(a'^2 + b'^2) - ((x-a)^2 + (y-b)^2)^2/4\n" more          \
    "  symmetry shift: x -> 1, a -> 1\n"                                                           \
    "  symmetry boost: x -> t, a -> t up to m*x + M*a\n"                                           \
    "  symmetry turn: x -> -y, y -> x, a -> -b, b -> a\n"                                          \
    "  symmetry none: x -> sin(t)*x*y^2 up to t*a^2\n"                                             \
    "  start x = 1, y = 0.2, a' = 0.3, y' = 1\n}\n"
#define FORCES "  force x: -c*x'*abs(x') + sin(3*t)\n  force b: 0.5*x*cos(y)\n"

static run begin_with(const char *text, const char *scheme, const char *interconnection)
{
    return begin_text(text, (const setting[]){{"scheme", scheme},
                                              {"step", "0.1"},
                                              {"until", "4"},
                                              {"ledger", "yes"},
                                              {"interconnection", interconnection},
                                              {0}});
}

static dal_impulses impulses_of(const run *r, const char *name)
{
    const dal_ledger *book = dal_ledger_of(r->s);
    for (size_t k = 0; k < book->symmetries; k++)
        if (!strcmp(book->impulses[k].name, name)) return book->impulses[k];
    fail_msg("there is no symmetry '%s'", name);
    return (dal_impulses){0};
}

static double rest_of(dal_impulses j)
{
    return j.last - j.first - j.forces - j.relations - j.lagrangian;
}

static double size_of(dal_impulses j)
{
    return 1 + fabs(j.first) + fabs(j.last) + fabs(j.forces) + fabs(j.relations) +
           fabs(j.lagrangian);
}

static void check_closed(const char *what, const char *text, const char *scheme)
{
    run r = begin_with(text, scheme, NULL);
    run_to_end(&r);
    const dal_ledger *book = dal_ledger_of(r.s);
    assert_true(book->symmetries > 0);
    for (size_t k = 0; k < book->symmetries; k++) {
        const dal_impulses j = book->impulses[k];
        if (!(fabs(rest_of(j)) <= 1e-13 * size_of(j)))
            fail_msg("%s, %s, %s: %g is left", what, scheme, j.name, rest_of(j));
    }
    end(&r);
}

/* Every curve and rule, and compositions. */
static void balances_close_for_every_scheme(void **state)
{
    (void)state;
    static const char *const schemes[] = {"midpoint",
                                          "trapezoid",
                                          "lobatto(3)",
                                          "lobatto(4)",
                                          "gauss(2)",
                                          "gauss(4)",
                                          "damped(2)",
                                          "damped(3)",
                                          "radau(2)",
                                          "radau_left(3)",
                                          "rectangle(0)",
                                          "rectangle(0.3)",
                                          "polynomial(2) with gauss(3)",
                                          "compose(midpoint, suzuki(4))",
                                          "compose(lobatto(3), triple(6))"};
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++)
        check_closed("two bodies", PLANE(FORCES), schemes[k]);
}

static const struct {
    const char *what, *text;
} kinds[] = {
    {"relations",
     PLANE(FORCES "  coordinate s\n  lagrangian s'^2/2\n  constraint s' = 0.3*x'*cos(y) + 0.1\n"
                  "  holonomic (x-a)^2 + (y-b)^2 = 1.04\n  symmetry only: s -> 1\n"
                  "  start y' free, x' free, a' free, b' free, s' free\n")},
    {"a Hamiltonian", "system S {\n  coordinate x, y\n"
                      "  hamiltonian (p(x)^2 + p(y)^2)/2*(1 + 0.2*(x^2 + y^2)) + (x^2 + y^2)^2/4\n"
                      "  force x: -0.1*y*x'\n  symmetry turn: x -> -y, y -> x\n"
                      "  symmetry none: x -> y^2\n  start x = 1, p(y) = 0.5, p(x) = 0.2\n}\n"},
    {"no inertia, resistance",
     "system S {\n  coordinate x, y, a, b\n"
     "  lagrangian (x'^2 + y'^2)/2 - (x-a)^2 - (y-b)^2 - (a^2 + b^2)^2\n"
     "  force x: -0.1*y*x'\n  force a: -0.3*a'\n  force b: -0.3*b'\n"
     "  symmetry turn: x -> -y, y -> x, a -> -b, b -> a\n  start x = 1, y' = 0.5\n}\n"},
    {"no inertia, on a ring", "system S {\n  coordinate x, y, a, b\n"
                              "  lagrangian (x'^2 + y'^2)/2 - (x-a)^2 - (y-b)^2\n"
                              "  holonomic a^2 + b^2 = 1\n  force x: -0.1*y*x'\n"
                              "  symmetry turn: x -> -y, y -> x, a -> -b, b -> a\n"
                              "  start x = 2, y' = 0.5, a = 1\n}\n"},
    {"first order", "system S {\n  coordinate x, y\n"
                    "  lagrangian (x*y' - y*x')/2 - x^2 - y^2\n  force x: -0.1*y\n"
                    "  symmetry turn: x -> -y, y -> x\n  start x = 1, y = 0.5\n}\n"},
    {"states and damping", "system S {\n  coordinate x, y\n  state z' = x - z + y'\n"
                           "  lagrangian (x'^2 + y'^2 - x^2 - y^2)/2\n  damping x: -20*x'\n"
                           "  force y: z\n  symmetry turn: x -> -y, y -> x\n"
                           "  start x = 1, y' = 1\n}\n"},
};

static void balances_close_for_every_system(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        check_closed(kinds[k].what, kinds[k].text, "gauss(2)");
        check_closed(kinds[k].what, kinds[k].text, "gauss(3)");
    }
}

/* Drag takes from a shift what it lets pass, -c times the way; a constant force from a boost
 * F T^2/2; both at any step. A magnetic field has shifts up to what it turns. */
static void impulses_are_those_of_the_motion(void **state)
{
    (void)state;
    static const char text[] =
        "system S {\n  parameter B = 0.7\n  coordinate x, y, z\n"
        "  lagrangian (x'^2 + 2*y'^2 + z'^2)/2 + B*(x*z' - z*x')/2 - x^4\n"
        "  force y: -0.3*y' + 0.2\n  symmetry shift: y -> 1\n"
        "  symmetry boost: y -> t up to 2*y\n  symmetry drift: z -> 1 up to -B*x/2\n"
        "  start x = 1, y' = 1.5, z' = 0.4\n}\n";
    static const char *const schemes[] = {"midpoint", "lobatto(3)", "gauss(3)", "rectangle(0)"};
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
        run r = begin_with(text, schemes[k], NULL);
        run_to_end(&r);
        const double       T = 4, y = dal_q(r.s)[1];
        const dal_impulses shift = impulses_of(&r, "shift"), drift = impulses_of(&r, "drift"),
                           boost = impulses_of(&r, "boost");
        check_close(shift.forces, -0.3 * y + 0.2 * T, 1e-14);
        check_close(shift.last - shift.first, shift.forces, 1e-14);
        check_close(shift.lagrangian, 0, 1e-16);
        check_close(drift.last, drift.first, 1e-14);
        check_close(boost.lagrangian, 0, 1e-14);
        check_close(boost.last, dal_p(r.s)[1] * T - 2 * y, 1e-14);
        end(&r);
    }
    /* rotation with drag -c v, where d/dt J = -c J */
    run r = begin_text(
        "system S {\n  coordinate x, y\n  lagrangian (x'^2 + y'^2)/2 - (x^2 + y^2)^2\n"
        "  force x: -0.2*x'\n  force y: -0.2*y'\n  symmetry turn: x -> -y, y -> x\n"
        "  start x = 1, y' = 0.8\n}\n",
        (const setting[]){
            {"scheme", "gauss(4)"}, {"step", "0.05"}, {"until", "3"}, {"ledger", "yes"}, {0}});
    run_to_end(&r);
    const dal_impulses turn = impulses_of(&r, "turn");
    check_close(turn.forces, 0.8 * (exp(-0.2 * 3) - 1), 1e-10);
    check_close(turn.lagrangian, 0, 1e-14);
    end(&r);
}

/* A damper inside a system changes its angular momentum at order 2s - 1, and a force does not.
 *                                                                          theory.md [DAMPING] */
static void damping_between_bodies_turns_them(void **state)
{
    (void)state;
    static const char *const words[] = {"force", "damping"};
    double                   changed[2];
    for (int k = 0; k < 2; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 "system S {\n  coordinate x, y, a, b\n  let r = sqrt((x-a)^2 + (y-b)^2)\n"
                 "  lagrangian (x'^2 + y'^2 + a'^2 + b'^2)/2 - 2*(r - 1)^2\n  %s r: -r'\n"
                 "  symmetry turn: x -> -y, y -> x, a -> -b, b -> a\n"
                 "  start x = 1, y' = 0.8, a' = 0.1\n}\n",
                 words[k]);
        run r = begin_with(text, "gauss(2)", NULL);
        run_to_end(&r);
        const dal_impulses turn = impulses_of(&r, "turn");
        check_close(rest_of(turn), 0, 1e-14);
        changed[k] = fabs(turn.forces);
        end(&r);
    }
    check_below(changed[0], 1e-14);
    check_below(1e-9, changed[1]);
    check_below(changed[1], 1e-3);
}

/* Ties that are eliminated allow some fields; the impulse of one that they do not is that of their
 * reaction, which only multipliers tell. */
static void ties_hold_fields(void **state)
{
    (void)state;
    static const char text[] =
        "system A {\n  coordinate x, y\n  lagrangian (x'^2 + y'^2)/2\n  force x: -0.1*x'\n}\n"
        "system P {\n  part p[2] : A\n  connect p[1].x = p[2].y\n"
        "  symmetry both: p[1].x -> 1, p[2].y -> 1\n  symmetry one: p[1].x -> 1\n"
        "  start p[1].x' = 1, p[2].y' = 1\n}\n";
    run r = begin_with(text, "gauss(2)", "eliminate"),
        s = begin_with(text, "gauss(2)", "multipliers");
    run_to_end(&r), run_to_end(&s);
    check_close(rest_of(impulses_of(&r, "both")), 0, 1e-15);
    assert_true(isnan(impulses_of(&r, "one").relations));
    const dal_impulses one = impulses_of(&s, "one");
    const double       v = exp(-0.05 * 4); /* 2 v' = -0.1 v */
    check_close(one.forces, 2 * (v - 1), 1e-9);
    check_close(one.relations, 1 - v, 1e-9);
    check_close(rest_of(one), 0, 1e-15);
    end(&r), end(&s);
}

/* A run that goes on from a checkpoint has the account of one that was never left. */
static void checkpoints_keep_the_account(void **state)
{
    (void)state;
    run a = begin_with(PLANE(FORCES), "gauss(2)", NULL),
        b = begin_with(PLANE(FORCES), "gauss(2)", NULL);
    must(&a, dal_advance(a.s, 15));
    const void     *bytes;
    size_t          length;
    dal_checkpoint *kept;
    must(&a, dal_sim_save_to_memory(a.s, &bytes, &length));
    must(&b, dal_checkpoint_parse(b.cx, bytes, length, &kept));
    must(&b, dal_sim_restore(b.s, kept));
    dal_checkpoint_free(kept);
    run_to_end(&a), run_to_end(&b);
    const dal_impulses of_a = impulses_of(&a, "turn"), of_b = impulses_of(&b, "turn");
    assert_true(of_a.forces == of_b.forces && of_a.last == of_b.last && of_a.first == of_b.first);
    end(&a), end(&b);
}

/* Henon and Heiles' potential has the symmetries of a triangle: a mirror, one at 30 degrees, a
 * third of a turn. A drag that the mirrors keep; a start on the axis of the second. */
#define TRIANGLE(force)                                                                            \
    "system T {\n  parameter s = sqrt(3)/2\n  coordinate x, y\n"                                   \
    "  lagrangian (x'^2 + y'^2)/2 - (x^2 + y^2)/2 - x^2*y + y^3/3\n" force                         \
    "  symmetry mirror: x -> -x finite\n"                                                          \
    "  symmetry axis: x -> x/2 + s*y, y -> s*x - y/2 finite\n"                                     \
    "  symmetry third: x -> -x/2 - s*y, y -> s*x - y/2 finite\n"                                   \
    "  start x = 0.2*s, y = 0.1, x' = 0.3*s, y' = 0.15\n}\n"
#define DRAG "  force x: -0.1*x'*(1 + x^2 + y^2)\n  force y: -0.1*y'*(1 + x^2 + y^2)\n"

#define EDGE(relation)                                                                             \
    "system E {\n  coordinate x, y\n  lagrangian x'^2 + y'^2\n  constraint " relation              \
    "\n  symmetry mirror: x -> -x finite\n  start x = 1\n}\n"

static void check_says(const char *model, const char *words, bool said)
{
    char buffer[20000] = "";
    run  b = with_settings((const setting[]){{"step", "0.1"}, {0}});
    must(&b, dal_model_parse(b.cx, "test.dal", model, b.o, &b.m));
    FILE *out = fmemopen(buffer, sizeof buffer - 1, "w");
    must(&b, dal_check(b.m, b.o, out));
    fclose(out);
    if (!strstr(buffer, words) == said)
        fail_msg("'%s' %s in\n%s", words, said ? "not" : "is", buffer);
    end(&b);
}

static void finite_symmetries_are_tested(void **state)
{
    (void)state;
    check_says(TRIANGLE(DRAG), "not a symmetry", false);
    check_says(TRIANGLE(DRAG), "axis: finite; the start is its own image", true);
    check_says(TRIANGLE(DRAG), "mirror: finite; the start is 0.52 from its image", true);
    check_says(TRIANGLE("  force x: -0.1*x'\n"), "mirror: not a symmetry", false);
    check_says(TRIANGLE("  force x: -0.1*x'\n"), "axis: not a symmetry of the system", true);
    check_says(TRIANGLE("  force x: 0.1\n"), "mirror: not a symmetry of the system", true);
    check_says(EDGE("x' = x*y'"), "mirror: not a symmetry", false);
    check_says(EDGE("x' = y'"), "mirror: not a symmetry of the system", true);
    check_says(
        "system D {\n  coordinate x, y\n  hamiltonian p(x)^2 + p(x)^4 + x^4 - p(y)^2 - p(y)^4 - y^4\n" /* -H */
        "  symmetry exchange: x -> y, y -> x finite\n  start x = 1, y = 1\n}\n",
        "exchange: finite; the start is its own image", true);
}

/* The invariant set is kept by every scheme; maps have no momentum in summary and ledger. */
static void invariant_sets_are_kept(void **state)
{
    (void)state;
    static const char *const schemes[] = {"midpoint", "lobatto(3)", "radau(2)", "gauss(3)",
                                          "compose(trapezoid, suzuki(4))"};
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
        run    r = begin_with(TRIANGLE(DRAG), schemes[k], NULL);
        double off;
        run_to_end(&r);
        assert_int_equal(DAL_OK, dal_measure(r.s, "axis", &off));
        check_below(fabs(off), 1e-13);
        check_below(fabs(dal_q(r.s)[0] - sqrt(3) * dal_q(r.s)[1]), 1e-13);
        assert_int_equal(dal_ledger_of(r.s)->symmetries, 0);
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balances_close_for_every_scheme),
        cmocka_unit_test(balances_close_for_every_system),
        cmocka_unit_test(impulses_are_those_of_the_motion),
        cmocka_unit_test(damping_between_bodies_turns_them),
        cmocka_unit_test(ties_hold_fields),
        cmocka_unit_test(checkpoints_keep_the_account),
        cmocka_unit_test(finite_symmetries_are_tested),
        cmocka_unit_test(invariant_sets_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
