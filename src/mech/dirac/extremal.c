/* extremal.c - the equations of a curve of pieces between its ends, and their solution.
 *                                                                        theory.md [DUPLICATION] */
#include "mech/dirac/extremal.h"

#include "step/words.h"

#include "step/judge.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ITERATIONS_MOST = 40 };

struct extremal {
    dal_system   *sys;
    int           n, d, pieces, phased; /* phased: Hamiltonian coordinates                  */
    int          *phase;                /* of each coordinate: which of them, or -1         */
    quadrature    rule, force, control;
    basis         on_rule, on_force;
    const double *share;  /* of each piece in h                                             */
    double       *begins; /* where it begins, in parts of h                                 */
    int           size;
    int          *node, *momenta; /* first unknown of a control point, of momenta of a piece */
    pattern       shape;
    solver       *lu;
    const double *base;      /* Q = base + Z                                              */
    double       *y, *G, *f; /* (Z, mu) of each control point, P; dA/dy + f; f            */
    double       *J, *held;  /* dG/dy; the same with unit rows for what is given          */
    double       *x, *later; /* a solution; G at another time                             */
    double       *q, *v, *w, *lam;
    double        L, action; /* with mu.g                                                   */
    chord_ends    at;
    sys_values    out;
};

/* Setting up. ---------------------------------------------------------------------------------- */

static bool is_hamiltonian(const dal_system *sys, int j)
{
    return sys->hamiltonian && sys->hamiltonian[j];
}

static void room_for_values(mem *m, const dal_system *sys, sys_values *out)
{
    const int n = sys->n, rows = sys->m + sys->r, A = pattern_count(&sys->A);
    double  **of_n[] = {&out->Lq, &out->Lw, &out->f};
    for (int k = 0; k < 3; k++) *of_n[k] = mem_array(m, n, double);
    for (int f = 0; f < F_COUNT; f++) out->on_K[f] = mem_array(m, pattern_count(&sys->K), double);
    out->e = mem_array(m, rows, double), out->et = mem_array(m, rows, double);
    out->A = mem_array(m, A, double), out->eq = mem_array(m, A, double);
    out->g = mem_array(m, sys->r, double);
}

/* A control point has n + r unknowns; the momenta of a piece follow its first one. */
static void number_unknowns(mem *m, extremal *x)
{
    int next = 0;
    x->node = mem_array(m, x->pieces * x->d + 1, int), x->momenta = mem_array(m, x->pieces, int);
    for (int a = 0; a <= x->pieces * x->d; a++) {
        x->node[a] = next, next += x->n + x->sys->r;
        if (a % x->d || a == x->pieces * x->d) continue;
        x->momenta[a / x->d] = next, next += x->rule.s * x->phased;
    }
    x->size = next;
}

/* The unknowns of piece j, and those of its neighbours at a joint. */
static void range_of(const extremal *x, int a, int *from, int *to)
{
    const int last = x->pieces * x->d, j = a / x->d, joint = a % x->d == 0;
    const int begin = joint && a ? (j - 1) * x->d : j * x->d;
    const int end = a == last ? last : (j + 1) * x->d;
    *from = x->node[begin], *to = x->node[end] + x->n + x->sys->r;
}

static void fill_rows(extremal *x, int *row, int until, int from, int to)
{
    for (; *row < until; ++*row) {
        int *column = x->shape.column + x->shape.start[*row];
        x->shape.start[*row + 1] = x->shape.start[*row] + to - from;
        for (int k = 0; k < to - from; k++) column[k] = from + k;
    }
}

