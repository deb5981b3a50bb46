/* pendulum.c - the plane pendulum of n equal links in absolute angles, by the midpoint rule: the library beside the dense
 * Newton that one would write by hand.
 *
 *     L = sum_ij M_ij cos(th_i - th_j) w_i w_j / 2 + g sum_i G_i cos th_i,   M_ij = n - max(i, j),  G_i = n - i
 *     R = p_0 + (h/2) L_q - L_w = 0 at th + z/2, w = z/h;   p_1 = L_w + (h/2) L_q */
#include "bench.h"
#include "dalembert.h"
#include "problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINKS = 30 };
static const double g = 9.81;

typedef struct {
    int    n;
    double th[LINKS], p[LINKS], cth[LINKS], cp[LINKS], last[3][LINKS];
    int    known;
} chain;

static double weight(int n, int i, int j)
{
    return n - (i > j ? i : j);
}

/* L_q, L_w and, if J is wanted, dR/dz = (h/4) L_qq + (L_qw - L_wq)/2 - L_ww/h at th, w. */
static void evaluate(int n, const double *th, const double *w, double h, double *Lq, double *Lw, double *J)
{
    double c[LINKS], s[LINKS];
    for (int i = 0; i < n; i++) c[i] = cos(th[i]), s[i] = sin(th[i]), Lq[i] = -g * (n - i) * s[i], Lw[i] = 0;
    for (int i = 0; i < n && J; i++)
        for (int j = 0; j < n; j++) J[i * n + j] = 0;
    for (int i = 0; i < n; i++) {
        double turn = 0;
        for (int j = 0; j < n; j++) {
            const double M = weight(n, i, j), C = M * (c[i] * c[j] + s[i] * s[j]), S = M * (s[i] * c[j] - c[i] * s[j]);
            Lq[i] -= S * w[i] * w[j], Lw[i] += C * w[j];
            turn += C * w[j];
            if (J && i != j)
                J[i * n + j] = h / 4 * C * w[i] * w[j] - 0.5 * S * (w[i] + w[j]) - C / h;
        }
        if (J) {
            const double own = weight(n, i, i);
            J[i * n + i] = h / 4 * (-g * (n - i) * c[i] - w[i] * (turn - own * w[i])) - own / h;
        }
    }
}

