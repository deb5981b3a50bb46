/* Linear systems M v' = -K q - C v - G v whose damping C does not commute with their stiffness K:
 * where steps of gauss(s) with C as damping are stable, where they are not, and what becomes of
 * momentum under strong damping.                                             theory.md [DAMPING] */
#include "api_run.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 4, SQUARINGS = 22 };

typedef struct {
    int    n;
    double K[MOST][MOST], C[MOST][MOST], G[MOST][MOST]; /* G is skew, and a force */
} linear_system;

typedef struct {
    char   at[8192];
    size_t used;
} words;

static void say(words *w, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    w->used += (size_t)vsnprintf(w->at + w->used, sizeof w->at - w->used, format, list);
    va_end(list);
    assert_true(w->used < sizeof w->at);
}

static const char *text_of(const linear_system *of)
{
    static words w;
    w.used = 0;
    say(&w, "system Linear {\n coordinate x[%d]\n lagrangian sum(i in 1..%d: x[i]'^2/2)\n", of->n,
        of->n);
    for (int i = 0; i < of->n; i++)
        for (int j = 0; j < of->n; j++)
            say(&w,
                " lagrangian %.17g*x[%d]*x[%d]\n damping x[%d]: %.17g*x[%d]'\n"
                " force x[%d]: %.17g*x[%d]'\n",
                -of->K[i][j] / 2, i + 1, j + 1, i + 1, -of->C[i][j], j + 1, i + 1, -of->G[i][j],
                j + 1);
    say(&w, "}\n");
    return w.at;
}

/* d(q, p)_1 / d(q, p)_0 of a step of length 1. */
static void step_matrix(const linear_system *of, const char *scheme, double *a)
{
    const setting set[] = {{"scheme", scheme}, {"step", "1"}, {"backend", "vm"}, {0}};
    run           r = begin_text(text_of(of), set);
    must(&r, dal_tangent_matrix(r.s, a));
    end(&r);
}

/* ln |a^N|^(1/N), N = 2^SQUARINGS: that of the spectral radius, and of the largest entries. */
static double growth(double *a, int n)
{
    double log_size = 0, b[4 * MOST * MOST];
    for (int k = 0; k <= SQUARINGS; k++) {
        double size = 0;
        for (int e = 0; e < n * n; e++) size = fmax(size, fabs(a[e]));
        log_size += log(size);
        for (int e = 0; e < n * n; e++) a[e] /= size;
        if (k == SQUARINGS) break;
        memset(b, 0, sizeof b);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                for (int l = 0; l < n; l++) b[i * n + l] += a[i * n + j] * a[j * n + l];
        memcpy(a, b, sizeof b), log_size *= 2;
    }
    return ldexp(log_size, -SQUARINGS);
}

static double growth_of(const linear_system *of, const char *scheme)
{
    double a[4 * MOST * MOST];
    step_matrix(of, scheme, a);
    return growth(a, 2 * of->n);
}

static double between(uint64_t *seed, double from, double to)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return from + (to - from) * (double)(*seed >> 11) / 9007199254740992.0;
}

/* A sum of `rank` matrices u u^T, of sizes over some orders of magnitude. */
static void add_random(uint64_t *r, double a[MOST][MOST], int n, int rank, double orders)
{
    for (int k = 0; k < rank; k++) {
        double       u[MOST];
        const double size = pow(10, orders * between(r, -1, 1));
        for (int i = 0; i < n; i++) u[i] = between(r, -1, 1);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) a[i][j] += size * u[i] * u[j];
    }
}

static linear_system draw(uint64_t seed, double stiffest)
{
    uint64_t      r = seed;
    linear_system of = {.n = 2 + (int)(seed % 3)};
    double        trace = 0;
    add_random(&r, of.K, of.n, of.n, 2), add_random(&r, of.C, of.n, 1 + (int)(seed / 3 % 2), 3);
    for (int i = 0; i < of.n; i++) {
        trace += of.K[i][i];
        for (int j = 0; j < i && seed % 2; j++)
            of.G[i][j] = between(&r, -2, 2), of.G[j][i] = -of.G[i][j];
    }
    for (int i = 0; i < of.n && trace > stiffest; i++)
        for (int j = 0; j < of.n; j++) of.K[i][j] *= stiffest / trace;
    return of;
}

/* gauss(2) whatever the stiffness, gauss(3) up to omega h = pi, gauss(4) up to 2 pi. */
static void steps_are_stable(void **state)
{
    static const struct {
        const char *scheme;
        double      stiffest;
    } of[] = {{"gauss(2)", HUGE_VAL}, {"gauss(3)", 9.86}, {"gauss(4)", 39.4}};
    (void)state;
    for (uint64_t seed = 1; seed <= 150; seed++)
        for (int k = 0; k < 3; k++) {
            const linear_system drawn = draw(seed, of[k].stiffest);
            const double        grows = growth_of(&drawn, of[k].scheme);
            if (!(grows < 1e-5)) fail_msg("system %d, %s: %g", (int)seed, of[k].scheme, grows);
        }
}

/* Beyond there are systems that grow. Rates are those of the Runge-Kutta form in 30 digits. */
static void stiffer_systems_may_grow(void **state)
{
    static const struct {
        const char   *scheme;
        linear_system of;
        double        u[MOST], c, rate;
    } of[] = {{"gauss(3)",
               {3, {{9.7798}, {0, 10.287}, {0, 0, 4.5953e7}}, {{0}}, {{0}}},
               {0.1132, 0.209, 15.21},
               2,
               5.55372e-5},
              {"gauss(4)", {2, {{44}, {0, 178700}}, {{0}}, {{0}}}, {0.05, 1}, 15, 2.72166e-4}};
    (void)state;
    for (int k = 0; k < 2; k++) {
        linear_system damped = of[k].of;
        for (int i = 0; i < damped.n; i++)
            for (int j = 0; j < damped.n; j++) damped.C[i][j] = of[k].c * of[k].u[i] * of[k].u[j];
        check_close(growth_of(&damped, of[k].scheme), of[k].rate, 1e-5);
        check_below(growth_of(&damped, "gauss(2)"), 0);
        for (int i = 0; i < damped.n; i++) /* half the step */
            for (int j = 0; j < damped.n; j++) damped.K[i][j] /= 4, damped.C[i][j] /= 2;
        check_below(growth_of(&damped, of[k].scheme), 0);
    }
}

/* Under damping of 10^8 a step leaves nothing of momentum, in any direction. */
static void strong_damping_ends_in_a_step(void **state)
{
    static const char *const scheme[] = {"gauss(2)", "gauss(3)", "gauss(4)"};
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++)
        for (int k = 0; k < 3; k++) {
            linear_system of = draw(seed, 1);
            double        a[4 * MOST * MOST];
            for (int i = 0; i < of.n; i++) of.C[i][i] += 1;
            for (int i = 0; i < of.n; i++)
                for (int j = 0; j < of.n; j++) of.C[i][j] *= 1e8;
            step_matrix(&of, scheme[k], a);
            for (int i = of.n; i < 2 * of.n; i++)
                for (int j = of.n; j < 2 * of.n; j++) check_below(fabs(a[i * 2 * of.n + j]), 1e-5);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_stable),
        cmocka_unit_test(stiffer_systems_may_grow),
        cmocka_unit_test(strong_damping_ends_in_a_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