static void shape_matrix(mem *m, extremal *x)
{
    const int wide = 2 * (x->d * (x->n + x->sys->r) + x->rule.s * x->phased) + x->n + x->sys->r;
    int       row = 0, from, to;
    x->shape = (pattern){x->size, x->size, mem_array(m, x->size + 1, int), NULL};
    x->shape.column = mem_array(m, (size_t)x->size * (size_t)wide, int);
    for (int a = 0; a <= x->pieces * x->d; a++) {
        range_of(x, a, &from, &to);
        fill_rows(x, &row, x->node[a] + x->n + x->sys->r, from, to);
        if (a % x->d || a == x->pieces * x->d) continue;
        fill_rows(x, &row, x->momenta[a / x->d] + x->rule.s * x->phased, x->node[a], to);
    }
    x->J = mem_array(m, pattern_count(&x->shape), double);
    x->held = mem_array(m, pattern_count(&x->shape), double);
    x->lu = solver_new(m, &x->shape, NULL);
}

extremal *extremal_new(mem *m, dal_system *sys, const scheme *sch, int pieces, const double *share)
{
    extremal *x = mem_array(m, 1, extremal);
    x->sys = sys, x->n = sys->n, x->d = sch->degree, x->pieces = pieces;
    x->rule = sch->rule, x->force = sch->force, x->share = share;
    quadrature_lobatto(&x->control, x->d + 1);
    x->on_rule = basis_new(m, x->d, x->rule.c, x->rule.s);
    x->on_force = basis_new(m, x->d, x->force.c, x->force.s);
    x->phase = mem_array(m, x->n, int), x->begins = mem_array(m, pieces + 1, double);
    for (int j = 0; j < x->n; j++) x->phase[j] = is_hamiltonian(sys, j) ? x->phased++ : -1;
    for (int j = 0; j < pieces; j++) x->begins[j + 1] = x->begins[j] + share[j];
    number_unknowns(m, x), shape_matrix(m, x);
    double **of_all[] = {&x->y, &x->G, &x->f, &x->x, &x->later}, **of_n[] = {&x->q, &x->v, &x->w};
    for (int k = 0; k < 5; k++) *of_all[k] = mem_array(m, x->size, double);
    for (int k = 0; k < 3; k++) *of_n[k] = mem_array(m, x->n, double);
    x->lam = mem_array(m, sys->m + sys->r, double);
    room_for_values(m, sys, &x->out);
    return x;
}

void extremal_free(extremal *x)
{
    if (x) solver_free(x->lu);
}

/* Points. -------------------------------------------------------------------------------------- */

typedef struct {            /* a point of a piece */
    int           piece, i; /* i: of its rule */
    double        t, h, b;  /* h of the piece */
    const double *l, *dl;
} point;

static point point_of(const extremal *x, which_rule by, int piece, int i, double t, double h)
{
    const quadrature *r = by == ON_RULE ? &x->rule : &x->force;
    const basis      *at = by == ON_RULE ? &x->on_rule : &x->on_force;
    const double      c = x->begins[piece] + x->share[piece] * r->c[i];
    return (point){piece,
                   i,
                   t + c * h,
                   x->share[piece] * h,
                   r->b[i],
                   at->l + i * (x->d + 1),
                   at->dl + i * (x->d + 1)};
}

static int unknown(const extremal *x, const point *at, int nu, int j)
{
    return x->node[at->piece * x->d + nu] + j;
}

static int momentum(const extremal *x, const point *at, int j)
{
    return x->momenta[at->piece] + at->i * x->phased + x->phase[j];
}

/*     q = base + Z^0 + sum_nu l_nu (Z^nu - Z^0),   v = (1/h) sum_nu l'_nu (Z^nu - Z^0),   w = v or
 * P */
static void place(extremal *x, const point *at)
{
    for (int j = 0; j < x->n; j++) {
        const double first = x->y[unknown(x, at, 0, j)];
        double       q = first, v = 0;
        for (int nu = 1; nu <= x->d; nu++) {
            const double Z = x->y[unknown(x, at, nu, j)] - first;
            q += at->l[nu] * Z, v += at->dl[nu] * Z / at->h;
        }
        x->q[j] = x->base[j] + q, x->v[j] = v;
        x->w[j] = x->phase[j] < 0 ? v : x->y[momentum(x, at, j)];
    }
}

