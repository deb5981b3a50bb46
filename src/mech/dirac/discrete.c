/* discrete.c - discrete Lagrangians and forces of polynomial curves; and the doubled system, whose
 * discrete action gives the same equations.                              theory.md [DUPLICATION] */
#include "mech/dirac/discrete_inside.h"

#include "kernel/jet.h"

#include "step/words.h"

#include "step/judge.h"

#include <math.h>
#include <string.h>

enum { EXACT_DEGREE = 12, PARTS = 8 };

/* Setting up. ---------------------------------------------------------------------------------- */

static void room_for_values(discretiser *c, mem *m)
{
    const int n = c->n, K = pattern_count(&c->sys->K);
    c->out.Lq = mem_array(m, n, double), c->out.Lw = mem_array(m, n, double);
    c->out.f = mem_array(m, n, double);
    for (int k = 0; k < F_COUNT; k++) c->out.on_K[k] = mem_array(m, K, double);
}

static pattern full_pattern(mem *m, int n)
{
    pattern p = {n, n, mem_array(m, n + 1, int), mem_array(m, n * n, int)};
    for (int k = 0; k < n * n; k++) p.column[k] = k % n;
    for (int i = 0; i <= n; i++) p.start[i] = i * n;
    return p;
}

static void room_for_polynomial(discretiser *c, mem *m)
{
    const int d = c->d, n = c->n, all = (d + 1) * n, inner = (d - 1) * n;
    c->on_rule = basis_new(m, d, c->sch.rule.c, c->sch.rule.s);
    c->on_force = basis_new(m, d, c->sch.force.c, c->sch.force.s);
    c->Q = mem_array(m, all, double), c->G = mem_array(m, all, double);
    c->f = mem_array(m, all, double), c->J = mem_array(m, all * all, double);
    c->inner = mem_array(m, inner * inner, double), c->right = mem_array(m, inner, double);
    if (!inner) return;
    c->shape = full_pattern(m, inner);
    c->lu = solver_new(m, &c->shape, NULL);
}

/* The exact motion is taylor(EXACT_DEGREE) on a few parts of the chord, with a fine Gauss rule. */
discretiser *discretiser_new(mem *m, dal_system *sys, const scheme *sch, text *why)
{
    discretiser        *c = mem_array(m, 1, discretiser);
    int                 count;
    const one_step_map *map = one_step_maps(&count);
    c->sys = sys, c->sch = *sch, c->n = sys->n;
    c->d = sch->curve == CURVE_POLYNOMIAL ? sch->degree : 0;
    if (sys->n > DISCRETE_MOST) {
        text_printf(why,
                    "chords are compared for at most %d coordinates, and this system has "
                    "%d",
                    DISCRETE_MOST, sys->n);
        return NULL;
    }
    if (sch->substeps > 1) {
        text_add(why, "a composition has no discrete Lagrangian of its own; use the scheme "
                      "that it composes");
        return NULL;
    }
    if (sys->damped) {
        text_add(why,
                 "damping is tested with upwinded functions, which are no variations of a curve: "
                 "write force instead of damping, and use gauss(s)");
        return NULL;
    }
    c->exact = flow_new(m, sys, &map[0], EXACT_DEGREE, why);
    if (c->exact && !c->d) c->shot = flow_new(m, sys, &map[sch->map], sch->map_order, why);
    if (!c->exact || (!c->d && !c->shot)) return NULL;
    quadrature_gauss(&c->fine, EXACT_DEGREE / 2 + 1);
    c->room = (size_t)sys->n * (size_t)jet_size(2 * sys->n);
    double **array[] = {&c->q, &c->v, &c->dq, &c->at_v};
    for (int k = 0; k < 4; k++) *array[k] = mem_array(m, c->room, double);
    room_for_values(c, m);
    c->parts = PARTS;
    c->square = full_pattern(m, c->n), c->of_B = solver_new(m, &c->square, NULL);
    c->A = mem_array(m, c->n * c->n, double), c->B = mem_array(m, c->n * c->n, double);
    if (c->d) room_for_polynomial(c, m);
    return c;
}

void discretiser_free(discretiser *c)
{
    if (!c) return;
    flow_free(c->exact), flow_free(c->shot);
    solver_free(c->lu), solver_free(c->of_B);
}

int discrete_degree(const discretiser *c)
{
    return c->d;
}

bool discrete_evaluate(discretiser *c, unsigned want, double t, const double *q, const double *v)
{
    sys_point at = {.t = t, .q = q, .w = v, .v = v};
    if (!c->sys->forced) {
        memset(c->out.f, 0, (size_t)c->n * sizeof *c->out.f);
        want &= ~(unsigned)(WANT_FORCE | WANT_FORCE_JACOBIAN);
    }
    return !c->sys->eval(c->sys->self, want, 1, &at, &c->out);
}

/* Polynomial curves. --------------------------------------------------------------------------- */

