/* duplicate.c - the doubled system of a forced one: two copies, and what joins them,
 *
 *     L(Q,V) - L(q,v) - K,   K = (F(q,v) + F(Q,V)).(q - Q)/2             theory.md [DUPLICATION]
 *
 * run by the same scheme from the diagonal. Of Hamiltonian coordinates the second copy has the
 * momentum -p. Its second derivatives are differences: they decide how fast Newton's iteration
 * converges, not where to. */
#include "run/duplicate.h"

#include "mech/start/start.h"
#include "mech/stepper/step.h"
#include "model/functions/functions.h"
#include "run/damped.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { COORDINATES_MOST = 50, STEPS_MOST = 100, STEPS_USUAL = 20 };

typedef struct { /* what the doubled system is made of */
    dal_system *of;
    sys_values  at[2];
    double     *w[2];
    double     *gap, *joint; /* q - Q, (F(q,v) + F(Q,V))/2 */
} copies;

typedef struct {
    values      val;
    plan        plan;
    dal_system *sys, *doubled;
    double     *q, *v, *p; /* the start on the diagonal, 2n */
} pair;

/* The doubled Lagrangian. ---------------------------------------------------------------------- */

static void room_for_copy(mem *m, const dal_system *sys, sys_values *at)
{
    double **of_n[] = {&at->Lq, &at->Lw, &at->f};
    for (int k = 0; k < 3; k++) *of_n[k] = mem_array(m, sys->n, double);
    for (int f = 0; f < F_COUNT; f++) at->on_K[f] = mem_array(m, pattern_count(&sys->K), double);
}

static bool is_hamiltonian(const dal_system *sys, int j)
{
    return sys->hamiltonian && sys->hamiltonian[j];
}

/* Copy k at its part of the point. */
static bool evaluate(copies *c, int k, const dal_point *at)
{
    const dal_system *sys = c->of;
    const int         n = sys->n;
    const unsigned    forces = sys->forced ? WANT_FORCE | WANT_FORCE_JACOBIAN : 0u;
    for (int j = 0; j < n; j++)
        c->w[k][j] = is_hamiltonian(sys, j) ? (k ? -1 : 1) * at->p[k * n + j] : at->v[k * n + j];
    const sys_point here = {.t = at->t, .q = at->q + k * n, .w = c->w[k], .v = c->w[k]};
    return !sys->eval(sys->self, WANT_L | WANT_GRADIENT | forces, 1, &here, &c->at[k]);
}

/*     to += c field^T x */
static void add_transposed(const copies *c, int k, field f, double by, const double *x, double *to)
{
    const pattern *K = &c->of->K;
    if (!c->of->forced || c->of->varies[f] == FIELD_ZERO) return;
    for (int i = 0; i < c->of->n; i++)
        for (int e = K->start[i]; e < K->start[i + 1]; e++)
            to[K->column[e]] += by * c->at[k].on_K[f][e] * x[i];
}

/* With s = 1 for (Q,V), -1 for (q,v):
 *     d/dq = s (L_q + (F + F)/2) - F_q^T (q - Q)/2,   d/dv = s L_v - F_v^T (q - Q)/2
 * and the latter with the other sign of a momentum -p. */
static void gradient_of(const copies *c, int k, dal_evaluation *out)
{
    const int    n = c->of->n;
    const double s = k ? -1 : 1;
    double      *by_q = out->Lq + k * n, *by_w = out->Lv + k * n;
    for (int j = 0; j < n; j++)
        by_q[j] = s * (c->at[k].Lq[j] + c->joint[j]), by_w[j] = s * c->at[k].Lw[j];
    add_transposed(c, k, F_FQ, -0.5, c->gap, by_q);
    add_transposed(c, k, F_FW, -0.5, c->gap, by_w);
    for (int j = 0; k && j < n; j++)
        if (is_hamiltonian(c->of, j)) by_w[j] = -by_w[j];
}

