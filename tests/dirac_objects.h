/* dirac_objects.h - random one-forms, a retraction in polar coordinates and differences: what the
 * tests of retractions and discrete Dirac structures share. */
#ifndef TESTS_DIRAC_OBJECTS_H
#define TESTS_DIRAC_OBJECTS_H

#include "check.h"
#include "mech/dirac/structure.h"

#include <string.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

/* uniform in (-1, 1) */
static inline double draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-52 - 1;
}

static inline double *draws(mem *m, uint64_t *seed, int count)
{
    double *x = mem_array(m, count, double);
    for (int i = 0; i < count; i++) x[i] = draw(seed);
    return x;
}

static inline double largest(const double *x, int count)
{
    double most = 0;
    for (int i = 0; i < count; i++)
        if (!(fabs(x[i]) <= most)) most = fabs(x[i]);
    return most;
}

static inline double apart(const double *x, const double *y, int count)
{
    double most = 0;
    for (int i = 0; i < count; i++)
        if (!(fabs(x[i] - y[i]) <= most)) most = fabs(x[i] - y[i]);
    return most;
}

/* W_ai(q) = A_ai + sum_j B_aij sin(q_j + C_aij): no symmetry, no zero, curved everywhere */
typedef struct {
    int     n, m;
    double *A, *B, *C;
} wavy;

static inline void wavy_eval(const void *self, const double *q, double *W, double *dW)
{
    const wavy *w = self;
    for (int r = 0; r < w->m * w->n; r++) {
        W[r] = w->A[r];
        for (int j = 0; j < w->n; j++) {
            double angle = q[j] + w->C[r * w->n + j];
            W[r] += w->B[r * w->n + j] * sin(angle);
            if (dW) dW[r * w->n + j] = w->B[r * w->n + j] * cos(angle);
        }
    }
}

static inline one_forms wavy_forms(mem *m, uint64_t *seed, int n, int rows)
{
    wavy *w = mem_array(m, 1, wavy);
    *w = (wavy){n, rows, draws(m, seed, rows * n), draws(m, seed, rows * n * n),
                draws(m, seed, rows * n * n)};
    return (one_forms){.n = n, .m = rows, .self = w, .eval = wavy_eval};
}

/* The plane in polar coordinates (r, phi); velocities are those of the coordinates, lines are
 * straight in the plane: X(R_q(v)) = X(q) + X'(q) v, X = (r cos phi, r sin phi). */
static inline bool polar_apply(const void *self, int n, const double *q, const double *v,
                               double *q1, double *by_q, double *by_v)
{
    (void)self, (void)n;
    /* seen from the ray phi the point is (a, b) = (r + v_r, r v_phi) */
    double a = q[0] + v[0], b = q[0] * v[1], s = a * a + b * b, l = sqrt(s);
    if (!(q[0] > 0) || !(a > 0)) return false;
    q1[0] = l, q1[1] = q[1] + atan2(b, a);
    const double by_ab[4] = {a / l, b / l, -b / s, a / s};
    const double ab_q[4] = {1, 0, v[1], 0}, ab_v[4] = {1, 0, 0, q[0]};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            if (by_q)
                by_q[2 * i + j] =
                    by_ab[2 * i] * ab_q[j] + by_ab[2 * i + 1] * ab_q[2 + j] + (i && j);
            if (by_v) by_v[2 * i + j] = by_ab[2 * i] * ab_v[j] + by_ab[2 * i + 1] * ab_v[2 + j];
        }
    return true;
}

static inline bool polar_inverse(const void *self, int n, const double *q, const double *q1,
                                 double *v, double *by_q, double *by_q1)
{
    (void)self, (void)n;
    double turn = q1[1] - q[1], c = cos(turn), s = sin(turn), r = q[0], l = q1[0];
    if (!(r > 0) || !(l > 0) || !(c > 0)) return false;
    v[0] = l * c - r, v[1] = l * s / r;
    const double at_q[4] = {-1, l * s, -l * s / (r * r), -l * c / r};
    const double at_q1[4] = {c, -l * s, s / r, l * c / r};
    if (by_q) memcpy(by_q, at_q, sizeof at_q);
    if (by_q1) memcpy(by_q1, at_q1, sizeof at_q1);
    return true;
}

static inline retraction_map retraction_polar(void)
{
    return (retraction_map){.n = 2, .apply = polar_apply, .inverse = polar_inverse};
}

/* Largest difference between a Jacobian, rows x n, and fourth-order differences of f; x is changed
 * and put back. */
typedef void vector_function(void *self, const double *x, double *y);

static inline double jacobian_error(mem *m, vector_function *f, void *self, double *x, int n,
                                    int rows, const double *J)
{
    static const double place[] = {-2, -1, 1, 2}, weight[] = {1. / 12, -8. / 12, 8. / 12, -1. / 12};
    const double        step = 2e-3;
    double most = 0, *y = mem_array(m, rows, double), *sum = mem_array(m, rows, double);
    for (int j = 0; j < n; j++) {
        const double here = x[j];
        memset(sum, 0, (size_t)rows * sizeof *sum);
        for (int k = 0; k < 4; k++) {
            x[j] = here + place[k] * step;
            f(self, x, y);
            for (int i = 0; i < rows; i++) sum[i] += weight[k] * y[i] / step;
        }
        x[j] = here;
        for (int i = 0; i < rows; i++)
            if (!(fabs(sum[i] - J[i * n + j]) <= most)) most = fabs(sum[i] - J[i * n + j]);
    }
    return most;
}

#endif