/*     q = sum_nu l_nu Q^nu,   v = (1/h) sum_nu l'_nu (Q^nu - Q^0) */
static void curve_point(const discretiser *c, const basis *at, int i, double h, const double *Q,
                        double *q, double *v)
{
    const int n = c->n;
    for (int j = 0; j < n; j++) {
        q[j] = Q[j], v[j] = 0;
        for (int nu = 1; nu <= c->d; nu++) {
            double Z = Q[nu * n + j] - Q[j];
            q[j] += at->l[i * (c->d + 1) + nu] * Z;
            v[j] += at->dl[i * (c->d + 1) + nu] * Z / h;
        }
    }
}

/* A field at (i, j); 0 where the pattern has no such entry. */
static double entry(const discretiser *c, field f, int i, int j)
{
    int k = pattern_find(&c->sys->K, i, j);
    return k < 0 || c->sys->varies[f] == FIELD_ZERO ? 0 : c->out.on_K[f][k];
}

/* One point's share of J_nu,mu = dG_nu/dQ^mu. */
static void add_second(discretiser *c, const double *l, const double *dl, double b, double h,
                       bool of_L, bool of_f)
{
    const int n = c->n, N = (c->d + 1) * n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double qq = of_L ? entry(c, F_LQQ, i, j) : 0, qv = of_L ? entry(c, F_LQW, i, j) : 0;
            double vq = of_L ? entry(c, F_LQW, j, i) : 0, vv = of_L ? entry(c, F_LWW, i, j) : 0;
            if (of_f && c->sys->forced) qq += entry(c, F_FQ, i, j), qv += entry(c, F_FW, i, j);
            for (int nu = 0; nu <= c->d; nu++)
                for (int mu = 0; mu <= c->d; mu++)
                    c->J[(nu * n + i) * N + mu * n + j] +=
                        b * (dl[nu] * (l[mu] * vq + dl[mu] * vv / h) +
                             h * l[nu] * (l[mu] * qq + dl[mu] / h * qv));
        }
}

/* Adds what the points of a rule give: to L, to G and the forces among it, to J if it is wanted. */
static bool add_points(discretiser *c, const quadrature *r, const basis *at, double t, double h,
                       const double *Q, double *G, double *L, bool of_f, bool second)
{
    const int      n = c->n;
    const bool     of_L = !of_f;
    const unsigned more = second ? WANT_HESSIAN | WANT_FORCE_JACOBIAN : 0u;
    double         q[DISCRETE_MOST], v[DISCRETE_MOST];
    for (int i = 0; i < r->s; i++) {
        const double *l = at->l + i * (c->d + 1), *dl = at->dl + i * (c->d + 1);
        curve_point(c, at, i, h, Q, q, v);
        if (!discrete_evaluate(c, WANT_L | WANT_GRADIENT | WANT_FORCE | more, t + r->c[i] * h, q,
                               v))
            return false;
        if (of_L && L) *L += h * r->b[i] * c->out.L;
        for (int nu = 0; nu <= c->d; nu++)
            for (int j = 0; j < n; j++) {
                double f = of_f ? h * r->b[i] * l[nu] * c->out.f[j] : 0;
                if (of_f) c->f[nu * n + j] += f, G[nu * n + j] += f;
                else G[nu * n + j] += r->b[i] * (dl[nu] * c->out.Lw[j] + h * l[nu] * c->out.Lq[j]);
            }
        if (second) add_second(c, l, dl, r->b[i], h, of_L, of_f);
    }
    return true;
}

/* G, the forces f in it, L unless it is NULL, and J if second, over both rules. */
static bool sum_points(discretiser *c, double t, double h, const double *Q, double *G, double *L,
                       bool second)
{
    const size_t N = (size_t)(c->d + 1) * (size_t)c->n;
    memset(G, 0, N * sizeof *G), memset(c->f, 0, N * sizeof *c->f);
    if (second) memset(c->J, 0, N * N * sizeof *c->J);
    if (L) *L = 0;
    return add_points(c, &c->sch.rule, &c->on_rule, t, h, Q, G, L, false, second) &&
           add_points(c, &c->sch.force, &c->on_force, t, h, Q, G, L, true, second);
}

bool discrete_gradient(discretiser *c, double t, double h, const double *Q, double *G)
{
    return sum_points(c, t, h, Q, G, NULL, false);
}

/* J_nu,mu for 0 < nu, mu < d: what the ends do not decide. */
static bool factor_inner(discretiser *c)
{
    const int n = c->n, N = (c->d + 1) * n, inner = (c->d - 1) * n;
    for (int i = 0; i < inner; i++)
        for (int j = 0; j < inner; j++) c->inner[i * inner + j] = c->J[(n + i) * N + n + j];
    return solver_factor(c->lu, c->inner);
}

