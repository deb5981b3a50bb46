/* test_event_models.c - models with events, as users write them, agree with another code: an
 * extrapolation of order 12 with its own modes, whose steps are bisected at each switch. */
#include "../api_run.h"

#include <math.h>

/* Play between a motor and a load: one corner in two forces, left at one place at once. */
static const char PLAY[] =
    "system Play { coordinate a, b\n let d = a - b\n lagrangian a'^2/2 + b'^2\n"
    " force a: -if(d > 0.1, 50*(d - 0.1), if(d < -0.1, 50*(d + 0.1), 0)) + sin(2*t) - 0.1*a'\n"
    " force b: if(d > 0.1, 50*(d - 0.1), if(d < -0.1, 50*(d + 0.1), 0)) - 0.2*b' }\n";
/* Blocks on a belt, coupled by a spring. */
static const char BLOCKS[] = "system Blocks { coordinate x[2]\n"
                             " lagrangian x[1]'^2/2 + x[2]'^2/2 - x[1]^2/2 - (x[2] - x[1])^2\n"
                             " friction b[i in 1..2]: x[i]' = 0.3 limit 1, 0.6 + 0.1*i\n"
                             " start x[1]' = 0.3, x[2]' = 0.3 }\n";

/* A relay that holds the point where it leads back to, and dry friction beside it, which slips one
 * way, then the other: of order 2, while the relay holds. */
static const char HELD[] =
    "system Held { coordinate x, y\n lagrangian (x'^2 + y'^2)/2 - x^2/2 - y^2/2\n"
    " force x: -2*sign(x' + x)\n friction f: y' = x' limit 0.5, 0.3\n start x = 0.2, y = 1 }\n";

static const struct {
    const char *text, *scheme, *h, *until;
    double      q[2], most;
} made[] = {
    {PLAY, "gauss(3)", "0.02", "10", {1.07231003039, 0.93006216968}, 1e-9},
    {PLAY, "gauss(2)", "0.005", "10", {1.07231003039, 0.93006216968}, 1e-8},
    {PLAY, "lobatto(3)", "0.01", "10", {1.07231003039, 0.93006216968}, 1e-7},
    {PLAY, "trapezoid", "0.002", "10", {1.07231003039, 0.93006216968}, 1e-4},
    {PLAY, "compose(midpoint, suzuki(4))", "0.01", "10", {1.07231003039, 0.93006216968}, 1e-6},
    {BLOCKS, "gauss(3)", "0.05", "20", {1.88715559064, 2.31345772885}, 1e-9},
    {BLOCKS, "gauss(4)", "0.1", "20", {1.88715559064, 2.31345772885}, 1e-9},
    {BLOCKS, "lobatto(4)", "0.05", "20", {1.88715559064, 2.31345772885}, 1e-6},
    {HELD, "gauss(2)", "0.02", "3", {0.01048236787, -0.41080725497}, 3e-6},
    {HELD, "gauss(2)", "0.005", "3", {0.01048236787, -0.41080725497}, 2e-7},
    {BLOCKS, "trapezoid", "0.005", "20", {1.88715559064, 2.31345772885}, 1e-3},
};

static void models_agree_with_another_code(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof made / sizeof *made; k++) {
        const setting set[] = {
            {"scheme", made[k].scheme}, {"step", made[k].h}, {"until", made[k].until}, {0}};
        run r = begin_text(made[k].text, set);
        run_to_end(&r);
        for (int i = 0; i < 2; i++) check_close(dal_q(r.s)[i], made[k].q[i], made[k].most);
        end(&r);
    }
}

/* What is held from the start to the end. */
static void what_never_moves_is_judged_by_what_holds_it(void **state)
{
    (void)state;
    static const char    RESTS[] = "system Rests { coordinate x, z\n"
                                   " lagrangian x'^2/2 + z'^2/2 - x^2/2\n constraint z' = x\n"
                                   " friction k: x' = 0 limit 1\n friction l: z' = 0 limit 1 }\n";
    static const setting set[] = {{"scheme", "lobatto(3)"}, {"step", "0.05"}, {"until", "1"}, {0}};
    run                  r = begin_text(RESTS, set);
    run_to_end(&r);
    check_close(dal_q(r.s)[0], 0, 0);
    end(&r);
}

/* Runs of several steps one after the other, each with its own modes and paces. */
static void orders_are_measured_with_events_and_paces(void **state)
{
    (void)state;
    static const struct {
        const char *text, *pace;
        double      order, most;
    } of[] = {{BLOCKS, NULL, 4, 0.5},
              {"system Comet { coordinate x, y\n"
               " lagrangian (x'^2 + y'^2)/2 + 1/sqrt(x^2 + y^2)\n start x = 1, y' = 1.1 }\n",
               "x^2 + y^2", 4, 0.3}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        const setting    set[] = {{"scheme", "gauss(2)"},
                                  {"step", "0.1"},
                                  {"until", "6"},
                                  {of[k].pace ? "pace" : "step", of[k].pace ? of[k].pace : "0.1"},
                                  {0}};
        run              r = begin_text(of[k].text, set);
        dal_convergence *found;
        must(&r, dal_converge(r.m, r.o, NULL, "30, 60, 120, 240", &found));
        check_close(found->scheme->observed[DAL_OF_Q], of[k].order, of[k].most);
        dal_convergence_free(found);
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_agree_with_another_code),
        cmocka_unit_test(orders_are_measured_with_events_and_paces),
        cmocka_unit_test(what_never_moves_is_judged_by_what_holds_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
