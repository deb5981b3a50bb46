/* stages_by_hand.c - Gauss' methods for q'' = F(q) as a loop by hand: stages from forces and forces
 * from stages, from extrapolated forces, until what the ratio of changes predicts to be left is
 * below roundoff; sums are compensated. And Verlet's steps, alone or composed. */
#include "bench.h"
#include "stages.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { STAGES = 4, PAST = 4 };

struct hand {
    layout  of;
    int     n, side, stages, known;
    double  h, c[STAGES], b[STAGES], A[STAGES][STAGES], B[STAGES];
    double *q, *q_low, *p, *p_low, *Q[STAGES], *F[STAGES], *past[PAST][STAGES];
};

/* Tables. -------------------------------------------------------------------------------------- */

/* Legendre's polynomial on [0, 1] and its derivative. */
static double legendre(int s, double x, double *slope)
{
    double a = 1, b = 2 * x - 1;
    for (int k = 1; k < s; k++) {
        const double next = ((2 * k + 1) * (2 * x - 1) * b - k * a) / (k + 1);
        a = b, b = next;
    }
    *slope = 2 * s * ((2 * x - 1) * b - a) / ((2 * x - 1) * (2 * x - 1) - 1);
    return b;
}

static void find_points(hand *x)
{
    const int s = x->stages;
    for (int i = 0; i < s; i++) {
        double c = 0.5 - 0.5 * cos(acos(-1) * (i + 0.75) / (s + 0.5)), slope = 1;
        for (int k = 0; k < 20; k++) c -= legendre(s, c, &slope) / slope;
        x->c[i] = c, x->b[i] = 1 / (c * (1 - c) * slope * slope);
    }
}

/*     l_k(t) on the points */
static double lagrange(const hand *x, int k, double t)
{
    double l = 1;
    for (int j = 0; j < x->stages; j++)
        if (j != k) l *= (t - x->c[j]) / (x->c[k] - x->c[j]);
    return l;
}

/*     a_ik = int_0^c_i l_k(t) dt, by Gauss' rule of four points,   A = a a,   B = b a */
static void find_tables(hand *x)
{
    static const double g[] = {0.069431844202973712388, 0.330009478207571867599,
                               0.669990521792428132401, 0.930568155797026287612};
    static const double w[] = {0.173927422568726928687, 0.326072577431273071313,
                               0.326072577431273071313, 0.173927422568726928687};
    double              a[STAGES][STAGES] = {{0}};
    find_points(x);
    for (int i = 0; i < x->stages; i++)
        for (int k = 0; k < x->stages; k++)
            for (int j = 0; j < 4; j++) a[i][k] += x->c[i] * w[j] * lagrange(x, k, x->c[i] * g[j]);
    for (int k = 0; k < x->stages; k++) {
        x->B[k] = x->b[k] * (1 - x->c[k]);
        for (int i = 0; i < x->stages; i++)
            for (int j = 0; j < x->stages; j++) x->A[i][k] += a[i][j] * a[j][k];
    }
}

/* Forces. -------------------------------------------------------------------------------------- */

static inline double pull(double d)
{
    return d + d * d * d;
}

static void chain_forces(int n, const double *restrict q, double *restrict F)
{
    F[0] = pull(q[1] - q[0]) - q[0], F[n - 1] = -pull(q[n - 1] - q[n - 2]) - q[n - 1];
    for (int i = 1; i < n - 1; i++) F[i] = pull(q[i + 1] - q[i]) - pull(q[i] - q[i - 1]);
}

/* Four atoms a cell; between cells springs are linear, and the first is held. */
static void cell_forces(int n, const double *restrict q, double *restrict F)
{
    for (int i = 0; i < n; i += 4) {
        const double a = pull(q[i + 1] - q[i]), b = pull(q[i + 2] - q[i + 1]),
                     c = pull(q[i + 3] - q[i + 2]);
        const double left = i ? q[i] - q[i - 1] : q[0], right = i + 4 < n ? q[i + 4] - q[i + 3] : 0;
        F[i] = a - left, F[i + 1] = b - a, F[i + 2] = c - b, F[i + 3] = right - c;
    }
}

static void lattice_forces(int m, const double *restrict q, double *restrict F)
{
    for (int i = 0; i < m; i++) {
        const double *restrict x = q + i * m, *restrict up = i + 1 < m ? x + m : x,
                               *restrict down = i ? x - m : x;
        double *restrict f = F + i * m;
        f[0] = pull(x[1] - x[0]), f[m - 1] = -pull(x[m - 1] - x[m - 2]);
        for (int j = 1; j < m - 1; j++) f[j] = pull(x[j + 1] - x[j]) - pull(x[j] - x[j - 1]);
        for (int j = 0; j < m; j++) f[j] += pull(up[j] - x[j]) - pull(x[j] - down[j]) - x[j] / 10;
    }
}

static void forces(const hand *x, const double *q, double *F)
{
    if (x->of == CHAIN) chain_forces(x->n, q, F);
    else if (x->of == CELLS) cell_forces(x->n, q, F);
    else lattice_forces(x->side, q, F);
}

/* Steps. --------------------------------------------------------------------------------------- */

static inline void accumulate(double *q, double *low, double by)
{
    const double y = by + *low, s = *q + y;
    *low = y - (s - *q), *q = s;
}

