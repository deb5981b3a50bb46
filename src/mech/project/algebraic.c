/* algebraic.c - moves q along U by Newton's iteration until the forces along U balance. */
#include "mech/project/algebraic.h"

#include "step/words.h"

#include "step/judge.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ITERATIONS_MOST = 30 };

void algebraic_init(algebraic *a, mem *m, dal_system *sys, const node_equations *g, int first)
{
    free_moves_init(a, m, sys, g, first, g->k - first);
}

void algebraic_free(algebraic *a)
{
    free_moves_free(a);
}

/* (L_wq x)_i */
static double change_of_momentum(const algebraic *a, int i, const double *x)
{
    const pattern *K = &a->sys->K;
    double         sum = 0;
    for (int e = K->start[i]; e < K->start[i + 1]; e++)
        sum += a->out.on_K[F_LQW][a->sys->transpose[e]] * x[K->column[e]];
    return sum;
}

double algebraic_drag(const algebraic *a, int i)
{
    return change_of_momentum(a, i, a->dq);
}

/* (L_wq v + L_wt)_i: the rate of change of L_w with the motion */
static double drift(const algebraic *a, int i, const double *v)
{
    return a->out.Lwt[i] + change_of_momentum(a, i, v);
}

/*     (L_q + f - L_wq v - L_wt)_i */
static double force(const algebraic *a, int i, const double *v)
{
    return a->out.Lq[i] + (a->sys->forced ? a->out.f[i] : 0) - drift(a, i, v);
}

/*     L_qq + f_q at an entry of K */
static double stiffness(const algebraic *a, int e)
{
    return a->out.on_K[F_LQQ][e] + (a->sys->forced ? a->out.on_K[F_FQ][e] : 0);
}

static const free_equation BALANCE = {force, stiffness};

/* Before the first correction. Where all positions are 0, only forces set a scale. */
static void note_imbalance(algebraic *a)
{
    a->off = a->forces = 0;
    for (int u = 0; u < a->k; u++) a->off = fmax(a->off, fabs(a->x[u]));
    for (int i = 0; i < a->n; i++) {
        a->forces = fmax(a->forces, fabs(a->out.Lq[i]));
        if (a->sys->forced) a->forces = fmax(a->forces, fabs(a->out.f[i]));
    }
}

/* The largest force that is left along U; NaN if one is. */
static double imbalance(const algebraic *a)
{
    double most = 0;
    for (int u = 0; u < a->k; u++)
        if (!(fabs(a->x[u]) <= most)) most = fabs(a->x[u]);
    return most;
}

/* Evaluates everything at the present q and returns its size; the last correction is halved while
 * it leaves a larger imbalance than before. */
static double evaluate_nearer(algebraic *a, double t, const double *q, const double *q_low,
                              const double *v, double *left)
{
    enum { HALVINGS_MOST = 20 };
    for (int k = 0; k <= HALVINGS_MOST; k++) {
        double size =
            free_moves_evaluate(a, WANT_GRADIENT | WANT_HESSIAN | WANT_TIME, t, q, q_low, v);
        if (size >= 0) free_moves_gather(a, &BALANCE, v);
        const double now = size < 0 ? HUGE_VAL : imbalance(a);
        if (now <= *left) return *left = now, size;
        for (int i = 0; i < a->n; i++) a->dq[i] = (a->dq[i] + a->from[i]) / 2;
    }
    return -1;
}

/* Newton's iteration. */
bool algebraic_solve(algebraic *a, double t, const double *q, const double *q_low, const double *v)
{
    double       left = DBL_MAX, before = HUGE_VAL;
    const size_t bytes = sizeof *a->dq * (size_t)a->n;
    memset(a->dq, 0, bytes), memset(a->from, 0, bytes);
    a->off = a->forces = 0;
    for (int it = 0; it < ITERATIONS_MOST; it++) {
        double size = evaluate_nearer(a, t, q, q_low, v, &left);
        if (size < 0) return false;
        if (!it) note_imbalance(a);
        memcpy(a->from, a->dq, bytes);
        double change = free_moves_correct(a);
        if (change < 0) return false;
        if (was_last(change, before, size)) return free_moves_drag(a), true;
        before = change;
    }
    return false;
}
