/* networks_by_hand.c - the midpoint rule of lattices, networks and trees as loops by hand. With the
 * increment z of a step,
 *
 *     r = p - z/h + h/2 F(q + z/2),   (1/h + h/4 K) d = r,   z += d,   until r is below roundoff. */
#include "networks.h"
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct hand {
    layout  of;
    int     n, side, springs, known;
    double  h, *memory;
    int    *a, *b; /* ends of the springs                       */
    double *site;  /* stiffness that holds each mass            */
    double *c;     /* h/4 V'' of each spring; in a lattice first to the next row, then along it */
    double *q, *p, *z[4], *m, *r, *d, *s, *As;
    linkage *rods; /* in place of all that */
};

int network_end(int n, int e, int which)
{
    return (int)(which ? (e * 7919LL + 31 + e / n * 13) % n : e % n);
}

static double force(double d)
{
    return d + d * d * d;
}

static double stiffness(const hand *x, double d)
{
    return x->h / 4 * (1 + 3 * d * d);
}

/* r += h/2 F, and stiffnesses */
static void lattice_springs(hand *x, double part)
{
    const int N = x->side, n = x->n;
    double *restrict r = x->r, *restrict across = x->c, *restrict along = x->c + n;
    const double *restrict m = x->m;
    for (int k = 0; k < n - N; k++) {
        const double d = m[k + N] - m[k], f = part * force(d);
        across[k] = stiffness(x, d), r[k] += f, r[k + N] -= f;
    }
    for (int i = 0; i < N; i++)
        for (int k = i * N; k < i * N + N - 1; k++) {
            const double d = m[k + 1] - m[k], f = part * force(d);
            along[k] = stiffness(x, d), r[k] += f, r[k + 1] -= f;
        }
}

static void springs(hand *x, double part)
{
    if (x->of == LATTICE) {
        lattice_springs(x, part);
        return;
    }
    for (int e = 0; e < x->springs; e++) {
        const double d = x->m[x->b[e]] - x->m[x->a[e]], f = part * force(d);
        x->c[e] = stiffness(x, d), x->r[x->a[e]] += f, x->r[x->b[e]] -= f;
    }
}

static double residual(hand *x)
{
    double most = 0;
    for (int k = 0; k < x->n; k++) {
        x->m[k] = x->q[k] + x->z[0][k] / 2;
        x->r[k] = x->p[k] - x->z[0][k] / x->h - x->h / 2 * x->site[k] * x->m[k];
    }
    springs(x, x->h / 2);
    for (int k = 0; k < x->n; k++) most = fmax(most, fabs(x->r[k]));
    return most;
}

/*     As = (1/h + h/4 K) s */
static void multiply(hand *x)
{
    const int N = x->side, n = x->n;
    const double *restrict s = x->s, *restrict across = x->c, *restrict along = x->c + n;
    double *restrict As = x->As;
    for (int k = 0; k < n; k++) As[k] = (1 / x->h + x->h / 4 * x->site[k]) * s[k];
    for (int e = 0; e < x->springs && x->of != LATTICE; e++) {
        const double f = x->c[e] * (s[x->b[e]] - s[x->a[e]]);
        As[x->a[e]] -= f, As[x->b[e]] += f;
    }
    if (x->of != LATTICE) return;
    for (int k = 0; k < n; k++) {
        const double up = k + N < n ? across[k] * (s[k] - s[k + N]) : 0;
        const double down = k >= N ? across[k - N] * (s[k] - s[k - N]) : 0;
        As[k] += up + down;
    }
    for (int k = 1; k < n - 1; k++) /* 0 beyond the end of a row */
        As[k] += along[k] * (s[k] - s[k + 1]) + along[k - 1] * (s[k] - s[k - 1]);
    As[0] += along[0] * (s[0] - s[1]), As[n - 1] += along[n - 2] * (s[n - 1] - s[n - 2]);
}

static double product(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++) sum += a[k] * b[k];
    return sum;
}

static void gradients(hand *x, double to)
{
    const int n = x->n;
    double    gamma = product(x->r, x->r, n), end = to * to * gamma;
    memset(x->d, 0, (size_t)n * sizeof *x->d);
    memcpy(x->s, x->r, (size_t)n * sizeof *x->s);
    for (int it = 0; it < 200 && gamma > end; it++) {
        multiply(x);
        const double alpha = gamma / product(x->s, x->As, n), before = gamma;
        for (int k = 0; k < n; k++) x->d[k] += alpha * x->s[k], x->r[k] -= alpha * x->As[k];
        gamma = product(x->r, x->r, n);
        for (int k = 0; k < n; k++) x->s[k] = x->r[k] + gamma / before * x->s[k];
    }
}

