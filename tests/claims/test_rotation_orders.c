/* test_rotation_orders.c - schemes keep their order with rotations and directions, on twelve
 * problems: free and forced, with constraints that are linear and affine, with joints, of
 * Hamiltonians, and with damping and states, where it is odd. The
 * exact motion comes from equations that share nothing with the steps, with quaternions and in
 * Cartesian coordinates, solved by an extrapolation code. */
#include "api_run.h"
#include "claims/extrapolation.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS_MOST = 14 };

typedef struct {
    const char *name, *model;
    int         numbers; /* of y; the first `compared` are columns */
    void (*rates)(const void *self, real t, const real *y, real *dy);
    double      y[NUMBERS_MOST], until;
    int         compared;
    const char *column[8];
    const void *self;
    int         finer; /* steps, times this: where orders are to be seen */
} problem;

/*     q' = q (0, W)/2 */
static void turn(const real *q, const real *W, real *dq)
{
    dq[0] = (-q[1] * W[0] - q[2] * W[1] - q[3] * W[2]) / 2;
    dq[1] = (q[0] * W[0] + q[2] * W[2] - q[3] * W[1]) / 2;
    dq[2] = (q[0] * W[1] + q[3] * W[0] - q[1] * W[2]) / 2;
    dq[3] = (q[0] * W[2] + q[1] * W[1] - q[2] * W[0]) / 2;
}

static void cross(const real *a, const real *b, real *out)
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/*     R^T e_3 */
static void vertical(const real *q, real *up)
{
    up[0] = 2 * (q[1] * q[3] - q[0] * q[2]), up[1] = 2 * (q[2] * q[3] + q[0] * q[1]);
    up[2] = q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3];
}

typedef struct {
    real J[3], a[3], c, drive;
} top;

static const top heavy = {{1, 2, 2.6L}, {0.3L, 0.2L, 1}, 0, 0},
                 driven = {{1, 2, 2.6L}, {0.3L, 0.2L, 1}, 0.3L, 0.5L},
                 lagrange = {{1, 1, 0.6L}, {0, 0, 2}, 0, 0};

/*     (J W)' = (J W) x W + (R^T e_3) x a - c W + drive,   y = (q, W) */
static void top_rates(const void *self, real t, const real *y, real *dy)
{
    const top  *of = self;
    const real *J = of->J, *W = y + 4, mu[] = {J[0] * W[0], J[1] * W[1], J[2] * W[2]};
    real        up[3], gyro[3], weight[3];
    turn(y, W, dy), vertical(y, up), cross(mu, W, gyro), cross(up, of->a, weight);
    for (int i = 0; i < 3; i++)
        dy[4 + i] = (gyro[i] + weight[i] - of->c * W[i] + (i ? 0 : of->drive * cosl(2 * t))) / J[i];
}

/* A gyrostat, whose rotors have the momentum k:  W = N (P - k),  P' = P x W + (R^T e_3) x a - c W,
 * y = (q, P) */
static void gyrostat(const void *self, real t, const real *y, real *dy)
{
    static const real N[3][3] = {{1, 0.1L, 0.05L}, {0.1L, 0.6L, -0.08L}, {0.05L, -0.08L, 0.4L}},
                      k[] = {0.4L, -0.2L, 0.7L}, a[] = {0.3L, 0.2L, 1};
    const real *P = y + 4;
    real        W[3] = {0}, up[3], gyro[3], weight[3];
    (void)self, (void)t;
    for (int i = 0; i < 9; i++) W[i / 3] += N[i / 3][i % 3] * (P[i % 3] - k[i % 3]);
    turn(y, W, dy), vertical(y, up), cross(P, W, gyro), cross(up, a, weight);
    for (int i = 0; i < 3; i++) dy[4 + i] = gyro[i] + weight[i] - 0.1L * W[i];
}

/* A top with drag that grows with its spin, and a servo that follows the third component of it:
 *     z' = 2 (W_3 - z),   y = (q, W, z) */
static void servo(const void *self, real t, const real *y, real *dy)
{
    const real *W = y + 4, z = y[7], drag = 0.4L * (1 + W[0] * W[0] + W[1] * W[1] + W[2] * W[2]);
    (void)self;
    top_rates(&heavy, t, y, dy);
    for (int i = 0; i < 3; i++) dy[4 + i] -= drag * W[i] / heavy.J[i];
    dy[6] -= 0.6L * z / heavy.J[2], dy[7] = 2 * (W[2] - z);
}

