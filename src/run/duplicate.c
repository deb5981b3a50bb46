/* duplicate.c - the doubled system of a forced one: two copies, and what joins them,
 *
 *     L(Q,V) - L(q,v) - K                                                 theory.md [DUPLICATION]
 *
 * run by the same scheme from the diagonal. K changes its sign with the exchange of both copies,
 * and its derivative in q is F on the diagonal; it is anything else away from there. Of Hamiltonian
 * coordinates the second copy has the momentum -p. Its second derivatives are differences: they
 * decide how fast Newton's iteration converges, not where to. */
#include "run/duplicate.h"

#include "mech/dirac/retraction.h"
#include "mech/start/start.h"
#include "mech/stepper/step.h"
#include "model/functions/functions.h"
#include "run/damped.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { COORDINATES_MOST = 50, STEPS_MOST = 100, STEPS_USUAL = 20 };

typedef struct { /* what the doubled system is made of: copy 0 is (Q,V), 1 is (q,v) */
    dal_system    *of;
    dal_joint      K;
    retraction_map R;
    sys_values     at[3]; /* 2: between both copies */
    double        *q, *w[3];
    double        *d[2], *slope[2][2]; /* R_Q^-1(q), -R_q^-1(Q), and their derivatives in Q and q */
    double        *by_q[2], *by_w[2];  /* derivatives of K */
} copies;

typedef struct {
    values      val;
    plan        plan;
    dal_system *sys, *doubled;
    copies     *two;
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

/*     to += by field^T x, of a point */
static void add_transposed(const copies *c, int point, field f, double by, const double *x,
                           double *to)
{
    const pattern *K = &c->of->K;
    if (c->of->varies[f] == FIELD_ZERO) return;
    for (int i = 0; i < c->of->n; i++)
        for (int e = K->start[i]; e < K->start[i + 1]; e++)
            to[K->column[e]] += by * c->at[point].on_K[f][e] * x[i];
}

/*     d_0 = R_Q^-1(q),   d_1 = -R_q^-1(Q) */
static bool find_gaps(copies *c, const double *q)
{
    const int n = c->of->n;
    for (int k = 0; k < 2; k++) {
        double *own = c->slope[k][k], *other = c->slope[k][1 - k];
        if (!c->R.inverse(c->R.self, n, q + k * n, q + (1 - k) * n, c->d[k], own, other))
            return false;
    }
    for (int j = 0; j < n; j++) c->d[1][j] = -c->d[1][j];
    for (int j = 0; j < n * n; j++)
        c->slope[1][0][j] = -c->slope[1][0][j], c->slope[1][1][j] = -c->slope[1][1][j];
    return true;
}

/*     K = (F(Q,V).d_0 + F(q,v).d_1)/2 */
static bool joined_by_mean(copies *c, const dal_point *at, double *K)
{
    const int n = c->of->n;
    if (!find_gaps(c, at->q)) return false;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < n; i++) {
            *K += c->at[k].f[i] * c->d[k][i] / 2;
            for (int j = 0; j < n; j++)
                for (int m = 0; m < 2; m++)
                    c->by_q[m][j] += c->at[k].f[i] * c->slope[k][m][i * n + j] / 2;
        }
        add_transposed(c, k, F_FQ, 0.5, c->d[k], c->by_q[k]);
        add_transposed(c, k, F_FW, 0.5, c->d[k], c->by_w[k]);
    }
    return true;
}

/*     K = F((q+Q)/2, (v+V)/2).(q - Q) */
static bool joined_between(copies *c, const dal_point *at, double *K)
{
    const dal_system *sys = c->of;
    const int         n = sys->n;
    for (int j = 0; j < n; j++) {
        c->q[j] = (at->q[j] + at->q[n + j]) / 2, c->w[2][j] = (c->w[0][j] + c->w[1][j]) / 2;
        c->d[0][j] = at->q[n + j] - at->q[j];
    }
    const sys_point here = {.t = at->t, .q = c->q, .w = c->w[2], .v = c->w[2]};
    if (sys->eval(sys->self, WANT_FORCE | WANT_FORCE_JACOBIAN, 1, &here, &c->at[2])) return false;
    for (int j = 0; j < n; j++) {
        *K += c->at[2].f[j] * c->d[0][j];
        c->by_q[0][j] -= c->at[2].f[j], c->by_q[1][j] += c->at[2].f[j];
    }
    for (int k = 0; k < 2; k++) {
        add_transposed(c, 2, F_FQ, 0.5, c->d[0], c->by_q[k]);
        add_transposed(c, 2, F_FW, 0.5, c->d[0], c->by_w[k]);
    }
    return true;
}

/*     K = (F(Q,V).d_0 + F(q,v).d_1)/2 + |q - Q|^2 sum_j (q - Q)_j */
static bool joined_beyond(copies *c, const dal_point *at, double *K)
{
    const int n = c->of->n;
    double    square = 0, sum = 0;
    if (!joined_by_mean(c, at, K)) return false;
    for (int j = 0; j < n; j++) {
        c->d[0][j] = at->q[n + j] - at->q[j];
        square += c->d[0][j] * c->d[0][j], sum += c->d[0][j];
    }
    *K += square * sum;
    for (int j = 0; j < n; j++) {
        const double slope = 2 * c->d[0][j] * sum + square;
        c->by_q[0][j] -= slope, c->by_q[1][j] += slope;
    }
    return true;
}