static bool evaluate(extremal *x, unsigned want, const point *at)
{
    const sys_point here = {.t = at->t, .q = x->q, .w = x->w, .v = x->v};
    place(x, at);
    if (!x->sys->forced) want &= ~(unsigned)(WANT_FORCE | WANT_FORCE_JACOBIAN);
    return !x->sys->eval(x->sys->self, want, 1, &here, &x->out);
}

static double *entry(extremal *x, int row, int column)
{
    const int start = x->shape.start[row];
    return x->J + start + column - x->shape.column[start];
}

/*     dG_row += of_q dq_j + of_w dw_j */
static void spread(extremal *x, const point *at, int row, int j, double of_q, double of_w)
{
    const bool phased = x->phase[j] >= 0;
    for (int mu = 0; mu <= x->d; mu++)
        *entry(x, row, unknown(x, at, mu, j)) +=
            of_q * at->l[mu] + (phased ? 0 : of_w * at->dl[mu] / at->h);
    if (phased) *entry(x, row, momentum(x, at, j)) += of_w;
}

/* A field at entry k of K; 0 where it is not there. */
static double value_of(const extremal *x, field f, int k)
{
    return x->sys->varies[f] == FIELD_ZERO ? 0 : x->out.on_K[f][k];
}

/* Terms of coordinate i that hold coordinate j, of L. */
static void add_second_of_L(extremal *x, const point *at, int i, int j, int k)
{
    const int    back = x->sys->transpose[k];
    const double qq = value_of(x, F_LQQ, k), qw = value_of(x, F_LQW, k);
    const double wq = value_of(x, F_LQW, back), ww = value_of(x, F_LWW, k), b = at->b, h = at->h;
    const bool   phased = x->phase[i] >= 0;
    for (int nu = 0; nu <= x->d; nu++) {
        const double of_w = phased ? 0 : b * at->dl[nu], of_q = b * h * at->l[nu];
        spread(x, at, unknown(x, at, nu, i), j, of_w * wq + of_q * qq, of_w * ww + of_q * qw);
    }
    if (phased) spread(x, at, momentum(x, at, i), j, b * h * wq, b * h * ww);
}

static void add_second(extremal *x, const point *at, which_rule by)
{
    const pattern *K = &x->sys->K;
    for (int i = 0; i < x->n; i++) {
        for (int k = K->start[i]; k < K->start[i + 1]; k++) {
            const int j = K->column[k];
            if (by == ON_RULE) add_second_of_L(x, at, i, j, k);
            for (int nu = 0; nu <= x->d && by == ON_FORCE; nu++) {
                const double of = at->b * at->h * at->l[nu];
                spread(x, at, unknown(x, at, nu, i), j, of * value_of(x, F_FQ, k),
                       of * value_of(x, F_FW, k));
            }
        }
        for (int nu = 0; nu <= x->d && by == ON_RULE && x->phase[i] >= 0; nu++) {
            const int Q = unknown(x, at, nu, i), P = momentum(x, at, i);
            *entry(x, Q, P) += at->b * at->dl[nu], *entry(x, P, Q) += at->b * at->dl[nu];
        }
    }
}

/*     G_nu += b [l'_nu (L_v or P) + h l_nu Lambda_q],   G_P += b h (v + Lambda_w) */
static bool add_point_of_L(extremal *x, const point *at, bool second)
{
    if (!evaluate(x, WANT_L | WANT_GRADIENT | (second ? WANT_HESSIAN : 0u), at)) return false;
    const double weight = at->b * at->h;
    x->L += weight * x->out.L;
    for (int j = 0; j < x->n; j++) {
        const bool   phased = x->phase[j] >= 0;
        const double p = phased ? x->w[j] : x->out.Lw[j];
        for (int nu = 0; nu <= x->d; nu++)
            x->G[unknown(x, at, nu, j)] +=
                at->b * at->dl[nu] * p + weight * at->l[nu] * x->out.Lq[j];
        if (!phased) continue;
        x->L += weight * p * x->v[j];
        x->G[momentum(x, at, j)] += weight * (x->v[j] + x->out.Lw[j]);
    }
    if (second) add_second(x, at, ON_RULE);
    return true;
}

