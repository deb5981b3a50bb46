/* Damping: gauss(s) itself where there is none, its order, its tangent, what is refused. */
#include "upwinded.h"

#include <stdbool.h>

enum { PLANE = 2 };

/* Mass, damping and force depend on the state and on time. */
#define PLANE_WITH(word)                                                                           \
    "system Plane {\n"                                                                             \
    "  parameter m = 1.3, B = 0.4, k = 2, c = 0.7\n"                                               \
    "  coordinate x, y\n"                                                                          \
    "  lagrangian (1 + y^2)*x'^2/2 + m*y'^2/2 + B*x*(x*y' - y*x') - x^4/4 - k*y^2/2 - x*y\n"       \
    "  " word " x: -c*(1 + y^2)*x'\n"                                                              \
    "  " word " y: -c*y'*(1 + y'^2) + c*cos(3*t)*x'\n"                                             \
    "  force y: sin(t)\n"                                                                          \
    "  start x = 0.6, y = -0.3, x' = 0.5, y' = 0.8\n"                                              \
    "}\n"

static const upwinded plane = {PLANE_WITH("force"), "2", "damped"};

static double bits_apart(const char *text, const char *one, const char *text_of_other,
                         const char *other)
{
    run a = begin_scheme(&(upwinded){text, "2", NULL}, one, "0.1", "vm"),
        b = begin_scheme(&(upwinded){text_of_other, "2", NULL}, other, "0.1", "vm");
    run_to_end(&a), run_to_end(&b);
    const double far = states_apart(&a, &b);
    end(&a), end(&b);
    return far;
}

/* damped(s) takes every force that holds a velocity, and without one it is gauss(s) in every bit.
 */
static void damped_is_gauss_with_damping(void **state)
{
    (void)state;
    static const char free_motion[] = "system S {\n  coordinate x\n  lagrangian x'^2/2 - x^4/4\n"
                                      "  force x: sin(t)\n  start x = 1\n}\n";
    assert_true(bits_apart(free_motion, "damped(3)", free_motion, "gauss(3)") == 0);
    assert_true(bits_apart(PLANE_WITH("force"), "damped(3)", PLANE_WITH("damping"), "gauss(3)") ==
                0);
    check_below(1e-9,
                bits_apart(PLANE_WITH("force"), "gauss(3)", PLANE_WITH("damping"), "gauss(3)"));
}

/* Against a scheme of another family, of order 16. */
static void orders_are_2s_less_1(void **state)
{
    (void)state;
    check_orders(&plane, "0.02", 0.25);
}

static void compiled_steps_are_the_same(void **state)
{
    (void)state;
    check_compiled(&plane);
}

/* The derivatives of a step along c, a momentum and h, by differences of steps. */
static void tangents_know_damping(void **state)
{
    (void)state;
    static const double far = 1e-4, c[] = {0, 0, 0, 1}, p[] = {0, 1};
    static const struct {
        const char   *set[2], *start[2], *step[2];
        dal_direction along;
    } by[] = {{{"c=0.7001", "c=0.6999"}, {NULL, NULL}, {"0.2", "0.2"}, {.parameter = c}},
              {{NULL, NULL}, {"p(y)=0.5001", "p(y)=0.4999"}, {"0.2", "0.2"}, {.p = p}},
              {{NULL, NULL}, {"p(y)=0.5", "p(y)=0.5"}, {"0.2001", "0.1999"}, {.h = 1}}};
    for (int k = 0; k < 3; k++) {
        double out[2 * PLANE], moved[2][2 * PLANE];
        run    r = with_settings((const setting[]){{"scheme", "gauss(2)"},
                                                   {"step", "0.2"},
                                                   {"start", k ? "p(y)=0.5" : NULL},
                                                   {"backend", "vm"},
                                                   {0}});
        must(&r, try_text(&r, PLANE_WITH("damping")));
        must(&r, dal_tangent(r.s, 1, &by[k].along, out));
        for (int side = 0; side < 2; side++)
            step_with(PLANE_WITH("damping"),
                      (const setting[]){{"scheme", "gauss(2)"},
                                        {"step", by[k].step[side]},
                                        {"set", by[k].set[side]},
                                        {"start", by[k].start[side]},
                                        {"backend", "vm"},
                                        {0}},
                      moved[side]);
        for (int i = 0; i < 2 * PLANE; i++)
            check_close(out[i], (moved[0][i] - moved[1][i]) / (2 * far), 1e-7);
        end(&r);
    }
}

