/* by_hand.c - the scalar loops that one would write by hand for the large problems, with plain and
 * with compensated sums.
 *
 * Verlet passes once over memory; midpoint is Newton with the tridiagonal matrix eliminated while
 * it is evaluated, from an increment extrapolated from the last three, until the next correction
 * would be below roundoff; the matrix of the ladder is factored once. */
#include "../bench.h"
#include "large.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    event   e;
    int     n; /* sites */
    double *x, *p, *cx, *cp, *z, *c, *d, *past[3];
    long    k, steps, iterations; /* steps made; those of the last round, and its iterations */
} loop;

void chain_start(int masses, double *x)
{
    for (int i = 0; i < masses; i++) x[i] = 0.5 * sin(0.5 * (i + 1));
}

double *doubles(long n)
{
    double *x = calloc((size_t)n, sizeof *x);
    if (!x) fprintf(stderr, "bench: no memory\n"), exit(1);
    return x;
}

static inline void accumulate(double *q, double *c, double dq, int compensated)
{
    if (compensated) {
        double y = dq + *c, s = *q + y;
        *c = y - (s - *q), *q = s;
    } else *q += dq;
}

/* Verlet. -------------------------------------------------------------------------------------- */

/* v += h F(x)/m, x += h v, in stretches that stay at hand, so that memory is passed once and both
 * loops are vectors: the first site of a stretch moves when the next one has been kicked. `v` is
 * that of the half step, started by half a kick. */
static inline void verlet(const loop *l, double kick, int compensated)
{
    enum { STRETCH = 1024 };
    const int n = l->n;
    double *restrict x = l->x, *restrict v = l->p, *restrict cx = l->cx, *restrict cv = l->cp;
    accumulate(&v[0], &cv[0], 2 * kick * pull(x[1] - x[0]), compensated);
    for (int a = 1, moved = 0, last = 0; !last; a += STRETCH) {
        last = a + STRETCH >= n - 1;
        int b = last ? n - 1 : a + STRETCH,
            end = last ? n : b - 1; /* the next stretch reads where site b - 1 was */
        for (int i = a; i < b; i++)
            accumulate(&v[i], &cv[i], kick * (pull(x[i + 1] - x[i]) - pull(x[i] - x[i - 1])),
                       compensated);
        if (last) accumulate(&v[b], &cv[b], -2 * kick * pull(x[b] - x[b - 1]), compensated);
        for (int i = moved; i < end; i++) accumulate(&x[i], &cx[i], H_VERLET * v[i], compensated);
        moved = end;
    }
}

/* Midpoint: p - z m/h + (h/2) F(x + z/2) = 0; J = -m/h + (h/4) F'. ----------------------------- */

typedef struct {
    double pull, stiff, below, above,
        d; /* of the site before: its spring's, and of the elimination */
} carry;

/* One site: evaluates, and eliminates the one before. */
static inline carry down(const loop *l, int i, double m, double stretch, double ahead, carry a)
{
    const double h = H_SPRINGS, right = ahead * pull(stretch), stiff = ahead * stiffness(stretch),
                 below = h / 4 * stiff;
    const double r = l->p[i] - l->z[i] * (m / h) + h / 2 * (right - a.pull);
    const double pivot = 1 / (m / h + h / 4 * (stiff + a.stiff) - a.below * a.above);
    l->c[i] = below * pivot, l->d[i] = (r + a.below * a.d) * pivot;
    return (carry){right, stiff, below, l->c[i], l->d[i]};
}

/* One pass down, one pass up that corrects; returns the largest correction. */
static double thomas(const loop *l)
{
    const int     n = l->n;
    const double *x = l->x, *c = l->c, *d = l->d;
    double *const z = l->z;
    carry         a = down(l, 0, 0.5, (x[1] - x[0]) + (z[1] - z[0]) / 2, 1, (carry){0});
    for (int i = 1; i < n - 1; i++)
        a = down(l, i, 1, (x[i + 1] - x[i]) + (z[i + 1] - z[i]) / 2, 1, a);
    down(l, n - 1, 0.5, 0, 0, a);
    double up = 0, most = 0;
    for (int i = n - 1; i >= 0; i--) {
        up = d[i] + c[i] * up;
        z[i] += up, most = fabs(up) > most ? fabs(up) : most;
    }
    return most;
}