/* x: the solution of A x = b, n unknowns, by Gauss; both are lost. */
static void solve(int n, real *A, real *b)
{
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabsl(A[i * n + k]) > fabsl(A[p * n + k])) p = i;
        for (int j = 0; j < n; j++) {
            const real x = A[k * n + j];
            A[k * n + j] = A[p * n + j], A[p * n + j] = x;
        }
        const real x = b[k];
        b[k] = b[p], b[p] = x;
        for (int i = 0; i < n; i++) {
            const real c = A[i * n + k] / A[k * n + k];
            for (int j = k; j < n && i != k; j++) A[i * n + j] -= c * A[k * n + j];
            if (i != k) b[i] -= c * b[k];
        }
    }
    for (int k = 0; k < n; k++) b[k] /= A[k * n + k];
}

/* Chaplygin's ball: the momentum about the point of contact is constant in space,
 *     K' = K x W,   K = (J + m r^2 (1 - g g^T)) W,   g = R^T e_3,   y = (q, K) */
static void chaplygin(const void *self, real t, const real *y, real *dy)
{
    static const real J[] = {0.3L, 0.5L, 0.6L}, rolled = 0.25L;
    real              g[3], A[9], W[3];
    (void)self, (void)t;
    vertical(y, g);
    for (int i = 0; i < 9; i++)
        A[i] = -rolled * g[i / 3] * g[i % 3] + (i % 4 ? 0 : J[i / 3] + rolled);
    memcpy(W, y + 4, sizeof W);
    solve(3, A, W);
    turn(y, W, dy), cross(y + 4, W, dy + 4);
}

static void turned(const real *q, const real *a, real *out)
{
    real v[] = {q[1], q[2], q[3]}, u[3], w[3];
    cross(v, a, u), cross(v, u, w);
    for (int i = 0; i < 3; i++) out[i] = a[i] + 2 * (q[0] * u[i] + w[i]);
}

/* Two bodies on ball joints, y = (q_1, q_2, W_1, W_2), with arms c from the joints:
 *     x_1 = R_1 c_11,  x_2 = R_1 c_21 + R_2 c_22
 *     J W' + W x J W + sum_i m_i (R c_i x)^T (x_i'' + g e_3) = 0,   (R c)'' = R (W' x c + W x (W x
 * c)) */
static void double_pendulum(const void *self, real t, const real *y, real *dy)
{
    static const real m[] = {1, 0.7L}, J[2][3] = {{0.1L, 0.12L, 0.05L}, {0.08L, 0.05L, 0.09L}};
    static const real arm[2][2][3] = {{{-0.1L, 0, -0.5L}, {0, 0, 0}},
                                      {{0.1L, 0.1L, -1}, {0, -0.1L, -0.4L}}};
    real              A[36] = {0}, b[6], axis[2][2][3][3]; /* of x_i by W_k */
    (void)self, (void)t;
    for (int k = 0; k < 2; k++) {
        const real *W = y + 8 + 3 * k, mu[] = {J[k][0] * W[0], J[k][1] * W[1], J[k][2] * W[2]};
        turn(y + 4 * k, W, dy + 4 * k), cross(mu, W, b + 3 * k);
        for (int i = 0; i < 3; i++) A[7 * (3 * k + i)] = J[k][i];
        for (int i = 0; i < 2; i++)
            for (int e = 0; e < 3; e++) {
                const real unit[] = {e == 0, e == 1, e == 2};
                real       across[3];
                cross(unit, arm[i][k], across), turned(y + 4 * k, across, axis[i][k][e]);
            }
    }
    for (int i = 0; i < 2; i++) {
        real bias[3] = {0, 0, 9.81L};
        for (int k = 0; k < 2; k++) {
            real u[3], w[3], out[3];
            cross(y + 8 + 3 * k, arm[i][k], u), cross(y + 8 + 3 * k, u, w);
            turned(y + 4 * k, w, out);
            for (int e = 0; e < 3; e++) bias[e] += out[e];
        }
        for (int r = 0; r < 6; r++)
            for (int e = 0; e < 3; e++) {
                const real at = m[i] * axis[i][r / 3][r % 3][e];
                b[r] -= at * bias[e];
                for (int c = 0; c < 6; c++) A[6 * r + c] += at * axis[i][c / 3][c % 3][e];
            }
    }
    solve(6, A, b);
    memcpy(dy + 8, b, sizeof b);
}

/* Two thin rods, hung up, in Cartesian coordinates of n:
 *     A n'' = F + lambda n,   n.n'' = -n'^2,   y = (n_1, n_2, n_1', n_2') */