/* A run backward undoes the run, as far as damping leaves something of it. */
static void steps_back_undo_steps(void **state)
{
    (void)state;
    const double before[] = {0.6, -0.3};
    run r = begin_scheme(&(upwinded){PLANE_WITH("damping"), "2", NULL}, "gauss(3)", "0.1", "vm");
    run_to_end(&r);
    run                      back = with_settings((const setting[]){{"scheme", "gauss(3)"},
                                                                    {"step", "0.1"},
                                                                    {"from", "2"},
                                                                    {"until", "0"},
                                                                    {"backend", "vm"},
                                                                    {0}});
    static const char *const names[] = {"x", "y", "p(x)", "p(y)"};
    for (int i = 0; i < 2 * PLANE; i++) {
        char start[64];
        snprintf(start, sizeof start, "%s=%.17g", names[i],
                 i < PLANE ? dal_q(r.s)[i] : dal_p(r.s)[i - PLANE]);
        assert_int_equal(DAL_OK, dal_options_set(back.o, "start", start));
    }
    must(&back, try_text(&back, PLANE_WITH("damping")));
    run_to_end(&back);
    check_below(apart(dal_q(back.s), before, PLANE), 1e-11);
    end(&r), end(&back);
}

/* Schemes without upwinded functions, other principles, directions without inertia. */
static void what_has_no_upwinded_functions_is_refused(void **state)
{
    (void)state;
    static const char *const without[] = {"midpoint", "radau_left(2)", "lobatto(3)",
                                          "compose(gauss(2), triple(6))",
                                          "polynomial(2) with gauss(3)"};
    for (size_t k = 0; k < sizeof without / sizeof *without; k++)
        check_refused(PLANE_WITH("damping"),
                      (const setting[]){{"scheme", without[k]}, {"step", "0.1"}, {0}},
                      "damping needs the upwinded functions");
    check_refused(
        PLANE_WITH("damping"),
        (const setting[]){{"scheme", "gauss(2)"}, {"step", "0.1"}, {"principle", "energy"}, {0}},
        "principle = energy balances the work");
    check_refused(
        PLANE_WITH("damping"),
        (const setting[]){{"scheme", "gauss(2)"}, {"step", "0.1"}, {"force", "gauss(3)"}, {0}},
        "damping needs the upwinded functions");
    check_refused(
        "system RC {\n  coordinate q\n  lagrangian -q^2/2\n  damping q: -q'\n  start q = 1\n}\n",
        (const setting[]){{"scheme", "gauss(2)"}, {"step", "0.1"}, {0}},
        "damping acts along q, which has no inertia: write what moves along it as a 'state'");
}

static bool warns(const char *scheme, const char *words)
{
    static const char spinning[] = "system S {\n  coordinate x, y\n"
                                   "  lagrangian (x'^2 + y'^2 - x^2 - y^2)/2\n"
                                   "  force x: 2*y' - 0.1*x'\n  force y: -2*x' - 0.1*y'\n"
                                   "  start x = 1\n}\n";
    run               r = begin_scheme(&(upwinded){spinning, "2", NULL}, scheme, "0.1", "vm");
    bool              found = false;
    for (size_t k = 0; k < dal_message_count(r.cx); k++)
        found |= strstr(dal_message_at(r.cx, k).text, words) != NULL;
    end(&r);
    return found;
}

/* Forces that turn velocities are none to be damped. */
static void gyroscopic_damping_is_warned_of(void **state)
{
    (void)state;
    assert_true(warns("damped(2)", "gyroscopic part"));
    assert_false(warns("gauss(2)", "gyroscopic part"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damped_is_gauss_with_damping),
        cmocka_unit_test(orders_are_2s_less_1),
        cmocka_unit_test(compiled_steps_are_the_same),
        cmocka_unit_test(tangents_know_damping),
        cmocka_unit_test(steps_back_undo_steps),
        cmocka_unit_test(what_has_no_upwinded_functions_is_refused),
        cmocka_unit_test(gyroscopic_damping_is_warned_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
