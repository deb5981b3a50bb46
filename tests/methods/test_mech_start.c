/* test_mech_start.c - consistent starts: from momenta and velocities, refused or moved where
 * relations are violated. */
#include "orders.h"
#include "stepping.h"

#include "constrained.h"

#include "mech/start/start.h"

typedef struct {
    mem           m;
    text          why;
    jet_system    s;
    double        q[6], v[6], p[6];
    unsigned char given[6];
    start         at;
} attempt;

static void begin(attempt *a, const problem *pb, const double *c, const double *q, const double *v)
{
    memset(a, 0, sizeof *a);
    mem_init(&a->m, mem_heap_default());
    a->why = text_new(&a->m);
    jet_system_init(&a->s, pb, c, c ? 8 : 0);
    for (int i = 0; i < pb->n; i++) {
        a->q[i] = q[i], a->v[i] = v ? v[i] : 0;
        a->given[i] = GIVEN_Q | (v ? GIVEN_V : 0);
    }
    a->at = (start){.q = a->q, .v = a->v, .p = a->p, .given = a->given};
}

static dal_status complete(attempt *a)
{
    return start_complete(&a->m, &a->s.sys, &a->at, &a->why);
}

/* L = (1 + y^2) x'^2/2 + x' y'/2 + y'^4/4 + y'^2/2 + x y': momenta that are no multiples of
 * velocities */
static jet twisted_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)c, (void)t;
    jet T = add(times(0.5, mul(plus(square(q[1]), 1), square(v[0]))), times(0.5, mul(v[0], v[1])));
    return add(add(T, add(times(0.25, fourth(v[1])), times(0.5, square(v[1])))), mul(q[0], v[1]));
}

static const problem twisted = {.n = 2, .lambda = twisted_L};

static void momenta_follow_from_velocities_and_velocities_from_momenta(void **state)
{
    (void)state;
    const double q[] = {0.7, -0.4}, v[] = {1.1, 0.6};
    const double p[] = {1.16 * 1.1 + 0.3, 0.55 + 0.216 + 0.6 + 0.7};
    for (int mask = 0; mask < 4; mask++) { /* which momenta are given instead of velocities */
        attempt a;
        begin(&a, &twisted, NULL, q, v);
        for (int i = 0; i < 2; i++)
            if (mask >> i & 1) a.given[i] = GIVEN_Q | GIVEN_P, a.v[i] = 0, a.p[i] = p[i];
        assert_int_equal(complete(&a), DAL_OK);
        for (int i = 0; i < 2; i++) {
            check_close(a.v[i], v[i], 1e-14);
            check_close(a.p[i], p[i], 1e-14);
        }
        assert_false(a.at.moved);
        mem_free(&a.m);
    }
}

static void hamiltonian_coordinates_start_from_either_too(void **state)
{
    (void)state;
    static const problem disk = {.n = 4, .lambda = disk_H, .hamiltonian = true};
    const double c[8] = {1, 0.5, 0.25, 1, 1}, q[] = {0.3, -0.2, 0.1, 0.4}, v[] = {1, 2, 3, 4};
    attempt      a;
    begin(&a, &disk, c, q, NULL);
    a.given[2] = GIVEN_Q | GIVEN_V, a.v[2] = v[2]; /* p = I v = 1.5 */
    a.p[0] = 1, a.p[1] = 2, a.p[3] = 1;
    for (int i = 0; i < 4; i++) a.given[i] |= i == 2 ? 0 : GIVEN_P;
    assert_int_equal(complete(&a), DAL_OK);
    for (int i = 0; i < 4; i++) check_close(a.v[i], v[i], 1e-15);
    check_close(a.p[2], 1.5, 1e-15);
    mem_free(&a.m);
}

