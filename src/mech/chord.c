/* chord.c - discrete Lagrangians and forces of one chord, by the scheme and exactly.
 *                                                                        theory.md [DUPLICATION]
 * The exact motion is a Taylor polynomial of high order on each of a few parts of the chord, whose
 * jets carry the derivatives in the start along. */
#include "mech/chord.h"

#include "kernel/jet.h"
#include "mech/flow.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { PARTS = 8, SPAN = 2 * CHORD_MOST, ITERATIONS_MOST = 30 };

struct chords {
    dal_system *sys;
    scheme      sch;
    int         n, d; /* d = 0: the curve is shot */
    flow       *exact, *shot;
    quadrature  fine;
    size_t      room;                   /* doubles of n jets                              */
    double     *q, *v, *dq, *at_v;      /* n jets each                                    */
    basis       on_rule, on_force;      /* l_nu, l'_nu at their points                    */
    double     *Q, *G, *J, *f;          /* control points, gradient, (d+1)n square, forces */
    double     *inner, *right;          /* equations of the control points between the ends */
    pattern     shape;
    solver     *lu;
    sys_values  out;
};

/* Setting up. ---------------------------------------------------------------------------------- */

static void room_for_values(chords *c, mem *m)
{
    const int n = c->n, K = pattern_count(&c->sys->K);
    c->out.Lq = mem_array(m, n, double), c->out.Lw = mem_array(m, n, double);
    c->out.f = mem_array(m, n, double);
    for (int k = 0; k < F_COUNT; k++) c->out.on_K[k] = mem_array(m, K, double);
}

static void room_for_polynomial(chords *c, mem *m)
{
    const int d = c->d, n = c->n, all = (d + 1) * n, inner = (d - 1) * n;
    c->on_rule = basis_new(m, d, c->sch.rule.c, c->sch.rule.s);
    c->on_force = basis_new(m, d, c->sch.force.c, c->sch.force.s);
    c->Q = mem_array(m, all, double), c->G = mem_array(m, all, double);
    c->f = mem_array(m, all, double), c->J = mem_array(m, all * all, double);
    c->inner = mem_array(m, inner * inner, double), c->right = mem_array(m, inner, double);
    if (!inner) return;
    c->shape =
        (pattern){inner, inner, mem_array(m, inner + 1, int), mem_array(m, inner * inner, int)};
    for (int k = 0; k < inner * inner; k++) c->shape.column[k] = k % inner;
    for (int i = 0; i <= inner; i++) c->shape.start[i] = i * inner;
    c->lu = solver_new(m, &c->shape, NULL);
}

chords *chords_new(mem *m, dal_system *sys, const scheme *sch, text *why)
{
    chords             *c = mem_array(m, 1, chords);
    int                 count;
    const one_step_map *map = one_step_maps(&count);
    c->sys = sys, c->sch = *sch, c->n = sys->n;
    c->d = sch->curve == CURVE_POLYNOMIAL ? sch->degree : 0;
    if (sys->n > CHORD_MOST) {
        text_printf(why, "chords are compared for at most %d coordinates, and here are %d",
                    CHORD_MOST, sys->n);
        return NULL;
    }
    if (sch->substeps > 1) {
        text_add(why, "a composition has no discrete Lagrangian of its own; take the scheme that "
                      "it is made of");
        return NULL;
    }
    c->exact = flow_new(m, sys, &map[0], TAYLOR_MOST, why);
    if (c->exact && !c->d) c->shot = flow_new(m, sys, &map[sch->map], sch->map_order, why);
    if (!c->exact || (!c->d && !c->shot)) return NULL;
    quadrature_gauss(&c->fine, TAYLOR_MOST / 2 + 1);
    c->room = (size_t)sys->n * (size_t)jet_size(2 * sys->n);
    double **array[] = {&c->q, &c->v, &c->dq, &c->at_v};
    for (int k = 0; k < 4; k++) *array[k] = mem_array(m, c->room, double);
    room_for_values(c, m);
    if (c->d) room_for_polynomial(c, m);
    return c;
}

void chords_free(chords *c)
{
    if (!c) return;
    flow_free(c->exact), flow_free(c->shot);
    solver_free(c->lu);
}

int chord_degree(const chords *c)
{
    return c->d;
}

