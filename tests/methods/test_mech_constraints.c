/* test_mech_constraints.c - constrained and degenerate steps against independent numbers. */
#include "stepping.h"

#include "constrained.h"
#include "orders.h"
#include "reference_steps.h"

#include "mech/stepper/stepper.h"

static void check_row(const char *what, const reference_step *row, const double *got,
                      const double *want, int n, double tol)
{
    for (int i = 0; i < n; i++)
        if (!(fabs(got[i] - want[i]) <= tol * fmax(1, fabs(want[i])))) {
            print_error("%s %s: %s[%d] = %.17g, expected %.17g (off by %.1e)\n", row->problem,
                        row->scheme, what, i, got[i], want[i], got[i] - want[i]);
            fail();
        }
}

static void every_unknown_of_a_step_agrees_with_the_reference(void **state)
{
    (void)state;
    jet_system s;
    for (size_t k = 0; k < COUNT(reference_steps); k++) {
        const reference_step *row = &reference_steps[k];
        const named_problem  *pb = problem_named(row->problem);
        const double          h = 0.1;
        bench                 b;
        bench_open(&b, jet_system_init(&s, &pb->pb, pb->c, 8), row->scheme, NULL, NULL);
        const equations *eq = &b.st->eq;
        const int        n = eq->n, M = eq->relations;
        bench_set(&b, 0, row->q0, row->p0);
        bench_run(&b, h, 1);
        for (int nu = 1; nu <= row->d; nu++)
            check_row("Z", row, b.st->y + (nu - 1) * n, row->Z[nu - 1], n, 1e-12);
        for (int nu = 0; nu < row->d; nu++)
            check_row("lam", row, b.st->y + eq->lam + nu * M, row->lam[nu], M, 1e-12);
        check_row("p-", row, b.st->p, row->p_minus, n, 1e-12);
        check_row("p1", row, stepper_p(b.st), row->p1, n, 1e-12);
        check_row("v1", row, stepper_v(b.st), row->v1, n, 1e-12);
        double last[3];
        for (int a = 0; a < M; a++) last[a] = b.st->node.nu[a] / (h * eq->control.b[eq->d]);
        check_row("lam at the end", row, last, row->lam[row->d], M, 1e-12);
        check_below(stepper_balances(b.st).membership, 1e-14);
        check_below(fabs(stepper_balances(b.st).power), 1e-14);
        bench_close(&b);
    }
}

static void short_runs_agree_with_the_reference(void **state)
{
    (void)state;
    jet_system s;
    for (size_t k = 0; k < COUNT(reference_runs); k++) {
        const reference_run *row = &reference_runs[k];
        const named_problem *pb = problem_named(row->problem);
        bench                b;
        bench_open(&b, jet_system_init(&s, &pb->pb, pb->c, 8), row->scheme, row->force, NULL);
        bench_set(&b, 0, row->q0, row->p0);
        bench_run(&b, row->T / row->steps, row->steps);
        double q = distance(stepper_q(b.st), row->q, pb->pb.n),
               p = distance(stepper_p(b.st), row->p, pb->pb.n);
        if (!(q < 2e-13 && p < 2e-12))
            print_error("%s %s %s: off by %.1e, %.1e\n", row->problem, row->scheme, row->force, q,
                        p),
                fail();
        bench_close(&b);
    }
}

/* Constrained systems at T = 1 (the disk: 2) against Dormand-Prince on the index-reduced
 * equations, rtol 2e-14. */
typedef struct {
    const char *problem;
    double      T, q0[6], p0[6], q[6], v[6], p[6], lam[3];
} constrained_reference;

