/* explicit.c - steps that solve nothing, in three passes over the state: drift, evaluation,
 * kick. */
#include "mech/explicit.h"

#include "mech/stepper.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The point of the rule at x, 0 or 1; -1: none. */
static int point_at(const samples *rule, int side, double x)
{
    for (int i = 0; i < rule->count; i++)
        if (rule->x[side][i] == x) return i;
    return -1;
}

static bool sampled_at_ends(const samples *rule)
{
    int ends = (point_at(rule, 0, 0) >= 0) + (point_at(rule, 0, 1) >= 0);
    return ends == rule->count;
}

void explicit_init(stepper *st)
{
    const equations  *eq = &st->eq;
    const dal_system *sys = st->sys;
    explicit_steps   *x = &st->leap;
    x->carried = -1;
    x->fits = st->options.principle != ENERGY && st->sch.curve == CURVE_POLYNOMIAL && eq->d == 1 &&
              eq->constant && eq->diagonal && !eq->phase && !eq->relations && !eq->force.count &&
              sampled_at_ends(&eq->rule) && sys->autonomous &&
              sys->varies[F_LWW] == FIELD_CONSTANT && sys->varies[F_LQW] == FIELD_ZERO &&
              (!sys->forced || sys->varies[F_FW] == FIELD_ZERO);
    if (!x->fits) return;
    x->mass = mem_array(st->m, sys->n, double);
    x->shift = mem_array(st->m, sys->n, double);
}

/* Masses do not depend on the state, but whether they could be evaluated may. */
void explicit_restart(stepper *st)
{
    st->leap.ready &= st->leap.usable;
    st->leap.due = false, st->leap.carried = -1;
    leaps_forget(st->leaps);
}

void explicit_forget(stepper *st)
{
    st->leap.ready = false;
    leaps_reweigh(st->leaps);
    explicit_restart(st);
}

/* L_ww and L_w at rest, and nothing else where that can be left out. */
static bool evaluate_at_rest(stepper *st, sys_values *out)
{
    const equations *eq = &st->eq;
    sys_point        at = {.t = eq->t, .q = st->q, .w = eq->zero, .v = eq->zero};
    *out = eq->rule.out[0];
    for (int f = 0; f < F_COUNT && st->sys->selective; f++)
        if (f != F_LWW) out->on_K[f] = NULL;
    if (st->sys->selective) out->Lq = NULL;
    return !st->sys->eval(st->sys->self, WANT_GRADIENT | WANT_HESSIAN, 1, &at, out);
}

/* M and a, from the derivatives of L at rest. */
static void prepare(stepper *st)
{
    explicit_steps *x = &st->leap;
    sys_values      rest;
    const pattern  *K = &st->sys->K;
    x->ready = true, x->shifted = false, x->usable = evaluate_at_rest(st, &rest);
    for (int j = 0; j < st->sys->n && x->usable; j++) {
        x->mass[j] = rest.on_K[F_LWW][pattern_find(K, j, j)];
        x->shift[j] = rest.Lw[j];
        x->shifted |= x->shift[j] != 0;
        x->usable = fabs(x->mass[j]) >= DBL_MIN && fabs(x->mass[j]) <= DBL_MAX;
    }
    x->carried = -1;
}

const double *explicit_masses(stepper *st)
{
    const explicit_steps *x = &st->leap;
    if (!x->ready) prepare(st);
    return x->usable && !x->shifted ? x->mass : NULL;
}

/* F of a point into its L_q: the sum is what a step carries on. */
static bool evaluate(stepper *st, int point, double t, const double *q)
{
    const equations *eq = &st->eq;
    sys_values      *out = &eq->rule.out[point];
    sys_point        at = {.t = t, .q = q, .w = eq->zero, .v = eq->zero};
    if (st->sys->eval(st->sys->self, eq->residual_mask, 1, &at, out)) return false;
    if (eq->residual_mask & WANT_FORCE)
        for (int j = 0; j < eq->n; j++) out->Lq[j] += out->f[j];
    return true;
}

static void swap(double **a, double **b)
{
    double *c = *a;
    *a = *b, *b = c;
}

/* F at the present state then stands at `point`: carried there from the end of the last step, or
 * evaluated. */
static bool begin(stepper *st, int point, double t)
{
    explicit_steps *x = &st->leap;
    sys_values     *out = st->eq.rule.out;
    if (point < 0) return true;
    if (x->carried < 0) return evaluate(st, point, t, st->q);
    if (x->carried != point) {
        swap(&out[point].Lq, &out[x->carried].Lq);
        swap(&out[point].f, &out[x->carried].f);
    }
    return true;
}

