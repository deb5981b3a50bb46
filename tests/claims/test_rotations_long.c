/* test_rotations_long.c - 10^6 steps of tops: the momenta of a free one keep every bit, energies
 * wander by roundoff or stay in their band. */
#include "api_run.h"

#define TOP(J, weight)                                                                             \
    "system Top {\n coordinate R : rotation\n let W = bodyspin(R)\n"                               \
    " lagrangian dot(W, diag(" J ")*W)/2" weight "\n"                                              \
    " start R = rotation([1, 2, -1], 0.7), bodyspin(R) = [0.4, -0.3, 1.5]\n}\n"

typedef struct {          /* how far they were off */
    double energy[2];     /* least and most                   */
    double vertical, any; /* the momentum, and all components */
} wandering;

static wandering run_long(const char *text)
{
    static const char *const p[] = {"p(R)[1]", "p(R)[2]", "p(R)[3]"};
    run          r = begin_text(text, (setting[]){{"scheme", "midpoint"}, {"step", "0.1"}, {0}});
    const double energy = measure(&r, "energy");
    double       first[3];
    wandering    by = {{0}, 0, 0};
    for (int i = 0; i < 3; i++) first[i] = measure(&r, p[i]);
    for (int k = 0; k < 1000; k++) {
        must(&r, dal_advance(r.s, 1000));
        const double off = measure(&r, "energy") - energy;
        by.energy[0] = fmin(by.energy[0], off), by.energy[1] = fmax(by.energy[1], off);
        for (int i = 0; i < 3; i++) by.any = fmax(by.any, fabs(measure(&r, p[i]) - first[i]));
        by.vertical = fmax(by.vertical, fabs(measure(&r, p[2]) - first[2]));
    }
    end(&r);
    return by;
}

/* In steady precession the energy of the steps is constant: every change is roundoff. */
static void a_free_top_wanders_by_roundoff(void **state)
{
    (void)state;
    const wandering by = run_long(TOP("[1, 1, 2.6]", ""));
    check_close(by.any, 0, 0);
    check_below(fmax(-by.energy[0], by.energy[1]), 1e-13);
}

static void a_heavy_top_stays_in_its_band(void **state)
{
    (void)state;
    const wandering by = run_long(TOP("[1, 2, 2.6]", " - (R*[0.3, 0.2, 1])[3]"));
    check_below(by.vertical, 3e-14);
    check_below(-by.energy[0], 1.5e-3);
    check_below(by.energy[1], 7.5e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_top_wanders_by_roundoff),
        cmocka_unit_test(a_heavy_top_stays_in_its_band),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
