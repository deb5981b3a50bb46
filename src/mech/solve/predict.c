/* predict.c - extrapolation from the last steps by differences. Differences are used as long as
 * they shrink, for then the omitted ones are smaller still; noise and rough motion end them early.
 * Large systems use cubic extrapolation at most: more would take memory, and a step of theirs costs
 * less than the differences would. */
#include "mech/solve/predict.h"

#include <math.h>
#include <string.h>

enum { SMALL = 256, CUBIC = 4, PAST_SLOT = 12 }; /* slot: behind those of the state */

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

void past_init(past *p, mem *m, int size)
{
    *p = (past){.size = size, .most = size <= SMALL ? PAST_MOST : CUBIC};
    for (int k = 0; k < p->most; k++) p->y[k] = mem_apart(m, (size_t)size, PAST_SLOT + k);
}

void past_follow(past *p, mem *m, int n, int d, const double *X)
{
    if (p->most < PAST_MOST) return;
    p->n = n, p->d = d, p->X = X;
    if (X) p->D = mem_array(m, d * PAST_MOST, double);
}

double *past_oldest(past *p)
{
    return p->y[p->most - 1];
}

double *past_spare(past *p)
{
    return p->y[1];
}

void past_take(past *p, const double *y)
{
    const int at = y == p->y[1] ? 1 : p->most - 1;
    double   *newest = p->y[at];
    for (int k = at; k > 0; k--) p->y[k] = p->y[k - 1];
    p->y[0] = newest;
    p->count = at == 1 ? 1 : p->count < p->most ? p->count + 1 : p->most;
}

double *past_exchange(past *p, double *y)
{
    double *oldest = past_oldest(p);
    p->y[p->most - 1] = y;
    return oldest;
}

void past_push(past *p, const double *y)
{
    memcpy(past_oldest(p), y, (size_t)p->size * sizeof *y);
    past_take(p, past_oldest(p));
}

void past_replace(past *p, const double *y)
{
    memcpy(p->y[0], y, (size_t)p->size * sizeof *y);
}

/*     D_0 = y_k,   D_j = D_{j-1} - (D_{j-1} of the step before) */
static inline void take_differences(const past *p, const int count, int k, double *D)
{
    for (int j = 0; j < count; j++) D[j] = p->y[j][k];
    for (int j = 1; j < count; j++)
        for (int i = count - 1; i >= j; i--) D[i] = D[i - 1] - D[i];
}

/* Usually all of them exist, and the loops are unrolled. */
static inline void differences(const past *p, int k, double *D)
{
    if (p->count == PAST_MOST) take_differences(p, PAST_MOST, k, D);
    else take_differences(p, p->count, k, D);
}

/* The smallest difference of a whole curve. */
static int smallest(const double size[PAST_MOST], int count)
{
    int best = 0;
    for (int j = 1; j < count; j++)
        if (size[j] < size[best]) best = j;
    return best;
}

/*     Z <- sum_{i<j} D_i + X D_j,   D_j the smallest */
static void continue_curve(const past *p, int at, double *y)
{
    const int n = p->n, d = p->d;
    double    size[PAST_MOST] = {0};
    for (int nu = 0; nu < d; nu++) {
        double *D = p->D + nu * PAST_MOST;
        differences(p, nu * n + at, D);
        for (int j = 0; j < p->count; j++) size[j] += fabs(D[j]);
    }
    const int last = smallest(size, p->count);
    for (int mu = 0; mu < d; mu++) y[mu * n + at] = 0;
    for (int nu = 0; nu < d; nu++) {
        const double *D = p->D + nu * PAST_MOST;
        for (int mu = 0; mu < d; mu++) y[mu * n + at] += p->X[nu * d + mu] * D[last];
        for (int j = last - 1; j >= 0; j--) y[nu * n + at] += D[j];
    }
}

/* For one unknown, usually from all six: four differences, and the last two if they are smaller
 * than the two before. One may vanish by accident, two hardly. */
static double continue_six(const past *p, int k)
{
    double a0 = p->y[0][k], a1 = p->y[1][k], a2 = p->y[2][k];
    double a3 = p->y[3][k], a4 = p->y[4][k], a5 = p->y[5][k];
    double b0 = a0 - a1, b1 = a1 - a2, b2 = a2 - a3, b3 = a3 - a4, b4 = a4 - a5;
    double c0 = b0 - b1, c1 = b1 - b2, c2 = b2 - b3, c3 = b3 - b4;
    double d0 = c0 - c1, d1 = c1 - c2, d2 = c2 - c3;
    double e0 = d0 - d1, e1 = d1 - d2, f0 = e0 - e1;
    double far = fabs(e0) + fabs(f0) < fabs(c0) + fabs(d0) ? f0 + e0 : 0;
    return (((far + d0) + c0) + b0) + a0;
}

static void continue_number(const past *p, int k, double *y)
{
    double D[PAST_MOST] = {0}, sum = 0;
    if (p->count == PAST_MOST) {
        y[k] = continue_six(p, k);
        return;
    }
    take_differences(p, p->count, k, D);
    for (int j = (p->count < CUBIC ? p->count : CUBIC) - 1; j >= 0; j--) sum += D[j];
    y[k] = sum;
}

/*     y_{k+1} = 4 y_k - 6 y_{k-1} + 4 y_{k-2} - y_{k-3}, and lower orders    theory.md [PREDICT] */
static void continue_cubic(const past *p, double *y)
{
    const double *a = p->y[0], *b = p->y[1], *c = p->y[2], *d = p->y[3];
    switch (p->count) {
    case 1: memcpy(y, a, (size_t)p->size * sizeof *y); break;
    case 2:
        for (int k = 0; k < p->size; k++) y[k] = a[k] + (a[k] - b[k]);
        break;
    case 3:
        for (int k = 0; k < p->size; k++) y[k] = c[k] + 3 * (a[k] - b[k]);
        break;
    default:
        for (int k = 0; k < p->size; k++) y[k] = 4 * (a[k] + c[k]) - 6 * b[k] - d[k];
    }
}

static inline double larger(double x, double y)
{
    return x > y ? x : y;
}

void past_extrapolate_sizes(const past *p, double *restrict y, double *restrict size)
{
    const double *restrict a = p->y[0], *restrict b = p->y[1], *restrict c = p->y[2];
    const double *restrict d = p->y[3];
    for (int k = 0; k < p->size; k++) {
        const double next = 4 * (a[k] + c[k]) - 6 * b[k] - d[k];
        y[k] = next, size[k] = larger(fabs(b[k]), larger(fabs(a[k]), fabs(next)));
    }
}

bool past_is_cubic(const past *p)
{
    return p->most == CUBIC && p->count == CUBIC;
}

void past_extrapolate(const past *p, double *y)
{
    const int curve = p->X ? p->n * p->d : 0;
    if (p->most < PAST_MOST) {
        continue_cubic(p, y);
        return;
    }
    for (int j = 0; j < (p->X ? p->n : 0); j++) continue_curve(p, j, y);
    for (int k = curve; k < p->size; k++) continue_number(p, k, y);
}
