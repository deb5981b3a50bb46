/* momenta.c - velocities from momenta, and momenta of Hamiltonian coordinates from
 * velocities:
 *     Lambda_w(t,q,w) = given                                                  theory.md [START]
 * for what was given so. Where L_vv alone does not determine the velocities, as of a quaternion
 * whose length no energy sees, the relations may: A v + beta = 0 are further rows then. */
#include "mech/start/inside.h"

#include "linalg/null_vector.h"

#include "step/words.h"

#include "step/judge.h"

#include <math.h>
#include <string.h>

/* What Lambda_w is to be: the momentum given, or minus the velocity of a Hamiltonian coordinate. */
static double target(const work *k, int i)
{
    return is_phase(k, i) ? -k->s->v[i] : k->s->p[i];
}

/* Without inertia Lambda_w does not depend on w, and there is nothing to solve for. */
static bool is_sought(const work *k, int i)
{
    return is_dual(k, i) && start_has_inertia(k, i);
}

/* Rows of given w are w = given, the others Lambda_w = given; on the pattern K. */
static void legendre_rows(const work *k, double *entries, double *r)
{
    const pattern *K = &k->sys->K;
    for (int i = 0; i < k->n; i++) {
        const bool solve = is_sought(k, i);
        r[i] = solve ? target(k, i) - k->out.Lw[i] : 0;
        for (int e = K->start[i]; e < K->start[i + 1]; e++)
            entries[e] = solve ? k->out.on_K[F_LWW][e] : (K->column[e] == i);
    }
}

static bool legendre_step(work *k, solver *lu, double *entries, double *r)
{
    legendre_rows(k, entries, r);
    if (!solver_factor(lu, entries)) return false;
    solver_solve(lu, r);
    return true;
}

/* The same with the relations as further rows,
 *     L_ww dw + A^T mu = given - L_w,   A dw = -e;
 * momenta that belong to a motion leave mu = 0. Relations in which nothing is sought say
 * nothing. */
static sparse_entries bound_rows(const work *k, mem *m, const double *entries)
{
    const pattern *K = &k->sys->K, *A = &k->sys->A;
    sparse_entries J = {0}, B = start_relation_entries(k, m, 0, k->relations, true);
    bool          *idle = mem_array(m, k->relations, bool);
    for (int i = 0; i < k->n; i++)
        for (int e = K->start[i]; e < K->start[i + 1]; e++)
            sparse_add(m, &J, i, K->column[e], entries[e]);
    for (int a = 0; a < k->relations; a++) {
        idle[a] = true;
        for (int e = A->start[a]; e < A->start[a + 1]; e++)
            if (is_sought(k, A->column[e]) && !is_phase(k, A->column[e])) {
                sparse_add(m, &J, A->column[e], k->n + a, k->out.A[e]);
                idle[a] = false;
            }
        sparse_add(m, &J, k->n + a, k->n + a, idle[a]);
    }
    for (int e = 0; e < B.row.n; e++)
        if (!idle[B.row.at[e]])
            sparse_add(m, &J, k->n + B.row.at[e], B.column.at[e], B.value.at[e]);
    return J;
}

/* r <- dw of the bordered equations, with v as it follows from the present w. */
static bool bound_step(work *k, double *entries, double *r)
{
    mem      *m = mem_child(k->m);
    const int size = k->n + k->relations;
    /* A v + beta needs v of the present w */
    spread(k);
    bool good = evaluate(k, WANT_RELATIONS);
    legendre_rows(k, entries, r);
    sparse_entries J = bound_rows(k, m, entries);
    int           *place = mem_array(m, J.row.n, int);
    pattern        p = pattern_from_pairs(m, size, size, J.row.at, J.column.at, J.row.n, place);
    double        *entry = mem_array(m, pattern_count(&p), double), *x = mem_array(m, size, double);
    for (int e = 0; e < J.row.n; e++) entry[place[e]] += J.value.at[e];
    memcpy(x, r, (size_t)k->n * sizeof *x);
    for (int a = 0; a < k->relations; a++) x[k->n + a] = -k->out.e[a];
    solver *lu = solver_new(m, &p, NULL);
    good = good && lu && solver_factor(lu, entry);
    if (good) solver_solve(lu, x);
    memcpy(r, x, (size_t)k->n * sizeof *r);
    mem_free(m);
    return good;
}

/* The given momentum with the largest part in what the momenta leave undetermined. */
static int open_coordinate(work *k)
{
    double    *entries = mem_array(k->m, pattern_count(&k->sys->K), double);
    double    *open = mem_array(k->m, k->n, double), *r = mem_array(k->m, k->n, double);
    int        most = -1;
    const bool has_value = evaluate(k, WANT_GRADIENT | WANT_HESSIAN);
    legendre_rows(k, entries, r);
    const bool found = has_value && null_vector(k->m, &k->sys->K, entries, open);
    for (int i = k->n - 1; i >= 0; i--)
        if (is_dual(k, i) && (most < 0 || !found || fabs(open[i]) >= fabs(open[most]))) most = i;
    return most;
}

