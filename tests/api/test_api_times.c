/* States at requested times: their order between grid points, beside the closed form of Kepler's
 * motion; that the run itself does not know of them; and rows that are taken one by one. */
#include "api_run.h"

#include <stdio.h>
#include <string.h>

static const char kepler[] = "system Kepler {\n  coordinate x, y\n"
                             "  lagrangian (x'^2 + y'^2)/2 + 1/sqrt(x^2 + y^2)\n"
                             "  output u = x', w = y'\n"
                             "  start x = 0.4, y' = 2\n}\n";
/* eccentricity 0.6, a = 1: beginning at the pericentre */
static const char embedded[] = "system Pendulum {\n  coordinate x, y\n"
                               "  lagrangian (x'^2 + y'^2)/2 - y\n"
                               "  holonomic x^2 + y^2 = 1\n  output u = x', w = y'\n"
                               "  start x = sin(1.2), y = -cos(1.2)\n}\n";

enum { WIDTH = 5, ROWS = 64 };
typedef struct {
    double row[ROWS][WIDTH];
    int    n;
} table;

/*     E - e sin E = t */
static void exact(double t, double z[4])
{
    const double e = 0.6, b = 0.8;
    double       E = t;
    for (int k = 0; k < 50; k++) E -= (E - e * sin(E) - t) / (1 - e * cos(E));
    const double rate = 1 / (1 - e * cos(E));
    z[0] = cos(E) - e, z[1] = b * sin(E), z[2] = -sin(E) * rate, z[3] = b * cos(E) * rate;
}

static dal_status take(void *self, dal_sim *s)
{
    table *t = self;
    assert_true(t->n < ROWS);
    dal_row(s, t->row[t->n++]);
    return DAL_OK;
}

static table rows_of(const char *model, const char *scheme, const char *step, const char *until,
                     const char *record)
{
    const setting      set[] = {{"scheme", scheme},
                                {"step", step},
                                {"until", until},
                                {"record", record},
                                {"columns", "t, x, y, u, w"},
                                {0}};
    run                r = begin_text(model, set);
    table              t = {.n = 0};
    const dal_observer o = {.row = take, .self = &t};
    must(&r, dal_run(r.s, &o));
    end(&r);
    return t;
}

static double error_of(const table *t, int from, int count)
{
    double most = 0;
    for (int i = 1; i < t->n; i++) {
        double z[4];
        exact(t->row[i][0], z);
        most = fmax(most, apart(z + from, t->row[i] + 1 + from, (size_t)count));
    }
    return most;
}

/* Neither time is a grid point. */
static void states_between_have_the_order_of_the_scheme(void **state)
{
    (void)state;
    static const struct {
        const char *scheme, *step[3];
        double      order;
    } of[] = {{"midpoint", {"0.02", "0.01", "0.005"}, 2},
              {"gauss(2)", {"0.05", "0.025", "0.0125"}, 4},
              {"gauss(3)", {"0.1", "0.05", "0.025"}, 6},
              {"lobatto(3)", {"0.05", "0.025", "0.0125"}, 4},
              {"shooting(dopri5) with gauss(2)", {"0.05", "0.025", "0.0125"}, 4},
              {"compose(gauss(2), yoshida(6))", {"0.1", "0.05", "0.025"}, 6}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        double e[3][2];
        for (int i = 0; i < 3; i++) {
            const table t =
                rows_of(kepler, of[k].scheme, of[k].step[i], "2", "times [0.237, 0.741, 1.333]");
            assert_int_equal(t.n, 5);
            e[i][0] = error_of(&t, 0, 2), e[i][1] = error_of(&t, 2, 2);
        }
        for (int j = 0; j < 2; j++) {
            const double order = log2(e[1][j] / e[2][j]);
            if (order < of[k].order - 0.25)
                fail_msg("%s: order %.2f of %s", of[k].scheme, order,
                         j ? "velocities" : "positions");
        }
    }
}