static int doubled_eval(void *self, unsigned want, const dal_point *at, dal_evaluation *out)
{
    copies   *c = self;
    const int n = c->of->n;
    if (!evaluate(c, 0, at) || !evaluate(c, 1, at)) return 1;
    double K = 0;
    for (int j = 0; j < n; j++) {
        c->gap[j] = at->q[n + j] - at->q[j];
        c->joint[j] = c->of->forced ? (c->at[0].f[j] + c->at[1].f[j]) / 2 : 0;
        K += c->joint[j] * c->gap[j];
    }
    out->L = c->at[0].L - c->at[1].L - K;
    for (int k = 0; k < 2 && (want & DAL_WANT_GRADIENT); k++) gradient_of(c, k, out);
    return 0;
}

static dal_system *doubled_system(mem *m, dal_system *of, text *why)
{
    const int n = of->n;
    copies   *c = mem_array(m, 1, copies);
    uint8_t  *flags = mem_array(m, 2 * n, uint8_t);
    c->of = of, c->gap = mem_array(m, n, double), c->joint = mem_array(m, n, double);
    for (int k = 0; k < 2; k++) {
        room_for_copy(m, of, &c->at[k]), c->w[k] = mem_array(m, n, double);
        for (int j = 0; j < n; j++) flags[k * n + j] = is_hamiltonian(of, j);
    }
    const dal_callbacks given = {.size = sizeof given,
                                 .coordinates = 2 * n,
                                 .hamiltonian = of->hamiltonian ? flags : NULL,
                                 .autonomous = of->autonomous,
                                 .zero = DAL_F,
                                 .missing = DAL_WANT_HESSIAN | DAL_WANT_TIME,
                                 .self = c,
                                 .eval = doubled_eval};
    functions          *made = functions_new(m, &given, why);
    return made ? functions_bind(m, made, NULL, NULL) : NULL;
}

/* Both systems. -------------------------------------------------------------------------------- */

static const char *unfit(const pair *x)
{
    const dal_system *sys = x->sys;
    return x->plan.method.principle == ENERGY ? "principle = energy: use dirac+"
           : sys->m + sys->r                  ? "relations"
           : sys->turns                       ? "rotations and directions"
           : sys->damped                      ? "damping: write force instead of damping"
           : sys->state                       ? "states"
           : sys->inner                       ? "implicit forces"
           : sys->n > COORDINATES_MOST        ? "more than 50 coordinates"
                                              : NULL;
}

static dal_status prepare(mem *m, const subject *of, const request *r, diags *ds, pair *x)
{
    static const source usual_step = {"--step", "0.05", 4};
    request             asked = *r;
    text                why = text_new(m);
    dal_status          bad = of->md->by->evaluate(of->md, &asked.over, ds, m, &x->val);
    if (bad) return bad;
    if (!asked.over.setting[SET_STEP] && !x->val.set[SET_STEP].given)
        asked.over.setting[SET_STEP] = &usual_step;
    bad = plan_make(&x->plan, &asked, &x->val, ds, m);
    if (bad) return bad;
    of = subject_for(m, of, &x->plan.scheme);
    x->sys = bound_system(bound_new(m, of->compiled, x->val.parameter, x->val.input));
    const char *what = unfit(x);
    if (what)
        return diag_error(ds, DAL_INVALID, span_none(), NULL, "a system is not doubled with %s",
                          what);
    start at = {.t = x->plan.from,
                .q = x->val.q,
                .v = x->val.v,
                .p = x->val.p,
                .given = x->val.given,
                .project = r->project_start};
    bad = start_complete(m, x->sys, &at, &why);
    if (!bad && !(x->doubled = doubled_system(m, x->sys, &why))) bad = DAL_INVALID;
    if (bad) return diag_error(ds, bad, span_none(), NULL, "%s", text_str(&why));
    const int n = x->sys->n;
    x->q = mem_array(m, 2 * n, double), x->v = mem_array(m, 2 * n, double);
    x->p = mem_array(m, 2 * n, double);
    for (int j = 0; j < 2 * n; j++) {
        x->q[j] = x->val.q[j % n], x->v[j] = x->val.v[j % n];
        x->p[j] = (j < n ? 1 : -1) * x->val.p[j % n];
    }
    return DAL_OK;
}