/*     f_nu += h b' l_nu f */
static bool add_point_of_f(extremal *x, const point *at, bool second)
{
    if (!evaluate(x, WANT_FORCE | (second ? WANT_FORCE_JACOBIAN : 0u), at)) return false;
    for (int j = 0; j < x->n; j++)
        for (int nu = 0; nu <= x->d; nu++)
            x->f[unknown(x, at, nu, j)] += at->b * at->h * at->l[nu] * x->out.f[j];
    if (second) add_second(x, at, ON_FORCE);
    return true;
}

/* Relations at control point a:   G_a += g_q^T mu,   G_mu = g */
static bool add_relations(extremal *x, int a, bool second)
{
    const dal_system *sys = x->sys;
    const pattern    *A = &sys->A, *K = &sys->K;
    const int    Q = x->node[a], mu = Q + x->n, j = a == x->pieces * x->d ? a / x->d - 1 : a / x->d;
    const double c = x->begins[j] + x->share[j] * x->control.c[a - j * x->d];
    const sys_point here = {
        .t = x->at.t + c * x->at.h, .q = x->q, .w = x->w, .v = x->v, .lam = x->lam};
    for (int i = 0; i < x->n; i++) x->q[i] = x->base[i] + x->y[Q + i], x->v[i] = x->w[i] = 0;
    memcpy(x->lam + sys->m, x->y + mu, (size_t)sys->r * sizeof *x->lam);
    if (sys->eval(sys->self, WANT_RELATIONS | WANT_HOLONOMIC | WANT_RELATIONS_JACOBIAN, 1, &here,
                  &x->out))
        return false;
    for (int k = 0; k < sys->r; k++) {
        x->G[mu + k] = x->out.g[k], x->action += x->y[mu + k] * x->out.g[k];
        for (int e = A->start[sys->m + k]; e < A->start[sys->m + k + 1]; e++) {
            x->G[Q + A->column[e]] += x->out.A[e] * x->y[mu + k];
            if (!second) continue;
            *entry(x, Q + A->column[e], mu + k) += x->out.A[e];
            *entry(x, mu + k, Q + A->column[e]) += x->out.A[e];
        }
    }
    for (int i = 0; i < x->n && second; i++)
        for (int k = K->start[i]; k < K->start[i + 1]; k++)
            *entry(x, Q + i, Q + K->column[k]) += value_of(x, F_CURV, k);
    return true;
}

/* L, G without f, f, and J if it is wanted, over all pieces. */
static bool sum(extremal *x, double t, double h, bool second)
{
    const size_t bytes = (size_t)x->size * sizeof(double);
    bool         known = true;
    memset(x->G, 0, bytes), memset(x->f, 0, bytes);
    if (second) memset(x->J, 0, (size_t)pattern_count(&x->shape) * sizeof *x->J);
    x->L = x->action = 0, x->at.t = t, x->at.h = h;
    for (int j = 0; j < x->pieces; j++) {
        for (int i = 0; i < x->rule.s && known; i++) {
            const point at = point_of(x, ON_RULE, j, i, t, h);
            known = add_point_of_L(x, &at, second);
        }
        for (int i = 0; i < x->force.s && known && x->sys->forced; i++) {
            const point at = point_of(x, ON_FORCE, j, i, t, h);
            known = add_point_of_f(x, &at, second);
        }
    }
    for (int a = 0; a <= x->pieces * x->d && known && x->sys->r; a++)
        known = add_relations(x, a, second);
    x->action += x->L;
    return known;
}

/* Solutions. ----------------------------------------------------------------------------------- */

static bool start_is_given(const chord_ends *at)
{
    return at->given != MOMENTUM_AND_END;
}

