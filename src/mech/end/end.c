/* end.c - the equations at a grid point, on the sparsity pattern of the system, solved by Newton's
 * iteration. */
#include "mech/end/end.h"

#include "step/words.h"

#include "step/judge.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ITERATIONS_MOST = 50 };

/* Does the balance along u contain velocities of directions with inertia? The velocity along u then
 * follows from their accelerations; it is taken from the curve. */
static bool is_coupled(const node_equations *g, int u)
{
    return u >= g->resistive && u < g->resistive + g->coupled;
}

/* (U^T (L_qw - L_wq + f_w))_{uj}, or (U^T (L_qq + f_q))_{uj} where only stiffness acts */
static double along_U(const node_equations *g, int u, int j)
{
    if (is_coupled(g, u)) return g->U[u * g->n + j];
    const pattern *K = &g->sys->K;
    const bool     moving = u < g->resistive;
    const field    F = moving ? F_FW : F_FQ;
    double         sum = 0;
    for (int ji = K->start[j]; ji < K->start[j + 1]; ji++) { /* row j of symmetric K: column j */
        int    i = K->column[ji], ij = g->sys->transpose[ji];
        double f = g->sys->forced ? g->out.on_K[F][ij] : 0;
        double L =
            moving ? g->out.on_K[F_LQW][ij] - g->out.on_K[F_LQW][ji] : g->out.on_K[F_LQQ][ij];
        sum += g->W[u * g->n + i] * (L + f);
    }
    return sum;
}

/* r := J^-1 r. Multipliers were solved for in their units and are brought back to their own. */
static void solve(node_equations *g)
{
    solver_solve(g->lu, g->r);
    for (int a = 0; a < g->relations; a++) g->r[g->nu + a] *= g->unit[a];
}

/* The same for a coordinate itself: an entry of its row of K. */
static double along_massless(const node_equations *g, int u, int e)
{
    const double *const *on = (const double *const *)g->out.on_K;
    const double         f = g->sys->forced ? on[u < g->resistive ? F_FW : F_FQ][e] : 0;
    return u < g->resistive ? on[F_LQW][e] - on[F_LQW][g->sys->transpose[e]] + f : on[F_LQQ][e] + f;
}

/* Where U are coordinates, their balances take the place of their momentum rows, which are 0 = 0
 * there: the matrix needs no border. */
static void fill_balances(node_equations *g)
{
    const pattern *K = &g->sys->K;
    for (int u = 0; g->massless && u < g->k; u++)
        for (int e = K->start[g->massless[u]]; e < K->start[g->massless[u] + 1]; e++)
            g->values[g->of_balance[e]] += along_massless(g, u, e);
}

/* P unit in place of 0, so that Y^T nu = 0: of the multipliers that make the same reaction, those
 * of least norm.                                                              theory.md [REDUNDANT]
 */
static void fill_redundant(node_equations *g)
{
    redundancy *of = g->redundant;
    redundancy_find(of, g->out.A, g->out.on_K[F_LWW]);
    for (int k = 0, e = 0; k < of->groups; k++) {
        const relation_group *at = &of->group[k];
        for (int i = 0; i < at->rows * at->rows; i++, e++)
            g->values[g->of_P[e]] += of->P[e] * g->unit[at->row[i % at->rows]];
    }
}

/* [[L_ww, -A^T unit, U], [A, 0, 0], [W^T (..), 0, 0]], a Hamiltonian coordinate having 1 in the
 * rows of p and of v and L_ww in that of v. A constant matrix is factored once. */
