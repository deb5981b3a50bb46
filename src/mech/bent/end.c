/* end.c - the equations at the end of a step along directions that bend, by Newton's iteration:
 * velocity, reactions and the move that makes the state consistent, together. */
#include "mech/bent/bent.h"

#include "linalg/dense.h"

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

/*     to = B x */
static void push_along(const bent_moves *b, const double *x, double *to)
{
    const pattern *K = &b->sys->K;
    for (int i = 0; i < b->n; i++) {
        to[i] = 0;
        for (int e = K->start[i]; e < K->start[i + 1]; e++) to[i] += drag(b, e) * x[K->column[e]];
    }
}

/*     dp = B x + sign A_G^T mu */
static void place_drag(bent_moves *b, int sign, const double *mu)
{
    const pattern *A = &b->sys->A;
    push_along(b, b->end.x, b->pass.dp);
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

/* What L_qq + f_q and B gain if velocities move by x. */
void bent_turn(bent_moves *b, const sys_point *where, const double *x, double *Cq, double *Cv)
{
    const sys_change *with = &b->turned[0], *without = &b->turned[1];
    if (!b->drags) return;
    b->rates->eval(b->rates->self, where, &(sys_motion){x, b->still}, with);
    b->rates->eval(b->rates->self, where, &(sys_motion){b->still, b->still}, without);
    for (int e = 0; e < pattern_count(&b->sys->K); e++) {
        Cq[e] = with->Lqq[e] - without->Lqq[e], Cv[e] = with->Lqw[e] - without->Lqw[e];
        if (!b->sys->forced) continue;
        Cq[e] += with->fq[e] - without->fq[e], Cv[e] += with->fw[e] - without->fw[e];
    }
}

/*     (L_vv x)_q = L_qvv x, which L_vq gains if velocities move by x */
void bent_turn_inertia(bent_moves *b, const sys_point *where, const double *x, double *to)
{
    const sys_change *with = &b->turned[0], *without = &b->turned[1];
    const int        *across = b->sys->transpose;
    b->rates->eval(b->rates->self, where, &(sys_motion){x, b->still}, with);
    b->rates->eval(b->rates->self, where, &(sys_motion){b->still, b->still}, without);
    for (int e = 0; e < pattern_count(&b->sys->K); e++)
        to[e] = with->Lqw[across[e]] - without->Lqw[across[e]];
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

/* Velocities of all coordinates. */
static void spread(bent_moves *b)
{
    for (int i = 0; i < b->n; i++) b->end.v[i] = b->end.y[b->end.velocity[i]];
}

/*     (L_q + f - L_vq v - L_vt + A_G^T lam)_i   into `to` */
static void balance(const bent_moves *b, double *to)
{
    const pattern *K = &b->sys->K, *A = &b->sys->A;
    for (int i = 0; i < b->n; i++) {
        to[i] = b->out.Lq[i] + (b->sys->forced ? b->out.f[i] : 0) - b->out.Lwt[i];
        for (int e = K->start[i]; e < K->start[i + 1]; e++)
            to[i] -= across(b, F_LQW, e) * b->end.v[K->column[e]];
    }
    for (int a = 0; a < b->M; a++)
        for (int e = A->start[a]; e < A->start[a + 1] && b->inside[a]; e++)
            to[A->column[e]] += b->out.A[e] * b->end.y[b->end.at_lam + b->number[a]];
}

/* Weights c of the pivot rows P of S = [L_vv; A_L], by its pivot columns Q:  S_PQ^T c = F_Q */
static bool weigh_pivots(bent_moves *b)
{
    const fixed_pivots *N = &b->along.of_N;
    const int           r = N->rank;
    double             *a = b->end.pivots;
    balance(b, b->end.room);
    for (int j = 0; j < r; j++, a += r + 1) {
        for (int i = 0; i < r; i++) a[i] = b->along.stack[N->row[i] * b->n + N->column[j]];
        a[r] = b->end.room[N->column[j]];
    }
    memset(b->end.c, 0, sizeof *b->end.c * (size_t)b->n);
    memset(b->end.c_L, 0, sizeof *b->end.c_L * (size_t)b->M);
    if (dense_echelon(b->end.pivots, r, r + 1, NULL, r, 0, NULL) < r) return false;
    for (int i = 0; i < r; i++) {
        const int    row = N->row[i], of = bent_relation_of(b, row);
        const double weight = b->end.pivots[i * (r + 1) + r];
        if (of >= 0) b->end.c_L[of] = weight;
        else if (!bent_is_phase(b->sys, row) && !bent_is_state(b->sys, row)) b->end.c[row] = weight;
    }
    return true;
}

/* Where the kernel of inertia turns, (c) has dN in it:  S_P N = 0, so
 *     dN^T F = -N^T d(L_vv c + A_L^T c),      S_PQ^T c = F_Q */
static bool turn_kernel(bent_moves *b, sys_point where)
{
    const size_t size = sizeof(double) * (size_t)pattern_count(&b->sys->K);
    double      *curvature = b->out.on_K[F_CURV];
    if (!b->turns || !b->rates) return true;
    if (!weigh_pivots(b)) return false;
    bent_turn_inertia(b, &where, b->end.c, b->end.turning);
    if (b->M == b->inner) return true;
    memcpy(b->end.room_K, curvature, size);
    where.lam = b->end.c_L;
    if (!bent_evaluate(b, WANT_RELATIONS_JACOBIAN, &where)) return false;
    for (int e = 0; e < pattern_count(&b->sys->K); e++) b->end.turning[e] += curvature[e];
    memcpy(curvature, b->end.room_K, size);
    return true;
}

/* Every field at (t, q, v): the curvature of (c) goes where it is kept, that of (a) stays. */
static bool evaluate(bent_moves *b, double t, int sign)
{
    const unsigned relations = b->M ? WANT_RELATIONS_JACOBIAN : 0, both = b->inner ? 2 : 1;
    sys_point      where = {.t = t, .q = b->end.q, .w = b->end.y, .v = b->end.v};
    weigh(b, sign), spread(b);
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
    bent_turn(b, &where, b->end.x, b->end.Cq, b->end.Cv);
    return bent_find_bases(b) && turn_kernel(b, where);
}

/* The row of (a) that is behind (e) where coordinate i is Hamiltonian: v + Lambda_w = 0. */
static int row_of_velocity(const bent_moves *b, int i)
{
    return b->end.velocity[i] - b->end.at_phase + b->end.size - b->phases;
}

int bent_row_of_Lw(const bent_moves *b, int i)
{
    return bent_is_phase(b->sys, i) ? row_of_velocity(b, i) : i;
}

/*     L_v, or w of a Hamiltonian coordinate, less p + dp;   g - z' of a state */
static double momentum_left(const bent_moves *b, const bent_state *from, int i)
{
    const double of = bent_is_phase(b->sys, i) ? b->end.y[i] : b->out.Lw[i];
    if (bent_is_state(b->sys, i)) return b->out.f[i];
    return of - from->p[i] - (from->p_low[i] + b->pass.dp[i]);
}

/* Rows begin with (a); (b), (c), (d), (e) follow, and velocities of Hamiltonian coordinates. */
static void residual(bent_moves *b, const bent_state *from)
{
    const int      n = b->n, at_c = n + b->M;
    const pattern *A = &b->sys->A;
    double        *r = b->end.r, *d = b->end.r + at_c + b->k;
    for (int i = 0; i < n; i++) {
        r[i] = momentum_left(b, from, i);
        if (bent_is_phase(b->sys, i)) r[row_of_velocity(b, i)] = b->end.v[i] + b->out.Lw[i];
        for (int s = 0; s < b->stiff; s++)
            r[i] += b->along.Y[s * n + i] * b->end.y[b->end.at_sigma + s];
    }
    for (int a = 0; a < b->M; a++) {
        r[n + a] = b->out.e[a];
        for (int e = A->start[a]; e < A->start[a + 1] && !b->inside[a]; e++)
            if (!bent_is_state(b->sys, A->column[e]))
                r[A->column[e]] -= b->out.A[e] * b->end.y[b->end.at_nu + b->number[a]];
        if (b->inside[a] && a >= b->sys->m) *d++ = b->out.g[a - b->sys->m];
    }
    balance(b, b->end.room);
    memset(r + at_c, 0, sizeof *r * (size_t)b->k);
    for (int u = 0; u < b->k; u++)
        for (int i = 0; i < n; i++) r[at_c + u] += b->along.of_N.basis[u * n + i] * b->end.room[i];
    for (int s = 0; s < b->stiff; s++) {
        const int j = bent_held(b, s);
        d[s] = b->end.y[j] - b->end.v_ref[j];
    }
}

int bent_held(const bent_moves *b, int s)
{
    const fixed_pivots *V = &b->along.of_V, *of = &b->along.of_right;
    return V->column[V->rank + (b->stiff == b->kv ? s : of->column[of->rank + s])];
}

/*     (a)  (L_vq - nu dA - sign mu dA - C_q) dq - dp  (c)  N^T (L_qq + f_q - d/dt L_vq + lam dA) dq
 *                                                          - N^T d(L_vv c + A_L^T c)
 *     (b)  e_q dq                                     (d)  G dq */
void bent_change(bent_moves *b, const double *dq, const double *dp, double *to)
{
    const int      n = b->n, at_c = n + b->M;
    const pattern *K = &b->sys->K, *A = &b->sys->A;
    double        *d = to + at_c + b->k;
    memset(to, 0, sizeof *to * (size_t)b->end.size);
    for (int i = 0; i < n; i++) {
        double stiff = 0;
        if (!bent_is_state(b->sys, i)) to[i] -= dp[i];
        for (int e = K->start[i]; e < K->start[i + 1]; e++) {
            const double of = dq[K->column[e]];
            const double turns = (b->M ? at(b, F_CURV, e) : 0) + b->end.Cq[e];
            if (bent_is_state(b->sys, i)) to[i] += at(b, F_FQ, e) * of;
            else to[bent_row_of_Lw(b, i)] += across(b, F_LQW, e) * of;
            if (!bent_is_state(b->sys, i)) to[i] -= turns * of;
            stiff += (at(b, F_LQQ, e) + of_force(b, F_FQ, e) - b->rate.Lqw[b->sys->transpose[e]] +
                      (b->M ? b->end.curvature[e] : 0) - (b->end.turning ? b->end.turning[e] : 0)) *
                     of;
        }
        for (int u = 0; u < b->k; u++) to[at_c + u] += b->along.of_N.basis[u * n + i] * stiff;
    }
    for (int a = 0; a < b->M; a++) {
        double turned = 0;
        for (int e = A->start[a]; e < A->start[a + 1]; e++) {
            to[n + a] += b->out.eq[e] * dq[A->column[e]];
            turned += b->out.A[e] * dq[A->column[e]];
        }
        if (b->inside[a] && a >= b->sys->m) *d++ = turned;
    }
}

/* Of w_j in (a):  L_vv - C_v,  1 - C_v of a Hamiltonian coordinate, whose velocity has L_ww;  f_v
 * of a state. */
static void fill_momentum(bent_moves *b, int i, int e)
{
    const int S = b->end.size, j = b->sys->K.column[e];
    double   *row = b->end.values + i * S;
    if (bent_is_state(b->sys, i)) {
        row[j] += at(b, F_FW, e);
        return;
    }
    row[j] -= b->end.Cv[e];
    if (!bent_is_phase(b->sys, i)) {
        row[j] += at(b, F_LWW, e);
        return;
    }
    double *of_v = b->end.values + row_of_velocity(b, i) * S;
    of_v[j] += at(b, F_LWW, e);
    if (i == j) row[i] += 1, of_v[b->end.velocity[i]] += 1;
}

/* The columns of w and v:  (a),   (c) N^T (L_qw + f_w - d/dt L_vv) and -N^T L_vq,   (e) 1 */
static void fill_velocities(bent_moves *b)
{
    const int      n = b->n, S = b->end.size, at_e = n + b->M + b->k + b->positions;
    const pattern *K = &b->sys->K;
    double        *c = b->end.values + (n + b->M) * S;
    for (int i = 0; i < n; i++)
        for (int e = K->start[i]; e < K->start[i + 1]; e++) {
            const int    j = K->column[e];
            const double push = drag(b, e) - b->rate.Lww[e], turns = across(b, F_LQW, e);
            fill_momentum(b, i, e);
            for (int u = 0; u < b->k; u++) {
                const double N = b->along.of_N.basis[u * n + i];
                c[u * S + j] += N * push, c[u * S + b->end.velocity[j]] -= N * turns;
            }
        }
    for (int s = 0; s < b->stiff; s++) {
        b->end.values[(at_e + s) * S + bent_held(b, s)] = 1;
        for (int i = 0; i < n; i++)
            b->end.values[i * S + b->end.at_sigma + s] += b->along.Y[s * n + i];
    }
}

/* Those with A: of (a) in nu and mu, of (b) in v, of (c) in lam. */
static void fill_relations(bent_moves *b, int sign)
{
    const int      n = b->n, S = b->end.size;
    const pattern *A = &b->sys->A;
    double        *c = b->end.values + (n + b->M) * S;
    for (int a = 0; a < b->M; a++) {
        const bool in = b->inside[a];
        const int  k = b->number[a], to = (in ? b->end.at_mu : b->end.at_nu) + k;
        for (int e = A->start[a]; e < A->start[a + 1]; e++) {
            const int    j = A->column[e];
            const double of_A = b->out.A[e];
            b->end.values[(n + a) * S + b->end.velocity[j]] += of_A;
            if (!bent_is_state(b->sys, j)) b->end.values[j * S + to] -= in ? sign * of_A : of_A;
            for (int u = 0; u < b->k && in; u++)
                c[u * S + b->end.at_lam + k] += b->along.of_N.basis[u * n + j] * of_A;
        }
    }
}

/* Those of xi: a move along X, with which the momentum goes. */
static void fill_moves(bent_moves *b, int sign)
{
    const int S = b->end.size;
    for (int u = 0; u < b->kx; u++) {
        const double *X = b->along.of_X.basis + u * b->n;
        push_along(b, X, b->end.room);
        bent_change(b, X, b->end.room, b->end.column);
        for (int i = 0; i < S; i++)
            b->end.values[i * S + b->end.at_xi + u] = sign * b->end.column[i];
    }
}

static void fill(bent_moves *b, int sign)
{
    const int S = b->end.size;
    memset(b->end.values, 0, sizeof *b->end.values * (size_t)(S * S));
    fill_velocities(b), fill_relations(b, sign), fill_moves(b, sign);
}

static double largest(const double *x, int n, double most)
{
    for (int i = 0; i < n; i++)
        if (!(fabs(x[i]) <= most)) most = fabs(x[i]);
    return most;
}

/* By the matrix and the residual as they stand. False: it is singular, or leads nowhere. */
bool bent_correct(bent_moves *b, bent_correction *made)
{
    if (!solver_factor(b->end.lu, b->end.values)) {
        b->pass.changed = !bent_keeps_kinds(b);
        return b->pass.failed = DAL_SINGULAR, false;
    }
    memcpy(b->end.step, b->end.r, sizeof *b->end.r * (size_t)b->end.size);
    solver_solve(b->end.lu, b->end.step);
    for (int i = 0; i < b->end.size; i++) b->end.y[i] -= b->end.step[i];
    double v = 0, dv = 0;
    for (int i = 0; i < b->n; i++) {
        const int k = b->end.velocity[i];
        v = fmax(v, fabs(b->end.y[k])), dv = largest(b->end.step + k, 1, dv);
    }
    made->moved = largest(b->end.step + b->end.at_xi, b->kx, 0);
    made->speed = dv > 0 ? dv / fmax(v, DBL_MIN) : 0;
    made->way = dv * (b->row.eq->h != 0 ? fabs(b->row.eq->h) : HUGE_VAL);
    b->pass.failed = made->moved <= DBL_MAX && made->speed <= DBL_MAX ? DAL_OK : DAL_DIVERGED;
    return !b->pass.failed;
}

bool bent_begin(bent_moves *b, const sys_point *where)
{
    const int      n = b->n;
    const pattern *A = &b->sys->A;
    double        *to = b->pass.first;
    if (!bent_evaluate(b, WANT_GRADIENT | WANT_HESSIAN, where) || !bent_find_bases(b)) return false;
    memset(to, 0, sizeof *to * (size_t)(2 * n * (b->kx + b->inner)));
    for (int u = 0; u < b->kx; u++, to += 2 * n) {
        memcpy(to, b->along.of_X.basis + u * n, sizeof *to * (size_t)n);
        push_along(b, to, to + n);
    }
    for (int a = 0; a < b->M; a++)
        for (int e = A->start[a]; e < A->start[a + 1] && b->inside[a]; e++)
            to[2 * n * b->number[a] + n + A->column[e]] = b->out.A[e];
    return true;
}

bool bent_look(bent_moves *b, const bent_state *from, int sign)
{
    b->end.size_q = b->end.apart = 0;
    for (int i = 0; i < b->n; i++) {
        b->end.q[i] = from->q[i] + (from->q_low[i] + b->end.x[i]);
        b->end.size_q = fmax(b->end.size_q, fabs(b->end.q[i]));
        b->pass.dq[i] = b->end.x[i];
    }
    if (!evaluate(b, from->t, sign)) return false;
    place_move(b, sign, b->end.y + b->end.at_xi), place_drag(b, sign, b->end.y + b->end.at_mu);
    for (int i = 0; i < b->n; i++)
        b->end.apart = fmax(b->end.apart, fabs(b->end.x[i] - b->pass.dq[i]));
    residual(b, from);
    for (int i = 0; i < b->end.size; i++)
        if (!isfinite(b->end.r[i])) return false;
    fill(b, sign);
    return true;
}

/* Are both at roundoff, or as little as roundoff lets them be? X is taken where the last correction
 * led, so x follows by one correction. */
bool bent_settled(bent_moves *b, int sign, bent_correction *made, bent_correction before)
{
    static const double ENOUGH = 4 * DBL_EPSILON, NOISE = 1e-9;
    const double        size = b->end.size_q;
    place_move(b, sign, b->end.y + b->end.at_xi), place_drag(b, sign, b->end.y + b->end.at_mu);
    made->moved = fmax(made->moved, b->end.apart);
    const bool stays = made->moved >= before.moved / 2 && made->moved <= NOISE * size;
    const bool runs_on = made->speed >= before.speed / 2 &&
                         (made->speed <= NOISE || made->way <= 64 * DBL_EPSILON * size);
    return (made->moved <= ENOUGH * size || stays) && (made->speed <= ENOUGH || runs_on);
}

static void copy(double *to, const double *from, int n)
{
    memcpy(to, from, sizeof *to * (size_t)n);
}

/* From the velocity and the reactions at hand, unmoved. */
static void begin(bent_moves *b)
{
    memset(b->end.y, 0, sizeof *b->end.y * (size_t)b->end.size);
    memset(b->end.x, 0, sizeof *b->end.x * (size_t)b->n);
    copy(b->end.v_ref, b->pass.v_end, b->n), copy(b->end.y, b->pass.w_end, b->n);
    for (int i = 0; i < b->n; i++) b->end.y[b->end.velocity[i]] = b->pass.v_end[i];
    copy(b->end.y + b->end.at_lam, b->pass.lam_end, b->inner);
}

void bent_predict(bent_moves *b, const history *before, int sign)
{
    begin(b);
    if (!before->count) return;
    history_extrapolate(before, b->end.y);
    place_move(b, sign, b->end.y + b->end.at_xi);
}

void bent_take(bent_moves *b)
{
    copy(b->pass.dq, b->end.x, b->n);
    spread(b), copy(b->pass.v_end, b->end.v, b->n), copy(b->pass.w_end, b->end.y, b->n);
    copy(b->pass.lam_end, b->end.y + b->end.at_lam, b->inner);
}

dal_status bent_solve(bent_moves *b, const bent_state *from)
{
    bent_correction before = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    begin(b);
    for (int it = 0; it < ITERATIONS_MOST; it++) {
        bent_correction made;
        if (!bent_look(b, from, 1)) return DAL_DIVERGED;
        if (!bent_correct(b, &made)) return b->pass.failed;
        if (bent_settled(b, 1, &made, before) && it) return bent_take(b), DAL_OK;
        before = made;
    }
    return DAL_DIVERGED;
}

bool bent_decides(bent_moves *b, const bent_state *from)
{
    begin(b);
    if (!bent_look(b, from, 1)) return true;
    mem       *room = mem_child(b->own);
    const int  S = b->end.size;
    const bool decides = dense_rank_scaled(room, b->end.values, S, S, 0, NULL) == S;
    mem_free(room);
    return decides;
}

/* The momentum at b->end.q of the velocities that were given. */
static bool place_momentum(bent_moves *b, double t)
{
    const sys_point where = {.t = t, .q = b->end.q, .w = b->pass.w_end, .v = b->end.v_ref};
    if (!bent_evaluate(b, WANT_GRADIENT, &where)) return false;
    for (int i = 0; i < b->n; i++)
        b->pass.p[i] = bent_is_phase(b->sys, i) ? b->pass.w_end[i] : b->out.Lw[i];
    return true;
}

/* The same, from where the last correction led: a start may be far from balance. */
dal_status bent_balance(bent_moves *b, double t, const double *q)
{
    enum { BALANCING_MOST = 100 };
    const size_t    n = (size_t)b->n * sizeof(double);
    bent_correction before = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    memset(b->pass.dq, 0, n);
    begin(b);
    for (int it = 0; it < BALANCING_MOST; it++) {
        bent_correction made;
        b->end.size_q = b->end.apart = 0;
        for (int i = 0; i < b->n; i++) {
            b->end.q[i] = q[i] + b->pass.dq[i];
            b->end.size_q = fmax(b->end.size_q, fabs(b->end.q[i]));
        }
        memset(b->end.y + b->end.at_xi, 0, sizeof *b->end.y * (size_t)(b->kx + b->inner));
        memset(b->end.x, 0, n), memset(b->pass.dp, 0, n);
        if (!place_momentum(b, t) || !evaluate(b, t, 1)) return DAL_DIVERGED;
        residual(b, &(bent_state){t, q, b->end.x, b->pass.p, b->end.x});
        fill(b, 1);
        if (!bent_correct(b, &made)) return b->pass.failed;
        const bool settled = bent_settled(b, 1, &made, before);
        for (int i = 0; i < b->n; i++) b->pass.dq[i] += b->end.x[i];
        if (it && settled) {
            copy(b->end.x, b->pass.dq, b->n), bent_take(b);
            return DAL_OK;
        }
        before = made;
    }
    return DAL_DIVERGED;
}
