/* Runs with the energy principle against those of an independent implementation, of one in fifty
 * digits, and against the law by which damping makes steps grow. */
#include "energy_run.h"
#include "reference_energy.h"

#include <float.h>
#include <stdbool.h>
#include <stdlib.h>

static const char *const as_lagrangian = "system Growing {\n"
                                         "  parameter zeta = 0.01\n"
                                         "  coordinate q\n"
                                         "  lagrangian exp(4*zeta*t)*(q'^2/2 - 2*q^2)\n"
                                         "}\n";

/* A model, and what its two numbers are called in the rows of the reference. */
typedef struct {
    const char *text, *a, *b; /* "zeta=%.17g"; NULL: it has none */
} family;

static const family wells = {well, NULL, NULL}, dampings = {damped, "zeta=%.17g", NULL},
                    forcings = {forced, "F0=%.17g", "sigma=%.17g"};

static run open_run(const family *f, const energy_run *r, double p)
{
    run b = open_model(f->text, r->scheme, r->h0);
    if (f->a) set(&b, "set", f->a, r->a);
    if (f->b) set(&b, "set", f->b, r->b);
    set(&b, "start", "q=%.17g", r->q0), set(&b, "start", "p(q)=%.17g", p);
    set(&b, "until", "%.17g", r->until);
    dal_options_set(b.o, "monitor", "1"), dal_options_set(b.o, "record", "0");
    return b;
}

static double first_end(const family *f, const energy_run *r, double p)
{
    run b = open_run(f, r, p);
    start(&b);
    assert_int_equal(dal_step(b.s), DAL_OK);
    double q = dal_q(b.s)[0];
    end(&b);
    return q;
}

/* The momentum at the start whose first, fixed step ends in q1: by secants, on a map that is nearly
 * affine. */
static double momentum_to(const family *f, const energy_run *r)
{
    double p0 = (r->q1 - r->q0) / r->h0, p1 = p0 + 0.01;
    double q0 = first_end(f, r, p0), q1 = first_end(f, r, p1);
    for (int k = 0; k < 4 && q1 != q0 && q1 != r->q1; k++) {
        double p = p1 - (q1 - r->q1) * (p1 - p0) / (q1 - q0);
        p0 = p1, q0 = q1, p1 = p, q1 = first_end(f, r, p);
    }
    return p1;
}

typedef struct {
    const energy_run *r;
    int               next;
    double            worst; /* deviation over its tolerance */
} comparison;

/* Double against double differs by 200 sqrt(k) eps cond: h is no better decided. */
static dal_status compare(void *self, dal_sim *s)
{
    comparison *c = self;
    if (c->next >= c->r->records || c->r->record[c->next].k != dal_steps(s)) return DAL_OK;
    const energy_record *e = &c->r->record[c->next++];
    const double         tolerance = 200 * sqrt((double)e->k) * DBL_EPSILON * c->r->condition_max;
    const double         off[] = {dal_time(s) - e->t, dal_q(s)[0] - e->q, dal_p(s)[0] - e->p,
                                  measured(s, "discrete_energy") - e->E, measured(s, "h") - e->h};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++)
        c->worst = fmax(c->worst, fabs(off[i]) / tolerance);
    return DAL_OK;
}

/* The number of steps is that of the reference too, unless a whole step is below the roundoff. */
static void check_steps(const energy_run *r, const dal_summary *sum)
{
    double doubt = 200 * sqrt((double)r->steps) * DBL_EPSILON * r->condition_max;
    check_below((double)labs(sum->steps - r->steps), doubt > r->h_min ? 1 : 0);
    check_close(sum->length.min / r->h_min, 1, 1e-9 + doubt);
    check_close(sum->length.max / r->h_max, 1, 1e-9 + doubt);
    if (r->condition_max == 0) return;
    check_close(sum->condition.min / r->condition_min, 1, 1e-3);
    check_close(sum->condition.max / r->condition_max, 1, 5e-3);
}

static void follow(const family *f, const energy_run *r)
{
    run b = open_run(f, r, momentum_to(f, r));
    if (f == &dampings) dal_options_set(b.o, "h_max", "5");
    start(&b);
    comparison         c = {.r = r};
    dal_status         status = dal_run(b.s, &(dal_observer){.step = compare, .self = &c});
    const dal_summary *sum = dal_summarise(b.s);
    print_message("%s, %g, %g, h0 = %g, q0 = %g\n", r->scheme, r->a, r->b, r->h0, r->q0);
    check_below(c.worst, 1);
    check_steps(r, sum);
    assert_int_equal(status, r->breakdown ? DAL_BREAKDOWN : DAL_OK);
    if (r->breakdown) assert_non_null(strstr(sum->error, r->breakdown));
    end(&b);
}

