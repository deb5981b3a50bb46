/* test_api_rotation_orders.c - schemes keep their order with rotations and directions: free and forced,
 * with constraints that are linear and affine. The exact motion comes from Euler's equations with a
 * quaternion, from the sphere in Cartesian coordinates and from the circle of the turntable, which
 * share nothing with the steps, solved by an extrapolation code. */
#include "api_run.h"
#include "claims/extrapolation.h"

#include <stdio.h>
#include <string.h>

enum { NUMBERS_MOST = 8 };

typedef struct {
    const char *name, *model;
    int         numbers; /* of y; the first `compared` are columns */
    void (*rates)(const void *self, real t, const real *y, real *dy);
    double      y[NUMBERS_MOST], until;
    int         compared;
    const char *column[4];
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

/*     (J W)' = (J W) x W + (R^T e_3) x a - c W + drive,   y = (q, W) */
static void heavy_top(const void *self, real t, const real *y, real *dy)
{
    static const real J[] = {1, 2, 2.6L}, a[] = {0.3L, 0.2L, 1};
    const real       *q = y, *W = y + 4;
    const real        up[] = {2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]),
                              q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3]};
    const real        mu[] = {J[0] * W[0], J[1] * W[1], J[2] * W[2]};
    real              gyro[3], weight[3];
    (void)self;
    turn(q, W, dy), cross(mu, W, gyro), cross(up, a, weight);
    for (int i = 0; i < 3; i++)
        dy[4 + i] = (gyro[i] + weight[i] - 0.3L * W[i] + (i ? 0 : 0.5L * cosl(2 * t))) / J[i];
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

#define TOP                                                                                         \
    "system Top {\n parameter J[3] = [1, 2, 2.6], a[3] = [0.3, 0.2, 1]\n coordinate R : rotation\n" \
    " let W = bodyspin(R)\n lagrangian dot(W, diag(J)*W)/2 - (R*a)[3]\n"                            \
    " force R: R*([0.5*cos(2*t), 0, 0] - 0.3*W)\n start bodyspin(R) = [0.4, -0.3, 1.5]\n}\n"
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

static const problem problems[] = {
    {"heavy top",
     TOP,
     7,
     heavy_top,
     {1, 0, 0, 0, 0.4, -0.3, 1.5},
     2,
     4,
     {"R.w", "R.x", "R.y", "R.z"}},
    {"Suslov", SUSLOV, 6, suslov, {1, 0, 0, 0, 1.2, -0.7}, 2, 4, {"R.w", "R.x", "R.y", "R.z"}},
    {"pendulum", SPHERE, 6, sphere, {0.6, 0, -0.8, 0, 1, 0}, 1, 3, {"n[1]", "n[2]", "n[3]"}},
    {"turntable", TURNTABLE, 4, turntable, {0.3, 0.1, 0.2, -0.4}, 2, 2, {"x[1]", "x[2]"}}};

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
        real           y[NUMBERS_MOST];
        for (int i = 0; i < pb->numbers; i++) y[i] = pb->y[i];
        extrapolate(pb->rates, NULL, pb->numbers, 0, pb->until, 40, y);
        for (size_t s = 0; s < sizeof of / sizeof *of; s++) {
            const double coarse = error_of(pb, of[s].scheme, of[s].steps, y),
                         fine = error_of(pb, of[s].scheme, 2 * of[s].steps, y);
            if (fabs(log2(coarse / fine) - of[s].order) > 0.2)
                print_message("%s, %s: %.2e, %.2e, order %.2f\n", pb->name, of[s].scheme, coarse,
                              fine, log2(coarse / fine));
            check_close(log2(coarse / fine), of[s].order, 0.2);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rotations_keep_the_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
