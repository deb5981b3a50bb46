/* retraction.c - the flat retraction and that of the sphere; and chords, which a retraction turns
 * into a base point and a velocity. */
#include "mech/dirac/retraction.h"

#include "step/words.h"

#include "step/judge.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS_MOST = 50 }; /* of the midpoint; a flat one takes two */

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* a = c I + d x y^T, unless a is NULL; x and y may be where d is 0 */
static void put(double *a, int n, double c, double d, const double *x, const double *y)
{
    for (int i = 0; i < n && a; i++)
        for (int j = 0; j < n; j++)
            a[i * n + j] = (i == j ? c : 0) + (x && y ? d * x[i] * y[j] : 0);
}

/*     q1 = q + v */
static bool flat_apply(const void *self, int n, const double *q, const double *v, double *q1,
                       double *by_q, double *by_v)
{
    (void)self;
    for (int i = 0; i < n; i++) q1[i] = q[i] + v[i];
    put(by_q, n, 1, 0, NULL, NULL);
    put(by_v, n, 1, 0, NULL, NULL);
    return true;
}

/*     v = q1 - q */
static bool flat_inverse(const void *self, int n, const double *q, const double *q1, double *v,
                         double *by_q, double *by_q1)
{
    (void)self;
    for (int i = 0; i < n; i++) v[i] = q1[i] - q[i];
    put(by_q, n, -1, 0, NULL, NULL);
    put(by_q1, n, 1, 0, NULL, NULL);
    return true;
}

retraction_map retraction_flat(int n)
{
    return (retraction_map){.n = n, .apply = flat_apply, .inverse = flat_inverse};
}

/*     y = (x + v)/|x + v|,     dy = (I - y y^T)(dx + dv)/|x + v| */
static bool sphere_apply(const void *self, int n, const double *x, const double *v, double *y,
                         double *by_x, double *by_v)
{
    (void)self;
    for (int i = 0; i < n; i++) y[i] = x[i] + v[i];
    double length = sqrt(dot(y, y, n));
    if (!(length > 0)) return false;
    for (int i = 0; i < n; i++) y[i] /= length;
    put(by_x, n, 1 / length, -1 / length, y, y);
    put(by_v, n, 1 / length, -1 / length, y, y);
    return true;
}

/*     v = y/c - x, c = x.y > 0,     dv = (I/c - y x^T/c^2) dy - (I + y y^T/c^2) dx */
static bool sphere_inverse(const void *self, int n, const double *x, const double *y, double *v,
                           double *by_x, double *by_y)
{
    (void)self;
    double c = dot(x, y, n);
    if (!(c > 0)) return false;
    for (int i = 0; i < n; i++) v[i] = y[i] / c - x[i];
    put(by_x, n, -1, -1 / (c * c), y, y);
    put(by_y, n, 1 / c, -1 / (c * c), y, x);
    return true;
}

retraction_map retraction_sphere(int n)
{
    return (retraction_map){.n = n, .apply = sphere_apply, .inverse = sphere_inverse};
}

/* Chords. -------------------------------------------------------------------------------------- */

static pattern full_pattern(mem *m, int n)
{
    int *start = mem_array(m, n + 1, int), *column = mem_array(m, n * n, int);
    for (int i = 0; i < n; i++) start[i + 1] = (i + 1) * n;
    for (int k = 0; k < n * n; k++) column[k] = k % n;
    return (pattern){n, n, start, column};
}

/* Only the midpoint is solved for, so only it has a solver. */
chord *chord_new(mem *m, const retraction_map *R, retraction at)
{
    chord    *c = mem_array(m, 1, chord);
    const int n = R->n;
    double  **vector[] = {&c->base, &c->v, &c->w0, &c->w1};
    double  **matrix[] = {&c->base_q0, &c->base_q1, &c->v_q0, &c->v_q1, &c->A0,
                          &c->A1,      &c->B0,      &c->B1,   &c->sum};
    c->R = *R, c->at = at;
    for (size_t k = 0; k < sizeof vector / sizeof *vector; k++)
        *vector[k] = mem_array(m, n, double);
    for (size_t k = 0; k < sizeof matrix / sizeof *matrix; k++)
        *matrix[k] = mem_array(m, n * n, double);
    if (at != RETRACTION_MIDPOINT || !n) return c;
    c->full = full_pattern(m, n);
    c->lu = solver_new(m, &c->full, "dense");
    return c;
}

