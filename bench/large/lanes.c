/* lanes.c - what an expert could do for the implicit problems: eight stretches of the chain side by
 * side in the lanes of vectors, joined by Wang's partition.
 *
 * Site i = lane*m + j stands at [j][lane]; eight lanes are two vectors of four, which are worked on
 * by turns. One pass down eliminates in every lane, given the last unknown L of the lane before and
 * the first one R of the lane behind, d_j = D_j + s_j L + c_j d_{j+1},    d_0 = alpha + beta L +
 * gamma R; the ends of the lanes are solved for one after the other; one pass up has the rest. s
 * and gamma are products of numbers below 1 and are carried only while they are not negligible
 * (`head` sites). */
#include "../bench.h"
#include "large.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 8, HALVES = 2 };
typedef double    four __attribute__((vector_size(32)));
typedef long long bits __attribute__((vector_size(32)));
typedef union {
    four   half[HALVES];
    double lane[LANES];
} row;

static const double NEGLIGIBLE = 1e-30;
static const row    ONE = {.lane = {1, 1, 1, 1, 1, 1, 1, 1}}, NONE = {.lane = {0}};

typedef struct {
    event e;
    int   n, m, rest; /* sites, sites of a lane, of them in the last lane */
    row  *x, *p, *z, *c, *D, *s, *w, *g,
        *past[3]; /* one row before, one behind: neighbours in other lanes */
    int  head;
    row  beta, gamma, c_end, s_end;
    long k, steps, iterations;
} wide;

static row *rows(int m)
{
    row *x = aligned_alloc(sizeof(row), (size_t)(m + 2) * sizeof(row));
    if (!x) exit(1);
    memset(x, 0, (size_t)(m + 2) * sizeof(row));
    return x + 1;
}

static double largest(const row *v)
{
    double most = 0;
    for (int l = 0; l < LANES; l++) most = fmax(most, fabs(v->lane[l]));
    return most;
}

/* The larger of a >= 0 and |b|. */
static inline four larger(four a, four b)
{
    const bits sign = (bits)(four){-0.0, -0.0, -0.0, -0.0}, size = (bits)b & ~sign,
               over = (four)size > a;
    return (four)((size & over) | ((bits)a & ~over));
}

/* What the neighbours in the lanes beside hold. */
static void exchange(row *x, int m)
{
    for (int l = 0; l < LANES; l++) {
        x[-1].lane[l] = l ? x[m - 1].lane[l - 1] : 0;
        x[m].lane[l] = l + 1 < LANES ? x[0].lane[l + 1] : 0;
    }
}

/* First_l = alpha + beta Last_{l-1} + gamma First_{l+1},  Last_l = D + s Last_{l-1} + c
 * First_{l+1}; L and R are those of the lanes beside. */
static void join(const row *alpha, const row *beta, const row *gamma, const row *D, const row *s,
                 const row *c, row *L, row *R)
{
    double A[LANES], G[LANES], e[LANES + 1] = {0}, f[LANES + 1] = {0}, first = 0;
    for (int l = 0; l < LANES; l++) { /* Last_{l-1} = e + f First_l */
        double scale = 1 / (1 - beta->lane[l] * f[l]);
        A[l] = (alpha->lane[l] + beta->lane[l] * e[l]) * scale, G[l] = gamma->lane[l] * scale;
        e[l + 1] = D->lane[l] + s->lane[l] * (e[l] + f[l] * A[l]),
              f[l + 1] = c->lane[l] + s->lane[l] * f[l] * G[l];
    }
    for (int l = LANES - 1; l >= 0; l--) {
        R->lane[l] = first;
        first = A[l] + G[l] * first;
        L->lane[l] = e[l] + f[l] * first;
    }
}

/* The chain of springs. ------------------------------------------------------------------------ */

typedef struct {
    row left, soft, below, above, D, s, alpha, beta, gamma; /* of the site before */
} carry;

static inline four middle_stretch(const wide *w, int j, int i) /* of the spring behind site j */
{
    return (w->x[j + 1].half[i] - w->x[j].half[i]) + (w->z[j + 1].half[i] - w->z[j].half[i]) * 0.5;
}

