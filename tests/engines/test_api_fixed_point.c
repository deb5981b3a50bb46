/* test_api_fixed_point.c - curves of degree two and more with many coordinates: stages are iterated
 * without a matrix where that is fast, also ahead of a wave front and at turning points, and end
 * where Newton's method does. */
#include "compiled.h"

#define CHAIN(start)                                                                               \
    "system Chain {\n"                                                                             \
    "  parameter N = 300\n"                                                                        \
    "  coordinate u[N]\n"                                                                          \
    "  lagrangian sum(i in 1..N: u[i]'^2/2)\n"                                                     \
    "  lagrangian -sum(i in 1..N-1: (u[i+1] - u[i])^2/2 + (u[i+1] - u[i])^4/4)\n"                  \
    "  for i in 1..N { start u[i] = " start " }\n"                                                 \
    "}\n"
static const char WAVES[] = CHAIN("sin(pi*i/50)");
static const char PULSE[] = CHAIN("exp(-(i - 150)^2/20)");
/* The last one is light and fast: it has 1e-10 of the energy of the others. */
static const char LIGHT[] =
    "system Light {\n"
    "  parameter N = 100\n"
    "  coordinate u[N], x\n"
    "  lagrangian sum(i in 1..N: u[i]'^2/2 - u[i]^2/2 - u[i]^4/4)"
    " + 1e-10*(x'^2/2 + cos(8*x - u[1]))\n"
    "  for i in 1..N { start u[i] = cos(i) }\n"
    "  start x = 1\n"
    "}\n";

typedef struct {
    const char *text, *scheme;
} row;

static run run_of(const row *r, const char *solver)
{
    const setting set[] = {{"scheme", r->scheme}, {"solver", solver}, {"backend", "vm"},
                           {"step", "0.05"},      {"steps", "200"},   {0}};
    run           a = begin_text(r->text, set);
    run_to_end(&a);
    return a;
}

static const row rows[] = {{WAVES, "gauss(2)"}, {PULSE, "gauss(2)"},   {PULSE, "gauss(3)"},
                           {WAVES, "gauss(4)"}, {PULSE, "lobatto(3)"}};

static void many_coordinates_are_swept_to_newtons_steps(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        run                swept = run_of(&rows[k], NULL), solved = run_of(&rows[k], "band");
        const dal_summary *sum = dal_summarise(swept.s);
        assert_string_equal(dal_summarise(solved.s)->solved_by, "newton");
        assert_int_equal(strncmp(sum->solved_by, "fixed point", strlen("fixed point")), 0);
        check_below((double)sum->newton_iterations, 20);
        check_below((double)sum->fixed_point_sweeps, 8 * 200);
        check_below(sum->dirac_residual, 1e-14);
        check_below(states_apart(&swept, &solved), 1e-12);
        end(&swept), end(&solved);
    }
}

/* Its momentum is 1e-10 of the others', and right to its own roundoff. */
static void a_light_coordinate_is_not_overlooked(void **state)
{
    (void)state;
    const row    light = {LIGHT, "gauss(2)"};
    run          swept = run_of(&light, NULL), solved = run_of(&light, "band");
    const size_t x = dal_size(swept.s) - 1;
    check_below(fabs(dal_p(swept.s)[x] / dal_p(solved.s)[x] - 1), 1e-14);
    end(&swept), end(&solved);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_coordinates_are_swept_to_newtons_steps),
        cmocka_unit_test(a_light_coordinate_is_not_overlooked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
