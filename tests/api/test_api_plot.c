/* test_api_plot.c - plots of a caller's numbers: what stands in an SVG and where, hostile words,
 * gaps, extremes of long curves, and what is refused. */
#include "api_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    dal_context *cx;
    char        *text;
    size_t       n;
    dal_status   status;
} picture;

static picture draw(const dal_panel *panel, size_t panels, const char *format)
{
    const dal_plot plot = {.size = sizeof plot, .panel = panel, .panels = panels};
    picture        p = {.cx = dal_context_new(NULL)};
    FILE          *to = open_memstream(&p.text, &p.n);
    p.status = dal_plot_write(p.cx, &plot, format, to);
    fclose(to);
    return p;
}

static void drop(picture *p)
{
    dal_context_free(p->cx), free(p->text);
}

/* The numbers behind the first place where `before` stands. */
static int numbers_after(const char *s, const char *before, double *out, int most)
{
    int n = 0;
    assert_non_null(strstr(s, before));
    s = strstr(s, before) + strlen(before);
    for (char *end; n < most; s = end) {
        s += strspn(s, " M");
        out[n] = strtod(s, &end);
        if (end == s) break;
        n++;
    }
    return n;
}

static int count(const char *s, const char *what)
{
    int n = 0;
    for (; (s = strstr(s, what)); s += strlen(what)) n++;
    return n;
}

/* The frame of the only panel: M left top V bottom H right. */
static void frame_of(const char *svg, double *left, double *top, double *bottom, double *right)
{
    const char *at = strstr(svg, "fill=\"none\" d=\"M");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "fill=\"none\" d=\"M%lf %lfV%lfH%lf", left, top, bottom, right), 4);
}

static void a_curve_spans_its_frame_and_ticks_are_round(void **state)
{
    (void)state;
    const double    x[] = {0, 1, 2, 3}, y[] = {-1, 4, 2, 9};
    const dal_curve c = {x, y, 4, "c", 0, 0};
    const dal_panel panel = {&c, 1, "t", "y", 0};
    picture         p = draw(&panel, 1, "svg");
    double          at[16], left, top, bottom, right;
    assert_int_equal(p.status, DAL_OK);
    frame_of(p.text, &left, &top, &bottom, &right);
    assert_int_equal(numbers_after(strstr(p.text, "class=\"curve\""), " d=\"", at, 16), 8);
    check_close(at[0], left, 0.1);
    check_close(at[6], right, 0.1);
    /* -1 .. 9 with a margin of 0.05 on both sides */
    check_close((bottom - at[1]) / (bottom - top), 0.5 / 11, 1e-3);
    check_close((at[7] - top) / (bottom - top), 0.5 / 11, 1e-3);
    for (const char *const *tick = (const char *const[]){"0", "2", "4", "6", "8", NULL}; *tick;
         tick++) {
        char label[16];
        snprintf(label, sizeof label, ">%s</text>", *tick);
        assert_non_null(strstr(p.text, label));
    }
    assert_non_null(strstr(p.text, ">y</text>"));
    assert_null(strstr(p.text, ">c</text>")); /* its axis names it */
    drop(&p);
}

/* Of 100000 points one stands out; it is still there, and most others are not. */
static void a_long_curve_is_thinned_and_keeps_its_extremes(void **state)
{
    (void)state;
    enum { N = 100000 };
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    for (int i = 0; i < N; i++) x[i] = i, y[i] = i == 31417 ? 7 : i == 70001 ? -3 : sin(i);
    const dal_curve c = {x, y, N, NULL, 0, 0};
    const dal_panel panel = {&c, 1, NULL, NULL, 0};
    picture         p = draw(&panel, 1, "svg");
    double *at = malloc(4 * N * sizeof *at), left, top, bottom, right, least = INFINITY, most = 0;
    frame_of(p.text, &left, &top, &bottom, &right);
    const int n = numbers_after(strstr(p.text, "class=\"curve\""), " d=\"", at, 4 * N);
    for (int i = 1; i < n; i += 2) least = fmin(least, at[i]), most = fmax(most, at[i]);
    assert_in_range(n, 2000, 20000);
    check_close((least - top) / (bottom - top), 0.5 / 11, 1e-3);
    check_close((bottom - most) / (bottom - top), 0.5 / 11, 1e-3);
    drop(&p);
    free(x), free(y), free(at);
}

static void gaps_break_the_line(void **state)
{
    (void)state;
    const double    x[] = {0, 1, 2, 3, 4}, y[] = {1, 2, (double)NAN, 3, (double)INFINITY};
    const dal_curve c = {x, y, 5, NULL, 0, 0};
    const dal_panel panel = {&c, 1, NULL, NULL, 0};
    picture         p = draw(&panel, 1, "svg");
    const char     *d = strstr(strstr(p.text, "class=\"curve\""), " d=\"");
    char            path[64] = "";
    assert_int_equal(sscanf(d, " d=\"%63[^\"]", path), 1);
    assert_int_equal(count(path, "M"), 2);
    assert_null(strstr(p.text, "nan"));
    assert_null(strstr(p.text, "inf"));
    drop(&p);
}

/* The legend of two curves stands above the frame. */
static void a_legend_covers_no_curve(void **state)
{
    (void)state;
    const double    x[] = {0, 1}, y[] = {0, 1};
    const dal_curve c[] = {{x, y, 2, "first", 0, 0}, {y, x, 2, "second", 0, 1}};
    const dal_panel panel = {c, 2, "t", NULL, 0};
    picture         p = draw(&panel, 1, "svg");
    double          left, top, bottom, right, at_x, at_y;
    frame_of(p.text, &left, &top, &bottom, &right);
    for (int i = 0; i < 2; i++) {
        const char *words = strstr(p.text, i ? ">second</text>" : ">first</text>"), *tag = words;
        assert_non_null(words);
        while (strncmp(tag, "<text", 5) != 0) tag--;
        assert_int_equal(sscanf(tag, "<text x=\"%lf\" y=\"%lf\"", &at_x, &at_y), 2);
        assert_true(at_y < top && at_x > left);
    }
    drop(&p);
}

