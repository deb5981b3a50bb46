/* coupled.c - moves q and p by Newton's iteration, as a velocity along U would, until the forces
 * along U balance. A step with Gauss points leaves an imbalance of roundoff over h^2 if the
 * equations are linear, and of the stage order if not. */
#include "mech/project/coupled.h"

#include "step/words.h"

#include "step/judge.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS_MOST = 10 };

/* Along all that is behind the resistive directions, coupled or stiff: states are projected
 * together. */
void coupled_init(coupled *c, mem *m, dal_system *sys, node_equations *g)
{
    *c = (coupled){.grid = g, .first = g->resistive};
    free_moves_init(&c->moves, m, sys, g, g->resistive, g->coupled ? g->k - g->resistive : 0);
    if (!g->coupled) return;
    double **of_n[] = {&c->p, &c->w, &c->v};
    for (int i = 0; i < 3; i++) *of_n[i] = mem_array(m, sys->n, double);
    c->nu = mem_array(m, g->relations, double);
    c->sigma = mem_array(m, g->k, double);
    c->left = mem_array(m, g->k, double);
    c->follows = mem_array(m, g->k * sys->n, double);
}

void coupled_free(coupled *c)
{
    free_moves_free(&c->moves);
}

/* (L_qw - L_wq + f_w) at an entry of K */
static double pushes(const free_moves *a, int e)
{
    const double *Lqw = a->out.on_K[F_LQW], f = a->sys->forced ? a->out.on_K[F_FW][e] : 0;
    return Lqw[e] - Lqw[a->sys->transpose[e]] + f;
}

/* The velocity that belongs to the moved state, and all fields there. */
static bool evaluate(coupled *c, double t, const double *q, const double *q_low, const double *p)
{
    free_moves *a = &c->moves;
    unsigned    want = WANT_GRADIENT | WANT_HESSIAN | WANT_TIME;
    for (int i = 0; i < a->n; i++)
        a->q[i] = q[i] + (q_low[i] + a->dq[i]), c->p[i] = p[i] + a->dp[i];
    if (node_solve(c->grid, t, a->q, c->p, c->w, c->v, c->nu, c->sigma)) return false;
    if (a->sys->forced) want |= WANT_FORCE | WANT_FORCE_JACOBIAN;
    if (c->grid->relations) want |= WANT_RELATIONS;
    const sys_point at = {.t = t, .q = a->q, .w = c->w, .v = c->v};
    return !a->sys->eval(a->sys->self, want, 1, &at, &a->out) && node_factor(c->grid);
}

/* dv along each direction:  L_ww dv - A^T dnu = (L_qw - L_wq + f_w) u,   A dv = 0 */
static void follow(coupled *c)
{
    free_moves    *a = &c->moves;
    const pattern *K = &a->sys->K;
    for (int u = 0; u < a->k; u++) {
        memset(c->grid->r, 0, sizeof *c->grid->r * (size_t)c->grid->size);
        for (int i = 0; i < a->n; i++)
            for (int e = K->start[i]; e < K->start[i + 1]; e++)
                c->grid->r[i] += pushes(a, e) * a->U[u * a->n + K->column[e]];
        node_divide(c->grid);
        memcpy(c->follows + u * a->n, c->grid->r, sizeof *c->follows * (size_t)a->n);
    }
}

/*     x_a = W_a (L_q + f - L_wq v - L_wt),   values_ab = W_a ((L_qq + f_q) U_b + (L_qw - L_wq +
 * f_w) dv_b) */
static void gather(coupled *c)
{
    free_moves    *a = &c->moves;
    const pattern *K = &a->sys->K;
    memset(a->values, 0, sizeof *a->values * (size_t)(a->k * a->k));
    memset(a->x, 0, sizeof *a->x * (size_t)a->k);
    for (int i = 0; i < a->n; i++)
        for (int u = 0; u < a->k; u++) {
            const double along = a->W[u * a->n + i];
            if (along == 0) continue;
            a->x[u] += along * (a->out.Lq[i] + (a->sys->forced ? a->out.f[i] : 0) - a->out.Lwt[i]);
            for (int e = K->start[i]; e < K->start[i + 1]; e++) {
                const int    j = K->column[e];
                const double stiff =
                    a->out.on_K[F_LQQ][e] + (a->sys->forced ? a->out.on_K[F_FQ][e] : 0);
                a->x[u] -= along * a->out.on_K[F_LQW][a->sys->transpose[e]] * c->v[j];
                for (int b = 0; b < a->k; b++)
                    a->values[u * a->k + b] += along * (stiff * a->U[b * a->n + j] +
                                                        pushes(a, e) * c->follows[b * a->n + j]);
            }
        }
}

/* dp, and without the momentum along U that is roundoff where L_w is linear in q */
static void drag(coupled *c)
{
    free_moves *a = &c->moves;
    const bool  linear = a->sys->varies[F_LQW] != FIELD_VARIES;
    free_moves_drag(a);
    for (int i = 0; i < a->n; i++)
        for (int u = 0; u < a->k && linear; u++) a->dp[i] -= a->U[u * a->n + i] * c->left[u];
}

/* From the state as it is, with v as the guess of both w and v. */
static void begin(coupled *c, const double *v)
{
    free_moves *a = &c->moves;
    memset(a->dq, 0, sizeof *a->dq * (size_t)a->n);
    memset(a->dp, 0, sizeof *a->dp * (size_t)a->n);
    memcpy(c->w, v, sizeof *c->w * (size_t)a->n), memcpy(c->v, v, sizeof *c->v * (size_t)a->n);
}

bool coupled_decides(coupled *c, mem *m, double t, const double *q, const double *q_low,
                     const double *p, const double *v)
{
    free_moves   *a = &c->moves;
    const double *Lqq = a->out.on_K[F_LQQ], *fq = a->out.on_K[F_FQ];
    double        largest = 0;
    begin(c, v);
    if (!evaluate(c, t, q, q_low, p)) return true; /* that is another matter */
    follow(c), gather(c);
    for (int e = 0; e < pattern_count(&a->sys->K); e++)
        largest = fmax(largest, fabs(Lqq[e] + (a->sys->forced ? fq[e] : 0)));
    mem    *room = mem_child(m);
    double *sigma = mem_array(room, a->k, double), *vt = mem_array(room, a->k * a->k, double);
    dense_svd(room, a->values, a->k, a->k, sigma, vt);
    const bool decides = sigma[a->k - 1] > 1e-12 * largest;
    mem_free(room);
    return decides;
}

/* `left` is the momentum along U before anything moved, which drag takes off again. */
bool coupled_solve(coupled *c, double t, const double *q, const double *q_low, const double *p,
                   const double *v)
{
    free_moves *a = &c->moves;
    double      before = HUGE_VAL;
    begin(c, v);
    for (int it = 0; it < ITERATIONS_MOST; it++) {
        if (!evaluate(c, t, q, q_low, p)) return false;
        if (!it) memcpy(c->left, c->sigma + c->first, sizeof *c->left * (size_t)a->k);
        follow(c), gather(c);
        const double change = free_moves_correct(a);
        if (change < 0 || change > 2 * before) return false;
        drag(c);
        double size = 0;
        for (int i = 0; i < a->n; i++) size = fmax(size, fabs(a->q[i]));
        if (was_last(change, before, size)) return true;
        before = change;
    }
    return false;
}