static const constrained_reference constrained_references[] = {
    {"sleigh",
     1,
     {0.1, 0.2, 0.5},
     {0.9236541788453123, 0.8122579380354442, 0.44100000000000006},
     {0.5514702113559772, 0.8785982039805526, 1.5568448183496892},
     {0.011325594118197446, 0.8117300958009626, 0.9268579790900512},
     {-0.266704738864351, 0.8156092900309125, 0.4541604097541253},
     {0}},
    {"disk",
     2,
     {0.3, -0.2, 0.1, 0.4},
     {0.9210609940028851, 0.3894183423086505, 0.5, 0.175},
     {0.788709230573686, 0.21327075611727378, 0.70963582499189, -0.17794385953890918},
     {-0.5115648997170135, 0.09200294969991203, -0.519772247600776, -0.8617394705398302},
     {-0.5115648997170135, 0.09200294969991203, -0.259886123800388, -0.21543486763495756},
     {0}},
    {"dpend_damped",
     1,
     {0.7173560908995228, -0.6967067093471654, 1.4882026392332772, -0.9107057722468352},
     {0.3483533546735827, 0.3586780454497614, 0.1839276106596003, 0.035237598281381705},
     {0.40973423077974575, -0.912204944147601, 0.8058775944025971, -1.6072376307585066},
     {-1.0005758857518612, -0.4494277229207445, -1.613379477033816, -0.7987034916249844},
     {-1.0005758857518612, -0.4494277229207445, -1.129365633923671, -0.559092444137489},
     {0}},
    {"mixed",
     1,
     {0.0, 0.0, 0.3, -0.9422223406686581, 0.3349881501559051, 0.3},
     {0.955336489125606, 0.29552020666133955, 0.32000000000000006, 0.472705448428592,
      -0.1053545782037937, 0.0},
     {0.4017224405090865, 0.21568757502887362, 0.5142024957561288, -0.5969590669209118,
      0.1643529208725618, 0.5142024957561288},
     {-0.04327211080724005, -0.024443945041105093, -0.7454005715747389, -0.03650586434675042,
      -0.15607676357006717, -0.7454005715747389},
     {-0.04327211080724005, -0.024443945041105093, -0.2981602286298956, -0.02190351860805025,
      -0.0936460581420403, 0.0},
     {0}},
    {"sleigh affine W(t,q),b(t,q)",
     1,
     {0.1, 0.2, 0.5},
     {0.9917866922347205, 0.6150343590189898, 0.37826821938846106},
     {0.8431434120352633, 0.535358702946511, 1.70562075065214},
     {0.4613566739528416, 0.4751732869466325, 1.1613884048693681},
     {0.11610205096742043, 0.4283404167159268, 0.41276805226474816},
     {-0.8532177684140354}},
    {"dpend g(t,q)",
     1,
     {0.7173560908995228, -0.6967067093471654, 1.4882026392332772, -0.9107057722468352},
     {0.40481482989061696, 0.0049575345010177685, 0.48659078753256496, -0.04955916841132346},
     {-0.04145145792817688, -1.1737465105464007, 0.06791591650987419, -1.9804788870287393},
     {-0.020636888213028948, -0.07574324076613803, -3.3223417964157185, -0.2236353655901371},
     {-0.020636888213028948, -0.07574324076613803, -2.325639257491003, -0.15654475591309597},
     {-13.769119437504973, -13.35580927556345}},
    {"mixed t",
     1,
     {0.0, 0.0, 0.3, -0.9422223406686581, 0.3349881501559051, 0.3},
     {1.141241930617518, 0.3530274987144689, 0.26, 0.334017851269388, -0.05823217022763562, 0.0},
     {0.5253990116389673, 0.08704293942404831, 0.3524203671113525, -0.6343060203831268,
      0.31480615385995536, 0.3538246443905937},
     {-0.023438623900347587, -0.2038566858422914, -0.7676917278913031, 0.19343887884592248,
      0.036669849453318804, -1.142710638758017},
     {-0.027383208287541067, -0.2381645830813688, -0.30707669115652125, 0.11606332730755348,
      0.022001909671991282, 0.0},
     {-0.3505067243953933, -0.359330370772188, -0.3979671992883428}}};

