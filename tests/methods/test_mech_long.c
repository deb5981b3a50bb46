/* test_mech_long.c - what many steps must keep: energy to roundoff, momentum, memory. */
#include "memory.h"
#include "stepping.h"

#include <stdlib.h>

/* The double well L = v^2/2 - (q^2 - 1)^2/4, written out: the callbacks of a user's program. */
static int well_eval(void *self, unsigned want, int count, const sys_point *at, sys_values *out)
{
    (void)self;
    for (int k = 0; k < count; k++) {
        double q = at[k].q[0], v = at[k].w[0];
        if (want & WANT_GRADIENT) out[k].Lq[0] = q - q * q * q, out[k].Lw[0] = v;
        if (want & WANT_HESSIAN) {
            out[k].on_K[F_LQQ][0] = 1 - 3 * q * q;
            out[k].on_K[F_LQW][0] = 0, out[k].on_K[F_LWW][0] = 1;
        }
    }
    return 0;
}

static dal_system well(void)
{
    static int start[] = {0, 1}, zero[] = {0, 0};
    return (dal_system){.n = 1,
                        .K = {1, 1, start, zero},
                        .transpose = zero,
                        .A = {0, 1, zero, NULL},
                        .varies = {FIELD_VARIES, FIELD_ZERO, FIELD_CONSTANT},
                        .autonomous = true,
                        .eval = well_eval};
}

/* The same midpoint map in long double. */
static void twin_step(long double h, long double *q, long double *p)
{
    long double z = h * *p;
    for (int k = 0; k < 60; k++) {
        long double x = *q + z / 2;
        long double r = *p - z / h + h / 2 * (x - x * x * x);
        long double dz = r / (1 / h - h / 4 * (1 - 3 * x * x));
        z += dz;
        if (fabsl(dz) <= 1e-20L * fabsl(z)) break;
    }
    long double x = *q + z / 2;
    *q += z;
    *p += h * (x - x * x * x);
}

static long double well_energy(long double q, long double p)
{
    return p * p / 2 + (q * q - 1) * (q * q - 1) / 4;
}

enum { STARTS = 24, MARKS = 6 };

/* rms over starts of the energy error against the twin, after steps/2^(MARKS-1), ..., steps/2,
 * steps */
static void energy_errors(int steps, double rms[MARKS])
{
    dal_system   sys = well();
    const double h = 0.01;
    for (int j = 0; j < MARKS; j++) rms[j] = 0;
    for (int k = 0; k < STARTS; k++) {
        double      q = -1.4 + 2.8 * (k + 0.37) / STARTS, p = 0.9 * sin(1.7 * k + 0.2);
        long double Q = q, P = p;
        bench       b;
        bench_open(&b, &sys, "midpoint", NULL, NULL);
        bench_set(&b, 0, &q, &p);
        int done = 0;
        for (int j = 0; j < MARKS; j++) {
            int to = steps >> (MARKS - 1 - j);
            bench_run(&b, h, to - done);
            for (; done < to; done++) twin_step(h, &Q, &P);
            double e =
                (double)(well_energy(stepper_q(b.st)[0], stepper_p(b.st)[0]) - well_energy(Q, P));
            rms[j] += e * e / STARTS;
        }
        bench_close(&b);
    }
    for (int j = 0; j < MARKS; j++) rms[j] = sqrt(rms[j]);
}

static void rounding_makes_energy_wander_not_drift(void **state)
{
    (void)state;
    double      rms[MARKS];
    const char *length = getenv("DAL_LONG"); /* the full test has a million steps */
    energy_errors(length ? atoi(length) : 32000, rms);
    double exponent = 0, weight = 0; /* least squares of log2 rms against log2 steps */
    for (int j = 0; j < MARKS; j++) {
        exponent += (j - (MARKS - 1) / 2.0) * log2(rms[j]);
        weight += (j - (MARKS - 1) / 2.0) * (j - (MARKS - 1) / 2.0);
        if (length) print_message("%8d steps: rms %.2e\n", atoi(length) >> (MARKS - 1 - j), rms[j]);
    }
    exponent /= weight;
    if (length) print_message("exponent %.2f\n", exponent);
    check_below(rms[MARKS - 1], length ? 2e-15 : 6e-16);
    check_below(exponent, 0.6);
}

/* Kepler, L = |v|^2/2 + 1/|q|, e = 0.6. */
static int kepler_eval(void *self, unsigned want, int count, const sys_point *at, sys_values *out)
{
    (void)self;
    for (int k = 0; k < count; k++) {
        const double *q = at[k].q;
        double        r2 = q[0] * q[0] + q[1] * q[1], r3 = r2 * sqrt(r2), r5 = r3 * r2;
        for (int i = 0; i < 2; i++) {
            if (want & WANT_GRADIENT) out[k].Lq[i] = -q[i] / r3, out[k].Lw[i] = at[k].w[i];
            for (int j = 0; j < 2 && want & WANT_HESSIAN; j++) {
                out[k].on_K[F_LQQ][2 * i + j] = 3 * q[i] * q[j] / r5 - (i == j) / r3;
                out[k].on_K[F_LQW][2 * i + j] = 0;
                out[k].on_K[F_LWW][2 * i + j] = i == j;
            }
        }
    }
    return 0;
}

