/* What the energy principle is compared with: fixed steps of the same number, the plain iteration
 * that falls into the step back, and beginning anew where nothing decides the step. */
#define DOFS_MOST 1

#include "mech/stepper/stepper.h"
#include "reference_fixed.h"
#include "stepping.h"

#include <float.h>

static jet well_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)c, (void)t;
    return times(0.5, sub(square(v[0]), sub(fourth(q[0]), square(q[0]))));
}

static jet spring_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)c, (void)t;
    return sub(times(0.5, square(v[0])), times(2, square(q[0])));
}

static void damping(const double *c, jet t, const jet *q, const jet *v, jet *f)
{
    (void)t, (void)q;
    f[0] = times(-4 * c[0], v[0]);
}

static void forcing(const double *c, jet t, const jet *q, const jet *v, jet *f)
{
    (void)q, (void)v;
    f[0] = times(c[0], cosine(times(2 * c[1], t)));
}

static const problem well = {.n = 1, .lambda = well_L},
                     damped = {.n = 1, .lambda = spring_L, .force = damping},
                     forced = {.n = 1, .lambda = spring_L, .force = forcing};
static const step_options by_energy = {.principle = ENERGY};

/* The exact motion. That of the well is known by a scheme of high order that makes the same steps.
 */
typedef struct {
    const problem *p;
    double         a, b, q0, v0;
    jet_system     sys;
    bench          fine;
} truth;

static void truth_open(truth *x, const problem *p, const char *words, double a, double b, double q0,
                       double v0)
{
    *x = (truth){.p = p, .a = a, .b = b, .q0 = q0, .v0 = v0};
    if (p != &well) return;
    bench_open(&x->fine, jet_system_init(&x->sys, p, NULL, 0), words, NULL, NULL);
    bench_set(&x->fine, 0, &q0, &v0);
}

static void truth_close(truth *x)
{
    if (x->p == &well) bench_close(&x->fine);
}

static double truth_q(truth *x, double t, double h, double *v)
{
    if (x->p == &damped) {
        double k = 2 * x->a, w = 2 * sqrt(1 - x->a * x->a), fade = exp(-k * t);
        *v = -fade * 4 / w * sin(w * t);
        return fade * (cos(w * t) + k / w * sin(w * t));
    }
    if (x->p == &forced) {
        double w = 2 * x->b, a = x->a / (4 - w * w), c = x->q0 - a, s = x->v0 / 2;
        *v = -2 * c * sin(2 * t) + 2 * s * cos(2 * t) - a * w * sin(w * t);
        return c * cos(2 * t) + s * sin(2 * t) + a * cos(w * t);
    }
    assert_int_equal(stepper_step(x->fine.st, t - h, h, &x->fine.why), DAL_OK);
    *v = stepper_p(x->fine.st)[0];
    return stepper_q(x->fine.st)[0];
}

static void compare_fixed(const problem *p, const fixed_run *r, double relative)
{
    const double c[] = {r->a, r->b};
    double       of_q = 0, of_energy = 0, first = 0, v;
    truth        x;
    jet_system   s;
    bench        b;
    truth_open(&x, p,
               r->h > 0.1     ? "gauss(6)"
               : r->h > 0.005 ? "gauss(3)"
                              : "gauss(2)",
               r->a, r->b, r->q0, r->v0);
    bench_open(&b, jet_system_init(&s, p, c, 2), r->scheme, NULL, &by_energy);
    bench_set(&b, 0, &r->q0, &r->v0);
    stepper_hold(b.st);
    for (long k = 1; k <= r->steps; k++) {
        bench_run(&b, r->h, 1);
        double q = truth_q(&x, (double)k * r->h, r->h, &v), E = stepper_discrete_energy(b.st);
        if (k == 1) first = E;
        of_q = fmax(of_q, fabs(stepper_q(b.st)[0] - q));
        of_energy = fmax(of_energy, fabs(E - (p == &well ? first : v * v / 2 + 2 * q * q)));
    }
    check_close(of_q, r->of_q, relative * r->of_q + 1e-11);
    check_close(of_energy, r->of_energy, relative * r->of_energy + 1e-11);
    bench_close(&b), truth_close(&x);
}