#define FOLLOW(family, runs)                                                                       \
    for (size_t i = 0; i < sizeof(runs) / sizeof *(runs); i++) follow(&(family), &(runs)[i])

static void double_well_runs_agree_with_the_reference(void **state)
{
    (void)state;
    FOLLOW(wells, well_runs);
}

static void damped_runs_agree_with_the_reference(void **state)
{
    (void)state;
    FOLLOW(dampings, damped_runs);
}

static void forced_runs_agree_with_the_reference(void **state)
{
    (void)state;
    FOLLOW(forcings, forced_runs);
}

static void a_hundred_steps_agree_with_fifty_digits(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof well_in_50_digits / sizeof *well_in_50_digits; i++) {
        const double     *want = well_in_50_digits[i];
        const energy_run *r = NULL;
        for (size_t k = 0; k < sizeof well_runs / sizeof *well_runs; k++)
            if (well_runs[k].q0 == want[0] && well_runs[k].h0 == want[1]) r = &well_runs[k];
        assert_non_null(r);
        run b = open_run(&wells, r, momentum_to(&wells, r));
        start(&b);
        for (int k = 0; k < 101; k++) assert_int_equal(dal_step(b.s), DAL_OK);
        double tolerance = 2000 * DBL_EPSILON * r->condition_max;
        check_close(dal_time(b.s), want[2], tolerance);
        check_close(dal_q(b.s)[0], want[3], tolerance);
        check_close(dal_p(b.s)[0], want[4], tolerance);
        check_close(measured(b.s, "h"), want[5], tolerance);
        end(&b);
    }
}

/* The reference makes 6488 steps here. In fifty digits there are 6487: its steps, as ours, are sure
 * to 1e-5 of themselves only, and the end is met within a quarter of a step. */
static void where_the_number_of_steps_is_in_doubt_fifty_digits_decide(void **state)
{
    (void)state;
    static const double want_t = 50.00180799067647228, want_q = 2.3560007773572222316,
                        want_p = 2.759613994153135486, want_E = 14.909214021955544513,
                        want_h = 0.0060523174709211876116;
    const energy_run *r = &damped_runs[11];
    assert_true(!strcmp(r->scheme, "gauss(2)") && r->a == -0.01 && r->h0 == 0.01);
    run b = open_run(&dampings, r, momentum_to(&dampings, r));
    start(&b);
    assert_int_equal(dal_run(b.s, NULL), DAL_OK);
    assert_int_equal(dal_steps(b.s), 6487);
    const double sure = sqrt(6487) * DBL_EPSILON * r->condition_max; /* 2.2e-3 */
    check_close(dal_time(b.s), want_t, sure);
    check_close(dal_q(b.s)[0], want_q, 3 * sure); /* q' = 2.8 */
    check_close(dal_p(b.s)[0], want_p, 10 * sure);
    check_close(measured(b.s, "discrete_energy"), want_E, sure);
    check_close(measured(b.s, "h") / want_h, 1, sure);
    end(&b);
}

typedef struct errors errors;
struct errors {
    double (*motion)(const errors *e, double t, double *v); /* the exact one */
    double parameter, F0, q0, v0;
    double of_q, of_energy;
    double least, most, order; /* of h^order exp(-4 zeta t) */
};

static double damped_motion(const errors *e, double t, double *v)
{
    double zeta = e->parameter, w = 2 * sqrt(1 - zeta * zeta), k = 2 * zeta, fade = exp(-k * t);
    *v = -fade * 4 / w * sin(w * t);
    return fade * (cos(w * t) + k / w * sin(w * t));
}

static double forced_motion(const errors *e, double t, double *v)
{
    double w = 2 * e->parameter, a = e->F0 / (4 - w * w), c = e->q0 - a;
    *v = e->v0 * cos(2 * t) - 2 * c * sin(2 * t) - a * w * sin(w * t);
    return c * cos(2 * t) + e->v0 / 2 * sin(2 * t) + a * cos(w * t);
}

static dal_status keep_errors(void *self, dal_sim *s)
{
    errors *e = self;
    double  v, E = 0, t = dal_time(s), q = e->motion(e, t, &v);
    e->of_q = fmax(e->of_q, fabs(dal_q(s)[0] - q));
    if (!dal_measure(s, "discrete_energy", &E))
        e->of_energy = fmax(e->of_energy, fabs(E - v * v / 2 - 2 * q * q));
    return DAL_OK;
}

