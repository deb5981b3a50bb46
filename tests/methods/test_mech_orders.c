/* test_mech_orders.c - orders of convergence on nonlinear, forced, time-dependent problems, in
 * everything reported. */
#define DOFS_MOST 2
#include "orders.h"
#include "stepping.h"

/* Damped, driven double pendulum in angles. ------------------------------------------------ */

enum { M1 = 0, M2, L1, L2, GRAVITY, DAMPING, DRIVE };
static const double pendulum_c[] = {1, 0.7, 1, 0.8, 3, 0.3, 0.5};

static jet pendulum_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)t;
    jet T = add(times((c[M1] + c[M2]) * c[L1] * c[L1] / 2, square(v[0])),
                times(c[M2] * c[L2] * c[L2] / 2, square(v[1])));
    T = add(T, times(c[M2] * c[L1] * c[L2], mul(cosine(sub(q[0], q[1])), mul(v[0], v[1]))));
    jet V = add(times(-(c[M1] + c[M2]) * c[GRAVITY] * c[L1], cosine(q[0])),
                times(-c[M2] * c[GRAVITY] * c[L2], cosine(q[1])));
    return sub(T, V);
}

static void pendulum_force(const double *c, jet t, const jet *q, const jet *v, jet *f)
{
    f[0] = add(times(-c[DAMPING], mul(v[0], plus(square(q[1]), 1))),
               times(c[DRIVE], cosine(times(2, t))));
    f[1] = times(-c[DAMPING], mul(v[1], plus(square(v[1]), 1)));
}

static const problem pendulum = {.n = 2, .lambda = pendulum_L, .force = pendulum_force};

/* The equations of motion solved for the accelerations by hand, in long double: y = (q, q'). */
static void pendulum_rates(long double t, const long double *y, long double *dy)
{
    const long double m1 = pendulum_c[M1], m2 = pendulum_c[M2], l1 = pendulum_c[L1],
                      l2 = pendulum_c[L2];
    const long double g = pendulum_c[GRAVITY], c = pendulum_c[DAMPING], F = pendulum_c[DRIVE];
    long double       s = sinl(y[0] - y[1]), k = cosl(y[0] - y[1]);
    long double       a = (m1 + m2) * l1 * l1, b = m2 * l1 * l2 * k, d = m2 * l2 * l2;
    long double       r1 = -m2 * l1 * l2 * s * y[3] * y[3] - (m1 + m2) * g * l1 * sinl(y[0]) -
                     c * y[2] * (1 + y[1] * y[1]) + F * cosl(2 * t);
    long double r2 =
        m2 * l1 * l2 * s * y[2] * y[2] - m2 * g * l2 * sinl(y[1]) - c * y[3] * (1 + y[3] * y[3]);
    long double det = a * d - b * b;
    dy[0] = y[2], dy[1] = y[3];
    dy[2] = (d * r1 - b * r2) / det, dy[3] = (a * r2 - b * r1) / det;
}

enum { COLUMNS = 8 };

/* One step of Gragg's extrapolated midpoint rule, in long double. */
static void extrapolated_step(long double t, long double h, long double *y)
{
    long double table[COLUMNS][4], a[4], b[4], dy[4];
    for (int k = 0; k < COLUMNS; k++) {
        int         n = 2 * (k + 1);
        long double part = h / n;
        pendulum_rates(t, y, dy);
        for (int i = 0; i < 4; i++) a[i] = y[i], b[i] = y[i] + part * dy[i];
        for (int j = 1; j < n; j++) {
            pendulum_rates(t + j * part, b, dy);
            for (int i = 0; i < 4; i++) {
                long double next = a[i] + 2 * part * dy[i];
                a[i] = b[i], b[i] = next;
            }
        }
        pendulum_rates(t + h, b, dy);
        for (int i = 0; i < 4; i++) {
            long double above = (a[i] + b[i] + part * dy[i]) / 2;
            for (int j = k; j >= 0;
                 j--) { /* Aitken-Neville in h^2; table[j] holds the row before */
                long double old = table[k - j][i];
                table[k - j][i] = above;
                if (j > 0) {
                    long double ratio = (long double)n / (2 * j);
                    above = above + (above - old) / (ratio * ratio - 1);
                }
            }
        }
    }
    for (int i = 0; i < 4; i++) y[i] = table[COLUMNS - 1][i];
}

