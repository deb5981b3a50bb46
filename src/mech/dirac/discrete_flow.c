/* discrete_flow.c - discrete Lagrangians and forces of curves that are shot, whose jets carry the
 * derivatives in the start along.                                        theory.md [DUPLICATION] */
#include "mech/dirac/discrete_inside.h"

#include "kernel/jet.h"
#include "mech/dirac/generating.h"

#include "step/words.h"

#include "step/judge.h"

#include <math.h>
#include <string.h>

enum { SPAN = 2 * FLOW_COORDINATES_MOST };

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
    out->L = sum->L;
    for (int k = 0; k < 2; k++) out->power[k] = out->work[k] = out->energy[k] = (double)NAN;
    by_ends(c, sum->force, out->minus, out->plus);
    by_ends(c, sum->whole, out->p0, out->p1);
    for (int a = 0; a < c->n; a++) out->p0[a] = -out->p0[a];
    return true;
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

/* The velocity with which the map hits q1: Newton's iteration with B. */
static bool aim(discretiser *c, double t, double h, const double *q0, const double *q1, double *v0)
{
    const size_t size = c->room / (size_t)c->n;
    double       end[DISCRETE_MOST], speed = 0, before = HUGE_VAL;
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

/* First v_0, from the straight line, then the sums of both rules along that curve, then its end. */
static bool shot_between(discretiser *c, double t, double h, const double *q0, const double *q1,
                         discrete *out)
{
    integrals sum = {0};
    double    v0[FLOW_COORDINATES_MOST] = {0};
    for (int j = 0; j < c->n; j++)
        v0[j] = (q1[j] - q0[j]) / h, out->q0[j] = q0[j], out->q1[j] = q1[j];
    if (!aim(c, t, h, q0, q1, v0)) return false;
    begin_jets(c, q0, v0);
    if (!flow_begin(c->shot, t, q0, v0, false)) return false;
    if (!add_rule(c, c->shot, &sum, &c->sch.rule, t, h, true, false)) return false;
    if (!add_rule(c, c->shot, &sum, &c->sch.force, t, h, false, true)) return false;
    return move_on(c, c->shot, h) && conclude(c, &sum, out);
}

/* Hamiltonians: the end at which the momentum is the one that is given. ------------------------ */

typedef struct {
    discretiser      *c;
    const chord_ends *at;
    discrete         *out;
} sought_end;

/*     p1(q0, x) - p1 = 0,   or   p0(x, q1) - p0 = 0 */
static bool misses(void *self, const double *x, double *r)
{
    const sought_end *s = self;
    const chord_ends *at = s->at;
    const bool        of_end = at->given == START_AND_MOMENTUM;
    if (!shot_between(s->c, at->t, at->h, of_end ? at->a : x, of_end ? x : at->b, s->out))
        return false;
    for (int j = 0; j < s->c->n; j++)
        r[j] = of_end ? s->out->p1[j] - at->b[j] : s->out->p0[j] - at->a[j];
    return true;
}

bool discrete_shot(discretiser *c, const chord_ends *at, discrete *out)
{
    if (at->given == BOTH_ENDS) return shot_between(c, at->t, at->h, at->a, at->b, out);
    double     x[FLOW_COORDINATES_MOST], r[FLOW_COORDINATES_MOST];
    sought_end s = {c, at, out};
    memcpy(x, at->given == START_AND_MOMENTUM ? at->a : at->b, (size_t)c->n * sizeof *x);
    return dense_root(c->m, misses, &s, c->n, x) && misses(&s, x, r);
}

bool shot_prepare(discretiser *c, text *why)
{
    const int n = c->n;
    int       count;
    c->shot = flow_new(c->m, c->sys, &one_step_maps(&count)[c->sch.map], c->sch.map_order, why);
    if (!c->shot) return false;
    c->room = (size_t)n * (size_t)jet_size(2 * n);
    double **array[] = {&c->q, &c->v, &c->dq, &c->at_v};
    for (int k = 0; k < 4; k++) *array[k] = mem_array(c->m, c->room, double);
    c->square = (pattern){n, n, mem_array(c->m, n + 1, int), mem_array(c->m, n * n, int)};
    for (int k = 0; k < n * n; k++) c->square.column[k] = k % n;
    for (int i = 0; i <= n; i++) c->square.start[i] = i * n;
    c->of_B = solver_new(c->m, &c->square, NULL);
    c->A = mem_array(c->m, n * n, double), c->B = mem_array(c->m, n * n, double);
    return true;
}