static void a_violated_relation_is_named_with_what_it_is_off_by(void **state)
{
    (void)state;
    const named_problem *sleigh = problem_named("sleigh"), *rods = problem_named("dpend_damped");
    const double         q[] = {0.1, 0.2, 0}, v[] = {1, 0.25, 0.3};
    attempt              a;
    begin(&a, &sleigh->pb, sleigh->c, q, v);
    assert_int_equal(complete(&a), DAL_INVALID);
    assert_non_null(strstr(text_str(&a.why), "rod1"));
    assert_non_null(strstr(text_str(&a.why), "0.25"));
    mem_free(&a.m);

    const double bent[] = {0.6, -0.8, 0.6,
                           -1.8}; /* the second rod has length 1, not 0.8: g = 0.18 */
    begin(&a, &rods->pb, rods->c, bent, NULL);
    assert_int_equal(complete(&a), DAL_INVALID);
    assert_non_null(strstr(text_str(&a.why), "rod2"));
    assert_non_null(strstr(text_str(&a.why), "0.18"));
    mem_free(&a.m);
}

static void what_is_free_moves_as_little_as_possible(void **state)
{
    (void)state;
    const named_problem *rods = problem_named("dpend_damped");
    const double         bent[] = {0.6, -0.8, 0.6, -1.8}, v[] = {0.8, 0.6, 1, 1};
    attempt              a;
    begin(&a, &rods->pb, rods->c, bent, v);
    a.given[2] |= FREE_Q, a.given[3] |= FREE_Q;
    a.given[2] |= FREE_V, a.given[3] |= FREE_V;
    assert_int_equal(complete(&a), DAL_OK);
    assert_true(a.at.moved);
    check_close(a.q[0], 0.6, 0);
    check_close(a.q[2], 0.6, 1e-14); /* along the rod */
    check_close(a.q[3], -1.6, 1e-14);
    check_close(a.v[3], 0.6, 1e-14); /* the ends keep their distance */
    check_close(a.v[2], 1, 1e-14);
    check_close(a.p[3], 0.42, 1e-14);
    mem_free(&a.m);

    begin(&a, &rods->pb, rods->c, bent, v); /* everything may move */
    a.at.project = true;
    assert_int_equal(complete(&a), DAL_OK);
    double first = a.q[0] * a.q[0] + a.q[1] * a.q[1], x = a.q[2] - a.q[0], y = a.q[3] - a.q[1];
    check_close(first, 1, 1e-14);
    check_close(x * x + y * y, 0.64, 1e-14);
    check_below(fabs(x * (a.v[2] - a.v[0]) + y * (a.v[3] - a.v[1])), 1e-14);
    mem_free(&a.m);
}

static void velocities_without_inertia_follow_from_the_relations(void **state)
{
    (void)state;
    const named_problem *circuit = problem_named("rlc_series");
    const double         q[] = {1, 1, 1};
    attempt              a;
    begin(&a, &circuit->pb, circuit->c, q, NULL);
    a.given[0] |= GIVEN_P, a.p[0] = 0.75 * 0.5 + 0.3 * 0.125;
    assert_int_equal(complete(&a), DAL_OK);
    for (int i = 0; i < 3; i++) check_close(a.v[i], 0.5, 1e-14);
    assert_true(a.p[1] == 0 && a.p[2] == 0 && !a.at.moved);
    mem_free(&a.m);

    begin(&a, &circuit->pb, circuit->c, q, NULL);
    a.given[1] |= GIVEN_P, a.p[1] = 2;
    assert_int_equal(complete(&a), DAL_INVALID);
    assert_non_null(strstr(text_str(&a.why), "nothing gives x2 inertia"));
    mem_free(&a.m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momenta_follow_from_velocities_and_velocities_from_momenta),
        cmocka_unit_test(hamiltonian_coordinates_start_from_either_too),
        cmocka_unit_test(a_violated_relation_is_named_with_what_it_is_off_by),
        cmocka_unit_test(what_is_free_moves_as_little_as_possible),
        cmocka_unit_test(velocities_without_inertia_follow_from_the_relations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
