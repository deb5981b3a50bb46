/* first_order.c - equations of first order beside those of mechanics: which they are, and how fast,
 * by powers of a matrix. */
#include "mech/stability/first_order.h"

#include "mech/end/lanczos.h"

#include <math.h>
#include <string.h>

/* Which. --------------------------------------------------------------------------------------- */

static double entry(const first_order *z, field f, int k)
{
    return z->on_K[f] ? z->on_K[f][k] : 0;
}

/* Has row i no entries of inertia and of first-order terms of L, and no resistance but its own? */
static double resistance(const first_order *z, int i)
{
    const pattern *K = &z->of->K;
    double         R = 0;
    for (int k = K->start[i]; k < K->start[i + 1]; k++) {
        const int j = K->column[k];
        if (entry(z, F_LWW, k) != 0 || entry(z, F_LQW, k) != 0) return 0;
        if (entry(z, F_LQW, z->of->transpose[k]) != 0) return 0;
        if (j == i) R = -entry(z, F_FW, k);
    }
    return fmax(R, 0);
}

static bool is_state(const first_order *z, int i)
{
    return z->of->state && z->of->state[i];
}

/* A coordinate that relations bind goes with others; a state that one holds does not. */
static void leave_related(first_order *z)
{
    const pattern *A = &z->of->A;
    for (int k = 0; k < pattern_count(A); k++)
        if (!is_state(z, A->column[k])) z->R[A->column[k]] = 0;
}

/* Resistance between two of them is not diagonal. */
static void leave_coupled(first_order *z)
{
    const pattern *K = &z->of->K;
    for (int i = 0; i < z->of->n; i++)
        for (int k = K->start[i]; k < K->start[i + 1] && z->R[i] > 0; k++) {
            const int j = K->column[k];
            if (j != i && z->R[j] > 0 && entry(z, F_FW, k) != 0) z->R[i] = z->R[j] = 0;
        }
}

/*     L_ww = 1 along z */
static int eval_held(void *self, unsigned want, int count, const sys_point *at, sys_values *out)
{
    const first_order *z = self;
    const pattern     *K = &z->of->K;
    const int          bad = z->of->eval(z->of->self, want, count, at, out);
    for (int c = 0; c < count && want & WANT_HESSIAN; c++)
        for (int i = 0; i < z->of->n; i++)
            for (int k = K->start[i]; k < K->start[i + 1] && z->R[i] > 0; k++)
                if (K->column[k] == i) out[c].on_K[F_LWW][k] = 1;
    return bad;
}

static void hold(first_order *z, mem *m)
{
    const pattern *K = &z->of->K;
    const int      entries = pattern_count(K);
    uint8_t       *present = mem_array(m, entries, uint8_t);
    const uint8_t *before = z->of->present[F_LWW];
    for (int i = 0; i < z->of->n; i++)
        for (int k = K->start[i]; k < K->start[i + 1]; k++)
            present[k] = (before && before[k]) || (K->column[k] == i && z->R[i] > 0);
    z->held.present[F_LWW] = present;
    if (z->held.varies[F_LWW] == FIELD_ZERO) z->held.varies[F_LWW] = FIELD_CONSTANT;
    z->held.self = z, z->held.eval = eval_held, z->held.eval_ranges = NULL;
}

void first_order_find(first_order *z, mem *m, dal_system *sys, double *const on_K[F_COUNT])
{
    *z = (first_order){.held = *sys, .of = sys, .R = mem_array(m, sys->n, double), .on_K = on_K};
    for (int i = 0; i < sys->n; i++) z->R[i] = resistance(z, i);
    leave_related(z);
    leave_coupled(z);
    for (int i = 0; i < sys->n; i++)
        if (z->R[i] > 0) *(is_state(z, i) ? &z->states : &z->other) += 1;
    if (z->states + z->other) hold(z, m);
}

/* How fast. ------------------------------------------------------------------------------------ */