static dal_status undetermined(work *k)
{
    const int i = open_coordinate(k);
    text_add(k->why, is_phase(k, i) ? "the velocity given for " : "the momentum given for ");
    start_say_coordinate(k, i);
    text_printf(k->why, " does not determine its %s; give that instead",
                is_phase(k, i) ? "momentum" : "velocity");
    return DAL_INVALID;
}

/* How far the momenta at w are from the given ones. */
static double distance(const work *k)
{
    double most = 0;
    for (int i = 0; i < k->n; i++)
        if (is_sought(k, i)) {
            const double off = fabs(target(k, i) - k->out.Lw[i]);
            if (!(off <= most)) most = isfinite(off) ? off : HUGE_VAL;
        }
    return most;
}

/* The matrix of an iteration; without a solver, the one with the relations. */
typedef struct {
    solver *lu;
    double *entries, *r;
} iteration;

/* Newton's correction r of w, and its size; false: there is none, since momenta have no value at w
 * or do not determine it, or the residual has grown much. */
static bool correction(work *k, const iteration *by, double *left, double *size)
{
    if (!evaluate(k, WANT_GRADIENT | WANT_HESSIAN) || !(distance(k) <= 10 * *left)) return false;
    if (!(by->lu ? legendre_step(k, by->lu, by->entries, by->r)
                 : bound_step(k, by->entries, by->r)))
        return false;
    *left = distance(k);
    *size = 0;
    for (int i = 0; i < k->n; i++) {
        if (!isfinite(by->r[i])) return false;
        *size = fmax(*size, fabs(by->r[i]));
    }
    return true;
}

static void take(work *k, double *step, double by)
{
    for (int i = 0; i < k->n; i++) step[i] *= by, k->w[i] += step[i];
}

/* Newton's iteration. A correction that leaves the domain of L, e.g. beyond the speed of light, or
 * that does not reduce the residual is halved. */
static bool iterate(work *k, const iteration *by)
{
    enum { HALVINGS_MOST = 60 };
    const int n = k->n;
    double   *step = mem_array(k->m, n, double);
    double    before = HUGE_VAL, left = HUGE_VAL, enough = 0, change;
    for (int it = 0, halvings = 0; it < START_ITERATIONS_MOST; it++) {
        while (!correction(k, by, &left, &change)) {
            if (it == 0 || halvings++ == HALVINGS_MOST) return false;
            for (int i = 0; i < n; i++) k->w[i] -= step[i];
            take(k, step, 0.5);
        }
        if (it == 0) enough = 1e-7 * left; /* roundoff may grow */
        left = fmax(left, enough);
        const double size = start_largest(k->w, n);
        memcpy(step, by->r, (size_t)n * sizeof *step);
        /* an iteration that does not settle takes half of its corrections */
        take(k, step, it > 5 && change > before ? 0.5 : 1);
        if (was_last(change, before, size)) return true;
        before = change;
    }
    return false;
}

/* With relations, the iteration ends at the given momenta only if these belong to a motion that
 * satisfies the relations. */
static dal_status check_bound(work *k)
{
    if (!evaluate(k, WANT_GRADIENT | WANT_HESSIAN)) return undetermined(k);
    for (int i = 0; i < k->n; i++) {
        const double off = target(k, i) - k->out.Lw[i];
        if (!is_sought(k, i) || fabs(off) <= START_TOLERATED * fmax(1, fabs(target(k, i))))
            continue;
        text_add(k->why, "no motion that obeys the relations has these momenta; p(");
        start_say_coordinate(k, i);
        text_printf(k->why, ") is off by %.6g from the nearest possible momenta", off);
        return DAL_INVALID;
    }
    return DAL_OK;
}

/* First by momenta alone; where these leave velocities open, from the same beginning with the
 * relations (lu = NULL). */
dal_status start_momenta(work *k)
{
    iteration by = {.lu = solver_new(k->m, &k->sys->K, NULL)};
    double   *from = mem_array(k->m, k->n, double);
    by.entries = mem_array(k->m, pattern_count(&k->sys->K), double);
    by.r = mem_array(k->m, k->n, double);
    memcpy(from, k->w, (size_t)k->n * sizeof *from);
    if (iterate(k, &by)) return DAL_OK;
    memcpy(k->w, from, (size_t)k->n * sizeof *from);
    by.lu = NULL;
    if (k->relations && iterate(k, &by)) return check_bound(k);
    return undetermined(k);
}

/* Called with Lambda_w at the completed start, and only where nothing was moved. */
dal_status start_check_momenta(work *k)
{
    for (int i = 0; i < k->n; i++) {
        if (!is_dual(k, i) || start_has_inertia(k, i)) continue;
        if (fabs(k->out.Lw[i] - target(k, i)) <= START_TOLERATED * fmax(1, fabs(target(k, i))))
            continue;
        text_add(k->why, "nothing gives ");
        start_say_coordinate(k, i);
        text_printf(k->why,
                    is_phase(k, i)
                        ? " a velocity that depends on its momentum; its velocity is %.6g"
                        : " inertia; its momentum is %.6g, whatever its velocity",
                    is_phase(k, i) ? -k->out.Lw[i] : k->out.Lw[i]);
        return DAL_INVALID;
    }
    return DAL_OK;
}
