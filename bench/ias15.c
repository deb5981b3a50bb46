/* ias15.c - Gauss-Radau steps of order 15 with step control, IAS15 as Rein and Spiegel published it
 * (2015), inlined for each problem: a stand-in for REBOUND, which Debian does not have and whose
 * particles and calls cost more.
 *
 * Within a step a(s) = a_0 + sum_k b_k s^(k+1), s from 0 to 1; the b are found from the
 * accelerations at Radau's points, in Newton's form with coefficients g, point by point with what
 * is newest, until b_6 stands. The next step is dt (epsilon |a| / |b_6|)^(1/7). */
#include "forces.h"
#include "problem.h"

#include <string.h>

enum { POINTS = 8, TERMS = POINTS - 1, TRIES = 12 };

typedef void force(const double *q, const double *v, double *F);

typedef struct {
    double s[POINTS];               /* Radau's points, the first 0                          */
    double newton[TERMS][TERMS];    /* of s (s - s_1) ... (s - s_k): the terms s, s^2, ...  */
    double inverse[POINTS][POINTS]; /* 1 / (s_i - s_j)                                   */
} radau;

typedef struct {
    double q[2], v[2], cq[2], cv[2];              /* with what rounding took from them */
    double b[2][TERMS], g[2][TERMS], e[2][TERMS]; /* e: b as it was foreseen          */
} state;

static long double legendre(int n, long double x)
{
    long double p0 = 1, p1 = x;
    for (int m = 2; m <= n; m++) {
        long double p2 = ((2 * m - 1) * x * p1 - (m - 1) * p0) / m;
        p0 = p1, p1 = p2;
    }
    return p1;
}

/* The zeros of P_7 + P_8 on [-1, 1], of which -1 is one, in ascending order by bisection. */
static void radau_init(radau *r)
{
    long double s[POINTS] = {0}, term[POINTS] = {0, 1}, x = -0.999L;
    for (int k = 1; k < POINTS; k++) {
        long double low = x, high, side = legendre(7, low) + legendre(8, low);
        do high = low += 1e-3L;
        while (side * (legendre(7, high) + legendre(8, high)) > 0);
        low -= 1e-3L;
        for (int halving = 0; halving < 70; halving++) {
            x = (low + high) / 2;
            if (side * (legendre(7, x) + legendre(8, x)) > 0) low = x;
            else high = x;
        }
        s[k] = (1 + x) / 2, x = high + 1e-6L;
    }
    for (int k = 0; k < TERMS; k++) {
        for (int i = 0; i <= k; i++) r->newton[k][i] = (double)term[i + 1];
        for (int i = POINTS - 1; i > 0 && k + 2 < POINTS; i--)
            term[i] = (i > 1 ? term[i - 1] : 0) - s[k + 1] * term[i];
    }
    for (int i = 0; i < POINTS; i++) {
        r->s[i] = (double)s[i];
        for (int j = 0; j < i; j++) r->inverse[i][j] = (double)(1 / (s[i] - s[j]));
    }
}

static inline void accumulate(double *q, double *c, double dq)
{
    double y = dq + *c, s = *q + y;
    *c = y - (s - *q), *q = s;
}

/* What a(s) adds to q and v from 0 to s: v dt s + dt^2 s^2 (a_0/2 + b_0 s/6 + b_1 s^2/12 + ...). */
static inline double moved(const double *b, double a0, double v, double s, double dt)
{
    double sum = b[6] / 72;
    sum = sum * s + b[5] / 56, sum = sum * s + b[4] / 42, sum = sum * s + b[3] / 30;
    sum = sum * s + b[2] / 20, sum = sum * s + b[1] / 12, sum = sum * s + b[0] / 6;
    return s * dt * (v + s * dt * (a0 / 2 + s * sum));
}
static inline double sped(const double *b, double a0, double s, double dt)
{
    double sum = b[6] / 8;
    for (int k = TERMS - 2; k >= 0; k--) sum = sum * s + b[k] / (k + 2);
    return s * dt * (a0 + s * sum);
}

/* One pass over the points; the largest change of b_6. */
static inline double pass(state *x, const radau *r, force F_at, int n, const double *a0, double dt,
                          double *most)
{
    double change = 0;
    for (int i = 1; i < POINTS; i++) {
        double q[2], v[2], a[2];
        for (int d = 0; d < n; d++) {
            q[d] = x->q[d] + (x->cq[d] + moved(x->b[d], a0[d], x->v[d], r->s[i], dt));
            v[d] = x->v[d] + (x->cv[d] + sped(x->b[d], a0[d], r->s[i], dt));
        }
        F_at(q, v, a);
        for (int d = 0; d < n; d++) {
            double g = (a[d] - a0[d]) * r->inverse[i][0];
            for (int j = 1; j < i; j++) g = (g - x->g[d][j - 1]) * r->inverse[i][j];
            const double more = g - x->g[d][i - 1];
            x->g[d][i - 1] = g;
            for (int k = 0; k < i; k++) x->b[d][k] += more * r->newton[i - 1][k];
            if (i == POINTS - 1) change = fmax(change, fabs(more)), *most = fmax(*most, fabs(a[d]));
        }
    }
    return change;
}

