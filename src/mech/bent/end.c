/* end.c - the equations at the end of a step along directions that bend, by Newton's iteration:
 * velocity, reactions and the move that makes the state consistent, together. */
#include "mech/bent/bent.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ITERATIONS_MOST = 30 };

/* A field of K. */
static double at(const bent_moves *b, field f, int e)
{
    return b->out.on_K[f][e];
}
static double across(const bent_moves *b, field f, int e)
{
    return b->out.on_K[f][b->sys->transpose[e]];
}
/* f_q or f_v */
static double of_force(const bent_moves *b, field f, int e)
{
    return b->sys->forced ? b->out.on_K[f][e] : 0;
}

/*     (L_qv + f_v) at an entry of K */
static double drag(const bent_moves *b, int e)
{
    return at(b, F_LQW, e) + of_force(b, F_FW, e);
}

/*     x = sign X xi */
static void place_move(bent_moves *b, int sign, const double *xi)
{
    memset(b->end.x, 0, sizeof *b->end.x * (size_t)b->n);
    for (int u = 0; u < b->kx; u++)
        for (int i = 0; i < b->n; i++)
            b->end.x[i] += sign * xi[u] * b->along.of_X.basis[u * b->n + i];
}

/*     B x,  and  B x + sign A_G^T mu  into dp */
static void place_drag(bent_moves *b, int sign, const double *mu)
{
    const pattern *K = &b->sys->K, *A = &b->sys->A;
    for (int i = 0; i < b->n; i++) {
        b->pass.dp[i] = 0;
        for (int e = K->start[i]; e < K->start[i + 1]; e++)
            b->pass.dp[i] += drag(b, e) * b->end.x[K->column[e]];
    }
    for (int a = 0; a < b->M; a++)
        for (int e = A->start[a]; e < A->start[a + 1] && b->inside[a]; e++)
            b->pass.dp[A->column[e]] += sign * b->out.A[e] * mu[b->number[a]];
}

/* How momenta and balances change along the motion, so that the derivatives of (c) are exact. */
static void find_rates(bent_moves *b, const sys_point *where)
{
    static const size_t size = sizeof(double);
    const size_t        K = (size_t)pattern_count(&b->sys->K);
    memset(b->rate.Lqw, 0, K * size), memset(b->rate.Lww, 0, K * size);
    if (!b->rates) return;
    memset(b->end.room, 0, (size_t)b->n * size);
    const sys_change wanted = {.Lw = b->rate.Lw, .Lqw = b->rate.Lqw, .Lww = b->rate.Lww};
    b->rates->eval(b->rates->self, where, &(sys_motion){b->end.room, b->end.room}, &wanted);
}

/* Weights of the curvature: nu and sign mu in (a), lam in (c). */
static void weigh(bent_moves *b, int sign)
{
    for (int a = 0; a < b->M; a++) {
        const int k = b->number[a];
        b->end.weights[0][a] =
            b->inside[a] ? sign * b->end.y[b->end.at_mu + k] : b->end.y[b->end.at_nu + k];
        b->end.weights[1][a] = b->inside[a] ? b->end.y[b->end.at_lam + k] : 0;
    }
}

/* Every field at (t, q, v): the curvature of (c) goes where it is kept, that of (a) stays. */
static bool evaluate(bent_moves *b, double t, int sign)
{
    const unsigned relations = b->M ? WANT_RELATIONS_JACOBIAN : 0, both = b->M ? 2 : 1;
    sys_point      where = {.t = t, .q = b->end.q, .w = b->end.y, .v = b->end.y};
    weigh(b, sign);
    for (unsigned k = 0; k < both; k++) {
        where.lam = b->end.weights[both - 1 - k];
        const unsigned want =
            k + 1 < both ? relations : WANT_GRADIENT | WANT_HESSIAN | WANT_TIME | relations;
        if (!bent_evaluate(b, want | (b->sys->r ? WANT_HOLONOMIC : 0), &where)) return false;
        if (k + 1 < both)
            memcpy(b->end.curvature, b->out.on_K[F_CURV],
                   sizeof *b->end.curvature * (size_t)pattern_count(&b->sys->K));
    }
    find_rates(b, &where);
    return bent_find_bases(b);
}