static void backward_and_with_relations(void **state)
{
    (void)state;
    table t = rows_of(kepler, "gauss(3)", "0.01", "-1.01", "times 0.25");
    assert_int_equal(t.n, 6);
    for (int i = 0; i < 5; i++) assert_true(fabs(t.row[i][0] + 0.25 * i) < 1e-12);
    assert_true(error_of(&t, 0, 4) < 1e-9);
    t = rows_of(embedded, "gauss(2)", "0.1", "2", "times 0.37");
    const table fine = rows_of(embedded, "gauss(3)", "0.005", "2", "times 0.37");
    assert_int_equal(t.n, fine.n);
    for (int i = 0; i < t.n; i++) {
        const double *z = t.row[i];
        assert_true(fabs(z[1] * z[1] + z[2] * z[2] - 1) < 1e-14);
        assert_true(fabs(z[1] * z[3] + z[2] * z[4]) < 1e-14);
        assert_true(apart(z, fine.row[i], WIDTH) < 2e-6);
    }
}

/* The bits of the last state are those of a run that records nothing else. */
static void the_run_does_not_know(void **state)
{
    (void)state;
    const table with = rows_of(kepler, "gauss(2)", "0.05", "3", "times 0.07"),
                without = rows_of(kepler, "gauss(2)", "0.05", "3", "0");
    assert_memory_equal(with.row[with.n - 1], without.row[without.n - 1], sizeof with.row[0]);
}

/* Several times lie in a step; each call takes one row, and a checkpoint is made in between. */
static void one_row_at_a_time(void **state)
{
    (void)state;
    const setting set[] = {{"scheme", "gauss(3)"},
                           {"step", "0.4"},
                           {"until", "2"},
                           {"record", "times 0.15"},
                           {"columns", "t, x, y, u, w"},
                           {0}};
    const table   whole = rows_of(kepler, "gauss(3)", "0.4", "2", "times 0.15");
    run           r = begin_text(kepler, set);
    double        row[WIDTH];
    size_t        count;
    for (int i = 0; i < whole.n; i++) {
        const dal_status bad = dal_run_rows(r.s, NULL, row, 1, &count);
        assert_true(!bad || bad == DAL_INTERRUPTED);
        assert_int_equal(count, 1);
        assert_memory_equal(row, whole.row[i], sizeof row);
        const void     *bytes;
        size_t          length;
        dal_checkpoint *c;
        must(&r, dal_sim_save_to_memory(r.s, &bytes, &length));
        must(&r, dal_checkpoint_parse(r.cx, bytes, length, &c));
        dal_sim_free(r.s), dal_model_free(r.m), r.s = NULL, r.m = NULL;
        must(&r, dal_checkpoint_resume(c, &r.m, &r.s));
        dal_checkpoint_free(c);
    }
    end(&r);
}

static void refused(const char *record, const char *key, const char *value, const char *words)
{
    const setting set[] = {{"step", "0.1"}, {"until", "1"}, {"record", record}, {key, value}, {0}};
    run           r = with_settings(set);
    r.status = try_text(&r, kepler);
    assert_int_not_equal(r.status, DAL_OK);
    int found = 0;
    for (size_t i = 0; i < dal_message_count(r.cx); i++)
        found |= strstr(dal_message_at(r.cx, i).text, words) != NULL;
    if (!found) fail_msg("%s", record);
    end(&r);
}

static void what_is_no_time(void **state)
{
    (void)state;
    refused("times 0", NULL, NULL, "must be positive");
    refused("times -1", NULL, NULL, "must be positive");
    refused("times [0.5, 0.25]", NULL, NULL, "in the order of the run");
    refused("times [-0.5, 0.25]", NULL, NULL, "before the run");
    refused("times x", NULL, NULL, "a coordinate cannot be used");
    refused("times 0.1", "principle", "energy", "principle = energy");
    refused("times 0.1", "momentum", "papers", "momentum = papers");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_between_have_the_order_of_the_scheme),
        cmocka_unit_test(backward_and_with_relations),
        cmocka_unit_test(the_run_does_not_know),
        cmocka_unit_test(one_row_at_a_time),
        cmocka_unit_test(what_is_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