/*     z = h M^-1 (p_0 - a + c F),  q_1 = q_0 + z */
static void drift(stepper *st, const double *restrict F, double c)
{
    const explicit_steps *x = &st->leap;
    const double *restrict p = st->p0, *restrict p_low = st->p0_low, *restrict mass = x->mass;
    const double *restrict q0 = st->q0, *restrict q0_low = st->q0_low;
    double *restrict z = st->y, *restrict q = st->q, *restrict q_low = st->q_low;
    const int    n = st->sys->n;
    const double h = st->eq.h;
    if (x->shifted)
        for (int j = 0; j < n; j++)
            z[j] = h * (((p[j] - x->shift[j]) + c * F[j]) + p_low[j]) / mass[j];
    else if (st->options.plain_summation)
        for (int j = 0; j < n; j++) z[j] = h * (p[j] + c * F[j]) / mass[j];
    else
        for (int j = 0; j < n; j++) z[j] = h * ((p[j] + c * F[j]) + p_low[j]) / mass[j];
    if (st->options.plain_summation)
        for (int j = 0; j < n; j++) q[j] = q0[j] + z[j];
    else
        for (int j = 0; j < n; j++) add_in_two(q0[j], q0_low[j], z[j], &q[j], &q_low[j]);
}

/*     p^- = p_0 + c_0 F_0 + c_1 F_1 */
static void kick(stepper *st, const double *restrict F0, double c0, const double *restrict F1,
                 double c1)
{
    const double *restrict p0 = st->p0, *restrict p0_low = st->p0_low;
    double *restrict p = st->p, *restrict p_low = st->p_low;
    const int n = st->sys->n;
    if (st->options.plain_summation)
        for (int j = 0; j < n; j++) p[j] = p0[j] + (c0 * F0[j] + c1 * F1[j]);
    else
        for (int j = 0; j < n; j++)
            add_in_two(p0[j], p0_low[j], c0 * F0[j] + c1 * F1[j], &p[j], &p_low[j]);
}

/*     sum_i b_i f^i . z                                                        theory.md [POWER] */
static double work(const stepper *st)
{
    const samples *rule = &st->eq.rule;
    double         sum = 0;
    for (int i = 0; i < rule->count; i++) {
        double along = 0;
        for (int j = 0; j < st->sys->n; j++) along += rule->out[i].f[j] * st->y[j];
        sum += rule->b[i] * along;
    }
    return sum;
}

bool explicit_substep(stepper *st)
{
    explicit_steps *x = &st->leap;
    equations      *eq = &st->eq;
    const samples  *rule = &eq->rule;
    const double    t = eq->t, h = eq->h;
    if (!x->fits || st->watch) return explicit_forget(st), false;
    if (st->leaps && leaps_make(st, h, 1)) {
        eq->q = st->q0, eq->q_low = st->q0_low, eq->p = st->p0, eq->p_low = st->p0_low;
        st->leap.carried = -1, st->leap.due = true, st->nw.iterations = 0;
        return true;
    }
    if (!x->ready) prepare(st);
    const int from = point_at(rule, eq->mirrored, 0), to = point_at(rule, eq->mirrored, 1);
    if (!x->usable || !begin(st, from, t)) return explicit_forget(st), false;

    const double *F0 = from < 0 ? eq->zero : rule->out[from].Lq,
                 c0 = from < 0 ? 0 : h * rule->b[from];
    const double *F1 = to < 0 ? eq->zero : rule->out[to].Lq, c1 = to < 0 ? 0 : h * rule->b[to];
    stepper_swap(st);
    drift(st, F0, from < 0 ? 0 : eq->cq[from]);
    bool good = all_finite(st->y, eq->n) && (to < 0 || evaluate(st, to, t + h, st->q));
    if (good) kick(st, F0, c0, F1, c1);
    if (!good || !all_finite(st->p, eq->n)) return stepper_swap(st), explicit_forget(st), false;

    if (st->sys->forced) st->work += work(st);
    x->carried = to, x->due = true;
    st->nw.iterations = 0;
    return true;
}

void explicit_complete(const stepper *st)
{
    stepper *of = (stepper *)(uintptr_t)st; /* on demand: nothing changes that can be seen */
    if (!st->leap.due) return;
    equations_evaluate(&of->eq, st->y, of->nw.r);
    of->leap.due = false;
    if (st->sys->forced) of->leap.carried = -1; /* L_q stands alone again */
}
