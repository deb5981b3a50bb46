/* variational.c - the order of a scheme as that of its discrete Lagrangian and discrete forces.
 *                                                                        theory.md [DUPLICATION] */
#include "run/variational.h"

#include "linalg/dense.h"
#include "mech/dirac/discrete.h"
#include "mech/start/start.h"
#include "run/damped.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ROWS = 6 };
/* the first step is eight times that of the plan; below NOISE of what is compared is roundoff */
static const double FIRST = 8, NOISE = 200 * DBL_EPSILON;
/* of powers and energies, which are made of differences in time */
static const double POWER_NOISE = 1e-11;

/* Without a step one is taken that suits most systems. */
dal_status chords_make(mem *m, const subject *of, const request *r, diags *ds, chords *tr)
{
    static const source usual_step = {"--step", "0.05", 4};
    request             asked = *r;
    text                why = text_new(m);
    dal_status          bad = of->md->by->evaluate(of->md, &asked.over, ds, m, &tr->val);
    if (bad) return bad;
    if (!asked.over.setting[SET_STEP] && !tr->val.set[SET_STEP].given)
        asked.over.setting[SET_STEP] = &usual_step;
    bad = plan_make(&tr->plan, &asked, &tr->val, ds, m);
    if (bad) return bad;
    of = subject_for(m, of, &tr->plan.scheme);
    tr->sys = bound_system(bound_new(m, of->compiled, tr->val.parameter, tr->val.input));
    start at = {.t = tr->plan.from,
                .q = tr->val.q,
                .v = tr->val.v,
                .p = tr->val.p,
                .given = tr->val.given,
                .project = r->project_start};
    bad = start_complete(m, tr->sys, &at, &why);
    if (bad) return diag_error(ds, bad, span_none(), NULL, "%s", text_str(&why));
    tr->on = discretiser_new(m, tr->sys, &tr->plan.scheme, &why);
    return tr->on ? DAL_OK : diag_error(ds, DAL_INVALID, span_none(), NULL, "%s", text_str(&why));
}