static bool end_is_given(const chord_ends *at)
{
    return at->given != START_AND_MOMENTUM;
}

/* Unit rows for what is given at a control point. */
static void hold(extremal *x, int a)
{
    for (int row = x->node[a]; row < x->node[a] + x->n + x->sys->r; row++)
        for (int e = x->shape.start[row]; e < x->shape.start[row + 1]; e++)
            x->held[e] = x->shape.column[e] == row;
}

static bool factor(extremal *x)
{
    memcpy(x->held, x->J, (size_t)pattern_count(&x->shape) * sizeof *x->J);
    if (start_is_given(&x->at)) hold(x, 0);
    if (end_is_given(&x->at)) hold(x, x->pieces * x->d);
    return solver_factor(x->lu, x->held);
}

static void clear_held(const extremal *x, int a, double *r)
{
    memset(r + x->node[a], 0, (size_t)(x->n + x->sys->r) * sizeof *r);
}

/* What is left of the equations: rows of ends that are sought have their momentum. */
static void residual(const extremal *x, double *r)
{
    const int last = x->pieces * x->d;
    for (int k = 0; k < x->size; k++) r[k] = x->G[k] + x->f[k];
    if (start_is_given(&x->at)) clear_held(x, 0, r);
    else
        for (int j = 0; j < x->n; j++) r[x->node[0] + j] += x->at.a[j];
    if (end_is_given(&x->at)) clear_held(x, last, r);
    else
        for (int j = 0; j < x->n; j++) r[x->node[last] + j] -= x->at.b[j];
}

/* The largest of |x| over control points, and over momenta. */
static void sizes(const extremal *x, const double *of, double *Z, double *P)
{
    *Z = *P = 0;
    for (int a = 0; a <= x->pieces * x->d; a++)
        for (int j = 0; j < x->n; j++) *Z = fmax(*Z, fabs(of[x->node[a] + j]));
    for (int j = 0; j < x->pieces; j++)
        for (int k = 0; k < x->rule.s * x->phased; k++) *P = fmax(*P, fabs(of[x->momenta[j] + k]));
}

static double largest(const double *x, int n)
{
    double most = 0;
    for (int j = 0; j < n; j++) most = fmax(most, fabs(x[j]));
    return most;
}

static double ratio(double x, double size)
{
    return x > 0 ? x / fmax(size, DBL_MIN) : 0;
}

static bool all_finite(const double *x, int n)
{
    for (int k = 0; k < n; k++)
        if (!isfinite(x[k])) return false;
    return true;
}

/* Newton's iteration from y. */
static bool newton(extremal *x, double t, double h)
{
    const double far = largest(x->base, x->n);
    double       before = HUGE_VAL;
    for (int it = 0; it < ITERATIONS_MOST; it++) {
        double Z, P, dZ, dP;
        if (!sum(x, t, h, true) || !factor(x)) return false;
        residual(x, x->x), solver_solve(x->lu, x->x);
        if (!all_finite(x->x, x->size)) return false;
        for (int k = 0; k < x->size; k++) x->y[k] -= x->x[k];
        sizes(x, x->y, &Z, &P), sizes(x, x->x, &dZ, &dP);
        const double change = fmax(ratio(dZ, Z), ratio(dP, P));
        const bool   noise = dZ <= 4 * DBL_EPSILON * far && dP <= 64 * DBL_EPSILON * P;
        if (was_last(change, before, 1) || (noise && change > before / 2))
            return sum(x, t, h, true) && factor(x);
        before = change;
    }
    return false;
}