static inline void midpoint(loop *l, int compensated)
{
    double *old = l->past[2], left = 0;
    l->past[2] = l->past[1], l->past[1] = l->past[0], l->past[0] = old;
    for (int i = 0; i < l->n; i++) old[i] = l->z[i];
    if (l->k > 2)
        for (int i = 0; i < l->n; i++) l->z[i] = 3 * (old[i] - l->past[1][i]) + l->past[2][i];
    for (int more = 1; more; l->iterations++) more = thomas(l) > 1e-9;
    for (int i = 0; i < l->n; i++) {
        double right =
            i < l->n - 1 ? pull((l->x[i + 1] - l->x[i]) + (l->z[i + 1] - l->z[i]) / 2) : 0;
        accumulate(&l->p[i], &l->cp[i], H_SPRINGS * (right - left), compensated), left = right;
        accumulate(&l->x[i], &l->cx[i], l->z[i], compensated);
    }
}

/* The ladder: currents p_k of the coils, charges x_k' = p_k - p_{k+1}. The midpoint rule leaves for
 * the mean current I (2/h + R + h) I_k - (h/2)(I_{k-1} + I_{k+1}) = 2 p_k/h - x_k + x_{k-1},   p_k
 * := 2 I_k - p_k where x_0 is the source, and the first cell has h/2 for h.
 * ---------------------------------------------------- */

static void ladder_factor(loop *l)
{
    const double e = H_LADDER / 2;
    for (int k = 0; k < l->n; k++) {
        l->z[k] = 1 / (2 / H_LADDER + RESISTANCE + (k ? 2 : 1) * e - (k ? e * l->c[k - 1] : 0));
        l->c[k] = e * l->z[k];
    }
}

static inline void ladder(loop *l, int compensated)
{
    const double  h = H_LADDER, *c = l->c, *pivot = l->z;
    double *const x = l->x, *const p = l->p, *const d = l->d;
    double before = sin(((double)l->k + 0.5) * h), down = 0, up = 0;
    for (int k = 0; k < l->n; k++) {
        d[k] = down = (2 / h * p[k] - x[k] + before + h / 2 * down) * pivot[k];
        before = x[k];
    }
    for (int k = l->n - 1; k >= 0; k--) {
        double I = d[k] + c[k] * up;
        accumulate(&p[k], &l->cp[k], 2 * (I - p[k]), compensated);
        accumulate(&x[k], &l->cx[k], h * (I - up), compensated);
        up = I;
    }
}

/* A contestant. -------------------------------------------------------------------------------- */

static void *start(const event *e)
{
    loop *l = calloc(1, sizeof *l);
    if (!l) exit(1);
    l->e = *e, l->n = e->which == LADDER_MIDPOINT ? e->n : e->n + 1;
    double **all[] = {&l->x, &l->p, &l->cx,      &l->cp,      &l->z,
                      &l->c, &l->d, &l->past[0], &l->past[1], &l->past[2]};
    for (int k = 0; k < 10; k++) *all[k] = doubles(l->n);
    if (e->which == LADDER_MIDPOINT) ladder_factor(l);
    else chain_start(l->n, l->x);
    return l;
}

static double advance(void *self, long steps)
{
    loop  *l = self;
    double begin = seconds();
    l->steps = steps, l->iterations = 0;
    for (long s = 0; s < steps; s++, l->k++) {
        const double kick = l->k ? H_VERLET : H_VERLET / 2;
        if (l->e.which == SPRINGS_VERLET)
            l->e.compensated ? verlet(l, kick, 1) : verlet(l, kick, 0);
        else if (l->e.which == SPRINGS_MIDPOINT) l->e.compensated ? midpoint(l, 1) : midpoint(l, 0);
        else l->e.compensated ? ladder(l, 1) : ladder(l, 0);
    }
    return seconds() - begin;
}

static void look(void *self, double *x)
{
    const loop *l = self;
    for (int i = 0; i < l->n; i++) x[i] = l->x[i];
}

static void stop(void *self)
{
    loop *l = self;
    free(l->x), free(l->p), free(l->cx), free(l->cp), free(l->z), free(l->c), free(l->d);
    for (int k = 0; k < 3; k++) free(l->past[k]);
    free(l);
}

static double iterations(void *self)
{
    const loop *l = self;
    return l->e.which == SPRINGS_MIDPOINT ? (double)l->iterations / (double)l->steps : 0;
}

const runner *by_hand(int k)
{
    static const runner scalar = {.name = "by hand",
                                  .start = start,
                                  .advance = advance,
                                  .look = look,
                                  .stop = stop,
                                  .iterations = iterations};
    return k ? NULL : &scalar;
}
