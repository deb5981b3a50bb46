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
static const char kepler[] = "system S {\n coordinate x, y\n"
                             " lagrangian (x'^2 + y'^2)/2 + 1/sqrt(x^2 + y^2)\n"
                             " start x = 0.4, y = 0, x' = 0, y' = 2\n}";
static const char pair[] = "system Half {\n coordinate x\n lagrangian x'^2/2 - x^2/2\n}\n"
                           "system Pair {\n part a : Half\n part b : Half\n connect a.x = b.x\n"
                           " start a.x = 1\n}";

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

/* e = 0.6, from the pericentre: by Kepler's equation. */
static double off_in_orbit(const run *r)
{
    const double  e = 0.6, t = dal_time(r->s);
    const double *q = dal_q(r->s);
    double        E = t;
    for (int k = 0; k < 100; k++) E -= (E - e * sin(E) - t) / (1 - e * cos(E));
    return fmax(fabs(q[0] - (cos(E) - e)), fabs(q[1] / sqrt(1 - e * e) - sin(E)));
}

/* Steps of the energy principle end at times of their own. In 60 of long runs parts tell. */
static void lengths_that_are_chosen_are_judged(void **state)
{
    (void)state;
    static const struct {
        const char *scheme, *step, *until;
    } at[] = {
        {"midpoint", "0.1", "60"},    {"midpoint", "0.05", "10"},  {"midpoint", "0.02", "60"},
        {"midpoint", "0.005", "60"},  {"midpoint", "0.002", "60"}, {"midpoint", "0.02", "10"},
        {"gauss(2)", "0.05", "60"},   {"gauss(2)", "0.1", "10"},   {"midpoint", "0.02", "-60"},
        {"midpoint", "0.05", "3000"}, {"gauss(2)", "0.02", "1000"}};
    int wrong = 0, right = 0;
    for (size_t a = 0; a < COUNT(at); a++) {
        const setting set[] = {{"scheme", at[a].scheme},
                               {"principle", "energy"},
                               {"step", at[a].step},
                               {"until", at[a].until},
                               {0}};
        run           r = begin_text(kepler, set);
        run_to_end(&r);
        const double off = off_in_orbit(&r), said = dal_summarise(r.s)->error_estimate;
        if (off > 0.35) assert_true(is_warned(&r)), wrong++;
        if (off < 0.1) assert_false(is_warned(&r)), assert_true(said > off / 3), right++;
        end(&r);
    }
    assert_true(wrong >= 4 && right >= 5);
}

static void connections_that_are_forces_are_judged(void **state)
{
    (void)state;
    static const char *const step[] = {"0.3", "0.1", "0.03"};
    for (size_t a = 0; a < COUNT(step); a++) {
        const setting set[] = {{"scheme", "midpoint"},
                               {"interconnection", "forces"},
                               {"step", step[a]},
                               {"until", "300"},
                               {0}};
        run           r = begin_text(pair, set);
        run_to_end(&r);
        const double h = strtod(step[a], NULL), lost = 300 / h * (h - 2 * atan(h / 2));
        const double said = dal_summarise(r.s)->error_estimate;
        assert_int_equal(is_warned(&r), a == 0);
        if (lost < 0.5) check_below(fabs(log(said / lost)), log(1.3));
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lost_phases_are_estimated),
        cmocka_unit_test(roundoff_decides_when_equilibria_are_left),
        cmocka_unit_test(settled_motions_are_not_warned_of),
        cmocka_unit_test(lengths_that_are_chosen_are_judged),
        cmocka_unit_test(connections_that_are_forces_are_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