/* Lengths are sure to eps cond, so are the times of the chords, and energies change along them. */
static void check_errors(const family *f, const energy_run *r, const double *want)
{
    const bool of_damping = f == &dampings;
    errors     e = {.motion = of_damping ? damped_motion : forced_motion,
                    .parameter = of_damping ? r->a : r->b,
                    .F0 = r->a,
                    .q0 = r->q0,
                    .v0 = r->q0 == 0 ? 1 : 0};
    run        b = open_run(f, r, momentum_to(f, r));
    if (of_damping) dal_options_set(b.o, "h_max", "5");
    start(&b);
    dal_run(b.s, &(dal_observer){.step = keep_errors, .self = &e});
    const double doubt = 200 * sqrt((double)r->steps) * DBL_EPSILON * r->condition_max;
    check_close(e.of_q, want[0], doubt * want[0] + 1e-11);
    check_close(e.of_energy, want[1], doubt * want[1] + 1e-11);
    end(&b);
}

static void errors_are_those_of_the_reference(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof damped_errors / sizeof *damped_errors; i++)
        if (damped_errors[i][0] > 0) check_errors(&dampings, &damped_runs[i], damped_errors[i]);
    for (size_t i = 0; i < sizeof forced_errors / sizeof *forced_errors; i++)
        check_errors(&forcings, &forced_runs[i], forced_errors[i]);
}

static dal_status keep_law(void *self, dal_sim *s)
{
    errors *e = self;
    double  x = pow(measured(s, "h"), e->order) *
               exp(-4 * e->parameter * (dal_time(s) - measured(s, "h") / 2));
    e->least = fmin(e->least, x), e->most = fmax(e->most, x);
    return DAL_OK;
}

/* Damping makes steps grow: h^r exp(-c t/m) stays within 3%, for every order r. */
static void damped_steps_grow_at_the_rate_of_theory(void **state)
{
    (void)state;
    static const struct {
        int    run, order;
        double least, most;
    } rows[] = {{5, 2, 0.009855623368295536, 0.010065192335578194},
                {13, 4, 9.904766070845799e-05, 0.00010161896864676947},
                {21, 6, 9.856995761382117e-07, 1.007367105607998e-06}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const energy_run *r = &damped_runs[rows[i].run];
        errors            e = {.parameter = r->a, .order = rows[i].order, .least = 1};
        run               b = open_run(&dampings, r, momentum_to(&dampings, r));
        start(&b);
        assert_int_equal(dal_run(b.s, &(dal_observer){.step = keep_law, .self = &e}), DAL_OK);
        check_close(e.least / rows[i].least, 1, 1e-4);
        check_close(e.most / rows[i].most, 1, 1e-4);
        end(&b);
    }
}

static void as_a_lagrangian_damping_leaves_steps_bounded(void **state)
{
    (void)state;
    static const family growings = {as_lagrangian, "zeta=%.17g", NULL};
    for (size_t i = 0; i < sizeof caldirola_kanai / sizeof *caldirola_kanai; i++) {
        const double *want = caldirola_kanai[i];
        double        v;
        energy_run    r = {.scheme = "midpoint", .a = want[0], .h0 = want[1], .q0 = 1, .until = 50};
        r.q1 = damped_motion(&(errors){.parameter = r.a}, r.h0, &v);
        run b = open_run(&growings, &r, momentum_to(&growings, &r));
        start(&b);
        assert_int_equal(dal_run(b.s, NULL), DAL_OK);
        const dal_summary *sum = dal_summarise(b.s);
        assert_int_equal(sum->steps, (long)want[2]);
        check_close(sum->length.min / want[3], 1, 1e-6);
        check_close(sum->length.max / want[4], 1, 1e-6);
        check_below(sum->balance_error, 1e-12 * fmax(1, exp(200 * r.a)));
        end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(double_well_runs_agree_with_the_reference),
        cmocka_unit_test(damped_runs_agree_with_the_reference),
        cmocka_unit_test(forced_runs_agree_with_the_reference),
        cmocka_unit_test(a_hundred_steps_agree_with_fifty_digits),
        cmocka_unit_test(where_the_number_of_steps_is_in_doubt_fifty_digits_decide),
        cmocka_unit_test(errors_are_those_of_the_reference),
        cmocka_unit_test(damped_steps_grow_at_the_rate_of_theory),
        cmocka_unit_test(as_a_lagrangian_damping_leaves_steps_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
