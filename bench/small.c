/* small.c - small systems, one step at a time: the library beside the loop that one would write by hand.
 *
 * Both make the same map: increments as unknowns, compensated summation, full Newton that stops once the next
 * correction would be below roundoff. Rounds are interleaved; the table has medians of processor time and the
 * spread (largest over smallest) of the rounds. The last column compares the final states. */
#include "bench.h"
#include "dalembert.h"

#include <math.h>
#include <string.h>

/* q + dq with the error carried along */
static void accumulate(double *q, double *c, double dq)
{
    double y = dq + *c, s = *q + y;
    *c = y - (s - *q), *q = s;
}

typedef struct {
    int    n;
    double q[2], p[2], cq[2], cp[2], last[2][2]; /* last: increments of the two steps before */
    int    known;
} state;

/* Lagrangians v.v/2 - V(q) with forces f(q, v): acceleration side F and its derivatives. */
typedef void (*model)(const double *q, const double *v, double *F, double Fq[2][2], double Fv[2][2]);

static inline void double_well(const double *q, const double *v, double *F, double Fq[2][2], double Fv[2][2])
{
    (void)v;
    double s = q[0] * q[0];
    F[0] = q[0] - 2 * s * q[0], Fq[0][0] = 1 - 6 * s, Fv[0][0] = 0;
}

static inline void van_der_pol(const double *q, const double *v, double *F, double Fq[2][2], double Fv[2][2])
{
    const double eps = 0.5, rho = 0.02, lam = 0.8;
    double       d = 2 * lam * (q[0] - q[1]), e0 = eps - q[0] * q[0], e1 = eps - q[1] * q[1];
    F[0] = -q[0] - d + e0 * v[0], F[1] = -(1 + rho) * q[1] + d + e1 * v[1];
    Fq[0][0] = -1 - 2 * lam - 2 * q[0] * v[0], Fq[0][1] = 2 * lam, Fq[1][0] = 2 * lam;
    Fq[1][1] = -(1 + rho) - 2 * lam - 2 * q[1] * v[1];
    Fv[0][0] = e0, Fv[0][1] = 0, Fv[1][0] = 0, Fv[1][1] = e1;
}

static inline void kepler(const double *q, const double *v, double *F, double Fq[2][2], double Fv[2][2])
{
    (void)v;
    double r2 = q[0] * q[0] + q[1] * q[1], i3 = 1 / (r2 * sqrt(r2)), i5 = 3 * i3 / r2;
    F[0] = -q[0] * i3, F[1] = -q[1] * i3;
    Fq[0][0] = i5 * q[0] * q[0] - i3, Fq[0][1] = Fq[1][0] = i5 * q[0] * q[1], Fq[1][1] = i5 * q[1] * q[1] - i3;
    Fv[0][0] = Fv[0][1] = Fv[1][0] = Fv[1][1] = 0;
}

/* p - z/h + (h/2) F(q + z/2, z/h) = 0, then p <- z/h + (h/2) F */
static inline void midpoint(state *s, model F_at, int n, double h)
{
    double z[2], F[2], Fq[2][2], Fv[2][2];
    for (int i = 0; i < n; i++)
        z[i] = s->known > 1 ? 2 * s->last[0][i] - s->last[1][i] : s->known ? s->last[0][i] : h * s->p[i];
    for (int iteration = 0; iteration < 20; iteration++) {
        double qm[2], v[2], r[2], J[2][2];
        for (int i = 0; i < n; i++) qm[i] = s->q[i] + z[i] / 2, v[i] = z[i] / h;
        F_at(qm, v, F, Fq, Fv);
        for (int i = 0; i < n; i++) {
            r[i] = s->p[i] - v[i] + h / 2 * F[i];
            for (int j = 0; j < n; j++) J[i][j] = h / 4 * Fq[i][j] + Fv[i][j] / 2 - (i == j ? 1 / h : 0);
        }
        double d[2];
        if (n == 1) d[0] = r[0] / J[0][0];
        else {
            double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
            d[0] = (r[0] * J[1][1] - r[1] * J[0][1]) / det, d[1] = (J[0][0] * r[1] - J[1][0] * r[0]) / det;
        }
        double size = 0;
        for (int i = 0; i < n; i++) z[i] -= d[i], size = fmax(size, fabs(d[i]));
        if (size < 1e-9) break; /* the next correction is its square */
    }
    double qm[2], v[2];
    for (int i = 0; i < n; i++) qm[i] = s->q[i] + z[i] / 2, v[i] = z[i] / h;
    F_at(qm, v, F, Fq, Fv);
    for (int i = 0; i < n; i++) {
        accumulate(&s->p[i], &s->cp[i], v[i] + h / 2 * F[i] - s->p[i]);
        accumulate(&s->q[i], &s->cq[i], z[i]);
        s->last[1][i] = s->last[0][i], s->last[0][i] = z[i];
    }
    s->known++;
}

/* z = h p + (h^2/2) F(q), then p <- p + (h/2)(F(q) + F(q + z)); F is carried over in `last` */
static inline void trapezoid(state *s, model F_at, int n, double h)
{
    double F[2], Fq[2][2], Fv[2][2], *F0 = s->last[0];
    if (!s->known) F_at(s->q, s->p, F0, Fq, Fv), s->known = 1;
    for (int i = 0; i < n; i++) accumulate(&s->q[i], &s->cq[i], h * (s->p[i] + h / 2 * F0[i]));
    F_at(s->q, s->p, F, Fq, Fv);
    for (int i = 0; i < n; i++) accumulate(&s->p[i], &s->cp[i], h / 2 * (F0[i] + F[i])), F0[i] = F[i];
}