static void rods(const void *self, real t, const real *y, real *dy)
{
    static const real inverse[2][2] = {{12 / 7.0L, -18 / 7.0L}, {-18 / 7.0L, 48 / 7.0L}},
                      weight[] = {1.5L * 9.81L, 0.5L * 9.81L};
    real A[4], lambda[2];
    (void)self, (void)t;
    for (int k = 0; k < 2; k++) {
        lambda[k] = 0;
        for (int i = 0; i < 3; i++) lambda[k] -= y[6 + 3 * k + i] * y[6 + 3 * k + i];
        for (int j = 0; j < 2; j++) {
            A[2 * k + j] = 0;
            for (int i = 0; i < 3; i++) A[2 * k + j] += inverse[k][j] * y[3 * k + i] * y[3 * j + i];
            lambda[k] -= inverse[k][j] * weight[j] * y[3 * k + 2];
        }
    }
    solve(2, A, lambda);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            dy[3 * k + i] = y[6 + 3 * k + i], dy[6 + 3 * k + i] = 0;
            for (int j = 0; j < 2; j++)
                dy[6 + 3 * k + i] +=
                    inverse[k][j] * (lambda[j] * y[3 * j + i] + (i == 2 ? weight[j] : 0));
        }
}

/* W_3 = 0 and its reaction about the third axis; y = (q, W_1, W_2) */
static void suslov(const void *self, real t, const real *y, real *dy)
{
    static const real a = 1, b = 0.1L, c = 1.4L, d = 0.3L, e = -0.2L;
    const real        W[] = {y[4], y[5], 0}, mu = d * W[0] + e * W[1];
    const real        f = -mu * W[1], g = mu * W[0], det = a * c - b * b;
    (void)self, (void)t;
    turn(y, W, dy);
    dy[4] = (c * f - b * g) / det, dy[5] = (a * g - b * f) / det;
}

/*     n'' = -g (e_3 - n_3 n) - |n'|^2 n + F - (F.n) n,   F = -c n' + drive */
static void sphere(const void *self, real t, const real *y, real *dy)
{
    const real *n = y, *v = y + 3, F[] = {0.3L * cosl(2 * t), 0, -9.81L};
    real        along = 0;
    (void)self;
    for (int i = 0; i < 3; i++) along += F[i] * n[i] + v[i] * v[i];
    for (int i = 0; i < 3; i++) dy[i] = v[i], dy[3 + i] = F[i] - 0.2L * v[i] - along * n[i];
}

/*     x'' = (2/7) om e_3 x x' */
static void turntable(const void *self, real t, const real *y, real *dy)
{
    const real rate = 4.0L / 7;
    (void)self, (void)t;
    dy[0] = y[2], dy[1] = y[3], dy[2] = -rate * y[3], dy[3] = rate * y[2];
}

#define TOP(J, a, force, start)                                                                    \
    "system Top {\n coordinate R : rotation\n let W = bodyspin(R)\n"                               \
    " lagrangian dot(W, diag(" J ")*W)/2 - (R*" a ")[3]\n" force " start bodyspin(R) = " start     \
    "\n}\n"
#define SUSLOV                                                                                     \
    "system Suslov {\n parameter J[3][3] = [[1, 0.1, 0.3], [0.1, 1.4, -0.2], [0.3, -0.2, 2]]\n"    \
    " coordinate R : rotation\n lagrangian dot(bodyspin(R), J*bodyspin(R))/2\n"                    \
    " constraint bodyspin(R)[3] = 0\n start bodyspin(R) = [1.2, -0.7, 0]\n}\n"
#define SPHERE                                                                                     \
    "system Sphere {\n coordinate n : direction\n lagrangian dot(n', n')/2 - 9.81*n[3]\n"          \
    " force n: [0.3*cos(2*t), 0, 0] - 0.2*n'\n start n = [0.6, 0, -0.8], n' = [0, 1, 0]\n}\n"
#define TURNTABLE                                                                                  \
    "system Turntable {\n parameter m = 1.3, r = 0.5, om = 2\n let I = 2/5*m*r^2\n"                \
    " coordinate x[2], R : rotation\n let w = spin(R)\n"                                           \
    " lagrangian m/2*(x[1]'^2 + x[2]'^2) + I/2*dot(w, w)\n"                                        \
    " constraint x[1]' = r*w[2] - om*x[2]\n constraint x[2]' = -r*w[1] + om*x[1]\n"                \
    " start x = [0.3, 0.1], x[1]' = 0.2, x[2]' = -0.4, spin(R) = [2, 0.8, 0.7]\n}\n"

