/* test_mech_hamiltonian.c - Hamiltonian coordinates: the same steps as their Lagrangian twins,
 * and their own orders. */
#include "orders.h"
#include "stepping.h"

#include "constrained.h"

/* H = (q^2 + 1)(p^2 + 1)/2, F = -p/10 + q cos(t)/5; L = v^2/(2 (q^2 + 1)) - (q^2 + 1)/2, with p
 * = v/(q^2 + 1) in F */
static jet nonseparable_H(const double *c, jet t, const jet *q, const jet *p)
{
    (void)c, (void)t;
    return times(-0.5, mul(plus(square(q[0]), 1), plus(square(p[0]), 1)));
}

static void nonseparable_F(const double *c, jet t, const jet *q, const jet *p, jet *f)
{
    (void)c;
    f[0] = add(times(-0.1, p[0]), times(0.2, mul(q[0], cosine(t))));
}

static jet nonseparable_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)c, (void)t;
    jet one = plus(square(q[0]), 1);
    return times(0.5, sub(over(square(v[0]), one), one));
}

static void nonseparable_f(const double *c, jet t, const jet *q, const jet *v, jet *f)
{
    jet p = over(v[0], plus(square(q[0]), 1));
    nonseparable_F(c, t, q, &p, f);
}

static const problem H_side = {
    .n = 1, .lambda = nonseparable_H, .force = nonseparable_F, .hamiltonian = true};
static const problem L_side = {.n = 1, .lambda = nonseparable_L, .force = nonseparable_f};
static const problem disk_L_side = {.n = 4, .m = 2, .lambda = disk_L, .velocity = disk_W};
static const problem disk_H_side = {
    .n = 4, .m = 2, .lambda = disk_H, .velocity = disk_W, .hamiltonian = true};
static const double disk_c[] = {1, 0.5, 0.25, 1, 1};

static void sides_agree(const problem *L, const problem *H, const double *c, const char *words,
                        const step_options *o, const double *q0, const double *p0, double h,
                        int steps, double tolerance)
{
    jet_system a, b;
    bench      x, y;
    bench_open(&x, jet_system_init(&a, L, c, c ? 5 : 0), words, NULL, o);
    bench_open(&y, jet_system_init(&b, H, c, c ? 5 : 0), words, NULL, o);
    bench_set(&x, 0, q0, p0), bench_set(&y, 0, q0, p0);
    for (int k = 0; k < steps; k++) {
        bench_run(&x, h, 1), bench_run(&y, h, 1);
        double q = distance(stepper_q(x.st), stepper_q(y.st), L->n),
               p = distance(stepper_p(x.st), stepper_p(y.st), L->n);
        double v = distance(stepper_v(x.st), stepper_v(y.st), L->n);
        if (!(q < tolerance && p < tolerance && v < 10 * tolerance))
            print_error("%s, step %d: %.1e %.1e %.1e\n", words, k, q, p, v), fail();
    }
    if (L->m)
        check_below(distance(stepper_multipliers(x.st), stepper_multipliers(y.st), L->m), 1e-12);
    check_below(stepper_balances(y.st).membership, 1e-14);
    check_below(fabs(stepper_balances(y.st).power), 1e-14);
    bench_close(&x), bench_close(&y);
}

static const char *const schemes[] = {
    "rectangle(0)", "rectangle(1)", "midpoint", "lobatto(2)", "lobatto(3)",
    "lobatto(4)",   "gauss(2)",     "gauss(3)", "radau(2)",   "compose(midpoint, suzuki(4))"};

static void both_sides_make_the_same_steps(void **state)
{
    (void)state;
    const double q0 = 0.4, p0 = 0.7, disk_q[] = {0.3, -0.2, 0.1, 0.4};
    const double disk_p[] = {0.9210609940028851, 0.3894183423086505, 0.5, 0.175};
    for (size_t k = 0; k < COUNT(schemes); k++) {
        sides_agree(&L_side, &H_side, NULL, schemes[k], NULL, &q0, &p0, 0.05, 100, 2e-14);
        sides_agree(&disk_L_side, &disk_H_side, disk_c, schemes[k], NULL, disk_q, disk_p, 0.05, 40,
                    2e-14);
    }
    for (int how = RETRACTION_MIDPOINT; how <= RETRACTION_RIGHT; how++) {
        const step_options o = {.retraction = (retraction)how};
        sides_agree(&disk_L_side, &disk_H_side, disk_c, "midpoint", &o, disk_q, disk_p, 0.05, 500,
                    1e-11);
    }
}

