/* test_api_compiled_energy.c - compiled steps of the energy principle: the same lengths, the same
 * breakdowns and the same summary as general ones.
 *
 * The length of a step is ill-conditioned by nature: roundoff in S, which is known to a few units
 * in its last place, is h's times the condition of the extended equations, whoever solves them. So
 * times and states of two runs part by that in every step, and tolerances are in units of it; the
 * balance of energy is kept by both to roundoff. */
#include "energy_run.h"

#include <float.h>

static const char PAPERS[] = TEST_DATA "/../examples/papers/";

static const char *const bent = "system Bent {\n"
                                "  coordinate x, y\n"
                                "  lagrangian (1 + y^2)*x'^2/2 + y'^2/2 - x^4/4 - y^2\n"
                                "  force x: -0.02*x' + 0.1*cos(t)\n"
                                "  start x = 1, y = 0.4, y' = 0.3\n"
                                "}\n";
static const char *const carried = /* inertia, coupling and potential change in time */
    "system Carried {\n"
    "  parameter a = 0.1\n"
    "  coordinate x, y\n"
    "  lagrangian (1 + a*sin(t))*x'^2/2 + y'^2/2 + x*y'*cos(t)/9 - x^2 - y^2/2 - y^4/4 + a*t*y\n"
    "  force y: -0.01*y'*(1 + x^2) + a*sin(2*t)*x\n"
    "  force x: -0.01*x'*y\n"
    "  start x = 1, y = 0.4, y' = 0.3\n"
    "}\n";
static const char *const pendulums =
    "system Pair {\n"
    "  coordinate a, b\n"
    "  lagrangian a'^2/2 + b'^2/2 + cos(a) + cos(b) - 0.2*(a - b)^2\n"
    "  start a = 1, b = -0.4, b' = 0.3\n"
    "}\n";

typedef struct {
    const char *model;               /* text, or NULL:      */
    const char *file;                /* one of the examples */
    const char *scheme, *own, *step; /* own: rule of forces */
    const char *start, *until;
} problem;

static const problem every[] = {
    {.file = "energy_well", .scheme = "midpoint"},
    {.file = "energy_well", .scheme = "gauss(3)"},
    {.file = "energy_damped", .scheme = "midpoint"},
    {.file = "energy_damped", .scheme = "gauss(2)"},
    {.file = "energy_damped", .scheme = "midpoint", .own = "gauss(2)"},
    {.file = "energy_damped_lagrangian", .scheme = "midpoint"},
    {.file = "energy_damped_lagrangian", .scheme = "gauss(2)"},
    {.file = "energy_damped_lagrangian", .scheme = "gauss(3)", .step = "0.3"},
    {.file = "energy_forced", .scheme = "midpoint"},
    {.file = "energy_forced", .scheme = "gauss(2)", .own = "gauss(3)", .step = "0.1"},
    {.model = bent, .scheme = "midpoint"},
    {.model = bent, .scheme = "gauss(2)"},
    {.model = bent, .scheme = "gauss(2)", .until = "-20"},
    {.model = carried, .scheme = "midpoint"},
    {.model = carried, .scheme = "gauss(2)"},
    {.model = carried, .scheme = "gauss(3)", .own = "gauss(2)", .step = "0.3"},
    {.model = pendulums, .scheme = "midpoint"},
    {.model = pendulums, .scheme = "gauss(3)", .step = "0.3"},
};
enum { PROBLEMS = sizeof every / sizeof *every };

static run open_problem(const problem *p, const char *backend, const setting *more)
{
    const setting set[] = {{"principle", "energy"},
                           {"scheme", p->scheme},
                           {"backend", backend},
                           {"force", p->own},
                           {"step", p->step    ? p->step
                                    : p->model ? "0.1"
                                               : NULL},
                           {"start", p->start},
                           {"until", p->until ? p->until : "20"},
                           {0}};
    char          path[512];
    run           r = with_settings(set);
    for (; more && more->key; more++)
        assert_int_equal(dal_options_set(r.o, more->key, more->value), DAL_OK);
    snprintf(path, sizeof path, "%s%s.dal", PAPERS, p->file);
    must(&r, p->model ? dal_model_parse(r.cx, "test.dal", p->model, r.o, &r.m)
                      : dal_model_load(r.cx, path, r.o, &r.m));
    start(&r);
    return r;
}

