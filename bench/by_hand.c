/* by_hand.c - hand-written loops, each for one problem, with everything inlined.
 *
 * They make the same map as the library: increments as unknowns, compensated summation, full Newton
 * that stops once the next correction would be below roundoff. The Gauss methods, of order 12 and
 * 8, iterate their stages to roundoff from values extrapolated from the last step; of the sleigh
 * only the two equations that need it are iterated. Accelerations between the points are integrated
 * twice exactly: that is Nystroem's method at Gauss' points, not the square of the Runge-Kutta
 * matrix that `gauss(6)` is. Both are symplectic, of order 12, and cost the same, but its error in
 * the double well is a twentieth, so that longer steps suffice. */
#include "forces.h"
#include "problem.h"

#include <string.h>

typedef void force(const double *q, const double *v, double *F);
typedef void slopes(const double *q, const double *v, double *Fq, double *Fv);

typedef struct {
    double q[2], v[2], cq[2], cv[2], last[3][2]; /* last: increments of the steps before */
    int    known;
} state;

static inline void accumulate(double *q, double *c, double dq)
{
    double y = dq + *c, s = *q + y;
    *c = y - (s - *q), *q = s;
}

/* Midpoint: v_0 - z/h + (h/2) F(q + z/2, z/h) = 0, then v_1 = z/h + (h/2) F. ------------------- */

static inline void midpoint(state *s, force F_at, slopes F_slopes, int n, double h)
{
    double z[2], F[2], Fq[4], Fv[4], qm[2], v[2], r[2], J[4], d[2], size;
    for (int i = 0; i < n; i++) {
        const double a = s->last[0][i], b = s->last[1][i], c = s->last[2][i];
        z[i] = s->known > 2   ? 3 * (a - b) + c
               : s->known > 1 ? 2 * a - b
               : s->known     ? a
                              : h * s->v[i];
    }
    for (int iteration = 0; iteration < 20; iteration++) {
        for (int i = 0; i < n; i++) qm[i] = s->q[i] + z[i] / 2, v[i] = z[i] / h;
        F_at(qm, v, F), F_slopes(qm, v, Fq, Fv);
        for (int i = 0; i < n; i++) {
            r[i] = s->v[i] - v[i] + h / 2 * F[i];
            for (int j = 0; j < n; j++)
                J[i * n + j] = h / 4 * Fq[i * n + j] + Fv[i * n + j] / 2 - (i == j ? 1 / h : 0);
        }
        if (n == 1) d[0] = r[0] / J[0];
        else {
            double det = 1 / (J[0] * J[3] - J[1] * J[2]);
            d[0] = (r[0] * J[3] - r[1] * J[1]) * det, d[1] = (J[0] * r[1] - J[2] * r[0]) * det;
        }
        size = 0;
        for (int i = 0; i < n; i++) z[i] -= d[i], size = fmax(size, fabs(d[i]));
        if (size < 1e-9) break; /* the next correction is its square */
    }
    for (int i = 0; i < n; i++) qm[i] = s->q[i] + z[i] / 2, v[i] = z[i] / h;
    F_at(qm, v, F);
    for (int i = 0; i < n; i++) {
        accumulate(&s->v[i], &s->cv[i], v[i] + h / 2 * F[i] - s->v[i]);
        accumulate(&s->q[i], &s->cq[i], z[i]);
        s->last[2][i] = s->last[1][i], s->last[1][i] = s->last[0][i], s->last[0][i] = z[i];
    }
    s->known++;
}

/* Verlet, with the force carried over. --------------------------------------------------------- */

static inline void verlet(state *s, force F_at, slopes unused, int n, double h)
{
    (void)unused;
    double F[2], *F0 = s->last[0];
    if (!s->known) F_at(s->q, s->v, F0), s->known = 1;
    for (int i = 0; i < n; i++) accumulate(&s->q[i], &s->cq[i], h * (s->v[i] + h / 2 * F0[i]));
    F_at(s->q, s->v, F);
    for (int i = 0; i < n; i++)
        accumulate(&s->v[i], &s->cv[i], h / 2 * (F0[i] + F[i])), F0[i] = F[i];
}

