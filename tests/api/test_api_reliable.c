/* Momentum along directions without inertia, where there can be none, ends a run. No scheme that is
 * accepted leaves any, so a sound run is given some. */
#include "check.h"
#include "dalembert.h"
#include "run/simulation.h"

#include <string.h>

static const char circuit[] = "system S { coordinate q, r\n"
                              "lagrangian q'^2/2 - r^2/2\n force r: -r'\n"
                              "constraint q' = r'\n start q' = 1 }";

static void momentum_without_inertia_ends_a_run(void **state)
{
    (void)state;
    dal_context *cx = dal_context_new(NULL);
    dal_options *o = dal_options_new(cx);
    dal_model   *m = NULL;
    dal_sim     *s = NULL;
    dal_options_set(o, "scheme", "midpoint"), dal_options_set(o, "step", "0.1");
    dal_options_set(o, "steps", "10");
    assert_int_equal(dal_model_parse(cx, "test.dal", circuit, o, &m), DAL_OK);
    assert_int_equal(dal_sim_new(m, o, &s), DAL_OK);
    assert_int_equal(dal_run(s, NULL), DAL_OK);
    check_below(dal_summarise(s)->momentum_defect, 1e-14);
    static const struct {
        double     momentum;
        dal_status ends;
    } row[] = {{1e-12, DAL_OK}, {0.28, DAL_DIVERGED}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        s->mon.sum.momentum_defect = row[k].momentum, s->mon.grown = true;
        assert_int_equal(reliable_judge(s), row[k].ends);
    }
    assert_non_null(strstr(dal_summarise(s)->error, "without inertia, which can have no momentum"));
    dal_sim_free(s), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(momentum_without_inertia_ends_a_run)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