/* Gauss elimination with pivots on the diagonal: the matrix is close to -M/h. */
static void solve_dense(int n, double *J, double *r)
{
    for (int k = 0; k < n; k++) {
        const double inverse = 1 / J[k * n + k];
        for (int i = k + 1; i < n; i++) {
            const double f = J[i * n + k] * inverse;
            for (int j = k + 1; j < n; j++) J[i * n + j] -= f * J[k * n + j];
            r[i] -= f * r[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) r[k] -= J[k * n + j] * r[j];
        r[k] /= J[k * n + k];
    }
}

static void add(double *x, double *c, double dx)
{
    double y = dx + *c, s = *x + y;
    *c = y - (s - *x), *x = s;
}

static void step(chain *x, double h, double *J)
{
    const int n = x->n;
    double    z[LINKS], th[LINKS], w[LINKS], Lq[LINKS], Lw[LINKS], r[LINKS];
    for (int i = 0; i < n; i++) {
        const double a = x->last[0][i], b = x->last[1][i], c = x->last[2][i];
        z[i] = x->known > 2 ? 3 * (a - b) + c : x->known > 1 ? 2 * a - b : x->known ? a : 0;
    }
    for (int iteration = 0; iteration < 20; iteration++) {
        double size = 0;
        for (int i = 0; i < n; i++) th[i] = x->th[i] + z[i] / 2, w[i] = z[i] / h;
        evaluate(n, th, w, h, Lq, Lw, J);
        for (int i = 0; i < n; i++) r[i] = x->p[i] + h / 2 * Lq[i] - Lw[i];
        solve_dense(n, J, r);
        for (int i = 0; i < n; i++) z[i] -= r[i], size = fmax(size, fabs(r[i]));
        if (size < 1e-9) break;
    }
    for (int i = 0; i < n; i++) th[i] = x->th[i] + z[i] / 2, w[i] = z[i] / h;
    evaluate(n, th, w, h, Lq, Lw, NULL);
    for (int i = 0; i < n; i++) {
        add(&x->p[i], &x->cp[i], Lw[i] + h / 2 * Lq[i] - x->p[i]), add(&x->th[i], &x->cth[i], z[i]);
        x->last[2][i] = x->last[1][i], x->last[1][i] = x->last[0][i], x->last[0][i] = z[i];
    }
    x->known++;
}

static double run_by_hand(int n, double h, long steps, double *th)
{
    static double J[LINKS * LINKS];
    chain         x = {.n = n};
    for (int i = 0; i < n; i++) x.th[i] = 0.5;
    double begin = cpu_seconds();
    for (long k = 0; k < steps; k++) step(&x, h, J);
    double spent = cpu_seconds() - begin;
    memcpy(th, x.th, (size_t)n * sizeof *th);
    return spent;
}

static const char MODEL[] = "system Links {\n parameter N = %d, g = 9.81\n coordinate th[N]\n"
                            " let X[k in 1..N] = sum(j in 1..k: sin(th[j])), Y[k in 1..N] = -sum(j in 1..k: cos(th[j]))\n"
                            " lagrangian sum(k in 1..N: (X[k]'^2 + Y[k]'^2)/2 - g*Y[k])\n"
                            " for k in 1..N { start th[k] = 0.5 }\n}\n";

static double run_library(int n, const char *backend, double h, long steps, double *th)
{
    char         words[1024], number[40];
    dal_context *cx = dal_context_new(NULL);
    dal_options *o = dal_options_new(cx);
    dal_model   *m = NULL;
    dal_sim     *s = NULL;
    snprintf(words, sizeof words, MODEL, n);
    snprintf(number, sizeof number, "%.17g", h), dal_options_set(o, "step", number);
    snprintf(number, sizeof number, "%ld", steps), dal_options_set(o, "steps", number), dal_options_set(o, "monitor", number);
    dal_options_set(o, "record", "0"), dal_options_set(o, "backend", backend);
    if (dal_model_parse(cx, "links", words, o, &m) || dal_sim_new(m, o, &s)) dal_report(cx, stderr, 0), exit(1);
    double begin = cpu_seconds();
    if (dal_run(s, NULL)) dal_report(cx, stderr, 0), exit(1);
    double spent = cpu_seconds() - begin;
    memcpy(th, dal_q(s), (size_t)n * sizeof *th);
    dal_sim_free(s), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
    return spent;
}

typedef struct {
    double hand[ROUNDS], native[ROUNDS], vm[ROUNDS], arkode[ROUNDS]; /* seconds of a step */
    double far, arkode_far;                                              /* largest difference from the loop by hand */
} outcome;

static double furthest(int n, const double *a, const double *b)
{
    double far = 0;
    for (int i = 0; i < n; i++) far = fmax(far, fabs(a[i] - b[i]));
    return far;
}

static void compete(int n, long steps, outcome *o)
{
    double a[LINKS], b[LINKS], c[LINKS], each = 1 / (double)steps;
    for (int r = 0; r < rounds(); r++) {
        o->vm[r] = run_library(n, "vm", 0.01, steps, b) * each;
        o->native[r] = run_library(n, "native", 0.01, steps, b) * each;
        o->hand[r] = run_by_hand(n, 0.01, steps, a) * each;
        o->arkode[r] = 0;
#ifdef WITH_SUNDIALS
        o->arkode[r] = pendulum_by_arkode(n, 0.01, steps, c) * each;
#else
        memcpy(c, a, sizeof c);
#endif
    }
    o->far = furthest(n, a, b), o->arkode_far = furthest(n, a, c);
}

static void row(int n, const char *by, const double *t, const outcome *o, double far)
{
    timing own = summarise(t, rounds()), to = ratio(t, o->hand, rounds());
    char   title[40];
    printf("| %d | %s | %.0f | %.2f | %.2f-%.2f | %.0e |\n", n, by, own.median * 1e9, to.median, to.low, to.high, far);
    snprintf(title, sizeof title, "pendulum of %d links", n);
    reading(title, by, t, rounds());
    fflush(stdout);
}

void pendulums(void)
{
    static const int  links[] = {2, 10, 30};
    static const long steps[] = {20000, 2000, 200};
    printf("\n## Pendulum of n links, midpoint, h = 0.01\n\nNanoseconds per step; by hand: dense Newton with the exact Jacobian in "
           "angles. ARKODE has right-hand\nsides of O(n) by rod tensions and its own differences for the Jacobian; its midpoint rule is "
           "of the angles and their rates, which\nis another map of the same order. The difference is in the angles at the end, from the "
           "loop by hand.\n\n| n | by | ns per step | ratio | of rounds | difference |\n|---|---|---|---|---|---|\n");
    for (int k = 0; k < 3; k++) {
        static outcome o;
        char           name[64];
        snprintf(name, sizeof name, "pendulum of %d links", links[k]);
        progress(name, NULL);
        compete(links[k], steps[k], &o);
        row(links[k], "dalembert", o.native, &o, o.far);
        row(links[k], "dalembert, vm", o.vm, &o, o.far), row(links[k], "by hand", o.hand, &o, 0);
        if (o.arkode[0] > 0) row(links[k], "ARKODE midpoint", o.arkode, &o, o.arkode_far);
    }
}