typedef void product(const first_order *z, const void *with, const double *x, double *y);

/* The mean growth of |x| under powers of a matrix: of a pair of eigenvalues, their size. */
static double spectral_radius(const first_order *z, const void *with, product *multiply, double *x,
                              double *y, int n)
{
    enum { FEW = 512, ROUNDS = 36, MANY_ROUNDS = 396 }; /* whole turns of 2, 3, 4, 6 and 9 */
    const int rounds = n <= FEW ? MANY_ROUNDS : ROUNDS;
    double    growth = 0;
    for (int k = -rounds / 2; k < rounds; k++) {
        double size = 0, before = 0;
        multiply(z, with, x, y);
        for (int i = 0; i < n; i++) size += y[i] * y[i], before += x[i] * x[i];
        if (!(size > 0) || !isfinite(size)) return 0;
        if (k >= 0) growth += log(size / before) / 2;
        for (int i = 0; i < n; i++) x[i] = y[i] / sqrt(size);
    }
    return exp(growth / rounds);
}

static bool is_among(const first_order *z, int i, bool states)
{
    return z->R[i] > 0 && is_state(z, i) == states;
}

/*     y = R^-1 f_zz x */
static void rates_alone(const first_order *z, const void *states, const double *x, double *y)
{
    const pattern *K = &z->of->K;
    const bool     of = *(const bool *)states;
    for (int i = 0; i < z->of->n; i++) {
        y[i] = 0;
        if (!is_among(z, i, of)) continue;
        for (int k = K->start[i]; k < K->start[i + 1]; k++)
            if (is_among(z, K->column[k], of))
                y[i] += (entry(z, F_FQ, k) + entry(z, F_LQQ, k)) * x[K->column[k]] / z->R[i];
    }
}

static double unlike(int i)
{
    return 1 + 0.1 * (i % 7);
}

double first_order_rate(const first_order *z, mem *m, bool states)
{
    const int n = z->of->n;
    double   *x = mem_array(m, n, double), *y = mem_array(m, n, double);
    for (int i = 0; i < n; i++) x[i] = is_among(z, i, states) ? unlike(i) : 0;
    return spectral_radius(z, &states, rates_alone, x, y, n);
}

/*     (x, v, z)' = (v, M^-1 F, R^-1 F),      F = (L_qq + f_q) (x, z) + (L_qw - L_wq + f_w) v */
static void rates_together(const first_order *z, const void *with, const double *x, double *y)
{
    node_equations *g = *(node_equations *const *)with;
    const pattern  *K = &z->of->K;
    const int       n = z->of->n;
    const double   *q = x, *v = x + n;
    double         *F = y + n;
    for (int i = 0; i < n; i++) {
        F[i] = 0;
        for (int k = K->start[i]; k < K->start[i + 1]; k++) {
            const int    j = K->column[k], t = z->of->transpose[k];
            const double by_v = entry(z, F_LQW, k) - entry(z, F_LQW, t) + entry(z, F_FW, k);
            F[i] += (entry(z, F_LQQ, k) + entry(z, F_FQ, k) + entry(z, F_CURV, k)) * q[j];
            if (!(z->R[j] > 0)) F[i] += by_v * v[j];
        }
        y[i] = z->R[i] > 0 ? F[i] / z->R[i] : v[i];
    }
    for (int i = 0; i < n; i++)
        if (z->R[i] > 0) F[i] = 0;
    lanczos_respond(g, F, F);
}

double first_order_together(const first_order *z, mem *m, node_equations *g)
{
    const int n = z->of->n;
    double   *x = mem_array(m, 2 * n, double), *y = mem_array(m, 2 * n, double);
    for (int i = 0; i < 2 * n; i++) x[i] = i >= n && z->R[i - n] > 0 ? 0 : unlike(i);
    return spectral_radius(z, &g, rates_together, x, y, 2 * n);
}
