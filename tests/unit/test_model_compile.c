/* Compiled systems against differences of the slow evaluator, and against each other. */
#include "check.h"

#include "handmade.h"
#include "model/compile.h"

#include <stdlib.h>
#include <time.h>

static double noise(uint64_t *s)
{
    *s = *s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*s >> 11) / 9007199254740992.0 * 2 - 1;
}

/* A place to evaluate at, with arrays for all results. */
typedef struct {
    mem        m;
    int        n, rows, K, A;
    double    *q, *w, *v, *lam, *parameter, *input;
    sys_point  at;
    sys_values out;
} bench;

static double *room(bench *b, int n)
{
    double *a = mem_array(&b->m, n + 1, double);
    for (int k = 0; k <= n; k++) a[k] = 777; /* what is not overwritten shows */
    return a;
}

static void bench_values(bench *b, sys_values *out)
{
    *out = (sys_values){.L = 777, .Lt = 777, .Ltt = 777};
    out->Lq = room(b, b->n), out->Lw = room(b, b->n), out->f = room(b, b->n);
    for (int f = 0; f < F_COUNT; f++) out->on_K[f] = room(b, b->K);
    out->Lqt = room(b, b->n), out->Lwt = room(b, b->n), out->ft = room(b, b->n);
    out->e = room(b, b->rows), out->et = room(b, b->rows), out->g = room(b, b->rows);
    out->A = room(b, b->A), out->eq = room(b, b->A);
}

static void bench_new(bench *b, const model *md, const dal_system *sys)
{
    uint64_t seed = 42;
    mem_init(&b->m, mem_heap_default());
    b->n = sys->n, b->rows = sys->m + sys->r;
    b->K = pattern_count(&sys->K), b->A = pattern_count(&sys->A);
    b->q = room(b, b->n), b->w = room(b, b->n), b->lam = room(b, b->rows);
    for (int i = 0; i < b->n; i++) b->q[i] = noise(&seed), b->w[i] = noise(&seed);
    for (int i = 0; i < b->rows; i++) b->lam[i] = noise(&seed);
    (void)md;
    b->at = (sys_point){.t = 0.3, .q = b->q, .w = b->w, .v = b->w, .lam = b->lam};
    bench_values(b, &b->out);
}

static double *numbers(mem *m, int n, uint64_t seed)
{
    double *a = mem_array(m, n + 1, double);
    for (int k = 0; k < n; k++) a[k] = 1.2 + 0.5 * noise(&seed);
    return a;
}

enum { EVERYTHING = 511 };

static double entry(const pattern *p, const double *a, int i, int j)
{
    int k = pattern_find(p, i, j);
    return k < 0 ? 0 : a[k];
}

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
    for (int f = 0; f < F_COUNT; f++)
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

