/* test_api_energy_drift.c - what is the same error in every step would show as a drift of the
 * energy: rounded coefficients, an iteration that ends early. Kepler's problem needs no function of
 * libm, so that the bits are the same everywhere. */
#include "dalembert.h"
#include "native.h"

#include <math.h>

static const char KEPLER[] =
    "system K {\n coordinate x, y\n lagrangian (x'^2 + y'^2)/2 + 1/sqrt(x^2 + y^2)\n"
    " start x = 0.4, y' = 2\n}\n";

static double drift(const char *backend, const char *step)
{
    dal_context *cx = dal_context_new(NULL);
    dal_options *o = dal_options_new(cx);
    dal_model   *m = NULL;
    dal_sim     *s = NULL;
    double       begin = NAN, end = NAN;
    dal_options_set(o, "scheme", "gauss(6)"), dal_options_set(o, "backend", backend);
    dal_options_set(o, "step", step), dal_options_set(o, "steps", "80000");
    dal_options_set(o, "record", "0");
    if (dal_model_parse(cx, "kepler", KEPLER, o, &m) || dal_sim_new(m, o, &s) ||
        dal_measure(s, "energy", &begin) || dal_run(s, NULL) || dal_measure(s, "energy", &end))
        dal_report(cx, stderr, 0);
    dal_sim_free(s), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
    return end - begin;
}

static void stages_of_gauss_keep_the_energy_to_roundoff(void **state)
{
    static const char *const backend[] = {"vm", "native"}, *const step[] = {"0.05", "0.063",
                                                                            "0.07"};
    (void)state;
    for (int b = 0; b < 2; b++)
        for (int k = 0; k < 3; k++) check_below(fabs(drift(backend[b], step[k])), 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stages_of_gauss_keep_the_energy_to_roundoff),
    };
    return cmocka_run_group_tests(tests, open_own_cache, remove_own_cache);
}