/* A site of every lane: `ahead` is 1 where a spring follows it. */
static inline void down(wide *w, int j, const row *mass, const row *ahead, carry *a, int with_spike)
{
    const double h = H_SPRINGS;
    for (int i = 0; i < HALVES; i++) {
        const four d = middle_stretch(w, j, i) * ahead->half[i], d2 = d * d,
                   below = a->below.half[i];
        const four right = d + d2 * d, stiff = (1 + 3 * d2) * ahead->half[i],
                   inertia = mass->half[i] * (1 / h);
        const four r =
            w->p[j].half[i] - w->z[j].half[i] * inertia + h / 2 * (right - a->left.half[i]);
        const four pivot =
            1 / (inertia + h / 4 * (stiff + a->soft.half[i]) - below * a->above.half[i]);
        a->D.half[i] = (r + below * a->D.half[i]) * pivot;
        if (with_spike) a->s.half[i] = w->s[j].half[i] = below * a->s.half[i] * pivot;
        a->left.half[i] = right, a->soft.half[i] = stiff;
        a->below.half[i] = h / 4 * stiff, a->above.half[i] = a->below.half[i] * pivot;
        if (with_spike) {
            a->alpha.half[i] += a->gamma.half[i] * a->D.half[i],
                a->beta.half[i] += a->gamma.half[i] * a->s.half[i];
            a->gamma.half[i] *= a->above.half[i];
        }
        w->D[j].half[i] = a->D.half[i], w->c[j].half[i] = a->above.half[i];
    }
}

static carry eliminate(wide *w)
{
    const int last = w->rest - 1;
    row       first = ONE, end = ONE, open = ONE;
    carry     a = {.s = ONE, .gamma = ONE};
    first.lane[0] = 0.5, end.lane[LANES - 1] = 0.5, open.lane[LANES - 1] = 0;
    for (int i = 0; i < HALVES; i++) {
        const four d = middle_stretch(w, -1, i);
        a.left.half[i] = d + d * d * d, a.soft.half[i] = 1 + 3 * d * d;
    }
    a.left.lane[0] = a.soft.lane[0] = 0; /* no spring before the first */
    for (int i = 0; i < HALVES; i++) a.below.half[i] = H_SPRINGS / 4 * a.soft.half[i];
    down(w, 0, &first, &ONE, &a, 1);
    int j = 1;
    for (; j < last && fmax(largest(&a.s), largest(&a.gamma)) > NEGLIGIBLE; j++)
        down(w, j, &ONE, &ONE, &a, 1);
    const int alive = j == last;
    w->head = alive ? w->m : j;
    if (!alive) a.s = a.gamma = NONE;
    for (; j < last; j++) down(w, j, &ONE, &ONE, &a, 0);
    for (; j < w->m; j++) down(w, j, j == last ? &end : &ONE, &open, &a, 1);
    return a;
}

/* z_j += d_j upwards; returns the largest correction. */
static double correct(wide *w)
{
    const carry a = eliminate(w);
    row         L, d, most = NONE;
    join(&a.alpha, &a.beta, &a.gamma, &a.D, &a.s, &a.above, &L, &d);
    for (int j = w->m - 1; j >= 0; j--)
        for (int i = 0; i < HALVES; i++) {
            d.half[i] = w->D[j].half[i] + w->c[j].half[i] * d.half[i];
            if (j < w->head) d.half[i] += w->s[j].half[i] * L.half[i];
            w->z[j].half[i] += d.half[i], most.half[i] = larger(most.half[i], d.half[i]);
        }
    exchange(w->z, w->m);
    return largest(&most);
}

static void midpoint(wide *w)
{
    row *old = w->past[2], left, open = ONE;
    open.lane[LANES - 1] = 0;
    w->past[2] = w->past[1], w->past[1] = w->past[0], w->past[0] = old;
    memcpy(old - 1, w->z - 1, (size_t)(w->m + 2) * sizeof(row));
    for (int j = -1; j <= w->m && w->k > 2; j++)
        for (int i = 0; i < HALVES; i++)
            w->z[j].half[i] = 3 * (old[j].half[i] - w->past[1][j].half[i]) + w->past[2][j].half[i];
    for (int more = 1; more; w->iterations++) more = correct(w) > 1e-9;
    for (int i = 0; i < HALVES; i++) left.half[i] = middle_stretch(w, -1, i);
    left.lane[0] = 0;
    for (int i = 0; i < HALVES; i++) left.half[i] += left.half[i] * left.half[i] * left.half[i];
    for (int j = 0; j < w->m; j++) {
        const row *ahead = j >= w->rest - 1 ? &open : &ONE;
        for (int i = 0; i < HALVES; i++) {
            const four d = middle_stretch(w, j, i) * ahead->half[i], right = d + d * d * d;
            w->p[j].half[i] += H_SPRINGS * (right - left.half[i]), left.half[i] = right;
            w->x[j].half[i] += w->z[j].half[i];
        }
    }
    exchange(w->x, w->m);
}

/* The ladder, factored once; cells behind the end have a pivot of 0, and stay at rest. --------- */