#define LOOP(name, method, F_at, n)                                                                                   \
    static void name(state *s, double h, long steps)                                                                  \
    {                                                                                                                 \
        for (long k = 0; k < steps; k++) method(s, F_at, n, h);                                                       \
    }
LOOP(well_midpoint, midpoint, double_well, 1)
LOOP(well_trapezoid, trapezoid, double_well, 1)
LOOP(vdp_midpoint, midpoint, van_der_pol, 2)
LOOP(kepler_midpoint, midpoint, kepler, 2)
LOOP(kepler_trapezoid, trapezoid, kepler, 2)

typedef struct {
    const char *title, *text, *scheme;
    int         n;
    double      h, q[2], p[2];
    void (*by_hand)(state *, double, long);
} problem;

static const char WELL[] = "system W {\n coordinate q\n lagrangian q'^2/2 - (q^4 - q^2)/2\n start q = 0.74\n}\n";
static const char VDP[] = "system V {\n parameter eps = 0.5, rho = 0.02, lam = 0.8\n coordinate a, b\n"
                          " lagrangian (a'^2 + b'^2)/2 - a^2/2 - (1 + rho)*b^2/2 - lam*(a - b)^2\n"
                          " force a: (eps - a^2)*a'\n force b: (eps - b^2)*b'\n start a = -0.5, b = -0.25, b' = 4\n}\n";
static const char KEPLER[] = "system K {\n coordinate x, y\n lagrangian (x'^2 + y'^2)/2 + 1/sqrt(x^2 + y^2)\n"
                             " start x = 0.4, y' = 2\n}\n";

static const problem problems[] = {
    {"double well, midpoint", WELL, "midpoint", 1, 0.01, {0.74}, {0}, well_midpoint},
    {"double well, trapezoid", WELL, "trapezoid", 1, 0.01, {0.74}, {0}, well_trapezoid},
    {"coupled van der Pol, midpoint", VDP, "midpoint", 2, 0.01, {-0.5, -0.25}, {0, 4}, vdp_midpoint},
    {"Kepler e = 0.6, midpoint", KEPLER, "midpoint", 2, 0.01, {0.4, 0}, {0, 2}, kepler_midpoint},
    {"Kepler e = 0.6, trapezoid", KEPLER, "trapezoid", 2, 0.01, {0.4, 0}, {0, 2}, kepler_trapezoid},
};

static dal_sim *open_sim(dal_context *cx, const problem *p, dal_model **m)
{
    char         number[32];
    dal_sim     *s = NULL;
    dal_options *o = dal_options_new(cx);
    snprintf(number, sizeof number, "%.17g", p->h);
    dal_options_set(o, "scheme", p->scheme), dal_options_set(o, "step", number), dal_options_set(o, "steps", "1");
    if (dal_model_parse(cx, p->title, p->text, o, m) || dal_sim_new(*m, o, &s)) dal_report(cx, stderr, 0);
    dal_options_free(o);
    return s;
}

static double run_library(const problem *p, long steps, double *q, const char **backend)
{
    dal_context *cx = dal_context_new(NULL);
    dal_model   *m = NULL;
    dal_sim     *s = open_sim(cx, p, &m);
    if (!s) exit(1);
    double start = seconds();
    for (long k = 0; k < steps; k++)
        if (dal_step(s)) dal_report(cx, stderr, 0), exit(1);
    double spent = seconds() - start;
    memcpy(q, dal_q(s), (size_t)p->n * sizeof *q);
    *backend = dal_summarise(s)->backend;
    dal_sim_free(s), dal_model_free(m), dal_context_free(cx);
    return spent;
}

static double run_by_hand(const problem *p, long steps, double *q)
{
    state s = {.n = p->n};
    memcpy(s.q, p->q, sizeof s.q), memcpy(s.p, p->p, sizeof s.p);
    double start = seconds();
    p->by_hand(&s, p->h, steps);
    double spent = seconds() - start;
    memcpy(q, s.q, sizeof s.q);
    return spent;
}

int main(int argc, char **argv)
{
    long steps = argc > 1 ? atol(argv[1]) : 1000000;
    printf("%ld steps each, nanoseconds per step, medians of %d interleaved rounds (spread)\n\n", steps, ROUNDS);
    printf("| problem | dalembert | by hand | ratio | back end | largest difference in q |\n|---|---|---|---|---|---|\n");
    for (size_t k = 0; k < sizeof problems / sizeof *problems; k++) {
        const problem *p = &problems[k];
        double         ours[ROUNDS], hand[ROUNDS], q[2] = {0}, qh[2] = {0}, far = 0;
        const char    *backend = "";
        for (int r = 0; r < ROUNDS; r++) {
            ours[r] = run_library(p, steps, q, &backend);
            hand[r] = run_by_hand(p, steps, qh);
        }
        for (int i = 0; i < p->n; i++) far = fmax(far, fabs(q[i] - qh[i]));
        timing a = summarise(ours, ROUNDS), b = summarise(hand, ROUNDS);
        double ns = 1e9 / (double)steps;
        printf("| %s | %.1f (%.2f) | %.1f (%.2f) | %.1f | %s | %.1e |\n", p->title, a.median * ns, a.spread,
               b.median * ns, b.spread, a.median / b.median, backend, far);
    }
    return 0;
}
