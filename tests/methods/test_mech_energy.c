/* The energy principle: its border against differences, its symmetries, and what it refuses. */
#include "mech/stepper/stepper.h"
#include "stepping.h"

#include <string.h>

/* Inertia that depends on q and t, a quartic kinetic term, forces of t, q and v. */
static jet rich_L(const double *c, jet t, const jet *q, const jet *v)
{
    jet kinetic = add(mul(plus(square(q[1]), 1), square(v[0])), times(c[0], square(v[1])));
    jet cross = mul(mul(q[0], v[0]), v[1]);
    jet potential = add(fourth(q[0]), add(square(q[1]), mul(q[0], q[1])));
    jet moving = mul(plus(times(0.3, sine(t)), 1), add(times(0.5, kinetic), times(0.2, cross)));
    return sub(add(moving, times(0.05, fourth(v[0]))),
               mul(plus(times(0.2, cosine(t)), 1), potential));
}

static void rich_f(const double *c, jet t, const jet *q, const jet *v, jet *f)
{
    f[0] = add(times(-c[1], mul(plus(square(q[1]), 1), v[0])), times(0.4, cosine(times(3, t))));
    f[1] = sub(times(-c[1], mul(q[0], v[1])), times(0.1, mul(v[0], v[1])));
}

/* Momenta in place of velocities, and relations of both kinds. */
static jet rich_H(const double *c, jet t, const jet *q, const jet *p)
{
    return times(-1, add(add(mul(plus(square(q[1]), 1), square(p[0])), times(c[0], square(p[1]))),
                         mul(plus(times(0.3, sine(t)), 1), add(fourth(q[0]), mul(q[0], q[1])))));
}

static jet still_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)t;
    return sub(times(0.5, add(mul(plus(square(q[1]), 1), square(v[0])), times(c[0], square(v[1])))),
               add(fourth(q[0]), square(q[1])));
}

static void still_W(const double *c, jet t, const jet *q, const jet *v, jet *e)
{
    (void)c, (void)t;
    e[0] = sub(mul(plus(square(q[0]), 1), v[1]), mul(q[1], v[0]));
}

static void still_g(const double *c, jet t, const jet *q, jet *g)
{
    (void)c, (void)t;
    g[0] = add(square(q[0]), mul(q[0], square(q[1])));
}

static const problem rich = {.n = 2, .lambda = rich_L, .force = rich_f},
                     momenta = {.n = 2, .lambda = rich_H, .force = rich_f, .hamiltonian = true},
                     rolling = {.n = 2, .m = 1, .lambda = still_L, .velocity = still_W},
                     sliding = {.n = 2, .r = 1, .lambda = still_L, .position = still_g};
static const double rich_parameters[] = {1.5, 0.3};

enum { SIZE_MOST = 20 };

static void residual_of(adaptive *a, const double *y, double h, bool mirrored, double *r)
{
    equations_set_step(a->eq, h, mirrored);
    assert_true(adaptive_assemble(a, y));
    memcpy(r, a->r, (size_t)a->eq->size * sizeof *r);
    r[a->eq->size] = a->S;
}

/* Column k of K by differences of fourth order; the last one is that of h. */
static void difference(adaptive *a, const double *y, double h, bool mirrored, int k, double *column)
{
    static const double weight[] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12}, at[] = {-2, -1, 1, 2};
    const int           N = a->eq->size + 1;
    const double        step = 2e-4;
    double              moved[SIZE_MOST], r[SIZE_MOST];
    for (int i = 0; i < N; i++) column[i] = 0;
    for (int j = 0; j < 4; j++) {
        memcpy(moved, y, (size_t)(N - 1) * sizeof *y);
        if (k < N - 1) moved[k] += at[j] * step;
        residual_of(a, moved, k < N - 1 ? h : h + at[j] * step, mirrored, r);
        for (int i = 0; i < N; i++) column[i] += weight[j] * r[i] / step;
    }
}

