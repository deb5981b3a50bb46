/* shooting.c - residual and exact Jacobian of a step along a curve that is shot.
 *                                                                         theory.md [SHOOTING] */
#include "mech/equations/shooting.h"

#include "kernel/jet.h"
#include "mech/scheme/flow.h"

#include <math.h>
#include <string.h>

typedef struct { /* of each point of a quadrature: n jets of q - q0, n jets of v */
    double *dq, *v;
} nodes;

struct shooting {
    flow   *flow;
    int     n;
    size_t  size, room; /* doubles of a jet, of n jets                     */
    nodes   rule, force, end;
    double *v0;
    double *covector[2]; /* at one point: L_q + f and L_v                  */
    double *along[2];    /* their derivatives in v0: n x n                 */
    double *sum;         /* h sum_i b_i [...], per direction: 2n           */
    double *second;      /* d sum/d v0: 2n x n                             */
    double *increment, *change;
};

static nodes nodes_new(mem *m, const shooting *sh, int count)
{
    return (nodes){mem_array(m, (size_t)count * sh->room, double),
                   mem_array(m, (size_t)count * sh->room, double)};
}

static void room_for_sums(shooting *sh, mem *m)
{
    const int n = sh->n;
    for (int k = 0; k < 2; k++) {
        sh->covector[k] = mem_array(m, n, double);
        sh->along[k] = mem_array(m, n * n, double);
    }
    sh->sum = mem_array(m, 2 * n, double);
    sh->second = mem_array(m, 2 * n * n, double);
    sh->v0 = mem_array(m, n, double);
    sh->increment = mem_array(m, n, double);
    sh->change = mem_array(m, n, double);
}

/* A shot curve couples everything: J is dense. */
static void full_pattern(equations *eq, mem *m)
{
    const int N = eq->size;
    eq->J = (pattern){N, N, mem_array(m, N + 1, int), mem_array(m, N * N, int)};
    for (int k = 0; k < N * N; k++) eq->J.column[k] = k % N;
    for (int i = 0; i <= N; i++) eq->J.start[i] = i * N;
    eq->values = mem_array(m, N * N, double);
}

/* Unknowns are Z = h v_0 and p_1, which stands in the place of stage momenta. */
dal_status shooting_init(equations *eq, mem *m, const scheme *sch, text *why)
{
    shooting *sh = mem_array(m, 1, shooting);
    int       count;
    sh->flow = flow_new(m, eq->sys, &one_step_maps(&count)[sch->map], sch->map_order, why);
    if (!sh->flow) return DAL_INVALID;
    sh->n = eq->n, sh->size = (size_t)jet_size(2 * eq->n), sh->room = sh->size * (size_t)eq->n;
    sh->rule = nodes_new(m, sh, eq->rule.count);
    sh->force = nodes_new(m, sh, eq->force.count);
    sh->end = nodes_new(m, sh, 1);
    room_for_sums(sh, m);
    eq->shot = sh;
    eq->P = eq->lam = eq->n, eq->size = 2 * eq->n;
    full_pattern(eq, m);
    return DAL_OK;
}

/* Points that are shot to; the start is not, and the end is one beside them. */
static int points_inside(const samples *set)
{
    int count = 0;
    for (int i = 0; i < set->count; i++) count += set->x[0][i] != 0 && set->x[0][i] != 1;
    return count;
}

double shooting_ns(const equations *eq)
{
    if (!eq->shot) return 0;
    return flow_ns(eq->shot->flow, points_inside(&eq->rule) + points_inside(&eq->force) + 1);
}

void shooting_free(shooting *sh)
{
    if (sh) flow_free(sh->flow);
}

/* The points of the curve. --------------------------------------------------------------------- */

/* The flow at the points of a rule, with its derivatives, and q, v there for the system. */
static bool shoot_to(equations *eq, samples *set, nodes *at)
{
    shooting *sh = eq->shot;
    for (int i = 0; i < set->count; i++) {
        double *dq = at->dq + (size_t)i * sh->room, *v = at->v + (size_t)i * sh->room;
        if (!flow_at(sh->flow, set->x[0][i] * eq->h, dq, v)) return false;
        set->point[i].t = eq->t + set->x[0][i] * eq->h;
        for (int j = 0; j < sh->n; j++) {
            set->q[i * sh->n + j] = eq->q[j] + (eq->q_low[j] + dq[(size_t)j * sh->size]);
            set->v[i * sh->n + j] = v[(size_t)j * sh->size];
        }
    }
    return true;
}

