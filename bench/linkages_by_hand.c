/* linkages_by_hand.c - rods without inertia between masses 1 under gravity, as a chain or each with
 * one end held: RATTLE as a loop by hand. With a and b the rod at the beginning and at the end of a
 * step, and free its increments without reactions,
 *
 *     z = free + a^T mu,   |b(z)|^2 = 1,   (b a^T) d = (1 - |b|^2)/2,   mu += d,   until d is small
 *
 * where b a^T is tridiagonal for a chain, and diagonal otherwise. */
#include "networks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct linkage {
    bool    chain;
    int     n, known;
    double  h, *memory;
    double *q, *p;                       /* x, then y                        */
    double *zx, *zy, *ax, *ay, *bx, *by; /* of masses; of rods           */
    double *mu[4], *d, *u;               /* the last first                   */
};

linkage *linkage_new(bool chain, int n, double h)
{
    linkage *r = calloc(1, sizeof *r);
    *r = (linkage){.chain = chain, .n = n, .h = h};
    r->memory = calloc(16 * (size_t)n + 16, sizeof(double));
    double **of_n[] = {&r->zx, &r->zy,    &r->ax,    &r->ay,    &r->bx, &r->by,
                       r->mu,  r->mu + 1, r->mu + 2, r->mu + 3, &r->d,  &r->u};
    r->q = r->memory, r->p = r->q + 2 * n;
    for (int k = 0; k < 12; k++) *of_n[k] = r->p + 2 * n + k * n;
    for (int k = 0; k < n; k++) {
        const double angle = chain ? 1 : (k + 1.0) / n, length = chain ? k + 1 : 1;
        r->q[k] = length * sin(angle), r->q[n + k] = -length * cos(angle);
    }
    return r;
}

/* The rods between positions q, or between those of a chord. */
static void rods(const linkage *r, const double *x, const double *y, double *ax, double *ay)
{
    for (int k = 0; k < r->n; k++) ax[k] = x[k], ay[k] = y[k];
    for (int k = 1; k < r->n && r->chain; k++) ax[k] -= x[k - 1], ay[k] -= y[k - 1];
}

/* z += a^T mu */
static void react(linkage *r, const double *mu)
{
    double *restrict zx = r->zx, *restrict zy = r->zy;
    const double *restrict ax = r->ax, *restrict ay = r->ay;
    for (int k = 0; k < r->n; k++) zx[k] += ax[k] * mu[k], zy[k] += ay[k] * mu[k];
    for (int k = 0; k < r->n - 1 && r->chain; k++)
        zx[k] -= ax[k + 1] * mu[k + 1], zy[k] -= ay[k + 1] * mu[k + 1];
}

/* d, and the largest of it, by Thomas' algorithm. */
static double correct(linkage *r)
{
    const int n = r->n;
    const double *restrict ax = r->ax, *restrict ay = r->ay, *restrict bx = r->bx,
                           *restrict by = r->by;
    double *restrict d = r->d, *restrict u = r->u, most = 0;
    if (!r->chain) {
        for (int k = 0; k < n; k++)
            d[k] = (1 - bx[k] * bx[k] - by[k] * by[k]) / (2 * (bx[k] * ax[k] + by[k] * ay[k]));
    } else {
        double right = 0, before = 0;
        for (int k = 0; k < n; k++) {
            const double own = (k ? 2 : 1) * (bx[k] * ax[k] + by[k] * ay[k]);
            const double left = k ? -(bx[k] * ax[k - 1] + by[k] * ay[k - 1]) : 0;
            const double next = k < n - 1 ? -(bx[k] * ax[k + 1] + by[k] * ay[k + 1]) : 0;
            const double inverse = 1 / (own - left * right);
            u[k] = right = next * inverse;
            d[k] = before = ((1 - bx[k] * bx[k] - by[k] * by[k]) / 2 - left * before) * inverse;
        }
        for (int k = n - 2; k >= 0; k--) d[k] -= u[k] * d[k + 1];
    }
    for (int k = 0; k < n; k++) most = fmax(most, fabs(d[k]));
    return most;
}

/* mu on a parabola through those of three steps. */
static double *predict(linkage *r)
{
    double *last = r->mu[3];
    for (int k = 0; k < r->n; k++)
        last[k] = r->known < 3 ? 0 : 3 * (r->mu[0][k] - r->mu[1][k]) + r->mu[2][k];
    memmove(r->mu + 1, r->mu, 3 * sizeof *r->mu);
    r->known++;
    return r->mu[0] = last;
}

void linkage_step(linkage *r)
{
    static const double g = 9.81;
    const int           n = r->n;
    const double        h = r->h;
    double             *x = r->q, *y = x + n, *px = r->p, *py = px + n, *mu = predict(r);
    rods(r, x, y, r->ax, r->ay);
    for (int k = 0; k < n; k++) r->zx[k] = h * px[k], r->zy[k] = h * (py[k] - h / 2 * g);
    react(r, mu);
    double before = HUGE_VAL;
    for (int it = 0; it < 20; it++) {
        double size = 0;
        rods(r, r->zx, r->zy, r->bx, r->by);
        for (int k = 0; k < n; k++) r->bx[k] += r->ax[k], r->by[k] += r->ay[k];
        const double most = correct(r);
        react(r, r->d);
        for (int k = 0; k < n; k++) mu[k] += r->d[k], size = fmax(size, fabs(mu[k]));
        if (most <= 1e-9 * size || most > before / 2) break;
        before = most;
    }
    for (int k = 0; k < n; k++) {
        x[k] += r->zx[k], y[k] += r->zy[k];
        px[k] = r->zx[k] / h, py[k] = r->zy[k] / h - h / 2 * g;
    }
}

const double *linkage_positions(const linkage *r)
{
    return r->q;
}

void linkage_free(linkage *r)
{
    if (r) free(r->memory);
    free(r);
}
