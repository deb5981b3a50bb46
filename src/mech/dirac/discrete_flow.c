/* discrete_flow.c - discrete Lagrangians and forces of curves that are flows: those that are shot,
 * and the motion itself.                                                 theory.md [DUPLICATION]
 * The exact motion is a Taylor polynomial of high order on each of a few parts of the chord, whose
 * jets carry the derivatives in the start along. */
#include "mech/dirac/discrete_inside.h"

#include "step/words.h"

#include "step/judge.h"

#include <math.h>
#include <string.h>

enum { PARTS = 8, SPAN = 2 * DISCRETE_MOST };

typedef struct { /* integrals, and what they change by with the start: directions q0, then v0 */
    double L, force[SPAN], whole[SPAN];
} integrals;

/* Adds weight (L, f.dq_a, (L_q + f).dq_a + L_v.dv_a) at one point; of L or of f, if not both. */
static bool add_point(discretiser *c, integrals *sum, double weight, double t, bool of_L, bool of_f)
{
    const int    n = c->n;
    const size_t size = c->room / (size_t)n;
    double       q[DISCRETE_MOST], v[DISCRETE_MOST];
    for (int j = 0; j < n; j++)
        q[j] = c->q[(size_t)j * size] + c->dq[(size_t)j * size], v[j] = c->at_v[(size_t)j * size];
    if (!discrete_evaluate(c, WANT_L | WANT_GRADIENT | WANT_FORCE, t, q, v)) return false;
    if (of_L) sum->L += weight * c->out.L;
    for (int a = 0; a < 2 * n; a++)
        for (int j = 0; j < n; j++) {
            size_t at = (size_t)j * size + 1 + (size_t)a;
            double dq = c->q[at] + c->dq[at];
            if (of_f) sum->force[a] += weight * c->out.f[j] * dq;
            if (of_f) sum->whole[a] += weight * c->out.f[j] * dq;
            if (of_L) sum->whole[a] += weight * (c->out.Lq[j] * dq + c->out.Lw[j] * c->at_v[at]);
        }
    return true;
}

/* One rule on a flow that has begun at t; its points lie at c_i h. */
static bool add_rule(discretiser *c, flow *f, integrals *sum, const quadrature *r, double t,
                     double h, bool of_L, bool of_f)
{
    for (int i = 0; i < r->s; i++)
        if (!flow_at(f, r->c[i] * h, c->dq, c->at_v) ||
            !add_point(c, sum, h * r->b[i], t + r->c[i] * h, of_L, of_f))
            return false;
    return true;
}

/* q0 and v0 as functions of themselves: the unit directions 1 .. n, and n + 1 .. 2n. */
static void begin_jets(discretiser *c, const double *q0, const double *v0)
{
    const size_t size = c->room / (size_t)c->n;
    memset(c->q, 0, c->room * sizeof *c->q), memset(c->v, 0, c->room * sizeof *c->v);
    for (int j = 0; j < c->n; j++) {
        double *q = c->q + (size_t)j * size, *v = c->v + (size_t)j * size;
        q[0] = q0[j], q[1 + j] = 1, v[0] = v0[j], v[1 + c->n + j] = 1;
    }
}

/* To the end of a part: q and v there, still as functions of the first start. */
static bool move_on(discretiser *c, flow *f, double h)
{
    if (!flow_at(f, h, c->dq, c->at_v)) return false;
    for (size_t i = 0; i < c->room; i++) c->q[i] += c->dq[i], c->v[i] = c->at_v[i];
    return true;
}

/* x = B^-1 x' or B^-T x', of at most two unknowns; B = dq1/dv0 */
static void divide(double B[DISCRETE_MOST][DISCRETE_MOST], int n, bool transposed, const double *b,
                   double *x)
{
    if (n == 1) {
        x[0] = b[0] / B[0][0];
        return;
    }
    double det = B[0][0] * B[1][1] - B[0][1] * B[1][0], off = transposed ? B[1][0] : B[0][1];
    double down = transposed ? B[0][1] : B[1][0], b0 = b[0], b1 = b[1];
    x[0] = (B[1][1] * b0 - off * b1) / det, x[1] = (B[0][0] * b1 - down * b0) / det;
}

