/* measured_order.h - the order that a scheme shows on a nonlinear, forced, time-dependent problem
 * whose mass matrix varies. The exact solution comes from an extrapolation code in long double, on
 * equations of motion that were derived by hand. */
#ifndef CLAIMS_MEASURED_ORDER_H
#define CLAIMS_MEASURED_ORDER_H

#define DOFS_MOST 2
#include "claims.h"
#include "extrapolation.h"

/* x'' and y'', y = (x, y, x', y') */
static inline void rates(const void *self, real t, const real *y, real *dy)
{
    const double *c = self;
    real a = 1 + c[4] * sinl(t), da = c[4] * cosl(t), m = c[0], B = c[1], k = c[2], d = c[3],
         s = 1 + y[1] * y[1];
    dy[0] = y[2], dy[1] = y[3];
    dy[2] = (3 * B * y[0] * y[3] - y[0] * y[0] * y[0] - y[1] - d * s * y[2] - da * s * y[2] -
             2 * a * y[1] * y[3] * y[2]) /
            (a * s);
    dy[3] = (a * y[1] * y[2] * y[2] - 3 * B * y[0] * y[2] - k * y[1] - y[0] - d * y[3] +
             d * cosl(2 * t)) /
            m;
}

/* q and p at t, from the k-th start */
static inline void solve(int k, double until, double *q, double *p)
{
    enum { KNOWN = 40 };
    static struct {
        double until, q[CLAIM_STARTS][2], p[CLAIM_STARTS][2];
        bool   is[CLAIM_STARTS];
    } known[KNOWN];
    const claim_state from = claim_start(k);
    int               at = 0;
    while (known[at].until != 0 && known[at].until != until) at++;
    assert_true(at < KNOWN);
    known[at].until = until;
    if (!known[at].is[k]) {
        double v[2];
        real   y[4] = {from.q[0], from.q[1], from.v[0], from.v[1]};
        extrapolate(rates, claim_c, 4, from.t, (real)from.t + until, 12, y);
        for (int i = 0; i < 2; i++) known[at].q[k][i] = (double)y[i], v[i] = (double)y[2 + i];
        claim_momentum(from.t + until, known[at].q[k], v, known[at].p[k]);
        known[at].is[k] = true;
    }
    memcpy(q, known[at].q[k], sizeof known[at].q[k]),
        memcpy(p, known[at].p[k], sizeof known[at].p[k]);
}

/* Geometric means over the starts, so that each counts alike, of the errors in q and p after some
 * steps of size h; NaN if one cannot be solved. */
static inline void errors(const char *words, double h, int steps, int starts, double *eq,
                          double *ep)
{
    jet_system s;
    bench      b;
    double     until = steps > 1 ? 1.5 : h;
    *eq = *ep = 0;
    bench_open(&b, jet_system_init(&s, &claim_forced, claim_c, COUNT(claim_c)), words, NULL, NULL);
    for (int k = 0; k < starts; k++) {
        const claim_state from = claim_start(k);
        double            q[2], p[2];
        stepper_set(b.st, from.t, from.q, from.p, from.v);
        for (int i = 0; i < steps; i++)
            if (stepper_step(b.st, from.t + i * h, h, &b.why)) *eq = *ep = NAN;
        solve(k, until, q, p);
        double eq1 = distance(stepper_q(b.st), q, 2) + 1e-17,
               ep1 = distance(stepper_p(b.st), p, 2) + 1e-17;
        if (steps == 1) eq1 = ep1 = hypot(eq1, ep1);
        *eq += log(eq1) / starts;
        *ep += log(ep1) / starts;
    }
    *eq = exp(*eq), *ep = exp(*ep);
    bench_close(&b);
}

typedef struct {
    int    count;
    double h[32], eq[32], ep[32];
} series;

/* r of a + r log h + c h^2, fitted to log error through the finest points by least squares: at high
 * order the steps that roundoff leaves are large, and c h^2 is their first correction. Two points
 * only: without it. */
static inline double slope(const series *s, const double *error, int finest)
{
    int    first = s->count > finest ? s->count - finest : 0, terms = finest > 2 ? 3 : 2;
    double a[3][4] = {{0}};
    if (s->count - first < terms) return (double)NAN;
    for (int i = first; i < s->count; i++) {
        double row[4] = {1, log(s->h[i]), s->h[i] * s->h[i], log(error[i])};
        if (terms == 2) row[2] = row[3];
        for (int k = 0; k < terms; k++)
            for (int l = 0; l <= terms; l++) a[k][l] += row[k] * row[l];
    }
    for (int k = 0; k < terms; k++) /* Gauss and Jordan; the matrix is positive definite */
        for (int l = 0; l < terms; l++) {
            double by = a[l][k] / a[k][k];
            for (int c = k; l != k && c <= terms; c++) a[l][c] -= by * a[k][c];
        }
    return a[1][terms] / a[1][1];
}

/* Adds a point; false when it has reached roundoff, and is of no use. */
static inline bool add_point(series *s, const char *words, double h, int steps, int starts,
                             double least, double most)
{
    double eq, ep;
    errors(words, h, steps, starts, &eq, &ep);
    if (getenv("DAL_SHOW")) print_message("   h = %.3f: %.1e %.1e\n", h, eq, ep);
    if (eq < least || ep < least) return false;
    if (eq < most && ep < most) s->h[s->count] = h, s->eq[s->count] = eq, s->ep[s->count++] = ep;
    return true;
}

static inline void expect_order(const char *words, const series *s, int finest, double least,
                                double most)
{
    double of_q = slope(s, s->eq, finest), of_p = slope(s, s->ep, finest);
    if (getenv("DAL_SHOW"))
        print_message("%s: %.2f in q, %.2f in p; at least %.2f\n", words, of_q, of_p, least);
    if (fmin(of_q, of_p) >= least && fmax(of_q, of_p) <= most) return;
    print_error("%s: the errors fall like h^%.3f in q and h^%.3f in p, not at least like h^%.2f\n",
                words, of_q, of_p, least);
    fail();
}

/* Global errors over a fixed time, down to small steps: h^r. */
static inline void expect_global_order(const char *words, const scheme *sch)
{
    static const int steps[] = {6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256, 512};
    series           s = {0};
    for (int i = 0; i < COUNT(steps) &&
                    (s.count < (sch->substeps > 1 ? 6 : 4) || (sch->order == 1 && s.count < 8));
         i++)
        if (!add_point(&s, words, 1.5 / steps[i], steps[i], 6, 1e-12, 3e-3)) break;
    expect_order(words, &s, 2, sch->order - 0.15, sch->order + 0.3);
}

/* High orders reach roundoff before steps are small: local errors of one large step, h^(r+1), over
 * many starts. Beyond order 8 double precision shows no more than which order it is: the next lower
 * one of a symmetric scheme is two below. */
static inline void expect_local_order(const char *words, const scheme *sch)
{
    series s = {0};
    double h = 1.4, slack = sch->order > 8 ? 0.65 : sch->substeps > 1 ? 0.3 : 0.15;
    int    starts = sch->substeps > 1 ? 48 : CLAIM_STARTS;
    for (; h > 0.1 && s.count < 30; h *= 0.9)
        if (!add_point(&s, words, h, 1, starts, sch->substeps > 1 ? 5e-13 : 5e-14, 1e-5)) break;
    expect_order(words, &s, 8, sch->order + 1 - slack, sch->order + 1 + 0.6);
}

static inline void order_is_as_claimed(const char *words, const scheme *sch)
{
    if (sch->order > 6) expect_local_order(words, sch);
    else expect_global_order(words, sch);
}

#endif
