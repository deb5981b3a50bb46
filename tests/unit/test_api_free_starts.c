/* test_api_free_starts.c - a mechanism of parts begins with what its user knows, the angle and the
 * speed of its crank; the rest follows, and what was said stays as it was said. */
#include "check.h"
#include "dalembert.h"

#include <math.h>
#include <stdio.h>

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

static double measured(dal_sim *s, const char *name)
{
    double value = NAN;
    assert_int_equal(dal_measure(s, name, &value), DAL_OK);
    return value;
}

static double velocity(const dal_model *m, const dal_sim *s, const char *name)
{
    return dal_v(s)[dal_model_find(m, DAL_COORDINATES, name)];
}

static void check_start(const char *more, const char *project)
{
    char         text[2000];
    dal_context *cx = dal_context_new(NULL);
    dal_options *o = dal_options_new(cx);
    dal_model   *m = NULL;
    dal_sim     *s = NULL;
    const double psi = -asin(sin(0.5) / 3), turn = -2 * cos(0.5) / (3 * cos(psi));
    snprintf(text, sizeof text, mechanism, more);
    assert_int_equal(dal_options_set(o, "step", "0.01"), DAL_OK);
    assert_int_equal(dal_options_set(o, "project-start", project), DAL_OK);
    assert_int_equal(dal_model_parse(cx, "engine", text, o, &m), DAL_OK);
    dal_status bad = dal_sim_new(m, o, &s);
    dal_report(cx, stdout, 0);
    assert_int_equal(bad, DAL_OK);
    assert_true(measured(s, "crank.phi") == 0.5);
    check_close(velocity(m, s, "crank.phi"), 2, 1e-15);
    check_close(measured(s, "rod.psi"), psi, 1e-14);
    check_close(measured(s, "piston.x"), cos(0.5) + 3 * cos(psi), 1e-14);
    check_close(velocity(m, s, "rod.psi"), turn, 1e-14);
    check_close(velocity(m, s, "piston.x"), -2 * sin(0.5) - 3 * sin(psi) * turn, 1e-14);
    for (int k = 0; k < 100; k++) assert_int_equal(dal_step(s), DAL_OK);
    dal_sim_free(s), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
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
    dal_context *cx = dal_context_new(NULL);
    dal_options *o = dal_options_new(cx);
    dal_model   *m = NULL;
    dal_sim     *s = NULL;
    assert_int_equal(dal_options_set(o, "step", "0.01"), DAL_OK);
    assert_int_equal(dal_model_parse(cx, "cart", cart, o, &m), DAL_OK);
    assert_int_equal(dal_sim_new(m, o, &s), DAL_OK);
    assert_true(measured(s, "cart.x") == 0);
    check_close(velocity(m, s, "cart.x"), 0, 1e-15);
    check_close(measured(s, "link.X"), sin(1), 1e-15);
    check_close(velocity(m, s, "link.X"), 2 * cos(1), 1e-15);
    dal_sim_free(s), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
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
    dal_context *cx = dal_context_new(NULL);
    dal_options *o = dal_options_new(cx);
    dal_model   *m = NULL;
    dal_sim     *s = NULL;
    assert_int_equal(dal_options_set(o, "step", "0.01"), DAL_OK);
    assert_int_equal(dal_model_parse(cx, "chain", chain, o, &m), DAL_OK);
    assert_int_equal(dal_sim_new(m, o, &s), DAL_OK);
    check_close(measured(s, "link[300].X"), 300 * sin(0.5), 1e-10);
    check_close(measured(s, "link[300].Y"), -300 * cos(0.5), 1e-10);
    assert_int_equal(dal_step(s), DAL_OK);
    dal_sim_free(s), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_tied_to_free_positions_follows_with_its_velocity),
        cmocka_unit_test(what_was_not_said_moves_before_what_was),
        cmocka_unit_test(what_is_tied_moves_only_where_it_must),
        cmocka_unit_test(a_chain_of_hundreds_of_links_hangs_in_a_moment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