enum { STARTS = 4 };
static const double pendulum_starts[STARTS][4] = {
    {0.8, -0.4, 0.5, 1.2}, {0.3, 0.6, -1, 0.4}, {-0.7, 0.2, 0.8, -0.9}, {0.1, -0.9, 1.3, 0.2}};

/* q and p at T = 1 from the k-th start */
static void pendulum_exact(int start, double *q, double *p)
{
    const double *c = pendulum_c;
    long double   y[4];
    for (int i = 0; i < 4; i++) y[i] = pendulum_starts[start][i];
    for (int k = 0; k < 100; k++) extrapolated_step(k / 100.0L, 1 / 100.0L, y);
    long double coupling = c[M2] * c[L1] * c[L2] * cosl(y[0] - y[1]);
    q[0] = (double)y[0], q[1] = (double)y[1];
    p[0] = (double)((c[M1] + c[M2]) * c[L1] * c[L1] * y[2] + coupling * y[3]);
    p[1] = (double)(c[M2] * c[L2] * c[L2] * y[3] + coupling * y[2]);
}

static void pendulum_start(int start, double *q, double *p)
{
    const double *c = pendulum_c, *y = pendulum_starts[start];
    double        coupling = c[M2] * c[L1] * c[L2] * cos(y[0] - y[1]);
    q[0] = y[0], q[1] = y[1];
    p[0] = (c[M1] + c[M2]) * c[L1] * c[L1] * y[2] + coupling * y[3];
    p[1] = c[M2] * c[L2] * c[L2] * y[3] + coupling * y[2];
}

/* Orders. ---------------------------------------------------------------------------------- */

/* Errors at T = 1, geometric means over the starts: one start alone may have an error that
 * changes sign. */
static void pendulum_errors(const char *words, const char *force, int coarsest, int count,
                            double *eq, double *ep)
{
    double     q0[2], p0[2], q[2], p[2];
    jet_system s;
    for (int k = 0; k < count; k++) eq[k] = ep[k] = 1;
    for (int j = 0; j < STARTS; j++) {
        pendulum_start(j, q0, p0), pendulum_exact(j, q, p);
        for (int k = 0; k < count; k++) {
            bench b;
            int   N = coarsest << k;
            bench_open(&b, jet_system_init(&s, &pendulum, pendulum_c, 7), words, force, NULL);
            bench_set(&b, 0, q0, p0);
            bench_run(&b, 1.0 / N, N);
            eq[k] *= pow(distance(stepper_q(b.st), q, 2), 1.0 / STARTS);
            ep[k] *= pow(distance(stepper_p(b.st), p, 2), 1.0 / STARTS);
            bench_close(&b);
        }
    }
}

static void expect_pendulum(const char *words, const char *force, double claimed, int coarsest,
                            int count, double tolerance)
{
    double eq[HALVINGS], ep[HALVINGS], floor = 4e-15; /* the reference is in long double */
    pendulum_errors(words, force, coarsest, count, eq, ep);
    expect_order("double pendulum", words, force, "q", eq, count, floor, claimed, tolerance);
    expect_order("double pendulum", words, force, "p", ep, count, floor, claimed, tolerance);
}

static void lobatto_has_order_2s_minus_2_and_gauss_2s(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        int         order, coarsest, count;
    } row[] = {{"lobatto(2)", 2, 16, 6}, {"lobatto(3)", 4, 8, 6},  {"lobatto(4)", 6, 8, 5},
               {"lobatto(5)", 8, 4, 4},  {"lobatto(6)", 10, 4, 2}, {"gauss(1)", 2, 16, 6},
               {"gauss(2)", 4, 8, 6},    {"gauss(3)", 6, 8, 5},    {"gauss(4)", 8, 4, 4},
               {"gauss(5)", 10, 4, 2}};
    for (size_t k = 0; k < COUNT(row); k++)
        expect_pendulum(row[k].words, NULL, row[k].order, row[k].coarsest, row[k].count,
                        row[k].order > 7 ? 0.4 : 0.12);
}

