/* Every example, at high order and a small step, ends where an independent code says it does. The
 * numbers of tests/examples/expected.csv come from reference.py and events.py beside it, with the error it
 * estimates for each. */
#include "check.h"
#include "dalembert.h"

#include <string.h>

typedef struct {
    char   example[64], coordinate[64];
    double until, value, error;
} row;

static int read_rows(row *rows, int room)
{
    FILE *f = fopen(TEST_DATA "/examples/expected.csv", "r");
    char  line[256];
    int   n = 0;
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f)); /* header */
    while (n < room && fgets(line, sizeof line, f)) {
        row *r = &rows[n++];
        assert_int_equal(5, sscanf(line, "%63[^,],%lf,%63[^,],%lf,%lf", r->example, &r->until,
                                   r->coordinate, &r->value, &r->error));
    }
    fclose(f);
    return n;
}

static dal_sim *run_to(dal_context *cx, const char *example, double until, const char *scheme,
                       double step, dal_options *o, dal_model **m)
{
    char     path[512], number[64];
    dal_sim *s = NULL;
    snprintf(path, sizeof path, "%s/../examples/%s.dal", TEST_DATA, example);
    dal_options_set(o, "scheme", scheme);
    snprintf(number, sizeof number, "%.17g", step), dal_options_set(o, "step", number);
    snprintf(number, sizeof number, "%.17g", until), dal_options_set(o, "until", number);
    dal_status failed = dal_model_load(cx, path, o, m);
    if (!failed) failed = dal_sim_new(*m, o, &s);
    if (!failed) failed = dal_run(s, NULL);
    if (failed) dal_report(cx, stderr, 0);
    assert_int_equal(failed, DAL_OK);
    return s;
}

static void every_example_ends_where_an_independent_code_ends(void **state)
{
    (void)state;
    static row rows[512];
    int        n = read_rows(rows, 512), wrong = 0;
    assert_true(n > 40);
    for (int first = 0, last; first < n; first = last) {
        const char *example = rows[first].example;
        for (last = first; last < n && !strcmp(rows[last].example, example); last++) continue;
        dal_context *cx = dal_context_new(NULL);
        dal_options *o = dal_options_new(cx);
        dal_model   *m = NULL;
        double       until = rows[first].until, steps = ceil(until / 0.02);
        dal_sim     *s = run_to(cx, example, until, "gauss(5)", until / steps, o, &m);
        for (int i = first; i < last; i++) {
            double got = NAN, size = fabs(rows[i].value) > 1 ? fabs(rows[i].value) : 1;
            assert_int_equal(DAL_OK, dal_measure(s, rows[i].coordinate, &got));
            if (fabs(got - rows[i].value) <= 2e-11 * size + 10 * rows[i].error) continue;
            print_error("%s: %s = %.15g, expected %.15g\n", example, rows[i].coordinate, got,
                        rows[i].value);
            wrong++;
        }
        dal_sim_free(s), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_example_ends_where_an_independent_code_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