/* A straight line where both ends are given, otherwise rest; momenta as given, or 0. */
static void begin(extremal *x, const chord_ends *at)
{
    const int last = x->pieces * x->d;
    memset(x->y, 0, (size_t)x->size * sizeof *x->y);
    x->at = *at, x->base = start_is_given(at) ? at->a : at->b;
    for (int a = 0; a <= last && at->given == BOTH_ENDS; a++) {
        const int    j = a == last ? a / x->d - 1 : a / x->d;
        const double c = x->begins[j] + x->share[j] * x->control.c[a - j * x->d];
        for (int i = 0; i < x->n; i++)
            x->y[x->node[a] + i] = a == last ? at->b[i] - at->a[i] : c * (at->b[i] - at->a[i]);
    }
    if (at->given == BOTH_ENDS) return;
    const double *p = at->given == START_AND_MOMENTUM ? at->b : at->a;
    for (int j = 0; j < x->pieces; j++)
        for (int i = 0; i < x->rule.s; i++)
            for (int k = 0; k < x->n; k++)
                if (x->phase[k] >= 0) x->y[x->momenta[j] + i * x->phased + x->phase[k]] = p[k];
}

/* Ends. ---------------------------------------------------------------------------------------- */

/* x = dy/dq_end in coordinate j, with the other end held. */
static void by_end(extremal *x, int a, int j)
{
    memset(x->x, 0, (size_t)x->size * sizeof *x->x);
    x->x[x->node[a] + j] = 1;
    solver_solve(x->lu, x->x);
}

static double dot(const double *x, const double *y, int n)
{
    double s = 0;
    for (int k = 0; k < n; k++) s += x[k] * y[k];
    return s;
}

/* Both ends held, whatever was given. */
static bool hold_ends(extremal *x)
{
    const given_ends given = x->at.given;
    x->at.given = BOTH_ENDS;
    const bool regular = factor(x);
    x->at.given = given;
    return regular;
}

/*     f_d = sum_a (dQ^a/dq_end)^T f_a */
static void forces_on_ends(extremal *x, discrete *out)
{
    for (int j = 0; j < x->n; j++) {
        by_end(x, 0, j), out->minus[j] = dot(x->x, x->f, x->size);
        by_end(x, x->pieces * x->d, j), out->plus[j] = dot(x->x, x->f, x->size);
    }
}

/*     g_d^- = -sum h b' (1-c) f.v,   g_d^+ with c                             theory.md [ENERGY] */
static bool powers(extremal *x, double *power)
{
    power[0] = power[1] = 0;
    for (int j = 0; j < x->pieces && x->sys->forced; j++)
        for (int i = 0; i < x->force.s; i++) {
            const point  at = point_of(x, ON_FORCE, j, i, x->at.t, x->at.h);
            const double c = x->begins[j] + x->share[j] * x->force.c[i];
            if (!evaluate(x, WANT_FORCE, &at)) return false;
            const double work = at.b * at.h * dot(x->out.f, x->v, x->n);
            power[0] -= (1 - c) * work, power[1] -= c * work;
        }
    return true;
}

/* d/dt0 with t1 held, or d/dt1 with t0 held, of A and of G + f with y held, by differences of order
 * six:  later = d(G + f). Returns dA. */
static double by_time(extremal *x, int end, bool *known)
{
    static const double weight[] = {3. / 4, -3. / 20, 1. / 60};
    const double        t = x->at.t, h = x->at.h, by = 0.02 * h;
    double              dA = 0;
    memset(x->later, 0, (size_t)x->size * sizeof *x->later);
    for (int k = -3; k <= 3 && *known; k++) {
        if (!k) continue;
        const double of = (k > 0 ? 1 : -1) * weight[(k > 0 ? k : -k) - 1] / by, on = k * by;
        *known = end ? sum(x, t, h + on, false) : sum(x, t + on, h - on, false);
        dA += of * x->action;
        for (int i = 0; i < x->size; i++) x->later[i] += of * (x->G[i] + x->f[i]);
    }
    x->at.t = t, x->at.h = h;
    return dA;
}