#define FOR_ALL(problem, runs)                                                                     \
    for (size_t i = 0; i < sizeof(runs) / sizeof *(runs); i++)                                     \
    compare_fixed(&(problem), &(runs)[i], 1e-9)

static void fixed_steps_have_the_errors_of_the_reference(void **state)
{
    (void)state;
    FOR_ALL(well, fixed_wells);
    FOR_ALL(damped, fixed_dampings);
    FOR_ALL(forced, fixed_forcings);
}

/* A run in the well from the first chord (q0, q1, h0), with the midpoint rule: its momentum is
 * p = x + (h/2) V'(q0 + h x/2), x = (q1 - q0)/h. */
static double chord_momentum(double q0, double q1, double h)
{
    double x = (q1 - q0) / h, q = q0 + h * x / 2;
    return x + h / 2 * (2 * q * q * q - q);
}

/* Newton's iteration on ((q1 - q0)/h, h) without any protection, from the momentum and the last
 * step: where does it end? Its matrix comes from that of (Z, h) by Z = h x. */
static double plain_iteration(bench *b, double t, double h)
{
    adaptive *a = b->st->energy;
    double    x = stepper_p(b->st)[0], size = 1;
    stepper_begin_step(b->st, t, h, false);
    for (int k = 0; k < 60 && size > 1e-12; k++) {
        double Z = h * x, K[4];
        equations_set_step(a->eq, h, false);
        assert_true(adaptive_assemble(a, &Z));
        adaptive_matrix(a, K);
        double xx = h * K[0], xh = K[1] + x * K[0], Ex = h * K[2], Eh = K[3] + x * K[2];
        double R = a->r[0], S = a->S - a->E - a->E_low, det = xx * Eh - xh * Ex;
        double dx = (Eh * R - xh * S) / det, dh = (xx * S - Ex * R) / det;
        x -= dx, h -= dh, size = fmax(fabs(dx), fabs(dh));
    }
    return h;
}

/* For an autonomous conservative system the step back, h = -h_{k-1}, solves the equations too. */
static void the_plain_iteration_falls_into_the_step_back(void **state)
{
    (void)state;
    static const struct {
        double q0, q1, h0;
        long   falls; /* in the step after this many; 0: never within t = 50 */
        double q, v, h;
    } rows[] = {
        {0.74, 0.73999647766708931, 0.01, 0, 0, 0, 0},
        {0.74, 0.7396484302056956, 0.1, 0, 0, 0, 0},
        {0.995, 0.99495124451966377, 0.01, 136, 0.3114913624809353, -0.27878476102410554,
         -0.0310206},
        {0.995, 0.99014424364975795, 0.1, 14, 0.28455004951257035, -0.2507707468077497, -0.295983}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double     p = chord_momentum(rows[i].q0, rows[i].q1, rows[i].h0), t = 0;
        long       fell = 0;
        jet_system s;
        bench      b;
        bench_open(&b, jet_system_init(&s, &well, NULL, 0), "midpoint", NULL, &by_energy);
        bench_set(&b, 0, &rows[i].q0, &p);
        for (long k = 0; t < 50; k++) {
            double h = k && !fell ? plain_iteration(&b, t, stepper_length(b.st)) : 1;
            if (h < 0) {
                fell = k;
                check_close(h, -stepper_length(b.st), 1e-8);
                check_close(h, rows[i].h, 1e-6);
                check_close(stepper_q(b.st)[0], rows[i].q, 1e-9);
                check_close(stepper_p(b.st)[0], rows[i].v, 1e-9);
            }
            assert_int_equal(stepper_step(b.st, t, rows[i].h0, &b.why), DAL_OK);
            if (k && !fell) check_close(h / stepper_length(b.st), 1, 1e-6);
            assert_true(stepper_length(b.st) > 0);
            t += stepper_length(b.st);
        }
        assert_int_equal(fell, rows[i].falls);
        bench_close(&b);
    }
}