static bool factor(node_equations *g)
{
    if (g->ready && g->constant) return true;
    memset(g->values, 0, (size_t)pattern_count(&g->J) * sizeof *g->values);
    for (int k = 0; k < pattern_count(&g->sys->K); k++)
        if (g->of_K[k] >= 0) g->values[g->of_K[k]] += g->out.on_K[F_LWW][k];
    for (int i = 0; i < g->n + g->phase; i++)
        if (g->diagonal[i] >= 0) g->values[g->diagonal[i]] += 1;
    node_units(g);
    for (int a = 0; a < g->relations; a++)
        for (int k = g->sys->A.start[a]; k < g->sys->A.start[a + 1]; k++) {
            g->values[g->of_A[k]] += g->out.A[k];
            g->values[g->of_AT[k]] -= g->out.A[k] * g->unit[a];
        }
    if (g->redundant) fill_redundant(g);
    fill_balances(g);
    for (int u = 0; u < g->border; u++)
        for (int i = 0; i < g->n; i++) {
            g->values[g->of_U[u * g->n + i]] += g->U[u * g->n + i];
            g->values[g->of_UT[u * g->n + i]] += along_U(g, u, i);
        }
    g->divides.known = false; /* parameters may be others */
    return g->ready = solver_factor(g->lu, g->values);
}

bool node_factor(node_equations *g)
{
    g->ready = false;
    return factor(g);
}

void node_divide(node_equations *g)
{
    solve(g);
}

/* Along U the balances are among the equations, so forces, stiffness and derivatives in time are
 * needed there besides what is wanted. */
bool node_evaluate(node_equations *g, unsigned want)
{
    if (g->relations) want |= WANT_RELATIONS;
    if (g->k && g->sys->forced) want |= WANT_FORCE | WANT_FORCE_JACOBIAN;
    if (g->k) want |= WANT_TIME;
    return !g->sys->eval(g->sys->self, want, 1, &g->at, &g->out);
}

/*     r -= A^T nu on the rows of the momenta */
static void subtract_reaction(const node_equations *g, const double *nu, double *r)
{
    const pattern *A = &g->sys->A;
    for (int a = 0; a < g->relations; a++)
        for (int k = A->start[a]; k < A->start[a + 1]; k++) r[A->column[k]] -= g->out.A[k] * nu[a];
}

/* sum_j x_j (L_qw)_{ji} = (L_wq x)_i */
static double transposed_product(const node_equations *g, int i, const double *x)
{
    const pattern *K = &g->sys->K;
    double         sum = 0;
    for (int k = K->start[i]; g->out.on_K[F_LQW] && k < K->start[i + 1]; k++)
        sum += g->out.on_K[F_LQW][g->sys->transpose[k]] * x[K->column[k]];
    return sum;
}

/* U^T (L_q + f - L_wq v - L_wt), or d/dt of U^T (L_q + f) where only stiffness acts */
static double force_along_U(const node_equations *g, int u)
{
    const bool    moving = u < g->resistive;
    const double *L = moving ? g->out.Lq : g->out.Lqt, *f = moving ? g->out.f : g->out.ft;
    double        sum = 0;
    if (is_coupled(g, u)) return 0;
    for (int i = 0; i < g->n; i++) {
        const double along = g->W[u * g->n + i];
        sum += along * (L[i] + (g->sys->forced ? f[i] : 0));
        if (!moving) sum += along_U(g, u, i) * g->v[i];
        else if (along != 0) sum -= along * (transposed_product(g, i, g->v) + g->out.Lwt[i]);
    }
    return sum;
}

/* The same balance of a coordinate itself. */
static double force_on_massless(const node_equations *g, int u)
{
    const pattern *K = &g->sys->K;
    const int      i = g->massless[u];
    const bool     moving = u < g->resistive, forced = g->sys->forced;
    double         sum =
        moving ? g->out.Lq[i] - transposed_product(g, i, g->v) - g->out.Lwt[i] : g->out.Lqt[i];
    if (forced) sum += moving ? g->out.f[i] : g->out.ft[i];
    for (int e = K->start[i]; e < K->start[i + 1] && !moving; e++)
        sum += along_massless(g, u, e) * g->v[K->column[e]];
    return sum;
}

/*     L_w - p^- - A^T nu + U sigma,   e,   balances
 * of a Hamiltonian coordinate w - p^- - A^T nu and v + Lambda_w;
 * with the names of the header; in the rows of massless coordinates the balance overwrites the
 * rest. */
