/* test_api_jumps.c - forces and relations that jump with the state have no derivative, and are
 * obeyed all the same: friction that opposes the motion, drives that switch, in every kind of
 * step. */
#include "api_run.h"
#include "native.h"

#include <math.h>
#include <string.h>

static const char *const schemes[] = {"midpoint", "trapezoid", "gauss(2)", "lobatto(3)",
                                      "compose(trapezoid, yoshida(4))"};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

static run after_a_second(const char *model, const char *scheme, const char *backend)
{
    const setting set[] = {
        {"scheme", scheme}, {"backend", backend}, {"step", "0.01"}, {"steps", "100"}, {0}};
    run r = begin_text(model, set);
    must(&r, dal_run(r.s, NULL));
    return r;
}

/* x = t - 0.15 t^2 while it moves, whatever the step */
static void slides(const char *model)
{
    static const char *const backend[] = {"vm", "native"};
    for (int i = 0; i < SCHEMES; i++)
        for (int b = 0; b < 2; b++) {
            run r = after_a_second(model, schemes[i], backend[b]);
            check_close(dal_q(r.s)[0], 0.85, 1e-13);
            check_close(dal_p(r.s)[0], 0.7, 1e-13);
            end(&r);
        }
}

static void friction_that_opposes_the_motion_slows_it_down(void **state)
{
    (void)state;
    slides("system S { coordinate x\n lagrangian x'^2/2\n force x: -0.3*sign(x')\n"
           " start x' = 1 }\n");
    slides("system S { coordinate x\n lagrangian x'^2/2\n force x: if(x' > 0, -0.3, 0.3)\n"
           " start x' = 1 }\n");
    slides("system S { coordinate x\n hamiltonian p(x)^2/2\n force x: -0.3*sign(p(x))\n"
           " start p(x) = 1 }\n");
}

static void friction_acts_in_large_systems_too(void **state)
{
    (void)state;
    slides("system S { coordinate x[2100]\n lagrangian sum(k in 1..2100: x[k]'^2/2)\n"
           " for k in 1..2100 { force x[k]: -0.3*sign(x[k]')\n start x[k]' = 1 } }\n");
}

/* z grows with 1, and with 3 as soon as x is beyond 0.5 */
static void relations_may_switch(void **state)
{
    (void)state;
    run r = after_a_second("system S { coordinate x, z\n lagrangian x'^2/2\n"
                           " constraint z' = sign(x - 0.501) + 2\n start x' = 1, z' = 1 }\n",
                           "midpoint", "vm");
    check_close(dal_q(r.s)[1], 0.501 + 3 * 0.499, 1e-13);
    end(&r);
}

/* Held by its friction, a spring's end stays where it is; steps that pass over the branches of the
 * force find none, and what would run is told. */
static void rest_under_friction_is_held_or_told_how_to_run(void **state)
{
    (void)state;
    static const char held[] = "system S { coordinate x\n lagrangian x'^2/2 - x^2/2\n"
                               " force x: -0.3*sign(x')\n start x = 0.1 }\n";
    const setting     located[] = {{"scheme", "midpoint"}, {"step", "0.01"}, {"steps", "100"}, {0}},
                  set[] = {{"scheme", "midpoint"}, {"step", "0.01"}, {"switches", "free"}, {0}};
    run r = begin_text(held, located);
    run_to_end(&r);
    check_close(dal_q(r.s)[0], 0.1, 1e-12);
    end(&r);
    r = begin_text(held, set);
    assert_int_equal(dal_step(r.s), DAL_DIVERGED);
    assert_non_null(strstr(dal_message_at(r.cx, dal_message_count(r.cx) - 1).text, "tanh("));
    end(&r);
}

/* A capacitor behind a diode of 0.01 and 1e5 ohm: charged through it for a second, then held. */
static void diodes_of_two_slopes_rectify(void **state)
{
    (void)state;
    static const char *const slopes[] = {"if(d' > 0, 0.01, 1e5)*d'",
                                         "(0.01*max(d', 0) + 1e5*min(d', 0))"};
    static const char *const by[] = {"gauss(2)", "gauss(3)"};
    const double full = 1 - exp(-1 / 1.01), left = 1 - (1 + 1 / full) * -expm1(-1 / (1e5 + 1));
    for (int k = 0; k < 4; k++) {
        char          words[400];
        const setting set[] = {{"scheme", by[k / 2]}, {"step", "0.01"}, {"steps", "200"}, {0}};
        snprintf(words, sizeof words,
                 "system S { coordinate s, r, d, c\n lagrangian -c^2/2\n"
                 " force s: if(t < 1, 1, -1)\n force r: -r'\n force d: -%s\n"
                 " constraint s' = r'\n constraint r' = d'\n constraint d' = c' }\n",
                 slopes[k % 2]);
        run r = begin_text(words, set);
        must(&r, dal_run(r.s, NULL));
        check_close(dal_q(r.s)[3], full * left, 1e-10);
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_that_opposes_the_motion_slows_it_down),
        cmocka_unit_test(friction_acts_in_large_systems_too),
        cmocka_unit_test(relations_may_switch),
        cmocka_unit_test(rest_under_friction_is_held_or_told_how_to_run),
        cmocka_unit_test(diodes_of_two_slopes_rectify),
    };
    return cmocka_run_group_tests(tests, open_own_cache, remove_own_cache);
}