/* The relative roundoff of h, as large as it gets on the way. */
static double roundoff_of(const problem *p)
{
    run r = open_problem(p, "vm", (const setting[]){{"monitor", "1"}, {0}});
    dal_run(r.s, NULL);
    double unit = DBL_EPSILON * dal_summarise(r.s)->condition.max;
    end(&r);
    return unit;
}

static double largest(const double *x, size_t n, double most)
{
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* How far lengths, times and states are apart in so many steps, by step and relative to how large
 * they were. */
static double part_by(run *a, run *b, int steps)
{
    double far = 0, q = 0, p = 0;
    for (int k = 1; k <= steps; k++) {
        dal_status bad = dal_step(a->s), worse = dal_step(b->s);
        assert_int_equal(bad, worse);
        if (bad) break;
        q = largest(dal_q(a->s), a->n, q), p = largest(dal_p(a->s), a->n, p);
        double h = measured(a->s, "h"), length = fabs(measured(b->s, "h") / h - 1);
        double time = fabs(dal_time(b->s) - dal_time(a->s)) / fabs(h);
        double state = fmax(apart(dal_q(a->s), dal_q(b->s), a->n) / q,
                            apart(dal_p(a->s), dal_p(b->s), a->n) / p);
        far = fmax(far, fmax(length, fmax(time, state)) / k);
    }
    return far;
}

/* Compiled steps need fewer iterations: they do not solve for a curve of the predicted length
 * first. If they were left to the general step, there would be as many. */
static void was_compiled(const run *general, const run *compiled)
{
    const dal_summary *a = dal_summarise(general->s), *b = dal_summarise(compiled->s);
    assert_true(b->is_fused && !a->is_fused);
    assert_int_equal(a->steps, b->steps);
    assert_true(b->newton_iterations < a->newton_iterations);
}

static void compiled_steps_agree_with_the_general_ones(void **state)
{
    (void)state;
    for (int i = 0; i < PROBLEMS; i++) {
        const double unit = roundoff_of(&every[i]);
        for (int plain = 0; plain < (i % 4 ? 1 : 2); plain++) {
            const setting more[] = {{"summation", plain ? "plain" : "compensated"}, {0}};
            run           a = open_problem(&every[i], "vm", more);
            run           b = open_problem(&every[i], "native", more);
            double        far = part_by(&a, &b, 60) / unit;
            if (!(far < 1)) print_error("%d, %s: %.1f units\n", i, every[i].scheme, far), fail();
            was_compiled(&a, &b);
            end(&a), end(&b);
        }
    }
}

static void ranges_agree(dal_range a, dal_range b, double tolerance)
{
    check_close(b.min / a.min, 1, tolerance);
    check_close(b.max / a.max, 1, tolerance);
    check_close(b.last / a.last, 1, tolerance);
}

/* In leaps to the next record, and the last one to the end. */
static void runs_tell_the_same(void **state)
{
    (void)state;
    for (int i = 0; i < PROBLEMS; i++) {
        const setting more[] = {{"record", "7"}, {"monitor", "5"}, {0}};
        const double  unit = roundoff_of(&every[i]);
        run           a = open_problem(&every[i], "vm", more);
        run           b = open_problem(&every[i], "native", more);
        assert_int_equal(dal_run(a.s, NULL), dal_run(b.s, NULL));
        was_compiled(&a, &b);
        const dal_summary *x = dal_summarise(a.s), *y = dal_summarise(b.s);
        const double       far = (double)x->steps * unit;
        ranges_agree(x->length, y->length, far);
        ranges_agree(x->condition, y->condition, 100 * far);
        check_close(y->work, x->work, far * (1 + fabs(x->work)));
        check_close(y->discrete_energy, x->discrete_energy, 4 * DBL_EPSILON);
        check_close(y->balance_error, x->balance_error, 1e-14);
        check_close(dal_time(b.s), dal_time(a.s), far * x->length.max);
        end(&a), end(&b);
    }
}

/* Whether they are made one by one or many in one call. */
static void leaps_have_the_bits_of_single_steps(void **state)
{
    (void)state;
    for (int i = 0; i < PROBLEMS; i++) {
        run a = open_problem(&every[i], "native", NULL),
            b = open_problem(&every[i], "native", NULL);
        dal_status bad = dal_run(a.s, NULL), worse = DAL_OK;
        while (!worse && dal_steps(b.s) < dal_steps(a.s)) worse = dal_step(b.s);
        assert_int_equal(dal_steps(a.s), dal_steps(b.s));
        if (bad) worse = dal_step(b.s);
        assert_int_equal(bad, worse);
        assert_true(dal_time(a.s) == dal_time(b.s));
        check_below(states_apart(&a, &b), 0);
        const dal_summary *x = dal_summarise(a.s), *y = dal_summarise(b.s);
        assert_true(x->length.min == y->length.min && x->length.max == y->length.max);
        assert_true(x->balance_error == y->balance_error && x->work == y->work);
        end(&a), end(&b);
    }
}

/* Where nothing decides a step, where bounds end the run, where the energy jumps. */
static void breakdowns_are_the_same(void **state)
{
    (void)state;
    static const struct {
        problem     of;
        const char *key, *value, *says;
    } rows[] = {
        {{.model = well, .scheme = "midpoint", .step = "0.01", .start = "q=1.05"},
         NULL,
         NULL,
         "nothing determines the next step"},
        {{.model = damped, .scheme = "lobatto(3)", .start = "q=1"},
         NULL,
         NULL,
         "with Lobatto points"},
        {{.model = damped, .scheme = "midpoint", .start = "q=1", .until = "100"},
         "h_max",
         "0.15",
         "longer than h_max = 0.15"},
        {{.model = damped, .scheme = "gauss(2)", .start = "q=1", .until = "-500"},
         "h_min",
         "0.05",
         "shorter than h_min"},
        {{.model = "system Jump {\n  coordinate q\n"
                   "  lagrangian q'^2/2 - q^2/2 - if(t < 1, 0, 10)\n  start q = 1\n}\n",
          .scheme = "midpoint"},
         NULL,
         NULL,
         "no step between 0.0125 and 0.8"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const setting more[] = {{rows[i].key, rows[i].value}, {0}};
        run           a = open_problem(&rows[i].of, "vm", more);
        run           b = open_problem(&rows[i].of, "native", more);
        assert_int_equal(dal_run(a.s, NULL), DAL_BREAKDOWN);
        assert_int_equal(dal_run(b.s, NULL), DAL_BREAKDOWN);
        was_compiled(&a, &b);
        assert_non_null(strstr(dal_summarise(a.s)->error, rows[i].says));
        assert_string_equal(dal_summarise(a.s)->error, dal_summarise(b.s)->error);
        end(&a), end(&b);
    }
}

static void a_run_goes_on_after_a_breakdown_likewise(void **state)
{
    (void)state;
    static const problem of = {
        .model = well, .scheme = "midpoint", .step = "0.01", .start = "q=1.05", .until = "4"};
    static const char *const how[] = {"fixed", "reset"};
    for (int i = 0; i < 2; i++) {
        const setting more[] = {{"on-breakdown", how[i]}, {0}};
        run           a = open_problem(&of, "vm", more), b = open_problem(&of, "native", more);
        run_to_end(&a), run_to_end(&b);
        was_compiled(&a, &b);
        const dal_summary *x = dal_summarise(a.s), *y = dal_summarise(b.s);
        assert_int_equal(x->resets, y->resets), assert_int_equal(x->is_held, y->is_held);
        check_close(y->held_from, x->held_from, 1e-9);
        check_close(y->reset_first, x->reset_first, 1e-9);
        check_close(dal_time(b.s), dal_time(a.s), 1e-7);
        end(&a), end(&b);
    }
}

/* After a parameter was set, the next step is the first of another motion. */
static void a_step_begins_anew_with_other_parameters(void **state)
{
    (void)state;
    const problem *of = &every[2];
    run            a = open_problem(of, "vm", NULL), b = open_problem(of, "native", NULL);
    for (int k = 0; k < 3; k++) {
        check_below(part_by(&a, &b, 20), 1e-12);
        assert_int_equal(dal_set_parameter(a.s, "k", 5 + k), DAL_OK);
        assert_int_equal(dal_set_parameter(b.s, "k", 5 + k), DAL_OK);
    }
    was_compiled(&a, &b);
    end(&a), end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compiled_steps_agree_with_the_general_ones),
        cmocka_unit_test(runs_tell_the_same),
        cmocka_unit_test(leaps_have_the_bits_of_single_steps),
        cmocka_unit_test(breakdowns_are_the_same),
        cmocka_unit_test(a_run_goes_on_after_a_breakdown_likewise),
        cmocka_unit_test(a_step_begins_anew_with_other_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