/* g from b: the highest term first. */
static inline void to_newton(state *x, const radau *r, int d)
{
    memcpy(x->g[d], x->b[d], sizeof x->g[d]);
    for (int k = TERMS - 1; k >= 0; k--)
        for (int i = 0; i < k; i++) x->g[d][i] -= x->g[d][k] * r->newton[k][i];
}

/* The next step, `ratio` times as long: b foreseen from the polynomial, and corrected by how wrong
 * that was the last time. */
static inline void foresee(state *x, const radau *r, int n, double ratio)
{
    static const double choose[TERMS][TERMS] = {{1, 2, 3, 4, 5, 6, 7},    {0, 1, 3, 6, 10, 15, 21},
                                                {0, 0, 1, 4, 10, 20, 35}, {0, 0, 0, 1, 5, 15, 35},
                                                {0, 0, 0, 0, 1, 6, 21},   {0, 0, 0, 0, 0, 1, 7},
                                                {0, 0, 0, 0, 0, 0, 1}};
    for (int d = 0; d < n; d++) {
        double power = 1;
        for (int k = 0; k < TERMS; k++) {
            double sum = 0, wrong = x->b[d][k] - x->e[d][k];
            for (int j = k; j < TERMS; j++) sum += choose[k][j] * x->b[d][j];
            power *= ratio;
            x->e[d][k] = power * sum, x->b[d][k] = x->e[d][k] + wrong;
        }
        to_newton(x, r, d);
    }
}

/* The same step again, shorter: the same polynomial. */
static inline void shorten(state *x, const radau *r, int n, double ratio)
{
    for (int d = 0; d < n; d++) {
        double power = 1;
        for (int k = 0; k < TERMS; k++) power *= ratio, x->b[d][k] *= power, x->e[d][k] *= power;
        to_newton(x, r, d);
    }
}

static inline void go(state *x, const radau *r, force F_at, int n, double epsilon, double until)
{
    double t = 0, dt = 1e-3, a0[2];
    F_at(x->q, x->v, a0);
    while (t < until) {
        double    most = 0, old = INFINITY, b6 = 0;
        const int last = t + dt * (1 + 1e-12) >= until;
        if (last) shorten(x, r, n, (until - t) / dt), dt = until - t;
        for (int k = 0; k < TRIES; k++) {
            most = 0;
            const double change = pass(x, r, F_at, n, a0, dt, &most);
            if (change <= 1e-16 * most || (k > 2 && change >= old)) break;
            old = change;
        }
        for (int d = 0; d < n; d++) b6 = fmax(b6, fabs(x->b[d][TERMS - 1]));
        const double wanted = b6 > 0 ? pow(epsilon * most / b6, 1.0 / 7) : 4;
        if (wanted < 0.25) {
            shorten(x, r, n, wanted), dt *= wanted;
            continue;
        }
        for (int d = 0; d < n; d++) {
            accumulate(&x->q[d], &x->cq[d], moved(x->b[d], a0[d], x->v[d], 1, dt));
            accumulate(&x->v[d], &x->cv[d], sped(x->b[d], a0[d], 1, dt));
        }
        if (last) return;
        t += dt, dt *= fmin(wanted, 4);
        F_at(x->q, x->v, a0);
        foresee(x, r, n, fmin(wanted, 4));
    }
}

#define LOOP(of, n)                                                                                \
    static void of##_ias15(state *x, const radau *r, double epsilon, double until)                 \
    {                                                                                              \
        state own = *x;                                                                            \
        go(&own, r, of##_force, n, epsilon, until);                                                \
        *x = own;                                                                                  \
    }
LOOP(well, 1)
LOOP(kepler, 2)
LOOP(vdp, 2)

/* Its error goes with the square of epsilon: the tolerance here is (epsilon / 1000)^2. */
static int run(const problem *p, double tolerance, double until, double *y, double *cpu)
{
    radau r;
    state x = {.q = {0}};
    if (p == &sleigh) return 0;
    radau_init(&r);
    for (int i = 0; i < p->n; i++) x.q[i] = p->start[i], x.v[i] = p->start[p->n + i];
    double begin = cpu_seconds();
    (p == &double_well                      ? well_ias15
     : p == &kepler || p == &close_orbit    ? kepler_ias15
                                            : vdp_ias15)(&x, &r, 1e3 * sqrt(tolerance), until);
    *cpu = cpu_seconds() - begin;
    for (int i = 0; i < p->n; i++) y[i] = x.q[i], y[p->n + i] = x.v[i];
    return 1;
}

const contestant *ias15(race r, int k)
{
    static const contestant one = {"IAS15 by hand", run, 0, 0};
    return r == ACCURACY && !k ? &one : NULL;
}