static void check_border(const problem *of, const char *words, const char *force, bool mirrored,
                         power_along power)
{
    static const double q[] = {0.7, -0.4}, p[] = {0.5, 0.3};
    const step_options  o = {.principle = ENERGY, .power = power};
    jet_system          s;
    bench               b;
    double              y[SIZE_MOST], K[SIZE_MOST * SIZE_MOST], column[SIZE_MOST], r[SIZE_MOST];
    dal_system         *sys = jet_system_init(&s, of, rich_parameters, 2);
    sys->autonomous = of->m + of->r > 0;
    bench_open(&b, sys, words, force, &o);
    bench_set(&b, 0.3, q, p);
    adaptive *a = b.st->energy;
    stepper_begin_step(b.st, 0.3, 0.2, false);
    const int    N = a->eq->size + 1;
    const double h = mirrored ? -0.25 : 0.25;
    for (int i = 0; i < N - 1; i++) y[i] = 0.1 * sin(1.0 + i) * (i + 1) / N;
    residual_of(a, y, h, mirrored, r);
    adaptive_matrix(a, K);
    for (int k = 0; k < N; k++) {
        difference(a, y, h, mirrored, k, column);
        for (int i = 0; i < N; i++) check_close(K[i * N + k], column[i], 1e-9);
    }
    bench_close(&b);
}

static void the_jacobian_is_exact(void **state)
{
    (void)state;
    static const char *const schemes[] = {"midpoint",   "gauss(2)", "gauss(3)",    "lobatto(2)",
                                          "lobatto(3)", "radau(2)", "rectangle(1)"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        for (int mirrored = 0; mirrored < 2; mirrored++) {
            check_border(&rich, schemes[i], NULL, mirrored, POWER_NODES);
            check_border(&rich, schemes[i], "gauss(2)", mirrored, POWER_NODES);
            check_border(&rich, schemes[i], NULL, mirrored, POWER_LINES);
            check_border(&momenta, schemes[i], NULL, mirrored, POWER_NODES);
            check_border(&rolling, schemes[i], NULL, mirrored, POWER_NODES);
            check_border(&sliding, schemes[i], NULL, mirrored, POWER_NODES);
        }
}

/* The slope of the reduced equation is what decides h:
 *     oscillator, omega = 1: midpoint (q^2 + v^2)/24, gauss(2) .../1440, lobatto(2) (q^2 - 2
 * v^2)/24, lobatto(3) (2 v^2 - 3 q^2)/2880, lobatto(4) (3 q^2 - 4 v^2)/604800 */
static jet oscillator_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)c, (void)t;
    return times(0.5, sub(square(v[0]), square(q[0])));
}

static const problem oscillator = {.n = 1, .lambda = oscillator_L};

static void the_error_coefficient_is_that_of_theory(void **state)
{
    (void)state;
    static const struct {
        const char *scheme;
        double      of_q, of_v, h;
    } rows[] = {{"midpoint", 1.0 / 24, 1.0 / 24, 1e-3},
                {"gauss(2)", 1.0 / 1440, 1.0 / 1440, 0.01},
                {"lobatto(2)", 1.0 / 24, -2.0 / 24, 1e-3},
                {"lobatto(3)", -3.0 / 2880, 2.0 / 2880, 0.01},
                {"lobatto(4)", 3.0 / 604800, -4.0 / 604800, 0.05}};
    const step_options o = {.principle = ENERGY};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int k = 0; k < 4; k++) {
            double     q = cos(0.4 + k), p = sin(0.4 + k), noise;
            double     want = rows[i].of_q * q * q + rows[i].of_v * p * p;
            jet_system s;
            bench      b;
            bench_open(&b, jet_system_init(&s, &oscillator, NULL, 0), rows[i].scheme, NULL, &o);
            bench_set(&b, 0, &q, &p);
            bench_run(&b, rows[i].h, 1);
            double size = fabs(rows[i].of_q) + fabs(rows[i].of_v);
            double got = stepper_error_coefficient(b.st, &noise);
            check_close(got / size, want / size, 3 * rows[i].h);
            bench_close(&b);
        }
}

/* A run forward, then back from its last chord, passes the same points: the first step back is the
 * fixed one that undoes the last. */