/* What decides the step: h^3 e stays within 2e-6 .. 2% of itself, e = (V'' v^2 + V'^2)/24. */
static void steps_obey_their_law(void **state)
{
    (void)state;
    static const struct {
        double q0, q1, h0, least, most, condition;
    } rows[] = {
        {0.74, 0.73999647766708931, 0.01, 2.0677618974201136e-10, 2.067765634124269e-10, 8.6e6},
        {0.74, 0.7396484302056956, 0.1, 2.0557915504772226e-07, 2.0561530646729045e-07, 8.7e4},
        {0.995, 0.99495124451966377, 0.01, 3.961168693303132e-08, 3.96206902117281e-08, 2e5},
        {0.995, 0.99014424364975795, 0.1, 3.8709207852034505e-05, 3.950175426207903e-05, 1.7e3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double p = chord_momentum(rows[i].q0, rows[i].q1, rows[i].h0), t = 0, least = 1, most = 0;
        jet_system s;
        bench      b;
        bench_open(&b, jet_system_init(&s, &well, NULL, 0), "midpoint", NULL, &by_energy);
        bench_set(&b, 0, &rows[i].q0, &p);
        while (t < 50) {
            const double before = stepper_q(b.st)[0];
            assert_int_equal(stepper_step(b.st, t, rows[i].h0, &b.why), DAL_OK);
            const double h = stepper_length(b.st), x = (stepper_q(b.st)[0] - before) / h;
            const double q = before + h * x / 2, slope = 2 * q * q * q - q;
            const double law = h * h * h * ((6 * q * q - 1) * x * x + slope * slope) / 24;
            least = fmin(least, law), most = fmax(most, law), t += h;
        }
        const double sure = 100 * DBL_EPSILON * rows[i].condition;
        check_close(least / rows[i].least, 1, sure);
        check_close(most / rows[i].most, 1, sure);
        bench_close(&b);
    }
}

typedef struct {
    long   steps, resets;
    double least, most, drift, of_q;
} reset_run;

static reset_run run_with_resets(double q0, double q1, double h0, double until)
{
    reset_run  r = {.least = HUGE_VAL};
    double     p = chord_momentum(q0, q1, h0), t = 0, first = 0, v;
    truth      x;
    jet_system s;
    bench      b;
    bool       was_reset = false;
    truth_open(&x, &well, "gauss(2)", 0, 0, q0, 0);
    bench_open(&b, jet_system_init(&s, &well, NULL, 0), "midpoint", NULL, &by_energy);
    bench_set(&b, 0, &q0, &p);
    for (; t < until; r.steps++) {
        dal_status bad = stepper_step(b.st, t, h0, &b.why);
        if (bad) {
            assert_int_equal(bad, DAL_BREAKDOWN);
            text_clear(&b.why), stepper_reset(b.st), r.resets++;
            double last = stepper_length(b.st);
            assert_int_equal(stepper_step(b.st, t, h0, &b.why), DAL_OK);
            assert_true(stepper_length(b.st) == (was_reset ? h0 : last));
        }
        double h = stepper_length(b.st), E = stepper_discrete_energy(b.st);
        t += h, was_reset = bad;
        if (!r.steps) first = E;
        r.least = fmin(r.least, h), r.most = fmax(r.most, h);
        r.drift = fmax(r.drift, fabs(E - first));
        r.of_q = fmax(r.of_q, fabs(stepper_q(b.st)[0] - truth_q(&x, t, h, &v)));
        check_close(stepper_balance_error(b.st), fabs(E - first), 1e-14);
    }
    bench_close(&b), truth_close(&x);
    return r;
}

typedef struct {
    reset_run least, most;
} reset_range;

static void widen(reset_range *all, const reset_run *r)
{
    reset_run *a = &all->least, *z = &all->most;
    if (!a->steps) *a = *z = *r;
    if (r->steps < a->steps) a->steps = r->steps;
    if (r->steps > z->steps) z->steps = r->steps;
    if (r->resets < a->resets) a->resets = r->resets;
    if (r->resets > z->resets) z->resets = r->resets;
    a->least = fmin(a->least, r->least), z->least = fmax(z->least, r->least);
    a->most = fmin(a->most, r->most), z->most = fmax(z->most, r->most);
    a->drift = fmin(a->drift, r->drift), z->drift = fmax(z->drift, r->drift);
    a->of_q = fmin(a->of_q, r->of_q), z->of_q = fmax(z->of_q, r->of_q);
}

/* Within a range of ours, or beyond it by not more than the factor. */
static void check_range(double least, double want, double most, double factor)
{
    assert_true(least / factor <= want && want <= most * factor);
}

/* Over the hump with resets. Next to e = 0 the condition has no bound, so that an ulp of the start
 * decides where a solve gives up: it moves the numbers of steps and of resets by a factor of two,
 * and the shortest step by ten. Starts a few ulps apart say how far; what nearly all of them agree
 * on, the longest step, the error of q, and from 1.05 the energy, agrees with the reference. (From
 * 1.2 one of them begins anew where later steps become longer than before the first reset.) */
static void beginning_anew_crosses_the_hump(void **state)
{
    (void)state;
    static const struct {
        double    q0, q1;
        reset_run want;
        double    of_count; /* how far beyond our range, since others give up elsewhere */
        fixed_run fixed; /* its h is known to 1e-4, since a run ends within a step after t = 50 */
    } rows[] = {{1.05,
                 1.0499367404600184,
                 {27544, 31, 0.0008093620105990034, 0.04341400028693926, 2.9260415864776346e-06,
                  0.0019398931909088146},
                 1,
                 {"midpoint", 0, 0, 1.05, 0, 50.0 / 27544, 27544, 3.5712025615142196e-05,
                  4.706928488779072e-07}},
                {1.2,
                 1.1998872071811117,
                 {44340, 37, 0.0002069427793677222, 0.03270004794751911, 1.2717586673149928e-05,
                  0.001976963251766939},
                 1.5,
                 {"midpoint", 0, 0, 1.2, 0, 50.0 / 44340, 44340, 2.2716255138277575e-05,
                  6.065097931662322e-07}}};
    for (size_t i = 0; i < 2; i++) {
        const reset_run *want = &rows[i].want;
        reset_range      all = {0};
        int              agree = 0;
        for (int ulps = -5; ulps <= 5; ulps++) {
            double    q1 = rows[i].q1 * (1 + ulps * DBL_EPSILON);
            reset_run r = run_with_resets(rows[i].q0, q1, 0.01, 50);
            agree += fabs(r.most - want->most) <= 200 * sqrt(120) * DBL_EPSILON * 2e5 &&
                     fabs(r.of_q / want->of_q - 1) <= 0.03;
            assert_true(r.most < 1.5 * want->most && r.of_q < 1.1 * want->of_q);
            if (i == 0) check_close(r.drift / want->drift, 1, 1e-8);
            widen(&all, &r);
        }
        const reset_run *a = &all.least, *z = &all.most;
        assert_true(agree >= 10);
        check_range((double)a->steps, (double)want->steps, (double)z->steps, rows[i].of_count);
        check_range((double)a->resets, (double)want->resets, (double)z->resets, rows[i].of_count);
        check_range(a->least, want->least, z->least, rows[i].of_count);
        check_range(a->drift, want->drift, z->drift, 1 + 1e-8);
        assert_true((double)z->steps > 1.5 * (double)a->steps); /* not a property of the method */
        compare_fixed(&well, &rows[i].fixed, 5e-4);
        assert_true(a->of_q > 10 * rows[i].fixed.of_q && a->drift > 5 * rows[i].fixed.of_energy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_steps_have_the_errors_of_the_reference),
        cmocka_unit_test(the_plain_iteration_falls_into_the_step_back),
        cmocka_unit_test(steps_obey_their_law),
        cmocka_unit_test(beginning_anew_crosses_the_hump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