/* Reference at T = 1 by Dormand-Prince, rtol 2e-14. */
static void orders_are_those_of_the_scheme(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        int         order, coarsest, count;
    } row[] = {{"midpoint", 2, 16, 5},   {"rectangle(0)", 1, 128, 5}, {"rectangle(1)", 1, 128, 5},
               {"lobatto(2)", 2, 16, 5}, {"lobatto(3)", 4, 8, 5},     {"lobatto(4)", 6, 4, 4},
               {"gauss(2)", 4, 8, 5},    {"gauss(3)", 6, 4, 3}};
    const double q0 = 0.4, p0 = 0.7, q = 0.8917001687830022, p = -0.03362923688445338;
    for (size_t k = 0; k < COUNT(row); k++) {
        double eq[HALVINGS], ep[HALVINGS];
        for (int j = 0; j < row[k].count; j++) {
            jet_system s;
            bench      b;
            int        N = row[k].coarsest << j;
            bench_open(&b, jet_system_init(&s, &H_side, NULL, 0), row[k].words, NULL, NULL);
            bench_set(&b, 0, &q0, &p0);
            bench_run(&b, 1.0 / N, N);
            eq[j] = fabs(stepper_q(b.st)[0] - q), ep[j] = fabs(stepper_p(b.st)[0] - p);
            bench_close(&b);
        }
        expect_order("nonseparable", row[k].words, NULL, "q", eq, row[k].count, 1e-12, row[k].order,
                     0.2);
        expect_order("nonseparable", row[k].words, NULL, "p", ep, row[k].count, 1e-12, row[k].order,
                     0.2);
    }
}

/* Rectangle rules are the papers' discrete Hamiltonians of type II and III: the stage momentum
 * is p_1, or p_0. */
static void rectangles_are_type_two_and_three(void **state)
{
    (void)state;
    const double q0 = 0.4, p0 = 0.7, h = 0.05;
    for (int right = 0; right < 2; right++) {
        jet_system s;
        bench      b;
        bench_open(&b, jet_system_init(&s, &H_side, NULL, 0),
                   right ? "rectangle(1)" : "rectangle(0)", NULL, NULL);
        bench_set(&b, 0, &q0, &p0);
        bench_run(&b, h, 1);
        double q1 = stepper_q(b.st)[0], p1 = stepper_p(b.st)[0];
        double q = right ? q1 : q0, p = right ? p0 : p1, t = right ? h : 0;
        check_close(q1, q0 + h * (q * q + 1) * p, 1e-15);
        check_close(p1, p0 - h * q * (p * p + 1) + h * (-0.1 * p + 0.2 * q * cos(t)), 1e-15);
        bench_close(&b);
    }
}

/* H = p X(q) + q^2/2: velocities without momenta. Fine when there are as many points as
 * degrees, else singular. */
static jet transport_H(const double *c, jet t, const jet *q, const jet *p)
{
    (void)c, (void)t;
    jet flow =
        add(mul(p[0], plus(times(0.5, sine(q[1])), 1)), mul(p[1], plus(times(-1, q[0]), 0.2)));
    return times(-1, add(flow, times(0.5, add(square(q[0]), square(q[1])))));
}

static void singular_H_needs_as_many_points_as_degrees(void **state)
{
    (void)state;
    static const problem transport = {.n = 2, .lambda = transport_H, .hamiltonian = true};
    static const struct {
        const char *words, *rank;
    } row[] = {{"midpoint", NULL},
               {"gauss(3)", NULL},
               {"radau(2)", NULL},
               {"rectangle(0)", NULL},
               {"lobatto(2)", "rank 4 of 6"},
               {"lobatto(3)", "rank 8 of 10"}};
    const double q0[] = {0.3, 0.5}, p0[] = {0.2, -0.4};
    for (size_t k = 0; k < COUNT(row); k++) {
        jet_system s;
        bench      b;
        bench_open(&b, jet_system_init(&s, &transport, NULL, 0), row[k].words, NULL, NULL);
        bench_set(&b, 0, q0, p0);
        dal_status status = stepper_step(b.st, 0, 0.1, &b.why);
        assert_int_equal(status, row[k].rank ? DAL_SINGULAR : DAL_OK);
        if (row[k].rank && !strstr(text_str(&b.why), row[k].rank))
            print_error("%s\n", text_str(&b.why)), fail();
        bench_close(&b);
    }
}

