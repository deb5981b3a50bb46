/* The papers' torn springs and torn circuit: stepped in parts they move as the whole does, and
 * every step is a member of the connected structure. */
#include "dirac_objects.h"
#include "mech/stepper/stepper.h"
#include "stepping.h"

#include <float.h>

/* A chain of three masses, torn into masses 1, 2 and the spring 2-3 with mass 3 (q1, q2 | q2',
 * q3). */

static jet torn_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)c, (void)t;
    jet T = add(square(v[0]), add(square(v[1]), square(v[3])));
    jet V = add(square(q[0]), add(square(sub(q[1], q[0])), square(sub(q[3], q[2]))));
    return times(0.5, sub(T, V));
}

static jet chain_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)c, (void)t;
    jet T = add(square(v[0]), add(square(v[1]), square(v[2])));
    jet V = add(square(q[0]), add(square(sub(q[1], q[0])), square(sub(q[2], q[1]))));
    return times(0.5, sub(T, V));
}

static void tie(const double *c, jet t, const jet *q, const jet *v, jet *e)
{
    (void)c, (void)t, (void)q;
    e[0] = sub(v[1], v[2]);
}

/* D1 L_d, D2 L_d of the left rectangle rule */
static void chain_differential(const double *q0, const double *q1, double h, double *d1, double *d2)
{
    static const double mass[] = {1, 1, 0, 1};
    const double        a = q0[1] - q0[0], b = q0[3] - q0[2], slope[] = {q0[0] - a, a, -b, b};
    for (int i = 0; i < 4; i++) {
        d2[i] = mass[i] * (q1[i] - q0[i]) / h;
        d1[i] = -d2[i] - h * slope[i];
    }
}

static structure *chain_structure(mem *m)
{
    const double   W[] = {0, 1, -1, 0};
    one_forms      none = one_forms_constant(m, 2, 0, NULL), joint = one_forms_constant(m, 4, 1, W);
    retraction_map two = retraction_flat(2), four = retraction_flat(4);
    structure     *part = structure_induced(m, DIRAC_PLUS, &none, &two, RETRACTION_LEFT);
    structure     *parts[] = {part, part};
    return structure_bowtie(m, structure_direct_sum(m, parts, 2),
                            structure_interaction(m, DIRAC_PLUS, &joint, &four, RETRACTION_LEFT));
}

/* Theorem 2 on the example of the paper; the numbers come from an independent implementation. */
static void torn_springs_step_like_the_chain_and_are_members(void **state)
{
    (void)state;
    const problem torn = {
        .n = 4, .m = 1, .lambda = torn_L, .velocity = tie, .constant_relations = true};
    const problem chain = {.n = 3, .lambda = chain_L};
    const double  q4[] = {0, 1, 1, 2}, p4[] = {0, 0, 0, 3}, q3[] = {0, 1, 2}, p3[] = {0, 0, 3},
                 h = 0.01;
    const double q_end[] = {-2.5444273569550386, -3.0457517456553087, -3.0457517456553087,
                            -3.6557164513498606};
    const double p_end[] = {-0.9486962415654148, -0.8339534821219133, 0.0, 1.5120374689944744};
    const step_options o = {.retraction = RETRACTION_LEFT, .momentum = MOMENTUM_PAPERS};
    jet_system         s, c;
    bench              b, one;
    double             most = 0, z[16], alpha[16], d1[4], d2[4];
    bench_open(&b, jet_system_init(&s, &torn, NULL, 0), "rectangle(0)", NULL, &o);
    bench_open(&one, jet_system_init(&c, &chain, NULL, 0), "rectangle(0)", NULL, &o);
    bench_set(&b, 0, q4, p4);
    bench_set(&one, 0, q3, p3);
    structure *D = chain_structure(&b.m);
    memcpy(z + 8, q4, sizeof q4), memcpy(z + 12, p4, sizeof p4);
    for (int k = 0; k < 1000; k++) {
        bench_run(&b, h, 1), bench_run(&one, h, 1);
        memmove(z, z + 8, 8 * sizeof *z);
        memcpy(z + 8, stepper_q(b.st), sizeof q4), memcpy(z + 12, stepper_p(b.st), sizeof p4);
        chain_differential(z, z + 8, h, d1, d2);
        dirac_differential(GAMMA_PLUS, 4, z, z + 8, d1, d2, alpha);
        most = fmax(most, structure_residual(&b.m, D, z, alpha, h));
        const double *q = stepper_q(one.st), together[] = {q[0], q[1], q[1], q[2]};
        check_below(apart(z + 8, together, 4), 1e-12);
    }
    check_below(most, 8 * DBL_EPSILON / h); /* roundoff of (q1 - q0)/h, |q| < 4 */
    check_below(apart(stepper_q(b.st), q_end, 4), 1e-12);
    check_below(apart(stepper_p(b.st), p_end, 4), 1e-12);
    bench_close(&b);
    bench_close(&one);
}