static void ladder_factor(wide *w)
{
    const double e = H_LADDER / 2;
    row          c = NONE, s = ONE, g = ONE;
    s.lane[0] = 0;
    for (int j = 0; j < w->m; j++) {
        w->g[j] = g; /* what D_j is to alpha */
        for (int l = 0; l < LANES; l++) {
            const int past =
                l == LANES - 1 ? j - w->rest : -2; /* >= 0: no cell; -1: the last one */
            double pivot =
                past >= 0 ? 0
                          : 1 / (2 / H_LADDER + RESISTANCE + (j + l ? 2 : 1) * e - e * c.lane[l]);
            c.lane[l] = past >= -1 ? 0 : e * pivot, s.lane[l] *= e * pivot;
            w->w[j].lane[l] = pivot, w->beta.lane[l] += g.lane[l] * s.lane[l],
            g.lane[l] *= c.lane[l];
        }
        w->c[j] = c, w->s[j] = s;
        if (fmax(largest(&s), largest(&g)) > NEGLIGIBLE) w->head = j + 1;
        else s = g = NONE;
    }
    w->gamma = g, w->c_end = c, w->s_end = s;
}

static void ladder(wide *w)
{
    const double h = H_LADDER;
    row          before = w->x[-1], D = NONE, alpha = NONE, L, next, *x = w->x, *p = w->p;
    before.lane[0] = sin(((double)w->k + 0.5) * h);
    for (int j = 0; j < w->m; j++)
        for (int i = 0; i < HALVES; i++) {
            const four r = 2 / h * p[j].half[i] - x[j].half[i] + before.half[i];
            w->D[j].half[i] = D.half[i] = (r + h / 2 * D.half[i]) * w->w[j].half[i];
            if (j < w->head) alpha.half[i] += w->g[j].half[i] * D.half[i];
            before.half[i] = x[j].half[i];
        }
    join(&alpha, &w->beta, &w->gamma, &D, &w->s_end, &w->c_end, &L, &next);
    for (int j = w->m - 1; j >= 0; j--)
        for (int i = 0; i < HALVES; i++) {
            four I = w->D[j].half[i] + w->c[j].half[i] * next.half[i];
            if (j < w->head) I += w->s[j].half[i] * L.half[i];
            p[j].half[i] = 2 * I - p[j].half[i], x[j].half[i] += h * (I - next.half[i]),
            next.half[i] = I;
        }
    exchange(x, w->m);
    w->iterations++;
}

/* A contestant. -------------------------------------------------------------------------------- */

static void *start(const event *e)
{
    if (e->which == SPRINGS_VERLET || e->compensated) return NULL;
    wide *w = aligned_alloc(sizeof(row), (sizeof *w + sizeof(row) - 1) / sizeof(row) * sizeof(row));
    if (!w) exit(1);
    memset(w, 0, sizeof *w);
    w->e = *e, w->n = e->which == LADDER_MIDPOINT ? e->n : e->n + 1;
    w->m = (w->n + LANES - 1) / LANES, w->rest = w->n - (LANES - 1) * w->m;
    row **all[] = {&w->x, &w->p, &w->z,       &w->c,       &w->D,      &w->s,
                   &w->w, &w->g, &w->past[0], &w->past[1], &w->past[2]};
    for (int k = 0; k < 11; k++) *all[k] = rows(w->m);
    if (e->which == LADDER_MIDPOINT) return ladder_factor(w), w;
    double *x = doubles(w->n);
    chain_start(w->n, x);
    for (int i = 0; i < w->n; i++) w->x[i % w->m].lane[i / w->m] = x[i];
    exchange(w->x, w->m);
    free(x);
    return w;
}

static double advance(void *self, long steps)
{
    wide  *w = self;
    double begin = seconds();
    w->steps = steps, w->iterations = 0;
    for (long s = 0; s < steps; s++, w->k++) {
        if (w->e.which == LADDER_MIDPOINT) ladder(w);
        else midpoint(w);
    }
    return seconds() - begin;
}

static void look(void *self, double *x)
{
    const wide *w = self;
    for (int i = 0; i < w->n; i++) x[i] = w->x[i % w->m].lane[i / w->m];
}

static void stop(void *self)
{
    wide *w = self;
    row  *all[] = {w->x, w->p, w->z,       w->c,       w->D,      w->s,
                   w->w, w->g, w->past[0], w->past[1], w->past[2]};
    for (int k = 0; k < 11; k++) free(all[k] - 1);
    free(w);
}

static double iterations(void *self)
{
    const wide *w = self;
    return (double)w->iterations / (double)w->steps;
}

const runner *in_lanes(int k)
{
    static const runner eight = {.name = "by hand, 8 lanes",
                                 .start = start,
                                 .advance = advance,
                                 .look = look,
                                 .stop = stop,
                                 .iterations = iterations};
    return k ? NULL : &eight;
}