/* L and f at the points of their rules, which may be the same. */
static bool evaluate(equations *eq, bool with_jacobian)
{
    const unsigned   L = WANT_GRADIENT | (with_jacobian ? WANT_HESSIAN : 0u);
    const unsigned   f = WANT_FORCE | (with_jacobian ? WANT_FORCE_JACOBIAN : 0u);
    const dal_system *sys = eq->sys;
    const bool       shared = sys->forced && !eq->force.count;
    if (sys->eval(sys->self, shared ? L | f : L, eq->rule.count, eq->rule.point, eq->rule.out))
        return false;
    return !eq->force.count ||
           !sys->eval(sys->self, f, eq->force.count, eq->force.point, eq->force.out);
}

/* The sums. ------------------------------------------------------------------------------------ */

/* One field of K at a point, if it is there: x_j += c sum_k field_jk u_k, or of its transpose. */
static void add_product(const equations *eq, const sys_values *out, field f, bool transposed,
                        const double *u, double *x)
{
    const pattern *K = &eq->sys->K;
    if (eq->sys->varies[f] == FIELD_ZERO) return;
    for (int j = 0; j < eq->n; j++)
        for (int e = K->start[j]; e < K->start[j + 1]; e++)
            x[j] += out->on_K[f][transposed ? eq->sys->transpose[e] : e] *
                    u[(size_t)K->column[e] * eq->shot->size];
}

/*     d(L_q + f)/dv0_b = (L_qq + f_q) B_b + (L_qv + f_v) D_b,   d L_v/dv0_b = L_vq B_b + L_vv D_b
 * u and v point at the derivatives in v0_b of q and v; results go to column b by rows of n. */
static void derive_covectors(const equations *eq, const sys_values *out, bool L, bool f, int b,
                             const double *u, const double *v)
{
    shooting *sh = eq->shot;
    /* F: of L_q + f, P: of L_v */
    double   *F = sh->along[0] + b * sh->n, *P = sh->along[1] + b * sh->n;
    memset(F, 0, (size_t)sh->n * sizeof *F), memset(P, 0, (size_t)sh->n * sizeof *P);
    if (L) {
        add_product(eq, out, F_LQQ, false, u, F), add_product(eq, out, F_LQW, false, v, F);
        add_product(eq, out, F_LQW, true, u, P), add_product(eq, out, F_LWW, false, v, P);
    }
    if (f) add_product(eq, out, F_FQ, false, u, F), add_product(eq, out, F_FW, false, v, F);
}

/* Adds weight [F.dq_a + P.v_a] to sum_a, and its derivatives in v0 to second. */
static void add_point(equations *eq, const sys_values *out, bool L, bool f, double weight,
                      const double *dq, const double *v, bool with_jacobian)
{
    shooting    *sh = eq->shot;
    const int    n = sh->n;
    double      *F = sh->covector[0], *P = sh->covector[1];
    const size_t size = sh->size;
    for (int j = 0; j < n; j++)
        F[j] = (L ? out->Lq[j] : 0) + (f ? out->f[j] : 0), P[j] = L ? out->Lw[j] : 0;
    for (int a = 0; a < 2 * n; a++)
        for (int j = 0; j < n; j++)
            sh->sum[a] += weight * (F[j] * dq[(size_t)j * size + 1 + (size_t)a] +
                                    P[j] * v[(size_t)j * size + 1 + (size_t)a]);
    for (int a = 0; a < n; a++) sh->sum[a] += weight * F[a]; /* A = I + d dq/d q0 */
    for (int b = 0; b < n && with_jacobian; b++) {
        derive_covectors(eq, out, L, f, b, dq + 1 + n + b, v + 1 + n + b);
        const double *Fb = sh->along[0] + b * n, *Pb = sh->along[1] + b * n;
        for (int a = 0; a < 2 * n; a++) {
            /* where jets have the second derivative in directions a and v0_b */
            const size_t at = (size_t)jet_second(2 * n, a, n + b);
            double       s = a < n ? Fb[a] : 0;
            for (int j = 0; j < n; j++) {
                const double *x = dq + (size_t)j * size, *w = v + (size_t)j * size;
                s += Fb[j] * x[1 + a] + Pb[j] * w[1 + a] + F[j] * x[at] + P[j] * w[at];
            }
            sh->second[a * n + b] += weight * s;
        }
    }
}

