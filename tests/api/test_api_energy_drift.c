/* test_api_energy_drift.c - what is the same error in every step would show as a drift of the
 * energy and of the angular momentum: rounded coefficients, an iteration that ends early. Kepler's
 * problem needs no function of libm, so that the bits are the same everywhere. */
#include "api_run.h"
#include "native.h"

#include <float.h>

static const char KEPLER[] =
    "system K {\n coordinate x, y\n lagrangian (x'^2 + y'^2)/2 + 1/sqrt(x^2 + y^2)\n"
    " start %s\n output power = (x*x' + y*y')/sqrt(x^2 + y^2)^3\n"
    " output swirl = x*y' - y*x'\n}\n";

/* A run in stretches of equal length: what is gained in each of energy and angular momentum, and
 * the power, which is exchanged between two kinds of energy, at their ends. */
enum { STRETCHES = 100 };
enum { ENERGY, SWIRL, KEPT };

typedef struct {
    double last[KEPT], gain[KEPT][STRETCHES], power;
    int    n;
} account;

static dal_status note_gains(void *self, dal_sim *s)
{
    account *a = self;
    double   now[KEPT] = {NAN, NAN}, power = NAN;
    if (dal_measure(s, "energy", &now[ENERGY]) || dal_measure(s, "swirl", &now[SWIRL]) ||
        dal_measure(s, "power", &power))
        return DAL_INVALID;
    for (int k = 0; k < KEPT; k++) {
        if (a->n >= 0) a->gain[k][a->n] = now[k] - a->last[k];
        a->last[k] = now[k];
    }
    a->n++, a->power += power * power / (STRETCHES + 1);
    return DAL_OK;
}

/* From the closest point or the farthest, in stretches of so many steps. */
static account run_of(const char *backend, const char *start, const char *step, int stretch)
{
    char          words[400], steps[20], record[20];
    const setting set[] = {{"scheme", "gauss(6)"}, {"backend", backend}, {"step", step},
                           {"steps", steps},       {"record", record},   {0}};
    snprintf(words, sizeof words, KEPLER, start);
    snprintf(steps, sizeof steps, "%d", STRETCHES * stretch);
    snprintf(record, sizeof record, "%d", stretch);
    run     r = begin_text(words, set);
    account a = {.n = -1};
    must(&r, dal_run(r.s, &(dal_observer){.row = note_gains, .self = &a}));
    assert_int_equal(a.n, STRETCHES);
    a.power = sqrt(a.power);
    end(&r);
    return a;
}

static double total(const double *gain)
{
    double sum = 0;
    for (int i = 0; i < STRETCHES; i++) sum += gain[i];
    return sum;
}

static double spread(const double *gain)
{
    double squares = 0;
    for (int i = 0; i < STRETCHES; i++) squares += gain[i] * gain[i];
    return sqrt(squares / STRETCHES);
}

/* Errors without a bias add up to a random walk: STRETCHES of them, of spread s, to s
 * sqrt(STRETCHES) and by chance to four times that in one of 16,000 cases. A bias grows faster;
 * were h b_i rounded, it would be 20 times that. The spread of a stretch is of so many errors of
 * one unit in the last place of the energy that a step exchanges, and of what rounds the energy
 * itself, 2 and 2.5 at the closest. */
static void stages_of_gauss_keep_the_energy_to_roundoff(void **state)
{
    enum { STEPS = 800 };
    static const char *const backend[] = {"vm", "native"};
    static const char *const step[] = {"0.05", "0.063", "0.07"};
    (void)state;
    for (int b = 0; b < 2; b++)
        for (int k = 0; k < 3; k++) {
            const account a = run_of(backend[b], "x = 0.4, y' = 2", step[k], STEPS);
            const double  exchanged = strtod(step[k], NULL) * a.power;
            for (int of = 0; of < KEPT; of++)
                check_below(fabs(total(a.gain[of])), 4 * spread(a.gain[of]) * sqrt(STRETCHES));
            check_below(spread(a.gain[ENERGY]), DBL_EPSILON * (4.5 + sqrt(STEPS) * exchanged));
        }
}

/* Of several orbits the walks, each over its spread, add up to another. */
static void check_walks(const char *backend, const char *const *start, const char *step,
                        int stretch)
{
    double walks[KEPT] = {0};
    for (int k = 0; k < 6; k++) {
        const account a = run_of(backend, start[k], step, stretch);
        for (int of = 0; of < KEPT; of++)
            walks[of] += total(a.gain[of]) / (spread(a.gain[of]) * sqrt(STRETCHES));
    }
    for (int of = 0; of < KEPT; of++) check_below(fabs(walks[of]) / sqrt(6), 4);
}

/* Coefficients that make a step symplectic only up to roundoff carry the sum to 9 times its spread,
 * all in one direction. */
static void orbits_gain_and_lose_alike(void **state)
{
    static const char *const start[] = {"x = 0.38, y' = 2", "x = 0.36, y' = 2", "x = 0.34, y' = 2",
                                        "x = 0.32, y' = 2", "x = 0.3, y' = 2",  "x = 0.28, y' = 2"};
    (void)state;
    check_walks("native", start, "0.0537", 2000), check_walks("native", start, "0.0617", 2000);
}

/* h x, rounded, depends on the remainder of the digits of x by 5 when h = 1/20: were it one product
 * and not two, the energy would walk upward, to 9 times its spread. */
static void short_fractions_are_like_other_steps(void **state)
{
    static const char *const start[] = {"x = 1, y' = 0.91", "x = 1, y' = 0.97", "x = 1, y' = 1.03",
                                        "x = 1, y' = 1.07", "x = 1, y' = 1.11", "x = 1, y' = 1.17"};
    (void)state;
    check_walks("native", start, "1/10", 2000);
    check_walks("native", start, "1/20", 2000);
    check_walks("vm", start, "1/10", 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stages_of_gauss_keep_the_energy_to_roundoff),
        cmocka_unit_test(orbits_gain_and_lose_alike),
        cmocka_unit_test(short_fractions_are_like_other_steps),
    };
    return cmocka_run_group_tests(tests, open_own_cache, remove_own_cache);
}