/* Double pendulum in absolute angles, damped and driven, with lengths that depend on time. */
static void double_pendulum(hand *h)
{
    hand_begin_all(h, 2, 3, 1, 0, 0);
    hand_element(h, EL_LAGRANGIAN, 1);
    graph *g = h->g;
    expr   a = hand_q(h, 0), b = hand_q(h, 1), va = hand_v(h, 0), vb = hand_v(h, 1);
    expr   m1 = hand_k(h, 0), m2 = hand_k(h, 1), gr = hand_k(h, 2), t = hand_t(h);
    expr l = expr_add(g, expr_const(g, 1), expr_mul(g, expr_const(g, 0.1), expr_op1(g, OP_SIN, t)));
    expr cosine = expr_op1(g, OP_COS, expr_sub(g, a, b));
    expr kinetic = expr_add(g, expr_mul(g, expr_add(g, m1, m2), half_square(g, expr_mul(g, l, va))),
                            expr_mul(g, m2, half_square(g, vb)));
    kinetic = expr_add(g, kinetic,
                       expr_mul(g, expr_mul(g, m2, l), expr_mul(g, expr_mul(g, va, vb), cosine)));
    expr potential = expr_mul(
        g, gr, expr_add(g, expr_op1(g, OP_COS, a), expr_mul(g, m2, expr_op1(g, OP_COS, b))));
    hand_root(h, expr_add(g, kinetic, potential), 0);

    hand_element(h, EL_FORCE, 1);
    g = h->g;
    a = hand_q(h, 0), va = hand_v(h, 0), vb = hand_v(h, 1), t = hand_t(h);
    expr u = hand_run(h, SLOT_INPUT, 0, 0);
    hand_root(h, expr_mul(g, expr_neg(g, va), expr_add(g, expr_const(g, 1), expr_powi(g, a, 2))),
              0);
    hand_root(h, expr_sub(g, expr_mul(g, u, expr_op1(g, OP_COS, t)), expr_powi(g, vb, 3)), 1);
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

/* A chain x0 .. xn-1 with nonlinear springs, masses from data, stiffness per link, a damper at each
 * mass. */
static void chain(hand *h, int n)
{
    hand_begin_all(h, n, n, 0, 1, 0);
    for (int k = 0; k < n; k++) vec_push(h->m, h->md.data, 1 + 0.01 * k);
    hand_element(h, EL_LAGRANGIAN, n); /* inertia */
    hand_root(
        h,
        expr_mul(h->g, hand_run(h, SLOT_DATA, 0, 1), half_square(h->g, hand_run(h, SLOT_V, 0, 1))),
        0);
    hand_element(h, EL_LAGRANGIAN, n - 1); /* springs */
    graph *g = h->g;
    expr   s = expr_sub(g, hand_run(h, SLOT_Q, 1, 1), hand_run(h, SLOT_Q, 0, 1)),
         k = hand_run(h, SLOT_PARAMETER, 0, 1);
    hand_root(h,
              expr_neg(g, expr_add(g, expr_mul(g, k, half_square(g, s)),
                                   expr_mul(g, expr_const(g, 0.25), expr_powi(g, s, 4)))),
              0);
    hand_element(h, EL_FORCE, n);
    g = h->g;
    expr v = hand_run(h, SLOT_V, 0, 1), q = hand_run(h, SLOT_Q, 0, 1);
    hand_root_run(
        h, expr_neg(g, expr_mul(g, v, expr_add(g, expr_const(g, 0.1), expr_powi(g, q, 2)))), 0, 1);
    hand_element(h, EL_OUTPUT, n); /* total momentum */
    hand_root(h, hand_run(h, SLOT_P, 0, 1), 0);
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

/* Largest difference of two results, relative to 1 + size. */
static double difference(const dal_system *sys, const sys_values *a, const sys_values *b)
{
    double worst = fabs(a->L - b->L) / (1 + fabs(b->L));
    for (int i = 0; i < sys->n; i++) {
        worst = fmax(worst, fabs(a->Lq[i] - b->Lq[i]));
        worst = fmax(worst, fabs(a->Lw[i] - b->Lw[i]));
        worst = fmax(worst, fabs(a->f[i] - b->f[i]));
    }
    for (int f = 0; f < F_COUNT; f++)
        for (int k = 0; k < pattern_count(&sys->K); k++)
            worst = fmax(worst, fabs(a->on_K[f][k] - b->on_K[f][k]));
    return worst;
}

/* Sums that meet in an entry are folded differently by the two (constants of an instance are
 * gathered when merged), hence roundoff and not bits. */
static void batched_and_merged_agree(void **state)
{
    (void)state;
    hand h;
    mem  m;
    chain(&h, 1000);
    mem_init(&m, mem_heap_default());
    const model    *md = hand_end(&h);
    double         *parameter = numbers(&m, md->parameters, 5);
    const compiled *one = compile_merging(&m, md, MERGE_ALL), *many = compile(&m, md);
    dal_system     *s1 = bound_system(bound_new(&m, one, parameter, NULL));
    dal_system     *s2 = bound_system(bound_new(&m, many, parameter, NULL));
    bench           b1, b2;
    bench_new(&b1, md, s1);
    bench_new(&b2, md, s2);
    assert_int_equal(b1.K, 3 * 1000 - 2);
    s1->eval(s1->self, EVERYTHING, 1, &b1.at, &b1.out);
    s2->eval(s2->self, EVERYTHING, 1, &b2.at, &b2.out);
    check_below(difference(s1, &b1.out, &b2.out), 1e-14);
    assert_int_equal(s2->varies[F_LQQ], FIELD_VARIES);
    assert_int_equal(s2->varies[F_LQW], FIELD_ZERO);
    assert_int_equal(s2->varies[F_LWW], FIELD_CONSTANT);
    assert_int_equal(s2->varies[F_CURV], FIELD_ZERO);
    assert_true(s2->autonomous && s2->forced && !s2->rheonomic && s2->constant_A);
    mem_free(&b1.m), mem_free(&b2.m), mem_free(&m);
    hand_free(&h);
}

/* Any request gives what the request for everything gives, and touches nothing else. */
static void every_request_is_served(void **state)
{
    (void)state;
    for (int how = MERGE_ALL; how <= MERGE_NONE; how++) {
        hand h;
        mem  m;
        double_pendulum(&h);
        mem_init(&m, mem_heap_default());
        double      p[3] = {1, 2, 3}, u[1] = {0.5};
        dal_system *sys =
            bound_system(bound_new(&m, compile_merging(&m, hand_end(&h), (merging)how), p, u));
        bench b;
        bench_new(&b, hand_end(&h), sys);
        sys->eval(sys->self, EVERYTHING, 1, &b.at, &b.out);
        for (unsigned want = 0; want <= EVERYTHING; want++) {
            sys_values o;
            bench_values(&b, &o);
            sys->eval(sys->self, want, 1, &b.at, &o);
            check_close(o.L, want & WANT_L ? b.out.L : 777, 1e-15);
            check_close(o.Lq[1], want & WANT_GRADIENT ? b.out.Lq[1] : 777, 1e-15);
            check_close(o.on_K[F_LQW][2], want & WANT_HESSIAN ? b.out.on_K[F_LQW][2] : 777, 1e-15);
            check_close(o.f[0], want & WANT_FORCE ? b.out.f[0] : 777, 1e-15);
            check_close(o.on_K[F_FW][0], want & WANT_FORCE_JACOBIAN ? b.out.on_K[F_FW][0] : 777,
                        1e-15);
            check_close(o.Lt, want & WANT_TIME ? b.out.Lt : 777, 1e-15);
            check_close(o.on_K[F_CURV][0], want & WANT_RELATIONS_JACOBIAN ? 0 : 777, 1e-15);
        }
        mem_free(&b.m), mem_free(&m);
        hand_free(&h);
    }
}

/* The same bits at every evaluation, whatever was evaluated before, and arrays that are NULL are
 * left out. */
static void evaluations_do_not_remember(void **state)
{
    (void)state;
    hand h;
    mem  m;
    chain(&h, 333);
    mem_init(&m, mem_heap_default());
    dal_system *sys = bound_system(
        bound_new(&m, compile(&m, hand_end(&h)), numbers(&m, h.md.parameters, 5), NULL));
    bench      b;
    sys_values again;
    bench_new(&b, hand_end(&h), sys);
    bench_values(&b, &again);
    sys->eval(sys->self, EVERYTHING, 1, &b.at, &b.out);
    double q0 = b.q[0];
    b.q[0] = NAN;
    sys->eval(sys->self, EVERYTHING, 1, &b.at, &again);
    b.q[0] = q0;
    double *hessian = again.on_K[F_LQQ];
    again.on_K[F_LWW] = again.Lw = NULL;
    sys->eval(sys->self, EVERYTHING, 1, &b.at, &again);
    for (int i = 0; i < b.n; i++) assert_true(again.Lq[i] == b.out.Lq[i]);
    for (int k = 0; k < b.K; k++) assert_true(hessian[k] == b.out.on_K[F_LQQ][k]);
    mem_free(&b.m), mem_free(&m);
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

static void inputs_may_follow_time(void *self, double t, double *u)
{
    u[0] = *(const double *)self * t;
}

static void inputs_from_a_function_are_taken_at_each_time(void **state)
{
    (void)state;
    hand h;
    mem  m;
    double_pendulum(&h);
    mem_init(&m, mem_heap_default());
    double      p[3] = {1, 2, 3}, u[1] = {0}, rate = 2;
    bound      *bd = bound_new(&m, compile(&m, hand_end(&h)), p, u);
    dal_system *sys = bound_system(bd);
    bench       b;
    bench_new(&b, hand_end(&h), sys);
    bound_input_from(bd, inputs_may_follow_time, &rate);
    sys_point  at[2] = {b.at, b.at};
    sys_values out[2];
    at[1].t = 0.8;
    bench_values(&b, &out[0]), bench_values(&b, &out[1]);
    sys->eval(sys->self, WANT_FORCE, 2, at, out);
    for (int k = 0; k < 2; k++)
        check_close(out[k].f[1], 2 * at[k].t * cos(at[k].t) - b.w[1] * b.w[1] * b.w[1], 1e-15);
    mem_free(&b.m), mem_free(&m);
    hand_free(&h);
}

static void changed_parameters_count_after_a_refresh(void **state)
{
    (void)state;
    for (int how = MERGE_ALL; how <= MERGE_NONE; how++) {
        hand h;
        mem  m;
        hand_begin(&h, 300, 1);
        hand_element(&h, EL_LAGRANGIAN, 300);
        hand_root(&h, expr_mul(h.g, hand_k(&h, 0), half_square(h.g, hand_run(&h, SLOT_V, 0, 1))),
                  0);
        mem_init(&m, mem_heap_default());
        double      k[1] = {3};
        bound      *bd = bound_new(&m, compile_merging(&m, hand_end(&h), (merging)how), k, NULL);
        dal_system *sys = bound_system(bd);
        bench       b;
        bench_new(&b, hand_end(&h), sys);
        k[0] = 5;
        bound_refresh(bd);
        sys->eval(sys->self, EVERYTHING, 1, &b.at, &b.out);
        for (int i = 0; i < 300; i++) {
            check_close(b.out.on_K[F_LWW][i], 5, 0);
            check_close(b.out.Lw[i], 5 * b.w[i], 1e-16);
        }
        mem_free(&b.m), mem_free(&m);
        hand_free(&h);
    }
}

static void outputs_and_energies_are_those_of_the_state(void **state)
{
    (void)state;
    hand h;
    mem  m;
    chain(&h, 300);
    mem_init(&m, mem_heap_default());
    const model    *md = hand_end(&h);
    double         *k = numbers(&m, 300, 5);
    const compiled *c = compile(&m, md);
    bound          *bd = bound_new(&m, c, k, NULL);
    bench           b;
    bench_new(&b, md, bound_system(bd));
    double *p = mem_array(&m, 300, double), total = 0, energy = 0, out[1], E[1];
    for (int i = 0; i < 300; i++) {
        p[i] = (1 + 0.01 * i) * b.w[i], total += p[i], energy += p[i] * b.w[i] / 2;
        double s = i < 299 ? b.q[i + 1] - b.q[i] : 0;
        energy += k[i] * s * s / 2 + s * s * s * s / 4;
    }
    bound_outputs(bd, 0, b.q, b.w, p, NULL, out);
    bound_energies(bd, 0, b.q, b.w, p, E);
    check_close(out[0], total, 1e-13);
    check_close(E[0], energy, 1e-13);
    mem_free(&b.m), mem_free(&m);
    hand_free(&h);
}

static void a_value_that_is_not_finite_is_named(void **state)
{
    (void)state;
    hand h;
    mem  m;
    hand_begin(&h, 2, 0);
    hand_element(&h, EL_LAGRANGIAN, 2);
    expr root = expr_op1(h.g, OP_SQRT, hand_run(&h, SLOT_Q, 0, 1));
    hand_root(&h, expr_add(h.g, half_square(h.g, hand_run(&h, SLOT_V, 0, 1)), root), 0);
    mem_init(&m, mem_heap_default());
    dal_system *sys = bound_system(bound_new(&m, compile(&m, hand_end(&h)), NULL, NULL));
    double      q[2] = {1, -4}, v[2] = {0, 0};
    text        why = text_new(&m);
    assert_true(sys->culprit(sys->self, &(sys_point){.q = q, .w = v, .v = v}, &why));
    assert_string_equal(text_str(&why), "sqrt(x1) is not finite (x1 = -4) at hand.dal:2");
    text_clear(&why);
    q[1] = 4;
    assert_false(sys->culprit(sys->self, &(sys_point){.q = q, .w = v, .v = v}, &why));
    q[0] = 0; /* finite itself, but not its derivative */
    assert_true(sys->culprit(sys->self, &(sys_point){.q = q, .w = v, .v = v}, &why));
    assert_non_null(strstr(text_str(&why), "derivative"));
    mem_free(&m);
    hand_free(&h);
}

/* The double well: gradient and Hessian in one call. Prints the time; a generous bound catches
 * accidents. */
static void small_systems_are_quick(void **state)
{
    (void)state;
    hand h;
    mem  m;
    hand_begin(&h, 1, 0);
    hand_element(&h, EL_LAGRANGIAN, 1);
    graph *g = h.g;
    expr   x = hand_q(&h, 0);
    expr   V = expr_sub(g, expr_powi(g, x, 4), expr_powi(g, x, 2));
    hand_root(&h, expr_sub(g, half_square(g, hand_v(&h, 0)), expr_mul(g, expr_const(g, 0.5), V)),
              0);
    mem_init(&m, mem_heap_default());
    dal_system *sys = bound_system(bound_new(&m, compile(&m, hand_end(&h)), NULL, NULL));
    bench       b;
    bench_new(&b, hand_end(&h), sys);
    double best = 1e9, sum = 0;
    for (int round = 0; round < 10; round++) {
        clock_t start = clock();
        for (int k = 0; k < 200000; k++) {
            b.q[0] = 0.5 + 1e-7 * k;
            sys->eval(sys->self, WANT_GRADIENT | WANT_HESSIAN, 1, &b.at, &b.out);
            sum += b.out.Lq[0];
        }
        best = fmin(best, (double)(clock() - start) / CLOCKS_PER_SEC / 200000 * 1e9);
    }
    print_message("double well, gradient and Hessian: %.1f ns (%g)\n", best, sum);
    check_below(best, 1000);
    mem_free(&b.m), mem_free(&m);
    hand_free(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(double_pendulum_fields_are_derivatives),
        cmocka_unit_test(chain_fields_are_derivatives),
        cmocka_unit_test(batched_and_merged_agree),
        cmocka_unit_test(every_request_is_served),
        cmocka_unit_test(evaluations_do_not_remember),
        cmocka_unit_test(relations_are_laid_out_by_kind),
        cmocka_unit_test(slots_that_read_one_coordinate_add_up),
        cmocka_unit_test(velocities_of_hamiltonian_forces_are_dH_dp),
        cmocka_unit_test(inputs_from_a_function_are_taken_at_each_time),
        cmocka_unit_test(changed_parameters_count_after_a_refresh),
        cmocka_unit_test(outputs_and_energies_are_those_of_the_state),
        cmocka_unit_test(a_value_that_is_not_finite_is_named),
        cmocka_unit_test(small_systems_are_quick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
