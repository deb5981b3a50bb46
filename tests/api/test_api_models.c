/* Models as their users write them end where an independent code says they do. The rows of
 * tests/models/expected.csv come from reference.py beside it; those of one model, scheme and step
 * are one run. */
#include "check.h"
#include "dalembert.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    char        text[256]; /* the row, cut at its commas */
    const char *model, *scheme, *step, *until, *quantity;
    double      value, tolerance;
} row;

enum { ROWS = 512 };

static void split(row *r)
{
    const char **cell[] = {&r->model, &r->scheme, &r->step, &r->until, &r->quantity};
    char        *at = r->text;
    for (int k = 0; k < 5; k++) {
        char *comma = strchr(at, ',');
        assert_non_null(comma);
        *comma = 0, *cell[k] = at, at = comma + 1;
    }
    assert_int_equal(2, sscanf(at, "%lf,%lf", &r->value, &r->tolerance));
}

static bool same_run(const row *a, const row *b)
{
    return !strcmp(a->model, b->model) && !strcmp(a->scheme, b->scheme) &&
           !strcmp(a->step, b->step) && !strcmp(a->until, b->until);
}

static int read_rows(row *rows)
{
    FILE *f = fopen(TEST_DATA "/models/expected.csv", "r");
    int   n = 0;
    assert_non_null(f);
    assert_non_null(fgets(rows->text, sizeof rows->text, f)); /* header */
    while (n < ROWS && fgets(rows[n].text, sizeof rows[n].text, f)) split(&rows[n++]);
    assert_true(n < ROWS);
    fclose(f);
    return n;
}

static int wrong_quantities(dal_sim *sim, const row *rows, int n)
{
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        double got = NAN;
        assert_int_equal(DAL_OK, dal_measure(sim, rows[i].quantity, &got));
        if (fabs(got - rows[i].value) <= rows[i].tolerance) continue;
        print_error("%s, %s, step %s: %s = %.15g, expected %.15g\n", rows->model, rows->scheme,
                    rows->step, rows[i].quantity, got, rows[i].value);
        wrong++;
    }
    return wrong;
}

static int wrong_in_run(const row *rows, int n)
{
    dal_context *cx = dal_context_new(NULL);
    dal_options *o = dal_options_new(cx);
    dal_model   *m = NULL;
    dal_sim     *sim = NULL;
    char         path[512];
    int          wrong = 1;
    snprintf(path, sizeof path, "%s/models/%s.dal", TEST_DATA, rows->model);
    dal_options_set(o, "scheme", rows->scheme);
    dal_options_set(o, "step", rows->step);
    dal_options_set(o, "until", rows->until);
    dal_status failed = dal_model_load(cx, path, o, &m);
    if (!failed) failed = dal_sim_new(m, o, &sim);
    if (!failed) failed = dal_run(sim, NULL);
    if (failed) {
        print_error("%s, %s, step %s:\n", rows->model, rows->scheme, rows->step);
        dal_report(cx, stderr, 0);
    } else {
        wrong = wrong_quantities(sim, rows, n);
    }
    dal_sim_free(sim), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
    return wrong;
}

static void every_model_ends_where_an_independent_code_ends(void **state)
{
    (void)state;
    static row rows[ROWS];
    int        n = read_rows(rows), wrong = 0;
    for (int first = 0, last; first < n; first = last) {
        for (last = first; last < n && same_run(&rows[last], &rows[first]); last++) continue;
        wrong += wrong_in_run(rows + first, last - first);
    }
    assert_int_equal(wrong, 0);
}

static const struct {
    const char *text, *message, *scheme; /* NULL: midpoint */
} refused[] = {
    {"coordinate x, y\nlagrangian (x'^2 + y'^2)/2 - y\nholonomic x^2 + y^2 = 1",
     "this relation has no effect at the start", NULL},
    {"coordinate x, y\nlagrangian (x'^2 + y'^2)/2\nconstraint a: x' = y'\nconstraint b: 2*x' = "
     "2*y' + 1",
     "'b' follows from other relations, or contradicts them", NULL},
    {"coordinate x, y\nlagrangian 1e-27*(x'^2 + y'^2)\nholonomic bond: x^2 + y^2 = 1e-20\nstart x "
     "= 2e-10",
     "the start violates bond: its left side is off by 3e-20", NULL},
    {"coordinate x\nlagrangian x'^2/2 - log(x)\nstart x = -1",
     "the energy is not finite: log(x) is not finite (x = -1) at model.dal:3", NULL},
    {"coordinate s, c, a, b\nlagrangian b'^2/2 - c^2/2 + a'*b\nforce s: 1 - s'\nconstraint s' = c' "
     "+ a'",
     "the direction c - a has no inertia, and the forces along it depend on other velocities",
     "lobatto(3)"},
    {"coordinate s, c, a, b\nlagrangian b'^2/2 - c^2/2 + a'*b\nforce s: 1 - s'\nconstraint s' = c' "
     "+ a'",
     "the direction c - a has no inertia, and the forces along it depend on other velocities",
     "rectangle(0)"},
    {"coordinate s, c, a, b\nlagrangian b'^2/2 - c^2/2 + a'*b\nforce s: 1 - s'\nconstraint s' = c' "
     "+ a'\nstart c = 1",
     "the forces along c - a do not balance at the start", NULL},
};

/* What a model and its options get as their messages, whether or not they run. */
static void run_text(const char *text, const char *scheme, char *messages, size_t room)
{
    dal_context *cx = dal_context_new(NULL);
    dal_options *o = dal_options_new(cx);
    dal_model   *m = NULL;
    dal_sim     *sim = NULL;
    char         whole[1024];
    FILE        *out = tmpfile();
    assert_non_null(out);
    snprintf(whole, sizeof whole, "system S {\n%s\n}\n", text);
    dal_options_set(o, "scheme", scheme);
    dal_options_set(o, "step", "0.1");
    dal_options_set(o, "until", "1");
    if (!dal_model_parse(cx, "model.dal", whole, o, &m) && !dal_sim_new(m, o, &sim))
        dal_run(sim, NULL);
    dal_report(cx, out, 0);
    rewind(out);
    messages[fread(messages, 1, room - 1, out)] = 0;
    fclose(out);
    dal_sim_free(sim), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
}

static void what_is_wrong_is_said_in_words_that_help(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char        messages[4096];
        const char *scheme = refused[i].scheme ? refused[i].scheme : "midpoint";
        run_text(refused[i].text, scheme, messages, sizeof messages);
        if (strstr(messages, refused[i].message)) continue;
        print_error("%s\nexpected: %s\ngot: %s\n", refused[i].text, refused[i].message, messages);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_model_ends_where_an_independent_code_ends),
        cmocka_unit_test(what_is_wrong_is_said_in_words_that_help)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
