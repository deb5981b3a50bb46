/* discrete_flow.c - discrete Lagrangians and forces of curves that are flows: those that are shot,
 * and the motion itself.                                                 theory.md [DUPLICATION]
 * The exact motion is a Taylor polynomial of high order on each of a few parts of the chord, whose
 * jets carry the derivatives in the start along. */
#include "mech/dirac/discrete_inside.h"

#include "linalg/dense.h"

#include "step/words.h"

#include "step/judge.h"

#include <math.h>
#include <string.h>

enum { SPAN = 2 * DISCRETE_MOST };

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

/*     A = dq_1/dq_0,   B = dq_1/dv_0, factored as it stands or transposed */
static bool factor_end(discretiser *c, bool transposed)
{
    const size_t size = c->room / (size_t)c->n;
    const int    n = c->n;
    for (int j = 0; j < n; j++)
        for (int a = 0; a < n; a++) {
            c->A[j * n + a] = c->q[(size_t)j * size + 1 + (size_t)a];
            c->B[transposed ? a * n + j : j * n + a] = c->q[(size_t)j * size + 1 + (size_t)(n + a)];
        }
    return solver_factor(c->of_B, c->B);
}

/*     W(q0, v0(q0,q1)):   dW/dq1 = B^-T W_v,   dW/dq0 = W_q - A^T dW/dq1 */
static void by_ends(const discretiser *c, const double *W, double *minus, double *plus)
{
    const int n = c->n;
    memcpy(plus, W + n, (size_t)n * sizeof *plus);
    solver_solve(c->of_B, plus);
    for (int a = 0; a < n; a++) {
        minus[a] = W[a];
        for (int j = 0; j < n; j++) minus[a] -= c->A[j * n + a] * plus[j];
    }
}

/* p_0 and p_1 are the derivatives of the whole action with its forces, -p_0 = D_1 L_d + f_d^-. */
static bool conclude(discretiser *c, const integrals *sum, discrete *out)
{
    if (!factor_end(c, true)) return false;
    out->L = sum->L, out->power[0] = out->power[1] = (double)NAN;
    by_ends(c, sum->force, out->minus, out->plus);
    by_ends(c, sum->whole, out->p0, out->p1);
    for (int a = 0; a < c->n; a++) out->p0[a] = -out->p0[a];
    return true;
}

/* Part by part; derivatives stay those in the start of the first. */
bool discrete_exact(discretiser *c, double t, double h, const double *q0, const double *v0,
                    double *q1, discrete *out)
{
    integrals sum = {0};
    begin_jets(c, q0, v0);
    for (int k = 0; k < c->parts; k++) {
        double from = t + k * h / c->parts;
        if (!flow_begin_from(c->exact, from, c->q, c->v, false)) return false;
        if (!add_rule(c, c->exact, &sum, &c->fine, from, h / c->parts, true, true)) return false;
        if (!move_on(c, c->exact, h / c->parts)) return false;
    }
    for (int j = 0; j < c->n; j++) q1[j] = c->q[(size_t)j * (c->room / (size_t)c->n)];
    return conclude(c, &sum, out);
}

/* By how much v0 misses q1, in its own units; HUGE_VAL: it leads nowhere. */
static double correct_aim(discretiser *c, double h, const double *q1, const double *end, double *v0,
                          double *speed)
{
    double dv[DISCRETE_MOST], most = 0;
    for (int j = 0; j < c->n; j++) dv[j] = end[j] - q1[j];
    if (!factor_end(c, false)) return HUGE_VAL;
    solver_solve(c->of_B, dv);
    *speed = 0;
    for (int j = 0; j < c->n; j++) {
        v0[j] -= dv[j];
        most = fmax(most, fabs(dv[j])), *speed = fmax(*speed, fabs(v0[j]) + fabs(q1[j] / h));
    }
    return most;
}

static bool aim_exactly(discretiser *c, double t, double h, const double *q0, const double *q1,
                        double *v0, discrete *out)
{
    double end[DISCRETE_MOST], before = HUGE_VAL, speed;
    for (int it = 0; it < DISCRETE_ITERATIONS; it++) {
        if (!discrete_exact(c, t, h, q0, v0, end, out)) return false;
        double most = correct_aim(c, h, q1, end, v0, &speed);
        if (!(most < HUGE_VAL)) return false;
        if (was_last(most, before, speed)) return discrete_exact(c, t, h, q0, v0, end, out);
        before = most;
    }
    return false;
}

/* Ends are conjugate where a change of v0 by its own size moves q1 by next to nothing: B h^-1,
 * which is near 1 on short chords, has a small singular value. */
static bool conjugate(const discretiser *c, double h, mem *m)
{
    static const double SMALL = 1e-9;
    const int           n = c->n;
    double              sigma[DISCRETE_MOST], vt[DISCRETE_MOST * DISCRETE_MOST];
    dense_svd(m, c->B, n, n, sigma, vt);
    return isfinite(sigma[0]) && !(sigma[n - 1] > SMALL * fabs(h));
}

/* The largest difference of two, relative to the size of what is compared. */
static double apart(const discrete *a, const discrete *b, int n)
{
    double most = fabs(a->L - b->L), size = fabs(a->L);
    for (int j = 0; j < n; j++) {
        most = fmax(most, fmax(fabs(a->p0[j] - b->p0[j]), fabs(a->p1[j] - b->p1[j])));
        size = fmax(size, fmax(fabs(a->p0[j]), fabs(a->p1[j])));
    }
    return size > 0 ? most / size : most;
}

bool discrete_between(discretiser *c, double t, double h, const double *q0, const double *q1,
                      double *v0, discrete *out, text *why)
{
    enum { PARTS_MOST = 512 };
    static const double SETTLED = 1e-14;
    const int           usual = c->parts;
    discrete            coarse;
    bool                found = aim_exactly(c, t, h, q0, q1, v0, out);
    for (double before = HUGE_VAL; found && c->parts < PARTS_MOST;) {
        coarse = *out, c->parts *= 2;
        found = aim_exactly(c, t, h, q0, q1, v0, out);
        const double now = apart(&coarse, out, c->n);
        if (now <= SETTLED || now > before / 2) break;
        before = now;
    }
    c->parts = usual;
    if (conjugate(c, h, why->m)) {
        text_printf(why,
                    "the ends are conjugate points of a motion over h = %.6g: its first velocity "
                    "is not determined by them",
                    h);
        return false;
    }
    if (!found) text_printf(why, "no motion over h = %.6g was found between these ends", h);
    return found;
}

/* The velocity with which the map hits q1: Newton's iteration with B. */
static bool aim(discretiser *c, double t, double h, const double *q0, const double *q1, double *v0)
{
    const size_t size = c->room / (size_t)c->n;
    double       end[DISCRETE_MOST], speed, before = HUGE_VAL;
    for (int it = 0; it < DISCRETE_ITERATIONS; it++) {
        begin_jets(c, q0, v0);
        if (!flow_begin(c->shot, t, q0, v0, false) || !move_on(c, c->shot, h)) return false;
        for (int j = 0; j < c->n; j++) end[j] = c->q[(size_t)j * size];
        const double most = correct_aim(c, h, q1, end, v0, &speed);
        if (!(most < HUGE_VAL)) return false;
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
    return move_on(c, c->shot, h) && conclude(c, &sum, out);
}