/* Spring e hangs mass e + 1 on its parent a[e]. */
static void eliminate(hand *x)
{
    for (int k = 0; k < x->n; k++) x->s[k] = 1 / x->h + x->h / 4 * x->site[k];
    for (int e = 0; e < x->springs; e++) x->s[x->a[e]] += x->c[e], x->s[x->b[e]] += x->c[e];
    for (int e = x->springs - 1; e >= 0; e--) {
        const double l = x->c[e] / x->s[e + 1];
        x->s[x->a[e]] -= l * x->c[e], x->r[x->a[e]] += l * x->r[e + 1];
    }
    x->d[0] = x->r[0] / x->s[0];
    for (int e = 0; e < x->springs; e++)
        x->d[e + 1] = (x->r[e + 1] + x->c[e] * x->d[x->a[e]]) / x->s[e + 1];
}

/* The first three steps begin along the velocity, others on a parabola. */
static void predict(hand *x)
{
    double *last = x->z[3];
    for (int k = 0; k < x->n; k++)
        last[k] = x->known < 3 ? x->h * x->p[k]
                               : 3 * (x->z[0][k] - x->z[1][k]) + x->z[2][k];
    memmove(x->z + 1, x->z, 3 * sizeof *x->z);
    x->z[0] = last, x->known++;
}

static void step(hand *x)
{
    predict(x);
    for (int it = 0; it < 20; it++) {
        const double left = residual(x);
        double       most = 0, size = 0;
        if (x->of == TREE) eliminate(x);
        else gradients(x, fmax(fmin(left, 1e-2), 1e-9));
        for (int k = 0; k < x->n; k++) {
            x->z[0][k] += x->d[k];
            most = fmax(most, fabs(x->d[k])), size = fmax(size, fabs(x->z[0][k]));
        }
        if (most <= 1e-9 * size) break;
    }
    for (int k = 0; k < x->n; k++) {
        x->m[k] = x->q[k] + x->z[0][k] / 2, x->q[k] += x->z[0][k];
        x->r[k] = x->p[k] - x->h * x->site[k] * x->m[k];
    }
    springs(x, x->h);
    memcpy(x->p, x->r, (size_t)x->n * sizeof *x->p);
}

hand *hand_new(layout of, int n, double h)
{
    hand     *x = calloc(1, sizeof *x);
    const int side = n;
    if (of >= RODS) {
        x->rods = linkage_new(of == RODS, n, h);
        return x;
    }
    if (of == LATTICE) n *= n;
    *x = (hand){.of = of, .n = n, .side = side, .h = h, .springs = of == TREE ? n - 1 : 2 * n};
    double **of_n[] = {&x->site, &x->q, &x->p,  x->z,  x->z + 1, x->z + 2, x->z + 3,
                       &x->m,    &x->r, &x->d, &x->s, &x->As,   &x->c};
    enum { ARRAYS = sizeof of_n / sizeof *of_n };
    x->memory = calloc((size_t)n * (ARRAYS + 1), sizeof(double));
    for (int k = 0; k < ARRAYS; k++) *of_n[k] = x->memory + (size_t)k * (size_t)n;
    x->a = calloc(2 * (size_t)x->springs, sizeof(int)), x->b = x->a + x->springs;
    for (int e = 0; e < x->springs; e++) {
        x->a[e] = of == TREE ? e / 2 : network_end(n, e, 0);
        x->b[e] = of == TREE ? e + 1 : network_end(n, e, 1);
    }
    for (int k = 0; k < n; k++) {
        x->site[k] = of == LATTICE ? 0.1 : of == NETWORK ? 0.2 : k == 0;
        x->q[k] = of == LATTICE ? 0.3 * sin(0.37 * (k / side + 1)) * cos(0.21 * (k % side + 1))
                                : 0.3 * sin(0.37 * (k + 1));
    }
    return x;
}

double hand_advance(hand *x, long steps)
{
    const double from = seconds();
    for (long k = 0; k < steps; k++)
        if (x->rods) linkage_step(x->rods);
        else step(x);
    return seconds() - from;
}

const double *hand_positions(const hand *x)
{
    return x->rods ? linkage_positions(x->rods) : x->q;
}

void hand_free(hand *x)
{
    linkage_free(x->rods), free(x->a), free(x->memory), free(x);
}