/* An RLC circuit torn into (qR, qL, qS1) and (qS2, qC), each with Kirchhoff's law as its
 * constraint, a resistor as a force, and three coordinates without inertia. */

typedef struct {
    double R, l, C;
} circuit;
static const circuit rlc = {1, 0.75, 3};

static jet rlc_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)c, (void)t;
    return sub(times(rlc.l / 2, square(v[1])), times(0.5 / rlc.C, square(q[4])));
}

static void rlc_force(const double *c, jet t, const jet *q, const jet *v, jet *f)
{
    (void)c, (void)t, (void)q;
    f[0] = times(-rlc.R, v[0]);
}

static const double kirchhoff[] = {1, -1, -1}, series[] = {-1, 1}, wire[] = {0, 0, 1, -1, 0};

static void rlc_rows(const double *c, jet t, const jet *q, const jet *v, jet *e)
{
    (void)c, (void)t, (void)q;
    e[0] = sub(v[0], add(v[1], v[2])), e[1] = sub(v[4], v[3]), e[2] = sub(v[2], v[3]);
}

static structure *rlc_structure(mem *m)
{
    const retraction at = RETRACTION_LEFT;
    one_forms a = one_forms_constant(m, 3, 1, kirchhoff), b = one_forms_constant(m, 2, 1, series);
    one_forms joint = one_forms_constant(m, 5, 1, wire);
    retraction_map two = retraction_flat(2), three = retraction_flat(3), five = retraction_flat(5);
    structure     *part[] = {structure_induced(m, DIRAC_PLUS, &a, &three, at),
                             structure_induced(m, DIRAC_PLUS, &b, &two, at)};
    return structure_bowtie(m, structure_direct_sum(m, part, 2),
                            structure_interaction(m, DIRAC_PLUS, &joint, &five, at));
}

static void torn_circuits_agree_with_the_reference_and_are_members(void **state)
{
    (void)state;
    const problem      pb = {.n = 5,
                             .m = 3,
                             .lambda = rlc_L,
                             .force = rlc_force,
                             .velocity = rlc_rows,
                             .constant_relations = true};
    const double       q0[5] = {0}, p0[5] = {0, 7.5}, h = 0.1;
    const double       q_end[] = {7.492715933972897, 7.506596971513663, -0.01388103754076238,
                                  -0.01388103754076238, -0.01388103754076238};
    const step_options o = {.retraction = RETRACTION_LEFT, .momentum = MOMENTUM_PAPERS};
    jet_system         s;
    bench              b;
    double             most = 0, z[20], alpha[20];
    bench_open(&b, jet_system_init(&s, &pb, NULL, 0), "rectangle(0)", NULL, &o);
    bench_set(&b, 0, q0, p0);
    structure *D = rlc_structure(&b.m);
    memcpy(z + 10, q0, sizeof q0), memcpy(z + 15, p0, sizeof p0);
    for (int k = 0; k < 400; k++) {
        bench_run(&b, h, 1);
        memmove(z, z + 10, 10 * sizeof *z);
        memcpy(z + 10, stepper_q(b.st), sizeof q0), memcpy(z + 15, stepper_p(b.st), sizeof p0);
        const double current = rlc.l * (z[11] - z[1]) / h,
                     resistor = -rlc.R * (z[10] - z[0]); /* f_d^- = h f */
        const double g0[] = {resistor, -current, 0, 0, -h * z[4] / rlc.C},
                     g1[] = {0, current, 0, 0, 0};
        dirac_differential(GAMMA_PLUS, 5, z, z + 10, g0, g1, alpha);
        most = fmax(most, structure_residual(&b.m, D, z, alpha, h));
    }
    check_below(most, 16 * DBL_EPSILON / h); /* roundoff of (q1 - q0)/h, |q| < 12 */
    check_below(apart(stepper_q(b.st), q_end, 5), 1e-12);
    check_close(stepper_p(b.st)[1], 0.007284066027101956, 1e-11);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(torn_springs_step_like_the_chain_and_are_members),
        cmocka_unit_test(torn_circuits_agree_with_the_reference_and_are_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
