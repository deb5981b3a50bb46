/* test_api_energy_drift.c - what is the same error in every step would show as a drift of the
 * energy: rounded coefficients, an iteration that ends early. Kepler's problem needs no function of
 * libm, so that the bits are the same everywhere. */
#include "api_run.h"
#include "native.h"

#include <float.h>

static const char KEPLER[] =
    "system K {\n coordinate x, y\n lagrangian (x'^2 + y'^2)/2 + 1/sqrt(x^2 + y^2)\n"
    " start x = 0.4, y' = 2\n output power = (x*x' + y*y')/sqrt(x^2 + y^2)^3\n}\n";

/* A run in stretches of equal length: the energy gained in each, and the power, which is exchanged
 * between its two kinds, at their ends. */
enum { STRETCHES = 100, STEPS = 800 };

typedef struct {
    double last, power, gain[STRETCHES];
    int    n;
} account;

static dal_status note_energy(void *self, dal_sim *s)
{
    account *a = self;
    double   energy = NAN, power = NAN;
    if (dal_measure(s, "energy", &energy) || dal_measure(s, "power", &power)) return DAL_INVALID;
    if (a->n >= 0) a->gain[a->n] = energy - a->last;
    a->n++, a->last = energy, a->power += power * power / (STRETCHES + 1);
    return DAL_OK;
}

static account run_of(const char *backend, const char *step)
{
    const setting set[] = {{"scheme", "gauss(6)"}, {"backend", backend}, {"step", step},
                           {"steps", "80000"},     {"record", "800"},    {0}};
    run           r = begin_text(KEPLER, set);
    account       a = {.n = -1};
    must(&r, dal_run(r.s, &(dal_observer){.row = note_energy, .self = &a}));
    assert_int_equal(a.n, STRETCHES);
    a.power = sqrt(a.power);
    end(&r);
    return a;
}

/* Errors without a bias add up to a random walk: STRETCHES of them, of spread s, to s
 * sqrt(STRETCHES) and by chance to four times that in one of 16,000 cases. A bias grows faster;
 * were h b_i rounded, it would be 20 times that. The spread of a stretch is of STEPS errors of one
 * unit in the last place of the energy that a step exchanges, and of what rounds the energy itself,
 * 2 and 2.5 at the closest. */
static void stages_of_gauss_keep_the_energy_to_roundoff(void **state)
{
    static const char *const backend[] = {"vm", "native"};
    static const char *const step[] = {"0.05", "0.063", "0.07"};
    (void)state;
    for (int b = 0; b < 2; b++)
        for (int k = 0; k < 3; k++) {
            const account a = run_of(backend[b], step[k]);
            double        sum = 0, squares = 0;
            for (int i = 0; i < STRETCHES; i++) sum += a.gain[i], squares += a.gain[i] * a.gain[i];
            const double spread = sqrt(squares / STRETCHES);
            const double exchanged = strtod(step[k], NULL) * a.power;
            check_below(spread, DBL_EPSILON * (4.5 + sqrt(STEPS) * exchanged));
            check_below(fabs(sum), 4 * spread * sqrt(STRETCHES));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stages_of_gauss_keep_the_energy_to_roundoff),
    };
    return cmocka_run_group_tests(tests, open_own_cache, remove_own_cache);
}