/* q after each of `steps` steps, one row each. */
static dal_status follow(mem *m, const pair *x, dal_system *sys, double h, long steps, double *rows,
                         text *why)
{
    stepper   *st = NULL;
    dal_status bad = stepper_new(m, sys, &x->plan.scheme, &x->plan.method, &st, why);
    if (bad) return bad;
    stepper_set(st, x->plan.from, x->q, x->p, x->v);
    for (long k = 0; k < steps && !bad; k++) {
        bad = stepper_step(st, x->plan.from + (double)k * h, h, why);
        memcpy(rows + k * sys->n, stepper_q(st), (size_t)sys->n * sizeof *rows);
    }
    stepper_free(st);
    return bad;
}

static double largest(const double *a, const double *b, int n)
{
    double most = 0;
    for (int j = 0; j < n; j++)
        if (!(fabs(a[j] - b[j]) <= most)) most = fabs(a[j] - b[j]);
    return most;
}

/*     log2 |x_h - x_(h/2)|/|x_(h/2) - x_(h/4)| at the end; NaN: roundoff */
static dal_status observe(mem *m, const pair *x, long steps, dal_duplicate *out, text *why)
{
    const int n = x->sys->n, N = 2 * n;
    double   *rows = mem_array(m, 4 * steps * N, double), *end = mem_array(m, 3 * n, double);
    for (int k = 0; k < 3; k++) {
        const long count = steps << k;
        dal_status bad = follow(m, x, x->doubled, ldexp(x->plan.h, -k), count, rows, why);
        if (bad) return bad;
        memcpy(end + k * n, rows + (count - 1) * N, (size_t)n * sizeof *end);
    }
    const double coarse = largest(end, end + n, n), fine = largest(end + n, end + 2 * n, n);
    const double noise = 1000 * DBL_EPSILON * (1 + largest(end, x->q, n));
    out->observed = fine > noise ? log2(coarse / fine) : (double)NAN;
    return DAL_OK;
}

dal_status duplicate_run(mem *m, const subject *of, const request *r, diags *ds, dal_duplicate *out)
{
    pair x = {0};
    text why = text_new(m);
    if (!of->md)
        return diag_error(ds, DAL_INVALID, span_none(), NULL,
                          "'%s' is made of functions: only a model in the language is doubled",
                          of->title);
    dal_status bad = prepare(m, of, r, ds, &x);
    if (bad) return bad;
    const int  n = x.sys->n;
    const long steps = x.plan.steps < 1            ? STEPS_USUAL
                       : x.plan.steps < STEPS_MOST ? x.plan.steps
                                                   : STEPS_MOST;
    double *forced = mem_array(m, steps * n, double), *both = mem_array(m, 2 * steps * n, double);
    *out = (dal_duplicate){.model = of->title,
                           .file = of->md->file,
                           .scheme = mem_printf(m, "%s", x.plan.scheme.title),
                           .claimed = x.plan.scheme.order,
                           .step = x.plan.h,
                           .steps = steps,
                           .coordinates = 2 * n};
    bad = follow(m, &x, x.sys, x.plan.h, steps, forced, &why);
    if (!bad) bad = follow(m, &x, x.doubled, x.plan.h, steps, both, &why);
    for (long k = 0; k < steps && !bad; k++) {
        const double *here = both + 2 * k * n;
        out->off_diagonal = fmax(out->off_diagonal, largest(here, here + n, n));
        out->apart = fmax(out->apart, largest(here, forced + k * n, n));
    }
    if (!bad) bad = observe(m, &x, steps, out, &why);
    return bad ? diag_error(ds, bad, span_none(), NULL, "%s", text_str(&why)) : DAL_OK;
}