static void constrained_order(const constrained_reference *ref, const char *words, int order,
                              int coarsest, int count)
{
    double               error[4][HALVINGS];
    const named_problem *pb = problem_named(ref->problem);
    const int            n = pb->pb.n, M = pb->pb.m + pb->pb.r;
    jet_system           s;
    for (int k = 0; k < count; k++) {
        bench b;
        int   N = coarsest << k;
        bench_open(&b, jet_system_init(&s, &pb->pb, pb->c, 8), words, NULL, NULL);
        bench_set(&b, 0, ref->q0, ref->p0);
        bench_run(&b, ref->T / N, N);
        error[0][k] = distance(stepper_q(b.st), ref->q, n),
        error[1][k] = distance(stepper_p(b.st), ref->p, n);
        error[2][k] = distance(stepper_v(b.st), ref->v, n),
        error[3][k] = distance(stepper_multipliers(b.st), ref->lam, M);
        bench_close(&b);
    }
    static const char *what[] = {"q", "p", "v", "reactions"};
    for (int j = 0; j < (ref->lam[0] != 0 ? 4 : 3); j++)
        expect_order(ref->problem, words, NULL, what[j], error[j], count, 2e-12, order,
                     order > 4 ? 0.5 : 0.3);
}

static void constraints_keep_the_order_in_positions_momenta_velocities_and_reactions(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        int         order, coarsest, count;
    } row[] = {{"midpoint", 2, 16, 4},   {"lobatto(2)", 2, 16, 4},
               {"lobatto(3)", 4, 16, 3}, {"gauss(2)", 4, 16, 3},
               {"lobatto(4)", 6, 8, 3},  {"gauss(3)", 6, 8, 3},
               {"radau(2)", 3, 32, 4},   {"compose(midpoint, suzuki(4))", 4, 16, 3}};
    for (size_t j = 0; j < COUNT(constrained_references); j++)
        for (size_t k = 0; k < COUNT(row); k++)
            constrained_order(&constrained_references[j], row[k].words, row[k].order,
                              row[k].coarsest, row[k].count);
}

/* The resistor-capacitor mode of the parallel circuit is of first order in time: gauss takes
 * it, T = 1. */
static void gauss_keeps_its_order_along_directions_without_inertia(void **state)
{
    (void)state;
    static const constrained_reference ref = {
        "rlc_parallel",
        1,
        {0.2, 0.3, 0.8},
        {0.0, 0.4125, 0.0},
        {0.15224038354646852, 0.7910283815199606, 0.261212002026508},
        {-0.29703195616931205, 0.5485258499513112, -0.8455578061206233},
        {0.0, 0.46090662484526823, 0.0},
        {0}};
    constrained_order(&ref, "midpoint", 2, 8, 4);
    constrained_order(&ref, "gauss(2)", 4, 4, 4);
    constrained_order(&ref, "gauss(3)", 6, 4, 3);
}

/* An inductor and two nonlinear capacitors in parallel: the split between these is an equation
 * without time. Moving along it after each step keeps the order; W q stays as it was. */
static jet shared_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)c, (void)t;
    jet V = add(add(times(0.5, square(q[1])), times(0.3, fourth(q[1]))),
                add(square(q[2]), times(0.2, fourth(q[2]))));
    return sub(times(0.5, square(v[0])), V);
}

static void shared_force(const double *c, jet t, const jet *q, const jet *v, jet *f)
{
    (void)c, (void)t, (void)q;
    f[0] = times(-0.1, cube(v[0]));
}

static void shared_W(const double *c, jet t, const jet *q, const jet *v, jet *e)
{
    (void)c, (void)t, (void)q;
    e[0] = sub(v[0], add(v[1], v[2]));
}

/* The capacitor voltages q1 + 1.2 q1^3 and 2 q2 + 0.8 q2^3 must agree; returns how far they do
 * not. */
static double voltage_difference(const double *q)
{
    return q[1] + 1.2 * q[1] * q[1] * q[1] - 2 * q[2] - 0.8 * q[2] * q[2] * q[2];
}

