/* bodies.c - bodies in space that attract each other, by the midpoint rule: the library, given a
 * sum over pairs, compared with a hand-written loop that iterates the forces at the middle of the
 * step until they converge.
 *
 *     z = h (p + (h/2) F(q + z/2))/m,     p_1 = p + h F,
 *     F = sum over pairs of G m_i m_j r/(r^2 + e^2)^(3/2) */
#include "bench.h"
#include "problem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BODIES = 50, MOST_BODIES = 3 * BODIES };

typedef struct {
    int    n; /* bodies; coordinates are x_1 .. x_n, y_1 .. y_n, z_1 .. z_n */
    double q[MOST_BODIES], p[MOST_BODIES], cq[MOST_BODIES], cp[MOST_BODIES], last[4][MOST_BODIES];
    int    known;
} cloud;

static void begin_at(cloud *c, int n)
{
    *c = (cloud){.n = n};
    for (int i = 0; i < n; i++) {
        const double k = i + 1, q[] = {cos(7 * k), sin(11 * k), cos(5 * k * k)},
                     v[] = {-sin(3 * k), cos(2 * k), sin(k)};
        for (int d = 0; d < 3; d++) c->q[d * n + i] = q[d], c->p[d * n + i] = v[d] / 2 / n;
    }
}

static void attract(int n, const double *q, double *F)
{
    const double *x = q, *y = q + n, *z = q + 2 * n, m = 1.0 / n;
    memset(F, 0, (size_t)(3 * n) * sizeof *F);
    for (int i = 0; i < n; i++) {
        double fx = 0, fy = 0, fz = 0;
        for (int j = i + 1; j < n; j++) {
            const double a = x[j] - x[i], b = y[j] - y[i], c = z[j] - z[i],
                         r2 = a * a + b * b + c * c + 0.0025;
            const double f = m * m / (r2 * sqrt(r2));
            fx += f * a, fy += f * b, fz += f * c;
            F[j] -= f * a, F[n + j] -= f * b, F[2 * n + j] -= f * c;
        }
        F[i] += fx, F[n + i] += fy, F[2 * n + i] += fz;
    }
}

static void add(double *x, double *c, double dx)
{
    double y = dx + *c, s = *x + y;
    *c = y - (s - *x), *x = s;
}

static void step(cloud *c, double h)
{
    const int N = 3 * c->n;
    double    z[MOST_BODIES], at[MOST_BODIES], F[MOST_BODIES];
    for (int i = 0; i < N; i++) {
        const double a = c->last[0][i], b = c->last[1][i], d = c->last[2][i], e = c->last[3][i];
        z[i] = c->known > 3 ? 4 * (a + d) - 6 * b - e : h * c->n * c->p[i];
    }
    for (int iteration = 0; iteration < 50; iteration++) {
        double size = 0;
        for (int i = 0; i < N; i++) at[i] = c->q[i] + z[i] / 2;
        attract(c->n, at, F);
        for (int i = 0; i < N; i++) {
            const double next = h * c->n * (c->p[i] + h / 2 * F[i]), d = fabs(next - z[i]);
            size = d > size ? d : size, z[i] = next;
        }
        if (size < 1e-14) break;
    }
    for (int i = 0; i < N; i++) {
        add(&c->q[i], &c->cq[i], z[i]), add(&c->p[i], &c->cp[i], h * F[i]);
        for (int k = 3; k > 0; k--) c->last[k][i] = c->last[k - 1][i];
        c->last[0][i] = z[i];
    }
    c->known++;
}

static double run_by_hand(int n, double h, long steps, double *q)
{
    static cloud c;
    begin_at(&c, n);
    double begin = cpu_seconds();
    for (long k = 0; k < steps; k++) step(&c, h);
    double spent = cpu_seconds() - begin;
    memcpy(q, c.q, (size_t)(3 * n) * sizeof *q);
    return spent;
}

static const char MODEL[] =
    "system Bodies {\n parameter N = %d, e = 0.05, m = 1/N\n coordinate x[N], y[N], z[N]\n"
    " lagrangian sum(i in 1..N: m*(x[i]'^2 + y[i]'^2 + z[i]'^2)/2)\n"
    " lagrangian sum(i in 1..N:"
    " sum(j in i+1..N: m^2/sqrt((x[i]-x[j])^2 + (y[i]-y[j])^2 + (z[i]-z[j])^2 + e^2)))\n"
    " for i in 1..N { start x[i] = cos(7*i), y[i] = sin(11*i), z[i] = cos(5*i*i)\n"
    "  start x[i]' = -sin(3*i)/2, y[i]' = cos(2*i)/2, z[i]' = sin(i)/2 }\n}\n";

static double run_library(int n, const char *backend, double h, long steps, double *q)
{
    char words[1024];
    snprintf(words, sizeof words, MODEL, n);
    return run_words(words, 3 * n, backend, h, steps, q);
}

static void row(int n, const char *by, const double *t, const double *hand, double far)
{
    timing own = summarise(t, rounds()), to = ratio(t, hand, rounds());
    char   title[40];
    printf("| %d | %s | %.1f | %.2f | %.2f-%.2f | %.0e |\n", n, by, own.median * 1e6, to.median,
           to.low, to.high, far);
    snprintf(title, sizeof title, "%d bodies", n);
    reading(title, by, t, rounds());
    fflush(stdout);
}

void bodies(void)
{
    static const int  count[] = {10, 20, 50};
    static const long steps[] = {1000, 300, 50};
    printf("\n## Bodies that attract each other in space, midpoint, h = 0.01\n\nMicroseconds per "
           "step. By hand the forces at the middle of the "
           "step are iterated until they stand still; dalembert does so\nwhere the ratio of two "
           "corrections says that it is quick, until what is left "
           "is below roundoff, and else makes Newton's iteration.\n\n| bodies | by | us per step | "
           "ratio | of rounds | difference |\n|---|---|---|---|---|---|\n");
    for (int k = 0; k < 3; k++) {
        double    hand[ROUNDS], native[ROUNDS], vm[ROUNDS], a[MOST_BODIES], b[MOST_BODIES], far = 0;
        const int n = count[k];
        progress("bodies that attract each other", NULL);
        for (int r = 0; r < rounds(); r++) {
            vm[r] = run_library(n, "vm", 0.01, steps[k], b) / (double)steps[k];
            native[r] = run_library(n, "native", 0.01, steps[k], b) / (double)steps[k];
            hand[r] = run_by_hand(n, 0.01, steps[k], a) / (double)steps[k];
        }
        for (int i = 0; i < 3 * n; i++) far = fmax(far, fabs(a[i] - b[i]));
        row(n, "dalembert", native, hand, far), row(n, "dalembert, vm", vm, hand, far),
            row(n, "by hand", hand, hand, 0);
    }
}