static double largest_of(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* Relations at a point. ------------------------------------------------------------------------ */

typedef struct { /* g and G, r x n, and room for a system's answer */
    sys_values out;
    double    *G;
    double     drift[DISCRETE_MOST]; /* how a point moves with the surface:   -G^+ g_t */
} relations;

static relations room_for_relations(mem *m, const dal_system *sys)
{
    relations x = {.G = mem_array(m, sys->r * sys->n, double)};
    x.out.e = mem_array(m, sys->m + sys->r, double), x.out.g = mem_array(m, sys->r, double);
    x.out.A = mem_array(m, pattern_count(&sys->A), double);
    return x;
}

/* At rest, where e is g_t. */
static bool relations_at(relations *x, dal_system *sys, double t, const double *q)
{
    const double    zero[DISCRETE_MOST] = {0};
    const sys_point at = {.t = t, .q = q, .w = zero, .v = zero};
    if (sys->eval(sys->self, WANT_RELATIONS | WANT_HOLONOMIC, 1, &at, &x->out)) return false;
    memset(x->G, 0, (size_t)(sys->r * sys->n) * sizeof *x->G);
    for (int k = 0; k < sys->r; k++)
        for (int e = sys->A.start[sys->m + k]; e < sys->A.start[sys->m + k + 1]; e++)
            x->G[k * sys->n + sys->A.column[e]] = x->out.A[e];
    return true;
}

/* To where relations hold:   q := q - G^+ g, again and again. */
static bool onto_relations(mem *m, relations *x, dal_system *sys, double t, double *q)
{
    enum { TIMES = 20 };
    double dq[DISCRETE_MOST];
    for (int it = 0; it < TIMES; it++) {
        if (!relations_at(x, sys, t, q)) return false;
        dense_least_norm(m, x->G, sys->r, sys->n, x->out.g, 0, dq);
        for (int j = 0; j < sys->n; j++) q[j] -= dq[j];
        if (largest_of(dq, sys->n) <= 4 * DBL_EPSILON * largest_of(q, sys->n)) return true;
    }
    return false;
}

/* The largest of a - b along the surface:   a - b - G^+ G (a - b) */
static double apart(mem *m, const relations *at, const dal_system *sys, const double *a,
                    const double *b)
{
    const int n = sys->n, r = sys->r;
    double    d[DISCRETE_MOST], G_d[DISCRETE_MOST] = {0}, normal[DISCRETE_MOST];
    for (int j = 0; j < n; j++) d[j] = a[j] - b[j];
    for (int k = 0; k < r; k++)
        for (int j = 0; j < n; j++) G_d[k] += at->G[k * n + j] * d[j];
    if (r) dense_least_norm(m, at->G, r, n, G_d, 0, normal);
    for (int j = 0; j < n && r; j++) d[j] -= normal[j];
    return largest_of(d, n);
}

static void find_drift(mem *m, relations *x, const dal_system *sys)
{
    dense_least_norm(m, x->G, sys->r, sys->n, x->out.e + sys->m, 0, x->drift);
    for (int j = 0; j < sys->n; j++) x->drift[j] = -x->drift[j];
}

/* Comparisons. --------------------------------------------------------------------------------- */

/* How much larger than itself a momentum has to be taken, as q1 is rounded: what moved is known to
 * 4 eps |q|, and so is what makes the momentum. */
static double blurred(const double *q, const double *moved, int n)
{
    const double by = 4 * DBL_EPSILON / NOISE * largest_of(q, n);
    return 1 + by / fmax(largest_of(moved, n), DBL_MIN);
}

typedef struct { /* a chord by the scheme and exactly, and the relations at its ends */
    chord_ends at;
    double     q1[DISCRETE_MOST], moved[DISCRETE_MOST];
    discrete   made, exact;
    relations  end[2];
} compared;

/* Errors of L_d, f_d^-, f_d^+ and of both momenta, with the size of what each is a difference
 * of. */
static void compare(mem *m, const dal_system *sys, const compared *x, dal_variational_row *row)
{
    const discrete *got = &x->made, *want = &x->exact;
    const int       n = sys->n;
    double          action = fabs(want->L), size[DAL_VARIATIONAL];
    for (int j = 0; j < n; j++) action += fabs(want->p0[j] * x->moved[j]);
    size[DAL_OF_LAGRANGIAN] = action;
    size[DAL_OF_FORCE_AT_START] = size[DAL_OF_FORCE_AT_END] =
        fmax(largest_of(want->minus, n), largest_of(want->plus, n));
    size[DAL_OF_MOMENTA] =
        blurred(x->at.a, x->moved, n) * fmax(largest_of(want->p0, n), largest_of(want->p1, n));
    row->error[DAL_OF_LAGRANGIAN] = fabs(got->L - want->L);
    row->error[DAL_OF_FORCE_AT_START] = apart(m, &x->end[0], sys, got->minus, want->minus);
    row->error[DAL_OF_FORCE_AT_END] = apart(m, &x->end[1], sys, got->plus, want->plus);
    row->error[DAL_OF_MOMENTA] = fmax(apart(m, &x->end[0], sys, got->p0, want->p0),
                                      apart(m, &x->end[1], sys, got->p1, want->p1));
    for (int k = 0; k < DAL_VARIATIONAL; k++) row->roundoff[k] = !(row->error[k] > NOISE * size[k]);
}

static double dot_apart(const double *a, const double *b, const double *x, int n)
{
    double sum = 0;
    for (int j = 0; j < n; j++) sum += (a[j] - b[j]) * x[j];
    return sum;
}

/* Errors of both powers and of both energies: of what pairs with the time of an end, which stays on
 * a surface that moves, dq = -G^+ g_t dt. */
static void compare_powers(const compared *x, int n, dal_variational_powers *row)
{
    const discrete *got = &x->made, *want = &x->exact;
    const double   *drift[] = {x->end[0].drift, x->end[1].drift};
    const double    work = fmax(fabs(want->work[0]), fabs(want->work[1]));
    row->error[DAL_OF_POWER_AT_START] =
        fabs(got->work[0] - want->work[0] + dot_apart(got->minus, want->minus, drift[0], n));
    row->error[DAL_OF_POWER_AT_END] =
        fabs(got->work[1] - want->work[1] + dot_apart(got->plus, want->plus, drift[1], n));
    row->error[DAL_OF_ENERGIES] =
        fmax(fabs(got->energy[0] - want->energy[0] - dot_apart(got->p0, want->p0, drift[0], n)),
             fabs(got->energy[1] - want->energy[1] - dot_apart(got->p1, want->p1, drift[1], n)));
    for (int k = 0; k < DAL_POWERS; k++) {
        const double size = k == DAL_OF_ENERGIES ? fabs(want->energy[0]) + work : work;
        row->roundoff[k] = !(row->error[k] > POWER_NOISE * size);
    }
}

/* One chord over h along the first velocity. */
static dal_status measure(mem *m, chords *tr, diags *ds, double h, compared *x)
{
    const int n = tr->sys->n;
    text      why = text_new(m);
    x->at = (chord_ends){tr->plan.from, h, BOTH_ENDS, tr->val.q, x->q1};
    for (int j = 0; j < n; j++) x->q1[j] = tr->val.q[j] + h * tr->val.v[j];
    for (int k = 0; k < 2 && tr->sys->r; k++) x->end[k] = room_for_relations(m, tr->sys);
    const bool held = !tr->sys->r || (relations_at(&x->end[0], tr->sys, x->at.t, tr->val.q) &&
                                      onto_relations(m, &x->end[1], tr->sys, x->at.t + h, x->q1));
    if (!held || !discrete_exactly(tr->on, &x->at, &x->exact, &why) ||
        !discrete_by_scheme(tr->on, &x->at, &x->made))
        return diag_error(ds, DAL_DIVERGED, span_none(), "a smaller --step",
                          "no curve of %s was found from the start over h = %.3g%s%s",
                          tr->plan.scheme.name, fabs(h), why.n ? ": " : "", text_str(&why));
    for (int j = 0; j < n; j++) x->moved[j] = x->q1[j] - tr->val.q[j];
    for (int k = 0; k < 2 && tr->sys->r; k++) find_drift(m, &x->end[k], tr->sys);
    return DAL_OK;
}

/* NaN: roundoff tells nothing. */
static double order_of(double before, double here, bool roundoff)
{
    return roundoff ? (double)NAN : log2(before / here);
}

/* Of L_d the error is h^(r+1) e(q0, (q1 - q0)/h); its derivatives in an end, and forces, have
 * O(h^r). */
static void find_orders(dal_variational *out, dal_variational_row *row)
{
    for (int k = 0; k < DAL_VARIATIONAL; k++) {
        out->observed[k] = row[0].order[k] = (double)NAN;
        for (int i = 1; i < ROWS; i++) {
            const bool noise = row[i].roundoff[k] || row[i - 1].roundoff[k];
            row[i].order[k] =
                order_of(row[i - 1].error[k], row[i].error[k], noise) - (k == DAL_OF_LAGRANGIAN);
            if (!noise) out->observed[k] = row[i].order[k];
        }
    }
}

/* Derivatives in a time have O(h^r) too. */
static void find_power_orders(dal_variational *out, dal_variational_powers *row)
{
    for (int k = 0; k < DAL_POWERS; k++) {
        out->power_observed[k] = row[0].order[k] = (double)NAN;
        for (int i = 1; i < ROWS; i++) {
            const bool noise = row[i].roundoff[k] || row[i - 1].roundoff[k];
            row[i].order[k] = order_of(row[i - 1].error[k], row[i].error[k], noise);
            if (!noise) out->power_observed[k] = row[i].order[k];
        }
    }
}

/* d/dx of the doubled action in one control coordinate, by differences of order six. */
static double doubled_slope(discretiser *on, double t, double h, double *Q, const double *q, int i,
                            double by)
{
    static const double weight[] = {3. / 4, -3. / 20, 1. / 60};
    const double        x = Q[i];
    double              sum = 0;
    for (int k = 1; k <= 3; k++) {
        Q[i] = x + k * by, sum += weight[k - 1] * discrete_doubled_action(on, t, h, Q, q);
        Q[i] = x - k * by, sum -= weight[k - 1] * discrete_doubled_action(on, t, h, Q, q);
    }
    Q[i] = x;
    return sum / by;
}

/* Both copies at control points that solve nothing, near the line from the start:
 *     d(doubled action)/dQ^nu - G_nu, relative to the largest G; NaN for curves that are shot */
static double doubled_defect(mem *m, chords *tr, double h)
{
    const int d = discrete_degree(tr->on), n = tr->sys->n, N = (d + 1) * n;
    double   *Q = mem_array(m, N, double), *q = mem_array(m, N, double);
    double   *G = mem_array(m, N, double), most = 0, size = 0;
    if (!d) return (double)NAN;
    for (int nu = 0; nu <= d; nu++)
        for (int j = 0; j < n; j++)
            Q[nu * n + j] = q[nu * n + j] =
                tr->val.q[j] + h * (tr->val.v[j] * nu / d + sin(1 + 3 * nu + 2 * j));
    if (!discrete_gradient(tr->on, tr->plan.from, h, q, G)) return (double)NAN;
    for (int i = 0; i < N; i++) {
        double slope = doubled_slope(tr->on, tr->plan.from, h, Q, q, i, 0.01 * h);
        if (!(fabs(slope - G[i]) <= most)) most = fabs(slope - G[i]);
        size = fmax(size, fabs(G[i]));
    }
    return size > 0 ? most / size : most;
}

dal_status variational_order(mem *m, const subject *of, const request *r, diags *ds,
                             dal_variational *out)
{
    chords                  tr = {0};
    compared               *x = mem_array(m, 1, compared);
    dal_variational_row    *row = mem_array(m, ROWS, dal_variational_row);
    dal_variational_powers *power = mem_array(m, ROWS, dal_variational_powers);
    if (!of->md)
        return diag_error(ds, DAL_INVALID, span_none(), NULL,
                          "'%s' is made of functions: exact chords need a model in the "
                          "language",
                          of->title);
    dal_status bad = chords_make(m, of, r, ds, &tr);
    for (int i = 0; i < ROWS && !bad; i++) {
        const double h = ldexp(FIRST, -i) * tr.plan.h;
        row[i].step = fabs(h), bad = measure(m, &tr, ds, h, x);
        if (!bad) compare(m, tr.sys, x, &row[i]), compare_powers(x, tr.sys->n, &power[i]);
    }
    if (!bad) {
        *out = (dal_variational){.model = of->title,
                                 .file = of->md->file,
                                 .scheme = mem_printf(m, "%s", tr.plan.scheme.title),
                                 .claimed = tr.plan.scheme.order,
                                 .rows = ROWS,
                                 .row = row,
                                 .power = power};
        find_orders(out, row), find_power_orders(out, power);
        out->doubled = doubled_defect(m, &tr, tr.plan.h);
    }
    discretiser_free(tr.on);
    return bad;
}