static void residual(node_equations *g, const double *p, const double *x)
{
    double *r = g->r;
    for (int i = 0; i < g->n; i++) {
        r[i] = (node_is_phase(g, i) ? x[i] : g->out.Lw[i]) - p[i];
        const int v = node_velocity_of(g, i);
        if (node_is_phase(g, i)) r[v] = x[v] + g->out.Lw[i];
        for (int u = 0; u < g->border; u++) r[i] += g->U[u * g->n + i] * x[g->sigma + u];
    }
    subtract_reaction(g, x + g->nu, r);
    for (int a = 0; a < g->relations; a++) r[g->nu + a] = g->out.e[a];
    for (int u = 0; u < g->border; u++) r[g->sigma + u] = force_along_U(g, u);
    for (int u = 0; g->massless && u < g->k; u++) r[g->massless[u]] = force_on_massless(g, u);
}

/* w and v of all coordinates from the unknowns. */
static void spread(node_equations *g, const double *x)
{
    for (int i = 0; i < g->n; i++) g->w[i] = x[i], g->v[i] = x[node_velocity_of(g, i)];
}

/* Written so that what is no number comes out, instead of being passed over. */
static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        if (!(fabs(x[i]) <= most)) most = fabs(x[i]);
    return most;
}

/* Are the momentum equations satisfied to roundoff? A reaction may have added much to p^- where
 * little moves: the resulting error of v is noise, however large relative to v. */
static bool momenta_met(const node_equations *g, const double *p)
{
    const pattern *A = &g->sys->A;
    double         size = largest(p, g->n), most = 0;
    for (int a = 0; a < g->relations; a++)
        for (int k = A->start[a]; k < A->start[a + 1]; k++)
            size = fmax(size, fabs(g->out.A[k] * g->x[g->nu + a]));
    for (int i = 0; i < g->n; i++)
        if ((!g->massless || g->of_massless[i] < 0) && !(fabs(g->r[i]) <= most))
            most = fabs(g->r[i]);
    return most <= 16 * DBL_EPSILON * size;
}

/*     |L_q| + |f| + |L_wq v| + |L_wt| of a coordinate */
static double terms_of_balance(const node_equations *g, int i)
{
    const double force = g->sys->forced ? fabs(g->out.f[i]) : 0;
    return fabs(g->out.Lq[i]) + force + fabs(transposed_product(g, i, g->v)) + fabs(g->out.Lwt[i]);
}

/* Momenta alone say nothing of velocities along U: is what is left of the balances there little
 * beside what balances? Those without velocity are linear, and the first correction solves them. */
static bool balances_met(const node_equations *g)
{
    for (int u = 0; u < g->resistive; u++) {
        double size = g->massless ? terms_of_balance(g, g->massless[u]) : 0;
        for (int i = 0; i < g->n && !g->massless; i++)
            if (g->W[u * g->n + i] != 0) size += fabs(g->W[u * g->n + i]) * terms_of_balance(g, i);
        if (!(fabs(g->r[g->massless ? g->massless[u] : g->sigma + u]) <= 1e-9 * size)) return false;
    }
    return true;
}

/*     |p_i| + sum_j |(L_ww)_ij w_j| + sum_a |A_ai nu_a|, and likewise of the other equations */
static void add_up_terms(node_equations *g, const double *p)
{
    const pattern *A = &g->sys->A, *K = &g->sys->K;
    double        *terms = g->terms;
    for (int i = 0; i < g->n; i++) {
        double moved = 0;
        for (int k = K->start[i]; k < K->start[i + 1]; k++)
            moved += fabs(g->out.on_K[F_LWW][k] * g->w[K->column[k]]);
        terms[i] += fabs(p[i]);
        terms[node_velocity_of(g, i)] += moved;
    }
    for (int a = 0; a < g->relations; a++) {
        for (int k = A->start[a]; k < A->start[a + 1]; k++) {
            terms[A->column[k]] += fabs(g->out.A[k] * g->x[g->nu + a]);
            terms[g->nu + a] += fabs(g->out.A[k] * g->v[A->column[k]]);
        }
    }
}