static bool evaluate(chords *c, unsigned want, double t, const double *q, const double *v)
{
    sys_point at = {.t = t, .q = q, .w = v, .v = v};
    if (!c->sys->forced) {
        memset(c->out.f, 0, (size_t)c->n * sizeof *c->out.f);
        want &= ~(unsigned)(WANT_FORCE | WANT_FORCE_JACOBIAN);
    }
    return !c->sys->eval(c->sys->self, want, 1, &at, &c->out);
}

/* Curves that are flows. ----------------------------------------------------------------------- */

typedef struct { /* integrals, and what they change by with the start: directions q0, then v0 */
    double L, force[SPAN], whole[SPAN];
} integrals;

/* Adds weight (L, f.dq_a, (L_q + f).dq_a + L_v.dv_a) at one point; of L or of f, if not both. */
static bool add_point(chords *c, integrals *sum, double weight, double t, bool of_L, bool of_f)
{
    const int    n = c->n;
    const size_t size = c->room / (size_t)n;
    double       q[CHORD_MOST], v[CHORD_MOST];
    for (int j = 0; j < n; j++)
        q[j] = c->q[(size_t)j * size] + c->dq[(size_t)j * size], v[j] = c->at_v[(size_t)j * size];
    if (!evaluate(c, WANT_L | WANT_GRADIENT | WANT_FORCE, t, q, v)) return false;
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

static bool add_rule(chords *c, flow *f, integrals *sum, const quadrature *r, double t, double h,
                     bool of_L, bool of_f)
{
    for (int i = 0; i < r->s; i++)
        if (!flow_at(f, r->c[i] * h, c->dq, c->at_v) ||
            !add_point(c, sum, h * r->b[i], t + r->c[i] * h, of_L, of_f))
            return false;
    return true;
}

static void begin_jets(chords *c, const double *q0, const double *v0)
{
    const size_t size = c->room / (size_t)c->n;
    memset(c->q, 0, c->room * sizeof *c->q), memset(c->v, 0, c->room * sizeof *c->v);
    for (int j = 0; j < c->n; j++) {
        double *q = c->q + (size_t)j * size, *v = c->v + (size_t)j * size;
        q[0] = q0[j], q[1 + j] = 1, v[0] = v0[j], v[1 + c->n + j] = 1;
    }
}

/* To the end of a part: q and v there, still as functions of the first start. */
static bool move_on(chords *c, flow *f, double h)
{
    if (!flow_at(f, h, c->dq, c->at_v)) return false;
    for (size_t i = 0; i < c->room; i++) c->q[i] += c->dq[i], c->v[i] = c->at_v[i];
    return true;
}

/* x = B^-1 x' or B^-T x', of at most two unknowns; B = dq1/dv0 */
static void divide(double B[CHORD_MOST][CHORD_MOST], int n, bool transposed, const double *b,
                   double *x)
{
    if (n == 1) {
        x[0] = b[0] / B[0][0];
        return;
    }
    double det = B[0][0] * B[1][1] - B[0][1] * B[1][0], off = transposed ? B[1][0] : B[0][1];
    double down = transposed ? B[0][1] : B[1][0], b0 = b[0], b1 = b[1];
    x[0] = (B[1][1] * b0 - off * b1) / det, x[1] = (B[0][0] * b1 - down * b0) / det;
}

static void derivatives_of_end(const chords *c, double A[CHORD_MOST][CHORD_MOST],
                               double B[CHORD_MOST][CHORD_MOST])
{
    const size_t size = c->room / (size_t)c->n;
    for (int j = 0; j < c->n; j++)
        for (int a = 0; a < c->n; a++) {
            A[j][a] = c->q[(size_t)j * size + 1 + (size_t)a];
            B[j][a] = c->q[(size_t)j * size + 1 + (size_t)(c->n + a)];
        }
}

/*     W(q0, v0(q0,q1)):   dW/dq1 = B^-T W_v,   dW/dq0 = W_q - A^T dW/dq1 */
static void by_ends(const chords *c, const double *W, double *minus, double *plus)
{
    double A[CHORD_MOST][CHORD_MOST] = {{0}}, B[CHORD_MOST][CHORD_MOST] = {{0}};
    derivatives_of_end(c, A, B);
    divide(B, c->n, true, W + c->n, plus);
    for (int a = 0; a < c->n; a++) {
        minus[a] = W[a];
        for (int j = 0; j < c->n; j++) minus[a] -= A[j][a] * plus[j];
    }
}

static void conclude(const chords *c, const integrals *sum, chord *out)
{
    out->L = sum->L;
    by_ends(c, sum->force, out->minus, out->plus);
    by_ends(c, sum->whole, out->p0, out->p1);
    for (int a = 0; a < c->n; a++) out->p0[a] = -out->p0[a];
}

bool chord_exact(chords *c, double t, double h, const double *q0, const double *v0, double *q1,
                 chord *out)
{
    integrals sum = {0};
    begin_jets(c, q0, v0);
    for (int k = 0; k < PARTS; k++) {
        double from = t + k * h / PARTS;
        if (!flow_begin_from(c->exact, from, c->q, c->v, false)) return false;
        if (!add_rule(c, c->exact, &sum, &c->fine, from, h / PARTS, true, true)) return false;
        if (!move_on(c, c->exact, h / PARTS)) return false;
    }
    for (int j = 0; j < c->n; j++) q1[j] = c->q[(size_t)j * (c->room / (size_t)c->n)];
    conclude(c, &sum, out);
    return true;
}

/* The velocity with which the map hits q1: Newton's iteration with B. */
static bool aim(chords *c, double t, double h, const double *q0, const double *q1, double *v0)
{
    const size_t size = c->room / (size_t)c->n;
    double       A[CHORD_MOST][CHORD_MOST] = {{0}}, B[CHORD_MOST][CHORD_MOST] = {{0}};
    double       miss[CHORD_MOST] = {0}, dv[CHORD_MOST] = {0};
    for (int it = 0; it < ITERATIONS_MOST; it++) {
        double most = 0, speed = 0;
        begin_jets(c, q0, v0);
        if (!flow_begin(c->shot, t, q0, v0, false) || !move_on(c, c->shot, h)) return false;
        for (int j = 0; j < c->n; j++) miss[j] = c->q[(size_t)j * size] - q1[j];
        derivatives_of_end(c, A, B);
        divide(B, c->n, false, miss, dv);
        for (int j = 0; j < c->n; j++) {
            v0[j] -= dv[j];
            most = fmax(most, fabs(dv[j])), speed = fmax(speed, fabs(v0[j]) + fabs(q1[j] / h));
        }
        if (most <= 8 * DBL_EPSILON * speed) return true;
    }
    return false;
}

static bool shot_chord(chords *c, double t, double h, const double *q0, const double *q1,
                       const double *guess, chord *out)
{
    integrals sum = {0};
    double    v0[CHORD_MOST];
    memcpy(v0, guess, (size_t)c->n * sizeof *v0);
    if (!aim(c, t, h, q0, q1, v0)) return false;
    begin_jets(c, q0, v0);
    if (!flow_begin(c->shot, t, q0, v0, false)) return false;
    if (!add_rule(c, c->shot, &sum, &c->sch.rule, t, h, true, false)) return false;
    if (!add_rule(c, c->shot, &sum, &c->sch.force, t, h, false, true)) return false;
    if (!move_on(c, c->shot, h)) return false;
    conclude(c, &sum, out);
    return true;
}

/* Polynomial curves. --------------------------------------------------------------------------- */

/*     q = sum_nu l_nu Q^nu,   v = (1/h) sum_nu l'_nu (Q^nu - Q^0) */
static void curve_point(const chords *c, const basis *at, int i, double h, const double *Q,
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

static double entry(const chords *c, field f, int i, int j)
{
    int k = pattern_find(&c->sys->K, i, j);
    return k < 0 || c->sys->varies[f] == FIELD_ZERO ? 0 : c->out.on_K[f][k];
}

/* One point's share of J_nu,mu = dG_nu/dQ^mu. */
static void add_second(chords *c, const double *l, const double *dl, double b, double h, bool of_L,
                       bool of_f)
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
static bool add_points(chords *c, const quadrature *r, const basis *at, double t, double h,
                       const double *Q, double *G, double *L, bool of_f, bool second)
{
    const int      n = c->n;
    const bool     of_L = !of_f;
    const unsigned more = second ? WANT_HESSIAN | WANT_FORCE_JACOBIAN : 0u;
    double         q[CHORD_MOST], v[CHORD_MOST];
    for (int i = 0; i < r->s; i++) {
        const double *l = at->l + i * (c->d + 1), *dl = at->dl + i * (c->d + 1);
        curve_point(c, at, i, h, Q, q, v);
        if (!evaluate(c, WANT_L | WANT_GRADIENT | WANT_FORCE | more, t + r->c[i] * h, q, v))
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

static bool sum_points(chords *c, double t, double h, const double *Q, double *G, double *L,
                       bool second)
{
    const size_t N = (size_t)(c->d + 1) * (size_t)c->n;
    memset(G, 0, N * sizeof *G), memset(c->f, 0, N * sizeof *c->f);
    if (second) memset(c->J, 0, N * N * sizeof *c->J);
    if (L) *L = 0;
    return add_points(c, &c->sch.rule, &c->on_rule, t, h, Q, G, L, false, second) &&
           add_points(c, &c->sch.force, &c->on_force, t, h, Q, G, L, true, second);
}

bool chord_gradient(chords *c, double t, double h, const double *Q, double *G)
{
    return sum_points(c, t, h, Q, G, NULL, false);
}

static bool factor_inner(chords *c)
{
    const int n = c->n, N = (c->d + 1) * n, inner = (c->d - 1) * n;
    for (int i = 0; i < inner; i++)
        for (int j = 0; j < inner; j++) c->inner[i * inner + j] = c->J[(n + i) * N + n + j];
    return solver_factor(c->lu, c->inner);
}

/* G_nu = 0 for 0 < nu < d, between fixed ends. */
static bool settle_inner(chords *c, double t, double h, double *L)
{
    const int n = c->n, inner = (c->d - 1) * n;
    for (int it = 0; it < ITERATIONS_MOST; it++) {
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
        if (most <= 8 * DBL_EPSILON * size)
            return sum_points(c, t, h, c->Q, c->G, L, true) && factor_inner(c);
    }
    return false;
}

/*     f_d = f_end + sum_nu (dQ^nu/dq_end)^T f_nu,   dQ/dq_end = -J_inner^-1 J_(inner, end) */
static void force_on_end(chords *c, int end, double *force)
{
    const int n = c->n, N = (c->d + 1) * n, inner = (c->d - 1) * n;
    for (int a = 0; a < n; a++) {
        force[a] = c->f[end * n + a];
        for (int k = 0; k < inner; k++) c->right[k] = c->J[(n + k) * N + end * n + a];
        if (inner) solver_solve(c->lu, c->right);
        for (int k = 0; k < inner; k++) force[a] -= c->right[k] * c->f[n + k];
    }
}

static bool polynomial_chord(chords *c, double t, double h, const double *q0, const double *q1,
                             chord *out)
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
    return true;
}

bool chord_discrete(chords *c, double t, double h, const double *q0, const double *q1,
                    const double *v0, chord *out)
{
    return c->d ? polynomial_chord(c, t, h, q0, q1, out) : shot_chord(c, t, h, q0, q1, v0, out);
}

/* Doubling. ------------------------------------------------------------------------------------ */

/*     h sum_i b_i [L(Q,V) - L(q,v)]^i - (h/2) sum_j b'_j [(F(q,v) + F(Q,V)).(q - Q)]^j */
double chord_doubled_action(chords *c, double t, double h, const double *Q, const double *q)
{
    const quadrature *r = &c->sch.rule, *rf = &c->sch.force;
    double            sum = 0, x[2][CHORD_MOST], v[CHORD_MOST];
    for (int i = 0; i < r->s; i++)
        for (int copy = 0; copy < 2; copy++) {
            curve_point(c, &c->on_rule, i, h, copy ? q : Q, x[copy], v);
            if (!evaluate(c, WANT_L, t + r->c[i] * h, x[copy], v)) return (double)NAN;
            sum += (copy ? -1 : 1) * h * r->b[i] * c->out.L;
        }
    for (int i = 0; i < rf->s; i++) {
        double force[CHORD_MOST] = {0};
        for (int copy = 0; copy < 2; copy++) {
            curve_point(c, &c->on_force, i, h, copy ? q : Q, x[copy], v);
            if (!evaluate(c, WANT_FORCE, t + rf->c[i] * h, x[copy], v)) return (double)NAN;
            for (int j = 0; j < c->n; j++) force[j] += c->out.f[j] / 2;
        }
        for (int j = 0; j < c->n; j++) sum -= h * rf->b[i] * force[j] * (x[1][j] - x[0][j]);
    }
    return sum;
}