/* A Lagrangian and a Hamiltonian coordinate in one system, coupled; against both Lagrangian. */
static jet coupled_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)c, (void)t;
    jet T = times(0.5, add(mul(plus(square(q[1]), 1), square(v[0])),
                           over(square(v[1]), plus(square(q[0]), 2))));
    return sub(T, add(times(0.25, fourth(q[0])), mul(q[0], square(q[1]))));
}

static jet coupled_mixed(const double *c, jet t, const jet *q, const jet *w)
{
    (void)c, (void)t;
    jet T = times(0.5, sub(mul(plus(square(q[1]), 1), square(w[0])),
                           mul(square(w[1]), plus(square(q[0]), 2))));
    return sub(T, add(times(0.25, fourth(q[0])), mul(q[0], square(q[1]))));
}

static void coupled_f(const double *c, jet t, const jet *q, const jet *v, jet *f)
{
    (void)c;
    f[0] = add(times(-0.2, v[0]), cosine(t));
    f[1] = times(-0.1, mul(q[0], over(v[1], plus(square(q[0]), 2))));
}

static void coupled_mixed_f(const double *c, jet t, const jet *q, const jet *w, jet *f)
{
    (void)c;
    f[0] = add(times(-0.2, w[0]), cosine(t));
    f[1] = times(-0.1, mul(q[0], w[1]));
}

static void coupled_W(const double *c, jet t, const jet *q, const jet *v, jet *e)
{
    (void)c;
    e[0] = add(add(v[0], mul(plus(sine(q[0]), 2), v[1])), times(0.3, mul(sine(t), q[1])));
}

static void coordinates_of_both_kinds_live_in_one_system(void **state)
{
    (void)state;
    const double q0[] = {0.3, 0.6}, p0[] = {0.4, -0.2};
    for (int relations = 0; relations < 2; relations++) {
        const problem L = {
            .n = 2, .m = relations, .lambda = coupled_L, .force = coupled_f, .velocity = coupled_W};
        const problem mixed = {.n = 2,
                               .m = relations,
                               .lambda = coupled_mixed,
                               .force = coupled_mixed_f,
                               .velocity = coupled_W,
                               .hamiltonian = true};
        for (size_t k = 0; k < COUNT(schemes); k++) {
            jet_system a, b;
            bench      x, y;
            bench_open(&x, jet_system_init(&a, &L, NULL, 0), schemes[k], NULL, NULL);
            jet_system_init(&b, &mixed, NULL, 0);
            b.flags[0] = 0; /* only the second is Hamiltonian */
            bench_open(&y, &b.sys, schemes[k], NULL, NULL);
            bench_set(&x, 0, q0, p0), bench_set(&y, 0, q0, p0);
            bench_run(&x, 0.05, 40), bench_run(&y, 0.05, 40);
            check_below(distance(stepper_q(x.st), stepper_q(y.st), 2), 1e-13);
            check_below(distance(stepper_p(x.st), stepper_p(y.st), 2), 1e-13);
            check_below(distance(stepper_v(x.st), stepper_v(y.st), 2), 1e-13);
            if (relations)
                check_below(distance(stepper_multipliers(x.st), stepper_multipliers(y.st), 1),
                            1e-12);
            bench_close(&x), bench_close(&y);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_sides_make_the_same_steps),
        cmocka_unit_test(orders_are_those_of_the_scheme),
        cmocka_unit_test(rectangles_are_type_two_and_three),
        cmocka_unit_test(singular_H_needs_as_many_points_as_degrees),
        cmocka_unit_test(coordinates_of_both_kinds_live_in_one_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