/*     (L_q + f - L_vq v - L_vt + A_G^T lam)_i   into `to` */
static void balance(const bent_moves *b, double *to)
{
    const pattern *K = &b->sys->K, *A = &b->sys->A;
    for (int i = 0; i < b->n; i++) {
        to[i] = b->out.Lq[i] + (b->sys->forced ? b->out.f[i] : 0) - b->out.Lwt[i];
        for (int e = K->start[i]; e < K->start[i + 1]; e++)
            to[i] -= across(b, F_LQW, e) * b->end.y[K->column[e]];
    }
    for (int a = 0; a < b->M; a++)
        for (int e = A->start[a]; e < A->start[a + 1] && b->inside[a]; e++)
            to[A->column[e]] += b->out.A[e] * b->end.y[b->end.at_lam + b->number[a]];
}

/* Rows begin with (a); (b), (c), (d), (e) follow. */
static void residual(bent_moves *b, const bent_state *from)
{
    const int      n = b->n, at_c = n + b->M;
    const pattern *A = &b->sys->A;
    double        *r = b->end.r, *d = b->end.r + at_c + b->k;
    for (int i = 0; i < n; i++) {
        r[i] = b->out.Lw[i] - from->p[i] - (from->p_low[i] + b->pass.dp[i]);
        for (int s = 0; s < b->stiff; s++)
            r[i] += b->along.Y[s * n + i] * b->end.y[b->end.at_sigma + s];
    }
    for (int a = 0; a < b->M; a++) {
        r[n + a] = b->out.e[a];
        for (int e = A->start[a]; e < A->start[a + 1] && !b->inside[a]; e++)
            r[A->column[e]] -= b->out.A[e] * b->end.y[b->end.at_nu + b->number[a]];
        if (b->inside[a] && a >= b->sys->m) *d++ = b->out.g[a - b->sys->m];
    }
    balance(b, b->end.room);
    memset(r + at_c, 0, sizeof *r * (size_t)b->k);
    for (int u = 0; u < b->k; u++)
        for (int i = 0; i < n; i++) r[at_c + u] += b->along.of_N.basis[u * n + i] * b->end.room[i];
    for (int s = 0; s < b->stiff; s++) {
        d[s] = 0;
        for (int i = 0; i < n; i++) d[s] += b->along.R[s * n + i] * (b->end.y[i] - b->end.v_ref[i]);
    }
}

/* Adds c times row j of [X] to the columns of xi. */
static void add_along_X(bent_moves *b, double *row, int j, double c)
{
    for (int u = 0; u < b->kx; u++) row[b->end.at_xi + u] += c * b->along.of_X.basis[u * b->n + j];
}

/* The derivatives of (a) and (c) in an entry of K:
 *     (a)  L_vv dv + (L_vq - nu dA - sign mu dA - B) dx
 *     (c)  (L_qv - L_vq + f_v - d/dt L_vv) dv + (L_qq + f_q - d/dt L_vq + lam dA) dx */
static void fill_fields(bent_moves *b, int sign)
{
    const int      n = b->n, S = b->end.size;
    const pattern *K = &b->sys->K;
    double        *c = b->end.values + (n + b->M) * S;
    for (int i = 0; i < n; i++)
        for (int e = K->start[i]; e < K->start[i + 1]; e++) {
            const int    j = K->column[e];
            const double L_vq = across(b, F_LQW, e);
            double      *row = b->end.values + i * S;
            row[j] += at(b, F_LWW, e);
            add_along_X(b, row, j, sign * (L_vq - (b->M ? at(b, F_CURV, e) : 0) - drag(b, e)));
            const double push = drag(b, e) - L_vq - b->rate.Lww[e];
            const double stiffness = at(b, F_LQQ, e) + of_force(b, F_FQ, e) -
                                     b->rate.Lqw[b->sys->transpose[e]] +
                                     (b->M ? b->end.curvature[e] : 0);
            for (int u = 0; u < b->k; u++) {
                const double along = b->along.of_N.basis[u * n + i];
                if (along == 0) continue;
                c[u * S + j] += along * push;
                add_along_X(b, c + u * S, j, sign * along * stiffness);
            }
        }
}