/* E and the work of the curve's own change:   dy/dt = -J^-1 d(G + f)/dt,   g + f.dy/dt */
static bool energies(extremal *x, discrete *out)
{
    const double t = x->at.t, h = x->at.h;
    bool         known = powers(x, out->power);
    for (int end = 0; end < 2 && known; end++) {
        const double dA = by_time(x, end, &known);
        known = known && sum(x, t, h, false);
        clear_held(x, 0, x->later), clear_held(x, x->pieces * x->d, x->later);
        solver_solve(x->lu, x->later);
        out->work[end] = out->power[end] - dot(x->later, x->f, x->size);
        out->energy[end] = end ? -dA - out->power[1] : dA + out->power[0];
    }
    return known;
}

bool extremal_find(extremal *x, const chord_ends *at, discrete *out)
{
    const int first = x->node[0], last = x->node[x->pieces * x->d];
    begin(x, at);
    if (!newton(x, at->t, at->h)) return false;
    out->L = x->L;
    for (int j = 0; j < x->n; j++) {
        out->p0[j] = -x->G[first + j] - x->f[first + j];
        out->p1[j] = x->G[last + j] + x->f[last + j];
        out->q0[j] = x->base[j] + x->y[first + j], out->q1[j] = x->base[j] + x->y[last + j];
    }
    const bool regular = hold_ends(x);
    for (int j = 0; j < x->n; j++) out->minus[j] = out->plus[j] = (double)NAN;
    for (int k = 0; k < 2; k++) out->power[k] = out->work[k] = out->energy[k] = (double)NAN;
    if (!regular) return at->given != BOTH_ENDS;
    forces_on_ends(x, out);
    return energies(x, out);
}

/*     d(G + f)_end = J_end dy */
static double row_times(const extremal *x, int row, const double *y)
{
    double s = 0;
    for (int e = x->shape.start[row]; e < x->shape.start[row + 1]; e++)
        s += x->J[e] * y[x->shape.column[e]];
    return s;
}

bool extremal_second(extremal *x, double *second)
{
    const int n = x->n, last = x->pieces * x->d;
    if (!hold_ends(x)) return false;
    for (int k = 0; k < 2 * n; k++) {
        by_end(x, k < n ? 0 : last, k % n);
        for (int i = 0; i < 2 * n; i++)
            second[i * 2 * n + k] = row_times(x, x->node[i < n ? 0 : last] + i % n, x->x);
    }
    return true;
}

bool extremal_is_conjugate(extremal *x)
{
    static const double LARGE = 1e9;
    const int           first = x->node[0], start = x->shape.start[first];
    const double        stiffness = largest(x->J + start, x->shape.start[first + x->n] - start);
    if (!hold_ends(x)) return true;
    for (int j = 0; j < x->n; j++) {
        by_end(x, x->pieces * x->d, j);
        for (int i = 0; i < x->n; i++)
            if (fabs(row_times(x, first + i, x->x)) > LARGE * stiffness) return true;
    }
    return false;
}

/* One piece by itself. ------------------------------------------------------------------------- */

bool extremal_gradient(extremal *x, double t, double h, const double *Q, double *G)
{
    x->base = Q;
    memset(x->y, 0, (size_t)x->size * sizeof *x->y);
    for (int nu = 0; nu <= x->d; nu++)
        for (int j = 0; j < x->n; j++) x->y[x->node[nu] + j] = Q[nu * x->n + j] - Q[j];
    if (!sum(x, t, h, false)) return false;
    for (int nu = 0; nu <= x->d; nu++)
        for (int j = 0; j < x->n; j++)
            G[nu * x->n + j] = x->G[x->node[nu] + j] + x->f[x->node[nu] + j];
    return true;
}

void extremal_point(const extremal *x, which_rule by, int i, double h, const double *Q, double *q,
                    double *v)
{
    const point at = point_of(x, by, 0, i, 0, h);
    for (int j = 0; j < x->n; j++) {
        q[j] = Q[j], v[j] = 0;
        for (int nu = 1; nu <= x->d; nu++) {
            const double Z = Q[nu * x->n + j] - Q[j];
            q[j] += at.l[nu] * Z, v[j] += at.dl[nu] * Z / h;
        }
    }
}