#define LOOP(name, method, of, n)                                                                  \
    static void name(state *s, double h, long steps)                                               \
    {                                                                                              \
        state own = *s;                                                                            \
        for (long k = 0; k < steps; k++) method(&own, of##_force, of##_slopes, n, h);              \
        *s = own;                                                                                  \
    }
LOOP(well_midpoint, midpoint, well, 1)
LOOP(kepler_midpoint, midpoint, kepler, 2)
LOOP(vdp_midpoint, midpoint, vdp, 2)
LOOP(well_verlet, verlet, well, 1)
LOOP(kepler_verlet, verlet, kepler, 2)

typedef void loop(state *s, double h, long steps);

static int run_loop(loop *l, const problem *p, double h, double until, double *y, double *cpu)
{
    state s = {.known = 0};
    long  steps = whole_steps(h, until);
    if (!l) return 0;
    for (int i = 0; i < p->n; i++) s.q[i] = p->start[i], s.v[i] = p->start[p->n + i];
    double begin = cpu_seconds();
    l(&s, until / (double)steps, steps);
    *cpu = cpu_seconds() - begin;
    for (int i = 0; i < p->n; i++) y[i] = s.q[i], y[p->n + i] = s.v[i];
    return 1;
}

static int run_midpoint(const problem *p, double h, double until, double *y, double *cpu)
{
    loop *l = p == &double_well   ? well_midpoint
              : p == &kepler      ? kepler_midpoint
              : p == &van_der_pol ? vdp_midpoint
                                  : NULL;
    return run_loop(l, p, h, until, y, cpu);
}

static int run_verlet(const problem *p, double h, double until, double *y, double *cpu)
{
    return run_loop(p == &double_well ? well_verlet
                    : p == &kepler    ? kepler_verlet
                                      : NULL,
                    p, h, until, y, cpu);
}

/* Gauss methods. ------------------------------------------------------------------------------- */

enum { STAGES = 8 };
typedef struct {
    int    s;
    double c[STAGES], b[STAGES], A[STAGES][STAGES], A2[STAGES][STAGES], bc[STAGES],
        E[STAGES][STAGES];
} gauss;

static long double lagrange(const long double *c, int s, int j, long double x)
{
    long double l = 1;
    for (int k = 0; k < s; k++)
        if (k != j) l *= (x - c[k]) / (c[j] - c[k]);
    return l;
}

/* Nodes are zeros of the Legendre polynomial, by Newton; integrals of the Lagrange polynomials by
 * the rule itself. */
static void gauss_init(gauss *g, int s)
{
    long double c[STAGES], w[STAGES];
    for (int k = 0; k < s; k++) {
        long double x = cosl(3.14159265358979323846264338L * (k + 0.75L) / (s + 0.5L)), p0, p1,
                    d = 1;
        for (int it = 0; it < 40; it++) {
            p0 = 1, p1 = x;
            for (int m = 2; m <= s; m++) {
                long double p2 = ((2 * m - 1) * x * p1 - (m - 1) * p0) / m;
                p0 = p1, p1 = p2;
            }
            d = s * (x * p1 - p0) / (x * x - 1), x -= p1 / d;
        }
        c[s - 1 - k] = (1 + x) / 2, w[s - 1 - k] = 1 / ((1 - x * x) * d * d);
    }
    g->s = s;
    for (int i = 0; i < s; i++) {
        g->c[i] = (double)c[i], g->b[i] = (double)w[i], g->bc[i] = (double)(w[i] * (1 - c[i]));
        for (int j = 0; j < s; j++) {
            long double a = 0, a2 = 0;
            for (int k = 0; k < s; k++) {
                a += c[i] * w[k] * lagrange(c, s, j, c[i] * c[k]);
                a2 += c[i] * c[i] * w[k] * (1 - c[k]) * lagrange(c, s, j, c[i] * c[k]);
            }
            g->A[i][j] = (double)a, g->A2[i][j] = (double)a2,
            g->E[i][j] = (double)lagrange(c, s, j, 1 + c[i]);
        }
    }
}

/* a_i = F(q + h c_i v + h^2 (A^2 a)_i, v + h (A a)_i), stage by stage with what is newest. */
static inline void gauss_step(state *x, const gauss *g, double a[][STAGES], force F_at, int s,
                              int n, double h)
{
    double old = INFINITY;
    for (int iteration = 0; iteration < 60; iteration++) {
        double change = 0, size = 0;
        for (int i = 0; i < s; i++) {
            double q[2], v[2], F[2];
            for (int d = 0; d < n; d++) {
                double dv = 0, dq = 0;
                for (int j = 0; j < s; j++) dv += g->A[i][j] * a[d][j], dq += g->A2[i][j] * a[d][j];
                q[d] = x->q[d] + h * (g->c[i] * x->v[d] + h * dq), v[d] = x->v[d] + h * dv;
            }
            F_at(q, v, F);
            for (int d = 0; d < n; d++) {
                change = fmax(change, fabs(F[d] - a[d][i])), size = fmax(size, fabs(F[d]));
                a[d][i] = F[d];
            }
        }
        if (change <= 1e-15 * size || (change >= old && change < 1e-12 * size)) break;
        old = change;
    }
    for (int d = 0; d < n; d++) {
        double dv = 0, dq = 0;
        for (int j = 0; j < s; j++) dv += g->b[j] * a[d][j], dq += g->bc[j] * a[d][j];
        accumulate(&x->q[d], &x->cq[d], h * (x->v[d] + h * dq));
        accumulate(&x->v[d], &x->cv[d], h * dv);
    }
}

static inline void extrapolate(const gauss *g, double *a, int s)
{
    double next[STAGES];
    for (int i = 0; i < s; i++) {
        next[i] = 0;
        for (int j = 0; j < s; j++) next[i] += g->E[i][j] * a[j];
    }
    memcpy(a, next, (size_t)s * sizeof *a);
}

#define GAUSS_LOOP(name, of, s, n)                                                                 \
    static void name(state *x, const gauss *g, double h, long steps)                               \
    {                                                                                              \
        double a[2][STAGES], F[2];                                                                 \
        of##_force(x->q, x->v, F);                                                                 \
        for (int d = 0; d < n; d++)                                                                \
            for (int j = 0; j < s; j++) a[d][j] = F[d];                                            \
        for (long k = 0; k < steps; k++) {                                                         \
            gauss_step(x, g, a, of##_force, s, n, h);                                              \
            for (int d = 0; d < n; d++) extrapolate(g, a[d], s);                                   \
        }                                                                                          \
    }
GAUSS_LOOP(well_gauss6, well, 6, 1)
GAUSS_LOOP(kepler_gauss6, kepler, 6, 2)
GAUSS_LOOP(vdp_gauss6, vdp, 6, 2)
GAUSS_LOOP(well_gauss8, well, 8, 1)
GAUSS_LOOP(vdp_gauss8, vdp, 8, 2)

typedef void gauss_loop(state *x, const gauss *g, double h, long steps);

/* The sleigh: u' = 0.3 w^2, w' = -(0.3/0.49) u w by iteration, then th, x, y as integrals. */
static inline void sleigh_step(double *y, const gauss *g, double a[2][STAGES], int s, double h)
{
    double u[STAGES], w[STAGES], old = INFINITY, th[STAGES];
    for (int iteration = 0; iteration < 60; iteration++) {
        double change = 0;
        for (int i = 0; i < s; i++) {
            u[i] = w[i] = 0;
            for (int j = 0; j < s; j++) u[i] += g->A[i][j] * a[0][j], w[i] += g->A[i][j] * a[1][j];
            u[i] = y[3] + h * u[i], w[i] = y[4] + h * w[i];
            double du = 0.3 * w[i] * w[i], dw = -0.3 / 0.49 * u[i] * w[i];
            change = fmax(change, fmax(fabs(du - a[0][i]), fabs(dw - a[1][i])));
            a[0][i] = du, a[1][i] = dw;
        }
        if (change <= 1e-16 || (change >= old && change < 1e-12)) break;
        old = change;
    }
    for (int i = 0; i < s; i++) {
        th[i] = y[2];
        for (int j = 0; j < s; j++) th[i] += h * g->A[i][j] * w[j];
    }
    for (int j = 0; j < s; j++) {
        y[0] += h * g->b[j] * u[j] * cos(th[j]), y[1] += h * g->b[j] * u[j] * sin(th[j]);
        y[2] += h * g->b[j] * w[j], y[3] += h * g->b[j] * a[0][j], y[4] += h * g->b[j] * a[1][j];
    }
}

static void sleigh_loop(double *y, const gauss *g, double h, long steps)
{
    double a[2][STAGES];
    for (int j = 0; j < 4; j++) a[0][j] = 0.3 * y[4] * y[4], a[1][j] = -0.3 / 0.49 * y[3] * y[4];
    for (long k = 0; k < steps; k++) {
        sleigh_step(y, g, a, 4, h);
        extrapolate(g, a[0], 4), extrapolate(g, a[1], 4);
    }
}

static int run_gauss_loop(gauss_loop *l, int s, const problem *p, double h, double until, double *y,
                          double *cpu)
{
    gauss g;
    state x = {.known = 0};
    long  steps = whole_steps(h, until);
    gauss_init(&g, s);
    for (int i = 0; i < p->n && l; i++) x.q[i] = p->start[i], x.v[i] = p->start[p->n + i];
    memcpy(y, p->start, (size_t)p->size * sizeof *y);
    double begin = cpu_seconds();
    if (l) l(&x, &g, until / (double)steps, steps);
    else sleigh_loop(y, &g, until / (double)steps, steps);
    *cpu = cpu_seconds() - begin;
    for (int i = 0; i < p->n && l; i++) y[i] = x.q[i], y[p->n + i] = x.v[i];
    return 1;
}

static int run_gauss(const problem *p, double h, double until, double *y, double *cpu)
{
    if (p == &sleigh) return run_gauss_loop(NULL, 4, p, h, until, y, cpu);
    return run_gauss_loop(p == &double_well ? well_gauss6
                          : p == &kepler    ? kepler_gauss6
                                            : vdp_gauss6,
                          6, p, h, until, y, cpu);
}

void reference(const problem *p, double *y)
{
    double unused;
    if (p->periods) memcpy(y, p->start, (size_t)p->size * sizeof *y);
    else if (p == &sleigh) run_gauss_loop(NULL, 4, p, 0.01, p->until, y, &unused);
    else
        run_gauss_loop(p == &double_well ? well_gauss8 : vdp_gauss8, 8, p, 0.05, p->until, y,
                       &unused);
}

const contestant *by_hand(race r, int k)
{
    static const contestant all[RACES] = {
        [MIDPOINT_STEPS] = {"by hand", run_midpoint, 1, 0},
        [VERLET_STEPS] = {"by hand", run_verlet, 1, 0},
        [ACCURACY] = {"Gauss by hand", run_gauss, 1, 0},
    };
    return k ? NULL : &all[r];
}