/* And those with A: of (a) in nu and mu, of (b), of (c) in lam, of (d). */
static void fill_relations(bent_moves *b, int sign)
{
    const int      n = b->n, S = b->end.size, m = b->sys->m;
    const pattern *A = &b->sys->A;
    double        *c = b->end.values + (n + b->M) * S, *d = c + b->k * S;
    for (int a = 0; a < b->M; a++) {
        double    *row = b->end.values + (n + a) * S;
        const int  k = b->number[a];
        const bool position = b->inside[a] && a >= m;
        for (int e = A->start[a]; e < A->start[a + 1]; e++) {
            const int    j = A->column[e];
            const double of_A = b->out.A[e];
            row[j] += of_A;
            add_along_X(b, row, j, sign * b->out.eq[e]);
            b->end.values[j * S + (b->inside[a] ? b->end.at_mu : b->end.at_nu) + k] -=
                b->inside[a] ? sign * of_A : of_A;
            for (int u = 0; u < b->k && b->inside[a]; u++)
                c[u * S + b->end.at_lam + k] += b->along.of_N.basis[u * n + j] * of_A;
            if (position) add_along_X(b, d, j, sign * of_A);
        }
        if (position) d += S;
    }
}

static bool factor(bent_moves *b, int sign)
{
    const int n = b->n, S = b->end.size, at_e = n + b->M + b->k + b->positions;
    memset(b->end.values, 0, sizeof *b->end.values * (size_t)(S * S));
    fill_fields(b, sign), fill_relations(b, sign);
    for (int s = 0; s < b->stiff; s++)
        for (int i = 0; i < n; i++) {
            b->end.values[i * S + b->end.at_sigma + s] += b->along.Y[s * n + i];
            b->end.values[(at_e + s) * S + i] += b->along.R[s * n + i];
        }
    return solver_factor(b->end.lu, b->end.values);
}

static double largest(const double *x, int n, double most)
{
    for (int i = 0; i < n; i++)
        if (!(fabs(x[i]) <= most)) most = fabs(x[i]);
    return most;
}

/* By how much a correction changes xi, and velocities relative to their size. */
typedef struct {
    double moved, speed;
} change;

static change correct(bent_moves *b)
{
    memcpy(b->end.step, b->end.r, sizeof *b->end.r * (size_t)b->end.size);
    solver_solve(b->end.lu, b->end.step);
    for (int i = 0; i < b->end.size; i++) b->end.y[i] -= b->end.step[i];
    const double v = largest(b->end.y, b->n, 0), dv = largest(b->end.step, b->n, 0);
    return (change){largest(b->end.step + b->end.at_xi, b->kx, 0),
                    dv > 0 ? dv / fmax(v, DBL_MIN) : 0};
}

/* Are both at roundoff, or as little as roundoff lets them be? */
static bool has_settled(change now, change before, double size)
{
    static const double ENOUGH = 4 * DBL_EPSILON, NOISE = 1e-9;
    const bool          stays = now.moved >= before.moved / 2 && now.moved <= NOISE * size;
    const bool          runs_on = now.speed >= before.speed / 2 && now.speed <= NOISE;
    return (now.moved <= ENOUGH * size || stays) && (now.speed <= ENOUGH || runs_on);
}

static bool is_finite(change c)
{
    return c.moved <= DBL_MAX && c.speed <= DBL_MAX;
}

bool bent_move(bent_moves *b, const sys_point *where, const double *xi, int sign)
{
    if (!bent_evaluate(b, WANT_GRADIENT | WANT_HESSIAN, where) || !bent_find_bases(b)) return false;
    place_move(b, sign, xi), place_drag(b, sign, xi + b->kx);
    memcpy(b->pass.dq, b->end.x, sizeof *b->end.x * (size_t)b->n);
    return true;
}

/* q = q^- + x as x was; x, B x and the equations anew there. False: no value. */
static bool look(bent_moves *b, const bent_state *from, int sign, double *size, double *apart)
{
    *size = *apart = 0;
    for (int i = 0; i < b->n; i++) {
        b->end.q[i] = from->q[i] + (from->q_low[i] + b->end.x[i]),
        *size = fmax(*size, fabs(b->end.q[i]));
        b->pass.dq[i] = b->end.x[i];
    }
    if (!evaluate(b, from->t, sign)) return false;
    place_move(b, sign, b->end.y + b->end.at_xi), place_drag(b, sign, b->end.y + b->end.at_mu);
    for (int i = 0; i < b->n; i++) *apart = fmax(*apart, fabs(b->end.x[i] - b->pass.dq[i]));
    residual(b, from);
    for (int i = 0; i < b->end.size; i++)
        if (!isfinite(b->end.r[i])) return false;
    return true;
}

