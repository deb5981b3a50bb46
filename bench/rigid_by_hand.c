/* rigid_by_hand.c - the free rigid body by the midpoint rule, for the table of rigid.c:
 *
 *     D_Z mu_0 = J Z/h,   q_1 = q_0 exp(Z/2)^2,   mu_1 = R_1^T pi
 *
 * solved by Newton's iteration; quaternions are summed in two parts, pi does not change. */
#include "bench.h"
#include "rigid.h"

#include <math.h>

typedef struct {
    double q[4], low[4], pi[3], mu[3], last[3][3]; /* last: Z of the steps before */
    int    known;
} body;

/*     c_k = sum_j (-s)^j/(2j + k)!:  (1 - cos)/s, ... of s < 1, which these steps do not leave */
static inline void stumpff(double s, double c[6])
{
    const double t = s * s;
    const double c7 =
        (1.0 / 5040 - s / 362880) +
        t * ((1.0 / 39916800 - s / 6227020800) +
             t * ((1.0 / 1307674368000 - s / 355687428096000) + t / 121645100408832000));
    const double c6 = (1.0 / 720 - s / 40320) +
                      t * ((1.0 / 3628800 - s / 479001600) +
                           t * ((1.0 / 87178291200 - s / 20922789888000) + t / 6402373705728000));
    c[5] = 1.0 / 120 - s * c7, c[4] = 1.0 / 24 - s * c6;
    c[3] = 1.0 / 6 - s * c[5], c[2] = 0.5 - s * c[4], c[1] = 1 - s * c[3];
}

static inline void cross(const double *a, const double *b, double *to)
{
    to[0] = a[1] * b[2] - a[2] * b[1], to[1] = a[2] * b[0] - a[0] * b[2];
    to[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* r = D_Z mu - J Z/h, and its Jacobian */
static inline void equations(const body *b, const double *J, double h, const double *Z, double *r,
                             double a[3][3])
{
    double       c[6], x[3], xx[3], last[3];
    const double s = dot(Z, Z), along = dot(Z, b->mu);
    stumpff(s, c);
    cross(Z, b->mu, x), cross(Z, x, xx);
    const double e1 = 2 * c[4] - c[3], e2 = 3 * c[5] - c[4];
    for (int i = 0; i < 3; i++) {
        r[i] = b->mu[i] - c[2] * x[i] + c[3] * xx[i] - J[i] / h * Z[i];
        last[i] = e2 * xx[i] - e1 * x[i] - 2 * c[3] * b->mu[i];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) a[i][j] = last[i] * Z[j] + c[3] * Z[i] * b->mu[j];
    for (int i = 0; i < 3; i++) a[i][i] += c[3] * along - J[i] / h;
    a[0][1] -= c[2] * b->mu[2], a[0][2] += c[2] * b->mu[1];
    a[1][0] += c[2] * b->mu[2], a[1][2] -= c[2] * b->mu[0];
    a[2][0] -= c[2] * b->mu[1], a[2][1] += c[2] * b->mu[0];
}

/* By Cramer's rule: the matrix is close to -J/h. */
static inline void solve(double a[3][3], const double *r, double *d)
{
    double u[3], v[3], w[3];
    cross(a[1], a[2], u), cross(a[2], a[0], v), cross(a[0], a[1], w);
    const double one = 1 / dot(a[0], u);
    for (int i = 0; i < 3; i++) d[i] = (r[0] * u[i] + r[1] * v[i] + r[2] * w[i]) * one;
}

static inline void add(double *x, double *low, double d)
{
    const double y = d + *low, sum = *x + y, back = sum - *x;
    *low = (*x - (sum - back)) + (y - back), *x = sum;
}

static inline void multiply(const double *p, const double *q, double *to)
{
    to[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    to[1] = p[0] * q[1] + q[0] * p[1] + p[2] * q[3] - p[3] * q[2];
    to[2] = p[0] * q[2] + q[0] * p[2] + p[3] * q[1] - p[1] * q[3];
    to[3] = p[0] * q[3] + q[0] * p[3] + p[1] * q[2] - p[2] * q[1];
}

/*     R^T pi,   R formed of the quaternion divided by its length */
static inline void see_momentum(body *b)
{
    const double w = b->q[0] + b->low[0], x = b->q[1] + b->low[1], y = b->q[2] + b->low[2],
                 z = b->q[3] + b->low[3], *p = b->pi;
    const double n = 1 / (w * w + x * x + y * y + z * z), m = 2 * n;
    b->mu[0] = (w * w + x * x - y * y - z * z) * n * p[0] + (x * y + w * z) * m * p[1] +
               (x * z - w * y) * m * p[2];
    b->mu[1] = (x * y - w * z) * m * p[0] + (w * w - x * x + y * y - z * z) * n * p[1] +
               (y * z + w * x) * m * p[2];
    b->mu[2] = (x * z + w * y) * m * p[0] + (y * z - w * x) * m * p[1] +
               (w * w - x * x - y * y + z * z) * n * p[2];
}

/* q += q (r - 1),  r - 1 = 2 e + e e,  e = exp(Z/2) - 1; then its length is put right, to the
 * roundoff of the low part */
static inline void turn(body *b, const double *Z)
{
    double       c[6], e[4], r[4], dq[4], more[4], rest = 1, lost = 0;
    const double s = dot(Z, Z) / 16;
    stumpff(s, c);
    e[0] = -s * c[2];
    for (int i = 0; i < 3; i++) e[i + 1] = c[1] / 4 * Z[i];
    multiply(e, e, r);
    for (int i = 0; i < 4; i++) r[i] += 2 * e[i];
    multiply(b->q, r, dq), multiply(b->low, r, more);
    for (int i = 0; i < 4; i++) add(&b->q[i], &b->low[i], dq[i] + more[i]);
    for (int i = 0; i < 4; i++) {
        const double square = b->q[i] * b->q[i];
        add(&rest, &lost, -square);
        lost -= fma(b->q[i], b->q[i], -square) + 2 * b->q[i] * b->low[i];
    }
    for (int i = 0; i < 4; i++) b->low[i] += 0.5 * (rest + lost) * b->q[i];
}

static inline void step(body *b, const double *J, double h)
{
    double Z[3], r[3], a[3][3], d[3], size;
    for (int i = 0; i < 3; i++) {
        const double x = b->last[0][i], y = b->last[1][i], z = b->last[2][i];
        Z[i] = b->known > 2   ? 3 * (x - y) + z
               : b->known > 1 ? 2 * x - y
               : b->known     ? x
                              : h * b->mu[i] / J[i];
    }
    for (int iteration = 0; iteration < 20; iteration++) {
        equations(b, J, h, Z, r, a), solve(a, r, d);
        size = 0;
        for (int i = 0; i < 3; i++) Z[i] -= d[i], size = fmax(size, fabs(d[i]));
        if (size < 1e-9) break; /* the next correction is its square */
    }
    turn(b, Z), see_momentum(b);
    for (int i = 0; i < 3; i++)
        b->last[2][i] = b->last[1][i], b->last[1][i] = b->last[0][i], b->last[0][i] = Z[i];
    b->known++;
}

double rigid_by_hand(const double J[3], const double spin[3], double h, long steps, double mu[3])
{
    body b = {.q = {1}};
    for (int i = 0; i < 3; i++) b.pi[i] = b.mu[i] = J[i] * spin[i];
    const double begin = seconds();
    for (long k = 0; k < steps; k++) step(&b, J, h);
    const double spent = seconds() - begin;
    for (int i = 0; i < 3; i++) mu[i] = b.mu[i];
    return spent;
}