/* Is the residual of every equation at the roundoff of its own terms? */
static bool all_met(node_equations *g, const double *p)
{
    enum { ROUNDINGS = 4 };
    memset(g->terms, 0, (size_t)g->size * sizeof *g->terms);
    add_up_terms(g, p);
    for (int i = 0; i < g->size; i++)
        if (!(fabs(g->r[i]) <= ROUNDINGS * DBL_EPSILON * g->terms[i])) return false;
    return true;
}

/* Of what momenta alone decide. L is had with them. */
static unsigned wanted(const node_equations *g, bool matrix)
{
    const unsigned values = g->momenta_alone ? WANT_MOMENTA : WANT_GRADIENT;
    if (matrix) return values | WANT_HESSIAN;
    return g->momenta_alone ? values | WANT_L : values;
}

bool node_lagrangian(node_equations *g, double t, const double *q, const double *w, const double *v)
{
    g->at = (sys_point){.t = t, .q = q, .w = w, .v = v};
    return node_evaluate(g, wanted(g, false));
}

/* The residual at x, and the matrix unless the equations are satisfied: a correction is exact where
 * momenta are linear in velocities, and the matrix is not needed again. */
static bool evaluate_at(node_equations *g, const double *p, bool first, bool *met)
{
    const bool matrix = !(g->ready && g->constant);
    spread(g, g->x);
    *met = false;
    if (!first && matrix && !g->k) {
        if (!node_evaluate(g, wanted(g, false))) return false;
        residual(g, p, g->x);
        *met = all_met(g, p);
        if (*met) return true;
    }
    if (!node_evaluate(g, wanted(g, matrix))) return false;
    residual(g, p, g->x);
    return true;
}

/* Do the equations have a finite value at x? Without relations, the residual must not have grown
 * much either. */
static bool is_nearer(const node_equations *g, double *left)
{
    for (int i = 0; i < g->size; i++)
        if (!isfinite(g->r[i])) return false;
    const double now = largest(g->r, g->n);
    if (now > 10 * *left && !g->relations && !g->k) return false;
    *left = now;
    return true;
}

/* Evaluates at x, halving the correction that led there until the value is finite: it may have led
 * beyond the speed of light. */
static bool evaluate_nearer(node_equations *g, const double *p, bool first, double *left, bool *met)
{
    enum { HALVINGS_MOST = 40 };
    for (int k = 0; k < HALVINGS_MOST; k++) {
        if (evaluate_at(g, p, first && k == 0, met) && (*met || is_nearer(g, left))) return true;
        for (int i = 0; i < g->size; i++) g->step[i] /= 2, g->x[i] += g->step[i];
    }
    return false;
}

/* Newton's iteration. It ends when the equations are satisfied, or when corrections are roundoff or
 * have stopped shrinking; `there`: everything is evaluated where it ended. */
static dal_status iterate(node_equations *g, const double *p, bool *there)
{
    double before = HUGE_VAL, left = HUGE_VAL, enough = 0;
    for (int i = 0; i < g->size; i++) g->step[i] = -g->x[i];
    for (int it = 0; it < ITERATIONS_MOST; it++) {
        if (!evaluate_nearer(g, p, it == 0, &left, there)) return DAL_DIVERGED;
        if (*there) return DAL_OK;
        if (it == 0) enough = 1e-7 * left; /* roundoff may grow */
        left = fmax(left, enough);
        /* judged before r becomes the correction */
        const bool met = it > 0 && momenta_met(g, p) && balances_met(g);
        if (!factor(g)) return DAL_SINGULAR;
        solve(g);
        for (int i = 0; i < g->size; i++) g->x[i] -= g->step[i] = g->r[i];
        double eta = largest(g->r, g->nu), scale = largest(g->x, g->nu);
        if (!(eta <= DBL_MAX)) return DAL_DIVERGED;
        /* none follows the small one of a constant matrix */
        if (was_last(eta, before, scale) || (g->constant && eta <= SQUARED * scale)) return DAL_OK;
        /* no longer shrinking: what is left is noise */
        if (eta >= before / 2 && met) return DAL_OK;
        before = eta;
    }
    return DAL_DIVERGED;
}