static void errors_go_down_to_roundoff(void **state)
{
    (void)state;
    static const char *words[] = {"lobatto(6)", "gauss(5)", "gauss(8)", "lobatto(9)"};
    for (size_t k = 0; k < COUNT(words); k++) {
        double eq[1], ep[1];
        pendulum_errors(words[k], NULL, 64, 1, eq, ep);
        check_below(eq[0], 1e-14);
        check_below(ep[0], 1e-14);
    }
}

static void other_quadratures_have_the_order_of_curve_and_rule(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        int         order, coarsest, count;
    } row[] = {{"rectangle(0)", 1, 256, 4},
               {"rectangle(0.3)", 1, 256, 4},
               {"rectangle(1)", 1, 256, 4},
               {"radau(2)", 3, 16, 5},
               {"radau(3)", 5, 8, 5},
               {"radau(4)", 7, 4, 4},
               {"radau_left(2)", 3, 16, 5},
               {"polynomial(1) with radau(2)", 2, 16, 6},
               {"polynomial(1) with gauss(3)", 2, 16, 6},
               {"polynomial(1) with simpson", 2, 16, 6},
               {"polynomial(2) with gauss(3)", 4, 16, 4},
               {"polynomial(2) with lobatto(4)", 4, 16, 4},
               {"polynomial(2) with radau(3)", 4, 16, 4},
               {"polynomial(3) with gauss(4)", 6, 8, 4}};
    for (size_t k = 0; k < COUNT(row); k++)
        expect_pendulum(row[k].words, NULL, row[k].order, row[k].coarsest, row[k].count,
                        row[k].order > 6 ? 0.4 : 0.15);
}

static void a_force_rule_limits_the_order_by_its_own(void **state)
{
    (void)state;
    static const struct {
        const char *words, *force;
        int         order, coarsest, count;
    } row[] = {{"lobatto(3)", "trapezoid", 2, 32, 5}, {"lobatto(3)", "midpoint", 2, 32, 5},
               {"lobatto(3)", "gauss(2)", 4, 16, 4},  {"lobatto(3)", "gauss(3)", 4, 16, 4},
               {"gauss(2)", "simpson", 4, 16, 4},     {"gauss(2)", "radau(2)", 3, 16, 5},
               {"gauss(3)", "gauss(2)", 4, 16, 4},    {"gauss(3)", "lobatto(4)", 6, 8, 4},
               {"lobatto(4)", "gauss(3)", 6, 8, 4},   {"lobatto(4)", "gauss(2)", 4, 16, 4},
               {"lobatto(2)", "gauss(2)", 2, 16, 5}};
    for (size_t k = 0; k < COUNT(row); k++)
        expect_pendulum(row[k].words, row[k].force, row[k].order, row[k].coarsest, row[k].count,
                        0.15);
}

static void compositions_raise_the_order(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        int         order, coarsest, count;
    } row[] = {{"compose(midpoint, yoshida(4))", 4, 32, 4},
               {"compose(midpoint, suzuki(4))", 4, 16, 4},
               {"compose(lobatto(2), suzuki(4))", 4, 16, 4},
               {"compose(midpoint, yoshida(6))", 6, 32, 3},
               {"compose(lobatto(2), kahan_li(6))", 6, 16, 4},
               {"compose(midpoint, suzuki_umeno(8))", 8, 8, 3},
               {"compose(midpoint, kahan_li(8))", 8, 8, 3},
               {"compose(gauss(2), triple(6))", 6, 16, 3}};
    for (size_t k = 0; k < COUNT(row); k++)
        expect_pendulum(row[k].words, NULL, row[k].order, row[k].coarsest, row[k].count, 0.4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lobatto_has_order_2s_minus_2_and_gauss_2s),
        cmocka_unit_test(errors_go_down_to_roundoff),
        cmocka_unit_test(other_quadratures_have_the_order_of_curve_and_rule),
        cmocka_unit_test(a_force_rule_limits_the_order_by_its_own),
        cmocka_unit_test(compositions_raise_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
