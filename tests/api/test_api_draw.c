/* test_api_draw.c - the pictures of a model: which figures there are, in which order, and their
 * numbers at any place. */
#include "api_run.h"

#include <math.h>
#include <string.h>

static run make(const char *text)
{
    return begin_text(text, (const setting[]){{"step", "0.1"}, {0}});
}

static void figures_have_their_kind_words_and_numbers(void **state)
{
    (void)state;
    run a = make(
        "system A {\n parameter l = 2\n coordinate th\n let X = l*sin(th)\n lagrangian th'^2/2\n"
        " draw line(0, 0, X, -l*cos(th)) \"red\"\n draw text(t, 0) \"now\"\n draw circle(X, 0, "
        "l/10)\n}\n");
    size_t             count;
    const dal_drawing *d = dal_drawings(a.m, &count);
    double             out[9], q = 0.3;
    assert_int_equal(count, 3);
    assert_int_equal(dal_drawn(a.m), 9);
    assert_int_equal(d[0].figure, DAL_FIGURE_LINE);
    assert_string_equal(d[0].words, "red");
    assert_string_equal(d[1].words, "now");
    assert_null(d[2].words);
    assert_int_equal(d[2].first, 6);
    assert_int_equal(d[2].count, 3);
    dal_draw(a.s, 7, &q, out);
    const double expected[] = {0, 0, 2 * sin(0.3), -2 * cos(0.3), 7, 0, 2 * sin(0.3), 0, 0.2};
    for (int i = 0; i < 9; i++) assert_true(fabs(out[i] - expected[i]) < 1e-15);
    end(&a);
}

/* Ties are taken out before a step is solved; the picture speaks of the whole all the same. */
static void parts_and_arrays_draw_each_instance(void **state)
{
    (void)state;
    run a =
        make("system Cell {\n parameter at = 0\n coordinate x\n lagrangian x'^2/2\n draw point(at "
             "+ x, at)\n}\n"
             "system Row {\n part cell[k in 1..3] : Cell(at = 10*k)\n coordinate y[2]\n lagrangian "
             "y[1]'^2/2 + y[2]'^2/2\n"
             " connect cell[1].x = cell[2].x\n for k in 1..2 { draw circle(y[k], 0, k) }\n}\n");
    size_t count, n = dal_size(a.s);
    double q[8], out[16];
    dal_drawings(a.m, &count);
    assert_int_equal(count, 5);
    assert_int_equal(dal_drawn(a.m), 12);
    for (size_t i = 0; i < n; i++) {
        char name[16];
        dal_model_name(a.m, DAL_COORDINATES, i, name, sizeof name);
        q[i] = name[0] == 'c' ? (double)(name[5] - '0') / 8 : (double)(name[2] - '0') / 4;
    }
    dal_draw(a.s, 0, q, out);
    const double expected[] = {0.25, 0, 1, 0.5, 0, 2, 10.125, 10, 20.25, 20, 30.375, 30};
    for (int i = 0; i < 12; i++) assert_true(out[i] == expected[i]);
    end(&a);
}

static void a_picture_changes_no_bit_of_a_run(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "system A {\n coordinate th\n lagrangian th'^2/2 + cos(th)\n start th = 1\n}\n",
        "system A {\n coordinate th\n lagrangian th'^2/2 + cos(th)\n draw point(sin(th), t)\n "
        "start th = 1\n}\n"};
    double q[2];
    for (int k = 0; k < 2; k++) {
        run a = make(texts[k]);
        for (int i = 0; i < 50; i++) assert_false(dal_step(a.s));
        q[k] = dal_q(a.s)[0];
        end(&a);
    }
    assert_true(q[0] == q[1]);
}

/* A rotation is recorded as its quaternion, a direction as its vector. */
static void rows_of_rotations_are_drawn(void **state)
{
    (void)state;
    run    a = make("system A {\n coordinate x[3], R : rotation, n : direction\n"
                       " lagrangian dot(x', x')/2 + dot(spin(R), spin(R))/2 + dot(n', n')/2\n"
                       " draw box(x, R, [1, 2, 3])\n draw line(x, x + n, [0, 0, 0])\n"
                       " start x = [4, 5, 6], R = rotation([0, 0, 1], 0.3), n = [0, 0.6, 0.8]\n"
                       " start x' = [1, 0, 0], spin(R) = [0.1, 0.2, 0.3], n' = [1, 0, 0]\n}\n");
    double out[24], again[24], row[64];
    size_t columns;
    dal_columns(a.s, &columns);
    assert_true(columns <= 64);
    assert_int_equal(dal_drawn_dimensions(a.m), 3);
    assert_int_equal(dal_drawn(a.m), 24);
    dal_draw(a.s, 0, dal_q(a.s), out);
    const double c = cos(0.3), s = sin(0.3);
    const double expected[] = {4, 5, 6, c, -s, 0, s, c,   0,   0, 0, 1,
                               1, 2, 3, 4, 5,  6, 4, 5.6, 6.8, 0, 0, 0};
    for (int i = 0; i < 24; i++) assert_true(fabs(out[i] - expected[i]) < 1e-15);
    for (int i = 0; i < 10; i++) assert_false(dal_step(a.s));
    dal_row(a.s, row);
    dal_draw(a.s, 1, dal_q(a.s), out);
    assert_int_equal(dal_draw_row(a.s, row, again), DAL_OK);
    for (int i = 0; i < 24; i++) assert_true(fabs(out[i] - again[i]) < 1e-15);
    end(&a);
}

static void rows_without_all_coordinates_are_not_drawn(void **state)
{
    (void)state;
    run a = begin_text("system A {\n coordinate x, y\n lagrangian x'^2/2 + y'^2/2\n draw point(x, "
                       "y)\n}\n",
                       (const setting[]){{"step", "0.1"}, {"columns", "y, energy"}, {0}});
    double row[3] = {0, 7, 0}, out[2];
    assert_int_equal(dal_drawn_dimensions(a.m), 2);
    assert_int_equal(dal_draw_row(a.s, row, out), DAL_INVALID);
    assert_int_equal(dal_draw_row(NULL, row, out), DAL_INVALID);
    end(&a);
}

static void figures_have_names(void **state)
{
    (void)state;
    assert_string_equal(dal_figure_name(DAL_FIGURE_POINT), "point");
    assert_string_equal(dal_figure_name(DAL_FIGURE_TEXT), "text");
    assert_string_equal(dal_figure_name(DAL_FIGURE_TRAIL), "trail");
    assert_string_equal(dal_figure_name((dal_figure)10), "");
    assert_int_equal(dal_drawn_dimensions(NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_have_their_kind_words_and_numbers),
        cmocka_unit_test(parts_and_arrays_draw_each_instance),
        cmocka_unit_test(a_picture_changes_no_bit_of_a_run),
        cmocka_unit_test(rows_of_rotations_are_drawn),
        cmocka_unit_test(rows_without_all_coordinates_are_not_drawn),
        cmocka_unit_test(figures_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
