/* The error that a run estimates of itself, beside closed forms: the midpoint rule turns an
 * oscillation of rate 1 by 2 atan(h/2) in each step, that of a rotation about an axis and of a
 * direction in a plane too. A run that has lost its phase is warned of; one that is resolved, or
 * has settled in a forced motion, is not. So is one that only roundoff moves. */
#include "api_run.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const char oscillator[] =
    "system S {\n coordinate x\n lagrangian x'^2/2 - x^2/2\n start x = 1\n}";
static const char settled[] = "system S {\n coordinate x\n lagrangian x'^2/2 - x^2/2\n"
                              " force x: cos(0.7*t) - 0.4*x'\n}";
/* Small angles: the rate is 1 to 2e-7 */
static const char turning[] = "system S {\n coordinate R : rotation\n"
                              " lagrangian dot(spin(R), spin(R))/2 + R[1][1]\n"
                              " start R = rotation([0, 0, 1], 0.002)\n}";
static const char pointing[] = "system S {\n coordinate n : direction\n"
                               " lagrangian dot(n', n')/2 - n[3]\n"
                               " start n = [sin(0.002), 0, -cos(0.002)]\n}";
static const char upright[] = "system S {\n coordinate a\n lagrangian a'^2/2 + cos(a)\n"
                              " start a = %s\n}";
static run run_of(const char *model, const char *step, const char *steps, const char *backend)
{
    const setting set[] = {
        {"scheme", "midpoint"}, {"step", step}, {"steps", steps}, {"backend", backend}, {0}};
    run r = begin_text(model, set);
    run_to_end(&r);
    return r;
}

static bool says(const run *r, const char *words)
{
    for (size_t i = 0; i < dal_message_count(r->cx); i++)
        if (strstr(dal_message_at(r->cx, i).text, words)) return true;
    return false;
}

static bool is_warned(const run *r)
{
    return says(r, "positions at the end are off");
}

/* The phase that is lost, h/2 - atan(h/2) twice a step, is the error as long as it is small. */
static void check_phases(const char *model, double least)
{
    static const char *const        step[] = {"0.01", "0.05", "0.1", "0.3", "0.6"},
                             *const steps[] = {"70", "700", "7000", "70000"},
                             *const backend[] = {"vm", "native"};
    for (size_t a = 0; a < COUNT(step); a++)
        for (size_t b = 0; b < COUNT(steps); b++)
            for (size_t k = 0; k < COUNT(backend); k++) {
                const double h = strtod(step[a], NULL), N = strtod(steps[b], NULL);
                const double lost = N * (h - 2 * atan(h / 2));
                run          r = run_of(model, step[a], steps[b], backend[k]);
                const double said = dal_summarise(r.s)->error_estimate;
                if (N * h > 6 && N > least && lost < 0.5)
                    check_below(fabs(log(said / lost)), log(3));
                if (lost > 1) assert_true(is_warned(&r));
                if (lost < 0.1) assert_false(is_warned(&r));
                end(&r);
            }
}

static void lost_phases_are_estimated(void **state)
{
    (void)state;
    static const char *const model[] = {oscillator, turning, pointing};
    static const double      least[] = {0, 70, 70}; /* interpreted turns take long: short parts */
    for (size_t i = 0; i < COUNT(model); i++) check_phases(model[i], least[i]);
}

/* A pendulum stands upright but for the roundoff of pi, 1.2e-16, which is 1 after t = 36.6; beside
 * that it falls as it should. */
static void roundoff_decides_when_equilibria_are_left(void **state)
{
    (void)state;
    static const char *const start[] = {"3.141592653589793", "3.1415", "0"};
    static const char *const steps[] = {"200", "500"};
    for (size_t a = 0; a < COUNT(start); a++)
        for (size_t b = 0; b < COUNT(steps); b++) {
            char model[256];
            snprintf(model, sizeof model, upright, start[a]);
            run r = run_of(model, "0.1", steps[b], "vm");
            assert_int_equal(says(&r, "roundoff decides when"), a == 0 && b == 1);
            end(&r);
        }
}

/* Damping forgets errors: after 280 times of its decay they are no larger than after one. */
static void settled_motions_are_not_warned_of(void **state)
{
    (void)state;
    static const char *const step[] = {"0.05", "0.1", "0.2"};
    for (size_t a = 0; a < COUNT(step); a++) {
        run r = run_of(settled, step[a], "7000", "vm");
        assert_false(is_warned(&r));
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lost_phases_are_estimated),
        cmocka_unit_test(roundoff_decides_when_equilibria_are_left),
        cmocka_unit_test(settled_motions_are_not_warned_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
