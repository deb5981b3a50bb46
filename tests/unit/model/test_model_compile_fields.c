/* Every field of a compiled system is the derivative that it claims to be: against differences of
 * its values, for terms in programs of their own and joined into one. */
#include "compiled_bench.h"

/* Fourth-order differences: the error of (f(-2h) - 8 f(-h) + 8 f(h) - f(2h)) / 12h is O(h^4). */
typedef struct {
    dal_system *sys;
    bench      *b;
    sys_values  at[4];
} differences;

static const double shift[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
static const double H = 1e-3;

static void vary(differences *d, double *x)
{
    double x0 = *x;
    for (int k = 0; k < 4; k++) {
        *x = x0 + shift[k] * H;
        d->sys->eval(d->sys->self, EVERYTHING, 1, &d->b->at, &d->at[k]);
    }
    *x = x0;
}

#define SLOPE(d, member)                                                                           \
    ((weight[0] * (d)->at[0].member + weight[1] * (d)->at[1].member +                              \
      weight[2] * (d)->at[2].member + weight[3] * (d)->at[3].member) /                             \
     (12 * H))

/* Every field of the system is the derivative that it claims to be. */
static void check_against_differences(dal_system *sys, bench *b, double tol)
{
    differences d = {.sys = sys, .b = b};
    sys_values *o = &b->out;
    for (int k = 0; k < 4; k++) bench_values(b, &d.at[k]);
    assert_int_equal(sys->eval(sys->self, EVERYTHING, 1, &b->at, o), 0);
    for (int j = 0; j < sys->n; j++) {
        vary(&d, &b->q[j]);
        check_close(o->Lq[j], SLOPE(&d, L), tol);
        check_close(o->Lqt[j], SLOPE(&d, Lt), tol);
        for (int i = 0; i < sys->n; i++) {
            check_close(entry(&sys->K, o->on_K[F_LQQ], i, j), SLOPE(&d, Lq[i]), tol);
            check_close(entry(&sys->K, o->on_K[F_LQW], j, i), SLOPE(&d, Lw[i]), tol);
            check_close(entry(&sys->K, o->on_K[F_FQ], i, j), SLOPE(&d, f[i]), tol);
        }
        for (int a = 0; a < sys->m + sys->r; a++)
            check_close(entry(&sys->A, o->eq, a, j), SLOPE(&d, e[a]), tol);
        for (int a = 0; a < sys->r; a++)
            check_close(entry(&sys->A, o->A, sys->m + a, j), SLOPE(&d, g[a]), tol);
        for (int i = 0; i < sys->n; i++) {
            double sum = 0;
            for (int a = 0; a < sys->m + sys->r; a++) {
                int k = pattern_find(&sys->A, a, i);
                if (k >= 0) sum += b->lam[a] * SLOPE(&d, A[k]);
            }
            check_close(entry(&sys->K, o->on_K[F_CURV], i, j), sum, tol);
        }
    }
    for (int j = 0; j < sys->n; j++) { /* v is w here: Lagrangian models, or no relations */
        vary(&d, &b->w[j]);
        check_close(o->Lw[j], SLOPE(&d, L), tol);
        check_close(o->Lwt[j], SLOPE(&d, Lt), tol);
        for (int i = 0; i < sys->n; i++) {
            check_close(entry(&sys->K, o->on_K[F_LWW], i, j), SLOPE(&d, Lw[i]), tol);
            check_close(entry(&sys->K, o->on_K[F_LQW], i, j), SLOPE(&d, Lq[i]), tol);
            check_close(entry(&sys->K, o->on_K[F_FW], i, j), SLOPE(&d, f[i]), tol);
        }
        for (int a = 0; a < sys->m + sys->r; a++)
            check_close(entry(&sys->A, o->A, a, j), SLOPE(&d, e[a]), tol);
    }
    vary(&d, &b->at.t);
    check_close(o->Lt, SLOPE(&d, L), tol);
    check_close(o->Ltt, SLOPE(&d, Lt), tol);
    for (int i = 0; i < sys->n; i++) {
        check_close(o->Lqt[i], SLOPE(&d, Lq[i]), tol);
        check_close(o->Lwt[i], SLOPE(&d, Lw[i]), tol);
        check_close(o->ft[i], SLOPE(&d, f[i]), tol);
    }
    for (int a = 0; a < sys->m + sys->r; a++) check_close(o->et[a], SLOPE(&d, e[a]), tol);
}

/* K is symmetric with a full diagonal, the transpose map is right, and a field is zero where it is
 * not present. */
static void check_pattern(const dal_system *sys, const bench *b)
{
    for (int i = 0; i < sys->n; i++) {
        assert_true(pattern_find(&sys->K, i, i) >= 0);
        for (int k = sys->K.start[i]; k < sys->K.start[i + 1]; k++)
            assert_int_equal(sys->transpose[k], pattern_find(&sys->K, sys->K.column[k], i));
    }
    for (int f = 0; f < (sys->damped ? F_COUNT : F_DQ); f++)
        for (int k = 0; k < pattern_count(&sys->K); k++)
            if (!sys->present[f][k] || sys->varies[f] == FIELD_ZERO)
                assert_true(b->out.on_K[f][k] == 0);
}

static void check_model(const model *md, merging how, double tol)
{
    mem m;
    mem_init(&m, mem_heap_default());
    double         *parameter = numbers(&m, md->parameters, 5), *input = numbers(&m, md->inputs, 6);
    const compiled *c = compile_merging(&m, md, how);
    dal_system     *sys = bound_system(bound_new(&m, c, parameter, input));
    bench           b;
    bench_new(&b, md, sys);
    check_against_differences(sys, &b, tol);
    check_pattern(sys, &b);
    mem_free(&b.m);
    mem_free(&m);
}

static void double_pendulum_fields_are_derivatives(void **state)
{
    (void)state;
    hand h;
    double_pendulum(&h);
    check_model(hand_end(&h), MERGE_AUTO, 1e-9);
    check_model(hand_end(&h), MERGE_NONE, 1e-9);
    hand_free(&h);
}

static void chain_fields_are_derivatives(void **state)
{
    (void)state;
    hand h;
    chain(&h, 7);
    check_model(hand_end(&h), MERGE_ALL, 1e-9);
    check_model(hand_end(&h), MERGE_NONE, 1e-9);
    hand_free(&h);
}

/* Rolling without slipping (depends on t), a rod (holonomic, moving end) and a tie, in mixed order.
 */
static void relations_model(hand *h)
{
    hand_begin(h, 5, 2);
    hand_element(h, EL_LAGRANGIAN, 5);
    hand_root(h, half_square(h->g, hand_run(h, SLOT_V, 0, 1)), 0);
    int rod = hand_relations(h, REL_HOLONOMIC, 1), roll = hand_relations(h, REL_VELOCITY, 2);
    int tie = hand_relations(h, REL_TIE, 1);
    hand_element(h, EL_RELATION, 1);
    graph *g = h->g;
    expr   x = hand_q(h, 0), y = expr_sub(g, hand_q(h, 1), expr_op1(g, OP_SIN, hand_t(h))),
         l = hand_k(h, 0);
    hand_root(h,
              expr_sub(g, expr_add(g, expr_powi(g, x, 2), expr_powi(g, y, 2)), expr_powi(g, l, 2)),
              rod);
    hand_element(h, EL_RELATION, 2); /* x_k' - cos(x_3 + t) x_{k+1}' - x_k sin t, k = 0, 1 */
    g = h->g;
    expr t = hand_t(h);
    expr slope = expr_op1(g, OP_COS, expr_add(g, hand_q(h, 3), t));
    expr e = expr_sub(g, hand_run(h, SLOT_V, 0, 1), expr_mul(g, slope, hand_run(h, SLOT_V, 1, 1)));
    hand_root_run(h, expr_sub(g, e, expr_mul(g, hand_run(h, SLOT_Q, 0, 1), expr_op1(g, OP_SIN, t))),
                  roll, 1);
    hand_element(h, EL_RELATION, 1);
    hand_root(h, expr_sub(h->g, hand_q(h, 4), expr_mul(h->g, hand_k(h, 1), hand_q(h, 2))), tie);
}

static void relations_are_laid_out_by_kind(void **state)
{
    (void)state;
    hand h;
    relations_model(&h);
    check_model(hand_end(&h), MERGE_ALL, 1e-9);
    check_model(hand_end(&h), MERGE_NONE, 1e-9);
    mem m;
    mem_init(&m, mem_heap_default());
    double          p[2] = {1, 2};
    const compiled *c = compile(&m, hand_end(&h));
    dal_system     *sys = bound_system(bound_new(&m, c, p, NULL));
    assert_int_equal(sys->m, 2);
    assert_int_equal(sys->r, 2);
    assert_int_equal(compiled_row(c, 0),
                     2); /* the rod, written first, comes after the velocity constraints */
    assert_int_equal(compiled_row(c, 1), 0);
    assert_int_equal(compiled_relation(c, 3), 3);
    assert_true(sys->rheonomic && !sys->constant_A && !sys->autonomous && !sys->forced);
    mem_free(&m);
    hand_free(&h);
}

/* Two slots of one instance may read the same coordinate: L = v^2/2 - a^2 b with a = b = x gives
 * L_q = -3 x^2. */
static void slots_that_read_one_coordinate_add_up(void **state)
{
    (void)state;
    static const int a[3] = {0, 1, 1}, b[3] = {0, 0, 1};
    for (int how = MERGE_ALL; how <= MERGE_NONE; how++) {
        hand h;
        mem  m;
        hand_begin(&h, 2, 0);
        hand_element(&h, EL_LAGRANGIAN, 3);
        expr x = hand_list(&h, SLOT_Q, a), y = hand_list(&h, SLOT_Q, b);
        hand_root(&h, expr_neg(h.g, expr_mul(h.g, expr_powi(h.g, x, 2), y)), 0);
        mem_init(&m, mem_heap_default());
        dal_system *sys = bound_system(
            bound_new(&m, compile_merging(&m, hand_end(&h), (merging)how), NULL, NULL));
        bench t;
        bench_new(&t, hand_end(&h), sys);
        check_against_differences(sys, &t, 1e-9);
        double p = t.q[0], r = t.q[1]; /* -(p^3 + r^2 p + r^3) */
        check_close(t.out.Lq[0], -3 * p * p - r * r, 1e-14);
        check_close(t.out.Lq[1], -2 * r * p - 3 * r * r, 1e-14);
        check_close(entry(&sys->K, t.out.on_K[F_LQQ], 0, 1), -2 * r, 1e-14);
        check_close(entry(&sys->K, t.out.on_K[F_LQQ], 1, 1), -2 * p - 6 * r, 1e-14);
        mem_free(&t.m), mem_free(&m);
        hand_free(&h);
    }
}

/* H = sum p^2/(2(1+q^2)) + coupling, with damping written in x' = dH/dp, which each shape resolves
 * by itself. */
static void hamiltonian_chain(hand *h, int n)
{
    hand_begin(h, n, 1);
    memset(h->md.hamiltonian, 1, (size_t)n);
    hand_element(h, EL_HAMILTONIAN, n);
    graph *g = h->g;
    expr   mass = expr_add(g, expr_const(g, 1), expr_powi(g, hand_run(h, SLOT_Q, 0, 1), 2));
    hand_root(h, expr_div(g, half_square(g, hand_run(h, SLOT_P, 0, 1)), mass), 0);
    hand_element(h, EL_HAMILTONIAN, n - 1);
    g = h->g;
    hand_root(h,
              expr_mul(g, hand_k(h, 0),
                       expr_mul(g, hand_run(h, SLOT_P, 0, 1), hand_run(h, SLOT_P, 1, 1))),
              0);
    hand_element(h, EL_FORCE, n);
    g = h->g;
    expr v = hand_run(h, SLOT_V, 0, 1), q = hand_run(h, SLOT_Q, 0, 1);
    hand_root_run(h, expr_neg(g, expr_mul(g, v, expr_add(g, expr_const(g, 1), q))), 0, 1);
}

static void velocities_of_hamiltonian_forces_are_dH_dp(void **state)
{
    (void)state;
    hand h;
    hamiltonian_chain(&h, 5);
    check_model(hand_end(&h), MERGE_ALL, 1e-9);
    check_model(hand_end(&h), MERGE_NONE, 1e-9);
    mem m;
    mem_init(&m, mem_heap_default());
    double      k[1] = {0.3};
    dal_system *sys = bound_system(bound_new(&m, compile(&m, hand_end(&h)), k, NULL));
    bench       b;
    bench_new(&b, hand_end(&h), sys);
    sys->eval(sys->self, EVERYTHING, 1, &b.at, &b.out);
    for (int i = 0; i < 5; i++) /* Lambda = -H, so x' = -Lambda_w */
        check_close(b.out.f[i], b.out.Lw[i] * (1 + b.q[i]), 1e-14);
    mem_free(&b.m), mem_free(&m);
    hand_free(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(double_pendulum_fields_are_derivatives),
        cmocka_unit_test(chain_fields_are_derivatives),
        cmocka_unit_test(relations_are_laid_out_by_kind),
        cmocka_unit_test(slots_that_read_one_coordinate_add_up),
        cmocka_unit_test(velocities_of_hamiltonian_forces_are_dH_dp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
