/* compiled_bench.h - compiled systems of handmade models, and arrays for all they can be asked
 * for. */
#ifndef TESTS_COMPILED_BENCH_H
#define TESTS_COMPILED_BENCH_H

#include "check.h"
#include "handmade.h"
#include "model/compile.h"

#include <stdlib.h>

static inline double noise(uint64_t *s)
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

static inline double *room(bench *b, int n)
{
    double *a = mem_array(&b->m, n + 1, double);
    for (int k = 0; k <= n; k++) a[k] = 777; /* what is not overwritten shows */
    return a;
}

static inline void bench_values(bench *b, sys_values *out)
{
    *out = (sys_values){.L = 777, .Lt = 777, .Ltt = 777};
    out->Lq = room(b, b->n), out->Lw = room(b, b->n), out->f = room(b, b->n);
    for (int f = 0; f < F_COUNT; f++) out->on_K[f] = room(b, b->K);
    out->Lqt = room(b, b->n), out->Lwt = room(b, b->n), out->ft = room(b, b->n);
    out->e = room(b, b->rows), out->et = room(b, b->rows), out->g = room(b, b->rows);
    out->A = room(b, b->A), out->eq = room(b, b->A);
}

static inline void bench_new(bench *b, const model *md, const dal_system *sys)
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

static inline double *numbers(mem *m, int n, uint64_t seed)
{
    double *a = mem_array(m, n + 1, double);
    for (int k = 0; k < n; k++) a[k] = 1.2 + 0.5 * noise(&seed);
    return a;
}

enum { EVERYTHING = 511 };

static inline double entry(const pattern *p, const double *a, int i, int j)
{
    int k = pattern_find(p, i, j);
    return k < 0 ? 0 : a[k];
}

/* Double pendulum in absolute angles, damped and driven, with lengths that depend on time. */
static inline void double_pendulum(hand *h)
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

/* A chain x0 .. xn-1 with nonlinear springs, masses from data, stiffness per link, a damper at each
 * mass. */
static inline void chain(hand *h, int n)
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

#endif
