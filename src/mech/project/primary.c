/* primary.c - moves q and p by Newton's iteration, as a velocity in U would, until the momentum is
 * that of the position.
 *
 * Gauss rules leave a defect U^T (p - L_w), and with it an error of q, of their stage order. Moved
 * along U, whose velocities are the multipliers of that equation, the state has order 2s. */
#include "mech/project/primary.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ITERATIONS_MOST = 10 };

void primary_init(primary *a, mem *m, dal_system *sys, const node_equations *g)
{
    free_moves_init(a, m, sys, g, 0, sys->varies[F_LQW] == FIELD_VARIES ? g->resistive : 0);
    a->W = a->U;
}

void primary_free(primary *a)
{
    free_moves_free(a);
}

/*     (p + dp - L_w)_i */
static double defect(const free_moves *a, int i, const double *p)
{
    return p[i] - a->out.Lw[i] + a->dp[i];
}

/*     L_qw + f_w - L_wq at an entry of K */
static double push(const free_moves *a, int e)
{
    const double *Lqw = a->out.on_K[F_LQW], f = a->sys->forced ? a->out.on_K[F_FW][e] : 0;
    return Lqw[e] + f - Lqw[a->sys->transpose[e]];
}

static const free_equation MOMENTUM = {defect, push};

/* A correction leaves a fraction of the defect about as large as the move relative to the position,
 * since the matrix does not contain the change of L_qw with the move. */
static double expected_rate(const primary *a, double size)
{
    double moved = 0;
    for (int i = 0; i < a->n; i++) moved = fmax(moved, fabs(a->dq[i]));
    return size > 0 ? fmin(1, 8 * moved / size) : 1;
}

/* `left` estimates the error after the last correction: by the ratio of corrections or by what the
 * matrix lacks, whichever is less. */
bool primary_continue(primary *a, double t, const double *q, const double *q_low, const double *p,
                      const double *v)
{
    double before = HUGE_VAL, left = HUGE_VAL;
    for (int it = 0; it < ITERATIONS_MOST; it++) {
        double size = free_moves_evaluate(a, WANT_GRADIENT | WANT_HESSIAN, t, q, q_low, v);
        if (size < 0) return false;
        free_moves_drag(a);
        free_moves_gather(a, &MOMENTUM, p);
        if (left <= DBL_EPSILON / 2 * size) return true;
        double change = free_moves_correct(a);
        if (change < 0 || change > 2 * before) return false;
        left = change * fmin(it ? change / before : 1, expected_rate(a, size));
        before = change;
    }
    return false;
}

bool primary_solve(primary *a, double t, const double *q, const double *q_low, const double *p,
                   const double *v)
{
    memset(a->dq, 0, sizeof *a->dq * (size_t)a->n);
    return primary_continue(a, t, q, q_low, p, v);
}