/*     A = dq_1/dq_0,   B = dq_1/dv_0 */
static void derivatives_of_end(const discretiser *c, double A[DISCRETE_MOST][DISCRETE_MOST],
                               double B[DISCRETE_MOST][DISCRETE_MOST])
{
    const size_t size = c->room / (size_t)c->n;
    for (int j = 0; j < c->n; j++)
        for (int a = 0; a < c->n; a++) {
            A[j][a] = c->q[(size_t)j * size + 1 + (size_t)a];
            B[j][a] = c->q[(size_t)j * size + 1 + (size_t)(c->n + a)];
        }
}

/*     W(q0, v0(q0,q1)):   dW/dq1 = B^-T W_v,   dW/dq0 = W_q - A^T dW/dq1 */
static void by_ends(const discretiser *c, const double *W, double *minus, double *plus)
{
    double A[DISCRETE_MOST][DISCRETE_MOST] = {{0}}, B[DISCRETE_MOST][DISCRETE_MOST] = {{0}};
    derivatives_of_end(c, A, B);
    divide(B, c->n, true, W + c->n, plus);
    for (int a = 0; a < c->n; a++) {
        minus[a] = W[a];
        for (int j = 0; j < c->n; j++) minus[a] -= A[j][a] * plus[j];
    }
}

/* p_0 and p_1 are the derivatives of the whole action with its forces, -p_0 = D_1 L_d + f_d^-. */
static void conclude(const discretiser *c, const integrals *sum, discrete *out)
{
    out->L = sum->L;
    by_ends(c, sum->force, out->minus, out->plus);
    by_ends(c, sum->whole, out->p0, out->p1);
    for (int a = 0; a < c->n; a++) out->p0[a] = -out->p0[a];
}

/* Part by part; derivatives stay those in the start of the first. */
bool discrete_exact(discretiser *c, double t, double h, const double *q0, const double *v0,
                    double *q1, discrete *out)
{
    integrals sum = {0};
    begin_jets(c, q0, v0);
    for (int k = 0; k < PARTS; k++) {
        double from = t + k * h / PARTS;
        if (!flow_begin_from(c->exact, from, c->q, c->v, false)) return false;
        if (!add_rule(c, c->exact, &sum, &c->fine, from, h / PARTS, true, true)) return false;
        if (!move_on(c, c->exact, h / PARTS)) return false;
    }
    for (int j = 0; j < c->n; j++) q1[j] = c->q[(size_t)j * (c->room / (size_t)c->n)];
    conclude(c, &sum, out);
    return true;
}

/* The velocity with which the map hits q1: Newton's iteration with B. */
static bool aim(discretiser *c, double t, double h, const double *q0, const double *q1, double *v0)
{
    const size_t size = c->room / (size_t)c->n;
    double       A[DISCRETE_MOST][DISCRETE_MOST] = {{0}}, B[DISCRETE_MOST][DISCRETE_MOST] = {{0}};
    double       miss[DISCRETE_MOST] = {0}, dv[DISCRETE_MOST] = {0};
    double       before = HUGE_VAL;
    for (int it = 0; it < DISCRETE_ITERATIONS; it++) {
        double most = 0, speed = 0;
        begin_jets(c, q0, v0);
        if (!flow_begin(c->shot, t, q0, v0, false) || !move_on(c, c->shot, h)) return false;
        for (int j = 0; j < c->n; j++) miss[j] = c->q[(size_t)j * size] - q1[j];
        derivatives_of_end(c, A, B);
        divide(B, c->n, false, miss, dv);
        for (int j = 0; j < c->n; j++) {
            v0[j] -= dv[j];
            most = fmax(most, fabs(dv[j])), speed = fmax(speed, fabs(v0[j]) + fabs(q1[j] / h));
        }
        if (was_last(most, before, speed)) return true;
        before = most;
    }
    return false;
}

/* First v_0, then the sums of both rules along that curve, then its end. */
bool discrete_shot(discretiser *c, double t, double h, const double *q0, const double *q1,
                   const double *guess, discrete *out)
{
    integrals sum = {0};
    double    v0[DISCRETE_MOST];
    memcpy(v0, guess, (size_t)c->n * sizeof *v0);
    if (!aim(c, t, h, q0, q1, v0)) return false;
    begin_jets(c, q0, v0);
    if (!flow_begin(c->shot, t, q0, v0, false)) return false;
    if (!add_rule(c, c->shot, &sum, &c->sch.rule, t, h, true, false)) return false;
    if (!add_rule(c, c->shot, &sum, &c->sch.force, t, h, false, true)) return false;
    if (!move_on(c, c->shot, h)) return false;
    conclude(c, &sum, out);
    return true;
}
