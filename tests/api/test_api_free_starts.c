/* test_api_free_starts.c - a mechanism of parts begins with what its user knows, the angle and the
 * speed of its crank; the rest follows, and what was said stays as it was said. */
#include "api_run.h"

#include <stdio.h>
#include <string.h>

/* crank of 1, rod of 3, piston along the line y = 0 */
static const char *const mechanism =
    "system Crank {\n"
    "  coordinate phi, x, y\n"
    "  lagrangian phi'^2/2\n"
    "  holonomic cos: x = cos(phi)\n"
    "  holonomic sin: y = sin(phi)\n"
    "  start x free, y free\n"
    "}\n"
    "system Rod {\n"
    "  coordinate x, y, X, psi\n"
    "  lagrangian ((x + 1.5*cos(psi))'^2 + (y + 1.5*sin(psi))'^2)/2 + psi'^2/2\n"
    "  holonomic cos: X = x + 3*cos(psi)\n"
    "  holonomic sin: 0 = y + 3*sin(psi)\n"
    "  start x free, y free, X free%s\n"
    "}\n"
    "system Piston {\n"
    "  coordinate x\n"
    "  lagrangian x'^2/2\n"
    "}\n"
    "system Engine {\n"
    "  part crank : Crank\n"
    "  part rod : Rod\n"
    "  part piston : Piston\n"
    "  connect rod.x = crank.x\n"
    "  connect rod.y = crank.y\n"
    "  connect piston.x = rod.X\n"
    "  start crank.phi = 0.5, crank.phi' = 2\n"
    "}\n";

static double velocity(const run *r, const char *name)
{
    return dal_v(r->s)[dal_model_find(r->m, DAL_COORDINATES, name)];
}

static run begin_with(const char *text, const char *project)
{
    return begin_text(text, (setting[]){{"step", "0.01"}, {"project-start", project}, {0}});
}

static void check_start(const char *more, const char *project)
{
    char         text[2000];
    const double psi = -asin(sin(0.5) / 3), turn = -2 * cos(0.5) / (3 * cos(psi));
    snprintf(text, sizeof text, mechanism, more);
    run r = begin_with(text, project);
    assert_true(measure(&r, "crank.phi") == 0.5);
    check_close(velocity(&r, "crank.phi"), 2, 1e-15);
    check_close(measure(&r, "rod.psi"), psi, 1e-14);
    check_close(measure(&r, "piston.x"), cos(0.5) + 3 * cos(psi), 1e-14);
    check_close(velocity(&r, "rod.psi"), turn, 1e-14);
    check_close(velocity(&r, "piston.x"), -2 * sin(0.5) - 3 * sin(psi) * turn, 1e-14);
    for (int k = 0; k < 100; k++) must(&r, dal_step(r.s));
    end(&r);
}

static void what_is_tied_to_free_positions_follows_with_its_velocity(void **state)
{
    (void)state;
    check_start(", psi free", "no");
}

static void what_was_not_said_moves_before_what_was(void **state)
{
    (void)state;
    check_start("", "yes");
}

/* The loop does not close, so that angles must move; the speed of the crank need not. */
static void a_given_velocity_stays_where_given_positions_move(void **state)
{
    (void)state;
    run          r = begin_with("system Crank {\n"
                                         "  coordinate a, b, s\n"
                                         "  lagrangian a'^2/2 + b'^2/6 + s'^2/2\n"
                                         "  holonomic x: cos(a) + 0.9*cos(b) = s\n"
                                         "  holonomic y: sin(a) + 0.9*sin(b) = 0\n"
                                         "  start a = 0.3, b = -0.33, s = 1.8, a' = 1\n"
                                         "}\n",
                                "yes");
    const double a = measure(&r, "a"), b = measure(&r, "b");
    assert_true(fabs(a - 0.3) < 0.01 && a != 0.3);
    assert_true(velocity(&r, "a") == 1);
    check_close(sin(a) + 0.9 * sin(b), 0, 1e-15);
    check_close(velocity(&r, "b"), -cos(a) / (0.9 * cos(b)), 1e-14);
    end(&r);
}