static void scale(double *a, int count, double c)
{
    for (int i = 0; i < count; i++) a[i] *= c;
}

/* base = end, h v = sign R_end^-1(other) */
static bool chord_at_end(chord *c, const double *end, const double *other, double *v_end,
                         double *v_other, double *base_end, double *base_other, double sign_over_h)
{
    const int n = c->R.n;
    if (!c->R.inverse(c->R.self, n, end, other, c->v, v_end, v_other)) return false;
    memcpy(c->base, end, (size_t)n * sizeof *end);
    put(base_end, n, 1, 0, NULL, NULL);
    put(base_other, n, 0, 0, NULL, NULL);
    scale(c->v, n, sign_over_h);
    scale(v_end, n * n, sign_over_h);
    scale(v_other, n * n, sign_over_h);
    return true;
}

/* At the present base b: w_i = R_b^-1(q_i) and its derivatives A_i in b, B_i in q_i; factors A_0 +
 * A_1. */
static bool look_from_base(chord *c, const double *q0, const double *q1)
{
    const int n = c->R.n;
    if (!c->R.inverse(c->R.self, n, c->base, q0, c->w0, c->A0, c->B0) ||
        !c->R.inverse(c->R.self, n, c->base, q1, c->w1, c->A1, c->B1))
        return false;
    for (int k = 0; k < n * n; k++) c->sum[k] = c->A0[k] + c->A1[k];
    return solver_factor(c->lu, c->sum);
}

/* Newton's iteration for the base:  F(b) = R_b^-1(q0) + R_b^-1(q1) = 0,  F_b = A_0 + A_1 */
static bool find_midpoint(chord *c, const double *q0, const double *q1)
{
    const int n = c->R.n;
    double    before = HUGE_VAL;
    memcpy(c->base, q0, (size_t)n * sizeof *q0);
    for (int k = 0; k < ITERATIONS_MOST; k++) {
        double most = 0, size = 0;
        if (!look_from_base(c, q0, q1)) return false;
        for (int i = 0; i < n; i++) c->v[i] = -(c->w0[i] + c->w1[i]);
        solver_solve(c->lu, c->v);
        for (int i = 0; i < n; i++) {
            most = fmax(most, fabs(c->v[i]));
            size = fmax(size, fabs(c->base[i]));
        }
        for (int i = 0; i < n; i++) c->base[i] += c->v[i];
        if (was_last(most, before, size)) return look_from_base(c, q0, q1);
        before = most;
    }
    return false;
}

/*     db = -(A_0 + A_1)^-1 B_i dq_i,     h dv = (A_1 - A_0) db + sign_i B_i dq_i */
static void midpoint_derivative(chord *c, const double *B, double sign, double h, double *base_q,
                                double *v_q)
{
    const int n = c->R.n;
    double   *column = c->v; /* is filled afterwards */
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) column[i] = -B[i * n + j];
        solver_solve(c->lu, column);
        for (int i = 0; i < n; i++) {
            double sum = sign * B[i * n + j];
            for (int k = 0; k < n; k++) sum += (c->A1[i * n + k] - c->A0[i * n + k]) * column[k];
            base_q[i * n + j] = column[i];
            v_q[i * n + j] = sum / h;
        }
    }
}

/*     h v = R_b^-1(q1) - R_b^-1(q0)   at the midpoint b */
bool chord_between(chord *c, const double *q0, const double *q1, double h)
{
    if (c->at == RETRACTION_LEFT)
        return chord_at_end(c, q0, q1, c->v_q0, c->v_q1, c->base_q0, c->base_q1, 1 / h);
    if (c->at == RETRACTION_RIGHT)
        return chord_at_end(c, q1, q0, c->v_q1, c->v_q0, c->base_q1, c->base_q0, -1 / h);
    if (c->R.n && !find_midpoint(c, q0, q1)) return false;
    midpoint_derivative(c, c->B0, -1, h, c->base_q0, c->v_q0);
    midpoint_derivative(c, c->B1, 1, h, c->base_q1, c->v_q1);
    for (int i = 0; i < c->R.n; i++) c->v[i] = (c->w1[i] - c->w0[i]) / h;
    return true;
}