static void capacitors_that_share_a_charge_keep_the_order(void **state)
{
    (void)state;
    static const problem shared = {.n = 3,
                                   .m = 1,
                                   .lambda = shared_L,
                                   .force = shared_force,
                                   .velocity = shared_W,
                                   .constant_relations = true};
    static const struct {
        const char *words;
        int         order, coarsest;
    } row[] = {{"midpoint", 2, 16}, {"gauss(2)", 4, 8}, {"gauss(3)", 6, 4}};
    double q0[3] = {0, 0.7, 0.4}, p0[] = {0.3, 0, 0};
    for (int k = 0; k < 50; k++) q0[2] += voltage_difference(q0) / (2 + 2.4 * q0[2] * q0[2]);
    q0[0] = q0[1] + q0[2];
    double fine[3], end[3][3];
    for (size_t k = 0; k < COUNT(row) + 1; k++) {
        double error[2][3];
        for (int j = 0; j < (k ? 3 : 1); j++) {
            jet_system s;
            bench      b;
            int        N = k ? row[k - 1].coarsest << j : 64;
            bench_open(&b, jet_system_init(&s, &shared, NULL, 0), k ? row[k - 1].words : "gauss(5)",
                       NULL, NULL);
            bench_set(&b, 0, q0, p0);
            bench_run(&b, 1.0 / N, N);
            memcpy(k ? end[j] : fine, stepper_q(b.st), sizeof fine);
            check_below(fabs(voltage_difference(stepper_q(b.st))), 1e-14);
            check_below(fabs(stepper_q(b.st)[0] - stepper_q(b.st)[1] - stepper_q(b.st)[2]), 1e-14);
            check_below(stepper_balances(b.st).momentum, 1e-14);
            if (k) error[0][j] = distance(end[j], fine, 3), error[1][j] = fabs(end[j][1] - fine[1]);
            const double *v = stepper_v(b.st);
            check_close(v[0], v[1] + v[2],
                        1e-13); /* and the voltages stay equal: their rates agree */
            const double *q = stepper_q(b.st);
            check_close((1 + 3.6 * q[1] * q[1]) * v[1], (2 + 2.4 * q[2] * q[2]) * v[2], 1e-12);
            bench_close(&b);
        }
        for (int j = 0; j < 2 && k; j++)
            expect_order("shared charge", row[k - 1].words, NULL, j ? "split" : "q", error[j], 3,
                         2e-14, row[k - 1].order, 0.3);
    }
}

static void relations_hold_at_every_grid_point_for_long(void **state)
{
    (void)state;
    const double         q0[] = {0.0, 0.0, 0.3, -0.9422223406686581, 0.3349881501559051, 0.3};
    const double         p0[] = {0.955336489125606, 0.29552020666133955, 0.32000000000000006,
                                 0.472705448428592, -0.1053545782037937, 0.0};
    const named_problem *pb = problem_named("mixed");
    jet_system           s;
    bench                b;
    bench_open(&b, jet_system_init(&s, &pb->pb, pb->c, 8), "gauss(2)", NULL, NULL);
    bench_set(&b, 0, q0, p0);
    for (int k = 0; k < 2000; k++) {
        bench_run(&b, 0.05, 1);
        const double *q = stepper_q(b.st), *v = stepper_v(b.st);
        double        bar = hypot(q[0] - q[3], q[1] - q[4]);
        double        size = 1 + hypot(q[0], q[1]), speed = 1 + hypot(v[0], v[1]); /* it falls */
        check_below(fabs(bar - 1), 2e-15 * size);
        check_below(fabs(q[2] - q[5]), 2e-15);
        check_below(fabs(cos(q[2]) * v[1] - sin(q[2]) * v[0]), 2e-15 * speed);
        check_below(fabs((q[0] - q[3]) * (v[0] - v[3]) + (q[1] - q[4]) * (v[1] - v[4])),
                    2e-15 * speed * size);
    }
    assert_int_equal(stepper_statistics(b.st)->failures, 0);
    check_below((double)stepper_statistics(b.st)->iterations / 2000, 3.0);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_unknown_of_a_step_agrees_with_the_reference),
        cmocka_unit_test(short_runs_agree_with_the_reference),
        cmocka_unit_test(constraints_keep_the_order_in_positions_momenta_velocities_and_reactions),
        cmocka_unit_test(capacitors_that_share_a_charge_keep_the_order),
        cmocka_unit_test(relations_hold_at_every_grid_point_for_long),
        cmocka_unit_test(gauss_keeps_its_order_along_directions_without_inertia),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