/* Decades are powers of ten; what has no logarithm is left out. */
static void logarithmic_axes_have_decades(void **state)
{
    (void)state;
    const double    x[] = {1e-3, 1e-2, 1e-1, 1, 0}, y[] = {1e-9, 1e-6, 1e-3, 1, 5};
    const dal_curve c = {x, y, 5, NULL, DAL_CURVE_POINTS, 0};
    const dal_panel panel = {&c, 1, NULL, NULL, DAL_PANEL_LOG_X | DAL_PANEL_LOG_Y};
    picture         p = draw(&panel, 1, "svg");
    assert_int_equal(count(p.text, "<circle"), 4);
    assert_non_null(strstr(p.text, ">10<tspan dy=\"-5\" font-size=\"9\">−3</tspan>"));
    drop(&p);
}

/* One unit is as long on both axes: a circle is one. */
static void equal_units_are_equal(void **state)
{
    (void)state;
    double x[101], y[101], at[202];
    for (int i = 0; i <= 100; i++)
        x[i] = 3 * cos(0.0628318530718 * i), y[i] = 3 * sin(0.0628318530718 * i);
    const dal_curve c = {x, y, 101, NULL, 0, 0};
    const dal_panel panel = {&c, 1, NULL, NULL, DAL_PANEL_EQUAL};
    picture         p = draw(&panel, 1, "svg");
    assert_int_equal(numbers_after(strstr(p.text, "class=\"curve\""), " d=\"", at, 202), 202);
    check_close(at[0] - at[100], at[151] - at[51], 1e-3);
    drop(&p);
}

/* Panels over the same quantity have one axis: its name stands once. */
static void panels_share_an_axis(void **state)
{
    (void)state;
    const double    x[] = {0, 1}, y[] = {0, 1}, later[] = {1, 5};
    const dal_curve a = {x, y, 2, NULL, 0, 0}, b = {later, y, 2, NULL, 0, 0};
    const dal_panel panel[] = {{&a, 1, "t", "a", 0}, {&b, 1, "t", "b", DAL_PANEL_LOW}};
    picture         p = draw(panel, 2, "svg");
    assert_int_equal(count(p.text, ">t</text>"), 1);
    assert_int_equal(count(p.text, ">5</text>"), 1);
    drop(&p);
}

static void words_are_shown_as_they_are(void **state)
{
    (void)state;
    const double    x[] = {0, 1}, y[] = {0, 1};
    const dal_curve c[] = {{x, y, 2, "</text><script>", 0, 0},
                           {x, y, 2, "a\033[2Jb\xff & \"c\"", 0, 1}};
    const dal_panel panel = {c, 2, "θ", NULL, 0};
    picture         p = draw(&panel, 1, "svg");
    assert_null(strstr(p.text, "<script>"));
    assert_non_null(strstr(p.text, ">&lt;/text&gt;&lt;script&gt;<"));
    assert_non_null(strstr(p.text, ">a [2Jb? &amp; &quot;c&quot;<"));
    assert_non_null(strstr(p.text, ">θ<"));
    drop(&p);
}

static void every_format_draws_what_it_is_asked_for(void **state)
{
    (void)state;
    const double      x[] = {0, 1}, y[] = {0, 1};
    const dal_curve   c = {x, y, 2, NULL, 0, 0};
    const dal_panel   panel = {&c, 1, "t", "y", 0};
    const char *const formats[] = {"svg", "text", "ascii", "ansi", "gnuplot"};
    for (int i = 0; i < 5; i++) {
        picture p = draw(&panel, 1, formats[i]);
        assert_int_equal(p.status, DAL_OK);
        assert_true(p.n > 100);
        drop(&p);
    }
}

static void what_is_no_plot_is_refused(void **state)
{
    (void)state;
    const double    x[] = {0, 1};
    const dal_curve c = {x, NULL, 2, NULL, 0, 0};
    const dal_panel panel = {&c, 1, NULL, NULL, 0}, none = {NULL, 0, NULL, NULL, 0};
    picture         p = draw(&panel, 1, "svg");
    assert_int_equal(p.status, DAL_INVALID);
    drop(&p), p = draw(&panel, 0, "svg");
    assert_int_equal(p.status, DAL_INVALID);
    drop(&p), p = draw(&none, 1, "jpeg");
    assert_int_equal(p.status, DAL_INVALID);
    assert_non_null(strstr(dal_message_at(p.cx, 0).text, "'jpeg' is no format"));
    drop(&p), p = draw(&none, 1, "svg"); /* an empty frame */
    assert_int_equal(p.status, DAL_OK);
    drop(&p);
    assert_int_equal(dal_plot_write(NULL, NULL, NULL, NULL), DAL_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_curve_spans_its_frame_and_ticks_are_round),
        cmocka_unit_test(a_long_curve_is_thinned_and_keeps_its_extremes),
        cmocka_unit_test(gaps_break_the_line),
        cmocka_unit_test(a_legend_covers_no_curve),
        cmocka_unit_test(logarithmic_axes_have_decades),
        cmocka_unit_test(equal_units_are_equal),
        cmocka_unit_test(panels_share_an_axis),
        cmocka_unit_test(words_are_shown_as_they_are),
        cmocka_unit_test(every_format_draws_what_it_is_asked_for),
        cmocka_unit_test(what_is_no_plot_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