/* K and its derivatives; 0 without forces. */
static bool join(copies *c, const dal_point *at, double *K)
{
    static bool (*const by[DAL_JOINTS])(copies *, const dal_point *,
                                        double *) = {[DAL_JOINT_MEAN] = joined_by_mean,
                                                     [DAL_JOINT_BETWEEN] = joined_between,
                                                     [DAL_JOINT_BEYOND] = joined_beyond};
    for (int k = 0; k < 2; k++) {
        memset(c->by_q[k], 0, (size_t)c->of->n * sizeof(double));
        memset(c->by_w[k], 0, (size_t)c->of->n * sizeof(double));
    }
    *K = 0;
    return !c->of->forced || by[c->K](c, at, K);
}

/* With s = 1 for (Q,V), -1 for (q,v):   s L_q - K_q,   s L_v - K_v, the latter with the other sign
 * of a momentum -p. */
static void gradient_of(const copies *c, int k, dal_evaluation *out)
{
    const int    n = c->of->n;
    const double s = k ? -1 : 1;
    for (int j = 0; j < n; j++) {
        const double turned = k && is_hamiltonian(c->of, j) ? -1 : 1;
        out->Lq[k * n + j] = s * c->at[k].Lq[j] - c->by_q[k][j];
        out->Lv[k * n + j] = turned * (s * c->at[k].Lw[j] - c->by_w[k][j]);
    }
}

static int doubled_eval(void *self, unsigned want, const dal_point *at, dal_evaluation *out)
{
    copies *c = self;
    double  K;
    if (!evaluate(c, 0, at) || !evaluate(c, 1, at) || !join(c, at, &K)) return 1;
    out->L = c->at[0].L - c->at[1].L - K;
    for (int k = 0; k < 2 && (want & DAL_WANT_GRADIENT); k++) gradient_of(c, k, out);
    return 0;
}

static copies *copies_new(mem *m, dal_system *of, const retraction_map *R)
{
    const int n = of->n;
    copies   *c = mem_array(m, 1, copies);
    c->of = of, c->R = R ? *R : retraction_flat(n), c->q = mem_array(m, n, double);
    for (int k = 0; k < 3; k++) room_for_copy(m, of, &c->at[k]), c->w[k] = mem_array(m, n, double);
    for (int k = 0; k < 2; k++) {
        c->d[k] = mem_array(m, n, double);
        c->by_q[k] = mem_array(m, n, double), c->by_w[k] = mem_array(m, n, double);
        for (int j = 0; j < 2; j++) c->slope[k][j] = mem_array(m, n * n, double);
    }
    return c;
}

static dal_system *doubled_system(mem *m, dal_system *of, copies *c, text *why)
{
    const int n = of->n;
    uint8_t  *flags = mem_array(m, 2 * n, uint8_t);
    for (int j = 0; j < 2 * n; j++) flags[j] = is_hamiltonian(of, j % n);
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
    x->two = copies_new(m, x->sys, r->map);
    if (!bad && !(x->doubled = doubled_system(m, x->sys, x->two, &why))) bad = DAL_INVALID;
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
static dal_status observe(mem *m, const pair *x, long steps, dal_doubled *out, text *why)
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

/* One K: the doubled run beside the forced one. */
static dal_status run_with(mem *m, pair *x, dal_joint K, long steps, const double *forced,
                           dal_doubled *out, text *why)
{
    const int n = x->sys->n;
    double   *both = mem_array(m, 2 * steps * n, double);
    x->two->K = K;
    dal_status bad = follow(m, x, x->doubled, x->plan.h, steps, both, why);
    for (long k = 0; k < steps && !bad; k++) {
        const double *here = both + 2 * k * n;
        out->off_diagonal = fmax(out->off_diagonal, largest(here, here + n, n));
        out->apart = fmax(out->apart, largest(here, forced + k * n, n));
    }
    return bad ? bad : observe(m, x, steps, out, why);
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
    double    *forced = mem_array(m, steps * n, double);
    *out = (dal_duplicate){.model = of->title,
                           .file = of->md->file,
                           .scheme = mem_printf(m, "%s", x.plan.scheme.title),
                           .claimed = x.plan.scheme.order,
                           .step = x.plan.h,
                           .steps = steps,
                           .coordinates = 2 * n};
    bad = follow(m, &x, x.sys, x.plan.h, steps, forced, &why);
    for (int K = 0; K < DAL_JOINTS && !bad; K++)
        bad = run_with(m, &x, (dal_joint)K, steps, forced, &out->by[K], &why);
    const dal_doubled *mean = &out->by[DAL_JOINT_MEAN];
    out->off_diagonal = mean->off_diagonal, out->apart = mean->apart;
    out->observed = mean->observed;
    return bad ? diag_error(ds, bad, span_none(), NULL, "%s", text_str(&why)) : DAL_OK;
}