/* sigma of coordinates themselves is p^- - L_w, since their balances stand where it would be
 * solved for. */
dal_status node_solve(node_equations *g, double t, const double *q, const double *p, double *w,
                      double *v, double *nu, double *sigma)
{
    g->at = (sys_point){.t = t, .q = q, .w = g->w, .v = g->v};
    memset(g->x, 0, (size_t)g->size * sizeof *g->x);
    for (int i = 0; i < g->n; i++) {
        g->x[i] = w[i];
        if (node_is_phase(g, i)) g->x[node_velocity_of(g, i)] = v[i];
    }
    bool       there;
    dal_status bad = iterate(g, p, &there);
    if (bad) return bad;
    spread(g, g->x);
    memcpy(w, g->w, (size_t)g->n * sizeof *w);
    memcpy(v, g->v, (size_t)g->n * sizeof *v);
    if (nu) memcpy(nu, g->x + g->nu, (size_t)g->relations * sizeof *nu);
    if (sigma && !g->massless) memcpy(sigma, g->x + g->sigma, (size_t)g->k * sizeof *sigma);
    /* L_w where the iteration ended, for those who report it */
    if (!there && !node_evaluate(g, wanted(g, false))) return DAL_DIVERGED;
    for (int u = 0; sigma && g->massless && u < g->k; u++)
        sigma[u] = p[g->massless[u]] - g->out.Lw[g->massless[u]];
    return DAL_OK;
}

/*     L_ww a - A^T lam = L_q + f - L_wq v - L_wt,   A a = -(e_q v + e_t)
 *     p' - A^T lam = L_q + f,   v' + Lambda_ww p' = -(Lambda_wq v + Lambda_wt)   (Hamiltonian) */
dal_status node_reactions(node_equations *g, double t, const double *q, const double *w,
                          const double *v, double *lam, double *rate)
{
    const pattern *A = &g->sys->A;
    g->at = (sys_point){.t = t, .q = q, .w = w, .v = v};
    unsigned want = WANT_GRADIENT | WANT_HESSIAN | WANT_TIME | WANT_RELATIONS_JACOBIAN;
    if (g->sys->forced) want |= WANT_FORCE;
    if (!node_evaluate(g, want)) return DAL_DIVERGED;
    for (int i = 0; i < g->n; i++) {
        /* d/dt L_w = L_ww a + L_wq v + L_wt: the last two are the drift */
        double force = g->out.Lq[i] + (g->sys->forced ? g->out.f[i] : 0);
        double drift = transposed_product(g, i, v) + g->out.Lwt[i];
        g->r[i] = node_is_phase(g, i) ? force : force - drift;
        if (node_is_phase(g, i)) g->r[node_velocity_of(g, i)] = -drift;
    }
    for (int a = 0; a < g->relations; a++) {
        double sum = g->out.et[a];
        for (int k = A->start[a]; k < A->start[a + 1]; k++) sum += g->out.eq[k] * v[A->column[k]];
        g->r[g->nu + a] = -sum;
    }
    /* no balance is differentiated: its row has 0 on the right-hand side */
    for (int u = 0; u < g->k; u++) g->r[g->massless ? g->massless[u] : g->sigma + u] = 0;
    if (!factor(g)) return DAL_SINGULAR;
    solve(g);
    memcpy(lam, g->r + g->nu, (size_t)g->relations * sizeof *lam);
    if (rate) memcpy(rate, g->r, (size_t)g->n * sizeof *rate);
    return DAL_OK;
}

bool node_is_regular(node_equations *g, double t, const double *q, const double *w, const double *v)
{
    g->at = (sys_point){.t = t, .q = q, .w = w, .v = v};
    g->ready = false;
    return node_evaluate(g, WANT_GRADIENT | WANT_HESSIAN) && factor(g);
}