/* G_nu = 0 for 0 < nu < d, between fixed ends. */
static bool settle_inner(discretiser *c, double t, double h, double *L)
{
    const int n = c->n, inner = (c->d - 1) * n;
    double    before = HUGE_VAL;
    for (int it = 0; it < DISCRETE_ITERATIONS; it++) {
        double most = 0, size = 0;
        if (!sum_points(c, t, h, c->Q, c->G, L, true)) return false;
        if (!inner) return true;
        if (!factor_inner(c)) return false;
        memcpy(c->right, c->G + n, (size_t)inner * sizeof *c->right);
        solver_solve(c->lu, c->right);
        for (int k = 0; k < inner; k++) {
            c->Q[n + k] -= c->right[k];
            most = fmax(most, fabs(c->right[k])), size = fmax(size, fabs(c->Q[n + k]));
        }
        if (was_last(most, before, size))
            return sum_points(c, t, h, c->Q, c->G, L, true) && factor_inner(c);
        before = most;
    }
    return false;
}

/*     f_d = f_end + sum_nu (dQ^nu/dq_end)^T f_nu,   dQ/dq_end = -J_inner^-1 J_(inner, end) */
static void force_on_end(discretiser *c, int end, double *force)
{
    const int n = c->n, N = (c->d + 1) * n, inner = (c->d - 1) * n;
    for (int a = 0; a < n; a++) {
        force[a] = c->f[end * n + a];
        for (int k = 0; k < inner; k++) c->right[k] = c->J[(n + k) * N + end * n + a];
        if (inner) solver_solve(c->lu, c->right);
        for (int k = 0; k < inner; k++) force[a] -= c->right[k] * c->f[n + k];
    }
}

/*     g_d^- = -h sum_i b_i (1-c_i) f^i.v^i,   g_d^+ with c_i                      theory.md
 * [ENERGY] */
static bool power_terms(discretiser *c, double t, double h, double *power)
{
    const quadrature *r = &c->sch.force;
    double            q[DISCRETE_MOST], v[DISCRETE_MOST];
    power[0] = power[1] = 0;
    for (int i = 0; i < r->s; i++) {
        curve_point(c, &c->on_force, i, h, c->Q, q, v);
        if (!discrete_evaluate(c, WANT_FORCE, t + r->c[i] * h, q, v)) return false;
        for (int j = 0; j < c->n; j++) {
            const double work = h * r->b[i] * c->out.f[j] * v[j];
            power[0] -= (1 - r->c[i]) * work, power[1] -= r->c[i] * work;
        }
    }
    return true;
}

/* From the straight line between the ends; p_0 = -G_0, p_1 = G_d. */
static bool by_polynomial(discretiser *c, double t, double h, const double *q0, const double *q1,
                          discrete *out)
{
    const int  n = c->n, d = c->d;
    quadrature control;
    quadrature_lobatto(&control, d + 1);
    for (int nu = 0; nu <= d; nu++)
        for (int j = 0; j < n; j++) c->Q[nu * n + j] = q0[j] + control.c[nu] * (q1[j] - q0[j]);
    double L = 0;
    if (!settle_inner(c, t, h, &L)) return false;
    out->L = L;
    for (int a = 0; a < n; a++) out->p0[a] = -c->G[a], out->p1[a] = c->G[d * n + a];
    force_on_end(c, 0, out->minus);
    force_on_end(c, d, out->plus);
    return power_terms(c, t, h, out->power);
}

bool discrete_by_scheme(discretiser *c, double t, double h, const double *q0, const double *q1,
                        const double *v0, discrete *out)
{
    return c->d ? by_polynomial(c, t, h, q0, q1, out) : discrete_shot(c, t, h, q0, q1, v0, out);
}

/* Doubling. ------------------------------------------------------------------------------------ */

/*     h sum_i b_i [L(Q,V) - L(q,v)]^i - (h/2) sum_j b'_j [(F(q,v) + F(Q,V)).(q - Q)]^j */
double discrete_doubled_action(discretiser *c, double t, double h, const double *Q, const double *q)
{
    const quadrature *r = &c->sch.rule, *rf = &c->sch.force;
    double            sum = 0, x[2][DISCRETE_MOST], v[DISCRETE_MOST];
    for (int i = 0; i < r->s; i++)
        for (int copy = 0; copy < 2; copy++) {
            curve_point(c, &c->on_rule, i, h, copy ? q : Q, x[copy], v);
            if (!discrete_evaluate(c, WANT_L, t + r->c[i] * h, x[copy], v)) return (double)NAN;
            sum += (copy ? -1 : 1) * h * r->b[i] * c->out.L;
        }
    for (int i = 0; i < rf->s; i++) {
        double force[DISCRETE_MOST] = {0};
        for (int copy = 0; copy < 2; copy++) {
            curve_point(c, &c->on_force, i, h, copy ? q : Q, x[copy], v);
            if (!discrete_evaluate(c, WANT_FORCE, t + rf->c[i] * h, x[copy], v)) return (double)NAN;
            for (int j = 0; j < c->n; j++) force[j] += c->out.f[j] / 2;
        }
        for (int j = 0; j < c->n; j++) sum -= h * rf->b[i] * force[j] * (x[1][j] - x[0][j]);
    }
    return sum;
}
