/* predict.c - past solutions, and their extrapolation by the rule of step/predict.h; large systems
 * keep four of them (step/cubic.h). */
#include "mech/solve/predict.h"

#include "step/words.h"

#include "step/cubic.h"
#include "step/predict.h"

#include <string.h>

_Static_assert((int)HISTORY == (int)HISTORY_MOST,
               "as many solutions are kept as the rule continues");

enum { SMALL = 256, CUBIC = 4, HISTORY_SLOT = 12 }; /* slot: behind those of the state */

/*     X_nu,mu = prod_{k != nu} (1 + x_mu - x_k)/(x_nu - x_k) - l_nu(1),   l_nu(1) = delta_{nu d} */
double *curve_continued(mem *m, const double *x, int d)
{
    double *X = mem_array(m, d * d, double);
    for (int mu = 0; mu < d; mu++)
        for (int nu = 0; nu < d; nu++) {
            long double l = 1;
            for (int k = 0; k <= d; k++)
                if (k != nu + 1) l *= (1.0L + x[mu + 1] - x[k]) / ((long double)x[nu + 1] - x[k]);
            X[nu * d + mu] = (double)(l - (nu == d - 1));
        }
    return X;
}

history *histories_new(mem *m, int count, int size)
{
    history *all = mem_array(m, count, history);
    size_t   room = (size_t)count * HISTORY_MOST * (size_t)size;
    double  *y = size <= SHIFTED_MOST ? mem_lines(m, room) : NULL;
    for (int j = 0; j < count; j++) {
        history *p = &all[j];
        *p = (history){.size = size, .most = size <= SMALL ? HISTORY_MOST : CUBIC};
        for (int k = 0; k < p->most; k++)
            p->y[k] = y ? y + (j * HISTORY_MOST + k) * size
                        : mem_apart(m, (size_t)size, HISTORY_SLOT + k);
    }
    return all;
}

/* Large systems are not extrapolated along their curves. */
void history_follow(history *p, mem *m, int n, int d, const double *X)
{
    if (p->most < HISTORY_MOST) return;
    p->n = n, p->d = d, p->X = X;
    if (X) p->D = mem_array(m, (6 * n + 1) * d, double);
}

double *history_oldest(history *p)
{
    return p->y[p->most - 1];
}

double *history_spare(history *p)
{
    return p->y[1];
}

/* y is what history_oldest or history_spare gave: the pointer moves, no number does. In the
 * spare place only the newest solution counts, since nothing is predicted. */
void history_take(history *p, const double *y)
{
    const int at = y == p->y[1] ? 1 : p->most - 1;
    double   *newest = p->y[at];
    for (int k = at; k > 0; k--) p->y[k] = p->y[k - 1];
    p->y[0] = newest;
    p->count = at == 1 ? 1 : p->count < p->most ? p->count + 1 : p->most;
}

double *history_exchange(history *p, double *y)
{
    double *oldest = history_oldest(p);
    p->y[p->most - 1] = y;
    return oldest;
}

void history_push(history *p, const double *y)
{
    const size_t bytes = (size_t)p->size * sizeof *y;
    if (p->size <= SHIFTED_MOST) memmove(p->y[1], p->y[0], (HISTORY_MOST - 1) * bytes);
    else {
        double *newest = p->y[p->most - 1];
        memmove(p->y + 1, p->y, (size_t)(p->most - 1) * sizeof *p->y);
        p->y[0] = newest;
    }
    memcpy(p->y[0], y, bytes);
    if (p->count < p->most) p->count++;
}

void history_replace(history *p, const double *y)
{
    memcpy(p->y[0], y, (size_t)p->size * sizeof *y);
}

static inline double larger(double x, double y)
{
    return x > y ? x : y;
}

/* One pass over four arrays, for systems whose arrays do not stay in cache. */
void history_extrapolate_sizes(const history *p, double *restrict y, double *restrict size)
{
    const double *restrict a = p->y[0], *restrict b = p->y[1], *restrict c = p->y[2];
    const double *restrict d = p->y[3];
    for (int k = 0; k < p->size; k++) {
        const double next = CONTINUED_CUBIC(a[k], b[k], c[k], d[k]);
        y[k] = next, size[k] = larger(fabs(b[k]), larger(fabs(a[k]), fabs(next)));
    }
}

bool history_is_cubic(const history *p)
{
    return p->most == CUBIC && p->count == CUBIC;
}

/* Curves coordinate by coordinate, by differences along the curve; what comes behind them, and all
 * of a straight curve, one number at a time. */
void history_extrapolate(const history *p, double *y)
{
    const bool    bends = p->X && !history_is_cubic(p);
    const int     curves = bends ? p->n * p->d : 0;
    const double *a[HISTORY];
    for (int k = 0; k < HISTORY; k++) a[k] = p->y[k < p->most ? k : 0]; /* those do not count */
    if (bends) continue_curves(p->count, p->n, p->d, a, p->X, p->D, y);
    if (curves < p->size) history_extrapolate_from(p, curves, y);
}

void history_extrapolate_from(const history *p, int first, double *y)
{
    const double *a[HISTORY];
    for (int k = 0; k < HISTORY; k++) a[k] = p->y[k < p->most ? k : 0];
    if (history_is_cubic(p)) /* of large systems */
        for (int k = first; k < p->size; k++)
            y[k] = CONTINUED_CUBIC(a[0][k], a[1][k], a[2][k], a[3][k]);
    else
        for (int k = first; k < p->size; k++)
            y[k] = continued(p->count, a[0][k], a[1][k], a[2][k], a[3][k], a[4][k], a[5][k]);
}