static void copy(double *to, const double *from, int n)
{
    memcpy(to, from, sizeof *to * (size_t)n);
}

static void begin(bent_moves *b)
{
    memset(b->end.y, 0, sizeof *b->end.y * (size_t)b->end.size),
        memset(b->end.x, 0, sizeof *b->end.x * (size_t)b->n);
    copy(b->end.v_ref, b->pass.v_end, b->n), copy(b->end.y, b->pass.v_end, b->n);
    copy(b->end.y + b->end.at_lam, b->pass.lam_end, b->inner);
    copy(b->end.y + b->end.at_xi, b->pass.xi, b->kx + b->inner);
}

/* What the iteration found, but for the move. */
static dal_status take(bent_moves *b)
{
    copy(b->pass.v_end, b->end.y, b->n), copy(b->pass.lam_end, b->end.y + b->end.at_lam, b->inner);
    return DAL_OK;
}

/* Newton's iteration. X is taken where the last correction led, so x follows by one correction. */
dal_status bent_solve(bent_moves *b, const bent_state *from, int sign)
{
    change before = {HUGE_VAL, HUGE_VAL};
    double size, apart;
    begin(b);
    for (int it = 0; it < ITERATIONS_MOST; it++) {
        if (!look(b, from, sign, &size, &apart)) return DAL_DIVERGED;
        if (!factor(b, sign)) return DAL_SINGULAR;
        change now = correct(b);
        if (!is_finite(now)) return DAL_DIVERGED;
        place_move(b, sign, b->end.y + b->end.at_xi);
        now.moved = fmax(now.moved, apart);
        if (it && has_settled(now, before, size)) return copy(b->pass.dq, b->end.x, b->n), take(b);
        before = now;
    }
    return DAL_DIVERGED;
}

/* The momentum at b->end.q of the velocities that were given. */
static bool place_momentum(bent_moves *b, double t)
{
    const sys_point where = {.t = t, .q = b->end.q, .w = b->end.v_ref, .v = b->end.v_ref};
    if (!bent_evaluate(b, WANT_GRADIENT, &where)) return false;
    copy(b->pass.p, b->out.Lw, b->n);
    return true;
}

/* The same, from where the last correction led: a start may be far from balance. */
dal_status bent_balance(bent_moves *b, double t, const double *q)
{
    enum { BALANCING_MOST = 100 };
    const size_t n = (size_t)b->n * sizeof(double);
    change       before = {HUGE_VAL, HUGE_VAL};
    memset(b->pass.xi, 0, sizeof *b->pass.xi * (size_t)(b->kx + b->inner)),
        memset(b->pass.dq, 0, n);
    begin(b);
    for (int it = 0; it < BALANCING_MOST; it++) {
        double size = 0;
        for (int i = 0; i < b->n; i++)
            b->end.q[i] = q[i] + b->pass.dq[i], size = fmax(size, fabs(b->end.q[i]));
        memset(b->end.y + b->end.at_xi, 0, sizeof *b->end.y * (size_t)(b->kx + b->inner));
        memset(b->end.x, 0, n), memset(b->pass.dp, 0, n);
        if (!place_momentum(b, t) || !evaluate(b, t, 1)) return DAL_DIVERGED;
        residual(b, &(bent_state){t, q, b->end.x, b->pass.p, b->end.x});
        if (!factor(b, 1)) return DAL_SINGULAR;
        const change now = correct(b);
        if (!is_finite(now)) return DAL_DIVERGED;
        place_move(b, 1, b->end.y + b->end.at_xi);
        for (int i = 0; i < b->n; i++) b->pass.dq[i] += b->end.x[i];
        if (it && has_settled(now, before, size)) return take(b);
        before = now;
    }
    return DAL_DIVERGED;
}
