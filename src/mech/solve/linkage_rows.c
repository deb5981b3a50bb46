/* linkage_rows.c - see the header. Rows have few entries: widths that are usual are constants of
 * their loops. */
#include "mech/solve/linkage_rows.h"

#include <math.h>

static const double NOISE = 4 * 2.2204460492503131e-16; /* of a position: its roundoff */

static inline void add(double *restrict z, const int stride, const double *restrict A,
                       const int width, const double *restrict x, int count, bool first)
{
    if (first)
        for (int i = 0; i < count; i++) z[i * stride] = A[i * width] * x[i];
    else
        for (int i = 0; i < count; i++) z[i * stride] += A[i * width] * x[i];
}

void rows_add(const entry_rows *of, double *z, const double *A, const double *x, bool first)
{
    switch (of->stride == 1 ? of->width : 0) {
    case 2: add(z, 1, A, 2, x, of->count, first); break;
    case 4: add(z, 1, A, 4, x, of->count, first); break;
    case 6: add(z, 1, A, 6, x, of->count, first); break;
    default: add(z, of->stride, A, of->width, x, of->count, first);
    }
}

static inline void react(double *restrict z, const int       stride, double *restrict B,
                         const double *restrict A, const int width, const double *restrict inverse,
                         double impulse, const double *restrict lam, int count)
{
    for (int i = 0; i < count; i++) {
        const double b = A[i * width] * (inverse[i * stride] * impulse);
        B[i * width] = b, z[i * stride] -= b * lam[i];
    }
}

void rows_react(const entry_rows *of, double *z, double *B, const double *A, const double *inverse,
                double impulse, const double *lam)
{
    switch (of->stride == 1 ? of->width : 0) {
    case 2: react(z, 1, B, A, 2, inverse, impulse, lam, of->count); break;
    case 4: react(z, 1, B, A, 4, inverse, impulse, lam, of->count); break;
    case 6: react(z, 1, B, A, 6, inverse, impulse, lam, of->count); break;
    default: react(z, of->stride, B, A, of->width, inverse, impulse, lam, of->count);
    }
}

static inline void multiply(double *restrict GB, const int slots, const double *restrict G,
                            const int width, const double *restrict B, const int stride, int count,
                            bool first)
{
    if (first)
        for (int i = 0; i < count; i++) GB[i * slots] = G[i * width] * B[i * stride];
    else
        for (int i = 0; i < count; i++) GB[i * slots] += G[i * width] * B[i * stride];
}

void rows_multiply(const entry_rows *of, double *GB, int slots, const double *G, const double *B,
                   bool first)
{
    const bool alone = slots == 1 && of->stride == of->width;
    switch (alone ? of->width : 0) {
    case 2: multiply(GB, 1, G, 2, B, 2, of->count, first); break;
    case 3: multiply(GB, 1, G, 3, B, 3, of->count, first); break;
    default: multiply(GB, slots, G, of->width, B, of->stride, of->count, first);
    }
}

static inline double max(double x, double y)
{
    return x > y ? x : y;
}

static inline void move(double *restrict z, double *restrict q_1, const double *restrict last,
                        const double *restrict q, const double *restrict low,
                        const double *restrict dz, double small, int j, double *most, double *size,
                        double *over)
{
    const double d = fabs(dz[j]), now = z[j] - dz[j], at = q[j] + (low[j] + now);
    const double scale = max(fabs(last[j]), fabs(now));
    z[j] = now, q_1[j] = at;
    *most = max(d, *most), *size = max(scale, *size);
    *over = max(d - (small * scale + NOISE * fabs(at)), *over);
}

/* ABREAST numbers that do not wait for each other, of four coordinates at a time. */
void rows_move(double *restrict z, double *restrict q_1, const double *restrict last,
               const double *restrict q, const double *restrict low, const double *restrict dz,
               double small, changes *restrict c)
{
    for (int l = 0; l < ABREAST; l++) {
        double most = c->most[l], size = c->size[l], over = c->over[l];
        move(z, q_1, last, q, low, dz, small, l, &most, &size, &over);
        move(z, q_1, last, q, low, dz, small, l + ABREAST, &most, &size, &over);
        move(z, q_1, last, q, low, dz, small, l + 2 * ABREAST, &most, &size, &over);
        move(z, q_1, last, q, low, dz, small, l + 3 * ABREAST, &most, &size, &over);
        c->most[l] = most, c->size[l] = size, c->over[l] = over;
    }
}

/* The last coordinates. */
void rows_move_few(double *restrict z, double *restrict q_1, const double *restrict last,
                   const double *restrict q, const double *restrict low, const double *restrict dz,
                   double small, int n, changes *restrict c)
{
    for (int j = 0; j < n; j++) move(z, q_1, last, q, low, dz, small, j, c->most, c->size, c->over);
}

moved rows_largest(const changes *c)
{
    moved all = {0};
    for (int l = 0; l < ABREAST; l++)
        all = (moved){max(c->most[l], all.most), max(c->size[l], all.size),
                      max(c->over[l], all.over)};
    return all;
}
