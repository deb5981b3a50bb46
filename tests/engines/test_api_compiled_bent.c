/* test_api_compiled_bent.c - compiled steps along directions without inertia that bend: those of
 * the general engine, whichever relations, one-forms and drag bend them. */
#include "compiled.h"
#include "random_massless.h"
#include "reference_massless.h"

#include <stdio.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))
#define TABLE "table_of_a_bent_input.csv"

static run open_text(const char *text, const char *scheme, const char *backend, const char *until)
{
    const setting set[] = {{"backend", backend}, {"scheme", scheme},       {"step", "0.02"},
                           {"until", until},     {"project-start", "yes"}, {0}};
    return begin_text(text, set);
}

/* The largest distance over the number of steps since the start. */
static double part_by(run *a, run *b, int steps)
{
    double far = 0;
    for (int k = 1; k <= steps; k++) {
        must(a, dal_step(a->s)), must(b, dal_step(b->s));
        far = fmax(far, states_apart(a, b) / k);
    }
    return far;
}

static void check_steps(const char *name, const char *text, const char *scheme, const char *until)
{
    run a = open_text(text, scheme, "vm", until), b = open_text(text, scheme, "native", until);
    const double far = part_by(&a, &b, 60);
    compiler_was_content(&b, scheme);
    if (!dal_summarise(b.s)->is_fused) fail_msg("%s, %s is not compiled", name, scheme);
    if (!(far < 20 * DBL_EPSILON)) fail_msg("%s, %s: %.1e apart a step", name, scheme, far);
    end(&a), end(&b);
}

static void steps_are_those_of_the_general_engine(void **state)
{
    static const char *const scheme[] = {"gauss(2)", "midpoint", "gauss(3)",
                                         "compose(midpoint, suzuki(4))"};
    (void)state;
    for (size_t k = 0; k < COUNT(massless_motions); k++) {
        const massless_motion *of = &massless_motions[k];
        check_steps(of->name, of->text, scheme[k % COUNT(scheme)], "2");
        if (k % 5 == 0) check_steps(of->name, of->text, "gauss(2)", "-2"); /* back in time */
    }
}

static void random_steps_are_too(void **state)
{
    static words w;
    (void)state;
    for (uint64_t seed = 101; seed <= 106; seed++) {
        const random_system of = draw_system(seed);
        char                name[24];
        snprintf(name, sizeof name, "system %d", (int)seed);
        say_system(&w, &of);
        check_steps(name, w.at, seed % 2 ? "gauss(2)" : "midpoint", "2");
    }
}

/* Those after a failure of the compiled step, too: pivots of a bead that runs round its ring. */
static void beads_run_round(void **state)
{
    static const char ROUND[] =
        "system Round {\n coordinate x, y, a, b\n"
        " lagrangian (x'^2 + y'^2)/2 - 5*((x - a)^2 + (y - b)^2) - y/9\n"
        " holonomic ring: a^2 + b^2 = 1\n start x = 1.2, y' = 2, a = 1\n}\n";
    run a = open_text(ROUND, "gauss(2)", "vm", "40"),
        b = open_text(ROUND, "gauss(2)", "native", "40");
    (void)state;
    must(&a, dal_advance(a.s, 2000)), must(&b, dal_advance(b.s, 2000));
    assert_true(dal_summarise(b.s)->is_fused);
    check_below(states_apart(&a, &b), 1e-11);
    end(&a), end(&b);
}

/* Energies of conservative systems stay, driven ones follow their drive, damped ones come to rest:
 * relations hold, and every step is made. */
static void ten_thousand_steps_are_made(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(massless_motions); k++) {
        const massless_motion *of = &massless_motions[k];
        const setting          set[] = {{"backend", "native"},
                                        {"scheme", "gauss(2)"},
                                        {"step", "0.05"},
                                        {"steps", "10000"},
                                        {0}};
        run                    r = begin_text(of->text, set);
        if (dal_advance(r.s, 10000)) fail_msg("%s: %s", of->name, dal_message_at(r.cx, 0).text);
        check_below(dal_summarise(r.s)->constraint_residual, 1e-9); /* d23 is in resonance */
        check_below(dal_summarise(r.s)->momentum_defect, 1e-13);
        end(&r);
    }
}

static void many_steps_in_a_call_have_the_bits_of_single_ones(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        const char *text = massless_motions[k].text;
        run         a = open_text(text, "gauss(2)", "native", "2"),
            b = open_text(text, "gauss(2)", "native", "2");
        must(&a, dal_advance(a.s, 50));
        for (int i = 0; i < 50; i++) must(&b, dal_step(b.s));
        assert_memory_equal(dal_q(a.s), dal_q(b.s), a.n * sizeof(double));
        assert_memory_equal(dal_p(a.s), dal_p(b.s), a.n * sizeof(double));
        end(&a), end(&b);
    }
}

/* Forces and stiffness by an input, which is looked up at both ends of every step. */
static void inputs_are_followed(void **state)
{
    static const char FOLLOWED[] =
        "system Followed {\n input u\n coordinate x, a, b\n"
        " lagrangian x'^2/2 - x^2/2 - (a - x)^2/2 - b^2 - (1 + u)*b^4/6\n force a: -a'/2 + u/5\n"
        " constraint turns: (1 + sin(x)/2)*a' + b' = 0\n start x = 0.5, a = 0.4, b = 0.1\n}\n";
    FILE *f = fopen(TABLE, "w");
    (void)state;
    assert_non_null(f);
    for (int k = 0; k < 40; k++) fprintf(f, "%.17g,%.17g\n", 0.0617 * k, sin(1.7 * k));
    fclose(f);
    run r[2];
    for (int k = 0; k < 2; k++) {
        const setting set[] = {{"backend", k ? "native" : "vm"},
                               {"scheme", "gauss(2)"},
                               {"step", "0.02"},
                               {"until", "2"},
                               {"input", "u=" TABLE},
                               {"project-start", "yes"},
                               {0}};
        r[k] = begin_text(FOLLOWED, set);
    }
    check_below(part_by(&r[0], &r[1], 60), 20 * DBL_EPSILON);
    assert_true(dal_summarise(r[1].s)->is_fused);
    end(&r[0]), end(&r[1]);
    remove(TABLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_the_general_engine),
        cmocka_unit_test(random_steps_are_too),
        cmocka_unit_test(beads_run_round),
        cmocka_unit_test(ten_thousand_steps_are_made),
        cmocka_unit_test(many_steps_in_a_call_have_the_bits_of_single_ones),
        cmocka_unit_test(inputs_are_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