static void symmetric_schemes_run_back_to_the_start(void **state)
{
    (void)state;
    static const char *const schemes[] = {"midpoint", "gauss(2)"};
    const step_options       o = {.principle = ENERGY};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        double     q = 1, p = 0.2, t = 0;
        jet_system s;
        bench      b;
        bench_open(&b, jet_system_init(&s, &oscillator, NULL, 0), schemes[i], NULL, &o);
        bench_set(&b, 0, &q, &p);
        for (int k = 0; k < 20; k++) {
            assert_int_equal(stepper_step(b.st, t, 0.3, &b.why), DAL_OK);
            t += stepper_length(b.st);
        }
        double turn[2] = {stepper_q(b.st)[0], stepper_p(b.st)[0]}, h = stepper_length(b.st);
        bench_set(&b, t, &turn[0], &turn[1]);
        for (int k = 0; k < 20; k++) {
            assert_int_equal(stepper_step(b.st, t, -h, &b.why), DAL_OK);
            assert_true(stepper_length(b.st) < 0);
            t += stepper_length(b.st);
        }
        check_close(t, 0, 1e-8);
        check_close(stepper_q(b.st)[0], 1, 1e-8);
        check_close(stepper_p(b.st)[0], 0.2, 1e-8);
        bench_close(&b);
    }
}

/* Six masses in a ring of springs that stiffen. */
static jet ring_L(const double *c, jet t, const jet *q, const jet *v)
{
    jet L = jet_of(0);
    (void)c, (void)t;
    for (int j = 0; j < 6; j++) {
        jet s = sub(q[(j + 1) % 6], q[j]);
        L = add(L, times(0.5 + 0.1 * j, square(v[j])));
        L = sub(L, add(times(0.5, square(s)), times(0.25, fourth(s))));
    }
    return L;
}

/* By iteration, as for a large step, and by all singular values. */
static void the_condition_of_large_steps_is_that_of_their_matrix(void **state)
{
    (void)state;
    enum { N = 6 * 6 + 1 };
    static const problem ring = {.n = 6, .lambda = ring_L};
    static const double  q[] = {1, 0, -0.5, 0, 0.2, 0}, p[] = {0, 0.3, 0, -0.3, 0, 0.1};
    static const double  steps[] = {0.5, 1, 2};
    const step_options   o = {.principle = ENERGY};
    for (size_t i = 0; i < 3; i++) {
        jet_system s;
        bench      b;
        double     K[N * N];
        bench_open(&b, jet_system_init(&s, &ring, NULL, 0), "gauss(6)", NULL, &o);
        bench_set(&b, 0, q, p);
        bench_run(&b, steps[i], 1);
        assert_true(isnan(stepper_condition(b.st, false))); /* the first step is given */
        assert_non_null(b.st->energy->large);
        b.st->energy->chose = true;
        adaptive_matrix(b.st->energy, K);
        check_close(stepper_condition(b.st, false) / dense_condition(&b.m, K, N), 1, 0.01);
        bench_close(&b);
    }
}

static jet free_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)c, (void)t, (void)q;
    return times(0.5, square(v[0]));
}

static void free_motion_leaves_the_step_undecided(void **state)
{
    (void)state;
    static const problem free_motion = {.n = 1, .lambda = free_L};
    const step_options   o = {.principle = ENERGY};
    const double         q = 0, p = 1;
    jet_system           s;
    bench                b;
    bench_open(&b, jet_system_init(&s, &free_motion, NULL, 0), "midpoint", NULL, &o);
    bench_set(&b, 0, &q, &p);
    bench_run(&b, 0.1, 1);
    assert_int_equal(stepper_step(b.st, 0.1, 0.1, &b.why), DAL_BREAKDOWN);
    assert_non_null(strstr(text_str(&b.why), "every step keeps the energy"));
    check_close(stepper_q(b.st)[0], 0.1, 1e-15); /* the last good state stays */
    stepper_hold(b.st);
    text_clear(&b.why);
    bench_run(&b, 0.1, 2);
    check_close(stepper_q(b.st)[0], 0.3, 1e-15);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_jacobian_is_exact),
        cmocka_unit_test(the_error_coefficient_is_that_of_theory),
        cmocka_unit_test(symmetric_schemes_run_back_to_the_start),
        cmocka_unit_test(the_condition_of_large_steps_is_that_of_their_matrix),
        cmocka_unit_test(free_motion_leaves_the_step_undecided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