#define CHAPLYGIN                                                                                   \
    "system Ball {\n parameter m = 1, r = 0.5\n coordinate x[2], R : rotation\n let w = spin(R)\n"  \
    " lagrangian m/2*(x[1]'^2 + x[2]'^2) + dot(bodyspin(R), diag([0.3, 0.5, 0.6])*bodyspin(R))/2\n" \
    " constraint x[1]' = r*w[2]\n constraint x[2]' = -r*w[1]\n"                                     \
    " start bodyspin(R) = [1.2, -0.5, 0.8], x[1]' = 0 free, x[2]' = 0 free\n}\n"
#define DOUBLE                                                                                     \
    "system Double {\n coordinate x[2][3], R[2] : rotation\n let W[k in 1..2] = bodyspin(R[k])\n"  \
    " lagrangian dot(x[1]', x[1]')/2 + dot(W[1], diag([0.1, 0.12, 0.05])*W[1])/2 - 9.81*x[1][3]\n" \
    " lagrangian 0.35*dot(x[2]', x[2]') + dot(W[2], diag([0.08, 0.05, 0.09])*W[2])/2\n"            \
    " lagrangian -0.7*9.81*x[2][3]\n holonomic x[1] + R[1]*[0.1, 0, 0.5] = [0, 0, 0]\n"            \
    " holonomic x[1] + R[1]*[0.2, 0.1, -0.5] = x[2] + R[2]*[0, 0.1, 0.4]\n"                        \
    " start bodyspin(R[1]) = [0.5, -0.4, 1], bodyspin(R[2]) = [-1, 0.6, 0.8]\n"                    \
    " start x[1] = [-0.1, 0, -0.5], x[2] = [0.1, 0, -1.4]\n"                                       \
    " start x[1]' = [0, 0, 0] free, x[2]' = [0, 0, 0] free\n}\n"
#define RODS                                                                                       \
    "system Rods {\n coordinate x[2][3], n[2] : direction\n"                                       \
    " lagrangian sum(k in 1..2: dot(x[k]', x[k]')/2 + dot(n[k]', n[k]')/24 - 9.81*x[k][3])\n"      \
    " holonomic x[1] + n[1]/2 = [0, 0, 0]\n holonomic x[1] - n[1]/2 = x[2] + n[2]/2\n"             \
    " start n[1] = [0, -0.6, 0.8], x[1] = [0, 0.3, -0.4], n[2] = [0.6, 0, 0.8]\n"                  \
    " start x[2] = [-0.3, 0.6, -1.2]\n}\n"

#define GYROSTAT                                                                                   \
    "system Gyrostat {\n parameter N[3][3] = [[1, 0.1, 0.05], [0.1, 0.6, -0.08], [0.05, -0.08, "   \
    "0.4]]\n coordinate R : rotation\n let P = inv(R)*p(R) - [0.4, -0.2, 0.7]\n"                   \
    " hamiltonian dot(P, N*P)/2 + (R*[0.3, 0.2, 1])[3]\n force R: -0.1*spin(R)\n"                  \
    " start p(R) = [0.4, -0.3, 1.5]\n}\n"
#define SERVO                                                                                      \
    " damping R: -0.4*(1 + dot(W, W))*spin(R)\n state z' = 2*(W[3] - z)\n"                         \
    " force R: -0.6*z*(R*[0, 0, 1])\n start z = 0.2\n"

#define QUATERNION                                                                                 \
    4,                                                                                             \
    {                                                                                              \
        "R.w", "R.x", "R.y", "R.z"                                                                 \
    }