static void add_points(equations *eq, const samples *set, const nodes *at, bool L, bool f,
                       bool with_jacobian)
{
    const size_t room = eq->shot->room;
    for (int i = 0; i < set->count; i++)
        add_point(eq, &set->out[i], L, f, eq->h * set->b[i], at->dq + (size_t)i * room,
                  at->v + (size_t)i * room, with_jacobian);
}

static bool finite(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] - x[i];
    return sum == 0;
}

/* Columns Z (of which v0 = Z/h), then p_1; the rows below have been divided by h. */
static void put_jacobian(equations *eq, const double *p1)
{
    const shooting *sh = eq->shot;
    const int       n = sh->n;
    for (int a = 0; a < 2 * n; a++) {
        double *row = eq->values + a * 2 * n, scale = a < n ? 1 : 1 / eq->h;
        for (int b = 0; b < n; b++) {
            const size_t at = (size_t)jet_second(2 * n, a, n + b);
            double       s = -sh->second[a * n + b];
            for (int j = 0; j < n; j++) s += p1[j] * sh->end.dq[(size_t)j * sh->size + at];
            /* dr/dZ = dr/dv_0 / h */
            row[b] = scale * s / eq->h;
            row[n + b] = scale * sh->end.dq[(size_t)b * sh->size + 1 + (size_t)a] + (a == b);
        }
    }
}

/*     r_a = A^T p_1 - sum - p_0 (a < n),   (B^T p_1 - sum)/h (a >= n)
 * end.dq has A - I, so that p_1 - p_0 is formed first; `change` is p_1 - p_0 as an increment. */
static void put_rows(equations *eq, const double *p1, double *r)
{
    shooting *sh = eq->shot;
    const int n = sh->n;
    for (int a = 0; a < 2 * n; a++) {
        double s = -sh->sum[a];
        for (int j = 0; j < n; j++)
            s += p1[j] * sh->end.dq[(size_t)j * sh->size + 1 + (size_t)a];
        if (a < n) sh->change[a] = -s, r[a] = ((p1[a] - eq->p[a]) - eq->p_low[a]) + s;
        else r[a] = s / eq->h;
    }
}

/* The end, which may be a point of the rule, as in lobatto(s). */
static bool shoot_to_end(equations *eq)
{
    shooting *sh = eq->shot;
    for (int i = 0; i < eq->rule.count; i++) {
        if (eq->rule.x[0][i] != 1) continue;
        memcpy(sh->end.dq, sh->rule.dq + (size_t)i * sh->room, sh->room * sizeof(double));
        memcpy(sh->end.v, sh->rule.v + (size_t)i * sh->room, sh->room * sizeof(double));
        return true;
    }
    return flow_at(sh->flow, eq->h, sh->end.dq, sh->end.v);
}

/* The curve from q_0 with v_0 = Z/h. */
static bool shoot(equations *eq, const double *y, bool with_jacobian)
{
    shooting *sh = eq->shot;
    for (int j = 0; j < sh->n; j++) sh->v0[j] = y[j] / eq->h;
    return flow_begin(sh->flow, eq->t, eq->q, sh->v0, with_jacobian) &&
           shoot_to(eq, &eq->rule, &sh->rule) && shoot_to(eq, &eq->force, &sh->force) &&
           shoot_to_end(eq);
}

/* L at the points of its rule, and f there or at those of its own. */
bool shooting_residual(equations *eq, const double *y, double *r, bool with_jacobian)
{
    shooting *sh = eq->shot;
    const int n = sh->n;
    if (!shoot(eq, y, with_jacobian) || !evaluate(eq, with_jacobian)) return false;
    memset(sh->sum, 0, (size_t)(2 * n) * sizeof *sh->sum);
    memset(sh->second, 0, (size_t)(2 * n * n) * sizeof *sh->second);
    add_points(eq, &eq->rule, &sh->rule, true, eq->sys->forced && !eq->force.count, with_jacobian);
    add_points(eq, &eq->force, &sh->force, false, true, with_jacobian);
    put_rows(eq, y + eq->P, r);
    if (with_jacobian) put_jacobian(eq, y + eq->P);
    for (int j = 0; j < n; j++) sh->increment[j] = sh->end.dq[(size_t)j * sh->size];
    return finite(r, 2 * n) && finite(sh->increment, n);
}

/* Column b of a field at a point: x_j += field_jb, or of its transpose. */
static void add_column(const equations *eq, const sys_values *out, field f, bool transposed, int b,
                       double *x)
{
    const pattern *K = &eq->sys->K;
    if (eq->sys->varies[f] == FIELD_ZERO) return;
    for (int e = K->start[b]; e < K->start[b + 1]; e++)
        x[K->column[e]] += out->on_K[f][transposed ? e : eq->sys->transpose[e]];
}