/* A cart without a start begins at 0, though the link that hangs from it may begin anywhere. */
static void what_is_tied_moves_only_where_it_must(void **state)
{
    (void)state;
    static const char *const cart =
        "system Cart {\n  coordinate x\n  lagrangian x'^2/2\n}\n"
        "system Link {\n"
        "  coordinate x, phi, X\n"
        "  lagrangian X'^2/2 + phi'^2/2\n"
        "  holonomic end: X = x + sin(phi)\n"
        "  start x free, X free\n"
        "}\n"
        "system Both {\n"
        "  part cart : Cart\n  part link : Link\n"
        "  connect cart.x = link.x\n  start link.phi = 1, link.phi' = 2\n"
        "}\n";
    run r = begin_with(cart, "no");
    assert_true(measure(&r, "cart.x") == 0);
    check_close(velocity(&r, "cart.x"), 0, 1e-15);
    check_close(measure(&r, "link.X"), sin(1), 1e-15);
    check_close(velocity(&r, "link.X"), 2 * cos(1), 1e-15);
    end(&r);
}

/* Singular values of 1500 unknowns would take minutes. */
static void a_chain_of_hundreds_of_links_hangs_in_a_moment(void **state)
{
    (void)state;
    static const char *const chain =
        "system Link {\n"
        "  coordinate x, y, phi, X, Y\n"
        "  lagrangian ((x + sin(phi)/2)'^2 + (y - cos(phi)/2)'^2)/2 + phi'^2/24 - y + cos(phi)/2\n"
        "  holonomic endX: X = x + sin(phi)\n"
        "  holonomic endY: Y = y - cos(phi)\n"
        "  start x free, y free, X free, Y free\n"
        "}\n"
        "system Chain {\n"
        "  parameter N = 300\n"
        "  part link[N] : Link\n"
        "  connect link[1].x = 0\n"
        "  connect link[1].y = 0\n"
        "  for k in 2..N {\n"
        "    connect link[k].x = link[k-1].X\n"
        "    connect link[k].y = link[k-1].Y\n"
        "  }\n"
        "  for k in 1..N { start link[k].phi = 0.5 }\n"
        "}\n";
    run r = begin_with(chain, "no");
    check_close(measure(&r, "link[300].X"), 300 * sin(0.5), 1e-10);
    check_close(measure(&r, "link[300].Y"), -300 * cos(0.5), 1e-10);
    must(&r, dal_step(r.s));
    end(&r);
}

/* Advice that was followed already is not given again. */
static void what_is_free_and_gets_nowhere_is_told_so(void **state)
{
    (void)state;
    static const struct {
        const char *start, *project, *advice;
    } row[] = {{"start x = 2, y = 2", "no", "mark as 'free' what may move"},
               {"start x = 2 free, y = 2", "no", "the free values cannot satisfy it"},
               {"start x = 2, y = 2", "yes", "no state nearby was found"}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 "system S {\n  coordinate x, y\n  lagrangian (x'^2 + y'^2)/2\n"
                 "  holonomic bond: x^2 + y^2 = %s\n  %s\n}\n",
                 k == 2 ? "-1" : "1", row[k].start);
        run r = with_settings(
            (setting[]){{"step", "0.1"}, {"steps", "1"}, {"project-start", row[k].project}, {0}});
        assert_int_equal(try_text(&r, text), DAL_INVALID);
        const char *said = dal_message_at(r.cx, dal_message_count(r.cx) - 1).text;
        assert_non_null(strstr(said, row[k].advice));
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_tied_to_free_positions_follows_with_its_velocity),
        cmocka_unit_test(what_was_not_said_moves_before_what_was),
        cmocka_unit_test(a_given_velocity_stays_where_given_positions_move),
        cmocka_unit_test(what_is_tied_moves_only_where_it_must),
        cmocka_unit_test(a_chain_of_hundreds_of_links_hangs_in_a_moment),
        cmocka_unit_test(what_is_free_and_gets_nowhere_is_told_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