static dal_system kepler(void)
{
    static int start[] = {0, 2, 4}, column[] = {0, 1, 0, 1}, flip[] = {0, 2, 1, 3}, zero[] = {0};
    static const uint8_t inertia[] = {1, 0, 0, 1};
    return (dal_system){.n = 2,
                        .K = {2, 2, start, column},
                        .transpose = flip,
                        .A = {0, 2, zero, NULL},
                        .present = {[F_LWW] = inertia},
                        .autonomous = true,
                        .varies = {FIELD_VARIES, FIELD_ZERO, FIELD_CONSTANT},
                        .eval = kepler_eval};
}

static void angular_momentum_of_kepler_is_kept_to_roundoff(void **state)
{
    (void)state;
    static const char *words[] = {"midpoint", "lobatto(2)", "gauss(2)", "lobatto(3)",
                                  "compose(midpoint, suzuki(4))"};
    dal_system         sys = kepler();
    const double       e = 0.6, q0[] = {1 - e, 0}, p0[] = {0, sqrt((1 + e) / (1 - e))};
    const char        *length = getenv("DAL_LONG");
    for (int k = 0; k < 5; k++) {
        bench  b;
        double most = 0, l0 = q0[0] * p0[1];
        bench_open(&b, &sys, words[k], NULL, NULL);
        bench_set(&b, 0, q0, p0);
        for (int j = 0; j < 100; j++) {
            bench_run(&b, 0.01, length ? 10000 : 1000);
            const double *q = stepper_q(b.st), *p = stepper_p(b.st);
            most = fmax(most, fabs(q[0] * p[1] - q[1] * p[0] - l0));
        }
        if (length) print_message("%s: %.1e\n", words[k], most);
        check_below(most, length ? 3e-14 : 1e-14);
        bench_close(&b);
    }
}

static void a_step_takes_no_memory(void **state)
{
    (void)state;
    static const char *words[] = {"midpoint", "lobatto(2)", "gauss(3)",
                                  "compose(midpoint, suzuki(4))"};
    dal_system         sys = kepler();
    const double       q0[] = {1, 0}, p0[] = {0, 1.1};
    for (int k = 0; k < 4; k++) {
        scarce_heap  heap = {.left = -1};
        mem          m;
        scheme       sch;
        stepper     *st;
        step_options o = {0};
        mem_init(&m, (mem_heap){scarce_resize, &heap});
        text why = text_new(&m);
        assert_int_equal(scheme_parse(&sch, words[k], NULL, &why), DAL_OK);
        assert_int_equal(stepper_new(&m, &sys, &sch, &o, &st, &why), DAL_OK);
        stepper_set(st, 0, q0, p0, NULL);
        long   before = heap.calls;
        size_t held = m.total;
        for (int j = 0; j < 200; j++) {
            assert_int_equal(stepper_step(st, 0.01 * j, 0.01, &why), DAL_OK);
            assert_true(isfinite(stepper_v(st)[0] + stepper_p(st)[0] + stepper_balances(st).power));
        }
        assert_int_equal(heap.calls, before);
        assert_int_equal(m.total, held);
        stepper_free(st);
        mem_free(&m);
    }
}

static void an_explicit_step_factors_nothing(void **state)
{
    (void)state;
    dal_system   sys = kepler();
    const double q0[] = {1, 0}, p0[] = {0, 1.1};
    bench        b;
    bench_open(&b, &sys, "lobatto(2)", NULL, NULL);
    bench_set(&b, 0, q0, p0);
    bench_run(&b, 0.01, 100);
    assert_true(stepper_explicit(b.st));
    assert_string_equal(stepper_solver(b.st), "diagonal");
    assert_int_equal(stepper_statistics(b.st)->factorisations, 0);
    assert_int_equal(stepper_statistics(b.st)->iterations, 0);
    bench_close(&b);

    bench_open(&b, &sys, "compose(lobatto(2), suzuki(4))", NULL, NULL);
    bench_set(&b, 0, q0, p0);
    bench_run(&b, 0.01, 100);
    assert_int_equal(stepper_statistics(b.st)->factorisations, 0);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_makes_energy_wander_not_drift),
        cmocka_unit_test(angular_momentum_of_kepler_is_kept_to_roundoff),
        cmocka_unit_test(a_step_takes_no_memory),
        cmocka_unit_test(an_explicit_step_factors_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