/* Stages from forces: the largest change; size: of the largest stage. */
static inline double next_stages(hand *x, const int s, double *size)
{
    double most[8] = {0}, large[8] = {0}, change = 0;
    for (int i = 0; i < s; i++) {
        const double c = x->c[i] * x->h, *restrict q = x->q, *restrict low = x->q_low,
                     *restrict p = x->p;
        double *restrict Q = x->Q[i], a[STAGES];
        for (int k = 0; k < s; k++) a[k] = x->h * x->h * x->A[i][k];
        for (int j = 0; j + 8 <= x->n; j += 8)
            for (int l = 0; l < 8; l++) {
                double z = low[j + l] + c * p[j + l];
                for (int k = 0; k < s; k++) z += a[k] * x->F[k][j + l];
                const double to = q[j + l] + z, moved = fabs(to - Q[j + l]);
                Q[j + l] = to;
                most[l] = moved > most[l] ? moved : most[l];
                large[l] = fabs(z) > large[l] ? fabs(z) : large[l];
            }
    }
    *size = 0;
    for (int l = 0; l < 8; l++) change = fmax(change, most[l]), *size = fmax(*size, large[l]);
    return change;
}

static void predict(hand *x, int s)
{
    for (int i = 0; i < s; i++) {
        const double *a = x->past[0][i], *b = x->past[1][i], *c = x->past[2][i], *d = x->past[3][i];
        double *restrict F = x->F[i];
        if (x->known < PAST) forces(x, x->q, F);
        else
            for (int j = 0; j < x->n; j++) F[j] = 4 * (a[j] + c[j]) - 6 * b[j] - d[j];
    }
}

static void remember(hand *x, int s)
{
    for (int i = 0; i < s; i++) {
        double *oldest = x->past[PAST - 1][i];
        for (int k = PAST - 1; k > 0; k--) x->past[k][i] = x->past[k - 1][i];
        x->past[0][i] = x->F[i], x->F[i] = oldest;
    }
    x->known++;
}

static inline void gauss(hand *x, const int s)
{
    double before = HUGE_VAL, size;
    predict(x, s);
    next_stages(x, s, &size);
    for (int it = 0; it < 60; it++) {
        for (int i = 0; i < s; i++) forces(x, x->Q[i], x->F[i]);
        const double now = next_stages(x, s, &size);
        if (now <= DBL_EPSILON * size ||
            (it && now < before / 2 && now / before * now <= DBL_EPSILON / 16 * size))
            break;
        if (it > 3 && now > before / 4 && now <= 64 * DBL_EPSILON * size) break;
        before = now;
    }
    for (int i = 0; i < s; i++) forces(x, x->Q[i], x->F[i]);
    for (int j = 0; j < x->n; j++) {
        double dq = x->h * x->p[j], dp = 0;
        for (int k = 0; k < s; k++) {
            dq += x->h * x->h * x->B[k] * x->F[k][j];
            dp += x->h * x->b[k] * x->F[k][j];
        }
        accumulate(&x->q[j], &x->q_low[j], dq), accumulate(&x->p[j], &x->p_low[j], dp);
    }
    remember(x, s);
}

/* Kicks by h/2 F, which the next step begins with. */
static void verlet(hand *x, double h)
{
    double *restrict q = x->q, *restrict p = x->p, *restrict F = x->F[0];
    double *restrict q_low = x->q_low, *restrict p_low = x->p_low;
    if (!x->known) forces(x, q, F), x->known = 1;
    for (int j = 0; j < x->n; j++) {
        accumulate(&p[j], &p_low[j], h / 2 * F[j]);
        accumulate(&q[j], &q_low[j], h * p[j]);
    }
    forces(x, q, F);
    for (int j = 0; j < x->n; j++) accumulate(&p[j], &p_low[j], h / 2 * F[j]);
}

static void step(hand *x)
{
    const double r = cbrt(2), outer = 1 / (2 - r);
    switch (x->stages) {
    case 1: gauss(x, 1); break;
    case 2: gauss(x, 2); break;
    case 3: gauss(x, 3); break;
    case 4: gauss(x, 4); break;
    case 0: verlet(x, outer * x->h), verlet(x, -r * outer * x->h), verlet(x, outer * x->h); break;
    default: verlet(x, x->h);
    }
}

/* A run. --------------------------------------------------------------------------------------- */

static double *room(int n)
{
    double *x = calloc((size_t)n + 8, sizeof *x);
    if (!x) exit(1);
    return x;
}

static double start_of(const hand *x, int j)
{
    if (x->of == CHAIN) return 0.3 * sin(0.37 * (j + 1));
    if (x->of == CELLS) return j % 4 ? 0 : 0.3 * sin(0.37 * (j / 4 + 1));
    return 0.3 * sin(0.37 * (j / x->side + 1)) * cos(0.21 * (j % x->side + 1));
}

hand *hand_new(layout of, int n, int stages, double h)
{
    hand *x = calloc(1, sizeof *x);
    if (!x) exit(1);
    *x = (hand){.of = of, .n = of == LATTICE ? n * n : n, .side = n, .stages = stages, .h = h};
    if (stages > 0) find_tables(x);
    double **all[] = {&x->q, &x->q_low, &x->p, &x->p_low};
    for (int k = 0; k < 4; k++) *all[k] = room(x->n);
    for (int i = 0; i < STAGES; i++) {
        x->Q[i] = room(x->n), x->F[i] = room(x->n);
        for (int k = 0; k < PAST; k++) x->past[k][i] = room(x->n);
    }
    for (int j = 0; j < x->n; j++) x->q[j] = start_of(x, j);
    return x;
}

double hand_advance(hand *x, long steps)
{
    const double begin = seconds();
    for (long k = 0; k < steps; k++) step(x);
    return seconds() - begin;
}

const double *hand_positions(const hand *x)
{
    return x->q;
}

void hand_free(hand *x)
{
    free(x->q), free(x->q_low), free(x->p), free(x->p_low);
    for (int i = 0; i < STAGES; i++) {
        free(x->Q[i]), free(x->F[i]);
        for (int k = 0; k < PAST; k++) free(x->past[k][i]);
    }
    free(x);
}
