/* variational.c - the order of a scheme as that of its discrete Lagrangian and discrete forces.
 *                                                                        theory.md [DUPLICATION] */
#include "run/variational.h"

#include "mech/dirac/discrete.h"
#include "mech/start/start.h"
#include "run/damped.h"

#include <float.h>
#include <math.h>

enum { ROWS = 6 };
/* the first step is eight times that of the plan; below NOISE of what is compared is roundoff */
static const double FIRST = 8, NOISE = 200 * DBL_EPSILON;

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

/* NaN counts as largest. */
static double apart(const double *a, const double *b, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= most)) most = fabs(a[i] - b[i]);
    return most;
}

/* How much larger than itself a momentum has to be taken, as q1 is rounded: what moved is known to
 * 4 eps |q|, and so is what makes the momentum. */
static double blurred(const double *q, const double *moved, int n)
{
    const double by = 4 * DBL_EPSILON / NOISE * largest_of(q, n);
    return 1 + by / fmax(largest_of(moved, n), DBL_MIN);
}

/* Errors of L_d, f_d^-, f_d^+ and of both momenta, with the size of what each is a difference
 * of. */
static void compare(const discrete *got, const discrete *want, const double *q, const double *moved,
                    int n, dal_variational_row *row)
{
    double action = fabs(want->L), size[DAL_VARIATIONAL];
    for (int j = 0; j < n; j++) action += fabs(want->p0[j] * moved[j]);
    size[DAL_OF_LAGRANGIAN] = action;
    size[DAL_OF_FORCE_AT_START] = size[DAL_OF_FORCE_AT_END] =
        fmax(largest_of(want->minus, n), largest_of(want->plus, n));
    size[DAL_OF_MOMENTA] =
        blurred(q, moved, n) * fmax(largest_of(want->p0, n), largest_of(want->p1, n));
    row->error[DAL_OF_LAGRANGIAN] = fabs(got->L - want->L);
    row->error[DAL_OF_FORCE_AT_START] = apart(got->minus, want->minus, n);
    row->error[DAL_OF_FORCE_AT_END] = apart(got->plus, want->plus, n);
    row->error[DAL_OF_MOMENTA] = fmax(apart(got->p0, want->p0, n), apart(got->p1, want->p1, n));
    for (int k = 0; k < DAL_VARIATIONAL; k++) row->roundoff[k] = !(row->error[k] > NOISE * size[k]);
}

/* One chord of the exact motion over h, and what the scheme makes of its ends. */
static dal_status measure(chords *tr, diags *ds, double h, dal_variational_row *row)
{
    const int n = tr->sys->n;
    double    q1[DISCRETE_MOST], moved[DISCRETE_MOST];
    discrete  exact, made;
    *row = (dal_variational_row){.step = fabs(h)};
    if (!discrete_exact(tr->on, tr->plan.from, h, tr->val.q, tr->val.v, q1, &exact) ||
        !discrete_by_scheme(tr->on, tr->plan.from, h, tr->val.q, q1, tr->val.v, &made))
        return diag_error(ds, DAL_DIVERGED, span_none(), "a smaller --step",
                          "no curve of %s was found from the start over h = %.3g",
                          tr->plan.scheme.name, fabs(h));
    for (int j = 0; j < n; j++) moved[j] = q1[j] - tr->val.q[j];
    compare(&made, &exact, tr->val.q, moved, n, row);
    return DAL_OK;
}

/* Of L_d the error is h^(r+1) e(q0, (q1 - q0)/h); its derivatives in an end, and forces, have
 * O(h^r). */
static void find_orders(dal_variational *out, dal_variational_row *row)
{
    for (int k = 0; k < DAL_VARIATIONAL; k++) {
        out->observed[k] = row[0].order[k] = (double)NAN;
        for (int i = 1; i < ROWS; i++) {
            bool tells = !row[i].roundoff[k] && !row[i - 1].roundoff[k];
            row[i].order[k] =
                tells ? log2(row[i - 1].error[k] / row[i].error[k]) - (k == DAL_OF_LAGRANGIAN)
                      : (double)NAN;
            if (tells) out->observed[k] = row[i].order[k];
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
    chords               tr = {0};
    dal_variational_row *row = mem_array(m, ROWS, dal_variational_row);
    if (!of->md)
        return diag_error(ds, DAL_INVALID, span_none(), NULL,
                          "'%s' is made of functions: exact chords need a model in the "
                          "language",
                          of->title);
    dal_status bad = chords_make(m, of, r, ds, &tr);
    for (int i = 0; i < ROWS && !bad; i++)
        bad = measure(&tr, ds, ldexp(FIRST, -i) * tr.plan.h, &row[i]);
    if (!bad) {
        *out = (dal_variational){.model = of->title,
                                 .file = of->md->file,
                                 .scheme = mem_printf(m, "%s", tr.plan.scheme.title),
                                 .claimed = tr.plan.scheme.order,
                                 .rows = ROWS,
                                 .row = row};
        find_orders(out, row);
        out->doubled = doubled_defect(m, &tr, tr.plan.h);
    }
    discretiser_free(tr.on);
    return bad;
}
