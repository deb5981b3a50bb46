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

static void figures_have_names(void **state)
{
    (void)state;
    assert_string_equal(dal_figure_name(DAL_FIGURE_POINT), "point");
    assert_string_equal(dal_figure_name(DAL_FIGURE_TEXT), "text");
    assert_string_equal(dal_figure_name((dal_figure)9), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_have_their_kind_words_and_numbers),
        cmocka_unit_test(parts_and_arrays_draw_each_instance),
        cmocka_unit_test(a_picture_changes_no_bit_of_a_run),
        cmocka_unit_test(figures_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