/* What one point adds to d sum/d q0_b: as in v0, but q itself moves too. */
static void point_change(equations *eq, const sys_values *out, bool L, bool f, double weight,
                         const double *dq, const double *v, int b, double *to)
{
    shooting    *sh = eq->shot;
    const int    n = sh->n;
    const size_t size = sh->size;
    double      *Fb = sh->along[0], *Pb = sh->along[1];
    derive_covectors(eq, out, L, f, 0, dq + 1 + b, v + 1 + b);
    if (L) add_column(eq, out, F_LQQ, false, b, Fb), add_column(eq, out, F_LQW, true, b, Pb);
    if (f) add_column(eq, out, F_FQ, false, b, Fb);
    for (int a = 0; a < 2 * n; a++) {
        const size_t at = (size_t)jet_second(2 * n, a, b);
        double       s = a < n ? Fb[a] : 0;
        for (int j = 0; j < n; j++) {
            const double *x = dq + (size_t)j * size, *w = v + (size_t)j * size;
            double F = (L ? out->Lq[j] : 0) + (f ? out->f[j] : 0), P = L ? out->Lw[j] : 0;
            s += Fb[j] * x[1 + a] + Pb[j] * w[1 + a] + F * x[at] + P * w[at];
        }
        to[a] += weight * s;
    }
}

static void points_change(equations *eq, const samples *set, const nodes *at, bool L, bool f, int b,
                          double *to)
{
    const size_t room = eq->shot->room;
    for (int i = 0; i < set->count; i++)
        point_change(eq, &set->out[i], L, f, eq->h * set->b[i], at->dq + (size_t)i * room,
                     at->v + (size_t)i * room, b, to);
}

/*     dr = [d^2(p_1.q_1)/dz dq_0 - d sum/dq_0] dq_0 */
void shooting_change(equations *eq, const double *y, const double *dq, double *dr)
{
    shooting     *sh = eq->shot;
    const int     n = sh->n;
    const double *p1 = y + eq->P;
    memset(dr, 0, (size_t)(2 * n) * sizeof *dr);
    for (int b = 0; b < n; b++) {
        if (dq[b] == 0) continue;
        memset(sh->sum, 0, (size_t)(2 * n) * sizeof *sh->sum);
        points_change(eq, &eq->rule, &sh->rule, true, eq->sys->forced && !eq->force.count, b,
                      sh->sum);
        points_change(eq, &eq->force, &sh->force, false, true, b, sh->sum);
        for (int a = 0; a < 2 * n; a++) {
            const size_t at = (size_t)jet_second(2 * n, a, b);
            double       s = -sh->sum[a];
            for (int j = 0; j < n; j++) s += p1[j] * sh->end.dq[(size_t)j * sh->size + at];
            dr[a] += dq[b] * s / (a < n ? 1 : eq->h);
        }
    }
}

/*     dq_1 = A dq_0 + B dZ/h */
void shooting_move(const equations *eq, const double *dq, const double *dy, double *dq1)
{
    const shooting *sh = eq->shot;
    const int       n = sh->n;
    for (int j = 0; j < n; j++) {
        const double *by = sh->end.dq + (size_t)j * sh->size + 1;
        dq1[j] = dq[j];
        for (int b = 0; b < n; b++) dq1[j] += by[b] * dq[b] + by[n + b] * dy[b] / eq->h;
    }
}

const double *shooting_increment(const equations *eq)
{
    return eq->shot->increment;
}

/*     p_1 - p_0 = h sum_i b_i [A_i^T (L_q + f) + C_i^T L_v]^i - (A - I)^T p_1 */
void shooting_momentum(const equations *eq, double *dp)
{
    memcpy(dp, eq->shot->change, (size_t)eq->n * sizeof *dp);
}

/* Each row is the difference of sums that are about as large as the momenta. */
void shooting_row_sizes(const equations *eq, const double *y, double *size)
{
    const shooting *sh = eq->shot;
    const int       n = sh->n;
    double          most = 0;
    for (int j = 0; j < n; j++) most = fmax(most, fmax(fabs(eq->p[j]), fabs(y[eq->P + j])));
    for (int a = 0; a < n; a++) size[a] = most + fabs(sh->sum[a]);
    for (int a = n; a < 2 * n; a++) size[a] = most + fabs(sh->sum[a] / eq->h);
}