static const problem problems[] = {
    {"heavy top",
     TOP("[1, 2, 2.6]", "[0.3, 0.2, 1]", "", "[0.4, -0.3, 1.5]"),
     7,
     top_rates,
     {1, 0, 0, 0, 0.4, -0.3, 1.5},
     2,
     QUATERNION,
     &heavy,
     1},
    {"damped, driven top",
     TOP("[1, 2, 2.6]", "[0.3, 0.2, 1]", " force R: R*([0.5*cos(2*t), 0, 0] - 0.3*W)\n",
         "[0.4, -0.3, 1.5]"),
     7,
     top_rates,
     {1, 0, 0, 0, 0.4, -0.3, 1.5},
     2,
     QUATERNION,
     &driven,
     1},
    {"Lagrange's top",
     TOP("[1, 1, 0.6]", "[0, 0, 2]", "", "[0.8, 0.2, 6]"),
     7,
     top_rates,
     {1, 0, 0, 0, 0.8, 0.2, 6},
     1,
     QUATERNION,
     &lagrange,
     1},
    {"Suslov", SUSLOV, 6, suslov, {1, 0, 0, 0, 1.2, -0.7}, 2, QUATERNION, NULL, 1},
    {"pendulum",
     SPHERE,
     6,
     sphere,
     {0.6, 0, -0.8, 0, 1, 0},
     1,
     3,
     {"n[1]", "n[2]", "n[3]"},
     NULL,
     1},
    {"turntable", TURNTABLE, 4, turntable, {0.3, 0.1, 0.2, -0.4}, 2, 2, {"x[1]", "x[2]"}, NULL, 1},
    {"Chaplygin's ball",
     CHAPLYGIN,
     7,
     chaplygin,
     {1, 0, 0, 0, 1.2 * 0.55, -0.5 * 0.75, 0.8 * 0.6},
     2,
     QUATERNION,
     NULL,
     1},
    {"double pendulum",
     DOUBLE,
     14,
     double_pendulum,
     {1, 0, 0, 0, 1, 0, 0, 0, 0.5, -0.4, 1, -1, 0.6, 0.8},
     0.5,
     8,
     {"R[1].w", "R[1].x", "R[1].y", "R[1].z", "R[2].w", "R[2].x", "R[2].y", "R[2].z"},
     NULL,
     1},
    {"rods",
     RODS,
     12,
     rods,
     {0, -0.6, 0.8, 0.6, 0, 0.8},
     0.5,
     6,
     {"n[1][1]", "n[1][2]", "n[1][3]", "n[2][1]", "n[2][2]", "n[2][3]"},
     NULL,
     2},
    {"gyrostat", GYROSTAT, 7, gyrostat, {1, 0, 0, 0, 0.4, -0.3, 1.5}, 2, QUATERNION, NULL, 1},
    {"free body by its Hamiltonian",
     "system Body {\n coordinate R : rotation\n let P = inv(R)*p(R)\n"
     " hamiltonian (P[1]^2 + P[2]^2/2 + P[3]^2/2.6)/2 + (R*[0.3, 0.2, 1])[3]\n"
     " start p(R) = [0.4, -0.6, 3.9]\n}\n",
     7,
     top_rates,
     {1, 0, 0, 0, 0.4, -0.3, 1.5},
     2,
     QUATERNION,
     &heavy,
     1},
    {"servo",
     TOP("[1, 2, 2.6]", "[0.3, 0.2, 1]", SERVO, "[0.4, -0.3, 1.5]"),
     8,
     servo,
     {1, 0, 0, 0, 0.4, -0.3, 1.5, 0.2},
     2,
     QUATERNION,
     NULL,
     2}};

static double error_of(const problem *of, const char *scheme, int steps, const real *exact)
{
    char          h[32], end_time[32];
    double        most = 0;
    const setting set[] = {{"scheme", scheme}, {"step", h}, {"until", end_time}, {0}};
    snprintf(h, sizeof h, "%.17g", of->until / steps);
    snprintf(end_time, sizeof end_time, "%.17g", of->until);
    run r = begin_text(of->model, set);
    run_to_end(&r);
    for (int i = 0; i < of->compared; i++)
        most = fmax(most, fabs(measure(&r, of->column[i]) - (double)exact[i]));
    end(&r);
    return most;
}

static void rotations_keep_the_order(void **state)
{
    static const struct {
        const char *scheme;
        double      order;
        int         steps;
    } of[] = {{"gauss(1)", 2, 80},   {"gauss(2)", 4, 20},   {"gauss(3)", 6, 10},
              {"lobatto(2)", 2, 80}, {"lobatto(3)", 4, 20}, {"lobatto(4)", 6, 10}};
    (void)state;
    for (size_t k = 0; k < sizeof problems / sizeof *problems; k++) {
        const problem *pb = &problems[k];
        const bool     upwinded = pb->rates == servo; /* by gauss(s) alone, and of an order less */
        real           y[NUMBERS_MOST];
        for (int i = 0; i < pb->numbers; i++) y[i] = pb->y[i];
        extrapolate(pb->rates, pb->self, pb->numbers, 0, pb->until, 40, y);
        for (size_t s = 0; s < sizeof of / sizeof *of; s++) {
            const double order = of[s].order - upwinded;
            const int    steps = pb->finer * of[s].steps;
            if (upwinded && s != 1 && s != 2) continue;
            const double coarse = error_of(pb, of[s].scheme, steps, y),
                         fine = error_of(pb, of[s].scheme, 2 * steps, y);
            if (getenv("DAL_SHOW") || fabs(log2(coarse / fine) - order) > 0.1)
                print_message("%s, %s: %.2e, %.2e, order %.2f\n", pb->name, of[s].scheme, coarse,
                              fine, log2(coarse / fine));
            check_close(log2(coarse / fine), order, 0.1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rotations_keep_the_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
